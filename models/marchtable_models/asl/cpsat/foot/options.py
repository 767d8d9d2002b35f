"""The options of a unit on foot in a plan: one row for each end, alone or with a leader."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.state.goal import CRITERIA

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    import numpy.typing as npt

    from marchtable.state.action import Action
    from marchtable_models.asl.cpsat.reached.ways import Places
    from marchtable_models.asl.model import AslUnit

    Ints = npt.NDArray[np.int64]

__all__ = ["ALONE", "POINTS", "STAYS", "Listed", "Options", "Walk"]

STAYS = 0
"""The row of staying where it is."""
ALONE = -1
"""In place of a leader's number and row: none."""
POINTS, EXPOSURE = CRITERIA.index("points"), CRITERIA.index("exposure")


class Walk(NamedTuple):
    """
    A row of a unit's options, as the model of choice has it.

    Parameters
    ----------
    unit, row
        Who, and which row.
    at
        The number of the end.
    points, exposure
        What it spends, in half points, and the threat met, if nobody is in its way.
    """

    unit: str
    row: int
    at: int
    points: int
    exposure: int

    @property
    def units(self) -> tuple[str, ...]:
        """All whose fate it settles."""
        return (self.unit,)

    @property
    def acts(self) -> int:
        """Whether it moves."""
        return int(self.row != STAYS)


class Listed(NamedTuple):
    """
    What a unit may do, in words that any space has: for who acts plans out without it.

    Parameters
    ----------
    at
        Where it ends.
    points, exposure
        What it spends, in half points, and the threat met, if nobody is in its way.
    leader
        With whom it goes, and which of what he may do that is; None if it goes by itself.
    actions
        Returns what it does, for the units that it leads.
    """

    at: str
    points: int
    exposure: int
    leader: tuple[str, int] | None
    actions: Callable[[Sequence[str]], Sequence[Action]]


@dataclass(frozen=True, eq=False)
class Options:
    """
    All that a unit may do; the first row is to stay.

    Parameters
    ----------
    unit, number
        Who, and its place among the movers as told.
    places
        What its own search found.
    way
        Of each row, the number of the state in which it ends among those that were reached; with
        a leader, in his search.
    at
        The number of the end: a Location, or having left the map (see :mod:`~.reached.ends`).
    score, met
        What it adds to each criterion, and for each aim with a must whether that is met.
    left
        Half points that it may have left there.
    leader, led
        With whom it moves, by his place among the movers, and which row of his that is; both
        ``ALONE`` for a unit by itself.
    """

    unit: AslUnit
    number: int
    places: Places
    way: Ints
    at: Ints
    score: Ints
    met: Ints
    left: Ints
    leader: Ints
    led: Ints

    def __len__(self) -> int:
        return len(self.at)

    @property
    def home(self) -> int:
        """The number of the Location where the unit begins."""
        return int(self.at[STAYS])

    def is_off(self, row: int) -> bool:
        """Return whether the unit leaves the map by a row."""
        return int(self.at[row]) >= len(self.places.space.board)

    def is_minimum(self, row: int) -> bool:
        """Return whether a row is a Minimum Move."""
        if int(self.leader[row]) != ALONE or row == STAYS:
            return False
        space = self.places.space
        mode: Any = space.modes[int(self.places.found.state[self.way[row]]) % space.width]
        return bool(mode[-1] == "minimum")

    def walk(self, row: int) -> Walk:
        """Return a row as the model of choice has it."""
        score = self.score[row]
        return Walk(self.unit.id, row, int(self.at[row]), int(score[POINTS]), int(score[EXPOSURE]))
