"""Plans of units that move alone are optimal and complete."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from marchtable.cpsat.harness import Outcome, Status, solve
from marchtable.files.notation import format_action, format_position
from marchtable.planning.alone import AloneModel
from marchtable.planning.company import Company
from marchtable.planning.goals import checked_goal
from marchtable.planning.loop import Plans, plan
from marchtable.planning.score import Measure
from marchtable.planning.why import why
from marchtable.rules.plan_model import Task
from marchtable.rules.referee import check
from marchtable.state.goal import Aim, Goal
from marchtable.state.records import replace
from marchtable_toy import RULEBOOK
from tests.quiet import Quiet
from tests.slowly import slow_after
from tests.solver.planning.force import every_plan, in_order, random_goal, random_toy
from tests.toy_scene import scene

if TYPE_CHECKING:
    from marchtable.state.position import Position

LISTED = 60


def stated(found: Plans) -> list[list[str]]:
    """Return the plans' logs as text."""
    return [[format_action(action) for action in one.log] for one in found.plans]


@pytest.mark.parametrize("seed", slow_after(2, range(60)))
def test_the_optimum_is_that_of_brute_force(seed: int) -> None:
    """On small crowded maps the planner's optimum is the best of all plans tried one by one."""
    rng = random.Random(seed)
    position = random_toy(rng)
    goal, rolls = random_goal(rng, position), rng.choice(("pass", "pass", "avoid"))
    plans = every_plan(position, goal, rolls)
    found = plan(position, goal, rolls=rolls)  # type: ignore[arg-type]
    line = format_position(position)
    assert found.status == ("OPTIMAL" if plans else "IMPOSSIBLE"), line
    if plans:
        best = max(in_order(one.score, goal) for one in plans)
        assert in_order(found.plans[0].score, goal) == best, line


@pytest.mark.parametrize("seed", slow_after(2, range(1000, 1012)))
def test_the_plans_are_those_of_brute_force(seed: int) -> None:
    """Asked for all different plans, the planner gives each once, best first, and says so."""
    rng = random.Random(seed)
    position = random_toy(rng, largest=4)
    goal = random_goal(rng, position)
    plans = every_plan(position, goal)
    projections = {one.projection for one in plans}
    if len(projections) > LISTED:
        pytest.skip("too many to list")
    found = plan(position, goal, best=LISTED + 1)
    measure = Measure(position, goal)
    listed = [measure.of(one.verdict).projection for one in found.plans]
    assert found.complete
    assert sorted(listed, key=str) == sorted(projections, key=str), format_position(position)
    worth = [in_order(one.score, goal) for one in found.plans]
    assert worth == sorted(worth, reverse=True)


@pytest.mark.parametrize("seed", slow_after(2, range(2000, 2010)))
def test_the_front_is_that_of_brute_force(seed: int) -> None:
    """The front of two criteria has every pair that no plan beats."""
    rng = random.Random(seed)
    position = random_toy(rng)
    goal = msgspec.structs.replace(random_goal(rng, position), weights={})
    pair = rng.choice((("value", "points"), ("points", "value"), ("exposure", "value")))
    of = msgspec.structs.replace(goal, order=pair)
    scores = {in_order(one.score, of) for one in every_plan(position, goal)}
    front = {
        s for s in scores
        if not any(o != s and all(x >= y for x, y in zip(o, s, strict=True)) for o in scores)
    }  # fmt: skip
    found = plan(position, goal, pareto=pair)  # type: ignore[arg-type]
    assert [in_order(one.score, of) for one in found.plans] == sorted(front, reverse=True)
    assert found.complete


@pytest.mark.parametrize("seed", slow_after(2, range(3000, 3005)))
def test_another_seed_proves_the_same(seed: int) -> None:
    """A proof does not depend on CP-SAT's seed; equal questions get equal answers."""
    rng = random.Random(seed)
    position = random_toy(rng, units=4)
    goal = random_goal(rng, position)
    first, again, other = (plan(position, goal, seed=s) for s in (1, 1, 2))
    assert first == again
    assert (first.status, [p.reached for p in first.plans]) == (
        other.status, [p.reached for p in other.plans],
    )  # fmt: skip


