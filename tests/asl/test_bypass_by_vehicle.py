"""Vehicles in Bypass (D2.3): what they pay, the room they need, and their VCA at a vertex."""

from __future__ import annotations

from typing import Any

import pytest

from tests.asl.boards import (
    bars,
    cites,
    foot,
    judge,
    last,
    place,
    total,
    vehicle,
)  # fmt: skip
from tests.asl.test_bypass import WOODS, drive, patch, walk, woods

# -- in a vehicle ----------------------------------------------------------------------------------


@pytest.mark.clause("D2.3a")
@pytest.mark.parametrize(
    ("kind", "level", "smoke", "cost"),
    [
        ("ft-40", 0, False, 2), ("tr-40", 0, False, 8), ("ft-40", 1, False, 10),
        ("ft-40", 0, True, 4), ("ft-40", 1, True, 12), ("ht-40", 0, False, 2),
    ],
)  # fmt: skip
def test_a_vehicle_pays_double_for_each_hexside(
    kind: str, level: int, smoke: bool, cost: float
) -> None:
    """Twice the cost of the adjacent terrain, with 4 MP uphill and SMOKE: uphill (4 + 1) x 2 = 10."""
    position = place(
        patch({**WOODS, "level": level}), vehicle(kind=kind), smoke=("C1",) if smoke else ()
    )
    ruling = last(position, "bypass u C1")
    assert (total(ruling), ruling.obligations) == (cost, ())
    after = ruling.after.unit("u")
    assert (after.at, after.place.bypass, after.facing, after.place.off_road) == (
        "C1",
        3,
        "E",
        False,
    )


@pytest.mark.clause("D2.3a")
def test_the_last_mp_for_a_hexside() -> None:
    """With 2 MP left a tank can go along a hexside, with 1½ it cannot."""
    for left, legal in ((2, True), (1.5, False)):
        spent = round(2 * (40 - left))
        ruling = drive("bypass u C1", kind="ft-40", spent=spent, used=spent, mph="moving")
        assert ruling.is_legal == legal
        assert legal or bars(ruling) == {"D2.1b"}


@pytest.mark.clause("D2.3b")
def test_a_vehicle_needs_more_room_than_infantry() -> None:
    """A clear width of 6 suffices, 5 does not, beside a hedge 14 and 13; Infantry can pass there."""
    hedge = {"C1-C2": {"terrain": "Hedge"}}
    for width, legal, hexsides in (
        (6, True, {}), (5, False, {}), (14, True, hedge), (13, False, hedge),
    ):  # fmt: skip
        board = patch({**WOODS, "clear": (0, 0, 0, width, 0, 0)}, hexsides=hexsides)
        ruling = drive("bypass u C1", board=board)
        assert ruling.is_legal == legal
        assert legal or bars(ruling) == {"D2.3b"}
        assert walk("bypass u C1 vertex=SSE", board=board).is_legal


@pytest.mark.clause("D2.3c")
def test_one_vehicle_on_a_hexside() -> None:
    """A vehicle or wreck in Bypass of the hexside, in either hex, blocks it; elsewhere it does not."""
    there: dict[str, Any] = {"side": "russian", "kind": "tr-40"}
    for at, edge, free in (
        ("C1", 3, False), ("C1", 2, True), ("C2", 0, False), ("C2", 1, True), ("D1", 0, True),
    ):  # fmt: skip
        other = vehicle("e", at=at, bypass=edge, **there)
        ruling = drive("bypass u C1", others=(other,))
        assert ruling.is_legal == free
        assert free or bars(ruling) == {"D2.3c"}
    wreck = foot("w", "wreck", at="C1", bypass=3)
    assert bars(drive("bypass u C1", others=(wreck,))) == {"D2.3c"}
    squad = foot("v", at="C1", bypass=3)
    assert drive("bypass u C1", others=(squad,)).is_legal


@pytest.mark.clause("D2.31")
def test_a_vehicle_goes_where_its_vca_points() -> None:
    """Facing E it can go between C1 and C2, in either hex; facing NNE it cannot use that hexside."""
    board = patch(C2=WOODS)
    assert drive("bypass u C1", board=board).after.unit("u").place.bypass == 3
    assert drive("bypass u C2", board=board).after.unit("u").place.bypass == 0
    assert drive("bypass u C1", board=board, facing="NNE").after.unit("u").place.bypass == 5
    assert bars(drive("bypass u C1", board=board, facing="SSE")) == {"D2.11c", "D2.31"}
    assert bars(drive("bypass u C1 vertex=SSE", board=board)) == {"D2.31"}
    straight = drive("bypass u C1", "bypass u D1", board=patch(D1=WOODS))
    assert bars(straight) == {"D2.31"}


