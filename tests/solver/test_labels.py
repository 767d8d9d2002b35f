"""Layout of labels on counters, and of what lies in hexes."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unittest.mock import MagicMock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marchtable.board.board import Board, Location
from marchtable.errors import BadInputError
from marchtable.picture import Mark, Marker, Thing, draw, save
from marchtable.picture.counters import laid_out, largest_first, paint_counter, paint_front
from marchtable.picture.figure import height_for
from marchtable.picture.geometry import centre
from marchtable.picture.marks import FOOT, HEIGHTS, ROOM, chip_width, paint_sides, rows_of
from marchtable.picture.style import load_styles, mixed
from marchtable.picture.things import paint_things
from marchtable.picture.view import BoardView
from tests.grids import grid_board

if TYPE_CHECKING:
    from pathlib import Path

BOARD = grid_board(2, 2, [{}] * 4)
HERE = BOARD.locations[0].name
SIGNS = st.lists(st.text("ABCDE", min_size=1, max_size=8), max_size=12)


@given(SIGNS)
def test_labels_fit_on_their_counter(signs: list[str]) -> None:
    """Labels are in order, in as many rows as fit, without overlap."""
    marks = [Mark(sign) for sign in signs]
    high, rows = rows_of(marks)
    assert [mark for row in rows for mark in row] == marks
    assert high * len(rows) <= max(size * most for size, most in HEIGHTS) + 1e-9
    for row in rows:
        assert len(row) == 1 or sum(chip_width(mark.sign, high) for mark in row) <= ROOM


def test_few_labels_are_large() -> None:
    """One or two labels are as high as labels get, many are smaller."""
    few, _ = rows_of([Mark("CX"), Mark("DM")])
    many, rows = rows_of([Mark("BROKEN")] * 8)
    assert few == 0.2
    assert many < few
    assert len(rows) > 2


def test_the_sign_keeps_off_the_labels() -> None:
    """A counter's sign lies between its label and those at its foot, however many these are."""
    for number in range(9):
        sheet = MagicMock(styles=load_styles())
        marks = (Mark("PIN"),) * number
        unit = Marker(HERE, "sq", "Blue", marks=marks)
        paint_counter(sheet, unit, (0.0, 0.0), 1.0, load_styles().counters[0])
        high, rows = rows_of(marks)
        fills = [points for call in sheet.fill.call_args_list for points in call.args[0]]
        men = fills[2 : len(fills) - number]
        assert men
        assert min(y for man in men for _, y in man) > -FOOT + high * len(rows) - 0.03
        assert max(y for man in men for _, y in man) < 0.24


def test_a_bar_lies_inside_its_hexside() -> None:
    """It runs along the hexside, within the hex."""
    sheet = MagicMock(styles=load_styles())
    paint_sides(sheet, (0, 0), [0], load_styles().counters[0])
    (((left, y), (right, other)),) = sheet.stroke.call_args.args[0]
    assert y == pytest.approx(other)
    assert 0.6 < y < 0.866
    assert left == pytest.approx(-right)


def test_what_is_on_a_hexside_is_drawn_there(tmp_path: Path) -> None:
    """Its sign lies at that hexside; what lies in the hex is a tile with sign and word at its foot."""
    sheet = MagicMock(styles=load_styles())
    _, y = centre((BOARD.locations[0].u, BOARD.locations[0].v))
    paint_things(sheet, BoardView(BOARD), [Thing(HERE, "block", "roadblock", 3)])
    ends = [at for call in sheet.stroke.call_args_list for line in call.args[0] for at in line]
    assert max(py for _, py in ends) < y - 0.5
    assert min(py for _, py in ends) > y - 0.87
    save(draw(BOARD, things=[Thing(HERE, "wire", "wire")]), tmp_path / "it.svg")
    assert (tmp_path / "it.svg").read_text(encoding="utf-8").count(">wire<") == 2  # and the legend


def test_hidden_things_have_the_colours_of_hidden_units() -> None:
    """The tile of a thing that only its owner sees is dark, as their labels are."""
    tones = load_styles().tones
    sheet = MagicMock(styles=load_styles())
    paint_things(sheet, BoardView(BOARD), [Thing(HERE, "wire", hidden=True), Thing(HERE, "block")])
    fills = [call.args[1] for call in sheet.fill.call_args_list]
    assert fills == [tones["hidden"].fill, tones["thing"].fill]
    assert tones["hidden"].fill != tones["thing"].fill


