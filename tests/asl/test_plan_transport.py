"""Plans in which vehicles carry Infantry: small ones told in full, and all against brute force."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from marchtable.clause import without
from marchtable.cpsat import Stop
from marchtable.notation import format_action
from marchtable.planning.goal import CRITERIA, Aim, Goal
from marchtable.planning.goals import checked_goal
from marchtable.planning.loop import plan
from marchtable.planning.model import Task
from marchtable.planning.score import Measure
from marchtable.planning.why import why
from marchtable.referee import check
from marchtable_models.asl.cpsat.transport import Transport
from marchtable_models.asl.cpsat.unmet import Unmet
from marchtable_models.asl.rulebook import RULEBOOK
from marchtable_models.asl.unittype import UnitType
from tests.asl.boards import ASL, field, foot, load, place, vehicle
from tests.asl.transport_by_force import ByForce

LANE = field({f"{chr(65 + n)}{1 + n // 2}": {} for n in range(9)})
LORRY = msgspec.convert(
    {"name": "lorry", "class": "vehicle", "column": "tr", "mp": 15, "pp": 11, "truck_type": True},
    UnitType,
)
TRACK = msgspec.convert(
    {"name": "track", "class": "vehicle", "column": "ht", "mp": 6, "pp": 15, "afv": True}, UnitType
)
TERRAIN = ("Woods", "Brush", "Grain", "Open Ground", "Open Ground", "Open Ground")


class Quiet:
    """A control that grants whatever is asked for."""

    seed = 0

    def __init__(self) -> None:
        self.stop = Stop()

    def left(self) -> float:
        """Return plenty."""
        return 60.0

    def spend(self, time: float) -> None:
        """Take no note."""

    def found(self, log: object) -> None:
        """Take no note."""

    def bounded(self, bound: int) -> None:
        """Take no note."""


def track(name: str = "t", at: str = "A1", **fields: Any) -> Any:
    """Return a stopped halftrack."""
    return vehicle(name, "spw-251", at, **{"moving": False, **fields})


def best(position: Any, goal: Goal, **weights: int) -> tuple[Transport, Any]:
    """Return the model of a problem and what it finds best."""
    model = Transport(RULEBOOK, position, checked_goal(goal, position))
    task: Any = Task(weights, {}, {})  # type: ignore[arg-type]
    return model, model.best(task, Quiet())


def lines(log: Any) -> list[str]:
    """Return a log as it is written."""
    return [format_action(action) for action in log]


def near(*names: str, **fields: Any) -> Goal:
    """Return the goal of all Infantry to be near a Location."""
    return Goal(aims=(Aim(units=names, near=("I5",), **fields),))


# -- told in full ----------------------------------------------------------------------------------


def test_a_squad_is_carried_as_far_as_it_may_leave() -> None:
    """A squad boards for 1 MF, is driven until three quarters are spent, and gets off."""
    position = place(LANE, track(), foot("u", at="A1", cx=True))
    _, found = best(position, near("u"), distance=-1)
    verdict = check(position, found.log)
    assert verdict.status == "LEGAL"
    assert [line for line in lines(found.log) if "load" in line] == ["load u t", "unload u"]
    assert verdict.position.unit("u").at == "G4"
    assert verdict.position.unit("t").spent == 32
    assert (found.status, found.bound) == ("OPTIMAL", -2)


def test_who_counts_for_what_the_vehicle_keeps() -> None:
    """A half squad that must first walk a hex costs the halftrack a quarter more than a squad there."""
    units = (foot("u", at="B1", cx=True), foot("v", "half-squad", at="A1", cx=True))
    position = place(LANE, track(at="B1"), *units)
    model, found = best(position, near("u", "v"), distance=-1)
    assert {load.key: len(load.seats) for load in model.gathered.loads} == {
        None: 0, (2, 6): 1, (4, 4): 2,
    }  # fmt: skip
    assert {load.key: load.state.spent for load in model.gathered.loads}[4, 4] == 16
    ends = {unit.id: unit.at for unit in check(position, found.log).position.units}
    assert (ends["u"], ends["v"]) == ("H4", "E3")


def test_what_fits_goes() -> None:
    """A squad and a half squad fit into 15 PP; of two squads the one that is worth more goes."""
    units = [foot("u", at="A1", cx=True), foot("v", at="A1", cx=True),
             foot("w", "half-squad", at="A1", cx=True)]  # fmt: skip
    position = place(LANE, track(), *units)
    _, found = best(position, near("u", "v", "w", each={"v": 3}), distance=-1)
    loads = {line for line in lines(found.log) if line.startswith("load")}
    assert loads == {"load v t", "load w t"}


def test_passengers_may_stay_aboard_where_that_will_do() -> None:
    """Who is wanted somewhere, carried or not, stays aboard: leaving costs points."""
    position = place(LANE, track(), foot("u", at="A1", aboard="t"))
    aims = (Aim(units=("u",), at=("D2",), carried=True, must=1),)
    _, found = best(position, Goal(aims=aims), points=-1)
    assert lines(found.log) == ["start t", "enter t B1", "enter t C2", "enter t D2", "stop t"]
    on_foot = Goal(aims=(msgspec.structs.replace(aims[0], carried=False),))
    _, found = best(position, on_foot, points=-1)
    assert "unload u" in lines(found.log)
    assert lines(found.log)[-1] == "enter u D2"


def test_avoided_locations_are_not_entered() -> None:
    """With the only way closed nothing gets through; the plan in which nobody moves is left."""
    position = place(LANE, track(), foot("u", at="A1", cx=True))
    goal = msgspec.structs.replace(near("u"), avoid=("B1",))
    _, found = best(position, goal, distance=-1)
    assert found.log == ()
    assert found.bound == -8


def test_company_on_the_road_is_paid_for() -> None:
    """A plan whose halftrack has to pass another one costs what the referee charges, and says so."""
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


def test_the_verb_plan_asks_this_model() -> None:
    """Where a vehicle may carry somebody, plans are those of transport, different ones in turn."""
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
    """A squad could only walk on into a lone hero's building: nothing is proved, for plan or why."""
    hexes: dict[str, Any] = {f"{chr(65 + n)}{1 + n // 2}": {} for n in range(9)}
    hexes["D2"] = {"terrain": "Wooden Building"}
    units = (track(), foot("u", at="A1", aboard="t"), foot("e", "hero", at="D2", side="russian"))
    position = place(field(hexes), *units)
    goal = Goal(aims=(Aim(units=("u",), at=("D2",), must="all"),))
    found, told = plan(position, goal), why(position, goal)
    assert (found.status, found.space.left_out) == ("UNSUPPORTED", ("A4.15",))
    assert told.space is not None
    assert (told.status, told.space.left_out) == ("UNSUPPORTED", ("A4.15",))


