"""Plans of Convoys that make a Gap, checked against brute force."""

from __future__ import annotations

import os
from functools import cache
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from marchtable.budget import Budget, budget_scope
from marchtable.cpsat.harness import Stop
from marchtable.files.notation import format_action
from marchtable.planning.goals import checked_goal
from marchtable.planning.loop import plan
from marchtable.planning.reasons import ANY
from marchtable.planning.score import Measure
from marchtable.planning.tasks import ranking
from marchtable.planning.why import why
from marchtable.rules.clause import without
from marchtable.rules.plan_model import Task
from marchtable.rules.referee import check
from marchtable.rules.ruling import Violation
from marchtable.state.goal import Aim, Goal
from marchtable.state.records import replace
from marchtable_models.asl.cpsat.convoy import model as convoy_model
from marchtable_models.asl.cpsat.convoy.model import GapModel, convoy_models
from marchtable_models.asl.cpsat.line_relations import CAN_PAY
from marchtable_models.asl.rules.leaving_convoys import leaving
from tests.asl.boards import ASL, field, foot, place, vehicle
from tests.asl.convoy_gap_cases import compared_apart, drawn_apart, drawn_off
from tests.asl.convoys_by_hand import KEYS, by_road
from tests.asl.gaps_by_hand import all_parted
from tests.asl.test_plan_convoy import PlainControl, lines_of, model, near
from tests.quiet import Quiet
from tests.slowly import slow_after

MANY = int(os.environ.get("MARCHTABLE_CASES", "100"))


def attacked(position: Any, *names: str) -> Any:
    """Return a position in which vehicles have a reason to leave before the first Impulse is over."""
    units = [replace(position.unit(name), attacked=True) for name in names]
    return position.with_units(units)


def apart(length: int, must: Any = "all") -> Goal:
    """Return the goal that the lead goes on along a road and the second stays at its near end."""
    return Goal(
        aims=(
            Aim(units=("t1",), at=("A2",), must=must),
            Aim(units=("t2",), at=(f"A{length}",), must=must),
        )
    )


@pytest.mark.slow
@pytest.mark.clause("E11.254b", "E11.255b", "E11.254c")
def test_one_stops_while_the_other_goes_on() -> None:
    """One with a reason stops behind; the lead, now alone, ends its MPh first, and pays no extra MP."""
    found = plan(attacked(by_road(2, 6), "t2"), apart(6))
    assert (found.status, found.space.name) == ("OPTIMAL", "convoy-gaps")
    log = lines_of(found)
    assert log[0] == "impulse t1 enter:A4,stop"
    assert log[-2:] == ["end t1", "end t2"]
    assert found.plans[0].score["value"] == 2
    spent = {unit.id: unit.points.spent for unit in found.plans[0].verdict.position.units}
    assert spent == {"t1": 2 * 2 + 1 + 1 + 2, "t2": 2 * 2}


@pytest.mark.slow
@pytest.mark.clause("E11.255a")
def test_what_is_spent_to_leave_is_not_spent_by_those_ahead() -> None:
    """The lead pays for its own move in the Impulse in which the second leaves the road."""
    position = attacked(by_road(2, 6), "t2")
    goal = Goal(
        aims=(Aim(units=("t1",), near=("A1",)), Aim(units=("t2",), at=("B6", "B5"), must=1)),
        order=("distance", "points"),
    )
    found = plan(position, goal)
    assert found.status == "OPTIMAL"
    bills = {bill.unit: bill.amount for bill in found.plans[0].verdict.rulings[0].receipts}
    assert found.plans[0].verdict.status == "LEGAL"
    assert bills["t1"] <= bills["t2"]


