"""A search for a legal log that explains what was recorded."""

from __future__ import annotations

from functools import lru_cache
from heapq import heappop, heappush
from itertools import count, islice
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from marchtable.reachability.reach import reach
from marchtable.rules.rulebook import find_rulebook
from marchtable_models.asl.clauses.terrain.chart import row_named
from marchtable_models.asl.extraction.edge import outer_sides
from marchtable_models.asl.extraction.overlay import crossing
from marchtable_models.asl.extraction.unitkinds import type_of
from marchtable_models.asl.model import (
    SPINES,
    DoubleTime,
    End,
    Enter,
    Lend,
    MinimumMove,
    Start,
    Stop,
    Turn,
)
from marchtable_models.asl.recorded.lines import Frame, Line, as_state, best_of, played, pruned
from marchtable_models.asl.recorded.scripts import (
    Advanced,
    Affected,
    Boarded,
    Declared,
    Dropped,
    Ended,
    Exited,
    Hooked,
    Left,
    Lent,
    Pushed,
    Thrown,
    Unhooked,
    Walked,
)
from marchtable_models.asl.rules.grenades import Smoke
from marchtable_models.asl.rules.pushing import Push
from marchtable_models.asl.verbs.bypass import Bypass, Into
from marchtable_models.asl.verbs.carrying import Hook, Load, Unhook, Unload
from marchtable_models.asl.verbs.foot import Advance, Drop
from marchtable_models.asl.verbs.happenings import Befall
from marchtable_models.asl.verbs.vehicles import Exit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from marchtable.reachability.reach import Reach
    from marchtable.state.action import Action
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit
    from marchtable_models.asl.recorded.scripts import Part

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["Reading", "edge_hexes", "read"]

MOST_WAYS = 4
"""In how many modes a unit that got to a place by any way at all goes on from there, at most."""
MOST_STEPS = 400
"""The most places from which the search for a stack's way looks on."""
ROAD_BONUS = 2
"""What a road may add to the MF of Infantry (B3.4), in half points."""
TURNS = len(SPINES)
HIGHEST = 5
"""The highest exponent of SMOKE grenades."""


class Reading(NamedTuple):
    """
    The best log found for a script.

    Parameters
    ----------
    line
        The log, legal or not.
    failed
        The number of the part from which on no legal log goes, None where one goes to the end.
    legal
        The log that is legal as far as the recording can be explained.
    is_whole
        Whether all ways were tried.
    barring
        Clauses of which one alone forbids some way to go on from the legal log.
    """

    line: Line
    failed: int | None
    legal: Line
    is_whole: bool
    barring: tuple[str, ...] = ()


def read(
    position: AslPosition,
    script: Sequence[Part],
    frame: Frame = Frame(),  # noqa: B008 - immutable
) -> Reading | None:
    """
    Return the cheapest legal log that explains a script, or the one that breaks the fewest clauses.

    Parameters
    ----------
    position
        Where the move begins.
    script
        What was recorded.
    frame
        What is taken as given.

    Returns
    -------
    Reading or None
        None where a unit that is named is not in the position.
    """
    mover = {name for part in script for name in _who(part)}
    if not mover <= position.index.keys():
        return None
    lines = [Line(position, frame)]
    legal, failed, is_whole = lines[0], None, True
    barring: tuple[str, ...] = ()
    for number, part in enumerate(script):
        found = [after for line in lines for after in _explained(line, part)]
        clean = [line for line in found if not line.faults]
        if failed is None and not clean:
            clean, exact = _by_any_way(lines, part)
            found += clean
            is_whole = is_whole and exact
        if failed is None and not clean:
            legal, failed, barring = best_of(lines, mover), number, _alone(found)
        kept = clean if failed is None else found
        if not kept:
            failed = number if failed is None else failed
            return Reading(best_of(lines, mover), failed, legal, is_whole, barring)
        lines, all_kept = pruned(kept, mover)
        is_whole = is_whole and all_kept
    best = best_of(lines, mover)
    return Reading(best, failed, best if failed is None else legal, is_whole, barring)


def _alone(lines: Sequence[Line]) -> tuple[str, ...]:
    """Return the clauses that some log breaks and no other clause with it."""
    sets = [dict.fromkeys(fault.clause for fault in line.faults) for line in lines]
    return tuple(dict.fromkeys(clause for some in sets if len(some) == 1 for clause in some))


