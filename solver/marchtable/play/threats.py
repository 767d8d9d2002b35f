"""What-if at scale: where all units of a side can go, over many positions, as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.arguments import public
from marchtable.errors import BadInputError, UnknownNameError
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
"""The entry of a Location that a unit cannot reach."""


@public
def points_left(
    positions: Sequence[Position[Any, Any]], units: Sequence[str], *, rolls: str = "pass"
) -> npt.NDArray[np.int32]:
    """
    Return the most half points that each unit can have left in each Location, in each position.

    Parameters
    ----------
    positions
        Positions on one board; a unit missing from some of them reaches nothing there.
    units
        Ids of the units.
    rolls
        As in :func:`marchtable.reach`.

    Returns
    -------
    numpy.ndarray
        Shape [positions, units, Locations], in the board's order (``board.locations``); -1 where
        the unit cannot go by moving alone.

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
            raise UnknownNameError(positions[0].unknown_unit(name), field="units")
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


@public
def threat_map(
    position: Position[Any, Any], side: str, *, rolls: str = "pass"
) -> npt.NDArray[np.int32]:
    """
    Return, by Location, the most half points left of any unit of a side that can get there.

    Parameters
    ----------
    position
        The position; units move as the rulebook allows now, so it should be in the side's own
        phase.
    side
        The side.
    rolls
        As in :func:`marchtable.reach`.

    Returns
    -------
    numpy.ndarray
        By Location, in the board's order; -1 where no unit can go.
    """
    units = [unit.id for unit in position.units if unit.side == side]
    left = points_left([position], units, rolls=rolls)[0]
    found: npt.NDArray[np.int32] = left.max(axis=0, initial=NOWHERE)
    return found


@public
def seen_by_side(position: Position[Any, Any], side: str) -> npt.NDArray[np.int32]:
    """
    Count, by Location, the units of a side that see its ground from their present places.

    Counts only lines of sight that are clear, not those that are close or depend on unmodelled
    rules.

    Parameters
    ----------
    position
        The position.
    side
        The side.

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
