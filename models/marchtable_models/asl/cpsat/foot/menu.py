"""What a unit on foot may do in a plan: one row for each end, alone or with a leader."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from marchtable.planning.goal import CRITERIA

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from marchtable.planning.model import Task
    from marchtable_models.asl.cpsat.reached.ways import Places
    from marchtable_models.asl.model import AslUnit

    Ints = npt.NDArray[np.int64]
    Flags = npt.NDArray[np.bool_]

__all__ = ["ALONE", "NEVER", "STAYS", "Menu", "worths"]

STAYS = 0
"""The row of staying where it is."""
ALONE = -1
"""In place of a leader's number and row: none."""
NEVER = 2**62


@dataclass(frozen=True, eq=False)
class Menu:
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
    turn
        When it acts, the smaller, the earlier; ``NEVER`` if it stays.
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
    turn: Ints
    leader: Ints
    led: Ints

    def __len__(self) -> int:
        return len(self.at)

    @property
    def home(self) -> int:
        """The number of the Location where the unit begins."""
        return int(self.at[STAYS])

    def is_off(self, row: int) -> bool:
        """Tell whether the unit leaves the map by a row."""
        return int(self.at[row]) >= len(self.places.space.board)

    def stands(self, at: int, turn: int) -> Flags:
        """Tell by which rows it stands in a Location as others take their turn."""
        found: Flags = (self.turn < turn) & (self.at == at)
        return found if self.home != at else found | (self.turn > turn)


def worths(menu: Menu, task: Task) -> Ints:
    """Return what each row adds to a task's weighted sum."""
    import numpy as np

    weights = np.array([task.weights.get(name, 0) for name in CRITERIA], np.int64)
    found: Ints = menu.score @ weights
    return found
