"""Boards reversed and laid side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from marchtable.board.board import Board, EdgeRecord, Hexside, Location
from marchtable.board.joining import join, reverse
from marchtable.errors import BadInputError
from marchtable.vasl import import_board
from tests.vasl.forge import Forge

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Read = Callable[..., Board]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Write a board under a number and import it again."""
    return lambda number, forge=None: import_board(
        (forge or Forge()).write(tmp_path / f"bd{number}")
    )


def roads(board: Board) -> set[str]:
    """Return the hexsides that roads cross, as text."""
    return {f"{edge.a}-{edge.b}" for edge in board.edges if edge.hexside.road}


def test_side_by_side(read: Read) -> None:
    """The last column of the left board is the first of the right one, under both names."""
    board = join([[read(1), read(2)]])

    assert len(board) == 2 * 22 - 4
    assert board.name == "1+2"
    assert {f"2A{row}": f"1E{row}" for row in range(1, 5)} == board.aliases
    assert [name for _, name in board.neighbours(board.resolve("2A2"))] == [
        "1E1",
        "2B1",
        "2B2",
        "1E3",
        "1D2",
        "1D1",
    ]


def test_stacked(read: Read) -> None:
    """The half-hexes of the seam are merged, and the whole hexes meet across it."""
    board = join([[read(1)], [read(2)]], name="both")

    assert len(board) == 2 * 22 - 2
    assert board.name == "both"
    assert board.aliases == {"2B0": "1B4", "2D0": "1D4"}
    assert [name for _, name in board.neighbours("1B4")] == [
        "1B3",
        "1C4",
        "2C1",
        "2B1",
        "2A1",
        "1A4",
    ]
    assert board.direction("1C4", "2C1") == 3


def test_whole_table(read: Read) -> None:
    """On a table of four boards every hex away from the edge has six neighbours."""
    board = join([[read(1), read(2)], [read(3), read(4)]])
    us, vs = (max(getattr(one, axis) for one in board.locations) for axis in "uv")
    lacking = {
        one.name
        for one in board.locations
        if len(board.neighbours(one.name)) != 6 and 0 < one.u < us and 1 < one.v < vs - 1
    }

    assert set() == lacking
    assert [way for way, _ in board["1B0"].rim] == [0, 1, 5]


def test_road_over_the_seam(read: Read) -> None:
    """A road that leaves one board enters the next, across the seam and along it."""
    down = Forge().line("C1", "C4", (112.5, 258.0), what="Dirt Road")
    up = Forge().line((112.5, 0.0), "C2", what="Paved Road")
    board = join([[read(1, down)], [read(2, up)]])

    assert {"1C1-1C2", "1C2-1C3", "1C3-1C4", "1C4-2C1", "2C1-2C2"} == roads(board)
    assert getattr(board.hexside("1C4", "2C1"), "road", None) == "Dirt Road"
    assert all(way != 3 for way, _ in board["1C4"].rim)


def test_halves(read: Read) -> None:
    """A shared hex has the feature of either half, and the hexsides of both."""
    left = Forge()
    right = Forge().disc("A2", 20, "Woods").line("B2", "A3", what="Dirt Road")
    right.line(right.corner("A2", 2), right.corner("A2", 3), what="Hedge", wide=4)
    board = join([[read(1, left), read(2, right)]])
    woods = board["1E2"]

    assert woods.terrain == "Woods"
    assert woods.also[0][0] == "Open Ground"
    assert 60 < woods.also[0][1] < 100
    assert Hexside(terrain="Hedge") == board.hexside("1E2", "2B2")
    assert {"1E3-2B2"} == roads(board)


def test_clear_of_halves(read: Read) -> None:
    """The nearest terrain in either half of a shared hex decides; reversing a board turns it too."""
    left, right = Forge(), Forge()
    for forge, at, way in ((left, "E2", -1), (right, "A2", 1)):
        x, y = forge.centre(at)
        forge.disc((x + way * 12, y + way * 12), 6, "Stone Building")
    one, two = read(1, left), read(2, right)
    whole = join([[one, two]])["1E2"].clear
    halves = one["E2"].clear, two["A2"].clear

    assert whole == tuple(map(min, *halves))
    assert whole not in halves
    assert join([[one, read(3)]])["1E2"].clear == halves[0]
    assert join([[read(3), one]])["3E2"].clear == ()
    assert reverse(one)["E2"].clear == halves[0][3:] + halves[0][:3]
    assert reverse(one)["A2"].clear == ()


def test_gap_of_halves() -> None:
    """A wall that either half shows unbroken has no gap; one that only one half shows keeps its."""
    broken, whole = Hexside("Wall", gap=30), Hexside("Wall")

    assert broken.merged(whole) == whole.merged(broken) == whole
    assert broken.merged(Hexside()) == Hexside().merged(broken) == broken


