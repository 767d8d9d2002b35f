"""Whether a road crosses a hexside, on forged boards: each possible position."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.vasl.forge import Forge

if TYPE_CHECKING:
    from marchtable.board.board import Board
    from tests.vasl.conftest import Read

SIDE = 37.5  # pixels of a hexside
ROAD = "Dirt Road"


def crossed(board: Board) -> set[str]:
    """Return the hexsides that roads cross, as text."""
    return {f"{edge.a}-{edge.b}" for edge in board.edges if edge.hexside.road}


def along(board: Board) -> set[str]:
    """Return the hexsides that roads run along, as text."""
    return {f"{edge.a}-{edge.b}" for edge in board.edges if edge.hexside.along}


@pytest.mark.parametrize("wide", [5, 6, 8, 14, 22, 30])
def test_narrow_and_wide(read: Read, wide: float) -> None:
    """A road crosses however wide it is, from an eighth of the hexside to nearly all of it."""
    board = read(Forge().line("B2", "C2", "D2", what=ROAD, wide=wide))

    assert crossed(board) == {"B2-C2", "C2-D2"}
    assert not along(board)


@pytest.mark.parametrize("lean", [-18, -12, -6, 6, 12, 18])
@pytest.mark.parametrize("wide", [8, 14])
def test_aslant(read: Read, lean: float, wide: float) -> None:
    """A road that crosses aslant covers more of the hexside, and on either edge of it less."""
    forge = Forge()
    x, y = forge.centre("C2")
    top = y - 32.25
    forge.line((x - lean, top - 20), (x + lean, top + 20), what=ROAD, wide=wide)

    assert crossed(read(forge)) == {"C1-C2"}


@pytest.mark.parametrize("share", [0.25, 0.4, 0.6, 0.75])
@pytest.mark.parametrize("wide", [8, 14])
def test_off_centre(read: Read, share: float, wide: float) -> None:
    """A road crosses the hexside it lies on, anywhere on it; the centers need be no road."""
    forge = Forge()
    (ax, ay), (bx, by) = forge.corner("C2", 0), forge.corner("C2", 1)
    x, y = ax + share * (bx - ax), ay + share * (by - ay)
    forge.line((x, y - 25), (x, y + 25), what=ROAD, wide=wide)

    assert crossed(read(forge)) == {"C1-C2"}


@pytest.mark.parametrize("wide", [6, 10, 16])
def test_along(read: Read, wide: float) -> None:
    """A road along a hexside does not cross it, nor those at whose corner it comes in."""
    forge = Forge(columns=7)
    x, y = forge.centre("D2")
    forge.line((x - 70, y + 32.25), (x + 70, y + 32.25), what=ROAD, wide=wide)
    board = read(forge)

    assert along(board) == {"D2-D3"}
    assert not crossed(board)


def test_two_roads(read: Read) -> None:
    """Where two roads cross the same hexside the wider names it; one along it is another thing."""
    forge = Forge()
    (ax, ay), (bx, _) = forge.corner("C2", 0), forge.corner("C2", 1)
    forge.line((ax + 10, ay - 25), (ax + 10, ay + 25), what="Paved Road", wide=12)
    forge.line((bx - 6, ay - 25), (bx - 6, ay + 25), what=ROAD, wide=6)
    found = read(forge).hexside("C1", "C2")

    assert found
    assert (found.road, found.along) == ("Paved Road", None)


def test_junction_at_a_corner(read: Read) -> None:
    """Where roads of three hexes meet near a corner, the hexside that they only touch has none."""
    forge = Forge()
    x, y = forge.corner("C2", 2)
    forge.line("C2", (x + 9, y + 16), "D1", what=ROAD, wide=16)

    assert crossed(read(forge)) == {"C2-D2", "D1-D2"}


@pytest.mark.parametrize("off", [2, 4, 6, 9])
def test_beside_a_corner(read: Read, off: float) -> None:
    """A lone road that crosses a hexside hard by its corner crosses that hexside alone."""
    forge = Forge()
    (ax, ay), (bx, by) = forge.corner("C2", 1), forge.corner("C2", 2)
    share = 1 - off / SIDE
    x, y = ax + share * (bx - ax), ay + share * (by - ay)
    forge.line((x - 22, y + 13), (x + 22, y - 13), what=ROAD, wide=14)

    assert crossed(read(forge)) == {"C2-D1"}


def test_square(read: Read) -> None:
    """A square that fills both hexes crosses the whole hexside."""
    forge = Forge()
    x, y = forge.centre("C2")
    forge.disc((x, y - 32.25), 26, ROAD)
    board = read(forge)

    assert "C1-C2" in crossed(board)
    assert not along(board)


@pytest.mark.parametrize("depth", [2, 4])
def test_bulge(read: Read, depth: float) -> None:
    """A road of one hex that bulges over a hexside does not cross it."""
    forge = Forge()
    x, y = forge.centre("C2")
    top = y - 32.25
    forge.line((x - 30, top + 20), (x, top + 7 - depth), (x + 30, top + 20), what=ROAD, wide=14)

    assert "C1-C2" not in crossed(read(forge))


def test_dead_end(read: Read) -> None:
    """A road that ends some way into a hex crosses one hexside of it; a drive's few pixels, too."""
    forge = Forge()
    x, y = forge.centre("C2")
    assert crossed(read(forge.line((x, y - 60), "C2", what=ROAD, wide=12))) == {"C1-C2"}

    short = Forge().line((x, y - 60), (x, y - 29), what=ROAD, wide=10)
    assert crossed(read(short)) == {"C1-C2"}


def test_beneath_shellholes(read: Read) -> None:
    """Shellholes printed over a road beside a hexside do not end it there."""
    forge = Forge().line("C1", "C2", what=ROAD, wide=12)
    x, y = forge.centre("C2")
    forge.disc((x + 2, y - 24), 7, "Shellholes")

    assert crossed(read(forge)) == {"C1-C2"}


@pytest.mark.parametrize("off", [-3, 0, 3])
def test_short_edge(read: Read, off: float) -> None:
    """A road that leaves by a short edge along a hexside is recorded as such."""
    forge = Forge()
    x, y = forge.corner("B2", 5)
    forge.line((0, y + off), (x, y + off), "B2", "B3", what=ROAD, wide=14)
    board = read(forge)

    assert along(board) == {"A2-A3"}
    assert crossed(board) == {"B2-B3"}


def test_off_the_long_edge(read: Read) -> None:
    """A narrow, off-centre road that leaves by a long edge is on the map's rim and crosses no hexside."""
    forge = Forge()
    x, _ = forge.centre("C1")
    board = read(forge.line((x + 6, 0), (x + 6, 40), what=ROAD, wide=8))

    assert dict(board["C1"].rim)[0].road == ROAD
    assert not crossed(board)


@pytest.mark.parametrize("high", [194.2, 129.0])
def test_other_sizes(read: Read, high: float) -> None:
    """What holds for hexes of one size holds for others, roads along hexsides included."""
    wide = high * 168.75 / 194.2
    sizes = {"hexWidth": f"{wide}", "hexHeight": f"{high}"}
    forge = Forge(5, 3, hex_width=wide, hex_height=high, **sizes)
    x, y = forge.centre("C2")
    reach = wide * 2 / 3
    forge.line((x - reach, y + high / 2), (x + reach, y + high / 2), what=ROAD, wide=0.2 * high)
    forge.line("B1", "C1", what=ROAD, wide=0.12 * high)
    board = read(forge)

    assert along(board) == {"C2-C3"}
    assert "B1-C1" in crossed(board)
    assert "C2-C3" not in crossed(board)
