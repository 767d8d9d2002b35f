"""Bodies of requests: JSON objects, read strictly; an error shows the least body as an example."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from marchtable.answers.answer import SOURCE, request_of
from marchtable.codec.plain import one_line, parsed
from marchtable.codec.structs import struct_of
from marchtable.errors import BadInputError
from marchtable.service.shapes import NewGame, NewJob

__all__ = ["decoded", "example", "new_game", "new_job", "plain"]

T = TypeVar("T")

SHORT = 65_536
"""Maximum size of a body (bytes) that is parsed twice, if necessary, to explain its fault."""
SHOWN = 40
"""Characters of a body that an error shows."""
_OPEN = {"ListType": "[…]", "DictType": "{…}", "StrType": '"…"', "IntType": "1"}
"""How an example shows a value of a type."""


def example(kind: type[msgspec.Struct]) -> str:
    """
    Return the least body of a kind: its required fields, or else its first one.

    Examples
    --------
    >>> example(NewGame)
    '{"scene": {…}}'
    """
    found: Any = msgspec.inspect.type_info(kind)
    fields = [one for one in found.fields if one.required] or found.fields[:1]
    return "{" + ", ".join(f'"{one.encode_name}": {_open(one.type)}' for one in fields) + "}"


def _open(kind: Any) -> str:
    if isinstance(kind, msgspec.inspect.LiteralType):
        return f'"{kind.values[0]}"'
    if isinstance(kind, msgspec.inspect.UnionType | msgspec.inspect.Metadata):
        return _open(kind.types[0] if isinstance(kind, msgspec.inspect.UnionType) else kind.type)
    return _OPEN.get(type(kind).__name__, "…")


def decoded(body: bytes, kind: type[T]) -> T:
    """Return a body whose texts can have several lines; raise BadInputError."""
    try:
        data = msgspec.json.decode(body or b"{}")
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        if len(body) < SHORT:
            _parsed(body, kind)  # it also names the field
        raise BadInputError(one_line(str(error)), source=SOURCE) from None
    found: T = struct_of(_object(data, kind), kind, source=SOURCE)
    return found


def plain(body: bytes, kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Return the body of a kind as plain data whose texts have one line; raise BadInputError."""
    return _object(_parsed(body, kind), kind)


def _parsed(body: bytes, kind: Any) -> Any:
    try:
        text = body.decode() or "{}"
    except UnicodeDecodeError:
        raise BadInputError("expected JSON as UTF-8 text", source=SOURCE) from None
    try:
        return parsed(text, "request.json", SOURCE)
    except BadInputError as error:
        if error.field or text.lstrip()[:1] in "{[":
            raise
        shown = one_line(text[:SHOWN])
        raise BadInputError(
            f"expected JSON, such as {example(kind)}; the body begins with {shown!r}", source=SOURCE
        ) from None


def _object(data: Any, kind: Any) -> dict[str, Any]:
    if not isinstance(data, dict):
        got = one_line(msgspec.json.encode(data).decode()[:SHOWN])
        raise BadInputError(
            f"expected an object, such as {example(kind)}, got {got}", source=SOURCE
        )
    return data


def new_game(given: bytes) -> NewGame:
    """Return the body of a new game; a text as its scene is rejected with the fields that take one."""
    try:
        return decoded(given, NewGame)
    except BadInputError as error:
        if error.field == "scene":
            hint = "; `named` takes the name of a scene of this server, `toml` the text of a file"
            raise BadInputError(error.message + hint, source=SOURCE, field="scene") from None
        raise


def new_job(given: bytes) -> NewJob:
    """Return the body of a new job, whose request has the fields of its verb's."""
    found = decoded(given, NewJob)
    if "verb" in found.request:
        raise BadInputError(
            "remove it; the `verb` beside `request` is used", source=SOURCE, field="request.verb"
        )
    of_game = found.game is not None
    if of_game and "scene" in found.request:
        raise BadInputError(
            "remove it; the game's own scene is used", source=SOURCE, field="request.scene"
        )
    try:
        request_of({**found.request, "verb": found.verb, **({"scene": {}} if of_game else {})})
    except BadInputError as error:
        place = ".".join(filter(None, ("request", error.field)))
        raise BadInputError(error.message, source=SOURCE, field=place) from None
    return found
