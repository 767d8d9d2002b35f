"""Who takes part in a plan; where units end, Locations and having left the map by one; and what that is worth.

An end is given by name and by number: those of Locations, and beyond them, one for each Location,
those of having left the map by it. Who is off the map from the start, and stays there, is NOWHERE.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from marchtable.planning.goals import places_of, units_of
from marchtable.planning.score import Measure, Stand
from marchtable.state.records import replace
from marchtable_models.asl.extraction import lines, reading
from marchtable_models.asl.extraction.outlook import BYPASS

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Mapping

    import numpy.typing as npt

    from marchtable.board.board import Board
    from marchtable.state.goal import Goal
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit
    from marchtable_models.asl.travel import AslTravel

    AslPosition = Position[AslUnit, AslConditions]
    Ints = npt.NDArray[np.int64]

__all__ = [
    "NOWHERE", "WAITING", "Merits", "TakingPart", "end_name", "end_number", "home_of", "left_by",
    "numbered", "off_by", "stand_of", "to_end", "to_stand", "waits_by",
]  # fmt: skip

OFF = "off the map by "
NOWHERE = "off the map"
"""The end of a unit that is off the map from the start."""
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
    """Return the name of having left the map by a Location."""
    return OFF + name


def end_number(board: Board, name: str) -> int:
    """Return the number of an end by its name."""
    if name == NOWHERE:
        return WAITING
    by = left_by(name)
    return board.index[name] if by is None else len(board) + board.index[by]


def home_of(unit: AslUnit) -> str:
    """Return the end of a unit that stays where it is."""
    return unit.at or NOWHERE


def left_by(name: str) -> str | None:
    """Return the Location by which the map is left, None for an end on the map."""
    return name.removeprefix(OFF) if name.startswith(OFF) else None


def stand_of(name: str, *, carried: bool = False) -> Stand:
    """Return where a unit is that ends so."""
    if name == NOWHERE:
        return Stand(None, carried)
    by = left_by(name)
    return Stand(name, carried) if by is None else Stand(None, carried, by)


def to_end(mode: Any) -> bool:
    """Return whether a unit on foot may end its MPh in a mode: not in Bypass."""
    return mode[BYPASS] is None


def to_stand(mode: Any) -> bool:
    """Return whether a vehicle has stopped, not in Bypass."""
    return mode[BYPASS] is None and not mode[1]


def _standing(measure: Measure, aim: int, *, carried: bool) -> Ints:
    """Return what an end on the map is worth to an aim, off it if some aim wants that; staying off last."""
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
    measure
        By what measure.
    unit
        One of the units.

    Attributes
    ----------
    gains
        By whether they are aboard: for each end value, distance, and for each aim with a must
        whether it is met there.
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
        """Return for ends, by number, what each adds to the five criteria, then which musts it meets."""
        gains = self.gains[carried][at]
        found = np.zeros((len(gains), 3 + gains.shape[1]), np.int64)
        found[:, :2], found[:, 5:] = gains[:, :2], gains[:, 2:]
        found[:, 2], found[:, 3], found[:, 4] = exposure, points, moved
        return found


class TakingPart:
    """
    The units that have a part in a plan.

    Parameters
    ----------
    rulebook, position, goal
        The problem; the goal is checked.
    """

    def __init__(self, rulebook: AslTravel, position: AslPosition, goal: Goal) -> None:
        self.rulebook, self.position, self.goal = rulebook, position, goal
        self.measure = Measure(position, goal)
        self._merits: dict[tuple[int | None, ...], Merits] = {}

    @property
    def parts(self) -> Collection[str]:
        """All that have a part in it, by name."""
        raise NotImplementedError

    def is_free(self, unit: AslUnit) -> bool:
        """Return whether a unit is on the map, or may come on, and has not begun its MPh, in no line."""
        bound = (
            unit.move.leaders
            or unit.move.lends
            or unit.move.helper
            or unit.place.bypass is not None
        )
        return (
            (unit.at is not None or self._may_come(unit))
            and unit.move.mph == "unmoved"
            and not (bound or lines.kind_of(unit) or lines.origin_of(unit))
        )

    def _may_come(self, unit: AslUnit) -> bool:
        """Return whether a unit off the map may come on by itself, or with what carries it."""
        return not unit.offboard.exited and bool(
            unit.offboard.entering or unit.cargo.aboard or unit.cargo.towed_by
        )

    def is_infantry(self, unit: AslUnit) -> bool:
        """Return whether a unit is Infantry."""
        return reading.type_of(self.position, unit).is_infantry

    def looks(self, units: Iterable[AslUnit], empty: AslPosition) -> dict[str, int]:
        """Return what of each the rulebook sees where others come in: equal for those who are alike to them."""
        at = self.position.board.locations[0].name
        told = {unit.id: empty.with_units([replace(unit, at=at, entering=())]) for unit in units}
        return numbered({
            name: self.rulebook.presence(here, here.unit(name).side, at, None)
            for name, here in told.items()
        })  # fmt: skip

    # -- what is wanted ----------------------------------------------------------------------------

    def merits(self, name: str) -> Merits:
        """Return what it is worth where a unit ends; one for all units that are worth the same."""
        worths = tuple(self.measure.worth(n, name) for n, _ in enumerate(self.goal.aims))
        if worths not in self._merits:
            self._merits[worths] = Merits(self.measure, name)
        return self._merits[worths]

    @cached_property
    def wanted(self) -> frozenset[str]:
        """The units that aims are about."""
        return frozenset(n for aim in self.goal.aims for n in units_of(aim, self.position))

    @property
    def exit_names(self) -> Collection[str]:
        """The Locations by which aims want units to leave the map."""
        wanted = {name for aim in self.goal.aims for name in aim.exit}
        return places_of(wanted, self.position.board)

    @cached_property
    def idle(self) -> dict[str, Stand]:
        """How the others stand, who stay where they are."""
        carrier, position = self.rulebook.carrier, self.position
        return {
            unit.id: Stand(unit.at, carrier(position, unit) is not None)
            for unit in position.units if unit.id not in self.parts
        }  # fmt: skip

    @property
    def outsiders(self) -> bool:
        """Whether aims are about units that might move and have no part in the plan."""
        others = (self.wanted & {*self.measure.movers}).difference(self.parts)
        return any(
            unit.move.mph != "done" and reading.type_of(self.position, unit).class_ != "wreck"
            for unit in map(self.position.unit, others)
        )


def waits_by(board: Board, unit: AslUnit) -> list[str]:
    """Return the Locations by which a unit comes on."""
    return list(dict.fromkeys(board.resolve(name) for name in unit.offboard.entering))


def numbered(told: Mapping[str, Hashable]) -> dict[str, int]:
    """Return by name numbers that are equal where the given values are."""
    numbers: dict[Hashable, int] = {}
    return {name: numbers.setdefault(one, len(numbers)) for name, one in told.items()}
