"""What worker processes answer: each function takes what is known there and the call."""

from __future__ import annotations

import json
from importlib import import_module
from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.answer import answer, error_answer
from marchtable.errors import BadInputError
from marchtable.files import scene_data
from marchtable.logs import log_of
from marchtable.plain import parsed
from marchtable.rulebook import find_rulebook
from marchtable.service.calls import Reply
from marchtable.verdicts import check_answer

if TYPE_CHECKING:
    from collections.abc import Callable

    from marchtable.cpsat import Stop
    from marchtable.files import Scene
    from marchtable.service.calls import Call
    from marchtable.service.positions import Positions

__all__ = ["FUNCTIONS", "replied"]

SOURCE = "request"
BAD, MADE, FINE = 400, 201, 200


def replied(positions: Positions, call: Call, stop: Stop) -> Reply:
    """Return what is to be told a client; what it sent wrongly is told as an error."""
    try:
        return FUNCTIONS[call.function](positions, call, stop)
    except BadInputError as error:
        return _reply(error_answer(error.located(source=SOURCE)))


def _reply(found: Any, status: int = FINE, **extra: Any) -> Reply:
    if isinstance(found, dict) and found.get("status") == "ERROR":
        status = BAD
    return Reply(status, msgspec.json.encode(found), extra)


def _body(call: Call) -> dict[str, Any]:
    """Return the request's body; raises BadInputError."""
    try:
        text = call.body.decode()
    except UnicodeDecodeError:
        raise BadInputError("expected UTF-8 text", source=SOURCE) from None
    found = parsed(text, "request.json", SOURCE)
    if not isinstance(found, dict):
        raise BadInputError("expected a table", source=SOURCE)
    return found


# -- questions -------------------------------------------------------------------------------------


def _verb(positions: Positions, call: Call, stop: Stop) -> Reply:
    """Answer a verb, on a scene in the request or on the game's."""
    verb, body = call.args["verb"], _body(call)
    if body.get("verb", verb) != verb:
        raise BadInputError(f"expected {verb!r}, got {body['verb']!r}", source=SOURCE, field="verb")
    scene = None
    if call.scene:
        if "scene" in body:
            raise BadInputError("the game's own is meant", source=SOURCE, field="scene")
        scene = _seen(positions.at(call.scene, call.log), call.side)
    elif isinstance(body.get("scene"), dict):
        scene = positions.scene(body["scene"])
    return _reply(answer({**body, "verb": verb}, stop=stop, scene=scene))


def _seen(scene: Scene, side: str | None) -> Scene:
    """Return a scene as a side sees it."""
    if side is None:
        return scene
    return scene._replace(
        position=find_rulebook(scene.position.rulebook).seen_by(scene.position, side)
    )


def _run(positions: Positions, call: Call, stop: Stop) -> Reply:
    """Call a function of ours, named by the server and never by a client, on a game's scene."""
    module, _, name = call.args["function"].partition(":")
    args = call.args["args"]
    if not call.scene:
        return _reply(getattr(import_module(module), name)(positions, **args))
    scene = _seen(positions.at(call.scene, call.log), call.side)
    return _reply(getattr(import_module(module), name)(scene, **args))


# -- games -----------------------------------------------------------------------------------------


def _begun(positions: Positions, call: Call, stop: Stop) -> Reply:
    """Read the scene of a new game: ``scene`` (a table), ``toml`` (text) or ``named``."""
    body = _body_of_text(call)
    given = [key for key in ("scene", "toml", "named") if body.get(key) is not None]
    if len(given) != 1:
        raise BadInputError("expected one of scene, toml, named", source=SOURCE, field="scene")
    data = body[given[0]]
    if given[0] == "named":
        data = positions.named(data)
    elif given[0] == "toml":
        data = parsed(data, "scene.toml", "scene")
    found = positions.scene(data)
    kept = json.dumps(data, ensure_ascii=False).encode()
    return _reply(
        {}, scene=kept, name=found.name, key=found.position.key(), rulebook=found.position.rulebook
    )


def _body_of_text(call: Call) -> dict[str, Any]:
    """Return the body of a request that may hold text of several lines: a TOML file."""
    try:
        found: Any = msgspec.json.decode(call.body)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise BadInputError(f"not readable as JSON: {error}", source=SOURCE) from None
    if not isinstance(found, dict):
        raise BadInputError("expected a table", source=SOURCE)
    return found


def _stands(positions: Positions, call: Call, stop: Stop) -> Reply:
    """Tell how a game stands: the scene and its key."""
    scene = _seen(positions.at(call.scene, call.log), call.side)
    named = json.loads(call.scene).get("board")
    found = scene_data(scene.position, name=scene.name, board=named)
    return _reply({"key": scene.position.key(), "scene": found})


def _judged(positions: Positions, call: Call, stop: Stop) -> Reply:
    """Judge entries one by one: the verdict of each, and where they lead."""
    scene = positions.at(call.scene, call.log)
    entries = _body(call).get("log")
    if not isinstance(entries, list):
        raise BadInputError("expected a list of actions", source=SOURCE, field="log")
    found: list[dict[str, Any]] = []
    lines: list[str] = []
    keys: list[str] = []
    for entry in entries:
        (action,) = log_of([entry], scene.position, source="log", name=scene.name)
        verdict = check_answer(scene.position, [action])
        found.append(verdict)
        if verdict["stopped"] is not None:
            break
        lines += verdict["log"]
        scene = positions.at(call.scene, [*call.log, *lines])
        keys.append(scene.position.key())
    return Reply(
        FINE,
        b"",
        {
            "verdicts": [msgspec.json.encode(one) for one in found],
            "statuses": [one["status"] for one in found],
            "lines": lines,
            "keys": keys,
        },
    )


FUNCTIONS: dict[str, Callable[[Positions, Call, Stop], Reply]] = {
    "verb": _verb, "run": _run, "begun": _begun, "stands": _stands, "judged": _judged,
}  # fmt: skip
