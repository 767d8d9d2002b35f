"""Gaps in a Convoy, and leaving it (E11.21, E11.25 to E11.255)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.clause import clause

if TYPE_CHECKING:
    from marchtable.clause import Sheet
    from marchtable_models.asl.linefacts import Leaving, Parted
    from marchtable_models.asl.unitfacts import Standing

__all__ = [
    "by_radio", "front_first", "gap", "gap_before_any_impulse", "leave_only_convoy", "lone",
    "parted_first", "reason", "recalled", "sees_attacked", "sees_lost",
]  # fmt: skip

REASONS = ("E11.251b", "E11.251c", "E11.251d", "E11.251e")


@clause(
    "E11.21a",
    "A Gap makes two Convoys of one, each moving by itself",
    kind="effect",
    composes="joint",
)
def gap(facts: Parted, sheet: Sheet) -> None:
    sheet.force("convoy", facts.name)
    if not facts.lost:
        sheet.force("behind", facts.ahead)


@clause(
    "E11.255b", "A lone vehicle that a Gap cuts off is in no Convoy", kind="state", composes="joint"
)
def lone(facts: Parted, sheet: Sheet) -> None:
    if facts.alone and not facts.lost:
        sheet.force("convoy", "")
        sheet.force("behind", "")


@clause(
    "E11.21e",
    "A Gap before any Impulse of the MPh is complete sets no order between the parts",
    kind="action",
    composes="joint",
)
def gap_before_any_impulse(facts: Parted, sheet: Sheet) -> None:
    if facts.ahead and not facts.begun and sheet.reading("E11.21e") == "no-order":
        sheet.force("behind", "")


@clause(
    "E11.21b",
    "The Convoy ahead of a Gap ends its MPh before the one behind goes on",
    kind="action",
    composes="joint",
)
def front_first(facts: Standing, sheet: Sheet) -> None:
    if facts.behind_front and facts.verb != "end":
        sheet.bar("the Convoy ahead of the Gap has not ended its MPh")


@clause(
    "E11.21c",
    "No other unit of the side moves until every element of a Convoy that has begun is done",
    kind="action",
    composes="joint",
)
def parted_first(facts: Standing, sheet: Sheet) -> None:
    if facts.behind_convoy and facts.verb != "end":
        sheet.bar("elements of a Convoy that has begun its MPh have not ended theirs")


@clause(
    "E11.251b", "... sees a vehicle of its Convoy attacked as the last Impulse ended", kind="action"
)
def sees_attacked(facts: Leaving, sheet: Sheet) -> None:
    if facts.sees_attacked:
        sheet.exception("it sees a vehicle of its Convoy that was attacked")


@clause(
    "E11.251e", "... sees a vehicle of its Convoy eliminated or immobilized this MPh", kind="action"
)
def sees_lost(facts: Leaving, sheet: Sheet) -> None:
    if facts.sees_lost:
        sheet.exception("it sees a vehicle of its Convoy that was eliminated or immobilized")


@clause("E11.251c", "... is a radio AFV, and another radio AFV has such a LOS", kind="action")
def by_radio(facts: Leaving, sheet: Sheet) -> None:
    if facts.radio_sees:
        sheet.exception("another AFV with a radio has such a LOS")


@clause("E11.251d", "... is Recalled", kind="action")
def recalled(facts: Leaving, sheet: Sheet) -> None:
    if facts.recalled:
        sheet.exception("it is Recalled")


@clause(
    "E11.251a",
    "A vehicle leaves its Convoy only for a reason: it sees a Known enemy ground unit, or ...",
    kind="action",
    composes="joint",
)
def reason(facts: Leaving, sheet: Sheet) -> None:
    if facts.convoy and not facts.sees_enemy and not sheet.excepted(*REASONS):
        sheet.bar("no reason to leave: no Known enemy, attack or loss that it is told to see")


@clause("E11.25a", "Only a vehicle of a Convoy leaves one, before an Impulse begins", kind="action")
def leave_only_convoy(facts: Leaving, sheet: Sheet) -> None:
    if not facts.convoy and not sheet.excepted("D14.24"):
        sheet.bar("the unit is in no Convoy, nor in a platoon and with a radio")


@clause(
    "E11.252c",
    "Once its MPh has begun a radioless AFV does not leave its platoon, Convoy or no Convoy",
    kind="action",
)
def stays_in_platoon(facts: Leaving, sheet: Sheet) -> None:
    if facts.radioless and facts.platoon and facts.begun and not facts.recalled:
        sheet.bar("a radioless AFV in a platoon has begun its MPh")
