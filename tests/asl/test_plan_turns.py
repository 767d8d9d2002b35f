"""The order in which vehicles act: plans in which it matters, whatever the names."""

from __future__ import annotations

from itertools import permutations
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from marchtable.files.notation import format_action
from marchtable.planning.choice.replay import ranked
from marchtable.planning.goals import checked_goal
from marchtable.planning.loop import plan
from marchtable.rules.plan_model import Task
from marchtable.rules.referee import check
from marchtable.state.goal import Aim, Goal
from marchtable_models.asl.cpsat.transport.model import Transport
from marchtable_models.asl.rulebook import RULEBOOK
from tests.asl import stops_cases, transport_cases
from tests.asl.boards import field, foot, place, vehicle
from tests.asl.transport_by_force import ByForce
from tests.asl.transport_cases import TYPES
from tests.quiet import Quiet
from tests.slowly import slow_after

if TYPE_CHECKING:
    from collections.abc import Sequence

LANE = field({name: {} for name in ("A1", "A2", "A3", "A4")})
ENDS = ("A1", "A2", "A3")


class Noting(Quiet):
    """A control that keeps first plans."""

    def __init__(self) -> None:
        super().__init__()
        self.logs: list[Any] = []

    def found(self, log: object) -> None:
        """Keep it."""
        self.logs.append(log)


def column(names: Sequence[str], ends: Sequence[str] = ENDS) -> tuple[Any, Goal]:
    """Return halftracks that enter by one hex, each with a unit wanted where it is."""
    tracks = [
        vehicle(name, "spw-251", None, facing="SSE", moving=True, entering=("A1",))
        for name in names
    ]
    inside = [foot(f"{name}-u", at=None, aboard=name) for name in names]
    aims = [Aim(units=(name, f"{name}-u"), at=(end,), must="all")
            for name, end in zip(names, ends, strict=False)]  # fmt: skip
    position = place(LANE, *tracks, *inside, year=1943)
    return position, checked_goal(Goal(aims=tuple(aims)), position)


def came_on(log: Any) -> list[str]:
    """Return the vehicles in their order of entry."""
    found = [format_action(action).split() for action in log]
    return list(dict.fromkeys(words[1] for words in found if words[0] == "enter"))


@pytest.mark.clause("D2.14")
@pytest.mark.parametrize("names", slow_after(1, ["".join(one) for one in permutations("abc")]))
def test_a_unit_that_goes_farthest_comes_on_first(names: str) -> None:
    """Three enter by one hex to end in line: none pays for another, whatever the names."""
    position, goal = column((*names,))
    _, found = transport_cases.best(position, goal, points=-1)
    alone = sum(
        transport_cases.best(*column((name,), (end,)), points=-1)[1].bound
        for name, end in zip(names, ENDS, strict=True)
    )
    assert (found.status, found.bound) == ("OPTIMAL", alone)
    assert came_on(found.log) == [*names[::-1]]
    assert check(position, found.log).status == "LEGAL"


@pytest.mark.parametrize("names", slow_after(1, ["ab", "ba"]))
def test_two_come_on_by_one_hex_and_may_stop_often(names: str) -> None:
    """If vehicles can stop several times, too, the farther one enters first."""
    position, goal = column(names, ("A1", "A2"))
    _, found = stops_cases.best(position, goal, points=-1)
    _, once = transport_cases.best(position, goal, points=-1)
    assert (found.status, found.bound) == ("OPTIMAL", once.bound)
    assert came_on(found.log) == [names[1], names[0]]


def drawn(seed: int, names: str) -> tuple[Any, Goal]:
    """Return vehicles on a narrow board, some entering by one hex, each with a goal."""
    random = Random(f"turns {seed}")
    hexes = [f"{letter}{n + 1}" for letter in "AB"[: random.randint(1, 2)] for n in range(4)]
    board = field({name: {} for name in hexes})
    units: list[Any] = []
    aims = []
    for name in names:
        at = random.choice((None, "A1", random.choice(hexes)))
        facing = random.choice(("E", "NNE", "SSE", "SSW", "NNW"))
        entering = () if at else ("A1",)
        car = vehicle(name, "track", at, facing=facing, moving=at is None, entering=entering)
        units += [car, foot(f"{name}-u", at=at, aboard=name)]
        aims.append(Aim(units=(name, f"{name}-u"), near=(random.choice(hexes),)))
    position = place(board, *units, types=TYPES, year=1943)
    return position, checked_goal(Goal(aims=tuple(aims)), position)


