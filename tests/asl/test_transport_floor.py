"""Columns left out by what plans are worth: nothing is lost by it, and the prices tell bounds."""

from __future__ import annotations

from itertools import chain, combinations
from random import Random
from typing import Any

import numpy as np
import pytest

from marchtable.cpsat import solve
from marchtable.planning.goal import Aim, Goal
from marchtable.planning.goals import checked_goal
from marchtable.planning.model import Task
from marchtable_models.asl.cpsat.relaxed import Relaxed
from marchtable_models.asl.cpsat.transport import floor as floors
from marchtable_models.asl.cpsat.transport.floor import SCALE, Floor, _fitting
from marchtable_models.asl.cpsat.transport.floors import Floors
from marchtable_models.asl.cpsat.transport.model import Transport
from marchtable_models.asl.cpsat.transport.packing import Pack, repriced
from marchtable_models.asl.cpsat.transport.program import Program
from marchtable_models.asl.rulebook import RULEBOOK
from tests.asl.boards import field, foot, place, vehicle
from tests.quiet import Quiet

NAMES = [f"{chr(65 + u)}{v + 1}" for u in range(7) for v in range(3)]


def crowd(
    seed: int, least: tuple[int, int] = (2, 2), most: tuple[int, int] = (3, 5)
) -> tuple[Any, Goal, Task]:
    """Return vehicles and squads in a corner, so that they are in each other's way, and a goal."""
    random = Random(seed)
    corner = [name for name in NAMES if name[0] in "AB"]
    board = field({name: {"terrain": random.choice(("Open Ground", "Grain"))} for name in NAMES})
    cars = [vehicle(f"t{n}", random.choice(("opel-blitz", "spw-251")), random.choice(corner),
                    facing=random.choice(("E", "NNE")), moving=False)
            for n in range(random.randint(least[0], most[0]))]  # fmt: skip
    men = [foot(f"u{n}", random.choice(("squad", "half-squad")), at=random.choice(cars).at,
                cx=random.random() < 0.5, spent=(spent := random.choice((0, 0, 1, 2, 3))), used=spent)
           for n in range(random.randint(least[1], most[1]))]  # fmt: skip
    position = place(board, *cars, *men)
    units = tuple(man.id for man in men)
    worth = {name: random.randint(1, 3) for name in units}
    driven = tuple(car.id for car in cars)
    aims = (
        Aim(units=units, near=("G2",), each=worth, carried=True),
        Aim(units=driven, near=(random.choice(NAMES),)),
    )
    goal = checked_goal(Goal(aims=aims, movers=(*units, *driven)), position)
    return position, goal, Task({"distance": -random.choice((5, 40)), "points": -1}, {}, {})


def answer(seed: int) -> tuple[str, int | None]:
    """Return status and bound."""
    position, goal, task = crowd(seed)
    found = Transport(RULEBOOK, position, goal).best(task, Quiet())
    return found.status, found.bound


