"""Plans with Riders, and with Guns in tow."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from marchtable.planning.why import why
from marchtable.reachability.reach import reach
from marchtable.rules.referee import check
from marchtable.state.goal import Aim, Goal
from marchtable_models.asl.unittype import UnitType
from tests.asl.boards import field, foot, place, vehicle
from tests.asl.test_plan_transport import LANE, lines
from tests.asl.test_towing import TYPES, crew, gun
from tests.asl.transport_cases import best
from tests.quiet import Quiet

PANZER = msgspec.convert(
    {"class": "vehicle", "name": "panzer", "column": "ft", "mp": 16, "afv": True, "role": "tank"},
    UnitType,
)
STUG = msgspec.structs.replace(PANZER, name="stug", pp=15, role="assault-gun")


def scene(*units: Any, board: Any = LANE, year: int = 1943, **fields: Any) -> Any:
    """Return a position with the types of these tests, in 1943."""
    return place(board, *units, year=year, types=(*TYPES, PANZER, STUG), **fields)


def tank(kind: str = "panzer", at: str = "A1", **fields: Any) -> Any:
    """Return a stopped tank."""
    return vehicle("t", kind, at, **{"moving": False, **fields})


def near(*names: str, **fields: Any) -> Goal:
    """Return the goal that units are near the end of the lane."""
    return Goal(aims=(Aim(units=names, near=("I5",), **fields),))


def lane(**hexes: Any) -> Any:
    """Return the lane with some hexes changed."""
    return field({name: hexes.get(name, {}) for name in LANE.index})


# -- Riders ----------------------------------------------------------------------------------------


def test_a_squad_rides_on_a_tank() -> None:
    """It boards outside, is driven as far as it can unload, and unloads."""
    position = scene(tank(), foot("u", at="A1", cx=True))
    _, found = best(position, near("u"), distance=-1)
    result = lines(found.log)
    assert result[0] == "load u t riding=true"
    assert result[-2:] == ["stop t", "unload u"]
    assert check(position, found.log).position.unit("u").at == "G4"


@pytest.mark.parametrize(("terrain", "rides"), [("Brush", True), ("Woods", False)])
def test_riders_are_not_driven_where_they_would_bail_out(*, terrain: str, rides: bool) -> None:
    """Woods block a loaded tank, brush does not; in a plan no Rider is thrown off."""
    position = scene(tank(), foot("u", at="A1", cx=True), board=lane(C2={"terrain": terrain}))
    _, found = best(position, near("u"), distance=-1)
    assert ("load u t riding=true" in lines(found.log)) == rides
    verdict = check(position, found.log)
    assert not [roll for ruling in verdict.rulings for roll in ruling.obligations]
    inside = scene(
        tank("stug"), foot("u", at="A1", aboard="t"), board=lane(C2={"terrain": "Woods"})
    )
    assert best(inside, near("u", carried=True), distance=-1)[1].bound > -8


def test_who_rides_already() -> None:
    """A half squad on the tank is driven on, the tank keeping all its MP; woods block it too."""
    rider = foot("v", "half-squad", at="A1", aboard="t", riding=True)
    _, found = best(scene(tank(), rider), near("v"), distance=-1)
    assert "unload v" in lines(found.log)
    assert found.bound == 0
    barred = scene(tank(), rider, board=lane(C2={"terrain": "Woods"}))
    _, found = best(barred, near("v"), distance=-1)
    assert not [line for line in lines(found.log) if line == "enter t C2"]


def test_as_many_ride_as_there_are_pp() -> None:
    """Of two squads one rides, since 14 PP are not enough for both; Passenger PP are separate."""
    two = (foot("u", at="A1", cx=True), foot("v", at="A1", cx=True))
    goal = Goal(aims=(Aim(units=("u", "v"), at=("F3", "G4"), must="all"),))
    model, found = best(scene(tank(), *two), goal, points=-1)
    assert found.status == "IMPOSSIBLE"
    result = model.conflict(Quiet())
    assert result is not None
    assert {reason.clause for reason in result} == {"A4.11b", "D6.1c", "D6.2d"}
    assert dict(result[-1].numbers) == {"need": 14, "have": 20}
    half = (foot("u", at="A1", cx=True), foot("v", "half-squad", at="A1", cx=True))
    assert best(scene(tank(), *half), goal, points=-1)[1].status == "IMPOSSIBLE"
    _, found = best(scene(tank("stug"), *half), goal, points=-1)
    assert [line for line in lines(found.log) if line.startswith("load")] == [
        "load u t",
        "load v t",
    ]


def test_either_passengers_or_riders_board() -> None:
    """A gun vehicle with 15 PP inside and 14 outside takes one squad in a plan; those inside stay."""
    two = (foot("u", at="A1", cx=True), foot("v", at="A1", cx=True))
    _, found = best(scene(tank("stug"), *two), near("u", "v"), distance=-1)
    assert len([line for line in lines(found.log) if line.startswith("load")]) == 1
    inside = (foot("u", at="A1", cx=True), foot("v", at="A1", aboard="t"))
    position = scene(tank("stug"), *inside)
    _, found = best(position, near("u", "v", carried=True), distance=-1)
    assert "load u t riding=true" in lines(found.log)


@pytest.mark.parametrize(("year", "rides"), [(1942, False), (1943, True)])
def test_no_riders_before_their_time(*, year: int, rides: bool) -> None:
    """Germans can ride from 1943 on."""
    position = scene(tank(), foot("u", at="A1", cx=True), year=year)
    model, _ = best(position, near("u"), distance=-1)
    assert bool(model.instance.boarding.riders.get("t")) == rides


def test_nobody_mounts_where_no_year_is_stated() -> None:
    """Whether Riders are allowed is then unknown: the space leaves them out, and says so."""
    position = scene(tank(), foot("u", at="A1", cx=True), foot("v", at="A1"), year=0)
    goal = Goal(aims=(Aim(units=("u",), at=("I5",), must="all"),))
    model, found = best(position, goal, points=-1)
    assert (found.status, model.space.left_out) == ("IMPOSSIBLE", ())
    assert "states no year" in model.space.policy[0]


# -- ways that Riders stay on ----------------------------------------------------------------------

BLOCK = [f"{c}{r}" for c in "ABCDEFG" for r in (1, 2, 3, 4)]
ORCHARD = field({n: {"terrain": "Orchard"} if n in ("B1", "B2", "B3") else {} for n in BLOCK})
AROUND = ["enter t A2", "enter t A3", "enter t A4", "enter t B4"]


def half(**fields: Any) -> Any:
    """Return a half squad riding on the tank."""
    return foot("u", "half-squad", at="A1", aboard="t", riding=True, **fields)


@pytest.mark.parametrize("empty_first", [False, True])
def test_riders_are_driven_around(*, empty_first: bool) -> None:
    """If they would bail out on the cheapest way, a dearer one is found; an empty tank takes the cheapest."""
    goal = Goal(aims=(Aim(units=("t",), at=("E3",), must="all"),))
    if empty_first:  # what is cached for the tank alone is not used for it with Riders
        _, found = best(scene(tank(), board=ORCHARD), goal, points=-1)
        assert not {*AROUND} & {*lines(found.log)}
    position = scene(tank(), half(), board=ORCHARD)
    wanted = Goal(aims=(Aim(units=("u",), at=("E3",), must="all", carried=True),))
    _, found = best(position, wanted, points=-1)
    assert found.status == "OPTIMAL"
    assert [line for line in lines(found.log) if line in AROUND] == AROUND
    verdict = check(position, found.log)
    assert verdict.status == "LEGAL"
    assert not [roll for ruling in verdict.rulings for roll in ruling.obligations]


def test_a_boarder_is_driven_around_too() -> None:
    """A unit that mounts first is not taken through the orchard either."""
    position = scene(tank(), foot("u", at="A1", cx=True), board=ORCHARD)
    wanted = Goal(aims=(Aim(units=("u",), at=("F3",), must="all", carried=True),))
    _, found = best(position, wanted, points=-1)
    assert [line for line in lines(found.log) if line in AROUND] == AROUND


@pytest.mark.parametrize("far", [False, True])
def test_reach_with_riders_aboard(*, far: bool) -> None:
    """Reach that avoids rolls goes around wherever they would bail out, not only at their present place."""
    at = "A1" if far else "B1"
    row = ("C1", "C2", "C3", "C4") if far else ("B1", "C2")
    board = field({n: {"terrain": "Orchard"} if n in row else {} for n in BLOCK})
    for aboard in (True, False):
        units = (msgspec.structs.replace(half(), at=at),) if aboard else ()
        position = scene(tank(at=at), *units, board=board)
        (found,) = reach(position, ["t"], rolls="avoid")
        assert ({*row} - {at} <= {*found.best()}) == (not aboard)


# -- towing ----------------------------------------------------------------------------------------


def towing(*others: Any, **fields: Any) -> Any:
    """Return a SPW 250/1 of 18 MP that tows a Gun, its crew aboard, at A1."""
    by = vehicle("t", "spw-250", "A1", **{"moving": False, "towing": "g", **fields})
    return scene(by, gun(at="A1", towed_by="t"), crew(at="A1", aboard="t"), *others)


def test_a_gun_is_unhooked_where_its_vehicle_ends() -> None:
    """With 12 of 18 MP for unhooking two hexes are left at 2 MP each; the crew unloads."""
    _, found = best(towing(), near("g", "c"), distance=-1)
    assert lines(found.log) == ["start t", "enter t B1", "enter t C2", "stop t", "unhook t c"]
    assert (found.status, found.bound) == ("OPTIMAL", -12)


def test_in_tow_it_gets_farther() -> None:
    """If a Gun in tow meets the goal, it is not unhooked."""
    _, found = best(towing(), near("g", carried=True), distance=-1)
    assert found.bound == 0
    assert not [line for line in lines(found.log) if line.startswith("unhook")]


def test_who_unhooks_and_who_leaves() -> None:
    """One stack unloads or the Gun is unhooked: the half squad stays aboard, or the Gun in tow."""
    position = towing(foot("h", "half-squad", at="A1", aboard="t"))
    goal = Goal(aims=(Aim(units=("g",), at=("B1",), must="all"), *near("h").aims))
    _, found = best(position, goal, distance=-1)
    result = lines(found.log)
    assert result[-1] in ("unhook t c", "unhook t h")
    assert not [line for line in result if line.startswith("unload")]
    free = Goal(aims=near("h").aims)
    last = lines(best(position, free, distance=-100, points=-1)[1].log)[-1]
    assert last == "unload h"


def test_nobody_aboard_to_unhook() -> None:
    """Without a crew a Gun stays in tow."""
    by = vehicle("t", "spw-250", "A1", moving=False, towing="g")
    position = scene(by, gun(at="A1", towed_by="t"))
    goal = Goal(aims=(Aim(units=("g",), at=("A1", "B1"), must="all"),))
    assert best(position, goal, points=-1)[1].status == "IMPOSSIBLE"


def test_why_a_gun_gets_no_farther() -> None:
    """A third hex would take 2 of the 12 MP for unhooking: that is the reason, with the cost of towing."""
    goal = Goal(aims=(Aim(units=("g",), at=("D2",), must="all"),))
    found = why(towing(), goal)
    assert found.status == "IMPOSSIBLE"
    assert [(one.clause, one.units, dict(one.numbers)) for one in found.conflict or ()] == [
        ("C10.1b", ("t",), {"charges t": 3}), ("D2.1b", ("t",), {"need": 12, "have": 10}),
        ("C10.11b", ("t",), {"charges t": 12}),
    ]  # fmt: skip
    assert "6 more MP for t" in {repair.change for repair in found.repairs}


def test_hooking_up_moves_no_gun() -> None:
    """A vehicle that has hooked up is TI: no plan moves a Gun that way, in tow or not."""
    units = (vehicle("t", "spw-250", "A1", moving=False), gun(at="A1"), crew(at="A1"))
    goal = Goal(aims=(Aim(units=("g",), at=("B1",), must="all", carried=True),))
    assert best(scene(*units), goal, points=-1)[1].status == "IMPOSSIBLE"
    from tests.asl.boards import bars, judge

    assert bars(judge(scene(*units), "hook t g c board=true", "start t").rulings[-1]) == {"D2.1c"}
