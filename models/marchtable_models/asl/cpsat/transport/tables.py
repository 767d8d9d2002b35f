"""The rulebook's answers on boarding, room and leaving, for the few cases that arise.

Nothing is computed here: each entry is a ruling on units placed where the question arises.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from marchtable.state.records import differences, replace
from marchtable_models.asl.cpsat.ruled import is_granted, unmodelled
from marchtable_models.asl.rules.capacity import (
    carrier_riders,
    hold,
    passenger_pp,
    rider_pp,
)
from marchtable_models.asl.rules.loading import Load
from marchtable_models.asl.rules.towing import Unhook
from marchtable_models.asl.rules.unloading import Unload
from marchtable_models.asl.views import modes

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from marchtable.rules.ruling import Ruling
    from marchtable.rules.travel import Entrant
    from marchtable_models.asl.hooks.travel import AslTravel
    from marchtable_models.asl.model import AslPosition, AslUnit

    Changes = dict[str, Any]

__all__ = ["AfterBoarding", "AfterUnloading", "Tables"]


_ROOMS = {False: (passenger_pp.id,), True: (rider_pp.id, carrier_riders.id)}
"""The clauses on the PP for Passengers and Riders."""
T = TypeVar("T")


class AfterBoarding(NamedTuple):
    """A boarded unit and its vehicle; ``key`` is what the vehicle records of it."""

    unit: AslUnit
    vehicle: AslUnit
    key: tuple[int, int]


class AfterUnloading(NamedTuple):
    """A unit that has left its vehicle, and the vehicle's expenditure then."""

    unit: AslUnit
    spent: int


