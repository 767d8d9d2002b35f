"""Plans in which units enter the map: small ones listed in full, and all against brute force."""

from __future__ import annotations

import os
from typing import Any

import msgspec
import pytest

from marchtable.errors import BadInputError
from marchtable.files.notation import format_action
from marchtable.planning.loop import plan
from marchtable.planning.score import Measure
from marchtable.planning.why import why
from marchtable.rules.referee import check
from marchtable.state.goal import Aim, Goal
from marchtable_models.asl.cpsat.transport.model import Transport
from marchtable_models.asl.rulebook import RULEBOOK
from tests.asl import foot_cases, stops_cases
from tests.asl.boards import field, foot, load, place, vehicle
from tests.asl.enter_cases import compared, drawn, walking
from tests.asl.test_plan_transport import LANE, lines, near, track
from tests.asl.transport_cases import best, enumerated
from tests.slowly import slow_after

BY: dict[str, Any] = {"at": None, "entering": ("A1",)}
OPEN = field({f"{chr(65 + n)}{row}": {} for n in range(6) for row in (1, 2, 3)})
MANY = int(os.environ.get("MARCHTABLE_CASES", "100")) // 4


def waiting(name: str = "t", **fields: Any) -> Any:
    """Return a halftrack in Motion that waits to enter at A1, with its back to the edge."""
    return track(name, **{**BY, "moving": True, **fields})


def to(*names: str, at: str, **fields: Any) -> Goal:
    """Return the goal that all these units are in a Location."""
    return Goal(aims=(Aim(units=names, at=(at,), must="all"),), **fields)


def test_threats_where_a_leader_comes_on() -> None:
    """A leader that others can join enters among threats: what no search has reached yet is computed."""
    case = walking(43, narrow=False)
    assert case is not None
    threat = dict.fromkeys(case.position.board.index, 1)
    goal = msgspec.structs.replace(case.goal, threat=threat)
    assert plan(case.position, goal, space="foot").status == "IMPOSSIBLE"


# -- vehicles --------------------------------------------------------------------------------------


def test_a_squad_is_brought_on_and_set_down() -> None:
    """Entering costs the hex's cost, and no Start; then it stops, and a quarter goes for the stack."""
    position = place(LANE, waiting(), foot("u", at=None, aboard="t"))
    _, found = best(position, to("u", at="G4"), points=-1)
    verdict = check(position, found.log)
    assert (found.status, verdict.status) == ("OPTIMAL", "LEGAL")
    assert lines(found.log) == [
        "enter t A1", "enter t B1", "enter t C2", "enter t D2", "enter t E3", "enter t F3",
        "enter t G4", "stop t", "unload u",
    ]  # fmt: skip
    assert verdict.position.unit("t").points.spent == 2 * (7 + 1 + 4)


def test_it_turns_before_it_comes_on() -> None:
    """A halftrack whose VCA does not point over the edge turns off the map, for 1 MP a hexspine."""
    truck = waiting(facing="W", entering=("A2",))
    position = place(OPEN, truck, foot("u", at=None, aboard="t"))
    _, found = best(position, to("t", at="A2"), points=-1)
    verdict = check(position, found.log)
    assert [line.split()[0] for line in lines(found.log)] == ["turn", "turn", "enter", "stop"]
    assert (verdict.status, verdict.position.unit("t").points.spent) == ("LEGAL", 2 * (2 + 1 + 1))


def test_nobody_has_to_come_on() -> None:
    """If it gains nothing all stay off the map, in Motion or not."""
    for moving in (True, False):
        position = place(LANE, waiting(moving=moving), foot("u", at=None, aboard="t"))
        _, found = best(position, near("u"), points=-1)
        assert (found.status, found.log, found.bound) == ("OPTIMAL", (), 0)


def test_reserves_that_nobody_wants_have_no_part() -> None:
    """A loaded halftrack off the map takes no part in the goal of a squad and leader, which walk."""
    reserve = (waiting("r"), foot("p", at=None, aboard="r"))
    squad, ldr = foot("u", at="A1", sw=load(6), cx=True), foot("l", "leader", at="A1", cx=True)
    goal = to("u", at="C2")
    position = place(LANE, squad, ldr, *reserve)
    assert not Transport(RULEBOOK, position, goal).is_fit
    found = plan(position, goal)
    assert (found.status, found.space.name) == ("OPTIMAL", "foot")
    assert Transport(RULEBOOK, position, to("p", at="C2")).is_fit


