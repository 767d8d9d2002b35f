"""How units enter an adjacent Location, or the map."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl.model import SPINES, Enter, MinimumMove, Start, Turn
from marchtable_models.asl.recorded.lines import played
from marchtable_models.asl.verbs import Bypass
from marchtable_models.asl.views.chart import row_named
from marchtable_models.asl.views.edge import outer_sides
from marchtable_models.asl.views.overlay import crossing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable.state.action import Action
    from marchtable_models.asl.model import AslPosition, AslUnit
    from marchtable_models.asl.recorded.lines import PartialLog

TURNS = len(SPINES)


def edge_hexes(position: AslPosition) -> tuple[str, ...]:
    """Return the hexes along the edge of the map."""
    board = position.board
    known: tuple[str, ...] | None = board.notes.get("edge-hexes")
    if known is None:
        names = (one.name for one in board.locations if one.name == one.hex)
        known = tuple(name for name in names if outer_sides(board, name))
        board.notes["edge-hexes"] = known
    return known


def come_on(line: PartialLog, units: tuple[str, ...], to: str) -> Iterator[PartialLog]:
    """Yield the logs by which units enter the map by the edge hexes nearest to a place."""
    board = line.position.board
    edges = {name: board.distance(name, to) for name in edge_hexes(line.position)}
    nearest = min(edges.values(), default=0)
    is_vehicle = line.position.unit(units[0]).facing is not None
    for name, far in edges.items():
        if far == nearest:
            for entry in _entries(line, units, name, is_vehicle=is_vehicle):
                yield from played(line, (entry,))


def entered(
    line: PartialLog, units: tuple[str, ...], way: int, to: str, *, rests: bool = False
) -> Iterator[PartialLog]:
    """Yield the logs by which units enter an adjacent Location, spending everything there if `rests`."""
    first = line.position.unit(units[0])
    entries = list(_entries(line, units, to, is_vehicle=first.facing is not None, rests=rests))
    for opening in openings(first, way):
        for opened in played(line, opening):
            for entry in entries:
                yield from played(opened, (entry,))


def openings(unit: AslUnit, way: int) -> Iterator[Sequence[Action]]:
    """Yield a vehicle's acts before it crosses a hexside: starting and turning that way."""
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
                for turns in turns_to(unit.id, now, spine):
                    yield (*start, *turns)


def turns_to(unit: str, now: int, spine: int) -> Iterator[Sequence[Action]]:
    """Yield the changes of VCA from one hexspine to another, by the shorter way around."""
    right = (spine - now) % TURNS
    left = TURNS - right
    if right <= left or right == 0:
        yield [Turn(unit, SPINES[(now + n) % TURNS]) for n in range(1, right + 1)]
    if right and left <= right:
        yield [Turn(unit, SPINES[(now - n) % TURNS]) for n in range(1, left + 1)]


def _entries(
    line: PartialLog, units: tuple[str, ...], to: str, *, is_vehicle: bool, rests: bool = False
) -> Iterator[Action]:
    """Yield the possible ways to enter a Location, the plain one first."""
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
        if way is None or (way.skirt.row and (way.skirt.vehicle or not way.skirt.stated)):
            yield Bypass(units, to)
        return
    if counters or any(position.unit(name).place.inside for name in units):
        yield Enter(units, to, beneath=True)
    if line.assumed.tired.issuperset(units):
        yield MinimumMove(units, to)
    if line.assumed.is_thorough and any(position.board[to].clear):
        yield from (Bypass(units, to, vertex=spine) for spine in SPINES)