def test_any_plan_will_do_where_nothing_is_weighed() -> None:
    """With no weights at all every plan that meets the musts is as good as the best."""
    position = place(LANE, track(), foot("u", at="A1", cx=True))
    goal = Goal(aims=(Aim(units=("u",), at=("G4",), must="all"),))
    model, found = best(position, goal)
    assert (found.status, found.bound) == ("OPTIMAL", 0)
    assert Measure(position, model.goal).of(check(position, found.log)).is_kept


def test_vehicles_of_no_use_stay() -> None:
    """A tank that nobody may board, and that no aim is about, is left where it stands."""
    tank = vehicle("k", "t-26-m33", "C2", moving=False)
    position = place(LANE, track(), tank, foot("u", at="A1", cx=True))
    model, found = best(position, near("u"), distance=-1)
    assert [*model.gathered.vehicles] == ["t"]
    assert check(position, found.log).status == "LEGAL"


# -- why not ---------------------------------------------------------------------------------------


def reasons(
    *units: Any, at: tuple[str, ...], names: tuple[str, ...] = ("u",), by: Any = None
) -> Any:
    """Return the clauses, with units and numbers, that forbid these units' being there."""
    position = place(LANE, by or track(), *units)
    goal = Goal(aims=(Aim(units=names, at=at, must="all"),))
    model, found = best(position, goal, points=-1)
    assert found.status == "IMPOSSIBLE"
    told = model.conflict(Quiet())
    assert told is not None
    return [(reason.clause, *reason.units, dict(reason.numbers)) for reason in told]


def test_too_far_on_foot_and_aboard() -> None:
    """Too few MF to walk, and too few MP left once the squad has boarded: both are told."""
    assert reasons(foot("u", at="A1"), at=("I5",)) == [
        ("A4.11b", "u", {"need": 1, "have": 0}), ("D6.4c", "t", {"have": 12}),
    ]  # fmt: skip


def test_too_many_for_the_vehicle() -> None:
    """Of two squads that cannot walk so far only one fits in: capacity is among the reasons."""
    two = (foot("u", at="A1", cx=True), foot("v", at="A1", cx=True))
    found = reasons(*two, at=("F3", "G4"), names=("u", "v"))
    assert ("D6.1c", "t", {"need": 15, "have": 20}) in found
    assert {entry[:2] for entry in found} == {("A4.11b", "u"), ("A4.11b", "v"), ("D6.1c", "t")}


