"""Completion of input: commands, verbs, and the actions that are legal now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.files.notation import format_action
from marchtable.play import legal_actions
from marchtable.prompt.session import ANYWAY, COMMANDS

if TYPE_CHECKING:
    from marchtable.prompt.session import Session

__all__ = ["Words"]

OF_UNITS, OF_ACTIONS = ("can",), ("try",)


class Words:
    """
    Completes lines of a session; the legal actions are computed once per position.

    Parameters
    ----------
    session
        The session.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._known: tuple[str, list[list[str]]] = ("", [])

    def after(self, text: str) -> list[str]:
        """Return the possible next words of a line, whose last word may be incomplete."""
        head, _, _ = text.rpartition(" ")
        said, half = head.split(), text[len(head) :].lstrip()
        lead = ANYWAY if not said and half.startswith(ANYWAY) else ""
        half = half.removeprefix(lead)
        found = [word for word in self._next(said) if word.lower().startswith(half.lower())]
        return [lead + word for word in dict.fromkeys(found)]

    def _next(self, said: list[str]) -> list[str]:
        if said and said[0] in OF_ACTIONS:
            said = said[1:]
        elif said and said[0] in COMMANDS:
            position = self._session.position
            is_first = len(said) == 1 and said[0] in OF_UNITS
            return [unit.id for unit in position.units] if is_first else []
        if said:
            said = [said[0].removeprefix(ANYWAY), *said[1:]]
        count = len(said)
        found = [
            line[count] for line in self._lines() if len(line) > count and line[:count] == said
        ]
        return found if count else [*found, *COMMANDS]

    def _lines(self) -> list[list[str]]:
        position = self._session.position
        key = position.key()
        if self._known[0] != key:
            found = [format_action(one.action).split() for one in legal_actions(position)]
            self._known = key, found
        return self._known[1]
