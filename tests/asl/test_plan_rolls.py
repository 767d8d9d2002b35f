"""Plans in which rolls pass, and their side effects."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from marchtable.files.notation import format_action
from marchtable.planning.loop import plan
from marchtable.state.goal import Aim, Goal
from marchtable.state.records import replace
from tests.asl.boards import field, foot, place, vehicle

HEXES: dict[str, Any] = {f"A{row}": {} for row in range(1, 6)}
WOOD = place(
    field({**HEXES, "A2": {"terrain": "Woods"}}),
    *(vehicle(f"t{n}", "ft-28", at=f"A{2 + n}", rank=n, facing="NNE", convoy="c") for n in (1, 2)),
)
GOAL = Goal(aims=(Aim(units=("t1",), at=("A2",)),), movers=("t1",), order=("value",))


@pytest.mark.parametrize(("rolls", "value"), [("pass", 1), ("avoid", 0)])
def test_a_bog_check_is_passed_though_it_leaves_a_trail_break(rolls: Any, value: int) -> None:
    """A tracked vehicle enters woods by the roll, and the plan says so, unless rolls are avoided."""
    alone = WOOD.with_units([replace(u, convoy="", rank=0) for u in WOOD.units])
    found = plan(alone, GOAL, space="alone", rolls=rolls)
    assert (found.status, found.plans[0].score["value"]) == ("OPTIMAL", value)
    log = [format_action(action) for action in found.plans[0].log]
    assert ("settle bog:t1 mobile" in log) == (rolls == "pass")


def test_with_an_act_goes_the_roll_that_it_calls_for() -> None:
    """Plans are tried without needless acts, and without the rolls these required."""
    board = field({"A1": {}, "B1": {}, "B2": {"terrain": "Woods"}})
    track = vehicle("t", "ht-4", at="B2", facing="W", moving=False)
    goal = Goal(aims=(Aim(units=("t",), near=("A1",)),), order=("distance", "points"))
    found = plan(place(board, track), goal, space="alone")
    log = [format_action(action) for action in found.plans[0].log]
    assert log == ["start t", "turn t NNW", "settle bog:t mobile", "enter t B1"]


def test_no_convoy_leaves_a_trail_break() -> None:
    """A follower would find another map: such rolls are not in the space, which says so."""
    found = plan(WOOD, msgspec.structs.replace(GOAL, movers=()), space="convoy")
    assert (found.status, found.plans[0].score["value"]) == ("OPTIMAL", 0)
    assert any("leaves a counter" in said for said in found.space.policy)


def test_a_unit_that_bails_out_does_not_come_along() -> None:
    """A Rider that may fall off may not be where the vehicle ends: a plan is found, but nothing proved."""
    road = field({**HEXES, "A2": {"terrain": "Woods"}})
    rider = foot("q", at="A1", aboard="k", riding=True)
    tank = vehicle("k", "t-26-m33", "A1", facing="SSE", moving=False)
    position = place(road, tank, rider, year=1943)
    goal = Goal(aims=(Aim(units=("k",), at=("A2",), must="all"),))
    found = plan(position, goal, space="alone")
    assert (found.status, found.unsettled) == ("FEASIBLE", "others")
    assert "enter k A2" in format_action(found.plans[0].log[1])
    assert plan(place(road, tank, year=1943), goal, space="alone").status == "OPTIMAL"