def _who(part: Part) -> Iterator[str]:
    yield from getattr(part, "units", ())
    for field in ("unit", "vehicle", "gun"):
        if name := getattr(part, field, ""):
            yield name


# -- one part of a script ------------------------------------------------------------------------


def _explained(line: Line, part: Part) -> Iterator[Line]:
    """Yield the logs that go on from one so that a part is explained."""
    if isinstance(part, Walked):
        yield from _walked(line, part)
    elif isinstance(part, Ended):
        yield from _ended(line, part)
    elif isinstance(part, Exited):
        yield from _exited(line, part)
    elif isinstance(part, Thrown):
        yield from _thrown(line, part)
    else:
        for actions in _options(line.position, part):
            yield from played(line, actions)


def _options(position: AslPosition, part: Part) -> Iterator[Sequence[Action]]:
    """Yield the actions by which units may have done a part."""
    if isinstance(part, Declared):
        yield (DoubleTime(part.unit),)
    elif isinstance(part, Dropped):
        yield (Drop(part.unit, part.weapon),)
    elif isinstance(part, Lent):
        yield (Lend(part.unit, part.to),)
    elif isinstance(part, Advanced):
        yield (Advance(part.units, part.to),)
        yield (Advance(part.units, part.to, beneath=True),)
    elif isinstance(part, Pushed):
        yield (Push(part.units, part.gun, part.to),)
    elif isinstance(part, Affected):
        yield (Befall(part.unit, part.what),)  # type: ignore[arg-type]
    elif isinstance(part, Hooked | Unhooked):
        yield from _hitched(position, part)
    elif isinstance(part, Boarded | Left):
        yield from _carried(position, part)


def _carried(position: AslPosition, part: Boarded | Left) -> Iterator[Sequence[Action]]:
    """Yield the ways to get on a vehicle or off it, for those who are not there yet."""
    if isinstance(part, Boarded):
        out = tuple(name for name in part.units if position.unit(name).cargo.aboard != part.vehicle)
        vehicle = part.vehicle
        actions: list[Load | Unload] = (
            [Load(out, vehicle), Load(out, vehicle, riding=True)] if out else []
        )
    else:
        out = tuple(name for name in part.units if position.unit(name).cargo.aboard)
        vehicle = position.unit(out[0]).cargo.aboard or "" if out else ""
        actions = [Unload(out)] if out else []
    if not actions:
        yield ()
        return
    yield from ((*halt, action) for halt in _halts(position, vehicle) for action in actions)


def _halts(position: AslPosition, vehicle: str) -> Iterator[Sequence[Action]]:
    """Yield what a vehicle does before units or Guns come on it or off: nothing, or it stops."""
    yield ()
    if position.unit(vehicle).motion.moving:
        yield (Stop(vehicle),)


def _hitched(position: AslPosition, part: Hooked | Unhooked) -> Iterator[Sequence[Action]]:
    """Yield the ways to hook up or unhook a Gun: by each unit that may be its crew."""
    gun, vehicle = position.unit(part.gun), position.unit(part.vehicle)
    is_towed = gun.cargo.towed_by == part.vehicle
    if is_towed == isinstance(part, Hooked):
        yield ()
        return
    here = [
        unit
        for unit in position.beside(vehicle.at)
        if unit.side == vehicle.side and unit.facing is None and unit.id != part.gun
    ]
    for halt in _halts(position, part.vehicle):
        if isinstance(part, Unhooked):
            yield from ((*halt, Unhook(part.vehicle, unit.id)) for unit in here)
            continue
        for name in part.crews:
            yield (*halt, Hook(part.vehicle, part.gun, name, board=True))
        for unit in here:
            if unit.id not in part.crews:
                yield (*halt, Hook(part.vehicle, part.gun, unit.id))


def _thrown(line: Line, part: Thrown) -> Iterator[Line]:
    """Yield the logs by which a unit places SMOKE; its exponent is taken to be the highest."""
    board = line.position.board
    for name in part.units:
        at = line.position.unit(name).at
        if at is None or part.to not in board or board.distance(at, part.to) > 1:
            continue
        for after in played(line, (Smoke(name, part.to, exponent=HIGHEST),)):
            if len(after.position.markers.get(part.to, ())) > len(
                line.position.markers.get(part.to, ())
            ):
                yield after


