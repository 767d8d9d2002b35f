"""Infantry around vehicles on one side of a board, and a goal on the other."""

from __future__ import annotations

from random import Random
from typing import Any

from benchmarks.scenes import asl, open_ground, single
from marchtable.planning.goals import checked_goal
from marchtable.state.goal import Aim, Goal
from marchtable_models.asl.model import AslUnit, SupportWeapon

__all__ = ["instance"]


def instance(units: int, vehicles: int, seed: int) -> tuple[Any, Goal]:
    """Return Infantry around vehicles on one side of a board, and a goal on the other."""
    board, random = single(), Random(seed)
    across = max(one.u for one in board.locations)
    places = open_ground(board)
    west = [name for name in places if board[name].u <= across // 4]
    east = [name for name in places if board[name].u >= across * 3 // 4]
    found = [
        AslUnit(id=f"t{n}", side="german", type=random.choice(("opel-blitz", "spw-251")),
                at=random.choice(west), facing="E")
        for n in range(vehicles)
    ]  # fmt: skip
    for n in range(units):
        car = random.choice(found[:vehicles])
        beside = [str(car.at), *(name for _, name in board.neighbours(str(car.at)))]
        weapons = tuple(SupportWeapon(name=f"s{n}", pp=pp) for pp in random.choice(((), (2,))))
        kind = random.choice(("squad", "squad", "half-squad", "leader"))
        found.append(
            AslUnit(id=f"u{n}", side="german", type=kind, at=random.choice(beside), sw=weapons)
        )
    position = asl(board, found)
    men = tuple(f"u{n}" for n in range(units))
    worth = {name: random.choice((1, 2, 3)) for name in men}
    goal = Goal(aims=(Aim(units=men, near=(random.choice(east),), each=worth),))
    return position, checked_goal(goal, position)
