"""Lines of sight over forged boards: changes that must make no difference."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

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
from marchtable.sight.facts import Obstruction, Sight, Viewpoint, read_facts
from marchtable.sight.field import FINE, Hex
from marchtable.sight.pairs import SightTable
from marchtable.sight.table import field_of, sights, trace_pairs
from marchtable.vasl import import_board
from tests.vasl.forge import Forge
from tests.vasl.sightlines import ask, facts, look, made

BLIND = ("A6.4", "B10.23", "B11.21", "B9.52")


@pytest.fixture(autouse=True)
def _uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trace without numba, whose first compilation is slow."""
    monkeypatch.setenv("MARCHTABLE_KERNEL", "python")


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


# -- invariants ------------------------------------------------------------------------------------


def test_turned(mixed: Path) -> None:
    """A reversed board has the same lines of sight."""
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
    """A higher viewer loses only blind hexes behind obstacles."""
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
    """Woods that an SSR turns into grain hinder instead."""
    path = Forge().disc("C2", 28, "Woods").write(tmp_path / "bd07")

    assert look(import_board(path), "B1 D2") == "blocked A6.2"
    assert look(import_board(path, ssr=["WoodsToGrain"]), "B1 D2") == "clear +1"


def test_compiled_as_it_stands(mixed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiled kernel is used where forced, and with many pairs."""
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
    monkeypatch.setattr(table, "_is_kept", lambda: False)  # no test waits for a compiler then
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
    """Every module of the kernel is compiled, and part of its cache key."""
    folder = Path(str(kernel.__file__)).parent
    names = {path.stem for path in folder.glob("*.py")} - {"__init__", "columns"}
    assert {module.__name__.rpartition(".")[2] for module in compiled.MODULES} == names


def test_leaps_over_open_ground(mixed: Path) -> None:
    """Skipping open hexes on an empty board makes no difference."""
    board = import_board(mixed)
    pairs = [f"{a}@{n} {b}" for a, b in map(str.split, all_pairs(board)[::3]) for n in (0, 1, 3)]
    nothing = Obstruction("A1", drm=0)

    assert ask(board, pairs, nothing) == ask(board, pairs)


@pytest.mark.slow
def test_compiled_is_the_same(mixed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled functions answer like the plain ones."""
    rows = ["  A B C D E F G", "1 . w . .1 . . .", "2 . . w . s . .", "3 .1 . . . w . ."]
    walls = {"Wall": ["B2-C2"], "Hedge": ["E1-F1"]}
    by_hand = board_by_hand(rows, hexsides=walls, name="hand")
    for board in (import_board(mixed), by_hand):
        pairs = [f"{a}@{n} {b}" for a, b in map(str.split, all_pairs(board)) for n in (1, 2.5)]
        pairs += all_pairs(board)
        monkeypatch.setenv("MARCHTABLE_KERNEL", "python")
        found = ask(board, pairs)
        monkeypatch.setenv("MARCHTABLE_KERNEL", "numba")

        assert ask(board, pairs) == found


def test_damaged_pixels(mixed: Path) -> None:
    """Invalid pixels are rejected by field."""
    import msgspec

    board = import_board(mixed)
    bad = msgspec.structs.replace(board.sheets[0], pixels="AAAA")
    small = msgspec.structs.replace(board.sheets[0], width=5)

    for sheet, why in ((bad, "damaged"), (small, "expected 5 x")):
        broken = Board("x", board.locations, board.edges, sheets=[sheet])
        with pytest.raises(BadInputError, match=why):
            ask(broken, ["A1 B1"])


def test_bad_rows() -> None:
    """An invalid row of the terrain table is rejected by its line."""
    header = "terrain\tdoes\theight\tdrm\tmarks\tclause\n"
    for row in ("Woods\tgrows\t1\t\t\tB13", "Woods\tobstacle\tx\t\t\tB13", "Woods\tobstacle"):
        with pytest.raises(BadInputError, match="line 2"):
            read_facts(header + row)


def test_all_pairs_are_kept_up(mixed: Path) -> None:
    """The arrays of all pairs equal each pair; an update retraces what lies along a change."""
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
    """Lines end at any vertex of any hex, half-hexes too: nothing is read outside the arrays."""
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
