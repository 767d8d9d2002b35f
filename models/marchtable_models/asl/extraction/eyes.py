"""Lines of sight: from where units look, what lies in the way, and what terrain does (A6)."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.errors import BadInputError
from marchtable.sight.facts import (
    Does,
    Limit,
    Obstruction,
    Reason,
    SightFacts,
    TerrainFact,
    Viewpoint,
    read_facts,
)
from marchtable_models.asl.counterkinds import OTHER
from marchtable_models.asl.data import FOLDER
from marchtable_models.asl.extraction.ground import lie
from marchtable_models.asl.extraction.unitkinds import type_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable.board.board import Board, Location
    from marchtable.sight.facts import Verdict
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit
    from marchtable_models.asl.records import Place

    AslPosition = Position[AslUnit, AslConditions]

__all__ = [
    "between", "limit", "look_at", "los_notes", "obstructions", "sight_facts", "view_from", "viewpoint", "viewpoints",
]  # fmt: skip

PILLBOX = "pillbox"
JUNE = 6


class _Changed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    terrain: str
    into: str
    clause: str
    months: tuple[int, ...] = ()
    snow: tuple[str, ...] = ()


class _Lies(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    drm: int = 0
    most: int = 0
    top: int | None = None
    terrain: str = ""
    unknown: str = ""
    why: str = ""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    blocking: int
    longest: int
    clauses: dict[str, str]
    changed: tuple[_Changed, ...]
    counters: dict[str, _Lies]
    beginning: dict[str, _Lies]
    words: dict[str, _Lies]
    lights: tuple[str, ...]


@cache
def _file() -> _File:
    text = (FOLDER / "sight.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), _File)


@cache
def _terrain() -> dict[str, TerrainFact]:
    return read_facts((FOLDER / "sight.tsv").read_text(encoding="utf-8"))


def sight_facts(conditions: AslConditions | None) -> SightFacts:
    """Return what terrain does to lines of sight in a scene's month and weather, by default in June."""
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
    by_reason = {Reason[name.upper()]: clause for name, clause in file.clauses.items()}
    name = f"asl {month} {' '.join(snows)}"
    return SightFacts(name, terrain, by_reason, file.blocking, file.longest, laid)


def viewpoint(position: AslPosition, unit: AslUnit) -> Viewpoint:
    """
    Return from where a unit looks.

    Raises
    ------
    BadInputError
        If it is not on the map.
    """
    if unit.at is None:
        raise BadInputError(f"{unit.id} is not on the map", field="unit")
    return view_from(position, unit.at, unit.place, unit.id)


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
    """Return the height of a level of a building, in half levels: the rooftop is half a level up (B23.8)."""
    crest = 2 * (here.level + (here.depression is not None))
    tall = _terrain().get(here.terrain)
    if tall is None or not tall.building:
        return crest + 2 * floor
    return crest + min(2 * floor, tall.height)


def view_from(position: AslPosition, at: str, place: Place, name: str = "it") -> Viewpoint:
    """Return from where a unit so called would look in a place of a Location."""
    here = position.board[at]
    if place.inside == "upstairs":
        height = _upstairs(here, place.floor)
    else:
        sunk = place.inside == "crest" and here.depression is not None
        height = 2 * (here.level + sunk)
    return Viewpoint(here.hex, height, *_not_modelled(position, at, place, name))


def _not_modelled(position: AslPosition, at: str, place: Place, name: str) -> tuple[str, str]:
    """Return the clause on which a unit's sight depends and that is not modelled, and why, if any."""
    inside = place.inside
    if place.bypass is not None:
        return "A6.12", f"{name} is in Bypass: its vertex is not modelled"
    if inside == "upstairs" and not place.floor:
        return "B23.42", f"the scene does not state on which level {name} is"
    if inside == "cliff":
        return "B11.42", f"{name} is Climbing: its vertex is not modelled"
    if inside == "beneath" and PILLBOX in position.markers.get(at, ()):
        return "B30.2", "LOS of pillboxes is not modelled"
    if inside == "beneath" and _has_wall(position.board, at):
        return "B9.21", f"{name} may be entrenched behind a wall, which is not modelled"
    return "", ""


def _has_wall(board: Board, at: str) -> bool:
    """Return whether a wall or hedge lies along a hexside of a hex."""
    names = (board.hexside(at, other) for _, other in board.neighbours(at))
    found = (_terrain().get(side.terrain) for side in names if side is not None and side.terrain)
    return any(fact is not None and fact.does in (Does.WALL, Does.BOCAGE) for fact in found)


