"""Units' ends, in Locations or off the map by one, and their worth.

An end has a name and a number: those of Locations and, beyond them, one per Location for leaving
the map there. A unit that stays off the map is NOWHERE.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from marchtable.planning.score import FinalPlace

if TYPE_CHECKING:
    import numpy.typing as npt

    from marchtable.board.board import Board
    from marchtable.planning.score import Measure
    from marchtable_models.asl.model import AslUnit

    Ints = npt.NDArray[np.int64]

__all__ = [
    "NOWHERE",
    "WAITING",
    "Merits",
    "end_name",
    "end_number",
    "final_place",
    "home_of",
    "left_by",
    "off_by",
    "to_end",
    "to_stand",
]  # fmt: skip

OFF = "off the map by "
NOWHERE = "off the map"
"""The end of a unit that starts off the map."""
WAITING = -1
"""Its number: in arrays it comes last."""


def end_name(board: Board, number: int) -> str:
    """Return the name of an end by its number."""
    if number == WAITING:
        return NOWHERE
    size = len(board)
    name = board.locations[number % size].name
    return name if number < size else off_by(name)


def off_by(name: str) -> str:
    """Return the name of the end of leaving the map by a Location."""
    return OFF + name


def end_number(board: Board, name: str) -> int:
    """Return the number of an end by its name."""
    if name == NOWHERE:
        return WAITING
    by = left_by(name)
    return board.index[name] if by is None else len(board) + board.index[by]


def home_of(unit: AslUnit) -> str:
    """Return the end of a unit that stays in place."""
    return unit.at or NOWHERE


def left_by(name: str) -> str | None:
    """Return the Location where the map is left, None for an end on the map."""
    return name.removeprefix(OFF) if name.startswith(OFF) else None


def final_place(name: str, *, carried: bool = False) -> FinalPlace:
    """Return a unit's place at an end."""
    if name == NOWHERE:
        return FinalPlace(None, carried)
    by = left_by(name)
    return FinalPlace(name, carried) if by is None else FinalPlace(None, carried, by)


def to_end(mode: Any) -> bool:
    """Return whether a unit on foot can end its MPh in a mode: not in Bypass."""
    return mode.bypass is None


def to_stand(mode: Any) -> bool:
    """Return whether a vehicle is stopped and not in Bypass."""
    return mode.bypass is None and not mode.moving


def _standing(measure: Measure, aim: int, *, carried: bool) -> Ints:
    """Return an end's worth to an aim, off the map if some aim wants that; staying off last."""
    known: dict[tuple[int, bool], Ints] = measure.__dict__.setdefault("standing arrays", {})
    if (aim, carried) not in known:
        rows = measure.standing(aim, carried=carried)
        if any(one.exit for one in measure.goal.aims):
            rows += measure.standing(aim, carried=carried, off=True)
        rows.append(measure.waiting(aim))
        known[aim, carried] = np.array(rows, np.int64).reshape(-1, 3)
    return known[aim, carried]


class Merits:
    """
    The worth of ending in a Location, for units of equal worth.

    Parameters
    ----------
    measure
        The measure.
    unit
        One of the units.

    Attributes
    ----------
    gains
        By whether they are aboard: end value, distance, and for each aim with a must whether it is
        met there.
    """

    def __init__(self, measure: Measure, unit: str) -> None:
        worths = [measure.worth(number, unit) for number, _ in enumerate(measure.goal.aims)]
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

    def rows(
        self, at: Ints, exposure: Any, points: Any, moved: Any, *, carried: bool = False
    ) -> Ints:
        """Return, by number of end, the additions to the five criteria, then the musts met."""
        gains = self.gains[carried][at]
        found = np.zeros((len(gains), 3 + gains.shape[1]), np.int64)
        found[:, :2], found[:, 5:] = gains[:, :2], gains[:, 2:]
        found[:, 2], found[:, 3], found[:, 4] = exposure, points, moved
        return found
