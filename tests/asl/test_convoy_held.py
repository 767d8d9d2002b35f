"""If a Convoy can make no Impulse at all, the clause that holds it is reported."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.planning.why import why
from marchtable.state.goal import Aim, Goal
from marchtable.state.records import replace
from tests.asl.convoys_by_hand import by_road
from tests.slowly import slow_after

GOAL = Goal(aims=(Aim(units=("t1",), at=("A5",), must="all"),))


def stated(**states: Any) -> list[tuple[str, tuple[str, ...], bool]]:
    """Return the clauses for a Convoy whose first vehicle is in this state, the vehicle, and if proved."""
    position = by_road(2, 8)
    position = position.with_units([replace(position.unit("t1"), **states)])
    found = why(position, GOAL, space="convoy")
    assert (found.status, found.conflict is None) == ("IMPOSSIBLE", False)
    return [(each.clause, each.units, each.is_needed) for each in found.conflict or ()]


@pytest.mark.parametrize(
    ("state", "clause"),
    slow_after(
        2, [("stunned", "D5.34"), ("bogged", "D8.1"), ("shocked", "C7.41"), ("abandoned", "D5.41")]
    ),
)
def test_what_holds_one_vehicle_holds_all(state: str, clause: str) -> None:
    """The clause that holds one vehicle is reported as holding its Convoy, and that is proved."""
    assert stated(**{state: True}) == [(clause, ("t1",), True)]


def test_one_of_several_is_reported() -> None:
    """Of two clauses that both hold it, one is reported: without it, and the other, there is a plan."""
    assert stated(stunned=True, bogged=True) == [("D5.34", ("t1",), True)]


@pytest.mark.slow
def test_out_of_reach_anyhow() -> None:
    """If the goal fails without the clause too, the clause that then forbids it is reported."""
    assert stated(bogged=True, mph="moving", spent=54, used=54) == [("E11.2h", ("t1",), True)]
