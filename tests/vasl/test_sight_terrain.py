"""Lines of sight over forged boards: blocking and hindering terrain."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from marchtable.files.grids import board_by_hand
from marchtable.sight.facts import Advantage, Obstruction, Viewpoint
from marchtable.sight.pairs import SightTable
from marchtable.sight.table import sights
from tests.vasl.forge import Forge
from tests.vasl.sightlines import ask, facts, look, made

if TYPE_CHECKING:
    from pathlib import Path

    from marchtable.board.board import Board


@pytest.fixture(autouse=True)
def _uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trace without numba, whose first compilation is slow."""
    monkeypatch.setenv("MARCHTABLE_KERNEL", "python")


@pytest.mark.parametrize(
    ("pair", "found"),
    [
        ("B1 D2", "blocked A6.2"),  # woods between
        ("B1 C2", "clear"),  # into woods
        ("B1@1 D2@1", "clear"),  # as high as the woods
        ("B1@2 D2", "blocked A6.4"),  # behind the woods
        ("B1@2 E2", "clear"),  # beyond the blind hex
        ("B1@1 E2", "blocked A6.2"),
    ],
)
def test_woods(tmp_path: Path, pair: str, found: str) -> None:
    """Woods block on their level and leave a blind hex behind them (A6.2, A6.4)."""
    assert look(made(tmp_path, Forge(7, 4).disc("C2", 28, "Woods")), pair) == found


def test_on_one_side_only(tmp_path: Path) -> None:
    """Terrain on one side of the thread does not block; on the thread and one side it is close (A6.1)."""
    x, y = Forge(5, 4).centre("C2")
    found = []
    for number, up in enumerate((18, 20, 21, 24)):
        forge = Forge(5, 4).disc((x, y - up), 20, "Woods")
        found.append(look(made(tmp_path, forge, f"bd{number + 10}"), "A2 E2"))
    assert found == ["blocked A6.2", "close A6.1", "clear", "clear"]


def test_between_two_woods(tmp_path: Path) -> None:
    """Woods on either side that leave the thread itself free do not block, as none is on both sides (A6.1)."""
    x, y = Forge(7, 4).centre("C2")
    for gap, found in ((19, "blocked A6.2"), (20.5, "clear")):
        forge = Forge(7, 4).disc((x, y + gap), 20, "Woods").disc((x + 60, y - gap - 1), 20, "Woods")
        assert look(made(tmp_path, forge, f"bd{round(gap)}"), "A2 G2") == found


def test_hills(tmp_path: Path) -> None:
    """Higher ground blocks, and a Crest Line of the viewer's own height is not crossed again (B10.2)."""
    forge = Forge(9, 4)
    xs = np.mgrid[0 : forge.width, 0 : forge.height][0]
    forge.elevation[(xs > 190) & (xs < 260)] = 1
    board = made(tmp_path, forge)

    assert look(board, "C2 G2") == "blocked B10.21"
    assert look(board, "C2 E2") == "clear"
    assert look(board, "C2@1 G2") == "blocked B10.2"
    assert look(board, "C2@2 G2") == "clear"
    assert look(board, "C2@1 G2@1") == "clear"


@pytest.mark.parametrize("what", ["Wall", "Hedge"])
def test_walls(tmp_path: Path, what: str) -> None:
    """A wall blocks on its level unless it is the viewer's or the target's own (B9.2)."""
    forge = Forge(7, 4)
    forge.line(forge.corner("C2", 1), forge.corner("C2", 2), what=what, wide=5)
    board = made(tmp_path, forge)

    assert look(board, "B2 E1") == "blocked B9.2"
    assert look(board, "C2 E1") == "clear"
    assert look(board, "B2 D1") == "clear"
    assert look(board, "B2@1 E1@1") == "clear"
    assert look(board, "B2@1 E1") == "clear"


def test_bocage_depends_on_wall_advantage(tmp_path: Path) -> None:
    """Bocage of the viewer's or the target's hex depends on Wall Advantage; elsewhere it blocks (B9.52)."""
    forge = Forge(7, 4)
    forge.line(forge.corner("C2", 1), forge.corner("C2", 2), what="Bocage", wide=5)
    board = made(tmp_path, forge)

    assert look(board, "B2 E1") == "blocked B9.52"
    assert look(board, "C2 E1") == "unknown B9.521"
    assert look(board, "C2 D1") == "clear"


def test_grain_and_orchards(tmp_path: Path) -> None:
    """Grain hinders where it is drawn, an orchard through its whole hex, and from above as an obstacle."""
    forge = Forge(7, 4).disc("C2", 25, "Grain").disc("E2", 12, "Orchard")
    board = made(tmp_path, forge)

    assert look(board, "B1 D2") == "clear +1"
    assert look(board, "A2 G2") == "clear +2"
    assert look(board, "B1@1 D2") == "clear"
    assert look(board, "D1@1 F2") == "blocked A6.2"
    assert look(board, "C2 E2") == "clear"


