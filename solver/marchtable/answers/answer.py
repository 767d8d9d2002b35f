"""``answer(request)``: the entry point for all clients, plain data in and out."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from marchtable.answers.casualties import WEIGHTS_FORMAT, casualties_answer, weights_of
from marchtable.answers.clauses import rules_answer
from marchtable.answers.ground import ground_notes
from marchtable.answers.los import los_answer
from marchtable.answers.objects import add_objects
from marchtable.answers.plan import plan_request
from marchtable.answers.requests import (
    REQUESTS,
    CasualtiesRequest,
    CheckRequest,
    LegalActionsRequest,
    LosRequest,
    OptionsRequest,
    PerftRequest,
    PlanRequest,
    ReachRequest,
    Request,
    RulesRequest,
    SceneRequest,
    WhyRequest,
)  # fmt: skip
from marchtable.answers.routes import reach_answers
from marchtable.answers.verdicts import check_answer
from marchtable.answers.why import why_request
from marchtable.budget import FIRST, OverLimit, limited, patience, report_progress, stop_here
from marchtable.codec.plain import STDIN, checked, one_line
from marchtable.codec.structs import struct_of
from marchtable.errors import BadInputError, InternalError
from marchtable.files.boards import DEMO
from marchtable.files.grids import GRID_FORMAT
from marchtable.files.logs import check_names, load_log, log_of
from marchtable.files.notation import format_action, format_position, parse_action, points
from marchtable.files.scenes import (
    SCENE_FORMAT,
    Scene,
    load_scene,
    scene_data,
    scene_of,
    with_readings,
)
from marchtable.nearest import one_of
from marchtable.play import legal_actions, perft
from marchtable.play.options import options
from marchtable.rules.casualties import CasualtiesQuestion
from marchtable.rules.referee import check
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.goal import GOAL_FORMAT
from marchtable.state.log import place_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from marchtable.cpsat.harness import Stop
    from marchtable.play import Choice
    from marchtable.rules.plan_model import Unsettled
    from marchtable.rules.ruling import Receipt
    from marchtable.state.action import Action
    from marchtable.state.position import Position

__all__ = [
    "EXIT_CODES", "FILES", "answer", "answer_to", "error_answer", "no_file_names", "request_of",
    "unknown_answer",
]  # fmt: skip

EXIT_CODES = {
    "LEGAL": 0, "OPTIMAL": 0, "FEASIBLE": 0, "ERROR": 2, "ILLEGAL": 10, "IMPOSSIBLE": 11,
    "UNKNOWN": 12, "UNSUPPORTED": 34,
}  # fmt: skip
"""Exit code of the command line, by the answer's status."""

SOURCE = "request"


def answer(
    request: Any, *, files: bool = False, stop: Stop | None = None, scene: Scene | None = None
) -> dict[str, Any]:
    """
    Answer a request.

    Parameters
    ----------
    request
        Plain data: the ``verb`` (check, options, reach, perft, legal_actions, casualties, los,
        plan, why or rules) and its arguments; ``marchtable schema request`` lists them.
    files
        Whether the request can name files to read, including ``-`` for standard input. By default
        scenes and logs must be given in full, because strangers may ask.
    stop
        A request to stop, from any thread.
    scene
        The scene, if it was read before; the request then names none.

    Returns
    -------
    dict
        Plain data with ``format`` and ``status``. If the request cannot be understood, the status
        is ``ERROR``, and ``error`` holds ``message``, ``source`` and ``field``. If time runs out,
        the status is ``UNKNOWN``, and ``unsettled`` says why.

    Raises
    ------
    InternalError
        If two of marchtable's own answers disagree.

    Examples
    --------
    >>> answer({"verb": "march"})["status"]
    'ERROR'
    """
    try:
        if scene is not None and isinstance(request, dict):
            request = {**request, "scene": {}}
        found = request_of(request)
        if not files:
            _reject_files(found)
        with limited(_seconds(found), stop):
            try:
                return answer_to(found, scene)
            except OverLimit:
                return unknown_answer("stop" if stop_here().is_requested else "limit")
    except BadInputError as error:
        return error_answer(error)


def _seconds(request: RulesRequest | SceneRequest) -> float:
    """Return the time limit of a request, in seconds by the clock."""
    if isinstance(request, PlanRequest):
        return max(patience(request.limit), FIRST)
    if isinstance(request, WhyRequest):
        return patience(request.limit)
    limit = getattr(request, "time" if isinstance(request, CasualtiesRequest) else "limit", None)
    return math.inf if limit is None else limit


def unknown_answer(unsettled: Unsettled) -> dict[str, Any]:
    """Return the answer to a request that timed out or was stopped."""
    return {"format": "marchtable/unknown/1", "status": "UNKNOWN", "unsettled": unsettled}


def error_answer(error: BadInputError) -> dict[str, Any]:
    """Return the answer to a request that cannot be understood."""
    return {
        "format": "marchtable/error/1",
        "status": "ERROR",
        "error": {
            "message": one_line(error.message),
            "source": one_line(error.source),
            "field": one_line(error.field),
        },
    }


