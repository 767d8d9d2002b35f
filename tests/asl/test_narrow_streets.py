"""Narrow Streets (B31): Bypass along a road on a hexside, by a building, is UNSUPPORTED."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from marchtable.reachability.reach import reach
from marchtable.vasl import import_board
from marchtable_models.asl.views.clearance import streets
from tests.asl.boards import ASL, bars, cites, foot, place, total, vehicle
from tests.asl.test_bypass import BUILDING, ROOM, WOODS, drive, patch, walk
from tests.vasl.forge import Forge

if TYPE_CHECKING:
    from pathlib import Path

    from marchtable.board.board import Board
    from marchtable.reachability.reach import Reach

ALONG: dict[str, Any] = {"along": "Dirt Road"}
TIGHT: dict[str, Any] = {**BUILDING, "clear": (50, 50, 50, 2, 50, 50)}


def street(*, north: Any = TIGHT, south: Any = BUILDING, hexside: Any = ALONG) -> Board:
    """Return C1 and C2 with buildings, and a road along the hexside between them."""
    return patch(north, C2=south, hexsides={"C1-C2": hexside})


@pytest.mark.clause("B31.11")
def test_in_a_vehicle() -> None:
    """A vehicle's way along it is UNSUPPORTED, whatever the clearance; other ways are judged."""
    ruling = drive("bypass u C1", board=street())

    assert (ruling.status, cites(ruling), bars(ruling)) == ("UNSUPPORTED", {"B31.11"}, set())
    assert bars(drive("bypass u C1", board=street(hexside={}))) == {"D2.3b"}
    assert drive("bypass u C1", board=street(north=BUILDING, hexside={})).is_legal


@pytest.mark.clause("B31.11")
def test_where_the_board_does_not_tell() -> None:
    """The building's clearance, stated or not, does not matter there."""
    blind = {**BUILDING, "clear": ()}
    ruling = drive("bypass u C1", board=street(north=blind))

    assert cites(ruling) == {"B31.11"}
    assert bars(drive("bypass u C1", board=street(north=blind, hexside={}))) == {"x-clear"}


@pytest.mark.clause("B31.11")
def test_on_foot() -> None:
    """On foot a way along it is UNSUPPORTED; an equally short one that avoids it has its usual cost."""
    ruling = walk("bypass u C1 vertex=SSE", board=street())

    assert (ruling.status, cites(ruling)) == ("UNSUPPORTED", {"B31.11"})
    assert cites(walk("bypass u C1 vertex=E", board=street())) == {"B31.11"}
    other = walk("bypass u C1 vertex=NNW", board=street())
    assert (other.is_legal, total(other)) == (True, 1)


@pytest.mark.clause("B31.11")
def test_which_hexsides() -> None:
    """A building on either side makes it one; woods on both, or a road across, do not."""
    woods = {**WOODS, "clear": ROOM}
    for north, south, hexside, narrow in (
        (TIGHT, BUILDING, ALONG, True),
        (woods, BUILDING, ALONG, True),
        (BUILDING, {}, ALONG, True),
        (woods, woods, ALONG, False),
        (BUILDING, BUILDING, {"road": "Dirt Road"}, False),
    ):
        board = street(north=north, south=south, hexside=hexside)
        assert streets(board, "C1") == ((3,) if narrow else ())
        assert streets(board, "C2") == ((0,) if narrow else ())
        assert (cites(walk("bypass u C1 vertex=SSE", board=board)) == {"B31.11"}) == narrow
        assert ASL.uncovered(board) == ({"Narrow Street": 1} if narrow else {})


def test_across() -> None:
    """Crossing it, from building to building, costs the building's cost."""
    ruling = walk("enter u C2", board=street(), at="C1")

    assert (ruling.is_legal, total(ruling)) == (True, 2)


@pytest.mark.clause("B31.11")
def test_not_into_woods_by_road() -> None:
    """From the road at its end, woods beside it cost woods' cost, not the road's 1 MF."""
    road = {"terrain": "Dirt Road"}
    for south, cost in ((WOODS, 2), ({}, 1)):
        board = street(south=south)
        beyond = patch(TIGHT, C2=south, B1=road, hexsides={"C1-C2": ALONG})
        assert total(walk("enter u C2", board=beyond)) == cost
        assert total(walk("enter u C2", board=board)) == cost


@pytest.mark.clause("B31.11")
def test_reach() -> None:
    """Reach finds what the referee allows: no way along the street, others as usual."""
    plain = reach(place(street(hexside={}), foot()), ["u"])[0]
    found = reach(place(street(), foot()), ["u"])[0]

    assert _spent(plain, "SSE") == 1 * 2
    assert _spent(found, "SSE") > 1 * 2
    assert _spent(found, "NNW") == 1 * 2
    driven = reach(place(street(), vehicle()), ["u"], rolls="avoid")[0]
    for one in (found, driven):
        for spot in one.places:
            one.replay(spot)


def _spent(found: Reach, vertex: str) -> int:
    """Return the half MF to reach a vertex of C1 in Bypass."""
    return min(
        spot.spent
        for spot in found.places
        if spot.at == "C1" and ASL.describe_mode(spot.mode).get("bypass") == vertex
    )


def test_imported(tmp_path: Path) -> None:
    """A road drawn along a hexside between two buildings is imported as a Narrow Street."""
    forge = Forge(7, 5).disc("D2", 20, "Stone Building").disc("D3", 20, "Stone Building")
    forge.line("C3", forge.corner("D3", 0), forge.corner("D3", 1), "E3", what="Dirt Road", wide=12)
    board = import_board(forge.write(tmp_path / "bd60"))
    hexside = board.hexside("D2", "D3")

    assert hexside is not None
    assert (hexside.along, hexside.road) == ("Dirt Road", None)
    assert streets(board, "D2") == (3,)
    assert min(board["D2"].clear[3], board["D3"].clear[0]) > 0
    assert ASL.uncovered(board) == {"Narrow Street": 1}


@pytest.mark.parametrize("wide", [8, 12, 18])
def test_imported_round_corners(tmp_path: Path, wide: float) -> None:
    """So is every hexside of a road that bends at each corner, narrow or wide: it crosses none."""
    forge = Forge(7, 5)
    for name in ("D2", "D3", "E3", "E4", "C3"):
        forge.disc(name, 20, "Stone Building")
    bends = [forge.corner("D3", number) for number in range(4)]
    forge.line("C2", *bends, "D4", what="Dirt Road", wide=wide)
    board = import_board(forge.write(tmp_path / "bd60"))

    assert {f"{edge.a}-{edge.b}" for edge in board.edges if edge.hexside.along} == {
        "C3-D2", "D2-D3", "D3-E3", "D3-E4",
    }  # fmt: skip
    assert not any(edge.hexside.road for edge in board.edges)
