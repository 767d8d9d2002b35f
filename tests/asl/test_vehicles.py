"""Vehicle movement: VCA, Start and Stop, vehicles in the way, ways of paying MP."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable_models.asl.model import UnitType
from tests.asl.boards import (
    ASL,
    allotment,
    bars,
    crossing,
    field,
    foot,
    judge,
    last,
    paid,
    place,
    step,
    total,
    vehicle,
)  # fmt: skip

ROAD = {"road": "Dirt Road"}
WOODS = {"terrain": "Woods"}
WOODS_ROAD = {"terrain": "Dirt Road", "also": (("Woods", 60),)}
BUILDING = {"terrain": "Wooden Building"}
ANY = {"readings": (("D2.12c", "any"),)}


@pytest.mark.clause("D2.11a")
def test_a_vca_change_costs_1_and_2_in_woods_or_a_building() -> None:
    """A hexspine costs 1 MP, 2 in woods or a building; half a MP less is too little."""
    for column in ("ft", "ht", "tr"):
        for here, cost in (({}, 1), (WOODS, 2), (BUILDING, 2), ({"terrain": "Brush"}, 1)):
            turn = step(column, "turn u SSE", here=here, left=cost)
            assert (paid(turn, "D2.11a"), total(turn), turn.status) == (cost, cost, "LEGAL")
            assert bars(step(column, "turn u SSE", here=here, left=cost - 0.5)) == {"D2.1b"}


@pytest.mark.clause("D2.11a")
@pytest.mark.parametrize(("facing", "to", "one", "two"), [
    ("E", "NNE", 1, 2),  # swings over hexside 1, which the road crosses
    ("NNE", "E", 1, 2),
    ("E", "SSE", 2, 2),  # swings over hexside 2
    ("SSW", "W", 2, 2),  # hexside 4
    ("SSE", "SSW", 2, 2),  # hexside 3
])  # fmt: skip
def test_a_vca_change_on_a_woods_road(facing: str, to: str, one: int, two: int) -> None:
    """On a woods-road 2 MP across other hexsides; across the road's own it is a reading."""
    for choice, cost in (("one", one), ("two", two)):
        turn = step(
            "tr", f"turn u {to}", here=WOODS_ROAD, hexside=ROAD, facing=facing,
            scene={"readings": (("D2.11a", choice),)},
        )  # fmt: skip
        assert (paid(turn, "D2.11a"), turn.obligations) == (cost, ())
    off_road = step(
        "ft", f"turn u {to}", here=WOODS_ROAD, hexside=ROAD, facing=facing, off_road=True
    )
    assert paid(off_road, "D2.11a") == 2


@pytest.mark.clause("D2.11b")
def test_vca_changes_one_hexspine_at_a_time() -> None:
    """One hexspine either way is legal; two, three, none, or a squad's, are not."""
    assert step("tr", "turn u NNE").status == step("tr", "turn u SSE").status == "LEGAL"
    for facing in ("NNW", "W", "SSW", "E"):
        assert bars(step("tr", f"turn u {facing}")) == {"D2.11b"}
    assert bars(step("inf", "turn u E", scene=ANY)) == {"D2.11b"}


@pytest.mark.clause("D2.11c")
def test_a_vehicle_enters_only_within_its_vca() -> None:
    """Facing NNE or E a vehicle can enter the hex to its NE; facing any other way it cannot."""
    for facing in ("NNE", "E"):
        assert step("tr", facing=facing).status == "LEGAL"
    for facing in ("SSE", "SSW", "W", "NNW"):
        assert bars(step("tr", facing=facing)) == {"D2.11c"}
        assert "D2.11c" in bars(step("tr", "minimum u C1", facing=facing))
    assert step("inf").status == "LEGAL"


@pytest.mark.clause("D2.12a")
def test_starting_costs_1() -> None:
    """Start costs 1 MP, half a MP is too little; only a stopped vehicle can start."""
    start = step("tr", "start u", moving=False, left=1)
    assert (paid(start, "D2.12a"), total(start), start.status) == (1, 1, "LEGAL")
    assert bars(step("tr", "start u", moving=False, left=0.5)) == {"D2.1b"}
    assert bars(step("tr", "start u", moving=True)) == {"D2.12a"}
    assert bars(step("inf", "start u")) == {"D2.12a"}


@pytest.mark.clause("D2.12b")
def test_a_stopped_vehicle_enters_nothing() -> None:
    """A stopped vehicle must start before it enters a hex; in Motion it need not."""
    assert bars(step("tr", moving=False)) == {"D2.12b"}
    assert bars(step("tr", "minimum u C1", kind="tr-3", moving=False)) == {"D2.12b"}
    assert step("tr", moving=True).status == "LEGAL"
    stopped = place(crossing(), vehicle(moving=False))
    assert last(stopped, "start u", "enter u C1").is_legal
    assert bars(last(stopped, "start u", "stop u", "enter u C1")) == {"D2.12b"}


