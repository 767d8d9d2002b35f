"""Lines of sight: viewpoints, obstructions, and the effect of terrain (A6)."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import msgspec

from marchtable.errors import BadInputError
from marchtable.sight.facts import (
    Advantage,
    Does,
    Obstruction,
    SightFacts,
    SightReason,
    TerrainFact,
    Viewpoint,
    read_facts,
)
from marchtable_models.asl.corners import SPINES, front
from marchtable_models.asl.counterkinds import (
    BLAZE,
    BURNING,
    OTHER,
    ROADBLOCK,
    SMOKES,
    roadblock_side,
)
from marchtable_models.asl.data import FOLDER, count
from marchtable_models.asl.records import Place
from marchtable_models.asl.views.cargo import conveyance
from marchtable_models.asl.views.ground import lie
from marchtable_models.asl.views.nightsight import as_lit, by_night
from marchtable_models.asl.views.unitkinds import type_of
from marchtable_models.asl.views.walls import advantage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable.board.board import Board, Location
    from marchtable.sight.facts import Verdict
    from marchtable_models.asl.model import AslConditions, AslPosition, AslUnit

PILLBOX, IT = "pillbox", "it"
JUNE = 6


class _Changed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    terrain: str
    into: str
    clause: str
    months: tuple[int, ...] = ()
    snow: tuple[str, ...] = ()


class _CounterHindrance(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    drm: int = 0
    most: int = 0
    highest: int | None = None
    top: int | None = None
    terrain: str = ""
    drifts: bool = False
    unknown: str = ""
    why: str = ""


class _LookoutFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    blocking: int
    longest: int
    clauses: dict[str, str]
    changed: tuple[_Changed, ...]
    counters: dict[str, _CounterHindrance]
    words: dict[str, _CounterHindrance]
    thickest: int
    outward: int


@cache
def _file() -> _LookoutFile:
    text = (FOLDER / "sight.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), _LookoutFile)


@cache
def _terrain() -> dict[str, TerrainFact]:
    return read_facts((FOLDER / "sight.tsv").read_text(encoding="utf-8"))


def sight_facts(conditions: AslConditions | None) -> SightFacts:
    """Return the effect of terrain on LOS in a scene's month (default June) and weather."""
    month = JUNE if conditions is None else conditions.month
    snows = [
        name for name in ("ground_snow", "deep_snow")
        if conditions is not None and getattr(conditions, name)
    ]  # fmt: skip
    return _facts(month, tuple(snows))


@cache
def _facts(month: int, snows: tuple[str, ...]) -> SightFacts:
    file, terrain = _file(), dict(_terrain())
    for one in file.changed:
        if month in one.months or set(one.snow) & set(snows):
            terrain[one.terrain] = terrain[one.into]
    laid = tuple(sorted({one.terrain for one in file.counters.values() if one.terrain}))
    by_reason = {SightReason[name.upper()]: clause for name, clause in file.clauses.items()}
    name = f"asl {month} {' '.join(snows)}"
    return SightFacts(
        name, terrain, by_reason, file.blocking, file.longest, laid, file.thickest, file.outward
    )


def viewpoint(position: AslPosition, unit: AslUnit) -> Viewpoint:
    """
    Return a unit's viewpoint.

    Raises
    ------
    BadInputError
        If it is not on the map.
    """
    if unit.at is None:
        raise BadInputError(f"{unit.id} is not on the map", field="unit")
    place, carrier = unit.place, conveyance(position, unit)
    edge = carrier.place.bypass
    if edge is not None and carrier.facing is not None and carrier.at == unit.at:
        place = Place(bypass=front(edge, SPINES.index(carrier.facing)))  # the CAFP (D2.32, D6.65)
    seen = view_from(position, unit.at, place, unit.id)
    walls = _WALLS if place.inside == "beneath" else _HEDGEROWS
    if seen.unknown or unit.at not in _along(position.board, walls):
        return by_night(position, carrier, seen)
    past = advantage(position, carrier)
    if place.inside == "beneath" and past == Advantage.UNKNOWN:
        why = f"whether {unit.id} is entrenched behind the wall is not stated"
        seen = msgspec.structs.replace(seen, unknown="B9.21", why=why)
    return by_night(position, carrier, msgspec.structs.replace(seen, advantage=past))


def viewpoints(board: Board) -> list[Viewpoint]:
    """Return the ground of each hex, bridges, and the upper levels of buildings."""
    found = [
        Viewpoint(one.hex, height)
        for one in board.locations
        for height in (
            2 * one.level,
            *(_upstairs(one, n + 1) for n in range(lie(board, one.name, one.name).ground.floors)),
        )
    ]
    return list(dict.fromkeys(found))