def test_a_unit_that_has_come_on_before_is_paid_for() -> None:
    """Two halftracks stop in the only hex: the second pays for the first (D2.14)."""
    alone = field({"A1": {}})
    trucks = [waiting(name, road=True) for name in ("s", "t")]
    both = Goal(aims=(Aim(units=("s", "t"), at=("A1",), must="all"),))
    position = place(alone, *trucks)
    _, found = best(position, both, points=-1)
    verdict = check(position, found.log)
    names = dict.fromkeys(format_action(action).split()[1] for action in found.log)  # as they enter
    first, second = (verdict.position.unit(name).points.spent for name in names)
    assert (found.status, verdict.status) == ("OPTIMAL", "LEGAL")
    assert found.bound == -(first + second)
    assert second > first


def test_two_vehicles_come_on_one_after_another() -> None:
    """The first goes on before another enters, which saves the other the cost of it (D2.14)."""
    trucks = [waiting(name) for name in ("s", "t")]
    apart = Goal(aims=(*to("s", at="B1").aims, *to("t", at="A1").aims))
    _, found = best(place(LANE, *trucks), apart, points=-1)
    assert lines(found.log) == ["enter s A1", "enter s B1", "stop s", "enter t A1", "stop t"]
    _, both = best(place(LANE, *trucks), to("s", "t", at="A1"), points=-1)
    assert (both.status, both.bound) == ("OPTIMAL", -10)


def test_a_gun_is_brought_on_in_tow_and_unhooked() -> None:
    """Its crew, aboard, unhooks it where the halftrack stops."""
    gun = foot("g", "piece", at=None, towed_by="t")
    truck = vehicle("t", "bus", **BY, towing="g")
    crew = foot("c", "crew", at=None, aboard="t")
    position = place(LANE, truck, gun, crew, types=stops_cases.TYPES, year=1943)
    _, found = best(position, to("g", at="A1"), points=-1)
    assert lines(found.log) == ["enter t A1", "stop t", "unhook t c"]
    assert check(position, found.log).status == "LEGAL"


def test_threats_count_and_what_is_closed_is_closed_where_they_come_on() -> None:
    """Of two equally expensive ways on, the one not threatened is taken; a Location to avoid never."""
    truck = waiting(entering=("A1", "A2"))
    position = place(OPEN, truck, foot("u", at=None, aboard="t"))
    for first, other in (("A1", "A2"), ("A2", "A1")):
        goal = to("u", at="B2", threat={first: 2})
        model, found = best(position, goal, points=-1, exposure=-1)
        assert f"enter t {other}" in lines(found.log)
        assert Measure(position, model.goal).of(check(position, found.log)).score["exposure"] == 0
        _, found = best(position, to("u", at="B2", avoid=(first,)), points=-1)
        assert f"enter t {other}" in lines(found.log)
    _, found = best(position, to("u", at="B2", avoid=("A1", "A2")), points=-1)
    assert found.status == "IMPOSSIBLE"
    only = Goal(aims=(Aim(units=("t",), at=("A1",), must="all"),), threat={"A1": 2})
    model, found = best(position, only, exposure=-1)
    score = Measure(position, model.goal).of(check(position, found.log)).score
    assert (found.bound, score["exposure"]) == (-4, 4)  # the squad aboard is a mover, too


def test_several_stops_from_off_the_map() -> None:
    """One half squad is unloaded where the halftrack enters, another as far on as it can unload."""
    men = [foot(name, "half-squad", at=None, aboard="t", cx=True, sw=load(4)) for name in "uv"]
    position = place(LANE, waiting(), *men)
    aims = (Aim(units=("u",), at=("A1",), must="all"), Aim(units=("v",), at=("E3",), must="all"))
    _, found = stops_cases.best(position, Goal(aims=aims), points=-1)
    result = lines(found.log)
    assert (found.status, check(position, found.log).status) == ("OPTIMAL", "LEGAL")
    assert result[:4] == ["enter t A1", "stop t", "unload u", "start t"]
    assert result[-3:] == ["enter t E3", "stop t", "unload v"]


# -- on foot ---------------------------------------------------------------------------------------


def test_a_unit_that_comes_on_boards_what_stands_there() -> None:
    """A squad enters at A1, boards the halftrack there, and is carried on; off the map none boards."""
    squad = foot("u", cx=True, **BY)
    position = place(LANE, track(at="A1"), squad)
    goal = Goal(aims=(Aim(units=("u",), at=("G4",), must="all", carried=True),))
    _, found = best(position, goal, points=-1)
    assert lines(found.log)[:2] == ["enter u A1", "load u t"]
    assert check(position, found.log).status == "LEGAL"
    both = place(LANE, waiting(), squad)
    assert best(both, goal, points=-1)[1].status == "IMPOSSIBLE"