@pytest.mark.parametrize("seed", slow_after(2, range(12)))
def test_names_are_nothing(seed: int) -> None:
    """The best plan for four vehicles that block each other is the same under any names."""
    found = [
        transport_cases.best(*drawn(seed, names), distance=-4, points=-1)[1]
        for names in ("abcd", "dcba", "bdac")
    ]
    assert {one.status for one in found} == {"OPTIMAL"}
    assert len({one.bound for one in found}) == 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", slow_after(1, range(2)))
def test_two_in_each_others_way(seed: int) -> None:
    """The best equals brute force."""
    model, found = transport_cases.best(*drawn(seed, "ab"), distance=-4, points=-1)
    weights = {"distance": -4, "points": -1}
    force = ByForce(model.position, model.goal, "ab", model.space.verbs, weights)
    assert (found.status, found.bound) == ("OPTIMAL", force.best())
    assert check(model.position, found.log).status == "LEGAL"


# -- turns -----------------------------------------------------------------------------------------


def test_the_order_is_kept_where_nothing_speaks_for_another() -> None:
    """A vehicle that waits for another waits only until it has acted."""
    order = {"a": 0, "b": 1, "c": 2, "d": 3}
    assert [*ranked(order, ())] == [*"abcd"]
    assert [*ranked(order, {("c", "a")})] == [*"bcad"]
    assert [*ranked(order, {("d", "c"), ("c", "b")})] == [*"adcb"]


def test_a_unit_that_is_of_no_use_makes_room() -> None:
    """An unwanted vehicle stands where another with 2 MP is to enter: it drives on first (D2.14)."""
    waits = vehicle("a", "ht-2", None, facing="SSE", moving=True, entering=("A1",))
    stands = vehicle("b", "spw-251", "A1", facing="SSE", moving=False)
    position = place(LANE, waits, stands, year=1943)
    goal = checked_goal(Goal(aims=(Aim(units=("a",), at=("A1",), must="all"),)), position)
    model, found = transport_cases.best(position, goal, points=-1)
    assert found.status == "OPTIMAL"
    assert check(position, found.log).status == "LEGAL"
    assert came_on(found.log)[0] == "b"
    assert {*model.space.movers} == {"a", "b"}


def test_units_in_nobodys_way_have_no_part() -> None:
    """An unwanted vehicle at a place no unit reaches is not among the movers."""
    field_ = field({"A1": {}, "A2": {}, "F9": {}})
    goes = vehicle("a", "spw-251", "A1", facing="SSE", moving=False)
    position = place(field_, goes, vehicle("b", "spw-251", "F9", moving=False), year=1943)
    goal = checked_goal(Goal(aims=(Aim(units=("a",), at=("A2",), must="all"),)), position)
    model, found = transport_cases.best(position, goal, points=-1)
    assert (found.status, model.space.movers) == ("OPTIMAL", ("a",))


def test_a_way_that_others_make_less_exposed_is_no_first_plan() -> None:
    """Bounds ignore it: a tank that stops on its road sends a truck straight on, past a threat."""
    road = {"road": "Dirt Road"}
    roads = ("A1-B1", "A2-B2", "A2-B1", "B1-B2", "B2-C2", "C1-C2")
    names = ("A1", "A2", "B1", "B2", "C1", "C2")
    board = field({name: {} for name in names}, dict.fromkeys(roads, road))
    tank = vehicle("v0", "t-26-m33", "B2", facing="E")
    position = place(board, tank, vehicle("v1", "opel-blitz", "C1", facing="E"), year=1943)
    aims = (Aim(units=("v0",), at=("C2",), must="all"), Aim(units=("v1",), at=("B1",), must="all"))
    result = []
    for threat in ({}, {"C2": 2}):
        goal = checked_goal(Goal(aims=aims, threat=threat), position)
        result.append(Noting())
        Transport(RULEBOOK, position, goal).best(Task({"points": -1}, {}, {}), result[-1])
    assert [len(one.logs) for one in result] == [1, 0]
    assert check(position, result[0].logs[0]).status == "LEGAL"
    found = plan(position, goal, space="transport", rolls="avoid")
    assert found.status == "IMPOSSIBLE"  # by the space's policy; the model's cost is correct