@pytest.mark.clause("E11.251a")
def test_without_a_reason_there_is_no_gap() -> None:
    """Without a reason none separates: the wider space has no more plans, and is not chosen."""
    goal = apart(6)
    found = plan(by_road(2, 6), goal)
    assert (found.status, found.space.name) == ("IMPOSSIBLE", "convoy")
    wide = plan(by_road(2, 6), goal, space="convoy-gaps")
    assert (wide.status, wide.space.name) == ("IMPOSSIBLE", "convoy-gaps")
    assert "No Gap is made; no vehicle leaves, and no other Convoy joins." in found.space.policy
    assert any(line.startswith("At most one Gap is made") for line in wide.space.policy)


@pytest.mark.slow
def test_wishes_are_planned_for_without_a_gap() -> None:
    """Without a must the narrow space comes first; the wider one is searched for a better plan."""
    position = attacked(by_road(2, 5), "t2")
    names = [found.name for found in convoy_models(ASL, position, apart(5, None), "avoid")]
    assert names == ["convoy", "convoy-gaps"]
    assert plan(position, apart(5, None), space="convoy").plans[0].score["value"] == 1
    found = plan(position, apart(5, None))
    assert (found.plans[0].score["value"], found.space.name) == (2, "convoy-gaps")
    assert [(one.space, one.status) for one in found.searched][:2] == [
        ("convoy", "OPTIMAL"), ("convoy-gaps", "OPTIMAL"),
    ]  # fmt: skip


@pytest.mark.clause("E11.251b")
def test_an_attack_is_a_reason_for_one_impulse() -> None:
    """If an attack is the only reason, the Gap is made in the first Impulse or not at all."""
    found = GapModel(model(attacked(by_road(2, 6), "t2"), apart(6)))
    assert found.gaps == {1: (True, False)}
    assert GapModel(model(by_road(2, 6), apart(6))).gaps == {}


@pytest.mark.slow
def test_plans_that_differ_and_plans_rejected() -> None:
    """A listed or rejected plan is not proposed again, with a Gap or without."""
    position = attacked(by_road(2, 5), "t2")
    found = plan(position, near("A1", units=("t1", "t2")), space="convoy-gaps", best=4)
    ends = [
        tuple((u.at, u.points.spent) for u in each.verdict.position.units) for each in found.plans
    ]
    assert len(set(ends)) == 4
    apart_ = GapModel(model(position, apart(5), 4))
    seen = set()
    for _ in range(3):
        proposal = apart_.best(Task({"points": -1}, {}, {}), PlainControl())
        assert proposal.log is not None
        assert proposal.log not in seen
        seen.add(proposal.log)
        apart_.reject(proposal.log, check(position, proposal.log))


def ending_rejected(position: Any, log: Any) -> Any:
    """Return the referee's verdict as if it had rejected the last End of a log."""
    verdict = check(position, log)
    *before, end = verdict.rulings
    fault = Violation("E11.254c", "made up", ("t2",))
    rejected = msgspec.structs.replace(end, violations=(fault,))
    return msgspec.structs.replace(verdict, rulings=(*before, rejected))


@pytest.mark.parametrize("impulses", slow_after(1, [2, 3]))
def test_a_rejected_ending_is_that_of_one_plan(impulses: int) -> None:
    """Only the plan whose last End is rejected is excluded: all scores are reached in the end."""
    position, goal = attacked(by_road(2, 4), "t2"), apart(4)
    found, scores, result = GapModel(model(position, goal, impulses)), [], set()
    while True:
        proposal = found.best(Task({"points": -1}, {}, {}), PlainControl())
        if proposal.log is None:
            break
        assert proposal.log not in result
        result.add(proposal.log)
        measured = Measure(position, goal).of(check(position, proposal.log))
        scores.append(tuple(measured.score[key] for key in KEYS))
        assert -scores[-1][3] == proposal.bound
        found.reject(proposal.log, ending_rejected(position, proposal.log))
    assert proposal.status == "IMPOSSIBLE"
    assert [score[3] for score in scores] == sorted(score[3] for score in scores)
    assert {*scores} == {*all_parted(position, goal, impulses)}


