"""Leaving the map in the space of units that move alone, checked exhaustively in two games."""

from __future__ import annotations

import random
from typing import Any

import pytest

from marchtable.files.notation import format_action
from marchtable.planning.loop import plan
from marchtable.planning.why import why
from marchtable.state.goal import Aim, Goal
from tests.asl import foot_cases
from tests.panzer import scenes as panzer
from tests.slowly import slow_after
from tests.solver.planning.force import every_plan, in_order
from tests.valor import marches_cases
from tests.valor import scenes as valor

TERRAIN = ("Clear", "Clear", "Woods", "Town")


def by_one(rng: random.Random, position: Any, *units: str) -> Goal:
    """Return the goal that units exit by one hex, perhaps with an end in another; the first moves."""
    hexes = list(position.board.index)
    must: Any = rng.choice((None, None, 1, "all"))
    aims = [Aim(units=units, exit=(rng.choice(hexes),), must=must, worth=rng.randint(1, 2))]
    if must is None and rng.random() < 0.4:
        aims.append(Aim(units=units, at=(rng.choice(hexes),), worth=rng.randint(1, 2)))
    orders = (("value", "points"), ("value", "exposure", "points"), ("exposure", "value"))
    order: Any = rng.choice(orders)
    threat = {at: rng.randint(1, 2) for at in hexes if rng.random() < 0.3}
    avoid = (rng.choice(hexes),) if rng.random() < 0.2 else ()
    return Goal(aims=tuple(aims), movers=units, order=order, threat=threat, avoid=avoid)


def is_best(position: Any, goal: Goal) -> None:
    """Compare the plan of one unit that moves alone with all its options."""
    plans = every_plan(position, goal)
    found = plan(position, goal, space="alone")
    if not plans:
        assert found.status == "IMPOSSIBLE"
        return
    assert found.status == "OPTIMAL"
    best = max(in_order(one.score, goal) for one in plans)
    assert in_order(found.plans[0].score, goal) == best


@pytest.mark.parametrize("seed", slow_after(6, range(40)))
def test_a_squad_leaves_as_cheaply_as_by_force(seed: int) -> None:
    """In Valor & Victory, with a crowd, enemies and terrain in its way."""
    case = marches_cases.drawn(seed)
    if case is not None:
        is_best(case.position, by_one(random.Random(seed), case.position, "u"))


@pytest.mark.parametrize("seed", slow_after(6, range(40)))
def test_a_tank_leaves_as_cheaply_as_by_force(seed: int) -> None:
    """In PanzerBlitz, from any hex and with any points spent."""
    rng = random.Random(seed)
    names = [f"{column}{row}" for column in "ABC" for row in (1, 2)]
    board = panzer.field("ABC", 2, {name: {"terrain": rng.choice(TERRAIN)} for name in names})
    spent = 2 * rng.choice((0, 0, 4, 6, 7, 8))
    tank = panzer.tank(at=rng.choice(names), spent=spent, entered=spent > 0)
    position = panzer.place(tank, board=board)
    is_best(position, by_one(rng, position, "k"))


@pytest.mark.parametrize("seed", slow_after(4, range(30)))
def test_infantry_leaves_as_cheaply_as_in_a_space_of_its_own(seed: int) -> None:
    """In ASL one unit alone leaves the map for what `foot` or `transport` finds."""
    case, rng = foot_cases.drawn(seed), random.Random(seed)
    if case is None:
        return
    position: Any = case.position
    own = [u.id for u in position.units if u.side == position.side and u.at is not None]
    edge = [n for n in position.board.index if position.board.is_at_edge(n) and ":" not in n]
    name, by = rng.choice(own), tuple(rng.sample(edge, min(2, len(edge))))
    aim = Aim(units=(name,), exit=by)
    goal = Goal(aims=(aim,), movers=(name,), order=("value", "points"))
    alone, other = plan(position, goal, space="alone"), plan(position, goal)
    assert alone.status == other.status == "OPTIMAL"
    assert alone.plans[0].reached == other.plans[0].reached


def test_whom_it_carries_leaves_with_it() -> None:
    """A truck leaves for its passenger, and both count as off the map; the log is legal."""
    truck = panzer.truck(at="A1")
    position = panzer.place(truck, panzer.rifles(at="A1", aboard="t"), board=panzer.field("AB", 2))
    goal = Goal(aims=(Aim(units=("r",), exit=("A2",), must="all"),), order=("value", "points"))
    found = plan(position, goal, space="alone")
    assert found.status == "OPTIMAL"
    assert [format_action(one) for one in found.plans[0].log] == ["move t A2", "exit t"]
    assert (found.plans[0].score["value"], found.plans[0].score["moved"]) == (1, 2)


def test_nobody_leaves_whom_no_aim_wants_off() -> None:
    """The policy says so, and the verbs list `exit` only if a unit can use it."""
    position = valor.place(valor.unit(at="A1"), board=valor.field("A", 3), phase="Movement")
    at = Goal(aims=(Aim(units=("u",), at=("A3",), must="all"),))
    off = Goal(aims=(Aim(units=("u",), exit=("A3",), must="all"),))
    assert "exit" not in plan(position, at, space="alone").space.verbs
    assert "exit" in plan(position, off, space="alone").space.verbs
    far = Goal(aims=(Aim(units=("u",), exit=("A9",), must="all"),))
    lane = valor.place(valor.unit(at="A1"), board=valor.field("A", 9), phase="Movement")
    assert "V6.3" in {one.clause for one in why(lane, far, space="alone").conflict or ()}
