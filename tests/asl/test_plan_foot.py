"""Plans in which Infantry walks, alone or led: small ones listed in full, and all against brute force."""

from __future__ import annotations

import os
from typing import Any

import msgspec
import pytest

from marchtable.budget import Budget, OverLimit, budget_scope
from marchtable.cpsat.harness import Stop
from marchtable.files.notation import format_action, parse_action
from marchtable.planning.goals import checked_goal
from marchtable.planning.loop import plan
from marchtable.planning.why import why
from marchtable.rules.plan_model import Task
from marchtable.rules.referee import check
from marchtable.state.goal import Aim, Goal
from marchtable_models.asl.cpsat.foot import listing as led
from marchtable_models.asl.cpsat.foot.model import Foot
from marchtable_models.asl.cpsat.foot.options import steps as menu_steps
from marchtable_models.asl.cpsat.ruled import tried
from marchtable_models.asl.cpsat.transport.model import Transport
from marchtable_models.asl.rulebook import RULEBOOK
from tests.asl.boards import ASL, field, foot, load, place, vehicle
from tests.asl.foot_cases import best, compared, drawn
from tests.asl.test_plan_transport import LANE
from tests.asl.walking import LINE, WAY, walker
from tests.quiet import Quiet
from tests.slowly import slow_after

PAIR = field({name: {} for name in ("A1", "B1", "C1")})


def lines(log: Any) -> list[str]:
    """Return a log as written."""
    return [format_action(action) for action in log]


def there(*names: str, at: str, **fields: Any) -> Goal:
    """Return the goal that all units must be in a Location."""
    return Goal(aims=(Aim(units=names, at=(at,), must="all"),), **fields)


def near(*names: str, to: str, **fields: Any) -> Goal:
    """Return the goal of units to be near a Location."""
    return Goal(aims=(Aim(units=names, near=(to,)),), **fields)


# -- leaders ---------------------------------------------------------------------------------------


def test_a_leader_takes_a_squad_where_it_cannot_get_alone() -> None:
    """A CX squad reaches six hexes only with a leader, who comes first in the listed stack."""
    position = place(LINE, walker("a", cx=True), walker("l", "leader", cx=True))
    _, found = best(position, there("a", "l", at=WAY[5]), points=-1)
    assert found.status == "OPTIMAL"
    assert lines(found.log) == [f"enter l,a {name}" for name in WAY[:6]]
    alone = place(LINE, walker("a", cx=True), walker("l", "hero", cx=True))
    assert best(alone, there("a", at=WAY[5]), points=-1)[1].status == "IMPOSSIBLE"


def test_a_leader_who_begins_elsewhere_leads_nobody() -> None:
    """Only units that begin in a leader's Location can join, and only of the same nationality."""
    for other in (foot("l", "leader", at="B1", cx=True),
                  walker("l", "leader", cx=True, nationality="italian")):  # fmt: skip
        position = place(LINE, walker("a", cx=True), other)
        assert best(position, there("a", at=WAY[5]), points=-1)[1].status == "IMPOSSIBLE"


def test_a_stack_is_as_slow_as_its_slowest() -> None:
    """A squad with 4 PP keeps up for four hexes, one without goes six; a leader leads one stack only."""
    units = (walker("a", cx=True, sw=load(5)), walker("b", cx=True), walker("l", "leader", cx=True))
    _, found = best(place(LINE, *units), near("a", "b", "l", to=WAY[-1]), distance=-10)
    ends = {unit.id: str(unit.at) for unit in check(place(LINE, *units), found.log).position.units}
    assert ends == {"a": WAY[1], "b": WAY[5], "l": WAY[5]}
    slow = there("a", "b", "l", at=WAY[3])
    result = lines(best(place(LINE, *units), slow, points=-1)[1].log)
    assert {f"enter l,a {name}" for name in WAY[:4]} < {*result}


