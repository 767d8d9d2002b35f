"""All ways of units to a place: if nothing is found here, none exists."""

from __future__ import annotations

from functools import lru_cache
from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from marchtable.budget import Budget, budget_scope, current_budget, work
from marchtable.reachability.reach import reach
from marchtable.rules.rulebook import find_rulebook
from marchtable_models.asl.data import halves
from marchtable_models.asl.hooks.travel import enemies_in_buildings
from marchtable_models.asl.model import MinimumMove
from marchtable_models.asl.recorded.entering import edge_hexes, entered
from marchtable_models.asl.recorded.lines import as_state, is_dominated, played
from marchtable_models.asl.recorded.scripts import Ended, PushScript, Walked
from marchtable_models.asl.rules.declarations import DoubleTime
from marchtable_models.asl.rules.floors import stairwell
from marchtable_models.asl.views.overlay import crossing
from marchtable_models.asl.views.unitkinds import type_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from marchtable.reachability.reach import Place, Reach
    from marchtable.state.action import Action
    from marchtable_models.asl.model import AslPosition, AslUnit
    from marchtable_models.asl.recorded.lines import PartialLog
    from marchtable_models.asl.recorded.scripts import Part

FEW = 4
"""The number of lines, and of modes, that continue in the quick search."""
MOST_MODES = 120
"""The largest number of modes that continue in the full search."""
MOST_STEPS = 400
"""The largest number of places that the search for a stack's way expands."""
REACH = 0.01
"""The deterministic time of a reach."""
ROAD_BONUS = 2
"""A road's addition to the MF of Infantry (B3.4), in half points."""
DOUBLE_TIME = 4
"""Double Time's addition to the MF of Infantry (A4.5), in half points."""
LEADER_BONUS = 4
"""A leader's addition to the MF of Infantry that moves with him from the start (A4.12), in half points."""


def by_any_way(
    lines: Sequence[PartialLog], part: Part, following: Sequence[Part]
) -> tuple[list[PartialLog], bool]:
    """
    Return the logs by which units get to a place in any way, if what follows is still possible.

    The flag is true if no other way exists. It is false if a search was cut short, or if an
    unmodelled clause might allow one.
    """
    if isinstance(part, PushScript):
        at = lines[0].position.unit(part.gun).at
        board = lines[0].position.board
        return [], at is not None and part.to in board and board.distance(at, part.to) == 1
    if not isinstance(part, Walked) or part.to not in lines[0].position.board:
        return [], True
    goal = _Goal(part, _rest(lines[0].position, part, following))
    if len(part.units) == 1:
        is_arrival = all(isinstance(one, Walked | Ended) for one in following)
        return _by_reach(lines, goal, is_arrival=is_arrival)
    if not lines[0].assumed.is_thorough:
        return [], False
    found, is_whole = _by_long_ways([line for line in lines if _may_get_to(line, part)], goal)
    return found, is_whole and all(_is_grounded(line, part) for line in lines)


def _is_grounded(line: PartialLog, part: Walked) -> bool:
    """Return whether all units of a stack are on the ground, or can leave their level only by stairs."""
    units = [line.position.unit(name) for name in part.units]
    return all(
        unit.place.inside != "upstairs" or _leads_down_only(_reach_of(line.position, unit.id), unit)
        for unit in units
    )


class _Goal(NamedTuple):
    """The destination of units, and each one's least expenditure to go on from there, in half points."""

    part: Walked
    rest: dict[str, int]


def _rest(position: AslPosition, part: Walked, following: Sequence[Part]) -> dict[str, int]:
    """Return each unit's least expenditure after a part, in half points."""
    at = dict.fromkeys(part.units, part.to)
    rest = dict.fromkeys(part.units, 0)
    for one in following:
        if isinstance(one, Walked) and one.to in position.board:
            for name in at.keys() & set(one.units):
                rest[name] += _least(position, position.unit(name), at[name], one.to)
                at[name] = one.to
    return rest


