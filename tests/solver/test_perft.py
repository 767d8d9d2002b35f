"""Perft: the number of sequences of complete actions, by generator and by brute force."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marchtable.rules.generator import perft
from tests.panzer.strategies import panzer_positions
from tests.slowly import slow_after
from tests.solver.oracles import perft_by_force
from tests.solver.perft_tables import GAMES, Table, tables
from tests.strategies import asl_positions, in_play, toy_positions

if TYPE_CHECKING:
    from marchtable.state.position import Position

TABLES = [pytest.param(table, id=table.name) for game in GAMES for table in tables(game)]
DEEP = slow_after(1, [False, True])
FORCED = 2  # the depth for brute force when all tests are run
MANY = 20  # first actions after which everything is tried again


@pytest.mark.parametrize("deep", DEEP)
@pytest.mark.parametrize("table", TABLES)
def test_golden(table: Table, deep: bool) -> None:
    """The generator counts what the table says, at each depth."""
    counts = table.counts if deep else table.soon()
    counted = [perft(table.position, depth + 1) for depth in range(len(counts))]
    assert counted == counts, perft(table.position, FORCED, divide=True)


@pytest.mark.parametrize("deep", DEEP)
@pytest.mark.parametrize("table", TABLES)
def test_golden_by_force(table: Table, deep: bool) -> None:
    """Brute force counts the same, to the depth it reaches quickly."""
    most = FORCED if deep and table.counts[0] < MANY else 1
    counted = [perft_by_force(table.position, depth + 1) for depth in range(most)]
    assert counted == table.counts[:most]


@given(in_play(toy_positions(largest=6)), st.integers(0, 3))
def test_toy(position: Position[Any, Any], depth: int) -> None:
    """On any toy board the generator counts what brute force counts."""
    assert perft(position, depth) == perft_by_force(position, depth)


@pytest.mark.slow
@settings(max_examples=3)
@given(in_play(asl_positions(others=2, largest=4)), st.integers(1, 2))
def test_asl(position: Position[Any, Any], depth: int) -> None:
    """The same in ASL."""
    assert perft(position, depth) == perft_by_force(position, depth)


@settings(max_examples=12)
@given(in_play(panzer_positions(units=3, largest=4)), st.integers(1, 2))
def test_panzer(position: Position[Any, Any], depth: int) -> None:
    """The same in PanzerBlitz."""
    assert perft(position, depth) == perft_by_force(position, depth)


@given(in_play(toy_positions(largest=6)))
def test_divide(position: Position[Any, Any]) -> None:
    """The counts after each first action add up to the whole."""
    divided = perft(position, 2, divide=True)
    assert isinstance(divided, dict)
    assert sum(divided.values()) == perft(position, 2)
    assert len(divided) == perft(position, 1)
