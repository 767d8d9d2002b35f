"""The transport problem as a CP-SAT model: its columns, and a small function for each row's clause."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.planning.goal import CRITERIA
from marchtable_models.asl.cpsat.cuts import Passage
from marchtable_models.asl.cpsat.prune import worth_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ortools.sat.python import cp_model

    from marchtable.planning.model import Task
    from marchtable.planning.score import Stand
    from marchtable_models.asl.cpsat.cuts import Cut, Literal
    from marchtable_models.asl.cpsat.gather import Gathered
    from marchtable_models.asl.cpsat.offers import Columns, Five, Offer, Trip

__all__ = ["Plan", "Program"]


MOST = 1000  # half points


class Plan(NamedTuple):
    """One offer for each unit, one trip for each vehicle."""

    offers: dict[str, Offer]
    trips: dict[str, Trip]

    def columns(self) -> list[Offer | Trip]:
        """Return all that is chosen."""
        return [*self.offers.values(), *self.trips.values()]


class Program:
    """
    A CP-SAT model of a task.

    Parameters
    ----------
    gathered, columns, task, cuts
        What it is made of.
    """

    def __init__(
        self, gathered: Gathered, columns: Columns, task: Task | None, cuts: Sequence[Cut | Passage]
    ) -> None:
        from ortools.sat.python import cp_model

        self.model, self.gathered, self.columns = cp_model.CpModel(), gathered, columns
        self._literal: dict[int, cp_model.IntVar] = {}
        self._score: list[tuple[cp_model.IntVar, Five]] = []
        self._more: dict[str, cp_model.IntVar] = {}
        for listed in (columns.offers, columns.trips):
            for column in (one for group in listed.values() for one in group):
                literal = self.model.new_bool_var("")
                self._literal[id(column)] = literal
                self._score.append((literal, column.score))
        self._one_each()
        self._aboard()
        self._counted()
        self._musts()
        for cut in cuts:
            self._cut(cut)
        if task is not None:
            self._bounds(task)
            self.model.maximize(self._sum(
                [(literal, worth_of(task, score)) for literal, score in self._score]
            ))  # fmt: skip

    def _sum(self, terms: Sequence[tuple[cp_model.IntVar, int]]) -> cp_model.LinearExprT:
        from ortools.sat.python import cp_model

        told = [(literal, number) for literal, number in terms if number]
        return cp_model.LinearExpr.weighted_sum([x for x, _ in told], [n for _, n in told])

    def _of(self, columns: Sequence[Offer | Trip]) -> list[cp_model.IntVar]:
        return [self._literal[id(one)] for one in columns if id(one) in self._literal]

    # -- rows ------------------------------------------------------------------------------------

    def _one_each(self) -> None:
        for listed in (self.columns.offers, self.columns.trips):
            for columns in listed.values():
                self.model.add_exactly_one(self._of(columns))

    def _aboard(self) -> None:
        """Who is aboard for a trip goes on that trip (D6.3b), and all of them fit (D6.1c)."""
        by_trip: dict[int, dict[str, list[cp_model.IntVar]]] = {}
        leaving: dict[int, list[cp_model.IntVar]] = {}
        for unit, offers in self.columns.offers.items():
            for offer in offers:
                if offer.trip is not None:
                    literal = self._literal[id(offer)]
                    by_trip.setdefault(id(offer.trip), {}).setdefault(unit, []).append(literal)
                    if not offer.carried:
                        leaving.setdefault(id(offer.trip), []).append(literal)
        for trip in (one for trips in self.columns.trips.values() for one in trips):
            goes, aboard = self._literal[id(trip)], by_trip.get(id(trip), {})
            for literals in aboard.values():
                self.model.add(sum(literals) <= goes)
            if trip.drop:
                self.model.add(sum(leaving.get(id(trip), [])) >= goes)
            self._room(trip, goes, aboard)

    def _room(
        self, trip: Trip, goes: cp_model.IntVar, aboard: Mapping[str, list[cp_model.IntVar]]
    ) -> None:
        room, sizes = self.gathered.room(trip.load)
        terms = [(x, sizes.get(unit, 0)) for unit, found in aboard.items() for x in found]
        if sum(sizes.get(unit, 0) for unit in aboard) > room:
            self.model.add(self._sum([*terms, (goes, -room)]) <= 0)

    def _counted(self) -> None:
        """Of those whose MF count for what the vehicle keeps, one is aboard (D6.4c)."""
        counted: dict[int, list[cp_model.IntVar]] = {}
        for unit, offers in self.columns.offers.items():
            for offer in offers:
                if offer.trip is not None and unit in offer.trip.load.counted:
                    counted.setdefault(id(offer.trip), []).append(self._literal[id(offer)])
        for trips in self.columns.trips.values():
            for trip in trips:
                if trip.load.key is not None:
                    self.model.add(sum(counted.get(id(trip), [])) >= self._literal[id(trip)])

    def _musts(self) -> None:
        for number, _ in enumerate(self.gathered.goal.aims):
            required = self.gathered.measure.required(number)
            if required:
                met = [
                    self._literal[id(column)]
                    for column, unit, stand in self._ends()
                    if self.gathered.measure.holds(number, unit, stand)
                ]
                self.model.add(sum(met) >= required)

    def _ends(self) -> list[tuple[Offer | Trip, str, Stand]]:
        return [
            (column, unit, stand)
            for listed in (self.columns.offers, self.columns.trips)
            for columns in listed.values()
            for column in columns
            for unit, stand in self.gathered.stands(column)
        ]

    def _bounds(self, task: Task) -> None:
        for number, name in enumerate(CRITERIA):
            terms = [(literal, score[number]) for literal, score in self._score]
            if name in task.least:
                self.model.add(self._sum(terms) >= task.least[name])
            if name in task.most:
                self.model.add(self._sum(terms) <= task.most[name])

    @property
    def literals(self) -> Iterable[cp_model.IntVar]:
        """A literal for each column: those of the offers, then those of the trips."""
        return self._literal.values()

    def plan(self, values: Iterable[int]) -> Plan:
        """Return what a solution chooses, told by the values of the literals."""
        chosen = {key for key, value in zip(self._literal, values, strict=True) if value}

        def of(listed: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
            return {
                name: next(c for c in columns if id(c) in chosen)
                for name, columns in listed.items()
            }

        return Plan(of(self.columns.offers), of(self.columns.trips))

    def _cut(self, cut: Cut | Passage) -> None:
        """Exclude what the referee refused, or charge what it charged."""
        groups = [self._meeting(literal) for literal in cut.literals]
        if not all(groups):
            return
        chosen = [x for group in groups for x in group]
        if isinstance(cut, Passage):
            self._charge(cut, chosen, len(groups))
        elif cut.extra is None:
            self.model.add(sum(chosen) <= len(groups) - 1)
        else:  # the whole plan: it comes to that and nothing else
            together = self.model.new_bool_var("")
            self.model.add(sum(chosen) - together <= len(groups) - 1)
            self.model.add(sum(chosen) >= len(groups) * together)
            self._score.append((together, cut.extra))

    def _charge(self, cut: Passage, others: Sequence[cp_model.IntVar], count: int) -> None:
        """While others stand about, bar some of an actor's columns and charge for some."""
        told = self.columns.offers.get(cut.actor) or self.columns.trips[cut.actor]
        extras = [(self._literal[id(column)], cut.extra(column)) for column in told]
        barred = [x for x, extra in extras if extra is None]
        if barred:
            self.model.add(sum(barred) + sum(others) <= count)
        dear = [(x, extra) for x, extra in extras if extra is not None and extra > 0]
        if dear:
            most = max(extra for _, extra in dear)
            if cut.actor not in self._more:
                more = self._more[cut.actor] = self.model.new_int_var(0, MOST, "")
                self._score.append((more, (0, 0, 0, 1, 0)))
            terms = [*dear, *((x, most) for x in others), (self._more[cut.actor], -1)]
            self.model.add(self._sum(terms) <= most * count)

    def _meeting(self, literal: Literal) -> list[cp_model.IntVar]:
        columns = self.columns.offers.get(literal.unit) or self.columns.trips[literal.unit]
        return [self._literal[id(one)] for one in columns if literal.test(one)]
