"""What Convoys and Columns must be as a scene gives them (E11.1, E11.5)."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.errors import BadInputError
from marchtable.state.records import replace
from tests.asl.boards import ASL
from tests.asl.test_columns import column
from tests.asl.test_convoys import convoy


def refusal(position: Any) -> str:
    """Return why a position is refused, ``""`` if it is not."""
    try:
        ASL.check_position(position)
    except BadInputError as error:
        return str(error)
    return ""


@pytest.mark.clause("E11.1a")
@pytest.mark.parametrize(
    ("rows", "why"),
    [((4, 5), ""), ((4,), "two or more"), ((4, 6), "Gap"), ((4, 4), "one per hex")],
)
def test_a_convoys_line(rows: tuple[int, ...], why: str) -> None:
    """A Convoy is set up as two or more vehicles, one per hex, without a Gap."""
    said = refusal(convoy(*rows))
    assert why in said
    assert ("E11.1a" in said) is bool(why)


@pytest.mark.clause("E11.1a")
@pytest.mark.parametrize(("reading", "legal"), [("set-up", True), ("always", False)])
def test_two_in_a_hex_later(*, reading: str, legal: bool) -> None:
    """Once it has moved two vehicles may share a hex, unless it is read so always."""
    position = convoy(4, 4, readings=(("E11.1a", reading),))
    moved = [replace(u, mph="moving", spent=2, used=2) for u in position.units]
    assert (refusal(position.with_units(moved)) == "") is legal


@pytest.mark.clause("E11.1a")
def test_no_infantry_in_a_convoy() -> None:
    """Only vehicles form a Convoy."""
    assert "E11.1a" in refusal(column(4, 5).with_units([
        replace(u, convoy="c", column="") for u in column(4, 5).units
    ]))  # fmt: skip


@pytest.mark.clause("E11.1a", "E11.5a")
@pytest.mark.parametrize(("build", "why"), [(convoy, "E11.1a"), (column, "E11.5a")])
def test_nobody_is_on_the_map_before_the_one_ahead(build: Any, why: str) -> None:
    """Of a line partly on the map those ahead are on it, be the others near or far."""
    line = column(8, 9, 9) if build is column else convoy(8, 7)

    def told(*waiting: int) -> str:
        units = [
            replace(u, at=None, entering=("A8",)) if n in waiting else u
            for n, u in enumerate(line.units)
        ]
        return refusal(line.with_units(units))

    assert why in told(0)
    assert told(*range(1, len(line.units))) == told(*range(len(line.units))) == ""


@pytest.mark.clause("E11.5a")
@pytest.mark.parametrize(
    ("rows", "why"), [((4, 5), ""), ((4, 4), "two hexes"), ((4, 6), "Gap"), ((4, 5, 5), "")]
)
def test_a_columns_line(rows: tuple[int, ...], why: str) -> None:
    """A Column is two or more hexes of units without a Gap; stacks are allowed."""
    said = refusal(column(*rows))
    assert why in said
    assert ("E11.5a" in said) is bool(why)