def test_all_of_a_stack_declare_double_time() -> None:
    """By Double Time of all they reach eight hexes; no unit does with one that is CX."""
    position = place(LINE, walker("a"), walker("b"), walker("l", "leader"))
    goal = there("a", "b", "l", at=WAY[7])
    found = plan(position, goal)
    assert found.status == "OPTIMAL"
    assert {*lines(found.plans[0].log)[:3]} == {f"double-time {name}" for name in "abl"}
    tired = place(LINE, walker("a"), walker("b", was_cx=True), walker("l", "leader"))
    assert plan(tired, goal).status == "IMPOSSIBLE"


def test_double_time_is_not_declared_where_nobody_needs_it() -> None:
    """A leader that goes so far declares it only for a squad that could not go along otherwise."""
    position = place(LINE, walker("a", sw=load(5)), walker("l", "leader"))
    for far, result in ((3, False), (4, True)):
        found = plan(position, there("a", "l", at=WAY[far]))
        assert ("double-time a" in lines(found.plans[0].log)) == result
        assert "double-time l" not in lines(found.plans[0].log)


# -- company ---------------------------------------------------------------------------------------


def test_a_unit_that_has_least_to_spare_comes_first() -> None:
    """Of four squads for one hex the fourth pays for company: one that has the MF, even if listed first."""
    units = [foot("a", at="A1", cx=True), *(foot(n, at="A1", cx=True, sw=load(6)) for n in "bcd")]
    _, found = best(place(PAIR, *units), there(*"abcd", at="B1"), points=-1)
    assert (found.status, found.bound) == ("OPTIMAL", -10)
    assert lines(found.log)[-1] == "enter a B1"


@pytest.mark.parametrize("name", ["_", "u"])
@pytest.mark.parametrize("where", [0, 3])
def test_a_unit_that_is_in_the_way_at_home_goes_first(where: int, name: str) -> None:
    """Three squads fill a hex on a squad's only way: one leaves it, whatever the order of names."""
    units = [foot(n, at="B1", cx=True) for n in "abc"]
    units.insert(where, foot(name, at="A1"))
    goal = Goal(aims=(Aim(units=(name,), at=("E3",)),), order=("value",))
    found = plan(place(LANE, *units), goal, space="foot")
    assert (found.status, found.plans[0].score["value"]) == ("OPTIMAL", 1)


def test_a_unit_that_is_in_the_way_goes_ahead_with_more_to_spare() -> None:
    """A squad that needs all its MF passes a full hex: one of the units there leaves it before."""
    units = [foot("a", at="A1", cx=True), *(foot(n, at="C2", cx=True) for n in "bcd")]
    board = field({name: {} for name in ("A1", "B1", "C2", "D2", "E3", "C3")})
    found = plan(place(board, *units), there("a", at="E3"), space="foot")
    assert (found.status, found.plans[0].score["moved"]) == ("OPTIMAL", 2)
    assert {line.split()[1] for line in lines(found.plans[0].log)[1:]} == {"a"}
    shut = there("a", at="E3", movers=("a",))
    assert plan(place(board, *units), shut, space="foot").status == "IMPOSSIBLE"


@pytest.mark.parametrize("count", [4, 5])
def test_double_time_is_declared_as_early_as_company_needs(count: int) -> None:
    """Five hexes need +1 MF, the fourth squad there +2, declared before it moves; a fifth has no way."""
    units = [foot(f"q{n}", at="A1") for n in range(count)]
    far = Goal(aims=(Aim(units=tuple(u.id for u in units), at=(WAY[4],)),))
    found = plan(place(LINE, *units), far, space="foot")
    assert (found.status, found.plans[0].score["value"]) == ("OPTIMAL", 4)
    verbs: dict[str, list[str]] = {}
    for line in lines(found.plans[0].log):
        verbs.setdefault(line.split()[1], []).append(line.split()[0])
    assert any(found[0] == "double-time" for found in verbs.values())
    every = msgspec.structs.replace(far, aims=there(*(u.id for u in units), at=WAY[4]).aims)
    must = plan(place(LINE, *units), every, space="foot")
    assert must.status == ("OPTIMAL" if count == 4 else "IMPOSSIBLE")