def test_road_along_a_shared_hexside(read: Read) -> None:
    """A road along a hexside, half on either board, runs along the joined one."""
    left = Forge().line("D2", (225.0, 129.0), what="Dirt Road")
    right = Forge().line((0.0, 129.0), "B2", what="Dirt Road")
    board = join([[read(1, left), read(2, right)]])

    assert Hexside(along="Dirt Road") == board.hexside("1E2", "1E3")
    assert set() == roads(board)


def test_bridge_of_one_half(read: Read) -> None:
    """Where only one half of a hex shows the bridge, the other half's road leads onto it too."""
    left = Forge().line("D2", "E3", what="Dirt Road", wide=12)
    left.line("E2", "E4", what="Gully", wide=20, level=-1)
    right = Forge().line("A2", "A4", what="Gully", wide=20, level=-1)
    right.line("B2", "A3", what="Dirt Road", wide=12)
    right.line((20.0, 148.0), "A3", what="Stone Bridge", wide=12)
    board = join([[read(1, left), read(2, right)]])

    assert (board["1E3"].terrain, board["1E3"].level) == ("Gully", -1)
    assert board["2A3:bridge"].level == 0
    assert {"2B2", "1D2"} == {name for _, name in board.neighbours("1E3:bridge")}
    assert Hexside() == board.hexside("1D2", "1E3")


def test_reverse(read: Read) -> None:
    """A reversed board keeps its labels and hexsides, but not its directions."""
    board = read(1, Forge().line("C1", "C2", "D2", (112.5, 0.0), "C1", what="Dirt Road"))
    turned = reverse(board)

    assert roads(board) == roads(turned)
    assert turned.direction("C2", "C1") == 3
    assert list(turned.neighbours("A3")) == [(0, "A4"), (3, "A2"), (4, "B2"), (5, "B3")]
    assert ((3, Hexside(road="Dirt Road")),) == turned["C1"].rim
    assert board == reverse(turned)


def test_join_reversed(read: Read) -> None:
    """A reversed board meets the next one with its own first column."""
    board = join([[reverse(read(1)), read(2)]])

    assert board.aliases == {"2A1": "1A4", "2A2": "1A3", "2A3": "1A2", "2A4": "1A1"}


def test_join_of_a_join(read: Read) -> None:
    """A joined board can be joined again; its names do not grow."""
    pair = join([[read(1), read(2)]])
    table = join([[pair], [join([[read(3), read(4)]])]])

    assert join([[read(1), read(2)], [read(3), read(4)]]).index.keys() == table.index.keys()
    assert table.resolve("2A1") == "1E1"
    assert table.resolve("4B0") == "2B4"


def test_other_locations_survive() -> None:
    """Locations and missing edges of hand-made boards come through a join unchanged."""
    left = Board(
        "L",
        [
            Location("A1", "A1", 0, 1),
            Location("A1:tunnel", "A1", 0, 1),
            Location("A2", "A2", 0, 3),
            Location("B1", "B1", 1, 2),
            Location("B1:bridge", "B1", 1, 2, terrain="Foot Bridge"),
            Location("C1", "C1", 2, 1),
            Location("C2", "C2", 2, 3),
        ],
        [EdgeRecord("A1:tunnel", "B1"), EdgeRecord("A1", "B1:bridge", Hexside(path=True))],
    )
    board = join([[left, Board("R", [Location("A1", "A1", 0, 1), Location("A2", "A2", 0, 3)], [])]])

    assert {"LA1", "LA1:tunnel", "LA2", "LB1", "LB1:bridge"} <= set(board.index)
    assert Hexside(path=True) == board.hexside("LA1", "LB1:bridge")
    assert Hexside() == board.hexside("LA1:tunnel", "LB1")
    assert board.hexside("LA2", "LB1") is None


def test_rejections(read: Read) -> None:
    """Boards that cannot lie as stated are rejected."""
    one, two, low = read(1), read(2), read(3, Forge(5, 3))
    shifted = read(5, Forge(4, 4))

    cases: list[tuple[list[list[Board]], str]] = [
        ([], "at least one"),
        ([[]], "at least one"),
        ([[join([[one, two]]), join([[one, two]])]], "occurs twice"),
        ([[one, low]], "not as high"),
        ([[one], [read(4, Forge(7, 4))]], "not of one width"),
        ([[shifted, one]], "does not meet"),
    ]
    for rows, said in cases:
        with pytest.raises(BadInputError, match=said):
            join(rows)


def test_one_board_twice(read: Read) -> None:
    """The hexes of a board used twice have their own names."""
    board = join([[read(1), read(1)], [read(2)]])

    assert {"1B1", "1no2B1", "2B1"} <= set(board.index)
    assert board.resolve("1no2A2") == "1E2"
    assert board.hexside("1D4", "2D1") is not None
    assert board.is_at_edge("1no2C4")
