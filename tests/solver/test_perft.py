"""Perft: how many sequences of closed actions there are, by generator and by brute force."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marchtable.board import Board, Hexside
from marchtable.files import position_of
from marchtable.generator import perft
from marchtable.position import Position
from tests.solver.oracles import perft_by_force
from tests.strategies import asl_positions, grid_board, in_play, toy_positions

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "perft"
GAMES = {"toy": ("red", "Walk"), "asl": ("german", "MPh")}
FORCED = 3  # the depth to which brute force goes each time


def _tables() -> list[Any]:
    found = []
    for game in sorted(GAMES):
        data = tomllib.loads((GOLDEN / f"{game}.toml").read_text())
        for table in data["table"]:
            found.append(pytest.param(game, data["board"], table, id=f"{game}: {table['id']}"))
    return found


def _board(data: dict[str, Any]) -> Board:
    terrain = [{"terrain": name} for name in data["terrain"]]
    special = {
        frozenset((side["a"], side["b"])): Hexside(side.get("terrain"), side.get("road"))
        for side in data["hexsides"]
    }
    plain = grid_board(data["columns"], data["rows"], terrain)
    hexsides = [special.get(frozenset((e.a, e.b)), e.hexside) for e in plain.edges]
    return grid_board(data["columns"], data["rows"], terrain, hexsides, name=data["name"])


def _position(game: str, board: dict[str, Any], table: dict[str, Any]) -> Position[Any, Any]:
    side, phase = GAMES[game]
    scene = {
        "format": "marchtable/scene/1", "rulebook": game, "board": "-", "side": side,
        "phase": phase, "units": table["units"], "pending": table.get("pending", []),
    }  # fmt: skip
    return position_of(scene, source=table["id"], board=_board(board))


@pytest.mark.parametrize(("game", "board", "table"), _tables())
def test_golden(game: str, board: dict[str, Any], table: dict[str, Any]) -> None:
    """The generator counts what the table says, at each depth."""
    position = _position(game, board, table)
    counted = [perft(position, depth + 1) for depth in range(len(table["counts"]))]
    assert counted == table["counts"], perft(position, len(table["counts"]), divide=True)


@pytest.mark.parametrize(("game", "board", "table"), _tables())
def test_golden_by_force(game: str, board: dict[str, Any], table: dict[str, Any]) -> None:
    """Brute force counts the same, as deep as it gets in a moment."""
    position = _position(game, board, table)
    counted = [perft_by_force(position, depth + 1) for depth in range(2)]
    assert counted == table["counts"][:2]


@given(in_play(toy_positions(largest=6)), st.integers(0, FORCED))
def test_toy(position: Position[Any, Any], depth: int) -> None:
    """On any board of the toy game the generator counts what brute force counts."""
    assert perft(position, depth) == perft_by_force(position, depth)


@settings(max_examples=12)
@given(in_play(asl_positions(others=2, largest=4)), st.integers(1, 2))
def test_asl(position: Position[Any, Any], depth: int) -> None:
    """So it does in ASL."""
    assert perft(position, depth) == perft_by_force(position, depth)


@given(in_play(toy_positions(largest=6)))
def test_divide(position: Position[Any, Any]) -> None:
    """The counts behind each first action add up to the whole."""
    divided = perft(position, 2, divide=True)
    assert isinstance(divided, dict)
    assert sum(divided.values()) == perft(position, 2)
    assert len(divided) == perft(position, 1)
