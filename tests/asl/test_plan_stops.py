"""Plans with several stops of vehicles: small ones listed in full, and all against brute force."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from typing import Any

import msgspec
import pytest

from marchtable.budget import Budget, OverLimit, budget_scope, watched
from marchtable.cpsat.harness import Stop
from marchtable.errors import BadInputError
from marchtable.planning.loop import plan
from marchtable.planning.score import Measure
from marchtable.planning.search import Progress
from marchtable.planning.why import why
from marchtable.rules.clause import without
from marchtable.rules.referee import check
from marchtable.state.goal import Aim, Goal
from marchtable_models.asl.unittype import UnitType
from tests.asl.boards import field, foot, judge, place, vehicle
from tests.asl.stops_cases import TYPES, best, compared, drawn
from tests.asl.test_plan_transport import LANE, lines, track
from tests.asl.transport_cases import best as best_of_one_stop
from tests.quiet import Quiet
from tests.slowly import slow_after

BOTH = (foot("u", at="A1", aboard="t"), foot("v", "half-squad", at="A1", aboard="t"))


def must(**at: str) -> Goal:
    """Return the goal that each of these units is in its Location."""
    aims = tuple(Aim(units=(name,), at=(there,), must="all") for name, there in at.items())
    return Goal(aims=aims, order=("points",))


def verbs(log: Any) -> list[str]:
    """Return a log without its entries."""
    return [line for line in lines(log) if not line.startswith("enter")]


# -- listed in full ----------------------------------------------------------------------------------


def test_a_unit_that_leaves_is_where_the_vehicle_stands() -> None:
    """Two identical units leave in different Locations: neither gets the first one's answer."""
    names = [f"{column}{row}" for column in "ABCDEFGH" for row in range(1, 9)]
    men = [foot(f"u{n}", "half-squad", at="A1", aboard="t0") for n in range(2)]
    half = vehicle("t0", "half", "A1", moving=False)
    position = place(field({name: {} for name in names}), half, *men, types=TYPES, year=1943)
    aims = (Aim(units=("u0",), near=("F1",)), Aim(units=("u1",), near=("E2",)))
    found = plan(
        position, Goal(aims=aims, weights={"distance": 100, "points": 1}), space="transport-stops"
    )
    (best,) = found.plans
    assert (found.status, best.score["distance"], best.score["points"]) == ("OPTIMAL", 1, 32)
    assert verbs(best.log) == ["start t0", "stop t0", "unload u0,u1"]


def test_one_is_set_down_at_once_and_one_where_it_goes() -> None:
    """16 MP: a quarter for the first, Start, six hexes, Stop: 12 are spent, the most for the second."""
    position = place(LANE, track(), *BOTH)
    goal = must(u="D2", v="G4")
    assert best_of_one_stop(position, goal, points=-1)[1].status == "IMPOSSIBLE"
    _, found = best(position, goal, points=-1)
    assert (found.status, found.bound) == ("OPTIMAL", -2 * (16 + 4 + 4))
    assert verbs(found.log) == ["unload u", "start t", "stop t", "unload v"]
    assert check(position, found.log).status == "LEGAL"


def test_one_is_set_down_on_the_way() -> None:
    """24 MP: two Starts and Stops, eight hexes and a quarter are 18, just three quarters."""
    position = place(LANE, vehicle("t", "ht-24", "A1", moving=False), *BOTH)
    _, found = best(position, must(u="E3", v="I5"), points=-1)
    assert (found.status, found.bound) == ("OPTIMAL", -2 * (24 + 2 + 4))
    assert verbs(found.log) == ["start t", "stop t", "unload u", "start t", "stop t", "unload v"]
    less = place(LANE, vehicle("t", "ht-23", "A1", moving=False), *BOTH)
    assert best(less, must(u="E3", v="I5"), points=-1)[1].status == "IMPOSSIBLE"


