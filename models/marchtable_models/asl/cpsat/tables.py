"""What the rulebook says of boarding, room and leaving, asked over the few cases that come up.

Nothing is computed here: each entry is a ruling on units put where the question arises.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from marchtable_models.asl import capacity, modes
from marchtable_models.asl.carrying import Load, Unload

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from marchtable.position import Position
    from marchtable.ruling import Ruling
    from marchtable_models.asl.model import AslConditions, AslUnit
    from marchtable_models.asl.rulebook import Asl

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["Boarded", "Left", "Tables", "bare"]

replace = msgspec.structs.replace


def bare(position: AslPosition, movers: Sequence[str]) -> AslPosition:
    """Return the position with these units off the map."""
    return position.with_units(
        [replace(position.unit(name), at=None, aboard=None, riding=False) for name in movers]
    )


class Boarded(NamedTuple):
    """What became of a unit that boarded, and of its vehicle; ``key`` is what the vehicle noted of it."""

    unit: AslUnit
    vehicle: AslUnit
    key: tuple[int, int]


class Left(NamedTuple):
    """A unit that has left its vehicle, and what the vehicle has spent then."""

    unit: AslUnit
    spent: int


class Tables:
    """
    The rulebook's answers for one position.

    Parameters
    ----------
    rulebook
        Whom to ask.
    empty
        The position without the units of the plan.
    """

    def __init__(self, rulebook: Asl, empty: AslPosition) -> None:
        self.rulebook, self.empty = rulebook, empty
        self.asked = 0
        self._known: dict[Hashable, object] = {}
        self._kinds: dict[str, Hashable] = {}

    def kind(self, unit: AslUnit) -> Hashable:
        """Return what units have in common that are alike but for name, place and spending."""
        if unit.id not in self._kinds:
            night = self.empty.conditions.night
            self._kinds[unit.id] = (modes.stripped(unit, night=night), unit.moving)
        return self._kinds[unit.id]

    def _ruled(self, action: Load | Unload, *units: AslUnit) -> Ruling:
        self.asked += 1
        return self.rulebook.rule(self.empty.with_units(units), action)

    def boarded(self, unit: AslUnit, vehicle: AslUnit) -> Boarded | None:
        """Return a unit that stands by a vehicle as it has boarded it, None where it may not."""
        key = ("load", self.kind(unit), unit.spent, unit.mph, self.kind(vehicle), vehicle.spent)
        if key not in self._known:
            ruling = self._ruled(Load((unit.id,), vehicle.id), unit, vehicle)
            self._known[key] = (
                (ruling.after.unit(unit.id), ruling.after.unit(vehicle.id))
                if ruling.is_legal and not ruling.obligations
                else None
            )
        found = self._known[key]
        if found is None:
            return None
        on, under = found  # type: ignore[misc]
        noted = (under.boarder_spent, under.boarder_left)
        return Boarded(
            replace(on, id=unit.id, at=vehicle.at, aboard=vehicle.id),
            replace(under, id=vehicle.id, at=vehicle.at),
            noted,
        )

    def counts(self, first: AslUnit, second: AslUnit, vehicle: AslUnit) -> tuple[int, int]:
        """Return what a vehicle notes of two units that board it together."""
        after = self._ruled(Load((first.id, second.id), vehicle.id), first, second, vehicle).after
        noted = after.unit(vehicle.id)
        return (noted.boarder_spent, noted.boarder_left)

    def room(self, vehicle: AslUnit, passengers: Sequence[AslUnit]) -> int | None:
        """Return how many half PP a vehicle has still room for, None where it takes no Passengers."""
        key = ("room", self.kind(vehicle), tuple(self.kind(unit) for unit in passengers))
        if key not in self._known:
            aboard = [replace(unit, aboard=vehicle.id, at=vehicle.at) for unit in passengers]
            position = self.empty.with_units([vehicle, *aboard])
            found = capacity.rooms(position, vehicle, self.rulebook.edition(position))
            clauses = {entry["clauses"][0]: entry["factor"] for entry in found}
            self._known[key] = round(2 * clauses["D6.1c"]) if "D6.1c" in clauses else None
        return self._known[key]  # type: ignore[return-value]

    def left(self, unit: AslUnit, vehicle: AslUnit) -> Left | None:
        """Return a unit as it has left the vehicle that it is aboard, None where it may not."""
        key = (
            "unload", self.kind(unit), unit.spent, unit.conveyed, self.kind(vehicle),
            vehicle.spent, vehicle.used > 0, vehicle.mph,
        )  # fmt: skip
        if key not in self._known:
            ruling = self._ruled(Unload((unit.id,)), unit, vehicle)
            self._known[key] = (
                (ruling.after.unit(unit.id), ruling.after.unit(vehicle.id).spent)
                if ruling.is_legal and not ruling.obligations
                else None
            )
        found = self._known[key]
        if found is None:
            return None
        off, spent = found  # type: ignore[misc]
        return Left(replace(off, id=unit.id, at=vehicle.at), spent)
