"""The generator against trying everything, and its own promises."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marchtable.action import Settle, group_field
from marchtable.errors import UnknownNameError
from marchtable.generator import candidates, legal_actions
from marchtable.notation import format_action
from marchtable.referee import rule
from tests.solver.oracles import canonical, legal
from tests.strategies import asl_positions, grid_board, in_play, rulebook, toy_positions
from marchtable_toy import Walker, toy_position

if TYPE_CHECKING:
    from marchtable.action import Action
    from marchtable.position import Position

ANY = st.one_of(
    in_play(toy_positions()),
    asl_positions(others=3),
    in_play(asl_positions(others=3, largest=6)),
)


def closed(position: Position[Any, Any], unit: str | None = None) -> list[Action]:
    """Return every action that can be closed, following the joins."""
    waiting, found = legal_actions(position, unit), []
    while waiting:
        choice = waiting.pop()
        if choice.closes:
            found.append(choice.action)
        if choice.joins:
            waiting += legal_actions(position, unit, opened=choice.action)
    return found


@given(ANY)
def test_generated_is_what_is_legal(position: Position[Any, Any]) -> None:
    """Every legal action is generated once, units alike in every respect not told apart."""
    by_force = {canonical(position, action) for action in legal(position)}
    generated = [canonical(position, action) for action in closed(position)]
    assert sorted(map(repr, by_force)) == sorted(map(repr, generated))


@given(ANY)
def test_generated_for_a_unit(position: Position[Any, Any]) -> None:
    """Asked of one unit, all it may do or take part in is generated, whatever stands before it."""
    if position.pending:
        return
    by_force = legal(position)
    for unit in position.units:
        own = {
            canonical(position, action) for action in by_force
            if unit.id in _actors(action)
        }  # fmt: skip
        assert own == {canonical(position, action) for action in closed(position, unit.id)}


def _actors(action: Action) -> tuple[str, ...]:
    field = group_field(type(action))
    return getattr(action, field) if field else (getattr(action, "unit"),)