def test_a_vehicle_goes_on_empty() -> None:
    """It unloads a squad and is itself wanted elsewhere, or off the map."""
    position = place(LANE, track(), foot("u", at="A1", aboard="t"))
    _, found = best(position, must(u="C2", t="F3"), points=-1)
    assert verbs(found.log) == ["unload u", "start t", "stop t"]
    leaves = Aim(units=("t",), exit=("I5",), must="all")
    goal = Goal(aims=(*must(u="E3").aims, leaves))
    model, found = best(position, goal, points=-1)
    assert verbs(found.log) == ["start t", "stop t", "unload u", "start t", "exit t"]
    assert Measure(position, model.goal).of(check(position, found.log)).is_kept


def test_a_gun_is_unhooked_and_others_go_on() -> None:
    """A crew unhooks the Gun at its goal; the truck goes on with the others."""
    units = (
        vehicle("t", "bus", "A1", moving=False, towing="g"), foot("g", "piece", at="A1", towed_by="t"),
        foot("c", "half-squad", at="A1", aboard="t"), foot("u", "half-squad", at="A1", aboard="t"),
    )  # fmt: skip
    road = field({f"{chr(65 + n)}{1 + n // 2}": {"terrain": "Open Ground"} for n in range(9)})
    bus = msgspec.structs.replace(TYPES[-3], mp=40)
    position = place(road, *units, types=(*TYPES[:-3], bus))
    goal = Goal(aims=(Aim(units=("g",), at=("B1",), must="all"), *must(u="C2").aims))
    _, found = best(position, goal, points=-1)
    assert found.status == "OPTIMAL"
    assert "unhook t c" in lines(found.log)
    assert check(position, found.log).status == "LEGAL"


def test_some_board_inside_and_some_outside() -> None:
    """A tank takes a squad as Passengers and another as Riders."""
    units = (foot("u", at="A1", cx=True), foot("v", at="A1", cx=True))
    kind = {"class": "vehicle", "name": "big", "column": "ft", "mp": 10, "pp": 10, "afv": True,
            "role": "tank"}  # fmt: skip
    big = (msgspec.convert(kind, UnitType),)
    position = place(LANE, vehicle("t", "big", "A1", moving=False), *units, types=big, year=1943)
    aims = tuple(msgspec.structs.replace(aim, carried=True) for aim in must(u="F3", v="F3").aims)
    assert best_of_one_stop(position, Goal(aims=aims), points=-1)[1].status == "IMPOSSIBLE"
    _, found = best(position, Goal(aims=aims), points=-1)
    assert found.status == "OPTIMAL"
    end = check(position, found.log).position
    assert {end.unit("u").cargo.riding, end.unit("v").cargo.riding} == {True, False}


def test_nobody_is_picked_up_on_the_way() -> None:
    """A vehicle that has spent MP cannot be boarded (D6.4b): no unit waits for one farther on."""
    position = place(LANE, track(), foot("u", at="D2", cx=True))
    log = ("start t", "enter t B1", "enter t C2", "enter t D2", "stop t", "load u t")
    assert [v.clause for v in judge(position, *log).violations] == ["D6.4b"]
    goal = Goal(aims=(Aim(units=("u",), at=("I5",), must="all", carried=True),))
    assert plan(position, goal, space="transport-stops").status == "IMPOSSIBLE"


def test_a_closed_location_is_not_entered() -> None:
    """With the only way closed no unit gets past."""
    position = place(LANE, track(), *BOTH)
    goal = msgspec.structs.replace(must(u="D2", v="G4"), avoid=("E3",))
    assert best(position, goal, points=-1)[1].status == "IMPOSSIBLE"


# -- from the planner ------------------------------------------------------------------------------


def test_it_is_asked_where_one_stop_does_not_do() -> None:
    """If transport has no plan, the plan listed is of this space, and says so."""
    position = place(LANE, track(), *BOTH)
    found = plan(position, must(u="D2", v="G4"))
    assert (found.status, found.space.name) == ("OPTIMAL", "transport-stops")
    assert plan(position, must(u="C2")).space.name == "transport"
    assert why(position, must(u="D2", v="G4"), most=0).status == "LEGAL"


