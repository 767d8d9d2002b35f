"""Declining a road: by a road hexside at the cost of the hex's other terrain (B3.4, A4.132)."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.files.notation import format_action
from marchtable.planning.loop import plan
from marchtable.reachability.reach import reach
from marchtable.rules.generator import legal_actions
from marchtable.state.goal import Aim, Goal
from marchtable_models.asl.rules.under_fire import FFMO
from tests.asl.boards import ASL, bars, crossing, foot, judge, last, place, step, total, vehicle

ROAD = {"road": "Dirt Road"}
WOODS: dict[str, Any] = {"terrain": "Woods"}
OFF = "enter u C1 off_road=true"
WRECK = vehicle("w", "wreck", "C1", facing=None, moving=False)


@pytest.mark.clause("B3.4e")
def test_a_unit_that_declines_a_road_pays_for_the_terrain() -> None:
    """A squad pays 2 MF for woods, a truck 4 MP in the open; without a road hexside none can."""
    assert (total(step(line=OFF, there=WOODS, hexside=ROAD)), total(step(hexside=ROAD))) == (2, 1)
    assert total(step("tr", OFF, hexside=ROAD)) == 4
    assert bars(step(line=OFF, there=WOODS)) == {"B3.4e"}
    assert bars(step(line=OFF, hexside={"path": True})) == {"B3.4e"}
    building: Any = {"there": {"terrain": "Stone Building"}, "hexside": ROAD}
    assert bars(step("tr", OFF, **building)) == {"B23-stone"}
    assert step("tr", **building).is_legal
    assert step(line=OFF, there=WOODS, hexside=ROAD, left=2).is_legal
    assert bars(step(line=OFF, there=WOODS, hexside=ROAD, left=1.5)) == {"A4.11b"}


@pytest.mark.clause("B3.4e", "D2.14")
def test_past_a_wreck_it_is_cheaper() -> None:
    """A tank pays ½ + 2 MP by road past a wreck, 1 + 1 off it; reach and plans take the cheaper way."""
    there: Any = {"hexside": ROAD, "others": (WRECK,)}
    assert total(step("ft", **there)) == 2.5
    assert total(step("ft", OFF, **there)) == 2
    position = place(crossing(hexside=ROAD), vehicle("u", "ft-12"), WRECK)
    assert reach(position, ["u"])[0].best()["C1"].spent == 4
    (best,) = plan(position, Goal(aims=(Aim(units=("u",), at=("C1",)),))).plans
    assert [format_action(action) for action in best.log][:1] == [OFF]
    named = {format_action(choice.action) for choice in legal_actions(position, "u")}
    assert OFF in named
    alone = place(crossing(hexside=ROAD), vehicle("u", "ft-12"))
    assert OFF not in {format_action(choice.action) for choice in legal_actions(alone, "u")}


@pytest.mark.clause("B3.4e", "B13.41a", "D8.21a")
def test_a_tank_in_woods_beside_the_road() -> None:
    """It pays half its MP and makes a Bog Check; it stands in the woods and can leave in any direction."""
    half = f"{OFF} half=true"
    found = step("ft", half, there=WOODS, hexside=ROAD, kind="t-26-m33")
    assert (total(found), [o.id for o in found.obligations]) == (6, ["bog:u"])
    assert found.after.unit("u").place.off_road
    assert not step("ft", there=WOODS, hexside=ROAD).after.unit("u").place.off_road


@pytest.mark.clause("B3.4e", "B3.4d")
def test_the_road_bonus_is_lost() -> None:
    """A squad that has declined a road has no fifth MF; one that kept to it does."""
    board = crossing(there=WOODS, hexside=ROAD)
    assert last(place(board, foot()), OFF).receipts[0].left == 2 * 2
    assert last(place(board, foot()), "enter u C1").receipts[0].left == 2 * 4


@pytest.mark.clause("A4.132")
def test_cover_beside_the_road() -> None:
    """A unit that entered woods by road is moving in the open under fire; one that declined it is not."""
    board = crossing(there=WOODS, hexside=ROAD)

    def open_(line: str) -> bool:
        after = last(place(board, foot()), line).after
        return any(
            found["what"] == FFMO and found["allowed"]
            for found in ASL.entitlements(after, after.unit("u"))
        )

    assert (open_("enter u C1"), open_(OFF)) == (True, False)
    declined = last(place(board, foot()), OFF).after
    assert last(declined, "enter u B1").after.unit("u").place.off_road is False


@pytest.mark.clause("B3.4e")
def test_in_an_impulse() -> None:
    """A Convoy's tank can decline the road too; its Convoy then pays for the open ground."""
    found: dict[str, Any] = {"kind": "ft-20", "convoy": "c"}
    line = (vehicle("t1", **found), vehicle("t2", at="A1", rank=1, facing="E", **found))
    position = place(crossing(hexside=ROAD), *line)
    assert judge(position, "impulse t1 off-road:C1,stay").receipts[0].amount == 2 * 2
    assert judge(position, "impulse t1 enter:C1,stay").receipts[0].amount == 2 * 2
    assert bars(judge(position, "impulse t1 off-road:C2,stay").rulings[0]) >= {"B3.4e"}