def _exited(line: Line, part: Exited) -> Iterator[Line]:
    """Yield the logs by which units leave the map over its edge."""
    first = line.position.unit(part.units[0])
    if first.at is None:
        return
    edges = {
        name: line.position.board.distance(first.at, name) for name in edge_hexes(line.position)
    }
    nearest = min(edges.values(), default=0)
    for name, far in edges.items():
        if nearest and far == nearest:
            for there in _walked(line, Walked(part.units, name, part.when)):
                yield from _exited(there, part)
    for side in outer_sides(line.position.board, first.at):
        for opening in _openings(first, side):
            yield from played(line, (*opening, Exit(part.units)))
        if first.facing is None:
            return


def edge_hexes(position: AslPosition) -> tuple[str, ...]:
    """Return the hexes along the edge of the map."""
    board = position.board
    known: tuple[str, ...] | None = board.notes.get("edge-hexes")
    if known is None:
        names = (one.name for one in board.locations if one.name == one.hex)
        known = tuple(name for name in names if outer_sides(board, name))
        board.notes["edge-hexes"] = known
    return known


def _walked(line: Line, part: Walked) -> Iterator[Line]:
    """Yield the logs by which units get to a place by the shortest ways."""
    board = line.position.board
    here = line.position.unit(part.units[0]).at
    if part.to not in board:
        return
    if here is None:
        for entered in _come_on(line, part.units, part.to):
            yield from _walked(entered, part)
        return
    if here == part.to:
        bypassing = any(line.position.unit(name).place.bypass is not None for name in part.units)
        yield from played(line, (Into(part.units),)) if bypassing else (line,)
        return
    lines = [line]
    far = board.distance(here, part.to)
    mover = set(part.units)
    for left in range(far - 1, -1, -1):
        found: list[Line] = []
        for one in lines:
            at = one.position.unit(part.units[0]).at
            if at is None:
                continue
            for way, name in board.neighbours(at):
                if board.distance(name, part.to) == left and (left or name == part.to):
                    found += _entered(one, part.units, way, name, rests=part.rests and not left)
        clean = [one for one in found if not one.faults]
        lines, _ = pruned(clean or found, mover) if found else ([], True)
    yield from lines


def _come_on(line: Line, units: tuple[str, ...], to: str) -> Iterator[Line]:
    """Yield the logs by which units enter the map by the edge hexes that are nearest to a place."""
    board = line.position.board
    edges = {name: board.distance(name, to) for name in edge_hexes(line.position)}
    nearest = min(edges.values(), default=0)
    is_vehicle = line.position.unit(units[0]).facing is not None
    for name, far in edges.items():
        if far == nearest:
            for entry in _entries(line, units, name, is_vehicle=is_vehicle):
                yield from played(line, (entry,))


def _entered(
    line: Line, units: tuple[str, ...], way: int, to: str, *, rests: bool = False
) -> Iterator[Line]:
    """Yield the logs by which units enter a Location next to theirs, spending all there if `rests`."""
    first = line.position.unit(units[0])
    entries = list(_entries(line, units, to, is_vehicle=first.facing is not None, rests=rests))
    for opening in _openings(first, way):
        for opened in played(line, opening):
            for entry in entries:
                yield from played(opened, (entry,))


def _openings(unit: AslUnit, way: int) -> Iterator[Sequence[Action]]:
    """Yield what a vehicle does before it crosses a hexside: it starts, and turns that way."""
    if unit.facing is None:
        yield ()
        return
    starts: Sequence[Sequence[Action]] = ((),)
    reverses: Sequence[Sequence[Action]] = ()
    if not unit.motion.moving:
        starts, reverses = ((Start(unit.id),),), ((Start(unit.id, reverse=True),),)
    elif unit.motion.reverse:
        starts, reverses = (), ((),)
    now = SPINES.index(unit.facing)
    for ways, ahead in ((starts, way), (reverses, way + 3)):
        for start in ways:
            for spine in (ahead % TURNS, (ahead - 1) % TURNS):
                for turns in _turns(unit.id, now, spine):
                    yield (*start, *turns)


