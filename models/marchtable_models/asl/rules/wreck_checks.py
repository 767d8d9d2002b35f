"""Wreck Checks of wagons (D12.4) and motorcycles (D15.46)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from marchtable.dice import SIDES
from marchtable.rules.facts import Case, Facts, Sheet, about
from marchtable.rules.subjects import clause, resolves, settles
from marchtable.state.position import Obligation, Odds
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.effects.handling import left_behind
from marchtable_models.asl.model import AslPosition
from marchtable_models.asl.rules.bridges import over_the_edge
from marchtable_models.asl.rules.riders import force_broken
from marchtable_models.asl.rules.shellholes import among_shells
from marchtable_models.asl.rules.survival import Lost
from marchtable_models.asl.unittype import SupportWeapon
from marchtable_models.asl.views import reading
from marchtable_models.asl.views.cargo import carried_by, everybody
from marchtable_models.asl.views.chart import cells
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.mph_ends import stranded
from marchtable_models.asl.views.vehicle_facts import Swing

WRECKED = "wrecked"


class WreckResult(Facts, frozen=True, gc=False):
    """The result of a Wreck Check: ``safe`` or ``wrecked``."""

    outcome: str
    wagon: bool = False  # else a motorcycle
    ridden: bool = False  # the motorcycle's riders are units of their own


class Spilled(Facts, frozen=True, gc=False):
    """A Passenger of a wrecked wagon."""

    weapons: tuple[SupportWeapon, ...] = ()
    bypass: bool = False  # the wagon is in Bypass
    unbreakable: bool = False


class Unseated(Facts, frozen=True, gc=False):
    """A rider whose motorcycle is wrecked."""


@settles("wreck")
def wreck_facts(position: AslPosition, obligation: Obligation, outcome: str) -> Iterator[Case]:
    """Yield the facts of a Wreck Check and, if failed, of riders and Passengers."""
    unit = position.unit(obligation.unit)
    kind = reading.type_of(position, unit)
    yield about(unit, WreckResult(outcome, wagon=kind.class_ == "wagon", ridden=kind.mounts > 0))
    if outcome != WRECKED:
        return
    if kind.mounts:
        for rider in carried_by(position, unit):
            yield about(rider, Unseated())
        return
    passengers, bypass = everybody(position, unit), unit.place.bypass is not None
    for one in passengers:
        unbreakable = reading.type_of(position, one).never_pinned or one.status.berserk
        yield about(one, Spilled(one.sw, bypass, unbreakable))
    if unit.cargo.towing is not None:
        gun = Lost("gun", "fire", 0, riding=False, broken=False)
        yield about(position.unit(unit.cargo.towing), gun)
    if bypass and passengers:
        yield from stranded(position, passengers)


def _odds(clause_id: str) -> tuple[Odds, Odds]:
    worst = SIDES + 1 - count(clause_id, "wrecks")
    return (Odds("safe", SIDES - worst, SIDES), Odds(WRECKED, worst, SIDES))


class Wreckable(Entry):
    """An entry by a wagon or a motorcycle."""

    is_relevant = property(lambda self: self.mover.column in ("hd", "mc"))


@clause("D12.4c", kind="odds")
def wagon_wreck_check(facts: Wreckable | Swing, sheet: Sheet) -> None:
    """A galloping wagon makes a Wreck Check if it pays more than 1 MF or changes its VCA."""
    if facts.mover.column != "hd":
        return
    if isinstance(facts, Entry):
        uphill = facts.ground.rise > 0 and facts.way == "road"
        due = facts.manner.galloping and sheet.total() > halves("D12.4", "most") and not uphill
    else:
        due = facts.galloping
    if due:
        odds = _odds("D12.4")
        sheet.roll("wreck", odds, f"safe on a dr of {odds[0].chance} or less")


@clause("D12.4d", kind="effect")
def wagon_wrecked(facts: WreckResult, sheet: Sheet) -> None:
    """A wagon that fails its Wreck Check is eliminated."""
    if facts.wagon and facts.outcome == WRECKED:
        lost: dict[str, Any] = {
            "at": None,
            "moving": False,
            "mph": "done",
            "sw": (),
            "towing": None,
        }
        for field, value in lost.items():
            sheet.force(field, value)


@clause("D12.4e", kind="effect")
def passengers_spilled(facts: Spilled, sheet: Sheet) -> None:
    """Passengers of a wrecked wagon break and are on foot; SW malfunction, X# ones are lost."""
    if facts.unbreakable:
        sheet.unsupported("the outcome of a Passenger that does not break")
    force_broken(sheet)
    on_foot: dict[str, Any] = {"aboard": None, "conveyed": True, "mph": "done", "road": False}
    for field, value in {**on_foot, "sw": spoilt(facts.weapons)}.items():
        sheet.force(field, value)


def spoilt(weapons: Sequence[SupportWeapon]) -> tuple[SupportWeapon, ...]:
    """Return the SW that remain after a malfunction: those without a X#."""
    return tuple(
        msgspec.structs.replace(weapon, malfunctioned=True)
        for weapon in weapons
        if not weapon.x_number
    )


@clause("D15.46a", kind="odds")
def wreck_check(facts: Wreckable, sheet: Sheet) -> None:
    """A motorcycle makes a Wreck Check in shellholes and streams, and over abrupt changes of elevation or an elevated road's edge."""
    if facts.mover.column != "mc":
        return
    dry = "stream-dry" if sheet.reading("D8.2") == "gully" else ""
    rough = not facts.way and any("X" in cell.marks for row, cell in cells(facts) if row.id != dry)
    rough = rough or among_shells(facts)
    if rough or facts.ground.abrupt or over_the_edge(facts):
        odds = _odds("D15.46")
        sheet.roll("wreck", odds, f"safe on a dr of {odds[0].chance} or less")


@clause("D15.46b", kind="effect")
def wrecked(facts: WreckResult, sheet: Sheet) -> None:
    """A motorcycle that fails its Wreck Check is wrecked."""
    if facts.wagon or facts.outcome != WRECKED:
        return
    if not facts.ridden:
        sheet.unsupported("the motorcycle's rider is not stated as a unit, and would break")
    elif sheet.reading("D15.46b") == "gone":
        sheet.force("at", None)
    sheet.force("moving", value=False)
    sheet.force("mph", "done")


@clause("D15.46c", kind="effect")
def thrown_cyclist(_: Unseated, sheet: Sheet) -> None:
    """A Rider whose motorcycle is wrecked breaks, dismounted."""
    force_broken(sheet)
    for field, value in (("aboard", None), ("conveyed", True), ("mph", "done")):
        sheet.force(field, value)


@resolves("wreck")
def after_wreck(position: AslPosition, obligation: Obligation, outcome: str) -> AslPosition:
    """Return the position after a wagon's Wreck Check: a wreck's load stays, malfunctioned."""
    wagon = position.unit(obligation.unit)
    if obligation.clause != wagon_wreck_check.id or outcome != WRECKED or not wagon.sw:
        return position
    return left_behind(position, msgspec.structs.replace(wagon, sw=spoilt(wagon.sw)))
