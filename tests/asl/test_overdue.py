"""Units due on the map in a turn that stay off it (A2.5)."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.answers.verdicts import check_answer
from marchtable.files.notation import parse_action
from tests.asl.boards import ASL, foot, place, vehicle
from tests.asl.test_convoys import road


def assumed(position: Any, *lines: str) -> Any:
    """Return the assumptions of the answer on a legal log."""
    found = check_answer(position, [parse_action(line, ASL) for line in lines])
    assert found["status"] == "LEGAL", found["violations"]
    return found["assumed"]


def due(*, vehicular: bool = False, turn: int = 1, **fields: Any) -> Any:
    """Return the position with a unit due in a turn by A8, and one on the map."""
    given = {"at": None, "entering": ("A8",), "entry_turn": turn, **fields}
    late = vehicle("v", facing="NNE", **given) if vehicular else foot("v", **given)
    return place(road(), foot("u", at="A1"), late)


@pytest.mark.clause("A2.5b")
def test_a_unit_that_was_due_and_stays_off_is_named() -> None:
    """Infantry can still advance on in the APh; a vehicle is late once the MPh is over."""
    for vehicular, quiet, last in (
        (False, "phase APh", "phase CCPh"),
        (True, "phase MPh", "phase DFPh"),
    ):
        position = due(vehicular=vehicular)
        begins = () if quiet == "phase MPh" else (quiet,)
        assert assumed(position, *begins) == []
        (line,) = assumed(position, *begins, last)
        assert "v was due in turn 1" in line
    (line,) = assumed(due(), "phase MPh side=russian")
    assert "A2.5b" in line


@pytest.mark.clause("A2.5b", "E11.7a")
def test_units_that_are_not_overdue() -> None:
    """No unit is named that is due later, has entered, has no stated turn, or waits behind its Column."""
    assert assumed(due(turn=2), "phase CCPh") == []
    assert assumed(due(), "enter v A8", "phase CCPh") == []
    assert assumed(due(turn=0), "phase CCPh") == []
    line = [
        foot("a", at="A8", column="k", rank=1),
        foot("b", at=None, entering=("A8",), entry_turn=1, column="k", rank=2),
    ]
    assert assumed(place(road(), *line), "phase CCPh") == []
