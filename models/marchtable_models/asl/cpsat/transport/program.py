"""The transport problem as a CP-SAT model: its columns, and a small function for each row's clause."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.cpsat.rows import Rows
from marchtable.state.goal import CRITERIA
from marchtable_models.asl.cpsat.transport.cuts import Literal, SurchargeCut
from marchtable_models.asl.cpsat.transport.precedence import After, Home
from marchtable_models.asl.cpsat.transport.precedence_variables import Precedences, owed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from ortools.sat.python import cp_model

    from marchtable.cpsat.harness import Profile
    from marchtable.planning.score import Stand
    from marchtable.planning.tasks import Five
    from marchtable.rules.plan_model import Task
    from marchtable_models.asl.cpsat.transport.cuts import AtLeast, Cut, Said
    from marchtable_models.asl.cpsat.transport.instance import Instance
    from marchtable_models.asl.cpsat.transport.options import Columns, Offer, Trip
    from marchtable_models.asl.cpsat.transport.precedence import Before

__all__ = ["Plan", "Program"]


MOST = 1000  # half points
LARGE = 1000  # variables from which on it pays back to look into turns before the search


class Plan(NamedTuple):
    """One offer for each unit, one trip for each vehicle, and which acts before which if that matters."""

    offers: dict[str, Offer]
    trips: dict[str, Trip]
    before: Collection[Before] = ()

    def columns(self) -> list[Offer | Trip]:
        """Return all that is chosen."""
        return [*self.offers.values(), *self.trips.values()]


class Program:
    """
    A CP-SAT model of a task.

    Parameters
    ----------
    instance, columns, task, cuts
        What it is made of.

    rows
        What takes its rows.
    """

    def __init__(
        self, instance: Instance, columns: Columns, task: Task | None,
        cuts: Sequence[Cut | SurchargeCut], rows: type[Rows] = Rows,
    ) -> None:  # fmt: skip
        self.instance, self.columns = instance, columns
        every: list[Offer | Trip] = [
            *(offer for offers in columns.offers.values() for offer in offers),
            *(trip for trips in columns.trips.values() for trip in trips),
        ]
        self._number = {id(column): number for number, column in enumerate(every)}
        self._score = [column.score for column in every]
        self._scored = [*range(len(every))]
        self.rows = rows(len(every))
        self._more: dict[str, int] = {}
        self._met: dict[tuple[str, int], list[int]] = {}  # by test: the cuts hold these
        self._touching: dict[tuple[str, int], list[tuple[int, Offer | Trip]]] = {}
        self.cuts, self._turning = cuts, Precedences(self.rows, instance.order)
        self._throngs: dict[tuple[object, ...], int | None] = {}
        self._one_each()
        self._aboard()
        self._musts()
        for cut in cuts:
            self._cut(cut)
        if task is not None:
            self._bounds(task)
            self._aim(task)

    @cached_property
    def model(self) -> cp_model.CpModel:
        """The model; its first variables are the columns', offers before trips."""
        return self.rows.model()

    @property
    def profile(self) -> Profile:
        """How CP-SAT is to go about it."""
        is_large = self.rows.size > LARGE and self._turning.is_used
        return "turns" if is_large else "knapsack"

    def _costs(self, name: int, score: Five) -> None:
        """Have a variable add to what counts."""
        self._scored.append(name)
        self._score.append(score)

    def _aim(self, task: Task) -> None:
        import numpy as np

        weights = [task.weights.get(name, 0) for name in CRITERIA]
        worths = (np.array(self._score, np.int64).reshape(-1, 5) @ weights).tolist()
        self.rows.maximize(zip(self._scored, worths, strict=True))

    # -- rows --------------------------------------------------------------------------------------

    def _one_each(self) -> None:
        for listed in (self.columns.offers, self.columns.trips):
            for columns in listed.values():
                self.rows.one_of([self._number[id(one)] for one in columns])

    def _aboard(self) -> None:
        """
        Tie those aboard for a trip to it.

        Who is aboard for a trip goes on that trip (D6.3b), and all of them fit (D6.1c); of those
        whose MF count for what the vehicle keeps, one is aboard (D6.4c).
        """
        by_trip: dict[int, dict[str, list[int]]] = {}
        leaving: dict[int, list[int]] = {}
        for unit, offers in self.columns.offers.items():
            for offer in offers:
                if offer.trip is not None:
                    number, key = self._number[id(offer)], id(offer.trip)
                    by_trip.setdefault(key, {}).setdefault(unit, []).append(number)
                    if not offer.carried:
                        leaving.setdefault(key, []).append(number)
        rooms: dict[int, tuple[int, dict[str, int]]] = {}
        for trip in (one for trips in self.columns.trips.values() for one in trips):
            goes, aboard, load = self._number[id(trip)], by_trip.get(id(trip), {}), trip.load
            for numbers in aboard.values():
                self.rows.not_two([*numbers, ~goes])
            if trip.drop:
                self.rows.any_of([*leaving.get(id(trip), []), ~goes])
            if load.key is not None:
                counted = [x for unit in load.counted for x in aboard.get(unit, ())]
                self.rows.any_of([*counted, ~goes])
            if id(load) not in rooms:
                rooms[id(load)] = self.instance.room(load)
            self._room(rooms[id(load)], goes, aboard)

    def _room(
        self, told: tuple[int, dict[str, int]], goes: int, aboard: Mapping[str, list[int]]
    ) -> None:
        room, sizes = told
        if sum(sizes.get(unit, 0) for unit in aboard) > room:
            terms = [(x, sizes.get(unit, 0)) for unit, found in aboard.items() for x in found]
            self.rows.total([*terms, (goes, -room)], most=0)

    def _musts(self) -> None:
        for number, _ in enumerate(self.instance.goal.aims):
            required = self.instance.measure.required(number)
            if required:
                met = [
                    (self._number[id(column)], 1)
                    for column, unit, stand in self._ends()
                    if self.instance.measure.holds(number, unit, stand)
                ]
                count: dict[int, int] = {}
                for x, one in met:  # a trip may bring a vehicle and what it tows
                    count[x] = count.get(x, 0) + one
                self.rows.total(count.items(), least=required)

    def _ends(self) -> list[tuple[Offer | Trip, str, Stand]]:
        return [
            (column, unit, stand)
            for listed in (self.columns.offers, self.columns.trips)
            for columns in listed.values()
            for column in columns
            for unit, stand in self.instance.stands(column)
        ]

    def _bounds(self, task: Task) -> None:
        for number, name in enumerate(CRITERIA):
            terms = [(x, score[number]) for x, score in zip(self._scored, self._score, strict=True)]
            if name in task.least:
                self.rows.total(terms, least=task.least[name])
            if name in task.most:
                self.rows.total(terms, most=task.most[name])

    # -- solutions ---------------------------------------------------------------------------------

    @property
    def literals(self) -> list[cp_model.IntVar]:
        """A literal for each column: those of the offers, then those of the trips."""
        return [self.model.get_bool_var_from_proto_index(n) for n in range(len(self._number))]

    def plan(self, values: Iterable[int]) -> Plan:
        """Return what a solution chooses, told by the values of the literals."""
        told = [*values]
        chosen = {key for key, value in zip(self._number, told, strict=False) if value}

        def of(listed: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
            return {
                name: next(c for c in columns if id(c) in chosen)
                for name, columns in listed.items()
            }

        offers, trips = of(self.columns.offers), of(self.columns.trips)
        before = owed(
            self.cuts, {**offers, **trips}, self._turning.turns(told), self.instance.order
        )
        return Plan(offers, trips, before)

    # -- what the referee said ---------------------------------------------------------------------

    def _cut(self, cut: Cut | SurchargeCut) -> None:
        """Exclude what the referee refused, or charge what it charged."""
        groups = []
        for literal in cut.literals:
            groups.append(self._meeting(literal))
            if not groups[-1]:
                return
        if isinstance(cut, SurchargeCut) and cut.throngs:
            throngs = [one for one in map(self._throng, cut.throngs) if one is not None]
            if len(throngs) < len(cut.throngs):
                return
            groups += [[one] for one in throngs]
        told = [x for group in groups for x in group]
        chosen = [(x, 1) if x >= 0 else (~x, -1) for x in told]
        negated = sum(x < 0 for x in told)
        count = len(groups) - negated
        if isinstance(cut, SurchargeCut):
            self._charge(cut, chosen, count)
        elif cut.extra is None:
            self.rows.total(chosen, most=count - 1)
        else:  # the whole plan: it comes to that and nothing else
            together = self.rows.new()
            self.rows.total([*chosen, (together, -1)], most=count - 1)
            self.rows.total([*chosen, (together, -len(groups))], least=-negated)
            self._costs(together, cut.extra)

    def _charge(self, cut: SurchargeCut, others: Sequence[tuple[int, int]], count: int) -> None:
        """While others stand about, bar some of an actor's columns and charge for some."""
        dearer = [(number, cut.surcharge(column)) for number, column in self._touched(cut)]
        barred = [(x, 1) for x, more in dearer if more is None]
        if barred:
            self.rows.total([*barred, *others], most=count)
        dear = [(x, more) for x, more in dearer if more is not None and more > 0]
        if dear:
            most = max(more for _, more in dear)
            if cut.actor not in self._more:
                self._more[cut.actor] = self.rows.new(MOST)
                self._costs(self._more[cut.actor], (0, 0, 0, 1, 0))
            terms = [*dear, *((x, most * n) for x, n in others), (self._more[cut.actor], -1)]
            self.rows.total(terms, most=most * count)

    def _throng(self, at_least: AtLeast) -> int | None:
        """Return a literal that holds if so many stand in a Location; None if they never do."""
        key = (at_least.at, at_least.names, at_least.enough, at_least.actor)
        if key not in self._throngs:
            ends = {name: self._meeting(Literal(name, at_least.test)) for name in at_least.names}
            able = [name for name, numbers in ends.items() if numbers or name in at_least.homes]
            self._throngs[key] = None
            if len(able) >= at_least.enough:
                there = [self._turning.there(name, at_least, ends[name]) for name in able]
                self._throngs[key] = self._turning.enough(there, at_least.enough)
        return self._throngs[key]

    def _touched(self, cut: SurchargeCut) -> list[tuple[int, Offer | Trip]]:
        """Return the columns of a cut's actor that might cost more, and their numbers."""
        test = cut.touches
        key = (cut.actor, id(test))  # many cuts share a test
        if key not in self._touching:
            found = [one for one in self._columns(cut.actor) if test is None or test(one)]
            self._touching[key] = [(self._number[id(one)], one) for one in found]
        return self._touching[key]

    def _meeting(self, literal: Said) -> list[int]:
        """Return variables of which one holds if a literal does, and none else; a negated one alone."""
        if isinstance(literal, After):
            return [self._turning.first(literal.other, literal.unit)]
        key = (literal.unit, id(literal.test))
        if key not in self._met:
            columns = self._columns(literal.unit)
            self._met[key] = [self._number[id(c)] for c in columns if literal.test(c)]
        found = self._met[key]
        return [self._turning.home(literal, found)] if isinstance(literal, Home) else found

    def _columns(self, name: str) -> Sequence[Offer | Trip]:
        return (
            self.columns.offers[name] if name in self.columns.offers else self.columns.trips[name]
        )
