"""Plays plans, and makes cuts from what the referee rejects or charges more for.

The cost of others in the way is priced for every end at once: it can apply elsewhere too.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any

from marchtable.planning.choice.options import Cut, Moment, Presence
from marchtable.planning.choice.replay import fewest
from marchtable.state.records import replace
from marchtable_models.asl.cpsat.reached.ends import end_number, to_end, to_stand
from marchtable_models.asl.cpsat.ruled import is_granted
from marchtable_models.asl.cpsat.transport.instance import to_board
from marchtable_models.asl.cpsat.transport.options import Trip, aboard_of
from marchtable_models.asl.cpsat.transport.replay import (
    PathResolver,
    Run,
    standing_as,
    standing_in,
    without,
)
from marchtable_models.asl.rules.loading import Load
from marchtable_models.asl.rules.towing import Unhook
from marchtable_models.asl.rules.unloading import Unload
from marchtable_models.asl.views.modes import mode_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterator, Sequence

    from marchtable.board.board import Board
    from marchtable.planning.choice.options import Given, Pair, Price
    from marchtable.rules.ruling import Ruling
    from marchtable.state.action import Action
    from marchtable_models.asl.cpsat.transport.instance import Instance
    from marchtable_models.asl.cpsat.transport.listing import Ends, Token
    from marchtable_models.asl.cpsat.transport.options import Offer, Option, OptionGroup
    from marchtable_models.asl.cpsat.transport.replay import Asked, Clock
    from marchtable_models.asl.cpsat.transport.tables import AfterUnloading
    from marchtable_models.asl.model import AslPosition, AslUnit

    Arrival = Callable[[Trip], int | None]
    More = Callable[[Option], Price | None]

__all__ = ["FREE", "Charge", "Cuts", "part_of"]

FREE: Price = (0, 0)
AT_ALL = Moment(3)
"""The whole course: what a unit does matters whenever others act."""


class Charge:
    """
    The extra cost of an actor's options while others stand in given places.

    Parameters
    ----------
    given
        Their places, and when.
    actor
        The unit or vehicle that pays more.
    more
        Returns the extra cost of an actor's option, None if it is impossible.
    vehicle
        The vehicle the actor is aboard first when it pays more, if any.
    ends
        The ends, by number, of the options (or the vehicle's trips) that might cost more; None for
        all.
    """

    def __init__(
        self, given: Given, actor: str, more: More, vehicle: str = "", ends: Ends = None
    ) -> None:
        self.given, self.actor, self._more = given, actor, more
        self.token: Token = (actor, vehicle) if vehicle else actor
        self.ends = ends
        self._known: dict[Option, Sequence[Price]] = {}

    def surcharge(self, option: Option) -> Sequence[Price]:
        """Return the extra cost of an actor's option; no price if it is impossible."""
        if option not in self._known:
            more = self._more(option)
            self._known[option] = () if more is None else ((max(0, more[0]), max(0, more[1])),)
        return self._known[option]

    def cut(self, known: Cut[Option] | None) -> Cut[Option]:
        """Return it as a cut, no weaker than what is already known."""
        if known is None:
            return Cut(self.given, self.actor, self.surcharge)
        return known._replace(surcharge=partial(_dearest, known.surcharge, self.surcharge))


def _dearest(one: Any, two: Any, option: Option) -> Sequence[Price]:
    """Return a price no lower than either; each has at most one."""
    pairs = zip(one(option), two(option), strict=False)
    return [(max(a, c), max(b, d)) for (a, b), (c, d) in pairs]


def part_of(board: Board, option: Option) -> tuple[Token, Ends]:
    """Return an option's owner, and its end."""
    inside = aboard_of(option)
    return (option.unit, inside) if inside else option.unit, {end_number(board, option.at)}


class Cuts(PathResolver):
    """
    Plays plans, group by group, and makes cuts from deviations.

    Parameters
    ----------
    instance, clock
        The problem, and the times of its options.
    """

    def __init__(self, instance: Instance, clock: Clock) -> None:
        super().__init__(instance)
        self.clock = clock
        self._made: set[object] = set()
        self._spent: dict[tuple[str, Hashable], dict[int, dict[int, int]]] = {}

    def acted(self, groups: Sequence[OptionGroup]) -> tuple[Run, bool, list[Charge]]:
        """
        Return the log of some groups, whether all could act, and cuts from deviations.

        A group that cannot act stays in place, and the others go on: each cut is valid by itself.
        """
        run, cuts, is_whole = Run(self.instance, self.instance.position), list[Charge](), True
        for group in groups:
            has_acted = self._act(run, group, cuts)
            if not has_acted and group.trip is not None:
                run.hindered.add(group.trip.unit)
            is_whole &= has_acted
        return run, is_whole, cuts

    def turns(self, run: Run, groups: Sequence[OptionGroup]) -> tuple[Pair, ...]:
        """Return the acting order of vehicles whose ways meet, or that others hindered."""
        acted = []
        for group in groups:
            if group.trip is not None:
                ways = [group.trip.way, *(offer.walk for offer in group.offers)]
                met = {at for way in ways if way is not None for at in (way.at, *way.entered())}
                acted.append((group.trip.unit, {*met, group.trip.load.vehicle.at, group.trip.at}))
        return tuple(
            (first, then)
            for (first, one), (then, two) in combinations(acted, 2)
            if {first, then} & run.hindered or one & two
        )

    # -- acting in turn ---------------------------------------------------------------------------

    def _act(self, run: Run, group: OptionGroup, cuts: list[Charge]) -> bool:
        if group.boards:
            return self._board(run, group.offers[0], cuts)
        given: Given = frozenset()
        before, offers, trip = run.position, group.offers, group.trip
        if trip is not None and trip.way is not None:
            asked = self.instance.setting_out(trip.load)
            settled = self.settled(run, asked, trip.way, to_stand, trip.load)
            if settled.blockers:
                run.hindered.add(trip.unit)
                cuts += self.vehicle_charges(before, trip, offers, settled.blockers)
                given = self.stands(before, settled.blockers, self.clock.drives(trip.unit))
            if settled.rulings is None:
                return False
            run.keep(settled.rulings)
            if given and not all(self._unloaded(o, trip, settled.spent) for o in offers):
                return False  # the cut also says that
        if trip is not None and offers and not self._unload(run, trip, offers, given, cuts):
            return False
        walked = [self._walk(run, offer, cuts) for offer in offers]
        return all(walked)

    def _walk(self, run: Run, offer: Offer, cuts: list[Charge]) -> bool:
        if offer.walk is None:
            return True
        settled = self.settled(run, _asked(run, offer), offer.walk, to_end)
        if settled.blockers:
            run.hindered.add(offer.unit if offer.trip is None else offer.trip.unit)
            cuts += self._walker_charges(run.position, offer, settled.blockers)
        run.keep(settled.rulings or ())
        return settled.rulings is not None

    def _board(self, run: Run, offer: Offer, cuts: list[Charge]) -> bool:
        """Let a unit walk to its vehicle and board it, both as expected, or neither."""
        assert offer.trip is not None
        assert offer.board is not None
        settled = self.settled(run, _asked(run, offer), offer.board, to_board)
        if settled.blockers:
            cuts += self._boarder_charges(run.position, offer, settled.blockers)
        if settled.rulings is None or settled.blockers:
            return False
        vehicle, seats = aboard_of(offer), {s.unit.id: s for s in offer.trip.load.seats}
        seat, there = seats[offer.unit], Run(self.instance, run.position)
        there.keep(settled.rulings)
        action = Load((offer.unit,), vehicle, seat.unit.cargo.riding)

        def is_expected(ruling: Ruling) -> bool:
            spent = seat.unit.points.spent
            return is_granted(ruling) and ruling.after.unit(offer.unit).points.spent == spent

        def more(option: Option) -> Price | None:
            return None if aboard_of(option) == vehicle else FREE

        who = self._hindering(there, action, (offer.unit, vehicle), is_expected)
        if who is None:
            run.keep([*settled.rulings, *there.tried((action,))])
            return True
        given = self.stands(there.position, who, self.clock.boards(offer))
        given |= {self._inside(u.id, vehicle) for u in there.position.units
                  if u.cargo.aboard == vehicle and u.id in seats}  # fmt: skip
        cuts.append(Charge(given, offer.unit, more, vehicle))
        return False

    def _unload(
        self, run: Run, trip: Trip, offers: Sequence[Offer], given: Given, cuts: list[Charge]
    ) -> bool:
        """Let a stack leave its vehicle; if some cannot, the cut names the fewest responsible."""
        rulings = run.tried((_leaving(trip, offers),))
        if is_granted(rulings[-1]):
            run.keep(rulings)
            return True
        for offer in offers:
            fewer = [other for other in offers if other is not offer]
            if fewer and not is_granted(run.tried((_leaving(trip, fewer),))[-1]):
                offers = fewer
        mine = (*(offer.unit for offer in offers), trip.unit)
        who = self._hindering(run, _leaving(trip, offers), mine, is_granted) or ()
        given |= self.stands(run.position, who, self.clock.drives(trip.unit))
        given |= {*map(self.doing, offers)}
        _, ends = part_of(self.instance.position.board, trip)
        cuts.append(
            Charge(given, trip.unit, lambda option: None if option is trip else FREE, ends=ends)
        )
        return False

    def _hindering(
        self, run: Run, action: Action, mine: Sequence[str], is_expected: Callable[[Ruling], bool]
    ) -> tuple[str, ...] | None:
        """Return the fewest others that make an action deviate; None if it does not."""
        here = run.position

        def is_bad(some: Collection[str]) -> bool:
            gone = {n for n in standing_in(self.instance, here) if n not in some and n not in mine}
            return not is_expected(run.tried((action,), without(here, gone))[-1])

        if is_expected(run.tried((action,))[-1]):
            return None
        others = [n for n in standing_in(self.instance, here) if n not in mine]
        beside = [n for n in others if here.unit(n).at == here.unit(mine[-1]).at]
        return fewest(beside if is_bad(beside) else others, is_bad)

    # -- places -----------------------------------------------------------------------------------

    def stands(self, here: AslPosition, names: Collection[str], now: Moment) -> Given:
        """Return that units are in their places just before a moment."""
        return frozenset(
            Presence((str(here.unit(name).at), name, self._seen(name, now)), 1) for name in names
        )

    def _seen(self, name: str, now: Moment) -> Moment:
        """Return the earliest moment with the same place as now; a vehicle's, without its turn."""
        return now._replace(rest=()) if name in self.clock.order and now.party != name else now

    def doing(self, option: Option) -> Presence:
        """Return that a unit does exactly that."""
        return Presence((option.unit, option, AT_ALL), 1)

    def _inside(self, name: str, vehicle: str) -> Presence:
        """Return that a unit is first aboard a vehicle."""
        return Presence((name, ("aboard", vehicle), AT_ALL), 1)

    def _is_new(self, given: Given, *what: object) -> bool:
        is_new = (given, *what) not in self._made
        self._made.add((given, *what))
        return is_new

    def blocked(self, charge: Charge) -> Iterator[tuple[Token, Ends]]:
        """Yield the units a charge concerns, and the ends of the options involved."""
        board, sorts = self.instance.position.board, self.instance.sorts
        for (where, sort, now), _ in charge.given:
            if isinstance(sort, tuple):
                yield (where, sort[1]), None
            elif isinstance(sort, int):
                alike = (name for name, one in sorts.items() if one == sort and name != now.party)
                yield from ((name, {board.index[where]}) for name in alike)
            elif not isinstance(sort, str):
                yield part_of(board, sort)
            elif sort not in sorts:
                is_home = self.instance.position.unit(sort).at == where
                yield sort, None if is_home else {board.index[where]}
            elif now.stage > 0:  # all vehicles start at home
                yield sort, {board.index[where]}
        yield charge.token, charge.ends

    # -- costs by others --------------------------------------------------------------------------

    def _boarder_charges(
        self, here: AslPosition, offer: Offer, blockers: Sequence[str]
    ) -> Iterator[Charge]:
        """Yield that a unit cannot reach a vehicle without costs of company (by policy)."""
        vehicle, given = aboard_of(offer), self.stands(here, blockers, self.clock.boards(offer))

        def more(option: Option) -> Price | None:
            boards = getattr(option, "board", None) is not None
            return None if boards and aboard_of(option) == vehicle else FREE

        if self._is_new(given, "boards", offer.unit, vehicle):
            yield Charge(given, offer.unit, more, vehicle)

    def _walker_charges(
        self, here: AslPosition, offer: Offer, blockers: Sequence[str]
    ) -> Iterator[Charge]:
        """Yield the costs of ways on foot, from the start or from where a vehicle was left."""
        now, trip, unit = self.clock.walks(offer), offer.trip, here.unit(offer.unit)
        given = self.stands(here, blockers, now)
        stay = all(other in self.instance.vehicles for other in blockers)  # while others walk
        if not self._is_new(given, "walks", offer.unit, trip):
            return
        if trip is not None:  # has it spent no more than the tables say?
            unloaded = self._unloaded(offer, trip, trip.spent)
            if unloaded is None or unit.points.spent != unloaded.unit.points.spent:
                return
        asked = (unit, mode_of(unit), unit.points.spent)
        plain, places = (self.places_of(here, asked, to_end, some) for some in ((), blockers))
        board, known = here.board, dict(zip(places.at.tolist(), places.spent.tolist(), strict=True))
        usual = zip(plain.at.tolist(), plain.spent.tolist(), strict=True)

        def more(option: Option) -> Price | None:
            if isinstance(option, Trip) or option.trip is not trip or option.walk is None:
                return FREE
            if not stay and self.clock.walks(option) != now:
                return FREE  # others can then be elsewhere
            spent = known.get(end_number(board, option.at))
            return None if spent is None else (spent - option.walk.spent, 0)

        ends = [at for at, spent in usual if known.get(at) != spent]
        yield Charge(given, offer.unit, more, aboard_of(offer), ends)

    def vehicle_charges(
        self, here: AslPosition, trip: Trip, leaving: Sequence[Offer], blockers: Sequence[str]
    ) -> Iterator[Charge]:
        """
        Yield a vehicle's way costs, and their effect on units leaving it.

        Of other vehicles any with the same look can be there, unless their load matters.
        """
        vehicles, now = self.instance.vehicles, self.clock.drives(trip.unit)
        cars = [name for name in blockers if name in vehicles]
        rest = [name for name in blockers if name not in vehicles]
        counts = Counter((str(here.unit(n).at), self.instance.sorts[n]) for n in cars)
        walkers, real = standing_as(here, rest), standing_as(here, blockers)
        some = [*(replace(vehicles[name], at=here.unit(name).at) for name in cars), *walkers]
        key: Hashable = frozenset([*counts.items(), *walkers])
        usual = self.among(trip.unit, some, key)
        given = self.stands(here, rest, now)
        given |= {Presence((*one, now), count) for one, count in counts.items()}
        if len(real) != len(some) and self.among(trip.unit, real, frozenset(real))(trip) != usual(trip):  # fmt: skip
            key, given = frozenset(real), self.stands(here, blockers, now)
        yield from self.passages(trip, leaving, key, given)

    def passages(
        self, trip: Trip, leaving: Sequence[Offer], key: Hashable, given: Given
    ) -> Iterator[Charge]:
        """Yield the cost of going among others, for a vehicle and units leaving it (see :meth:`among`)."""
        vehicle, spent = trip.load.vehicle, self.among(trip.unit, (), key)
        known, ends = self._spent[vehicle.id, key], set[int]()
        for load, places in zip(self.instance.loads, self.instance.stops, strict=True):
            if load.vehicle.id == vehicle.id:
                pairs = zip(places.at.tolist(), places.spent.tolist(), strict=True)
                ends |= {at for at, usual in pairs if known[id(load)].get(at) != usual}
        if self._is_new(given, "goes", vehicle.id):
            yield Charge(given, vehicle.id, partial(self._more_to_go, spent), ends=ends)
        for offer in leaving:
            if self._is_new(given, "leaves", vehicle.id, offer.unit):
                more = partial(self._more_to_leave, spent, vehicle)
                yield Charge(given, offer.unit, more, vehicle.id, ends)

    def among(self, name: str, standing: Sequence[AslUnit], key: Hashable) -> Arrival:
        """
        Return a function from a trip's end to half points spent, None if it is impossible.

        Parameters
        ----------
        standing, key
            The bystanders with their loads, and the cache key.
        """
        instance, board = self.instance, self.instance.position.board
        if (name, key) not in self._spent:
            loads = [load for load in instance.loads if load.vehicle.id == name]
            found = self._spent[name, key] = {}
            for load, places in zip(loads, instance.driven(loads, standing), strict=True):
                instance.among_others.update(places.found.unsupported)
                pairs = zip(places.at.tolist(), places.spent.tolist(), strict=True)
                found[id(load)] = dict(pairs)
        known = self._spent[name, key]

        def spent(trip: Trip) -> int | None:
            if trip.way is None:
                return trip.spent
            return known[id(trip.load)].get(end_number(board, trip.at))

        return spent

    def _unloaded(self, offer: Offer, trip: Trip, spent: int) -> AfterUnloading | None:
        """Return a unit leaving its vehicle after this expenditure, None if it cannot."""
        seat = next(s for s in trip.load.seats if s.unit.id == offer.unit)
        stopped = self.instance.stopped(trip.load, spent, trip.at)
        return self.instance.tables.unloaded(seat.unit, stopped, trip.unhook)

    def _more_to_go(self, arrival: Arrival, option: Option) -> Price | None:
        if not isinstance(option, Trip):
            return FREE
        spent, load = arrival(option), option.load
        if spent is None:
            return None
        if spent == option.spent:
            return FREE
        if not option.drop:
            return spent - option.spent, 0
        stopped = self.instance.stopped(load, spent, option.at)
        unloaded = [
            self.instance.tables.unloaded(seat.unit, stopped, option.unhook) for seat in load.seats
        ]
        after = min((one.spent for one in unloaded if one is not None), default=None)
        return None if after is None else (after - option.points - load.vehicle.points.spent, 0)

    def _more_to_leave(self, arrival: Arrival, vehicle: AslUnit, option: Option) -> Price | None:
        trip = None if isinstance(option, Trip) or option.carried else option.trip
        if isinstance(option, Trip) or trip is None or trip.load.vehicle is not vehicle:
            return FREE
        spent = arrival(trip)
        if spent is None:
            return None
        usual, now = (self._unloaded(option, trip, n) for n in (trip.spent, spent))
        if now is None or usual is None:
            return None
        return now.unit.points.spent - usual.unit.points.spent, 0


def _asked(run: Run, offer: Offer) -> Asked:
    """Return a unit at the start of its walk: its first place, or where it left its vehicle."""
    unit = run.position.unit(offer.unit)
    return unit, mode_of(unit), unit.points.spent


def _leaving(trip: Trip, offers: Sequence[Offer]) -> Unload | Unhook:
    """Return the action by which a stack leaves its vehicle."""
    if trip.unhook:
        return Unhook(trip.unit, trip.unhook)
    return Unload(tuple(sorted(offer.unit for offer in offers)))
