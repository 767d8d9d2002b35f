"""Random lines of sight over real boards: orientation and adjacent boards must not matter."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from marchtable.board.cropping import crop
from marchtable.board.joining import join, reverse
from marchtable.files.boards import find_board
from marchtable.rules.rulebook import find_rulebook
from marchtable.sight.facts import Viewpoint
from marchtable.sight.field import Field, Hex, build_field
from marchtable.sight.table import VERDICTS, sights, trace_pairs

if TYPE_CHECKING:
    from marchtable.board.board import Board

BOARDS = Path(__file__).resolve().parents[3] / "shared" / "boards"
ONCE_DIFFERENT = ("bd02", "GG1", 0, "BB5", 4), ("bd01", "BB4", 2, "C4", 0)
"""Pairs that differed on the reversed board."""
TOUCHING = ("bd52", "S4", 2, "U4", 2), ("bdr", "AA10", 0, "FF3", 0), ("bd23", "D6", 4, "C2", 4)
"""Pairs whose thread runs half a pixel deep through woods or a house that VASL's rounding misses."""
PAIRS = 20_000

needs_boards = pytest.mark.skipif(not BOARDS.exists(), reason=f"needs the VASL boards in {BOARDS}")
Pair = tuple[str, int, str, int]


def names() -> list[str]:
    """Return the available boards, none if the folder is absent."""
    return sorted(path.name for path in BOARDS.glob("bd*")) if BOARDS.exists() else []


@cache
def board_of(name: str) -> Board:
    """Return a board by its name."""
    return find_board(str(BOARDS / name))


def built(board: Board) -> Field:
    """Return a board's arrays, in June."""
    facts = find_rulebook("asl").sight_facts(None)
    assert facts is not None
    return build_field(board, facts)


def traced(field: Field, pairs: list[Pair], label: str = "") -> list[tuple[Any, ...]]:
    """Return lines of sight, with hex names without a board's label."""
    facts = find_rulebook("asl").sight_facts(None)
    assert facts is not None
    numbers = field.numbers
    rows = np.array([(numbers[label + a], h, numbers[label + b], g) for a, h, b, g in pairs])
    found = trace_pairs(field, facts, rows.astype(np.int64).reshape(-1, 4))
    return [
        (VERDICTS[verdict], why, field.places[at].removeprefix(label) if at >= 0 else "", drm)
        for verdict, why, at, drm in found.tolist()
    ]


def drawn(field: Field, count: int, seed: int) -> list[Pair]:
    """Draw pairs of places on the ground and up to three levels above it."""
    draw = np.random.default_rng(seed)
    ends = draw.integers(len(field.places), size=(count, 2))
    ups = draw.choice([0, 0, 0, 0, 2, 3, 4, 6], size=(count, 2))
    heights = field.hexes[ends, Hex.LEVEL] + ups
    return [
        (field.places[a], int(h), field.places[b], int(g))
        for (a, b), (h, g) in zip(ends.tolist(), heights.tolist(), strict=True)
    ]


def inner(field: Field) -> set[str]:
    """Return the hexes of a board off its edge, where another may overlap."""
    spots = field.hexes[:, [Hex.U, Hex.V]]
    room = np.minimum(spots - spots.min(axis=0), spots.max(axis=0) - spots)
    return {name for name, (u, v) in zip(field.places, room, strict=True) if u >= 2 and v >= 4}


@needs_boards
@pytest.mark.parametrize("pair", ONCE_DIFFERENT, ids=lambda pair: "-".join(map(str, pair)))
def test_turned_pairs(pair: tuple[Any, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """Pixels halfway between two hexes belong to the same one, however the board lies."""
    monkeypatch.setenv("MARCHTABLE_KERNEL", "python")
    board, pairs = board_of(pair[0]), [pair[1:]]

    assert traced(built(reverse(board)), pairs) == traced(built(board), pairs)


@needs_boards
@pytest.mark.parametrize("pair", TOUCHING, ids=lambda pair: "-".join(map(str, pair)))
def test_what_touches_the_thread_is_close(
    pair: tuple[Any, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thread through an obstacle's pixel is not clear, however the board lies (A6.1)."""
    monkeypatch.setenv("MARCHTABLE_KERNEL", "python")
    board, (a, h, b, g) = board_of(pair[0]), pair[1:]

    for field in (built(board), built(reverse(board))):
        assert {one[0] for one in traced(field, [(a, h, b, g), (b, g, a, h)])} == {"close"}


@pytest.mark.slow
@needs_boards
@pytest.mark.parametrize("name", names())
def test_no_difference(name: str) -> None:
    """
    Turned equals unturned, joined equals single, either end first, a crop that keeps the hexes.

    On all boards together these are 20,000 pairs.
    """
    board = board_of(name)
    field = built(board)
    pairs = drawn(field, -(-PAIRS // len(names())), names().index(name))
    found = traced(field, pairs)

    assert {one[0] for one in found} & {"clear", "blocked"}
    assert traced(built(reverse(board)), pairs) == found
    assert traced(built(find_board(f"{BOARDS / name} r")), pairs) == found
    assert traced(field, [(b, g, a, h) for a, h, b, g in pairs]) == found
    here = inner(field)
    within = [n for n, (a, _, b, _) in enumerate(pairs) if {a, b} <= here]
    single, ends = [found[n] for n in within], [pairs[n] for n in within]
    for rows, labels in (([[board, board], [board, board]], 4), ([[board, reverse(board)]], 2)):
        joined = built(join(rows, name="joined"))
        sample = field.places[len(field.places) // 2]
        found_labels = {one.removesuffix(sample) for one in joined.places if one.endswith(sample)}
        assert len(found_labels) == labels
        for label in found_labels:
            assert traced(joined, ends, label) == single, label


@pytest.mark.slow
@needs_boards
@pytest.mark.parametrize("name", [name for name in names() if name != "bd1a"])
def test_cropped(name: str) -> None:
    """A crop that keeps the hexes on the way changes nothing."""
    field = built(board_of(name))
    part = built(crop(board_of(name), "H-S"))
    column = part.hexes[:, Hex.U]
    here = {
        at for at, u in zip(part.places, column, strict=True) if column.min() < u < column.max()
    }
    pairs = [pair for pair in drawn(field, 4_000, 1) if {pair[0], pair[2]} <= here]

    assert len(pairs) > 200
    assert traced(part, pairs) == traced(field, pairs)


@pytest.mark.slow
@needs_boards
def test_many_at_once_are_as_each_alone() -> None:
    """A table of pairs has the same rows as each pair alone."""
    board, facts = board_of("bd33"), find_rulebook("asl").sight_facts(None)
    assert facts is not None
    pairs = [(Viewpoint(a, h), Viewpoint(b, g)) for a, h, b, g in drawn(built(board), 12_000, 2)]
    found = sights(board, facts, pairs)

    for start in range(0, len(pairs), 17):
        assert sights(board, facts, pairs[start : start + 1]) == found[start : start + 1]
