"""Lists the undominated options of each unit and vehicle of a plan.

An option is left out only if another of the same unit or vehicle is as good for all units it
concerns, by every number that the task compares. Once the referee has charged or rejected
something, no option stands in for those concerned.
"""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from marchtable.planning.dominance import compared, front
from marchtable.state.goal import CRITERIA
from marchtable_models.asl.cpsat.reached.ends import WAITING, end_number, home_of
from marchtable_models.asl.cpsat.transport.options import Offer, TransportOptions, Trip

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Sequence

    import numpy.typing as npt

    from marchtable.planning.tasks import Five
    from marchtable.rules.plan_model import Task
    from marchtable_models.asl.cpsat.reached.paths import Places, ReachedEnd
    from marchtable_models.asl.cpsat.transport.instance import Instance
    from marchtable_models.asl.cpsat.transport.options import LoadedVehicle, Seat
    from marchtable_models.asl.cpsat.transport.tables import AfterUnloading

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]
    Token = str | tuple[str, str]
    Ends = Collection[int] | None
    Riding = list[tuple[Trip, list[Offer]]]

__all__ = ["Listing"]

ABSENT = -(10**12)
ALL = 2**31


class WalksAfter(NamedTuple):
    """
    Where a unit leaving a vehicle can walk, for all rows of an option table together.

    Parameters
    ----------
    places
        By row, the places reached; nothing for a row in which it does not leave.
    begins
        By row, the start of its ends among all.
    scores, at
        Each end's additions, and its number.
    """

    places: dict[int, Places]
    begins: dict[int, int]
    scores: Ints
    at: Ints


