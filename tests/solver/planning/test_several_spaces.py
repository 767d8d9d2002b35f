"""Models of several spaces: all suitable ones are searched, and the best plan is the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from marchtable.planning.loop import LEAST, Plans, plan
from marchtable.rules.plan_hooks import PlanningSpace
from marchtable.rules.plan_model import Proposal
from marchtable.rules.referee import check
from marchtable.state.goal import Goal
from marchtable_toy import RULEBOOK
from tests.solver.planning.scripted import (
    BOTH,
    GOAL,
    MUD,
    OVER,
    POINTS,
    RED,
    Scripted,
    best,
    by_solving,
)
from tests.toy_scene import scene

if TYPE_CHECKING:
    from collections.abc import Callable

    from marchtable.rules.plan_model import Control, Task
    from marchtable.state.action import Action


@pytest.fixture
def among(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Plans]:
    """Return a function that plans with scripted models of several spaces, none of them named."""

    def asked(*models: Scripted, goal: Goal = GOAL, **options: Any) -> Plans:
        for number, model in enumerate(models):
            model.name = f"space-{number}"
            model.space = msgspec.structs.replace(model.space, name=model.name)
        monkeypatch.setattr(RULEBOOK, "plan_models", lambda *_: [*models])
        return plan(scene(), goal, **options)

    return asked


def points_of(log: tuple[Action, ...]) -> int:
    """Return the worth of a log's points."""
    return -sum(receipt.amount for receipt in check(scene(), log).receipts)


def statuses(found: Plans) -> list[str]:
    """Return the result of each space searched."""
    return [one.status for one in found.searched]


def test_the_best_plan_of_several_spaces(among: Callable[..., Plans]) -> None:
    """All suitable spaces are searched: a later space's better plan is the answer."""
    first, second = Scripted(best(OVER, 1)), Scripted(best(BOTH, 2))
    found = among(first, second)
    assert (found.status, found.plans[0].log) == ("OPTIMAL", BOTH)
    assert statuses(found) == ["OPTIMAL", "OPTIMAL"]
    assert [task.least for task in second.tasks] == [{"value": 1}]  # it starts from that plan
    assert not first.tasks[0].least


def test_a_later_space_without_a_better_plan(among: Callable[..., Plans]) -> None:
    """If no later plan is as good, or none better, the first is the answer."""
    for other in (Scripted(), Scripted(best(MUD, 1))):
        found = among(Scripted(best(OVER, 1)), other)
        assert (found.status, found.plans[0].log) == ("OPTIMAL", OVER)
        assert statuses(found) == ["OPTIMAL", "NO BETTER"]


def test_bounds_of_a_known_plan_end_where_another_is_better(among: Callable[..., Plans]) -> None:
    """A plan better in an earlier criterion need not be as good in a later one."""
    spent = sum(receipt.amount for receipt in check(scene(), BOTH).receipts)
    second = Scripted(best(BOTH, 2), best(BOTH, -spent))
    first = Scripted(best(OVER, 1), lambda *_: Proposal("OPTIMAL", OVER, None))
    among(first, second, goal=POINTS)
    assert second.tasks[1].most == {}
    third = Scripted(best(MUD, 1), lambda *_: Proposal("OPTIMAL", MUD, None))
    first = Scripted(best(OVER, 1), lambda *_: Proposal("OPTIMAL", OVER, None))
    among(first, third, goal=POINTS)
    assert [*third.tasks[1].most] == ["points"]


def test_further_spaces_have_a_share_of_the_limit(among: Callable[..., Plans]) -> None:
    """Together they can spend as much as the first plan took; each reports its share."""

    def dear(_: Task, control: Control) -> Proposal:
        control.spend(3.0)
        return best(OVER, 1)

    def dearer(_: Task, control: Control) -> Proposal:
        control.spend(control.left())
        return Proposal("UNKNOWN", None, None)

    found = among(Scripted(dear), Scripted(dearer), Scripted(best(BOTH, 2)), limit=20.0)
    assert [one.limit for one in found.searched] == [20.0, 3.0]
    assert statuses(found) == ["OPTIMAL", "UNKNOWN"]


def test_a_space_with_a_better_plan_has_all_that_is_left(among: Callable[..., Plans]) -> None:
    """If the share ends while a better plan is in hand, the current search goes on."""
    limits: list[float] = []
    less, more = (sum(r.amount for r in check(scene(), log).receipts) for log in (OVER, BOTH))

    def begun(_: Task, control: Control) -> Proposal:
        limits.append(control.left())
        control.spend(control.left())
        return Proposal("FEASIBLE", OVER, None)

    def ended(_: Task, control: Control) -> Proposal:
        limits.append(control.left())
        return best(OVER, -less)

    few = Goal(aims=(RED,), order=("points",))
    found = among(Scripted(best(BOTH, -more)), Scripted(begun, ended), goal=few, limit=20.0)
    assert (found.status, found.plans[0].log, statuses(found)) == ("OPTIMAL", OVER, ["OPTIMAL"] * 2)
    assert limits[0] == LEAST
    assert limits[1] > 2 * LEAST


def test_a_space_with_a_better_plan_is_asked_once(among: Callable[..., Plans]) -> None:
    """Proved results are not asked again: a better plan raises its limit at once."""
    limits: list[float] = []

    def value(_: Task, control: Control) -> Proposal:
        control.spend(LEAST / 2)
        return best(BOTH, 2)

    def points(_: Task, control: Control) -> Proposal:
        limits.append(control.left())
        return best(BOTH, points_of(BOTH))

    first = Scripted(best(OVER, 1), best(OVER, points_of(OVER)))
    second = Scripted(value, points)
    found = among(first, second, goal=POINTS, limit=20.0)
    assert (found.status, found.plans[0].log, statuses(found)) == ("OPTIMAL", BOTH, ["OPTIMAL"] * 2)
    assert [*map(list, (task.weights for task in second.tasks))] == [["value"], ["points"]]
    assert limits[0] > 15
    assert found.searched[1].limit > 15  # all that was left, and says so


