"""Functions that worker processes run: each takes the process's positions and the call."""

from __future__ import annotations

import json
import re
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.answers.answer import answer, error_answer
from marchtable.answers.verdicts import check_answer
from marchtable.codec.plain import parsed
from marchtable.errors import BadInputError, UnknownNameError
from marchtable.files.logs import log_of
from marchtable.files.scenes import scene_data
from marchtable.nearest import without_command
from marchtable.rules.rulebook import find_rulebook
from marchtable.service.bodies import new_game, plain
from marchtable.service.calls import Reply
from marchtable.service.positions import played
from marchtable.service.shapes import Append, body_of
from marchtable.state.action import Event, Phase, Settle, parameters, verb_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from marchtable.cpsat.harness import Stop
    from marchtable.files.scenes import Scene
    from marchtable.service.calls import Call
    from marchtable.service.positions import Positions
    from marchtable.state.action import Action
    from marchtable.state.position import Obligation, Position

    AnyPosition = Position[Any, Any]

__all__ = ["FUNCTIONS", "is_owners", "replied"]

SOURCE = "request"
BAD, FINE = 400, 200
CUT = ("limit", "stop")
"""Reasons for which a repeated question may get another answer."""
LEGAL = "LEGAL"
_WORD = re.compile(r"[^\s,=:;|]+")


def replied(positions: Positions, call: Call, stop: Stop) -> Reply:
    """Run a call's function and return its reply; bad input becomes an error answer."""
    try:
        return FUNCTIONS[call.function](positions, call, stop)
    except BadInputError as error:
        unknown = isinstance(error, UnknownNameError)
        answer = error_answer(error.located(source=SOURCE))
        answer["error"] = {name: positions.unplaced(text) for name, text in answer["error"].items()}
        return _reply(answer, unknown=unknown)


def _reply(found: Any, status: int = FINE, **extra: Any) -> Reply:
    if isinstance(found, dict) and found.get("status") == "ERROR":
        status = BAD
        error = found["error"]
        found = {**found, "error": {**error, "message": without_command(error["message"])}}
    return Reply(status, msgspec.json.encode(found), extra)


# -- questions -------------------------------------------------------------------------------------


def _verb(positions: Positions, call: Call, stop: Stop) -> Reply:
    """Answer a verb, on a scene in the request or on the game's."""
    verb = call.args["verb"]
    body = plain(call.body, body_of(verb, of_game=bool(call.scene)))
    if "verb" in body:
        raise BadInputError("remove it; the address names the verb", source=SOURCE, field="verb")
    scene = None
    if call.scene:
        if "scene" in body:
            raise BadInputError(
                "remove it; the game's own scene is used", source=SOURCE, field="scene"
            )
        scene = _seen(positions.at(call.scene, call.log), call.side)
    elif isinstance(body.get("scene"), dict):
        scene = positions.scene(body["scene"])
    found = answer({**body, "verb": verb}, stop=stop, scene=scene)
    return _reply(found, cut=found.get("unsettled") in CUT)


def _seen(scene: Scene, side: str | None) -> Scene:
    """Return a scene as a side sees it."""
    if side is None:
        return scene
    return scene._replace(
        position=find_rulebook(scene.position.rulebook).seen_by(scene.position, side)
    )


def _run(positions: Positions, call: Call, _: Stop) -> Reply:
    """Call one of our functions, named by the server and never by a client, on a game's scene."""
    module, _, name = call.args["function"].partition(":")
    args = call.args["args"]
    if not call.scene:
        return _reply(getattr(import_module(module), name)(positions, **args))
    scene = _seen(positions.at(call.scene, call.log), call.side)
    return _reply(getattr(import_module(module), name)(scene, **args))


# -- games -----------------------------------------------------------------------------------------


def _begun(positions: Positions, call: Call, _: Stop) -> Reply:
    """Read the scene of a new game: ``scene`` (a table), ``toml`` (text) or ``named``."""
    body = new_game(call.body)
    if [body.scene, body.toml, body.named].count(None) != 2:
        raise BadInputError("expected one of scene, toml, named", source=SOURCE, field="scene")
    if body.named is not None:
        data: Any = positions.named(body.named)
    else:
        data = body.scene if body.toml is None else parsed(body.toml, "scene.toml", "scene")
    found = positions.scene(data)
    return _reply(
        {},
        scene=json.dumps(data, ensure_ascii=False).encode(),
        name=found.name or body.name or body.named or found.position.board.name,
        key=found.position.key(),
        rulebook=found.position.rulebook,
    )


