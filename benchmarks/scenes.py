"""Positions to measure on: real boards where a checkout has them beside it, or the demo board."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from marchtable.board import Board
from marchtable.files import load
from marchtable.joining import join
from marchtable.position import Position
from marchtable.rulebook import find_rulebook
from marchtable.vasl import import_board
from marchtable_models.asl.model import AslConditions, AslUnit

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).resolve().parents[1]
BOARDS = ROOT.parent / "shared" / "boards"
DEMO = ROOT / "models" / "marchtable_models" / "asl" / "data" / "demo"
GEOMORPHIC = ("bd01", "bd04", "bd33", "bd00")


def is_real() -> bool:
    """Tell whether there are real boards here."""
    return all((BOARDS / name).exists() for name in GEOMORPHIC)


def single() -> Board:
    """Return one board."""
    return import_board(BOARDS / GEOMORPHIC[0]) if is_real() else load(DEMO / "scene.toml").board


def eight() -> Board:
    """Return two rows of four real boards; each is imported twice, under two names."""
    rows = [[import_board(BOARDS / name) for name in GEOMORPHIC] for _ in range(2)]
    rows[1] = [
        Board(f"5{board.name}", board.locations, board.edges, board.aliases)
        for board in rows[1][::-1]
    ]
    return join(rows, name="eight")


def asl(board: Board, units: Sequence[AslUnit]) -> Position[Any, Any]:
    """Return the start of a MPh with these units."""
    side = units[0].side
    return Position(
        rulebook=find_rulebook("asl").name, board=board, side=side, phase="MPh",
        conditions=AslConditions(), units=tuple(units),
    )  # fmt: skip


def truck(name: str, at: str) -> AslUnit:
    """Return a truck about to move."""
    return AslUnit(id=name, side="german", type="opel-blitz", at=at, facing="E")


def squad(name: str, at: str) -> AslUnit:
    """Return a squad about to move."""
    return AslUnit(id=name, side="german", type="squad", at=at)


def open_ground(board: Board) -> list[str]:
    """Return the Locations of open ground and roads."""
    plain = ("Open Ground", "Dirt Road", "Paved Road")
    return [one.name for one in board.locations if one.terrain in plain]


def mixed(board: Board, count: int) -> Position[Any, Any]:
    """Return a position with as many trucks as squads, spread over the board."""
    places = open_ground(board)
    kinds = (truck, squad)
    return asl(
        board,
        [kinds[i % 2](f"u{i}", places[i * len(places) // count]) for i in range(count)],
    )


def middle(board: Board) -> str:
    """Return the open place nearest to the middle of the board."""
    across = max(one.u for one in board.locations) // 2
    down = max(one.v for one in board.locations) // 2
    here = {one.name: abs(one.u - across) + abs(one.v - down) for one in board.locations}
    return min(open_ground(board), key=here.__getitem__)