def request_of(request: Any) -> RulesRequest | SceneRequest:
    """Parse plain data as a request; raise BadInputError if it is none."""
    request = checked(request, source=SOURCE)
    kinds = {str(kind.__struct_config__.tag): kind for kind in REQUESTS}
    if not isinstance(request, dict):
        raise BadInputError(
            f'expected an object, {{"verb": "check", …}}, got {one_line(repr(request))[:60]}',
            source=SOURCE,
        )
    if "verb" not in request:
        raise BadInputError(
            f"missing: expected one of {', '.join(kinds)}", source=SOURCE, field="verb"
        )
    verb = request["verb"]
    if not isinstance(verb, str) or verb not in kinds:
        raise BadInputError(one_of(kinds, verb), source=SOURCE, field="verb")
    found: RulesRequest | SceneRequest = struct_of(request, kinds[verb], source=SOURCE)
    return found


FILES = " (`files=True` allows file names)"
"""How a Python program allows file names; other users get their own way, or none."""
_EXAMPLES = {
    "scene": f'an object, {{"format": "{SCENE_FORMAT}", "rulebook": …, "units": […]}}',
    "scene.board": f'an object, {{"format": "{GRID_FORMAT}", "rows": […]}}, or "{DEMO}"',
    "log": 'a list of lines, ["VERB UNIT …", …]',
    "goal": f'an object, {{"format": "{GOAL_FORMAT}", "aims": […]}}',
    "weights": f'an object, {{"format": "{WEIGHTS_FORMAT}", …}}',
}
"""What to send in each field that can name a file elsewhere."""


def _reject_files(request: RulesRequest | SceneRequest) -> None:
    """Raise BadInputError if a request names a file."""
    if isinstance(request, RulesRequest):
        return
    board = request.scene.get("board") if isinstance(request.scene, dict) else None
    named = {
        "scene": isinstance(request.scene, str),
        "scene.board": isinstance(board, str | list) and board != DEMO,
        "log": isinstance(request.log, str),
        "goal": isinstance(getattr(request, "goal", None), str),
        "weights": isinstance(getattr(request, "weights", None), str),
    }
    for field, is_named in named.items():
        if is_named:
            raise no_file_names(field).located(source=SOURCE)


def no_file_names(field: str) -> BadInputError:
    """Return the error for a file name in a field, with an example of what to send."""
    return BadInputError(
        f"no file names are accepted here; send the content as JSON: {_EXAMPLES[field]}{FILES}",
        field=field,
    )


def answer_to(request: RulesRequest | SceneRequest, scene: Scene | None = None) -> dict[str, Any]:
    """Answer a well-formed request; raise BadInputError if its content is invalid."""
    if isinstance(request, RulesRequest):
        return rules_answer(request)
    if request.scene == request.log == STDIN:
        raise BadInputError("standard input holds the scene or the log, not both", source=SOURCE)
    return _on_scene(request, scene or _scene(request.scene))


def _on_scene(request: SceneRequest, scene: Scene) -> dict[str, Any]:
    log = () if request.log is None else _log(request, scene)
    try:
        position = with_readings(scene.position, request.interpretations)
        if not _is_judged(request):
            position, log = _after(position, log), ()
        report_progress(f"answering {request.__struct_config__.tag}")
        found = _ANSWERS[type(request)](request, position, log)
        if isinstance(request, CheckRequest) and request.then:
            named = request.scene.get("board") if isinstance(request.scene, dict) else None
            found["scene"] = scene_data(check(position, log).position, name=scene.name, board=named)
        if request.objects:
            add_objects(found, find_rulebook(position.rulebook))
    except BadInputError as error:
        raise error.located(source=SOURCE) from None
    except InternalError as error:
        raise InternalError(f"{error}; the position: {format_position(scene.position)}") from error
    return found


def _scene(given: dict[str, Any] | str) -> Scene:
    return load_scene(given) if isinstance(given, str) else scene_of(given)


def _log(request: Any, scene: Scene) -> tuple[Action, ...]:
    if isinstance(request.log, str):
        return load_log(request.log, scene.position, name=scene.name)
    return log_of(request.log, scene.position, name=scene.name)


def _is_judged(request: SceneRequest) -> bool:
    """Return whether the request asks about the log itself, not about the position after it."""
    return isinstance(request, CheckRequest) or (
        isinstance(request, WhyRequest) and request.goal is None
    )


def _after(position: Position[Any, Any], log: tuple[Action, ...]) -> Position[Any, Any]:
    """Return the position after a log; raise BadInputError unless the log is legal."""
    if not log:
        return position
    verdict = check(position, log)
    if verdict.status != "LEGAL":
        found = check_answer(position, log)  # it puts the faults into words
        first = [*found["violations"], *found["unsupported"]][0]
        raise BadInputError(
            f"expected a legal log; step {first['step']}: {first['message']}",
            **place_of(log, first["step"]),
        )
    after: Position[Any, Any] = verdict.position
    return after


