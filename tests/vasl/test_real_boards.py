"""The importer on real boards, if a checkout has them beside the project."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import networkx as nx
import pytest

from marchtable.board.board import DIRECTIONS, Board, Hexside
from marchtable.board.joining import join, reverse
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

    def read(file: str) -> Board:
        if not (BOARDS / file).exists():
            pytest.skip(f"needs the VASL board {file} in {BOARDS}")
        return held.setdefault(file, held.get(file) or import_board(BOARDS / file))

    return read


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


@pytest.mark.parametrize(
    ("file", "names", "terrain"),
    [
        ("bd02", "M4 J6 T5 T9 AA9", "Woods"),  # M4 is wooded by B.1
        ("bd33", "W1 W4 X4 Z2 Z8", "Grain"),
        ("bd04", "J6 V4 W4 W5 X7", "Grain"),
        ("bd52", "L4 N6 P6 T6 W6 CC7", "Woods"),
        ("bd04", "X8", "Wooden Building"),  # and this one a building's
        ("bd12", "F2 M2 P9", "Wooden Building"),
        ("bd02", "I8 S6", "Open Ground"),
    ],
)
def test_whatever_the_centre_shows(
    board: Callable[[str], Board], file: str, names: str, terrain: str
) -> None:
    """Specks at a center, and clearings, do not hide a hex's terrain."""
    assert {board(file)[name].terrain for name in names.split()} == {terrain}


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


ROADS = {
    "bd02": "S2-T2 U7-V7",
    "bd03": "F6-G6",
    "bd52": "Y6-Z6 BB6-CC7",
    "bdr": (
        "C5-D5 E6-F5 F3-G3 G3-H3 I3-J3 I10-J9 J6-K7 J9-K10 K10-L9 L3-M3 L9-M10 M3-N3 N9-O10 O10-P9 "
        "Q5-Q4 Q10-R9 R9-S10 X2-Y3 AA5-BB5 CC3-DD2 T9-U9 W5-X5 Y5-Z5 G8-H7 H7-H8"
    ),
}


@pytest.mark.parametrize("file", ROADS)
def test_narrow_and_aslant_roads(board: Callable[[str], Board], file: str) -> None:
    """Roads that cross aslant, narrow, beneath shellholes or across a square are found."""
    for pair in ROADS[file].split():
        a, b = pair.split("-")
        assert getattr(board(file).hexside(a, b), "road", None) == "Dirt Road", pair


@pytest.mark.parametrize(
    ("file", "a", "b"),
    [("bd03", "X2", "Y2"), ("bd1a", "M10", "N9"), ("bd1a", "N10", "O10"), ("bd23", "R9", "R10")],
)
def test_touched_only(board: Callable[[str], Board], file: str, a: str, b: str) -> None:
    """Roads that touch a hexside at its corner, or lie beside it, do not cross it."""
    assert getattr(board(file).hexside(a, b), "road", "") is None


ENDS = {
    "bd00": "E5 I5 I6 Q5 Q6 Y5 Y6 CC5",
    "bd01": "X5",
    "bd02": "I10",
    "bd03": "I1 I10",
    "bd04": "I10 O7",
    "bd12": "Z1",
    "bd1a": "O8",
    "bd23": "C5 V6 EE2",
    "bd33": "",
    "bd52": "I1 I10 Q1 Q10 Y1 Y10",
    "bdr": "EE3",
}


@pytest.mark.parametrize("file", ENDS)
def test_where_roads_end(board: Callable[[str], Board], file: str) -> None:
    """No road breaks off but where the picture shows its end."""
    found = board(file)
    ways: dict[str, int] = {}
    for edge in found.edges:
        if edge.hexside.road:
            for end in (edge.a, edge.b):
                ways[end] = ways.get(end, 0) + 1
        if edge.hexside.along:
            ends = {edge.a, edge.b, *(name for _, name in found.neighbours(edge.a))}
            for end in ends & {edge.a, edge.b, *(name for _, name in found.neighbours(edge.b))}:
                ways[end] = ways.get(end, 0) + 2
    for one in found.locations:
        ways[one.name] = ways.get(one.name, 0) + sum(side.road is not None for _, side in one.rim)

    assert sorted(name for name, count in ways.items() if count == 1) == sorted(ENDS[file].split())


