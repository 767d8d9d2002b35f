"""``why``: what is wrong with a log, or what forbids a goal and what would help."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from marchtable.arguments import public
from marchtable.budget import Budget, budget_scope, heeding, patience
from marchtable.cpsat.harness import LIMIT
from marchtable.errors import BadInputError
from marchtable.planning.finding import contained_in, may_be_more
from marchtable.planning.goals import checked_goal, places_of, units_of, wanted_twice
from marchtable.planning.loop import leaving_out, unsettled_by, without_plan
from marchtable.planning.plans import Plans
from marchtable.planning.reasons import ANY
from marchtable.planning.repairs import Repair, repairs
from marchtable.planning.slack import Slack, slack
from marchtable.planning.solver import Solver
from marchtable.planning.trials import Judge
from marchtable.rules.clause import without
from marchtable.rules.dependencies import tracking
from marchtable.rules.plan_model import Reason
from marchtable.rules.referee import check
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.goal import Goal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.cpsat.confirm import Proof
    from marchtable.cpsat.harness import Stop
    from marchtable.planning.lift import Lift
    from marchtable.planning.search import Ending, Search
    from marchtable.rules.plan_model import NoConflict, PlanSpace, Rolls, Unsettled
    from marchtable.rules.ruling import Verdict
    from marchtable.state.action import Action
    from marchtable.state.position import Position

__all__ = ["Why", "avoids_what_it_demands", "why"]

REPAIRS = 5
NO_MUST = (
    "no aim has `must`, so nothing can forbid this goal: give an aim `at` or `exit` with "
    '`must = "all"` or a number, or ask `plan` for the best that can be reached'
)


class Why(NamedTuple):
    """
    The answer to ``why``.

    Parameters
    ----------
    status
        Of a log ``LEGAL``, ``ILLEGAL`` or ``UNSUPPORTED``. Of a goal ``LEGAL`` if its musts can be
        met; else that of :func:`marchtable.planning.loop.plan`: ``IMPOSSIBLE`` if it is proved of
        every space that no plan meets them, ``UNSUPPORTED`` if unmodelled clauses leave it open,
        ``UNKNOWN`` if nothing is proved of some space.
    log, verdict
        The log, or a plan that meets the goal, and the referee's verdict on it.
    conflict
        A minimal set of clauses that forbid the goal; None if none is known. For ``UNSUPPORTED``
        without one, the unmodelled clauses that leave it open.
    repairs
        Changes that would make the goal possible, the cheapest first.
    slack
        The slack of a legal log, the tightest first.
    space
        The space searched for a goal; of several without a plan the first, or one that clauses
        alone leave empty, and which lists these.
    unsettled
        Why nothing is proved of a goal, or why repairs or slack are incomplete.
    enough
        Whether some plan of the space meets the goal once all clauses of the conflict are lifted;
        None if unknown.
    lift
        A smallest set of clauses whose lifting makes an impossible goal possible; None if there is
        none, or none was found within the limit.
    no_conflict
        Why a goal without a plan has no conflict. ``map``: the map, or the kind of plan searched,
        forbids it with every clause lifted that can be; ``space``: the space's policy excludes such
        plans though the clauses allow them; ``avoid``: the goal itself forbids every Location that
        it demands, or wants units in two places; ``limit``: no set was found in time; ``unproved``:
        of ``UNKNOWN``, it is not proved that there is no plan.
    proof
        How it is proved that no plan of the spaces meets a goal; None if it is not.
    twice
        Units that the goal itself demands in two places at once; then nothing is searched.
    open
        For ``UNKNOWN``, if `space` is proved to have no plan: the space of which nothing is proved.
        All else is about `space`.
    """

    status: Literal["LEGAL", "ILLEGAL", "IMPOSSIBLE", "UNKNOWN", "UNSUPPORTED"]
    log: tuple[Action, ...]
    verdict: Verdict | None
    conflict: tuple[Reason, ...] | None
    repairs: tuple[Repair, ...]
    slack: tuple[Slack, ...]
    space: PlanSpace | None
    unsettled: Unsettled | None = None
    enough: bool | None = None
    lift: Lift | None = None
    no_conflict: NoConflict | None = None
    proof: Proof | None = None
    twice: tuple[str, ...] = ()
    open: str | None = None


@public
def why(
    position: Position[Any, Any],
    question: Goal | Sequence[Action],
    *,
    space: str | None = None,
    rolls: Rolls = "pass",
    limit: float = LIMIT,
    seed: int = 0,
    stop: Stop | None = None,
    most: int = REPAIRS,
    confirm: bool = True,
) -> Why:
    """
    Return what is wrong with a log, or what forbids a goal.

    Parameters
    ----------
    position
        The starting position.
    question
        A log, or a goal.
    limit, stop
        As in :func:`marchtable.planning.loop.plan`.
    space, rolls, seed
        For a goal, as in :func:`marchtable.planning.loop.plan`.
    most
        The maximum number of repairs.
    confirm
        Whether to confirm that there is no plan, as in :func:`marchtable.planning.loop.plan`.

    Raises
    ------
    BadInputError
        If the log or the goal does not fit the position, the goal demands nothing, or there is no
        such space.
    """
    budget = Budget(limit, stop, seconds=patience(limit))
    if isinstance(question, str | dict) or not isinstance(question, Goal | Iterable):
        raise BadInputError(
            f"expected a goal or a log, got {question!r:.80}; marchtable.load_goal(path, position) and "
            "marchtable.load_log(path, position) read their files",
            field="question",
        )
    if not isinstance(question, Goal):
        log = question if isinstance(question, tuple) else tuple(question)
        return _why_of_log(position, log, budget)
    goal = checked_goal(question, position)
    with budget_scope(budget), tracking():
        return _why_of_goal(
            position, goal, Solver(space=space, rolls=rolls, budget=budget, seed=seed), most,
            confirms=confirm,
        )  # fmt: skip


def _why_of_log(position: Position[Any, Any], log: tuple[Action, ...], budget: Budget) -> Why:
    verdict = check(position, log)
    if verdict.status != "LEGAL":
        return Why(verdict.status, log, verdict, None, (), (), None)  # type: ignore[arg-type]
    room, unsettled = _room(position, log, budget)
    return Why("LEGAL", log, verdict, None, (), room, None, unsettled)


def _room(
    position: Position[Any, Any], log: tuple[Action, ...], budget: Budget
) -> tuple[tuple[Slack, ...], Unsettled | None]:
    """Return the slack of a log as far as examined, and why no farther."""
    found = slack(position, log, budget)
    if not budget.is_over:
        return tuple(found), None
    return tuple(found), "stop" if budget.stop.is_requested else "limit"


def _why_of_goal(
    position: Position[Any, Any], goal: Goal, solver: Solver, most: int, *, confirms: bool
) -> Why:
    endings = []
    for search in solver.searches(position, goal, confirms=confirms):
        if twice := wanted_twice(goal, position):
            return Why(
                "IMPOSSIBLE", (), None, (), (), (), search.space,
                no_conflict="avoid", proof="bound", twice=twice,
            )  # fmt: skip
        search.first()
        ending = search.optimum(ANY)
        if ending.trial is not None:
            if all(aim.must is None for aim in goal.aims):
                raise BadInputError(NO_MUST, field="aims")
            trial = search.leaner(ending.trial, alike=False)
            room, unsettled = _room(position, trial.log, solver.budget)
            return Why("LEGAL", trial.log, trial.verdict, None, (), room, search.space, unsettled)
        endings.append((search, ending))
    return _why_without_space(position, goal, solver, most, endings)


def _why_without_space(
    position: Position[Any, Any], goal: Goal, solver: Solver, most: int,
    endings: Sequence[tuple[Search, Ending]],
) -> Why:  # fmt: skip
    """Explain a goal for which no space has a plan: the clauses that forbid it, and helpful changes."""
    first, last = endings[0][0], endings[-1][0]
    answer = without_plan([_without(*each) for each in endings], partial(contained_in, position))
    is_cut = may_be_more(position, last.model.name, space=solver.space, budget=solver.budget)
    is_open = answer.status == "UNKNOWN"
    search = _explained(endings, answer)
    if search is None or is_cut or (is_open and solver.budget.is_over):
        cut_by = answer.unsettled or unsettled_by(first)
        return Why(
            "UNKNOWN", (), None, None, (), (), answer.space, cut_by, no_conflict="unproved"
        )  # fmt: skip
    if search is not first:  # look for help in the same space
        solver = solver.of(search.space.name)
    is_avoided = avoids_what_it_demands(position, goal)
    if answer.status == "UNSUPPORTED" and _acts_otherwise(position, goal):
        space = leaving_out(search.space, (n for one, _ in endings for n in one.space.left_out))
        open_ = tuple(Reason(clause=n, is_needed=False) for n in space.left_out)
        return Why("UNSUPPORTED", (), None, open_, (), (), space, proof=answer.proof)
    if is_avoided:
        conflict: tuple[Reason, ...] | None = ()
    else:
        search, conflict = _conflict(search, solver.barred(position, goal))
    space = search.space
    if answer.status == "UNSUPPORTED":
        space = leaving_out(space, (n for one, _ in endings for n in one.space.left_out))
    found = repairs(position, goal, solver, conflict or (), most, space.rolls)
    judge = Judge(position, goal, space.rolls)
    enough = _is_enough(judge, goal, solver, conflict or (), [repair.log for repair in found])
    lift = search.lift(conflict, [repair.log for repair in found]) if conflict else None
    is_unsure = bool(conflict) and lift is None and enough is None and not found
    unsettled = unsettled_by(search) if search.is_over or is_unsure else answer.unsettled
    nothing: NoConflict | None = "avoid" if is_avoided else _no_conflict(search, conflict)
    if nothing == "map" and solver.space and solver.of(None).plan(position, goal).log is not None:
        nothing = "space"
    if answer.status == "UNSUPPORTED" and nothing in ("map", "limit"):
        conflict, nothing = tuple(Reason(clause=n, is_needed=False) for n in space.left_out), None
    return Why(
        answer.status, (), None, conflict, tuple(found), (), space, unsettled, enough, lift,  # type: ignore[arg-type]
        nothing, answer.proof, open=answer.space.name if is_open else None,
    )  # fmt: skip


def _without(search: Search, ending: Ending) -> Plans:
    """Return the answer of a space without a plan."""
    space, status = search.space, ending.status
    if status == "IMPOSSIBLE":
        status = "UNSUPPORTED" if space.left_out else status  # type: ignore[assignment]
        return Plans(status, space, (), True, (), proof=ending.proof)
    return Plans("UNKNOWN", space, (), False, (), unsettled_by(search))


def _explained(endings: Sequence[tuple[Search, Ending]], answer: Plans) -> Search | None:
    """
    Return the search whose reasons to list: the first with a proof that there is no plan, or None.

    For ``IMPOSSIBLE``, the one of the answer's space; for ``UNSUPPORTED``, preferably one that
    leaves out clauses.
    """
    proved = [search for search, ending in endings if ending.status == "IMPOSSIBLE"]
    if answer.status == "IMPOSSIBLE":
        return next(one for one in proved if one.model.name == answer.space.name)
    if answer.status == "UNSUPPORTED":
        return next((one for one in proved if one.space.left_out), proved[0])
    return next(iter(proved), None)


def _no_conflict(search: Search, conflict: tuple[Reason, ...] | None) -> NoConflict | None:
    """Return why no clause is named, or None if one is."""
    if conflict is None:
        return "limit"
    if conflict:
        return None
    return "space" if search.is_by_policy else "map"


def avoids_what_it_demands(position: Position[Any, Any], goal: Goal) -> bool:
    """Return whether an aim demands that units enter Locations all of which are to be avoided."""
    avoided = {*places_of(goal.avoid, position.board)}
    for aim in goal.aims:
        if aim.must is None:
            continue
        places, units = {*places_of(aim.at or aim.exit, position.board)}, units_of(aim, position)
        there = sum(position.unit(name).at in places for name in units)
        must = len(units) if aim.must == "all" else aim.must
        if places <= avoided and must > there:
            return True
    return False


def _acts_otherwise(position: Position[Any, Any], goal: Goal) -> bool:
    """Return whether no unit that must be somewhere acts in a way that is searched."""
    book = find_rulebook(position.rulebook)
    units = {name for aim in goal.aims if aim.must is not None for name in units_of(aim, position)}
    return all(
        not book.unplanned.keys().isdisjoint(book.left_out(position, position.unit(name)))
        for name in units
    )


def _is_enough(
    judge: Judge,
    goal: Goal,
    solver: Solver,
    conflict: Sequence[Reason],
    known: Sequence[tuple[Action, ...]],
) -> bool | None:
    """
    Return whether a goal is possible with all clauses of a conflict lifted, or None if unsettled.

    Known plans for changed positions may show it.
    """
    if not conflict:
        return None
    with heeding(solver.budget.stop), without(*(reason.clause for reason in conflict)):
        if any(judge.stands(log) for log in known):
            return True
        answer = solver.plan(judge.position, goal)
        return answer.log is not None if answer.is_sure else None
    return None


def _conflict(search: Search, barred: Iterable[Search]) -> tuple[Search, tuple[Reason, ...] | None]:
    """Return a search and its conflict: of a space that clauses leave empty, if it names more."""
    own = search.conflict()
    names = {reason.clause for reason in own or ()}
    with heeding(search.stop):  # each space is made when it is its turn
        for other in barred:
            if other.is_over or other.optimum(ANY).status != "IMPOSSIBLE":
                continue
            conflict = other.conflict()
            if conflict and all(reason.is_needed for reason in conflict):
                more = {reason.clause for reason in conflict} - names
                return (other, conflict) if more else (search, own)
    return search, own