def test_orders_alone_are_no_other_plans() -> None:
    """The best plans differ in where units end: another possible order is not listed again."""
    units = [foot("a", at="A1"), *(foot(n, at="B1") for n in "bcd")]
    position = place(PAIR, *units)
    found = plan(position, there("a", at="C1", movers=("a", "b")), best=9, space="foot")
    assert found.complete
    spent = [
        tuple((u.at, u.points.spent) for u in one.verdict.position.units) for one in found.plans
    ]
    assert len({*spent}) == len(spent) > 1


def test_overstacking_bars_units_that_cannot_pay_for_it() -> None:
    """Four squads with 1 MF each do not all get into a hex; three do."""
    units = [foot(n, at="A1", cx=True, sw=load(6)) for n in "abcd"]
    assert best(place(PAIR, *units), there(*"abcd", at="B1"))[1].status == "IMPOSSIBLE"
    assert best(place(PAIR, *units), there(*"abc", at="B1"))[1].status == "OPTIMAL"
    goal = Goal(aims=(Aim(units=(*"abcd",), at=("B1",)),))
    assert best(place(PAIR, *units), goal, value=1)[1].bound == 3


def test_company_on_the_way_costs_too() -> None:
    """A hex where three squads stay costs 1 MF more; if they go on first, it does not."""
    units = [foot("a", at="A1", cx=True), *(foot(n, at="B1", cx=True) for n in "bcd")]
    _, found = best(place(PAIR, *units), there("a", at="C1"), points=-1)
    assert found.bound == -6
    assert best(place(PAIR, *units), there("a", at="C1", movers=("a",)), points=-1)[1].bound == -6


def test_a_stack_pays_for_all_of_it() -> None:
    """If the fourth squad cannot pay for company alone, a leader takes it along, and pays as well."""
    others = [foot(f"x{n}", at="B1", side="german", cx=True) for n in range(2)]
    units = [*(foot(n, at="A1", cx=True, sw=load(6)) for n in "ab"), foot("l", "leader", at="A1")]
    goal = there("a", "b", at="B1", movers=("a", "b", "l"))
    _, found = best(place(PAIR, *units, *others), goal, points=-1)
    assert (found.bound, lines(found.log)[-1][:7]) == (-10, "enter l")
    assert (
        best(place(PAIR, *units[:2], *others), there("a", "b", at="B1", movers=("a", "b")))[1].log
        is None
    )


# -- off the map ------------------------------------------------------------------------------------


def off(*names: str, by: str) -> Aim:
    """Return the aim that all units must leave the map by a Location."""
    return Aim(units=names, exit=(by,), must="all")


def test_a_leader_takes_a_squad_off_the_map() -> None:
    """A CX squad reaches five hexes and the exit only with a leader; they leave as one."""
    units = (walker("a", cx=True), walker("l", "leader", cx=True))
    found = plan(place(LINE, *units), Goal(aims=(off("a", "l", by=WAY[4]),)))
    assert (found.space.name, found.status) == ("foot", "OPTIMAL")
    assert lines(found.plans[0].log) == [*(f"enter l,a {name}" for name in WAY[:5]), "exit l,a"]
    alone = Goal(aims=(off("a", by=WAY[4]),), movers=("a",))
    assert best(place(LINE, *units), alone, points=-1)[1].status == "IMPOSSIBLE"
    farther = Goal(aims=(off("a", "l", by=WAY[5]),))
    assert best(place(LINE, *units), farther, points=-1)[1].status == "IMPOSSIBLE"


def test_a_leader_may_lead_units_off_the_map_from_the_edge() -> None:
    """From where they stand leader and squad exit for 1 MF each, only by a Location of the aim."""
    position = place(PAIR, foot("a", at="A1"), foot("l", "leader", at="A1"))
    _, found = best(position, Goal(aims=(off("a", "l", by="A1"),)), points=-1)
    assert (found.status, found.bound) == ("OPTIMAL", -4)
    assert {line.split()[0] for line in lines(found.log)} == {"exit"}


def test_a_unit_that_leaves_is_out_of_the_way() -> None:
    """Three squads leave a hex before a fourth enters, which then pays for no company."""
    units = [foot("a", at="A1", cx=True, sw=load(6)), *(foot(n, at="B1", cx=True) for n in "bcd")]
    aims = (off("b", "c", "d", by="B1"), Aim(units=("a",), at=("B1",), must="all"))
    _, found = best(place(PAIR, *units), Goal(aims=aims), points=-1)
    assert (found.status, found.bound) == ("OPTIMAL", -8)
    assert lines(found.log)[-1] == "enter a B1"