@pytest.mark.clause("D2.12c")
def test_whether_a_stopped_vehicle_may_change_its_vca() -> None:
    """It must start first, except under one reading."""
    turn = step("tr", "turn u SSE", moving=False)
    assert bars(turn) == {"D2.12c"}
    assert turn.readings == (("D2.12c", "started"),)
    free = step("tr", "turn u SSE", moving=False, scene=ANY)
    assert (free.status, total(free), free.after.unit("u").motion.moving) == ("LEGAL", 1, False)
    assert step("tr", "turn u SSE", moving=True).status == "LEGAL"


@pytest.mark.clause("D2.13")
def test_stopping_costs_1() -> None:
    """Stop costs 1 MP, half a MP is too little; only a moving vehicle can stop."""
    stop = step("tr", "stop u", left=1)
    assert (paid(stop, "D2.13"), total(stop), stop.status) == (1, 1, "LEGAL")
    assert not stop.after.unit("u").motion.moving
    assert bars(step("tr", "stop u", left=0.5)) == {"D2.1b"}
    assert bars(step("tr", "stop u", moving=False)) == {"D2.13"}
    assert bars(step("inf", "stop u")) == {"D2.13"}


@pytest.mark.clause("D2.14")
def test_vehicles_and_wrecks_in_the_way() -> None:
    """Each vehicle or wreck, of either side, costs a vehicle 1 MP more; it costs a squad nothing."""
    wreck = foot("w", "wreck", at="C1")
    enemy = vehicle("e", at="C1", side="russian")
    one, two = step("tr", others=(wreck,), left=5), step("tr", others=(wreck, enemy), left=6)
    assert (paid(one, "D2.14"), total(one), one.status) == (1, 5, "LEGAL")
    assert (paid(two, "D2.14"), total(two), two.status) == (2, 6, "LEGAL")
    assert bars(step("tr", others=(wreck,), left=4.5)) == {"D2.1b"}
    assert total(step("inf", others=(wreck,))) == 1
    assert total(step("tr", others=(foot("w", "wreck", at="B1"),))) == 4


@pytest.mark.clause("D2.14")
def test_vehicles_in_the_way_count_double_by_road_and_again_in_woods() -> None:
    """A wreck costs 2 MP by road, 4 in a woods-road or on a bridge, 2 in woods entered off road."""
    wreck = (foot("w", "wreck", at="C1"),)
    for there, cost in (({}, 2), (WOODS_ROAD, 4), ({"terrain": "Stone Bridge"}, 4)):
        by_road = step("ft", there=there, hexside=ROAD, others=wreck, left=cost + 0.5)
        assert (paid(by_road, "D2.14"), by_road.status) == (cost, "LEGAL")
        assert bars(step("ft", there=there, hexside=ROAD, others=wreck, left=cost)) == {"D2.1b"}
    assert paid(step("ft", "enter u C1 half=true", there=WOODS, others=wreck), "D2.14") == 2


@pytest.mark.clause("B13.42")
def test_the_second_way_into_woods() -> None:
    """Fully tracked, woods can cost half the allotment; not for other columns, by road, or elsewhere."""
    line = "enter u C1 half=true"
    half = step("ft", line, there=WOODS, left=20)
    assert (total(half), half.status) == (20, "LEGAL")
    assert bars(step("ft", line, there=WOODS, left=19.5)) == {"D2.1b"}
    assert "B13.42" in bars(step("ht", line, there=WOODS))
    assert "B13.42" in bars(step("inf", line, there=WOODS))
    assert "B13.42" in bars(step("ft", line, there=WOODS, hexside=ROAD))
    assert "B13.42" in bars(step("ft", line, there=BUILDING, bu=True))
    assert "B13.42" in bars(step("ft", line))


@pytest.mark.clause("B23.41")
def test_only_a_closed_topped_buttoned_up_afv_enters_a_building() -> None:
    """A BU fully tracked AFV can enter; not a CE or open-topped one, and no tractor."""
    types = tuple(
        UnitType(name=name, class_="vehicle", column="ft", mp=20, afv=afv, open_topped=topless)
        for name, afv, topless in (
            ("tank", True, False),
            ("gun-carriage", True, True),
            ("tractor", False, False),
        )
    )

    def enter(kind: str, *, bu: bool) -> set[str]:
        unit = vehicle(kind=kind, bu=bu)
        return bars(last(place(crossing(there=BUILDING), unit, types=types), "enter u C1"))

    assert enter("tank", bu=True) == set()
    assert enter("tank", bu=False) == {"B23.41"}
    assert enter("gun-carriage", bu=True) == {"B23.41"}
    assert enter("tractor", bu=True) == {"B23.41"}


