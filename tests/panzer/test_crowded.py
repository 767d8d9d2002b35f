"""Deliveries where units are in each other's way: on roads, in stacks, as the phase ends."""

from __future__ import annotations

import itertools
from random import Random
from typing import Any

import pytest

from marchtable.budget import Budget, OverLimit, budget_scope
from marchtable.cpsat.harness import Stop
from marchtable.planning.goals import checked_goal
from marchtable.planning.loop import plan
from marchtable.planning.score import Measure
from marchtable.rules.clause import without
from marchtable.rules.plan_model import Task
from marchtable.state.goal import Aim, Goal
from marchtable_models.panzer.cpsat.delivery import Delivery
from marchtable_models.panzer.model import UnitType
from tests.panzer.every_plan import SIGNS, best_by_force, ends_by_force
from tests.panzer.scenes import bars, foe, grid, place, rifles, truck, unit, wagon
from tests.panzer.test_delivery import Limit, conflict_of, lines, want
from tests.panzer.test_transport import LANE
from tests.slowly import slow_after

MOST, SCENES = 900, 12
ROAD = [f"A{n}" for n in range(1, 5)]
PLACES = [*ROAD, "B1", "B2"]
CART = UnitType(
    name="cart", class_="C", kind="vehicle", faction="german", column="truck", mf=2
)  # fmt: skip
"""Four hexes by road, one off it, and half of that if it unloads: all of it can be tried."""
READINGS: tuple[dict[str, str], ...] = (
    {}, {"B1": "combine", "B3": "allowed"}, {"P.opt-b-road": "panzer-leader", "B4": "yes"},
    {"P.opt-b-stacking": "panzer-leader", "B1": "combine"}, {"B5": "sum", "B14": "phase-end"},
)  # fmt: skip


def scene(seed: int) -> tuple[Any, Goal]:
    """Return a small position of carts and walkers on and beside a road, and a delivery."""
    random = Random(seed)
    units: list[Any] = []
    for number in range(2):
        at = random.choice(ROAD[:3])
        units.append(unit(f"t{number}", "cart", at, height=1))
        if random.random() < 0.6:
            units.append(unit(f"p{number}", "german-rifles", at, aboard=f"t{number}"))
    kind = random.choice(["german-rifles", "german-gun"])
    units.append(unit("r", kind, random.choice(PLACES)))
    places: dict[str, dict[str, Any]] = {at: {} for at in ROAD}
    places |= {"B1": {}, "B2": random.choice([{}, {"terrain": "Marsh"}])}
    board = grid(places, {f"{a}-{b}": {"road": "Dirt Road"} for a, b in itertools.pairwise(ROAD)})
    readings = random.choice(READINGS)
    position = place(*units, board=board, readings=readings, conditions={"types": (CART,)})
    names = tuple(u.id for u in units)
    aim = Aim(
        units=names, at=tuple(random.sample(PLACES, 2)), must=random.choice([None, None, 2]),
        each={name: random.randint(0, 5) for name in names},
    )  # fmt: skip
    return position, checked_goal(Goal(aims=(aim,), order=("value", "points")), position)


@pytest.mark.slow
def test_best_on_crowded_roads() -> None:
    """On crowded roads, under any reading, the plan is the best of all the referee allows."""
    compared = 0
    for seed in range(SCENES):
        position, goal = scene(seed)
        best = best_by_force(position, goal, MOST)
        if best is None:
            continue
        compared += 1
        plans = plan(position, goal)
        if not best:
            assert plans.status == "IMPOSSIBLE", seed
            continue
        assert plans.status == "OPTIMAL", seed
        score = plans.plans[0].score
        assert tuple(SIGNS[name] * score[name] for name in goal.order) == best, seed
    assert compared >= SCENES // 3


def test_one_of_two_in_the_way() -> None:
    """Two trucks wait behind a third on the road: all three arrive, the front one first."""
    pairs = [
        u
        for n in range(3)
        for u in (truck(f"t{n}", f"A{n + 1}"), rifles(f"r{n}", f"A{n + 1}", aboard=f"t{n}"))
    ]
    aims = tuple(Aim(units=(f"r{n}",), at=(f"A{n + 12}",)) for n in range(3))
    plans = plan(place(*pairs, board=LANE), Goal(aims=aims))
    assert plans.status == "OPTIMAL"
    assert plans.plans[0].score["value"] == 3
    firsts = [line.split()[1] for line in lines(plans) if line.startswith("move")]
    assert [name for name, _ in itertools.groupby(firsts)] == ["t2", "t1", "t0"]


