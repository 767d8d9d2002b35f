"""Random play on crowded scenes: the position after a legal step reads back as a scene and play continues."""

from __future__ import annotations

import pytest

from tests.play_at_random import fault_of, played
from tests.slowly import slow_after
from tests.valor.random_play import TABLE

SEEDS, STEPS = range(12), 60


@pytest.mark.parametrize("seed", slow_after(3, SEEDS))
def test_a_legal_step_leaves_a_position(seed: int) -> None:
    """No resulting position is rejected as a scene, and some action is legal in it."""
    for step in played(TABLE, "valor", seed, STEPS):
        assert not fault_of(TABLE, step), step
