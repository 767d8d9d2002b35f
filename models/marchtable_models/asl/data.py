"""ASL's data files, read once and checked."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from marchtable.rules.marks import with_own
from marchtable_models.asl.catalogue import catalogued
from marchtable_models.asl.model import AslConditions, AslUnit, UnitType

FOLDER = Path(__file__).parent / "data"


class Row(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A row of the Terrain Chart; ``terrain.toml`` explains the cells."""

    id: str
    clause: str
    title: str
    names: tuple[str, ...]
    inf: str = "NA"
    cav: str = "NA"
    hd: str = "NA"
    mc: str = "NA"
    ac: str = "NA"
    ft: str = "NA"
    ht: str = "NA"
    tr: str = "NA"
    second: dict[str, str] = {}
    by_stream: dict[str, str] = {}
    months: tuple[int, ...] = ()
    obstacle: bool = False
    hard_turn: bool = False
    closed: bool = False
    ends_road: bool = False
    concealment: bool = False
    bare: bool = False
    no_riders: bool = False
    drowns: bool = False
    guides: bool = False
    no_towing: bool = False
    only_afv: bool = False
    modelled: bool = True
    bonus: bool = True
    note: str = ""

    @property
    def covered(self) -> bool:
        """Whether every unit's step is judged: no cell leaves it to an unmodelled clause."""
        return self.modelled and self.inf != "-"


class _Roads(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    hexrows: tuple[str, ...]
    row: int


class _Tracked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    columns: tuple[str, ...]


class _Names(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    names: tuple[str, ...]


class _Nationalities(_Names, frozen=True, forbid_unknown_fields=True):
    same: dict[str, str]


class VehicleTables(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tables of ``vehicles.toml``, which explains them."""

    reverse: dict[str, int]
    esb: dict[str, int]
    crew_morale: dict[str, int]
    makers: dict[str, str]
    offboard: _Roads
    tracked: _Tracked
    russian: _Names


class WeaponKind(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of SW, the words for it, whether Passengers can fire it, and whether it can be dm."""

    name: str
    words: tuple[str, ...]
    passengers: Literal["fire", "desperate", "never"]
    dm: bool = False


class KnownWeapon(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A SW by name, its PP, and whether they are unverified."""

    name: str
    pp: int
    assumed: bool = False


class _WeaponKinds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kind: tuple[WeaponKind, ...]
    weapon: tuple[KnownWeapon, ...]


class Hazard(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An act of Hazardous Movement, and its rule."""

    name: str
    clause: str


class _Hazards(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    hazard: tuple[Hazard, ...]


class GallopRows(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rows that Cavalry cannot enter at the Gallop, enters so only by road, or cannot declare it in."""

    rows: tuple[str, ...]
    wet: tuple[str, ...]
    off_road: tuple[str, ...]


class _Chart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    row: tuple[Row, ...]
    hexside: tuple[Row, ...]


class Works(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Counters in a Location that affect movement.

    Parameters
    ----------
    terrain
        Those that give the Location the chart row of that name.
    levelling, levelled
        Those of them that do so only in some terrain, and its chart rows.
    buries
        Those of them that remove its road.
    other
        Those that a clause names.
    counter
        Those with a row of their own, added to the terrain cost.
    """

    terrain: tuple[str, ...]
    levelling: tuple[str, ...]
    levelled: tuple[str, ...]
    buries: tuple[str, ...]
    other: tuple[str, ...]
    counter: tuple[Row, ...]


class _Types(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    type: tuple[UnitType, ...]


def _read(name: str, kind: Any) -> Any:
    return msgspec.toml.decode((FOLDER / name).read_bytes(), type=kind)


@cache
def rows() -> tuple[tuple[Row, ...], tuple[Row, ...]]:
    """Return the chart's rows for Locations and for hexsides."""
    chart: _Chart = _read("terrain.toml", _Chart)
    return chart.row, chart.hexside


@cache
def marks() -> dict[str, Any]:
    """Return the texts on counters and maps in pictures, by subject and field."""
    found: dict[str, Any] = _read("marks.toml", dict[str, Any])
    found["unit"] = with_own(AslUnit, found["unit"])
    found["map"] = with_own(AslConditions, found["map"])
    return found


@cache
def works() -> Works:
    """Return the effect on movement of counters in a Location."""
    found: Works = _read("works.toml", Works)
    return found


@cache
def sample_types() -> dict[str, UnitType]:
    """Return the sample unit types by name."""
    types: _Types = _read("units.toml", _Types)
    return {entry.name: entry for entry in types.type}


@cache
def unit_types() -> dict[str, UnitType]:
    """Return the unit types by every name that scenes can use: samples and catalogue."""
    return {**catalogued(), **sample_types()}


@cache
def weapon_kinds() -> dict[str, WeaponKind]:
    """Return the kinds of SW, by name."""
    found: _WeaponKinds = _read("weapons.toml", _WeaponKinds)
    return {entry.name: entry for entry in found.kind}


@cache
def known_weapons() -> dict[str, KnownWeapon]:
    """Return the SW whose PP a scene can omit, by name."""
    found: _WeaponKinds = _read("weapons.toml", _WeaponKinds)
    return {entry.name: entry for entry in found.weapon}


@cache
def hazards() -> dict[str, Hazard]:
    """Return the acts of Hazardous Movement, by name."""
    found: _Hazards = _read("hazards.toml", _Hazards)
    return {entry.name: entry for entry in found.hazard}


@cache
def vehicle_tables() -> VehicleTables:
    """Return the tables that only vehicles need."""
    found: VehicleTables = _read("vehicles.toml", VehicleTables)
    return found


def nationalities() -> tuple[str, ...]:
    """Return the nationalities that units can have, in lower case."""
    return _nationalities().names


def nation(name: str) -> str:
    """Return a nationality by its first name, in lower case: ``russian`` for Soviets."""
    first = name.lower()
    return _nationalities().same.get(first, first)


@cache
def _nationalities() -> _Nationalities:
    found: _Nationalities = _read("nationalities.toml", _Nationalities)
    return found


def gained_by_wagon(printed: int) -> int:
    """Return a wagon's gain by Gallop, in half MF, from its printed ones (D12.4)."""
    return printed // count("D12.4", "share")


@cache
def gallop() -> GallopRows:
    """Return the terrain in which Cavalry cannot gallop."""
    found: GallopRows = _read("gallop.toml", GallopRows)
    return found


@cache
def tem() -> dict[str, int]:
    """Return the positive TEM by chart row."""
    return _read("tem.toml", dict[str, int])  # type: ignore[no-any-return]


@cache
def figures() -> dict[str, dict[str, float]]:
    """Return the figures by clause and name, as printed (points, PP, counts)."""
    return _read("figures.toml", dict[str, dict[str, float]])  # type: ignore[no-any-return]


@cache
def halves(clause: str, name: str) -> int:
    """Return a figure in points as half points."""
    doubled = figures()[clause][name] * 2
    if doubled != int(doubled):
        raise ValueError(f"figures.toml: {clause}.{name} is no multiple of one half")
    return int(doubled)


@cache
def count(clause: str, name: str) -> int:
    """Return a figure that is a count."""
    value = figures()[clause][name]
    if value != int(value):
        raise ValueError(f"figures.toml: {clause}.{name} is no whole number")
    return int(value)


def ratio(clause: str, name: str) -> float:
    """Return a figure that is a multiplier or a DRM."""
    return figures()[clause][name]