def test_different_plans_are_printed_in_turn() -> None:
    """Each is the best of those that end, or have spent, something else."""
    position = place(LANE, track(), *BOTH)
    goal = Goal(aims=(Aim(units=("u",), near=("D2",)), Aim(units=("v",), near=("G4",))))
    found = plan(position, goal, best=3, space="transport-stops")
    assert [one.status for one in found.plans] == ["OPTIMAL"] * 3
    assert len({Measure(position, goal).of(one.verdict).projection for one in found.plans}) == 3
    worths = [one.score["distance"] for one in found.plans]
    assert worths == sorted(worths)
    assert worths[0] == 0


def test_a_limit_is_no_answer() -> None:
    """Nothing is called impossible, or best, without a complete search; bounds hold."""
    position = place(LANE, track(), *BOTH)
    goal = Goal(aims=(Aim(units=("u",), near=("D2",)), Aim(units=("v",), near=("G4",))))
    seen = set()
    for limit in (0.0005, 0.002, 0.01, 0.02, 0.05, 0.1, 30.0):
        with budget_scope(Budget(limit, Stop())):
            model, found = best(position, goal, distance=-100, points=-1)
        seen.add(found.status)
        assert found.status != "IMPOSSIBLE"
        assert found.bound is None or found.bound >= -48
    assert {"UNKNOWN", "FEASIBLE", "OPTIMAL"} >= seen >= {"UNKNOWN", "OPTIMAL"}
    assert (found.status, found.bound, model.name) == ("OPTIMAL", -48, "transport-stops")


@pytest.mark.parametrize("limit", [0.0, 1e-3, 1e-2, 0.03])
def test_what_can_be_met_is_never_called_impossible(limit: float) -> None:
    """However soon it is stopped; and with no time nothing is proved."""
    position, goal = place(LANE, track(), *BOTH), must(u="D2", v="G4")
    found = plan(position, goal, space="transport-stops", limit=limit)
    assert found.status in ("OPTIMAL", "FEASIBLE", "UNKNOWN")
    beyond = plan(position, must(u="D2", v="I5"), space="transport-stops", limit=limit)
    assert beyond.status == "UNKNOWN" if not limit else beyond.status in ("UNKNOWN", "IMPOSSIBLE")


@pytest.mark.parametrize("after", [1, 2, 3])
def test_ctrl_c_returns_a_legal_plan(after: int) -> None:
    """Ctrl-C at any progress of a search ends it with the best plan so far."""
    position = place(LANE, track(), *BOTH)
    goal = Goal(aims=(Aim(units=("u",), near=("D2",)), Aim(units=("v",), near=("G4",))))
    seen = 0

    def pressed(news: Any) -> None:
        nonlocal seen
        seen += isinstance(news, Progress)
        if isinstance(news, Progress) and seen == after:
            signal.raise_signal(signal.SIGINT)

    with watched(pressed):
        found = plan(position, goal, space="transport-stops")
    assert check(position, found.plans[0].log).status == "LEGAL"
    assert found.status in ("OPTIMAL", "FEASIBLE")


@pytest.mark.slow
def test_reasons_are_those_of_whole_plans() -> None:
    """Without any one of the clauses stated the goal can be met, with all of them it cannot."""
    position, goal = place(LANE, track(), *BOTH), must(u="D2", v="H4")
    model, found = best(position, goal)
    assert found.status == "IMPOSSIBLE"
    result = model.conflict(Quiet())
    assert result
    for reason in result:
        with without(reason.clause):
            assert best(position, goal)[1].status == "OPTIMAL"


# -- against others --------------------------------------------------------------------------------

MANY = int(os.environ.get("MARCHTABLE_STOPS", "0"))
QUICK = (2, 6, 12, 17, 20, 21, 22, 23, 26, 27, 28, 29, 31, 33, 34, 36, 37, 39, 42, 53)
"""The smallest cases that brute force solves quickly."""


