"""Explains infeasibility of transport: a minimal set of clauses, each for a unit, that forbid the musts.

What a solver says is never shown as it is; the set is shrunk clause by clause, and verified.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from marchtable.cpsat.harness import Status, solve
from marchtable.files.notation import points
from marchtable.planning.reasons import Family, Question, clauses_against, unproved
from marchtable.rules.plan_model import Reason
from marchtable_models.asl.blame import BOARDING
from marchtable_models.asl.cpsat.transport.blocked_options import Fault, Ways

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from marchtable.rules.plan_model import Control
    from marchtable_models.asl.cpsat.transport.model import Transport
    from marchtable_models.asl.model import AslUnit

__all__ = ["Infeasibility", "proved"]


class Infeasibility(Ways):
    """The musts of a problem, the ways to meet them, and what forbids these."""

    def reasons(self, control: Control) -> tuple[Reason, ...] | None:
        """Return the set, None if a limit was reached or these clauses alone forbid nothing."""
        order = {name: n for n, name in enumerate(self.instance.rulebook.clauses)}
        place = {name: n for n, name in enumerate(self.instance.names)}
        kept = sorted(self._faults_of_all, key=lambda f: (order.get(f[0], len(order)), place[f[1]]))
        if self.can_be_met(kept, control) is not False:
            return None
        for fault in [*kept]:
            fewer = [other for other in kept if other != fault]
            found = self.can_be_met(fewer, control)
            if found is None:
                return None
            if not found:
                kept = fewer
        return tuple(Reason(clause=f[0], units=(f[1],), numbers=self.numbers.get(f, ()))
                     for f in kept)  # fmt: skip

    @property
    def blamed(self) -> frozenset[str]:
        """The clauses that any way breaks."""
        return frozenset(clause for clause, _ in self._faults_of_all)

    # -- what forbids them -------------------------------------------------------------------------

    @cached_property
    def _faults_of_all(self) -> set[Fault]:
        found = {f for way in self.ways for f in way.faults} | self._rooms()
        return found | {f for trip in self.trips for f in trip.faults}

    def _rooms(self) -> set[Fault]:
        """Return the vehicles that have no room for all who may board."""
        found = set()
        for trip in self.trips:
            room, sizes = self.instance.room(trip.load)
            if sum(sizes.values()) > room:
                fault = (self.instance.room_clause(trip.load), trip.load.vehicle.id)
                need = ("need", points(room)), ("have", points(sum(sizes.values())))
                self.numbers.setdefault(fault, need)
                found.add(fault)
        return found

    def can_be_met(self, kept: Sequence[Fault], control: Control) -> bool | None:
        """Tell whether the musts can be met with these clauses kept and all others off."""
        if control.stop.is_requested or control.left() <= 0:
            return None
        outcome = solve(self._model(set(kept)), "logic", limit=control.left(), stop=control.stop,
                        seed=control.seed)  # fmt: skip
        control.spend(outcome.time)
        return None if outcome.status is Status.UNKNOWN else outcome.status is not Status.IMPOSSIBLE

    def _model(self, kept: set[Fault]) -> Any:
        from ortools.sat.python import cp_model

        model = cp_model.CpModel()
        goes: list[Any] = [
            None if trip.faults & kept else model.new_bool_var("") for trip in self.trips
        ]
        chosen: dict[str, list[Any]] = {}
        meeting: dict[int, list[Any]] = {number: [] for number in self.musts}
        aboard: dict[int, dict[str, list[Any]]] = {}
        for way in self.ways:
            if way.faults & kept or (way.trip is not None and goes[way.trip] is None):
                continue
            x = model.new_bool_var("")
            for number in way.aims:
                meeting[number].append(x)
            if way.trip is not None and way.unit in _driven(self.trips[way.trip].load.vehicle):
                model.add_implication(x, goes[way.trip])
                continue
            chosen.setdefault(way.unit, []).append(x)
            if way.trip is not None:
                aboard.setdefault(way.trip, {}).setdefault(way.unit, []).append(x)
        self._ride_along(model, goes, chosen, aboard, kept)
        for literals in chosen.values():
            model.add_at_most_one(literals)
        for vehicle in self.instance.vehicles:
            model.add_at_most_one(
                [x for x, trip in zip(goes, self.trips, strict=True)
                 if x is not None and trip.load.vehicle.id == vehicle]
            )  # fmt: skip
        for number, literals in meeting.items():
            model.add(sum(literals) >= self.instance.measure.required(number))
        return model

    def _ride_along(
        self, model: Any, goes: Sequence[Any], chosen: dict[str, list[Any]],
        aboard: Mapping[int, dict[str, list[Any]]], kept: set[Fault],
    ) -> None:  # fmt: skip
        """Let those be aboard for whom there is room, one of those who count among them."""
        for number, trip in enumerate(self.trips):
            if goes[number] is None:
                continue
            literals = aboard.get(number, {})
            for found in literals.values():
                for x in found:
                    model.add_implication(x, goes[number])
            for name in trip.load.counted:
                along = model.new_bool_var("")
                model.add_implication(along, goes[number])
                chosen.setdefault(name, []).append(along)
                literals = {**literals, name: [*literals.get(name, ()), along]}
            if trip.load.key is not None:
                counted = [x for n in trip.load.counted for x in literals.get(n, ())]
                model.add_bool_or([*counted, goes[number].negated()])
            room, sizes = self.instance.room(trip.load)
            if (self.instance.room_clause(trip.load), trip.load.vehicle.id) in kept:
                model.add(
                    sum(sizes.get(n, 0) * x for n, found in literals.items() for x in found) <= room
                )


def _driven(vehicle: AslUnit) -> tuple[str | None, ...]:
    """Return those who are where a trip ends without a choice of their own."""
    return vehicle.id, vehicle.cargo.towing


def proved(model: Transport, control: Control) -> tuple[Reason, ...] | None:
    """
    Return a smallest set of clauses that forbid the musts.

    What the ways of single units tell of it is where to look, else what cuts name, for what units
    cost each other: all others are switched off and whole plans sought. Where that cannot be done
    in time, what single ways told is told as not verified.
    """
    instance = model.instance
    unmet = Infeasibility(instance)
    found = unmet.reasons(control)
    in_cuts = {clause for cut in model.cuts for clause in cut.clauses}
    blamed = {*(instance.rulebook.blamable or ()), *BOARDING, *unmet.blamed, *in_cuts}
    likely = in_cuts if found is None else {reason.clause for reason in found}

    def again() -> Transport:
        return type(model)(instance.rulebook, model.position, model.goal)

    question = Question(model.position, model.goal, "avoid", again, control)
    family = Family(tuple(blamed), tuple(likely), model.space.left_out)
    verified = clauses_against(question, family)
    if verified is not None or found is None:
        return verified
    return unproved(found)