class OptionTable:
    """
    A loaded vehicle's options, row by row: first being somewhere, then units leaving it there.

    Parameters
    ----------
    instance, load, places
        The problem, the vehicle, and its possible stops.

    Attributes
    ----------
    row, at
        The row of `places`, -1 if it stays in place; and the end's number.
    who
        The units leaving there: None for none, ``""`` for a stack, else the crew that unhooks the
        Gun.
    spent, exposure, moved
        Half MP spent in all, and the rest of its score.
    own, ride
        The additions of the vehicle with its tow, and of each unit aboard that stays aboard.
    """

    def __init__(self, instance: Instance, load: LoadedVehicle, places: Places) -> None:
        self.instance, self.load, self.places = instance, load, places
        vehicle, board = load.vehicle, instance.position.board
        self.home = end_number(board, home_of(vehicle))
        may_stay = vehicle.motion.moving or self.home == WAITING
        stays = int(may_stay and instance.may_rest(vehicle.id))
        rows: list[tuple[int, str | None, int]] = [(-1, None, load.state.points.spent)] * stays
        rows += [(row, None, spent) for row, spent in enumerate(places.spent.tolist())]
        self.first = len(rows)
        self._unloaded: list[list[AfterUnloading | None]] = [[None] * len(load.seats)] * len(rows)
        crews = [seat.unit.id for seat in load.seats] if vehicle.cargo.towing else []
        rows += [one for crew in ("", *crews) for one in self._leavings(crew)]
        self.row = np.array([row for row, _, _ in rows], np.int64)
        self.who = [who for _, who, _ in rows]
        self.spent = np.array([spent for *_, spent in rows], np.int64)
        self.at = np.append(places.at, self.home)[self.row]
        self.exposure = np.append(places.exposures, 0)[self.row]
        self.moved = (self.at != self.home).astype(np.int64)
        self.own, self.ride = self._own(), [*map(self._ride, load.seats)]
        self._trips: dict[int, Trip] = {}
        self._offers: dict[tuple[int, int, int], Offer] = {}

    def _leavings(self, crew: str) -> Iterable[tuple[int, str, int]]:
        """Yield where units can leave it, and its expenditure then."""
        instance, load, board = self.instance, self.load, self.instance.position.board
        shown = instance.tables.shown(load.vehicle)
        known: dict[Hashable, list[AfterUnloading | None]] = {}
        for row, (at, spent) in enumerate(
            zip(self.places.at.tolist(), self.places.spent.tolist(), strict=True)
        ):
            if at < len(board):  # else it has left the map
                name = board.locations[at].name
                key = spent, shown.get(name, 0), at == self.home
                if key not in known:
                    stopped, unloaded = (
                        instance.stopped(load, spent, name),
                        instance.tables.unloaded,
                    )
                    known[key] = [unloaded(seat.unit, stopped, crew) for seat in load.seats]
                paid = [one.spent for one in known[key] if one is not None]
                if paid:
                    self._unloaded.append(known[key])
                    yield row, crew, max(paid)

    def _own(self) -> Ints:
        vehicle, merits = self.load.vehicle, self.instance.merits
        at, points = self.at, self.spent - self.load.vehicle.points.spent
        own = merits(vehicle.id).rows(at, self.exposure, points, self.moved)
        if vehicle.cargo.towing:
            gun, unhooked = merits(vehicle.cargo.towing), np.array([*map(bool, self.who)], bool)
            rows = gun.rows(at, self.exposure, 0, self.moved, carried=True)
            rows[unhooked] = gun.rows(at, self.exposure, 0, self.moved)[unhooked]
            own = own + rows
        return own

    def _boarded(self, seat: Seat) -> tuple[int, int, int]:
        """Return a boarder's exposure, expenditure, and whether it left its Location."""
        unit, board = self.instance.position.unit(seat.unit.id), seat.board
        exposure = board.exposure(self.instance.goal.threat) if board else 0
        spent = seat.unit.points.spent - unit.points.spent
        return exposure, spent, int(board is not None and board.at != unit.at)

    def _ride(self, seat: Seat) -> Ints:
        exposure, spent, elsewhere = self._boarded(seat)
        merits = self.instance.merits(seat.unit.id)
        met, moved = self.exposure + exposure, self.moved | elsewhere
        return merits.rows(self.at, met, spent, moved, carried=True)

    def asked(self) -> list[tuple[AfterUnloading, int]]:
        """Return the units that walk on, and where from."""
        rows = zip(self._unloaded, self.at.tolist(), strict=True)
        return [(unloaded, at) for lefts, at in rows for unloaded in lefts if unloaded is not None]

    @cached_property
    def leaving(self) -> list[WalksAfter]:
        """Where each unit aboard can walk on to."""
        return [*map(self._leaving, range(len(self.load.seats)))]

    def _leaving(self, number: int) -> WalksAfter:
        instance, seat = self.instance, self.load.seats[number]
        rows = [row for row, lefts in enumerate(self._unloaded) if lefts[number] is not None]
        asked = [
            (cast("AfterUnloading", self._unloaded[row][number]), int(self.at[row])) for row in rows
        ]
        pairs = [
            (row, one) for row, one in zip(rows, instance.walk_ons(asked), strict=True) if len(one)
        ]
        rows, places = [row for row, _ in pairs], [one for _, one in pairs]
        sizes = np.array([len(one) for one in places], np.int64)
        merits, none = instance.merits(seat.unit.id), np.zeros(0, np.int64)
        of = np.repeat(np.array(rows, np.int64), sizes)
        exposure, _, elsewhere = self._boarded(seat)
        at, met, spent = (
            np.concatenate([none, *some]) for some in (
                [one.at for one in places], [one.exposures for one in places],
                [one.spent for one in places],
            )
        )  # fmt: skip
        before = instance.position.unit(seat.unit.id).points.spent
        moved = (at != self.at[of]) | self.moved[of] | elsewhere
        scores = merits.rows(at, met + self.exposure[of] + exposure, spent - before, moved)
        begins = dict(zip(rows, (np.cumsum(sizes) - sizes).tolist(), strict=True))
        return WalksAfter(dict(zip(rows, places, strict=True)), begins, scores, at)

    # -- options, each once -----------------------------------------------------------------------

    def trip(self, row: int) -> Trip:
        """Return the trip of a row."""
        if row not in self._trips:
            load, place, who = self.load, int(self.row[row]), self.who[row]
            spent = load.state.points.spent
            stays = place < 0 or (not self.moved[row] and self.places.spent[place] == spent)
            way = None if stays else self.places.place(place)
            at = home_of(load.vehicle) if way is None else way.at
            self._trips[row] = Trip(
                load, at, who is not None, way, spent if way is None else way.spent,
                _five(self.own[row]), unhook=who or "",
            )  # fmt: skip
        return self._trips[row]

    def rides(self, row: int, number: int) -> Offer:
        """Return the offer to one unit to stay aboard for a trip."""
        key = (row, number, -1)
        if key not in self._offers:
            seat, trip = self.load.seats[number], self.trip(row)
            score = _five(self.ride[number][row])
            self._offers[key] = Offer(seat.unit.id, trip.at, True, score, trip, seat.board)
        return self._offers[key]

    def walks(self, row: int, number: int, end: int) -> Offer:
        """Return the offer to leave a trip and go on to an end, by its row."""
        key = (row, number, end)
        if key not in self._offers:
            seat, leaving = self.load.seats[number], self.leaving[number]
            score, trip = leaving.scores[leaving.begins[row] + end], self.trip(row)
            place = leaving.places[row].place(end)
            self._offers[key] = _walk(seat.unit.id, place, trip.at, score, trip, seat)
        return self._offers[key]

    def gains(self, task: Task) -> Gains:
        """Return the numbers by which a task compares the rows: more is always better."""
        own, count = compared(self.own, task), len(self.ride)
        ride, off, top = (np.full((len(own), count, own.shape[1]), ABSENT) for _ in range(3))
        end = np.full((len(own), count), -1)
        for n, leaving in enumerate(self.leaving):
            ride[:, n] = compared(self.ride[n], task)
            rows, begins = [*leaving.begins], [*leaving.begins.values()]
            if rows:
                ends = compared(leaving.scores, task)
                top[rows, n] = np.maximum.reduceat(ends, begins)
                most = np.repeat(top[rows, n, 0], np.diff([*begins, len(ends)]))
                best = np.flatnonzero(ends[:, 0] == most)
                first = best[np.searchsorted(best, begins)]
                off[rows, n], end[rows, n] = ends[first], leaving.at[first]
        likely = own[:, 0] + np.maximum(ride, off)[:, :, 0].sum(axis=1)
        rests = np.arange(len(own)) < self.first
        leaves = np.where(rests[:, None, None], ride, off)
        both = (np.concatenate([ride, some], axis=1) for some in (leaves, top))
        size = 2 * count * own.shape[1]
        gives, needs = (np.concatenate([own, one.reshape(len(own), size)], axis=1) for one in both)
        return Gains(gives, needs, end, likely)