def test_a_leader_brings_on_those_who_wait_where_he_does() -> None:
    """The leader takes along a squad slowed by a MMG; not one with another stated hex."""
    goal = Goal(aims=(Aim(units=("u",), at=("C2",), must="all"),))
    for entering, status in ((("A1",), "OPTIMAL"), (("A1", "B1"), "IMPOSSIBLE")):
        ldr = foot("l", "leader", at=None, entering=entering, cx=True)
        position = place(LANE, ldr, foot("u", sw=load(6), cx=True, **BY))
        _, found = foot_cases.best(position, goal, points=-1)
        assert found.status == status
        if found.log:
            assert lines(found.log)[0] == "enter l,u A1"
            assert check(position, found.log).status == "LEGAL"


def test_units_that_are_alike_come_on_each_by_itself() -> None:
    """The plan reports each of two identical squads' entry separately."""
    squads = [foot(name, **BY) for name in "uv"]
    position = place(LANE, *squads)
    _, found = foot_cases.best(position, to("u", "v", at="E3"), points=-1)
    assert (found.status, check(position, found.log).status) == ("OPTIMAL", "LEGAL")
    assert {"enter u A1", "enter v A1"} <= {*lines(found.log)}


def test_squads_that_come_on_where_three_stand_pay_for_them() -> None:
    """The fourth pays 1 MF more (A5.11): a squad with only 1 MF enters first."""
    poor = foot("x", cx=True, sw=load(5), **BY)
    position = place(LANE, *[foot(name, **BY) for name in "uvw"], poor)
    _, found = foot_cases.best(position, to("u", "v", "w", "x", at="A1"), points=-1)
    assert (found.status, found.bound) == ("OPTIMAL", -10)
    assert "enter x A1" in lines(found.log)[:3]
    assert check(position, found.log).status == "LEGAL"


def test_a_leader_brings_no_more_on_than_are_set_up_together() -> None:
    """Only led squads get seven hexes away; three enter with the leader as a stack, four do not (A5.1)."""
    road = field({f"A{row}": {} for row in range(1, 8)})
    four = [foot(name, **BY) for name in "uvwx"]
    position = place(road, *four, foot("l", "leader", **BY))
    _, all_four = foot_cases.best(position, to(*"uvwx", at="A7"), points=-1)
    assert all_four.status == "IMPOSSIBLE"
    _, three = foot_cases.best(position, to(*"uvw", at="A7"), points=-1)
    assert (three.status, check(position, three.log).status) == ("OPTIMAL", "LEGAL")
    allowed = check(position, three.log)
    assert len({unit.at for unit in allowed.position.units if unit.id in "uvwl"}) == 1


# -- why not ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("carried", [True, False])
def test_a_unit_that_is_early_or_late_does_not_come_on(carried: bool) -> None:
    """A unit enters in its stated turn; before and after it A2.5b forbids that."""
    squad = foot("u", at=None, aboard="t") if carried else foot("u", **BY, entry_turn=2)
    units = (waiting(entry_turn=2), squad) if carried else (squad,)
    for turn, status in ((1, "IMPOSSIBLE"), (2, "LEGAL"), (3, "IMPOSSIBLE")):
        found = why(place(LANE, *units, turn=turn), to("u", at="B1"))
        assert found.status == status
        reasons = {reason.clause for reason in found.conflict or ()}
        assert reasons == (set() if turn == 2 else {"A2.5b"})


def test_too_few_points_to_come_on() -> None:
    """A squad slowed by its load lacks the MF for the woods of its entry hex."""
    board = field({"A1": {"terrain": "Woods"}, "B1": {"terrain": "Woods"}})
    position = place(board, foot("u", sw=load(7), cx=True, **BY))
    found = why(position, to("u", at="B1"))
    assert found.status == "IMPOSSIBLE"
    assert "A4.11b" in {reason.clause for reason in found.conflict or ()}
    assert "drop the SW0 of u" in {repair.change for repair in found.repairs}


@pytest.mark.parametrize(("board", "entering", "clause"), [
    (LANE, (), "A2.5"), (field({"A1": {"level": 1}, "B1": {"level": 1}}), ("A1",), "A2.51b"),
])  # fmt: skip
def test_what_nobody_can_judge(board: Any, entering: tuple[str, ...], clause: str) -> None:
    """Without entry Locations, or if these are not at level 0, it is UNSUPPORTED."""
    truck = waiting(entering=entering)
    position = place(board, truck, foot("u", at=None, aboard="t"))
    found = plan(position, to("u", at="B1"))
    assert found.status == "UNSUPPORTED"
    assert clause in found.space.left_out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("terrain", "space"), slow_after(1, [("Orchard", "transport"), ("Woods", "alone")])
)
def test_riders_whose_tank_comes_on_through_trees(terrain: str, space: str) -> None:
    """Whether they would bail out off the map is UNSUPPORTED (D6.21a), with or without a roll."""
    board = field({"A1": {"terrain": terrain}, "B1": {}, "C1": {}})
    tank = vehicle("t", "t-26-m33", moving=True, **{**BY, "facing": "SSE"})
    units = (tank, foot("u", at=None, aboard="t", riding=True))
    position, goal = place(board, *units, year=1943), to("t", at="A1")
    found, result = plan(position, goal), why(position, goal)
    assert (found.status, found.space.name, found.space.left_out) == (
        "UNSUPPORTED", space, ("D6.21a",),
    )  # fmt: skip
    assert (result.status, result.space and result.space.name) == ("UNSUPPORTED", space)
    assert [reason.clause for reason in result.conflict or ()] == ["D6.21a"]
    assert "leave u behind" in {repair.change for repair in result.repairs}
    more = place(board, *units, foot("v", at="C1"), year=1943)
    found = plan(more, goal)
    assert (found.status, found.space.left_out) == ("UNSUPPORTED", ("D6.21a",))
    assert why(more, goal, most=0).status == "UNSUPPORTED"


