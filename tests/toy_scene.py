"""A hand-made scene of the toy game: A1 meadow, A2 swamp, B1 meadow by road, B2 lake.

::

    A1 meadow ═ B1 meadow        ═ road
    A2 swamp  ─ B2 lake
"""

from __future__ import annotations

from typing import Any

from marchtable.board.board import Board, Hexside
from marchtable.state.position import Position
from marchtable_toy import Sky, Walk, Walker
from tests.grids import grid_board

__all__ = ["BOARD", "scene", "walk"]


def _board() -> Board:
    terrain = ("Meadow", "Swamp", "Meadow", "Lake")
    plain = grid_board(2, 2, [{"terrain": name} for name in terrain], name="toy")
    road = {("A1", "B1"), ("B1", "A1")}
    return grid_board(
        2, 2, [{"terrain": name} for name in terrain],
        [Hexside(road="Track" if (e.a, e.b) in road else None) for e in plain.edges], name="toy",
    )  # fmt: skip


BOARD = _board()


def scene(**changes: Any) -> Position[Walker, Sky]:
    """Return the scene: w0 and w1 of red and w2 of blue with 4 points each, w2 in B1."""
    fields: dict[str, Any] = {
        "rulebook": "toy", "board": BOARD, "side": "red", "phase": "Walk", "conditions": Sky(),
        "units": (
            Walker(id="w0", side="red", at="A1"),
            Walker(id="w1", side="red", at="A1"),
            Walker(id="w2", side="blue", at="B1"),
        ),
    }  # fmt: skip
    return Position(**{**fields, **changes})


def walk(who: str, to: str) -> Walk:
    """Return the action of these walkers, their ids between blanks, entering a hex."""
    return Walk(tuple(who.split()), to)
