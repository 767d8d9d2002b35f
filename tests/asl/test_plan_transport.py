"""Plans in which vehicles carry Infantry: small ones listed in full, and all against brute force."""

from __future__ import annotations

import os
from typing import Any

import msgspec
import pytest

from marchtable.errors import InternalError
from marchtable.files.notation import format_action, parse_action
from marchtable.planning.goals import checked_goal
from marchtable.planning.loop import plan
from marchtable.planning.score import Measure
from marchtable.planning.trials import Judge
from marchtable.planning.why import why
from marchtable.rules.clause import without
from marchtable.rules.plan_model import Task
from marchtable.rules.referee import check
from marchtable.state.goal import Aim, Goal
from marchtable_models.asl.cpsat.reached.ends import Merits
from marchtable_models.asl.hooks.conflict_candidates import BOARDING, CANDIDATES
from tests.asl.boards import ASL, field, foot, load, place, vehicle
from tests.asl.transport_cases import best, compared, drawn, enumerated
from tests.quiet import Quiet
from tests.slowly import slow_after

LANE = field({f"{chr(65 + n)}{1 + n // 2}": {} for n in range(9)})


def track(name: str = "t", at: str = "A1", **fields: Any) -> Any:
    """Return a stopped halftrack."""
    return vehicle(name, "spw-251", at, **{"moving": False, **fields})


def lines(log: Any) -> list[str]:
    """Return a log as it is written."""
    return [format_action(action) for action in log]


def near(*names: str, **fields: Any) -> Goal:
    """Return the goal that all Infantry is near a Location."""
    return Goal(aims=(Aim(units=names, near=("I5",), **fields),))


# -- listed in full ----------------------------------------------------------------------------------


def test_a_squad_is_carried_as_far_as_it_may_leave() -> None:
    """A squad boards for 1 MF, is driven until three quarters are spent, and unloads."""
    position = place(LANE, track(), foot("u", at="A1", cx=True))
    _, found = best(position, near("u"), distance=-1)
    verdict = check(position, found.log)
    assert verdict.status == "LEGAL"
    assert [line for line in lines(found.log) if "load" in line] == ["load u t", "unload u"]
    assert verdict.position.unit("u").at == "G4"
    assert verdict.position.unit("t").points.spent == 32
    assert (found.status, found.bound) == ("OPTIMAL", -2)


def test_which_units_count_for_what_the_vehicle_keeps() -> None:
    """A half squad that first walks a hex costs the halftrack a quarter more than a squad there."""
    units = (foot("u", at="B1", cx=True), foot("v", "half-squad", at="A1", cx=True))
    position = place(LANE, track(at="B1"), *units)
    model, found = best(position, near("u", "v"), distance=-1)
    assert {load.key: len(load.seats) for load in model.instance.loads} == {
        None: 0, (2, 6): 1, (4, 4): 2,
    }  # fmt: skip
    assert {load.key: load.state.points.spent for load in model.instance.loads}[4, 4] == 16
    ends = {unit.id: unit.at for unit in check(position, found.log).position.units}
    assert (ends["u"], ends["v"]) == ("H4", "E3")


def test_what_fits_goes() -> None:
    """A squad and a half squad fit into 15 PP; of two squads the more valuable goes."""
    units = [foot("u", at="A1", cx=True), foot("v", at="A1", cx=True),
             foot("w", "half-squad", at="A1", cx=True)]  # fmt: skip
    position = place(LANE, track(), *units)
    _, found = best(position, near("u", "v", "w", each={"v": 3}), distance=-1)
    loads = {line for line in lines(found.log) if line.startswith("load")}
    assert loads == {"load v t", "load w t"}


def test_passengers_may_stay_aboard_where_that_will_do() -> None:
    """A unit wanted somewhere, carried or not, stays aboard: leaving costs points."""
    position = place(LANE, track(), foot("u", at="A1", aboard="t"))
    aims = (Aim(units=("u",), at=("D2",), carried=True, must=1),)
    _, found = best(position, Goal(aims=aims), points=-1)
    assert lines(found.log) == ["start t", "enter t B1", "enter t C2", "enter t D2", "stop t"]
    on_foot = Goal(aims=(msgspec.structs.replace(aims[0], carried=False),))
    _, found = best(position, on_foot, points=-1)
    assert "unload u" in lines(found.log)
    assert lines(found.log)[-1] == "enter u D2"


