"""The referee: judges a log entry by entry."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from marchtable.arguments import public
from marchtable.errors import BadInputError
from marchtable.rules.rulebook import find_rulebook
from marchtable.rules.ruling import Ruling, Verdict
from marchtable.state.action import Action
from marchtable.state.log import place_of
from marchtable.state.position import checked

if TYPE_CHECKING:
    from marchtable.state.position import Position

__all__ = ["check", "rule"]


@public
def rule(position: Position[Any, Any], action: Action) -> Ruling:
    """Judge one action under the position's own rulebook."""
    return find_rulebook(position.rulebook).rule(position, action)


def check(position: Position[Any, Any], log: Iterable[Action]) -> Verdict:
    """
    Judge a log of actions and events.

    Parameters
    ----------
    position
        The starting position.
    log
        Its entries, in order.

    Returns
    -------
    Verdict
        After an illegal or UNSUPPORTED step the referee continues from the position the step would
        have led to, and marks later findings; without such a position it stops.

    Raises
    ------
    BadInputError
        If an entry names something that does not exist; the error names the file and line, or the step. If the
        position is none, or an entry is a line: :func:`marchtable.parse_action` reads lines.
    """
    rulebook = find_rulebook(checked(position).rulebook)
    rulings: list[Ruling] = []
    if isinstance(log, Action):
        raise BadInputError("expected a list of actions, got one; put it into a list", field="log")
    if not isinstance(log, Iterable):
        raise BadInputError(f"expected a list of actions, got {log!r:.80}", field="log")
    rulebook.edition(position)  # an unknown clause that is switched off is no fault of the log
    for action in (log,) if isinstance(log, str) else log:
        if not isinstance(action, Action):
            raise BadInputError(
                f"expected actions, got {action!r:.80}; marchtable.parse_action(line, position) reads a "
                "line, marchtable.load_log a file",
                field=f"log[{len(rulings)}]",
            )
        try:
            ruling = rulebook.rule(position, action)
        except BadInputError as error:
            raise type(error)(error.message, **place_of(log, len(rulings))) from None
        rulings.append(ruling)
        if ruling.after is None:
            return Verdict(rulings=tuple(rulings), stopped=len(rulings) - 1, position=position)
        position = ruling.after
    return Verdict(rulings=tuple(rulings), stopped=None, position=position)