@pytest.mark.slow
@pytest.mark.parametrize("sees", [False, True])
def test_what_is_not_modelled_proves_nothing(monkeypatch: pytest.MonkeyPatch, sees: bool) -> None:
    """If it is unknown whether a vehicle can leave, the answer is not that there is no plan."""
    position = attacked(by_road(2, 6), *(["t2"] if sees else []))

    def unknown(*fields: Any) -> Any:
        facts = leaving(*fields)
        return replace(
            facts, radioless=True, platoon=True, declared=True, alone=True, begun=False, morale=0
        )

    monkeypatch.setattr(convoy_model, "leaving", unknown)
    found, reasons = plan(position, apart(6)), why(position, apart(6), most=0)
    result = {found.status, reasons.status}
    assert result == ({"UNSUPPORTED"} if sees else {"IMPOSSIBLE"})
    assert ("E11.252b" in found.space.left_out) == sees


def test_no_time_no_proof() -> None:
    """Without time nothing is proved about plans with a Gap."""
    position = attacked(by_road(2, 6), "t2")
    found = GapModel(model(position, apart(6))).best(Task({}, {}, {}), PlainControl(0.0))
    assert found.status == "UNKNOWN"
    assert plan(position, apart(6), limit=1e-9).status == "UNKNOWN"


@pytest.mark.parametrize("limit", [0.0, 0.02, 0.1])
def test_the_wider_space_has_no_worse_plan(limit: float) -> None:
    """However early it is stopped, it has at least the plan of the space it contains."""
    position, goal = attacked(by_road(2, 6), "t2"), apart(6, None)
    goal = msgspec.structs.replace(goal, order=("value", "points"))
    plain = plan(position, goal, space="convoy", limit=limit)
    wide = plan(position, goal, space="convoy-gaps", limit=limit)
    ranks = [ranking(goal, found.plans[0].score) for found in (wide, plain)]
    assert ranks[0] <= ranks[1]
    assert wide.space.name == "convoy-gaps"


def test_what_is_proved_is_not_proved_again() -> None:
    """The wider space needs no proof that the other has; within closer bounds it holds as well."""
    found = model(by_road(2, 5), near("A1", units=("t1", "t2")))
    first = found.best(Task({"distance": -1}, {}, {}), PlainControl())
    assert (first.status, first.bound) == ("OPTIMAL", -1)
    for task in (
        Task({"distance": -1}, {"value": 0}, {}),
        Task({"distance": -1}, {}, {"distance": 1}),
    ):
        assert found.best(task, PlainControl(0.0)) == first
    assert found.best(Task({"points": -1}, {}, {}), PlainControl(0.0)).status == "FEASIBLE"
    assert found.best(Task({}, {}, {"distance": 0}), PlainControl()).status == "IMPOSSIBLE"
    assert (
        found.best(Task({"points": -1}, {}, {"distance": 0}), PlainControl(0.0)).status
        == "IMPOSSIBLE"
    )


# -- a road that stops ------------------------------------------------------------------------------------


def stopping() -> tuple[Any, Goal]:
    """Return three trucks on a lone road; the last may stop at any time, and must after a hex."""
    names = [f"A{row}" for row in range(1, 15)]
    sides = {"-".join(pair): {"road": "Dirt Road"} for pair in pairwise(names)}
    found: dict[str, Any] = {"facing": "SSE", "convoy": "c"}
    line = [
        vehicle(f"t{n}", "opel-blitz", f"A{5 - n}", rank=n, sees=("e",) if n == 3 else (), **found)
        for n in (1, 2, 3)
    ]
    enemy = foot("e", at="A14", side="russian")
    onwards = Aim(units=("t1", "t2"), at=("A11", "A12", "A13"), must="all")
    stays = Aim(units=("t3",), at=("A3",), must="all")
    board = field({name: {} for name in names}, sides)
    return place(board, *line, enemy), Goal(aims=(onwards, stays))


def gaps_of(position: Any, goal: Goal) -> GapModel:
    """Return the model of plans with a Gap."""
    return GapModel(model(position, goal, 24))


