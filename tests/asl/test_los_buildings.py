"""Lines of sight past buildings and rubble, with answers worked out from the text of B23 and B24.

The comment beside each row names the deciding fact of the text, in our words.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from marchtable.answers.los import board_los
from marchtable.files.boards import find_board
from marchtable.files.grids import board_by_hand
from marchtable.rules.rulebook import find_rulebook
from marchtable.sight.facts import Obstruction
from tests.vasl.sightlines import look

if TYPE_CHECKING:
    from marchtable.board.board import Board

BOARDS = Path(__file__).resolve().parents[3] / "shared" / "boards"


@pytest.fixture(autouse=True)
def _uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trace without numba, whose first compilation is slow."""
    monkeypatch.setenv("MARCHTABLE_KERNEL", "python")


# -- on boards that the chapter names --------------------------------------------------------------

BOARD_1 = (
    # The house in D4 has one hex and no stairwell: an obstacle of one level (B23.21).
    ("D3", 0, "D5", 0, "blocked A6.2"),
    ("D3", 1, "D5", 1, "clear"),
    ("C4", 0, "E5", 0, "blocked A6.2"),
    ("D3", 2, "D5", 0, "blocked A6.4"),
    # M5 is one building with N3, N4 and N5 (B23.1). Adjacent hexes on one level are ADJACENT (B23.25).
    ("M5", 0, "N4", 0, "clear"),
    ("M5", 2, "N5", 2, "clear"),
    # No stairwell joins different levels of different hexes, so these are not ADJACENT (B23.25).
    ("M5", 1, "N4", 0, "blocked B23.25"),
    # The chapter's own case: the ground level of X3 and the first level of W4 (B23.25).
    ("X3", 0, "W4", 1, "blocked B23.25"),
    ("X3", 1, "W4", 1, "clear"),
    ("X3", 0, "W4", 0, "clear"),
    # Hexes of one building that are not adjacent see each other only clear of its depiction (B23.25). The chapter
    # names M5 and N3, between which the thread passes within a pixel of the house in N4.
    ("M5", 0, "N3", 0, "close A6.1"),
    ("N3", 1, "N5", 1, "blocked B23.25"),
    ("X3", 0, "X5", 0, "blocked B23.25"),
    # A stairwell joins a level with the next one, never the ground with the second level (B23.26).
    ("M5", 1, "M5", 0, "clear"),
    ("M5", 2, "M5", 0, "blocked B23.25"),
    # N4 has no stairwell.
    ("N4", 1, "N4", 0, "blocked B23.25"),
    # Every rooftop has stairs to the level below it, and to no other (B23.8).
    ("N4", 2.5, "N4", 2, "clear"),
    ("N4", 2.5, "N4", 1, "blocked B23.25"),
    ("M5", 2.5, "M5", 1, "blocked B23.25"),
    # A rooftop makes the building no higher, and equal heights do not hide each other (B23.84, B23.2).
    ("N3", 2.5, "N5", 2.5, "clear"),
    # F1 and G1 are a two-story house with stairs in each hex, which join the levels of that hex (B23.22).
    ("F1", 1, "G1", 1, "clear"),
    ("F1", 1, "F1", 0, "clear"),
    ("F1", 1, "G1", 0, "blocked B23.25"),
)
BOARD_12 = (
    # A bar blocks at all levels, also between houses of two, but not from rooftop to rooftop (B23.71).
    *(
        (a, level, b, level, "blocked B23.71")
        for a, b in (("O6", "O7"), ("O4", "P3"), ("P3", "Q4"))
        for level in (0, 1, 2)
    ),
    ("O6", 2, "O7", 1, "blocked B23.71"),
    ("O6", 2.5, "O7", 2.5, "clear"),
    ("P3", 2.5, "Q4", 2.5, "clear"),
    # S8 sees the ground of O6 below the marketplace of R7, past an orchard, but not its levels
    # (B23.732).
    ("S8", 0, "O6", 0, "clear +1"),
    ("S8", 0, "O6", 1, "blocked A6.2"),
    ("S8", 0, "O6", 2, "blocked A6.4"),
    # On the ground a unit sees through the marketplace in any direction (B23.73).
    ("R6", 0, "R8", 0, "clear"),
    ("Q7", 0, "S8", 0, "clear"),
    # Its own stairs join its ground and its first level (B23.731).
    ("R7", 1, "R7", 0, "clear"),
    # R6 is part of its building: levels that differ are not ADJACENT (B23.732, by way of B23.25).
    ("R6", 1, "R7", 1, "clear"),
    ("R6", 1, "R7", 0, "blocked B23.25"),
)


