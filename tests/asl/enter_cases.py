"""Random small positions with units waiting off the map, checked against brute force.

``python -m tests.asl.enter_cases FIRST COUNT [stops|foot] [narrow]`` tries many and reports
disagreements.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from random import Random
from typing import Any

import msgspec

from marchtable.state.records import replace
from tests.asl import foot_cases, stops_cases, transport_cases
from tests.asl.boards import ASL, foot, load, on_edge, place, vehicle
from tests.asl.stops_cases import TYPES
from tests.asl.transport_by_force import ALONE
from tests.asl.transport_cases import Case, aimed, field_for
from tests.asl.transport_world import World

__all__ = ["compared", "drawn", "walking"]

SAME, TRIES = 20, 12
CARS = ("lorry", "lorry", "bus", "track", "panzer", "half")
OUTSIDE = ("panzer",)


@lru_cache(4)
def world_of(number: int, *, apart: bool) -> World:
    """Return the knowledge of the board shared by several cases in a row."""
    return World(ALONE, apart=apart)


def drawn(
    seed: int, *, most: int = 4, across: int = 5, stops: bool = False, narrow: bool = False
) -> Case | None:
    """Return a random case in which a unit waits off the map, or None.

    In a narrow case all enter by one hex that holds other units.
    """
    found = field_for(seed // SAME, across)
    if found is None:
        return None
    random = Random(f"enter {seed} {most}")
    found = found._replace(world=world_of(seed // SAME, apart=stops))
    tries = (_drawn(random, found, most, narrow=narrow) for _ in range(TRIES))
    return next((case for case in tries if case is not None), None)


def _drawn(random: Random, found: Any, most: int, *, narrow: bool) -> Case | None:
    board = found.board
    names, edge = list(board.index), on_edge(board, board.index)
    cars = random.choice((0, 1, 1, 2, 2)) if most > 2 else 1
    units = [_car(random, f"t{n}", names, edge) for n in range(cars)]
    if cars and units[0].type in ("lorry", "bus") and random.random() < 0.3 and most > cars + 1:
        units[0] = replace(units[0], towing="g")
        units.append(foot("g", "piece", at=units[0].at, towed_by="t0"))
    units += [_man(random, f"u{n}", units[:cars], names, edge)
              for n in range(random.randint(1, max(1, most - len(units))))]  # fmt: skip
    if narrow:
        units, others = _narrowed(random, units, edge)
    else:
        crowd = random.choice((0, 0, 0, 2, 3))
        others = [foot(f"x{n}", at=found.crowd) for n in range(crowd)]
    if all(unit.at is not None for unit in units):
        return None
    position = place(board, *units, *others, types=TYPES, year=1943)
    try:
        ASL.check_position(position)
    except ValueError:
        return None
    return aimed(random, position, found)


def _narrowed(random: Random, units: list[Any], edge: list[str]) -> tuple[list[Any], list[Any]]:
    """Return units that enter by one hex, and the Infantry and vehicle that stand there."""
    at = random.choice(edge)
    found = [replace(unit, entering=unit.offboard.entering and (at,)) for unit in units]
    others = [foot(f"x{n}", at=at) for n in range(random.choice((0, 1, 2, 2)))]
    if random.random() < 0.2:
        others.append(vehicle("y", "lorry", at, moving=False, immobile=True))
    return found, others


def _some(random: Random, edge: list[str]) -> tuple[str, ...]:
    return tuple(sorted(random.sample(edge, random.randint(1, min(3, len(edge))))))


def _car(random: Random, name: str, names: list[str], edge: list[str]) -> Any:
    facing = random.choice(("E", "NNE", "W", "SSE", "SSW", "NNW"))
    kind, waits = random.choice(CARS), random.random() < 0.75
    if not waits:
        return vehicle(name, kind, random.choice(names), moving=False, facing=facing)
    moving = random.random() < 0.8
    return vehicle(name, kind, None, moving=moving, facing=facing, entering=_some(random, edge))


def _man(random: Random, name: str, cars: list[Any], names: list[str], edge: list[str]) -> Any:
    car = random.choice(cars) if cars and random.random() < 0.6 else None
    kind = random.choice(("squad", "squad", "half-squad"))
    found = {"cx": random.random() < 0.8, "sw": load(random.choice((1, 3, 5)))}
    if car is not None:
        riding = car.type in OUTSIDE
        return foot(name, kind, at=car.at, aboard=car.id, riding=riding, **found)
    beside = [car.at for car in cars if car.at]
    if random.random() < 0.6:
        by = tuple(at for at in beside if at in edge) if random.random() < 0.5 else ()
        return foot(name, kind, at=None, entering=by or _some(random, edge), **found)
    at = random.choice(beside) if beside and random.random() < 0.5 else random.choice(names)
    return foot(name, kind, at=at, **found)


def walking(seed: int, *, narrow: bool = False) -> foot_cases.Case | None:
    """Return a random case of Infantry on foot, some waiting off the map, or None.

    In a narrow case all enter by one hex that holds other units.
    """
    case = foot_cases.drawn(seed, across=4)
    if case is None:
        return None
    random = Random(f"walking {seed}")
    position, goal, weights = case
    edge = on_edge(position.board, position.board.index)
    units = [position.unit(name) for name in goal.movers]
    found = {str(unit.at): _some(random, edge) for unit in units}
    home = units[0].at
    waits = [
        replace(unit, at=None, entering=found[str(unit.at)])
        for unit in units
        if unit.at == home or random.random() < 0.3
    ]
    if narrow:
        waits, others = _narrowed(random, waits, edge)
        both = (*position.units, *(unit for unit in others if unit.facing is None))
        position = msgspec.structs.replace(position, units=tuple({u.id: u for u in both}.values()))
    return foot_cases.Case(position.with_units(waits), goal, weights)


def compared(case: Case, *, stops: bool = False) -> str | None:
    """Return the errors in the answer to a case, or None if it is too large."""
    if stops:
        return stops_cases.compared(stops_cases.Case(*case))
    return transport_cases.compared(case)


def on_foot(first: int, number: int, *, narrow: bool) -> None:
    """Try cases on foot and report the wrong ones."""
    tried = wrong = 0
    for seed in range(first, first + number):
        case = walking(seed, narrow=narrow)
        found = None if case is None else foot_cases.compared(case)
        tried += found is not None
        if found:
            wrong += 1
            sys.stdout.write(f"{seed} {found}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{tried} cases on foot, {wrong} wrong\n")


def main() -> None:
    """Try cases and report the wrong ones."""
    first, number = int(sys.argv[1]), int(sys.argv[2])
    stops, narrow = "stops" in sys.argv, "narrow" in sys.argv
    if "foot" in sys.argv:
        on_foot(first, number, narrow=narrow)
        return
    tried = wrong = large = 0
    for seed in range(first, first + number):
        across = 3 if stops else 5
        case = drawn(seed, most=3 + seed % 2, across=across, stops=stops, narrow=narrow)
        if case is None:
            continue
        found = compared(case, stops=stops)
        tried += found is not None
        large += found is None
        more = None if stops or found is None else transport_cases.enumerated(case)
        if found or more:
            wrong += 1
            sys.stdout.write(f"{seed} {found} {more}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{tried} cases, {large} too large, {wrong} wrong\n")


if __name__ == "__main__":
    main()