def obstructions(position: AslPosition) -> tuple[Obstruction, ...]:
    """Return what lies on the map for the time being and hinders or blocks lines of sight."""
    key = "obstructions"
    if key not in position.notes:
        position.notes[key] = (*_of_counters(position), *_of_vehicles(position))
    found: tuple[Obstruction, ...] = position.notes[key]
    return found


def _of_counters(position: AslPosition) -> Iterator[Obstruction]:
    file = _file()
    for counter in position.counters:
        lies = file.counters.get(counter.kind)
        if lies is None:
            starts = (
                one for start, one in file.beginning.items() if counter.kind.startswith(start)
            )
            lies = next(starts, None)
        if lies is None and counter.kind.startswith(OTHER):
            words = counter.kind.lower().split()
            lies = next((one for word, one in file.words.items() if word in words), None)
        if lies is not None:
            told: dict[str, Any] = msgspec.structs.asdict(lies)
            yield Obstruction(position.board[counter.at].hex, **told)


def _of_vehicles(position: AslPosition) -> Iterator[Obstruction]:
    """Yield the hexes with an AFV or wreck on the ground that hinders (D9.4)."""
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


def between(position: AslPosition, a: Viewpoint, b: Viewpoint, *, bare: bool = False) -> Verdict:
    """
    Find whether there is a LOS between two viewpoints; if `bare`, over the map alone, by day.

    What SMOKE adds to the Hindrance is not stated: it matters if the least and the most it could add
    lead to different answers.
    """
    from marchtable.sight.table import limited, sight

    if a.unknown or b.unknown:
        return "unknown"
    board, facts = position.board, sight_facts(position.conditions)
    if bare:
        return sight(board, facts, (a, b)).verdict
    found = {
        limited(board, sight(board, facts, (a, b), lying), (a, b), limit(position)).verdict
        for lying in _bounds(position)
    }
    return found.pop() if len(found) == 1 else "unknown"


def look_at(position: AslPosition, pairs: Sequence[tuple[Viewpoint, Viewpoint]]) -> None:
    """Trace many lines of sight at once, which :func:`between` then knows."""
    from marchtable.sight.table import remember

    known = [pair for pair in pairs if not (pair[0].unknown or pair[1].unknown)]
    for lying in _bounds(position):
        remember(position.board, sight_facts(position.conditions), known, lying)


def _bounds(position: AslPosition) -> Sequence[tuple[Obstruction, ...]]:
    """Return what lies on the map with SMOKE as thin, and as thick, as it may be."""
    key = "obstructions at least, at most"
    if key not in position.notes:
        told = obstructions(position)
        position.notes[key] = [told]
        if any(one.most for one in told):
            position.notes[key] = [
                tuple([_of_strength(one, most=most) for one in told]) for most in (False, True)
            ]
    found: Sequence[tuple[Obstruction, ...]] = position.notes[key]
    return found


def _of_strength(one: Obstruction, *, most: bool) -> Obstruction:
    """Return SMOKE as if it added the least, or the most, that it may; anything else as it is."""
    if not one.most:
        return one
    return msgspec.structs.replace(one, drm=one.most if most else one.drm, unknown="")


def limit(position: AslPosition) -> Limit | None:
    """
    Return the Night Visibility Range, by night.

    Beyond it nothing is seen, unless something gives light or a unit has fired.
    """
    told = position.conditions
    if not told.night:
        return None
    if not told.nvr:
        why = "beyond a Night Visibility Range of 0"
        return Limit(0, known=False, clause="E1.1", why=why)
    lights = any(_gives_light(counter.kind) for counter in position.counters)
    lit = lights or any(unit.status.prep_fired or unit.status.fired for unit in position.units)
    why = "beyond the Night Visibility Range"
    why += ": light and gunflashes are not modelled" if lit else ""
    return Limit(told.nvr, known=not lit, clause="E1.9" if lit else "E1.1", why=why)


def _gives_light(kind: str) -> bool:
    return any(word in kind.lower() for word in _file().lights)


def los_notes(position: AslPosition) -> list[str]:
    """Return what lines of sight take for granted in a scene."""
    found = []
    if any(True for _ in _of_vehicles(position)):
        found.append("both ends see the AFV and wrecks that hinder between them (D9.4)")
    if any(unit.concealment.concealed for unit in position.units):
        found.append("concealed AFV do not hinder (D9.4)")
    if position.conditions.rain:
        found.append("the Hindrance of rain is not counted (E3.51)")
    return found
