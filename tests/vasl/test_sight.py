"""Lines of sight over forged boards: what blocks them, and what must make no difference."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from marchtable.board.board import Board
from marchtable.board.cropping import crop
from marchtable.board.joining import join, reverse
from marchtable.errors import BadInputError
from marchtable.files.boards import find_board, load_board, save_board
from marchtable.files.grids import board_by_hand
from marchtable.rules.rulebook import find_rulebook
from marchtable.sight import compiled, kernel
from marchtable.sight.facts import Advantage, Obstruction, Sight, SightFacts, Viewpoint, read_facts
from marchtable.sight.field import FINE, Hex
from marchtable.sight.pairs import SightTable
from marchtable.sight.table import field_of, sights, trace_pairs
from marchtable.vasl import import_board
from tests.vasl.forge import Forge

if TYPE_CHECKING:
    from collections.abc import Iterable

BLIND = ("A6.4", "B10.23", "B11.21", "B9.52")


@pytest.fixture(autouse=True)
def _uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trace without numba, whose first compilation takes long."""
    monkeypatch.setenv("MARCHTABLE_KERNEL", "python")


def facts() -> SightFacts:
    """Return what terrain does in June."""
    found = find_rulebook("asl").sight_facts(None)
    assert found is not None
    return found


def ask(board: Board, pairs: Iterable[str], *lying: Obstruction) -> list[Sight]:
    """Return lines of sight, each asked for as ``"A1 B2"`` or ``"A1@1.5 B2"``."""
    rows = []
    for pair in pairs:
        ends = []
        for end in pair.split():
            at, _, level = end.partition("@")
            height = round(2 * float(level)) if level else 2 * board[at].level
            ends.append(Viewpoint(at, height))
        rows.append((ends[0], ends[1]))
    return sights(board, facts(), rows, lying)


def look(board: Board, pair: str, *lying: Obstruction) -> str:
    """Return one line of sight in short: ``"clear +1"`` or ``"blocked A6.2"``."""
    (found,) = ask(board, [pair], *lying)
    more = found.clause or (f"+{found.hindrance}" if found.hindrance else "")
    return f"{found.verdict} {more}".strip()


def made(tmp_path: Path, forge: Forge, name: str = "bd07") -> Board:
    """Return the board of a forge."""
    return import_board(forge.write(tmp_path / name))


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """Write a board with a hill, woods, a house, a wall, grain and a gully."""
    forge = Forge(7, 5).disc("C2", 20, "Woods").disc("E4", 15, "Stone Building, 1 Level")
    forge.line(forge.corner("D3", 1), forge.corner("D3", 2), what="Wall", wide=5)
    forge.line(forge.corner("B3", 2), forge.corner("B3", 3), what="Hedge", wide=5)
    forge.disc("F2", 24, "Grain")
    xs = np.mgrid[0 : forge.width, 0 : forge.height][0]
    forge.elevation[xs > 260] = 1
    forge.line("A5", "B4", "C4", what="Gully", level=-1)
    forge.disc((200, 40), 9, "Orchard")
    return forge.write(tmp_path / "bd07")


def all_pairs(board: Board) -> list[str]:
    """Return all pairs of hexes, on the ground."""
    names = [one.name for one in board.locations if one.name == one.hex]
    return [f"{a} {b}" for a, b in combinations(names, 2)]


# -- what must make no difference ------------------------------------------------------------------


def test_turned(mixed: Path) -> None:
    """A board that lies turned has the lines of sight that it has otherwise."""
    board = import_board(mixed)
    pairs = all_pairs(board)
    found = ask(board, pairs)

    assert {one.verdict for one in found} >= {"clear", "blocked"}
    assert ask(reverse(board), pairs) == found
    assert ask(find_board(f"{mixed} r"), pairs) == found


def test_ends_swapped(mixed: Path) -> None:
    """Lines of sight are the same from either end, with the same Hindrance (A6.5)."""
    board = import_board(mixed)
    pairs = [f"{a}@{n} {b}" for a, b in map(str.split, all_pairs(board)[::3]) for n in (0, 2)]
    swapped = [" ".join(pair.split()[::-1]) for pair in pairs]

    assert ask(board, swapped) == ask(board, pairs)


def test_cropped(mixed: Path) -> None:
    """A crop that keeps the hexes on the way changes nothing."""
    board = import_board(mixed)
    part = crop(board, "A-D")
    pairs = [pair for pair in all_pairs(part) if not set(pair) & set("D")]

    assert ask(part, pairs) == ask(board, pairs)


