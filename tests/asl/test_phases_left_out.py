"""Phases that are left out, though somebody had something to do in them (A3)."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable_models.asl.rulebook import RULEBOOK as ASL
from tests.asl.boards import crossing, foot, last, place

FOE: dict[str, Any] = {"side": "russian", "at": "B1"}


def noted(position: Any, phase: str) -> list[str]:
    """Return the phases that the ruling on a phase notes as left out."""
    found = last(position, phase)
    assert found.status == "LEGAL"
    return [note.split()[1] for clause, note in found.exceptions if clause == "A3c"]


@pytest.mark.clause("A3c")
def test_close_combat_left_out() -> None:
    """Noted if the sides share a Location; not in turn, and not where one side is concealed."""
    position = place(crossing(), foot(), foot("e", **FOE), phase="APh")
    assert noted(position, "phase MPh side=russian") == ["CCPh"]
    assert noted(position, "phase CCPh") == []
    hidden = place(crossing(), foot(), foot("e", **FOE, concealed=True), phase="APh")
    apart = place(crossing(), foot(), foot("e", side="russian", at="C1"), phase="APh")
    assert noted(hidden, "phase MPh side=russian") == []
    assert noted(apart, "phase MPh side=russian") == []


@pytest.mark.clause("A3c")
def test_rout_and_rally_left_out() -> None:
    """Noted of either side's broken units; in the order of play nothing is."""
    position = place(crossing(), foot(broken=True), phase="MPh")
    assert noted(position, "phase APh") == ["RtPh"]
    assert noted(position, "phase MPh side=russian") == ["RtPh", "RPh"]
    assert noted(position, "phase RtPh") == []
    assert noted(place(crossing(), foot(), phase="MPh"), "phase MPh side=russian") == []
    (note,) = [note for clause, note in last(position, "phase APh").exceptions if clause == "A3c"]
    assert note == "the RtPh is left out, though these are broken: u"


@pytest.mark.clause("A3c")
def test_close_combat_without_results() -> None:
    """Noted, and shown beside the phase, until it is stated of each unit whether it is in Melee."""
    position = place(crossing(), foot(), foot("e", **FOE), phase="CCPh")
    turn = "phase RPh side=russian"
    assert ASL.overall(position).headline == "Close Combat in B1 (u, e)"
    (note,) = [note for clause, note in last(position, turn).exceptions if clause == "A3c"]
    assert note.startswith("no result of the Close Combat in B1 (u, e) is entered")
    assert "CC?" in {mark.sign for mark in ASL.marker(position, position.unit("u"))["marks"]}
    stated = last(position, "result u held", "result e held").after
    assert last(stated, turn).exceptions == ()
    assert ASL.overall(stated).headline == ""
    assert ASL.overall(place(crossing(), foot(), foot("e", **FOE))).headline == ""
    assert last(place(crossing(), foot(), phase="CCPh"), turn).exceptions == ()