def crowd(count: int = 3, **fields: Any) -> Position[Any, Any]:
    """Return the toy scene with some walkers in A1."""
    unit = scene().units[0]
    units = [replace(unit, id=f"w{n}", **fields) for n in range(count)]
    return scene(units=tuple(units))


def test_too_many_in_a_hex() -> None:
    """Two walkers can be in a hex: of three with that goal, two get there."""
    goal = Goal(aims=(Aim(side="red", at=("B1",)),), order=("value",))
    found = plan(crowd(), goal)
    assert (found.status, found.plans[0].reached) == ("OPTIMAL", (2,))
    must = Goal(aims=(Aim(side="red", at=("B1",), must="all"),))
    assert plan(crowd(2), must).status == "OPTIMAL"
    assert plan(crowd(4), must).status == "UNSUPPORTED"  # some might swim


def test_the_order_of_moves_is_found() -> None:
    """Walkers change places only via a free hex: the one in the way goes first."""
    two = (Aim(units=("w0",), at=("B1",), must="all"), Aim(units=("w2",), at=("A2",), must="all"))
    units = (*crowd(2).units, msgspec.structs.replace(crowd().units[2], at="B1"),
             msgspec.structs.replace(crowd().units[0], id="w3", at="B1"))  # fmt: skip
    found = plan(scene(units=units), Goal(aims=two))
    assert found.status == "OPTIMAL"
    assert stated(found)[0][0].startswith("walk w2")


def test_rolls_are_passed_or_avoided() -> None:
    """A roll on the way is settled in the log as passed, or avoided."""
    goal = Goal(aims=(Aim(units=("w0",), at=("A2",)),), order=("value",))
    assert stated(plan(scene(), goal)) == [["walk w0 A2", "settle mud:w0 through"]]
    found = plan(scene(), goal, rolls="avoid")
    assert (found.status, found.plans[0].reached) == ("OPTIMAL", (0,))


