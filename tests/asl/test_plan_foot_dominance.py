"""Options that walks omit for equally good ones: units that block each other at the start."""

from __future__ import annotations

import pytest

from marchtable.planning.loop import plan
from marchtable.state.goal import Aim, Goal
from tests.asl.boards import foot, place
from tests.asl.test_plan_transport import LANE


@pytest.mark.parametrize("many", [3, 4])
def test_a_unit_that_is_in_the_way_goes_early(many: int) -> None:
    """Squads that fill the Location ahead and gain nothing make room before another passes."""
    crowd = [foot(f"v{n}", at="B1", cx=True) for n in range(many)]
    position = place(LANE, *crowd, foot("u", at="A1", cx=True))
    goal = Goal(aims=(Aim(units=("u",), at=("E3",)),), order=("value",))
    found = plan(position, goal, space="foot")
    assert (found.status, found.plans[0].score["value"]) == ("OPTIMAL", 1)