# -- verbs -----------------------------------------------------------------------------------------


def _check(
    _: CheckRequest, position: Position[Any, Any], log: tuple[Action, ...]
) -> dict[str, Any]:
    return check_answer(position, log)


def _options(request: OptionsRequest, position: Position[Any, Any], _: Any) -> dict[str, Any]:
    if request.unit is not None and request.side is not None:
        raise BadInputError("expected a unit or a side, not both", field="side")
    unit = request.unit and position.called(request.unit)
    found = options(position, unit, side=request.side, reach=request.reach)
    asked = [entry["unit"] for entry in found["units"]]
    added = _sight_notes(position, asked)
    if not asked:
        sides = [request.side] if request.side else find_rulebook(position.rulebook).sides(position)
        added = {"notes": [*added.get("notes", ()), f"no units of {' or '.join(sides)}"]}
    return {"format": "marchtable/options/1", **found, **added}


def _reach(request: ReachRequest, position: Position[Any, Any], _: Any) -> dict[str, Any]:
    if (request.unit is None) == (request.units is None):
        raise BadInputError("expected either a unit or a list of units", field="unit")
    names = [request.unit] if request.unit is not None else list(request.units or ())
    names = [position.called(name) for name in names]
    found = reach_answers(position, names, to=request.to, rolls=request.rolls, modes=request.modes)
    added = _sight_notes(position, names)
    if any(one["unsupported"] for one in found) and (ground := ground_notes(position)):
        added = {"notes": [*added.get("notes", ()), *ground]}
    if request.unit is not None:
        notes = [*found[0].get("notes", ()), *added.get("notes", ())]
        return {**found[0], "notes": notes} if notes else found[0]
    statuses = {one["status"] for one in found} or {"OPTIMAL"}
    status = max(statuses, key=lambda name: (EXIT_CODES[name], name == "FEASIBLE"))
    return {"format": "marchtable/reaches/1", "status": status, "answers": found, **added}


def _sight_notes(position: Position[Any, Any], units: Sequence[str]) -> dict[str, Any]:
    """Return ``notes`` for an answer about units if it depends on unstated lines of sight."""
    notes = find_rulebook(position.rulebook).notes(position, units)
    return {"notes": list(notes)} if notes else {}


def _perft(request: PerftRequest, position: Position[Any, Any], _: Any) -> dict[str, Any]:
    found: dict[str, Any] = {
        "format": "marchtable/perft/1",
        "status": "LEGAL",
        "depth": request.depth,
    }
    if not request.divide or request.depth == 0:
        return {**found, "count": perft(position, request.depth)}
    behind: Any = perft(position, request.depth, divide=True)
    return {**found, "count": sum(behind.values()), "divide": behind}


def _legal_actions(
    request: LegalActionsRequest, position: Position[Any, Any], _: Any
) -> dict[str, Any]:
    opened = None
    if request.unit is not None:
        position.unit(request.unit, "unit")
    if request.opened is not None:
        rulebook = find_rulebook(position.rulebook)
        opened = parse_action(request.opened, rulebook, field="opened")
        try:
            check_names(opened, position, rulebook)
        except BadInputError as error:
            raise error.located(field="opened") from None
    found = legal_actions(position, request.unit, opened=opened)
    return {
        "format": "marchtable/legal_actions/1",
        "status": "LEGAL",
        "actions": [_choice(position, choice) for choice in found],
    }


def _choice(position: Position[Any, Any], choice: Choice) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "action": format_action(choice.action),
        "closes": choice.closes,
        "joins": list(choice.joins),
        "costs": [_cost(receipt) for receipt in choice.ruling.costs],
    }
    if details := find_rulebook(position.rulebook).details(position, choice.action):
        entry["details"] = details
    return entry


def _cost(receipt: Receipt) -> dict[str, Any]:
    return {
        "unit": receipt.unit,
        "points": receipt.points,
        "amount": points(receipt.amount),
        "left": points(receipt.left),
    }


def _casualties(request: CasualtiesRequest, position: Position[Any, Any], _: Any) -> dict[str, Any]:
    asked = {name: getattr(request, name) for name in CasualtiesQuestion.__struct_fields__}
    asked["weights"] = weights_of(request.weights, position)
    return casualties_answer(position, CasualtiesQuestion(**asked))


_ANSWERS: dict[type[Request], Callable[[Any, Position[Any, Any], Any], dict[str, Any]]] = {
    CheckRequest: _check,
    OptionsRequest: _options,
    ReachRequest: _reach,
    PerftRequest: _perft,
    LegalActionsRequest: _legal_actions,
    CasualtiesRequest: _casualties,
    LosRequest: lambda request, position, _: los_answer(position, request),
    PlanRequest: plan_request,
    WhyRequest: why_request,
}
