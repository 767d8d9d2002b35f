"""Scenarios are OpenSpiel games: chance nodes for rolls, clones, replays, reasons."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

pyspiel = pytest.importorskip("pyspiel", reason="pip install 'marchtable[openspiel]'")

from marchtable.env.openspiel import MarchGame  # noqa: E402 - it needs pyspiel
from marchtable.errors import UnknownNameError  # noqa: E402

SCENARIOS = ["asl/cross-the-gully", "asl/convoy-exits", "panzer/deliver-the-guns", "valor/the-farm"]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_openspiel_s_own_test(scenario: str) -> None:
    """OpenSpiel's own test finds nothing: masks, clones, replays, returns."""
    game = pyspiel.load_game("marchtable", {"scenario": scenario})
    pyspiel.random_sim_test(game, 1, serialize=True, verbose=False)


def test_rolls_are_chance_nodes() -> None:
    """A pending roll is a chance node with its odds; a copy continues by itself."""
    game = pyspiel.load_game("marchtable", {"scenario": "valor/the-farm"})
    state: Any = game.new_initial_state()
    fire = next(
        n for n in state.legal_actions() if state.action_to_string(n).startswith("fire ga C1")
    )
    state.apply_action(fire)
    if not state.is_chance_node():
        state.apply_action(state.played.coding.close)
    assert state.is_chance_node()
    odds = state.chance_outcomes()
    assert sum(chance for _, chance in odds) == pytest.approx(1)
    other = state.clone()
    other.apply_action(odds[0][0])
    assert state.is_chance_node()
    assert not other.is_chance_node()
    assert other.action_to_string(other.legal_actions()[0])
    assert str(state) != str(other)


def test_the_same_game_as_pettingzoo_s() -> None:
    """Legal actions and reasons equal the environment's; returns are the scores."""
    game = MarchGame({"scenario": "asl/cross-the-gully"})
    state, random = game.new_initial_state(), Random(1)
    planes = game.make_py_observer()
    while not state.is_terminal():
        if state.is_chance_node():
            numbers, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(random.choices(numbers, odds)[0])
            continue
        legal = state.legal_actions()
        assert not any(state.reason(number) for number in legal[:3])
        assert state.reason(next(n for n in range(game.coding.size) if n not in legal))
        planes.set_from(state, state.current_player())
        assert planes.dict["observation"][-1].all()
        state.apply_action(random.choice(legal))
    assert sum(state.returns()) == pytest.approx(0)
    with pytest.raises(UnknownNameError, match="asl/convoy-exits"):
        MarchGame({"scenario": "asl/convoy-exit"})
