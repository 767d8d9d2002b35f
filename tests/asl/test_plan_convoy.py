"""Plans of Convoys: goldens, the optimum by brute force, limits and cuts."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from marchtable.cpsat.harness import Stop
from marchtable.files.notation import format_action
from marchtable.planning.line.graph import Course
from marchtable.planning.loop import plan
from marchtable.planning.score import Measure
from marchtable.rules.plan_model import Task
from marchtable.rules.referee import check
from marchtable.rules.ruling import Violation
from marchtable.state.goal import Aim, Goal
from marchtable.state.records import replace
from marchtable_models.asl.cpsat.convoy.model import ConvoyModel, convoy_models
from marchtable_models.asl.views.lines import members
from tests.asl.boards import ASL, field, place, vehicle
from tests.asl.convoys_by_hand import KEYS, all_plans, by_road, small_convoy
from tests.asl.test_convoys import convoy
from tests.slowly import slow_after


class PlainControl:
    """What a planner provides to a model, with this much deterministic time."""

    def __init__(self, time: float = 60) -> None:
        self.stop, self.time, self.seed = Stop(), time, 0
        self.bounds: list[int] = []
        self.logs: list[Any] = []

    def left(self) -> float:
        """Return what is left."""
        return self.time

    def spend(self, time: float) -> None:
        """Count time as used."""
        self.time -= time

    def found(self, log: Any) -> None:
        """Take a plan."""
        self.logs.append(log)

    def bounded(self, bound: int) -> None:
        """Take a bound."""
        self.bounds.append(bound)


def model(position: Any, goal: Goal, impulses: int = 12) -> ConvoyModel:
    """Return the model of the Convoy that t1 leads."""
    return ConvoyModel(ASL, position, goal, members(position, position.unit("t1")), impulses)


def near(*names: str, units: tuple[str, ...] = ("t1",), **fields: Any) -> Goal:
    """Return the goal to bring units near Locations."""
    return Goal(aims=(Aim(units=units, near=names),), **fields)


def lines_of(found: Any) -> list[str]:
    """Return the log of the best plan."""
    return [format_action(action) for action in found.plans[0].log]


# -- goldens ---------------------------------------------------------------------------------------


def test_follow_the_road_and_stop() -> None:
    """Three trucks go to the end of the road, two MP a hex, and stop there for one MP."""
    found = plan(by_road(3, 6), near("A1"))
    assert found.status == "OPTIMAL"
    assert found.space.name == "convoy"
    assert lines_of(found) == [
        "impulse t1 enter:A3,enter:A4,enter:A5",
        "impulse t1 enter:A2,enter:A3,enter:A4",
        "impulse t1 enter:A1,enter:A2,enter:A3",
        "impulse t1 stop,stop,stop",
        "end t1",
    ]
    assert found.plans[0].score["points"] == 2 * 3 * (2 + 2 + 2 + 1)


def test_all_start_together() -> None:
    """A stopped Convoy starts with all vehicles in one Impulse, since Motion is shared."""
    found = plan(by_road(2, 4, moving=False), near("A1"))
    assert lines_of(found)[0] == "impulse t1 start,start"
    assert found.plans[0].score["distance"] == 0


def test_the_poorest_ends_it() -> None:
    """A vehicle with few MP left limits the whole Convoy."""
    position = by_road(3, 8, last="tr-7")
    found = plan(position, near("A1"))
    assert found.status == "OPTIMAL"
    assert found.plans[0].score["distance"] == 5 - 3


def test_as_many_as_possible_across_a_line() -> None:
    """The goal is the value of vehicles beyond a line, not the lead's place."""
    goal = Goal(aims=(Aim(units=("t1", "t2", "t3"), at=("A1", "A2", "B1", "B2"), worth=3),))
    found = plan(by_road(3, 6), goal)
    assert found.status == "OPTIMAL"
    assert found.plans[0].score["value"] == 9
    assert found.plans[0].verdict.status == "LEGAL"


def test_all_must_be_there() -> None:
    """A must that the Convoy cannot meet is proved impossible."""
    goal = Goal(aims=(Aim(units=("t1", "t2"), at=("A1",), must="all"),))
    assert plan(by_road(2, 4), goal).status == "IMPOSSIBLE"


def test_avoid_and_exposure() -> None:
    """A Location to avoid is not entered; one under threat only if that brings it nearer."""
    position = by_road(2, 5)
    assert plan(position, near("A1", avoid=("A2", "B1"))).plans[0].score["distance"] == 2
    found = plan(position, near("A1", threat={"A2": 5}))
    assert found.plans[0].score["distance"] == 0
    assert found.plans[0].score["exposure"] == 0
    order = ("exposure", "distance", "points")
    assert plan(position, near("A1", threat={"A2": 5}, order=order)).plans[0].score["exposure"] == 0


