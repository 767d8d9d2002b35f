"""Plans of Convoys at limits: equal questions get equal answers, and a first plan is there at once."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest

from marchtable.budget import Budget, budget_scope
from marchtable.planning.line.search import FIRST, LITTLE, early_control
from marchtable.planning.loop import plan
from marchtable.rules.plan_model import Task
from marchtable.state.goal import Aim, Goal
from marchtable.state.records import replace
from tests.asl.boards import field, place
from tests.asl.convoys_by_hand import by_road, small_convoy
from tests.asl.test_plan_convoy import PlainControl, model, near

ARRAYS = ("masks", "first", "to", "kind", "flags", "costs", "place", "spot", "moving")


def scene() -> Any:
    """Return three vehicles on mixed ground, on a map not asked about yet."""
    return small_convoy(Random(11), 3, 5, 5)


def poorer(position: Any, left: int) -> Any:
    """Return the same with less to spend, so that little of the map is within reach."""
    units = [u for u in position.units if u.line.convoy]
    return position.with_units([replace(u, spent=20 - left, used=20 - left) for u in units])


def test_what_was_asked_before_makes_no_difference() -> None:
    """States and costs have the same numbers, and count the same, whatever else the map was asked."""
    fresh, known = scene(), scene()
    goal = near("A1", units=("t1", "t2", "t3"))
    model(known, msgspec.structs.replace(goal, avoid=("B2", "C3")), 2)
    model(poorer(known, 4), goal, 1)
    model(known, goal, 12)
    for position in (poorer(fresh, 6), fresh):
        again = known if position is fresh else poorer(known, 6)
        found = [model(each, goal, 4) for each in (position, again)]
        fields = [each.graph for each in found]
        for name in ARRAYS:
            assert np.array_equal(*(getattr(each, name) for each in fields)), name
        for i in range(3):
            names = [[each.state(i, n) for n in range(each.span[i])] for each in fields]
            assert names[0] == names[1]
        spent = []
        for each in found:
            control = PlainControl()
            each.best(Task({"distance": -1}, {}, {}), control)
            spent.append(control.time)
        assert spent[0] == spent[1]


@pytest.mark.usefixtures("_no_clock")
def test_the_same_question_has_the_same_answer_at_a_limit() -> None:
    """A limit is reached at the same point when the question is asked a second time."""
    goal = near("A1", units=("t1", "t2", "t3"), threat={"B2": 2, "A2": 1})
    for limit in (0.01, 0.1, 0.2):
        found = [plan(scene(), goal, limit=limit)]
        plan(known := scene(), near("E5"))
        found.append(plan(known, goal, limit=limit))
        result = [
            (each.status, each.bound, [(p.log, p.bound) for p in each.plans]) for each in found
        ]
        assert result[0] == result[1]


@pytest.mark.usefixtures("_no_clock")
def test_a_plan_for_a_must_of_the_rear_stands_at_once() -> None:
    """Where the lead's own aims lead nowhere, any plan that meets the must is listed, with the gap."""
    rear = Goal(aims=(Aim(units=("t3",), at=("A3",), must="all"),))
    found = plan(by_road(3, 6), rear, limit=0.05)
    assert found.status == "FEASIBLE"
    assert found.plans[0].score["value"] == 1
    assert found.plans[0].verdict.status == "LEGAL"
    assert plan(by_road(3, 6), rear).status == "OPTIMAL"


def test_that_there_is_no_plan_may_be_seen_at_once() -> None:
    """Last places alone prove it: it takes little more than counting the states costs."""
    asked = model(by_road(2, 4), Goal(aims=(Aim(units=("t1", "t2"), at=("A1",), must="all"),)))
    assert not any(map(asked.worth.meets, map(asked.course, asked.quick())))
    control = PlainControl()
    assert asked.best(Task({"value": 1}, {}, {}), control).status == "IMPOSSIBLE"
    assert PlainControl().time - control.time < 0.12


def test_costs_that_nobody_in_reach_pays_do_not_count() -> None:
    """Woods met by one question do not change the spending unit of a question that does not meet them."""
    hexes: dict[str, Any] = {f"A{row}": {} for row in range(1, 6)}
    board = field({**hexes, "B1": {"terrain": "Woods"}}, {f"A{n}-A{n + 1}": {"road": "Dirt Road"} for n in range(1, 5)})  # fmt: skip
    units = [u for u in by_road(2, 5).units if u.line.convoy]
    position = place(board, *units)
    grains = [model(position, near("A1"), most).graph.costs.tolist() for most in (1, 9, 1)]
    assert grains[0] == grains[2]


@pytest.mark.parametrize("must", [None, "all"])
def test_at_once_the_lead_goes_on_for_the_rear(must: Any) -> None:
    """At limit 0 the lead goes past a hex in which the last vehicle is wanted, which it then enters."""
    goal = Goal(aims=(Aim(units=("t3",), at=("A4",), must=must),))
    found = plan(by_road(3, 7), goal, limit=0)
    assert found.status == "FEASIBLE"
    assert found.plans[0].score["value"] == 1


@pytest.mark.parametrize("charge", [0.0, 1.0])
def test_a_search_with_little_time_is_preceded_by_cp_sats_first_plans(charge: float) -> None:
    """A little of the limit is for them if the search would spend the most of it before it begins."""
    enough = LITTLE * (FIRST + charge)
    with budget_scope(Budget(enough + 0.1)):
        assert early_control(charge) is None
    with budget_scope(budget := Budget(enough)):
        control = early_control(charge)
        assert control is not None
        assert control.left() == FIRST
        control.spend(2 * FIRST)
    assert (control.left(), budget.used) == (0, 2 * FIRST)
