"""Roads, paths, slopes, SMOKE, gullies: changes to the chart's cost."""

from __future__ import annotations

import pytest

from marchtable.state.position import Counter
from tests.asl.boards import COLUMNS, bars, cites, paid, step, total

ROAD = {"road": "Dirt Road"}
WOODS = {"terrain": "Woods"}
HILL = {"level": 1}
GULLY = {"terrain": "Gully", "level": -1, "depression": "Gully"}


def overgrown(terrain: str) -> dict[str, object]:
    """Return a gully with other terrain in it."""
    return {**GULLY, "also": ((terrain, 60), ("Gully", 40))}


@pytest.mark.clause("B3.4a")
def test_a_road_hexside_costs_infantry_1() -> None:
    """A road hexside costs 1 MF instead of the terrain; beside the road the terrain counts."""
    by_road = step(there=WOODS, hexside=ROAD, left=1, road=False)
    assert (paid(by_road, "B3.4a"), total(by_road), by_road.status) == (1, 1, "LEGAL")
    assert bars(step(there=WOODS, hexside=ROAD, left=0.5, road=False)) == {"A4.11b"}
    assert paid(step(there=WOODS), "B3.4a") == 0
    assert total(step(there=WOODS)) == 2


@pytest.mark.clause("B3.4b")
def test_a_road_hexside_costs_vehicles_half_a_point() -> None:
    """A road hexside costs a vehicle ½ MP instead of the terrain, and its last ½ suffices."""
    for column in ("ft", "ht", "tr"):
        by_road = step(column, there=WOODS, hexside=ROAD, left=0.5)
        assert (paid(by_road, "B3.4b"), total(by_road), by_road.status) == (0.5, 0.5, "LEGAL")
        assert bars(step(column, there=WOODS, hexside=ROAD, left=0)) == {"D2.1b"}
        assert total(step(column, there={"terrain": "Dirt Road"})) == (4 if column == "tr" else 1)


@pytest.mark.clause("D2.16")
def test_a_buttoned_up_afv_pays_1_by_road() -> None:
    """A BU AFV pays 1 MP by road; a CE one, or no AFV, ½; off road it makes no difference."""
    tank = step("ft", hexside=ROAD, bu=True, left=1)
    assert (paid(tank, "D2.16"), total(tank), tank.status) == (0.5, 1, "LEGAL")
    assert bars(step("ft", hexside=ROAD, bu=True, left=0.5)) == {"D2.1b"}
    assert total(step("ft", hexside=ROAD)) == 0.5
    assert total(step("tr", hexside=ROAD, bu=True)) == 0.5
    assert total(step("ft", bu=True)) == 1


@pytest.mark.clause("B13.6")
def test_a_path_helps_infantry_only() -> None:
    """A path hexside costs Infantry 1 MF in woods; it is no road for a vehicle or the bonus."""
    by_path = step(there=WOODS, hexside={"path": True}, left=1)
    assert (paid(by_path, "B13.6"), total(by_path), by_path.status) == (1, 1, "LEGAL")
    assert bars(step(there=WOODS, hexside={"path": True}, left=0.5)) == {"A4.11b"}
    assert total(step("tr", there=WOODS, hexside={"path": True})) == 40
    for name, cost in (("Brush", 1), ("Grain", 1.5), ("Crags", 2), ("Stone Building", 2)):
        assert total(step(there={"terrain": name}, hexside={"path": True})) == cost
    rubble = {"counters": (Counter(kind="stone-rubble", at="C1"),)}
    assert total(step(there=WOODS, hexside={"path": True}, scene=rubble)) == 3
    assert step(there=WOODS, hexside={"path": True}).receipts[0].left == 2 * 3


@pytest.mark.clause("A24.7")
def test_smoke_adds_1() -> None:
    """SMOKE in the hex entered adds 1 to any mover's cost; in the hex left it does not."""
    scene = {"smoke": ("C1",)}
    for column, cost in zip(COLUMNS, (2, 2, 2, 5), strict=True):
        enough = step(column, scene=scene, left=cost)
        assert (paid(enough, "A24.7"), total(enough), enough.status) == (1, cost, "LEGAL")
        assert bars(step(column, scene=scene, left=cost - 0.5))
        assert total(step(column, scene={"smoke": ("B1",)})) == cost - 1


