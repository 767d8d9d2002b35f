"""Units that a scene puts in impossible places are rejected on reading (A2.9)."""

from __future__ import annotations

from typing import Any

import pytest

import marchtable

SQUAD: dict[str, Any] = {"type": "4-6-7"}
TRUCK: dict[str, Any] = {"type": "opel-blitz", "facing": "E"}
TANK: dict[str, Any] = {"type": "t-26-m33", "facing": "E"}
GUN: dict[str, Any] = {"type": "gun-75-rcl"}
CAVALRY: dict[str, Any] = {"type": "cavalry"}
SWIMMER: dict[str, Any] = {"type": "duck", "facing": "E", "moving": True}
DUCK = {"name": "duck", "class": "vehicle", "column": "tr", "mp": 20, "amphibious": True, "water_mp": 5}  # fmt: skip
HOUSE, TOWER = "Wooden Building, 1 Level", "Wooden Building, 2 Level"


def rejection(terrain: str, *units: dict[str, Any], board: Any = None, **fields: Any) -> str:
    """Return why a scene with units in B1, of that terrain, is rejected, or an empty string."""
    grid = {
        "format": "marchtable/grid/1", "name": "field", "rows": "   A B C\n 1 . . .\n 2 . . .\n",
        "hexes": {"B1": {"terrain": terrain}}, **(board or {}),
    }  # fmt: skip
    placed = [{"id": f"u{n}", "side": "german", "at": "B1", **one} for n, one in enumerate(units)]
    scene = {
        "format": "marchtable/scene/2", "rulebook": "asl", "side": "german", "phase": "MPh",
        "board": grid, "units": placed, **fields,
    }  # fmt: skip
    found = marchtable.answer({"verb": "check", "scene": scene, "log": []})
    return str(found["error"]["message"]) if found["status"] == "ERROR" else ""


@pytest.mark.parametrize(
    ("terrain", "unit", "clause"),
    [
        ("Water", SQUAD, "B21.4"), ("Water", TRUCK, "B21"), ("Water", TANK, "B21"), ("Water", GUN, "B21.4"),
        ("Marsh", TRUCK, "B16"), ("Crags", TANK, "B17"), (HOUSE, TRUCK, "B23-wood"), (HOUSE, CAVALRY, "B23-wood"),
    ],
)  # fmt: skip
def test_terrain_that_they_never_enter(terrain: str, unit: dict[str, Any], clause: str) -> None:
    """The message names the unit, the hex, its terrain and the clause."""
    given = rejection(terrain, unit)
    assert given.startswith(
        f"u0: {unit['type'].replace('4-6-7', 'german 4-6-7')} cannot be in B1, "
    )
    assert f"({clause})" in given


@pytest.mark.parametrize(
    ("terrain", "unit"),
    [
        ("Marsh", SQUAD), ("Crags", SQUAD), (HOUSE, SQUAD), (HOUSE, TANK), ("Woods", TRUCK), ("Water", SWIMMER),
        ("Woods", {"type": "wreck"}), ("Water", {"type": "wreck"}), ("Deep Stream", SQUAD),
    ],
)  # fmt: skip
def test_terrain_that_they_enter(terrain: str, unit: dict[str, Any]) -> None:
    """Whatever it costs; swimmers can be in water, and wrecks anywhere."""
    assert not rejection(terrain, unit, conditions={"types": [DUCK]})


def test_water_that_is_forded_and_roads() -> None:
    """If conditions allow fording, Infantry can be in water; by its road a truck can be in a house."""
    assert not rejection("Water", SQUAD, conditions={"fordable": True})
    assert rejection("Water", TRUCK, conditions={"fordable": True})
    assert not rejection(HOUSE, TRUCK, board={"road": ["A1 B1 C1"]})
    assert not rejection("Wooden Building", {**TRUCK, "at": "A1"})
    assert rejection("Water", TRUCK, {**SQUAD, "aboard": "u0"}).startswith("u0: opel-blitz")


@pytest.mark.parametrize(
    ("terrain", "unit", "clause"),
    [
        ("Open Ground", {**SQUAD, "inside": "upstairs", "floor": 1}, "B23.2"),
        ("Wooden Building", {**SQUAD, "inside": "upstairs", "floor": 1}, "B23.2"),
        (HOUSE, {**SQUAD, "inside": "upstairs", "floor": 2}, "B23.2"),
        (HOUSE, {**CAVALRY, "inside": "upstairs", "floor": 1}, "B23.4"),
        ("Open Ground", {**SQUAD, "inside": "crest"}, "B20.9"),
        (HOUSE, {**TANK, "inside": "upstairs"}, "only Personnel"),
        (HOUSE, {**GUN, "inside": "upstairs", "floor": 1}, "only Personnel"),
        ("Open Ground", {**SQUAD, "inside": "beneath"}, "B1 has no counter"),
    ],
)  # fmt: skip
def test_levels_that_are_not_there(terrain: str, unit: dict[str, Any], clause: str) -> None:
    """Upstairs without a building or above its top, at a Crest without a Depression, beneath nothing."""
    assert clause in rejection(terrain, unit)


def test_levels_that_are_there() -> None:
    """Up to the top level, or the rooftop if any; beneath a foxhole."""
    above = {"inside": "upstairs", "floor": 2}
    assert not rejection(TOWER, {**SQUAD, **above})
    assert not rejection(HOUSE, {**SQUAD, **above}, conditions={"rooftops": True})
    dug_in = [{"kind": "foxhole", "at": "B1"}]
    assert not rejection("Open Ground", {**SQUAD, "inside": "beneath"}, counters=dug_in)