def test_joined(mixed: Path) -> None:
    """On boards laid side by side each has its own lines of sight, away from the seam."""
    board = import_board(mixed)
    joined = join([[board, board], [board, board]])
    # Only what stays off the half-hexes that two boards share.
    inner = [one.name for one in board.locations if one.hex[0] in "CDE" and one.hex[1] in "23"]
    pairs = list(combinations(inner, 2))
    single = ask(board, [f"{a} {b}" for a, b in pairs])

    for label in ("7", "7no2", "7no3", "7no4"):
        found = ask(joined, [f"{label}{a} {label}{b}" for a, b in pairs])
        plain = [(one.verdict, one.hindrance, one.clause) for one in found]
        assert plain == [(one.verdict, one.hindrance, one.clause) for one in single]


def test_across_a_seam(tmp_path: Path) -> None:
    """Woods of the next board block, turned or not."""
    plain = made(tmp_path, Forge(5, 4), "bd08")
    wooded = made(tmp_path, Forge(5, 4).disc("C2", 28, "Woods"), "bd09")

    assert look(join([[plain, wooded]]), "8C2 9D2") == "blocked A6.2"
    assert look(join([[plain, reverse(wooded)]]), "8E3 9B1") == "blocked A6.2"
    assert look(join([[plain, plain]], name="x"), "8C2 8no2D2") == "clear"


def test_a_higher_viewer(mixed: Path) -> None:
    """Who looks from higher up loses nothing but what lies behind something as a blind hex."""
    board = import_board(mixed)
    pairs = [pair.split() for pair in all_pairs(board)[::2]]
    low = ask(board, [f"{a}@1 {b}" for a, b in pairs])
    high = ask(board, [f"{a}@3 {b}" for a, b in pairs])

    for (a, b), before, after in zip(pairs, low, high, strict=True):
        if before.verdict == "clear" and after.verdict == "blocked":
            assert after.clause in BLIND, (a, b)


def test_board_file(mixed: Path, tmp_path: Path) -> None:
    """A board file keeps the pixels."""
    board = import_board(mixed)
    save_board(board, tmp_path / "board.json")
    loaded = load_board(tmp_path / "board.json")
    pairs = all_pairs(board)[::5]

    assert loaded == board
    assert ask(loaded, pairs) == ask(board, pairs)


def test_an_ssr_changes_them(tmp_path: Path) -> None:
    """Woods that an SSR makes grain hinder instead."""
    path = Forge().disc("C2", 28, "Woods").write(tmp_path / "bd07")

    assert look(import_board(path), "B1 D2") == "blocked A6.2"
    assert look(import_board(path, ssr=["WoodsToGrain"]), "B1 D2") == "clear +1"


