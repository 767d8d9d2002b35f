"""Board measurements: gaps in walls, roads along hexsides, clearance for Bypass."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from marchtable.board.joining import join
from marchtable.vasl import import_board
from marchtable_models.asl.data import count
from marchtable_models.asl.views.clearance import bypass_sides
from tests.asl.boards import (
    bars,
    cites,
    crossing,
    field,
    foot,
    last,
    paid,
    place,
    step,
    total,
    vehicle,
)

if TYPE_CHECKING:
    from marchtable.board.board import Board

BOARDS = Path(__file__).resolve().parents[3] / "shared" / "boards"
GAP = count("B9.4", "gap")

needs_boards = pytest.mark.skipif(
    not (BOARDS / "bd01").exists(), reason=f"needs VASL boards in {BOARDS}"
)


# -- gaps ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("terrain", "clause"), [
    pytest.param("Wall", "B9-wall", marks=pytest.mark.clause("B9-wall")),
    pytest.param("Hedge", "B9-hedge", marks=pytest.mark.clause("B9-hedge")),
])  # fmt: skip
def test_an_obvious_gap_is_free(terrain: str, clause: str) -> None:
    """Through an obvious gap a wall or hedge costs nothing; through a narrower one it does."""
    obvious, narrow = ({"terrain": terrain, "gap": width} for width in (GAP, GAP - 1))
    free = step(hexside=obvious, left=1)

    assert (free.status, total(free), paid(free, clause)) == ("LEGAL", 1, 0)
    assert dict(free.exceptions)[clause].endswith("by an obvious gap")
    assert bars(step(hexside=obvious, left=0.5)) == {"A4.11b"}
    assert paid(step(hexside=narrow), clause) == 1
    assert step("tr", hexside=obvious).status == "LEGAL"
    assert bars(step("tr", hexside=narrow)) == {clause}


@pytest.mark.clause("D8.21d")
def test_an_obvious_gap_bogs_nobody() -> None:
    """A halftrack makes a Bog Check where it crosses a hedge, not at a gap in it."""
    hedge = {"terrain": "Hedge"}

    assert step("ht", hexside={**hedge, "gap": GAP - 1}).obligations
    assert not step("ht", hexside={**hedge, "gap": GAP}).obligations


# -- roads along hexsides --------------------------------------------------------------------------


def forked(along: str | None = "Dirt Road", **hexes: dict[str, Any]) -> Board:
    """Return a board on which the road of B1 goes on between C1 and C2."""
    found: dict[str, dict[str, Any]] = {
        "A1": {},
        "A2": {},
        "B1": {"terrain": "Dirt Road"},
        "C1": {},
        "C2": {},
    }
    return field({**found, **hexes}, {"C1-C2": {"along": along}})


@pytest.mark.clause("B3.4-along")
def test_a_road_along_a_hexside() -> None:
    """It leads into and out of both hexes at road cost, except under one reading."""
    for at, to in (("B1", "C1"), ("B1", "C2"), ("C1", "B1"), ("C2", "B1")):
        facing = "E" if at == "B1" else "SSW" if at == "C1" else "W"
        truck = place(forked(), vehicle(at=at, facing=facing))
        found = last(truck, f"enter u {to}")
        assert (found.status, total(found)) == ("LEGAL", 0.5)
        assert found.readings == (("B3.4-along", "both"),)
        other = msgspec.structs.replace(truck, readings=(("B3.4-along", "neither"),))
        assert cites(last(other, f"enter u {to}")) == {"B3.4-along"}


@pytest.mark.parametrize("board", [
    forked(None), forked("Runway"), forked(B1={}), forked(C1={"terrain": "Wooden Building"}),
])  # fmt: skip
def test_no_road_along(board: Board) -> None:
    """No road there, an unknown kind, none in the hex it comes from, or a building: no way."""
    found = last(place(board, foot()), "enter u C1")

    assert paid(found, "B3.4a") == 0
    assert found.readings == ()


def test_not_across_a_road_along() -> None:
    """Crossing the hexside that a road runs along is not movement by road."""
    found = last(place(forked(), foot(at="C1")), "enter u C2")

    assert paid(found, "B3.4a") == 0
    assert found.status == "LEGAL"


def test_a_road_that_crosses_needs_no_reading() -> None:
    """Where a road crosses the hexside no reading matters, even if one runs along beside it."""
    board = field(
        {"A1": {}, "A2": {}, "B1": {"terrain": "Dirt Road"}, "C1": {}, "C2": {}},
        {"C1-C2": {"along": "Dirt Road"}, "B1-C1": {"road": "Dirt Road"}},
    )

    assert last(place(board, foot()), "enter u C1").readings == ()


@pytest.mark.slow
@needs_boards
def test_roads_of_boards_end_to_end() -> None:
    """A truck drives from board 1 onto board 4 for ½ MP a hex, through either hex of the seam."""
    table = join([[import_board(BOARDS / "bd01"), import_board(BOARDS / "bd04")]])
    for seam in ("1GG5", "1GG6"):
        truck = last(place(table, vehicle(at="1FF5", facing="E")), f"enter u {seam}")
        assert (truck.status, total(truck)) == ("LEGAL", 0.5)
        assert paid(last(place(table, foot(at=seam)), "enter u 4B5"), "B3.4a") == 1


# -- clearance for Bypass --------------------------------------------------------------------------


def test_room_to_bypass() -> None:
    """On foot the obstacle must not touch the hexside; a vehicle needs a counter's thickness."""
    afoot, driving = count("A4.3", "clear"), count("D2.3", "clear")
    clear = (0, afoot, afoot - 1, driving - 1, driving, 100)
    board = crossing(there={"terrain": "Woods", "clear": clear})

    assert bypass_sides(board, "C1", vehicle=False) == (1, 3, 4, 5)
    assert bypass_sides(board, "C1", vehicle=True) == (4, 5)


def test_nothing_lies_along_a_bypassed_hexside() -> None:
    """A cliff along a hexside leaves no clearance, on the board or at its edge."""
    clear = (50,) * 6
    hexside: dict[str, Any] = {"terrain": "Cliff"}
    board = crossing(
        there={"terrain": "Woods", "clear": clear, "rim": ((0, hexside), (1, {}))}, hexside=hexside
    )
    way = board.direction("C1", "B1")

    assert bypass_sides(board, "C1", vehicle=False) == tuple({1, 2, 3, 4, 5} - {way})


def test_boards_that_do_not_tell() -> None:
    """Where a board does not state the obstacle's distance there is no answer."""
    assert bypass_sides(crossing(there={"terrain": "Woods"}), "C1", vehicle=True) is None


@needs_boards
def test_bypass_on_board_1() -> None:
    """1D4's house can be bypassed all round; 1E4's building only in the west, and not by vehicles in the S."""
    board = import_board(BOARDS / "bd01")

    assert bypass_sides(board, "D4", vehicle=False) == (0, 1, 2, 3, 4, 5)
    assert bypass_sides(board, "E4", vehicle=False) == (0, 3, 4, 5)
    assert bypass_sides(board, "E4", vehicle=True) == (0, 4, 5)