def _turns(unit: str, now: int, spine: int) -> Iterator[Sequence[Action]]:
    """Yield the changes of VCA from one hexspine to another, by the shorter way round."""
    right = (spine - now) % TURNS
    left = TURNS - right
    if right <= left or right == 0:
        yield [Turn(unit, SPINES[(now + n) % TURNS]) for n in range(1, right + 1)]
    if right and left <= right:
        yield [Turn(unit, SPINES[(now - n) % TURNS]) for n in range(1, left + 1)]


def _entries(
    line: Line, units: tuple[str, ...], to: str, *, is_vehicle: bool, rests: bool = False
) -> Iterator[Action]:
    """Yield the ways to enter a Location that there may be, the plain one first."""
    position = line.position
    first = position.unit(units[0])
    counters = position.markers.get(to, ())
    way = None if first.at is None else crossing(position, first.at, to)
    yield Enter(units, to)
    if way is not None and way.ground.road:
        yield Enter(units, to, off_road=True)
    if counters or way is None or any(row_named(row).second for row in way.ground.rows):
        yield Enter(units, to, half=True)
    if is_vehicle:
        if rests:
            yield Enter(units, to, rest=True)
        if way is None or (way.skirt.row and (way.skirt.vehicle or not way.skirt.told)):
            yield Bypass(units, to)
        return
    if counters or any(position.unit(name).place.inside for name in units):
        yield Enter(units, to, beneath=True)
    if line.frame.tired.issuperset(units):
        yield MinimumMove(units, to)
    if line.frame.is_thorough and any(position.board[to].clear):
        yield from (Bypass(units, to, vertex=spine) for spine in SPINES)


def _ended(line: Line, part: Ended) -> Iterator[Line]:
    """Yield the logs by which a vehicle comes to point as it was seen last, and stops if it did."""
    unit = line.position.unit(part.unit)
    if unit.facing is None:
        yield line
        return
    turned = [line]
    if part.facing and part.facing != unit.facing:
        opening: Sequence[Action] = () if unit.motion.moving else (Start(unit.id),)
        now, spine = SPINES.index(unit.facing), SPINES.index(part.facing)
        turned = [
            after
            for turns in _turns(unit.id, now, spine)
            for after in played(line, (*opening, *turns))
        ]
    for one in turned:
        unit = one.position.unit(part.unit)
        if not unit.motion.moving:
            yield one
            continue
        if part.moving:
            yield from _in_motion(one, part.unit)
            continue
        stopped = [
            after for after in played(one, (Stop(unit.id),)) if len(after.faults) == len(one.faults)
        ]
        yield from stopped
        if not stopped:
            note = (
                f"{unit.id} has no MP left to stop: it is in Motion, and lacks its Motion counter"
            )
            yield from _in_motion(one._replace(notes=(*one.notes, note)), part.unit)


def _in_motion(line: Line, unit: str) -> Iterator[Line]:
    """Yield where a vehicle's move ends in Motion: what it has left is spent there (D2.4)."""
    known, book = line.position.unit(unit), find_rulebook(line.position.rulebook)
    if known.move.mph == "done" or book.spent(known) >= book.allotment(line.position, known):
        yield line
        return
    ended = [one for one in played(line, (End(unit),)) if len(one.faults) == len(line.faults)]
    if not ended:
        done = replace(known, move=replace(known.move, mph="done"))
        note = f"what {unit} has left is taken as spent in its last hex"
        ended = [
            line._replace(position=line.position.with_units([done]), notes=(*line.notes, note))
        ]
    yield from ended


def _by_any_way(lines: Sequence[Line], part: Part) -> tuple[list[Line], bool]:
    """
    Return the logs by which units get to a place by any way at all.

    The flag says whether what was not found is ruled out: a clause that is not modelled may help.
    """
    if isinstance(part, Pushed):
        at = lines[0].position.unit(part.gun).at
        board = lines[0].position.board
        return [], at is not None and part.to in board and board.distance(at, part.to) == 1
    if not isinstance(part, Walked) or not all(part.to in line.position.board for line in lines):
        return [], True
    if len(part.units) == 1:
        return _by_reach(lines, part)
    if not lines[0].frame.is_thorough:
        return [], True
    return _by_long_ways([line for line in lines[:4] if _may_get_to(line, part)], part)


