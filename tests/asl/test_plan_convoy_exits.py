"""Plans of Convoys that leave the map or cross a line, checked against brute force."""

from __future__ import annotations

import os
from typing import Any

import msgspec
import numpy as np
import pytest

from marchtable.planning.line.first_plans import followed, lead_ways
from marchtable.planning.loop import plan
from marchtable.planning.reasons import ANY
from marchtable.rules.clause import without
from marchtable.rules.plan_model import Task
from marchtable.rules.referee import check
from marchtable.state.goal import Aim, Goal
from marchtable.state.records import replace
from marchtable_models.asl.unittype import UnitType
from tests.asl.boards import foot, last, place, vehicle
from tests.asl.convoy_cases import Case, proved
from tests.asl.convoy_exit_cases import compared, drawn
from tests.asl.convoys_by_hand import all_plans, by_road
from tests.asl.test_plan_convoy import PlainControl, lines_of, model, near, reasons
from tests.slowly import slow_after

MANY = int(os.environ.get("MARCHTABLE_CASES", "100"))
LINE = ("t1", "t2", "t3")


def off(*names: str, units: tuple[str, ...] = LINE, **fields: Any) -> Goal:
    """Return the goal that units leave the map by Locations."""
    return Goal(aims=(Aim(units=units, exit=names, **fields),))


# -- leaving the map ---------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.clause("A2.6f", "E11.255b")
def test_one_after_the_other_off_the_map() -> None:
    """Each exits as the next closes up; the last, being no Convoy, goes by itself without extra cost."""
    found = plan(by_road(3, 4), off("A1"))
    assert found.status == "OPTIMAL"
    assert lines_of(found) == [
        "impulse t1 enter:A1,enter:A2,enter:A3",
        "impulse t1 exit,enter:A1,enter:A2",
        "impulse t2 exit,enter:A1",
        "exit t3",
    ]
    spent = [2 + 5, 2 + 5 + 5, 2 + 5 + 5 + 4]
    assert found.plans[0].score["points"] == 2 * sum(spent)
    assert "exit" in found.space.verbs


@pytest.mark.slow
@pytest.mark.clause("E11.2h")
def test_a_unit_that_has_gone_pays_no_more() -> None:
    """A poor lead that leaves the map no longer limits the others' spending."""
    position = by_road(2, 3)
    poor = msgspec.structs.replace(position.unit("t1"), type=vehicle(kind="tr-9").type)
    kinds = (*position.conditions.types, *by_road(1, 2, last="tr-9").conditions.types)
    conditions = msgspec.structs.replace(position.conditions, types=kinds)
    position = msgspec.structs.replace(position.with_units([poor]), conditions=conditions)
    found = plan(position, off("A1", units=("t1", "t2")))
    assert found.plans[0].score["value"] == 2
    spent = {unit.id: unit.points.spent for unit in found.plans[0].verdict.position.units}
    assert spent == {"t1": 14, "t2": 22}


@pytest.mark.slow
def test_only_as_many_as_can() -> None:
    """If the MP do not suffice for all, as many leave as can, and the rest ends its MPh."""
    found = plan(by_road(3, 6, last="tr-14"), off("A1"))
    assert (found.status, found.plans[0].score["value"]) == ("OPTIMAL", 1)
    assert lines_of(found)[-1] == "end t2"
    assert plan(by_road(3, 6, last="tr-14"), off("A1", must="all")).status == "IMPOSSIBLE"


@pytest.mark.slow
def test_only_where_the_goal_says() -> None:
    """No vehicle leaves by other Locations, or without such an aim, as the space says."""
    found = plan(by_road(2, 4), off("B4", units=("t1", "t2"), must=1))
    assert found.status == "OPTIMAL"
    assert any("enter:B4" in line for line in lines_of(found))
    stays = plan(by_road(2, 3), near("A1"))
    assert "No vehicle leaves the map." in stays.space.policy
    assert "exit" not in stays.space.verbs


@pytest.mark.slow
def test_a_unit_that_is_ahead_leaves_first() -> None:
    """The second can leave only after the first, even if that gains nothing."""
    goal = off("A1", units=("t2",), must="all")
    found = plan(by_road(2, 3), goal)
    assert found.plans[0].score["value"] == 1
    assert [unit.offboard.exited for unit in found.plans[0].verdict.position.units] == [True, True]


