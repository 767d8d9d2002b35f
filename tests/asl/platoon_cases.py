"""Random small platoons with goals of all sorts, checked against brute force."""

from __future__ import annotations

from random import Random
from typing import Any

from marchtable.state.goal import Aim, Goal
from marchtable.state.records import replace
from marchtable_models.asl.cpsat.platoons import PlatoonModel
from marchtable_models.asl.model import SPINES
from marchtable_models.asl.rules.platoons import is_apart
from marchtable_models.asl.views.lines import members
from tests.asl.boards import ASL, field, place, vehicle
from tests.asl.convoy_cases import Case, proved
from tests.asl.convoys_by_hand import TERRAIN, all_plans

__all__ = ["compared", "drawn", "drawn_apart"]

SHAPES = (*((2, 3, 3, 2),) * 6, *((2, 4, 4, 1),) * 2, *((3, 3, 3, 1),) * 3)
"""Numbers of AFV, columns and rows, and the most Impulses."""


def model(position: Any, goal: Goal, impulses: int = 12) -> PlatoonModel:
    """Return the model of the platoon of t1."""
    return PlatoonModel(ASL, position, goal, members(position, position.unit("t1")), impulses)


def small_platoon(random: Random, count: int, columns: int, rows: int, **fields: Any) -> Any:
    """Return AFV of one platoon, each near another, on a small map of mixed terrain."""
    names = [f"{chr(65 + column)}{row}" for column in range(columns) for row in range(1, rows + 1)]
    hexes = {name: dict(random.choice(TERRAIN)) for name in names}
    sides = {
        f"{e.a}-{e.b}": {"road": "Dirt Road"}
        for e in field(hexes).edges if random.random() < 0.35
    }  # fmt: skip
    board = field(hexes, sides)
    line = [random.choice(names)]
    while len(line) < count:
        beside = [name for at in line for _, name in board.neighbours(at)]
        line.append(random.choice([*beside, line[0]]))
    moving = random.random() < 0.6
    units = [
        vehicle(
            f"t{n}", f"{random.choice(('ht', 'ft'))}-{random.choice((4, 6, 8, 10))}", at=at,
            facing=random.choice(SPINES), platoon="p", moving=moving, **fields,
        )
        for n, at in enumerate(line, 1)
    ]  # fmt: skip
    if random.random() < 0.3:
        units.append(vehicle("w", "wreck", at=random.choice(names), facing=None, moving=False))
    return place(board, *units)


def some_goal(random: Random, position: Any) -> Goal:
    """Return a goal for some of the platoon's AFV."""
    names = list(position.board.index)
    line = tuple(unit.id for unit in position.units if unit.line.platoon)
    aim = random.choice([
        Aim(units=("t1",), near=(random.choice(names),)),
        Aim(units=line, near=(random.choice(names),)),
        Aim(units=line, at=tuple(random.sample(names, 4)), must=random.choice((None, 1))),
    ])  # fmt: skip
    threat = {name: random.randint(1, 3) for name in random.sample(names, 2)}
    return Goal(aims=(aim,), threat=threat if random.random() < 0.5 else {})


def drawn(seed: int) -> Case:
    """Return a random case."""
    random = Random(seed)
    count, columns, rows, impulses = random.choice(SHAPES)
    spent = random.choice((0, 0, 0, 1, 3))
    position = small_platoon(random, count, columns, rows, spent=spent, used=spent)
    if random.random() < 0.15:
        position = position.with_units([replace(position.unit("t2"), at=None, entering=("A1",))])
    return Case(position, some_goal(random, position), impulses)


def by_force(case: Case) -> tuple[int, ...] | None:
    """Return the best score of all plans, or None."""
    plans = all_plans(case.position, case.goal, case.impulses)
    return min(plans, key=lambda score: (-score[0], *score[1:]), default=None)


def compared(case: Case) -> str:
    """Return the errors in the answer to a case, compared with brute force."""
    mine, force = proved(case, model(case.position, case.goal, case.impulses)), by_force(case)
    return "" if mine == force else f"{mine}, by force {force}"


def drawn_apart(seed: int) -> Case:
    """Return a case of two AFV that are not adjacent: the second is elsewhere, or waits off the map."""
    random = Random(seed)
    while True:
        case = drawn(random.randrange(10_000))
        board, line = case.position.board, members(case.position, case.position.unit("t1"))
        edge = [name for name in board.index if len(list(board.neighbours(name))) < 6]
        moved = replace(line[-1], at=random.choice([*board.index]), entering=())
        waits = replace(line[-1], at=None, entering=(random.choice(edge),))
        position = case.position.with_units([random.choice((moved, waits))])
        if len(line) == 2 and is_apart(position, members(position, position.unit("t1"))):
            return case._replace(position=position)
