"""The parts of the map that a step depends on, by mode: reach asks about each only once.

Nothing here makes a step legal. Steps are left out only if a clause bars them wherever they could
be tried: Start and Stop of units already moving or stopped (D2.12a, D2.13), VCA changes of more
than a hexspine (D2.11b), hexes outside the VCA (D2.11c, D2.2b) or away from the vertex reached in
Bypass (A4.3d), Bypass without an obstacle (A4.3a) or room (A4.3b, D2.3b, D2.31), continuing Bypass
from outside it (A4.3f), declining a road where there is none (B3.4e), and a vehicle entering what
it bypasses (D2.33d).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable_models.asl.corners import OWN, ahead, edges, passes, run, starts
from marchtable_models.asl.model import SPINES, Enter, Start, Stop, Turn
from marchtable_models.asl.verbs import Along, Bypass, Into

if TYPE_CHECKING:
    from collections.abc import Hashable

    from marchtable.state.action import Action
    from marchtable_models.asl.views.ground_facts import Lie

ONE_SPINE = (1, 5)
BYPASS = -4
"""Index of Bypass in every mode."""


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
    if mode[0] in SPINES:
        return SPINES.index(mode[0])
    if isinstance(action, Bypass) and action.vertex is not None:
        return SPINES.index(action.vertex)
    if way is not None and way.direction >= 0:
        return way.direction
    vertex: int | None = mode[BYPASS]
    return vertex or 0


def sight(way: Lie, mode: Any, action: Action | None) -> Hashable:
    """
    Return what a mode's ways on, or one action, depend on of a crossing; None if all is barred.

    Parameters
    ----------
    way
        The crossing, or the Location if staying.
    mode
        The unit's mode.
    action
        The action; None for everything at once.
    """
    bypass = mode[BYPASS]
    if bypass is not None and not way.beside:
        return None
    if isinstance(action, Enter) and action.off_road and not way.ground.road:
        return None
    return _in_vehicle(way, mode, action) if mode[0] in SPINES else _on_foot(way, bypass, action)


def _turned(way: Lie, facing: int, turn: Turn, bare: Hashable) -> Hashable:
    """Return what a VCA change depends on besides the ground: whether it swings past a road."""
    to = SPINES.index(turn.facing)
    if (to - facing) % len(SPINES) not in ONE_SPINE:
        return None
    passed = to if (to - facing) % len(SPINES) == 1 else facing
    if way.ground.here != "bridge":
        return (bare, passed in way.roads)
    return (bare, passed in way.roads, to in way.roads or (to + 1) % len(SPINES) in way.roads)


def _on_foot(way: Lie, bypass: int | None, action: Action | None) -> Hashable:
    bare, skirt = (way.ground, "" if bypass is None else way.beside), way.skirt
    if way.direction < 0:
        return None if _goes_on(action) and bypass is None else bare
    begin = starts(way.direction, bypass)
    if not begin:
        return None
    if isinstance(action, Bypass):
        if not skirt.row or action.vertex is None:
            return None
        count = run(skirt.foot, begin, SPINES.index(action.vertex))
        sides = skirt.foot if skirt.stated else skirt.streets
        street = passes(sides, skirt.streets, begin, SPINES.index(action.vertex))
        return (bare, skirt.row, skirt.stated, count, street) if count or not skirt.stated else None
    if action is not None or not skirt.row:
        return bare
    clear, narrow = (
        frozenset([_from(way.direction, side) for side in sides])
        for sides in (skirt.foot, skirt.streets)
    )
    return (bare, skirt.row, skirt.stated, clear, narrow)


def _in_vehicle(way: Lie, mode: Any, action: Action | None) -> Hashable:
    facing, reverse, bypass, skirt = SPINES.index(mode[0]), mode[2], mode[BYPASS], way.skirt
    here = OWN if way.direction < 0 else way.direction
    if _is_idle(mode, action) or (
        here != OWN and here not in ahead(facing, bypass, reverse=reverse)
    ):
        return None
    bare = _ahead(way, facing, "" if bypass is None else way.beside, action)
    if isinstance(action, Turn):
        return _turned(way, facing, action, bare)
    if here == OWN and bypass is None:
        return None if _goes_on(action) else bare
    if action is not None and not isinstance(action, (Bypass, Along)):
        return bare
    edge = edges(facing, bypass, reverse=reverse).get(here)
    room = edge is not None and bool(skirt.row) and (edge in skirt.vehicle or not skirt.stated)
    if not room or edge is None:
        return bare if action is None else None
    return (bare, skirt.row, skirt.stated, _from(facing, edge), edge in skirt.streets)


def _is_idle(mode: Any, action: Action | None) -> bool:
    """Return whether a Start, Stop or entry has no effect in that mode."""
    return isinstance(action, (Into, Start if mode[1] else Stop))


def _ahead(way: Lie, facing: int, beside: str, action: Action | None) -> Hashable:
    """Return what every act of a vehicle depends on; if bridges can be one-lane, the direction."""
    roads = tuple(sorted([_from(facing, road) for road in way.roads])) if action is None else ()
    ground = way.ground
    if ground.here != "bridge" and ground.there != "bridge":
        return (ground, beside, roads)
    return ((ground, beside, roads), way.direction < 0 or _from(facing, way.direction))


def _from(other: int, side: int) -> int:
    """Return a hexside relative to another or to a VCA, so that rotated modes compare equal."""
    return (side - other) % len(SPINES)


def _goes_on(action: Action | None) -> bool:
    return isinstance(action, (Along, Into))