@pytest.mark.parametrize("order", ["ab", "ba"])
def test_cargo_that_cannot_be_set_down(order: str) -> None:
    """Which of two like trucks has the cargo in order does not depend on the listing order."""
    readings = {"B1": "combine", "B3": "allowed", "B5": "sum"}
    pairs = {
        "a": (truck("a", "A1"), rifles("p", "A1", aboard="a", dispersed="D")),
        "b": (truck("b", "A1"), rifles("q", "A1", aboard="b")),
    }
    units = [u for name in order for u in pairs[name]]
    position = place(*units, unit("x", "german-gun", "A3"), board=LANE, readings=readings)
    assert plan(position, want("x", at="A5", must=1, carried=True)).status == "OPTIMAL"


@pytest.mark.parametrize("order", ["xy", "yx"])
def test_a_marker_beside_a_like_passenger(order: str) -> None:
    """Of two like passengers one is beside a wreck; the other is loaded in any listing order."""
    readings = {"B1": "combine", "P.opt-b-stacking": "panzer-leader"}
    waiting = {"x": rifles("x", "A3"), "y": rifles("y", "A6")}
    units = [waiting[name] for name in order]
    position = place(
        truck(at="A5"), *units, board=LANE, readings=readings, counters={"wreck": "A3"}
    )
    found = plan(position, want("y", at="A9", must=1, carried=True), limit=5)
    assert found.status == "OPTIMAL"


def test_a_stack_that_is_too_high_from_the_start() -> None:
    """If the phase cannot be ended nothing is planned, and that is found at once."""
    crowd = [rifles(f"x{n}", "A20", dispersed="D") for n in range(4)]
    position = place(*crowd, truck("t0", "A1"), truck("t1", "A2"), board=LANE)
    goal = want("t0", at="A9", must=1)
    assert [name for name, _ in conflict_of(position, goal)] == ["PB.dispersed", "P.opt-b"]


def test_factions_that_share_a_hex() -> None:
    """Germans stack three, Russians two: beside a Russian unit the lower limit leaves room for one German.

    By the reading `most` the higher limit counts, and there is room for two.
    """
    units = (unit("x", "russian-rifles", "A3", dispersed="D"), rifles("a", "A2"), rifles("b", "A4"))
    more = (truck("t0", "A9"), truck("t1", "A10"))
    position = place(*units, *more, board=LANE)
    plans = plan(position, want("a", "b", at="A3"))
    assert plans.status == "OPTIMAL"
    assert plans.plans[0].score["value"] == 1
    most = place(*units, *more, board=LANE, readings={"P.opt-b-mixed": "most"})
    assert plan(most, want("a", "b", at="A3")).plans[0].score["value"] == 2


def test_nothing_is_impossible_without_a_clause() -> None:
    """A unit that has fired, one without MF, the wrong phase, a marsh: each has its clause."""
    fired = place(rifles(at="A1", fired="now"), board=LANE, readings={"PB.move-fired": "barred"})
    gun = place(unit("r", "german-gun", "A1"), board=LANE)
    assault = place(rifles(at="A1"), board=LANE, phase="Assault")
    wet = grid({"A1": {}, "A2": {"terrain": "Marsh"}})
    for position, name in (
        (fired, "r"),
        (gun, "r"),
        (assault, "r"),
        (place(wagon(at="A1"), board=wet), "w"),
    ):
        assert conflict_of(position, want(name, at="A2", must=1)), position


@pytest.mark.clause("P.elig-a")
def test_armour_carries_nothing_by_itself() -> None:
    """Without the clause on riders an armored vehicle carries no more than other non-class-C units."""
    position = place(unit("k", "pz-iv-h", "A1"), rifles(at="A1"), board=LANE)
    assert bars(position, "load k r") == set()
    with without("P.elig-c"):
        assert bars(position, "load k r") == {"P.elig-a"}


