"""A Convoy of sixteen trucks and halftracks on three joined boards, planned turn by turn and proved."""

from __future__ import annotations

from itertools import pairwise

import pytest

from benchmarks.convoy_turns import STACK, by_road, far, is_here, next_turn, waiting
from benchmarks.scenes import BOARDS
from marchtable.planning.loop import plan
from marchtable.rules.referee import check
from marchtable.state.goal import Aim, Goal

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not is_here(), reason=f"needs {', '.join(STACK)} in {BOARDS}"),
]


def test_it_comes_on_and_drives_north() -> None:
    """Eight enter first, each turn is proved optimal, and the line stays whole and in order."""
    position, here = waiting(), []
    for _ in range(3):
        found = plan(position, far(position), space="convoy", limit=300)
        assert found.status == "OPTIMAL"
        verdict = check(position, found.plans[0].log)
        assert verdict.status == "LEGAL"
        places = [unit.at for unit in verdict.position.units]
        here.append(sum(at is not None for at in places))
        assert all(at is None for at in places[here[-1] :])
        board = position.board
        assert all(board.distance(a, b) == 1 for a, b in pairwise(places[: here[-1]]) if a and b)
        position = next_turn(verdict.position)
    assert here == [8, 15, 16]


def test_what_is_too_far_is_reported_within_the_limit() -> None:
    """No lead enters twelve road hexes in one MPh: no plan, whether proved or open because of clauses."""
    position = waiting()
    there = by_road(position.board)[12]
    goal = Goal(aims=(Aim(units=("v1",), at=(there,), must="all"),))
    found = plan(position, goal)
    assert found.status in ("IMPOSSIBLE", "UNSUPPORTED")
    assert found.status == "IMPOSSIBLE" or found.space.left_out
    assert not found.plans
