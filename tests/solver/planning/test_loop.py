"""How the planner treats a model's proposals: nothing is a plan until the referee says so."""

from __future__ import annotations

import _thread
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from marchtable.answers.plan import plans_data
from marchtable.budget import Budget, Stage, budget_scope, now_and_then, watched, work
from marchtable.cpsat.confirm import Disagreement
from marchtable.cpsat.harness import Stop, solve
from marchtable.errors import BadInputError, InternalError
from marchtable.planning import search
from marchtable.planning.alone import AloneModel
from marchtable.planning.goals import checked_goal
from marchtable.planning.loop import Plans, plan
from marchtable.planning.search import Progress
from marchtable.planning.trials import Judge
from marchtable.planning.why import why
from marchtable.rules.plan_model import Proposal
from marchtable.rules.referee import check
from marchtable.state.action import Action, Event, Settle
from marchtable.state.goal import Aim, Goal
from marchtable.state.position import Obligation, Odds
from marchtable_toy import RULEBOOK
from tests.solver.planning.scripted import (
    BOTH,
    CROWDED,
    GOAL,
    ILLEGAL,
    MUD,
    OVER,
    POINTS,
    RED,
    Scripted,
    best,
    by_solving,
)
from tests.solver.test_cpsat import pigeons
from tests.toy_scene import scene, walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from marchtable.rules.plan_model import Control, Task


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Plans]:
    """Return a function that plans with a scripted model."""

    def asked(model: Scripted, goal: Goal = GOAL, **options: Any) -> Plans:
        monkeypatch.setattr(RULEBOOK, "plan_models", lambda *_: [model])
        return plan(scene(), goal, **{"space": "scripted", **options})

    return asked


def test_a_plan_is_proved_once_it_reaches_the_bound(ask: Callable[..., Plans]) -> None:
    """A valid proposal worth its claim is OPTIMAL, and its bound is that value."""
    found = ask(Scripted(best(OVER, 1)))
    (one,) = found.plans
    assert (found.status, one.status, one.log) == ("OPTIMAL", "OPTIMAL", OVER)
    assert (one.sought, one.reached, one.bound) == (("value",), (1,), (1,))
    assert one.verdict.status == "LEGAL"


def test_what_the_referee_rejects_goes_back(ask: Callable[..., Plans]) -> None:
    """An illegal proposal goes back to the model, which is asked again until one is valid."""
    model = Scripted(best(ILLEGAL, 2), best((*ILLEGAL, *ILLEGAL), 2), best(BOTH, 2))
    found = ask(model)
    assert model.rejected == [ILLEGAL, (*ILLEGAL, *ILLEGAL)]
    assert (found.status, found.plans[0].log) == ("OPTIMAL", BOTH)


UNKNOWN = (walk("w0", "B1"), walk("w0", "B2"))


def test_what_is_not_modelled_is_left_out(ask: Callable[..., Plans]) -> None:
    """A proposal lost to unmodelled clauses leaves it open whether there is a plan, or a better one."""
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
    """If an unmodelled clause cost a proposal, nothing is called impossible."""
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
    """So does a legal one that enters a place to avoid, moves others, misses a must, or rolls."""
    model = Scripted(best(log, 1))
    found = ask(model, goal, rolls=rolls)
    assert (found.status, found.plans, model.rejected) == ("IMPOSSIBLE", (), [log])


def test_a_claim_too_high_goes_back_and_the_plan_is_kept(ask: Callable[..., Plans]) -> None:
    """A plan worth less than claimed goes back; it is the best once no other can be better."""
    model = Scripted(best(OVER, 2), best(MUD, 1))
    found = ask(model)
    assert model.rejected == [OVER]
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
    """A plan that a model's claims exclude is an internal error, not an answer."""
    with pytest.raises(InternalError):
        ask(model)


def test_criteria_in_order_are_tasks_in_turn(ask: Callable[..., Plans]) -> None:
    """Each criterion is optimized within the results of those before it."""
    model = Scripted(best(BOTH, 2), best(BOTH, -6))
    found = ask(model, POINTS)
    assert [tuple(map(dict, task)) for task in model.tasks] == [
        ({"value": 1}, {}, {}), ({"points": -1}, {"value": 2}, {}),
    ]  # fmt: skip
    assert (found.plans[0].reached, found.plans[0].bound) == ((2, 6), (2, 6))