# -- goals -----------------------------------------------------------------------------------------


def test_what_is_to_be_avoided() -> None:
    """No unit enters a Location to avoid, but it can leave one; a Known enemy blocks the way too."""
    position = place(PAIR, foot("a", at="A1"))
    assert best(position, there("a", at="C1"))[1].status == "OPTIMAL"
    assert best(position, there("a", at="C1", avoid=("A1",)))[1].status == "OPTIMAL"
    assert best(position, there("a", at="C1", avoid=("B1",)))[1].status == "IMPOSSIBLE"
    enemy = place(PAIR, foot("a", at="A1"), foot("e", at="B1", side="russian"))
    assert best(enemy, there("a", at="C1"))[1].status == "IMPOSSIBLE"


def test_each_unit_that_comes_in_meets_the_exposure() -> None:
    """Each unit of a stack meets the threat of a Location."""
    position = place(PAIR, foot("a", at="A1"), foot("l", "leader", at="A1"))
    goal = there("a", "l", at="C1", threat={"B1": 2, "C1": 1})
    found = plan(position, goal)
    assert (found.status, found.plans[0].score["exposure"]) == ("OPTIMAL", 6)


@pytest.mark.parametrize("middle", ["A2", "B1"])
def test_of_equal_ways_the_least_exposed_is_gone(middle: str) -> None:
    """Of two equally expensive ways a unit, or a stack, takes the one without a threat."""
    board = field({f"{column}{row}": {} for column in "ABC" for row in (1, 2, 3)})
    for units in ((foot("a", at="A1"),), (foot("a", at="A1"), foot("l", "leader", at="A1"))):
        names = [unit.id for unit in units]
        goal = there(*names, at="B2", threat={middle: 5}, order=("exposure", "points"))
        found = plan(place(board, *units), goal)
        score = found.plans[0].score
        assert (found.status, score["exposure"]) == ("OPTIMAL", 0)
        assert score["points"] == 4 * len(units)


def test_those_who_do_not_move_count_as_well() -> None:
    """A squad already at its goal counts for a must; one whose MPh is over can be in the goal."""
    position = place(PAIR, foot("a", at="A1"), foot("b", at="C1", mph="done"))
    goal = there("a", "b", at="C1")
    found = plan(position, goal)
    assert (found.status, found.space.name, found.plans[0].score["value"]) == ("OPTIMAL", "foot", 2)
    assert found.space.movers == ("a",)


def test_plans_that_differ_and_fronts() -> None:
    """The best plans differ in where units end or what they spend, and a front is proved."""
    position = place(PAIR, foot("a", at="A1", cx=True), foot("b", at="A1", cx=True))
    goal = near("a", "b", to="C1", order=("distance", "points"))
    found = plan(position, goal, best=20)
    ends = {tuple(unit.at for unit in one.verdict.position.units) for one in found.plans}
    assert (len(found.plans), len(ends), found.complete) == (9, 9, True)
    front = plan(position, goal, pareto=("distance", "points"))
    assert [one.score["distance"] for one in front.plans] == [0, 1, 2, 3, 4]
    assert front.complete


# -- which model -----------------------------------------------------------------------------------


def test_a_log_of_others_stands_for_no_plan() -> None:
    """A log not proposed by a model need not be differed from; on foot any order will do."""
    units = [*(foot(n, at="A1", cx=True) for n in "abc"), foot("x", at="B1", cx=True)]
    position = place(PAIR, *units)
    aims = (Aim(units=(*"abc",), at=("B1",), must="all"), Aim(units=("x",), at=("C1",), must="all"))
    goal = checked_goal(Goal(aims=aims), position)
    log = tuple(parse_action(line, ASL) for line in
                ("enter x C1", "enter a B1", "enter b B1", "enter c B1"))  # fmt: skip
    task: Any = Task({"points": -1}, {}, {})
    for model, bound in (
        (Foot(RULEBOOK, position, goal), -8), (Transport(RULEBOOK, position, goal), -10),
    ):  # fmt: skip
        model.differ(log)
        found = model.best(task, Quiet())
        assert (found.status, found.bound) == ("OPTIMAL", bound)


