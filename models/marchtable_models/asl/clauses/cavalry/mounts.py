"""What is particular to Cavalry (A13), wagons (D12) and motorcycles (D15)."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause
from marchtable.state.position import Odds
from marchtable_models.asl.clauses.cavalry.gallop import wagon_wreck_check
from marchtable_models.asl.clauses.terrain.chart import cells
from marchtable_models.asl.clauses.terrain.roads import over_the_edge
from marchtable_models.asl.clauses.terrain.works import among_shells
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.facts.mounts import Halted, Mounting
from marchtable_models.asl.facts.outcomes import WreckResult
from marchtable_models.asl.facts.spending import Allowance
from marchtable_models.asl.facts.steps import Entry
from marchtable_models.asl.facts.units import Standing
from marchtable_models.asl.facts.vehicles import StartStop, Swing

SIDES_OF_A_DIE = 6


@clause("A13.34", kind="cost", composes="start")
def horse_mf(facts: Allowance, sheet: Sheet) -> None:
    """A horse has 12 MF."""
    if facts.cavalry:
        sheet.charge(halves("A13.34", "horse"), "horse")


@clause("A13.33", kind="capacity")
def cavalry_load(facts: Standing | Mounting, sheet: Sheet) -> None:
    """Cavalry carries no more PP than its IPC."""
    if isinstance(facts, Mounting):
        rides, riders = facts.horses, facts.size
    else:
        rides, riders = bool(facts.riders) and facts.verb != "end", facts.riders
    if rides:
        smc = riders == "smc"
        most = count("A4.42", "smc" if smc else "mmc")
        if smc and facts.wounded:
            most = count("A17.2", "ipc")
        if facts.pp > most:
            sheet.bar("the Cavalry carries too much", most, facts.pp)


@clause("A13.33b", kind="capacity")
def cavalry_dm(facts: Standing | Mounting, sheet: Sheet) -> None:
    """SW that Cavalry carries are dm if they can be."""
    rides = facts.horses if isinstance(facts, Mounting) else facts.verb not in ("end", "dismount")
    if rides and facts.assembled:
        sheet.bar("a SW that can be dm is not", 0, facts.assembled)


@clause("D12.1a", kind="cost", composes="start")
def free_start(facts: StartStop, sheet: Sheet) -> None:
    """A wagon pays nothing for Start and Stop."""
    if facts.wagon:
        sheet.charge(-sheet.total("start", "stop"), "a wagon pays nothing for it", "start")


@clause("D12.1c", kind="state")
def halts(_: Halted, sheet: Sheet) -> None:
    """A wagon has stopped, for nothing, as its MPh ends, unless its player ends it in Motion."""
    sheet.force("moving", value=False)


@clause("D12.1b", kind="cost")
def wagon_turns(facts: Swing, sheet: Sheet) -> None:
    """A wagon's VCA change costs 1 MF a hexspine in any terrain."""
    if facts.mover.column == "hd":
        more = sheet.total("vca") - halves("D12.1", "spine")
        sheet.charge(-more, "a wagon's VCA change costs no more", "vca")


@clause("D15.46a", kind="odds")
def wreck_check(facts: Entry, sheet: Sheet) -> None:
    """A motorcycle makes a Wreck Check in shellholes, streams, over abrupt changes of elevation and the edge of an elevated road."""
    if facts.mover.column != "mc":
        return
    dry = "stream-dry" if sheet.reading("D8.2") == "gully" else ""
    rough = not facts.way and any("X" in cell.marks for row, cell in cells(facts) if row.id != dry)
    rough = rough or among_shells(facts)
    if rough or facts.ground.abrupt or over_the_edge(facts):
        worst = SIDES_OF_A_DIE + 1 - count("D15.46", "wrecks")
        safe = Odds("safe", SIDES_OF_A_DIE - worst, SIDES_OF_A_DIE)
        odds = (safe, Odds("wrecked", worst, SIDES_OF_A_DIE))
        sheet.roll("wreck", odds, f"safe on a dr of {safe.chance} or less")


@clause("D15.46b", kind="effect")
def wrecked(facts: WreckResult, sheet: Sheet) -> None:
    """A motorcycle that fails its Wreck Check is wrecked."""
    if facts.wagon or facts.outcome != "wrecked":
        return
    if not facts.told:
        sheet.unsupported("who rides the motorcycle is not told as a unit, and would break")
    elif sheet.reading("D15.46b") == "gone":
        sheet.force("at", None)
    sheet.force("moving", value=False)
    sheet.force("mph", "done")


def is_wreck_check(clause_id: str) -> bool:
    """Return whether a roll that this clause calls for is a Wreck Check."""
    return clause_id in (wreck_check.id, wagon_wreck_check.id)
