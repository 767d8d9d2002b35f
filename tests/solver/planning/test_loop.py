"""What the planner makes of a model's proposals: nothing is a plan before the referee has said so."""

from __future__ import annotations

import _thread
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from ortools.sat.python import cp_model

from marchtable.budget import Budget, Stage, lent, watched, work
from marchtable.cpsat.confirm import Disagreement
from marchtable.cpsat.harness import Stop, solve
from marchtable.errors import BadInputError, InternalError
from marchtable.planning import search
from marchtable.planning.alone import AloneModel
from marchtable.planning.goals import checked_goal
from marchtable.planning.loop import LEAST, Plans, plan
from marchtable.planning.search import Progress
from marchtable.planning.trials import Judge
from marchtable.planning.why import why
from marchtable.rules.plan_hooks import Space
from marchtable.rules.plan_model import Proposal
from marchtable.rules.referee import check
from marchtable.state.action import Action, Event, Settle
from marchtable.state.goal import Aim, Goal
from marchtable.state.position import Obligation, Odds
from marchtable_toy import RULEBOOK
from tests.solver.planning.scripted import Scripted
from tests.solver.test_cpsat import pigeons
from tests.toy_scene import scene, walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from marchtable.rules.plan_model import Control, Task

OVER = (walk("w0", "B1"),)
MUD = (walk("w1", "A2"), Settle("mud:w1", "through"))
BOTH = (*OVER, *MUD)
ILLEGAL = (walk("w0 w1", "B1"),)
RED = Aim(side="red", at=("B1", "A2"))
GOAL = Goal(aims=(RED,), order=("value",))
CROWDED = Goal(aims=(Aim(side="red", at=("B1",), must="all"),))
POINTS = Goal(aims=(RED,), order=("value", "points"))


def best(log: tuple[Action, ...] | None, bound: int | None) -> Proposal:
    """Return the proposal of a log as the best, with its claim."""
    return Proposal("OPTIMAL", log, bound)


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Plans]:
    """Return a function that plans with a scripted model."""

    def asked(model: Scripted, goal: Goal = GOAL, **options: Any) -> Plans:
        monkeypatch.setattr(RULEBOOK, "plan_models", lambda *_: [model])
        return plan(scene(), goal, **{"space": "scripted", **options})

    return asked


def test_a_plan_is_proved_once_it_reaches_the_bound(ask: Callable[..., Plans]) -> None:
    """A proposal that stands and is worth what was claimed is OPTIMAL, its bound what it reaches."""
    found = ask(Scripted(best(OVER, 1)))
    (one,) = found.plans
    assert (found.status, one.status, one.log) == ("OPTIMAL", "OPTIMAL", OVER)
    assert (one.sought, one.reached, one.bound) == (("value",), (1,), (1,))
    assert one.verdict.status == "LEGAL"


def test_what_the_referee_refuses_goes_back(ask: Callable[..., Plans]) -> None:
    """An illegal proposal goes back to the model, which is asked again, until one stands."""
    model = Scripted(best(ILLEGAL, 2), best((*ILLEGAL, *ILLEGAL), 2), best(BOTH, 2))
    found = ask(model)
    assert model.refused == [ILLEGAL, (*ILLEGAL, *ILLEGAL)]
    assert (found.status, found.plans[0].log) == ("OPTIMAL", BOTH)


UNKNOWN = (walk("w0", "B1"), walk("w0", "B2"))


def test_what_is_not_modelled_is_left_out(ask: Callable[..., Plans]) -> None:
    """A proposal that unmodelled clauses cost leaves it open whether there is a plan, and a better."""
    assert check(scene(), UNKNOWN).status == "UNSUPPORTED"
    found = ask(Scripted(best(UNKNOWN, 1)))
    assert (found.status, found.space.left_out) == ("UNSUPPORTED", ("T6",))
    found = ask(Scripted(best(UNKNOWN, 2), best(BOTH, 2)))
    assert (found.status, found.space.left_out) == ("OPTIMAL", ("T6",))
    found = ask(Scripted(best(ILLEGAL, 1)))
    assert (found.status, found.space.left_out) == ("IMPOSSIBLE", ())
    found = ask(Scripted(best((*ILLEGAL, *UNKNOWN), 1)))
    assert (found.status, found.space.left_out) == ("IMPOSSIBLE", ())