def test_all_first_steps_of_a_leader_are_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    """A unit that can follow a leader only by the last of many first steps does."""
    middle = field({f"{column}{row}": {} for column in "ABC" for row in (1, 2, 3)})
    position = place(middle, foot("a", at="B2", cx=True), foot("l", "leader", at="B2"))
    model, _ = best(position, there("a", at="A1"))
    options, unit, asked = model.options_of["l"], position.unit("a"), []

    def rejected(*fields: Any) -> Any:
        asked.append(fields)
        (ruling,) = tried(*fields)
        return [msgspec.structs.replace(ruling, obligations=(None,))]

    monkeypatch.setattr(led, "tried", rejected)
    assert not led.EscortedPaths(model.company).follows(options, unit)
    firsts = {action for row in range(1, len(options)) for action in menu_steps(options, row)[:1]}
    assert len(asked) == len(firsts) > 6


def test_which_goals_it_plans_for() -> None:
    """It plans for units on foot; goals about vehicles, or in the APh, belong to other models."""
    car = vehicle("t", "opel-blitz", "C1", moving=False)
    units = (foot("a", at="A1", cx=True, sw=load(6)), car)
    assert plan(place(PAIR, *units), there("a", at="B1")).space.name == "foot"
    assert plan(place(PAIR, *units), there("t", at="B1")).space.name != "foot"
    assert plan(place(PAIR, units[0]), there("a", at="B1"), space="alone").space.name == "alone"
    assert plan(place(PAIR, units[0], phase="APh"), there("a", at="B1")).space.name == "alone"


@pytest.mark.parametrize("threat", [{}, {"C1": 1}])
def test_a_minimum_move_spends_what_its_hex_takes(threat: Any) -> None:
    """It is more than the unit has, and counts fully where ways are weighed by exposure, too (A4.134)."""
    woods = field({"A1": {"terrain": "Woods"}, "B1": {}, "C1": {"terrain": "Woods"}})
    goal = Goal(aims=(Aim(units=("a",), at=("A1", "C1"), must="all"),), threat=threat)
    found = plan(place(woods, foot("a", at="B1", sw=load(6))), goal, space="alone", best=2)
    result = [(*lines(each.log), each.status, each.score["points"]) for each in found.plans]
    assert sorted(result) == [(f"minimum a {to}", "OPTIMAL", 4) for to in ("A1", "C1")]


# -- why not, and limits ---------------------------------------------------------------------------


def test_why_squads_do_not_all_get_there() -> None:
    """Overstacking and the MF together keep the fourth squad out; without either it gets in."""
    units = [foot(n, at="A1", cx=True, sw=load(6)) for n in "abcd"]
    found = why(place(PAIR, *units), there(*"abcd", at="B1"), space="foot")
    assert found.status == "IMPOSSIBLE"
    assert found.conflict is not None
    assert "A4.11b" in {reason.clause for reason in found.conflict}


def test_where_rolls_must_be_taken() -> None:
    """At night a mover may stray: plans accept that unless rolls are avoided; it is reported as a repair."""
    position, goal = place(LINE, walker("a", cx=True), nvr=2), there("a", at=WAY[1])
    found = plan(position, goal)
    assert (found.status, found.space.name) == ("OPTIMAL", "alone")
    assert "settle stray:a keeps" in lines(found.plans[0].log)
    assert why(position, goal).status == "LEGAL"
    avoided = plan(position, goal, rolls="avoid")
    assert (avoided.status, avoided.space.name) == ("IMPOSSIBLE", "foot")
    for asked in ({"space": "foot"}, {"rolls": "avoid"}):
        result = why(position, goal, **asked)  # type: ignore[arg-type]
        assert result.status == "IMPOSSIBLE"
        assert "take the rolls on the way" in [repair.change for repair in result.repairs]


