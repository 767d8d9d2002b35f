"""When the columns of a plan act, and where units stand at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl.cpsat.transport.options import Trip

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from marchtable.planning.choice.options import Pair
    from marchtable_models.asl.cpsat.transport.instance import Instance
    from marchtable_models.asl.cpsat.transport.options import Group, Offer

__all__ = ["Clock", "Time", "ranked"]

Time = tuple[int, ...]
"""When somebody acts: first boarders (0), then vehicles and who leaves them (1), then walkers (2)."""


def ranked(order: Mapping[str, int], before: Iterable[Pair]) -> dict[str, int]:
    """Return the turn of each vehicle, told who has to act before whom; else they keep an order."""
    import networkx as nx

    graph = nx.DiGraph(before)
    graph.add_nodes_from(order)
    turns = nx.lexicographical_topological_sort(graph, key=order.__getitem__)
    return {name: number for number, name in enumerate(turns)}


class Clock:
    """
    When the columns of a plan act, and where units stand at a time.

    A vehicle is told by its place in the order that is kept where nothing speaks for another one.

    Parameters
    ----------
    instance
        The problem.

    Attributes
    ----------
    carriers
        The vehicles that units are aboard of, or have left, in the plan that is acted out.
    """

    def __init__(self, instance: Instance) -> None:
        self.order = instance.order
        self._names = [*sorted(self.order, key=self.order.__getitem__)]
        self.home: Mapping[str, str | None] = {u.id: u.at for u in instance.position.units}
        self.carriers: dict[str, str] = {}
        self.place = {name: number for number, name in enumerate(sorted(instance.measure.movers))}

    def begin(self, groups: Iterable[Group]) -> None:
        """Take note of who leaves which vehicle in a plan."""
        self.carriers = {
            offer.unit: offer.trip.unit
            for group in groups
            for offer in group.offers
            if offer.trip is not None
        }

    def of(self, group: Group) -> Time:
        """Return when a group acts."""
        if group.trip is not None:
            return self.drives(group.trip.unit)
        (offer,) = group.offers
        return self.boards(offer) if group.boards else self.walks(offer)

    def drives(self, name: str) -> Time:
        """Return when a vehicle acts."""
        return (1, self.order[name])

    def acting(self, time: Time) -> str | None:
        """Return the vehicle that acts at a time, or that somebody leaves then."""
        return self._names[time[1]] if time[0] == 1 else None

    def boards(self, offer: Offer) -> Time:
        """Return when a unit boards."""
        assert offer.trip is not None
        load = offer.trip.load
        place = self.place[offer.unit]
        return (0, self.order[load.vehicle.id], int(offer.unit not in load.counted), place)

    def walks(self, offer: Offer) -> Time:
        """Return when a unit walks to where it ends: who has least to spare first."""
        last = (offer.left or 0, self.place[offer.unit])
        if offer.trip is None:
            return (2, *last)
        return (1, self.order[offer.trip.unit], 1, *last)

    def where(self, column: Offer | Trip, time: Time) -> str | None:
        """Return where a unit stands on the ground just before a time, None if it is aboard."""
        if isinstance(column, Trip):
            return column.at if self._has_acted(column, time) else self.home[column.unit]
        if column.trip is not None and (column.board is None or self.boards(column) < time):
            if column.carried or not self._has_acted(column.trip, time):
                return None
            if column.walk is None or time <= self.walks(column):
                return column.trip.at
            return column.at
        if column.trip is None and column.walk is not None and self.walks(column) < time:
            return column.at
        return self.home[column.unit]

    def _has_acted(self, trip: Trip, time: Time) -> bool:
        """Return whether a vehicle has acted, in whichever order the others do."""
        acts = self.drives(trip.unit)
        return time[0] > 1 or (time > acts and time[:2] == acts)

    def counts(self, column: Offer | Trip, at: str, time: Time) -> tuple[Pair, int, int]:
        """
        Return whether a column has its unit somewhere at a time, before its vehicle acts and after.

        First is told who acts then, and which vehicle that is.
        """
        acting = self.acting(time)
        by = column if isinstance(column, Trip) else column.trip
        if acting is None or by is None or by.unit == acting:
            there = int(self.where(column, time) == at)
            return ("", ""), there, there
        if by is column:
            return (acting, by.unit), int(self.home[by.unit] == at), int(column.at == at)
        is_off = not column.carried  # type: ignore[union-attr]
        return (acting, by.unit), 0, int(is_off and column.at == at)
