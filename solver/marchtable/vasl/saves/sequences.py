"""VASSAL's nested lists: tokens between delimiters, each level escaped in the next."""

from __future__ import annotations

import re

from marchtable.errors import BadInputError

__all__ = ["bare", "commands", "nested", "tokens", "whole"]

MOST_TRAITS = 400
MOST_TOKENS = 20_000
_FARTHEST = 1_000_000
# Each run of backslashes is examined once, from its beginning: a save may consist of them.
_SEPARATOR = re.compile(r"(?<!\\)\\*\x1b")
_TAB = re.compile(r"(?<!\\)(\\*)\t")
_NUMBER = re.compile(r"-?[0-9]{1,7}")


def commands(text: str) -> list[str]:
    """Return the commands of a saved game, at any nesting."""
    return _SEPARATOR.split(text)


def tokens(text: str, delimiter: str) -> list[str]:
    """Return the tokens of a list, without the escapes of their own level."""
    if text.count(delimiter) > MOST_TOKENS:
        raise BadInputError(f"a list of more than {MOST_TOKENS} parts")
    parts = re.split(rf"(?<!\\){re.escape(delimiter)}", text)
    return [bare(part.replace(f"\\{delimiter}", delimiter)) for part in parts]


def nested(text: str) -> list[str]:
    r"""
    Return the traits of a piece, outermost first.

    Each list has two members, a trait and the inner list. The tab between the members of the list
    at depth n follows n backslashes; one in a trait of that depth follows more.

    Examples
    --------
    >>> nested("hide;H\trotate;6\\\tpiece;;;ge/ge467;4-6-7")
    ['hide;H', 'rotate;6', 'piece;;;ge/ge467;4-6-7']
    """
    found: list[str] = []
    start, end = 0, len(text)
    for match in _TAB.finditer(text):
        depth = len(found)
        if match.end() > end or len(match[1]) < depth:
            break
        if len(match[1]) > depth:
            continue
        found.append(_trait(text[start : match.start()], depth))
        if len(found) > MOST_TRAITS:
            raise BadInputError(f"a piece of more than {MOST_TRAITS} traits")
        start = match.end()
        if end - start > 1 and text[start] == text[end - 1] == "'":
            start, end = start + 1, end - 1
    found.append(text[start:end])
    return found


def whole(text: str, what: str) -> int:
    """
    Return an integer within the range that a table can have.

    Raises BadInputError without the text itself: in a damaged save it may be a player's password.
    """
    number = int(text) if _NUMBER.fullmatch(text) else _FARTHEST
    if abs(number) >= _FARTHEST:
        raise BadInputError(f"expected a whole number for {what}")
    return number


def _trait(text: str, depth: int) -> str:
    return bare(text.replace("\\" * (depth + 1) + "\t", "\t"))


def bare(token: str) -> str:
    """Return a token without the quotes that protect a trailing backslash."""
    return token[1:-1] if len(token) > 1 and token[0] == token[-1] == "'" else token
