"""The perft tables of ``tests/golden/perft``.

After an intended change of the rules, ``python -m tests.solver.perft_tables`` counts them anew by
brute force, never by the generator. Review the difference before you commit it.
"""

from __future__ import annotations

import re
import sys
import tomllib
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.board.board import Hexside
from marchtable.files.scenes import position_of
from tests.grids import grid_board
from tests.solver.oracles import perft_by_force

if TYPE_CHECKING:
    from marchtable.board.board import Board
    from marchtable.state.position import Position

__all__ = ["Table", "tables"]

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "perft"
SOON = 500
GAMES = {"toy": ("red", "Walk"), "asl": ("german", "MPh")}


class Table(NamedTuple):
    """A position and its numbers of sequences of closed actions, by depth from 1."""

    name: str
    position: Position[Any, Any]
    counts: list[int]

    def soon(self) -> list[int]:
        """Return the numbers that are quick to count, from the first on."""
        return [*takewhile(lambda count: count <= SOON, self.counts)]


def tables(game: str) -> list[Table]:
    """Return the tables of a game."""
    data = tomllib.loads((GOLDEN / f"{game}.toml").read_text(encoding="utf-8"))
    board = _board(data["board"])
    return [
        Table(f"{game}: {table['id']}", _position(game, board, table), table["counts"])
        for table in data["table"]
    ]


def _board(data: dict[str, Any]) -> Board:
    size = data["columns"], data["rows"]
    terrain = [{"terrain": name} for name in data["terrain"]]
    special = {
        frozenset((side["a"], side["b"])): Hexside(side.get("terrain"), side.get("road"))
        for side in data["hexsides"]
    }
    edges = grid_board(*size, terrain).edges
    hexsides = [special.get(frozenset((e.a, e.b)), e.hexside) for e in edges]
    return grid_board(*size, terrain, hexsides, name=data["name"])


def _position(game: str, board: Board, table: dict[str, Any]) -> Position[Any, Any]:
    side, phase = GAMES[game]
    scene = {
        "format": "marchtable/scene/2", "rulebook": game, "board": "-", "side": side,
        "phase": phase, "units": table["units"], "pending": table.get("pending", []),
    }  # fmt: skip
    return position_of(scene, source=table["id"], board=board)


def main() -> None:
    """Recount every table to its depth."""
    for game in GAMES:
        path = GOLDEN / f"{game}.toml"
        counted = []
        for table in tables(game):
            counts = [
                perft_by_force(table.position, depth + 1) for depth in range(len(table.counts))
            ]
            sys.stdout.write(f"{table.name}: {table.counts} -> {counts}\n")
            counted.append(counts)
        before, *rest = re.split(r"(?m)^counts = .*$", path.read_text(encoding="utf-8"))
        pieces = (f"counts = {c}{piece}" for c, piece in zip(counted, rest, strict=True))
        path.write_text("".join([before, *pieces]), encoding="utf-8")


if __name__ == "__main__":
    main()
