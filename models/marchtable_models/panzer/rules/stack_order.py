"""The order of a stack: the places of transports and passengers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from marchtable.rules.facts import Case, Edition, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause
from marchtable_models.panzer.model import PanzerPosition, PanzerUnit
from marchtable_models.panzer.rules.hits import Hit, shared
from marchtable_models.panzer.rules.loading import Load, Unload
from marchtable_models.panzer.rules.movement import Move
from marchtable_models.panzer.views.units import (
    CARRIERS,
    hexes_of,
    is_transportable,
    passengers,
    type_of,
)


class Recording(Facts, frozen=True):
    """The stack as a pair is loaded or unloaded."""

    role: Literal["transport", "passenger"]  # whose place it is
    verb: Literal[
        "load", "unload", "enter"
    ]  # the act; ``enter`` is by a transport without passenger
    top: int  # highest place of the others in the hex
    # lowest place of the transportable unloaded units, and of all units except the transport
    lowest: int = 0
    lowest_of_all: int = 0


def stack_order(position: PanzerPosition, at: str) -> tuple[PanzerUnit, ...]:
    """Return the units of a hex, from the top of the stack down."""
    found = position.occupants.get(at, ())
    return tuple(sorted(found, key=lambda u: (u.height, position.index[u.id]), reverse=True))


@cases(Load)
def load_facts(position: PanzerPosition, action: Load) -> Iterator[Case]:
    """Yield the facts of the stack for each of the two units."""
    pair = (position.unit(action.unit), position.unit(action.passenger))
    there = position.occupants.get(pair[0].at or "", ())
    top = max([u.height for u in there if u not in pair], default=-1)
    hexes = hexes_of(pair[0])
    yield Case((pair[0].id,), Recording("transport", "load", top), hexes)
    yield Case((pair[1].id,), Recording("passenger", "load", top), hexes)


@cases(Unload)
def unload_facts(position: PanzerPosition, action: Unload) -> Case:
    """Return the facts of the stack that the transport goes beneath."""
    return _beneath(position, position.unit(action.unit), position.unit(action.passenger))


@cases(Hit)
def hit_facts(position: PanzerPosition, action: Hit, edition: Edition) -> Iterator[Case]:
    """Yield the facts of the stack beneath which a transport goes after its passenger is thrown off."""
    for other, facts in shared(position, position.unit(action.unit), action):
        if any(forced.field == "thrown" for forced in edition.judge(facts).forced):
            yield _beneath(position, position.unit(facts.transport), other)


def _beneath(position: PanzerPosition, unit: PanzerUnit, passenger: PanzerUnit) -> Case:
    rest = [u for u in position.occupants.get(unit.at or "", ()) if u is not unit]
    free = [u.height for u in rest if u is passenger or _waits(position, u)]
    every = [u.height for u in rest]
    lowest, of_all = min(free, default=unit.height), min(every, default=unit.height)
    return about(unit, Recording("transport", "unload", 0, lowest, of_all))


def _waits(position: PanzerPosition, unit: PanzerUnit) -> bool:
    """Return whether a unit is transportable and not loaded."""
    return unit.aboard is None and is_transportable(type_of(position, unit))


@cases(Move)
def move_facts(position: PanzerPosition, action: Move) -> Iterator[Case]:
    """Yield the facts of the stack an empty transport joins, if it could carry units there."""
    unit, to = position.unit(action.unit), position.board.resolve(action.to)
    kind = type_of(position, unit)
    if not kind.is_vehicle or kind.class_ not in CARRIERS or passengers(position, unit):
        return
    there = [u for u in position.occupants.get(to, ()) if u is not unit]
    free = [u.height for u in there if _waits(position, u)]
    if free:
        every = [u.height for u in there]
        facts = Recording("transport", "enter", max(every), min(free), min(every))
        yield Case((unit.id,), facts, (to,))


@clause("P.rec-a", kind="state")
def record(facts: Recording, sheet: Sheet) -> None:
    """A transport is directly above its passenger; unloaded, it is beneath other transportable unloaded units."""
    if facts.verb == "load":
        sheet.force("height", facts.top + (2 if facts.role == "transport" else 1))
    elif facts.role == "transport":
        beneath_all = sheet.reading("B16") == "all"
        sheet.force("height", (facts.lowest_of_all if beneath_all else facts.lowest) - 1)
