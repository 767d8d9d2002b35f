"""
Where a unit that routs must get to, and by which steps it still can (A10.51).

Whom it flees decides: steps that lead nearer to those, or next to a Known enemy, are none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from marchtable.state.records import replace
from marchtable_models.asl.chart import row_named
from marchtable_models.asl.counterkinds import MINEFIELD
from marchtable_models.asl.data import halves
from marchtable_models.asl.extraction.adjacency import Spot, are_adjacent, spot_of
from marchtable_models.asl.extraction.distances import distances
from marchtable_models.asl.extraction.movers import party
from marchtable_models.asl.extraction.overlay import site
from marchtable_models.asl.extraction.reading import NOWHERE, entry
from marchtable_models.asl.facts.ground import WOODS
from marchtable_models.asl.model import Enter

if TYPE_CHECKING:
    from collections.abc import Iterable

    from marchtable.rules.edition import Edition
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = [
    "Flight", "Told", "comes_beside", "entry_costs", "has_begun", "is_beside", "is_cover", "nears", "whither",
]  # fmt: skip

Told = Literal["yes", "no", "untold"]


class Flight(NamedTuple):
    """A unit that routs, the hexes of the Known enemies it flees, where all are, and the half MF it has left."""

    position: AslPosition
    unit: AslUnit
    fled: tuple[str, ...]
    known: tuple[Spot, ...]
    edition: Edition
    left: int


def is_beside(flight: Flight, spot: Spot) -> bool:
    """Return whether a Known armed enemy is in a Location or ADJACENT to it."""
    return any(are_adjacent(flight.position, spot, enemy) for enemy in flight.known)


def nears(flight: Flight, a: str, b: str) -> bool:
    """Return whether a step lessens the range to one of those that it flees."""
    board = flight.position.board
    return any(board.distance(b, enemy) < board.distance(a, enemy) for enemy in flight.fled)


def has_begun(unit: AslUnit) -> bool:
    """Return whether a unit has routed in this RtPh."""
    return unit.move.previous is not None or unit.move.mph == "moving"


def comes_beside(flight: Flight, a: Spot, b: Spot) -> bool:
    """Return whether a step leads next to a Known enemy, but out of that enemy's own Location."""
    return any(enemy != a and are_adjacent(flight.position, b, enemy) for enemy in flight.known)


def is_cover(position: AslPosition, at: str) -> bool:
    row = site(position, at).ground.here
    return row in WOODS or row_named(row).closed


def _costs(flight: Flight, a: str, b: str) -> int | None:
    """Return what a step of a rout costs in half MF, no matter who is hidden there; None if it may not be."""
    position, floor = flight.position, spot_of(flight.unit).floor
    if nears(flight, a, b) or comes_beside(flight, Spot(a, floor), Spot(b, floor)):
        return None
    if MINEFIELD in (*position.markers.get(a, ()), *position.markers.get(b, ())):
        return None
    return entry_costs(flight, a, b)


def entry_costs(flight: Flight, a: str, b: str) -> int | None:
    """Return what entering a Location costs in half MF, no matter who is hidden there; None if it may not be."""
    position, unit = flight.position, flight.unit
    there_now = unit if a == unit.at else replace(unit, at=a, used=1, previous=a)
    if a != unit.at and unit.place.inside != "upstairs":
        there_now = replace(there_now, inside="", crest=None)
    step = entry(position, there_now, b, party(position, (there_now,)), Enter((unit.id,), b))
    lone = msgspec.structs.replace(
        NOWHERE, smoke=step.there.smoke, counters=step.there.counters, crowd=step.there.crowd
    )
    found = flight.edition.judge(step.but(there=lone, detour=None, asks=()))
    return None if found.bars or found.unsupported else found.total


def whither(flight: Flight, to: str) -> tuple[tuple[str, ...], Told]:
    """Return where a unit must get to, and whether it still can from a Location next to it."""
    position, unit = flight.position, flight.unit
    here, most = str(unit.at), flight.left
    goals = unit.move.goals
    if not has_begun(unit):
        found = _distances(flight, here, most)
        goals = _goals(flight, here, {at: found[at] for at in found if is_cover(position, at)})
    if not goals or here in goals or to in goals or to == here:
        return goals, "yes"
    first = _costs(flight, here, to)
    if first is None or first > most:
        return goals, "no"
    return goals, "yes" if _gets_there(flight, goals, to, first) else "no"


def _gets_there(flight: Flight, goals: tuple[str, ...], to: str, first: int) -> bool:
    """
    Return whether a unit whose first step costs so much still gets to a goal.

    One whose MF a Fortification has taken, so that it cannot, stays on the shortest way (A10.51).
    """
    here, most = str(flight.unit.at), flight.left
    on = _distances(flight, to, most - first)
    if any(goal in on for goal in goals):
        return True
    if any(goal in _distances(flight, here, most) for goal in goals):
        return False
    all_of_it = halves("A10.5", "mf")
    there, on = _distances(flight, here, all_of_it), _distances(flight, to, all_of_it)
    far = min([there[goal] for goal in goals if goal in there], default=None)
    return far is not None and any(on.get(goal, far) + first <= far for goal in goals)


def _distances(flight: Flight, start: str, most: int) -> dict[str, int]:
    return distances(flight.position.board, start, lambda a, b: _costs(flight, a, b), most)


def _goals(flight: Flight, here: str, covers: dict[str, int]) -> tuple[str, ...]:
    """
    Return the nearest cover, and what is nearer that may be passed over; nothing where all may be.

    Those are other hexes of the building it sets out from, and what is no farther from an enemy.
    """
    board = flight.position.board
    within = _one_building(flight, here)

    def is_passed(at: str) -> bool:
        closer = any(board.distance(at, e) <= board.distance(here, e) for e in flight.fled)
        return at == here or at in within or closer

    must = [at for at in covers if not is_passed(at)]
    if not must:
        return ()
    nearest = min(covers[at] for at in must)
    may = [at for at in covers if is_passed(at) and at != here and covers[at] <= nearest]
    return tuple(sorted({*may, *(at for at in must if covers[at] == nearest)}))


def _one_building(flight: Flight, here: str) -> Iterable[str]:
    """Return the hexes of buildings that join that of a Location, itself among them."""
    position, found, queue = flight.position, set[str](), [here]
    while queue:
        at = queue.pop()
        if at not in found and row_named(site(position, at).ground.here).closed:
            found.add(at)
            queue += [name for _, name in position.board.neighbours(at)]
    return found
