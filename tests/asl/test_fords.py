"""Fords, and roads that lead into streams and water."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable import reach
from marchtable_models.asl.model import SupportWeapon
from tests.asl.boards import bars, cites, crossing, foot, paid, place, step

FORD: dict[str, Any] = {"terrain": "Ford", "level": -1}
BY_ROAD = {"road": "Dirt Road"}


@pytest.mark.clause("B20-shallow", "B20-dry", "B20.81")
@pytest.mark.parametrize(("depth", "clause", "cost"), [
    ("Deep", "B20-shallow", 3), ("Shallow", "B20-dry", 2),
])  # fmt: skip
def test_a_ford_by_the_maps_depth(depth: str, clause: str, cost: int) -> None:
    """Its stream's depth is the map's, or as conditions state; by a road it costs the same."""
    ford = {**FORD, "depression": f"{depth} Stream"}
    for hexside in (None, BY_ROAD):
        enough = step(there=ford, hexside=hexside, left=cost)
        assert (paid(enough, clause), enough.is_legal) == (cost, True)
        assert enough.after.unit("u").move.road is False
        assert bars(step(there=ford, hexside=hexside, left=cost - 0.5)) == {"A4.11b"}
    found = {"stated": {"stream": "dry"}}
    assert paid(step(there=ford, scene=found), "B20-dry") == 2
    flooded = step(there={**FORD, "depression": "Flooded Stream"})
    assert cites(flooded) == {"B20.81"}


@pytest.mark.clause("D8.21a")
def test_no_bog_check_out_of_a_ford() -> None:
    """From the stream itself a check is due."""
    for terrain, due in (("Ford", False), ("Shallow Stream", True)):
        here = {**FORD, "terrain": terrain, "depression": "Shallow Stream"}
        assert bool(step("tr", here=here).obligations) is due


@pytest.mark.clause("B20-deep", "B21", "B21.4")
def test_no_road_leads_into_water() -> None:
    """A road lets neither motorcycles through a deep stream nor trucks through water."""
    deep = {"terrain": "Deep Stream", "depression": "Deep Stream", "level": -1}
    assert bars(step("mc", there=deep, hexside=BY_ROAD)) == {"B20-deep"}
    assert paid(step("tr", there=deep, hexside=BY_ROAD), "B20-deep") == 10
    assert bars(step("tr", there={"terrain": "Water"}, hexside=BY_ROAD)) == {"B21", "B21.4"}


@pytest.mark.clause("B21.41")
@pytest.mark.parametrize("column", ["inf", "cav"])
def test_fording_is_hazardous(column: str) -> None:
    """Fording is Hazardous Movement; entering a shallow stream is not."""
    found = {"stated": {"fordable": True}}
    forded = step(column, there={"terrain": "Water"}, scene=found)
    assert forded.after.unit("u").move.hazardous == "fording"
    assert not step(column, there={"terrain": "Shallow Stream"}).after.unit("u").move.hazardous


@pytest.mark.clause("B21.41b")
def test_what_is_forded_with_is_dm() -> None:
    """A MMG, HMG or mortar of any caliber that is not dm keeps its carrier out of a river."""
    found = {"stated": {"fordable": True}}
    river: Any = {"there": {"terrain": "River"}, "scene": found}
    for name, mm in (("MMG", 0), ("HMG", 0), ("MTR", 0), ("50mm", 50), ("81mm", 81)):
        for column in ("inf", "cav"):
            kinds = {dm: SupportWeapon(name=name, pp=1, mm=mm, dm=dm) for dm in (False, True)}
            assert "B21.41b" in bars(step(column, sw=(kinds[False],), **river))
            assert "B21.41b" not in bars(step(column, sw=(kinds[True],), **river))
        assert step(sw=(kinds[False],), there={"terrain": "Shallow Stream"}).is_legal
    assert step(sw=(SupportWeapon(name="LMG", pp=1),), **river).is_legal


@pytest.mark.clause("B21.41b")
def test_reach_tells_what_is_forded_with() -> None:
    """Units whose SW differ only in name, asked in turn, reach what the rules allow."""
    board = crossing(there={"terrain": "River"})
    for name, there in (("LMG", True), ("MMG", False), ("Radio", True), ("MTR", False)):
        squad = foot(sw=(SupportWeapon(name=name, pp=1),))
        found = reach(place(board, squad, stated={"fordable": True}), ["u"])[0].best()
        assert ("C1" in found) is there


@pytest.mark.clause("B21.41c")
def test_no_canal_is_forded() -> None:
    """A canal that conditions allow to be forded is UNSUPPORTED, a river LEGAL."""
    found = {"stated": {"fordable": True}}
    for left in (None, 1):
        canal = step(there={"terrain": "Canal"}, scene=found, left=left)
        assert (canal.status, bars(canal)) == ("UNSUPPORTED", set())
    assert step(there={"terrain": "River"}, scene=found).is_legal
    assert bars(step(there={"terrain": "Canal"})) == {"B21.4"}
