"""Judging a proposal: is it legal, in which order, and if not, which clause forbids it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, get_args

from msgspec.structs import replace

from marchtable.answers.verdicts import check_answer, violation_data
from marchtable.errors import BadInputError, InternalError, UnknownNameError
from marchtable.files.logs import check_names
from marchtable.files.notation import format_action, parse_action
from marchtable.rules.referee import check
from marchtable.rules.ruling import Violation
from marchtable.state.action import Settle
from marchtable_models.valor.advisor.walk import FALLS, PLAIN, actions_of
from marchtable_models.valor.allocation.course import Step
from marchtable_models.valor.allocation.order import replay
from marchtable_models.valor.extraction import reading
from marchtable_models.valor.facts.stack import Result
from marchtable_models.valor.orders import CASUALTIES, Absorb

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from marchtable.state.action import Action
    from marchtable_models.valor.advisor.walk import Walk
    from marchtable_models.valor.allocation.course import Course, State, Verb
    from marchtable_models.valor.extraction.reading import ValorPosition

__all__ = ["judged_lines", "judged_losses"]

MOST_STATES = 5_000
UNHARMED = "unharmed"


class _Attempt(NamedTuple):
    """How far a search came: units as proposed, points fulfilled, the steps, and what they led to."""

    done: int
    points: int
    steps: tuple[Step, ...]
    state: State
    position: ValorPosition


# -- what befalls each unit ------------------------------------------------------------------------


def judged_losses(walk: Walk, wanted: Mapping[str, str]) -> tuple[dict[str, Any], Any]:
    """
    Judge a proposal that says what befalls each unit; those it leaves out are unharmed.

    What befalls Passengers with their vehicle need not be said. Returns the verdict, and the
    losses if they are legal and whole.
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
    goal = {unit: result for unit, result in wanted.items() if result != UNHARMED}
    found, furthest, is_whole = _search(walk, goal, wanted)
    if found is not None:
        data, after = _verdict(walk, [a for step in found.steps for a in actions_of(step)])
        if after is not None or data["status"] != "LEGAL":
            raise InternalError(f"the referee refuses {data['log']}")
        losses = walk.course.losses(found.state)
        return {**data, "losses": walk.losses(losses, found.steps)}, losses
    actions = [a for step in furthest.steps for a in actions_of(step)]
    failing = _failing(walk, furthest, goal)
    if failing is not None:
        actions.append(actions_of(failing)[0])
    data, _ = _verdict(walk, actions)
    if data["status"] == "LEGAL":
        if not is_whole:
            return {**data, "status": "UNKNOWN"}, None
        data = _refused(walk, data, wanted)
    return data, None


def _search(
    walk: Walk, goal: Mapping[str, str], wanted: Mapping[str, str]
) -> tuple[_Attempt | None, _Attempt, bool]:
    """Return an order that leads to the goal, the attempt that came furthest, and if all was tried."""
    course = walk.course
    start = _Attempt(0, 0, (), course.start(), walk.scene.position)
    furthest, seen, waiting = start, {start.state}, [start]
    while waiting and len(seen) < MOST_STATES:
        here = waiting.pop()
        if _is_met(course, here.state, goal, wanted):
            return here, furthest, True
        following = []
        for step in _towards(course, here.state, goal):
            state = course.after(here.state, step)
            position = None if state in seen else walk.tried(here.position, step)
            if position is not None:
                seen.add(state)
                done = sum(course.mark(state, unit).result == r for unit, r in goal.items())
                points = course.points - state.owed
                following.append(_Attempt(done, points, (*here.steps, step), state, position))
        waiting += following[::-1]
        furthest = max([furthest, *following], key=lambda attempt: attempt[:2])
    return None, furthest, not waiting


def _towards(course: Course, state: State, goal: Mapping[str, str]) -> Iterator[Step]:
    """Yield the steps that might lead to the goal: reductions and losses first, then pins."""
    stack, choices = course.stack, course.choices
    pins, tried = [], set()
    for unit, result in goal.items():
        mark, member = course.mark(state, unit), stack.by_id[unit]
        if unit not in course.ids or mark.result == result:
            continue
        if member.aboard is None and unit not in stack.cargo:  # of units alike, the first
            alike = replace(member, id=""), mark, result
            if alike in tried:
                continue
            tried.add(alike)
        is_lost = result == "eliminated"
        if mark.result == UNHARMED and (member.shield or result == "ignored"):
            yield Step(unit, "ignore")
        if is_lost:
            yield Step(unit, "eliminate")
            yield from _rolls(course, state, unit, "fail")
        by_way = is_lost and not choices.is_tabled  # it may be lost once it is reduced or pinned
        may_be_cut = result.startswith("reduced") or (by_way and member.cr_half is not None)
        if may_be_cut and mark.result in (UNHARMED, "ignored"):
            yield Step(unit, "reduce")
        if by_way or result == "survived":
            yield from _rolls(course, state, unit, "survive")
        if by_way or result in ("pinned", "reduced, pinned"):
            pins.append(Step(unit, "pin"))
    yield from pins