@pytest.mark.slow
def test_not_straight_back() -> None:
    """A vehicle just come from the previous hex goes round, or takes another way."""
    position = by_road(2, 5)
    lead = replace(position.unit("t1"), previous="A3")
    found = plan(position.with_units([lead]), near("A3"))
    assert found.status == "OPTIMAL"
    assert "enter:A3" not in lines_of(found)[0].split(",")[0]
    assert plan(position, near("A3")).plans[0].score["points"] < found.plans[0].score["points"]


@pytest.mark.parametrize("moving", [True, False])
def test_from_off_the_map(*, moving: bool) -> None:
    """Trucks waiting off the map enter one after the other, each by a hex stated for it."""
    hexes: dict[str, Any] = {f"A{row}": {} for row in range(1, 7)}
    sides = {f"A{row}-A{row + 1}": {"road": "Dirt Road"} for row in range(1, 6)}
    trucks = [
        vehicle(
            f"t{n}", "tr-28", at=None, facing="NNE", convoy="c", rank=n, entering=("A6",),
            moving=moving,
        )
        for n in (1, 2)
    ]  # fmt: skip
    found = plan(place(field(hexes, sides), *trucks), near("A4"))
    assert found.status == "OPTIMAL"
    assert found.plans[0].score["distance"] == 0
    assert lines_of(found)[0].startswith("impulse t1 enter:A6")


def test_fit_for_goals_about_its_vehicles() -> None:
    """The model is offered for goals about one Convoy's vehicles, all of which can move."""
    position = by_road(2, 4)
    other = position.with_units([])
    assert convoy_models(ASL, other, near("A1"), "avoid")
    assert not convoy_models(ASL, other, near("A1", movers=("t1",)), "avoid")


@pytest.mark.slow
def test_followers_make_way() -> None:
    """The lead cannot go through its own followers, whatever is tried first: no plan does."""
    found = model(by_road(3, 5, facing="SSW"), near("A5"))
    for log in found.quick():
        assert check(found.position, log).status == "LEGAL"
    assert plan(found.position, near("A5")).status == "OPTIMAL"


# -- against brute force -----------------------------------------------------------------------------


def some_goal(random: Random, position: Any) -> Goal:
    """Return a goal for some of the Convoy's vehicles."""
    names = list(position.board.index)
    line = tuple(unit.id for unit in position.units if unit.line.convoy)
    target = random.choice(names)
    aim = random.choice(
        [
            Aim(units=("t1",), near=(target,)),
            Aim(units=line, near=(target,)),
            Aim(units=line, at=tuple(random.sample(names, 4))),
            Aim(units=line, at=tuple(random.sample(names, 4)), must=1),
        ]
    )
    threat = {name: random.randint(1, 3) for name in random.sample(names, 2)}
    avoid = tuple(random.sample(names, 1)) if random.random() < 0.2 else ()
    return Goal(aims=(aim,), threat=threat if random.random() < 0.5 else {}, avoid=avoid)


def best_of(found: Any, goal: Goal) -> tuple[int, ...] | None:
    """Return the best score in lexicographic order, or None if there is no plan."""
    least: dict[Any, int] = {}
    most: dict[Any, int] = {}
    log: Any = None
    for criterion in goal.order:
        weight = 1 if criterion == "value" else -1
        control = PlainControl()
        proposal = found.best(Task({criterion: weight}, dict(least), dict(most)), control)
        if proposal.status == "IMPOSSIBLE":
            return None
        assert proposal.status == "OPTIMAL"
        assert proposal.bound is not None
        assert all(bound >= proposal.bound for bound in control.bounds)
        (least if weight > 0 else most)[criterion] = weight * proposal.bound
        log = proposal.log
    verdict = check(found.position, log)
    assert verdict.status == "LEGAL"
    score = Measure(found.position, goal).of(verdict).score
    return tuple(score[key] for key in KEYS)


def agrees(seed: int, count: int, columns: int, rows: int, impulses: int) -> None:
    """Check one random Convoy's best plan against all its plans."""
    random = Random(seed)
    position = small_convoy(random, count, columns, rows)
    goal = some_goal(random, position)
    plans = all_plans(position, goal, impulses)
    expected = min(plans, key=lambda score: (-score[0], *score[1:]), default=None)
    assert best_of(model(position, goal, impulses), goal) == expected, seed


@pytest.mark.parametrize("seed", slow_after(2, range(4)))
def test_two_vehicles_by_brute_force(seed: int) -> None:
    """Two vehicles on a small map do as well as their best plan, or neither has any."""
    agrees(seed, 2, 3, 3, 2)