def test_compiled_as_it_stands(mixed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel that numba compiles is asked where it is forced, and once there are many pairs."""
    from marchtable.sight import table

    board = import_board(mixed)
    calls: list[int] = []
    monkeypatch.setenv("MARCHTABLE_KERNEL", "auto")
    monkeypatch.setattr(table.Traced, "pairs", table.WARM_UP - 1)
    monkeypatch.setattr(compiled, "compiled", lambda: lambda *args: calls.append(len(args[2])))
    field = field_of(board, facts())
    rows = np.array([(0, 0, 5, 0), (1, 0, 6, 0)], np.int64)

    monkeypatch.setattr(table, "_is_kept", lambda: True)
    trace_pairs(field, facts(), rows[:1])
    assert calls == []
    monkeypatch.setattr(table, "_is_kept", lambda: False)  # nobody waits for a compiler then
    trace_pairs(field, facts(), rows)
    assert calls == []
    monkeypatch.setattr(table, "_is_kept", lambda: True)
    trace_pairs(field, facts(), rows)
    assert calls == [2]
    monkeypatch.setattr(table, "_is_kept", lambda: False)
    monkeypatch.setattr(table.Traced, "pairs", table.COLD)
    trace_pairs(field, facts(), rows)
    assert calls == [2, 2]


def test_all_of_the_kernel_is_compiled() -> None:
    """No module of the kernel is left out, of what is compiled or of the name by which that is kept."""
    folder = Path(str(kernel.__file__)).parent
    names = {path.stem for path in folder.glob("*.py")} - {"__init__", "columns"}
    assert {module.__name__.rpartition(".")[2] for module in compiled.MODULES} == names


def test_leaps_over_open_ground(mixed: Path) -> None:
    """Open hexes, which are leapt over where nothing lies on the board, are so without any difference."""
    board = import_board(mixed)
    pairs = [f"{a}@{n} {b}" for a, b in map(str.split, all_pairs(board)[::3]) for n in (0, 1, 3)]
    nothing = Obstruction("A1", drm=0)

    assert ask(board, pairs, nothing) == ask(board, pairs)


@pytest.mark.slow
def test_compiled_is_the_same(mixed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What numba compiles answers as the functions do that it compiles."""
    board = import_board(mixed)
    pairs = [f"{a}@{n} {b}" for a, b in map(str.split, all_pairs(board)) for n in (0, 1, 2.5)]
    found = ask(board, pairs)
    monkeypatch.setenv("MARCHTABLE_KERNEL", "numba")

    assert ask(board, pairs) == found


# -- what blocks and hinders -----------------------------------------------------------------------


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
    """What stands on one side of the thread alone does not block; within a pixel it is close (A6.1)."""
    forge = Forge(5, 4)
    x, y = forge.centre("C2")
    board = made(tmp_path, forge.disc((x, y + 20), 20, "Woods"))
    aside = made(tmp_path, Forge(5, 4).disc((x, y + 24), 20, "Woods"), "bd08")

    assert look(board, "B1 D2") == look(
        made(tmp_path, Forge(5, 4).disc("C2", 9, "Woods"), "bd09"), "B1 D2"
    )
    assert look(board, "A2 E2") == "close A6.1"
    assert look(aside, "A2 E2") == "clear"


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
    """Who is IN a gully is seen from next to it, along it, and from high enough (A6.3)."""
    forge = Forge(7, 4).line("A3", "B2", "C2", what="Gully", level=-1, wide=20)
    board = made(tmp_path, forge)

    assert board["C2"].level == -1
    assert look(board, "C2 D1") == "clear"
    assert look(board, "C2 E2") == "blocked A6.3"
    assert look(board, "C2 E2@1") == "clear"
    assert look(board, "C2 B2") == "clear"
    assert look(board, "C2@0 E2") == "clear"


def test_inside_a_building(tmp_path: Path) -> None:
    """Within a building only ADJACENT Locations see each other (B23.25); from a roof it is otherwise."""
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
    """From a roof one sees over an equal building to another roof, not to the floors below it (B10.22)."""
    forge = Forge(9, 4)
    for at in ("B2", "D2", "F2"):
        forge.disc(at, 22, "Stone Building, 1 Level")
    board = made(tmp_path, forge)

    assert look(board, "B2@1.5 F2@1.5") == "clear"
    assert look(board, "B2@1.5 F2@1") == "blocked A6.2"
    assert look(board, "B2@1 F2@1") == "blocked A6.2"
    assert look(board, "B2@3 F2@1") == "clear"


def test_bars_between_houses(tmp_path: Path) -> None:
    """A Rowhouse's bar blocks on every level but to and from roofs, and only where it is drawn (B23.71)."""
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
    """Below a bridge one sees along the gully, and nobody above sees who is beneath it (B6.2)."""
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
    """Wrecks hinder along the ground, rubble blocks, and who is in what is not modelled sees out of it."""
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


def test_one_sees_into_smoke_who_is_not_seen_out_of_it() -> None:
    """The outgoing Hindrance may block one way alone (A24.8, and the example of A24.4)."""
    board, lying = lane(5), (Obstruction("A2", drm=3, top=2), Obstruction("A4", drm=2, top=2))

    assert look(board, "A1 A4", *lying) == "clear +5"
    assert look(board, "A4 A1", *lying) == "blocked B.10"
    table = SightTable(board, facts(), [Viewpoint("A1", 0), Viewpoint("A4", 0)], lying)
    assert (table.verdict(0, 1), table.verdict(1, 0)) == ("clear", "blocked")
    assert (table.hindrances[0, 1], table.hindrances[1, 0]) == (5, 6)
    assert table.update(()) > 0
    assert table.verdict(1, 0) == "clear"


def test_smoke_of_unstated_strength() -> None:
    """It matters only if the least and the most that it may add lead to different answers."""
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
    """Who has Wall Advantage sees and is seen past its bocage, others only by the next hex (B9.521)."""
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
    """Who is entrenched behind a wall sees past it only from above, and to the next hex (B9.21)."""
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
    """From the vertex that a unit in Bypass has reached, what it goes round is in the way (A6.2, A4.34)."""
    board = made(tmp_path, Forge(9, 6).disc("E3", 20, "Stone Building"))

    def seen(vertex: int | None, to: str) -> str:
        (found,) = sights(board, facts(), [(Viewpoint("E3", 0, vertex=vertex), Viewpoint(to, 0))])
        return found.verdict

    east, west = 1, 4
    assert [seen(None, to) for to in ("C2", "G2")] == ["clear", "clear"]
    assert [seen(east, to) for to in ("A3", "I3", "H3")] == ["blocked", "clear", "clear"]
    assert [seen(west, to) for to in ("A3", "I3", "B3")] == ["clear", "blocked", "clear"]
    for corner in range(6):  # what is seen does not depend on which end is named first
        ends = Viewpoint("E3", 0, vertex=corner), Viewpoint("G5", 0)
        there, back = sights(board, facts(), [ends, ends[::-1]])
        assert there == back


def test_by_hand() -> None:
    """A board by hand has whole hexes, and walls along whole hexsides."""
    rows = ["  A B C D E", "1 . . . . .", "2 . . w . .", "3 . . . . ."]
    board = board_by_hand(rows, hexsides={"Wall": ["B2-C2"]}, name="hand")

    assert look(board, "C1 C3") == "blocked A6.2"
    assert look(board, "A1 A3") == "clear"
    assert board.sheets == ()
    assert look(board, "C1@1 C3@1") == "clear"


def test_damaged_pixels(mixed: Path) -> None:
    """Pixels that are no such thing are refused by field."""
    import msgspec

    board = import_board(mixed)
    bad = msgspec.structs.replace(board.sheets[0], pixels="AAAA")
    small = msgspec.structs.replace(board.sheets[0], width=5)

    for sheet, why in ((bad, "damaged"), (small, "expected 5 x")):
        broken = Board("x", board.locations, board.edges, sheets=[sheet])
        with pytest.raises(BadInputError, match=why):
            ask(broken, ["A1 B1"])


def test_bad_rows() -> None:
    """A row of the table of terrain that is none is refused by its line."""
    header = "terrain\tdoes\theight\tdrm\tmarks\tclause\n"
    for row in ("Woods\tgrows\t1\t\t\tB13", "Woods\tobstacle\tx\t\t\tB13", "Woods\tobstacle"):
        with pytest.raises(BadInputError, match="line 2"):
            read_facts(header + row)


def test_all_pairs_are_kept_up(mixed: Path) -> None:
    """All pairs as arrays are what each pair is; an update traces again what lies along what changed."""
    board, facts = find_board(str(mixed)), find_rulebook("asl").sight_facts()
    assert facts is not None
    places = [
        Viewpoint(one.hex, 2 * one.level + up) for one in board.locations[::3] for up in (0, 2)
    ]
    rubble = Obstruction(board.locations[4].hex, terrain="Stone Rubble")
    smoke = Obstruction(board.locations[9].hex, drm=3, top=4)
    table = SightTable(board, facts, places)

    def compare(*lying: Obstruction) -> None:
        pairs = list(combinations(range(len(places)), 2))[::7]
        found = sights(board, facts, [(places[a], places[b]) for a, b in pairs], lying)
        assert [(one.verdict, one.hindrance) for one in found] == [
            (table.verdict(a, b), table.hindrances[a, b]) for a, b in pairs
        ]

    compare()
    count = len(places) * (len(places) + 1) // 2
    assert 0 < table.update([rubble, smoke]) < count
    compare(rubble, smoke)
    assert table.update([smoke, rubble]) == 0
    assert table.update([smoke]) < count
    compare(smoke)
    with pytest.raises(BadInputError, match="no hex of this board"):
        SightTable(board, facts, [Viewpoint("ZZ99", 0)])


@pytest.mark.parametrize("size", [(7, 5), (8, 4)])
def test_vertices_are_on_the_canvas(tmp_path: Path, size: tuple[int, int]) -> None:
    """Lines end at any vertex of any hex, those of half-hexes too: nothing is read beside the arrays."""
    board = made(tmp_path, Forge(*size))
    field = field_of(board, facts())
    pixels, corners = field.arrays[0], field.arrays[3]
    for axis, column in ((0, Hex.X), (1, Hex.Y)):
        spots = field.hexes[:, column][:, None] + corners[None, :, axis]
        assert spots.min() >> FINE >= 2
        assert spots.max() >> FINE < pixels.shape[axis] - 2

    ends = [Viewpoint(one.hex, 0, vertex=at) for one in board.locations for at in range(6)]
    middle = Viewpoint("C2", 0)
    for one in sights(board, facts(), [(middle, end) for end in ends if end.at != "C2"]):
        assert one.verdict == "clear"
    beside = dict(board.neighbours("C2"))[2]
    spot = Viewpoint("C2", 0, vertex=1), Viewpoint(beside, 0, vertex=5)  # one and the same
    assert sights(board, facts(), [spot, spot[::-1]]) == [Sight("clear", None, 0, "", "")] * 2
