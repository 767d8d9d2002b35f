"""Random play on crowded scenes: what a legal step leaves is read back as a scene and leads on."""

from __future__ import annotations

import pytest

from tests.panzer.random_play import TABLE
from tests.play_at_random import fault_of, played
from tests.slowly import slow_after

SEEDS, STEPS = range(12), 60


@pytest.mark.parametrize("seed", slow_after(3, SEEDS))
def test_a_legal_step_leaves_a_position(seed: int) -> None:
    """Whatever play leads to is no scene that is refused, and something is legal in it."""
    for step in played(TABLE, "panzer", seed, STEPS):
        assert not fault_of(TABLE, step), step
