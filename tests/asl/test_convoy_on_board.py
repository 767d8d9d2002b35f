"""A Convoy of eight mixed vehicles crosses a real board by road."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from marchtable_models.asl.model import SPINES
from marchtable_models.asl.views.edge import ways
from marchtable_models.asl.views.ground import lie
from tests.asl.boards import last, place, total, vehicle

BOARDS = Path(__file__).resolve().parents[3] / "shared" / "boards"
KINDS = ("tr-40", "ht-40", "ft-40", "tr-40", "ac-40", "tr-40", "ht-40", "tr-40")
MOST = 12  # Impulses


def by_road(board: Any) -> list[str]:
    """Return a way along roads across the board."""
    import networkx as nx

    graph = nx.Graph(
        (e.a, e.b) for e in board.edges if e.hexside.road and lie(board, e.a, e.b).ground.road
    )
    return list(nx.shortest_path(graph, "FF5", "B5"))


def spine_to(board: Any, a: str, b: str) -> str:
    """Return a VCA that contains the next hex of the way."""
    return SPINES[lie(board, a, b).direction]


def impulse_of(position: Any, path: list[str]) -> str:
    """Return the next Impulse: every vehicle that must turn does, otherwise all go on."""
    turns, enters = [], []
    for unit in position.units:
        ahead = path[path.index(str(unit.at)) + 1]
        direction = lie(position.board, unit.at, ahead).direction
        enters.append(f"enter:{ahead}")
        if direction in ways(unit):
            turns.append("stay")
            continue
        here = SPINES.index(unit.facing)
        step = 1 if (direction - here) % 6 <= 3 else -1
        turns.append(f"turn:{SPINES[(here + step) % 6]}")
    moves = enters if set(turns) == {"stay"} else turns
    return f"impulse v1 {','.join(moves)}"


@pytest.mark.skipif(not (BOARDS / "bd01").exists(), reason=f"needs VASL boards in {BOARDS}")
def test_eight_vehicles_cross_by_road() -> None:
    """Eight mixed vehicles keep line and pay alike, two MP a road hex, Impulse after Impulse."""
    from marchtable.vasl.importer import import_board

    board = import_board(BOARDS / "bd01")
    path = by_road(board)
    units = [
        vehicle(f"v{n}", kind, at=path[8 - n], convoy="c", rank=n,
                facing=spine_to(board, path[8 - n], path[9 - n]))
        for n, kind in enumerate(KINDS, 1)
    ]  # fmt: skip
    position = place(board, *units)
    entered = 0
    for _ in range(MOST):
        move = impulse_of(position, path)
        ruling = last(position, move)
        assert ruling.is_legal, (move, ruling.violations, ruling.unsupported)
        assert len({total(ruling, unit.id) for unit in units}) == 1
        if "enter" in move:
            entered += 1
            assert total(ruling, "v1") >= 2
        position = ruling.after
        if min(80 - unit.points.spent for unit in position.units) < 10:
            break
    assert entered > 2
    assert [path.index(str(unit.at)) for unit in position.units] == [
        7 + entered - n for n in range(8)
    ]
    assert position.units[0].line.convoy == "c"
