"""The Terrain Chart, row by row: exact costs, prohibitions, and unmodelled entries."""

from __future__ import annotations

from typing import Any

import pytest

from tests.asl.boards import COLUMNS, EIGHT, bars, cites, paid, step, total

GULLY = {"terrain": "Gully", "level": -1, "depression": "Gully"}


def row(clause: str, **fields: Any) -> Any:
    """Return a row of the chart as a parameter marked with its clause."""
    return pytest.param(clause, fields, marks=pytest.mark.clause(clause), id=clause)


@pytest.mark.parametrize(("clause", "case"), [
    row("B1", there={"terrain": "Open Ground"}, costs=(1, 1, 1, 4)),
    row("B12", there={"terrain": "Brush"}, costs=(2, 2, 2, 6)),
    row("B14", there={"terrain": "Orchard"}, costs=(1, 1, 1, 4)),
    row("B15", there={"terrain": "Grain"}, costs=(1.5, 1, 1, 5)),
    row("B19", there=GULLY, costs=(2, 3, 4, 10)),
])  # fmt: skip
def test_entry_costs_what_the_chart_says(clause: str, case: dict[str, Any]) -> None:
    """Entry costs the chart's figure in each column: that much is enough, half a point less is not."""
    there, costs = case["there"], case["costs"]

    for column, cost in zip(COLUMNS, costs, strict=True):
        enough = step(column, there=there, left=cost)
        assert paid(enough, clause) == cost, column
        assert total(enough) == cost
        assert enough.status == "LEGAL"
        assert enough.receipts[0].left == 0
        short = step(column, there=there, left=cost - 0.5)
        assert bars(short) == {"A4.11b" if column == "inf" else "D2.1b"}


@pytest.mark.clause("B13")
def test_woods_cost_infantry_two_and_vehicles_everything() -> None:
    """Woods cost 2 MF on foot; a vehicle needs its whole allotment, and half a MP spent is too much."""
    assert paid(step(there={"terrain": "Woods"}, left=2), "B13") == 2
    assert bars(step(there={"terrain": "Woods"}, left=1.5)) == {"A4.11b"}
    for column in ("ft", "ht", "tr"):
        whole = step(column, there={"terrain": "Woods"})
        assert paid(whole, "B13") == total(whole) == 40
        assert whole.status == "LEGAL"
        assert bars(step(column, there={"terrain": "Woods"}, left=39.5)) == {"D2.7"}


@pytest.mark.parametrize(("clause", "case"), [
    row("B23-wood", terrain="Wooden Building"),
    row("B23-stone", terrain="Stone Building, 1 Level"),
])  # fmt: skip
def test_buildings(clause: str, case: dict[str, Any]) -> None:
    """Buildings cost 2 MF on foot and half the allotment fully tracked; other units cannot enter."""
    there = {"terrain": case["terrain"]}

    assert paid(step(there=there, left=2), clause) == 2
    assert bars(step(there=there, left=1.5)) == {"A4.11b"}
    tank = step("ft", there=there, bu=True, left=20)
    assert (paid(tank, clause), tank.status) == (20, "LEGAL")
    assert bars(step("ft", there=there, bu=True, left=19.5)) == {"D2.1b"}
    assert clause in bars(step("ht", there=there, bu=True))
    assert clause in bars(step("tr", there=there))


@pytest.mark.clause("B6")
def test_bridges_are_entered_by_road_only() -> None:
    """A bridge can be entered only across a road hexside."""
    bridge = {"terrain": "Stone Bridge"}

    for column in COLUMNS:
        assert bars(step(column, there=bridge)) == {"B6"}
        by_road = step(column, there=bridge, hexside={"road": "Dirt Road"})
        assert (by_road.status, total(by_road)) == ("LEGAL", 1 if column == "inf" else 0.5)


@pytest.mark.clause("B15")
def test_grain_is_open_ground_out_of_season() -> None:
    """Grain costs 1½ MF from April to September, otherwise as Open Ground."""
    grain = {"terrain": "Grain"}

    for month, cost in ((3, 1), (4, 1.5), (9, 1.5), (10, 1)):
        assert paid(step(there=grain, scene={"month": month}), "B15") == cost
    assert paid(step("tr", there=grain, scene={"month": 10}, left=4), "B15") == 4
    assert paid(step("tr", there=grain, scene={"month": 4}), "B15") == 5
    assert bars(step("tr", there=grain, scene={"month": 4}, left=4)) == {"D2.1b"}


@pytest.mark.parametrize(("clause", "case"), [
    row("B9-wall", terrain="Wall", costs=(1, 1, None, None)),
    row("B9-hedge", terrain="Hedge", costs=(1, 1, 2, None)),
])  # fmt: skip
def test_walls_and_hedges_are_added(clause: str, case: dict[str, Any]) -> None:
    """A wall or hedge adds its cost to the hex's or forbids entry; a road's gap in it is free."""
    hexside = {"terrain": case["terrain"]}

    for column, cost in zip(COLUMNS, case["costs"], strict=True):
        if cost is None:
            assert bars(step(column, hexside=hexside)) == {clause}
        else:
            enough = step(column, hexside=hexside, left=cost + 1)
            assert (paid(enough, clause), total(enough)) == (cost, cost + 1)
            assert enough.status == "LEGAL"
            assert bars(step(column, hexside=hexside, left=cost + 0.5))
        gap = step(column, hexside={**hexside, "road": "Dirt Road"})
        assert (gap.status, paid(gap, clause)) == ("LEGAL", 0)
        assert clause in dict(gap.exceptions)


@pytest.mark.parametrize(("clause", "case"), [
    row("B20-flooded", terrain="Flooded Stream"),
    row("B20.81", terrain="Ford"),
    row("x-terrain", terrain="Lava"),
])  # fmt: skip
def test_terrain_that_is_not_modelled(clause: str, case: dict[str, Any]) -> None:
    """Entering such terrain is UNSUPPORTED; leaving it, or passing by, is not."""
    for column in EIGHT:
        into = step(column, there=case)
        assert (into.status, cites(into)) == ("UNSUPPORTED", {clause})
        assert step(column, here=case).status == "LEGAL"
        assert step(column, there={"also": ((case["terrain"], 90),)}).status == "LEGAL"


@pytest.mark.parametrize(("clause", "case"), [
    row("B32.2", terrain="Railway Embankment"), row("x-hexside", terrain="Barbed Hedge"),
])  # fmt: skip
def test_hexsides_that_are_not_modelled(clause: str, case: dict[str, Any]) -> None:
    """Crossing such a hexside is UNSUPPORTED; the next hexside of the hex is not."""
    for column in EIGHT:
        across = step(column, hexside=case)
        assert (across.status, cites(across)) == ("UNSUPPORTED", {clause})
        assert step(column, "enter u C2", hexside=case).status == "LEGAL"


@pytest.mark.parametrize(
    ("column", "who"),
    [("tr", "trucks"), ("ht", "halftracks")],
)
def test_a_unit_that_cannot_enter_is_named(column: str, who: str) -> None:
    """A chart prohibition names the movers of the column, not its abbreviation."""
    found = step(column, there={"terrain": "Stone Building, 1 Level"})
    reasons = [one.note for one in found.violations]
    assert any(f"closed to {who}" in reason for reason in reasons), reasons