def test_why_tells_what_is_not_modelled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where an unmodelled clause cost a proposal, nothing is called impossible."""
    monkeypatch.setattr(RULEBOOK, "plan_models", lambda *_: [Scripted(best(UNKNOWN, 1))])
    found = why(scene(), GOAL, space="scripted", most=0)
    assert found.space is not None
    assert (found.status, found.space.left_out) == ("UNSUPPORTED", ("T6",))


@pytest.mark.parametrize(
    ("goal", "rolls", "log"),
    [
        (Goal(aims=(RED,), avoid=("B1",)), "pass", OVER),
        (Goal(aims=(RED,), movers=("w1",)), "pass", OVER),
        (Goal(aims=(msgspec.structs.replace(RED, must=2),)), "pass", OVER),
        (GOAL, "pass", MUD[:1]),
        (GOAL, "avoid", MUD),
    ],
    ids=["avoid", "stranger", "must", "roll not settled", "roll"],
)
def test_what_the_goal_forbids_goes_back(
    goal: Goal, rolls: str, log: tuple[Action, ...], ask: Callable[..., Plans]
) -> None:
    """So does a legal one that enters what is to be avoided, moves others, misses a must, or rolls."""
    model = Scripted(best(log, 1))
    found = ask(model, goal, rolls=rolls)
    assert (found.status, found.plans, model.refused) == ("IMPOSSIBLE", (), [log])


def test_a_claim_too_high_goes_back_and_the_plan_is_kept(ask: Callable[..., Plans]) -> None:
    """A plan worth less than claimed goes back; it is the best once no other can be better."""
    model = Scripted(best(OVER, 2), best(MUD, 1))
    found = ask(model)
    assert model.refused == [OVER]
    assert (found.status, found.plans[0].log, found.plans[0].bound) == ("OPTIMAL", OVER, (1,))
    found = ask(Scripted(best(OVER, 2)))
    assert (found.status, found.plans[0].log, found.plans[0].bound) == ("OPTIMAL", OVER, (1,))


@pytest.mark.parametrize(
    "model",
    [
        Scripted(best(OVER, 0)),
        Scripted(best(None, 0), quick=[OVER]),
        Scripted(Proposal("IMPOSSIBLE", None, None), quick=[OVER]),
        Scripted(best((Event(),), 1)),
    ],
    ids=["worth more than claimed", "beyond the bound", "impossible", "an event"],
)
def test_a_model_that_is_no_relaxation_is_an_error(
    model: Scripted, ask: Callable[..., Plans]
) -> None:
    """A plan that a model's claims exclude is a bug of ours, and no answer."""
    with pytest.raises(InternalError):
        ask(model)


def test_criteria_in_order_are_tasks_in_turn(ask: Callable[..., Plans]) -> None:
    """Each criterion is sought within what those before it reached."""
    model = Scripted(best(BOTH, 2), best(BOTH, -6))
    found = ask(model, POINTS)
    assert [tuple(map(dict, task)) for task in model.tasks] == [
        ({"value": 1}, {}, {}), ({"points": -1}, {"value": 2}, {}),
    ]  # fmt: skip
    assert (found.plans[0].reached, found.plans[0].bound) == ((2, 6), (2, 6))


def test_weights_are_one_task(ask: Callable[..., Plans]) -> None:
    """Weights make one sum, in which all but the value count against it."""
    goal = Goal(aims=(RED,), weights={"value": 3, "points": 1, "moved": 0})
    model = Scripted(best(OVER, 5))
    found = ask(model, goal)
    assert model.tasks[0].weights == {"value": 6, "points": -1}  # a point is two half points
    assert (found.plans[0].sought, found.plans[0].reached) == (("sum",), (5,))