def test_reserves_without_a_stated_way_on_cast_no_doubt_on_others() -> None:
    """A goal about other units is still IMPOSSIBLE if they cannot meet it."""
    reserve = waiting("r", entering=())
    position = place(LANE, track(), foot("u", at="A1", aboard="t"), reserve)
    model, found = best(position, to("u", at="I5", avoid=("E3",)), points=-1)
    assert (found.status, model.space.left_out) == ("IMPOSSIBLE", ())


def test_places_to_come_on_by_must_be_known() -> None:
    """An entry Location the board lacks is bad input."""
    position = place(LANE, waiting(entering=("Z9",)), foot("u", at=None, aboard="t"))
    with pytest.raises(BadInputError):
        plan(position, to("u", at="B1"))


# -- against brute force ---------------------------------------------------------------------------


@pytest.mark.parametrize("seed", slow_after(2, range(MANY)))
def test_the_optimum_is_that_of_brute_force(seed: int) -> None:
    """With units off the map too, the best plan is the best of all, or there is none."""
    case = drawn(30_000 + seed, most=3, across=3)
    if case is not None:
        assert not compared(case)


@pytest.mark.parametrize("seed", slow_after(2, range(MANY // 4)))
def test_all_solutions_are_all_plans(seed: int) -> None:
    """The solutions of CP-SAT end and spend as all brute-force plans do."""
    case = drawn(40_000 + seed, most=2, across=3)
    if case is not None:
        assert not enumerated(case)


@pytest.mark.parametrize("seed", slow_after(2, range(MANY // 2)))
def test_several_stops_are_those_of_brute_force(seed: int) -> None:
    """The same where units leave vehicles at several stops."""
    case = drawn(50_000 + seed, most=3, across=3, stops=True)
    if case is not None:
        assert not compared(case, stops=True)


@pytest.mark.parametrize("stops", [False, True])
@pytest.mark.parametrize("seed", slow_after(2, range(MANY // 4)))
def test_so_it_is_where_all_come_on_by_one_hex(seed: int, *, stops: bool) -> None:
    """Other units stand there, and entering costs more for it (A5.11, D2.14)."""
    case = drawn(70_000 + seed, most=3, across=3, stops=stops, narrow=True)
    if case is not None:
        assert not compared(case, stops=stops)


@pytest.mark.parametrize("seed", slow_after(2, range(MANY)))
def test_walks_by_one_hex_are_those_of_brute_force(seed: int) -> None:
    """The same on foot where all enter by one hex."""
    case = walking(80_000 + seed, narrow=True)
    if case is not None:
        assert not foot_cases.compared(case)


@pytest.mark.parametrize("seed", slow_after(2, range(MANY)))
def test_walks_are_those_of_brute_force(seed: int) -> None:
    """The same on foot, alone or with a leader."""
    case = walking(60_000 + seed)
    if case is not None:
        assert not foot_cases.compared(case)


def test_a_unit_that_comes_on_keeps_out_of_what_it_avoids() -> None:
    """The same with threats, and with an entry Location to avoid."""
    case = walking(60_006)
    assert case is not None
    assert "B3" in case.goal.avoid
    assert "B3" in case.position.unit("u0").offboard.entering
    assert case.goal.threat
    assert not foot_cases.compared(case)


def test_cases_are_of_all_kinds() -> None:
    """Some enter loaded, some on foot, some with a Gun in tow; some board a vehicle on the map."""
    kinds = set()
    for seed in range(30_000, 30_060):
        case = drawn(seed, most=4, across=3)
        if case is None:
            continue
        units = [unit for unit in case.position.units if unit.at is None]
        kinds |= {
            "aboard" if u.cargo.aboard else "gun" if u.cargo.towed_by else u.id[0] for u in units
        }
    assert kinds >= {"aboard", "gun", "t", "u"}
