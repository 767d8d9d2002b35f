"""Locations to avoid: a unit that begins in one can leave it, and does not come back."""

from __future__ import annotations

import pytest

from marchtable.planning.loop import plan
from marchtable.rules.referee import check
from marchtable.state.goal import Aim, Goal
from tests.asl.boards import field, foot, place, vehicle

ROAD = field(
    {f"{column}{row}": {} for column in "AB" for row in range(1, 11)}
    | {"A8": {"terrain": "Woods"}},
    {f"A{row}-A{row + 1}": {"road": "Dirt Road"} for row in range(1, 10)},
)
"""A road through a hex of woods, where turning is expensive."""


@pytest.mark.parametrize("threat", [{}, {"A5": 1}])
@pytest.mark.parametrize("space", ["transport", "transport-stops"])
def test_a_vehicle_turns_about_where_it_may_not_come_back(
    space: str, threat: dict[str, int]
) -> None:
    """It would turn more cheaply outside the woods and go back through them; not if they are closed."""
    truck = vehicle("t", "opel-blitz", at="A8", facing="SSW", moving=False)
    position = place(ROAD, truck, foot("s", at="A8", aboard="t"), year=1942)
    aim = Aim(units=("s",), at=("A2",), must="all", carried=True)
    costs = {}
    for avoid in ((), ("A8",)):
        goal = Goal(aims=(aim,), avoid=avoid, threat=threat, order=("points",))
        found = plan(position, goal, space=space)
        assert found.status == "OPTIMAL"
        assert check(position, found.plans[0].log).status == "LEGAL"
        (costs[avoid],) = found.plans[0].reached
    assert costs[("A8",)] > costs[()]
