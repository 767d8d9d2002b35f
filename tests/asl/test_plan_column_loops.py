"""Columns whose lead passes the units behind, or goes round them: the best of all plans."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from marchtable.planning.goals import checked_goal
from marchtable.planning.loop import plan
from marchtable.state.goal import Aim, Goal
from tests.asl.boards import field, foot, place
from tests.asl.column_cases import Case, compared, looping
from tests.slowly import slow_after

if TYPE_CHECKING:
    from collections.abc import Sequence

MANY = int(os.environ.get("MARCHTABLE_CASES", "60"))
ROADS = ("A1-B1", "A2-A3", "A2-B2", "A3-B3", "A3-B2", "A4-B4", "B2-B3")
FOUND = (155, 191, 29, 227)
"""Cases that once pruned plans too far."""


def round_the_rear() -> Case:
    """Return a lead that is behind the others on the way and has to pass them."""
    hexes: dict[str, Any] = {f"{u}{row}": {} for u in "AB" for row in range(1, 5)}
    board = field(hexes, {side: {"road": "Dirt Road"} for side in ROADS})
    line = [("u1", "half-squad", "A1", 1), ("u2", "half-squad", "A2", 2), ("u3", "leader", "A2", 2)]
    found: dict[str, Any] = {"column": "k", "cx": True}
    units = [foot(name, kind, at=at, rank=rank, **found) for name, kind, at, rank in line]
    position = place(board, *units)
    aim = Aim(units=("u1", "u2"), at=("B3", "A4", "B1"))
    return Case(position, checked_goal(Goal(aims=(aim,), threat={"A1": 3, "B2": 1}), position))


def stated(case: Case) -> tuple[str, Sequence[int]]:
    """Return the status of the best plan and its score."""
    found = plan(*case, space="column", rolls="avoid")
    return found.status, [*found.plans[0].score.values()] if found.plans else ()


def test_the_lead_passes_those_behind() -> None:
    """Three Impulses suffice: the lead goes through the hex of units behind, which follow it."""
    status, score = stated(round_the_rear())
    assert (status, score) == ("OPTIMAL", [2, 0, 0, 2 * 3 * 3, 3])


@pytest.mark.slow
def test_that_is_the_best_of_all() -> None:
    """No plan of that Column is better, nor is the second or third."""
    assert not compared(round_the_rear(), impulses=6, count=3)


@pytest.mark.slow
@pytest.mark.parametrize("seed", slow_after(1, (*FOUND, *range(400, 400 + MANY // 6))))
def test_round_the_rear_by_brute_force(seed: int) -> None:
    """Where there is room to go round, the best is that of an exhaustive search."""
    assert not compared(looping(seed), impulses=6)