def _least(position: AslPosition, unit: AslUnit, here: str, to: str) -> int:
    """
    Return a unit's least expenditure from one hex to another, in half points.

    That is 1 MF or MP per hex, but ½ on skis and bicycles, or for a vehicle on a road.
    """
    far = position.board.distance(here, to)
    if unit.facing is None:
        return far if unit.status.gear else 2 * far
    way = crossing(position, here, to) if far == 1 else None
    return 2 * far if way is not None and not way.ground.road else far


def _reach_of(position: AslPosition, unit: str) -> Reach:
    """Return a unit's reach, which counts once per move, cached or not."""
    budget = current_budget()
    if budget is not None and budget.is_news((position, unit)):
        work(REACH)
    return _known_reach(position, unit)


@lru_cache(maxsize=256)
def _known_reach(position: AslPosition, unit: str) -> Reach:
    with budget_scope(Budget()):
        (known,) = reach(position, (unit,))
    return known


def _may_get_to(line: PartialLog, part: Walked) -> bool:
    """
    Return whether a stack might get to a place, by its units' separate options.

    If a leader goes with the stack, he can go alone; otherwise each unit can.
    """
    position = line.position
    leaders = [name for name in part.units if type_of(position, position.unit(name)).leads]
    for name in leaders or part.units:
        known = _widest(position, name)
        if known.is_exact and part.to not in known.locations:
            return False
    return True


def _widest(position: AslPosition, name: str) -> Reach:
    """
    Return the reach of a unit, without any enemies it could pass above, upstairs.

    This reach includes every ground Location reached by passing above them, for no more MF.
    """
    known, unit = _reach_of(position, name), position.unit(name)
    if known.left_out != (stairwell.id,) or unit.place.inside == "upstairs":
        return known
    houses = {*enemies_in_buildings(position, unit)}
    gone = [
        replace(one, at=None, cargo=replace(one.cargo, aboard=None, riding=False))
        for one in position.units
        if one.side != unit.side and one.at in houses
    ]
    return _reach_of(position.with_units(gone), name)


def _by_reach(
    lines: Sequence[PartialLog], goal: _Goal, *, is_arrival: bool
) -> tuple[list[PartialLog], bool]:
    """
    Return the logs by which a single unit gets to a place, and whether others are ruled out.

    Between neighbours no detour by an unmodelled step is assumed.
    """
    part = goal.part
    name, is_thorough = part.units[0], lines[0].assumed.is_thorough
    board, is_whole, is_carrier = lines[0].position.board, True, False
    book = find_rulebook(lines[0].position.rulebook)
    cheapest: dict[object, tuple[int, PartialLog, Reach, Place]] = {}
    for line in lines if is_thorough else lines[:FEW]:
        unit = line.position.unit(name)
        if unit.at == part.to:
            continue
        if unit.at is None and (unit.facing is not None or not is_thorough):
            is_whole = False  # a vehicle has too many ways onto the map to search
            continue
        carried = [
            one for one in line.position.units if name in (one.cargo.aboard, one.cargo.towed_by)
        ]
        is_carrier = is_carrier or bool(carried)
        known = _reach_of(_without(_near_the_edge(line.position, goal), carried), name)
        places = known.places_at(part.to)
        is_short = bool(places) and unit.at is not None and board.distance(unit.at, part.to) == 1
        is_whole = is_whole and (is_short or _is_exact(known, line, goal))
        for place in places:
            if is_arrival and unit.facing is not None and not _arrives(known, place):
                continue
            state = book.in_mode(unit, part.to, place.mode)
            key = (state, len(line.doubts), *carried)
            if key not in cheapest or place.spent < cheapest[key][0]:
                cheapest[key] = (place.spent, line, known, place)
    found: list[PartialLog] = []
    most = MOST_MODES if is_thorough else FEW
    for _, line, known, place in sorted(cheapest.values(), key=lambda one: one[0]):
        if len(found) >= most:
            return found, False
        way = known.actions_to(place)
        if not _tires(way) or line.assumed.tired.issuperset(part.units):
            legal = [one for one in played(line, way) if not one.faults]
            found += legal
            is_whole = is_whole and (bool(legal) or not is_carrier)
    return found, is_whole


