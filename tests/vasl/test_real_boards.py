"""The importer on real boards, where a checkout has them beside the project."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import networkx as nx
import pytest

from marchtable.board import DIRECTIONS, Board, Hexside
from marchtable.joining import join, reverse
from marchtable.vasl import import_board, report

if TYPE_CHECKING:
    from collections.abc import Callable

BOARDS = Path(__file__).resolve().parents[3] / "shared" / "boards"

pytestmark = pytest.mark.skipif(
    not (BOARDS / "bd01").exists(), reason=f"needs VASL boards in {BOARDS}"
)


@pytest.fixture(scope="module")
def board() -> Callable[[str], Board]:
    """Import a real board, once."""
    held: dict[str, Board] = {}
    return lambda file: held.setdefault(file, held.get(file) or import_board(BOARDS / file))


def roads(board: Board) -> nx.Graph[str]:
    """Return the graph of the road hexsides."""
    graph: nx.Graph[str] = nx.Graph()
    graph.add_edges_from((edge.a, edge.b) for edge in board.edges if edge.hexside.road)
    return graph


def test_board_1(board: Callable[[str], Board]) -> None:
    """Board 1 has the hexes and centres that a count on the map gives."""
    found = report(board("bd01"))

    assert found.hexes == 346
    assert tuple(
        found.terrain[name]
        for name in (
            "Paved Road",
            "Dirt Road",
            "Woods",
            "Stone Building, 2 Level",
            "Stone Building, 1 Level",
        )
    ) == (92, 9, 47, 43, 12)
    assert found.stairways == 34


def test_road_path(board: Callable[[str], Board]) -> None:
    """The shortest road path of board 1 from FF5 to B5 has 32 hexes, both ends counted."""
    path = nx.shortest_path(roads(board("bd01")), "FF5", "B5")

    assert len(path) == 32


@pytest.mark.parametrize(("a", "b"), [("V6", "W7"), ("X6", "Y6")])
def test_crossings_off_centre(board: Callable[[str], Board], a: str, b: str) -> None:
    """Roads that cross a hexside beside its middle are found."""
    assert Hexside(road="Paved Road") == board("bd01").hexside(a, b)


def test_no_through_road(board: Callable[[str], Board]) -> None:
    """No road leads from one end of board 4 to the other."""
    assert not nx.has_path(roads(board("bd04")), "FF5", "B5")


def test_no_road_along_the_edge(board: Callable[[str], Board]) -> None:
    """The road that leaves a board along a hexside does not cross it."""
    for a, b in [("GG5", "GG6"), ("A5", "A6")]:
        assert Hexside(along="Dirt Road") == board("bd01").hexside(a, b)
    for a, b in [("FF5", "GG5"), ("FF5", "GG6"), ("A5", "B5")]:
        assert Hexside() == board("bd01").hexside(a, b)


def test_adjacency(board: Callable[[str], Board]) -> None:
    """Y6 and Z6 share exactly the two neighbours Z5 and Y7."""
    y6, z6 = (dict(board("bd01").neighbours(name)) for name in ("Y6", "Z6"))

    assert y6 == {0: "Y5", 1: "Z5", 2: "Z6", 3: "Y7", 4: "X6", 5: "X5"}
    assert z6 == {0: "Z5", 1: "AA6", 2: "AA7", 3: "Z7", 4: "Y7", 5: "Y6"}


def test_other_grid(board: Callable[[str], Board]) -> None:
    """Board 1a, of another size, has its hexes, paths, walls and rowhouse walls."""
    found = report(board("bd1a"))

    assert (found.name, found.hexes, found.paths) == ("1a", 348, 12)
    assert found.hexsides == {"Wall": 26, "Hedge": 21, "Rowhouse Wall, 1 Level": 2}
    assert board("bd1a").locations[-1].name == "Q20"


def test_gap(board: Callable[[str], Board]) -> None:
    """Of the walls and hedges of board 1a the one that a road passes has a gap, and no other."""
    gaps = [edge for edge in board("bd1a").edges if edge.hexside.gap]

    assert [(edge.a, edge.b, edge.hexside) for edge in gaps] == [
        ("M13", "M14", Hexside("Wall", "Dirt Road", gap=35))
    ]


@pytest.mark.parametrize(
    ("file", "name", "touched", "clear"),
    [
        ("bd01", "D4", "", (15, 28, 11, 7, 19, 9)),
        ("bd01", "E4", "NE SE", (8, 0, 0, 3, 8, 8)),
        ("bd01", "F5", "SE S", (17, 22, 0, 0, 6, 6)),
        ("bd1a", "K12", "", (4, 5, 1, 2, 16, 13)),
        ("bd1a", "N10", "S", (19, 12, 4, 0, 6, 15)),
    ],
)
def test_clear(
    board: Callable[[str], Board], file: str, name: str, touched: str, clear: tuple[int, ...]
) -> None:
    """Buildings touch the hexsides that they are seen to touch, and stand so far from the rest."""
    found = board(file)[name].clear

    assert " ".join(DIRECTIONS[way] for way in range(6) if not found[way]) == touched
    assert found == pytest.approx(clear, abs=2)


def test_inherent_terrain(board: Callable[[str], Board]) -> None:
    """The graveyard of board 1a is found though its centre is open."""
    assert report(board("bd1a")).terrain["Graveyard"] == 1


def test_terrain_table(board: Callable[[str], Board]) -> None:
    """The terrain table of the VASL module gives the same board as the built-in one."""
    table = BOARDS / "SharedBoardMetadata.xml"

    assert board("bd01") == import_board(BOARDS / "bd01", table)


def test_joined(board: Callable[[str], Board]) -> None:
    """A long seam merges 16 half-hexes and roads cross it, reversed boards included."""
    above, below = board("bd01"), reverse(board("bd04"))
    table = join([[above], [below]])

    assert len(table) == 346 + 346 - 16
    assert table.resolve("4FF10") == "1B10"
    for column, other in [("I", "Y"), ("Q", "Q"), ("Y", "I")]:
        seam = table.hexside(f"1{column}10", f"4{other}10")
        assert getattr(seam, "road", None) == "Dirt Road"


def test_mixed_sizes(board: Callable[[str], Board]) -> None:
    """Two boards of half the width lie above one of full width."""
    half = board("bd1a")
    other = Board("2a", half.locations, half.edges)
    table = join([[half, other], [board("bd33")]])

    assert len(table) == 348 + 348 - 20 + 346 - 16
    assert (table.resolve("33B0"), table.resolve("33R0")) == ("1aB20", "2aB20")
    assert 1 == table.distance("1aQ20", "33Q1") == table.distance("1aP15", "2aA15")
