"""Turns a plan into a log: who acts when, by which way, each step ruled on as it is laid down."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from marchtable_models.asl.carrying import Load, Unload
from marchtable_models.asl.cpsat.gather import to_board, to_end, to_stand
from marchtable_models.asl.cpsat.ways import found_in

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from marchtable.action import Action
    from marchtable.position import Position
    from marchtable_models.asl.cpsat.cuts import Clock
    from marchtable_models.asl.cpsat.gather import Gathered
    from marchtable_models.asl.cpsat.offers import Offer, Trip
    from marchtable_models.asl.cpsat.program import Plan
    from marchtable_models.asl.cpsat.ways import Place
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["Group", "RefusedError", "Run", "groups_of"]


class Group(NamedTuple):
    """
    Columns that are acted on together, in one go: a boarder, a vehicle's MPh, a walker.

    Parameters
    ----------
    trip
        The vehicle's trip, if this is its MPh.
    offers
        Of the units that leave it, or of the one that boards or walks.
    boards
        Whether this is a unit's boarding.
    """

    trip: Trip | None
    offers: tuple[Offer, ...]
    boards: bool = False


def groups_of(clock: Clock, plan: Plan) -> list[Group]:
    """Return a plan's groups in the order in which they act."""
    offers = [*plan.offers.values()]
    found = [Group(None, (offer,), boards=True) for offer in offers if offer.board is not None]
    for trip in plan.trips.values():
        off = [o for o in offers if o.trip is trip and not o.carried]
        if trip.way is not None or off:
            found.append(Group(trip, tuple(sorted(off, key=clock.walks))))
    found += [Group(None, (o,)) for o in offers if o.trip is None and o.walk is not None]
    return sorted(found, key=clock.of)


class RefusedError(Exception):
    """
    The referee refuses a step, and there is no other way.

    Parameters
    ----------
    clauses
        The clauses that the step breaks.
    """

    def __init__(self, clauses: tuple[str, ...]) -> None:
        super().__init__(clauses)
        self.clauses = clauses


class Run:
    """
    A log in the making.

    Parameters
    ----------
    gathered
        The problem.
    position
        Where the log starts.
    """

    def __init__(self, gathered: Gathered, position: AslPosition) -> None:
        self.gathered, self.position = gathered, position
        self.log: list[Action] = []

    def act(self, group: Group) -> None:
        """Lay down what a group does; raises RefusedError."""
        if group.boards:
            (offer,) = group.offers
            assert offer.board is not None
            self._go(offer.unit, offer.board, to_board)
            assert offer.trip is not None
            self._do((Load((offer.unit,), offer.trip.load.vehicle.id),))
            return
        if group.trip is not None:
            if group.trip.way is not None:
                self._go(group.trip.load.vehicle.id, group.trip.way, to_stand)
            if group.offers:
                self._do((Unload(tuple(sorted(offer.unit for offer in group.offers))),))
        for offer in group.offers:
            if offer.walk is not None:
                self._go(offer.unit, offer.walk, to_end)

    def _do(self, actions: Sequence[Action]) -> None:
        position, rule = self.position, self.gathered.rulebook.rule
        for action in actions:
            ruling = rule(position, action)
            if not ruling.is_legal or ruling.obligations:
                raise RefusedError(
                    tuple(v.clause for v in (*ruling.violations, *ruling.unsupported))
                )
            position = ruling.after
        self.position = position
        self.log += actions

    def _go(self, unit: str, way: Place, fits: Callable[[Any], bool]) -> None:
        """Go by the way found beforehand, or else by the cheapest as units now stand."""
        try:
            self._do(way.actions(unit))
        except RefusedError:
            closed = self.gathered.goal.avoid
            place = found_in(self.position, self.position.unit(unit), fits, closed).by(way.at)
            if place is None:
                raise
            self._do(place.actions(unit))