def test_avoided_locations_are_not_entered() -> None:
    """With the only way closed nothing gets through; the plan in which no unit moves remains."""
    position = place(LANE, track(), foot("u", at="A1", cx=True))
    goal = msgspec.structs.replace(near("u"), avoid=("B1",))
    _, found = best(position, goal, distance=-1)
    assert found.log == ()
    assert found.bound == -8


def test_company_on_the_road_is_paid_for() -> None:
    """A plan whose halftrack passes another one costs what the referee charges, and says so."""
    position = place(
        LANE,
        track("t"),
        track("s", at="B1"),
        foot("u", at="A1", cx=True),
        foot("v", at="B1", cx=True),
    )
    model, found = best(position, near("u", "v"), distance=-100, points=-1)
    measured = Measure(position, model.goal).of(check(position, found.log))
    assert found.status == "OPTIMAL"
    assert found.bound == -100 * measured.score["distance"] - measured.score["points"]


def test_a_model_that_overcharges_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bug that charges more than the referee ends in an error, never in IMPOSSIBLE."""
    rows = Merits.rows

    def overcharged(
        self: Merits, at: Any, exposure: Any, points: Any, moved: Any, **more: Any
    ) -> Any:
        return rows(self, at, exposure, points + 2 * moved, moved, **more)

    position = place(LANE, track(), foot("u", at="A1", cx=True))
    goal = Goal(aims=(Aim(units=("u",), at=("G4",), must="all"),), order=("points",))
    assert plan(position, goal, space="transport", rolls="avoid").status == "OPTIMAL"
    monkeypatch.setattr(Merits, "rows", overcharged)
    with pytest.raises(InternalError, match="is worth more than its model's bound"):
        plan(position, goal, space="transport", rolls="avoid")


def test_the_verb_plan_asks_this_model() -> None:
    """If a vehicle can carry a unit, plans are those of transport, different ones in turn."""
    position = place(LANE, track(), foot("u", at="A1", cx=True))
    found = plan(position, near("u"), best=3)
    assert found.space.name == "transport"
    assert [one.status for one in found.plans] == ["OPTIMAL"] * 3
    ends = {Measure(position, near("u")).of(one.verdict).projection for one in found.plans}
    assert len(ends) == 3
    assert found.plans[0].score["distance"] <= found.plans[1].score["distance"]


def test_a_must_out_of_reach_is_impossible() -> None:
    """No plan of the space brings a squad eight hexes on: the model proves it."""
    position = place(LANE, track(), foot("u", at="A1"))
    goal = Goal(aims=(Aim(units=("u",), at=("I5",), must="all"),))
    _, found = best(position, goal, points=-1)
    assert found.status == "IMPOSSIBLE"


def test_what_is_not_modelled_where_somebody_gets_off_is_left_out() -> None:
    """A squad could only walk on into a lone hero's graveyard: nothing is proved, for plan or why."""
    hexes: dict[str, Any] = {f"{chr(65 + n)}{1 + n // 2}": {} for n in range(9)}
    hexes["D2"] = {"terrain": "Graveyard"}
    units = (track(), foot("u", at="A1", aboard="t"), foot("e", "hero", at="D2", side="russian"))
    position = place(field(hexes), *units)
    goal = Goal(aims=(Aim(units=("u",), at=("D2",), must="all"),))
    found, result = plan(position, goal), why(position, goal)
    assert (found.status, found.space.left_out) == ("UNSUPPORTED", ("A4.15",))
    assert result.space is not None
    assert (result.status, result.space.left_out) == ("UNSUPPORTED", ("A4.15",))


def test_any_plan_will_do_where_nothing_is_weighed() -> None:
    """Without weights every plan that meets the musts is as good as the best."""
    position = place(LANE, track(), foot("u", at="A1", cx=True))
    goal = Goal(aims=(Aim(units=("u",), at=("G4",), must="all"),))
    model, found = best(position, goal)
    assert (found.status, found.bound) == ("OPTIMAL", 0)
    assert Measure(position, model.goal).of(check(position, found.log)).is_kept