def test_three_vehicles_by_brute_force() -> None:
    """The same for three vehicles."""
    agrees(1, 3, 3, 2, 1)


# -- limits and cuts ---------------------------------------------------------------------------------


def test_a_tiny_limit_is_no_proof() -> None:
    """Without time nothing is proved: the first plan found is FEASIBLE, for a must or a wish."""
    position = by_road(3, 8)
    must = Goal(aims=(Aim(units=("t1",), at=("B5",), must="all"),))
    assert plan(position, must, limit=1e-9).status == "FEASIBLE"
    at_once = plan(by_road(3, 8), near("A1", units=("t1", "t2", "t3")), limit=0.0)
    assert (at_once.status, at_once.plans[0].score["distance"]) == ("FEASIBLE", 0 + 1 + 2)
    found = plan(position, near("B1", units=("t1", "t2", "t3")), limit=1e-9)
    assert found.status == "FEASIBLE"
    assert found.plans[0].verdict.status == "LEGAL"


def test_different_plans() -> None:
    """Each of the best plans ends elsewhere or spends other points than those before it."""
    found = plan(by_road(2, 5), near("A1"), best=3)
    assert len(found.plans) == 3
    ends = {
        tuple((u.at, u.points.spent) for u in each.verdict.position.units) for each in found.plans
    }
    assert len(ends) == 3
    scores = [tuple(each.score[key] for key in KEYS) for each in found.plans]
    assert scores == sorted(scores)


def test_a_rejected_plan_is_not_proposed_again() -> None:
    """A rejected plan is cut off with all plans that begin so, and the next best is proved."""
    position, goal = by_road(2, 5), near("A1")
    found = model(position, goal)
    task = Task({"distance": -1}, {}, {})
    first = found.best(task, PlainControl())
    assert first.log is not None
    found.reject(first.log, check(position, first.log))
    second = found.best(task, PlainControl())
    assert second.log is not None
    assert second.log != first.log


def rejected_at(position: Any, log: Any, step: int) -> Any:
    """Return the referee's verdict as if it had rejected one action of a log."""
    verdict = check(position, log)
    rulings = [*verdict.rulings]
    fault = Violation("E11.251a", "made up", ("t1",))
    rulings[step] = msgspec.structs.replace(rulings[step], violations=(fault,))
    return msgspec.structs.replace(verdict, rulings=tuple(rulings))


@pytest.mark.parametrize("other", ["", "half:A3"])
def test_what_is_rejected_proves_nothing_where_other_moves_do_the_same(other: str) -> None:
    """A cut excludes all moves between states for the same points: they may be legal."""
    position, task = by_road(2, 5), Task({"distance": -1}, {}, {})
    found = model(position, near("A1"))
    log: Any = found.best(task, PlainControl()).log
    ways = found.graph.ways(0, found.graph.starts[0])
    to, cost, flags, step = next(way for way in ways if way[3].move == "enter:A3")
    if other:
        ways.append((to, cost - 1, flags, step._replace(move=other)))
    found.reject(log, rejected_at(position, log, 0))
    again = found.best(task, PlainControl())
    assert (again.status, again.bound is None) == (
        ("FEASIBLE", True) if other else ("OPTIMAL", False)
    )


@pytest.mark.parametrize("refuted", ["its End", "its worth"])
def test_a_rejected_ending_cuts_nothing_longer(refuted: str) -> None:
    """If only a plan's end or its value is rejected, longer plans remain."""
    position, task = convoy(6, 7), Task({"points": -1}, {}, {})
    goal = Goal(aims=(Aim(units=("t1",), at=("A4",), must="all"),))
    best = model(position, goal).best(task, PlainControl())
    assert best.log is not None
    found = model(position, goal)
    found.best(task, PlainControl())
    course = found.course(best.log)
    log = found.log(Course(course.states[:-1], course.spent[:-1]))
    verdict = check(position, log)
    assert {fault.step for fault in verdict.violations} == {len(log) - 1}
    if refuted == "its worth":
        verdict = check(position, best.log)
    found = model(position, goal)
    found.log(Course(course.states[:-1], course.spent[:-1]))
    found.reject(log, verdict)
    assert found.best(task, PlainControl()) == best
    found.log(course)
    found.reject(best.log, check(position, best.log))
    again = found.best(task, PlainControl())
    assert again.log != best.log


