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

__all__ = ["BadInputError", "InternalError", "MarchtableError", "UnknownNameError"]


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
        super().__init__(message)
        self.message = message
        self.source = source
        self.field = field

    def __str__(self) -> str:
        return ": ".join(part for part in (self.source, self.field, self.message) if part)

    def located(self, *, source: str = "", field: str = "") -> BadInputError:
        """Return the same error with the missing parts of its place filled in."""
        return type(self)(self.message, source=self.source or source, field=self.field or field)


class UnknownNameError(BadInputError, KeyError):
    """A name that refers to nothing: the message lists or describes the valid ones."""


class InternalError(MarchtableError, RuntimeError):
    """Two of marchtable's own answers disagree. Please report it with the message."""
