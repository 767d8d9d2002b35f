"""Sight at night: its range, and which Locations are lit (E1)."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import TYPE_CHECKING

import msgspec

from marchtable_models.asl.data import FOLDER
from marchtable_models.asl.views.ground import lie
from marchtable_models.asl.views.unitkinds import type_of

if TYPE_CHECKING:
    from marchtable.board.board import Board
    from marchtable.sight.facts import Glow, Viewpoint
    from marchtable_models.asl.model import AslPosition, AslUnit

TRACKED = ("ft", "ht")
"""Columns of the Terrain Chart for vehicles with tracks."""


class _Lamp(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    far: int
    lit: int = -1
    flash: bool = False


class _LightsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    lights: dict[str, _Lamp]
    sheltered: tuple[str, ...]
    rolling: int
    tracked: int


@cache
def _file() -> _LightsFile:
    text = (FOLDER / "nightsight.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), _LightsFile)


def as_lit(position: AslPosition, point: Viewpoint) -> Viewpoint:
    """Return a viewpoint limited by the Night Visibility Range and light (E1.1)."""
    conditions = position.conditions
    if not conditions.night or point.night is not None:
        return point
    light = light_on(position, point.at)
    glow: Glow = "dim" if light == "dark" and _flashes(position, point.at) else light
    return msgspec.structs.replace(point, night=conditions.nvr or 0, glow=glow, dazzled=light)


def by_night(position: AslPosition, carrier: AslUnit, point: Viewpoint) -> Viewpoint:
    """Return the night viewpoint of a unit or a vehicle's load: half as far in a BU AFV (E1.14)."""
    if not position.conditions.night:
        return point
    lit = as_lit(position, point)
    if carrier.crew.bu and type_of(position, carrier).afv:
        lit = half_blind(lit)
    kind, rolls = type_of(position, carrier), carrier.motion.moving or carrier.move.mph == "moving"
    if rolls and kind.class_ == "vehicle":
        lit = as_rolling(lit, tracked=kind.column in TRACKED)
    return lit


def half_blind(point: Viewpoint) -> Viewpoint:
    """Return the night viewpoint of a buttoned-up AFV: half as far (E1.14)."""
    return msgspec.structs.replace(point, night=(point.night or 0) // 2)


def as_rolling(point: Viewpoint, *, tracked: bool) -> Viewpoint:
    """Return the night viewpoint of a moving vehicle, which is seen from farther off (E1.14)."""
    shows = _file().tracked if tracked else _file().rolling
    return msgspec.structs.replace(point, shows=shows, least=2 if tracked else 1)


def light_on(position: AslPosition, at: str) -> Glow:
    """
    Return whether a Location is Illuminated (E1.9).

    ``dim`` if unknown: a Blaze's shadows (E1.941) and burning levels, and a building's interior
    hexes, are not modelled.
    """
    return _brightest(position, at, flash=False)


def _brightest(position: AslPosition, at: str, *, flash: bool) -> Glow:
    board, found = position.board, set[str]()
    for counter in position.counters:
        for word, lamp in _file().lights.items():
            if word not in counter.kind.lower() or lamp.flash != flash:
                continue
            floors = lie(board, counter.at, counter.at).ground.floors
            range_ = board.distance(counter.at, at)
            if range_ <= lamp.lit and not (floors if lamp.lit == 0 else _is_sheltered(board, at)):
                found.add("lit")
            elif range_ <= lamp.far * (1 + (floors if word == "blaze" else 0)):
                found.add("dim")
    return "lit" if "lit" in found else "dim" if found else "dark"


def _is_sheltered(board: Board, at: str) -> bool:
    """Return whether a Location can be shielded from the sky: building, dense trees (E1.923)."""
    return any(word in board[at].terrain for word in _file().sheltered)


def _flashes(position: AslPosition, at: str) -> bool:
    """Return whether a hex might have a gunflash (E1.8): of a unit that has fired, or of a FFE."""
    if _brightest(position, at, flash=True) != "dark":
        return True
    key = "gunflashes"
    if key not in position.notes:
        position.notes[key] = {
            position.board[unit.at].hex
            for unit in position.units
            if unit.at is not None
            and (unit.status.prep_fired or unit.status.fired or unit.status.melee)
        }
    return at in position.notes[key]