def test_feasible_has_a_bound(ask: Callable[..., Plans]) -> None:
    """What is not proved is FEASIBLE with a bound, which is known before any model is asked."""
    unknown = Proposal("UNKNOWN", None, None)
    found = ask(Scripted(unknown, unknown, quick=[OVER]), POINTS)
    (one,) = found.plans
    assert (found.status, one.reached, one.bound) == ("FEASIBLE", (1, 1), (2, 0))
    assert not found.complete
    found = ask(Scripted(best(OVER, 1), Proposal("FEASIBLE", OVER, None)), POINTS)
    assert (found.status, found.plans[0].bound) == ("FEASIBLE", (1, 0))


def test_what_is_not_proved_is_still_made_better(ask: Callable[..., Plans]) -> None:
    """Where one criterion is not proved, the next are sought within what was reached in it."""
    model = Scripted(
        Proposal("FEASIBLE", MUD, None), best(OVER, -1), quick=[MUD],
    )  # fmt: skip
    found = ask(model, POINTS)
    assert (found.status, found.plans[0].log) == ("FEASIBLE", OVER)
    assert found.plans[0].bound == (2, 1)


def test_a_limit_is_unknown_and_never_impossible(ask: Callable[..., Plans]) -> None:
    """With nothing found when the limit is reached nothing is known."""
    asked = Scripted(Proposal("UNKNOWN", None, None))
    assert ask(asked).status == "UNKNOWN"
    assert ask(Scripted(), limit=0.0).status == "UNKNOWN"
    model = Scripted(*[best(ILLEGAL, 2)] * 2000)
    found = ask(model, limit=0.5)
    assert (found.status, found.bound) == ("UNKNOWN", (("value", 2),))
    assert ask(Scripted()).status == "IMPOSSIBLE"


def test_ctrl_c_returns_the_best_so_far(ask: Callable[..., Plans]) -> None:
    """Ctrl-C in the middle of a solve ends the search with the best plan replayed so far."""

    def interrupted(_: Task, control: Control) -> Proposal:
        control.found(BOTH[:1])
        control.bounded(2)
        model = pigeons()  # made before, so that Ctrl-C meets the solver
        timer = threading.Timer(0.3, _thread.interrupt_main)
        timer.start()
        solve(model, "logic", limit=1e9, stop=control.stop)
        raise AssertionError

    found = ask(Scripted(interrupted, quick=[()]), POINTS)
    assert (found.status, found.plans[0].log) == ("FEASIBLE", OVER)
    assert found.plans[0].verdict.status == "LEGAL"


def test_a_roll_that_is_not_passed_is_no_plan() -> None:
    """A log that settles a roll as failed does not stand: plans take rolls to be passed."""
    goal = checked_goal(GOAL, scene())
    stuck = (walk("w1", "A2"), Settle("mud:w1", "stuck"))
    assert check(scene(), stuck).status == "LEGAL"
    assert not Judge(scene(), goal, "pass").trial(stuck).stands
    assert Judge(scene(), goal, "pass").trial(MUD).stands


def interrupt(*_: object, **__: object) -> Any:
    """Do as if Ctrl-C were pressed."""
    raise KeyboardInterrupt


def test_ctrl_c_while_a_first_plan_is_made(ask: Callable[..., Plans]) -> None:
    """What was found before is kept."""

    class Slow(Scripted):
        def quick(self) -> Iterable[tuple[Action, ...]]:
            yield OVER
            interrupt()

    found = ask(Slow())
    assert (found.status, found.plans[0].log, found.unsettled) == ("FEASIBLE", OVER, "stop")


def test_ctrl_c_while_a_plan_is_given_out(ask: Callable[..., Plans]) -> None:
    """Plans given out before that are told; that there are no more is not proved."""

    class Slow(Scripted):
        differ = interrupt

    found = ask(Slow(best(BOTH, 2), best(OVER, 1)), best=3)
    assert [one.log for one in found.plans] == [BOTH]
    assert (found.status, found.complete) == ("OPTIMAL", False)