def test_six_hindrances(tmp_path: Path) -> None:
    """Hindrances of six and more block (B.10)."""
    forge = Forge(15, 3)
    forge.terrain[60:, :] = 24
    board = made(tmp_path, forge)

    assert look(board, "A2 M2") == "blocked B.10"
    assert look(board, "A2 G2").startswith("clear +")


def test_depressions(tmp_path: Path) -> None:
    """A unit IN a gully is seen from next to it, along it, and from high enough (A6.3)."""
    forge = Forge(7, 4).line("A3", "B2", "C2", what="Gully", level=-1, wide=20)
    board = made(tmp_path, forge)

    assert board["C2"].level == -1
    assert look(board, "C2 D1") == "clear"
    assert look(board, "C2 E2") == "blocked A6.3"
    assert look(board, "C2 E2@1") == "clear"
    assert look(board, "C2 B2") == "clear"
    assert look(board, "C2@0 E2") == "clear"


def test_inside_a_building(tmp_path: Path) -> None:
    """Within a building only ADJACENT Locations see each other (B23.25); from a roof others too."""
    forge = Forge(7, 4).line("C2", "D2", "E3", what="Stone Building, 1 Level", wide=40)
    board = made(tmp_path, forge)

    assert look(board, "C2 D2") == "clear"
    assert look(board, "C2@1 D2@1") == "clear"
    assert look(board, "C2 D2@1") == "blocked B23.25"
    assert look(board, "C2@1.5 D2@1") == "blocked B23.25"
    assert look(board, "C2@1.5 E3@1.5") == "clear"
    assert look(board, "C2@1 E3@1") == "blocked B23.25"
    assert look(board, "C2@1 C2") == "clear"


def test_over_roofs(tmp_path: Path) -> None:
    """From a roof a unit sees over an equal building to another roof, not to the floors below it (B10.22)."""
    forge = Forge(9, 4)
    for at in ("B2", "D2", "F2"):
        forge.disc(at, 22, "Stone Building, 1 Level")
    board = made(tmp_path, forge)

    assert look(board, "B2@1.5 F2@1.5") == "clear"
    assert look(board, "B2@1.5 F2@1") == "blocked A6.2"
    assert look(board, "B2@1 F2@1") == "blocked A6.2"
    assert look(board, "B2@3 F2@1") == "clear"


def test_bars_between_houses(tmp_path: Path) -> None:
    """A Rowhouse's bar blocks on every level except to and from roofs, and only where drawn (B23.71)."""
    forge = Forge(7, 4).line("C2", "D2", "E3", what="Stone Building, 1 Level", wide=50)
    forge.line(forge.corner("C2", 2), forge.corner("C2", 3), what="Rowhouse Wall, 1 Level", wide=5)
    board = made(tmp_path, forge)
    forge.terrain[forge.terrain == 77] = 41
    (ax, ay), (bx, by) = forge.corner("C2", 2), forge.corner("C2", 3)
    part = ((ax + 3 * bx) / 4, (ay + 3 * by) / 4)
    forge.line(part, (bx, by), what="Rowhouse Wall, 1 Level", wide=5)
    short = made(tmp_path, forge, "bd08")

    assert look(board, "C2 D2") == "blocked B23.71"
    assert look(board, "C2@1 D2@1") == "blocked B23.71"
    assert look(board, "C2@1.5 D2@1.5") == "clear"
    assert look(short, "C2 D2") == "clear"


def test_halls_and_market_places(tmp_path: Path) -> None:
    """A Factory is seen through from within, hindered; below a market place the ground is open."""
    hall = Forge(9, 4).line("C2", "D2", "E3", "F3", what="Stone Factory, 1.5 Level", wide=60)
    market = Forge(7, 4).disc("C2", 28, "Stone Market Place")
    boards = made(tmp_path, hall), made(tmp_path, market, "bd08")

    assert look(boards[0], "C2 E3") == "clear +1"
    assert look(boards[0], "A1 G4") == "blocked A6.2"
    assert look(boards[1], "B1 D2") == "clear"
    assert look(boards[1], "B1@1 D2@1") == "blocked A6.2"
    assert look(boards[1], "B1 D2@1") == "blocked A6.2"


def test_rubble(tmp_path: Path) -> None:
    """Rubble is half a level high over its whole hex, hexsides included (B24.2)."""
    board = made(tmp_path, Forge(7, 4).disc("C2", 14, "Stone Rubble"))

    assert look(board, "B1 D2") == "blocked A6.21"
    assert look(board, "B1 D1") == "blocked A6.21"
    assert look(board, "B1@1 D2") == "clear"
    assert look(board, "B1 C2") == "clear"