def test_spaces_after_a_better_plan_have_a_share(among: Callable[..., Plans]) -> None:
    """A space that spends much on a better plan leaves the next as much as was spent until then."""

    def dear(_: Task, control: Control) -> Proposal:
        control.spend(4.0)
        return best(BOTH, 2)

    found = among(Scripted(best(OVER, 1)), Scripted(dear), Scripted(), limit=20.0)
    assert statuses(found) == ["OPTIMAL", "OPTIMAL", "NO BETTER"]
    assert found.searched[2].limit == pytest.approx(4.0, abs=0.1)


def test_the_proved_one_of_equal_plans(among: Callable[..., Plans]) -> None:
    """Of two spaces with equally good plans the one with a proof is the answer."""
    found = among(Scripted(Proposal("FEASIBLE", OVER, 2)), Scripted(best(OVER, 1)))
    assert (found.status, found.space.name) == ("OPTIMAL", "space-1")
    assert statuses(found) == ["FEASIBLE", "OPTIMAL"]


@pytest.fixture
def contained(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the second space contain the first."""
    monkeypatch.setattr(type(RULEBOOK), "spaces", {"space-1": PlanningSpace(contains=("space-0",))})


@pytest.mark.usefixtures("contained")
def test_a_larger_space_has_the_plan_of_the_one_it_contains(among: Callable[..., Plans]) -> None:
    """It never has a worse plan or status, however little it finds itself, also when named."""

    def smaller() -> Scripted:
        return Scripted(best(OVER, 1), best(OVER, points_of(OVER)))

    for named in (None, "space-1"):
        second = Scripted(best(OVER, 1), best(OVER, points_of(OVER)), quick=[()])
        found = among(smaller(), second, goal=POINTS, space=named)
        assert (found.status, found.plans[0].log) == ("OPTIMAL", OVER)
        assert not second.rejected
        assert [one.space for one in found.searched] == ["space-0", "space-1"]

    def cut(_: Task, control: Control) -> Proposal:
        control.spend(control.left())
        return Proposal("UNKNOWN", None, 2)

    late = among(smaller(), Scripted(cut), goal=POINTS, space="space-1")
    assert (late.status, late.plans[0].log, late.plans[0].bound[0]) == ("FEASIBLE", OVER, 2)
    assert late.space.name == "space-1"
    at_once = among(smaller(), Scripted(), space="space-1", limit=0)
    assert [one.space for one in at_once.searched] == ["space-0", "space-1"]


@pytest.mark.usefixtures("contained")
def test_a_larger_space_rests_on_the_proof_of_the_smaller(among: Callable[..., Plans]) -> None:
    """A plan taken from it has the same proof, no better."""
    found = among(Scripted(by_solving), Scripted(best(BOTH, 2)), space="space-1")
    assert (found.status, found.plans[0].proof) == ("OPTIMAL", "second solve")
    found = among(Scripted(), Scripted(), space="space-1")
    assert (found.status, found.proof) == ("IMPOSSIBLE", "bound")


def test_impossible_only_if_every_space_was_searched(
    among: Callable[..., Plans], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A space that was not searched to its end might have a plan: then nothing is called impossible."""
    spaces = {"space-0": PlanningSpace(contains=("alone",)), "space-1": PlanningSpace("walkers")}
    monkeypatch.setattr(type(RULEBOOK), "spaces", spaces)

    def cut(_: Task, control: Control) -> Proposal:
        control.spend(control.left())
        return Proposal("UNKNOWN", None, None)

    def late(_: Task, control: Control) -> Proposal:
        control.spend(control.left())
        return Proposal("IMPOSSIBLE", None, None)

    assert among(Scripted(), Scripted(), limit=5.0).status == "IMPOSSIBLE"
    found = among(Scripted(), Scripted(cut), limit=5.0)
    assert (found.status, found.unsettled, found.proof) == ("UNKNOWN", "limit", None)
    found = among(Scripted(late), Scripted(best(OVER, 1)), limit=5.0)
    assert (found.status, found.unsettled, statuses(found)) == (
        "UNKNOWN",
        "limit",
        ["IMPOSSIBLE", "UNKNOWN"],
    )


@pytest.mark.usefixtures("contained")
def test_impossible_only_if_what_is_left_open_is_contained(
    among: Callable[..., Plans], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A space that could prove nothing leaves the goal open, unless one that contains it has no plan."""
    spaces = {"space-1": PlanningSpace(contains=("space-0", "alone"))}
    monkeypatch.setattr(type(RULEBOOK), "spaces", spaces)
    doubt = Proposal("UNKNOWN", None, None)
    found = among(Scripted(), Scripted(doubt))
    assert (found.status, found.unsettled, found.space.name) == ("UNKNOWN", "others", "space-1")
    found = among(Scripted(doubt), Scripted())
    assert (found.status, found.proof, found.space.name) == ("IMPOSSIBLE", "bound", "space-1")
    assert statuses(found) == ["UNKNOWN", "IMPOSSIBLE"]


def test_several_plans_are_of_one_space(among: Callable[..., Plans]) -> None:
    """Several plans, and a front, come from the first space that has any."""
    second = Scripted(best(BOTH, 2))
    found = among(Scripted(best(OVER, 1)), second, best=2)
    assert (statuses(found), second.tasks) == (["OPTIMAL"], [])
