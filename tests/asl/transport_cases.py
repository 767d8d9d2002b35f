"""Random small positions to plan transport in, and how an answer is held against brute force.

``python -m tests.asl.transport_cases FIRST COUNT`` tries many and tells of those that disagree.
"""

from __future__ import annotations

import sys
from random import Random
from typing import Any, NamedTuple

import msgspec

from marchtable.cpsat import Status, Stop, enumerate_all
from marchtable.notation import format_action
from marchtable.planning.goal import CRITERIA, Aim, Goal
from marchtable.planning.goals import checked_goal
from marchtable.planning.model import Task
from marchtable.planning.score import Measure
from marchtable.referee import check
from marchtable_models.asl.cpsat.transport.model import Transport
from marchtable_models.asl.cpsat.transport.program import Program
from marchtable_models.asl.cpsat.transport.replay import groups_of
from marchtable_models.asl.rulebook import RULEBOOK
from marchtable_models.asl.unittype import UnitType
from tests.asl.boards import ASL, field, foot, load, place, vehicle
from tests.asl.transport_by_force import ByForce

__all__ = ["Case", "Quiet", "best", "compared", "drawn", "enumerated"]

MOST_COMBINATIONS = 400


def _kind(**fields: Any) -> UnitType:
    return msgspec.convert({"class": "vehicle", **fields}, UnitType)


TYPES = (
    _kind(name="lorry", column="tr", mp=6, pp=11, truck_type=True),
    _kind(name="track", column="ht", mp=4, pp=15, afv=True),
    _kind(name="crawler", column="ft", mp=3, pp=10, afv=True),
)
TERRAIN = ("Woods", "Brush", "Grain", *["Open Ground"] * 3)


class Quiet:
    """A control that grants whatever is asked for."""

    seed = 0

    def __init__(self) -> None:
        self.stop = Stop()

    def left(self) -> float:
        """Return plenty."""
        return 60.0

    def spend(self, time: float) -> None:
        """Take no note."""

    def found(self, log: object) -> None:
        """Take no note."""

    def bounded(self, bound: int) -> None:
        """Take no note."""


class Case(NamedTuple):
    """A position, a goal and what counts how much."""

    position: Any
    goal: Goal
    weights: dict[str, int]


def best(position: Any, goal: Goal, **weights: int) -> tuple[Transport, Any]:
    """Return the model of a problem and what it finds best."""
    model = Transport(RULEBOOK, position, checked_goal(goal, position))
    task: Any = Task(weights, {}, {})  # type: ignore[arg-type]
    return model, model.best(task, Quiet())


def drawn(seed: int, *, most: int = 4, across: int = 5) -> Case | None:
    """Return a random case of up to so many units on up to so many columns; None if it is none."""
    random = Random(seed)
    names = [f"{chr(65 + u)}{v + 1}" for u in range(random.randint(2, across))
             for v in range(random.randint(1, across))]  # fmt: skip
    names = list(dict.fromkeys(names))
    board = field({name: {"terrain": random.choice(TERRAIN)} for name in names})
    if len(board.index) < 2:
        return None
    cars = random.choice((1, 1, 1, 2)) if most > 2 else 1
    units = [
        vehicle(f"t{n}", random.choice(("lorry", "track", "crawler")), random.choice(names),
                moving=random.random() < 0.15, facing=random.choice(("E", "NNE", "W", "SSE")))
        for n in range(cars)
    ]  # fmt: skip
    units += [_man(random, f"u{n}", units[:cars], names)
              for n in range(random.randint(1, most - cars))]  # fmt: skip
    crowd = random.choice(names)
    crowded = random.choice((0, 0, 0, 2, 3))
    position = place(board, *units, *(foot(f"x{n}", at=crowd) for n in range(crowded)), types=TYPES)
    try:
        ASL.check_position(position)
    except ValueError:
        return None
    return _aimed(random, position, names, cars)


