"""Measures of the importer: gaps in walls, and distances of buildings and woods from hexsides."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from marchtable.board.board import Board, Hexside
from marchtable.files.boards import load_board, save_board
from marchtable.vasl import import_board, report
from tests.vasl.forge import Forge

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Read = Callable[[Forge], Board]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Write a board and import it again."""
    return lambda forge: import_board(forge.write(tmp_path / "bd07"))


@pytest.mark.parametrize(
    ("stretches", "gap"),
    [
        ([(0.0, 1.0)], 0),
        ([(0.25, 1.0)], 0),
        ([(0.2, 0.8)], 0),
        ([(0.0, 0.3), (0.7, 1.0)], 29),
        ([(0.0, 0.2), (0.3, 0.5), (0.9, 1.0)], 29),
    ],
)
def test_gap(read: Read, stretches: list[tuple[float, float]], gap: int) -> None:
    """The widest break of a wall is recorded; a wall ending short of a corner has none."""
    forge = Forge()
    (ax, ay), (bx, by) = forge.corner("C2", 0), forge.corner("C2", 1)
    for ends in stretches:
        (x, y), (z, w) = ((ax + part * (bx - ax), ay + part * (by - ay)) for part in ends)
        forge.line((x, y), (z, w), what="Wall", wide=4)
    found = read(forge).hexside("C1", "C2")

    assert found
    assert found.terrain == "Wall"
    assert found.gap == pytest.approx(gap, abs=4 if gap else 0)


def test_no_gap_without_a_wall(read: Read) -> None:
    """Where walls of other hexsides only touch a hexside's ends there is nothing to break."""
    forge = Forge()
    for corner in (0, 1):
        forge.disc(forge.corner("C2", corner), 5, "Wall")

    assert Hexside() == read(forge).hexside("C1", "C2")


@pytest.mark.parametrize("scale", [1, 2])
def test_clear(read: Read, scale: int) -> None:
    """A building's distance from each hexside is in percent of the hex, whatever its scale."""
    wide, high = 56.25 * scale, 64.5 * scale
    forge = Forge(hex_width=wide, hex_height=high, hexWidth=str(wide), hexHeight=str(high))
    x, y = forge.centre("C2")
    board = read(forge.line((x - 6 * scale, y), (x + 2 * scale, y), what="Stone Building", wide=20))
    clear = {one.name: one.clear for one in board.locations if one.clear}

    assert clear.keys() == {"C2"}
    assert clear["C2"][0] == pytest.approx(clear["C2"][3], abs=2)
    assert clear["C2"][1] == pytest.approx(clear["C2"][2], abs=2)
    assert clear["C2"][4] == pytest.approx(clear["C2"][5], abs=2)
    assert clear["C2"][4] < clear["C2"][1]
    assert clear["C2"][0] == pytest.approx(100 * (32 - 10 / scale) / 64.5, abs=2)


@pytest.mark.parametrize(("away", "clear"), [(0, 0), (1, 1), (2, 3), (3, 4), (6, 9), (10, 15)])
def test_clear_width(read: Read, away: int, clear: int) -> None:
    """Terrain that touches the printed line leaves no clearance; the nearest in the hex counts."""
    forge = Forge()
    x, y = forge.centre("C2")
    top = y - forge.hex_height / 2
    forge.disc((x, y + 8), 6, "Woods")
    board = read(forge.line((x - 8, top + away + 4), (x + 8, top + away + 4), what="Woods", wide=8))

    assert board["C2"].clear[0] == clear
    assert board["C2"].clear[3] > 10


def test_clear_of_the_neighbour(read: Read) -> None:
    """A building that stands on a hexside closes it on both sides, and on no other hexside."""
    forge = Forge()
    x, y = forge.centre("C2")
    board = read(forge.disc((x, y - 32.25), 8, "Stone Building"))

    assert board["C2"].clear[0] == board["C1"].clear[3] == 0
    assert min(board["C2"].clear[1:]) > 10
    assert min(board["C1"].clear[:3] + board["C1"].clear[4:]) > 10


def test_measures_are_kept(read: Read, tmp_path: Path) -> None:
    """What was measured comes back from a board file, and is counted in the report."""
    forge = Forge().disc("B2", 10, "Woods").line((0.0, 129.0), (18.0, 129.0), what="Dirt Road")
    forge.line(forge.corner("C2", 1), forge.corner("C2", 2), what="Wall", wide=4)
    board = read(forge.line("C2", "D1", what="Dirt Road", wide=10))
    save_board(board, tmp_path / "board.json")
    again = load_board(tmp_path / "board.json")
    found = report(again)

    assert again == board
    assert again["B2"].clear == board["B2"].clear != ()
    assert (found.gaps, found.along, found.bypassed) == (1, 1, 6)


def test_inherent_obstacle(read: Read) -> None:
    """Inherent terrain that blocks the way fills its hex, whatever is drawn."""
    board = read(Forge().disc("C2", 6, "Dense Jungle"))

    assert board["C2"].clear == (0,) * 6


def test_factory_wall(read: Read) -> None:
    """The outer wall of a factory belongs to the factory."""
    forge = Forge()
    x, y = forge.centre("C2")
    forge.line((x - 20, y), (x + 20, y), what="Stone Factory, 1.5 Level", wide=30)
    board = read(forge.line((x - 6, y - 20), (x, y), what="Stone Factory Wall, 1.5 Level", wide=3))

    assert board["C2"].terrain == "Stone Factory, 1.5 Level"
    assert board["C2"].also[-1][0] == "Stone Factory Wall, 1.5 Level"
