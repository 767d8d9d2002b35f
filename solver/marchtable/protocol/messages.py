"""JSON-RPC 2.0: parsing lines, and the lines that answer them."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.codec.plain import one_line, unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

__all__ = [
    "BUSY",
    "CANCEL",
    "INTERNAL",
    "INVALID",
    "METHOD",
    "PARAMS",
    "PARSE",
    "SHUTDOWN",
    "Fault",
    "Message",
    "error",
    "fault_of",
    "line_of",
    "lines",
    "messages_of",
    "notification",
    "result",
]  # fmt: skip

PARSE, INVALID, METHOD, PARAMS, INTERNAL = -32700, -32600, -32601, -32602, -32603
BUSY = -32000
"""Our own error code: too many messages wait, or too many positions are open."""
MOST_IN_A_BATCH = 100
CANCEL, SHUTDOWN = "cancel", "shutdown"
"""Methods that are answered at once, even during other work."""
_VERSION = "2.0"
_LEAST = '{"jsonrpc": "2.0", "id": 1, "method": "about"}'
_MEMBERS = {"jsonrpc", "id", "method", "params"}
_SOURCE = "message"


class Fault(Exception):  # noqa: N818 - what JSON-RPC calls an error object
    """
    Why a message has no result.

    Parameters
    ----------
    code
        JSON-RPC's, or one of our own.
    message
        What was found and what was expected.
    data
        The place: ``source`` and ``field``, each empty if there is none.
    """

    def __init__(self, code: int, message: str, data: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.code, self.message, self.data = code, one_line(message), data


class Message(NamedTuple):
    """A request; a notification, which has no id and gets no answer; or why it is neither."""

    method: str
    params: dict[str, Any]
    id: Any = None
    is_request: bool = False
    fault: Fault | None = None


def lines(source: BinaryIO, most: int) -> Iterator[bytes | None]:
    """Yield the lines of a stream; None for a skipped one of more than `most` bytes."""
    while line := source.readline(most + 1):
        if len(line.rstrip(b"\r\n")) <= most:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = source.readline(most)
        yield None


def messages_of(line: bytes) -> tuple[list[Message], bool]:
    """
    Return the messages of a line, invalid ones as faults, and whether they are a batch.

    Raises
    ------
    Fault
        If the line is not JSON, or an empty or too long batch.
    """
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        raise Fault(PARSE, "expected UTF-8") from None
    data = _decoded(text)
    if not isinstance(data, list):
        return [_message(data)], False
    if not 0 < len(data) <= MOST_IN_A_BATCH:
        raise Fault(INVALID, f"expected 1 to {MOST_IN_A_BATCH} messages in a batch")
    return [_message(one) for one in data], True


def _decoded(text: str) -> Any:
    """Parse a line. The content of strings is checked where they are used."""
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_reject)
    except RecursionError:
        raise Fault(PARSE, "nested too deep") from None
    except ValueError as error:
        hint = "" if text.lstrip()[:1] in "{[" else f"; expected a line such as {_LEAST}"
        raise Fault(PARSE, f"not readable as JSON: {unreadable(error)}{hint}") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Fault(PARSE, "not readable as JSON: a key is given twice")
    return found


def _reject(name: str) -> Any:
    raise Fault(PARSE, f"not readable as JSON: {name} is no number")


def _message(data: Any) -> Message:
    if not isinstance(data, dict):
        return _invalid(f"expected an object, such as {_LEAST}")
    number = data.get("id")
    is_odd = isinstance(number, bool) or not isinstance(number, str | int | float | None)
    if is_odd or (isinstance(number, float) and not math.isfinite(number)):
        return _invalid("expected a text or a number", "id")
    unknown = next((key for key in data if key not in _MEMBERS), "")
    faults = (
        (data.get("jsonrpc") == _VERSION, f'expected "jsonrpc": "{_VERSION}"', "jsonrpc"),
        (isinstance(data.get("method"), str), "expected the name of a method", "method"),
        (
            isinstance(data.get("params", {}), dict),
            'expected params by name, such as {"position": "p1"}',
            "params",
        ),
        (not unknown, f"expected any of {', '.join(sorted(_MEMBERS))}", unknown),
    )
    for is_well, message, field in faults:
        if not is_well:
            return _invalid(message, field, number)
    return Message(data["method"], data.get("params", {}), number, "id" in data)


def _invalid(message: str, field: str = "", number: Any = None) -> Message:
    data = {"source": _SOURCE, "field": one_line(field)}
    return Message("", {}, number, True, Fault(INVALID, message, data))


# -- answers -------------------------------------------------------------------------------------


def result(number: Any, found: Any) -> dict[str, Any]:
    """Return the answer to a request."""
    return {"jsonrpc": _VERSION, "id": number, "result": found}


def error(number: Any, fault: Fault) -> dict[str, Any]:
    """Return the answer to a request that has no result."""
    found: dict[str, Any] = {"code": fault.code, "message": fault.message}
    if fault.data:
        found["data"] = fault.data
    return {"jsonrpc": _VERSION, "id": number, "error": found}


def notification(method: str, params: dict[str, Any]) -> dict[str, Any]:
    """Return a message that requires no answer."""
    return {"jsonrpc": _VERSION, "method": method, "params": params}


def line_of(message: Any) -> bytes:
    """Return a message as one line of ASCII, which can represent any text."""
    return json.dumps(message, separators=(",", ":")).encode("ascii") + b"\n"


def fault_of(message: str, source: str, field: str) -> Fault:
    """Return an input error as an error object; without a text of its own, its source is ``params``."""
    shown = "params" if source in ("", "request") else one_line(source)
    return Fault(PARAMS, message, {"source": shown, "field": one_line(field)})