def _stands(positions: Positions, call: Call, _: Stop) -> Reply:
    """Return a game's present state: the scene, its key and, for a side, the log as it sees it."""
    scene = _seen(positions.at(call.scene, call.log), call.side)
    named = json.loads(call.scene).get("board")
    found = scene_data(scene.position, name=scene.name, board=named)
    log = [] if call.side is None else _log_seen(positions, call)
    return Reply(
        FINE,
        b"",
        {"key": scene.position.key(), "scene": msgspec.json.encode(found), "log": log},
    )


def _sight(positions: Positions, call: Call, _: Stop) -> Reply:
    """
    Return a digest of all that a side sees of a game, and which entries it knows of (``shown``).

    It knows of an entry that names no hidden units, that changes its view, or that moves a unit
    whose presence it sees.
    """
    log = _log_seen(positions, call)
    shown = [number for number, entry in enumerate(log) if entry.is_known]
    key = _seen(positions.at(call.scene, call.log), call.side).position.key()
    sight = json.dumps([key, [[log[number].line, log[number].moves] for number in shown]])
    return Reply(FINE, b"", {"shown": shown, "sight": sight})


class EntrySeen(NamedTuple):
    """
    A line as a side sees it, its status and verdict: None where it is hidden.

    Parameters
    ----------
    line, status, verdict
        The line and its judgement, as JSON.
    is_own
        Whether the side can take it back.
    is_known
        Whether the side knows that something was played.
    moves
        For a hidden line: the units seen to move or revealed, with their places.
    """

    line: str | None
    status: str | None
    verdict: bytes | None
    is_own: bool
    is_known: bool
    moves: tuple[dict[str, str | None], ...] = ()


def _log_seen(positions: Positions, call: Call) -> list[EntrySeen]:
    """Return lines as a side sees them (:func:`entry_seen`); nothing of hidden units'."""
    lines: list[str] = call.args["lines"]
    keys = [(call.side, key) for key in positions.keys(call.scene, lines)]
    known = next((n for n in range(len(lines), 0, -1) if keys[n] in positions.seen), 0)
    found = list(positions.seen.get(keys[known], list)) if known else []
    scene = positions.at(call.scene, lines[:known])
    try:
        for line in lines[known:]:
            after = scene._replace(position=played(scene.position, line))
            found.append(entry_seen(scene, after, line, call.side))
            scene = after
    finally:  # a retry after a limit continues from there
        positions.seen.put(keys[len(found)], found)
    return found


def entry_seen(before: Scene, after: Scene, line: str, side: str | None) -> EntrySeen:
    """
    Return a line as a side sees it.

    It does not know of a line that names hidden units and changes nothing that the side sees. A
    line is not the side's to take back if another played it, or if it revealed something to the
    side; its verdict then has the actual payment, not the side's forecast.
    """
    view, then = _seen(before, side).position, _seen(after, side).position
    moves = _moves_seen(before, after, view, then)
    is_known = bool(moves) or view.key() != then.key()
    hidden_line = EntrySeen(None, None, None, is_own=False, is_known=is_known, moves=moves)
    for one, known in ((before, view.index), (after, then.index)):
        hidden = {unit.id for unit in one.position.units if unit.id not in known}
        if not hidden.isdisjoint(_WORD.findall(line)):
            return hidden_line
    try:
        (action,) = log_of([line], view)
        verdict = check_answer(view, [action])
    except BadInputError:
        return hidden_line
    try:
        _own(action, view, side)
    except BadInputError:
        is_own = False
    else:
        alone = before._replace(position=played(view, line))
        is_own = side is None or _seen(alone, side).position.key() == then.key()
        if not is_own:  # it met something hidden: the points left already show the payment
            whole = check_answer(before.position, [action])
            verdict |= {key: whole[key] for key in ("receipts", "slack")}
    return EntrySeen(line, verdict["status"], msgspec.json.encode(verdict), is_own, is_known=True)


def _moves_seen(
    before: Scene, after: Scene, view: AnyPosition, then: AnyPosition
) -> tuple[dict[str, str | None], ...]:
    """
    Return the unidentified units that a side sees move, and the units revealed.

    Each has the ``side``, the places ``from`` and ``to`` (None: off the map), and the ``unit`` once
    it is known. Several with the same move count as one.
    """
    found: dict[tuple[str, str | None, str | None, str | None], None] = {}
    for unit in before.position.units:
        name, now = unit.id, after.position.index.get(unit.id)
        if name in view.index or now is None:
            continue
        there = after.position.unit(name).at
        known = name if name in then.index else None
        if known or unit.at != there:
            found[unit.side, unit.at, there, known] = None
    return tuple(dict(zip(("side", "from", "to", "unit"), one, strict=True)) for one in found)