@pytest.mark.clause("B13.41a")
def test_where_a_vehicle_is_off_the_road() -> None:
    """In woods or a building not entered by road it is off the road; by road, or elsewhere, not."""

    def off_road(column: str = "ft", **fields: Any) -> bool:
        return bool(step(column, **fields).after.unit("u").place.off_road)

    assert off_road(there=WOODS) is off_road(there=WOODS_ROAD) is True
    assert off_road(there=BUILDING, bu=True) is off_road("tr", there=WOODS, off_road=True) is True
    assert off_road(there=WOODS_ROAD, hexside=ROAD) is off_road(here=WOODS, off_road=True) is False
    assert (
        off_road() is off_road(there={"terrain": "Brush"}) is off_road("inf", there=WOODS) is False
    )


@pytest.mark.clause("B3.4b")
def test_a_road_is_regained_for_nothing() -> None:
    """From the woods beside it a vehicle regains the road for free and pays the road rate."""
    back = step("ft", here=WOODS_ROAD, hexside=ROAD, off_road=True, left=0.5)

    assert (total(back), back.status, back.obligations) == (0.5, "LEGAL", ())
    assert not back.after.unit("u").place.off_road


@pytest.mark.clause("D2.1a")
def test_the_allotment_is_what_is_printed() -> None:
    """A truck of 10 MP has 10 MP, whatever is in its way and whoever drives it."""
    position = place(crossing(), vehicle(kind="tr-10"))
    assert allotment(position) == 10
    assert ASL.points(position, position.unit("u")) == "MP"
    assert last(position, "enter u C1").receipts[0].left == 2 * 6


@pytest.mark.clause("D2.1b")
def test_a_vehicle_spends_no_more_than_it_has() -> None:
    """8 MP pay for two hexes of Open Ground by truck, 7½ do not; the second entry is illegal."""
    board = field({"A1": {}, "B1": {}, "C2": {}})
    for mp, broken in ((9, set()), (8, {"D2.1b"})):
        position = place(board, vehicle(at="A1", kind=f"tr-{mp}", facing="E"))
        log = judge(position, "enter u B1", "turn u SSE", "turn u E", "enter u C2")
        assert bars(log.rulings[0]) == bars(log.rulings[1]) == set()
        assert bars(log.rulings[-1]) == {"D2.1b"}
        short = judge(position, "enter u B1", "enter u C2", "stop u").violations
        assert {v.clause for v in short} == broken
        assert [(v.need, v.have) for v in short] == ([] if mp == 9 else [(2, 0)])


@pytest.mark.clause("D2.7")
def test_an_entry_for_everything_leaves_room_for_start_and_stop_only() -> None:
    """Start, woods for the whole allotment, Stop: 10 MP in all; a VCA change before is too much."""
    position = place(crossing(there=WOODS), vehicle(kind="tr-10", moving=False))
    into = last(position, "start u", "enter u C1")
    assert (total(into), into.receipts[0].left, into.status) == (9, 0, "LEGAL")
    stop = last(position, "start u", "enter u C1", "settle bog:u mobile", "stop u")
    assert (stop.status, total(stop)) == ("LEGAL", 0)
    assert dict(stop.exceptions).keys() == {"D2.13"}
    turned = last(position, "start u", "turn u NNE", "enter u C1")
    assert bars(turned) == {"D2.7"}
    assert bars(step("tr", there=WOODS, scene={"smoke": ("C1",)})) == {"D2.7"}


@pytest.mark.clause("D2.15")
def test_minimum_move_of_a_vehicle() -> None:
    """One hex above the printed MP can be entered for all of them, if nothing else is spent."""

    def ruling(mp: int, *lines: str, moving: bool = True) -> set[str]:
        position = place(crossing(), vehicle(kind=f"tr-{mp}", moving=moving))
        return bars(last(position, *lines))

    assert ruling(3, "minimum u C1") == set()
    assert ruling(3, "start u", "minimum u C1", moving=False) == set()
    assert ruling(4, "minimum u C1") == {"D2.15"}
    assert ruling(3, "turn u NNE", "minimum u C1") == {"D2.15"}
    move = step("tr", "minimum u C1", kind="tr-3")
    assert (total(move), move.receipts[0].left) == (3, 0)
    assert move.after.unit("u").motion.moving
    assert paid(step("tr", "minimum u C1", kind="tr-3"), "D2.15") == -1


@pytest.mark.clause("D5.3")
def test_a_ce_afv_does_not_leave_a_building() -> None:
    """Only along its road, or from beside it in Bypass; buttoned up, or out of woods, it can."""
    inside = {"terrain": "Stone Building"}
    assert bars(step("ft", here=inside)) == bars(step("ft", here=inside, off_road=True)) == {"D5.3"}
    assert step("ft", here=inside, bu=True).is_legal
    assert step("ft", here=inside, hexside={"road": "Dirt Road"}).is_legal
    assert step("ft", here={"terrain": "Woods"}).is_legal
    assert step("tr", here=inside).is_legal
    assert step("ft", here=inside, bypass=1).is_legal
