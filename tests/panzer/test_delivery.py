"""The planner of deliveries: checked against every plan, and its intended cases."""

from __future__ import annotations

from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from marchtable.files.notation import format_action
from marchtable.planning.goals import checked_goal
from marchtable.planning.loop import Plans, plan
from marchtable.planning.score import Measure
from marchtable.planning.why import why
from marchtable.rules.clause import without
from marchtable.rules.referee import check
from marchtable.state.goal import CRITERIA, Aim, Goal
from marchtable_models.panzer.cpsat.delivery import Delivery
from tests.panzer.every_plan import SIGNS, best_by_force, scores_by_force
from tests.panzer.scenes import foe, judge, place, rifles, tank, truck, unit, wagon
from tests.panzer.strategies import panzer_positions
from tests.panzer.test_transport import LANE

MANY = 4000


def want(*units: str, at: str, **fields: Any) -> Goal:
    """Return the goal that these units are in a hex."""
    return Goal(aims=(Aim(units=units, at=(at,), **fields),))


def lines(plans: Plans, number: int = 0) -> list[str]:
    """Return a plan's log line by line."""
    return [format_action(action) for action in plans.plans[number].log]


def conflict_of(position: Any, goal: Goal) -> list[tuple[str, dict[str, Any]]]:
    """Return the clauses, with their numbers, that forbid a goal proved impossible."""
    assert plan(position, goal, space="delivery").status == "IMPOSSIBLE"
    found = Delivery(position, checked_goal(goal, position)).conflict(Limit())
    assert found is not None
    return [(reason.clause, dict(reason.numbers)) for reason in found]


class Limit:
    """A limit that is never reached."""

    def __init__(self) -> None:
        from marchtable.cpsat.harness import Stop

        self.stop, self.seed = Stop(), 0

    def left(self) -> float:
        """Return plenty."""
        return 60.0

    def spend(self, time: float) -> None:
        """Ignore it."""

    def found(self, log: Any) -> None:
        """Ignore it."""

    def bounded(self, bound: int) -> None:
        """Ignore it."""


# -- every plan there is ---------------------------------------------------------------------------


@st.composite
def goals(draw: st.DrawFn, position: Any) -> Goal:
    """Draw a goal for a position: one or two aims, hexes to avoid, threat, some movers, an order."""
    hexes = sorted(position.board.index)
    own = [u.id for u in position.units if u.side == position.side]
    assume(own)
    few = st.lists(st.sampled_from(own), min_size=1, max_size=4, unique=True)
    some = st.lists(st.sampled_from(hexes), min_size=1, max_size=2, unique=True)
    aims = []
    for _ in range(draw(st.integers(1, 2))):
        units, kind = tuple(draw(few)), draw(st.sampled_from(("at", "at", "near", "exit")))
        must = draw(st.sampled_from((None, None, 1, "all"))) if kind != "near" else None
        places = tuple(draw(some))
        if kind == "exit" and not all(map(position.board.is_at_edge, places)):
            kind = "at"
        found: dict[str, Any] = {kind: places, "must": must}
        worth = {u: draw(st.integers(0, 4)) for u in units}
        aims.append(Aim(units=units, carried=draw(st.booleans()), each=worth, **found))
    threat = {at: draw(st.integers(1, 3)) for at in (draw(some) if draw(st.booleans()) else ())}
    movers = draw(st.lists(st.sampled_from(own), unique=True))
    order = tuple(draw(st.permutations(CRITERIA))) if draw(st.booleans()) else CRITERIA
    avoid = tuple(draw(st.lists(st.sampled_from(hexes), max_size=1)))
    goal = Goal(
        aims=tuple(aims), avoid=avoid, threat=threat, order=order,
        movers=tuple(movers) if draw(st.integers(0, 3)) == 0 else (),
    )  # fmt: skip
    return checked_goal(goal, position)


