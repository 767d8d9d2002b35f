"""When the columns of a plan act, and where they have units until then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.planning.choice.options import Moment
from marchtable.planning.choice.presence import END, START, Stay
from marchtable.planning.choice.replay import ranked
from marchtable_models.asl.cpsat.transport.options import Group, Trip, aboard_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable_models.asl.cpsat.transport.instance import Instance
    from marchtable_models.asl.cpsat.transport.options import Column, Offer, Plan

__all__ = ["Clock"]

BOARDING, DRIVING, WALKING = range(3)


class Clock:
    """
    When the columns of a plan act: first boarders, then vehicles and who leaves them, then walkers.

    Parameters
    ----------
    instance
        The problem.
    """

    def __init__(self, instance: Instance) -> None:
        self.instance, self.order = instance, instance.order
        self.place = {name: number for number, name in enumerate(sorted(instance.measure.movers))}
        self._stays: dict[Column, Sequence[Stay]] = {}

    def drives(self, name: str) -> Moment:
        """Return when a vehicle acts."""
        return Moment(DRIVING, name)

    def boards(self, offer: Offer) -> Moment:
        """Return when a unit boards: of those for one vehicle who counts goes first."""
        assert offer.trip is not None
        later = int(offer.unit not in offer.trip.load.counted)
        return Moment(BOARDING, rest=(self.order[offer.trip.unit], later, self.place[offer.unit]))

    def walks(self, offer: Offer) -> Moment:
        """Return when a unit walks to where it ends: who has least to spare first."""
        rest = (offer.left or 0, self.place[offer.unit])
        if offer.trip is None:
            return Moment(WALKING, rest=rest)
        return Moment(DRIVING, offer.trip.unit, rest)

    def acts(self, group: Group) -> Moment:
        """Return when a group acts."""
        if group.trip is not None:
            return self.drives(group.trip.unit)
        (offer,) = group.offers
        return self.boards(offer) if group.boards else self.walks(offer)

    def groups_of(self, plan: Plan) -> list[Group]:
        """Return a plan's groups in the order in which they act."""
        turns = ranked(self.order, plan.before)
        offers = [*plan.offers.values()]
        found = [Group(None, (offer,), boards=True) for offer in offers if offer.board is not None]
        for trip in plan.trips.values():
            off = [o for o in offers if o.trip is trip and not o.carried]
            if trip.way is not None or off:
                found.append(Group(trip, tuple(sorted(off, key=self.walks))))
        found += [Group(None, (o,)) for o in offers if o.trip is None and o.walk is not None]

        def time(group: Group) -> tuple[int, ...]:
            when = self.acts(group)
            return when.stage, *(when.rest or (turns[when.party],))

        return sorted(found, key=time)

    def stays(self, column: Column) -> Sequence[Stay]:
        """
        Return where a column has its unit: by name, and a vehicle by what others see of it, too.

        As if they were Locations it is told what a unit does, and of which vehicle it is aboard first.
        """
        if column not in self._stays:
            found = self._found(column)
            if isinstance(column, Trip):
                found += [stay._replace(sort=self.instance.sorts[column.unit]) for stay in found]
            inside = Stay(column.unit, ("aboard", aboard_of(column)))
            self._stays[column] = [*found, inside, Stay(column.unit, column)]
        return self._stays[column]

    def _found(self, column: Column) -> list[Stay]:
        home, trip = self.instance.position.unit(column.unit).at, getattr(column, "trip", None)
        told: list[tuple[str | None, Moment]] = [(home, START)]
        if isinstance(column, Trip):
            told.append((column.at, self.drives(column.unit)))
        elif trip is not None:
            told.append((None, START if column.board is None else self.boards(column)))
            if not column.carried:
                told.append((trip.at, self.drives(trip.unit)))
        if not isinstance(column, Trip) and column.walk is not None:
            told.append((column.at, self.walks(column)))
        found: list[Stay] = []
        for (at, since), (_, until) in zip(told, [*told[1:], (None, END)], strict=True):
            if at is None or since == until:
                continue
            if found and found[-1].where == at and found[-1].until == since:
                found[-1] = found[-1]._replace(until=until)
            else:
                found.append(Stay(at, column.unit, since, until))
        return found
