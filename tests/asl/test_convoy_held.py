"""A Convoy that may make no Impulse at all: the clause that keeps it where it is is stated."""

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
    """Return the clauses reported of a Convoy whose first is in such a state, whom, and if proved."""
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
    """The clause by which a vehicle may not move is why its Convoy does not, and that is proved."""
    assert stated(**{state: True}) == [(clause, ("t1",), True)]


def test_of_several_one_is_told() -> None:
    """Of two clauses either of which would do one is stated: without it, and the other, there is a plan."""
    assert stated(stunned=True, bogged=True) == [("D5.34", ("t1",), True)]


@pytest.mark.slow
def test_out_of_reach_anyhow() -> None:
    """Where the goal could not be met without the clause either, what forbids it then is stated."""
    assert stated(bogged=True, mph="moving", spent=54, used=54) == [("E11.2h", ("t1",), True)]