def test_a_unit_that_is_in_the_way_goes_on_first_whatever_its_name() -> None:
    """Of equal units the one named later can go first, before earlier ones arrive where it passes."""
    units = [foot("z", at="A1", cx=True), *(foot(n, at="C6", cx=True) for n in "bcd")]
    names = ("A1", "B1", "C2", "D2", "E3", "C3", "C4", "C5", "C6")
    board = field({name: {} for name in names})
    through, into = (there(*who, at=at).aims for who, at in (("z", "E3"), ("bcd", "C2")))
    goal = Goal(aims=(*through, *into))
    found = plan(place(board, *units), goal)
    assert (found.status, found.space.name) == ("OPTIMAL", "foot")
    nowhere = plan(place(board, *units), there("z", "b", at="E3", avoid=("D2",)))
    assert (nowhere.status, nowhere.space.name) == ("IMPOSSIBLE", "foot")


def test_a_limit_is_no_answer() -> None:
    """Once the limit is used up nothing is called impossible."""

    class Spent(Quiet):
        """A control with nothing left."""

        def left(self) -> float:
            """Return nothing."""
            return 0.0

    position = place(LINE, walker("a", cx=True))
    model, found = best(position, there("a", at=WAY[5]))
    control: Any = Spent()
    assert found.status == "IMPOSSIBLE"
    assert model.best(Task({"points": -1}, {}, {}), control).status == "UNKNOWN"
    assert model.conflict(control) is None
    limited = plan(position, there("a", at=WAY[5]), limit=1e-9)
    assert limited.status == "UNKNOWN"


def test_rulings_count_against_the_limit() -> None:
    """Acting out counts like the solver's own work, and is stopped."""
    units = [foot(f"u{n}", at="A1", cx=True) for n in range(6)]
    position = place(PAIR, *units)
    goal = checked_goal(there(*(u.id for u in units), at="B1"), position)
    walking = Foot(RULEBOOK, position, goal)
    assert walking.options_of
    driving = Transport(RULEBOOK, position, goal)
    task = Task({"value": 10, "points": -1}, {}, {})
    for model in (walking, driving):
        budget = Budget(60, Stop())
        with pytest.raises(OverLimit), budget_scope(Budget(0.0001, Stop())):
            model.best(task, Quiet())
        with budget_scope(budget):
            found = model.best(task, Quiet())
        assert budget.used >= 0.0001 * len(found.log or ()) > 0


def test_first_plans() -> None:
    """No unit moves."""
    position = place(LINE, walker("a", cx=True), walker("l", "leader", cx=True))
    model, _ = best(position, near("a", "l", to=WAY[-1]), distance=-1)
    assert [*model.quick()] == [()]


def test_ipc_that_a_leader_might_lend_is_proposed() -> None:
    """With lent IPC a squad with a MMG walks 6 hexes; a pinned or distant leader lends none."""
    squad = walker("a", sw=load(5))
    goal = there("a", at=WAY[5])
    words = "let l lend a his IPC"
    for ldr, is_stated in (
        (walker("l", "leader"), True), (walker("l", "leader", pinned=True), False),
        (foot("l", "leader", at=WAY[0]), False),
    ):  # fmt: skip
        position = place(LINE, squad, ldr)
        result = why(position, goal)
        assert (result.status, result.space and result.space.name) == ("IMPOSSIBLE", "foot")
        found = {repair.change: repair for repair in result.repairs}
        assert (words in found) is is_stated
        if is_stated:
            assert next(iter(found)) == words
            assert lines(found[words].log)[0] == "lend l a"
            verdict = check(position, found[words].log)
            assert (verdict.status, verdict.position.unit("a").at) == ("LEGAL", WAY[5])


# -- against brute force ---------------------------------------------------------------------------

MANY = int(os.environ.get("MARCHTABLE_CASES", "100"))


@pytest.mark.parametrize("seed", slow_after(2, range(MANY)))
def test_the_optimum_is_that_of_brute_force(seed: int) -> None:
    """On small maps the model finds the best of all plans of its space, or none if there is none."""
    case = drawn(10_000 + seed, across=5 if MANY > 100 else 3, crowded=seed % 3 == 0)
    if case is not None:
        assert not compared(case)
