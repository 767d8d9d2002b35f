"""What-if at scale: where all units of a side get to, over many positions, as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.errors import BadInputError, UnknownNameError
from marchtable.nearest import unknown
from marchtable.reachability.reach import reach
from marchtable.rules.rulebook import find_rulebook
from marchtable.sight.facts import Viewpoint

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from marchtable.state.position import Position

__all__ = ["NOWHERE", "points_left", "seen_by_side", "threat_map"]

NOWHERE = -1
"""The entry of a Location that a unit does not get to."""


def points_left(
    positions: Sequence[Position[Any, Any]], units: Sequence[str], *, rolls: str = "pass"
) -> npt.NDArray[np.int32]:
    """
    Return the half points that each unit has left at most in each Location, in each position.

    Parameters
    ----------
    positions
        On one board; a unit that is in some of them gets nowhere in the others.
    units
        Ids of the units.
    rolls
        As of :func:`marchtable.reach`.

    Returns
    -------
    numpy.ndarray
        Of positions x units x Locations, in the board's order (``board.locations``); -1 where the
        unit does not get to by moving alone.

    Raises
    ------
    BadInputError
        If the positions are on different boards.
    UnknownNameError
        If a unit is in none of them.
    """
    import numpy as np

    size = len(positions[0].board) if positions else 0
    for name in units if positions else ():
        if not any(name in position.index for position in positions):
            raise UnknownNameError(unknown("unit", name, positions[0].index), field="units")
    left = np.full((len(positions), len(units), size), NOWHERE, np.int32)
    for number, position in enumerate(positions):
        if position.board != positions[0].board:
            raise BadInputError("expected positions on one board", field=f"positions[{number}]")
        rows = [row for row, name in enumerate(units) if name in position.index]
        here = [units[row] for row in rows]
        for row, found in zip(rows, reach(position, here, rolls=rolls), strict=True):
            if len(found.found):
                at = found.found.state // found.space.width
                np.maximum.at(left[number, row], at, found.space.left(found.found))
    return left


def threat_map(
    position: Position[Any, Any], side: str, *, rolls: str = "pass"
) -> npt.NDArray[np.int32]:
    """
    Return for each Location the half points left, at most, of the units of a side that can get there.

    Parameters
    ----------
    position
        Where; units move as the rulebook lets them now, so ask in a phase in which the side moves.
    side
        Whose units.
    rolls
        As of :func:`marchtable.reach`.

    Returns
    -------
    numpy.ndarray
        By Location, in the board's order; -1 where nobody gets to.
    """
    units = [unit.id for unit in position.units if unit.side == side]
    left = points_left([position], units, rolls=rolls)[0]
    found: npt.NDArray[np.int32] = left.max(axis=0, initial=NOWHERE)
    return found


def seen_by_side(position: Position[Any, Any], side: str) -> npt.NDArray[np.int32]:
    """
    Count for each Location the units of a side that see its ground.

    Where units stand now is what counts. Only lines of sight that are clear are counted: not those that are close,
    or depend on what is not modelled.

    Parameters
    ----------
    position
        Where.
    side
        Whose units.

    Returns
    -------
    numpy.ndarray
        By Location, in the board's order.

    Raises
    ------
    BadInputError
        If the rulebook computes no lines of sight.
    """
    import numpy as np

    rulebook, board = find_rulebook(position.rulebook), position.board
    eyes = [
        rulebook.eye(position, unit)
        for unit in position.units if unit.side == side and unit.at is not None
    ]  # fmt: skip
    grounds = [Viewpoint(one.hex, 2 * one.level) for one in board.locations]
    found = rulebook.sights(board, [(eye, to) for eye in eyes for to in grounds], position)
    clear = np.array([one.verdict == "clear" for one in found], np.int32)
    counted: npt.NDArray[np.int32] = clear.reshape(len(eyes), len(grounds)).sum(
        axis=0, dtype=np.int32
    )
    return counted
