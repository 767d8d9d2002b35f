"""The answer to ``why`` as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.answers.plan import goal_in
from marchtable.answers.verdicts import violation_data
from marchtable.budget import lent
from marchtable.codec.structs import builtins_of
from marchtable.errors import BadInputError
from marchtable.files.notation import format_action
from marchtable.planning.why import why
from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.answers.requests import WhyRequest
    from marchtable.planning.why import Why
    from marchtable.rules.plan_model import Reason
    from marchtable.state.action import Action
    from marchtable.state.position import Position

__all__ = ["WHY_FORMAT", "why_data", "why_request"]

WHY_FORMAT = "marchtable/why/1"


def why_request(
    request: WhyRequest, position: Position[Any, Any], log: Sequence[Action]
) -> dict[str, Any]:
    """Answer a request that asks why."""
    if (request.log is None) == (request.goal is None):
        raise BadInputError("expected either a log or a goal", field="log")
    question = log if request.goal is None else goal_in(request.goal, position)
    found = why(
        position, question, space=request.space, rolls=request.rolls, limit=request.limit,
        seed=request.seed,
    )  # fmt: skip
    with lent(None):  # what was found is told in any case
        return why_data(position, found)


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
                "change": repair.words, "cost": repair.cost, "clauses": list(repair.clauses),
                "log": [format_action(action) for action in repair.log],
            }
            for repair in found.repairs
        ],
        "slack": [one._asdict() for one in found.slack],
        "space": None if found.space is None else builtins_of(found.space, full=True),
        "unsettled": found.unsettled,
    }  # fmt: skip


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