def test_with_clauses_off_it_knows_what_the_referee_then_allows() -> None:
    """Without the rule on PP both squads board; without that on MF they walk as far as they like."""
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


def test_too_late_to_leave() -> None:
    """Who is aboard already is driven where he wants to be, but not so that he may get off."""
    rider = foot("u", at="A1", aboard="t")
    found = reasons(rider, at=("I5",), by=vehicle("t", "ht-10", "A1", moving=False))
    assert found
    assert {clause for clause, *_ in found} <= {"D6.5c", "A4.11b", "D2.1b"}


def test_each_reason_is_needed() -> None:
    """Without any one of them, the others kept, the must can be met; with all it cannot."""
    position = place(LANE, track(), foot("u", at="A1"))
    goal = Goal(aims=(Aim(units=("u",), at=("I5",), must="all"),))
    unmet = Unmet(best(position, goal)[0].gathered)
    told = unmet.reasons(Quiet())
    assert told is not None
    faults = [(reason.clause, reason.units[0]) for reason in told]
    control: Any = Quiet()
    assert unmet._can(faults, control) is False
    for fault in faults:
        assert unmet._can([other for other in faults if other != fault], control) is True


def test_a_limit_is_no_answer() -> None:
    """Once the limit is used up nothing is called impossible, and no reasons are told."""

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


# -- against brute force ---------------------------------------------------------------------------


def drawn(
    seed: int, places: tuple[tuple[int, int], ...], *, cars: tuple[int, ...], men: tuple[int, ...]
) -> tuple[Any, Goal, dict[str, int]] | None:
    """Return a random position, goal and weights; None where it is no position."""
    random = Random(seed)
    across, down = random.choice(places)
    names = [f"{chr(65 + u)}{v + 1}" for u in range(across) for v in range(down)]
    board = field({name: {"terrain": random.choice(TERRAIN)} for name in names})
    units = [
        vehicle(
            f"t{n}", random.choice(("lorry", "track")), random.choice(names),
            moving=random.random() < 0.15, facing=random.choice(("E", "NNE", "W", "SSE")),
        )
        for n in range(random.choice(cars))
    ]  # fmt: skip
    driven = list(units)
    for n in range(random.choice(men)):
        car = random.choice(driven) if random.random() < 0.25 else None
        units.append(foot(
            f"u{n}", random.choice(("squad", "squad", "half-squad", "leader")),
            at=car.at if car else random.choice(names), aboard=car.id if car else None,
            sw=load(*random.choice(((), (), (2,), (5,)))),
        ))  # fmt: skip
    crowd = random.choice(names)
    units += [foot(f"x{n}", at=crowd) for n in range(random.choice((0, 0, 2, 3)))]
    position = place(board, *units, types=(LORRY, TRACK))
    try:
        ASL.check_position(position)
    except ValueError:
        return None
    carried = tuple(unit.id for unit in units if unit.id[0] == "u")
    movers = (*carried, *(car.id for car in driven))
    aims = [Aim(units=carried, near=(random.choice(names),), carried=random.random() < 0.3)]
    if random.random() < 0.5:
        aims.append(Aim(units=movers, at=(random.choice(names), random.choice(names)),
                        must=random.choice((None, None, 1))))  # fmt: skip
    weights = {"value": random.choice((0, 10, 50)), "distance": -random.choice((0, 5, 20)),
               "points": -random.choice((0, 1, 1, 3))}  # fmt: skip
    return position, Goal(aims=tuple(aims), movers=movers), weights


def assert_exact(case: tuple[Any, Goal, dict[str, int]]) -> None:
    """Assert that the model's optimum is that of brute force, and that its log reaches it."""
    position, goal, weights = case
    model, found = best(position, goal, **weights)
    force = ByForce(position, model.goal, list(model.gathered.order), model.space.verbs)
    assert found.bound == force.best(weights)
    if found.log is None:
        assert found.status == "IMPOSSIBLE"
        return
    measured = Measure(position, model.goal).of(check(position, found.log))
    assert measured.is_kept
    assert sum(weights.get(c, 0) * measured.score[c] for c in CRITERIA) == found.bound


@pytest.mark.parametrize("seed", range(8))
def test_the_optimum_is_that_of_brute_force(seed: int) -> None:
    """On tiny maps the model finds the best of all plans of its space, or none where there is none."""
    case = drawn(1000 + seed, ((2, 1), (1, 3), (2, 2)), cars=(1,), men=(1, 2))
    if case is not None:
        assert_exact(case)
