"""What shows units the way at night, beside what the map shows (E1.531)."""

from __future__ import annotations

import pytest

from marchtable.state.position import Counter
from tests.asl.boards import bars, crossing, field, foot, last, place
from tests.solver.test_reach import check_reach


@pytest.mark.clause("E1.53a", "E1.53b")
def test_an_enemy_in_sight_shows_the_way() -> None:
    """Who is told to see a Known enemy does not stray; a concealed one, or a wreck, is no help."""
    for kind, fields, due in (
        ("squad", {}, False), ("squad", {"concealed": True}, True), ("wreck", {}, True),
    ):  # fmt: skip
        other = foot("m", kind, at="A1", side="russian", **fields)
        position = place(crossing(), foot(), other, nvr=2)
        assert ("E1.53a" in bars(last(position, "sight u of=m", "enter u C1"))) is due
        assert ("E1.53b" in bars(last(position, "sight u of=m", "set-out u"))) is not due
    position = place(crossing(), foot(), foot("m", at="A1", side="russian"), nvr=2)
    assert "E1.53a" in bars(last(position, "enter u C1"))


@pytest.mark.clause("E1.53a")
@pytest.mark.parametrize(("at", "due"), [("B1", False), ("C1", False), ("D2", True)])
def test_a_trench_shows_the_way(at: str, *, due: bool) -> None:
    """On one, or adjacent to it, nobody strays; two hexes off he may; reach knows it."""
    board = field({"B1": {}, "C1": {}, "D2": {}})
    trench = (Counter(kind="trench", at=at),)
    position = place(board, foot(), nvr=2, counters=trench)
    ruling = last(position, "enter u C1")
    assert ("E1.53a" in bars(ruling)) is due
    check_reach(position, "u")