@pytest.mark.parametrize(
    ("name", "pair"),
    [("bd01", pair) for pair in BOARD_1] + [("bd12", pair) for pair in BOARD_12],
    ids=lambda part: part if isinstance(part, str) else "-".join(map(str, part[:4])),
)
def test_buildings_of_the_chapter(name: str, pair: tuple[Any, ...]) -> None:
    """Buildings that the chapter names block as its sections say."""
    if not (BOARDS / name).exists():
        pytest.skip(f"needs the VASL board {name} in {BOARDS}")
    board = find_board(str(BOARDS / name))
    (found,) = board_los(board, find_rulebook("asl"), [pair[:4]])["sights"]
    more = found["clause"] or (f"+{found['hindrance']}" if found["hindrance"] else "")
    assert f"{found['sight']} {more}".strip() == pair[4]


# -- by hand ---------------------------------------------------------------------------------------

KINDS = {
    "s": "Stone Building", "t": "Stone Building, 1 Level", "u": "Stone Building, 2 Level",
    "v": "Wooden Building, 3 Level", "m": "Stone Market Place", "f": "Stone Factory, 1.5 Level",
    "F": "Wooden Factory, 2.5 Level", "r": "Stone Rubble", "o": "Orchard",
}  # fmt: skip


def lane(cells: str, **more: Any) -> Board:
    """Return hexes A1, A2 ... from north to south, one a word, beside a column of open hexes."""
    rows = [f"{row} {cell} ." for row, cell in enumerate(cells.split(), 1)]
    return board_by_hand(["  A B", *rows], name="lane", legend=KINDS, **more)