def _upstairs(here: Location, floor: int) -> int:
    """Return a building level's height in half levels: the rooftop is one above (B23.8)."""
    crest = 2 * (here.level + (here.depression is not None))
    tall = _terrain().get(here.terrain)
    if tall is None or not tall.building:
        return crest + 2 * floor
    return crest + min(2 * floor, tall.height)


def view_from(position: AslPosition, at: str, place: Place, name: str = IT) -> Viewpoint:
    """Return the viewpoint of the named unit if it were in a place of a Location."""
    known: dict[tuple[str, Place, str], Viewpoint] = position.notes.setdefault("views", {})
    key = (at, place, name)
    if key not in known:
        known[key] = _view_from(position, at, place, name)
    return known[key]


def _view_from(position: AslPosition, at: str, place: Place, name: str) -> Viewpoint:
    here = position.board[at]
    if place.inside == "upstairs":
        height = _upstairs(here, place.floor)
    else:
        sunk = place.inside == "crest" and here.depression is not None
        height = 2 * (here.level + sunk)
    unknown, why = _not_modelled(position, at, place, name)
    return as_lit(position, Viewpoint(here.hex, height, unknown, why, vertex=place.bypass))


def hides(board: Board, at: str) -> bool:
    """Return whether a hex holds woods or a building, so that units can bypass them."""
    fact = _terrain().get(board[at].terrain)
    return fact is not None and fact.does in (Does.OBSTACLE, Does.HALL, Does.CANOPY, Does.UNKNOWN)


def _not_modelled(position: AslPosition, at: str, place: Place, name: str) -> tuple[str, str]:
    """Return the unmodelled clause that a unit's sight depends on, and why, if any."""
    inside = place.inside
    if inside == "upstairs" and not place.floor:
        return "B23.42", f"the scene does not state on which level {name} is"
    if inside == "cliff":
        return "B11.42", f"{name} is Climbing: its vertex is not modelled"
    if inside == "beneath" and PILLBOX in position.markers.get(at, ()):
        return "B30.2", "LOS of pillboxes is not modelled"
    if inside == "beneath" and name == IT and at in _along(position.board, _WALLS):
        return "B9.21", "who goes beneath something behind a wall is not modelled"
    return "", ""


_WALLS, _HEDGEROWS = frozenset((Does.WALL, Does.BOCAGE)), frozenset((Does.BOCAGE,))
_ALONG: WeakKeyDictionary[Board, dict[frozenset[Does], frozenset[str]]] = WeakKeyDictionary()


def _along(board: Board, what: frozenset[Does]) -> frozenset[str]:
    """Return the Locations of a board with such hexsides."""
    known = _ALONG.setdefault(board, {})
    if what not in known:
        facts = ((edge, _terrain().get(edge.hexside.terrain or "")) for edge in board.edges)
        found = [edge for edge, fact in facts if fact is not None and fact.does in what]
        known[what] = frozenset(at for edge in found for at in (edge.a, edge.b))
    return known[what]


def obstructions(position: AslPosition) -> tuple[Obstruction, ...]:
    """Return the counters and units on the map that hinder or block lines of sight."""
    key = "obstructions"
    if key not in position.notes:
        position.notes[key] = (
            *_counter_obstructions(position), *_vehicle_obstructions(position), *_convoy_obstructions(position),
        )  # fmt: skip
    found: tuple[Obstruction, ...] = position.notes[key]
    return found


def _counter_obstructions(position: AslPosition) -> Iterator[Obstruction]:
    file, board, conditions = _file(), position.board, position.conditions
    sources = [
        board[one.at].level for one in position.counters
        if one.kind in (BLAZE, BURNING) or (one.kind in SMOKES and not file.counters[one.kind].drifts)
    ]  # fmt: skip
    for counter in position.counters:
        here, lies = board[counter.at], file.counters.get(counter.kind)
        if counter.kind.startswith(ROADBLOCK):
            yield Obstruction(here.hex, side=roadblock_side(counter.kind))
            continue
        if counter.kind in SMOKES and conditions.washes_smoke_away and not _is_built(here):
            continue  # A24.6
        if lies is None and counter.kind.startswith(OTHER):
            words = counter.kind.lower().split()
            lies = next((one for word, one in file.words.items() if word in words), None)
        if lies is None:
            continue
        if lies.drifts and max(sources, default=here.level) <= here.level:
            yield Obstruction(here.hex, drm=lies.drm, top=lies.top)
        elif lies.drifts:  # A24.61: from higher up it might pass above this hex
            yield Obstruction(here.hex, most=lies.drm, highest=lies.top, top=lies.top,
                              unknown=lies.unknown, why=lies.why)  # fmt: skip
        else:
            yield Obstruction(here.hex, drm=lies.drm, most=lies.most, highest=lies.highest, top=lies.top,
                              terrain=lies.terrain, unknown=lies.unknown, why=lies.why)  # fmt: skip


