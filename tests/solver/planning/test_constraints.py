"""The rules of a choice, one method each: each is needed and names its clause."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from marchtable.planning.choice.constraints import ChoiceConstraints
from marchtable.planning.choice.model import ChoiceModel
from marchtable.planning.choice.options import (
    ClauseRows,
    Cut,
    Learned,
    Led,
    Order,
    Presence,
    Problem,
    Ride,
    Row,
    Terrain,
    UnitBudget,
)
from marchtable.planning.choice.presence import Turns
from marchtable.rules.plan_model import Task
from tests.solver.planning import test_choice
from tests.solver.planning.test_choice import CONTROL, STILL

if TYPE_CHECKING:
    from collections.abc import Sequence


class Does(NamedTuple):
    """A unit's option: to stay at home, or something else, for a value and some points."""

    unit: str
    what: str
    value: int = 0
    points: int = 0
    exposure: int = 0

    @property
    def units(self) -> tuple[str, ...]:
        """Itself."""
        return (self.unit,)

    @property
    def acts(self) -> int:
        """Whether it does not stay."""
        return int(self.what != "stays")


class Case(NamedTuple):
    """The options, the value of the best choice, and a rule's clause."""

    options: tuple[Does, ...]
    best: int
    rules: ClauseRows = ClauseRows()
    learned: Learned[Any] | None = None
    clause: str = ""
    alike: Sequence[tuple[Sequence[int], Sequence[int]]] = ()


CAR = (Does("car", "stays"), Does("car", "goes", 1), Does("car", "exits", 1))
MEN = tuple(
    Does(name, what, value) for name in "ab" for what, value in (("stays", 0), ("rides", 5))
)
BOTH = {"a": (4,), "b": (6,)}
"""By unit the options by which they ride; the car's are 0 to 2."""
WALKS = (Does("a", "stays"), Does("a", "B1", 5, 4), Does("b", "stays"), Does("b", "B1", 5, 4))


UNEQUAL = (*WALKS[:3], WALKS[3]._replace(value=0))
"""They share a name but differ: so the test shows whether the first can do what is listed later."""
RICH = tuple(one._replace(value=9 * one.acts) for one in WALKS)


def learned(**more: Any) -> Learned[Any]:
    """Return what was learned."""
    found: Learned[Any] = Learned()
    for name, value in more.items():
        setattr(found, name, value)
    return found


def crowded() -> Learned[Any]:
    """Return that each pays 3 points more in B1 once the other is there."""
    given = frozenset((Presence(("B1", "man"), 1),))
    return learned(
        cuts={
            (unit, given): Cut(given, unit, lambda one: [(3, 0)] if one.acts else [(0, 0)])
            for unit in "ab"
        }
    )


def ride(goes: int = 1, **more: Any) -> Ride:
    """Return that both can be aboard when the car acts."""
    return Ride(goes, "T.board", BOTH, **more)


