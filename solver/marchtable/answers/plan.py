"""The answer to ``plan`` as plain data."""

from __future__ import annotations

from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Any

from marchtable.answers.ground import ground_notes, unplanned_notes
from marchtable.answers.verdicts import check_answer
from marchtable.budget import budget_scope
from marchtable.codec.structs import builtins_of, points
from marchtable.files.notation import format_action
from marchtable.planning.goals import goal_of, load_goal
from marchtable.planning.loop import plan
from marchtable.planning.score import SUM, amounts
from marchtable.rules.rolls import assumptions
from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.answers.requests import PlanRequest
    from marchtable.planning.loop import Plan, Plans
    from marchtable.state.goal import Goal
    from marchtable.state.position import Position

__all__ = [
    "PLAN_FORMAT",
    "goal_in",
    "plan_data",
    "plan_request",
    "plans_data",
]

PLAN_FORMAT = "marchtable/plan/1"


def plan_request(request: PlanRequest, position: Position[Any, Any], _: Any) -> dict[str, Any]:
    """Answer a request for plans."""
    goal = goal_in(request.goal, position)
    found = plan(
        position, goal, space=request.space, rolls=request.rolls, best=request.best,
        pareto=request.pareto, limit=request.limit, seed=request.seed,
        confirm=request.confirm,
    )  # fmt: skip
    with budget_scope(None):  # return what was found in any case
        answer = plans_data(position, found)
    if not _asks(goal, request.pareto):
        answer["notes"] = [*answer.get("notes", ()), UNASKED]
    return answer


UNASKED = (
    "the goal counts none of its aims, so staying costs least: put `value` (for at and exit) or "
    "`distance` (for near) into `order`, or give an aim `must`"
)


def _asks(goal: Goal, pareto: Sequence[str] | None) -> bool:
    """Return whether some aim of a goal is a condition, or counts in what plans are measured by."""
    weighed = [name for name, weight in goal.weights.items() if weight]
    counted = {*(pareto or ()), *(weighed or goal.order)}
    return any(
        aim.must is not None or ("distance" if aim.near else "value") in counted
        for aim in goal.aims
    )


def goal_in(given: dict[str, Any] | str, position: Position[Any, Any]) -> Goal:
    """Return the goal that a request names or holds."""
    return load_goal(given, position) if isinstance(given, str) else goal_of(given, position)


def plans_data(position: Position[Any, Any], found: Plans) -> dict[str, Any]:
    """Return the answer to ``plan`` (no format): the fields of the first plan, then all plans."""
    nothing: dict[str, Any] = {
        "objective": None, "bound": amounts(dict(found.bound)), "gap": {}, "log": [],
        "receipts": [], "effects": [], "exceptions": [], "ends": [], "proof": found.proof,
        "assumed": [], "probability": None, "interpretations": {},
    }  # fmt: skip
    plans = [plan_data(position, one) for one in found.plans]
    movers = _movers(position, found)
    notes = list(find_rulebook(position.rulebook).notes(position, movers, found.space))
    if found.space.left_out:
        notes += [*unplanned_notes(position, found.space.left_out), *ground_notes(position)]
    return {
        "format": PLAN_FORMAT,
        **(plans[0] if plans else nothing),
        "status": found.status,
        "space": _space(found),
        "complete": found.complete,
        "unsettled": found.unsettled,
        "searched": [one._asdict() for one in found.searched],
        "plans": plans,
        **({"twice": [*found.twice]} if found.twice else {}),
        **({"notes": notes} if notes else {}),
    }


def _movers(position: Position[Any, Any], found: Plans) -> list[str]:
    """Return the units that plans can move and that exist at the start."""
    return [name for name in found.space.movers if name in position.index]


def _space(found: Plans) -> dict[str, Any]:
    space: dict[str, Any] = builtins_of(found.space, full=True)
    return space


def plan_data(position: Position[Any, Any], one: Plan) -> dict[str, Any]:
    """Return one plan as plain data."""
    said = check_answer(position, one.log)
    rolls = assumptions(position, one.verdict)
    reached = dict(zip(one.sought, one.reached, strict=True))
    bound = dict(zip(one.sought, one.bound, strict=True))
    gap = {
        name: None if most is None else abs(most - reached[name]) for name, most in bound.items()
    }
    return {
        "status": one.status,
        "objective": amounts({**one.score, **({SUM: reached[SUM]} if SUM in reached else {})}),
        "bound": amounts(bound),
        "gap": amounts(gap),
        "log": [format_action(action) for action in one.log],
        "receipts": said["receipts"],
        "effects": [effect for effect in said["effects"] if "text" in effect],
        "exceptions": said["exceptions"],
        "ends": _ends(position, one),
        "proof": one.proof,
        "assumed": [
            {
                "step": roll.step, "clause": roll.obligation.clause, "unit": roll.obligation.unit,
                "outcome": roll.outcome, "chance": roll.chance if roll.obligation.has_odds else None,
                "of": roll.of, "note": roll.obligation.note,
            }
            for roll in rolls
        ],
        "probability": float(prod(Fraction(roll.chance, roll.of) for roll in rolls))
        if all(roll.obligation.has_odds for roll in rolls)
        else None,
        "interpretations": said["interpretations"],
    }  # fmt: skip


def _ends(position: Position[Any, Any], one: Plan) -> list[dict[str, Any]]:
    """Return each unit's end in a plan, and its points spent and left."""
    spent: dict[str, int] = {}
    left: dict[str, int] = {}
    for receipt in one.verdict.receipts:
        spent[receipt.unit] = spent.get(receipt.unit, 0) + receipt.amount
        left[receipt.unit] = receipt.left
    end = one.verdict.position
    found = []
    for unit in position.units:
        at = end.unit(unit.id).at if unit.id in end.index else None
        if unit.id in spent or at != unit.at:
            found.append({
                "unit": unit.id, "was": unit.at, "at": at, "spent": points(spent.get(unit.id, 0)),
                "left": points(left[unit.id]) if unit.id in left else None,
            })  # fmt: skip
    return found