def _without(position: AslPosition, carried: Sequence[AslUnit]) -> AslPosition:
    """
    Return the position without a vehicle's load: alone it gets at least as far, and the search is faster.

    Its tow stays.
    """
    gone = [
        replace(one, at=None, cargo=replace(one.cargo, aboard=None, riding=False))
        for one in carried
        if one.cargo.aboard and not one.crew.inherent
    ]
    return position.with_units(gone) if gone else position


def _is_exact(known: Reach, line: PartialLog, goal: _Goal) -> bool:
    """Return whether no unmodelled step leads to a unit's destination with the MF to go on."""
    unit = line.position.unit(goal.part.units[0])
    if known.is_exact or unit.at is None:
        return known.is_exact
    book = find_rulebook(line.position.rulebook)
    slack = 0
    if unit.facing is None:
        slack = ROAD_BONUS + (DOUBLE_TIME if unit.id in line.assumed.tired else 0)
    most = book.allotment(line.position, unit) + slack - goal.rest[unit.id]
    if known.left_out and _may_be_left_out(known, line.position, goal, most - book.spent(unit)):
        bare = _widest(line.position, unit.id)
        if bare is known:
            return _leads_down_only(known, unit)
        return (
            not bare.left_out
            and _is_as_cheap(known, bare, goal)
            and _is_supported(bare, goal, most)
        )
    return _is_supported(known, goal, most)


def _is_supported(known: Reach, goal: _Goal, most: int) -> bool:
    """Return whether no unmodelled step starts from a place in range of the goal."""
    position, board = known.position, known.position.board
    unit = position.unit(goal.part.units[0])
    states, spent = known.found.state, known.found.spent
    remaining: dict[int, int] = {}
    """The least expenditure from a Location, by number, to the goal."""
    near = []
    for number, (state, cost) in enumerate(zip(states.tolist(), spent.tolist(), strict=True)):
        place = state // known.space.width
        if place not in remaining:
            here = board.locations[place].name
            remaining[place] = _least(position, unit, here, goal.part.to)
        if cost + remaining[place] <= most:
            near.append(number)
    return not near or not known.space.unsupported_in(states[near], spent[near])


def _is_as_cheap(known: Reach, bare: Reach, goal: _Goal) -> bool:
    """Return whether a reach's modes and costs at the goal are at least as good as another's."""
    least = {place.mode: place.spent for place in known.places_at(goal.part.to)}
    return all(
        place.mode in least and least[place.mode] <= place.spent
        for place in bare.places_at(goal.part.to)
    )


def _may_be_left_out(known: Reach, position: AslPosition, goal: _Goal, most: int) -> bool:
    """
    Return whether what a reach leaves out might lead a unit to a place for these half points.

    Upstairs it passes above enemies only if there are some, a level up and on from there.
    """
    unit, to = position.unit(goal.part.units[0]), goal.part.to
    if known.left_out != (stairwell.id,) or unit.place.inside == "upstairs" or unit.at is None:
        return True
    up = halves("B23.4", "level")
    return any(
        _least(position, unit, unit.at, at) + up + _least(position, unit, at, to) <= most
        for at in enemies_in_buildings(position, unit)
    )


def _leads_down_only(known: Reach, unit: AslUnit) -> bool:
    """Return whether a building level can be left only by the stairs, with which scripts begin."""
    is_upstairs = unit.place.inside == "upstairs"
    return is_upstairs and known.locations == {unit.at} and known.unsupported == (stairwell.id,)


