"""Answers for identical units equal those with each judged by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings

from marchtable.files.scenes import load
from marchtable.play import Game, legal_actions
from marchtable.play.options import options
from marchtable_models.panzer.rulebook import RULEBOOK
from tests.panzer.random_play import TABLE
from tests.panzer.strategies import panzer_positions
from tests.play_at_random import played
from tests.strategies import in_play

if TYPE_CHECKING:
    from marchtable.state.position import Position


def assert_same(position: Position[Any, Any]) -> None:
    """Options for every side's units equal those computed without sharing."""
    for side in dict.fromkeys(unit.side for unit in position.units):
        found = options(position, side=side, reach=False)
        with patch("marchtable_models.panzer.equivalence.equivalence", lambda *_: None):
            assert found == options(msgspec.structs.replace(position), side=side, reach=False)


@pytest.mark.slow
@pytest.mark.parametrize("crowd", sorted(TABLE.scenes))
def test_along_random_games(crowd: str) -> None:
    """The same with loads, fire, dispersal and new phases."""
    for step in played(TABLE, crowd, 77, 40):
        assert_same(step.before)


@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(in_play(panzer_positions(units=4, largest=6)))
def test_nobody_is_taken_for_another(position: Position[Any, Any]) -> None:
    """The same in any position."""
    assert_same(position)


def test_a_unit_that_is_far_is_not_judged_again() -> None:
    """After an action only units near it are asked about anew."""
    assert RULEBOOK.demo is not None
    game = Game(load(RULEBOOK.demo / "scene.toml"))
    legal_actions(game.position)
    game.push(game.legal_actions("tank")[0])
    with patch.object(type(RULEBOOK), "equivalence", side_effect=RULEBOOK.equivalence) as asked:
        legal_actions(game.position)
    assert 0 < asked.call_count < len(game.position.units)
