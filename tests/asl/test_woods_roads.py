"""Roads through woods: how a vehicle leaves one, and the cost."""

from __future__ import annotations

import pytest

from marchtable.reachability.reach import reach
from tests.asl.boards import bars, crossing, field, last, place, step, total, vehicle

ROAD = {"road": "Dirt Road"}
WOODS = {"terrain": "Woods"}
WOODS_ROAD = {"terrain": "Dirt Road", "also": (("Woods", 60),)}


@pytest.mark.clause("B13.41b")
def test_a_woods_road_is_left_by_way_of_its_woods() -> None:
    """It cannot leave a woods-road over another hexside; by road, or from its woods, it can."""
    for column in ("ft", "ht", "tr"):
        off = step(column, "enter u C2", here=WOODS_ROAD, hexside=ROAD)
        assert (off.status, bars(off)) == ("ILLEGAL", {"B13.41b"})
        assert step(column, here=WOODS_ROAD, hexside=ROAD).status == "LEGAL"
        from_woods = step(column, "enter u C2", here=WOODS_ROAD, hexside=ROAD, off_road=True)
        assert from_woods.status == "LEGAL"
        plain = step(column, "enter u C2", here={"terrain": "Dirt Road"}, hexside=ROAD)
        assert plain.status == "LEGAL"
        assert step(column, here=WOODS).status == "LEGAL"
    assert step("inf", "enter u C2", here=WOODS_ROAD, hexside=ROAD).status == "LEGAL"


@pytest.mark.clause("B13.41c")
def test_a_unit_that_leaves_the_road_within_its_hex() -> None:
    """A vehicle on a woods-road can; one in its woods, in brush beside a road, or a squad cannot."""
    line = "leave-road u"
    for column in ("ft", "ht", "tr"):
        aside = step(column, line, here=WOODS_ROAD, hexside=ROAD)
        assert (aside.status, total(aside)) == ("LEGAL", 40)
        unit = aside.after.unit("u")
        assert (unit.at, unit.place.off_road, unit.points.final, unit.move.mph) == (
            "B1",
            True,
            "all",
            "moving",
        )
        assert bars(step(column, line, here=WOODS_ROAD, hexside=ROAD, left=39)) == {"D2.7"}
        again = step(column, line, here=WOODS_ROAD, hexside=ROAD, off_road=True)
        assert bars(again) == {"B13.41c"}
        assert bars(step(column, line, here=WOODS)) == {"B13.41c"}
        brush = {"terrain": "Dirt Road", "also": (("Brush", 60),)}
        assert bars(step(column, line, here=brush, hexside=ROAD)) == {"B13.41c"}
        stopped = step(column, line, here=WOODS_ROAD, hexside=ROAD, moving=False)
        assert bars(stopped) == {"D2.12b"}
    assert bars(step("inf", line, here=WOODS_ROAD, hexside=ROAD)) == {"B13.41c"}


@pytest.mark.clause("B13.41b", "B13.42", "D8.21a")
def test_a_tank_leaves_a_woods_road_for_half_and_goes_on() -> None:
    """For half its MP and a Bog Check with +3 a tank is off the road; then the next hex is open."""
    wreck = vehicle("w", "wreck", "B1", facing=None, moving=False)
    position = place(crossing(WOODS_ROAD, {}, ROAD), vehicle(kind="ft-12"), wreck)
    aside = last(position, "leave-road u half=true")
    assert (total(aside), [due.id for due in aside.obligations]) == (6, ["bog:u"])
    assert aside.obligations[0].outcomes[1].chance == 15
    stuck = last(position, "leave-road u half=true", "settle bog:u bogged").after.unit("u")
    assert (stuck.at, stuck.place.off_road, stuck.motion.bogged) == ("B1", True, True)
    mobile = ("leave-road u half=true", "settle bog:u mobile")
    assert total(last(position, *mobile, "enter u C2")) == 1
    assert total(last(position, *mobile, "enter u C1")) == 0.5
    assert bars(step("tr", "leave-road u half=true", here=WOODS_ROAD, hexside=ROAD)) == {"B13.42"}


@pytest.mark.clause("B13.41b", "D2.4")
def test_motion_on_a_woods_road() -> None:
    """A truck facing out of the road cannot afford the next hex; a tank can, with half its MP left."""
    for kind, left, cited in (("tr-10", 9, set()), ("ft-12", 7, {"D2.4"}), ("ft-12", 6.5, set())):
        spent = round(2 * (int(kind[3:]) - left))
        unit = vehicle(kind=kind, facing="SSE", spent=spent, used=spent, mph="moving")
        board = field({"B1": WOODS_ROAD, "B2": {}, "C1": {}, "C2": {}}, {"B1-C1": ROAD})
        assert bars(last(place(board, unit), "end u")) == cited, (kind, left)


def test_reach_leaves_a_woods_road() -> None:
    """Reach finds the way out of a woods-road through its woods: half the MP, then the hex beyond."""
    position = place(crossing(WOODS_ROAD, {}, ROAD), vehicle(kind="ft-12"))
    found = reach(position, ["u"])[0]
    # by C1, on the road, and a VCA change
    assert {at: place_.spent for at, place_ in found.best().items() if at in ("C1", "C2")} == {
        "C1": 1, "C2": 1 + 2 + 2,
    }  # fmt: skip
    alone = place(
        field({"B1": WOODS_ROAD, "A1": {}, "C2": {}}, {"A1-B1": ROAD}), vehicle(kind="ft-12")
    )
    assert reach(alone, ["u"])[0].best()["C2"].spent == 14