def _arrives(known: Reach, place: Place) -> bool:
    """Return whether a unit enters the Location of a place by its last step there."""
    before = int(known.found.parent[place.number])  # a state
    if before < 0:
        return True
    location = known.position.board.locations[before // known.space.width]
    return location.name != place.at


def least_spent(position: AslPosition, vehicle: str, to: str) -> int | None:
    """
    Return the least a vehicle spends to reach a place, in half points, without its Start.

    None if it cannot get there, or an unmodelled step could lead there for less or enter the map.
    """
    unit = position.unit(vehicle)
    if unit.at is None:
        return None
    goal = _Goal(Walked((vehicle,), to, 0), {vehicle: 0})
    found = []
    for reverse in (False, True):
        begun = replace(unit, motion=replace(unit.motion, moving=True, reverse=reverse))
        known = _reach_of(position.with_units([begun]), vehicle)
        least = min((place.spent for place in known.places_at(to)), default=None)
        if least is None or known.left_out or not _is_supported(known, goal, least - 1):
            return None
        found.append(least)
    return min(found)


def _near_the_edge(position: AslPosition, goal: _Goal) -> AslPosition:
    """Return the position with a unit off the map entering only by edge hexes in range of a place."""
    unit = position.unit(goal.part.units[0])
    if unit.at is not None:
        return position
    edges = tuple(name for name in unit.offboard.entering if _is_in_range(position, goal, name))
    return position.with_units([replace(unit, offboard=replace(unit.offboard, entering=edges))])


def _by_long_ways(lines: Sequence[PartialLog], goal: _Goal) -> tuple[list[PartialLog], bool]:
    """
    Return the cheapest logs by which a stack gets to a place, and whether others are ruled out.

    Dijkstra's search over the units' expenditures. A place is left out if the hexes from there cost
    more than the units have left, at 1 MF a hex (½ on skis or bicycles) and with the bonus of a
    road, or of a leader while nothing is spent.
    """
    part = goal.part
    waiting: list[tuple[int, int, PartialLog]] = []
    number = count()
    for line in lines:
        heappush(waiting, (0, next(number), line))
    seen: dict[object, list[tuple[int, ...]]] = {}
    found: list[PartialLog] = []
    for _ in range(MOST_STEPS):
        if not waiting:
            return found, True
        spent, _, line = heappop(waiting)
        units = [line.position.unit(name) for name in part.units]
        burden = (len(line.doubts), *(unit.points.spent for unit in units))
        known = seen.setdefault(tuple(as_state(line.position, unit) for unit in units), [])
        if is_dominated(burden, known):
            continue
        known.append(burden)
        if spent and units[0].at == part.to:
            found.append(line)
            continue
        for after in _next_hexes(line, goal, units[0].at):
            cost = sum(after.position.unit(name).points.spent for name in part.units)
            heappush(waiting, (max(cost, 1), next(number), after))
    return found, not waiting


def _next_hexes(line: PartialLog, goal: _Goal, here: str | None) -> Iterator[PartialLog]:
    """Yield the legal logs that lead one hex on, as far as the units might still reach the place."""
    board = line.position.board
    around = (
        [(0, name) for name in edge_hexes(line.position)]
        if here is None
        else [*board.neighbours(here)]
    )
    for way, name in around:
        if _is_in_range(line.position, goal, name):
            for after in entered(line, goal.part.units, way, name):
                if not after.faults and _is_in_range(after.position, goal, name):
                    yield after


def _is_in_range(position: AslPosition, goal: _Goal, at: str) -> bool:
    """Return whether units might have the MF to get from a hex to a place, and to go on from there."""
    book = find_rulebook(position.rulebook)
    units = [position.unit(name) for name in goal.part.units]
    is_led = any(type_of(position, unit).leads for unit in units)
    for unit in units:
        bonus = ROAD_BONUS + (LEADER_BONUS if is_led and not unit.points.spent else 0)
        remaining = book.allotment(position, unit) - book.spent(unit) + bonus
        least = _least(position, unit, at, goal.part.to) + goal.rest.get(unit.id, 0)
        if least > remaining:
            return False
    return True


def _tires(way: Iterable[Action]) -> bool:
    """Return whether a way makes the unit CX."""
    return any(isinstance(action, MinimumMove | DoubleTime) for action in way)