def test_bridges(tmp_path: Path) -> None:
    """Below a bridge a unit sees along the gully; no unit above sees one beneath it (B6.2)."""
    forge = Forge(7, 5).line("C1", "C2", "C3", "C4", "C5", what="Gully", level=-1, wide=24)
    forge.line("B2", "C3", "D3", what="Stone Bridge", wide=16)
    board = made(tmp_path, forge)

    assert board["C3:bridge"].level == 0
    assert look(board, "C3 C3@0") == "blocked B6.2"
    assert look(board, "C2 C4") == "clear"
    assert look(board, "B2 D3") == "clear +1"


def test_not_modelled(tmp_path: Path) -> None:
    """Terrain that is not modelled makes it unknown, unless something else blocks."""
    board = made(tmp_path, Forge(7, 4).disc("C2", 25, "Dense Jungle"))
    both = made(tmp_path, Forge(9, 4).disc("C2", 25, "Hammada").disc("E3", 28, "Woods"), "bd08")

    assert look(board, "A2 E2") == "unknown"
    (found,) = ask(board, ["A2 E2"])
    assert found.reason == "Dense Jungle is not modelled"
    assert found.hex == "C2"
    assert look(both, "A1 G4") == "blocked A6.2"
    assert look(board, "B1@-1 B2") == "unknown B23.41"


def test_what_lies_there(tmp_path: Path) -> None:
    """Wrecks hinder along the ground, rubble blocks, and a unit in unmodelled terrain sees out of it."""
    board = made(tmp_path, Forge(7, 4))
    wreck = Obstruction("C2", drm=1)

    assert look(board, "B1 D2", wreck) == "clear +1"
    assert look(board, "B1@1 D2", wreck) == "clear"
    assert look(board, "C2 D2", wreck) == "clear"
    assert look(board, "B1 D2", Obstruction("C2", terrain="Stone Rubble")) == "blocked A6.21"
    assert look(board, "B1 D2", Obstruction("C2", unknown="B29.2")) == "unknown B29.2"
    assert look(board, "B1 C2", Obstruction("C2", unknown="B29.2")) == "clear"


def lane(rows: int) -> Board:
    """Return a lane of open hexes, each south of the other."""
    return board_by_hand(["  A B", *(f"{row} . ." for row in range(1, rows + 1))], name="lane")


def test_smoke() -> None:
    """SMOKE hinders like an obstacle of its height, into, out of and through its hex (A24.2, A24.4, A24.8)."""
    board = lane(6)
    smoke, wp = Obstruction("A2", drm=3, top=2), Obstruction("A2", drm=1, top=4)

    for pair, found in (
        ("A1 A3", "+3"), ("A1 A2", "+3"), ("A1@1 A3@1", "+3"), ("A1@2 A3@2", ""),
        ("A1@2 A3", "+3"), ("A1@5 A2", "+3"), ("A1@3 A3", "+3"), ("A1@3 A4", "+3"), ("A1@3 A5", ""),
        ("A1@4 A4", ""), ("A2@2 A3", "+3"), ("A2@2 A5@2", ""), ("A2@3 A5", ""),
        ("A2 A3", "+4"), ("A2 A2@1", "+4"),
    ):  # fmt: skip
        assert look(board, pair, smoke) == f"clear {found}".strip(), pair
    assert look(board, "A2@1 A1", wp) == "clear +2"
    assert look(board, "A1@3 A3@3", smoke, wp) == "clear +1"
    assert look(board, "A1 A3", smoke, smoke) == "clear +3", "no more in one Location (A24.2)"


def test_a_unit_sees_into_smoke_that_cannot_see_out() -> None:
    """The outgoing Hindrance can block in one direction only (A24.8, and the example of A24.4)."""
    board, lying = lane(5), (Obstruction("A2", drm=3, top=2), Obstruction("A4", drm=2, top=2))

    assert look(board, "A1 A4", *lying) == "clear +5"
    assert look(board, "A4 A1", *lying) == "blocked B.10"
    table = SightTable(board, facts(), [Viewpoint("A1", 0), Viewpoint("A4", 0)], lying)
    assert (table.verdict(0, 1), table.verdict(1, 0)) == ("clear", "blocked")
    assert (table.hindrances[0, 1], table.hindrances[1, 0]) == (5, 6)
    assert table.update(()) > 0
    assert table.verdict(1, 0) == "clear"


def test_smoke_of_unstated_strength() -> None:
    """It matters only if its least and greatest effects lead to different answers."""
    board = lane(7)
    unstated = Obstruction("A2", drm=1, most=3, top=2, highest=4, unknown="A24.5", why="thick?")

    (found,) = ask(board, ["A1 A3"], unstated)
    assert (found.verdict, found.hex, found.clause, found.reason) == (
        "unknown", "A2", "A24.5", "thick?",
    )  # fmt: skip
    assert look(board, "A3 A5", unstated) == "clear"
    assert look(board, "A1 A7", unstated, Obstruction("A4", drm=3, top=2), Obstruction("A5", drm=3, top=2)) == "blocked B.10"  # fmt: skip


