"""What pinned units may not do, how long they stay so, and how they rally (V14.7, V14.8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause
from marchtable.state.position import Odds
from marchtable_models.valor.clauses.combat import TWO_DICE
from marchtable_models.valor.data import figure
from marchtable_models.valor.facts.losses import Trial

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.valor.facts.attacks import Firing
    from marchtable_models.valor.facts.errands import Forming, Smoking
    from marchtable_models.valor.facts.losses import Boarding, Carried, Recovery
    from marchtable_models.valor.facts.moves import Mobile

__all__ = [
    "brings_passengers",
    "leader_helps",
    "pinned_acts_not",
    "recover",
    "roll_to_rally",
    "who_rallies",
]


@clause("V14.7a", "A pinned unit does nothing and spots for nobody", kind="state")
def pinned_acts_not(facts: Firing | Boarding | Forming | Mobile | Smoking, sheet: Sheet) -> None:
    if facts.pinned:
        sheet.bar("the unit is pinned")


@clause(
    "V14.7b",
    "A pin lasts until a rally succeeds, or else until the owner's next Command Phase",
    kind="effect",
)
def recover(facts: Recovery, sheet: Sheet) -> None:
    if facts.moment in ("rallied", "command"):
        sheet.force("pinned", False)


@clause(
    "V14.8c",
    "Only the active player's pinned units try to rally, in his After-Action Phase",
    kind="action",
)
def who_rallies(facts: Trial, sheet: Sheet) -> None:
    if facts.phase != "AfterAction":
        sheet.bar("it is not the time to rally", "AfterAction", facts.phase)
    if not facts.own_turn:
        sheet.bar("only the active player's units rally")
    if not facts.on_map:
        sheet.bar("the unit is off the map")
    if not facts.pinned:
        sheet.bar("the unit is not pinned")
    if facts.tried and sheet.reading("A22") == "once":
        sheet.bar("it has tried in this phase")


@clause(
    "V14.8d", "An unpinned leader in the hex may add his modifier to the rally roll", kind="odds"
)
def leader_helps(facts: Trial, sheet: Sheet) -> None:
    sheet.charge(facts.leader, "leader", "dice")


@clause(
    "V14.8a",
    "Leaders, elite infantry, vehicles and Guns rally on 7 or less, other infantry on 6 or less",
    kind="odds",
)
def roll_to_rally(facts: Trial, sheet: Sheet) -> None:
    regular = facts.kind == "infantry" and not facts.elite
    need = figure("V14.8a", "regular" if regular else "others")
    modifier = sheet.total("dice")
    good = sum(ways for roll, ways in TWO_DICE.items() if roll + modifier <= need)
    note = f"two dice, {modifier:+d}, at or under {need}"
    sheet.roll("rally", (Odds("rallied", good, 36), Odds("failed", 36 - good, 36)), note)


@clause("V14.8b", "A vehicle that rallies brings its Passengers with it", kind="effect")
def brings_passengers(facts: Carried | Trial, sheet: Sheet) -> None:
    if isinstance(facts, Trial):
        if facts.with_pinned and sheet.reading("A23") == "with-vehicle":
            sheet.bar("Passengers rally with their vehicle")
    elif facts.fate == "rallied":
        sheet.force("pinned", False)