def test_weights_are_one_task(ask: Callable[..., Plans]) -> None:
    """Weights make one sum, in which all but the value count negatively."""
    goal = Goal(aims=(RED,), weights={"value": 3, "points": 1, "moved": 0})
    model = Scripted(best(OVER, 5))
    found = ask(model, goal)
    assert model.tasks[0].weights == {"value": 6, "points": -1}  # a point is two half points
    assert (found.plans[0].sought, found.plans[0].reached) == (("sum",), (5,))


def test_feasible_has_a_bound(ask: Callable[..., Plans]) -> None:
    """An unproved plan is FEASIBLE with a bound, known before any model is asked."""
    unknown = Proposal("UNKNOWN", None, None)
    found = ask(Scripted(unknown, unknown, quick=[OVER]), POINTS)
    (one,) = found.plans
    assert (found.status, one.reached, one.bound) == ("FEASIBLE", (1, 1), (2, 0))
    assert not found.complete
    found = ask(Scripted(best(OVER, 1), Proposal("FEASIBLE", OVER, None)), POINTS)
    assert (found.status, found.plans[0].bound) == ("FEASIBLE", (1, 0))


def test_what_is_not_proved_is_still_made_better(ask: Callable[..., Plans]) -> None:
    """If one criterion is not proved, the next are optimized within its result."""
    model = Scripted(
        Proposal("FEASIBLE", MUD, None), best(OVER, -1), quick=[MUD],
    )  # fmt: skip
    found = ask(model, POINTS)
    assert (found.status, found.plans[0].log) == ("FEASIBLE", OVER)
    assert found.plans[0].bound == (2, 1)


def test_a_limit_is_unknown_and_never_impossible(ask: Callable[..., Plans]) -> None:
    """If nothing is found by the limit, the answer is UNKNOWN."""
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
        model = pigeons()  # made before, so that Ctrl-C hits the solver
        timer = threading.Timer(0.3, _thread.interrupt_main)
        timer.start()
        solve(model, "logic", limit=1e9, stop=control.stop)
        raise AssertionError

    found = ask(Scripted(interrupted, quick=[()]), POINTS)
    assert (found.status, found.plans[0].log) == ("FEASIBLE", OVER)
    assert found.plans[0].verdict.status == "LEGAL"


def test_a_roll_that_is_not_passed_is_no_plan() -> None:
    """A log that settles a roll as failed is invalid: plans assume passed rolls."""
    goal = checked_goal(GOAL, scene())
    stuck = (walk("w1", "A2"), Settle("mud:w1", "stuck"))
    assert check(scene(), stuck).status == "LEGAL"
    assert not Judge(scene(), goal, "pass").trial(stuck).stands
    assert Judge(scene(), goal, "pass").trial(MUD).stands


@pytest.mark.parametrize("known", [[OVER, MUD], [MUD, OVER]])
def test_at_a_limit_all_criteria_count(
    known: list[tuple[Action, ...]], ask: Callable[..., Plans]
) -> None:
    """If the limit ends the first criterion's search, equal plans are compared by the others."""
    found = ask(Scripted(quick=known), POINTS, limit=0)
    assert (found.status, found.plans[0].log) == ("FEASIBLE", OVER)


def interrupt(*_: object, **__: object) -> Any:
    """Simulate Ctrl-C."""
    raise KeyboardInterrupt


def test_ctrl_c_while_a_first_plan_is_made(ask: Callable[..., Plans]) -> None:
    """Earlier results are kept."""

    class Slow(Scripted):
        def quick(self) -> Iterable[tuple[Action, ...]]:
            yield OVER
            interrupt()

    found = ask(Slow())
    assert (found.status, found.plans[0].log, found.unsettled) == ("FEASIBLE", OVER, "stop")


def test_ctrl_c_while_a_plan_is_given_out(ask: Callable[..., Plans]) -> None:
    """Plans found before are listed; completeness is not proved."""

    class Slow(Scripted):
        differ = interrupt

    found = ask(Slow(best(BOTH, 2), best(OVER, 1)), best=3)
    assert [one.log for one in found.plans] == [BOTH]
    assert (found.status, found.complete) == ("OPTIMAL", False)


