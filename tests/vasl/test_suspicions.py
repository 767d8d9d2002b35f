"""Suspicious features of a board: each kind on forged boards, only known ones on real boards."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

from marchtable.board.board import Board, EdgeRecord, Hexside, Location
from marchtable.vasl import import_board, suspicions
from tests.grids import grid_board
from tests.slowly import slow_after
from tests.vasl.forge import Forge

if TYPE_CHECKING:
    from collections.abc import Callable

BOARDS = Path(__file__).resolve().parents[3] / "shared" / "boards"

# Each was looked at on the board's picture, and is as it is drawn: tracks that end at barns or in
# yards and turning places, paths that end at the wood's edge, heads of gullies.
KNOWN = {
    "bd00": {
        "road D5-E5", "road I4-I5", "road I7-I6", "road Q4-Q5", "road Q7-Q6", "road Y4-Y5",
        "road Y7-Y6", "road DD5-CC5",
    },
    "bd04": {"road P7-O7"},
    "bd12": {"road Y1-Z1", "depression D7", "depression N8", "depression BB3"},
    "bd1a": {"road B15", "road G2-G3", "road G2-H2", "road N3-N2", "road N8-O8", "road O10"},
    "bd23": {"road D5-C5", "road EE3-EE2"},
    "bdr": {"road DD2-EE3"},
}  # fmt: skip


@pytest.mark.skipif(not (BOARDS / "bd01").exists(), reason=f"needs VASL boards in {BOARDS}")
@pytest.mark.parametrize("file", slow_after(5, sorted(path.name for path in BOARDS.glob("bd*"))))
def test_real_boards(file: str) -> None:
    """An available board has only suspicious features that were reviewed."""
    found = {f"{one.kind} {one.at}" for one in suspicions(import_board(BOARDS / file))}

    assert KNOWN.get(file, set()) == found


@pytest.fixture
def found(tmp_path: Path) -> Callable[[Forge], set[str]]:
    """Return the suspicious features of a forged board."""

    def of(forge: Forge) -> set[str]:
        board = import_board(forge.write(tmp_path / "bd07"))
        return {f"{one.kind} {one.at}" for one in suspicions(board)}

    return of


def test_road(found: Callable[[Forge], set[str]]) -> None:
    """A road that ends in mid-board is suspicious, except at a building's door or the map edge."""
    forge = Forge(7, 5).line("D0", "D3", what="Dirt Road")

    assert found(forge) == {"road D2-D3"}
    assert found(forge.disc("D3", 12, "Stone Building")) == set()


def test_lost_road(found: Callable[[Forge], set[str]]) -> None:
    """A road within a hex that no road enters is suspicious."""
    assert found(Forge(7, 5).disc("D3", 16, "Paved Road")) == {"road D3"}


def test_path_goes_on(found: Callable[[Forge], set[str]]) -> None:
    """Where a road becomes a path it does not end."""
    forge = Forge(7, 5).line("D0", "D3", what="Dirt Road")

    assert found(forge.line("D3", "D5", what="Path", wide=8)) == set()


def test_along_goes_on(found: Callable[[Forge], set[str]]) -> None:
    """A road along a hexside leads on from the hexes at either end."""
    forge = Forge(7, 5).line("D0", "D2", what="Dirt Road")
    forge.line("D2", forge.corner("D3", 1), forge.corner("D3", 2), "E5", what="Dirt Road")

    assert "road D1-D2" not in found(forge.line("E5", "E6", what="Dirt Road"))


def test_gully(found: Callable[[Forge], set[str]]) -> None:
    """A gully that breaks off in mid-board is reported at that place."""
    forge = Forge(7, 5).line("D0", "D3", what="Gully", level=-1)

    assert found(forge) == {"depression D3"}
    assert found(forge.line("D3", "D5", what="Gully", level=-1)) == set()


def test_flat_gully(found: Callable[[Forge], set[str]]) -> None:
    """A gully that lies as high as all around is suspicious."""
    assert "depression D3" in found(Forge(7, 5).line("D0", "D5", what="Gully"))


def test_bridge(found: Callable[[Forge], set[str]]) -> None:
    """A bridge that no road crosses is suspicious, and so is one over nothing that leads on."""
    gully = Forge(7, 5).line("D0", "D5", what="Gully", level=-1)

    assert found(gully.disc("D3", 12, "Stone Bridge")) == {"bridge D3"}
    gully.line("A3", "D3", "G3", what="Dirt Road").disc("D3", 12, "Stone Bridge")
    assert found(gully) == set()


def test_lost_bridge(found: Callable[[Forge], set[str]]) -> None:
    """A road over a gully without a bridge is suspicious, as if a bridge was lost."""
    forge = Forge(7, 5).line("D0", "D5", what="Gully", level=-1)

    forge.line("A3", "D3", "G3", what="Dirt Road")

    assert found(forge) == {"bridge D3", "depression D2", "depression D4"}


def test_lost_bridge_with_the_dot_in_the_gully(found: Callable[[Forge], set[str]]) -> None:
    """So is one whose center is the gully's; a road that leads down into the gully is not."""
    forge = Forge(7, 5).line("A3", "D3", "G3", what="Dirt Road")
    forge.line("D0", "D5", what="Gully", level=-1)

    assert "bridge D3" in found(forge)
    down = Forge(7, 5).line("D0", "D5", what="Gully", level=-1, wide=30)
    down.line("A3", "D3", "D5", what="Dirt Road", level=-1, wide=8)
    assert "bridge D3" not in found(down)


def test_levels() -> None:
    """A jump of two levels is suspicious except at a cliff; a depression counts as its rim."""
    board = grid_board(2, 2, [{"level": 2}, {}, {"depression": "Gully", "level": 1}, {"level": 2}])
    found = {one.at for one in suspicions(board) if one.kind == "level"}

    assert found == {at for at in found if _jump(board, at) == 2}
    assert found
    cliffs = [
        EdgeRecord(edge.a, edge.b, msgspec.structs.replace(edge.hexside, terrain="Cliff"))
        for edge in board.edges
    ]
    cliffed = Board(board.name, board.locations, cliffs)
    assert not [one for one in suspicions(cliffed) if one.kind == "level"]


def _jump(board: Board, at: str) -> int:
    """Return by how many levels the ground on either side of a hexside differs."""
    a, b = (board[name] for name in at.split("-"))
    return abs(a.level + bool(a.depression) - b.level - bool(b.depression))


def test_phantom() -> None:
    """A building with no drawn part is suspicious."""
    house = Location("A1", "A1", 0, 0, terrain="Stone Building", also=(("Open Ground", 100),))
    other = Location("A2", "A2", 0, 2, terrain="Stone Building", also=(("Open Ground", 80),))
    board = Board("x", [house, other], [EdgeRecord("A1", "A2", Hexside())])

    assert [(one.kind, one.at) for one in suspicions(board)] == [("building", "A1")]