@pytest.mark.slow
@pytest.mark.clause("D2.4")
def test_nobody_stands_where_the_rear_part_does_not() -> None:
    """A vehicle that ends in Motion before a free hex is not blocked by one behind the Gap."""
    position, goal = stopping()
    proposal = gaps_of(position, goal).best(Task({"value": 1}, {}, {}), Quiet())
    assert proposal.log is not None
    assert check(position, proposal.log).status == "LEGAL"


def test_a_vehicle_alone_may_end_for_a_gap_left_ahead() -> None:
    """It ends in Motion with 2 MP to spare: what stands ahead makes the next hex too dear (D2.4)."""
    case = drawn_apart(910044)
    goal = checked_goal(msgspec.structs.replace(case.goal, threat={}), case.position)
    parted = GapModel(model(case.position, goal, case.impulses))
    task: Any = Task({"points": -1}, {"distance": 3}, {"points": 12, "value": 0})
    found = parted.best(task, Quiet())
    assert (found.status, found.bound) == ("OPTIMAL", -12)
    lines = [format_action(action) for action in found.log or ()]
    assert lines == ["impulse t1 turn:E,enter:C3", "enter t1 B3", "end t1", "stop t2", "end t2"]


@pytest.mark.slow
def test_a_plan_with_a_gap_may_be_one_of_several() -> None:
    """Each of four differs from those before it, and the best comes first."""
    case = drawn_apart(910030)
    goal = msgspec.structs.replace(case.goal, threat={}, order=("distance", "points", "value"))
    found = plan(case.position, goal, space="convoy-gaps", best=4)
    assert [one.status for one in found.plans] == ["OPTIMAL"] * 4
    ranks = [(one.score["distance"], one.score["points"]) for one in found.plans]
    assert ranks == sorted(ranks)


@pytest.mark.slow
def test_laying_out_plans_with_a_gap_counts() -> None:
    """The cost of building a model of plans with a Gap counts before any solver is asked."""
    position, goal = stopping()
    gaps = gaps_of(position, goal)
    spent = Budget(60, Stop())
    with budget_scope(spent):
        gaps.best(ANY, Quiet())
    assert spent.used > 0.05
    with budget_scope(Budget(0.01, Stop())):
        assert gaps.best(ANY, Quiet()).status == "UNKNOWN"


@pytest.mark.clause("D2.1b")
@pytest.mark.parametrize(("spent", "status"), [(50, "OPTIMAL"), (52, "IMPOSSIBLE")])
def test_a_unit_that_is_left_alone_pays_for_itself(spent: int, status: str) -> None:
    """If no unit of a Convoy need be able to pay (E11.2h off), only D2.1b limits it."""
    position = attacked(by_road(2, 6), "t2")
    position = position.with_units([replace(unit, spent=spent) for unit in position.units])
    with without(*CAN_PAY):
        found = GapModel(model(position, apart(6))).best(ANY, PlainControl())
        assert found.status == status
        assert found.log is None or check(position, found.log).status == "LEGAL"


# -- why not -----------------------------------------------------------------------------------------


@cache
def asked_why() -> Any:
    """Return why two trucks, neither with a reason to stop, cannot separate, asked once."""
    return why(by_road(2, 6), apart(6))


@pytest.mark.slow
def test_a_gap_would_help() -> None:
    """If no vehicle has a reason to separate, a Gap is one of the smallest changes that help."""
    found = asked_why()
    assert found.status == "IMPOSSIBLE"
    assert [(each.clause, each.is_needed) for each in found.conflict or ()] == [("E11.251a", True)]
    result = [each for each in found.repairs if each.change.startswith("allow a Gap")]
    assert len(result) == 1
    assert [format_action(action) for action in result[0].log][-2:] == ["end t1", "end t2"]
    lead, words = "allow a Gap in the first Impulse of t1, as if ", " had been attacked"
    assert result[0].change in (f"{lead}t1{words}", f"{lead}t2{words}")
    hit = result[0].change.removeprefix(lead).removesuffix(words)
    position = by_road(2, 6)
    assert check(attacked(position, hit), result[0].log).status == "LEGAL"
    assert check(position, result[0].log).status == "ILLEGAL"


