"""Where a bridge is and what lies under it, on forged boards: each possible position."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from marchtable.board.board import Hexside
from marchtable.board.joining import join
from marchtable.vasl import import_board
from tests.vasl.forge import CODES, Forge

if TYPE_CHECKING:
    from pathlib import Path

    from marchtable.board.board import Board
    from tests.vasl.conftest import Read

Point = tuple[float, float]


def bridged(
    low: str = "Gully",
    *,
    off: Point = (0, 0),
    level: int = -1,
    plain: int = 0,
    parapets: bool = True,
    wide: float = 26,
) -> Forge:
    """
    Return a board with low ground down column C and a road from B2 to D1 that bridges it in C2.

    Parameters
    ----------
    low
        What the road crosses.
    off
        How far from the centre of C2 it does so, in pixels.
    level, plain
        Level of the low ground and of all else.
    parapets
        Whether only the bridge's parapets are bridge, and its deck road.
    wide
        How wide the low ground is, in pixels.
    """
    forge = Forge(columns=7)
    forge.elevation[:] = plain
    x, y = forge.centre("C2")
    x, y = x + off[0], y + off[1]
    forge.line((x, 0), (x, forge.height), what=low, wide=wide, level=level)
    (bx, by), (dx, dy) = forge.centre("B2"), forge.centre("D1")
    (bx, by), (dx, dy) = (bx + off[0], by + off[1]), (dx + off[0], dy + off[1])
    span = 0.32
    ends = [(x + span * (end[0] - x), y + span * (end[1] - y)) for end in ((bx, by), (dx, dy))]
    forge.line(*ends, what="Single Hex Stone Bridge", wide=22, level=plain)
    forge.line((bx, by), (x, y), (dx, dy), what="Dirt Road", wide=12, level=plain)
    if not parapets:
        forge.line(*ends, what="Single Hex Stone Bridge", wide=12, level=plain)
    return forge


def crossed(board: Board) -> set[str]:
    """Return the pairs of Locations that a road joins, as text."""
    return {f"{edge.a}-{edge.b}" for edge in board.edges if edge.hexside.road}


WAYS = {
    "dot on the deck": bridged(),
    "dot on the deck, deck all bridge": bridged(parapets=False),
    "dot on a parapet": bridged(off=(4, 7)),
    "dot on the low ground": bridged(off=(4, 14)),
    "dot on open ground": bridged(off=(10, -13), wide=16),
    "beside the centre": bridged(off=(-7, 0), wide=14),
}


@pytest.mark.parametrize("way", WAYS)
def test_each_way(read: Read, way: str) -> None:
    """Whatever is at the centre, the deck is a Location and the gully below another."""
    board = read(WAYS[way])
    ground, deck = board["C2"], board["C2:bridge"]

    assert (ground.terrain, ground.depression, ground.level) == ("Gully", "Gully", -1)
    assert (deck.terrain, deck.level) == ("Single Hex Stone Bridge", 0)
    assert crossed(board) == {"B2-C2:bridge", "C2:bridge-D1"}
    assert dict(board.neighbours("C2:bridge")) == {1: "D1", 4: "B2"}
    assert Hexside() == board.hexside("C1", "C2") == board.hexside("C2", "C3")
    assert {"C1", "C3", "B2", "D1"} <= {name for _, name in board.neighbours("C2")}
    assert not {"Dirt Road", "Single Hex Stone Bridge"} & dict(ground.also).keys()


@pytest.mark.parametrize(
    ("low", "level"), [("Water", -1), ("River", 0), ("Shallow Stream", -1), ("Sunken Road", -1)]
)
def test_over(read: Read, low: str, level: int) -> None:
    """Canals, rivers, streams and sunken roads are bridged; they are found below."""
    board = read(bridged(low, level=level))

    assert (board["C2"].terrain, board["C2"].level) == (low, level)
    assert (board["C2"].depression is None) == (low in ("Water", "River"))
    assert board["C2:bridge"].level == 0


def test_banks(read: Read) -> None:
    """A canal drawn with banks of another low terrain is still a canal below its bridge."""
    forge = bridged("Water", wide=24)
    x, _ = forge.centre("C2")
    for bank in (x - 13, x + 13):
        line = forge.terrain[int(bank) - 1 : int(bank) + 1]
        line[line == 0] = CODES["Shallow Stream"]

    assert (read(forge)["C2"].terrain, read(forge)["C2"].depression) == ("Water", None)


def test_on_a_hill(read: Read) -> None:
    """On a hill both levels are the hill's, and lower ground elsewhere in the hex is not below."""
    forge = bridged(level=1, plain=2)
    forge.elevation[: int(forge.centre("C2")[0]) - 24] = 0
    board = read(forge)

    assert (board["C2"].terrain, board["C2"].level, board["C2:bridge"].level) == ("Gully", 1, 2)


