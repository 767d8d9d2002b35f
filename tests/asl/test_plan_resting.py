"""Transport vehicles that must act before the MPh ends, and those that go empty."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import msgspec
import pytest

from marchtable.files.notation import parse_action
from marchtable.planning.loop import plan
from marchtable.planning.why import why
from marchtable.rules.referee import check
from marchtable.state.goal import Aim, Goal
from tests.asl.boards import ASL, field, foot, place, vehicle
from tests.asl.test_plan_transport import LANE, lines, track

ROAD = field({f"A{n}": {} for n in range(1, 9)},
             {f"A{n}-A{n + 1}": {"road": "Dirt Road"} for n in range(1, 8)})  # fmt: skip


def truck(name: str = "t", at: str | None = "A1", **fields: Any) -> Any:
    """Return a truck under way on the road."""
    return vehicle(name, "opel-blitz", at, **{"facing": "SSE", "moving": True, **fields})


def wanted(*names: str, at: str, order: Any = ("points",), **fields: Any) -> Goal:
    """Return the goal that units must be in a Location at the least cost."""
    aim = Aim(units=names, at=(at,), must="all", carried=fields.pop("carried", False))
    return Goal(aims=(aim,), order=order, **fields)


def planned(position: Any, goal: Goal) -> list[str]:
    """Return the best plan, proved, after which the MPh can end."""
    found = plan(position, goal)
    assert (found.status, found.space.name) == ("OPTIMAL", "transport")
    log = found.plans[0].log
    assert check(position, (*log, parse_action("phase DFPh", ASL))).status == "LEGAL"
    return lines(log)


def test_a_vehicle_under_way_stops_at_least() -> None:
    """A truck in Motion must act, and stopping is the least it can do (D2.4, D2.4b)."""
    position = place(ROAD, truck(), foot("u", at="A1", aboard="t"))
    assert planned(position, wanted("u", at="A1", carried=True)) == ["stop t"]
    assert planned(position, wanted("u", at="A1", carried=False)) == ["stop t", "unload u"]


def test_so_does_one_that_the_aims_are_not_about() -> None:
    """Another truck in Motion is stopped too, unless it is not among the plan's movers."""
    units = (truck("o", "A6"), truck(at="A3", moving=False), foot("u", at="A3", aboard="t"))
    position = place(ROAD, *units)
    goal = wanted("u", at="A4", carried=True)
    assert sorted(planned(position, goal)) == ["enter t A4", "start t", "stop o", "stop t"]
    mine = plan(position, wanted("u", at="A4", carried=True, movers=("t", "u")))
    assert lines(mine.plans[0].log) == ["start t", "enter t A4", "stop t"]
    assert mine.space.movers == ("u", "t")


def test_one_with_nothing_left_stays_under_way() -> None:
    """A truck without MP ends in Motion, as it must: it can do nothing."""
    spent = truck("o", "A6", mph="unmoved", spent=2 * 28, used=2 * 28)
    position = place(ROAD, spent, truck(at="A3", moving=False), foot("u", at="A3", aboard="t"))
    assert planned(position, wanted("u", at="A3", carried=True)) == []
    (best,) = plan(position, wanted("o", at="A6")).plans
    assert best.log == ()


def test_one_that_may_not_stop_there_moves_on() -> None:
    """A truck in Motion beside an enemy tank can neither stop nor stay there (D2.6): it has to go on."""
    tank = vehicle("e", "t-26-m33", "A2", side="russian", moving=False)
    position = place(ROAD, truck(at="A2"), tank, foot("u", at="A6"))
    goal = Goal(aims=(Aim(units=("t", "u"), at=("A6",), must=1),), order=("points",))
    assert planned(position, goal) == ["enter t A3", "stop t"]
    barred = plan(position, msgspec.structs.replace(goal, avoid=("A1", "A3")), space="transport")
    assert (barred.status, barred.plans) == ("IMPOSSIBLE", ())


def test_a_vehicle_goes_empty_and_stops() -> None:
    """A vehicle that can move is planned for with no unit aboard, and stopped at its goal."""
    position = place(ROAD, truck())
    assert planned(position, wanted("t", at="A5"))[-2:] == ["enter t A5", "stop t"]
    assert why(position, wanted("t", at="A5")).status == "LEGAL"


def test_two_empty_vehicles_are_proved_too() -> None:
    """Two halftracks and a squad far from both reach their goals at the least cost."""
    position = place(LANE, track("t"), track("o", "C2"), foot("u", at="I5"))
    goal = Goal(aims=(Aim(units=("t", "o"), at=("E3",), must="all"),), order=("points",))
    assert planned(position, goal)[-1] in ("stop t", "stop o")


@pytest.mark.parametrize("wishes", [False, True])
def test_a_unit_that_waits_off_the_map_comes_on(*, wishes: bool) -> None:
    """A vehicle with the edge ahead is planned for, to come near or to leave the map again."""
    waiting = truck("o", None, entering=("A1",))
    position = place(ROAD, waiting, foot("u", at="A2"))
    goal = Goal(aims=(Aim(units=("o",), exit=("A8",), must="all"),))
    if wishes:
        goal = Goal(aims=(Aim(units=("o", "u"), near=("A5",)),))
    found = plan(position, goal)
    assert (found.status, found.space.name) == ("OPTIMAL", "transport")
    assert "enter o A1" in lines(found.plans[0].log)
    assert any("off the map" in line and "come on" in line for line in found.space.policy)


@pytest.mark.slow
def test_what_trucks_meet_is_charged_once() -> None:
    """Three trucks for two hexes: one's charge for another is not also in the whole plan's price."""
    trucks = [truck(f"t{n}", at=f"A{n + 1}", moving=n < 2) for n in range(3)]
    goal = Goal(aims=(Aim(side="german", at=("A5", "A6")),))
    for order in permutations(trucks):
        (best_plan,) = plan(place(ROAD, *order), goal, space="transport").plans
        assert (best_plan.score["value"], best_plan.score["points"]) == (3, 22)


def test_a_wreck_is_nobody_of_its_side() -> None:
    """An aim about a side covers its units that can move."""
    position = place(ROAD, foot("u", at="A1"), foot("w", "wreck", at="A3"))
    goal = Goal(aims=(Aim(side="german", at=("A2",), must="all"),))
    assert plan(position, goal).status == "OPTIMAL"
