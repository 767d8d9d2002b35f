"""Aims near something by the road that leads there: where it bends away a Convoy goes on."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from marchtable.errors import BadInputError
from marchtable.planning.goals import checked_goal
from marchtable.planning.loop import plan
from marchtable.planning.road_distance import hexes_by_road
from marchtable.planning.score import FinalPlace, Measure
from marchtable.state.goal import Aim, Goal
from tests.asl.boards import field, place, vehicle

ROAD = ("A1", "A2", "A3", "A4", "B4", "C4", "C3", "C2", "C1")
"""It bends back: B1 lies between its ends."""
FAR = Goal(aims=(Aim(units=("t1", "t2"), near=("C1",)),))
BY_ROAD = Goal(aims=(Aim(units=("t1", "t2"), near=("C1",), by_road=True),))


def trucks() -> Any:
    """Return two trucks in Convoy at the start of the road, with 3 MP left."""
    names = [f"{u}{row}" for u in "ABC" for row in range(1, 6)]
    sides = {"-".join(pair): {"road": "Dirt Road"} for pair in pairwise(ROAD)}
    found: dict[str, Any] = {
        "facing": "SSE", "convoy": "c", "mph": "moving", "spent": 50, "used": 50,
    }  # fmt: skip
    line = [vehicle(f"t{n}", "opel-blitz", f"A{3 - n}", rank=n, **found) for n in (1, 2)]
    return place(field({name: {} for name in names}, sides), *line)


def test_hexes_count_along_the_road() -> None:
    """On the road the distance is along it; beside it one hex more than the nearest road hex."""
    found = hexes_by_road(trucks().board, ["C1"])
    assert [found[at] for at in ROAD] == [8, 7, 6, 5, 4, 3, 2, 1, 0]
    assert (found["B1"], found["B2"], found["A5"]) == (1, 2, 5)


def test_a_plan_is_measured_by_it() -> None:
    """A Location's distance is by road; off the map it is one hex more than anywhere."""
    measure = Measure(trucks(), checked_goal(BY_ROAD, trucks()))
    gains = [measure.gain("t1", FinalPlace(at)) for at in ("A2", "A4", "C1", None)]
    assert gains == [(0, 7), (0, 5), (0, 0), (0, 9)]
    crow = Measure(trucks(), checked_goal(FAR, trucks()))
    assert crow.gain("t1", FinalPlace("A2"))[1] < crow.gain("t1", FinalPlace("A4"))[1]


def test_a_convoy_goes_on_where_the_road_bends_away() -> None:
    """In a straight line going on gains nothing; by road it does."""
    found = [plan(trucks(), goal, space="convoy").plans[0] for goal in (FAR, BY_ROAD)]
    stays, goes_on = (one.verdict.position.unit("t1").at for one in found)
    assert (stays, goes_on) == ("A2", "A3")


@pytest.mark.parametrize(
    ("stated", "field_"),
    [({"near": ("B1",)}, "aims[0].near[0]"), ({"at": ("C1",)}, "aims[0].by_road")],
)
def test_no_road_leads_there(stated: dict[str, Any], field_: str) -> None:
    """A Location off all roads is rejected, and so is an unused distance."""
    goal = Goal(aims=(Aim(units=("t1",), by_road=True, **stated),))
    with pytest.raises(BadInputError) as rejected:
        plan(trucks(), goal)
    assert rejected.value.field == field_
