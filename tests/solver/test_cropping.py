"""Boards cropped to a part of their hexes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from marchtable.board.board import Board, Hexside
from marchtable.board.cropping import crop
from marchtable.board.joining import join, reverse
from marchtable.errors import BadInputError
from marchtable.files.boards import load_board
from marchtable.vasl import import_board
from tests.vasl.forge import Forge

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def board(tmp_path: Path) -> Board:
    """Import a board with a road from end to end, over a gully."""
    forge = Forge(7, 4).line("D0", "D4", what="Gully", level=-1)
    forge.line("A2", "D2", "G2", what="Dirt Road").disc("D2", 12, "Stone Bridge")
    return import_board(forge.write(tmp_path / "bd07"))


def test_columns(board: Board) -> None:
    """Whole columns stay, with their half-hexes and hexsides."""
    part = crop(board, "A-D")

    assert part.name == "7 crop A-D"
    assert {one.hex for one in part.locations} == {
        one.hex for one in board.locations if one.hex[0] in "ABCD"
    }
    assert part.hexside("B2", "C2") == board.hexside("B2", "C2")


def test_rows(board: Board) -> None:
    """Rows are taken by their numbers."""
    names = {one.hex for one in crop(board, "B1-C2").locations}

    assert names == {"B1", "B2", "C1", "C2"}


def test_rim(board: Board) -> None:
    """Sides towards cut-off hexes lead off the map: the road from the bridge's deck."""
    part = crop(board, "A-D")
    deck, ground = dict(part["D2:bridge"].rim), dict(part["D2"].rim)

    assert {one.road for one in deck.values()} == {"Dirt Road"}
    assert set(ground) == {1, 2}
    assert {one.road for one in ground.values()} == {None}
    assert dict(part["D3"].rim)[1] == Hexside()


@pytest.mark.parametrize(
    ("part", "says"),
    [
        ("A", "expected columns such as A-P"),
        ("a-p", "expected columns such as A-P"),
        ("A1-P", "expected columns such as A-P"),
        ("A-AB", "AB is no column"),
        ("D-A", "left to right"),
        ("A-P", r"expected two columns of board 7 \(A1 to G4\)"),
        ("A9-B9", "A9-B9: expected rows"),
        ("A1-B99", "A1-B99: expected rows"),
        ("A3-B1", "top to bottom"),
    ],
)
def test_rejected(board: Board, part: str, says: str) -> None:
    """An invalid part is rejected with what was expected."""
    with pytest.raises(BadInputError, match=says):
        crop(board, part)


def test_file(tmp_path: Path) -> None:
    """A part that a file's board lacks is rejected by the file."""
    path = Forge().write(tmp_path / "bd07")

    with pytest.raises(BadInputError, match=r"bd07: crop: A-Z: expected"):
        load_board(path, crop="A-Z")


def test_joined(board: Board, tmp_path: Path) -> None:
    """Cropped boards lie above each other; not where they are cut."""
    below = import_board(Forge(7, 4).write(tmp_path / "bd08"))
    both = join([[crop(board, "A-D")], [crop(below, "A-D")]])

    assert both.resolve("8B0") == "7B4"
    with pytest.raises(BadInputError, match="board 7 crop A-D would meet another where it is cut"):
        join([[crop(board, "A-D"), below]])
    with pytest.raises(BadInputError, match="where it is cut"):
        join([[crop(board, "A1-D4")], [crop(below, "A-D")]])


def test_not_joined(board: Board, tmp_path: Path) -> None:
    """Joined boards cannot be cropped: crop each first."""
    both = join([[board, import_board(Forge(7, 4).write(tmp_path / "bd08"))]])

    with pytest.raises(BadInputError, match="only a single board can be cropped"):
        crop(both, "A-C")


def test_turned(board: Board) -> None:
    """Cropping first or rotating first gives the same board."""
    assert {one.name: dict(one.rim) for one in reverse(crop(board, "A-C")).locations} == {
        one.name: dict(one.rim) for one in crop(reverse(board), "A-C").locations
    }
