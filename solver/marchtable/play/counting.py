"""Perft with caches: the number of sequences of closed actions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.arguments import public
from marchtable.errors import BadInputError
from marchtable.files.notation import format_action
from marchtable.play.following import after
from marchtable.play.moves import closed_actions, closings_of, menus
from marchtable.rules.generator import perft as tried_perft
from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from marchtable.state.position import Position

__all__ = ["perft"]


@public
def perft(
    position: Position[Any, Any], depth: int, *, divide: bool = False
) -> dict[str, int] | int:
    """
    Count the sequences of closed actions of a given length.

    Parameters
    ----------
    position
        The starting position.
    depth
        The number of actions and events (a settled roll counts as one).
    divide
        Return the count for each first action, by its notation, instead of the sum.

    Returns
    -------
    int or dict
        The number of sequences; identical units count once.

    Raises
    ------
    BadInputError
        If the depth is negative.
    """
    if depth < 0:
        raise BadInputError(f"expected a whole number from 0, got {depth}", field="depth")
    if not divide:
        return _count(position, depth)
    return {
        format_action(action): _count(after(position, action), depth - 1)
        for action in closed_actions(position)
    }


def _count(position: Position[Any, Any], depth: int) -> int:
    if depth <= 0:
        return 1
    if depth == 1:
        return _leaves(position)
    return sum(_count(after(position, action), depth - 1) for action in closed_actions(position))


def _leaves(position: Position[Any, Any]) -> int:
    """Return the number of closed actions, using the rulebook's own counts where it has them."""
    if position.pending:
        found = tried_perft(position, 1)
        assert isinstance(found, int)
        return found
    count, rulebook = 0, find_rulebook(position.rulebook)
    for _, entries in menus(position):
        for entry in entries:
            joint = rulebook.joint(position, entry.action) if entry.closings is None else None
            known = None if joint is None else joint.closings()
            count += len(closings_of(position, entry, None)) if known is None else known
    return count