def test_ctrl_c_while_the_model_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then the plan is that no unit moves, if the goal allows it; otherwise nothing is known."""
    monkeypatch.setattr(RULEBOOK, "plan_models", interrupt)
    found = plan(scene(), GOAL)
    assert (found.status, found.plans[0].log, found.unsettled) == ("FEASIBLE", (), "stop")
    must = Goal(aims=(msgspec.structs.replace(RED, must=2),))
    found = plan(scene(), must)
    assert (found.status, found.plans, found.unsettled) == ("UNKNOWN", (), "stop")
    assert why(scene(), must).status == "UNKNOWN"


@pytest.mark.parametrize("ends", [interrupt, lambda *_: work(1e9)])
def test_what_ends_while_a_barred_space_is_made(ends: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the limit is reached while a blocked space is built, why reports its findings."""
    monkeypatch.setattr(RULEBOOK, "barred_models", ends)
    found = why(scene(), CROWDED)
    assert (found.status, found.unsettled is None) == ("UNSUPPORTED", False)


@pytest.mark.parametrize("ends", [interrupt, lambda *_: work(1e9)])
def test_what_ends_while_repairs_are_listed(ends: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the limit is reached while the rulebook lists repairs, why reports the rest."""
    monkeypatch.setattr(RULEBOOK, "repairs", ends)
    found = why(scene(), CROWDED)
    assert found.status == "UNSUPPORTED"


@pytest.mark.usefixtures("_no_clock")
def test_the_limit_counts_what_comes_before_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    """If reach alone uses up the limit, the plan is that no unit moves, with a bound.

    A first plan always gets a little time.
    """
    assert plan(scene(), GOAL, space="alone", limit=0.001).plans[0].log == BOTH
    monkeypatch.setattr(search, "AT_ONCE", 0.0)
    few = plan(scene(), GOAL, space="alone", limit=0.001)
    assert (few.status, few.plans[0].log, few.unsettled) == ("FEASIBLE", (), "limit")
    assert plan(scene(), GOAL, space="alone").status == "OPTIMAL"


def test_equal_limits_give_equal_answers() -> None:
    """What an earlier question cached counts as if computed anew."""
    used = []
    for _ in range(2):
        budget = Budget(60, Stop())
        with budget_scope(budget):
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


@pytest.mark.parametrize(
    ("stated", "worth"),
    [
        ({"order": ("points",)}, {"points": 3}),
        ({"order": ("distance", "moved", "points")}, {"distance": 0, "moved": 2, "points": 3}),
        ({"order": ("value", "points", "moved")}, {"value": 2, "points": 3, "moved": 2}),
        ({"weights": {"points": 1}}, {"sum": -3}),
        ({"weights": {"value": 3, "points": 1, "moved": 1}}, {"sum": 1}),
    ],
)
def test_progress_is_in_the_units_of_the_answer(
    stated: dict[str, Any], worth: dict[str, float]
) -> None:
    """The last best and bound of each criterion or sum are the answer's: points, not negated."""
    seen: dict[str, Progress] = {}

    def keep(news: Progress | Stage) -> None:
        if isinstance(news, Progress):
            seen[str(news.criterion)] = news

    aim = Aim(side="red", at=("B1", "A2"), must="all")
    with watched(keep):
        found = plan(scene(), Goal(aims=(aim,), **stated), space="alone")
    answer = plans_data(scene(), found)
    assert {name: answer["objective"][name] for name in worth} == worth == answer["bound"]
    assert {name: news.best for name, news in seen.items()} == worth
    assert {name: news.bound for name, news in seen.items()} == worth
    assert all("gap 0;" in news.line for news in seen.values())


def test_the_gap_is_how_far_the_plan_is_from_its_bound(ask: Callable[..., Plans]) -> None:
    """A plan of 3 points with a bound of 1 has a gap of 2, in the line and the event."""
    seen: list[dict[str, Any]] = []
    goal = Goal(aims=(Aim(side="red", at=("B1", "A2"), must="all"),), order=("points",))

    def keep(news: Progress | Stage) -> None:
        if isinstance(news, Progress) and news.bound not in (0, news.best):
            now_and_then(seen.append)(news)

    with watched(keep):
        ask(Scripted(best(BOTH, -2), quick=[BOTH]), goal)
    event = {name: seen[-1][name] for name in ("best", "bound", "gap")}
    assert event == {"best": 3, "bound": 1, "gap": 2}
    assert "; gap 2; time" in seen[-1]["line"]


def test_progress_without_an_amount_lists_none() -> None:
    """`why` looks for any plan, and for cheap repairs: its events have no best, bound or gap."""
    seen: list[dict[str, Any]] = []
    lines = set()

    def keep(news: Progress | Stage) -> None:
        if isinstance(news, Progress):
            now_and_then(seen.append)(news)
            lines.add(news.line.partition(";")[0])

    for place in ("B1", "A2"):
        with watched(keep):
            why(scene(), Goal(aims=(Aim(side="red", at=(place,), must="all"),)), space="alone")
    assert seen
    assert not {name for event in seen for name in event} & {"criterion", "best", "bound", "gap"}
    assert lines == {"searching for a plan that meets the goal"}


def test_several_plans_differ(ask: Callable[..., Plans]) -> None:
    """Each further plan is the best different one; that there is no other is proved at the end."""
    model = Scripted(best(BOTH, 2), best(OVER, 1), best((), 0))
    found = ask(model, best=5)
    assert [one.log for one in found.plans] == [BOTH, OVER, ()]
    assert (model.different, found.complete) == ([BOTH, OVER, ()], True)
    assert not ask(Scripted(best(BOTH, 2), best(OVER, 1)), best=2).complete


def test_a_plan_that_does_not_differ_goes_back(ask: Callable[..., Plans]) -> None:
    """A proposal with the same last Locations and points as an earlier plan does not differ."""
    swapped = (*MUD, *OVER)
    model = Scripted(best(BOTH, 2), best(swapped, 2), best(OVER, 1))
    found = ask(model, best=2)
    assert ([one.log for one in found.plans], model.rejected) == ([BOTH, OVER], [swapped])


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
    """An unknown space, zero plans, or a front of one criterion is bad input."""
    with pytest.raises(BadInputError) as caught:
        plan(scene(), GOAL, **options)
    assert caught.value.field == field


def test_nothing_may_be_pending() -> None:
    """A plan starts only with every roll settled."""
    roll = Obligation("mud:w0", "T4", "w0", (Odds("through", 1, 1),))
    with pytest.raises(BadInputError, match="settle mud:w0 first"):
        plan(scene(pending=(roll,)), GOAL)


def test_a_space_is_chosen_by_name(ask: Callable[..., Plans]) -> None:
    """The rulebook's own models come first; the one for units that move alone always exists."""
    assert ask(Scripted(best(OVER, 1)), space=None).space.name == "scripted"
    assert ask(Scripted(), space="alone").space.name == "alone"


def test_where_the_first_model_has_no_plan_the_others_are_asked(
    ask: Callable[..., Plans], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of models not requested by name the first with a plan answers; if none has one, the first."""
    goal = Goal(aims=(msgspec.structs.replace(RED, must=2),), order=("value",))
    assert ask(Scripted(), goal, space=None).space.name == "alone"
    assert ask(Scripted(), goal, space="scripted").status == "IMPOSSIBLE"
    too_many = Goal(aims=(Aim(side="red", exit=("A1",), must="all"),))
    found = ask(Scripted(), too_many, space=None)
    assert (found.status, found.space.name) == ("IMPOSSIBLE", "scripted")
    monkeypatch.setattr(RULEBOOK, "plan_models", lambda *_: [Scripted()])
    result = why(scene(), goal)
    assert result.space is not None
    assert (result.status, result.space.name) == ("LEGAL", "alone")


# -- how it is proved ------------------------------------------------------------------------------


def test_how_a_plan_is_proved(ask: Callable[..., Plans]) -> None:
    """A CP-SAT claim is confirmed by a second solve; our own bounds need none."""
    assert ask(Scripted(best(OVER, 1))).plans[0].proof == "bound"
    assert ask(Scripted(by_solving)).plans[0].proof == "second solve"
    assert ask(Scripted(by_solving), confirm=False).plans[0].proof == "unconfirmed"
    assert ask(Scripted(best(OVER, 2)), limit=0.0).plans == ()
    assert ask(Scripted()).proof == "bound"


def test_a_claim_that_is_refuted_is_an_error(
    ask: Callable[..., Plans], monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a second solve disagrees there is an error that names question and model, and no answer."""

    def refuted(*_: object, **__: object) -> None:
        raise Disagreement(Path("model.pb.txt"))

    monkeypatch.setattr(search, "confirm", refuted)
    with pytest.raises(InternalError, match=r"space scripted, .*model is in model\.pb\.txt"):
        ask(Scripted(by_solving))
