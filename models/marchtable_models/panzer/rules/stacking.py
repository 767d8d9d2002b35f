"""Stacking limits, and the road rate, both left to the published games by the restatement."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from marchtable.rules.facts import Case, Edition, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause, phase_cases
from marchtable_models.panzer.data import count, halves
from marchtable_models.panzer.model import PanzerPosition, PanzerUnit
from marchtable_models.panzer.rules.hits import Target, as_one
from marchtable_models.panzer.rules.loading import Load, Unload
from marchtable_models.panzer.rules.movement import Move
from marchtable_models.panzer.rules.overruns import Overrun
from marchtable_models.panzer.rules.terrain import Step
from marchtable_models.panzer.views.presence import Limits, limits_of, presence
from marchtable_models.panzer.views.travel import steps

Why = Literal["load", "unload", "enter", "end"]
"""Reasons to check a stack."""


class Stack(Facts, frozen=True):
    """A hex and its units of one side."""

    why: Why  # why it is checked
    # number of units, and of carried ones (if one enters, only its own)
    units: int
    carried: int
    limits: tuple[Limits, ...]  # the limits, by each unit's faction
    unloaded: bool = False  # one of them was unloaded in this phase
    # other counters, and the number of wrecks, forts and blocks
    markers: tuple[str, ...] = ()
    wrecks: int = 0
    forts: int = 0
    blocks: int = 0


def stack(position: PanzerPosition, unit: PanzerUnit, why: Why, *, at: str | None = None) -> Stack:
    """Return the facts of a hex's friendly units, now or after the action."""
    place = at or unit.at or ""
    enters, own = why == "enter", limits_of(position, unit)
    found = presence(position, unit.side, place, unit if enters else None)
    works: dict[str, Any] = {"wrecks": found.wrecks, "forts": found.forts, "blocks": found.blocks}
    if enters:
        limits = tuple(sorted({*found.limits, own}))
        return Stack(why, found.units + 1, found.carried, limits, **works)
    carried = max(0, found.carried - (why == "unload"))
    fresh = any(u.left is not None for u in position.occupants.get(place, ()))
    ended = fresh and why == "end"
    limits = found.limits or (own,)
    return Stack(why, found.units, carried, limits, ended, found.markers, **works)


def crowded(position: PanzerPosition, unit: PanzerUnit, edition: Edition) -> bool:
    """Return whether a unit's hex holds too many units."""
    return bool(edition.judge(stack(position, unit, "end")).bars)


@cases(Move, Overrun)
def steps_facts(position: PanzerPosition, action: Any) -> Iterator[Case]:
    """Yield the facts of the stack each unit joins; an overrun does not stop in its first hex."""
    for going in steps(position, action):
        if going.beyond or not going.through:
            unit = position.unit(going.unit.id)
            yield Case((unit.id,), stack(position, unit, "enter", at=going.to), (going.to,))


@cases(Load, Unload)
def pair_facts(position: PanzerPosition, action: Load | Unload) -> Case:
    """Return the facts of the stack in which a transport loads or unloads."""
    unit, passenger = position.unit(action.unit), position.unit(action.passenger)
    why: Why = "load" if isinstance(action, Load) else "unload"
    return about((unit, passenger), stack(position, unit, why))


@phase_cases
def phase_facts(position: PanzerPosition) -> Iterator[Case]:
    """Yield the facts of the stacks after a movement phase."""
    if position.phase != "Movement":
        return
    for at in position.occupied:
        if own := [u for u in position.beside(at) if u.side == position.side]:
            yield about(own, stack(position, own[0], "end", at=at))


@clause("P.one-a", kind="state", after=("P.ride-a", "P.ride-c"))
def one_unit(facts: Target | Stack, sheet: Sheet) -> None:
    """Transport and passenger are one unit that moves, fires, stacks and is attacked as the transport."""
    if isinstance(facts, Stack):
        if facts.carried and sheet.reading("B17") == "loaded":
            sheet.charge(-facts.carried, "carried", "stack")
        return
    if facts.pair is None or facts.role != "passenger" or not as_one(facts.pair, sheet):
        return
    if sheet.excepted("P.ride-a", "P.ride-c"):
        return
    if facts.pair.drawn or sheet.reading("B17") == "loaded":
        sheet.bar("a passenger is no target beside its transport")


@clause("PB.wrecks", kind="capacity")
def wrecks(facts: Stack, sheet: Sheet) -> None:
    """Wrecks count against stacking limits, and affect roads, forts and blocks, only in Panzer Leader."""
    sheet.charge(facts.wrecks, "wrecks", "stack")
    if sheet.reading("P.opt-b-stacking") == "panzer-leader":
        sheet.charge(facts.forts, "forts", "stack")
        sheet.charge(facts.blocks, "blocks", "stack")


def _too_many(facts: Stack, sheet: Sheet) -> tuple[int, int] | None:
    """Return the number of units and the limit if there are too many."""
    by_game = sheet.reading("P.opt-b-stacking") == "panzerblitz"
    limits = [limit.panzerblitz if by_game else limit.leader for limit in facts.limits]
    most = min(limits)
    if most < max(limits) and sheet.reading("P.opt-b-mixed") == "most":
        most = max(limits)
    units = facts.units + sheet.total("stack")
    return (units, most) if units > most else None


@clause("P.stack-a", kind="action", after=("P.one-a", "PB.wrecks"))
def unloading(facts: Stack, sheet: Sheet) -> None:
    """Units cannot be unloaded where that exceeds the stacking limit."""
    if facts.why != "unload" and not (facts.why == "end" and facts.unloaded):
        return
    moment = "unload" if sheet.reading("B14") == "unloading" else "end"
    if facts.why == moment and (found := _too_many(facts, sheet)):
        sheet.bar("too many units in the hex to unload", *found)


@clause("P.opt-b", kind="state", after=("P.one-a", "PB.wrecks"))
def game_rules(facts: Stack | Step, sheet: Sheet) -> None:
    """Stacking limits and the road rate are those of a published game."""
    if isinstance(facts, Step):
        _road_rate(facts, sheet)
        return
    at_issue = (
        facts.why == "end"
        or (facts.why == "enter" and sheet.reading("P.opt-b-stacking") == "panzer-leader")
        or (facts.why == "load" and sheet.reading("B15") == "checked")
    )
    if at_issue and (found := _too_many(facts, sheet)):
        sheet.bar("too many units in the hex", *found)


def _road_rate(facts: Step, sheet: Sheet) -> None:
    if not facts.road or (game := sheet.reading("P.opt-b-road")) == "none":
        return
    others = facts.others
    if others.mines or others.blocks or (others.forts and game == "panzer-leader"):
        return
    if others.units - others.carried + others.wrecks <= count("P.opt-b", game):
        sheet.charge(halves("P.opt-b", "road"), "road", "road")


@clause("PB.markers", kind="state", modelled=False)
def markers(facts: Stack | Step, sheet: Sheet) -> None:
    """Markers in a hex other than wrecks, forts, blocks and mines."""
    if isinstance(facts, Step):
        if facts.others.markers:
            sheet.unsupported(", ".join(facts.others.markers))
    elif facts.markers and sheet.reading("P.opt-b-stacking") == "panzer-leader":
        sheet.unsupported(f"these count in Panzer Leader: {', '.join(facts.markers)}")
