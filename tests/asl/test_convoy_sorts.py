"""The steps of a Convoy's vehicles are cached with the map: each question gets its own."""

from __future__ import annotations

from itertools import permutations
from typing import Any

from marchtable.planning.loop import plan
from marchtable.rules.clause import without
from marchtable.state.goal import Aim, Goal
from tests.asl.boards import field, place, vehicle

GOAL = Goal(aims=(Aim(units=("t1",), at=("A2",)),), order=("value",))
OFF: tuple[tuple[str, ...], ...] = ((), ("D8.21a",))


def wood(number: int) -> Any:
    """Return a Convoy in front of a wood, on a map of its own."""
    hexes: dict[str, Any] = {f"A{row}": {} for row in range(1, 6)}
    hexes["A2"] = {"terrain": "Woods"}
    board = field({**hexes, **{f"Z{20 + n}": {} for n in range(number + 1)}})
    trucks = [
        vehicle(f"t{n}", "ft-28", at=f"A{2 + n}", rank=n, facing="NNE", convoy="c") for n in (1, 2)
    ]
    return place(board, *trucks)


def test_steps_are_of_the_question() -> None:
    """If no roll is allowed, a wood is entered only while Bog Checks are off."""
    for number, order in enumerate(permutations(range(len(OFF)))):
        position = wood(number)
        for n in order:
            with without(*OFF[n]):
                found = plan(position, GOAL, space="convoy", rolls="avoid")
            assert found.plans[0].score["value"] == n, order
