"""Adds the counters of a position to the map's facts of a crossing."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from marchtable.board.board import DIRECTIONS
from marchtable.state.records import replace
from marchtable_models.asl.counterkinds import (
    AT_DITCH,
    BREACH,
    CROSSED,
    ONE_LANE,
    ROADBLOCK,
    SMOKES,
    TRAIL,
    TRENCH,
    WIRE,
    side_of,
)  # fmt: skip
from marchtable_models.asl.data import works
from marchtable_models.asl.views.bypass_facts import Skirt
from marchtable_models.asl.views.ground import lie
from marchtable_models.asl.views.ground_facts import RUBBLE, STREAMS, Lie
from marchtable_models.asl.views.weather import snowed
from marchtable_models.asl.weapons import is_weapon

if TYPE_CHECKING:
    from marchtable_models.asl.model import AslPosition, AslUnit
    from marchtable_models.asl.views.ground_facts import Ground

_OPPOSITE = len(DIRECTIONS) // 2


def is_on_wire(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether a unit on foot is on top of Wire, not beneath, upstairs or at a Crest."""
    afoot = unit.cargo.aboard is None and unit.at is not None and not unit.place.inside
    return afoot and WIRE in position.markers.get(str(unit.at), ())


def counters_at(position: AslPosition, at: str) -> tuple[str, ...]:
    """Return the kinds of counters in a Location, without SMOKE and SW."""
    kinds = position.markers.get(at)
    if not kinds:
        return ()
    found = {kind for kind in kinds if kind not in SMOKES and not is_weapon(kind)}
    if any(kind.startswith("foxhole-") for kind in found):
        found.add("foxhole")
    if AT_DITCH in found:
        found.add(TRENCH)
    return tuple(sorted(found))


def crossing(position: AslPosition, a: str, b: str) -> Lie:
    """Return the facts of going from a to b, with the counters at both ends."""
    bare = snowed(lie(position.board, a, b), position.conditions)
    if not position.markers:
        return bare
    here, there = counters_at(position, a), counters_at(position, b)
    return _overlaid(bare, here, there) if here or there else bare


def site(position: AslPosition, at: str) -> Lie:
    """Return the facts of a Location, with its counters."""
    return crossing(position, at, at)


@cache
def _overlaid(bare: Lie, here: tuple[str, ...], there: tuple[str, ...]) -> Lie:
    ground = bare.ground
    buried = _has(here, works().buries) or _has(there, works().buries)
    changed: Ground = replace(
        ground,
        here=_terrain(here, ground.here),
        there=_terrain(there, ground.there),
        within=_within(there, ground),
        filled=_filled(there, ground),
        hexside=_hexside(bare, here, there),
        road=ground.road and not buried,
        road_here=ground.road_here and not _has(here, works().buries),
        door=ground.door and not buried,
        buried=ground.road and buried,
        breach=_lies_on(BREACH, bare.direction, here, there),
        lane=ground.pontoon
        or ground.off_pontoon
        or any(  # a counter beside the bridge does not affect it
            row == "bridge" and ONE_LANE in counters
            for row, counters in ((ground.here, here), (ground.there, there))
        ),
        trail=_marked(TRAIL, bare.direction, there),
        against=_marked(CROSSED, bare.direction, there),
        used=bare.direction >= 0 and CROSSED + DIRECTIONS[bare.direction] in here,
        trail_out=bare.direction >= 0 and TRAIL + DIRECTIONS[bare.direction] in here,
    )
    whole = bare.ground.there == changed.there  # new rubble cannot be bypassed
    return Lie(
        changed,
        bare.direction,
        () if buried else bare.roads,
        bare.skirt if whole else Skirt(),
        bare.beside if bare.ground.here == changed.here else "",
    )


def _has(kinds: tuple[str, ...], some: tuple[str, ...]) -> bool:
    return any(kind in some for kind in kinds)


ROWHOUSE = "rowhouse-wall"
DEBRIS, DEPRESSIONS = "debris", ("gully", *STREAMS)


def _within(kinds: tuple[str, ...], ground: Ground) -> str:
    """Return the row of other terrain in a Location: debris is in a gully or stream (B37.3)."""
    return DEBRIS if DEBRIS in kinds and ground.there in DEPRESSIONS else ground.within


def _filled(kinds: tuple[str, ...], ground: Ground) -> str:
    """Return the row of a Depression with rubble, ``""`` for none."""
    return ground.there if ground.there in DEPRESSIONS and _has(kinds, RUBBLE) else ""


def _terrain(kinds: tuple[str, ...], printed: str) -> str:
    """Return the row of a Location: the dearest its counters give it, else the printed one."""
    kept = () if printed in works().levelled else works().levelling
    if printed in DEPRESSIONS:
        kept = (*kept, DEBRIS)
    made = [kind for kind in works().terrain if kind in kinds and kind not in kept]
    return made[-1] if made else printed


def _marked(prefix: str, direction: int, there: tuple[str, ...]) -> bool:
    """Return whether a counter of that kind marks, from beyond, the hexside crossed."""
    if direction < 0:
        return False
    back = (direction + _OPPOSITE) % len(DIRECTIONS)
    return prefix + DIRECTIONS[back] in there


def _hexside(bare: Lie, here: tuple[str, ...], there: tuple[str, ...]) -> str:
    """Return the row of the hexside crossed; a Breach or rubble can remove it."""
    if _lies_on(ROADBLOCK, bare.direction, here, there):
        return "roadblock"
    printed = bare.ground.hexside
    if printed == ROWHOUSE and _has(here, RUBBLE) and _has(there, RUBBLE):
        return ""
    breached = _lies_on(BREACH, bare.direction, here, there)
    return "" if printed in ("bocage", ROWHOUSE) and breached else printed


def _lies_on(sort: str, direction: int, here: tuple[str, ...], there: tuple[str, ...]) -> bool:
    if direction < 0:
        return False
    back = (direction + _OPPOSITE) % len(DIRECTIONS)
    return any(side_of(sort, kind) == direction for kind in here) or any(
        side_of(sort, kind) == back for kind in there
    )
