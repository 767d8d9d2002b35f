"""Reverse movement."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.reachability.reach import reach
from marchtable_models.asl.model import UnitType
from marchtable_models.asl.views.entry import Mover
from marchtable_models.asl.views.vehicle_facts import StartStop
from tests.asl.boards import (
    ASL,
    bars,
    crossing,
    field,
    foot,
    last,
    paid,
    place,
    step,
    total,
    vehicle,
)  # fmt: skip
from tests.solver.test_reach import check_reach

BACK: dict[str, Any] = {"facing": "W", "reverse": True}  # C1 and C2 lie behind it
ROAD = {"road": "Dirt Road"}
WOODS = {"terrain": "Woods"}


@pytest.mark.clause("D2.2a")
def test_starting_in_reverse() -> None:
    """A stopped vehicle starts in Reverse for the same MP; a motorcycle has no Reverse."""
    start = step("tr", "start u reverse=true", moving=False)
    after = start.after.unit("u")
    assert (total(start), start.status, after.motion.moving, after.motion.reverse) == (
        1,
        "LEGAL",
        True,
        True,
    )
    assert not step("tr", "start u", moving=False).after.unit("u").motion.reverse
    edition = ASL.edition(place(crossing(), vehicle()))
    for column, barred in (("mc", ["D2.2a"]), ("ac", [])):
        facts = StartStop(
            verb="start", is_vehicle=True, moving=False, final="", enemy_afv=False,
            mover=Mover(column, mp=40), reverse=True,
        )  # fmt: skip
        assert [bar.clause for bar in edition.judge(facts).bars] == barred


@pytest.mark.clause("D2.2a")
def test_changing_direction_takes_a_stop_and_a_start() -> None:
    """Forward to Reverse costs a Stop and a Start; a moving vehicle cannot start; a Stop ends Reverse."""
    moving = place(crossing(), vehicle())
    assert bars(last(moving, "start u reverse=true")) == {"D2.12a"}
    turned = last(moving, "stop u", "start u reverse=true", "enter u A1")
    assert turned.is_legal
    stopped = last(place(crossing(), vehicle(**BACK)), "stop u").after.unit("u")
    assert (stopped.motion.moving, stopped.motion.reverse) == (False, False)


@pytest.mark.clause("D2.2b", "D2.11c")
def test_in_reverse_only_the_two_hexes_behind() -> None:
    """Facing SSW or W it can back into the hex to its NE; facing any other way it cannot."""
    for facing in ("SSW", "W"):
        assert step("tr", facing=facing, reverse=True).status == "LEGAL"
    for facing in ("NNW", "NNE", "E", "SSE"):
        assert bars(step("tr", facing=facing, reverse=True)) == {"D2.2b"}
    assert bars(step("tr", facing="W")) == {"D2.11c"}


@pytest.mark.clause("D2.2c")
def test_reverse_multiplies_the_cost_of_entry() -> None:
    """Open Ground: tracked 4 x 1, a truck 3 x 4; half a MP less is too little."""
    for column, cost in (("ft", 4), ("ht", 4), ("tr", 12)):
        back = step(column, left=cost, **BACK)
        assert (total(back), back.status) == (cost, "LEGAL")
        assert bars(step(column, left=cost - 0.5, **BACK)) == {"D2.1b"}
        assert paid(back, "D2.2c") == cost - (4 if column == "tr" else 1)


@pytest.mark.clause("D2.2c")
def test_reverse_multiplies_all_of_it() -> None:
    """Uphill 4 x (1 + 4) = 20 MP; walls, wrecks, the road rate too, and half the allotment."""
    assert total(step("ft", there={"level": 1}, **BACK)) == 20
    assert total(step("ft", hexside={"terrain": "Wall"}, **BACK)) == 8
    assert total(step("ft", others=(foot("w", "wreck", at="C1"),), **BACK)) == 8
    assert total(step("tr", hexside=ROAD, **BACK)) == 1.5
    assert bars(step("ft", "enter u C1 half=true", there=WOODS, **BACK)) == {"D2.1b"}
    smoke = {"smoke": ("C1",)}
    assert step("tr", "minimum u C1", there=WOODS, scene=smoke, **BACK).status == "LEGAL"


@pytest.mark.clause("D2.2c")
def test_the_whole_allotment_is_not_multiplied() -> None:
    """In Reverse too, woods take all, once, with a Bog Check; Start and Stop are excluded."""
    for column in ("tr", "ht", "ft"):
        still = place(crossing(there=WOODS), vehicle(kind=f"{column}-40", moving=False, facing="W"))
        back = last(still, "start u reverse=true", "enter u C1")
        assert (back.status, paid(back, "D2.2c")) == ("LEGAL", 0)
        assert back.obligations[0].id == "bog:u"
        stopped = last(still, "start u reverse=true", "enter u C1", "settle bog:u mobile", "stop u")
        assert stopped.is_legal
        behind = place(crossing(there=WOODS), vehicle(kind=f"{column}-40", **BACK))
        (found,) = reach(behind, ["u"])
        assert "C1" in found.best()
    smoke = {"smoke": ("C1",)}
    assert bars(step("tr", there=WOODS, scene=smoke, **BACK)) == {"D2.7"}
    assert bars(step("tr", there=WOODS, left=39, **BACK)) == {"D2.7"}


def plain_and_multiplied() -> list[dict[str, Any]]:
    """Return the fields of a position by either reading of D2.2c."""
    return [{"readings": (("D2.2c", choice),)} for choice in ("plain", "multiplied")]


@pytest.mark.clause("D2.15", "D2.2c")
@pytest.mark.parametrize("there", ["Woods", "Light Woods", "Pine Woods"])
@pytest.mark.parametrize("column", ["tr", "ht", "ft", "ac"])
def test_backing_for_the_whole_allotment(column: str, there: str) -> None:
    """By one reading it is an entry, by the other only a Minimum Move, which both readings allow."""
    into = {"there": {"terrain": there}, **BACK}
    for given, barred in zip(plain_and_multiplied(), (set(), {"D2.7"}), strict=True):
        entered = step(column, scene=given, **into)
        assert bars(entered) == barred
        assert entered.readings == given["readings"]
        least = step(column, "minimum u C1", scene=given, **into)
        after = least.after.unit("u")
        assert (least.status, total(least), least.receipts[0].left) == ("LEGAL", 40, 0)
        assert (after.motion.moving, after.motion.reverse, after.points.final) == (
            True,
            True,
            "minimum",
        )
        ahead = step(column, "minimum u C1", there={"terrain": there}, scene=given)
        assert bars(ahead) == {"D2.15"}  # forward an entry is possible


@pytest.mark.clause("D2.15")
def test_backing_for_more_than_the_whole_allotment() -> None:
    """Across a hedge, uphill or through SMOKE only a Minimum Move can; after a VCA change none."""
    more: list[dict[str, Any]] = [
        {"hexside": {"terrain": "Hedge"}, "there": WOODS},
        {"there": {**WOODS, "level": 1}},
        {"others": (foot("w", "wreck", at="C1"),), "there": WOODS},
    ]
    for given in plain_and_multiplied():
        for fields in more:
            assert bars(step("ft", scene=given, **fields, **BACK)) == {"D2.7"}
            assert step("ft", "minimum u C1", scene=given, **fields, **BACK).is_legal
        board, tank = crossing(there=WOODS), vehicle(kind="ft-40", **{**BACK, "facing": "NNW"})
        turned = last(place(board, tank, **given), "turn u W", "minimum u C1")
        assert bars(turned) == {"D2.15"}
        again = last(place(board, tank, **given), "turn u W", "enter u C1")
        assert bars(again) == {"D2.7"}


@pytest.mark.parametrize("moving", [True, False])
def test_reach_backs_into_woods_by_either_reading(moving: bool) -> None:
    """Reach finds the Minimum Move where nothing else leads there, and ends in Motion then."""
    for given in plain_and_multiplied():
        tank = vehicle(kind="ft-2", **{**BACK, "moving": moving, "reverse": moving})
        position = place(crossing(there=WOODS), tank, **given)
        check_reach(position, "u")


@pytest.mark.clause("D2.2c")
def test_a_rev_number_stands_instead() -> None:
    """A vehicle with REVx2 pays double, in any column that has a Reverse at all."""
    types = (UnitType(name="odd", class_="vehicle", column="ft", mp=9, rev=2),)
    position = place(crossing(), vehicle(kind="odd", **BACK), types=types)
    assert total(last(position, "enter u C1")) == 2


@pytest.mark.clause("D2.2d")
def test_a_vca_change_in_reverse_is_a_reading() -> None:
    """It costs the usual MP, or 4 times that for tracked vehicles."""
    for choice, cost in (("plain", 1), ("multiplied", 4)):
        readings = {"readings": (("D2.2d", choice),)}
        turn = step("ft", "turn u SSW", scene=readings, **BACK)
        assert (total(turn), turn.readings) == (cost, (("D2.2d", choice),))
        assert total(step("ft", "turn u SSE", scene=readings)) == 1


@pytest.mark.clause("D2.4", "D2.2b")
def test_reverse_motion_looks_behind() -> None:
    """In Reverse it can end if it cannot afford the hexes behind; those ahead do not matter."""
    assert step("ft", "end u", left=3.5, **BACK).status == "LEGAL"
    assert bars(step("ft", "end u", left=4, **BACK)) == {"D2.4"}
    after = step("ft", "end u", left=3.5, **BACK).after.unit("u")
    assert (after.motion.moving, after.motion.reverse, after.move.mph) == (True, True, "done")


@pytest.mark.clause("D8.21c")
def test_bogged_in_reverse_it_stands() -> None:
    """A vehicle that bogs backing into difficult terrain is stopped, not in Reverse."""
    position = place(crossing(hexside={"terrain": "Hedge"}), vehicle(kind="ht-40", **BACK))
    bogged = last(position, "enter u C1", "settle bog-hexside:u bogged").after.unit("u")
    assert (bogged.motion.bogged, bogged.motion.moving, bogged.motion.reverse, bogged.at) == (
        True,
        False,
        False,
        "B1",
    )
    ahead = place(crossing(hexside={"terrain": "Hedge"}), vehicle(kind="ht-40"))
    effects = last(ahead, "enter u C1", "settle bog-hexside:u bogged").effects
    assert "reverse" not in {effect.field for effect in effects}


@pytest.mark.clause("D2.2a")
def test_reach_goes_backwards_too() -> None:
    """In woods, where turning is expensive, a tank gets out backwards for a Start and 4 MP, no less."""
    board = field({"B1": WOODS, "C1": {}})
    for mp, places in ((5, {"B1", "C1"}), (4, {"B1"})):
        tank = vehicle(kind=f"ft-{mp}", moving=False, facing="W")
        found = reach(place(board, tank), ["u"])[0]
        assert set(found.best()) == places
        assert found.is_exact


@pytest.mark.clause("D2.2c")
def test_what_has_no_reverse_has_no_factor() -> None:
    """A motorcycle put in Reverse is rejected, and charged the plain cost."""
    rejected = step("mc", "enter u A1", reverse=True)
    assert (paid(rejected, "D2.2c"), total(rejected)) == (0, 3)


@pytest.mark.clause("D2.2a")
@pytest.mark.parametrize(("reading", "barred"), [("no", {"D2.2a"}), ("plain", set())])
def test_wagons_in_reverse(reading: str, barred: set[str]) -> None:
    """By default a wagon has no Reverse; by the other reading it goes back at the forward cost."""
    wagon = place(crossing(), vehicle(kind="hd-12", facing="W", moving=False),
                  readings=(("D2.2a", reading),))  # fmt: skip
    found = last(wagon, "start u reverse=true")
    assert bars(found) == barred
    if not barred:
        assert total(last(wagon, "start u reverse=true", "enter u C1")) == 1
