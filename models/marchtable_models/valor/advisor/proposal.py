"""Judging a proposal: is it legal, in which order, and if not, by which clause."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from marchtable.answers.verdicts import check_answer, violation_data
from marchtable.budget import OverLimit, look
from marchtable.errors import BadInputError, InternalError, UnknownNameError
from marchtable.files.logs import check_names
from marchtable.files.notation import format_action, parse_action
from marchtable.rules.referee import check
from marchtable.rules.ruling import Violation
from marchtable.state.action import Settle
from marchtable_models.valor.advisor.walk import FALLS, PLAIN, actions_of
from marchtable_models.valor.allocation.advice import proposed
from marchtable_models.valor.allocation.course import STRAIGHT, WORDS, LossStep
from marchtable_models.valor.allocation.stack import Result
from marchtable_models.valor.rules.losses import CASUALTIES, Absorb
from marchtable_models.valor.views.attack import attack_on

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from marchtable.state.action import Action
    from marchtable_models.valor.advisor.walk import Walk
    from marchtable_models.valor.allocation.course import Course

__all__ = ["judged_lines", "judged_losses"]

UNHARMED = "unharmed"


# -- results by unit -----------------------------------------------------------------------------


def judged_losses(walk: Walk, wanted: Mapping[str, str]) -> tuple[dict[str, Any], Any]:
    """
    Judge a proposal that states each unit's result; unnamed units are unharmed.

    Results of Passengers lost with their vehicle can be omitted. Returns the verdict, and the
    losses if they are legal and complete.
    """
    for unit, result in wanted.items():
        if unit not in walk.scene.stack.by_id:
            known = ", ".join(walk.scene.stack.by_id)
            raise UnknownNameError(f"no unit {unit!r} under fire (units: {known})", field="check")
        if result not in get_args(Result):
            expected = ", ".join(f'"{one}"' if "," in one else one for one in get_args(Result))
            raise BadInputError(
                f"expected one of {expected}, got {result!r}", field=f"check.{unit}"
            )
    course = walk.course
    try:
        found = proposed(course.stack, course.points, wanted, course.choices)
    except OverLimit:
        look()
        return {**_verdict(walk, [])[0], "status": "UNKNOWN"}, None
    if found is not None:
        steps, losses = found
        data, after = _verdict(walk, [a for step in steps for a in actions_of(step)])
        if after is not None or data["status"] != "LEGAL":
            raise InternalError(f"the referee rejects {data['log']}")
        return {**data, "losses": walk.losses(losses, steps)}, losses
    goal = {unit: result for unit, result in wanted.items() if result != UNHARMED}
    steps, rejected = _attempted(course, goal)
    actions = [a for step in steps for a in actions_of(step)]
    data, _ = _verdict(walk, [*actions, *(actions_of(step)[0] for step in rejected)])
    return (_rejected(walk, data, wanted) if data["status"] == "LEGAL" else data), None


def _attempted(course: Course, goal: Mapping[str, str]) -> tuple[list[LossStep], list[LossStep]]:
    """Return legal steps towards a proposal, pins last, and then the first illegal one, if any."""
    immune = [LossStep(unit, "eliminate") for unit in goal if unit not in course.stack.liable]
    steps, state, order = list[LossStep](), course.start(), list(goal)

    def leads(step: LossStep) -> bool:
        result, mark = goal.get(step.unit, UNHARMED), course.mark(state, step.unit)
        is_new = result != mark.result and WORDS[step.verb] not in mark.done
        return is_new and step.verb in STRAIGHT[result]

    def rank(step: LossStep) -> tuple[bool, bool, int, int]:
        return step.verb == "pin", step.verb == "fail", order.index(step.unit), -step.points

    while not immune:
        waiting = sorted(filter(leads, course.candidates(state)), key=rank)
        legal = next((step for step in waiting if not course.barred(state, step)), None)
        if legal is None:
            return steps, waiting[:1]
        steps.append(legal)
        state = course.after(state, legal)
    return steps, immune[:1]


# -- losses in order -----------------------------------------------------------------------------


def judged_lines(walk: Walk, lines: Sequence[str]) -> tuple[dict[str, Any], Any]:
    """Judge a proposal that lists losses in order, as log lines with settled rolls."""
    actions = []
    for number, line in enumerate(lines):
        field = f"check[{number}]"
        first = walk.scene.position.called((line.split() or [""])[0])
        if first in walk.scene.position.index:
            raise BadInputError(
                f"{first!r} is a unit; the loss comes first: `pin {first}`, or write `{first}=pinned`",
                field=field,
            )
        action = parse_action(line, walk.rulebook, field=field)
        if not isinstance(action, (*CASUALTIES, Settle)):
            raise BadInputError(f"expected a loss or how a roll fell, got {line!r}", field=field)
        try:
            check_names(action, walk.scene.position, walk.rulebook)
        except BadInputError as error:
            raise error.located(field=field) from None
        actions.append(action)
    data, after = _verdict(walk, actions)
    if data["status"] != "LEGAL" or data["obligations"]:
        return data, None
    if after is not None:
        return _rejected(walk, data, {}), None
    steps = _steps(actions)
    end = walk.course.taken(walk.course.start(), steps)
    if end is None:
        raise InternalError(f"the referee allows what the clauses forbid: {data['log']}")
    losses = walk.course.losses(end)
    return {**data, "losses": walk.losses(losses, steps)}, losses


def _steps(actions: Sequence[Action]) -> list[LossStep]:
    """Return legal entries of a log as steps of points."""
    verbs = {kind: verb for verb, kind in PLAIN.items()}
    fell = {outcome: verb for verb, outcome in FALLS.items()}
    found: list[LossStep] = []
    for action, following in zip(actions, [*actions[1:], None], strict=True):
        if isinstance(action, Absorb):
            assert isinstance(following, Settle)
            found.append(LossStep(action.unit, fell[following.outcome], action.points))  # type: ignore[arg-type]
        elif not isinstance(action, Settle):
            found.append(LossStep(action.unit, verbs[type(action)]))  # type: ignore[arg-type,attr-defined,index]
    return found


# -- verdicts ------------------------------------------------------------------------------------


def _verdict(walk: Walk, actions: Sequence[Action]) -> tuple[dict[str, Any], Any]:
    """Return the referee's verdict on a log as plain data, and an attack that still owes points."""
    try:
        answer = check_answer(walk.scene.position, actions)
        attack = attack_on(check(walk.scene.position, actions).position)
    except BadInputError as error:  # a roll that is not due
        raise type(error)(error.message, field="check") from None
    walk.readings.update(answer["interpretations"])
    found = {
        "status": answer["status"], "log": [format_action(action) for action in actions],
        "owed": max(attack.owed, 0) if attack else 0, "violations": answer["violations"],
        "obligations": [one for one in answer["obligations"] if one["id"] != "casualties"],
    }  # fmt: skip
    return found, attack


def _rejected(walk: Walk, data: dict[str, Any], wanted: Mapping[str, str]) -> dict[str, Any]:
    """Return the verdict on legal losses that leave points owed or differ from the proposal."""
    if data["owed"]:
        clause, note = "V14.61d", f"{data['owed']} Casualty Point(s) are still owed"
    else:
        clause, note = "V14.64c", "those carried share their vehicle's result"
    at = walk.scene.attack.target
    liable = tuple(m.id for m in walk.scene.stack.members if m.id in walk.scene.stack.liable)
    units = liable if data["owed"] else tuple(wanted)
    violation = Violation(clause, note, units, (at,), step=len(data["log"]))
    added = violation_data(walk.scene.position, violation)
    return {**data, "status": "ILLEGAL", "violations": [*data["violations"], added]}