class Gains(NamedTuple):
    """
    The results of each row of an option table, in the task's numbers.

    Parameters
    ----------
    gives, needs
        The least that the vehicle, its remaining load and leaving units get, leaving for the end
        that counts most; and the most, by any end. ABSENT for units that do not.
    end
        The number of the end that counts most, for each unit aboard; -1 for none.
    likely
        The approximate worth of each row.
    """

    gives: Ints
    needs: Ints
    end: Ints
    likely: Ints


class Listing:
    """
    The options of one problem, selected task by task.

    Parameters
    ----------
    instance
        The problem.
    """

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self._ends: dict[Token, set[int] | None] = {}
        self._known: dict[Hashable, tuple[int, Any]] = {}
        self._offers: dict[tuple[str, int], Offer] = {}

    @cached_property
    def _tables(self) -> list[OptionTable]:
        instance = self.instance
        pairs = zip(instance.loads, instance.stops, strict=True)
        found = [OptionTable(instance, load, places) for load, places in pairs]
        instance.walk_ons([asked for table in found for asked in table.asked()])  # all at once
        return found

    def options(self, task: Task) -> TransportOptions:
        """Return the options of a task."""
        offers: dict[str, list[Offer]] = {}
        for name in self.instance.foot:
            offers[name] = [*self._once(name, task, [name], partial(self._on_foot, name, task))]
        offers |= {name: [] for name in self.instance.aboard}
        trips: dict[str, list[Trip]] = {name: [] for name in self.instance.vehicles}
        for number, table in enumerate(self._tables):
            vehicle, seats = table.load.vehicle.id, table.load.seats
            about = [vehicle, *(token for seat in seats for token in _tokens(seat, table))]
            made = self._once(number, task, about, partial(self._riding, table, about, task))
            for trip, riding in made:
                trips[vehicle].append(trip)
                for offer in riding:
                    offers[offer.unit].append(offer)
        return TransportOptions(offers, trips)

    def _on_foot(self, name: str, task: Task) -> list[Offer]:
        """Return a unit's options on foot."""
        unit, places = self.instance.foot[name], self.instance.walks[name]
        moved = places.at != end_number(self.instance.position.board, home_of(unit))
        points = places.spent - unit.points.spent
        scores = self.instance.merits(name).rows(places.at, places.exposures, points, moved)
        found = []
        for row in front(compared(scores, task), self._blocked(places.at, (name,))):
            if (name, row) not in self._offers:
                self._offers[name, row] = _walk(name, places.place(row), home_of(unit), scores[row])
            found.append(self._offers[name, row])
        return found

    def _riding(self, table: OptionTable, about: Sequence[Token], task: Task) -> Riding:
        """Return a load's useful trips, and the options of the units aboard."""
        found = []
        for row in self._rows(table, about, task):
            offers = []
            for number, seat in enumerate(table.load.seats):
                offers.append(table.rides(row, number))
                leaving = table.leaving[number]
                if row in leaving.begins:
                    first, size = leaving.begins[row], len(leaving.places[row])
                    tokens, some = _tokens(seat, table), slice(first, first + size)
                    blocked = self._blocked(leaving.at[some], tokens)
                    blocked |= self._blocked(table.at[row], tokens)
                    ends = front(compared(leaving.scores[some], task), blocked)
                    offers += [table.walks(row, number, end) for end in ends]
            found.append((table.trip(row), offers))
        return found

    def _rows(self, table: OptionTable, about: Sequence[Token], task: Task) -> list[int]:
        """
        Return the undominated rows of an option table; staying at home is always one.

        A row is dominated if nobody gets more by it than by another, and nobody leaves in the
        other, or the same units leave in both.
        """
        gains, who = table.gains(task), np.array(table.who, object)
        alive, free = np.ones(len(table.at), bool), ~self._blocked(table.at, about)
        for number, seat in enumerate(table.load.seats):
            free &= ~self._blocked(gains.end[:, number], _tokens(seat, table))
        for row in np.argsort(-gains.likely, kind="stable").tolist():
            if alive[row] and free[row]:
                beaten = (gains.gives[row] >= gains.needs).all(axis=1)
                alive &= ~(beaten & (who == who[row]) if row >= table.first else beaten)
                alive[row] = True
        rests = np.flatnonzero(table.moved[: table.first] == 0)
        if table.load.key is None and len(rests):
            alive[rests[table.spent[rests].argmin()]] = True
        return np.flatnonzero(alive).tolist()

    # -- cuts -------------------------------------------------------------------------------------

    def cut(self, parts: Iterable[tuple[Token, Ends]]) -> None:
        """
        Record what the referee rejected or charged: the options involved no longer stand for others.

        `parts` names a unit, or a unit aboard a vehicle, and ends by number; None for all.
        """
        for token, ends in parts:
            known = self._ends.setdefault(token, set())
            self._ends[token] = None if known is None or ends is None else known | {*ends}

    def _once(
        self, key: Hashable, task: Task, about: Sequence[Token], made: Callable[[], Any]
    ) -> Any:
        """Return a cached result, unless a cut has named its units since."""
        some = (self._ends[token] for token in about if token in self._ends)
        version = sum(ALL if ends is None else len(ends) for ends in some)
        key = key, *task.weights.items(), *task.least, "most", *task.most
        known = self._known.get(key)
        if known is None or known[0] != version:
            known = self._known[key] = (version, made())
        return known[1]

    def _blocked(self, at: Any, tokens: Iterable[Token]) -> Bools:
        """Return which of some ends a cut concerns, for one of these units."""
        found: Bools = np.zeros(np.shape(at), bool)
        for token in tokens:
            if token in self._ends:
                ends = self._ends[token]
                found |= True if ends is None else np.isin(at, [*ends])
        return found


def _tokens(seat: Seat, table: OptionTable) -> tuple[Token, Token]:
    """Return a unit, and the unit as aboard a vehicle."""
    return seat.unit.id, (seat.unit.id, table.load.vehicle.id)


def _five(score: Ints) -> Five:
    value, distance, exposure, points, moved = score[: len(CRITERIA)].tolist()
    return value, distance, exposure, points, moved


def _walk(
    name: str,
    place: ReachedEnd,
    start: str,
    score: Ints,
    trip: Trip | None = None,
    seat: Seat | None = None,
) -> Offer:
    """Return the offer to walk to a place, from its start or from a trip."""
    walk, remaining = (place, place.remaining) if place.at != start else (None, None)
    board = None if seat is None else seat.board
    return Offer(name, place.at, False, _five(score), trip, board, walk, remaining)