def test_vehicles_of_no_use_make_room_or_stay() -> None:
    """A tank that no unit can board, and no aim concerns, makes room on a lane or takes no part."""
    tank = vehicle("k", "t-26-m33", "C2", moving=False)
    position = place(LANE, track(), tank, foot("u", at="A1", cx=True))
    model, found = best(position, near("u"), distance=-1000, points=-1)
    assert [*model.instance.vehicles] == ["t", "k"]
    assert any("k" in format_action(action).split() for action in found.log or ())
    tank = vehicle("k", "t-26-m33", "H4", moving=False)
    far = place(LANE, track(spent=18, used=18), tank, foot("u", at="A1", cx=True))
    model, found = best(far, near("t"), distance=-1)
    assert [*model.instance.vehicles] == ["t"]
    assert check(position, found.log).status == "LEGAL"


@pytest.mark.parametrize(("there", "is_stated"), [("C2", False), ("F3", True)])
def test_no_double_time_without_need(there: str, is_stated: bool) -> None:
    """A squad that walks two hexes declares nothing; one that walks five declares Double Time."""
    position = place(LANE, track(at="I5"), foot("u", at="A1"))
    goal = Goal(aims=(Aim(units=("u",), at=(there,), must="all"),))
    _, found = best(position, goal, points=-1)
    assert ("double-time u" in lines(found.log)) == is_stated


# -- why not ---------------------------------------------------------------------------------------


def reasons(
    *units: Any, at: tuple[str, ...], names: tuple[str, ...] = ("u",), by: Any = None
) -> Any:
    """Return the clauses, with units and numbers, that keep these units out."""
    position = place(LANE, by or track(), *units)
    goal = Goal(aims=(Aim(units=names, at=at, must="all"),))
    model, found = best(position, goal, points=-1)
    assert found.status == "IMPOSSIBLE"
    result = model.conflict(Quiet())
    assert result is not None
    return [(reason.clause, *reason.units, dict(reason.numbers)) for reason in result]


@pytest.mark.slow
def test_too_far_on_foot_and_aboard() -> None:
    """Too few MF to walk, and too few MP after the squad has boarded and unloaded: all is stated."""
    assert reasons(foot("u", at="A1"), at=("I5",)) == [
        ("A4.11b", "u", {"need": 4, "have": 3}), ("D6.4d", "u", {"charges u": 1}),
        ("D6.4c", "t", {"charges t": 4}), ("D6.5b", "u", {"charges u": 3}),
    ]  # fmt: skip


def test_too_many_for_the_vehicle() -> None:
    """Of two squads that cannot walk so far only one fits: the reason lists all units whose PP count."""
    two = (foot("u", at="A1", cx=True), foot("v", at="A1", cx=True))
    found = reasons(*two, at=("F3", "G4"), names=("u", "v"))
    assert ("D6.1c", "t", "v", "u", {"need": 15, "have": 20}) in found
    assert [entry[:-1] for entry in found] == [
        ("A4.11b", "u", "v"), ("D6.1c", "t", "v", "u"), ("D6.2c", "t", "u", "v"),
    ]  # fmt: skip


def test_with_clauses_off_it_knows_what_the_referee_then_allows() -> None:
    """Without the rule on PP both squads board; without that on MF they walk without limit."""
    two = (foot("u", at="A1", cx=True), foot("v", at="A1", cx=True))
    goal = Goal(aims=(Aim(units=("u", "v"), at=("F3", "G4"), must="all"),))
    with without("D6.1c"):
        _, found = best(place(LANE, track(), *two), goal, points=-1)
        assert check(place(LANE, track(), *two), found.log).status == "LEGAL"
    assert [line for line in lines(found.log) if line.startswith("load")] == [
        "load u t",
        "load v t",
    ]
    with without("A4.11b"):
        _, found = best(place(LANE, track(), *two), goal)
    assert found.status == "OPTIMAL"


@pytest.mark.slow
def test_too_late_to_leave() -> None:
    """A unit already aboard is driven to its goal, but cannot unload there."""
    rider = foot("u", at="A1", aboard="t")
    found = reasons(rider, at=("I5",), by=vehicle("t", "ht-10", "A1", moving=False))
    assert found
    assert {clause for clause, *_ in found} == {"A4.11b", "D6.5b"}


