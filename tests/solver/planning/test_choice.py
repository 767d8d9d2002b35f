"""The model of choice, apart from any game: options that hinder each other, and learned cuts."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from marchtable.cpsat.harness import Status, Stop
from marchtable.planning.choice.model import ChoiceModel
from marchtable.planning.choice.options import (
    ClauseRows,
    Cut,
    Learned,
    Moment,
    Presence,
    Problem,
    Row,
)
from marchtable.planning.choice.presence import Stations, Stay, Turns
from marchtable.planning.choice.replay import carry_out, fewest
from marchtable.rules.plan_model import Task
from marchtable.state.goal import CRITERIA

STILL: Any = dict.fromkeys(CRITERIA, 0)
CONTROL: Any = SimpleNamespace(stop=Stop(), seed=0, left=lambda: 10.0, spend=lambda _: None)
VALUE = Task({"value": 1}, {}, {})


class Going(NamedTuple):
    """A unit of its own place that stays, or goes to B1 for a value of 1 and a point."""

    unit: str
    at: str
    points: int = 0
    exposure: int = 0

    @property
    def units(self) -> tuple[str, ...]:
        """Itself."""
        return (self.unit,)

    @property
    def acts(self) -> int:
        """Whether it goes."""
        return int(self.at == "B1")


def problem(*rows: Row) -> Problem[Any]:
    """Return two units that can each stay or go."""
    options = [one for unit in "ab" for one in (Going(unit, unit), Going(unit, "B1", 2))]
    scores = [{**STILL, "value": o.acts, "points": o.points, "moved": o.acts} for o in options]
    return Problem(options, scores, STILL, ClauseRows(demands=rows), Turns(options, there))


def there(one: Going) -> Any:
    """Return a unit's places before and after; all are of one kind."""
    return {(one.unit, "man"): 1}, {(one.at, "man"): 1}


def solved(learned: Learned[Any], task: Task = VALUE, *rows: Row) -> Any:
    """Return the result."""
    return ChoiceModel(problem(*rows), learned).solve(task, CONTROL)


def behind(unit: str, more: tuple[int, int] | None) -> tuple[Any, Cut[Any]]:
    """Return that a unit pays more for going, or cannot go, once another is in B1."""
    given = frozenset((Presence(("B1", "man"), 1),))
    return (unit, given), Cut(given, unit, lambda _: [] if more is None else [more])


def test_what_excludes_each_other_is_not_chosen() -> None:
    """Both could go; after a cut against both only one does."""
    learned: Learned[Any] = Learned()
    assert solved(learned).outcome.objective == 2
    learned.nogoods.append(frozenset(o for o in problem().options if o.acts))
    assert solved(learned).outcome.objective == 1


def test_a_unit_that_is_barred_by_another_goes_first() -> None:
    """If either blocks the other one goes; if only one does it goes last."""
    learned: Learned[Any] = Learned()
    learned.cuts.update([behind("a", None)])
    found = solved(learned)
    assert (found.outcome.objective, found.pairs) == (2, {("a", "b")})
    learned.cuts.update([behind("b", None)])
    assert solved(learned).outcome.objective == 1


def test_a_unit_that_comes_second_pays() -> None:
    """One of two pays for the other's presence, the cheaper one if cost matters."""
    learned: Learned[Any] = Learned()
    learned.cuts.update([behind("a", (5, 0)), behind("b", (3, 0))])
    cheap = solved(learned, Task({"points": -1}, {"value": 2}, {}))
    assert (cheap.outcome.objective, cheap.extra["b"], cheap.pairs) == (-7, (3, 0), {("a", "b")})
    assert solved(learned, Task({"points": -1}, {"value": 1}, {})).outcome.objective == -2


def test_what_is_excluded_is_had_at_another_price_only() -> None:
    """Exactly the cost in cuts is spent: with one order's price excluded the other's is left, then none."""
    learned: Learned[Any] = Learned()
    learned.is_exact = True
    learned.cuts.update([behind("a", (5, 0)), behind("b", (3, 0))])
    both = frozenset(o for o in problem().options if o.acts)
    seen = []
    for _ in range(2):
        found = solved(learned, Task({"points": -1}, {"value": 2}, {}))
        seen.append(found.totals["points"])
        more = {unit: found.extra.get(unit, (0, 0))[0] for unit in "ab"}
        learned.excluded.append((both, more))
    assert seen == [7, 9]
    assert solved(learned, Task({}, {"value": 2}, {})).outcome.status is Status.IMPOSSIBLE


def test_a_unit_that_goes_along_is_there() -> None:
    """A led unit is wherever its leader goes; one that goes by itself may come later."""
    learned: Learned[Any] = Learned()
    learned.cuts.update([behind("a", (5, 0))])
    cheap = Task({"points": -1}, {"value": 2}, {})
    together = problem()
    turns = Turns(together.options, there, lambda o: ("a", {"man": 1} if o.unit == "b" else {}))
    together = together._replace(occupancy=turns)
    assert solved(learned, cheap).totals["points"] == 4
    assert ChoiceModel(together, learned).solve(cheap, CONTROL).totals["points"] == 9


