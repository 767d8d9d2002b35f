"""Leaving the map: by which Locations a plan's units may, and what the rulebook charges for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from marchtable.state.records import replace
from marchtable_models.asl.cpsat.reached.paths import declarations, exposure_of
from marchtable_models.asl.cpsat.ruled import is_granted, unmodelled
from marchtable_models.asl.extraction.edge import outer_sides
from marchtable_models.asl.extraction.modes import mode_of
from marchtable_models.asl.verbs.vehicles import Exit

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from marchtable.state.position import Position
    from marchtable_models.asl.cpsat.reached.paths import Places
    from marchtable_models.asl.model import AslConditions, AslUnit
    from marchtable_models.asl.travel import AslTravel

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["Exits"]


class Exits:
    """
    What leaving the map comes to.

    Parameters
    ----------
    rulebook, position
        Whom to ask, and about what problem.
    names
        The Locations by which units may leave.

    Attributes
    ----------
    left_out
        Clauses, not modelled, for which leaving was not granted.
    """

    def __init__(self, rulebook: AslTravel, position: AslPosition, names: Collection[str]) -> None:
        board = position.board
        self.rulebook, self.position = rulebook, position
        self.left_out: set[str] = set()
        at_edge = {name for name in names if outer_sides(board, name)}
        self.names = sorted(at_edge, key=board.index.__getitem__)

    def not_modelled(self, names: Collection[str]) -> set[str]:
        """Return the clauses for which nobody knows whether some units leave the map as they stand."""
        position, rule = self.position, self.rulebook.rule
        return {
            one.clause
            for name in names
            if position.unit(name).at is not None
            for one in rule(position, Exit((name,))).unsupported
        }

    def _spent(
        self, position: AslPosition, unit: AslUnit, at: str, mode: Any, spent: int
    ) -> int | None:
        """Return what a unit has spent once it has left the map; None where it may not, or only by a roll."""
        starts = (at, mode, spent) == (unit.at, mode_of(unit), unit.points.spent)
        there = unit if starts else self.rulebook.in_mode(unit, at, mode)
        there = replace(there, spent=spent)
        ruling = self.rulebook.rule(position.with_units([there]), Exit((unit.id,)))
        if is_granted(ruling):
            return int(ruling.after.unit(unit.id).points.spent)
        self.left_out |= unmodelled(ruling)
        return None

    def ways_off(
        self, position: AslPosition, unit: AslUnit, places: Places, *, every: bool = False
    ) -> Iterator[tuple[int, int, int]]:
        """
        Yield for each Location by which a unit may leave what it has spent then, and the way there.

        Parameters
        ----------
        position, unit
            Who else stands where, and who leaves.
        places
            Where it gets to.
        every
            Yield every state from which it may leave, not only the best by each Location.

        Yields
        ------
        tuple of int
            The Location's number, half points spent, and which of the states found it leaves from.
        """
        found, width, index = places.found, places.space.width, position.board.index
        exposed = exposure_of(found)
        for name in self.names:
            rows = np.flatnonzero(found.state // width == index[name])
            best: tuple[int, int, int] | None = None
            told = declarations(places.space, found.state[rows])
            for row in rows[np.lexsort((told, exposed[rows], found.spent[rows]))].tolist():
                before = int(found.spent[row])
                if best is not None and before >= best[0] and not every:
                    break
                spent = self._spent(position, unit, name, places.mode(row), before)
                now = None if spent is None else (spent, int(exposed[row]), row)
                if every and now is not None:
                    yield index[name], now[0], row
                if now is not None and (best is None or now[:2] < best[:2]):
                    best = now
            if best is not None and not every:
                yield index[name], best[0], best[2]