@pytest.mark.parametrize("file", ENDS)
def test_roads_off_the_edges(board: Callable[[str], Board], file: str) -> None:
    """Roads leave boards by the hexrows, and along the middle hexsides, that the pictures show."""
    others = {"bd33": {"I1", "Q1", "Q10", "Y10"}, "bd1a": {"I1", "I20"}}
    short = {"bd23": set(), "bd1a": {"A5-A6", "A15-A16", "Q5-Q6", "Q15-Q16", "N9-N10"}}
    found = board(file)
    rim = {one.hex for one in found.locations if any(side.road for _, side in one.rim)}
    along = {f"{edge.a}-{edge.b}" for edge in found.edges if edge.hexside.along}

    assert rim == others.get(file, {"I1", "I10", "Q1", "Q10", "Y1", "Y10"})
    assert along == short.get(file, {"A5-A6", "GG5-GG6"})


BRIDGES = {
    ("bd12", "CC7"): "BB7 DD6",
    ("bd12", "E9"): "D8 F9",
    ("bd23", "H4"): "G5 I4",
    ("bd23", "P7"): "P6 P8",
    ("bd23", "X3"): "X2 X4",
    ("bd23", "BB5"): "BB4 BB6",
}


@pytest.mark.parametrize(("file", "name"), BRIDGES)
def test_bridges(board: Callable[[str], Board], file: str, name: str) -> None:
    """A bridge's road leads where the picture shows, and what it spans lies a level lower."""
    found = board(file)
    deck, below = found[name + ":bridge"], found[name]
    low = "Gully" if file == "bd12" else "Water"

    assert (deck.terrain, deck.level) == ("Single Hex Stone Bridge", 0)
    assert (below.terrain, below.level) == (low, -1)
    assert below.depression == ("Gully" if file == "bd12" else None)
    assert {other for _, other in found.neighbours(deck.name)} == set(BRIDGES[file, name].split())
    assert not any(
        getattr(found.hexside(name, other), "road", None) for _, other in found.neighbours(name)
    )
    # The gully, or the canal, goes on to either side.
    lower = [other for _, other in found.neighbours(name) if found[other].terrain == low]
    assert len(lower) >= 2


@pytest.mark.parametrize("file", ENDS)
def test_no_other_bridges(board: Callable[[str], Board], file: str) -> None:
    """A hex into which a bridge spills has none of its own."""
    bridges = {one.hex for one in board(file).locations if one.name != one.hex}

    assert bridges == {name for other, name in BRIDGES if other == file}


@pytest.mark.parametrize(("name", "beside"), [("G8", "Woods"), ("Y5", "Woods"), ("CC9", "Brush")])
def test_overgrown_gully(board: Callable[[str], Board], name: str, beside: str) -> None:
    """A gully through woods or brush is a gully, and has them."""
    found = board("bd12")[name]

    assert (found.depression, found.level) == ("Gully", -1)
    assert dict(found.also)[beside] >= 30


@pytest.mark.parametrize(
    ("file", "names"), [("bd02", "U6 U7 U8 V7"), ("bd03", "F6 G6 H5 Y3 EE1"), ("bd04", "S3")]
)
def test_shellholes(board: Callable[[str], Board], file: str, names: str) -> None:
    """Shellholes count anywhere in the hex; on a road they are listed beside it."""
    for name in names.split():
        found = board(file)[name]
        assert found.terrain == "Shellholes" or (
            found.terrain == "Dirt Road" and dict(found.also)["Shellholes"] >= 20
        )


@pytest.mark.parametrize(("file", "hammada", "scrub"), [("bd26", 17, 7), ("bd28", 20, 8)])
def test_desert(board: Callable[[str], Board], file: str, hammada: int, scrub: int) -> None:
    """Scrub and hammada, drawn as specks, count in every hex in which they are drawn."""
    terrain = Counter(one.terrain for one in board(file).locations)

    assert (terrain["Hammada"], terrain["Scrub"]) == (hammada, scrub)


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
    """Buildings touch the hexsides that show contact, and have the right distance from the rest."""
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