@given(st.data())
@settings(deadline=None)
def test_best_of_every_plan(data: st.DataObject) -> None:
    """The planner's best is the best of all that the referee allows; IMPOSSIBLE means there is none."""
    position = data.draw(panzer_positions(modelled=True, largest=5))
    goal = data.draw(goals(position))
    best = best_by_force(position, goal, MANY)
    if best is None:
        return
    plans = plan(position, goal)
    if not best:
        assert plans.status == ("UNSUPPORTED" if plans.space.left_out else "IMPOSSIBLE")
        return
    assert plans.status == "OPTIMAL"
    assert check(position, plans.plans[0].log).status == "LEGAL"
    score = plans.plans[0].score
    assert tuple(SIGNS[name] * score[name] for name in goal.order) == best


@given(st.data())
@settings(deadline=None, max_examples=20)
def test_quick_plans_stand(data: st.DataObject) -> None:
    """A plan found without a solver is legal, avoids what is forbidden, and is not above the best."""
    position = data.draw(panzer_positions(modelled=True, largest=6))
    goal = data.draw(goals(position))
    measure = Measure(position, goal)
    for log in Delivery(position, goal).quick():
        verdict = check(position, log)
        assert verdict.status == "LEGAL"
        assert not measure.of(verdict).trespasses
        assert not measure.of(verdict).strangers


def test_all_different_plans() -> None:
    """Asked for more plans than exist, it lists each projection once, and says these are all."""
    position = place(wagon(at="A1"), rifles(at="A1", aboard="w"), board=LANE)
    goal = checked_goal(want("r", at="A3"), position)
    scores = scores_by_force(position, goal)
    assert scores is not None
    plans = plan(position, goal, best=100)
    assert plans.complete
    measure = Measure(position, goal)
    projections = [measure.of(p.verdict).projection for p in plans.plans]
    assert len(set(projections)) == len(projections)
    paid = {(score["points"], score["moved"]) for score in scores}
    assert {(p.score["points"], p.score["moved"]) for p in plans.plans} == paid


def test_no_alternative_wanders() -> None:
    """Of several plans none goes somewhere and back, nor to a hex by a needlessly expensive way."""
    position = place(truck(at="A2"), rifles(at="A2", aboard="t"), board=LANE)
    goal = checked_goal(want("r", at="A3"), position)
    plans = plan(position, goal, best=12)
    assert len(plans.plans) == 12
    for number in range(len(plans.plans)):
        entered = [line for line in lines(plans, number) if line.startswith("move")]
        assert "move t A2" not in entered
        assert len(set(entered)) == len(entered)


def test_a_front() -> None:
    """The front of value and points: exactly its points."""
    position = place(truck(at="A1"), rifles(at="A1", aboard="t"), board=LANE)
    goal = Goal(aims=(
        Aim(units=("r",), at=("A13",), worth=5), Aim(units=("r",), at=("A3",), worth=2),
    ))  # fmt: skip
    plans = plan(position, goal, pareto=("value", "points"))
    assert [(p.score["value"], p.score["points"]) for p in plans.plans] == [(5, 12), (2, 2), (0, 0)]


# -- intended cases --------------------------------------------------------------------------------


def test_half_is_the_limit_of_a_delivery() -> None:
    """A truck delivers twelve road hexes away; thirteen only for passengers that stay aboard."""
    position = place(truck(at="A1"), rifles(at="A1", aboard="t"), board=LANE)
    near = plan(position, want("r", at="A13"))
    assert lines(near)[-2:] == ["unload t r", "phase Assault"]
    assert near.plans[0].score == {
        "value": 1, "distance": 0, "exposure": 0, "points": 12, "moved": 2
    }  # fmt: skip
    far = want("r", at="A14", must=1)
    assert conflict_of(position, far) == [("P.turn-b", {"need": 6.5, "have": 6.0})]
    aboard = plan(position, want("r", at="A14", must=1, carried=True))
    assert aboard.status == "OPTIMAL"
    assert "unload t r" not in lines(aboard)


