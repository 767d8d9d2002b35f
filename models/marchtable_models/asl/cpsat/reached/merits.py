"""What it is worth to end in each Location, as arrays over the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable_models.asl.cpsat.reached.ends import end_number

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from marchtable.board.board import Board
    from marchtable.planning.dominance import Dims
    from marchtable.planning.score import Measure
    from marchtable.planning.tasks import Five

    Ints = npt.NDArray[np.int64]

__all__ = ["Merits"]


def _standing(measure: Measure, aim: int, *, carried: bool) -> Ints:
    """Return what an end on the map is worth to an aim, off it if some aim wants that; staying off last."""
    import numpy as np

    known: dict[tuple[int, bool], Ints] = measure.__dict__.setdefault("standing arrays", {})
    if (aim, carried) not in known:
        told = measure.standing(aim, carried=carried)
        if any(one.exit for one in measure.goal.aims):
            told += measure.standing(aim, carried=carried, off=True)
        told.append(measure.waiting(aim))
        known[aim, carried] = np.array(told, np.int64).reshape(-1, 3)
    return known[aim, carried]


class Merits:
    """
    What ending in a Location is worth to units that are worth the same.

    Parameters
    ----------
    board, measure
        Where, and by what measure.
    unit
        One of the units.

    Attributes
    ----------
    gains
        By whether they are aboard: for each end value, distance, and for each aim with a must
        whether it is met there.
    """

    def __init__(self, board: Board, measure: Measure, unit: str) -> None:
        import numpy as np

        self.board, aims = board, measure.goal.aims
        worths = [measure.worth(number, unit) for number, _ in enumerate(aims)]
        self.gains: dict[bool, Ints] = {}
        for carried in (False, True):
            gains = np.zeros((len(_standing(measure, 0, carried=carried)), 2), np.int64)
            musts = []
            for number, worth in enumerate(worths):
                found = _standing(measure, number, carried=carried)
                if worth is not None:
                    gains += worth * found[:, :2]
                if measure.required(number):
                    musts.append(found[:, 2:] * (worth is not None))
            self.gains[carried] = np.concatenate([gains, *musts], axis=1)
        self._tables: dict[tuple[object, bool], Ints] = {}

    def score(self, at: str, *, carried: bool, exposure: int, points: int, moved: int) -> Five:
        """Return what a unit that ends so adds to each criterion."""
        value, distance, *_ = self.gains[carried][end_number(self.board, at)].tolist()
        return (value, distance, exposure, points, moved)

    def rows(
        self, dims: Dims, at: Ints, exposure: Any, points: Any, moved: Any, *, carried: bool = False
    ) -> Ints:
        """Return the numbers by which a task compares ends."""
        return dims.more(self._table(dims, carried=carried)[at], exposure, points, moved)

    def _table(self, dims: Dims, *, carried: bool) -> Ints:
        """Return the numbers of each end, nothing else counted."""
        key = (dims.key, carried)
        if key not in self._tables:
            self._tables[key] = dims.base(self.gains[carried])
        return self._tables[key]