@pytest.mark.clause("D2.11c")
def test_what_lies_ahead_of_a_vehicle_in_bypass() -> None:
    """Straight on from C1's south side D1 lies ahead; after a turn, also C2, or C1 itself."""
    for lines, hexes in (
        ((), {"D1"}), (("turn u SSE",), {"D1", "C2"}), (("turn u NNE",), {"D1"}),
    ):  # fmt: skip
        ways = {
            name for name in ("B0", "B1", "C0", "C2", "D0", "D1")
            if drive("bypass u C1", *lines, f"enter u {name}").is_legal
        }  # fmt: skip
        assert ways == hexes


@pytest.mark.clause("D2.33a", "D2.11a")
def test_two_vca_options_at_the_vertex() -> None:
    """One hexspine to either side for 1 MP, once; after another hexside it can turn again."""
    for spine in ("SSE", "NNE"):
        turned = drive("bypass u C1", f"turn u {spine}")
        assert (turned.is_legal, total(turned)) == (True, 1)
    assert bars(drive("bypass u C1", "turn u NNE", "turn u E")) == {"D2.33a"}
    assert bars(drive("bypass u C1", "turn u NNE", "turn u NNW")) == {"D2.33a"}
    back = ("start u reverse=true", "bypass u C1", "turn u SSW")
    assert drive(*back, facing="W", moving=False).is_legal
    assert bars(drive(*back, "turn u W", facing="W", moving=False)) == {"D2.33a"}
    on = drive("bypass u C1", "turn u NNE", "along u", kind="ft-20")
    assert (total(on), on.after.unit("u").place.bypass) == (2, 2)
    assert drive(
        "bypass u C1", "turn u NNE", "along u", "turn u NNW", "along u", kind="ft-20"
    ).is_legal


@pytest.mark.clause("D2.31")
def test_along_which_hexsides_it_goes_on() -> None:
    """Turned to its obstacle it goes round it or along the hexside beyond; turned away, in between."""
    board = patch(C2=WOODS, D1=WOODS)
    for turn, line, at, edge in (
        ("NNE", "along u", "C1", 2), ("NNE", "bypass u D1", "D1", 5), ("SSE", "bypass u D1", "D1", 4),
        ("SSE", "bypass u C2", "C2", 1),
    ):  # fmt: skip
        after = drive("bypass u C1", f"turn u {turn}", line, board=board, kind="ft-20").after
        assert (after.unit("u").at, after.unit("u").place.bypass) == (at, edge)
    assert bars(drive("bypass u C1", "turn u SSE", "along u", board=board)) == {"D2.31", "D2.11c"}
    assert "D2.31" in bars(drive("bypass u C1", "along u", board=board))
    assert bars(
        drive("bypass u C1", "turn u NNE", "along u", board=patch(woods(3)), kind="ft-20")
    ) == {"D2.3b"}  # fmt: skip


@pytest.mark.clause("D2.33b", "D2.33c")
def test_a_vca_change_is_not_the_end_of_a_move() -> None:
    """Turned at the vertex it can neither stop nor end its MPh; along the hexside it can stop."""
    assert drive("bypass u C1", "stop u").is_legal
    assert bars(drive("bypass u C1", "turn u NNE", "stop u")) == {"D2.33c"}
    spent: dict[str, Any] = {"spent": 74, "used": 74, "mph": "moving"}
    assert drive("bypass u C1", "turn u NNE", "along u", kind="ft-42", **spent).is_legal
    assert bars(drive("bypass u C1", "turn u NNE", "end u", kind="ft-40", **spent)) == {"D2.33b"}
    assert drive("bypass u C1", "end u", kind="ft-39", **spent).is_legal