def test_combined_readings_pick_up_carry_and_set_down() -> None:
    """If loading, carrying and unloading combine, one phase does all of it, within half."""
    readings = {"B1": "combine", "B3": "allowed"}
    position = place(truck(at="A1"), rifles(at="A4"), board=LANE, readings=readings)
    plans = plan(position, want("r", at="A9", must=1))
    assert [line for line in lines(plans) if "move" not in line] == [
        "load t r", "unload t r", "phase Assault",
    ]  # fmt: skip
    literal = place(truck(at="A1"), rifles(at="A4"), board=LANE)
    forbidden = [name for name, _ in conflict_of(literal, want("r", at="A9", must=1))]
    assert sorted(forbidden) == ["P.turn-d", "PB.pay"]


def test_a_unit_that_is_in_the_way_goes_first() -> None:
    """On a road the front truck goes before the one behind it, which could not pass it."""
    position = place(
        truck("a", "A1"), rifles("r", "A1", aboard="a"), truck("b", "A2"),
        rifles("s", "A2", aboard="b"), board=LANE,
    )  # fmt: skip
    goal = Goal(aims=(Aim(units=("r",), at=("A12",)), Aim(units=("s",), at=("A14",))))
    plans = plan(position, goal)
    assert plans.plans[0].score["value"] == 2
    assert lines(plans)[0].startswith("move b")


def test_a_unit_that_stays_in_the_way() -> None:
    """A unit that cannot move spoils the road rate in its hex; proof and why account for it."""
    position = place(
        truck(at="A1"), rifles(at="A1", aboard="t"), unit("g", "german-gun", "A6"), board=LANE
    )
    plans = plan(position, want("r", at="A10"))
    assert plans.status == "OPTIMAL"
    assert plans.plans[0].score["points"] == 8 + 4
    assert conflict_of(position, want("r", at="A13", must=1)) == [
        ("PB.move", {}), ("P.turn-b", {"need": 7.5, "have": 6.0}),
    ]  # fmt: skip


def test_stacking_as_the_phase_ends() -> None:
    """With three units there already no unit is delivered; the clause and its numbers are stated."""
    full = (
        unit("g", "german-gun", "A3"),
        unit("h", "german-gun", "A3"),
        rifles("x", "A3", dispersed="D"),
    )
    position = place(truck(at="A1"), rifles(at="A1", aboard="t"), *full, board=LANE)
    goal = Goal(aims=(Aim(units=("r",), at=("A3",), must=1),), movers=("t", "r"))
    assert conflict_of(position, goal) == [("P.opt-b", {"need": 4, "have": 3})]
    roomy = place(truck(at="A1"), rifles(at="A1", aboard="t"), *full[:1], board=LANE)
    assert plan(roomy, want("r", at="A3", must=1)).status == "OPTIMAL"


def test_the_most_value_where_room_is_short() -> None:
    """Of three riders only as many are unloaded as there is room for, the most valuable first."""
    pairs = [
        u
        for n in range(3)
        for u in (truck(f"t{n}", f"A{n + 1}"), rifles(f"r{n}", f"A{n + 1}", aboard=f"t{n}"))
    ]
    position = place(*pairs, board=LANE)
    goal = want("r0", "r1", "r2", at="A6", each={"r0": 3, "r1": 5, "r2": 4})
    plans = plan(position, goal)
    assert plans.status == "OPTIMAL"
    assert plans.plans[0].score["value"] == 5


def test_hexes_to_avoid_and_threat() -> None:
    """The way round a hex to avoid, and the least threatened way within the same points."""
    from tests.panzer.scenes import FIELD

    position = place(tank(at="C1"), board=FIELD)
    straight = plan(position, want("k", at="C4"))
    assert straight.plans[0].score["points"] == 6
    goal = Goal(aims=(Aim(units=("k",), at=("C4",)),), avoid=("C2",), threat={"C3": 1})
    plans = plan(position, goal)
    assert not {"move k C2", "move k C3"} & set(lines(plans))
    assert plans.plans[0].score["exposure"] == 0


