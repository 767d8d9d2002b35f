"""The reference players: the greedy one plays better than chance."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.errors import BadInputError, UnknownNameError
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


def test_players_are_functions_of_known_sides() -> None:
    """A side that is not there, and a player that cannot be called, are rejected before the match."""
    scenario = load_scenario("valor/the-farm")
    with pytest.raises(UnknownNameError, match="us"):
        played(scenario, {"us": Randomly("us", 1)})
    lacking: Any = dict.fromkeys(scenario.goals)
    with pytest.raises(BadInputError, match="expected a function that chooses an action"):
        played(scenario, lacking)
