"""The data files of the PanzerBlitz rulebook, read once and checked."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from marchtable.rules.marks import with_own
from marchtable_models.panzer.model import Faction, PanzerUnit, TerrainRow, UnitType

__all__ = [
    "FOLDER", "count", "factions", "figures", "halves", "hexside_rows", "marks", "rows", "unit_types",
]  # fmt: skip

FOLDER = Path(__file__).parent / "data"


class _Chart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    row: tuple[TerrainRow, ...]
    hexside: tuple[TerrainRow, ...]


class _Types(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    type: tuple[UnitType, ...]


class _Factions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    faction: tuple[Faction, ...]


def _read(name: str, kind: Any) -> Any:
    return msgspec.toml.decode((FOLDER / name).read_bytes(), type=kind)


@cache
def _chart() -> _Chart:
    found: _Chart = _read("terrain.toml", _Chart)
    return found


@cache
def rows() -> dict[str, TerrainRow]:
    """Return the chart rows of hexes, by the maps' terrain names."""
    return {name: row for row in _chart().row for name in row.names}


@cache
def hexside_rows() -> dict[str, TerrainRow]:
    """Return the chart rows of hexsides, by the maps' names."""
    return {name: row for row in _chart().hexside for name in row.names}


@cache
def unit_types() -> dict[str, UnitType]:
    """Return the sample unit types by name."""
    types: _Types = _read("units.toml", _Types)
    return {entry.name: entry for entry in types.type}


@cache
def factions() -> dict[str, Faction]:
    """Return the factions by name."""
    found: _Factions = _read("factions.toml", _Factions)
    return {entry.name: entry for entry in found.faction}


@cache
def marks() -> dict[str, Any]:
    """Return the marks of units and map features in pictures, by subject and field."""
    found: dict[str, Any] = _read("marks.toml", dict[str, Any])
    found["unit"] = with_own(PanzerUnit, found["unit"])
    return found


@cache
def figures() -> dict[str, dict[str, float]]:
    """Return the figures by clause and name."""
    return _read("figures.toml", dict[str, dict[str, float]])  # type: ignore[no-any-return]


@cache
def halves(clause: str, name: str) -> int:
    """Return a figure in points as half points."""
    return int(figures()[clause][name] * 2)


@cache
def count(clause: str, name: str) -> int:
    """Return a figure that is a count."""
    return int(figures()[clause][name])