def guns_on_roads() -> Any:
    """Return two guns on hexes with roads between all of them."""
    slope, names = {"terrain": "Slope"}, ["A1", "A2", "A3", "A4", "B2", "B3", "B4", "B5"]
    hexes = {name: slope if name in ("A1", "B2", "B3", "B5") else {} for name in names}
    hexes["A3"] = {"terrain": "Stone Building"}
    sides = ("A1-A2", "A1-B2", "A2-A3", "A2-B3", "A2-B2", "A3-A4", "A3-B4", "A3-B3", "A4-B5",
             "A4-B4", "B2-B3", "B3-B4", "B4-B5")  # fmt: skip
    board = grid(hexes, {side: {"road": "Dirt Road"} for side in sides})
    guns = unit("v", "su-76", "A4", side="russian"), unit("w", "su-76", "A1", side="russian")
    return place(*guns, board=board, side="russian")


def test_a_way_about_that_costs_the_same() -> None:
    """Where all ways are roads a blocked unit goes round at the same price: no endless cuts."""
    position = guns_on_roads()
    found = plan(position, Goal(aims=(Aim(units=("v", "w"), at=("B5",)),)), limit=5)
    assert (found.status, found.plans[0].reached[:2]) == ("OPTIMAL", (2, 0))


@pytest.mark.parametrize("seed", slow_after(2, range(6)))
def test_all_that_differ_on_a_road(seed: int) -> None:
    """On a road whose units meet, best lists each division of points once, in order, and all of them."""
    random = Random(seed)
    road = grid(
        {at: {} for at in ROAD},
        {f"{a}-{b}": {"road": "Dirt Road"} for a, b in itertools.pairwise(ROAD)},
    )
    kinds = ["cart", "german-rifles", "german-engineers"]
    units = [unit(f"u{n}", random.choice(kinds), random.choice(ROAD[:3])) for n in range(2)]
    position = place(*units, board=road, conditions={"types": (CART,)})
    goal = checked_goal(Goal(aims=(Aim(units=("u0",), at=("A4",)),), order=("points",)), position)
    ends = ends_by_force(position, goal, 4000)
    assert ends is not None
    plans = plan(position, goal, best=len(ends) + 1)
    assert plans.complete
    assert plans.unsettled is None
    measure = Measure(position, goal)
    found = [measure.of(one.verdict).projection for one in plans.plans]
    assert [one.score["points"] for one in plans.plans] == sorted(
        sum(spent for _, _, spent in e) for e in ends
    )
    assert set(found) == ends


def test_places_are_exchanged_in_every_order() -> None:
    """A unit that waits for another that waits for a third goes last; none takes a worse way."""
    plans = plan(*scene(1820), best=4)
    assert [one.reached for one in plans.plans] == [(6, 4), (6, 5), (6, 10), (5, 2)]
    assert {one.status for one in plans.plans} == {"OPTIMAL"}
    cheap = unit("t", "german-truck", "A1")
    road = grid(
        {"A1": {}, "A2": {}, "B1": {}, "B2": {}},
        {"A1-B2": {"road": "Dirt Road"}, "B2-B1": {"road": "Dirt Road"}},
    )
    goal = Goal(aims=(Aim(units=("t",), at=("B1",)),), order=("value", "points"))
    found = plan(place(cheap, board=road), goal, best=20)
    assert found.complete
    ends = [one.verdict.position.unit("t").at for one in found.plans]
    assert len(ends) == len({*ends})


def test_putting_in_order_counts_towards_the_limit() -> None:
    """Search for an order counts as work, besides CP-SAT's, and ends at a limit."""
    position = guns_on_roads()
    goal = checked_goal(Goal(aims=(Aim(units=("v", "w"), at=("B5",)),)), position)
    task = Task({"points": -1}, {"value": 2}, {})
    budget = Budget(60, Stop())
    with budget_scope(budget):
        assert Delivery(position, goal).best(task, Limit()).log is not None
    assert budget.used > 0
    with budget_scope(Budget(budget.used / 2, Stop())), pytest.raises(OverLimit):
        Delivery(position, goal).best(task, Limit())


@pytest.mark.usefixtures("_no_clock")
def test_a_unit_in_the_way_of_two() -> None:
    """Between a staying and an approaching unit it pays twice: that is found in few steps."""
    units = (unit("u", "pz-iv-h", "A1"), truck("x", "A2"), truck("y", "A4"), foe(at="A20"))
    position = place(*units, board=LANE)
    goal = Goal(aims=(Aim(units=("u", "y"), at=("A3",)),), order=("value", "moved", "points"))
    found = plan(position, goal, limit=1)
    assert (found.status, found.plans[0].reached) == ("OPTIMAL", (2, 2, 5))
