"""The rules of a line's model, one method each: without any of them the optimum changes."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from msgspec.structs import replace as replaced

from marchtable.cpsat.harness import Status, Stop, solve, weighted
from marchtable.planning.line.constraints import LineConstraints
from marchtable.planning.line.graph import HALTED, OFF
from marchtable.planning.line.worth import TaskRows
from marchtable.rules.plan_model import Task
from marchtable.state.goal import Aim, Goal
from marchtable.state.position import Counter
from marchtable.state.records import replace
from marchtable_models.asl.cpsat.convoy.model import GapModel
from tests.asl import test_plan_column as columns
from tests.asl.convoys_by_hand import by_road
from tests.asl.platoon_cases import model as platoon
from tests.asl.test_plan_convoy import PlainControl, model, near
from tests.asl.test_plan_convoy_gaps import apart, attacked
from tests.asl.test_plan_line_rows import everywhere, must
from tests.asl.test_platoons import platoon as afvs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Terms = Iterator[tuple[int, int]]


class Case(NamedTuple):
    """What is planned for, and its value: literals, and what each adds."""

    problem: Any
    terms: Callable[[Any], Terms]


def points(rules: Any) -> Terms:
    """Yield the points spent at the end, as a cost."""
    for part in rules.parts:
        yield from ((x, -level) for level, x in part.totals[rules.last].items())


def stands(rules: Any, i: int, at: str) -> Terms:
    """Yield that a member ends in a Location."""
    place = rules.graph.places.number[at]
    yield from ((x, 1) for p, x in rules.places[i][rules.last].items() if p == place)


def moving(rules: Any) -> Terms:
    """Yield that the lead ends moving, and the next does not."""
    for i, sign in ((0, 1), (1, -1)):
        for state, x in rules.at[i][rules.last].items():
            yield x, sign * rules.graph.is_moving(i, state)


def starts(rules: Any) -> Terms:
    """Yield each start that is forbidden once the line has stopped."""
    for member in rules.made:
        for made in member:
            yield from ((x, 1) for kind, x in made.items() if kind.flags & HALTED)


def on_map(rules: Any) -> Terms:
    """Yield for each member that it is on the map after the first round."""
    for hexes in rules.places:
        yield from ((x, 1) for place, x in hexes[1].items() if place != OFF)


def alone(rules: Any) -> Terms:
    """Yield each round after which the lead has left, against those after which the next is alone or gone."""
    for t, states in enumerate(rules.at[1]):
        yield from ((x, -1) for s, x in states.items() if rules.graph.is_alone(1, s))
        for i, sign in ((0, 1), (1, -1)):
            if (gone := rules.gone(i, t)) is not None:
                yield gone, sign


def anywhere(rules: Any) -> Terms:
    """Yield each place in which the lead may end."""
    yield from ((x, 1) for x in rules.places[0][rules.last].values())


def aside(rules: Any) -> Terms:
    """Yield the places of row B where the second can be after a round."""
    names = rules.graph.places.names
    yield from ((x, 1) for p, x in rules.places[1][1].items() if str(names[p]).startswith("B"))


def together(rules: Any) -> Terms:
    """Yield that the lead ends in A6, and that the third does."""
    yield from stands(rules, 0, "A6")
    yield from stands(rules, 2, "A6")


def spent(rules: Any) -> Terms:
    """Yield what is spent at the end."""
    yield from ((x, -value) for x, value in points(rules))


def unlike(rules: Any) -> Terms:
    """Yield that the lead is moving after the first round, and the next is not."""
    for i, sign in ((0, 1), (1, -1)):
        for state, x in rules.at[i][1].items():
            yield x, sign * rules.graph.is_moving(i, state)


def waiting() -> Any:
    """Return three trucks that enter by two hexes."""
    position = by_road(3, 8)
    off: dict[str, Any] = {"at": None, "entering": ("A8", "B8"), "moving": True}
    return position.with_units([replace(unit, **off) for unit in position.units])


def returned() -> Any:
    """Return a problem whose best plan has been returned."""
    problem: Any = model(by_road(2, 4), must(("t1", "A1")), 4)
    problem.differ(problem.best(Task({"points": -1}, {}, {}), PlainControl()).log)
    return problem


def shelled() -> Any:
    """Return two squads that come within six hexes of HE by one Impulse, the last of their Column."""
    position = columns.column(10, 11)
    return replaced(position, counters=(Counter(kind="blast-area", at="A3"),))


def gone_too_soon(rules: Any) -> Terms:
    """Yield that the lead has left at the end, and that the second is then too far behind."""
    yield from stands(rules, 1, "A2")
    if (gone := rules.gone(0, rules.last)) is not None:
        yield gone, 1


def gone(rules: Any) -> Terms:
    """Yield that the lead has left the map at the end."""
    yield from ((x, 1) for x in [rules.gone(0, rules.last)] if x is not None)


def second_gone(rules: Any) -> Terms:
    """Yield that the second has left the map at the end."""
    yield from ((x, 1) for x in [rules.gone(1, rules.last)] if x is not None)


def at_the_edge() -> Any:
    """Return two trucks side by side at the map edge; the second can leave the Convoy."""
    position = attacked(by_road(2, 3), "t2")
    return position.with_units([
        replaced(position.unit("t1"), at="B1"), replaced(position.unit("t2"), at="A1"),
    ])  # fmt: skip


def poor_lead() -> Any:
    """Return two trucks; the lead cannot pay for leaving the map."""
    position = by_road(2, 3, last="tr-6")
    lead, second = position.units
    return position.with_units([
        replaced(lead, type=second.type), replaced(second, type=lead.type),
    ])  # fmt: skip


ALL_OFF = Goal(aims=(Aim(units=("t1", "t2", "t3"), exit=("A1",)),))
OFF_MAP = Goal(aims=(Aim(units=("t1", "t2"), exit=("A1", "B1")),))
CASES: dict[str, Callable[[], Case]] = {
    "add_flow": lambda: Case(model(by_road(2, 3), near("A1"), 2), anywhere),
    "_no_gap_off": lambda: Case(model(by_road(3, 4), ALL_OFF, 2), gone_too_soon),
    "_affords": lambda: Case(model(poor_lead(), OFF_MAP, 4), gone),
    "_last_rounds": lambda: Case(
        columns.model(shelled(), columns.near("A6")), lambda r: stands(r, 0, "A8")
    ),
    "add_budget": lambda: Case(model(by_road(2, 4), must(("t1", "A1")), 4), points),
    "add_contiguity": lambda: Case(
        model(by_road(2, 6), must(("t1", "A2")), 5), lambda r: stands(r, 1, "A6")
    ),
    "add_follow": lambda: Case(
        columns.model(columns.by_road("squad", "squad", last=9), columns.near("A7")), aside
    ),
    "add_entry": lambda: Case(model(waiting(), near("A1"), 3), on_map),
    "add_one_each": lambda: Case(
        model(by_road(3, 6), must(("t1", "A3")), 6), lambda r: stands(r, 2, "A3")
    ),
    "add_no_restart": lambda: Case(model(by_road(2, 4, moving=False), near("A1"), 5), starts),
    "add_platoon": lambda: Case(
        platoon(afvs(6, 7, 8), must(("t1", "A2")), 5), lambda r: stands(r, 2, "A8")
    ),
    "_all_alike": lambda: Case(platoon(afvs(6, 7), near("A1"), 3), unlike),
    "_enter_apart": lambda: Case(platoon(afvs(6, 6, 7), near("A1"), 2), together),
    "_fits": lambda: Case(model(poor_lead(), OFF_MAP, 4), spent),
    "add_gap": lambda: Case(GapModel(model(attacked(by_road(2, 6), "t2"), apart(6), 6)).side(1), points),
    "_gapes_off": lambda: Case(GapModel(model(at_the_edge(), OFF_MAP, 1)).side(1), second_gone),
    "add_exits": lambda: Case(model(by_road(2, 3), OFF_MAP, 4), alone),
    "add_ends": lambda: Case(model(by_road(2, 4), near("A1"), 3), moving),
    "add_goal": lambda: Case(model(by_road(2, 4), must(("t1", "A1")), 4), points),
    "add_cuts": lambda: Case(returned(), points),
}  # fmt: skip
"""The cases, by the method that states the rule, or a part of one."""
BEST: dict[str, tuple[int | None, int]] = {
    "add_flow": (1, 2),
    "_no_gap_off": (1, 2),
    "_affords": (0, 1),
    "_last_rounds": (0, 1),
    "add_budget": (-5, 0),
    "add_contiguity": (0, 1),
    "add_follow": (0, 1),
    "add_entry": (1, 2),
    "add_one_each": (0, 1),
    "add_no_restart": (2, 4),
    "add_platoon": (0, 1),
    "_all_alike": (0, 1),
    "_enter_apart": (1, 2),
    "_fits": (12, 40),
    "add_gap": (-12, -9),
    "_gapes_off": (None, 1),
    "add_exits": (0, 3),
    "add_ends": (0, 1),
    "add_goal": (-5, -1),
    "add_cuts": (-6, -5),
}
"""The optimum with the method, and without it."""


@cache
def case_of(name: str) -> Case:
    """Return a case, built once."""
    return CASES[name]()


def best(case: Case, without: str = "") -> int | None:
    """Return a model's optimum without one of its rules, or None if it has no plan."""

    class Fewer(LineConstraints):
        """All rules but one."""

    if without:
        setattr(Fewer, without, lambda *_: None)
    limits = TaskRows(case.problem.worth, Task({}, {}, {}))
    rules = Fewer(case.problem, everywhere(case.problem.graph), limits, None)
    rules.add_all()
    terms, rows = [*case.terms(rules)], rules.model()
    rows.maximize(weighted([(rows.get_bool_var_from_proto_index(x), n) for x, n in terms]))
    found = solve(rows, "logic", limit=60.0, stop=Stop(), seed=0)
    assert found.status in (Status.OPTIMAL, Status.IMPOSSIBLE)
    return found.objective


def test_every_rule_has_a_case() -> None:
    """The table of contents calls each method that adds rules, and each has a case."""
    called: list[str] = []

    class Noting(LineConstraints):
        """Records the calls."""

        def __init__(self) -> None:
            """Record nothing."""

    names = [name for name in vars(LineConstraints) if name.startswith("add_")]
    for name in (n for n in names if n not in ("add_all", "add_last_places")):
        setattr(Noting, name, lambda _, name=name: called.append(name))
    Noting().add_all()
    assert sorted(called) == sorted(name for name in CASES if name.startswith("add_"))


@pytest.mark.parametrize("name", CASES)
def test_without_a_rule_the_best_is_another(name: str) -> None:
    """Each case has its optimum, and a larger one without the method."""
    case = case_of(name)
    assert (best(case), best(case, name)) == BEST[name]