@pytest.mark.parametrize("seed", range(MANY) if MANY else slow_after(2, QUICK))
def test_the_optimum_is_that_of_brute_force(seed: int) -> None:
    """On small maps it finds the best of all plans of its space, or none if there is none."""
    case = drawn(10_000 + seed, **({"most": 4, "across": 3} if MANY else {"most": 2, "across": 2}))
    if case is not None:
        assert not compared(case)


@pytest.mark.parametrize("seed", slow_after(2, range(0, 60, 3)))
def test_more_stops_are_never_worse(seed: int) -> None:
    """Any result with one stop can be reached with several."""
    case = drawn(20_000 + seed)
    if case is not None:
        position, goal, weights, _ = case
        one, more = (
            best_of_one_stop(position, goal, **weights)[1],
            best(position, goal, **weights)[1],
        )
        assert one.bound is None or more.bound >= one.bound


@pytest.mark.parametrize("seed", [770007, 770008, 770016])
def test_a_bound_at_a_limit_holds(seed: int) -> None:
    """Wherever the search stops, no plan exceeds the stated bound."""
    case = drawn(seed, most=3 + seed % 2)
    assert case is not None
    whole = Budget(1e9, Stop())
    with budget_scope(whole):
        _, found = best(case.position, case.goal, **case.weights)
    assert found.bound is not None
    for part in range(1, 20):
        with suppress(OverLimit), budget_scope(Budget(whole.used * part / 20, Stop())):
            _, broken_off = best(case.position, case.goal, **case.weights)
            assert broken_off.bound is None or broken_off.bound >= found.bound


def test_a_vehicle_in_motion_comes_to_rest() -> None:
    """A truck in Motion whose MPh cannot end so stops; no plan leaves it as it is."""
    position = place(LANE, vehicle("t", "ht-10", "A1"), foot("u", at="A1", aboard="t"))
    _, found = best(
        position, Goal(aims=(Aim(units=("u",), near=("A1",), carried=True),)), points=-1
    )
    assert (found.status, lines(found.log)) == ("OPTIMAL", ["stop t"])


def test_the_space_says_what_the_year_decides_and_who_rests() -> None:
    """If no year is stated no unit rides; no vehicle stays in Motion unless it can."""
    for year, is_stated in ((0, True), (1943, False)):
        position = place(LANE, track(), *BOTH, year=year)
        policy = " ".join(best(position, must(u="D2"), points=-1)[0].space.policy)
        assert ("the scene states no year" in policy) == is_stated
        assert "stays in Motion" in policy


@pytest.mark.parametrize(("units", "phase", "stated"), [
    ((foot("u", at="D2"), vehicle("t", "opel-blitz", "A1")), "MPh", "no unit is aboard a vehicle"),
    ((foot("u", at="D2"),), "MPh", "no unit is aboard a vehicle"),
    ((foot("u", at="D2", aboard="t"), vehicle("t", "opel-blitz", "D2")), "APh", "it is the APh"),
    ((*[foot(f"u{n}", "half-squad", at="D2") for n in range(7)], track(at="D2")), "MPh",
     "7 units are aboard"),
    (tuple(unit for n in range(4) for unit in (
        foot(f"u{n}", at="D2", aboard=f"t{n}"), track(f"t{n}", at="D2"))), "MPh",
     "4 vehicles may be used"),
])  # fmt: skip
def test_a_rejection_tells_of_what_there_is_none_or_too_much(
    units: Any, phase: str, stated: str
) -> None:
    """If a space is named but no unit is carried, or too many are, the error says so."""
    goal = Goal(aims=(Aim(units=(units[0].id,), at=("E3",), must="all"),))
    with pytest.raises(BadInputError, match=f"one to three vehicles, .*; here {stated}"):
        plan(place(LANE, *units, phase=phase), goal, space="transport-stops")
