"""Lines of sight on hand-made boards, over whole hexes: exact, so nothing is close (A6.1)."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest

from marchtable.board.joining import reverse
from marchtable.files.grids import board_by_hand
from marchtable.rules.rulebook import find_rulebook
from marchtable.sight.facts import Sight, Viewpoint
from marchtable.sight.table import sights

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from marchtable.board.board import Board, Location

CORNERS = ((1, -3), (2, 0), (1, 3), (-1, 3), (-2, 0), (-1, -3))
"""Distances of a hex's vertices from its middle, in thirds of a column and of half a row."""


@pytest.fixture(autouse=True)
def _uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trace without numba, whose first compilation is slow."""
    monkeypatch.setenv("MARCHTABLE_KERNEL", "python")


def drawn(
    hexes: Mapping[str, str] | None = None, size: tuple[int, int] = (7, 6), **more: Any
) -> Board:
    """Return a hand-made board, open except for some hexes."""
    columns = [chr(ord("A") + n) for n in range(size[0])]
    cells = hexes or {}
    rows = [f"{n} " + " ".join(cells.get(f"{at}{n}", ".") for at in columns) for n in range(1, size[1] + 1)]  # fmt: skip
    return board_by_hand(["  " + " ".join(columns), *rows], name="hand", **more)


def asked(board: Board, pairs: Sequence[tuple[str, str]], up: int = 0) -> list[Sight]:
    """Return lines of sight from the ground of hexes, or from this many half levels above it."""
    facts = find_rulebook("asl").sight_facts(None)
    assert facts is not None
    ends = [
        [Viewpoint(at, 2 * board[at].level + height) for at, height in ((a, up), (b, 0))]
        for a, b in pairs
    ]
    return sights(board, facts, [(a, b) for a, b in ends])


def look(board: Board, pair: str, up: int = 0) -> str:
    """Return one line of sight in short, the same from either end and on the board that lies turned."""
    a, b = pair.split()
    (found,) = asked(board, [(a, b)], up)
    assert asked(reverse(board), [(a, b)], up) == [found]
    if not up:
        assert asked(board, [(b, a)]) == [found]
    more = found.clause or (f"+{found.hindrance}" if found.hindrance else "")
    return f"{found.verdict} {more}".strip()


def beside(board: Board, a: str, b: str) -> list[str]:
    """Return the hexes on either side of the hexside along which two hexes two apart see each other."""
    return sorted(set(dict(board.neighbours(a)).values()) & set(dict(board.neighbours(b)).values()))


A, B = "A2", "C2"
SIDES = tuple(beside(drawn(), A, B))


@pytest.mark.parametrize(
    ("one", "both"),
    [
        ("w", "blocked A6.2"),  # woods
        ("s", "blocked A6.2"),  # a stone building
        (".1", "blocked B10.21"),  # a hill
        (".2", "blocked B10.21"),
    ],
)
def test_along_a_hexside(one: str, both: str) -> None:
    """Terrain on one side of the thread does not block, on both sides it does (A6.1)."""
    for at in SIDES:
        assert look(drawn({at: one}), f"{A} {B}") == "clear"
    assert look(drawn(dict.fromkeys(SIDES, one)), f"{A} {B}") == both
    assert look(drawn({SIDES[0]: one, SIDES[1]: "w"}), f"{A} {B}").startswith("blocked")


def test_along_a_hexside_from_higher_up() -> None:
    """The same from a hill, with the blind hexes behind (A6.4)."""
    hill = {A: ".2"}
    assert look(drawn(hill | {SIDES[0]: "w"}), f"{A} {B}") == "clear"
    assert look(drawn(hill | dict.fromkeys(SIDES, "w")), f"{A} {B}") == "blocked A6.4"


def test_what_fills_its_hex_reaches_the_hexside() -> None:
    """Rubble fills its hex out to the hexsides, and a grainfield on either side hinders (B.6, A6.7)."""
    legend = {"r": "Stone Rubble", "g": "Grain"}
    for at in SIDES:
        assert look(drawn({at: "r"}, legend=legend), f"{A} {B}") == "blocked A6.21"
        assert look(drawn({at: "g"}, legend=legend), f"{A} {B}") == "clear +1"
    assert look(drawn(dict.fromkeys(SIDES, "g"), legend=legend), f"{A} {B}") == "clear +1"


@pytest.mark.parametrize("what", ["Wall", "Hedge"])
def test_walls_along_the_thread(what: str) -> None:
    """A wall along the thread belongs to either end; farther on it blocks (B9.2)."""
    near = "-".join(SIDES)
    assert look(drawn(hexsides={what: [near]}), f"{A} {B}") == "clear"
    far = tuple(beside(drawn(), "C2", "E2"))
    assert look(drawn(hexsides={what: ["-".join(far)]}), "A2 G2") == "blocked B9.2"
    assert look(drawn(hexsides={what: ["-".join(far)]}), "A2 G2", up=2) == "clear"


def test_from_vertices() -> None:
    """Lines from vertices over open ground are clear, or unknown where they leave the map; woods beside them do not block."""
    facts = find_rulebook("asl").sight_facts(None)
    assert facts is not None
    draw = random.Random(1)
    board = drawn(size=(5, 4))
    places = [
        Viewpoint(one.name, 0, vertex=corner)
        for one in board.locations for corner in (None, *range(6))
    ]  # fmt: skip
    pairs = [(draw.choice(places), draw.choice(places)) for _ in range(600)]
    pairs = [(a, b) for a, b in pairs if a.at != b.at]

    seen = [*zip(pairs, (one.verdict for one in sights(board, facts, pairs)), strict=True)]
    inner = {one.name for one in board.locations if len([*board.neighbours(one.name)]) == 6}
    assert {verdict for _, verdict in seen} <= {"clear", "unknown"}
    assert {verdict for (a, b), verdict in seen if {a.at, b.at} <= inner} == {"clear"}
    # The vertex to the right of a hex is where the hexside between the two next to it begins.
    near, beyond = dict(board.neighbours("B2")), Viewpoint("B2", 0, vertex=1)
    right = next(
        one for one in board.locations
        if (one.u, one.v) == (board["B2"].u + 2, board["B2"].v)
    )  # fmt: skip
    for cells, verdict in (({near[1]: "w"}, "clear"), ({near[1]: "w", near[2]: "w"}, "blocked")):
        (found,) = sights(drawn(cells, (5, 4)), facts, [(beyond, Viewpoint(right.name, 0))])
        assert found.verdict == verdict


def through_a_vertex() -> tuple[str, str, list[str], list[str]]:
    """Return two hexes whose thread runs through a vertex between, the hexes there that it passes, and the others."""
    board = drawn(size=(8, 8))
    for one, other in combinations(board.locations, 2):
        if (other.u - one.u, other.v - one.v) == (5, 3):
            passed = [at.name for at in board.locations if chord(one, other, at) == 2]
            near = [
                at.name for at in board.locations
                if chord(one, other, at) == 0 and on_thread((one, other), at)
            ]  # fmt: skip
            return one.name, other.name, passed, near
    raise AssertionError


def test_through_a_vertex() -> None:
    """
    Woods that the thread only touches at a vertex do not block (A6.1).

    A wall that ends there does (B9.2), and terrain that fills its hex blocks or hinders (B.6).
    """
    a, b, passed, touched = through_a_vertex()
    pair, size = f"{a} {b}", (8, 8)

    assert touched
    legend = {"r": "Stone Rubble", "o": "Orchard", "g": "Grain"}
    for at in touched:
        for cell in ("w", ".1", "o1", "g"):
            assert look(drawn({at: cell}, size, legend=legend), pair) == "clear"
        assert look(drawn({at: "r"}, size, legend=legend), pair) == "blocked A6.21"
        assert look(drawn({at: "o"}, size, legend=legend), pair) == "clear +1"
    for at in set(passed) - {a, b}:
        assert look(drawn({at: "w"}, size), pair) == "blocked A6.2"
    board = drawn(size=size)
    ends, at = (board[a], board[b]), touched[0]
    near = [
        there for there in dict(board.neighbours(at)).values()
        if there in passed and on_thread(ends, board[there]) & on_thread(ends, board[at])
    ]  # fmt: skip
    assert len(near) == 2
    for wall in (f"{at}-{near[0]}", f"{at}-{near[1]}", f"{near[0]}-{near[1]}"):
        assert look(drawn(size=size, hexsides={"Wall": [wall]}), pair) == "blocked B9.2"


def chord(one: Location, other: Location, at: Location) -> int:
    """Return 2 if the thread between two hexes runs through a third, 1 if along its hexside, else 0."""
    points, crosses, length = around(one, other, at)
    if min(crosses) >= 0 or max(crosses) <= 0:
        touching = [point for point, cross in zip(points, crosses, strict=True) if cross == 0]
        return int(len(touching) == 2 and max(touching) > 0 and min(touching) < length)
    parts = [
        points[n - 1] + Fraction(crosses[n - 1], crosses[n - 1] - crosses[n]) * (points[n] - points[n - 1])
        for n in range(6)
        if (crosses[n - 1] < 0) != (crosses[n] < 0) and crosses[n - 1] != crosses[n]
    ]  # fmt: skip
    return 2 if max(parts) > 0 and min(parts) < length else 0


def on_thread(ends: tuple[Location, Location], at: Location) -> set[int]:
    """Return how far along the thread between two hexes vertices of a third lie on it."""
    points, crosses, length = around(*ends, at)
    return {p for p, c in zip(points, crosses, strict=True) if c == 0 and 0 < p < length}


def around(one: Location, other: Location, at: Location) -> tuple[list[int], list[int], int]:
    """Return how far along the thread, and how far beside it, each vertex of a hex is; and its length."""
    dx, dy = 3 * (other.u - one.u), 3 * (other.v - one.v)
    spots = [(3 * (at.u - one.u) + x, 3 * (at.v - one.v) + y) for x, y in CORNERS]
    return (
        [x * dx + y * dy for x, y in spots],
        [dx * y - dy * x for x, y in spots],
        dx * dx + dy * dy,
    )


@pytest.mark.parametrize("seed", range(2))
def test_woods_at_random(seed: int) -> None:
    """Woods block where the thread runs through them, or between two of them: by fractions as by the kernel."""
    draw = random.Random(seed)
    names = [f"{chr(ord('A') + c)}{row}" for c in range(7) for row in range(1, 6)]
    woods = {name for name in names if draw.random() < 0.25}
    board = drawn(dict.fromkeys(woods, "w"), (7, 5))
    pairs = list(combinations(board.locations, 2))

    def is_blocked(a: Location, b: Location) -> bool:
        found = {at.name: chord(a, b, at) for at in board.locations if at not in (a, b)}
        along = [name for name in found if found[name] == 1 and name in woods]
        return any(found[name] == 2 for name in found if name in woods) or any(
            on_thread((a, b), board[one]) == on_thread((a, b), board[other])
            for one, other in combinations(along, 2)
        )

    wanted = ["blocked" if is_blocked(a, b) else "clear" for a, b in pairs]
    assert [one.verdict for one in asked(board, [(a.name, b.name) for a, b in pairs])] == wanted
    assert set(wanted) == {"clear", "blocked"}
