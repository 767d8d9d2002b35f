"""The reference players: the greedy one plays better than chance."""

from __future__ import annotations

import pytest

from marchtable.play.bots import Greedy, Randomly
from marchtable.play.match import played
from marchtable.play.scenarios import load_scenario


@pytest.mark.parametrize("name", ["panzer/deliver-the-guns", "valor/the-farm"])
def test_greedy_beats_random(name: str) -> None:
    """Over three seeds, with each side in turn, its scores add up to more than zero."""
    scenario, total = load_scenario(name), 0.0
    for seed in range(3):
        for side in scenario.goals:
            players = {one: Randomly(one, seed) for one in scenario.goals}
            total += played(scenario, players | {side: Greedy(side, seed)}, seed).score(side)
    assert total > 0
