"""Who stands about as a unit acts: by name, and any so many vehicles that are alike."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from marchtable_models.asl.cpsat.transport.arrivals import Arrivals
from marchtable_models.asl.cpsat.transport.cuts import AtLeast, Literal
from marchtable_models.asl.cpsat.transport.options import Trip, name_of
from marchtable_models.asl.cpsat.transport.precedence import After, Home
from marchtable_models.asl.cpsat.transport.resolved_paths import PathResolver

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from marchtable.state.position import Position
    from marchtable_models.asl.cpsat.transport.arrivals import Arrival, Crowd
    from marchtable_models.asl.cpsat.transport.cuts import Clock, Said, Time
    from marchtable_models.asl.cpsat.transport.instance import Instance
    from marchtable_models.asl.cpsat.transport.options import Offer
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["Standing"]


class Standing(PathResolver):
    """
    Tells who stands about as a unit acts, and what vehicles that are alike come to.

    Parameters
    ----------
    instance, clock
        The problem, and when its columns act.
    """

    def __init__(self, instance: Instance, clock: Clock) -> None:
        super().__init__(instance)
        self.clock, self.arrivals = clock, Arrivals(instance)
        self._made: set[object] = set()
        self._at: dict[str, Callable[..., bool]] = {}
        self._literals: dict[tuple[object, ...], tuple[Said, ...]] = {}

    def stands(self, here: AslPosition, names: Sequence[str], time: Time) -> tuple[Said, ...]:
        """Return the literals of units' standing where they do, just before a time."""
        return tuple(one for name in names for one in self._stands_at(here, name, time))

    def _stands_at(self, here: AslPosition, name: str, time: Time) -> tuple[Said, ...]:
        """Return the literals of a unit's standing where it does, and of the turns that takes."""
        at, acting = here.unit(name).at, self.clock.acting(time)
        by = name if name in self.clock.order else self.clock.carriers.get(name)
        is_own = acting is None or by is None or by == acting  # whoever acts before whom
        when: object = time if is_own else acting
        if is_own and name in self.clock.order:
            when = time <= (1, self.clock.order[name])
        key = (name, at, by, when)
        if key not in self._literals:
            self._literals[key] = (
                (Literal(name, lambda column: self.clock.where(column, time) == at),)
                if is_own
                else self._in_turn(name, at, str(by), str(acting))
            )
        return self._literals[key]

    def _in_turn(self, name: str, at: str | None, by: str, acting: str) -> tuple[Said, ...]:
        if by == name and at == self.clock.home[name]:
            return (Home(name, lambda column: column.at == at, acting),)

        def stands(column: Offer | Trip) -> bool:
            trip = column if isinstance(column, Trip) else column.trip
            is_off = isinstance(column, Trip) or not column.carried
            return trip is not None and name_of(trip) == by and is_off and column.at == at

        return (Literal(name, stands), After(acting, by))

    def _is_new(self, here: AslPosition, kept: Sequence[str], *what: object) -> bool:
        carriers = self.clock.carriers
        key = (*what, frozenset((name, here.unit(name).at, carriers.get(name)) for name in kept))
        is_new = key not in self._made
        self._made.add(key)
        return is_new

    def _counted(self, here: AslPosition, name: str, kept: Sequence[str]) -> dict[Crowd, int]:
        """Return how many other vehicles stand where of those kept."""
        order, found = self.clock.order, Counter[tuple[str, int]]()
        for other in kept:
            if other in order and other != name:
                at = str(here.unit(other).at)
                found[at, self.arrivals.shown(other, at)] += 1
        return dict(found)

    def _parts(
        self, here: AslPosition, trip: Trip, counts: dict[Crowd, int], others: Sequence[str]
    ) -> Iterator[dict[Crowd, int]]:
        """Yield those who stand about: as few as make as much of it, then one by one on the way."""
        name = trip.load.vehicle.id
        told = self._among(here, name, counts, others)(trip)
        least = dict(counts)
        for crowd in counts:
            while least.get(crowd):
                fewer = {k: n - (k == crowd) for k, n in least.items() if n > (k == crowd)}
                if self._among(here, name, fewer, others)(trip) != told:
                    break
                least = fewer
        yield least
        for crowd in self._on_way(trip):
            if {crowd: 1} != least:
                yield {crowd: 1}

    def _on_way(self, trip: Trip) -> list[Crowd]:
        """Return what other vehicles may show on its way."""
        at = dict.fromkeys(trip.way.entered() if trip.way is not None else ())
        name = trip.load.vehicle.id
        return [crowd for one in at for crowd in self.arrivals.crowds(name, one)]

    def _among(
        self, here: AslPosition, name: str, counts: dict[Crowd, int], others: Sequence[str]
    ) -> Arrival:
        """Return what tells arrivals while so many stand about, and some others where they do."""
        standing = [*self.arrivals.standing(name, counts), *self._standing(here, others)]
        key = (name, frozenset(counts.items()), self._key(here, others))
        return self.arrivals.among(standing, key)

    def _standing(self, here: AslPosition, names: Sequence[str]) -> list[AslUnit]:
        return [u for u in here.units if {u.id, u.cargo.aboard, u.cargo.towed_by} & {*names}]

    def _key(self, here: AslPosition, names: Sequence[str]) -> frozenset[AslUnit]:
        return frozenset(self._standing(here, names))

    def _throng(self, name: str, crowd: Crowd, count: int) -> AtLeast:
        """Return what tells whether so many stand somewhere when a vehicle acts."""
        at, others = crowd[0], self.arrivals.others(name, crowd)
        homes = frozenset(other for other in others if self.clock.home[other] == at)
        return AtLeast(at, others, count, self._end(at), name, homes)

    def _end(self, at: str) -> Callable[..., bool]:
        """Return what tells whether a column ends in a Location."""
        return self._at.setdefault(at, lambda column: column.at == at)