def _rolls(course: Course, state: State, unit: str, verb: Verb) -> Iterator[Step]:
    """Yield survival rolls that fall so, the most points first."""
    member = course.stack.by_id[unit]
    if member.kind != "infantry":
        for points in range(min(member.cr, state.owed), 1, -1):
            yield Step(unit, verb, points)


def _is_met(
    course: Course, state: State, goal: Mapping[str, str], wanted: Mapping[str, str]
) -> bool:
    """Return whether all is done, the losses are the goal, and else only what carried units share."""
    if not course.is_over(state):
        return False
    found = {loss.unit: loss.result for loss in course.losses(state)}
    by_id = course.stack.by_id
    shared = {
        unit
        for unit, result in found.items()
        if unit not in wanted
        and by_id[unit].aboard in found
        and result in ("pinned", "reduced, pinned", "eliminated")
    }
    return {unit: result for unit, result in found.items() if unit not in shared} == dict(goal)


def _failing(walk: Walk, attempt: _Attempt, goal: Mapping[str, str]) -> Step | None:
    """Return the next step towards the goal that is refused, if one is."""
    immune = [unit for unit in goal if unit not in walk.course.ids]
    if immune:
        return Step(immune[0], "eliminate")
    steps = _towards(walk.course, attempt.state, goal)
    return next((step for step in steps if walk.tried(attempt.position, step) is None), None)


# -- losses in order -------------------------------------------------------------------------------


def judged_lines(walk: Walk, lines: Sequence[str]) -> tuple[dict[str, Any], Any]:
    """Judge a proposal that lists losses in order, as lines of a log, rolls settled."""
    actions = []
    for number, line in enumerate(lines):
        field = f"check[{number}]"
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
        return _refused(walk, data, {}), None
    choices = walk.course.choices
    steps = _steps(actions)
    found, clause, _ = replay(walk.scene.stack, walk.scene.points, steps, choices)
    if found is None:
        raise InternalError(f"the referee allows what {clause} bars: {data['log']}")
    return {**data, "losses": walk.losses(found.losses, steps)}, found.losses


def _steps(actions: Sequence[Action]) -> list[Step]:
    """Return legal entries of a log as steps of points."""
    verbs = {kind: verb for verb, kind in PLAIN.items()}
    fell = {outcome: verb for verb, outcome in FALLS.items()}
    found: list[Step] = []
    for action, following in zip(actions, [*actions[1:], None], strict=True):
        if isinstance(action, Absorb):
            assert isinstance(following, Settle)
            found.append(Step(action.unit, fell[following.outcome], action.points))  # type: ignore[arg-type]
        elif not isinstance(action, Settle):
            found.append(Step(action.unit, verbs[type(action)]))  # type: ignore[arg-type,attr-defined,index]
    return found


# -- verdicts --------------------------------------------------------------------------------------


def _verdict(walk: Walk, actions: Sequence[Action]) -> tuple[dict[str, Any], Any]:
    """Return the referee's verdict on a log as plain data, and the attack if points are owed then."""
    try:
        told = check_answer(walk.scene.position, actions)
        attack = reading.attack_on(check(walk.scene.position, actions).position)
    except BadInputError as error:  # a roll that is not owed
        raise type(error)(error.message, field="check") from None
    walk.readings.update(told["interpretations"])
    found = {
        "status": told["status"], "log": [format_action(action) for action in actions],
        "owed": max(attack.owed, 0) if attack else 0, "violations": told["violations"],
        "obligations": [one for one in told["obligations"] if one["id"] != "casualties"],
    }  # fmt: skip
    return found, attack


def _refused(walk: Walk, data: dict[str, Any], wanted: Mapping[str, str]) -> dict[str, Any]:
    """Return the verdict on losses, each legal, that leave points owed or are not what is proposed."""
    if data["owed"]:
        clause, note = "V14.61d", f"{data['owed']} Casualty Point(s) are still owed"
    else:
        clause, note = "V14.64c", "those carried share their vehicle's fate"
    at = walk.scene.attack.target
    liable = tuple(m.id for m in walk.scene.stack.members if not walk.scene.stack.bar(m))
    units = liable if data["owed"] else tuple(wanted)
    violation = Violation(clause, note, units, (at,), step=len(data["log"]))
    told = violation_data(walk.scene.position, violation)
    return {**data, "status": "ILLEGAL", "violations": [*data["violations"], told]}