@pytest.mark.slow
def test_each_reason_is_needed() -> None:
    """Without any one of them, the others kept, the must can be met; with all it cannot."""
    position = place(LANE, track(), foot("u", at="A1"))
    goal = Goal(aims=(Aim(units=("u",), at=("I5",), must="all"),))
    model, _ = best(position, goal)
    found = {reason.clause for reason in model.conflict(Quiet()) or ()}
    others = {*CANDIDATES, *BOARDING} - found
    with without(*others):
        assert best(position, goal)[1].status == "IMPOSSIBLE"
    for clause in found:
        with without(*others, clause):
            assert best(position, goal)[1].status == "OPTIMAL"


def test_a_limit_is_no_answer() -> None:
    """Once the limit is used up nothing is called impossible, and no reasons are stated."""

    class Spent(Quiet):
        """A control with nothing left."""

        def left(self) -> float:
            """Return nothing."""
            return 0.0

    position = place(LANE, track(), foot("u", at="A1"))
    goal = Goal(aims=(Aim(units=("u",), at=("I5",), must="all"),))
    model, _ = best(position, goal, points=-1)
    control: Any = Spent()
    assert model.best(Task({"points": -1}, {}, {}), control).status == "UNKNOWN"
    assert model.conflict(control) is None


def helped(*units: Any, at: tuple[str, ...], names: tuple[str, ...], by: Any) -> Any:
    """Return the repairs stated for units that cannot all reach their goals."""
    goal = Goal(aims=(Aim(units=names, at=at, must="all"),))
    found = why(place(LANE, by, *units), goal, space="transport")
    assert found.status == "IMPOSSIBLE"
    return {repair.change: repair for repair in found.repairs}


def test_more_points_for_the_vehicle_would_help() -> None:
    """A unit aboard with a goal one hex too far gets there with one more MP for the halftrack."""
    found = helped(foot("u", at="A1", aboard="t", sw=load(5)), at=("E3",), names=("t",),
                   by=vehicle("t", "ht-5", "A1", moving=False))  # fmt: skip
    assert found["1 more MP for t"].cost == 1
    assert lines(found["1 more MP for t"].log)[-1] == "stop t"


@pytest.mark.parametrize(("sw", "more"), [((), 1), ((6,), 4)])
def test_more_mf_for_a_squad_would_help(sw: tuple[int, ...], more: int) -> None:
    """It walks 4 hexes, 1 with a load of 6 PP: it lacks a MF for each of the other hexes."""
    units = (foot("u", at="D2", cx=True, sw=load(*sw)), foot("v", at="A1"))
    found = helped(*units, at=("I5",), names=("u",), by=track())
    assert found[f"{more} more MF for u"].cost == more
    assert lines(found[f"{more} more MF for u"].log)[-1] == "enter u I5"


def test_less_to_carry_would_help() -> None:
    """A squad slowed by its load gets there without it."""
    found = helped(foot("u", at="A1", cx=True, sw=load(6)), at=("G4",), names=("u",), by=track())
    assert "drop the SW0 of u" in found
    assert next(iter(found)) == "drop the SW0 of u"


def test_a_unit_that_takes_up_room_might_be_left() -> None:
    """If an unwanted squad is aboard, there is no room for the wanted one."""
    units = (foot("u", at="A1", cx=True), foot("v", at="A1", aboard="t"))
    found = helped(*units, at=("F3",), names=("u",), by=track())
    assert "leave v behind" in found


@pytest.mark.slow
def test_company_alone_may_forbid_a_goal() -> None:
    """The cost of a crowd around a halftrack, which must be paid, keeps a squad from it."""
    crowd = [foot(f"v{n}", at="B1", cx=True) for n in range(4)]
    position = place(LANE, track(at="B1"), foot("u", at="A1", cx=True), *crowd)
    goal = Goal(aims=(Aim(units=("u",), at=("F3",), must="all", carried=True),))
    model, found = best(position, goal, points=-1)
    assert found.status == "IMPOSSIBLE"
    result = model.conflict(Quiet())
    assert result
    assert {reason.clause for reason in result} == {"A5.11a", "A4.11b"}
    fewer = place(LANE, track(at="B1"), foot("u", at="A1", cx=True), *crowd[:2])
    assert best(fewer, goal, points=-1)[1].status == "OPTIMAL"


