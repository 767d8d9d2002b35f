"""Where a loaded vehicle may stop, and who may leave it there: rows of arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable_models.asl.cpsat.reached.ends import WAITING, end_number, home_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from marchtable_models.asl.cpsat.reached.places import Places
    from marchtable_models.asl.cpsat.transport.instance import Instance
    from marchtable_models.asl.cpsat.transport.options import Load, Seat
    from marchtable_models.asl.cpsat.transport.tables import Left
    from marchtable_models.asl.model import AslUnit

    Ints = npt.NDArray[np.int64]
    AlikeKey = tuple[int, int, int, int, int, int, str]

__all__ = ["NOWHERE", "Class", "Stops", "rest_of", "stops_of"]

NOWHERE = -1
"""No row: a vehicle may not stay where it is."""


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
    unhooks
        For each row the number in `crews` of who leaves it and unhooks its Gun.
    crews
        Who may do so; the first is nobody, ``""``.
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
    unhooks: Ints
    crews: list[str]
    classes: list[Class]


def stops_of(instance: Instance, load: Load, places: Places) -> Stops:
    """Return what a loaded vehicle may do."""
    import numpy as np

    board = instance.position.board
    home = end_number(board, home_of(load.vehicle))
    may_stay = load.vehicle.motion.moving or home == WAITING
    stays = int(may_stay and instance.may_rest(load.vehicle.id))
    row, none = np.arange(-stays, len(places)), np.zeros(stays, np.int64)
    at = np.concatenate([none + home, places.at])
    spent = np.concatenate([none + load.state.points.spent, places.spent])
    exposure = np.concatenate([none, places.exposures(instance.goal.threat)])
    stands = (row >= 0) & (at < len(board))  # else it has not stopped, or left the map
    levels = _Levels(instance, load, spent[stands], at[stands])
    level = levels.of
    crews = ["", *_crews(load)]
    classes = _classes(instance, load, alone=crews[1:])
    told, paid, unhooks = [np.arange(len(row))], [spent], [np.zeros(len(row), np.int64)]
    left: list[list[Ints]] = [[np.full(len(row), -1)] for _ in classes]
    for number, crew in enumerate(crews):
        numbers, after = _left(instance, classes, levels, crew)
        off = np.flatnonzero(stands)[(after >= 0)[level]]
        found = level[(after >= 0)[level]]
        told, paid = [*told, off], [*paid, after[found]]
        unhooks.append(np.full(len(off), number))
        left = [[*before, one[found]] for before, one in zip(left, numbers, strict=True)]
    rows = np.concatenate(told)
    return Stops(
        load, places, row[rows], at[rows], np.concatenate(paid), exposure[rows],
        (at[rows] != home).astype(np.int64), len(row), np.concatenate(unhooks), crews,
        [one._replace(left=np.concatenate(some)) for one, some in zip(classes, left, strict=True)],
    )  # fmt: skip


def rest_of(stops: Stops) -> int:
    """Return the cheapest row in which a vehicle goes nowhere: it stops at once if it has to."""
    rows = (stops.moved[: stops.first] == 0).nonzero()[0]
    return int(rows[stops.spent[rows].argmin()]) if len(rows) else NOWHERE


def _crews(load: Load) -> list[str]:
    """Return those aboard who might unhook the Gun that a vehicle has had in tow from the start."""
    return [seat.unit.id for seat in load.seats] if load.vehicle.cargo.towing else []


class _Levels:
    """
    A vehicle as it has stopped, once for all rows that are alike.

    Parameters
    ----------
    instance, load
        The problem, and the vehicle.
    spent, at
        Of each row, what has been spent there and where it is.

    Attributes
    ----------
    of
        Which is each row's.
    told
        What of each tells who may leave it.
    """

    def __init__(self, instance: Instance, load: Load, spent: Ints, at: Ints) -> None:
        import numpy as np

        self.instance, self.load = instance, load
        self._names = instance.position.board.locations
        shown, most = instance.shown(load.vehicle.side)
        about = shown[at]
        _, first, self.of = np.unique(
            spent * (1 + most) + about, return_index=True, return_inverse=True
        )
        self._rows = [*zip(spent[first].tolist(), at[first].tolist(), strict=True)]
        told = instance.tables.stopped
        home = load.vehicle.at
        still = (load.state.points.spent, home and instance.position.board.index[home])
        plain: tuple[Any, ...] | None = None
        self.told: list[tuple[Any, ...]] = []
        for number, (row, showing) in enumerate(
            zip(self._rows, about[first].tolist(), strict=True)
        ):
            if row == still:  # perhaps as it was
                self.told.append(told(self.vehicle(number)))
            else:
                plain = plain or told(self.vehicle(number))
                self.told.append((plain[0], row[0], showing, *plain[3:]))

    def vehicle(self, number: int) -> AslUnit:
        """Return the vehicle."""
        spent, at = self._rows[number]
        return self.instance.stopped(self.load, spent, self._names[at].name)


def _classes(instance: Instance, load: Load, alone: Sequence[str]) -> list[Class]:
    """Return who may be aboard, those in classes of their own who may do what others do not."""
    import numpy as np

    none = np.zeros(0, np.int64)
    alike: dict[AlikeKey, list[Seat]] = {}
    for seat in load.seats:
        unit, board = instance.position.unit(seat.unit.id), seat.board
        exposure = board.exposure(instance.goal.threat) if board else 0
        elsewhere = int(board is not None and board.at != unit.at)
        spent_before = seat.unit.points.spent - unit.points.spent
        kind, merits = instance.tables.kind(seat.unit), instance.merits(unit.id)
        own = unit.id if unit.id in alone else ""
        key: AlikeKey = (
            kind,
            seat.unit.points.spent,
            id(merits),
            exposure,
            spent_before,
            elsewhere,
            own,
        )
        alike.setdefault(key, []).append(seat)
    return [Class(seats, key[3], key[4], key[5], none, []) for key, seats in alike.items()]


def _left(
    instance: Instance, classes: Sequence[Class], levels: _Levels, crew: str
) -> tuple[list[Ints], Ints]:
    """
    Return who may leave a vehicle wherever it has stopped, and what it has spent then, -1 for nobody.

    Told for each class are the numbers of their entries in `lefts`, which are added.
    """
    import numpy as np

    numbers, after = [], np.full(len(levels.told), -1)
    for each in classes:
        found = instance.tables.lefts(each.seats[0].unit, levels.told, levels.vehicle, crew)
        number = np.full(len(found), -1)
        for place, left in enumerate(found):
            if left is not None:
                number[place] = len(each.lefts)
                each.lefts.append(left)
                after[place] = max(after[place], left.spent)
        numbers.append(number)
    return numbers, after
