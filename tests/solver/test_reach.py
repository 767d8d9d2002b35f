"""Reach against walking a unit in every way there is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marchtable.reach import reach
from tests.solver.oracles import walk
from tests.strategies import VEHICLES, asl_positions, in_play, rulebook, toy_positions

if TYPE_CHECKING:
    from marchtable.position import Position

unhurried = settings(deadline=None, max_examples=100)
FOOT = ("squad", "half-squad", "leader", "hero")
ROLLS = st.sampled_from(("pass", "avoid"))


def check_reach(position: Position[Any, Any], unit: str, rolls: str) -> None:
    """Hold what reach says of a unit against the oracle."""
    (found,) = reach(position, [unit], rolls=rolls)
    walked = walk(position, unit, rolls=rolls)

    places = {(place.at, place.mode): place.spent for place in found.places}
    assert walked.spent == places
    assert sorted(walked.unsupported) == list(found.unsupported)
    book = rulebook(position)
    for place in found.places:
        for ruling in found.replay(place):
            assert not (ruling.obligations and rolls == "avoid")
            assert {o.clause for o in ruling.obligations} <= set(found.assumed)


@unhurried
@given(toy_positions(), ROLLS)
def test_toy(position: Position[Any, Any], rolls: str) -> None:
    """A walker's reach is where it gets to when everything is tried."""
    for unit in position.units:
        if unit.at:
            check_reach(position, unit.id, rolls)


@unhurried
@given(asl_positions(first=FOOT, largest=6), ROLLS)
def test_foot(position: Position[Any, Any], rolls: str) -> None:
    """The same for Infantry as its MPh begins."""
    check_reach(position, "u0", rolls)


@unhurried
@given(asl_positions(first=VEHICLES, largest=6), ROLLS)
def test_vehicle(position: Position[Any, Any], rolls: str) -> None:
    """The same for vehicles as their MPh begins."""
    check_reach(position, "u0", rolls)


@unhurried
@given(in_play(asl_positions(largest=6)), st.integers(0, 3), ROLLS)
def test_in_play(position: Position[Any, Any], number: int, rolls: str) -> None:
    """The same for any unit at any moment of a MPh."""
    if not position.pending:
        check_reach(position, f"u{number % len(position.units)}", rolls)
