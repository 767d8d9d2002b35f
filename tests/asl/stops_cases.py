"""Random small positions for plans with several stops, checked against brute force.

``python -m tests.asl.stops_cases FIRST COUNT`` tries many and reports disagreements.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.planning.goals import checked_goal
from marchtable.rules.plan_model import Task
from marchtable.state.records import replace
from marchtable_models.asl.cpsat.stops.model import TransportStops
from marchtable_models.asl.rulebook import RULEBOOK
from marchtable_models.asl.unittype import UnitType
from tests.asl.boards import ASL, foot, load, place, vehicle
from tests.asl.stops_by_force import StopsByForce
from tests.asl.transport_by_force import ALONE, TooManyError
from tests.asl.transport_cases import TYPES as KINDS
from tests.asl.transport_cases import aimed, fault, field_for, vehicles_of
from tests.asl.transport_world import World
from tests.quiet import Quiet

if TYPE_CHECKING:
    from marchtable.state.goal import Goal

__all__ = ["Case", "best", "compared", "drawn"]

MOST_ASKED = 2_500
SAME, TRIES = 20, 9
BUS = {"class": "vehicle", "name": "bus", "column": "tr", "mp": 12, "pp": 30, "truck_type": True,
       "t_number": 5}  # fmt: skip
TANK = {"class": "vehicle", "name": "tank", "column": "ft", "mp": 10, "afv": True, "role": "tank"}
HALF = {"class": "vehicle", "name": "half", "column": "ht", "mp": 10, "pp": 15, "afv": True}
TYPES = (*KINDS, *(msgspec.convert(kind, UnitType) for kind in (BUS, TANK, HALF)))
CARS = ("bus", "bus", "tank", "half", "half", "lorry")


class Case(NamedTuple):
    """A position, a goal, its weights, and the knowledge of the board."""

    position: Any
    goal: Goal
    weights: dict[str, int]
    world: World


@lru_cache(4)
def world_of(number: int, across: int) -> World:
    """Return the knowledge of the board shared by several cases in a row."""
    return World(ALONE, apart=True)


def drawn(seed: int, *, most: int = 4, across: int = 3) -> Case | None:
    """Return a random case with units aboard, or None."""
    found = field_for(seed // SAME, across)
    if found is None:
        return None
    random = Random(f"stops {seed} {most}")
    found = found._replace(world=world_of(seed // SAME, across))
    tries = (_drawn(random, found, most) for _ in range(TRIES))
    return next((case for case in tries if case is not None), None)


def _drawn(random: Random, found: Any, most: int) -> Case | None:
    names = list(found.board.index)
    cars = random.choice((1, 1, 1, 2)) if most > 2 else 1
    units = [
        vehicle(f"t{n}", random.choice(CARS), random.choice(names), moving=random.random() < 0.1,
                facing=random.choice(("E", "NNE", "W", "SSE")))
        for n in range(cars)
    ]  # fmt: skip
    if units[0].type in ("bus", "lorry") and random.random() < 0.3 and most > cars + 1:
        units[0] = replace(units[0], towing="g")
        units.append(foot("g", "piece", at=units[0].at, towed_by="t0"))
    units += [_man(random, f"u{n}", units[:cars], names)
              for n in range(random.randint(2, max(2, most - len(units))))]  # fmt: skip
    others = (foot(f"x{n}", at=found.crowd) for n in range(random.choice((0, 0, 0, 2, 3))))
    position = place(found.board, *units, *others, types=TYPES, year=1943)
    try:
        ASL.check_position(position)
    except ValueError:
        return None
    return Case(*aimed(random, position, found))


def _man(random: Random, name: str, cars: list[Any], names: list[str]) -> Any:
    car = random.choice(cars) if random.random() < 0.75 else None
    beside = random.choice(cars).at if random.random() < 0.6 else random.choice(names)
    kind = random.choice(("squad", "half-squad", "half-squad"))
    riding = car is not None and (
        car.type == "tank" or (car.type == "half" and random.random() < 0.3)
    )
    return foot(name, kind, at=car.at if car else beside, aboard=car.id if car else None,
                cx=random.random() < 0.95, sw=load(random.choice((1, 3, 5))), riding=riding)  # fmt: skip


def best(position: Any, goal: Goal, **weights: int) -> tuple[TransportStops, Any]:
    """Return the model of a problem and the best result it finds."""
    model = TransportStops(RULEBOOK, position, checked_goal(goal, position))
    task: Any = Task(weights, {}, {})  # type: ignore[arg-type]
    return model, model.best(task, Quiet())


def compared(case: Case) -> str | None:
    """Return the errors in the answer to a case, or None if it is too large."""
    position, goal, weights, world = case
    model, found = best(position, goal, **weights)
    force = StopsByForce(
        position, model.goal, vehicles_of(model), model.space.verbs, weights, world=world, most=MOST_ASKED,
    )  # fmt: skip
    try:
        known = force.best()
    except TooManyError:
        return None
    return fault(model, found, weights, known)


def main() -> None:
    """Try cases and report the wrong ones."""
    first, number = int(sys.argv[1]), int(sys.argv[2])
    tried = wrong = large = 0
    for seed in range(first, first + number):
        case = drawn(seed, most=3 + seed % 2)
        if case is None:
            continue
        found = compared(case)
        tried += found is not None
        large += found is None
        if found:
            wrong += 1
            sys.stdout.write(f"{seed} {found}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{tried} cases, {large} too large, {wrong} wrong\n")


if __name__ == "__main__":
    main()
