"""Who may board which vehicle, inside or outside, and the loads that come of it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from marchtable.rules.clause import switched_off
from marchtable.state.records import replace
from marchtable_models.asl.clauses.transport.passengers import rider_dates
from marchtable_models.asl.cpsat.transport.options import Load, Seat
from marchtable_models.asl.extraction.outlook import BYPASS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from marchtable_models.asl.cpsat.reached.paths import Place, Places
    from marchtable_models.asl.cpsat.transport.participants import Participants
    from marchtable_models.asl.cpsat.transport.tables import Boarded, Tables
    from marchtable_models.asl.model import AslUnit

    Boarders = dict[str, dict[str, tuple[Place, Boarded]]]

__all__ = ["Boarding", "to_board"]


def to_board(mode: Any) -> bool:
    """Return whether a unit on foot may board in a mode: no Double Time, nothing used up."""
    return mode[BYPASS] is None and not (mode[1] or mode[2] or mode[-1])


class Boarding:
    """
    What may be aboard the vehicles of a plan as they go.

    Parameters
    ----------
    participants, tables
        Who takes part, and what clauses say of them.
    walks
        Where each unit on foot gets to by itself.
    """

    def __init__(
        self, participants: Participants, tables: Tables, walks: Mapping[str, Places]
    ) -> None:
        self.participants, self.tables, self.walks = participants, tables, walks
        self._places: dict[str, Places] = {}

    @cached_property
    def boarders(self) -> Boarders:
        """For each vehicle, who may board it as a Passenger: the way there, what becomes of both."""
        return self._able(riding=False)

    @cached_property
    def riders(self) -> Boarders:
        """For each vehicle, who may board it as a Rider; nobody if the scene gives no year (D6.2b)."""
        told = self.participants.position.conditions.year or rider_dates.id in switched_off()
        if not told:
            return {name: {} for name in self.participants.vehicles}
        return self._able(riding=True)

    def _able(self, *, riding: bool) -> Boarders:
        taking_part = self.participants
        found: Boarders = {name: {} for name in taking_part.vehicles}
        for name, vehicle in taking_part.vehicles.items():
            for unit in taking_part.foot.values() if vehicle.at else ():  # not off the map (A2.51a)
                place = self.by(unit.id, str(vehicle.at))
                if place is None:
                    continue
                boarded = self.tables.boarded(self._arrived(unit, place), vehicle, riding=riding)
                if boarded is not None:
                    found[name][unit.id] = (place, boarded)
        return found

    def by(self, name: str, at: str) -> Place | None:
        """Return the place by which a unit on foot comes to a Location so that it may board there."""
        if name not in self._places:
            self._places[name] = self.walks[name].refit(to_board)
        return self._places[name].by(at)

    def _arrived(self, unit: AslUnit, place: Place) -> AslUnit:
        """Return a unit as it has come on foot to a place."""
        if place.at == unit.at and place.spent == unit.points.spent:
            return unit
        arrived: AslUnit = self.participants.rulebook.in_mode(unit, place.at, place.mode())
        return replace(arrived, spent=place.spent, used=place.spent, entering=())

    def is_of_use(self, name: str) -> bool:
        """Return whether somebody may board a vehicle."""
        return bool(self.boarders[name] or self.riders[name])

    @cached_property
    def loads(self) -> list[Load]:
        """Each vehicle as it is, and as each boarder who may count leaves it."""
        found = []
        for name, vehicle in self.participants.vehicles.items():
            inside = [
                Seat(unit, None)
                for unit in self.participants.aboard.values()
                if unit.cargo.aboard == name
            ]
            found.append(Load(vehicle, None, vehicle, inside, rider=_rider(inside)))
            for boarders in (self.boarders[name], self.riders[name]):
                found += self._boarded(vehicle, inside, boarders)
        return found

    def _boarded(
        self, vehicle: AslUnit, inside: list[Seat], boarders: dict[str, tuple[Place, Boarded]]
    ) -> list[Load]:
        seats = {n: Seat(b.unit, p) for n, (p, b) in boarders.items()}
        by_key: dict[tuple[int, int], list[str]] = {}
        for other, (_, boarded) in boarders.items():
            by_key.setdefault(boarded.key, []).append(other)
        found = []
        for key, counted in by_key.items():
            able = [seats[n] for n in self._under(vehicle, key, by_key, boarders)]
            state = boarders[counted[0]][1].vehicle
            rider = _rider([*inside, seats[counted[0]]])
            found.append(Load(vehicle, key, state, inside + able, counted, rider))
        return found

    def _under(
        self, vehicle: AslUnit, key: tuple[int, int], by_key: dict[tuple[int, int], list[str]],
        boarders: dict[str, tuple[Place, Boarded]],
    ) -> list[str]:  # fmt: skip
        """Return the boarders who do not count for more than those of a key do."""
        found = []
        riding = boarders[by_key[key][0]][1].unit.cargo.riding
        first, place = by_key[key][0], {name: place for name, (place, _) in boarders.items()}
        foot = self.participants.foot
        one = self._arrived(foot[first], place[first])
        for other, names in by_key.items():
            two = self._arrived(foot[names[0]], place[names[0]])
            if other == key or self.tables.counts(one, two, vehicle, riding=riding) == key:
                found += names
        return found


def _rider(seats: list[Seat]) -> AslUnit | None:
    """Return one of those who ride, if any do: where he can stay on, so can they all."""
    return next((seat.unit for seat in seats if seat.unit.cargo.riding), None)