def test_a_vehicle_may_stop_in_bypass_and_go_on_in_a_later_turn() -> None:
    """It stops, keeps its hexside, and in its next MPh starts and drives out of it."""
    lines = (
        "bypass u C1", "stop u", "end u", "phase DFPh", "phase RPh side=russian", "phase RPh side=german",
        "phase PFPh", "phase MPh", "start u", "enter u D1",
    )  # fmt: skip
    out = drive(*lines, kind="ft-20")
    assert (out.is_legal, out.after.unit("u").at, out.after.unit("u").place.bypass) == (
        True,
        "D1",
        None,
    )


@pytest.mark.clause("D2.33d")
def test_no_tank_goes_into_the_woods_it_bypasses() -> None:
    """Whichever way it is turned, it must leave the hex and enter again; Infantry can go in."""
    for log in (("bypass u C1",), ("bypass u C1", "turn u NNE")):
        assert bars(drive(*log, "into u half=true", kind="ft-20")) == {"D2.33d"}
    again = drive("bypass u C1", "enter u D1", "turn u SSE", kind="ft-20")
    assert again.is_legal
    assert walk("bypass u C1 vertex=SSE", "into u", kind="leader").is_legal


@pytest.mark.clause("D2.33a")
def test_on_in_bypass_backwards() -> None:
    """It can turn at the rear vertex and go back along the next hexside: 1 + 8 + 1 + 8 + 1 MP in all."""
    log = ("start u reverse=true", "bypass u C1")
    tank: dict[str, Any] = {"kind": "ft-20", "facing": "W", "moving": False}
    turns = ("turn u SSW", "turn u NNW")
    legal = [
        turn
        for turn in turns
        if judge(place(patch(), vehicle(**tank)), *log, turn, "along u", "stop u").status == "LEGAL"
    ]
    assert len(legal) == 1
    whole = judge(place(patch(), vehicle(**tank)), *log, *legal, "along u", "stop u")
    assert [receipt.amount / 2 for receipt in whole.receipts] == [1, 8, 1, 8, 1]
    assert bars(drive(*log, *legal, *legal, **tank)) >= {"D2.33a"}
    assert bars(drive(*log, *legal, "stop u", **tank)) == {"D2.33c"}
    assert bars(drive(*log, *legal, "end u", **tank)) >= {"D2.33b"}


@pytest.mark.clause("D2.4")
def test_motion_before_woods_that_a_turn_would_pass() -> None:
    """With 3 MP left it could turn and go round the woods, so it cannot stay in Motion; with 2 it can."""
    for left, legal in ((2, True), (3, False)):
        tank = vehicle(kind="ft-12", spent=24 - 2 * left, used=24 - 2 * left, mph="moving")
        board = patch(woods(5), C2=woods(4))
        assert judge(place(board, tank), "end u").rulings[-1].is_legal is legal


@pytest.mark.clause("D2.4")
@pytest.mark.parametrize(
    ("beyond", "least"),
    [(WOODS, 3), (woods(4), 3), (woods(5), 3), (woods(0, 1, 2, 3), 6)],
)
def test_motion_in_bypass_before_woods_that_a_turn_would_pass(
    beyond: dict[str, Any], least: int
) -> None:
    """From its vertex it could turn and bypass the woods beyond for 3 MP, if either hexside has clearance."""
    board = patch(D1=beyond)
    for left in (least, least - 0.5):
        spent = round(24 - 2 * left)
        tank = vehicle(
            kind="ft-12", at="C1", bypass=3, facing="E", spent=spent, used=spent, mph="moving"
        )
        ruling = last(place(board, tank), "end u")
        assert (ruling.is_legal, cites(ruling)) == (left < least, set())
        assert ruling.is_legal or bars(ruling) == {"D2.4"}
    more = vehicle(kind="ft-12", at="C1", bypass=3, facing="E", spent=18, used=18, mph="moving")
    turns = [last(place(board, more), turn, "bypass u D1") for turn in ("turn u NNE", "turn u SSE")]
    assert any(one.is_legal for one in turns) is (least == 3)


@pytest.mark.clause("D2.18")
def test_a_vehicle_spends_more_in_bypass() -> None:
    """It can spend more MP as it enters the hex, but not along the next hexside; Infantry never can."""
    found = drive("bypass u C1 extra=2", kind="ft-20")
    assert (found.is_legal, total(found)) == (True, 4)
    assert bars(drive("bypass u C1 extra=19", kind="ft-20")) == {"D2.1b"}
    assert bars(walk("bypass u C1 vertex=SSE extra=1")) == {"D2.18"}