def test_over_lower_ground(read: Read) -> None:
    """A bridge over merely lower ground spans that."""
    board = read(bridged("Open Ground", level=-1))

    assert (board["C2"].terrain, board["C2"].level) == ("Open Ground", -1)
    assert board["C2:bridge"].level == 0


def test_over_a_trace_of_gully(read: Read) -> None:
    """Where little of the gully below shows, the lower ground is still the gully."""
    forge = bridged("Open Ground", level=-2)
    x, y = forge.centre("C2")
    forge.line((x - 8, y + 26), (x + 8, y + 26), what="Gully", wide=4, level=-2)
    board = read(forge)

    assert dict(board["C2"].also).get("Gully", 0) < 5
    assert (board["C2"].terrain, board["C2"].depression, board["C2"].level) == (
        "Gully",
        "Gully",
        -2,
    )
    assert board["C2:bridge"].level == 0


def test_deck_painted_low(read: Read) -> None:
    """Over a depression the deck lies a level higher, even where its pixels are painted low."""
    forge = bridged()
    forge.elevation[np.isin(forge.terrain, (CODES["Single Hex Stone Bridge"],))] = -1

    assert read(forge)["C2:bridge"].level == 0


@pytest.mark.parametrize("gully", [False, True])
def test_spill(read: Read, gully: bool) -> None:
    """A parapet that spills into the next hex makes no bridge there."""
    forge = bridged()
    x, y = forge.corner("C2", 2)
    if gully:
        forge.line("D3", "D4", what="Gully", wide=20, level=-1)
    forge.line((x - 6, y + 2), (x + 4, y + 8), what="Single Hex Stone Bridge", wide=5)
    board = read(forge)

    assert {one.name for one in board.locations if ":" in one.name} == {"C2:bridge"}


def test_abutment(read: Read) -> None:
    """A bridge that reaches over firm ground makes no bridge hex there."""
    forge = bridged(wide=30)
    (x, y), (bx, by) = forge.centre("C2"), forge.centre("B2")
    end = (x + 0.7 * (bx - x), y + 0.7 * (by - y))
    forge.line((x - 20, y + 11), end, what="Single Hex Stone Bridge", wide=9)

    assert "B2:bridge" not in read(forge)


def test_no_bridge(read: Read) -> None:
    """A road into a gully without a bridge has no second Location."""
    forge = Forge(columns=7).line("C1", "C4", what="Gully", wide=26, level=-1)
    board = read(forge.line("B2", "C2", "D1", what="Dirt Road", wide=12))

    assert "C2:bridge" not in board
    assert crossed(board) == {"B2-C2", "C2-D1"}


def test_half_bridges(tmp_path: Path) -> None:
    """A bridge on the seam of two boards is one, seen in halves."""
    boards = []
    for name, x in (("bd07", 4 * 56.25), ("bd08", 0.0)):
        forge = Forge()
        forge.line((x, 0), (x, forge.height), what="Gully", wide=26, level=-1)
        y = forge.centre("A2")[1]
        forge.line((x - 18, y), (x + 18, y), what="Single Hex Stone Bridge", wide=22)
        forge.line((x - 70, y - 40), (x, y), (x + 70, y - 40), what="Dirt Road", wide=12)
        boards.append(import_board(forge.write(tmp_path / name)))
    board = join([boards])

    assert dict(board.neighbours("7E2:bridge")) == {1: "8B1", 5: "7D1"}
    assert (board["7E2"].depression, board["7E2"].level) == ("Gully", -1)
    assert Hexside() == board.hexside("7E2", "7D1")


# -- low ground off the centre ---------------------------------------------------------------------