@pytest.mark.parametrize("carried", [True, False])
def test_a_gun_goes_out_with_its_truck(*, carried: bool) -> None:
    """A Gun in tow counts if the goal includes carried units, and leaves the map in any case."""
    position = by_road(2, 4)
    truck = replace(position.unit("t1"), towing="g")
    gun = foot("g", "gun-75", at="A3", towed_by="t1", limbered=True)
    result = (UnitType(name="gun-75", class_="gun", mm=75, m_number=10),)
    kinds = (*position.conditions.types, *result)
    with_gun = place(position.board, truck, position.unit("t2"), gun, types=kinds)
    found = plan(with_gun, off("A1", units=("t1", "g"), carried=carried))
    assert (found.status, found.plans[0].score["value"]) == ("OPTIMAL", 1 + carried)
    assert found.plans[0].verdict.position.unit("g").offboard.exited


@pytest.mark.slow
def test_several_plans_that_differ() -> None:
    """Plans that differ in exits, or in points spent, are listed one after another."""
    found = plan(by_road(2, 3), off("A1", units=("t1", "t2")), best=4)
    ends = [
        tuple((u.at, u.points.spent) for u in each.verdict.position.units) for each in found.plans
    ]
    assert len(set(ends)) == 4
    values = [each.score["value"] for each in found.plans]
    assert values == sorted(values, reverse=True)


def test_a_rejected_plan_is_not_proposed_again() -> None:
    """Nor under another name: a vehicle that has left is in the same state, whichever it counts with."""
    found = model(by_road(2, 3), off("A1", units=("t1", "t2")))
    seen = set()
    for _ in range(4):
        proposal = found.best(Task({"value": 1, "points": -1}, {}, {}), PlainControl())
        assert proposal.log is not None
        assert proposal.log not in seen
        seen.add(proposal.log)
        found.reject(proposal.log, check(found.position, proposal.log))


@pytest.mark.clause("A2.6f", "E11.251a")
def test_no_gap_as_vehicles_leave_together() -> None:
    """Two that exit in one Impulse by hexes that do not lead to the same or adjacent ones separate."""
    position = by_road(2, 3)
    apart = [
        msgspec.structs.replace(position.unit("t1"), at="B1", facing="NNE"),
        msgspec.structs.replace(position.unit("t2"), at="A1", facing="SSW"),
    ]
    assert not last(position.with_units(apart), "impulse t1 exit,exit").is_legal
    beside = [apart[0], msgspec.structs.replace(apart[1], facing="NNE")]
    assert last(position.with_units(beside), "impulse t1 exit,exit").is_legal


# -- why not -----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_poorest_keeps_them_on_the_map() -> None:
    """Of the vehicles that cannot pay, only those that matter are listed."""
    found = reasons(by_road(3, 6, last="tr-14"), units=("t2",), exit=("A1",))
    assert found == [("E11.2h", ("t3",), (("have", 14),))]


def test_units_in_the_way() -> None:
    """If the lead is to stay on the map, no other can leave before it; without that order one would."""
    position = by_road(2, 4)
    goal = Goal(
        aims=(
            Aim(units=("t1",), at=("A1", "A2", "A3", "B1", "B2"), must="all"),
            Aim(units=("t2",), exit=("A1", "B1"), must="all"),
        )
    )
    assert model(position, goal).best(ANY, PlainControl()).status == "IMPOSSIBLE"
    found = model(position, goal).conflict(PlainControl()) or ()
    assert [(reason.clause, reason.is_needed) for reason in found] == [("A2.6f", True)]


@pytest.mark.parametrize("seed", [104, 118, 119])
def test_the_order_of_leaving_is_stated_once(seed: int) -> None:
    """Without A2.6f the one behind can leave first, and plans are then the best of all."""
    case = drawn(seed)
    with without("A2.6f"):
        plans = all_plans(case.position, case.goal, case.impulses)
        best = min(plans, key=lambda score: (-score[0], *score[1:]), default=None)
        assert proved(Case(*case), model(case.position, case.goal, case.impulses)) == best


# -- a line ------------------------------------------------------------------------------------------


def test_as_many_as_possible_across_a_line() -> None:
    """A line is the columns beyond it; those worth more come first, as far as they can."""
    position = by_road(3, 6)
    goal = Goal(aims=(Aim(units=LINE, at=("B..B",), each={"t1": 3}),))
    found = plan(position, goal)
    assert found.status == "OPTIMAL"
    assert found.plans[0].score["value"] == 3 + 1 + 1
    poor = plan(by_road(3, 6, last="tr-4"), goal)
    assert (poor.status, poor.plans[0].score["value"]) == ("OPTIMAL", 0)
    rows = Goal(aims=(Aim(units=LINE, at=("A1", "A2", "B1", "B2"), each={"t1": 3}),))
    poor = plan(by_road(3, 6, last="tr-5"), rows)
    assert (poor.status, poor.plans[0].score["value"]) == ("OPTIMAL", 3)