def test_movers_alone_are_moved() -> None:
    """A transport whose passenger is not a mover goes nowhere, and unloads nothing."""
    position = place(truck(at="A1"), rifles(at="A1", aboard="t"), board=LANE)
    goal = Goal(aims=(Aim(units=("t",), at=("A3",)),), movers=("t",))
    assert plan(position, goal).plans[0].score["value"] == 0


def test_a_debt_is_paid_first() -> None:
    """While one of a pair must be removed nothing can be planned: that, and the exceeded limit, is why."""
    full = (rifles("x"), rifles("y"), foe())
    crowd = place(truck(), rifles(aboard="t"), *full, phase="Movement")
    verdict = judge(crowd, "hit t DD")
    goal = want("x", at="C4", must=1)
    assert plan(verdict.position, goal).status == "IMPOSSIBLE"
    assert [name for name, _ in conflict_of(verdict.position, goal)] == ["P.dd-b", "P.opt-b"]
    with without("P.dd-b"):
        assert plan(verdict.position, goal).status == "OPTIMAL"


def test_what_is_not_modelled_is_no_proof() -> None:
    """Where only a way past a counter that is not modelled would do, the answer is UNSUPPORTED, with the clause; else IMPOSSIBLE."""
    for bridge, status, left_out in (
        ("A2", "UNSUPPORTED", ("PB.markers",)),
        ("A9", "IMPOSSIBLE", ()),
    ):
        position = place(rifles(at="A1"), counters={"bridge": bridge}, board=LANE)
        plans = plan(position, want("r", at="A4", must=1))
        assert (plans.status, plans.space.left_out) == (status, left_out)


def test_a_limit_is_no_proof() -> None:
    """With no time left a plan in hand is FEASIBLE, without one UNKNOWN; never IMPOSSIBLE."""
    position = place(truck(at="A1"), rifles(at="A1", aboard="t"), board=LANE)
    for limit in (0.0, 1e-9):
        found = plan(position, want("r", at="A13", must=1), limit=limit)
        assert found.status == "FEASIBLE"
    assert plan(position, want("r", at="A14", must=1), limit=0).status == "UNKNOWN"


def test_what_bars_the_way_is_named() -> None:
    """An unmodelled clause that alone forbids a goal is the reason; enemies in the way are proof."""
    goal = want("t", at="A6", must=1)
    for result, status, clause in (
        ({"counters": {"bridge": "A3"}}, "UNSUPPORTED", "PB.markers"),
        ({}, "IMPOSSIBLE", "PB.enemies"),
    ):
        units = (truck(at="A1"),) if result else (truck(at="A1"), foe(at="A3"))
        found = why(place(*units, board=LANE, **result), goal)
        assert (found.status, [r.clause for r in found.conflict or ()]) == (status, [clause])


def test_numbers_are_those_of_the_least_breach() -> None:
    """Whatever plan violates the clause, the reason states by how little it must be exceeded."""
    carried = unit("g", "german-gun", "A1", aboard="t")
    position = place(truck(at="A1"), tank(at="A3"), carried, board=LANE)
    (reason,) = why(position, want("g", at="A14", must=1)).conflict or ()
    assert (reason.clause, dict(reason.numbers)) == ("P.turn-b", {"need": 6.5, "have": 6})


def test_no_plan_wanders() -> None:
    """Of several plans none takes a more expensive way to the same hex than another, or comes back."""
    position = place(truck(at="A3"), board=LANE)
    found = plan(position, Goal(aims=(Aim(units=("t",), near=("A2",)),)), best=8)
    moves = [[line for line in lines(found, n) if "move" in line] for n in range(8)]
    assert len(found.plans) == 8
    assert all(len(set(path)) == len(path) for path in moves)
    ends = [each.verdict.position.unit("t").at for each in found.plans]
    assert len(set(ends)) == 8
    assert all(path == [] for path, at in zip(moves, ends, strict=True) if at == "A3")
