"""What of the map a step depends on, mode by mode: what reach need not ask about twice, or at all.

Nothing here makes a step legal. What is left out is barred by a clause wherever it could be tried:
Start and Stop of what moves or stands already (D2.12a, D2.13), VCA changes of more than a hexspine (D2.11b), hexes outside the VCA (D2.11c, D2.2b) or away from the vertex reached in Bypass (A4.3d),
Bypass where there is nothing to go round (A4.3a) or no room (A4.3b, D2.3b, D2.31), going on in
Bypass from outside it (A4.3f), and declining a road where there is none (B3.4e), and a vehicle's going into what it bypasses (D2.33d).
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
"""The place of Bypass in every mode."""


def bearing(way: Lie | None, mode: Any, action: Action | None) -> int:
    """
    Return by how many hexspines a mode is turned from its like, where :func:`sight` sees alike.

    Parameters
    ----------
    way
        The crossing, or the Location stayed in, as for :func:`sight`; None with an action.
    mode
        The unit's mode.
    action
        What is asked about; None for everything at once.
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
    Return what the ways on in a mode, or one action, depend on of a crossing; None if all is barred.

    Parameters
    ----------
    way
        The crossing, or the Location stayed in.
    mode
        The unit's mode.
    action
        What is asked about; None for everything at once.
    """
    bypass = mode[BYPASS]
    if bypass is not None and not way.beside:
        return None
    if isinstance(action, Enter) and action.off_road and not way.ground.road:
        return None
    return _in_vehicle(way, mode, action) if mode[0] in SPINES else _on_foot(way, bypass, action)


def _turned(way: Lie, facing: int, turn: Turn, bare: Hashable) -> Hashable:
    """Return on what a VCA change depends beside the ground: whether it swings past a road."""
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
    """Return whether it starts or stops where there is nothing to, or goes into."""
    return isinstance(action, (Into, Start if mode[1] else Stop))


def _ahead(way: Lie, facing: int, beside: str, action: Action | None) -> Hashable:
    """Return what matters to whatever a vehicle does; where bridges may have but one lane, the way."""
    roads = tuple(sorted([_from(facing, road) for road in way.roads])) if action is None else ()
    ground = way.ground
    if ground.here != "bridge" and ground.there != "bridge":
        return (ground, beside, roads)
    return ((ground, beside, roads), way.direction < 0 or _from(facing, way.direction))


def _from(other: int, side: int) -> int:
    """Return a hexside as seen from another, or a VCA: so a mode and its like, turned, see alike."""
    return (side - other) % len(SPINES)


def _goes_on(action: Action | None) -> bool:
    return isinstance(action, (Along, Into))