def test_roadblocks(tmp_path: Path) -> None:
    """A roadblock is a wall across its hexside, on into the woods at its ends (B29.2)."""
    forge = Forge(7, 5)
    board = made(tmp_path, forge)
    north = Obstruction("C3", side=0)

    assert look(board, "C1 C5", north) == "blocked B29.2"
    assert look(board, "C2 C4", north) == "clear"
    assert look(board, "C3 C1", north) == "clear"
    assert look(board, "C1@1 C5", north) == "clear"
    assert look(board, "A3 E3", north) == "clear"
    wooded = made(tmp_path, Forge(7, 5).disc("D2", 8, "Woods"), "bd08")
    assert look(wooded, "A1 F2", north) == "unknown B29.2"
    assert look(wooded, "A1 F2") == look(board, "A1 F2", north) == "clear"


def test_bocage_by_advantage(tmp_path: Path) -> None:
    """A unit with Wall Advantage sees and is seen past its bocage, others only by the next hex (B9.521)."""
    forge = Forge(9, 4)
    forge.line(forge.corner("C2", 1), forge.corner("C2", 2), what="Bocage", wide=5)
    board = made(tmp_path, forge)

    def past(mine: Advantage, pair: str = "C2 F4", theirs: Advantage = Advantage.UNKNOWN) -> str:
        ends = [
            Viewpoint(at, 0, advantage=one)
            for at, one in zip(pair.split(), (mine, theirs), strict=True)
        ]
        (found,) = sights(board, facts(), [(ends[0], ends[1])])
        return f"{found.verdict} {found.clause}".strip()

    way = next(
        way
        for way, to in board.neighbours("C2")
        if (side := board.hexside("C2", to)) and side.terrain
    )
    beyond = dict(board.neighbours("C2"))[way]
    far = dict(board.neighbours(beyond))[way]
    assert past(Advantage.CLAIMED, f"C2 {far}") == "clear"
    assert past(Advantage.FORGONE, f"C2 {far}") == "blocked B9.521"
    assert past(Advantage.UNKNOWN, f"C2 {far}") == "unknown B9.521"
    assert past(Advantage.UNKNOWN, f"{far} C2", Advantage.CLAIMED) == "clear"
    assert past(Advantage.UNKNOWN, f"{far} C2", Advantage.FORGONE) == "blocked B9.521"
    assert past(Advantage.FORGONE, f"C2 {beyond}") == "clear"


def test_entrenched_behind_a_wall(tmp_path: Path) -> None:
    """A unit entrenched behind a wall sees past it only from above, and to the next hex (B9.21)."""
    forge = Forge(9, 4)
    forge.line(forge.corner("C2", 1), forge.corner("C2", 2), what="Wall", wide=5)
    board = made(tmp_path, forge)
    way = next(
        way
        for way, to in board.neighbours("C2")
        if (side := board.hexside("C2", to)) and side.terrain
    )
    beyond = dict(board.neighbours("C2"))[way]
    far = dict(board.neighbours(beyond))[way]

    def seen(to: str, height: int, past: Advantage = Advantage.ENTRENCHED) -> str:
        (found,) = sights(
            board, facts(), [(Viewpoint("C2", 0, advantage=past), Viewpoint(to, height))]
        )
        return f"{found.verdict} {found.clause}".strip()

    assert seen(far, 0) == "blocked B9.21"
    assert seen(far, 0, Advantage.UNKNOWN) == "clear"
    assert seen(far, 2) == "clear"
    assert seen(beyond, 0) == "clear"


def test_round_a_building(tmp_path: Path) -> None:
    """From the vertex of a unit in Bypass, the bypassed terrain is in the way (A6.2, A4.34)."""
    board = made(tmp_path, Forge(9, 6).disc("E3", 20, "Stone Building"))

    def seen(vertex: int | None, to: str) -> str:
        (found,) = sights(board, facts(), [(Viewpoint("E3", 0, vertex=vertex), Viewpoint(to, 0))])
        return found.verdict

    east, west = 1, 4
    assert [seen(None, to) for to in ("C2", "G2")] == ["clear", "clear"]
    assert [seen(east, to) for to in ("A3", "I3", "H3")] == ["blocked", "clear", "clear"]
    assert [seen(west, to) for to in ("A3", "I3", "B3")] == ["clear", "blocked", "clear"]
    for corner in range(6):  # the order of the ends does not matter
        ends = Viewpoint("E3", 0, vertex=corner), Viewpoint("G5", 0)
        there, back = sights(board, facts(), [ends, ends[::-1]])
        assert there == back
