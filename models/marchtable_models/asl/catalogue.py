"""
Nationalities' counters by name, from ``transports.tsv``, ``afvs.tsv``, ``troops.tsv`` and ``guns.tsv``.

``printed.tsv``, what the rulebook itself says of a counter, takes precedence. ``weights.tsv`` has
the weights of vehicles.

A scene names a counter by nationality and name (``german 4-6-7``), by the name alone if all
counters of that name are alike (``Opel 6700``), with or without the words in brackets, or by a
nickname for one of them (``PzIVH``).
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable_models.asl.unittype import UnitType

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path(__file__).parent / "data"
NOTHING = "-"
ANY = "any"
ROLES = ("tank", "tankette", "tank-destroyer", "assault-gun", "sp-artillery", "spaa")
WORDS = (*ROLES, "mortar", "radioless")
"""Marks that are not fields of a type."""
VEHICLES = ("transports.tsv", "afvs.tsv")
WORTH = {"yes": True, "no": False}
_BRACKETS = re.compile(r" ?\([^()]*\)$")
_ORIGIN = re.compile(r" ?\([a-z]\)$")


class Counterpart(NamedTuple):
    """A counter: its nationality (``any`` for all), its name there, and its printed data."""

    nation: str
    name: str
    type: UnitType


@cache
def catalogue() -> tuple[Counterpart, ...]:
    """Return all counters, file by file; a name occurs once per nationality."""
    return (*(one for file in VEHICLES for one in _vehicles(file)), *_troops(), *_guns())


@cache
def catalogued() -> dict[str, UnitType]:
    """Return the types by every name that a scene can use."""
    found: dict[str, UnitType] = {}
    alike: dict[str, list[UnitType]] = {}
    for nation, name, kind in catalogue():
        alike.setdefault(name, []).append(kind)
        found[f"{nation} {name}"] = kind
    whole = frozenset(alike)
    for nation, name, kind in catalogue():
        if (short := _BRACKETS.sub("", name)) not in whole:
            alike.setdefault(short, []).append(kind)
        found.setdefault(f"{nation} {short}", kind)
    for called, kinds in alike.items():
        if len({msgspec.structs.replace(kind, name="") for kind in kinds}) == 1:
            found[called] = kinds[0]
    for word, meant in nicknames().items():
        if len(meant) == 1 and meant[0] in found:
            found.setdefault(word, found[meant[0]])
    return found


@cache
def shared_names() -> dict[str, tuple[str, ...]]:
    """Return the nationalities of each counter by its shortest name; equal counters once."""
    found: dict[str, tuple[str, ...]] = {}
    for nation, name, kind in catalogue():
        shared = name if name in catalogued() else kind.name
        found[shared] = (*found.get(shared, ()), nation)
    return found


@cache
def slots() -> dict[str, tuple[tuple[str, str], ...]]:
    """Return the nationality and name of vehicles by the number of their VASL counter."""
    found: dict[str, tuple[tuple[str, str], ...]] = {}
    for row in (row for file in VEHICLES for row in _rows(file) if row["piece"] != NOTHING):
        found[row["piece"]] = (*found.get(row["piece"], ()), (row["nation"], row["name"]))
    return found


@cache
def nicknames() -> dict[str, tuple[str, ...]]:
    """Return the counters that a nickname means, by nickname: ``Tiger``."""
    file = msgspec.toml.decode((FOLDER / "nicknames.toml").read_bytes(), type=_Nicknames)
    short = {
        name.replace("PzKpfw ", "Pz"): (name,)
        for _, name, _ in catalogue()
        if name.startswith("PzKpfw ")
    }
    marks: dict[str, tuple[str, ...]] = {}
    for _, name, _ in catalogue():
        if match := re.match("PzKpfw ([IV]+)", name):
            marks[f"Panzer {match[1]}"] = (*marks.get(f"Panzer {match[1]}", ()), name)
    return {**short, **marks, **file.nicknames}


class _Nicknames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    nicknames: dict[str, tuple[str, ...]]


def _rows(file: str) -> Iterator[dict[str, str]]:
    lines = (FOLDER / file).read_text(encoding="utf-8").splitlines()
    head, *rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    for row in rows:
        yield dict(zip(head, row, strict=True))


def _vehicles(file: str) -> Iterator[Counterpart]:
    for row in _rows(file):
        marks = _listed(row["marks"])
        fields: dict[str, Any] = {mark: True for mark in marks if mark not in WORDS}
        fields["role"] = next((mark for mark in marks if mark in ROLES), "")
        if "mortar" in marks:
            fields |= {"main": "mortar", "mm": 76}
        fields["radio"] = "radioless" not in marks
        if row.get("cs", NOTHING) != NOTHING:
            fields["survival"] = int(row["cs"])
        if row["t_number"] != NOTHING:
            fields["t_number"] = int(row["t_number"])
        fields |= {
            "name": f"{row['nation']} {row['name']}", "class": "vehicle", "column": row["column"],
            "mp": int(row["mp"]), "pp": int(row["pp"].replace(NOTHING, "0")),
        }  # fmt: skip
        printed = _printed().get(_ORIGIN.sub("", row["name"]), {})
        fields |= printed
        fields["assumed"] = [field for field in _listed(row["assumed"]) if field not in printed]
        if tons := _weights().get(_weighed(row["name"])):
            fields["tons"] = tons
            fields["assumed"] += ["tons"]
        fields["truck_type"] = fields["column"] == "tr"
        yield Counterpart(row["nation"], row["name"], msgspec.convert(fields, UnitType))


def _weighed(name: str) -> str:
    """Return a counter's name as in ``weights.tsv``, without the words in brackets."""
    return name if name in _weights() else _BRACKETS.sub("", name)


@cache
def _weights() -> dict[str, float]:
    """Return the weights of vehicles, in tons, by counter name."""
    return {row["name"]: float(row["tons"]) for row in _rows("weights.tsv")}


@cache
def _printed() -> dict[str, dict[str, Any]]:
    """Return the fields stated in the rulebook's text, by counter name."""
    found: dict[str, dict[str, Any]] = {}
    for row in _rows("printed.tsv"):
        value = row["value"]
        worth = int(value) if value.isdecimal() else WORTH.get(value, value)
        found.setdefault(row["name"], {})[row["field"]] = worth
    return found


def _troops() -> Iterator[Counterpart]:
    for row in _rows("troops.tsv"):
        leads = row["class"] == "leader"
        for name in row["names"].split():
            fields = {
                "name": f"{row['nation']} {name}", "class": "smc" if leads else row["class"],
                "leads": leads, "morale": _morale(name, leads=leads), "quality": row["quality"],
                "stealth": "normal" if row["quality"] == "line" else "lax", "assumed": ["stealth"],
            }  # fmt: skip
            yield Counterpart(row["nation"], name, msgspec.convert(fields, UnitType))


def _guns() -> Iterator[Counterpart]:
    for row in _rows("guns.tsv"):
        fields = {
            "name": f"{row['nation']} {row['name']}", "class": "gun", "mm": int(row["mm"]),
            "m_number": int(row["m_number"]), "qsu": row["qsu"] != NOTHING,
            "assumed": _listed(row["assumed"]),
        }  # fmt: skip
        yield Counterpart(row["nation"], row["name"], msgspec.convert(fields, UnitType))


def _morale(name: str, *, leads: bool) -> int:
    """Return the morale from a counter's figures: the first for a leader, else the last."""
    figures = re.split("[-+]", name)
    return int(figures[0] if leads else figures[-1])


def _listed(text: str) -> list[str]:
    return [] if text == NOTHING else text.split(",")