def test_ctrl_c_while_the_model_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then the plan is that nobody moves, if the goal allows it; else nothing is known."""
    monkeypatch.setattr(RULEBOOK, "plan_models", interrupt)
    found = plan(scene(), GOAL)
    assert (found.status, found.plans[0].log, found.unsettled) == ("FEASIBLE", (), "stop")
    must = Goal(aims=(msgspec.structs.replace(RED, must=2),))
    found = plan(scene(), must)
    assert (found.status, found.plans, found.unsettled) == ("UNKNOWN", (), "stop")
    assert why(scene(), must).status == "UNKNOWN"


@pytest.mark.parametrize("ends", [interrupt, lambda *_: work(1e9)])
def test_what_ends_while_a_barred_space_is_made(ends: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a space that clauses bar is made when the limit is reached, why tells what it has found."""
    monkeypatch.setattr(RULEBOOK, "barred_models", ends)
    found = why(scene(), CROWDED)
    assert (found.status, found.unsettled is None) == ("UNSUPPORTED", False)


@pytest.mark.parametrize("ends", [interrupt, lambda *_: work(1e9)])
def test_what_ends_while_repairs_are_listed(ends: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the limit is reached as the rulebook lists what would help, why tells the rest."""
    monkeypatch.setattr(RULEBOOK, "repairs", ends)
    found = why(scene(), CROWDED)
    assert found.status == "UNSUPPORTED"


@pytest.mark.usefixtures("_no_clock")
def test_the_limit_counts_what_comes_before_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    A limit that reach alone uses up leaves the plan in which nobody moves, with a bound.

    But for a little time that a first plan always has.
    """
    assert plan(scene(), GOAL, space="alone", limit=0.001).plans[0].log == BOTH
    monkeypatch.setattr(search, "AT_ONCE", 0.0)
    few = plan(scene(), GOAL, space="alone", limit=0.001)
    assert (few.status, few.plans[0].log, few.unsettled) == ("FEASIBLE", (), "limit")
    assert plan(scene(), GOAL, space="alone").status == "OPTIMAL"


def test_equal_limits_give_equal_answers() -> None:
    """What is known from an earlier question counts as if it had to be found."""
    used = []
    for _ in range(2):
        budget = Budget(60, Stop())
        with lent(budget):
            AloneModel(scene(), checked_goal(GOAL, scene()), "pass").problem  # noqa: B018
        used.append(budget.used)
    assert used[0] == used[1] > 0


def test_stop_returns_the_best_so_far(ask: Callable[..., Plans]) -> None:
    """So does a stop from anywhere."""
    stop = Stop()

    def seen(news: Progress | Stage) -> None:
        if isinstance(news, Progress) and news.best == 1:
            stop.request()

    model = Scripted(quick=[(), OVER])
    with watched(seen):
        found = ask(model, stop=stop)
    assert (found.status, found.plans[0].log, model.tasks) == ("FEASIBLE", OVER, [])


def test_several_plans_differ(ask: Callable[..., Plans]) -> None:
    """Each further plan is the best that differs; that there is no other is proved at the end."""
    model = Scripted(best(BOTH, 2), best(OVER, 1), best((), 0))
    found = ask(model, best=5)
    assert [one.log for one in found.plans] == [BOTH, OVER, ()]
    assert (model.different, found.complete) == ([BOTH, OVER, ()], True)
    assert not ask(Scripted(best(BOTH, 2), best(OVER, 1)), best=2).complete


def test_a_plan_that_does_not_differ_goes_back(ask: Callable[..., Plans]) -> None:
    """A proposal with the same last Locations and points as one given out is not another plan."""
    swapped = (*MUD, *OVER)
    model = Scripted(best(BOTH, 2), best(swapped, 2), best(OVER, 1))
    found = ask(model, best=2)
    assert ([one.log for one in found.plans], model.refused) == ([BOTH, OVER], [swapped])


def test_a_front(ask: Callable[..., Plans]) -> None:
    """Each point of a front is better than those before it in the second criterion."""
    model = Scripted(best(BOTH, 2), best(BOTH, -6), best(OVER, 1), best(OVER, -1), best((), 0))
    found = ask(model, pareto=("value", "points"))
    assert [one.reached for one in found.plans] == [(2, 6), (1, 1), (0, 0)]
    assert [dict(task.most) for task in model.tasks if "value" in task.weights][-1] == {
        "points": -1
    }
    assert (found.status, found.complete) == ("OPTIMAL", True)


@pytest.mark.parametrize(
    ("options", "field"),
    [({"space": "convoy"}, "space"), ({"best": 0}, "best"), ({"pareto": ("value", "value")}, "pareto"),
     ({"pareto": ("value", "points"), "best": 2}, "best")],
)  # fmt: skip
def test_bad_questions(options: dict[str, Any], field: str) -> None:
    """A space that there is not, no plans at all, or a front of one criterion is bad input."""
    with pytest.raises(BadInputError) as caught:
        plan(scene(), GOAL, **options)
    assert caught.value.field == field


def test_nothing_may_be_pending() -> None:
    """A plan starts once every roll is settled."""
    roll = Obligation("mud:w0", "T4", "w0", (Odds("through", 1, 1),))
    with pytest.raises(BadInputError, match="settle mud:w0 first"):
        plan(scene(pending=(roll,)), GOAL)


def test_a_space_is_chosen_by_name(ask: Callable[..., Plans]) -> None:
    """The rulebook's own models come first, the one for units that move alone is always there."""
    assert ask(Scripted(best(OVER, 1)), space=None).space.name == "scripted"
    assert ask(Scripted(), space="alone").space.name == "alone"


def test_where_the_first_model_has_no_plan_the_others_are_asked(
    ask: Callable[..., Plans], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of models not asked for by name the first that has a plan tells it; none has: the first's answer."""
    goal = Goal(aims=(msgspec.structs.replace(RED, must=2),), order=("value",))
    assert ask(Scripted(), goal, space=None).space.name == "alone"
    assert ask(Scripted(), goal, space="scripted").status == "IMPOSSIBLE"
    too_many = Goal(aims=(Aim(side="red", exit=("A1",), must="all"),))
    found = ask(Scripted(), too_many, space=None)
    assert (found.status, found.space.name) == ("IMPOSSIBLE", "scripted")
    monkeypatch.setattr(RULEBOOK, "plan_models", lambda *_: [Scripted()])
    told = why(scene(), goal)
    assert told.space is not None
    assert (told.status, told.space.name) == ("LEGAL", "alone")


# -- how it is proved ------------------------------------------------------------------------------


def by_solving(task: Task, control: Control) -> Proposal:
    """Propose a log that CP-SAT claims to be the best."""
    assert task.weights
    assert control.left() > 0
    model = cp_model.CpModel()
    model.maximize(model.new_int_var(0, 1, ""))
    return best(OVER, solve(model, "logic").bound)


def test_how_a_plan_is_proved(ask: Callable[..., Plans]) -> None:
    """A claim of CP-SAT's is confirmed by a second solve; bounds of our own need none."""
    assert ask(Scripted(best(OVER, 1))).plans[0].proof == "bound"
    assert ask(Scripted(by_solving)).plans[0].proof == "second solve"
    assert ask(Scripted(by_solving), confirm=False).plans[0].proof == "unconfirmed"
    assert ask(Scripted(best(OVER, 2)), limit=0.0).plans == ()
    assert ask(Scripted()).proof == "bound"


def test_a_claim_that_is_refuted_is_an_error(
    ask: Callable[..., Plans], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a second solve disagrees there is no answer, but an error that names question and model."""

    def refuted(*_: object, **__: object) -> None:
        raise Disagreement(Path("model.pb.txt"))

    monkeypatch.setattr(search, "confirm", refuted)
    with pytest.raises(InternalError, match=r"space scripted, .*model is in model\.pb\.txt"):
        ask(Scripted(by_solving))


# -- several spaces ----------------------------------------------------------------------------------


@pytest.fixture
def among(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Plans]:
    """Return a function that plans with scripted models of several spaces, none of which is named."""

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
    """Return what came of each space searched."""
    return [one.status for one in found.searched]


def test_the_best_plan_of_several_spaces(among: Callable[..., Plans]) -> None:
    """All that fit are searched: the better plan of a later space is the answer."""
    first, second = Scripted(best(OVER, 1)), Scripted(best(BOTH, 2))
    found = among(first, second)
    assert (found.status, found.plans[0].log) == ("OPTIMAL", BOTH)
    assert statuses(found) == ["OPTIMAL", "OPTIMAL"]
    assert [task.least for task in second.tasks] == [{"value": 1}]  # it starts from that plan
    assert not first.tasks[0].least


def test_a_later_space_without_a_better_plan(among: Callable[..., Plans]) -> None:
    """Where it has no plan that is as good, or none that is better, the first is the answer."""
    for other in (Scripted(), Scripted(best(MUD, 1))):
        found = among(Scripted(best(OVER, 1)), other)
        assert (found.status, found.plans[0].log) == ("OPTIMAL", OVER)
        assert statuses(found) == ["OPTIMAL", "NO BETTER"]


def test_bounds_of_a_known_plan_end_where_another_is_better(among: Callable[..., Plans]) -> None:
    """What is better in an earlier criterion need not be as good in a later one."""
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
    """Together they may spend what was spent until there was a plan; each says how much it had."""

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
    """Where the share ends while a better plan is at hand, what is being asked goes on."""
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
    """What it has proved is not asked again: a better plan raises its limit at once."""
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
    """Of two spaces with equally good plans the one that proves it is the answer."""
    found = among(Scripted(Proposal("FEASIBLE", OVER, 2)), Scripted(best(OVER, 1)))
    assert (found.status, found.space.name) == ("OPTIMAL", "space-1")
    assert statuses(found) == ["FEASIBLE", "OPTIMAL"]


@pytest.fixture
def contained(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the second space contain the first."""
    monkeypatch.setattr(type(RULEBOOK), "spaces", {"space-1": Space(contains=("space-0",))})


@pytest.mark.usefixtures("contained")
def test_a_larger_space_has_the_plan_of_the_one_it_contains(among: Callable[..., Plans]) -> None:
    """It never has a worse plan or status, however little it finds itself, and by name either."""

    def smaller() -> Scripted:
        return Scripted(best(OVER, 1), best(OVER, points_of(OVER)))

    for named in (None, "space-1"):
        second = Scripted(best(OVER, 1), best(OVER, points_of(OVER)), quick=[()])
        found = among(smaller(), second, goal=POINTS, space=named)
        assert (found.status, found.plans[0].log) == ("OPTIMAL", OVER)
        assert not second.refused
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
    """What it takes from it is proved no better than it is there."""
    found = among(Scripted(by_solving), Scripted(best(BOTH, 2)), space="space-1")
    assert (found.status, found.plans[0].proof) == ("OPTIMAL", "second solve")
    found = among(Scripted(), Scripted(), space="space-1")
    assert (found.status, found.proof) == ("IMPOSSIBLE", "bound")


def test_impossible_only_if_every_space_was_searched(
    among: Callable[..., Plans], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A space that was not searched to its end might have a plan: then nothing is called impossible."""
    spaces = {"space-0": Space(contains=("alone",)), "space-1": Space("walkers")}
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
    spaces = {"space-1": Space(contains=("space-0", "alone"))}
    monkeypatch.setattr(type(RULEBOOK), "spaces", spaces)
    doubt = Proposal("UNKNOWN", None, None)
    found = among(Scripted(), Scripted(doubt))
    assert (found.status, found.unsettled, found.space.name) == ("UNKNOWN", "others", "space-1")
    found = among(Scripted(doubt), Scripted())
    assert (found.status, found.proof, found.space.name) == ("IMPOSSIBLE", "bound", "space-1")
    assert statuses(found) == ["UNKNOWN", "IMPOSSIBLE"]


def test_several_plans_are_of_one_space(among: Callable[..., Plans]) -> None:
    """Of several plans, and of a front, the first space that has any is the only one."""
    second = Scripted(best(BOTH, 2))
    found = among(Scripted(best(OVER, 1)), second, best=2)
    assert (statuses(found), second.tasks) == (["OPTIMAL"], [])