@pytest.mark.parametrize("cover", ["Woods", "Brush"])
def test_overgrown_gully(read: Read, cover: str) -> None:
    """Woods or brush at the centre of a gully's hex are kept, and the gully too."""
    forge = Forge().disc("C2", 28, cover)
    forge.line("C1", "C4", what="Gully", wide=16, level=-1)
    assert dict(read(forge)["C2"].also)[cover] > 20

    forge.disc("C2", 4, cover)
    board = read(forge)
    assert [(board[at].depression, board[at].level) for at in ("C1", "C2", "C3")] == [
        ("Gully", -1)
    ] * 3
    assert board["C2"].terrain == cover


def test_beside_a_gully(read: Read) -> None:
    """A road, a building, or a center well away from it is not in the gully beside it."""
    for what in ("Paved Road", "Stone Building"):
        forge = Forge().line("C1", "C4", what="Gully", wide=30, level=-1)
        board = read(forge.line("C2", "C3", what=what, wide=10))
        assert (board["C2"].terrain, board["C2"].depression) == (what, None)

    x, _ = Forge().centre("C2")
    board = read(Forge().line((x + 20, 0), (x + 20, 260), what="Gully", wide=20, level=-1))
    assert (board["C2"].terrain, board["C2"].depression) == ("Open Ground", None)


def test_sunk_with_the_gully(read: Read) -> None:
    """A road that is as low as the gully around it lies in it."""
    forge = Forge().line("C1", "C4", what="Gully", wide=30, level=-1)
    board = read(forge.line("C1", "C4", what="Dirt Road", wide=8, level=-1))

    assert (board["C2"].terrain, board["C2"].depression) == ("Dirt Road", "Gully")


@pytest.mark.parametrize("marsh", ["Marsh", "Swamp"])
def test_marsh_beside_a_stream(read: Read, marsh: str) -> None:
    """A hex whose centre is marsh is marsh, though a stream flows past within an eighth of a hex."""
    x, _ = Forge().centre("C2")
    forge = Forge().disc("C2", 26, marsh)
    forge.line((x + 13, 0), (x + 13, 260), what="Shallow Stream", wide=14, level=-1)
    board = read(forge)

    assert (board["C2"].terrain, board["C2"].depression, board["C2"].level) == (marsh, None, 0)
    assert dict(board["C2"].also)["Shallow Stream"] > 10
    in_it = read(forge.line((x, 0), (x, 260), what="Shallow Stream", wide=14, level=-1))
    assert (in_it["C2"].depression, in_it["C2"].level) == ("Shallow Stream", -1)
    woods = Forge().disc("C2", 26, "Woods")
    woods.line((x + 13, 0), (x + 13, 260), what="Shallow Stream", wide=14, level=-1)
    assert read(woods)["C2"].depression == "Shallow Stream"


# -- scattered terrain, phantom buildings -----------------------------------------------------------


@pytest.mark.parametrize(
    ("centre", "what", "found"),
    [
        ("Open Ground", "Shellholes", "Shellholes"),
        ("Dirt Road", "Shellholes", "Dirt Road"),
        ("Woods", "Shellholes", "Woods"),
        ("Open Ground", "Scrub", "Scrub"),
        ("Open Ground", "Hammada", "Hammada"),
        ("Woods", "Hammada", "Woods"),
        ("Open Ground", "Broken Ground", "Broken Ground"),
        ("Open Ground", "Runway", "Runway"),
        ("Dirt Road", "Runway", "Dirt Road"),
    ],
)
def test_off_the_centre(read: Read, centre: str, what: str, found: str) -> None:
    """Terrain printed as specks counts anywhere in a hex of open ground."""
    x, y = Forge().centre("C2")
    forge = Forge().disc("C2", 9, centre).disc((x + 15, y + 14), 9, what)

    assert read(forge)["C2"].terrain == found
    assert read(Forge().disc((x + 15, y + 14), 4, what))["C2"].terrain == "Open Ground"


def test_phantom_building(read: Read) -> None:
    """A building of the next hex that overlaps the hexside is not in this hex."""
    x, y = Forge().centre("C2")
    forge = Forge().line((x - 14, y - 48), (x + 14, y - 48), what="Stone Building", wide=34)
    board = read(forge)

    assert (board["C1"].terrain, board["C2"].terrain) == ("Stone Building", "Open Ground")
    assert read(Forge().disc("C2", 3, "Stone Building"))["C2"].terrain == "Open Ground"
    assert read(Forge().disc("C2", 9, "Stone Building"))["C2"].terrain == "Stone Building"