@pytest.mark.slow
def test_examples_take_as_little_as_may_be() -> None:
    """The plan reported with a change takes the fewest points possible, with no needless turn."""
    found = asked_why()
    for repair in found.repairs:
        if not repair.change.startswith("leave"):
            continue
        wish = {"leave t1": ("t2",), "leave t2": ("t1",)}[repair.change[:8]]
        aims = tuple(aim for aim in apart(6).aims if aim.units == wish)
        best = plan(by_road(2, 6), Goal(aims=aims, order=("points",)), space="convoy")
        spent = (
            Measure(by_road(2, 6), apart(6)).of(check(by_road(2, 6), repair.log)).score["points"]
        )
        assert spent == best.plans[0].score["points"]
        assert not any("turn" in format_action(action) for action in repair.log)


def test_reasons_that_are_not_those_of_the_wider_space() -> None:
    """Reasons given where a Gap can be made hold for plans with one, too."""
    goal = Goal(aims=(Aim(units=("t1", "t2"), at=("A1", "B1"), must="all"),))
    position = attacked(by_road(2, 5, last="tr-4"), "t2")
    names = [found.name for found in convoy_models(ASL, position, goal, "avoid")]
    assert names == ["convoy", "convoy-gaps"]
    found = GapModel(model(position, goal, 4)).conflict(PlainControl())
    assert found
    assert all(each.is_needed for each in found)
    for each in found:
        with without(each.clause):
            freed = GapModel(model(position, goal, 4)).best(ANY, PlainControl())
            assert freed.status == "OPTIMAL"


# -- off the map ---------------------------------------------------------------------------------------


@pytest.mark.clause("E11.251a", "A2.6f")
def test_one_stops_as_the_other_leaves_the_map() -> None:
    """One with a reason stays behind while the lead exits; without a Gap it has to follow, and come back."""
    aims = (Aim(units=("t1",), exit=("A1",)), Aim(units=("t2",), at=("A3",)))
    position, goal = attacked(by_road(2, 3), "t2"), Goal(aims=aims, order=("value", "points"))
    plain = plan(position, goal, space="convoy").plans[0]
    found = plan(position, goal)
    assert (found.status, found.space.name) == ("OPTIMAL", "convoy-gaps")
    assert found.plans[0].score["value"] == plain.score["value"] == 2
    assert found.plans[0].score["points"] < plain.score["points"]
    assert lines_of(found)[-1] == "end t2"
    assert not any("end t1" in line for line in lines_of(found))
    assert found.plans[0].verdict.position.unit("t1").offboard.exited


@pytest.mark.slow
def test_plans_off_the_map_differ() -> None:
    """Several plans with a Gap differ in where vehicles end, even off the map, or in points."""
    aims = (Aim(units=("t1",), exit=("A1", "B1")), Aim(units=("t2",), at=("A3",)))
    position = attacked(by_road(2, 3), "t2")
    found = plan(position, Goal(aims=aims), space="convoy-gaps", best=4)
    ends = [Measure(position, Goal(aims=aims)).of(one.verdict).projection for one in found.plans]
    assert len({*ends}) == len(ends) == 4


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(MANY // 4))
def test_off_the_map_the_optimum_is_that_of_brute_force(seed: int) -> None:
    """No plan in which vehicles leave the map, with a Gap or without, is better."""
    assert not compared_apart(drawn_off(seed))[0]


# -- against brute force -------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", slow_after(2, range(MANY // 4)))
def test_the_optimum_is_that_of_brute_force(seed: int) -> None:
    """No plan with a Gap or without is better, and none is missed where there is one."""
    assert not compared_apart(drawn_apart(70_000 + seed))[0]