def _man(random: Random, name: str, cars: list[Any], names: list[str]) -> Any:
    car = random.choice(cars) if random.random() < 0.3 else None
    beside = random.choice(cars).at if random.random() < 0.4 else random.choice(names)
    kind = random.choice(("squad", "squad", "half-squad"))
    pp = random.choice((5, 6)) if kind == "squad" else random.choice((2, 3))
    return foot(name, kind, at=car.at if car else beside, aboard=car.id if car else None,
                cx=random.random() < 0.8, sw=load(pp))  # fmt: skip


def _aimed(random: Random, position: Any, names: list[str], cars: int) -> Case:
    carried = tuple(unit.id for unit in position.units if unit.id[0] == "u")
    movers = (*carried, *(unit.id for unit in position.units[:cars]))
    aims = [Aim(units=carried, near=(random.choice(names),), carried=random.random() < 0.3)]
    if random.random() < 0.5:
        aims.append(Aim(units=movers, at=(random.choice(names), random.choice(names)),
                        must=random.choice((None, None, 1))))  # fmt: skip
    weights = {"value": random.choice((0, 10, 50)), "distance": -random.choice((0, 5, 20)),
               "points": -random.choice((0, 1, 1, 3))}  # fmt: skip
    return Case(position, Goal(aims=tuple(aims), movers=movers), weights)


def compared(case: Case) -> str:
    """Return what is wrong with the answer to a case, nothing if it is that of brute force."""
    position, goal, weights = case
    model, found = best(position, goal, **weights)
    order = sorted(model.gathered.order, key=model.gathered.order.__getitem__)
    known = ByForce(position, model.goal, order, model.space.verbs).best(weights)
    log = "; ".join(map(format_action, found.log or ()))
    if found.bound != known:
        return f"bound {found.bound}, by force {known}: {log}"
    if found.log is None:
        return "" if found.status == "IMPOSSIBLE" else found.status
    measured = Measure(position, model.goal).of(check(position, found.log))
    worth = sum(weights.get(c, 0) * measured.score[c] for c in CRITERIA)
    return "" if measured.is_kept and worth == found.bound else f"worth {worth}: {log}"


def enumerated(case: Case) -> str | None:
    """Return how all solutions differ from all plans by force; None if there are too many."""
    model = Transport(RULEBOOK, case.position, checked_goal(case.goal, case.position))
    model.sieve.whole = True
    task: Any = Task(case.weights, {}, {})  # type: ignore[arg-type]
    columns = model.sieve.columns(task)
    count = 1
    for offers in columns.offers.values():
        count *= len(offers)
    for trips in columns.trips.values():
        count *= len(trips)
    if count > MOST_COMBINATIONS:
        return None
    program = Program(model.gathered, columns, None, ())
    status, solutions = enumerate_all(program.model, list(program.literals))
    assert status in (Status.OPTIMAL, Status.IMPOSSIBLE)
    ends = set()
    for values in solutions:
        groups = groups_of(model.clock, program.plan(values))
        run, is_whole, _ = model.rehearsal.acted(groups)
        if is_whole:
            measured = model.gathered.measure.of(run.verdict)
            assert measured.is_kept
            ends.add(measured.projection)
    order = sorted(model.gathered.order, key=model.gathered.order.__getitem__)
    force = ByForce(case.position, model.goal, order, model.space.verbs, whole=True)
    known = {projection for _, projection in force.ends()}
    if ends == known:
        return ""
    return f"only by CP-SAT {sorted(ends - known)[:3]}, only by force {sorted(known - ends)[:3]}"


def main() -> None:
    """Try cases and tell of those that are wrong."""
    first, number = int(sys.argv[1]), int(sys.argv[2])
    tried = wrong = listed = 0
    for seed in range(first, first + number):
        case = drawn(seed)
        if case is None:
            continue
        tried += 1
        told = compared(case)
        more = enumerated(case)
        listed += more is not None
        if told or more:
            wrong += 1
            sys.stdout.write(f"{seed} {told} {more}\n")
    sys.stdout.write(f"{tried} cases, {listed} enumerated, {wrong} wrong\n")


if __name__ == "__main__":
    main()