@pytest.mark.parametrize(
    ("cells", "pair", "found"),
    [
        # A house is as high as its levels plus half a level (B23.22 to B23.24); the half level
        # hides no unit from above. To see past to lower ground a unit must be higher than the
        # obstacle (B23.2).
        (". . s . .", "A2@1 A4", "blocked A6.2"),
        (". . s . .", "A2@2 A5", "clear"),
        (". . t . .", "A2@1 A4@1", "blocked A6.2"),
        (". . t . .", "A2@1.5 A4@1.5", "clear"),
        (". . u . .", "A2@2 A4@2", "blocked A6.2"),
        (". . u . .", "A2@2.5 A4@2.5", "clear"),
        (". . v . .", "A2@3 A4@3", "blocked A6.2"),
        (". . v . .", "A2@3.5 A4@3.5", "clear"),
        # The same house on a hill of two levels is an obstacle of level 3, in a valley one of level 0 (B23.2).
        (".2 .2 s2 .2 .2", "A2 A4", "blocked A6.2"),
        (".2 .2 s2 .2 .2", "A2@3 A4@3", "clear"),
        (".-1 .-1 s-1 .-1 .-1", "A2 A4", "blocked A6.2"),
        (".-1 .-1 s-1 .-1 .-1", "A2@0 A4@0", "clear"),
        # From a first level a unit sees into both levels of a marketplace and through neither; from
        # a second level also over it, except the blind hex behind it (B23.732).
        (". . m . .", "A1@1 A3", "clear"),
        (". . m . .", "A1@1 A3@1", "clear"),
        (". . m . .", "A1@1 A4@1", "blocked A6.2"),
        (". . m . .", "A1@1 A4", "blocked A6.2"),
        (". . m . .", "A1@2 A3", "clear"),
        (". . m . .", "A1@2 A3@1", "clear"),
        (". . m . .", "A1@2 A4", "blocked A6.4"),
        (". . m . .", "A1@2 A5", "clear"),
        # Each Factory hex between two in the same Factory hinders (B23.741: from D6 to D9 of its example +2).
        ("f f f f .", "A1 A4", "clear +2"),
        ("f f f f .", "A1 A2", "clear"),
        # To and from outside it is an obstacle of one level and a half, or two and a half with a stairwell (B23.74).
        ("f f f f .", "A5 A3", "blocked A6.2"),
        (". . f . .", "A1@1 A5@1", "blocked A6.2"),
        (". . f . .", "A1@2 A5", "clear"),
        (". . F . .", "A1@2 A5@2", "blocked A6.2"),
        # Its Hindrance is half a level high: between roofs there is none (B23.741).
        ("f f f f .", "A1@1.5 A4@1.5", "clear"),
        # Within a Factory its roof sees only the ground of its own hex, at an access point
        # (B23.87).
        ("f f f f .", "A1@1.5 A1", "blocked B23.25"),
        ("f f f f .", "A1@1.5 A2", "blocked B23.25"),
        ("f f f f .", "A2 A1@1.5", "blocked B23.25"),
        ("f f f f .", "A1@1.5 A4", "blocked B23.25"),
        ("F f . .", "A1@2.5 A2", "blocked B23.25"),
        # Ground outside, and a roof seen from outside, differ.
        ("f f . .", "A2@1.5 A3", "clear"),
        ("f f . . .", "A2@1.5 A5", "clear"),
        ("F f . . .", "A1@2.5 A4", "clear"),
        ("u . f .", "A1@2.5 A3", "clear"),
        # Rubble is an obstacle of half a level (B24.2): it leaves no blind hex, and a unit sees
        # into it (A6.21).
        (". . r . .", "A2 A4", "blocked A6.21"),
        (". . r . .", "A2@1 A4", "clear"),
        (". . r . .", "A2 A3", "clear"),
    ],
)  # fmt: skip
def test_by_hand(cells: str, pair: str, found: str) -> None:
    """Houses, marketplaces, Factories and rubble block by their heights."""
    assert look(lane(cells), pair) == found


@pytest.mark.parametrize(
    ("cells", "more", "pair"),
    [
        ("f f . .", {"road": ["A2 A3"]}, "A2@1.5 A2"),
        ("F f . .", {"hexes": {"A1": {"stairway": True}}}, "A1@2.5 A1"),
    ],
)
def test_ways_to_a_factory_roof(cells: str, more: dict[str, Any], pair: str) -> None:
    """A hex with a road hexside, or a printed stairwell, joins the ground with the roof (B23.87)."""
    assert look(lane(cells), pair) == "blocked B23.25"
    assert look(lane(cells, **more), pair) == "clear"


@pytest.mark.parametrize(
    ("pair", "found"),
    [
        ("A1@2 A2@1", "blocked B23.25"),
        ("A1@2 A2@1.5", "blocked B23.25"),  # only a breach in the wall would give a LOS there
        ("A1@2 A3@1", "blocked B23.25"),
        ("A1@2.5 A2@1.5", "clear"),
        ("A1@2.5 A3@1.5", "clear"),
        ("A2@1 A3@1", "blocked B23.71"),
    ],
)  # fmt: skip
def test_rowhouses_of_different_height(pair: str, found: str) -> None:
    """From the second level no Location of the lower house is seen; rooftops see each other (B23.712)."""
    bars = {"Rowhouse Wall, 2 Level": ["A1-A2"], "Rowhouse Wall, 1 Level": ["A2-A3"]}
    assert look(lane("u t t . .", hexsides=bars), pair) == found