def test_what_is_for_several_things_adds_up() -> None:
    """Of cuts for one thing the dearest is paid; cuts for several are all paid."""

    def tall(one: Going) -> Any:
        return tuple({(at, sort): 1 for sort in ("man", one.unit)} for at in (one.unit, one.at))

    met = frozenset((Presence(("B1", "b"), 1),))
    for second, points in (("gate", 9), ("ford", 11)):
        learned: Learned[Any] = Learned()
        key, _ = behind("a", None)
        learned.cuts[key] = Cut(key[1], "a", lambda _: [(5, 0)], "gate")
        learned.cuts["a", met] = Cut(met, "a", lambda _: [(2, 0)], second)
        learned.cuts.update([behind("b", None)])  # it goes first
        both = problem()
        asked = ChoiceModel(both._replace(occupancy=Turns(both.options, tall)), learned)
        assert (
            asked.solve(Task({"points": -1}, {"value": 2}, {}), CONTROL).totals["points"] == points
        )


def paying(more: int) -> Any:
    """Return that an option costs this much more."""
    return lambda _: [(more, 0)]


@pytest.mark.parametrize(("stays", "points"), [(False, 12), (True, 18)])
def test_as_few_come_first_as_fit(stays: bool, points: int) -> None:
    """The second and third of three pay for the units already there; a unit that stays is one."""
    options: list[Any] = [o for unit in "abc" for o in (Going(unit, unit), Going(unit, "B1", 2))]
    options += [SimpleNamespace(unit="d", units="d", at="B1", points=0, acts=0)] * stays
    scores: Any = [{**STILL, "value": o.acts, "points": o.points, "moved": o.acts} for o in options]

    def placed(one: Any) -> Any:
        return there(one) if one.acts else ({(one.at, "man"): 1}, {(one.at, "man"): 1})

    learned: Learned[Any] = Learned()
    for unit in "abc":
        for count in (1, 2, 3):
            given = frozenset((Presence(("B1", "man"), count),))
            learned.cuts[unit, given] = Cut(given, unit, paying(2 * count))
    asked = ChoiceModel(
        Problem(options, scores, STILL, ClauseRows(), Turns(options, placed)), learned
    )
    found = asked.solve(Task({"points": -1}, {"value": 3}, {}), CONTROL)
    assert found.totals["points"] == points


def test_rows_bind() -> None:
    """What a row demands is met, and its maximum is not exceeded."""
    goes = [(1, 1), (3, 1)]
    assert solved(Learned(), VALUE, Row("T3", goes, most=1)).outcome.objective == 1
    must = solved(Learned(), Task({"points": -1}, {}, {}), Row("", goes, least=1))
    assert must.outcome.objective == -2
    assert solved(Learned(), VALUE, Row("", goes, least=3)).outcome.status is Status.IMPOSSIBLE


def test_a_unit_that_waits_for_another_is_tried_again() -> None:
    """All get through if any order allows it; otherwise each failure is reported as it first appeared."""

    def attempt(done: str, one: Going) -> str | None:
        return done + one.unit if one.unit in ("b", "c") or "b" in done else None

    a, b, d = Going("a", "B1"), Going("b", "B1"), Going("d", "A1")
    assert carry_out([a, b], "", attempt) == ("ba", [])
    _, stuck = carry_out([d, a], "", attempt)
    assert [(one.option.unit, one.state) for one in stuck] == [
        ("d", ""), ("a", ""), ("d", ""), ("a", ""),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("actor", "now", "there"),
    [
        ("d", Moment(0, rest=(1,)), []),
        ("d", Moment(0, rest=(2,)), [("a", ("", ""), 1, 1)]),
        ("d", Moment(1, "d"), [("a", ("", ""), 1, 1), ("b", ("d", "b"), 0, 1)]),
        ("b", Moment(1, "b"), [("a", ("", ""), 1, 1)]),
        ("d", Moment(1, "b", (3,)), [("a", ("", ""), 1, 1), ("b", ("", ""), 1, 1)]),
        ("d", Moment(2, rest=(2,)), [(unit, ("", ""), 1, 1) for unit in "abc"]),
    ],
)
def test_stages_tell_who_is_there(actor: str, now: Moment, there: list[Any]) -> None:
    """They come to B1 before all turns, in a turn and after them: only two turns can go either way."""
    comes = {"a": Moment(0, rest=(1,)), "b": Moment(1, "b"), "c": Moment(2, rest=(1,))}
    options = [Going(unit, "B1") for unit in comes]

    def stays(one: Going) -> list[Stay]:
        at = comes[one.unit]
        return [Stay(one.unit, "man", until=at), Stay("B1", "man", at)]

    found = Stations(options, stays).about(actor, actor, ("B1", "man", now))
    assert [(options[number].unit, *rest) for number, *rest in found] == there


def test_as_few_as_are_still_bad_together() -> None:
    """Two of four suffice; none is named if all are well, or if none needs to be there for it."""
    assert fewest("abcd", lambda some: {"b", "d"} <= {*some}) == ("b", "d")
    assert fewest("ab", lambda _: False) == fewest("ab", lambda _: True) == ()
