"""Repairs that would make a delivery possible, in the game's terms."""

from __future__ import annotations

from typing import Any

from marchtable.planning.why import why
from marchtable.rules.referee import check
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.goal import Aim, Goal
from tests.panzer.scenes import judge, place, rifles, truck, unit
from tests.panzer.test_delivery import want
from tests.panzer.test_transport import LANE


def stated(position: Any, goal: Goal, most: int = 4) -> dict[str, float]:
    """Return the repairs of an impossible goal with their costs."""
    found = why(position, goal, most=most)
    assert found.status == "IMPOSSIBLE"
    return {repair.change: repair.cost for repair in found.repairs}


def test_more_movement_factor_for_the_transport() -> None:
    """The truck of 12 unloads after 6; the hex at 6.5 takes 14, of which half is 7."""
    position = place(truck(at="A1"), rifles(at="A1", aboard="t"), board=LANE)
    assert stated(position, want("r", at="A14", must=1))["2 more MF for t"] == 2


def test_points_in_whole_numbers() -> None:
    """A movement factor is whole, has at most two figures, and is not created where there was none."""
    position = place(truck(at="A1"), unit("g", "german-gun", "A1"), board=LANE)
    book, driven = find_rulebook("panzer"), position.unit("t")
    more = book.with_points(position, driven, 4)
    assert more is not None
    assert book.allotment(more, more.unit("t")) == book.allotment(position, driven) + 4
    assert book.with_points(position, driven, 3) is None
    assert book.with_points(position, driven, 2 * 88) is None
    assert book.with_points(position, driven, -26) is None
    assert book.with_points(position, position.unit("g"), 2) is None


def test_loaded_before() -> None:
    """What cannot be loaded and carried in one phase could be if already aboard."""
    position = place(truck(at="A1"), rifles(at="A1"), board=LANE)
    assert "have r aboard t already" in stated(position, want("r", at="A9", must=1))
    laden = place(truck(at="A1"), rifles("s", "A1", aboard="t"), rifles(at="A1"), board=LANE)
    assert "have r aboard t already" not in stated(laden, want("r", at="A9", must=1))


def test_a_dispersed_transport() -> None:
    """A dispersed transport cannot unload: it would have to recover first."""
    position = place(truck(at="A1", dispersed="D"), rifles(at="A1", aboard="t"), board=LANE)
    assert "recover t first" in stated(position, want("r", at="A5", must=1))


def test_who_stands_in_the_way_of_stacking() -> None:
    """One of two units too many: either could be elsewhere."""
    there = (unit("g", "german-gun", "A3"), unit("h", "german-gun", "A3"))
    position = place(truck(at="A1"), rifles(at="A1", aboard="t"), *there, board=LANE)
    goal = Goal(aims=(Aim(units=("r",), at=("A3",), must=1),), movers=("t", "r"))
    found = stated(position, goal)
    assert {"have g stand elsewhere than in A3", "have h stand elsewhere than in A3"} <= set(found)


def test_every_repair_holds() -> None:
    """A repair's plan is legal once the change is made."""
    position = place(truck(at="A1"), rifles(at="A1"), board=LANE)
    goal = want("r", at="A9", must=1)
    changes = {one.words: one for one in find_rulebook("panzer").repairs(position, goal)}
    for repair in why(position, goal).repairs:
        if repair.change in changes:
            assert check(changes[repair.change].position, repair.log).status == "LEGAL"


def test_slack_in_movement_factors() -> None:
    """Of 12 MF the truck that drives 4 along a road could spare 10."""
    position = place(truck(at="A1"), board=LANE)

    log = judge(position, *(f"move t A{n}" for n in range(2, 6)))
    found = why(position, tuple(ruling.action for ruling in log.rulings))
    assert [(s.unit, s.what, s.amount) for s in found.slack if s.what == "MF"] == [("t", "MF", 10)]
