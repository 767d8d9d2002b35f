"""Guidance for units at night, besides the map's features (E1.531)."""

from __future__ import annotations

import pytest

from marchtable import play
from marchtable.rules.generator import legal_actions
from marchtable.state.action import format_action
from marchtable.state.position import Counter
from tests.asl.boards import bars, crossing, field, foot, last, place, vehicle
from tests.solver.test_reach import check_reach


@pytest.mark.clause("E1.53a", "E1.53b")
def test_an_enemy_in_sight_shows_the_way() -> None:
    """A unit that sees a Known enemy does not stray; a concealed one, or a wreck, is no help."""
    for kind, fields, due in (
        ("squad", {}, False), ("squad", {"concealed": True}, True), ("wreck", {}, True),
    ):  # fmt: skip
        other = foot("m", kind, at="A1", side="russian", **fields)
        position = place(crossing(), foot(), other, nvr=2)
        assert ("E1.53a" in bars(last(position, "sight u of=m", "enter u C1"))) is due
        assert ("E1.53b" in bars(last(position, "sight u of=m", "set-out u"))) is not due
    position = place(crossing(), foot(), foot("m", at="A1", side="russian"), nvr=2)
    assert "E1.53a" in bars(last(position, "enter u C1"))


@pytest.mark.clause("E1.53a", "E1.53b")
@pytest.mark.parametrize(("water", "due"), [("River", False), ("Canal", True), ("Water", True)])
def test_a_river_bank_shows_the_way(water: str, *, due: bool) -> None:
    """Beside a river no unit strays; beside a pond or canal, or two hexes off, it may."""
    board = field({"A1": {}, "A2": {}, "B1": {"terrain": water, "level": -1}, "A3": {}, "A4": {}})
    position = place(board, foot(at="A2"), nvr=2)
    assert ("E1.53a" in bars(last(position, "enter u A1"))) is due
    assert ("E1.53b" in bars(last(position, "set-out u"))) is not due
    assert "E1.53a" in bars(last(position.with_units([foot(at="A4")]), "enter u A3"))
    check_reach(position, "u")


@pytest.mark.clause("E1.53a")
def test_a_trail_break_is_followed() -> None:
    """Along one, into or out of the woods, no DR is due except to trucks; beyond it, one is due again."""
    woods = {"terrain": "Woods"}
    board = field({"A1": {}, "B1": woods, "C1": {}, "C2": woods, "D2": {}, "E3": {}})
    ends = (("B1", "NW"), ("B1", "SE"), ("C2", "NW"), ("C2", "SE"))
    trails = tuple(Counter(kind=f"trail-break-{way}", at=at) for at, way in ends)

    def going(*log: str, at: str = "B1", kind: str = "squad") -> set[str]:
        unit = foot(at=at, kind=kind) if kind == "squad" else vehicle(kind=kind, at=at, facing="E")
        return bars(last(place(board, unit, nvr=2, counters=trails), *log))

    marked = place(board, foot(), nvr=2, counters=trails)
    assert last(marked, "enter u C2").status == "LEGAL"
    listed, quickly = (
        {format_action(choice.action) for choice in choices}
        for choices in (legal_actions(marked), play.legal_actions(marked))
    )
    assert "enter u C2" in listed
    assert listed == quickly
    assert "E1.53a" in going("enter u C1")
    assert "E1.53a" not in going("enter u B1", at="A1")
    assert "E1.53a" not in going("enter u D2", at="C2")
    assert "E1.53a" in going("enter u D2", "enter u E3", at="C2")
    assert "E1.53a" not in going("enter u C2", kind="ft-40")
    assert "E1.53a" in going("enter u C2", kind="tr-40")
    unmarked = place(board, foot(), nvr=2)
    assert "E1.53a" in bars(last(unmarked, "enter u C2"))
    check_reach(marked, "u")


@pytest.mark.clause("E1.53a")
@pytest.mark.parametrize(("at", "due"), [("B1", False), ("C1", False), ("D2", True)])
def test_a_trench_shows_the_way(at: str, *, due: bool) -> None:
    """On one, or adjacent to it, no unit strays; two hexes off it may; reach knows this."""
    board = field({"B1": {}, "C1": {}, "D2": {}})
    trench = (Counter(kind="trench", at=at),)
    position = place(board, foot(), nvr=2, counters=trench)
    ruling = last(position, "enter u C1")
    assert ("E1.53a" in bars(ruling)) is due
    check_reach(position, "u")
