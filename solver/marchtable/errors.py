"""
The exceptions of marchtable, all for invalid input or internal errors.

::

    MarchtableError
    ├── BadInputError (ValueError)        a file, field, board, action or goal that cannot be read
    │   └── UnknownNameError (KeyError)   a hex, unit, clause or rulebook that does not exist
    └── InternalError (RuntimeError)      two of our own answers disagree: a bug of ours

An illegal move is never an exception: it is an answer.
"""

from __future__ import annotations

import re

__all__ = ["BadInputError", "InternalError", "MarchtableError", "UnknownNameError", "shortened"]

LONGEST = 80
"""Most characters of a word or quotation in a message."""
LONGEST_PATH = 400
_LONG = re.compile(rf"(?<!\w)'[^']{{{LONGEST + 1},}}'(?!\w)|\S{{{LONGEST + 1},}}")


def shortened(text: str) -> str:
    """
    Return a message with the middle of each long word or quotation cut, such as an id of 3,000 letters.

    Examples
    --------
    >>> len(shortened(f"no unit '{'x' * 3000}' here"))
    94
    """
    return _LONG.sub(_cut, text)


def _cut(found: re.Match[str]) -> str:
    word = found[0]
    most = LONGEST_PATH if "/" in word or "\\" in word else LONGEST
    return word if len(word) <= most else f"{word[: most * 2 // 3]}…{word[-most // 3 :]}"


class MarchtableError(Exception):
    """Base class of all exceptions that marchtable raises on purpose."""


class BadInputError(MarchtableError, ValueError):
    """
    Input that is malformed; never raised for a move that is merely illegal.

    Parameters
    ----------
    message
        What was found and what was expected, in one line.
    source
        The file (or ``"request"``) it came from, if known.
    field
        Where in it, as a path such as ``units[3].at``, if known.
    """

    def __init__(self, message: str, *, source: str = "", field: str = "") -> None:
        self.message = shortened(message)
        super().__init__(self.message)
        self.source = source
        self.field = shortened(field)

    def __str__(self) -> str:
        return ": ".join(part for part in (self.source, self.field, self.message) if part)

    def located(self, *, source: str = "", field: str = "") -> BadInputError:
        """Return the same error with the missing parts of its place filled in."""
        return type(self)(self.message, source=self.source or source, field=self.field or field)


class UnknownNameError(BadInputError, KeyError):
    """A name that refers to nothing: the message lists or describes the valid ones."""


class InternalError(MarchtableError, RuntimeError):
    """Two of marchtable's own answers disagree. Please report it with the message."""