def test_near_counts_by_vehicle() -> None:
    """Each vehicle's distance is weighted by its value."""
    goal = Goal(aims=(Aim(units=("t1", "t2"), near=("A3",), each={"t1": 0, "t2": 7}),))
    found = plan(by_road(2, 5), goal)
    assert found.plans[0].score["distance"] == 0
    assert found.plans[0].verdict.position.unit("t2").at == "A3"


# -- against brute force -------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", slow_after(2, range(MANY)))
def test_the_optimum_is_that_of_brute_force(seed: int) -> None:
    """On small maps no plan of the space is better, to leave the map, cross a line or come near."""
    assert not compared(drawn(50_000 + seed))


def test_brute_force_tells_ways_apart() -> None:
    """Two ways to one position are two plans: a Convoy that leaves through less threat is better."""
    case = drawn(50_213)
    plans = all_plans(case.position, case.goal, case.impulses)
    same = {score[2] for score in plans if score[:2] == (1, 3) and score[3:] == (28, 2)}
    assert min(same) == 3 < max(same)
    assert not compared(case)


def test_at_once_it_leaves_the_map() -> None:
    """At limit 0 the lead leaves, and the others follow it off."""
    position = by_road(3, 4)
    found = plan(position, off("A1"), limit=0)
    assert lines_of(found) == [
        "impulse t1 enter:A1,enter:A2,enter:A3",
        "impulse t1 exit,enter:A1,enter:A2",
        "impulse t2 exit,enter:A1",
        "exit t3",
    ]


def test_at_once_the_rear_leaves_though_the_lead_is_wanted_near() -> None:
    """A way off the map is followed, too, where nearer ways of the lead are worth more."""
    tail = Aim(units=LINE[2:], exit=("A1",), must="all")
    goal = Goal(aims=(tail, Aim(units=LINE[:1], near=("A1",), worth=9)))
    found = plan(by_road(3, 4), goal, limit=0)
    assert found.status == "FEASIBLE"
    assert lines_of(found)[-1] == "exit t3"


def test_no_first_plan_goes_on_after_the_last_has_left() -> None:
    """No round follows the one in which the last vehicle leaves the map, whatever the referee says of it."""
    graph = model(by_road(3, 4), off("A1"), 12).graph
    (way,) = lead_ways(
        graph, np.tile(np.arange(len(graph.places)) >= graph.places.count, (3, 1)), 1
    )
    gone = [[all(map(graph.is_gone, range(3), states)) for states in course.states]
            for course in followed(graph, way)]  # fmt: skip
    assert any(each[-1] for each in gone)
    assert not any(any(each[:-1]) for each in gone)


@pytest.mark.parametrize("seed", [2, 4, 6, 8, 13, 28])
def test_at_once_as_many_leave_as_in_the_best_plan(seed: int) -> None:
    """
    A plan at limit 0 has as many of the vehicles off the map as the best one.

    In 4 the lead leaves beside the next one; in 2, 6 and 28 nobody can leave in the lead's track.
    """
    case = drawn(seed)
    found = [plan(case.position, case.goal, limit=limit) for limit in (0, 20)]
    ends = [check(case.position, one.plans[0].log).position for one in found]
    gone = [sum(unit.offboard.exited for unit in end.units) for end in ends]
    assert gone[0] == gone[1] > 0


@pytest.mark.parametrize("seed", [3, 27])
def test_at_once_it_crosses_a_line_or_comes_near(seed: int) -> None:
    """A plan at limit 0 is worth as much as the best one, though nobody can follow the lead."""
    case = drawn(seed)
    found = [plan(case.position, case.goal, limit=limit).plans[0].score for limit in (0, 20)]
    assert found[0]["value"] == found[1]["value"] > 0


@pytest.mark.parametrize("seed", [1, 5])
def test_at_once_it_stops_where_nobody_gets_on(seed: int) -> None:
    """If no Impulse gets all on, the plan at limit 0 is to stop."""
    case = drawn(seed)
    found = plan(case.position, case.goal, limit=0)
    assert found.status == "FEASIBLE"
    assert check(case.position, found.plans[0].log).status == "LEGAL"