@pytest.mark.clause("B10.4a")
def test_uphill_doubles_the_cost_of_terrain_on_foot() -> None:
    """A Crest Line upward doubles the terrain's cost on foot, not a hedge's; down it does not."""
    woods = step(there={**WOODS, **HILL}, left=4)
    assert (paid(woods, "B10.4a"), total(woods), woods.status) == (2, 4, "LEGAL")
    assert bars(step(there={**WOODS, **HILL}, left=3.5)) == {"A4.11b"}
    by_road = step(there={**WOODS, **HILL}, hexside=ROAD)
    assert (paid(by_road, "B10.4a"), total(by_road)) == (1, 2)
    assert total(step(there=HILL, hexside={"terrain": "Hedge"})) == 3
    assert total(step(here=HILL)) == 1
    assert total(step("ft", there=HILL)) == 5


@pytest.mark.clause("B10.4b")
def test_uphill_costs_vehicles_4_more_and_2_by_road() -> None:
    """A Crest Line upward costs a vehicle 4 MP more, by road 2; down it costs nothing more."""
    for column, cost in (("ft", 5), ("ht", 5), ("tr", 8)):
        up = step(column, there=HILL, left=cost)
        assert (paid(up, "B10.4b"), total(up), up.status) == (4, cost, "LEGAL")
        assert bars(step(column, there=HILL, left=cost - 0.5)) == {"D2.1b"}
        by_road = step(column, there=HILL, hexside=ROAD, left=2.5)
        assert (paid(by_road, "B10.4b"), total(by_road), by_road.status) == (2, 2.5, "LEGAL")
        assert total(step(column, here=HILL)) == cost - 4


@pytest.mark.clause("B10.4a", "B10.4b")
def test_a_gully_is_left_by_the_uphill_rule() -> None:
    """Out of a gully the uphill rule applies; into it, and along it, no Crest Line is crossed."""
    assert (paid(step(here=GULLY), "B10.4a"), total(step(here=GULLY))) == (1, 2)
    tank = step("ft", here=GULLY)
    assert (paid(tank, "B10.4b"), total(tank)) == (4, 5)
    for here in ({}, GULLY):
        assert total(step(here=here, there=GULLY)) == 2
        assert total(step("ft", here=here, there=GULLY)) == 3


@pytest.mark.clause("B10.4a", "B10.4b", "D2.7")
def test_uphill_woods_exceed_a_vehicles_whole_allotment() -> None:
    """Uphill into woods costs 4 MF on foot; a vehicle needs more than its allotment: no plain entry."""
    up = {**WOODS, **HILL}
    assert total(step(there=up)) == 4
    assert bars(step("ft", there=up)) == {"D2.7"}
    assert step("ft", "minimum u C1", there=up).status == "LEGAL"


@pytest.mark.clause("B19.4a")
def test_other_terrain_in_a_gully_is_added() -> None:
    """Woods in a gully make it 4 MF on foot; brush replaces Open Ground for vehicles."""
    woods = step(there=overgrown("Woods"), left=4)
    assert (paid(woods, "B19.4a"), total(woods), woods.status) == (2, 4, "LEGAL")
    assert bars(step(there=overgrown("Woods"), left=3.5)) == {"A4.11b"}
    for column, cost in (("ft", 4), ("ht", 5), ("tr", 12)):
        brush = step(column, there=overgrown("Brush"), left=cost)
        assert (total(brush), brush.status) == (cost, "LEGAL")
        assert bars(step(column, there=overgrown("Brush"), left=cost - 0.5)) == {"D2.1b"}
    assert total(step(there={**GULLY, "also": (("Woods", 10),)})) == 2
    assert paid(step(there=overgrown("Woods"), hexside=ROAD), "B19.4a") == 0


@pytest.mark.clause("B13.6b")
def test_a_path_into_a_gully_with_woods() -> None:
    """What it saves there is unknown, even for a unit that could not pay for both; in a bare gully nothing."""
    wooded = overgrown("Woods")
    assert step(there=wooded).is_legal
    assert cites(step(there=wooded, hexside={"path": True})) == {"B13.6b"}
    assert step(there=wooded, hexside={"path": True}, left=3).status == "UNSUPPORTED"
    assert total(step(there=GULLY, hexside={"path": True})) == 2
