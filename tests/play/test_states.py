"""Arrays for your own search, remaining points by unit, and threat maps: equal to reach."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings

from marchtable.errors import BadInputError, UnknownNameError
from marchtable.files.scenes import load
from marchtable.play import Game, States, points_left, threat_map
from marchtable.reachability.reach import reach
from marchtable.rules.rulebook import find_rulebook
from tests.play.walks import SCENES, walk
from tests.strategies import asl_positions, in_play

if TYPE_CHECKING:
    from marchtable.state.position import Position


def cheapest(states: States) -> dict[tuple[int, Any], int]:
    """Return the least half points spent in each state, by Location and mode, found wave by wave."""
    best = np.full(states.size, np.iinfo(np.int64).max)
    best[states.starts] = states.spent
    wave = states.starts
    while len(wave):
        onward = states.onward(wave, best[wave])
        before = best.copy()
        np.minimum.at(best, onward.state, onward.spent)
        wave = np.flatnonzero(best < before)
    found = np.flatnonzero(best < np.iinfo(np.int64).max)
    where, modes = states.location[found].tolist(), states.mode[found].tolist()
    result = zip(where, modes, best[found].tolist(), strict=True)
    return {(at, states.modes[mode]): spent for at, mode, spent in result}


def assert_reaches(position: Position[Any, Any], unit: str) -> None:
    """A search over the arrays finds what reach finds."""
    (found,) = reach(position, [unit])
    final, index = find_rulebook(position.rulebook).is_final, position.board.index
    expected = {(index[p.at], p.mode): p.spent for p in found.places}
    mine = cheapest(States(position, unit))
    assert mine.keys() == expected.keys()
    for state, spent in mine.items():
        assert spent == expected[state] or final(state[1]), state


@pytest.mark.parametrize("unit", ["truck", "tank", "track", "sqA"])
def test_a_search_of_one_s_own_is_reach(unit: str) -> None:
    """On the demo's board, for vehicles and Infantry."""
    assert_reaches(load(SCENES["asl"]), unit)


@settings(max_examples=25, deadline=None)
@given(in_play(asl_positions(others=2, largest=6)))
def test_wherever_a_unit_is(position: Position[Any, Any]) -> None:
    """On any board, whatever the unit has spent."""
    if not position.pending and position.units[0].at is not None:
        assert_reaches(position, position.units[0].id)


def test_steps_are_the_referee_s() -> None:
    """Each step out of the start can be pushed, costs what the arrays say, and leads there."""
    game = Game(load(SCENES["asl"]))
    states = States(game.position, "truck")
    onward = states.onward(states.starts, states.spent)
    assert len(onward.arc)
    for _, to, spent, arc in zip(*(one.tolist() for one in onward), strict=True):
        for action in states.actions(arc):
            game.push(action)
        unit = game.position.unit("truck")
        assert game.position.board.index[str(unit.at)] == states.location[to]
        assert unit.points.spent == spent or find_rulebook("asl").is_final(
            states.modes[states.mode[to]]
        )
        while len(game):
            game.pop()


def test_points_left_are_those_of_reach() -> None:
    """Positions x units x Locations: the most that reach leaves; -1 for a place out of reach."""
    positions = [*walk("asl", 7, 5)]
    units = [unit.id for unit in positions[0].units if unit.side == positions[0].side]
    left = points_left(positions, units)
    assert left.shape == (5, len(units), len(positions[0].board))
    for position, of_units in zip(positions, left, strict=True):
        for found, row in zip(reach(position, units), of_units, strict=True):
            best = np.full(len(position.board), -1)
            for place in found.places:
                at = position.board.index[place.at]
                best[at] = max(best[at], place.left)
            assert row.tolist() == best.tolist()
    side = positions[0].side
    assert threat_map(positions[0], side).tolist() == left[0].max(axis=0).tolist()


def test_positions_must_share_a_board() -> None:
    """Another board is an error that names the position; no positions are no rows."""
    asl, panzer = load(SCENES["asl"]), load(SCENES["panzer"])
    with pytest.raises(BadInputError, match=r"positions\[1\]"):
        points_left([asl, panzer], ["truck"])
    assert points_left([], ["truck"]).shape == (0, 1, 0)


def test_units_may_be_asked_about_twice_but_not_misspelt() -> None:
    """Each row belongs to its unit; an unknown unit is rejected with the nearest."""
    asl = load(SCENES["asl"])
    (first, second) = points_left([asl], ["truck", "truck"])[0]
    assert first.tolist() == second.tolist()
    assert first.max() > 0
    with pytest.raises(UnknownNameError, match="truck"):
        points_left([asl], ["truk"])
