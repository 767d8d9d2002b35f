"""Clauses on the turn of a transport: loading, carrying, unloading, and what they cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import Clause, clause
from marchtable_models.panzer.data import count
from marchtable_models.panzer.facts.steps import (
    Allowance,
    Burden,
    Firing,
    Loading,
    Mobile,
    Payment,
    Unloading,
)  # fmt: skip

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.panzer.facts.steps import Assaulting, Recording

__all__ = [
    "dispersed", "exclusive", "half", "half_of", "one_of_three", "optional_rules", "passenger_rests", "record",
    "wholly",
]  # fmt: skip


def half_of(mf: int) -> int:
    """Return half a movement factor, rounded down to whole points; both in half points."""
    return mf // 2 // count("P.turn-b", "part") * 2


@clause(
    "P.turn-a", "In a movement phase a transport loads, carries, or carries and unloads one unit",
    kind="action",
)  # fmt: skip
def one_of_three(facts: Loading | Burden | Unloading, sheet: Sheet) -> None:
    if isinstance(facts, Burden):
        most = count("P.turn-a", "passengers")
        if facts.carries > most and sheet.reading("B7") == "one":
            sheet.bar("a transport carries one unit", facts.carries, most)
        return
    if not facts.own_phase:
        sheet.bar("it is not its side's movement phase")
    if isinstance(facts, Unloading):
        if not facts.aboard:
            sheet.bar("the transport does not carry it")
        return
    _beside(facts, sheet)
    if facts.entered:
        _drove_there(facts, sheet)


def _beside(facts: Loading, sheet: Sheet) -> None:
    if facts.lone:
        sheet.bar("no unit loads itself")
    elif not facts.together:
        sheet.bar("transport and passenger must share a hex")
    if not facts.same_side:
        sheet.bar("transport and passenger must be of one side")
    if facts.aboard:
        sheet.bar("transport or passenger is aboard already")


def _drove_there(facts: Loading, sheet: Sheet) -> None:
    choice = sheet.reading("B2")
    most = {"whole": 0, "half": half_of(facts.mf)}.get(choice, facts.spent)
    if facts.spent > most:
        sheet.bar("it has moved too far to load", facts.spent, most, halves=True)


@clause(
    "P.turn-b", "A transport that unloads moves at most half its movement factor, rounded down",
    kind="cost", composes="flag",
)  # fmt: skip
def half(facts: Allowance | Payment | Unloading, sheet: Sheet) -> None:
    if isinstance(facts, Allowance):
        if facts.task == "unload":
            sheet.charge(half_of(facts.mf) - facts.mf, "unloads: half, rounded down")
    elif isinstance(facts, Payment):
        cost, left = facts.cost + sheet.total(), facts.allotment - facts.spent
        if facts.task == "unload" and cost > left:
            sheet.bar("more than half its movement factor", cost, left, halves=True)
    elif facts.spent > (most := half_of(facts.mf)) and (
        facts.onward or sheet.reading("B4") == "no"
    ):
        sheet.bar("it has moved more than half its movement factor", facts.spent, most, halves=True)


@clause(
    "P.turn-c",
    "A passenger neither moves nor fires in the phase in which it is loaded or unloaded, "
    "and travels with its transport",
    kind="action",
)
def passenger_rests(facts: Mobile | Loading | Firing, sheet: Sheet) -> None:
    if isinstance(facts, Loading):
        if facts.passenger_moved:
            sheet.bar("the passenger has moved this phase")
        if _lately(facts.passenger_fired, sheet):
            sheet.bar("the passenger has fired")
        return
    if isinstance(facts, Mobile) and facts.aboard:
        sheet.bar("it travels with its transport")
    elif _lately(facts.handled, sheet):
        sheet.bar("it was loaded or unloaded")


def _lately(done: str, sheet: Sheet) -> bool:
    """Return whether something was done so lately that it counts: this phase, or this turn."""
    return done == "now" or (done == "earlier" and sheet.reading("B6") == "turn")


@clause("P.turn-d", "Loading, carrying and unloading exclude each other as told", kind="action")
def exclusive(facts: Mobile | Loading | Unloading, sheet: Sheet) -> None:
    if isinstance(facts, Mobile):
        if facts.task == "load" and facts.loaded and sheet.reading("B1") == "exclusive":
            sheet.bar("it has loaded in this phase and carries nothing away")
    elif isinstance(facts, Loading):
        if facts.task == "unload" and sheet.reading("B3") == "barred":
            sheet.bar("it has unloaded in this phase")
        if facts.carried and facts.task == "" and sheet.reading("B1") == "exclusive":
            sheet.bar("it has carried in this phase")
        if facts.passenger_unloaded and sheet.reading("B3-relay") == "barred":
            sheet.bar("the unit was unloaded in this phase")
    elif facts.task == "load" and sheet.reading("B3") == "barred":
        sheet.bar("it has loaded in this phase")


@clause(
    "P.turn-e", "A transport that unloads moves wholly before or wholly after it",
    kind="action", composes="flag",
)  # fmt: skip
def wholly(facts: Mobile | Unloading, sheet: Sheet) -> None:
    if isinstance(facts, Unloading):
        since = facts.entered and not facts.before
        if facts.task == "unload" and since and sheet.reading("B5") == "either":
            sheet.bar("it has moved since it unloaded")
    elif facts.task == "unload" and facts.before and sheet.reading("B5") == "either":
        sheet.bar("it had moved before it unloaded")


@clause(
    "PB.dispersed",
    "A dispersed unit neither moves, loads, unloads, fires, assaults nor observes",
    kind="action",
)
def dispersed(facts: Mobile | Loading | Unloading | Firing | Assaulting, sheet: Sheet) -> None:
    if facts.dispersed:
        sheet.bar("it is dispersed")


@clause(
    "P.rec-a",
    "A transport is recorded directly above its passenger; unloaded, beneath other "
    "transportable unloaded units",
    kind="state",
)
def record(facts: Recording, sheet: Sheet) -> None:
    if facts.verb == "load":
        sheet.force("height", facts.top + (2 if facts.role == "transport" else 1))
    elif facts.role == "transport":
        beneath_all = sheet.reading("B16") == "all"
        sheet.force("height", (facts.lowest_of_all if beneath_all else facts.lowest) - 1)


def _optional(facts: Mobile | Loading | Unloading, sheet: Sheet) -> None:
    if others := [name for name in facts.optional if name != "concealed-movement"]:
        sheet.unsupported(f"optional rules are in play: {', '.join(others)}")


optional_rules = Clause(
    "P.opt-a", "Revealed movement and heavy equipment (optional)",
    kind="state", function=_optional, modelled=False,
)  # fmt: skip
