"""Where a loaded vehicle may stop, and who may leave it there: rows of arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from marchtable_models.asl.cpsat.transport.gather import Gathered
    from marchtable_models.asl.cpsat.transport.offers import Load, Seat
    from marchtable_models.asl.cpsat.transport.tables import Left
    from marchtable_models.asl.cpsat.transport.ways import Places
    from marchtable_models.asl.model import AslUnit

    Ints = npt.NDArray[np.int64]
    AlikeKey = tuple[int, int, int, int, int, int]

__all__ = ["Class", "Stops", "stops_of"]


class Class(NamedTuple):
    """
    Units that are alike aboard of one load.

    Parameters
    ----------
    seats
        Theirs.
    exposure, spent, elsewhere
        What each met and spent on its way aboard, and whether that led out of its Location.
    left
        For each row of stops, the number of its entry in `lefts`, -1 where it cannot leave.
    lefts
        The units that have left.
    """

    seats: list[Seat]
    exposure: int
    spent: int
    elsewhere: int
    left: Ints
    lefts: list[Left]


class Stops(NamedTuple):
    """
    What a loaded vehicle may do, row by row: first being there, then being left there.

    Parameters
    ----------
    load, places
        The vehicle, and where it may stop.
    row, at, spent, exposure, moved
        The row of `places`, the end's number, half MP spent in all, and the rest of its score.
    first
        The first row in which it is left by a stack.
    classes
        Who may be aboard.
    """

    load: Load
    places: Places
    row: Ints
    at: Ints
    spent: Ints
    exposure: Ints
    moved: Ints
    first: int
    classes: list[Class]


def stops_of(gathered: Gathered, load: Load, places: Places) -> Stops:
    """Return what a loaded vehicle may do."""
    import numpy as np

    board = gathered.position.board
    home = board.index[str(load.vehicle.at)]
    idle = [-1] if load.vehicle.moving else []
    row = np.concatenate([np.array(idle, np.int64), np.arange(len(places))])
    at = np.where(row < 0, home, places.at[row])
    spent = np.where(row < 0, load.state.spent, places.spent[row])
    exposure = np.where(row < 0, 0, places.exposures(gathered.goal.threat)[row])
    stands = (row >= 0) & (at < len(board))  # else it has not stopped, or left the map
    classes, after = _classes(gathered, load, stands, spent, at)
    off = np.flatnonzero(after >= 0)
    both = np.concatenate([np.arange(len(row)), off])
    left = [c._replace(left=np.concatenate([np.full(len(row), -1), c.left[off]])) for c in classes]
    return Stops(
        load, places, row[both], at[both], np.concatenate([spent, after[off]]),
        exposure[both], (at[both] != home).astype(np.int64), len(row), left,
    )  # fmt: skip


def _levels(gathered: Gathered, load: Load, spent: Ints, at: Ints) -> tuple[list[AslUnit], Ints]:
    """Return the vehicle as it has stopped, once for all rows that are alike, and which is which row's."""
    import numpy as np

    board = gathered.position.board
    shown = np.zeros(len(board.locations), np.int64)
    for name, number in gathered.tables.shown(load.vehicle.side).items():
        shown[board.index[name]] = number
    alike = spent * (1 + shown.max()) + shown[at]
    _, first, level = np.unique(alike, return_index=True, return_inverse=True)
    stopped = [
        gathered.stopped(load, int(spent[n]), board.locations[int(at[n])].name) for n in first
    ]
    return stopped, level


def _classes(
    gathered: Gathered, load: Load, stands: npt.NDArray[np.bool_], spent: Ints, at: Ints
) -> tuple[list[Class], Ints]:
    """Return who may be aboard, and what the vehicle has spent once a stack has left it."""
    import numpy as np

    stopped, level = _levels(gathered, load, spent[stands], at[stands])
    alike: dict[AlikeKey, list[Seat]] = {}
    for seat in load.seats:
        unit, board = gathered.position.unit(seat.unit.id), seat.board
        exposure = board.exposure(gathered.goal.threat) if board else 0
        elsewhere = int(board is not None and board.at != unit.at)
        spent_before = seat.unit.spent - unit.spent
        kind, merits = gathered.tables.kind(seat.unit), gathered.merits(unit.id)
        key: AlikeKey = (kind, seat.unit.spent, id(merits), exposure, spent_before, elsewhere)
        alike.setdefault(key, []).append(seat)
    classes, after = [], np.full(len(stopped), -1)
    for key, seats in alike.items():
        found = [gathered.tables.left(seats[0].unit, vehicle) for vehicle in stopped]
        lefts = [left for left in found if left]
        numbers = np.cumsum([left is not None for left in found]) - 1
        can = np.array([left is not None for left in found], bool)
        after = np.maximum(after, [left.spent if left else -1 for left in found])
        number = np.full(len(stands), -1)
        number[stands] = np.where(can, numbers, -1)[level]
        classes.append(Class(seats, key[3], key[4], key[5], number, lefts))
    once_left = np.full(len(stands), -1)
    once_left[stands] = after[level]
    return classes, once_left
