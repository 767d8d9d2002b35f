"""Convoys and Columns in pictures: their line, their order, their Gaps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.picture import save
from marchtable.picture.showing import scene_picture
from tests.asl.boards import ASL
from tests.asl.test_columns import column
from tests.asl.test_convoys import convoy
from tests.asl.test_gaps import after

if TYPE_CHECKING:
    from pathlib import Path


def test_lines_from_front_to_rear() -> None:
    """Adjacent units of a Convoy or Column are linked; each counter shows its place in line."""
    position = convoy(4, 5, 6)
    assert ASL.overall(position).links == [{"a": "A4", "b": "A5"}, {"a": "A5", "b": "A6"}]
    assert [ASL.marker(position, unit)["note"] for unit in position.units] == ["c 1", "c 2", "c 3"]
    assert ASL.overall(column(4, 5)).links == [{"a": "A4", "b": "A5"}]


def test_a_gap_is_drawn_as_a_break() -> None:
    """Where a vehicle is lost, the picture shows a break between the parts ahead and behind."""
    position = after(convoy(3, 4, 5, 6, 7), "result t3 eliminated")
    assert ASL.overall(position).links == [
        {"a": "A3", "b": "A4"},
        {"a": "A6", "b": "A7"},
        {"a": "A4", "b": "A6", "label": "Gap", "broken": True},
    ]


def test_the_picture(tmp_path: Path) -> None:
    """The picture holds every link under the names of its Locations, broken ones apart."""
    position = after(convoy(3, 4, 5, 6, 7), "result t3 eliminated")
    save(scene_picture(position), tmp_path / "gap.svg")
    text = (tmp_path / "gap.svg").read_text(encoding="utf-8")
    assert 'id="link:A3-A4"' in text
    assert 'id="link:A4-A6:broken"' in text