def _judged(positions: Positions, call: Call, _: Stop) -> Reply:
    """
    Judge entries one by one: the verdict of each, and the positions after them.

    A side gets the verdicts of its own view (``seen``), and the referee judges only if all of these
    are legal; whether the referee's verdict differs is returned to the server only (``hidden``).
    """
    body = plain(call.body, Append)
    anyway = body.get("anyway", False)
    judged = _judged_on_view(positions, call, body["log"], anyway=anyway)
    found: dict[str, list[Any]] = {"lines": [], "statuses": [], "verdicts": [], "keys": []}
    found["seen"] = [msgspec.json.encode(seen) for _, seen in judged]
    is_hidden = False
    if call.side is not None and not anyway and any(one["status"] != LEGAL for _, one in judged):
        judged = []
    scene = positions.at(call.scene, call.log)
    for action, seen in judged:
        try:
            _own(action, _seen(scene, call.side).position, call.side)
            verdict = seen if call.side is None else check_answer(scene.position, [action])
        except BadInputError:  # reported in words that a side may not read
            is_hidden = True
            break
        is_hidden = is_hidden or any(verdict[key] != seen[key] for key in ("status", "stopped"))
        if verdict["stopped"] is not None:
            break
        found["statuses"].append(verdict["status"])
        found["lines"] += verdict["log"]
        found["verdicts"].append(msgspec.json.encode(verdict))
        scene = positions.at(call.scene, [*call.log, *found["lines"]])
        found["keys"].append(scene.position.key())
    return Reply(FINE, b"", {**found, "hidden": is_hidden})


def _judged_on_view(
    positions: Positions, call: Call, entries: list[Any], *, anyway: bool
) -> list[tuple[Action, dict[str, Any]]]:
    """
    Return entries as the requester sees them, each with its verdict.

    For a side, they stop at the first illegal one, unless they are to be played ``anyway``.
    """
    scene, lines = positions.at(call.scene, call.log), list(call.log)
    view = _seen(scene, call.side).position
    found: list[tuple[Action, dict[str, Any]]] = []
    for number, entry in enumerate(entries):
        try:
            (action,) = log_of([entry], view, source="log", name=scene.name)
            _own(action, view, call.side)
            verdict = check_answer(view, [action])
        except BadInputError as error:
            raise type(error)(error.message, source="log", field=f"log[{number}]") from None
        found.append((action, verdict))
        if verdict["stopped"] is not None:
            break
        if call.side is None:
            lines += verdict["log"]
            view = positions.at(call.scene, lines).position
        elif anyway or verdict["status"] == LEGAL:
            after = played(view, *verdict["log"])
            view = _seen(scene._replace(position=after), call.side).position
        else:
            break
    return found


def _own(action: Action, view: Position[Any, Any], side: str | None) -> None:
    """Reject what a side cannot do: it acts for its own units, obligations and Player Turn only."""
    if side is None:
        return
    if isinstance(action, Phase):
        if view.side != side:
            raise BadInputError(f"{side} is not the side to move")
        return
    if isinstance(action, Settle):
        _own_obligation(action, view, side)
        return
    named = [
        getattr(action, parameter.name)
        for parameter in parameters(type(action))
        if parameter.domain in ("unit", "companions")
    ]
    names = [name for one in named if one for name in ([one] if isinstance(one, str) else one)]
    for name in names:
        if view.unit(name).side != side:
            raise BadInputError(f"{name} is not {side}")
    if isinstance(action, Event) and not names:
        raise BadInputError(f"only the referee can declare {verb_of(action)}")


def is_owners(view: Position[Any, Any], pending: Obligation) -> bool:
    """Return whether an obligation's own side settles it: it must see the outcomes."""
    seen = find_rulebook(view.rulebook).seen_by(view, view.unit(pending.unit).side)
    return any(one.id == pending.id and one.outcomes for one in seen.pending)


def _own_obligation(action: Settle, view: Position[Any, Any], side: str) -> None:
    """Reject an obligation that another side settles, or whose outcomes the side cannot see."""
    for pending in view.pending:
        is_own = view.unit(pending.unit).side == side
        if pending.id == action.obligation and is_own != is_owners(view, pending):
            raise BadInputError(f"{pending.id} is not for {side} to settle")


FUNCTIONS: dict[str, Callable[[Positions, Call, Stop], Reply]] = {
    "verb": _verb, "run": _run, "begun": _begun, "stands": _stands, "sight": _sight,
    "judged": _judged,
}  # fmt: skip
