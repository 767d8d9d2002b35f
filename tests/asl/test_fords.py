"""Fords, and roads that lead into streams and water."""

from __future__ import annotations

from typing import Any

import pytest

from tests.asl.boards import bars, cites, paid, step

FORD: dict[str, Any] = {"terrain": "Ford", "level": -1}
BY_ROAD = {"road": "Dirt Road"}


@pytest.mark.clause("B20-shallow", "B20-dry", "B20.81")
@pytest.mark.parametrize(("depth", "clause", "cost"), [
    ("Deep", "B20-shallow", 3), ("Shallow", "B20-dry", 2),
])  # fmt: skip
def test_a_ford_by_the_maps_depth(depth: str, clause: str, cost: int) -> None:
    """Its stream's depth is the map's, or what the conditions say; by a road it costs as much."""
    ford = {**FORD, "depression": f"{depth} Stream"}
    for hexside in (None, BY_ROAD):
        enough = step(there=ford, hexside=hexside, left=cost)
        assert (paid(enough, clause), enough.is_legal) == (cost, True)
        assert enough.after.unit("u").road is False
        assert bars(step(there=ford, hexside=hexside, left=cost - 0.5)) == {"A4.11b"}
    told = {"told": {"stream": "dry"}}
    assert paid(step(there=ford, scene=told), "B20-dry") == 2
    flooded = step(there={**FORD, "depression": "Flooded Stream"})
    assert cites(flooded) == {"B20.81"}


@pytest.mark.clause("D8.21a")
def test_no_bog_check_out_of_a_ford() -> None:
    """Out of the stream itself one is due."""
    for terrain, due in (("Ford", False), ("Shallow Stream", True)):
        here = {**FORD, "terrain": terrain, "depression": "Shallow Stream"}
        assert bool(step("tr", here=here).obligations) is due


@pytest.mark.clause("B20-deep", "B21", "B21.4")
def test_no_road_leads_into_water() -> None:
    """A road makes neither a deep stream passable to motorcycles nor water to trucks."""
    deep = {"terrain": "Deep Stream", "depression": "Deep Stream", "level": -1}
    assert bars(step("mc", there=deep, hexside=BY_ROAD)) == {"B20-deep"}
    assert paid(step("tr", there=deep, hexside=BY_ROAD), "B20-deep") == 10
    assert bars(step("tr", there={"terrain": "Water"}, hexside=BY_ROAD)) == {"B21", "B21.4"}


@pytest.mark.clause("B21.41")
@pytest.mark.parametrize("column", ["inf", "cav"])
def test_fording_is_hazardous(column: str) -> None:
    """Who fords is under Hazardous Movement; who enters a shallow stream is not."""
    told = {"told": {"fordable": True}}
    forded = step(column, there={"terrain": "Water"}, scene=told)
    assert forded.after.unit("u").hazardous == "fording"
    assert not step(column, there={"terrain": "Shallow Stream"}).after.unit("u").hazardous