# -- against brute force ---------------------------------------------------------------------------

MANY = int(os.environ.get("MARCHTABLE_CASES", "100"))
LARGE = {"most": 4, "across": 5} if MANY > 100 else {"most": 3, "across": 3}


@pytest.mark.parametrize("seed", slow_after(1, range(MANY)))
def test_the_optimum_is_that_of_brute_force(seed: int) -> None:
    """On small maps the model finds the best of all plans of its space, or none if there is none."""
    case = drawn(10_000 + seed, **LARGE)
    if case is not None:
        assert not compared(case)


@pytest.mark.parametrize("seed", slow_after(2, range(MANY // 4)))
def test_all_solutions_are_all_plans(seed: int) -> None:
    """The replayed solutions of CP-SAT end and spend as all brute-force plans do."""
    case = drawn(20_000 + seed, most=2, across=3)
    if case is not None:
        assert not enumerated(case)


def test_cases_are_of_all_kinds() -> None:
    """Among them are Riders, Guns in tow and goals to leave the map."""
    cases = [case for seed in range(10_000, 10_300) if (case := drawn(seed, **LARGE))]
    units = [unit for case in cases for unit in case.position.units]
    assert any(unit.cargo.riding for unit in units)
    assert any(unit.cargo.towing for unit in units)
    assert any(aim.exit for case in cases for aim in case.goal.aims)
    assert len(cases) > 240


# -- nothing needless --------------------------------------------------------------------------------


@pytest.mark.parametrize("order", [("value",), ("distance",), ("value", "points")])
def test_no_act_is_needless(order: Any) -> None:
    """Without any one act of a plan, or a load and an unload, it is illegal or worse."""
    units = (track(), foot("u", at="A1", cx=True), foot("v", "half-squad", at="B1"))
    position = place(LANE, *units)
    aims = (Aim(units=("u",), at=("C2",)), Aim(units=("v",), near=("D2",)))
    goal = Goal(aims=aims, order=order)
    (found,) = plan(position, goal).plans
    measure = Measure(position, goal)
    for number, action in enumerate(found.log):
        if lines([action])[0].split()[0] in ("double-time", "load", "unload", "start", "turn"):
            verdict = check(position, (*found.log[:number], *found.log[number + 1 :]))
            if verdict.status == "LEGAL":
                fewer = measure.of(verdict).score
                result = [fewer[name] - score for name, score in found.score.items()]
                assert result[0] < 0 or any(more > 0 for more in result[1:]), lines(found.log)


def test_a_lift_for_nothing_is_left_out() -> None:
    """A vehicle that starts and stops in place is listed without either."""
    position = place(LANE, track(), foot("u", at="A1", cx=True))
    goal = checked_goal(Goal(aims=(Aim(units=("u",), at=("B1",)),), order=("value",)), position)
    log = [parse_action(line, ASL) for line in ("enter u B1", "start t", "stop t")]
    judge = Judge(position, goal, "avoid")
    trial = judge.trial(tuple(log))
    assert trial.stands
    assert lines(judge.leaner(trial, alike=False).log) == ["enter u B1"]
    assert judge.leaner(trial).log == trial.log


def test_a_unit_that_may_rest_only_as_others_stand_may_be_left_so() -> None:
    """In Motion before a hex that another vehicle makes too dear: it need not act (D2.4)."""
    board = field({"A1": {}, "A2": {}, "B1": {}, "B2": {}})
    ahead = vehicle("t1", "tr-40", "A2", moving=False)
    rests = vehicle("t0", "ft-4", "B2", facing="W", moving=True, spent=6, used=6)
    start = place(board, rests, ahead, foot("u1", "squad", at="A1"))
    aims = (Aim(units=("t1", "u1"), at=("A2",)), Aim(units=("t0",), at=("B2",)))
    for order in (("points", "value"), ("value", "points")):
        found = plan(start, Goal(aims=aims, order=order), space="transport", rolls="avoid", best=2)
        assert found.status == "OPTIMAL"
        assert [one.score["points"] for one in found.plans] == sorted(
            one.score["points"] for one in found.plans
        )
    assert (found.plans[0].score["value"], found.plans[0].score["points"]) == (3, 2)
