"""The options of a unit on foot in a plan: one row for each end, alone or with a leader."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from marchtable.state.goal import CRITERIA

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from marchtable.rules.plan_model import Task
    from marchtable_models.asl.cpsat.reached.ways import Places
    from marchtable_models.asl.model import AslUnit

    Ints = npt.NDArray[np.int64]
    Flags = npt.NDArray[np.bool_]

__all__ = ["ALONE", "LOTS", "NEVER", "STAYS", "Options", "worths"]

STAYS = 0
"""The row of staying where it is."""
ALONE = -1
"""In place of a leader's number and row: none."""
NEVER = 2**62
LOTS = 2
"""In how many lots they go: who goes ahead, and the others."""
LATER = 2**40
"""How much later a lot goes than the one before it: more than turns in a lot differ."""
COLUMNS = ("way", "at", "score", "met", "left", "turn", "leader", "led")


@dataclass(frozen=True, eq=False)
class Options:
    """
    All that a unit may do; the first row is to stay.

    The rows of the last lot come first; those of each lot before it are the same, but for their turn.

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
    lots
        In how many lots it may go.
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
    lots: int = 1

    def __len__(self) -> int:
        return len(self.at)

    @property
    def home(self) -> int:
        """The number of the Location where the unit begins."""
        return int(self.at[STAYS])

    def is_off(self, row: int) -> bool:
        """Tell whether the unit leaves the map by a row."""
        return int(self.at[row]) >= len(self.places.space.board)

    @property
    def width(self) -> int:
        """How many rows are of staying, or of the last lot."""
        return 1 + (len(self) - 1) // self.lots

    def last(self, row: int) -> int:
        """Return the row of the last lot that is as a row but for its turn."""
        return row if row < self.width else 1 + (row - 1) % (self.width - 1)

    def alike(self, row: int) -> range:
        """Return the rows of all lots that are as a row but for their turn."""
        if row == STAYS:
            return range(STAYS, STAYS + 1)
        return range(self.last(row), len(self), self.width - 1)

    def of_last_group(self) -> Options:
        """Return this without the rows of earlier lots."""
        found = {name: getattr(self, name)[: self.width] for name in COLUMNS}
        return replace(self, **found, lots=1)

    def in_order_groups(self, lots: int, leaders: Ints) -> Options:
        """Return this with rows of going in earlier lots; told how many rows leaders have, by number."""
        import numpy as np

        rows = {name: getattr(self, name)[1:] for name in COLUMNS}
        width = np.where(rows["leader"] == ALONE, 0, leaders[rows["leader"]] - 1)
        found = {
            name: np.concatenate([getattr(self, name), *[told] * (lots - 1)])
            for name, told in rows.items()
        }
        for lot in range(1, lots):
            some = slice(1 + lot * (len(self) - 1), 1 + (lot + 1) * (len(self) - 1))
            found["turn"][some] -= lot * LATER
            found["led"][some] += lot * width
        return replace(self, **found, lots=lots)  # type: ignore[arg-type]

    def stands(self, at: int, turn: int) -> Flags:
        """Tell by which rows it stands in a Location as others take their turn."""
        found: Flags = (self.turn < turn) & (self.at == at)
        return found if self.home != at else found | (self.turn > turn)


def worths(options: Options, task: Task) -> Ints:
    """Return what each row adds to a task's weighted sum."""
    import numpy as np

    weights = np.array([task.weights.get(name, 0) for name in CRITERIA], np.int64)
    found: Ints = options.score @ weights
    return found
