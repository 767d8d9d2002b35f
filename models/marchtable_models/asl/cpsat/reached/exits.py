"""Leaving the map: by which Locations a plan's units may, and what the rulebook charges for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.state.records import replace
from marchtable_models.asl.cpsat.reached.exposed import exposure_of
from marchtable_models.asl.cpsat.reached.places import declarations
from marchtable_models.asl.cpsat.ruled import is_granted
from marchtable_models.asl.extraction.edge import going_off, outer_sides, ways
from marchtable_models.asl.extraction.modes import mode_of
from marchtable_models.asl.verbs.vehicles import Exit

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterator

    from marchtable.rules.ruling import Ruling
    from marchtable.state.position import Position
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
    kind
        Tells what is equal for units that are alike but for name, place and spending.
    names
        The Locations by which units may leave.

    Attributes
    ----------
    left_out
        Clauses, not modelled, for which leaving was not granted.
    """

    def __init__(
        self, rulebook: AslTravel, position: AslPosition, kind: Callable[[AslUnit], Hashable],
        names: Collection[str],
    ) -> None:  # fmt: skip
        board = position.board
        self.rulebook, self.position, self.kind = rulebook, position, kind
        self.left_out: set[str] = set()
        at_edge = {name for name in names if outer_sides(board, name)}
        self.names = sorted(at_edge, key=board.index.__getitem__)
        self._known: dict[Hashable, int | None] = {}

    def spent(
        self, position: AslPosition, unit: AslUnit, at: str, mode: Any, spent: int, *,
        anyhow: bool = False,
    ) -> int | None:  # fmt: skip
        """
        Return what a unit has spent once it has left the map.

        Parameters
        ----------
        position
            Who else stands where.
        unit
            The unit, as it starts.
        at, mode, spent
            Where it is, and in which mode with so much spent, when it leaves.
        anyhow
            Whether to let it pay with what it does not have.

        Returns
        -------
        int or None
            None where it may not leave, or only by a roll.
        """
        board = position.board
        starts = (at, mode, spent) == (unit.at, mode_of(unit), unit.points.spent)
        there = unit if starts else self.rulebook.in_mode(unit, at, mode)
        there = replace(there, spent=0 if anyhow else spent)
        beside = tuple(other for other in position.beside(at) if other.id != unit.id)
        key = (
            self.kind(unit), starts, mode, there.points.spent, beside,
            self.rulebook.presence(position, unit.side, at, None), outer_sides(board, at),
            going_off(board, at, ways(there)),
        )  # fmt: skip
        if key not in self._known:
            ruling = self.rulebook.rule(position.with_units([there]), Exit((unit.id,)))
            self._known[key] = self._told(ruling, unit.id)
        found = self._known[key]
        return found if found is None or not anyhow else spent + found

    def not_modelled(self, names: Collection[str]) -> set[str]:
        """Return the clauses for which nobody can tell whether some units leave the map as they stand."""
        position, rule = self.position, self.rulebook.rule
        return {
            one.clause
            for name in names
            if position.unit(name).at is not None
            for one in rule(position, Exit((name,))).unsupported
        }

    def _told(self, ruling: Ruling, name: str) -> int | None:
        if is_granted(ruling):
            return int(ruling.after.unit(name).points.spent)
        if not ruling.violations:
            self.left_out |= {one.clause for one in ruling.unsupported}
        return None

    def ways_off(
        self, position: AslPosition, unit: AslUnit, space: Any, found: Any, *, anyhow: bool = False,
        every: bool = False,
    ) -> Iterator[tuple[int, int, int]]:  # fmt: skip
        """
        Yield for each Location by which a unit may leave what it has spent then, and the way there.

        Parameters
        ----------
        position, unit
            Who else stands where, and who leaves.
        space, found
            The space and the kernel's arrays.
        anyhow
            Whether to let it pay with what it does not have.
        every
            Tell of every state from which it may leave, not only of the best by each Location.

        Yields
        ------
        tuple of int
            The Location's number, half points spent, and which of the states found it leaves from.
        """
        import numpy as np

        width, index, exposed = space.width, position.board.index, exposure_of(found)
        for name in self.names:
            rows = np.flatnonzero(found.state // width == index[name])
            best: tuple[int, int, int] | None = None
            declared = declarations(space)[found.state[rows] % width]
            ranked = np.lexsort((declared, exposed[rows], found.spent[rows]))
            for row in rows[ranked].tolist():
                before = int(found.spent[row])
                if best is not None and before >= best[0] and not every:
                    break
                mode = space.modes[int(found.state[row]) % width]
                spent = self.spent(position, unit, name, mode, before, anyhow=anyhow)
                now = None if spent is None else (spent, int(exposed[row]), row)
                if every and now is not None:
                    yield index[name], now[0], row
                if now is not None and (best is None or now[:2] < best[:2]):
                    best = now
            if best is not None and not every:
                yield index[name], best[0], best[2]