STAYING = Row("", [(0, 1)], least=1)
DRIVING = Row("", [(1, 1)], least=1)
CASES = {
    "add_one_option": Case((Does("a", "stays", 3), Does("a", "B1", 5)), 5),
    "add_boarding": Case((*CAR, *MEN), 0, ClauseRows(rides=[ride()], demands=[STAYING]), clause="T.board"),
    "add_exits": Case(
        (*CAR, *MEN), 0, ClauseRows(rides=[ride(2, off="T.off")], demands=[STAYING]), clause="T.off"
    ),
    "add_unloading": Case(
        (*CAR[:2], Does("car", "sets down", 7), *MEN), 1,
        ClauseRows(rides=[ride(2, unloading=((), "T.leave"))]), clause="T.leave",
    ),
    "add_counted_boarder": Case(
        (*CAR, *MEN), 1,
        ClauseRows(rides=[ride(counted=((4,), "T.count"))], demands=[Row("", [(4, 1)], most=0)]),
        clause="T.count",
    ),
    "add_capacity": Case(
        (*CAR, *MEN), 6,
        ClauseRows(rides=[ride(room=(3, "T.room"), sizes={"a": 2, "b": 2})], demands=[DRIVING]),
        clause="T.room",
    ),
    "add_rider_terrain": Case(
        (*CAR, *MEN), 6, ClauseRows(terrain=[Terrain("T.terrain", (4,), (2,))], demands=[DRIVING]),
        clause="T.terrain",
    ),
    "add_leaders": Case(
        WALKS, 0, ClauseRows(led=[Led("T.led", 1, 3)], demands=[Row("", [(2, 1)], least=1)]),
        clause="T.led",
    ),
    "add_stacking": Case(
        WALKS, 1, ClauseRows(stacking=[Row("T.stack", [(1, 1), (3, 1)], most=1)]), clause="T.stack"
    ),
    "add_demands": Case(WALKS, 0, ClauseRows(demands=[Row("", [(1, 1), (3, 1)], most=0)])),
    "add_cuts": Case(WALKS, -1, ClauseRows(demands=[Row("", [(1, 1), (3, 1)], least=2)]), crowded()),
    "add_budgets": Case(
        RICH, 5,
        ClauseRows(budgets=[UnitBudget("T.pay", name, [(n, 0), (n + 1, 6)]) for name, n in (("a", 0), ("b", 2))]),
        crowded(), "T.pay",
    ),
    "add_excluded": Case(WALKS, 1, learned=learned(nogoods=[frozenset(WALKS[1::2])])),
    "add_order": Case(
        WALKS, 1, ClauseRows(orders=[Order(WALKS[1::2], [("a", "b")], "T.order")]),
        learned(orders=[Order(WALKS[1::2], [("b", "a")])]), "T.order",
    ),
    "add_symmetry": Case(UNEQUAL, 0, alike=[((0, 1), (2, 3))]),
}  # fmt: skip
"""The cases, by the method that states the rule."""


def solved(case: Case) -> int | None:
    """Return the value of the best choice, less points, except for units that count their own."""

    def stands(one: Does) -> Any:
        home = {(one.unit, "man"): 1}
        return home, {(one.what, "man"): 1} if one.acts else home

    scores: Any = [{**STILL, "value": one.value, "points": one.points} for one in case.options]
    turns = Turns(case.options, stands)
    problem = Problem(case.options, scores, STILL, case.rules, turns, alike=case.alike)
    choice = ChoiceModel(problem, case.learned or Learned())
    found: int | None = choice.solve(
        Task({"value": 1, "points": -1}, {}, {}), CONTROL
    ).outcome.objective
    return found


def test_every_rule_has_a_case() -> None:
    """The table of contents calls each method that adds rules, and each has a case."""
    called: list[str] = []

    class Noting(ChoiceConstraints[Any]):
        """Records the calls."""

    for name in (
        name for name in vars(ChoiceConstraints) if name.startswith("add_") and name != "add_all"
    ):
        setattr(Noting, name, lambda _, name=name: called.append(name))
    Noting(Problem((), (), STILL, ClauseRows(), Turns((), lambda _: ({}, {}))), Learned()).add_all()
    assert {*called} == {*CASES}
    assert len(called) == len(CASES)


@pytest.mark.parametrize("name", CASES)
def test_without_a_rule_the_best_is_another(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each case has its optimum, and another one without the method."""
    case = CASES[name]
    assert solved(case) == case.best
    monkeypatch.setattr(ChoiceConstraints, name, lambda _: None)
    assert solved(case) != case.best


@pytest.mark.parametrize("seed", range(4))
def test_methods_can_be_called_in_any_order(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What several methods read is built by the first that needs it."""
    names = [*CASES]
    random.Random(seed).shuffle(names)

    def shuffled(constraints: ChoiceConstraints[Any]) -> None:
        for name in names:
            getattr(constraints, name)()

    monkeypatch.setattr(ChoiceConstraints, "add_all", shuffled)
    assert {name: solved(case) for name, case in CASES.items()} == {
        name: case.best for name, case in CASES.items()
    }
    test_choice.test_what_is_excluded_is_had_at_another_price_only()


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.clause])
def test_rows_are_named_by_their_clause(name: str) -> None:
    """A reader of the model sees the clause of each row."""
    case = CASES[name]
    turns = Turns(case.options, lambda _: ({}, {}))
    scores: Any = [STILL] * len(case.options)
    choice = ChoiceModel(Problem(case.options, scores, STILL, case.rules, turns), Learned())
    assert case.clause in {row.name for row in choice.model.proto.constraints}
