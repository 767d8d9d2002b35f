"""What is particular to Cavalry (A13), wagons (D12) and motorcycles (D15)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.clause import clause, unsupported
from marchtable.position import Odds
from marchtable_models.asl.chart import cells
from marchtable_models.asl.data import count, halves

if TYPE_CHECKING:
    from marchtable.clause import Sheet
    from marchtable_models.asl.facts import Entry, StartStop, Swing
    from marchtable_models.asl.unitfacts import Allowance, Standing

__all__ = [
    "cavalry_load", "free_start", "horse_mf", "wagon_turns", "wreck_check", "wrecked",
]  # fmt: skip

SIDES_OF_A_DIE = 6


@clause("A13.34", "A horse has 12 MF", kind="cost", composes="start")
def horse_mf(facts: Allowance, sheet: Sheet) -> None:
    if facts.cavalry:
        sheet.charge(halves("A13.34", "horse"), "horse")


@clause("A13.33", "Cavalry carries no more PP than its IPC", kind="capacity")
def cavalry_load(facts: Standing, sheet: Sheet) -> None:
    if facts.riders and facts.verb != "end":
        smc = facts.riders == "smc"
        most = count("A4.42", "smc" if smc else "mmc")
        if smc and facts.wounded:
            most = count("A17.2", "ipc")
        if facts.pp > most:
            sheet.bar("the Cavalry carries too much", most, facts.pp)


@clause("D12.1a", "A wagon pays nothing for Start and Stop", kind="cost", composes="start")
def free_start(facts: StartStop, sheet: Sheet) -> None:
    if facts.wagon:
        sheet.charge(-sheet.total("start", "stop"), "a wagon pays nothing for it", "start")


@clause("D12.1b", "A wagon's VCA change costs 1 MF a hexspine in any terrain", kind="cost")
def wagon_turns(facts: Swing, sheet: Sheet) -> None:
    if facts.mover.column == "hd":
        more = sheet.total("vca") - halves("D12.1", "spine")
        sheet.charge(-more, "a wagon's VCA change costs no more", "vca")


@clause(
    "D15.46a",
    "A motorcycle makes a Wreck Check in shellholes, streams and abrupt changes of elevation",
    kind="odds",
)
def wreck_check(facts: Entry, sheet: Sheet) -> None:
    if facts.mover.column != "mc":
        return
    rough = not facts.way and any("X" in cell.marks for _, cell in cells(facts))
    if rough or abs(facts.ground.rise) > 1:
        worst = SIDES_OF_A_DIE + 1 - count("D15.46", "wrecks")
        safe = Odds("safe", SIDES_OF_A_DIE - worst, SIDES_OF_A_DIE)
        sheet.roll("wreck", (safe, Odds("wrecked", worst, SIDES_OF_A_DIE)))


wrecked = unsupported(
    "D15.46b",
    "A Rider who breaks and dismounts as his motorcycle is wrecked",
    lambda facts: facts.outcome == "wrecked",
)
