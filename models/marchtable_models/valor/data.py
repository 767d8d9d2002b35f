"""Valor & Victory's data files, read once and checked."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from marchtable.rules.marks import with_own
from marchtable.state.position import Odds
from marchtable_models.valor.model import UnitType, ValorUnit, WeaponType

__all__ = [
    "FOLDER", "Ground", "Row", "figure", "figures", "ground_of", "hexside_of", "hinders", "kill_numbers", "map_names", "marks",
    "rows", "table", "unit_types", "weapon_types", "works",
]  # fmt: skip

FOLDER = Path(__file__).parent / "data"
DIE = 6
LEAST_ROLL, MOST_ROLL = 2, 12
TWO_DICE = {n: DIE - abs(n - 7) for n in range(LEAST_ROLL, MOST_ROLL + 1)}
"""How many of the 36 two-dice throws give each sum."""


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of the AP Combat Table: its APFP range, and the points for each roll from 2."""

    least: int
    points: tuple[int, ...]
    most: int | None = None


class Ground(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    The effect of a terrain, hexside or entrenchment on movement and fire.

    Parameters
    ----------
    id, names
        Its name here, and on maps.
    clause, title
        For a terrain: the clause of its entry cost.
    infantry, vehicle
        MP to enter a terrain, None if it cannot be entered.
    by_road
        Whether vehicles, AFVs and Guns enter only by road.
    cover, hindrance
        Modifier of the dice of fire at it, and whether fire through it is hindered.
    blocks
        Whether it blocks lines of sight.
    adds, holds
        For an entrenchment: whether its cover adds to the terrain's, and what can stop in it.
    """

    id: str
    names: tuple[str, ...] = ()
    clause: str = ""
    title: str = ""
    infantry: int | None = None
    vehicle: int | None = None
    by_road: bool = False
    cover: int = 0
    hindrance: bool = False
    blocks: bool = False
    adds: bool = False
    holds: tuple[str, ...] = ()


class _Kill(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    odds: int
    number: int


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    row: tuple[Row, ...]
    kill: tuple[_Kill, ...]


class _Terrain(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    row: tuple[Ground, ...]
    hexside: tuple[Ground, ...]
    work: tuple[Ground, ...]


class _Counters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    type: tuple[UnitType, ...]
    weapon: tuple[WeaponType, ...]


def _read(name: str, kind: Any) -> Any:
    return msgspec.toml.decode((FOLDER / name).read_bytes(), type=kind)


@cache
def _counters() -> _Counters:
    found: _Counters = _read("units.toml", _Counters)
    return found


@cache
def unit_types() -> dict[str, UnitType]:
    """Return the sample unit types by name."""
    return {entry.name: entry for entry in _counters().type}


@cache
def weapon_types() -> dict[str, WeaponType]:
    """Return the sample support weapons by name."""
    return {entry.name: entry for entry in _counters().weapon}


@cache
def marks() -> dict[str, Any]:
    """Return the marks of units and map features in pictures, by subject and field."""
    found: dict[str, Any] = _read("marks.toml", dict[str, Any])
    found["unit"] = with_own(ValorUnit, found["unit"])
    return found


@cache
def _tables() -> _Table:
    found: _Table = _read("table.toml", _Table)
    return found


@cache
def table() -> tuple[Row, ...]:
    """Return the AP Combat Table, top row first."""
    return _tables().row


@cache
def kill_numbers() -> dict[int, int]:
    """Return the Kill Numbers of close assaults by odds: 2 is 2-1, -2 is 1-2."""
    return {entry.odds: entry.number for entry in _tables().kill}


@cache
def _terrain() -> _Terrain:
    found: _Terrain = _read("terrain.toml", _Terrain)
    return found


@cache
def _ground() -> dict[str, Ground]:
    return {name: row for row in _terrain().row for name in row.names}


def ground_of(terrain: str) -> Ground | None:
    """Return the row of a terrain, by its VASL name; None if there is none."""
    return _ground().get(terrain)


@cache
def rows() -> dict[str, Ground]:
    """Return the rows of the table of terrain by id."""
    return {row.id: row for row in _terrain().row}


@cache
def _hexsides() -> dict[str, Ground]:
    return {name: row for row in _terrain().hexside for name in row.names}


def hexside_of(name: str | None) -> Ground | None:
    """Return the row of the terrain along a hexside; None if there is none."""
    return _hexsides().get(name or "")


def hinders(hexside: str | None) -> bool:
    """Return whether the terrain along a hexside hinders fire across it."""
    row = hexside_of(hexside)
    return bool(row and row.hindrance)


@cache
def map_names() -> dict[str, list[str]]:
    """Return the names of terrain and of hexsides."""
    return {"terrain": [*_ground()], "hexside": [*_hexsides()]}


@cache
def works() -> dict[str, Ground]:
    """Return the entrenchments and fortifications by the kind of their counter."""
    return {row.id: row for row in _terrain().work}


@cache
def figures() -> dict[str, dict[str, int]]:
    """Return the figures by clause and name."""
    return _read("figures.toml", dict[str, dict[str, int]])  # type: ignore[no-any-return]


@cache
def figure(clause: str, name: str) -> int:
    """Return one figure."""
    return figures()[clause][name]


def two_dice() -> tuple[Odds, ...]:
    """Return the outcomes of a two-dice roll: the sums."""
    return tuple(Odds(str(n), ways, DIE * DIE) for n, ways in TWO_DICE.items())
