"""
Which unit routs, from which enemies, its goal, and the steps that still lead there (A10.5).

Steps closer to those enemies, or into a hex adjacent to a Known enemy, are not considered.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from marchtable.rules.dependencies import dependencies_here
from marchtable.rules.facts import Edition
from marchtable.state.action import Parameter
from marchtable.state.records import replace
from marchtable_models.asl.counterkinds import MINEFIELD
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.model import AslPosition, AslUnit, Enter
from marchtable_models.asl.views.adjacency import HexLevel, are_adjacent, spot_of
from marchtable_models.asl.views.chart import row_named
from marchtable_models.asl.views.distances import distances
from marchtable_models.asl.views.ground import has_second_way
from marchtable_models.asl.views.ground_facts import WOODS
from marchtable_models.asl.views.los import Los, best
from marchtable_models.asl.views.movers import party
from marchtable_models.asl.views.overlay import site
from marchtable_models.asl.views.reading import NOWHERE, entry
from marchtable_models.asl.views.unitkinds import is_known_enemy, normal_range, type_of

Stated = Literal["yes", "no", "unstated"]


class Flight(NamedTuple):
    """A routing unit, hexes of the Known enemies it flees and of all others, and its half MF."""

    position: AslPosition
    unit: AslUnit
    fled: tuple[str, ...]
    known: tuple[HexLevel, ...]
    edition: Edition
    left: int


def is_beside(flight: Flight, spot: HexLevel) -> bool:
    """Return whether a Known armed enemy is in a Location or ADJACENT to it."""
    return any(are_adjacent(flight.position, spot, enemy) for enemy in flight.known)


def nears(flight: Flight, a: str, b: str) -> bool:
    """Return whether a step reduces the range to an enemy that it flees."""
    board = flight.position.board
    return any(board.distance(b, enemy) < board.distance(a, enemy) for enemy in flight.fled)


def has_begun(unit: AslUnit) -> bool:
    """Return whether a unit has routed in this RtPh."""
    return unit.move.previous is not None or unit.move.mph == "moving"


def comes_beside(flight: Flight, a: HexLevel, b: HexLevel) -> bool:
    """Return whether a step enters a hex next to a Known enemy, unless leaving that enemy's."""
    return any(enemy != a and are_adjacent(flight.position, b, enemy) for enemy in flight.known)


def is_cover(position: AslPosition, at: str) -> bool:
    row = site(position, at).ground.here
    return row in WOODS or row_named(row).closed


def _costs(flight: Flight, a: str, b: str) -> int | None:
    """Return a rout step's cost in half MF, ignoring concealed units; None if not allowed."""
    position, floor = flight.position, spot_of(flight.unit).floor
    if nears(flight, a, b) or comes_beside(flight, HexLevel(a, floor), HexLevel(b, floor)):
        return None
    if MINEFIELD in (*position.markers.get(a, ()), *position.markers.get(b, ())):
        return None
    return entry_costs(flight, a, b)


def entry_costs(flight: Flight, a: str, b: str) -> int | None:
    """Return an entry's cost in half MF, ignoring concealed units; None if not allowed."""
    position, unit = flight.position, flight.unit
    there_now = unit if a == unit.at else replace(unit, at=a, used=1, previous=a)
    if a != unit.at and unit.place.inside != "upstairs":
        there_now = replace(there_now, inside="", crest=None)
    step = entry(position, there_now, b, party(position, (there_now,)), Enter((unit.id,), b))
    lone = msgspec.structs.replace(
        NOWHERE, smoke=step.there.smoke, counters=step.there.counters, crowd=step.there.crowd
    )
    found = flight.edition.judge(step.replace(there=lone, detour=None, asks=()))
    return None if found.bars or found.unsupported else found.total


def whither(flight: Flight, to: str) -> tuple[tuple[str, ...], Stated]:
    """Return a unit's rout goals, and whether it can still reach one from an adjacent Location."""
    if dependencies_here() is not None:
        return _whither(flight, to)
    known = flight.position.notes.setdefault("whither", {})  # the same for each way to go there
    key = (*flight[1:], to)
    if key not in known:
        known[key] = _whither(flight, to)
    found: tuple[tuple[str, ...], Stated] = known[key]
    return found


def _whither(flight: Flight, to: str) -> tuple[tuple[str, ...], Stated]:
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