def test_things_make_room_for_costs() -> None:
    """A thing where a cost is written is drawn higher, elsewhere not."""
    heights = []
    for raised in ((), {(BOARD.locations[0].u, BOARD.locations[0].v)}):
        sheet = MagicMock(styles=load_styles())
        paint_things(sheet, BoardView(BOARD), [Thing(HERE, "wire")], raised=raised)
        heights.append(sheet.write.call_args.args[0][1])
    assert heights[1] - heights[0] == pytest.approx(0.27)


def test_of_several_things_words_give_way() -> None:
    """If several do not fit, words with a sign are left out, but never a lone word."""
    sheet = MagicMock(styles=load_styles())
    lying = [
        Thing(HERE, "foxhole 2S", "foxhole"),
        Thing(HERE, "minefield", "mines"),
        Thing(HERE, "HMG"),
    ]
    paint_things(sheet, BoardView(BOARD), lying)
    assert [call.args[1] for call in sheet.write.call_args_list] == ["HMG"]


def test_a_sign_that_is_none_is_rejected() -> None:
    """Signs and colors must be known ones."""
    with pytest.raises(BadInputError, match=r"things\[0\]\.sign.*got 'moat'"):
        draw(BOARD, things=[Thing(HERE, "moat", "moat")])
    with pytest.raises(BadInputError, match=r"units\[0\]\.marks.*got 'gold'"):
        draw(BOARD, units=[Marker(HERE, "sq", "Blue", marks=(Mark("A", "a", "gold"),))])


def test_hexes_are_larger_where_labels_stand_in_stacks() -> None:
    """A stack of marked counters makes hexes larger, one without marks does not; no map is too wide."""
    marked = [Marker(HERE, f"sq{n}", "Blue", marks=(Mark("CX"),)) for n in range(6)]
    bare = [Marker(HERE, f"sq{n}", "Blue") for n in range(6)]
    assert height_for(BoardView(BOARD), marked) > 1.2 * height_for(BoardView(BOARD), bare)
    wide = Board("wide", [Location(f"h{u}", f"h{u}", u, u % 2) for u in range(60)], [])
    there = [
        Marker(wide.locations[0].name, f"sq{n}", "Blue", marks=(Mark("CX"),)) for n in range(6)
    ]
    assert height_for(BoardView(wide), there) == height_for(BoardView(wide), [])


def test_a_unit_that_is_carried_keeps_off_the_tip() -> None:
    """On its carrier's right, or left if that faces right; and drawn above neighbors."""
    for facing, side in ((None, 1), (300.0, 1), (90.0, -1), (150.0, -1)):
        units = [Marker(HERE, "t", "Blue", facing=facing), Marker(HERE, "p", "Blue", carried="t")]
        (_, at, _), (_, small, _) = laid_out(BoardView(BOARD), units)
        assert (small[0] - at[0]) * side > 0
    other = BOARD.locations[1].name
    units = [
        Marker(HERE, "t", "Blue"),
        Marker(HERE, "p", "Blue", carried="t"),
        Marker(other, "n", "Blue"),
    ]
    placed = largest_first(laid_out(BoardView(BOARD), units))
    assert [units[number].label for number, _, _ in placed] == ["t", "n", "p"]


@pytest.mark.parametrize("facing", range(0, 360, 30))
def test_the_tip_covers_nothing_of_its_counter(facing: int) -> None:
    """It is on the edge, whichever way the unit faces: labels at the foot stay whole."""
    sheet = MagicMock()
    paint_front(sheet, Marker(HERE, "t", "Blue", facing=float(facing)), (0.0, 0.0), 1.0)
    (tip,) = sheet.fill.call_args.args[0]
    assert len(tip) == 3
    assert all(max(abs(x), abs(y)) > 0.499 for x, y in tip)


def test_a_counter_leaves_the_foot_of_its_hex_free() -> None:
    """At Wire, a lone counter and its load end above its label, tip included."""
    units = [Marker(HERE, "t", "Blue", facing=150.0), Marker(HERE, "p", "Blue", carried="t")]
    here = BOARD[HERE]
    place = (here.u, here.v)
    _, y = centre(place)
    for lying, is_free in (((), False), ({place}, True)):
        lowest = (
            min(at[1] - size / 2 for _, at, size in laid_out(BoardView(BOARD), units, lying)) - y
        )
        assert (lowest > -0.59 + 0.02) == is_free


def test_colours_are_mixed() -> None:
    """Colors mix by share; a share of zero leaves the color as it is."""
    assert mixed("#000000", "#ffffff", 0.5) == "#808080"
    assert mixed("#12ab34", "#ffffff", 0.0) == "#12ab34"
    assert load_styles().tinted("") == load_styles()
