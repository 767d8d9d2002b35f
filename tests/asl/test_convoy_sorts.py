"""The steps of a Convoy's vehicles are kept with the map: each question gets those of its own."""

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
    """Return a Convoy before a wood, on a map of its own."""
    hexes: dict[str, Any] = {f"A{row}": {} for row in range(1, 6)}
    hexes["A2"] = {"terrain": "Woods"}
    board = field({**hexes, **{f"Z{20 + n}": {} for n in range(number + 1)}})
    trucks = [
        vehicle(f"t{n}", "ft-28", at=f"A{2 + n}", rank=n, facing="NNE", convoy="c") for n in (1, 2)
    ]
    return place(board, *trucks)


def test_steps_are_of_the_question() -> None:
    """Where no roll may be called for, a wood is entered while Bog Checks are off, and only then."""
    for number, order in enumerate(permutations(range(len(OFF)))):
        position = wood(number)
        for n in order:
            with without(*OFF[n]):
                found = plan(position, GOAL, space="convoy", rolls="avoid")
            assert found.plans[0].score["value"] == n, order