class Tables:
    """
    The rulebook's answers for one position.

    Parameters
    ----------
    rulebook
        The rulebook.
    empty
        The position without the plan's units.

    Attributes
    ----------
    left_out
        Unmodelled clauses that prevented boarding or leaving.
    """

    def __init__(self, rulebook: AslTravel, empty: AslPosition) -> None:
        self.rulebook, self.empty = rulebook, empty
        self._known: dict[Hashable, object] = {}
        self._numbers: dict[Hashable, int] = {}
        self._kinds: dict[AslUnit, int] = {}
        self._shown: dict[Entrant, Mapping[str, int]] = {}
        self.left_out: frozenset[str] = frozenset()

    def kind(self, unit: AslUnit) -> int:
        """
        Return a number shared by units alike except in name, place and expenditure.

        On foot they also share a mode: a unit that came all the way by road has more MF left.
        """
        found = self._kinds.get(unit)
        if found is None:
            towed = (
                self._stripped(self.empty.unit(unit.cargo.towing)) if unit.cargo.towing else None
            )
            how: Hashable = modes.mode_of(unit)
            if unit.facing is not None:
                how = (unit.motion.moving, unit.move.road, unit.points.double, unit.status.cx)
            found = self._number((self._stripped(unit), how, towed))
            self._kinds[unit] = found
        return found

    def _stripped(self, unit: AslUnit) -> AslUnit:
        bare = modes.stripped(unit)
        return replace(bare, towing=unit.cargo.towing and "", towed_by=unit.cargo.towed_by and "")

    def _number(self, key: Hashable) -> int:
        return self._numbers.setdefault(key, len(self._numbers))

    def shown(self, unit: AslUnit) -> Mapping[str, int]:
        """Return a number, not 0, for the contents of each Location that is not empty to a unit."""
        entrant = self.rulebook.entrant(self.empty, unit)
        if entrant not in self._shown:
            found = self.rulebook.presences(self.empty, entrant, None)
            self._shown[entrant] = {
                at: 1 + self._number(("shown", what)) for at, what in found.items()
                if what is not None
            }  # fmt: skip
        return self._shown[entrant]

    def _there(self, vehicle: AslUnit) -> tuple[int, int, int]:
        """Return the facts of a vehicle and its Location that an answer depends on."""
        shown = self.shown(vehicle).get(str(vehicle.at), 0)
        return self.kind(vehicle), vehicle.points.spent, shown

    def _ruled(self, action: Load | Unload | Unhook, *units: AslUnit) -> Ruling:
        return self.rulebook.rule(self.empty.with_units(units), action)

    def _once(self, key: Hashable, ask: Callable[[], T]) -> T:
        """Return a cached answer, else ask."""
        if key not in self._known:
            self._known[key] = ask()
        return cast("T", self._known[key])

    def _granted(
        self, key: Hashable, action: Load | Unload | Unhook, *units: AslUnit
    ) -> list[AslUnit] | None:
        """Return two units and other changes after an action, as for any equal ones; None if rejected."""

        def asked() -> tuple[list[Changes] | None, frozenset[str]]:
            ruling = self._ruled(action, *units)
            changes = [_changes(unit, ruling.after) for unit in units[:2]]
            return changes if is_granted(ruling) else None, frozenset(unmodelled(ruling))

        changes, left_out = self._once(key, asked)
        if changes is None:
            self.left_out |= left_out
            return None
        return [_changed(unit, some) for unit, some in zip(units, changes, strict=False)]

    def boarded(
        self, unit: AslUnit, vehicle: AslUnit, *, riding: bool = False
    ) -> AfterBoarding | None:
        """Return a unit after boarding the vehicle beside it, None if it cannot."""
        key = (
            "load",
            riding,
            self.kind(unit),
            unit.points.spent,
            unit.move.mph,
            *self._there(vehicle),
        )
        found = self._granted(key, Load((unit.id,), vehicle.id, riding), unit, vehicle)
        if found is None:
            return None
        inside, state = found
        noted = (state.points.boarder_spent, state.points.boarder_left)
        return AfterBoarding(replace(inside, aboard=vehicle.id), state, noted)

    def counts(
        self, first: AslUnit, second: AslUnit, vehicle: AslUnit, *, riding: bool = False
    ) -> tuple[int, int]:
        """Return a vehicle's records of two units that board it together."""
        of = [(self.kind(unit), unit.points.spent, unit.move.mph) for unit in (first, second)]
        key = ("both", riding, *of, *self._there(vehicle))

        def asked() -> tuple[int, int]:
            action = Load((first.id, second.id), vehicle.id, riding)
            noted = self._ruled(action, first, second, vehicle).after.unit(vehicle.id).points
            return noted.boarder_spent, noted.boarder_left

        return self._once(key, asked)

    def is_too_much(
        self, vehicle: AslUnit, passengers: Sequence[AslUnit], *, riding: bool = False
    ) -> str:
        """Return the clause by which these Passengers or Riders exceed the PP."""
        kinds = tuple(self.kind(unit) for unit in passengers)
        key = ("too much", riding, self.kind(vehicle), kinds)

        def asked() -> str:
            position = self.empty.with_units([vehicle])
            facts = hold(position, vehicle, passengers, riding=riding)
            bars = self.rulebook.edition(position).judge(facts).bars
            return next((bar.clause for bar in bars if bar.clause in _ROOMS[riding]), "")

        return self._once(key, asked)

    def room(
        self, vehicle: AslUnit, passengers: Sequence[AslUnit], *, riding: bool = False
    ) -> int | None:
        """Return the half PP still free, None if it takes no such units."""
        kinds = tuple(self.kind(unit) for unit in passengers)
        key = ("room", riding, self.kind(vehicle), kinds)

        def asked() -> int | None:
            aboard = [replace(unit, aboard=vehicle.id, at=vehicle.at) for unit in passengers]
            position = self.empty.with_units([vehicle, *aboard])
            found = self.rulebook.room(position, vehicle)
            return next((free for clause, _, free in found if clause in _ROOMS[riding]), None)

        return self._once(key, asked)

    def unloaded(self, unit: AslUnit, vehicle: AslUnit, unhook: str = "") -> AfterUnloading | None:
        """
        Return a unit after leaving its vehicle in place, None if it cannot.

        If a unit unhooks the Gun in tow, only that unit leaves.
        """
        if unhook and unit.id != unhook:
            return None
        there = (*self._there(vehicle), vehicle.points.used > 0, vehicle.move.mph)
        key = (
            "unload",
            bool(unhook),
            self.kind(unit),
            unit.points.spent,
            unit.cargo.conveyed,
            there,
        )
        action: Unload | Unhook = Unload((unit.id,))
        here = [replace(unit, at=vehicle.at), vehicle]
        if unhook:
            gun = self.empty.unit(str(vehicle.cargo.towing))
            here.append(replace(gun, at=vehicle.at, towed_by=vehicle.id))
            action = Unhook(vehicle.id, unit.id)
        found = self._granted(key, action, *here)
        return None if found is None else AfterUnloading(found[0], found[1].points.spent)


def _changes(unit: AslUnit, after: AslPosition) -> Changes:
    """Return the changes of a unit other than its place."""
    now = after.unit(unit.id)
    found = differences(unit, now)
    found.pop("at", None)
    return found


def _changed(unit: AslUnit, changes: Changes) -> AslUnit:
    """Return a unit with the changes of an equal one; its SW keep their names."""
    if "sw" in changes:
        own = zip(changes["sw"], unit.sw, strict=True)
        changes = {**changes, "sw": tuple(replace(sw, name=named.name) for sw, named in own)}
    return replace(unit, **changes)