def test_the_answer_is_the_same_without_floors(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is left out below a floor never changes what is proved, and floors are in use."""
    used = []
    real = Floors.next

    def noted(self: Floors, *told: Any) -> Floor | None:
        used.append(real(self, *told))
        return used[-1]

    monkeypatch.setattr(Floors, "next", noted)
    with_floors = [answer(seed) for seed in range(12)]
    monkeypatch.setattr(Floors, "next", lambda *_: None)
    assert [answer(seed) for seed in range(12)] == with_floors
    assert any(floor is not None for floor in used)


@pytest.mark.parametrize("more", [0, 300])
def test_whoever_rides_in_the_best_plan_is_left_in(
    monkeypatch: pytest.MonkeyPatch, more: int
) -> None:
    """With the best as the floor it is still found, however high prices are, those of who must board too."""
    dear = more * SCALE

    def raised(_: Any, alone: dict[str, int], prices: dict[str, int]) -> dict[str, int]:
        return {name: max(alone[name], price) + dear for name, price in prices.items()}

    if more:
        monkeypatch.setattr(floors, "repriced", raised)
    riding = 0
    for seed in range(24):
        position, goal, task = crowd(seed, *(((1, 1), (1, 1)) if more else ()))
        model = Transport(RULEBOOK, position, goal)
        columns = model.sieve.columns(task)
        best, plan = chosen(model, task, columns)
        floor = Floor(model.gathered, task, columns)
        floor.least = best
        assert chosen(model, task, model.sieve.columns(task, floor))[0] == best
        riding += any(offer.trip is not None for offer in plan.offers.values())
    assert riding > 4


def chosen(model: Transport, task: Task, columns: Any) -> tuple[int, Any]:
    """Return what the best choice among columns is worth, and the choice."""
    program = Program(model.gathered, columns, task, ())
    outcome = solve(program.model, "knapsack", seed=1)
    assert outcome.objective is not None
    return outcome.objective, program.plan(outcome.solver.response_proto.solution)


@pytest.mark.parametrize("seed", range(8))
def test_no_plan_is_worth_more_than_the_top(seed: int) -> None:
    """Prices tell a bound that the best plan does not exceed."""
    position, goal, task = crowd(seed)
    model = Transport(RULEBOOK, position, goal)
    floor = Floor(model.gathered, task, model.sieve.columns(task))
    found = model.best(task, Quiet())
    assert floor.is_of_use
    assert found.bound is not None
    assert found.bound * SCALE <= floor.top


@pytest.mark.parametrize("seed", range(30))
def test_a_filled_vehicle_gets_the_most_that_fits(seed: int) -> None:
    """Both ways to fill a vehicle agree with all subsets."""
    random = Random(seed)
    names = [f"u{n}" for n in range(random.randint(1, 5))]
    best = {name: random.randint(-5, 30) for name in names}
    sizes = {name: random.randint(0, 6) for name in names}
    room, prices = random.randint(0, 12), {name: random.randint(0, 9) for name in names}
    pack = Pack("t", 7, best, sizes, room, None)
    subsets = chain.from_iterable(combinations(names, n) for n in range(len(names) + 1))
    known = max(
        sum(best[name] - prices[name] for name in some)
        for some in subsets
        if sum(sizes[name] for name in some) <= room
    )
    worth, chosen = pack.filled(prices)
    assert worth == 7 + known
    assert worth == 7 + sum(best[name] - prices[name] for name in chosen)
    gains = np.array([[max(0, best[name] - prices[name])] for name in names])
    assert _fitting(gains, np.array([*sizes.values()]), room).tolist() == [known]


def test_who_counts_must_board() -> None:
    """Where somebody must board who loses by it, he who loses least does."""
    pack = Pack("t", 10, {"a": 3, "b": 4}, {}, 0, ("a", "b"))
    assert pack.filled({"a": 5, "b": 9}) == (8, ["a"])
    assert pack._replace(counted=None).filled({"a": 5, "b": 9}) == (10, [])


def test_prices_are_lowered_until_vehicles_agree() -> None:
    """Two vehicles after the same unit promise no more than one of them can get."""
    packs = [Pack(car, 0, {"u": 10}, {}, 0, None) for car in ("s", "t")]
    assert repriced(packs, {"u": 1}, {"u": 1}) == {"u": 10}


def test_rows_have_prices() -> None:
    """A row's price is what more of its bound would add to the largest sum."""
    rows = Relaxed(3)
    rows.one_of([0, 1])
    rows.total([(0, 2), (2, 1)], most=2)
    rows.not_two([2, ~1])
    rows.maximize([(0, 5), (1, 1), (2, 2)])
    found = rows.prices()
    assert found is not None
    # x0 = 1 is worth 5; x1 = x2 = 1 is worth 3
    assert found[0] * 1 + found[1] * 2 + found[2] * 0 == pytest.approx(5)