def test_no_plan_is_best_where_others_may_help(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless units are known only to hinder, no plan is OPTIMAL; all must be tried for IMPOSSIBLE."""
    monkeypatch.setattr(RULEBOOK, "others_hinder", False)
    goal = Goal(aims=(Aim(side="red", at=("A2", "B1"), worth=5),), order=("points",))
    assert plan(scene(), goal).status == "OPTIMAL"  # nothing costs less than nothing
    goal = Goal(aims=(Aim(side="red", at=("B2",), worth=5),))
    assert plan(scene(), goal).status == "FEASIBLE"
    must = Goal(aims=(Aim(side="red", at=("B2",), must=1),))
    assert (found := plan(scene(), must)).status == "UNSUPPORTED"
    assert found.space.left_out == ("T6",)
    monkeypatch.setattr("marchtable.planning.all_moves.MOST", 1)
    found = plan(scene(), must)
    assert (found.status, found.unsettled) == ("UNKNOWN", "others")


@pytest.mark.parametrize("seed", slow_after(4, range(5000, 5030)))
def test_where_others_may_help_all_orders_are_tried(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without that promise, a goal with musts is IMPOSSIBLE exactly where brute force has no plan."""
    monkeypatch.setattr(RULEBOOK, "others_hinder", False)
    rng = random.Random(seed)
    position = random_toy(rng, largest=4)
    goal = random_goal(rng, position)
    aims = tuple(aim if aim.near else msgspec.structs.replace(aim, must="all") for aim in goal.aims)
    goal = msgspec.structs.replace(goal, aims=aims)
    found = plan(position, goal)
    is_possible = bool(every_plan(position, goal))
    assert (found.status in ("OPTIMAL", "FEASIBLE")) == is_possible, format_position(position)
    assert (found.status == "IMPOSSIBLE") != is_possible, format_position(position)


def test_a_unit_that_needs_another_on_the_way_gets_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plan is found that the choice of ends rules out: without the others on the map no unit moves."""
    monkeypatch.setattr(RULEBOOK, "others_hinder", False)
    own = Company.alone

    def lonely(company: Company, unit: str) -> Any:
        return {} if len(company.units) > 1 else own(company, unit)

    monkeypatch.setattr(Company, "alone", lonely)
    must = Goal(aims=(Aim(units=("w0",), at=("B1",), must="all"),))
    found = plan(scene(), must, space="alone")
    assert (found.status, stated(found)[0][0]) == ("FEASIBLE", "walk w0 B1")


def test_one_unit_has_nobody_to_help_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """For a unit that moves while all others stay, the best is known in any rulebook."""
    monkeypatch.setattr(RULEBOOK, "others_hinder", False)
    goal = Goal(aims=(Aim(units=("w0",), at=("A2",)),), movers=("w0",), order=("points", "value"))
    assert plan(scene(), goal).status == "OPTIMAL"
    near = Goal(
        aims=(Aim(units=("w0",), near=("B1",)),), movers=("w0",), order=("distance", "points")
    )
    assert plan(scene(), near).status == "OPTIMAL"


def test_what_was_doubted_is_bounded_at_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """End places cut off without proof count for the bound, even if the rest is not searched."""
    aim = Aim(units=("w0",), at=("A2",))
    goal = checked_goal(Goal(aims=(aim,), movers=("w0",)), scene())
    model, task, control = AloneModel(scene(), goal, "pass"), Task({"value": 1}, {}, {}), Quiet()
    log = model.best(task, control).log
    assert log is not None
    model.reject(log, check(scene(), log))

    def at_a_limit(*fields: Any, **more: Any) -> Outcome:
        return solve(*fields, **more)._replace(status=Status.FEASIBLE)

    monkeypatch.setattr("marchtable.planning.choice.model.solve", at_a_limit)
    found = model.best(task, control)
    assert (found.status, found.bound) == ("UNKNOWN", 1)


@pytest.mark.usefixtures("_no_clock")
def test_nobody_leaves_the_map() -> None:
    """A unit that must leave it cannot in this space: that is reported at once, whatever the limit."""
    must = Goal(aims=(Aim(units=("w0",), exit=("A1",), must="all"),))
    found = plan(scene(), must, limit=0.001)
    assert (found.status, found.space.name) == ("IMPOSSIBLE", "alone")
    result = why(scene(), must)
    assert (result.status, result.conflict) == ("IMPOSSIBLE", ())
    assert not result.repairs  # nothing would be left to do without it


def test_what_is_not_modelled_is_left_out() -> None:
    """Unmodelled clauses that apply within reach are stated, and nothing is IMPOSSIBLE."""
    must = Goal(aims=(Aim(side="red", at=("B2",), must=1),))
    found = plan(scene(), must)
    assert (found.status, found.space.left_out) == ("UNSUPPORTED", ("T6",))


@pytest.mark.parametrize("seed", slow_after(2, range(4000, 4006)))
def test_no_random_play_beats_the_bound(seed: int) -> None:
    """The bound is never below a random result, however early the search stops."""
    rng = random.Random(seed)
    position = random_toy(rng, units=4)
    goal = msgspec.structs.replace(random_goal(rng, position), weights={}, order=("value",))
    found = plan(position, goal, limit=rng.choice((0.0, 0.0005, 0.002)))
    bound = dict(found.bound) if not found.plans else {"value": found.plans[0].bound[0]}
    for one in every_plan(position, goal):
        assert found.status != "IMPOSSIBLE"
        assert bound["value"] is not None
        assert one.score["value"] <= bound["value"]


def test_a_unit_that_is_carried_is_asked_once_of_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """Preparation for many units grows with their number, not with its square."""
    position = scene()
    first = position.units[0]
    crowd = [msgspec.structs.replace(first, id=f"w{number}") for number in range(30)]
    position = msgspec.structs.replace(position, units=tuple(crowd))
    asked: list[str] = []

    def carrier(unit: Any) -> str | None:
        asked.append(unit.id)
        return None

    monkeypatch.setattr(type(first), "carrier", property(carrier))
    Company(position, Goal(aims=()), "pass", tuple(unit.id for unit in crowd))
    assert sorted(asked) == sorted(unit.id for unit in crowd)
