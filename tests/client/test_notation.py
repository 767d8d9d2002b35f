"""One-line notations of actions and positions: round trips."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from marchtable.codec.structs import half_points
from marchtable.errors import BadInputError
from marchtable.files.notation import (
    builtins_of,
    format_action,
    format_position,
    parse_action,
    parse_position,
    points,
)  # fmt: skip
from marchtable.files.scenes import scene_of
from marchtable.rules.generator import legal_actions
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.position import Obligation, Odds
from marchtable.state.records import field_of, replace
from marchtable_models.asl.model import AslUnit
from tests.client.scenes import scene
from tests.strategies import asl_positions

if TYPE_CHECKING:
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions

    Pos = Position[AslUnit, AslConditions]


def readable(position: Pos) -> Pos:
    """Return the position without impossible counters, states and places."""
    rulebook = find_rulebook(position.rulebook)
    while True:
        try:
            rulebook.check_position(position)
        except BadInputError as error:
            subject, number, field = error.field.replace("].", "[").split("[")
            if subject == "counters":
                kept = [n for n in range(len(position.counters)) if n != int(number)]
                counters = tuple(position.counters[n] for n in kept)
                position = msgspec.structs.replace(position, counters=counters)
                continue
            unit = position.units[int(number)]
            plain = AslUnit(id=unit.id, side=unit.side, at=unit.at, type=unit.type)
            plainer = replace(unit, **{field: field_of(plain, field)})
            if plainer == unit:  # the place is wrong, not a state
                reject()
            position = position.with_units([plainer])
        else:
            return position


@given(position=asl_positions().map(readable))
def test_position_round_trip(position: Pos) -> None:
    """Any position is written on one line and read back, given its board."""
    line = format_position(position)
    assert "\n" not in line
    assert position == parse_position(line, position.board)


@given(position=asl_positions())
def test_action_round_trip(position: Pos) -> None:
    """Any legal action is written on one line and read back."""
    rulebook = find_rulebook(position.rulebook)
    for choice in legal_actions(position)[:20]:
        assert choice.action == parse_action(format_action(choice.action), rulebook)


def test_position_notation() -> None:
    """A position's line begins with its board's name and hash; sections start with a sign."""
    position = scene_of(scene()).position
    board = f"demo#{position.board.digest}"
    expected = (
        f'asl {board} german MPh 2 | * month=7 | truck german B4 type=opel-blitz facing=E'
        ' | ldr german B3 type=leader'
        ' | sq german B3 type=squad sw=[{"name":"MG","pp":5}] mph=moving spent=1.5 used=1.5'
        ' | gone russian "-" type=squad | + kind=smoke at=C5 until=phase | = D2.12c=any'
    )  # fmt: skip
    assert expected == format_position(position)


def test_pending_rolls_in_the_notation() -> None:
    """Pending rolls are part of the line, whatever their note."""
    odds = (Odds("mobile", 30, 36), Odds("bogged", 6, 36))
    pending = (Obligation("bog:truck", "D8.21a", "truck", odds, "+1 a | b = c"),)
    position = msgspec.structs.replace(scene_of(scene()).position, pending=pending)
    assert position == parse_position(format_position(position), position.board)


@pytest.mark.parametrize(
    "line",
    [
        "", "asl", "asl demo#0 german MPh 1", "asl {board} german MPh one", "asl {board} german MPh 1 | x",
        "asl {board} german MPh 1 | x german B4 type", "asl {board} german MPh 1 | x german B4 type={{",
        "asl {board} german Lunch 1", "asl {board} german MPh 1 | + kind", "chess {board} white 1 1",
    ],
)  # fmt: skip
def test_rejected_position_notation(line: str) -> None:
    """A line that is no position, or one on another board, is rejected."""
    board = scene_of(scene()).position.board
    with pytest.raises(BadInputError):
        parse_position(line.format(board=f"demo#{board.digest}"), board)


@given(text=st.text(max_size=60))
def test_any_text_as_an_action(text: str) -> None:
    """Text that is no action is rejected, and has no other effect."""
    rulebook = find_rulebook("asl")
    try:
        found = parse_action(text, rulebook)
    except BadInputError:
        return
    assert found == parse_action(format_action(found), rulebook)


@given(halves=st.integers(0, 20_000))
def test_points_and_halves(halves: int) -> None:
    """Half points are halved on the way out and doubled on the way in, exactly."""
    assert halves == half_points(points(halves), "x")


def test_off_the_map() -> None:
    """A unit that has left the map has no Location in plain data."""
    gone = scene_of(scene()).position.unit("gone")
    assert gone.at is None
    assert "at" not in builtins_of(gone)