def rout_values(position: AslPosition, unit: AslUnit, parameter: Parameter) -> Sequence[Any]:
    """
    Return the values to propose for an option of a rout: only its default if the unit cannot rout.

    None for units that no player would think of: vehicles, and unbroken ones outside the RtPh.
    """
    broken, now = unit.status.broken, position.phase == "RtPh"
    if not (type_of(position, unit).is_infantry and (broken or now)):
        return ()
    if not (broken and now):
        return (parameter.default,)
    if parameter.name == "leaders":
        along = [one.id for one in position.beside(unit.at) if _may_go_along(position, unit, one)]
        return tuple(dict.fromkeys([(), *((name,) for name in along), tuple(along)]))
    of_use = {
        "half": has_second_way(position.board, "inf"),
        "beneath": bool(position.markers),
    }
    return (False, True) if of_use.get(parameter.name, True) else (False,)


def _may_go_along(position: AslPosition, unit: AslUnit, leader: AslUnit) -> bool:
    """Return whether a leader with a broken unit might rout with it."""
    leads = type_of(position, leader).leads and leader.side == unit.side
    return leads and not leader.status.broken


def _gets_there(flight: Flight, goals: tuple[str, ...], to: str, first: int) -> bool:
    """
    Return whether a unit whose first step has this cost still reaches a goal.

    If leaving a Fortification made that impossible, the unit stays on the shortest way (A10.51).
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
    Return the nearest cover, and nearer cover that can be passed over; nothing if all can be.

    That is other hexes of the building it starts in, and cover no farther from an enemy.
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
    """Return the hexes of buildings that join a Location's building, including it."""
    position, found, queue = flight.position, set[str](), [here]
    while queue:
        at = queue.pop()
        if at not in found and row_named(site(position, at).ground.here).closed:
            found.add(at)
            queue += [name for _, name in position.board.neighbours(at)]
    return found


def is_fit(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether it is broken Infantry on foot, neither pinned nor in Melee."""
    state = unit.status
    return (
        type_of(position, unit).is_infantry
        and state.broken
        and not (state.pinned or state.melee == "held" or unit.cargo.aboard)
        and unit.place.bypass is None
    )


def takes_prisoner(position: AslPosition, unit: AslUnit, other: AslUnit) -> bool:
    """Return whether it is adjacent Known armed Good Order Infantry or Cavalry, not in Melee."""
    near = are_together(position, unit, other)
    on_foot = type_of(position, other).is_personnel and other.cargo.aboard is None
    return near and other.status.good_order and on_foot and is_armed(position, unit, other)


def captors(position: AslPosition, unit: AslUnit) -> list[str]:
    """Return to whom a unit could surrender in the RtPh, by id."""
    if position.phase != "RtPh" or not unit.status.broken:
        return []
    return [one.id for one in position.units if takes_prisoner(position, unit, one)]


def are_together(position: AslPosition, unit: AslUnit, other: AslUnit) -> bool:
    """Return whether two units are on the map, in the same Location or ADJACENT."""
    on_map = unit.at is not None and other.at is not None
    return on_map and are_adjacent(position, spot_of(unit), spot_of(other))


def is_exposed(position: AslPosition, unit: AslUnit, enemies: Sequence[AslUnit]) -> Los:
    """Find whether a unit is in Open Ground within Normal Range of an enemy that might see it."""
    if unit.at is None or not row_named(site(position, unit.at).ground.here).bare:
        return "no"
    return best(
        in_range(position, one, unit.at)
        for one in enemies
        if not one.status.broken and one.status.melee != "held"
    )


def in_range(position: AslPosition, enemy: AslUnit, at: str) -> Los:
    """
    Find whether a Location is in an enemy's Normal Range, at most 16 hexes (A10.532).

    It is ``unsure`` for concealed units, for units whose name gives no range, and for those with SW
    beyond their own range.
    """
    far = position.board.distance(at, str(enemy.at))
    if far > count("A10.532", "range"):
        return "no"
    most = None if enemy.concealment.concealed else normal_range(type_of(position, enemy))
    if most is None:
        return "unsure"
    return "yes" if far <= most else "unsure" if enemy.sw else "no"


def is_armed(position: AslPosition, unit: AslUnit, other: AslUnit) -> bool:
    """Return whether the other unit is a Known armed enemy on the map."""
    kind = type_of(position, other)
    armed = (
        kind.is_personnel or (kind.armed and kind.class_ == "vehicle")
    ) and not other.status.unarmed
    return armed and other.at is not None and is_known_enemy(position, unit, other)


def routs_aside(position: AslPosition, units: Sequence[AslUnit]) -> bool:
    """Return whether units acting in their hex rout: they are broken, and it is the RtPh."""
    first = units[0]
    return position.phase == "RtPh" and first.status.broken and first.at is not None