def _is_built(here: Location) -> bool:
    fact = _terrain().get(here.terrain)
    return fact is not None and fact.building


def _convoy_obstructions(position: AslPosition) -> Iterator[Obstruction]:
    """Yield the hexes with a moving Convoy vehicle (E11.4)."""
    for unit in position.units:
        if not unit.line.convoy or unit.at is None or unit.place.bypass is not None:
            continue
        if unit.concealment.concealed:
            continue  # its kind is unknown
        here, rolls = position.board[unit.at], unit.motion.moving or unit.move.mph == "moving"
        if rolls and here.name == here.hex and unit.cargo.aboard is None:
            yield Obstruction(here.hex, drm=count("E11.4", "hindrance"))


def _vehicle_obstructions(position: AslPosition) -> Iterator[Obstruction]:
    """Yield the hexes with an AFV or wreck on the ground, a Hindrance (D9.4)."""
    burning = {counter.at for counter in position.counters if counter.kind == "burning-wreck"}
    for unit in position.units:
        kind = type_of(position, unit)
        if (
            unit.at is None
            or not (kind.afv or kind.class_ == "wreck")
            or unit.concealment.concealed
        ):
            continue
        is_moving = unit.motion.moving or unit.move.mph == "moving"
        here = position.board[unit.at]
        if is_moving or here.name != here.hex or unit.cargo.aboard or unit.place.bypass is not None:
            continue
        if kind.class_ != "wreck" or unit.at not in burning:
            yield Obstruction(here.hex, drm=1)


def between(
    position: AslPosition, a: Viewpoint, b: Viewpoint, *, bare: bool = False, one_way: bool = False
) -> Verdict:
    """
    Find whether there is a LOS between two viewpoints; if `bare`, over the map alone, by day.

    SMOKE's Hindrance need not be stated: it matters only if its lower and upper bounds give
    different answers. The direction matters out of SMOKE (A24.8) and at night; `one_way` asks
    whether the first sees the second.
    """
    from marchtable.sight.table import as_by_night, sight

    if a.unknown or b.unknown:
        return "unknown"
    board, facts = position.board, sight_facts(position.conditions)
    if bare:
        return sight(board, facts, (a, b)).verdict
    bounds = _bounds(position)
    alike = one_way or not (
        position.conditions.night or any(one.top is not None for one in bounds[0])
    )
    found = {
        as_by_night(board, facts, sight(board, facts, ends, lying), ends).verdict
        for lying in bounds
        for ends in ([(a, b)] if alike else [(a, b), (b, a)])
    }
    return found.pop() if len(found) == 1 else "unknown"


def look_at(position: AslPosition, pairs: Sequence[tuple[Viewpoint, Viewpoint]]) -> None:
    """Trace many lines of sight at once and cache them for :func:`between`."""
    from marchtable.sight.table import remember

    known = [pair for pair in pairs if not (pair[0].unknown or pair[1].unknown)]
    for lying in _bounds(position):
        remember(position.board, sight_facts(position.conditions), known, lying)


def _bounds(position: AslPosition) -> Sequence[tuple[Obstruction, ...]]:
    """Return the obstructions on the map with SMOKE as thin, and as thick, as possible."""
    key = "obstructions at least, at most"
    if key not in position.notes:
        lying = obstructions(position)
        position.notes[key] = [lying]
        if any(one.most for one in lying):
            position.notes[key] = [
                tuple([one.bounded(most=most) for one in lying]) for most in (False, True)
            ]
    found: Sequence[tuple[Obstruction, ...]] = position.notes[key]
    return found


def los_notes(position: AslPosition) -> list[str]:
    """Return the assumptions that lines of sight make in a scene."""
    found = []
    if any(True for _ in _vehicle_obstructions(position)):
        found.append("both ends see the AFV and wrecks that hinder between them (D9.4)")
    if any(unit.concealment.concealed for unit in position.units):
        found.append("concealed AFV do not hinder (D9.4)")
    if position.conditions.rain:
        found.append("the Hindrance of rain is not counted (E3.51)")
    if any(counter.kind in (*SMOKES, BLAZE, BURNING) for counter in position.counters):
        found.append("there is no wind (A24.4)")
    return found
