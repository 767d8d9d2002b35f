"""The commands of one recorded step, decoded through all nesting and sorted by kind."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from marchtable.budget import look
from marchtable.errors import BadInputError
from marchtable.vasl.saves.sequences import MOST_TOKENS, tokens, whole

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "AddPiece",
    "ChangePiece",
    "Chat",
    "Command",
    "MovePiece",
    "RemovePiece",
    "Undo",
    "decoded",
]

ESCAPE = "\x1b"
DEEPEST = 100
"""Maximum nesting of the commands of a step."""
_PREFIXES = re.compile(r"(?:LOG\t)+")
# At depth n, n backslashes precede the separator.
_SEPARATOR = re.compile(rf"(?<!\\)(\\*){ESCAPE}")
_TOO_DEEP = "\\" * DEEPEST + ESCAPE
_NOWHERE = ("", "null")


class AddPiece(NamedTuple):
    """A piece or a stack is added to the table; type and state are as written."""

    id: str
    type: str
    state: str


class RemovePiece(NamedTuple):
    """A piece or a stack leaves the table."""

    id: str


class ChangePiece(NamedTuple):
    """A piece or a stack has a new state; `old` is the one before, ``""`` if not given."""

    id: str
    state: str
    old: str


class MovePiece(NamedTuple):
    """A piece or a stack moves to a place on a map, on top of the piece `under`, if named."""

    id: str
    map: str
    x: int
    y: int
    under: str


class Chat(NamedTuple):
    """A line of the chat."""

    text: str


class Undo(NamedTuple):
    """The inverses of earlier commands begin or end here."""

    begins: bool


Command = AddPiece | RemovePiece | ChangePiece | MovePiece | Chat | Undo


def decoded(step: str) -> list[Command]:
    """
    Return the commands of a step that change the table or write to the chat, in playing order.

    Others are skipped: notes, board pickers, masks, and commands unknown to this version.

    Raises
    ------
    BadInputError
        If they are nested too deep, or a command is damaged. The message has no text of the step.
    """
    found = []
    for text in _leaves(step):
        command = _command(text)
        if command is not None:
            found.append(command)
    return found


def _leaves(step: str) -> Iterator[str]:
    """Yield the commands of a step, parents before children, without copying any level."""
    if _TOO_DEEP in step:
        raise BadInputError(f"its commands are nested more than {DEEPEST} deep")
    separators = [*_SEPARATOR.finditer(step)]
    if len(separators) > MOST_TOKENS:
        raise BadInputError(f"a step of more than {MOST_TOKENS} commands")
    by_depth: list[list[int]] = [[] for _ in range(DEEPEST + 1)]
    for number, separator in enumerate(separators):
        by_depth[len(separator[1])].append(number)
    waiting = [(0, len(step), 0, len(separators), 0)]
    while waiting:
        look()
        start, end, first, last, depth = waiting.pop()
        if depth and end - start > 1 and step[start] == step[end - 1] == "'":
            start, end = start + 1, end - 1
        if prefixes := _PREFIXES.match(step, start, end):
            start = prefixes.end()
        here = by_depth[depth]
        cuts = here[bisect_left(here, first) : bisect_left(here, last)]
        if not cuts:
            yield step[start:end].replace("\\" * depth + ESCAPE, ESCAPE)
            continue
        parts = []
        for cut in cuts:
            parts.append((start, separators[cut].start(), first, cut, depth + 1))
            start, first = separators[cut].end(), cut + 1
        waiting += [(start, end, first, last, depth + 1), *reversed(parts)]


def _command(text: str) -> Command | None:
    kind, slash, _ = text.partition("/")
    if slash and kind in _READERS:
        return _READERS[kind](tokens(text, "/"))
    if text.startswith("CHAT"):
        return Chat(text[4:])
    if text.startswith("UNDO\t"):
        return Undo(text[5:].strip() == "true")
    return None


def _added(parts: list[str]) -> Command:
    if len(parts) < 4:
        raise BadInputError("expected a piece's id, type and state")
    return AddPiece(*parts[1:4])


def _removed(parts: list[str]) -> Command:
    return RemovePiece(parts[1])


def _changed(parts: list[str]) -> Command:
    if len(parts) < 3:
        raise BadInputError("expected a piece's id and state")
    return ChangePiece(parts[1], parts[2], parts[3] if len(parts) > 3 else "")


def _moved(parts: list[str]) -> Command:
    """Parse a move; its last field, the player's password, is dropped."""
    if len(parts) < 5:
        raise BadInputError("expected a piece's id and where it goes")
    under = parts[5] if len(parts) > 5 else ""
    where = "" if parts[2] in _NOWHERE else parts[2]
    return MovePiece(
        parts[1], where, whole(parts[3], "x"), whole(parts[4], "y"), "" if under in _NOWHERE else under
    )  # fmt: skip


_READERS = {"+": _added, "-": _removed, "D": _changed, "M": _moved}
