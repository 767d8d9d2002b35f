"""
The parts of the map that a step depends on, by mode: reach asks about each only once.

Nothing here makes a step legal or bars it. :func:`known` returns what the map and the mode alone
say of a step, made by the functions that make the facts of a step in a position. Clauses that
object to that much object wherever the step is tried, so reach does not try it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, cast

from marchtable.rules.partial import Partial
from marchtable.state.action import verb_of
from marchtable_models.asl.corners import OWN, edges
from marchtable_models.asl.model import SPINES, AslUnit, Enter, Start, Stop, Turn
from marchtable_models.asl.records import Motion, Place
from marchtable_models.asl.verbs import Along, Bypass, Into
from marchtable_models.asl.views.bypass import is_wooded, passing_on_map
from marchtable_models.asl.views.bypass_facts import Passing, Skirt
from marchtable_models.asl.views.edge import ways
from marchtable_models.asl.views.entry import Entry, Mover
from marchtable_models.asl.views.ground_facts import Ground
from marchtable_models.asl.views.modes import DrivenMode
from marchtable_models.asl.views.reading import corner
from marchtable_models.asl.views.steps import out_of_bypass
from marchtable_models.asl.views.vehicle_facts import StartStop

if TYPE_CHECKING:
    from collections.abc import Hashable

    from marchtable.state.action import Action
    from marchtable_models.asl.corners import Spine
    from marchtable_models.asl.views.ground_facts import Lie

_VEHICLE, _ON_FOOT = (Partial(Mover, is_vehicle=drives) for drives in (True, False))


def bearing(way: Lie | None, mode: Any, action: Action | None) -> int:
    """
    Return the rotation, in hexspines, between a mode and its like, if :func:`sight` is equal.

    Parameters
    ----------
    way
        The crossing, or the Location if staying, as for :func:`sight`; None with an action.
    mode
        The unit's mode.
    action
        The action; None for everything at once.
    """
    if isinstance(mode, DrivenMode):
        return SPINES.index(mode.facing)
    if isinstance(action, Bypass) and action.vertex is not None:
        return SPINES.index(action.vertex)
    if way is not None and way.direction >= 0:
        return way.direction
    vertex: int | None = mode.bypass
    return vertex or 0


def known(way: Lie, mode: Any, action: Action | None) -> Hashable:
    """
    Return the facts that the map and a mode alone decide, of every step or one; None for none.

    Parameters
    ----------
    way
        The crossing, or the Location if staying.
    mode
        The unit's mode.
    action
        The action; None for everything at once.
    """
    if isinstance(action, (Start, Stop)):
        return Partial(StartStop, verb=verb_of(action), moving=mode.moving)
    if isinstance(action, (Along, Into)) and (out := out_of_bypass(_heading(mode), action)):
        return out
    if isinstance(action, (Along, Bypass)):
        terrain = (way.ground.there, is_wooded(way.ground))
        vertex = action.vertex if isinstance(action, Bypass) else None
        return _in_bypass(_heading(mode), way.direction, way.skirt, terrain, vertex)
    if way.direction < 0:
        return None
    declines = isinstance(action, Enter) and action.off_road and not way.ground.road
    headed = _declining if declines else _entry
    return headed(_heading(mode), way.direction)


def _heading(mode: Any) -> AslUnit:
    """Return a unit of which only the VCA, Reverse and Bypass of a mode are known."""
    drives = isinstance(mode, DrivenMode)
    return _headed(mode.facing if drives else None, mode.bypass, reverse=drives and mode.reverse)


@cache
def _headed(facing: Spine | None, bypass: int | None, *, reverse: bool) -> AslUnit:
    place, motion = Partial(Place, bypass=bypass), Partial(Motion, reverse=reverse)
    return cast("AslUnit", Partial(AslUnit, at="", facing=facing, place=place, motion=motion))


@cache
def _entry(unit: AslUnit, direction: int) -> Partial:
    return Partial(Entry, **_entering(unit, direction))


@cache
def _declining(unit: AslUnit, direction: int) -> Partial:
    """Return the known facts of an entry that declines a road where the map has none."""
    ground = Partial(Ground, road=False)
    return Partial(Entry, **_entering(unit, direction), declined=True, ground=ground)


@cache
def _entering(unit: AslUnit, direction: int) -> dict[str, Any]:
    return {
        "mover": _VEHICLE if unit.facing else _ON_FOOT,
        "reverse": unit.motion.reverse,
        "ahead": unit.facing is None or direction in ways(unit),
        "corner": "at" if direction == OWN else corner(unit, direction),
        "aside": False,
    }


@cache
def _in_bypass(
    unit: AslUnit, direction: int, skirt: Skirt, terrain: tuple[str, bool], vertex: Spine | None
) -> Partial:
    """Return the known facts of a step in Bypass; the terrain is its row, and whether it is wooded."""
    there, wooded = terrain
    action = Along("") if direction == OWN else Bypass((), "", vertex)
    found = passing_on_map(unit, action, direction, skirt, wooded=wooded)
    passing = Partial(
        Passing,
        obstacle=found.obstacle,
        stated=found.stated,
        hexsides=found.hexsides,
        in_line=found.in_line,
        street=found.street,
        wooded=found.wooded,
    )
    ground = Partial(Ground, there=skirt.row or there)
    return Partial(Entry, **_entering(unit, direction), ground=ground, passing=passing)


def sight(way: Lie, mode: Any, action: Action | None) -> Hashable:
    """
    Return what a mode's ways on, or one action, depend on of a crossing beside :func:`known`.

    Parameters
    ----------
    way
        The crossing, or the Location if staying.
    mode
        The unit's mode.
    action
        The action; None for everything at once.
    """
    if isinstance(mode, DrivenMode):
        return _in_vehicle(way, mode, action)
    return _on_foot(way, mode, action)


def _turned(way: Lie, facing: int, turn: Turn, bare: Hashable) -> Hashable:
    """Return the fact on which a VCA change depends besides the ground: whether it swings past a road."""
    to = SPINES.index(turn.facing)
    passed = to if (to - facing) % len(SPINES) == 1 else facing
    if way.ground.here != "bridge":
        return (bare, passed in way.roads)
    return (bare, passed in way.roads, to in way.roads or (to + 1) % len(SPINES) in way.roads)


def _on_foot(way: Lie, mode: Any, action: Action | None) -> Hashable:
    bare, skirt = (way.ground, "" if mode.bypass is None else way.beside), way.skirt
    if way.direction < 0 or action is not None or not skirt.row:
        return bare
    clear, narrow = (
        frozenset([_from(way.direction, side) for side in sides])
        for sides in (skirt.foot, skirt.streets)
    )
    return (bare, skirt.row, skirt.stated, clear, narrow)


def _in_vehicle(way: Lie, mode: Any, action: Action | None) -> Hashable:
    facing, bypass, skirt = SPINES.index(mode.facing), mode.bypass, way.skirt
    here = OWN if way.direction < 0 else way.direction
    bare = _ahead(way, facing, "" if bypass is None else way.beside, action)
    if isinstance(action, Turn):
        return _turned(way, facing, action, bare)
    if here == OWN and bypass is None:
        return bare
    if action is not None and not isinstance(action, (Bypass, Along)):
        return bare
    edge = edges(facing, bypass, reverse=mode.reverse).get(here)
    if edge is None:
        return (bare, skirt.row)
    # also where it is barred: if that is not modelled, what it leads to depends on the hexside
    clear = not skirt.stated or edge in skirt.vehicle
    return (
        bare,
        skirt.row,
        skirt.stated,
        _from(facing, edge),
        clear,
        clear and edge in skirt.streets,
    )


def _ahead(way: Lie, facing: int, beside: str, action: Action | None) -> Hashable:
    """Return a key of facts on which every act of a vehicle depends; if bridges can be one-lane, the direction."""
    roads = tuple(sorted([_from(facing, road) for road in way.roads])) if action is None else ()
    ground = way.ground
    if ground.here != "bridge" and ground.there != "bridge":
        return (ground, beside, roads)
    return ((ground, beside, roads), way.direction < 0 or _from(facing, way.direction))


def _from(other: int, side: int) -> int:
    """Return a hexside relative to another or to a VCA, so that rotated modes compare equal."""
    return (side - other) % len(SPINES)
