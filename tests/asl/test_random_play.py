"""Random play on crowded scenes: what a legal step leaves is always a position."""

from __future__ import annotations

import pytest

from marchtable.notation import format_position, parse_position
from tests.asl.boards import ASL
from tests.asl.random_play import CROWDS, played

SEEDS, STEPS = range(6), 40


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("crowd", sorted(CROWDS))
def test_a_legal_step_leaves_a_position(crowd: str, seed: int) -> None:
    """It would be read as a scene; nobody has overspent; PRC are with their vehicle; notation keeps it."""
    for step in played(crowd, seed, STEPS):
        after = step.ruling.after
        ASL.check_position(after)
        for unit in after.units:
            assert unit.aboard is None or unit.at == after.unit(unit.aboard).at, step
            if unit.at is not None and not unit.conveyed:  # laden, it may count as having spent more
                assert unit.spent <= ASL.allotment(after, unit), step
        line = format_position(after)
        assert format_position(parse_position(line, after.board)) == line, step
