"""Movement in Valor & Victory by the solver: generator, reach, graph and perft checked exhaustively."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from marchtable.rules.generator import perft
from tests.play.walks import assert_equal
from tests.solver.oracles import canonical, legal, perft_by_force
from tests.solver.test_generator import closed
from tests.solver.test_movement import check_graph
from tests.solver.test_reach import ROLLS, check_reach
from tests.strategies import in_play
from tests.valor.strategies import valor_positions

if TYPE_CHECKING:
    from marchtable.state.position import Position

few = settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow], deadline=None)


@pytest.mark.slow
@few
@given(in_play(valor_positions(largest=4), most=3))
def test_offered_is_legal(position: Position[Any, Any]) -> None:
    """Every legal move, alone or as a stack, is offered once, and no other."""
    by_force = {canonical(position, action) for action in legal(position)}
    found = [canonical(position, action) for action in closed(position)]
    assert sorted(map(repr, found)) == sorted(map(repr, by_force))


@few
@given(in_play(valor_positions(), most=3), ROLLS)
def test_reach(position: Position[Any, Any], rolls: str) -> None:
    """Reach equals an exhaustive search."""
    assume(not position.pending)
    for unit in position.units:
        if unit.at is not None:
            check_reach(position, unit.id, rolls)


@pytest.mark.slow
@few
@given(in_play(valor_positions(largest=4), most=3), ROLLS)
def test_graph(position: Position[Any, Any], rolls: str) -> None:
    """A unit's cheapest ways are shortest paths of its graph."""
    for unit in position.units:
        if unit.at is not None:
            check_graph(position, unit.id, rolls)


@settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(in_play(valor_positions(units=3, largest=4)), st.integers(1, 2))
def test_perft(position: Position[Any, Any], depth: int) -> None:
    """The generator counts what brute force counts."""
    assert perft(position, depth) == perft_by_force(position, depth)


@few
@given(in_play(valor_positions(), most=3))
def test_fast_lists(position: Position[Any, Any]) -> None:
    """The fast list of moves is the slow one's."""
    assert_equal(position)