@lru_cache(maxsize=256)
def _reach_of(position: AslPosition, unit: str) -> Reach:
    (known,) = reach(position, (unit,))
    return known


def _may_get_to(line: Line, part: Walked) -> bool:
    """
    Return whether a stack may get to a place, by what its units can do alone.

    Where a leader goes with the stack, it can go alone; where there is none, each unit can.
    """
    position = line.position
    leaders = [name for name in part.units if type_of(position, position.unit(name)).leads]
    for name in leaders or part.units:
        known = _reach_of(position, name)
        if known.is_exact and part.to not in known.locations:
            return False
    return True


def _by_reach(lines: Sequence[Line], part: Walked) -> tuple[list[Line], bool]:
    """Return the logs by which a unit alone gets to a place, and whether others are ruled out."""
    is_whole = True
    found: list[Line] = []
    for line in lines[:4]:
        unit = line.position.unit(part.units[0])
        if unit.at == part.to:
            continue
        if unit.at is None and (unit.facing is not None or not line.frame.is_thorough):
            is_whole = False  # the ways of a vehicle onto the map are too many to search
            continue
        known = _reach_of(_near_the_edge(line.position, part), part.units[0])
        is_whole = is_whole and known.is_exact
        fitting = (
            way
            for place in known.places_at(part.to)
            if not _tires(way := known.actions_to(place)) or line.frame.tired.issuperset(part.units)
        )
        for way in islice(fitting, MOST_WAYS):
            found += [one for one in played(line, way) if not one.faults]
    return found, is_whole


def _near_the_edge(position: AslPosition, part: Walked) -> AslPosition:
    """Return a position in which a unit off the map enters only by edge hexes in range of a place."""
    unit = position.unit(part.units[0])
    if unit.at is not None:
        return position
    edges = tuple(name for name in unit.offboard.entering if _is_in_range(position, part, name))
    return position.with_units([replace(unit, offboard=replace(unit.offboard, entering=edges))])


def _by_long_ways(lines: Sequence[Line], part: Walked) -> tuple[list[Line], bool]:
    """
    Return the cheapest logs by which a stack gets to a place, and whether others are ruled out.

    Dijkstra's search over what the units have spent. A place is left out if the hexes from there
    cost more than the units have left, at 1 MF a hex (½ on skis or bicycles) and with the bonus of
    a road.
    """
    waiting: list[tuple[int, int, Line]] = []
    number = count()
    for line in lines:
        heappush(waiting, (0, next(number), line))
    seen: set[object] = set()
    found: list[Line] = []
    for _ in range(MOST_STEPS):
        if not waiting:
            return found, True
        spent, _, line = heappop(waiting)
        units = [line.position.unit(name) for name in part.units]
        key = tuple(as_state(line.position, unit) for unit in units)
        if key in seen:
            continue
        seen.add(key)
        if spent and units[0].at == part.to:
            found.append(line)
            if len(found) >= MOST_WAYS:
                return found, True
            continue
        for after in _next_hexes(line, part, units[0].at):
            cost = sum(after.position.unit(name).points.spent for name in part.units)
            heappush(waiting, (max(cost, 1), next(number), after))
    return found, False


def _next_hexes(line: Line, part: Walked, here: str | None) -> Iterator[Line]:
    """Yield the legal logs that lead one hex on, as far as the units can get to the place from there."""
    board = line.position.board
    around = (
        [(0, name) for name in edge_hexes(line.position)]
        if here is None
        else [*board.neighbours(here)]
    )
    for way, name in around:
        if _is_in_range(line.position, part, name):
            for after in _entered(line, part.units, way, name):
                if not after.faults and _is_in_range(after.position, part, name):
                    yield after


def _is_in_range(position: AslPosition, part: Walked, at: str) -> bool:
    """Return whether units may have the MF to get to a place from a hex."""
    book = find_rulebook(position.rulebook)
    units = [position.unit(name) for name in part.units]
    least = 1 if any(unit.status.gear for unit in units) else 2
    remaining = min(book.allotment(position, unit) - book.spent(unit) for unit in units)
    return least * position.board.distance(at, part.to) <= remaining + ROAD_BONUS


def _tires(way: Iterable[Action]) -> bool:
    """Return whether a way makes the unit CX."""
    return any(isinstance(action, MinimumMove | DoubleTime) for action in way)