def test_an_ending_that_is_not_modelled_is_left_out() -> None:
    """Whether a vehicle ending in Motion can afford the woods ahead may be open: then that is stated."""
    hexes: dict[str, Any] = {f"A{row}": {} for row in range(1, 5)}
    hexes["A1"] = {"terrain": "Woods"}
    roads = {f"A{row}-A{row + 1}": {"road": "Dirt Road"} for row in (2, 3)}
    found: dict[str, Any] = {"facing": "NNE", "convoy": "c", "moving": True, "mph": "moving"}
    trucks = [vehicle(f"t{n}", at=f"A{n + 2}", rank=n, **found) for n in (1, 2)]
    position = place(field(hexes, roads), *trucks, readings=(("x-clear", "unknown"),))
    spent = ASL.allotment(position, position.unit("t1")) - 50
    position = position.with_units([replace(t, spent=spent, used=spent) for t in position.units])
    goal = Goal(aims=(Aim(units=("t1",), at=("A2",), must="all"),))
    for _ in range(2):  # what is cached of it is reported too
        assert plan(position, goal).space.left_out == ("D2.4",)


def test_what_is_left_out_is_of_this_question_alone() -> None:
    """A crag reached only by a truck with more MP is left out of its answer, and no other."""
    hexes: dict[str, Any] = {f"A{row}": {} for row in range(1, 9)}
    hexes["A2"] = {"terrain": "Crag"}
    board = field(hexes, {f"A{row}-A{row + 1}": {"road": "Dirt Road"} for row in range(3, 8)})
    goal = Goal(aims=(Aim(units=("t1",), at=("A1",), must="all"),))
    answers = []
    for spent in (48, 2, 48):
        result: dict[str, Any] = {"facing": "NNE", "convoy": "c", "mph": "moving", "spent": spent}
        trucks = [
            vehicle(f"t{n}", "tr-28", at=f"A{6 + n}", rank=n, used=spent, **result) for n in (1, 2)
        ]
        found = plan(place(board, *trucks), goal, space="convoy")
        answers.append((found.status, "x-terrain" in found.space.left_out))
    assert answers == [("IMPOSSIBLE", False), ("UNSUPPORTED", True), ("IMPOSSIBLE", False)]


# -- why not -----------------------------------------------------------------------------------------


def reasons(position: Any, **must: Any) -> list[tuple[str, tuple[str, ...], Any]] | None:
    """Return why the Convoy cannot meet its musts."""
    goal = Goal(aims=(Aim(must="all", **must),))
    found = model(position, goal).conflict(PlainControl())
    return None if found is None else [(r.clause, r.units, r.numbers) for r in found]


@pytest.mark.slow
def test_the_poorest_is_the_reason() -> None:
    """The lead could get there, but a vehicle behind has too few MP and no reason to stay behind."""
    found = reasons(by_road(3, 8, last="tr-7"), units=("t1",), at=("A1",))
    assert found is not None
    assert found[0][0] == "E11.251a"
    assert found[1:] == [("E11.2h", ("t3",), (("have", 7),))]


@pytest.mark.parametrize(
    ("attacked", "stated"), slow_after(1, [(False, [("E11.251a", ("t2",))]), (True, [])])
)
def test_a_gap_is_a_reason(*, attacked: bool, stated: list[Any]) -> None:
    """A vehicle that is to stay behind needs a reason; with one only the plans' policy forbids it."""
    position = by_road(2, 6)
    changed = replace(position.unit("t2"), attacked=attacked)
    position = position.with_units([changed])
    goal = Goal(
        aims=(
            Aim(units=("t1",), at=("A2",), must="all"),
            Aim(units=("t2",), at=("A6",), must="all"),
        )
    )
    found = model(position, goal).conflict(PlainControl())
    assert found is not None
    assert [(r.clause, r.units) for r in found] == stated


def test_what_the_map_forbids_has_no_reason() -> None:
    """If no clause that could be lifted forbids it, none is named; nor if nothing forbids it."""
    assert reasons(by_road(2, 4), units=("t1", "t2"), at=("A1",)) == []
    assert reasons(by_road(2, 4), units=("t1",), at=("A1",)) == []


def test_a_road_march_is_as_long_as_the_mp_allow() -> None:
    """28 MP at 2 MP a hex are fourteen hexes, ended in Motion; the Impulses suffice."""
    board = field(
        {f"A{row}": {} for row in range(1, 22)},
        {f"A{row}-A{row + 1}": {"road": "Dirt Road"} for row in range(1, 21)},
    )
    trucks = [
        vehicle(f"t{n}", "tr-28", at=f"A{4 - n}", rank=n, convoy="c", facing="SSE") for n in (1, 2)
    ]
    goal = Goal(aims=(Aim(units=("t1",), near=("A21",)),), order=("distance",))
    found = plan(place(board, *trucks), goal, space="convoy")
    assert (found.status, found.plans[0].score["distance"]) == ("OPTIMAL", 4)
