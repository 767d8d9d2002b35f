"""The answer to ``why`` as plain data."""

from __future__ import annotations

from collections import Counter
from time import process_time
from typing import TYPE_CHECKING, Any

from marchtable.answers.ground import unplanned_notes
from marchtable.answers.plan import goal_in
from marchtable.answers.routes import reach_answers
from marchtable.answers.verdicts import violation_data, which_level
from marchtable.budget import budget_scope, heeding, limited, look, patience, stop_here
from marchtable.codec.structs import builtins_of
from marchtable.errors import BadInputError
from marchtable.files.notation import format_action
from marchtable.planning.goals import units_of
from marchtable.planning.why import why
from marchtable.play.offers import offers
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.goal import Goal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable.answers.requests import WhyRequest
    from marchtable.cpsat.harness import Stop
    from marchtable.planning.lift import Lift
    from marchtable.planning.why import Why
    from marchtable.rules.plan_model import Reason, Rolls
    from marchtable.state.action import Action
    from marchtable.state.position import Position

__all__ = ["WHY_FORMAT", "barred_alone", "idle_units", "why_data", "why_request"]

WHY_FORMAT = "marchtable/why/1"
MOST_ALONE = 4


def why_request(
    request: WhyRequest, position: Position[Any, Any], log: Sequence[Action]
) -> dict[str, Any]:
    """Answer a ``why`` request."""
    if request.log is None and request.goal is None:
        raise BadInputError("expected a log or a goal", field="log")
    question = log if request.goal is None else goal_in(request.goal, position)
    begun, stop = process_time(), stop_here()
    found = why(
        position, question, space=request.space, rolls=request.rolls, limit=request.limit,
        seed=request.seed, confirm=request.confirm,
    )  # fmt: skip
    with budget_scope(None):  # no limit applies while the answer is assembled
        answer = why_data(position, found)
        if not isinstance(question, Goal) and (notes := list(which_level(position, log))):
            answer["notes"] = notes
        if isinstance(question, Goal) and found.space is not None:
            rulebook = find_rulebook(position.rulebook)
            notes = [*rulebook.notes(position, (), found.space)]
            if notes := [*notes, *unplanned_notes(position, found.space.left_out)]:
                answer["notes"] = notes
        is_modelled = found.status != "UNSUPPORTED"
        if is_modelled and found.no_conflict == "map" and isinstance(question, Goal):
            left = patience(request.limit) - (process_time() - begun)
            answer["alone"] = barred_alone(position, question, request.rolls, left, stop)
        if isinstance(question, Goal) and found.conflict:
            answer["idle"] = list(idle_units(position, question, found))
    return answer


def why_data(position: Position[Any, Any], found: Why) -> dict[str, Any]:
    """Return the answer to ``why``."""
    verdict = found.verdict
    broken = [] if verdict is None else [violation_data(position, v) for v in verdict.violations]
    unknown = [] if verdict is None else [
        violation_data(position, v, modelled=False) for v in verdict.unsupported
    ]  # fmt: skip
    steps = [one["step"] for one in (*broken, *unknown)]
    return {
        "format": WHY_FORMAT,
        "status": found.status,
        "log": [format_action(action) for action in found.log],
        "violations": broken,
        "unsupported": unknown,
        "first": min(steps, default=None),
        "stopped": None if verdict is None else verdict.stopped,
        "conflict": _conflict(position, found.conflict),
        "repairs": [
            {
                "change": repair.change, "cost": repair.cost, "clauses": list(repair.clauses),
                "log": [format_action(action) for action in repair.log],
            }
            for repair in found.repairs
        ],
        "slack": [
            {**one._asdict(), "title": find_rulebook(position.rulebook).clauses[one.clause].title}
            for one in found.slack
        ],
        "space": None if found.space is None else builtins_of(found.space, full=True),
        "unsettled": found.unsettled,
        "enough": found.enough,
        "lift": _lift(position, found.lift),
        "no_conflict": found.no_conflict,
        "proof": found.proof,
        "open": found.open,
        **({"twice": [*found.twice]} if found.twice else {}),
    }  # fmt: skip


def _lift(position: Position[Any, Any], lift: Lift | None) -> dict[str, Any] | None:
    if lift is None:
        return None
    clauses = find_rulebook(position.rulebook).clauses
    return {
        "clauses": [{"clause": name, "title": clauses[name].title} for name in lift.clauses],
        "smallest": lift.is_smallest,
        "log": [format_action(action) for action in lift.log],
    }


def barred_alone(
    position: Position[Any, Any], goal: Goal, rolls: Rolls, left: float, stop: Stop
) -> list[dict[str, Any]]:
    """
    Return what blocks the way of each unit that cannot reach, alone, the one Location of its aims.

    Limited to some seconds of processor time.
    """
    wanted = [(unit, aim.at[0]) for aim in goal.aims if len(aim.at) == 1 for unit in aim.units]
    found = []
    with heeding(stop), limited(left, stop):
        for unit, to in wanted[:MOST_ALONE]:
            look()
            (one,) = reach_answers(position, [unit], to=to, rolls=rolls)
            if one.get("barred"):
                found.append({"unit": unit, "to": one["to"], "barred": one["barred"]})
    return found


def idle_units(position: Position[Any, Any], goal: Goal, found: Why) -> Iterator[dict[str, Any]]:
    """
    Yield the units of a goal's aims that can do nothing now, and the clause that says so.

    One that the conflict names needs no other mention; one that need not be lifted is not at issue.
    """
    named = {reason.clause for reason in found.conflict or ()}
    for unit in dict.fromkeys(name for aim in goal.aims for name in units_of(aim, position)):
        if position.pending:
            return
        actions, barred, _ = offers(position, position.unit(unit))
        if any(one["verb"] != "end" for one in actions):
            continue
        bars = Counter(one["clauses"][0] for one in barred)
        for one in barred:
            clause = one["clauses"][0]
            is_at_issue = found.lift is None or clause in found.lift.clauses
            if bars[clause] > len(barred) / 2 and clause not in named and is_at_issue:
                yield {"unit": unit, "clause": clause, "reason": one["note"]}
                break


def _conflict(
    position: Position[Any, Any], conflict: Sequence[Reason] | None
) -> list[dict[str, Any]] | None:
    if conflict is None:
        return None
    clauses = find_rulebook(position.rulebook).clauses
    return [
        {
            "clause": reason.clause, "title": clauses[reason.clause].title,
            "units": list(reason.units), "numbers": dict(reason.numbers), "needed": reason.is_needed,
        }
        for reason in conflict
    ]  # fmt: skip
