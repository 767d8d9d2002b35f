"""Overlays: where one may lie, the board's own terrain does not count."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from marchtable.board.board import Board, Hexside
from marchtable.board.joining import join
from marchtable.board.overlays import overlaid
from marchtable.errors import BadInputError
from marchtable.files.boards import find_board, load_board, save_board
from marchtable.vasl import import_board
from tests.vasl.forge import Forge

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Return an archive of 17 x 10 hexes: a road along row 5, a bridge over a gully in I5."""
    forge = Forge(17, 10).line("I0", "I10", what="Gully", level=-1)
    forge.line("A5", "Q5", what="Dirt Road").disc("I5", 14, "Stone Bridge")
    return forge.write(tmp_path / "bd07")


def beneath(board: Board) -> set[str]:
    """Return the hexes that an overlay may hide."""
    return {one.hex for one in board.locations if one.terrain.startswith("Overlay ")}


@pytest.mark.parametrize("name", ["o1", "wd1", "x7", "X22", "g1"])
def test_the_smallest_is_one_hex(archive: Path, name: str) -> None:
    """The smallest of its kind hides the first hex it is laid by; the second only rotates it."""
    assert beneath(overlaid(import_board(archive), f"{name}:D4:D5")) == {"D4"}


@pytest.mark.parametrize("name", ["o5", "wd3", "x11", "hd2"])
def test_others_of_small_kinds_reach_four_hexes(archive: Path, name: str) -> None:
    """Other small kinds can lie within four hexes of the hexes they are laid by."""
    board = import_board(archive)
    found = beneath(overlaid(board, f"{name}:D4:C4"))

    assert found == {
        one.hex for one in board.locations
        if min(board.distance(one.name, at) for at in ("D4", "C4")) <= 4
    }  # fmt: skip
    assert {"D4", "H4", "D8"} <= found
    assert not {"I4", "D9"} & found


@pytest.mark.parametrize(
    "overlay", ["be2:D4:C4", "h6:D4:C4", "wd31:D4:C4", "o5", "o5:Z9", "unknown"]
)
def test_any_other_may_hide_the_whole_board(archive: Path, overlay: str) -> None:
    """The extent of a river, hill or beach is unknown, and so is an overlay without a hex."""
    board = import_board(archive)

    assert beneath(overlaid(board, overlay)) == {one.hex for one in board.locations}


def test_nothing_of_what_it_hides_is_left(archive: Path) -> None:
    """Roads, bridges and hexsides of the hex are unknown; the adjacent hexes are unchanged."""
    board = import_board(archive)
    found = overlaid(board, "o1:I5:I4")

    assert "I5:bridge" in board
    assert {found[name].terrain for name in ("I5", "I5:bridge")} == {"Overlay o1"}
    assert (found["I5"].also, found["I5"].depression) == ((), None)
    sides = {edge.hexside for edge in found.edges if edge.a[:2] == "I5" or edge.b[:2] == "I5"}
    assert sides == {Hexside(terrain="Overlay o1")}
    assert found["G5"] == board["G5"]
    assert found.hexside("F4", "G5") == board.hexside("F4", "G5")


def test_by_name_in_files_and_joined(archive: Path) -> None:
    """A scene names a board's overlays, a board file keeps them, and what hides half a hex hides it."""
    folder = archive.parent
    board = find_board("bd07 overlays o1:Q5,o1:D3 crop A-Q r", folder=folder)
    save_board(board, folder / "board.json")
    other = import_board(Forge(17, 10).disc("A5", 25, "Woods").write(folder / "bd08"))
    joined = join([[other, find_board("bd07 overlays o1:A5", folder=folder)]])
    beside = join([[find_board("bd07 overlays o1:Q5", folder=folder), other]])

    assert board.name == "7 overlays o1:Q5,o1:D3 crop A-Q"
    assert beneath(load_board(folder / "board.json")) == {"Q5", "D3"}
    assert beneath(joined) == {"8Q5"}
    assert beneath(beside) == {"7Q5"}
    assert {"7A5", "8A5"} <= set(joined.index) | set(joined.aliases)


@pytest.mark.parametrize(
    "named", ["bd07 overlays o5;H4", "bd07 overlays o5:H4:,x", "bd07 overlays ,"]
)
def test_what_is_no_overlay(archive: Path, named: str) -> None:
    """A word that names no overlay is rejected with an example."""
    with pytest.raises(BadInputError, match=r"overlays: expected an overlay .* such as o5:H4:G4"):
        find_board(named, folder=archive.parent)