@pytest.mark.parametrize("kind", ["Rowhouse Wall", "Rowhouse Wall, 1 Level"])
def test_a_bar_is_as_high_as_its_houses(kind: str) -> None:
    """At all levels below the roofs, whatever the map's name for it (B23.71)."""
    board = lane("u u . .", hexsides={kind: ["A1-A2"]})
    found = [look(board, f"A1@{level} A2@{level}") for level in (0, 1, 2, 2.5)]
    assert found == [*["blocked B23.71"] * 3, "clear"]


def test_rubble_in_the_place_of_a_house() -> None:
    """A rubbled hex is no longer a building (B24.1); the bar ends once both hexes are rubble (B23.71)."""
    board = lane("t t t .", hexsides={"Rowhouse Wall, 1 Level": ["A1-A2"]})

    def seen(*rubbled: str) -> list[str]:
        lying = [Obstruction(at, terrain="Stone Rubble") for at in rubbled]
        return [look(board, pair, *lying) for pair in ("A1 A2", "A2 A3", "A1 A3", "A1@2 A3")]

    assert seen() == ["blocked B23.71", "clear", "blocked B23.25", "blocked A6.4"]
    assert seen("A2") == ["blocked B23.71", "clear", "blocked B23.71", "clear"]
    assert seen("A1", "A2") == ["clear", "clear", "blocked A6.21", "clear"]


def test_rubble_beside_a_higher_house() -> None:
    """Whether the lower house is rubble or not, its bar keeps the second level from seeing it (B23.712)."""
    board = lane("u t . .", hexsides={"Rowhouse Wall, 2 Level": ["A1-A2"]})
    rubble = Obstruction("A2", terrain="Stone Rubble")
    assert look(board, "A1@2 A2", rubble) == "blocked B23.71"
    assert look(board, "A1@2.5 A2", rubble) == "clear"


def test_rubble_in_a_marketplace() -> None:
    """Nothing remains above rubble (B24.3): it is an obstacle on the ground, and none to a first level."""
    board, rubble = lane(". m . ."), Obstruction("A2", terrain="Stone Rubble")
    assert [look(board, pair) for pair in ("A1 A3", "A1@1 A3@1")] == ["clear", "blocked A6.2"]
    found = [look(board, pair, rubble) for pair in ("A1 A3", "A1@1 A3@1")]
    assert found == ["blocked A6.21", "clear"]


def test_rubble_in_a_factory() -> None:
    """It is still part of the Factory: a unit sees inside from it; over it nothing hinders (B23.743)."""
    board, rubble = lane("f f f f . ."), Obstruction("A2", terrain="Stone Rubble")
    assert look(board, "A2 A4", rubble) == "clear +1"
    assert look(board, "A1 A3", rubble) == "blocked A6.21"
    # Where the roof is gone a unit sees down from the other roofs, and past the hole to the next
    # hex.
    assert look(board, "A1@1.5 A2", rubble) == "clear"
    assert look(board, "A1@1.5 A3", rubble) == "clear"
    assert look(board, "A1@1.5 A4", rubble) == "blocked B23.25"
    assert look(board, "A2 A6", rubble) == "blocked A6.2"


def test_along_a_hexside_between_rubble_and_a_house() -> None:
    """The chapter's example (B24.2): a second level sees past along the hexside, the ground does not.

    One side is rubble, half a level high to the hexside; the other a house of two levels.
    """
    rows = ["  A B C", "1 . u .", "2 u r .", "3 . . ."]
    board = board_by_hand(rows, name="hand", legend=KINDS)
    assert look(board, "A2@2 C2") == "clear"
    assert look(board, "A2 C2").startswith("blocked")


def test_bars_of_rubble_do_not_cover_what_is_above() -> None:
    """Rubble at the foot of a hexside hides no unit a level up on both sides of it (B24.2, A6.21)."""
    board = board_by_hand(["  A B C", "1 . r .", "2 . r .", "3 . . ."], name="hand", legend=KINDS)
    assert look(board, "A2 C2") == "blocked A6.21"
    assert look(board, "A2@1 C2@1") == "clear"
