"""
Finds a unit's possible steps in a mode at a crossing, by calling ``rule`` once for each case.

Two crossings with equal map facts and equal occupants get equal rulings, so one of them represents
all: a unit is put there in a mode, every travel verb is tried, and the resulting cost and mode
apply wherever those facts occur. The unit that is moved is a *newcomer*, equal to the one asked
about, which itself stays where it is; so all equal units share the results.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.budget import look
from marchtable.errors import InternalError
from marchtable.reachability.keys import outcome_key
from marchtable.reachability.transitions import ActionOutcome, Transition, UnmodelledStep, Way
from marchtable.rules.clause import switched_off
from marchtable.rules.dependencies import dependencies
from marchtable.rules.generator import candidates
from marchtable.rules.rolls import passed, without_rolls
from marchtable.state.action import is_plain, parameters, renamed
from marchtable.state.records import replace
from marchtable.tokens import token_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator

    from marchtable.reachability.crossings import Spot
    from marchtable.reachability.views import Asker, CrossingView
    from marchtable.rules.ruling import Ruling
    from marchtable.state.action import Action
    from marchtable.state.position import Position, Unit


__all__ = ["Prober"]


class Prober:
    """
    Asks the rulebook for a unit's possible steps, with the others where they are.

    Parameters
    ----------
    mover
        The cached data of units equal to it, and its modes; transitions refer to these by number.
    position
        The other units by place.
    unit
        The unit that is moved; it must be in the position.
    tracks
        Whether dependencies on clauses are recorded.
    """

    def __init__(
        self, mover: Asker, position: Position[Any, Any], unit: Unit, *, tracks: bool = False
    ) -> None:
        rulebook = mover.rulebook
        self.mover, self.rulebook, self.unit, self.tracks = mover, rulebook, unit, tracks
        self.laden = bool(rulebook.along(position, unit, unit))
        self.position = without_rolls(position)
        self.last_resorts = {} if switched_off() else rulebook.last_resorts
        self._equal: dict[frozenset[str], frozenset[str]] = {}
        self.turned: dict[Hashable, tuple[Way, ...]] = {}
        self.listed: dict[tuple[int, bool], tuple[int, tuple[Action, ...]]] = {}
        travel = rulebook.travel_in(position, unit)
        crosses = {t: any(p.domain == "adjacent" for p in parameters(t)) for t in travel}
        self.crossing_verbs = [t for t in travel if crosses[t]]
        self.staying_verbs = [t for t in travel if not crosses[t]]

    def block(self, spot: Spot, row: CrossingView) -> tuple[Way, ...]:
        """Return the ways on from a row's base mode; of equal ones, that with the fewest rolls."""
        look()
        if not self.tracks:
            self.mover.consult(None)
        transitions: dict[Hashable, Transition] = {}
        unsupported: list[UnmodelledStep] = []
        for found in self._ways_on(spot, row):
            if self.mover.avoid and found.rolls:
                continue
            if isinstance(found, UnmodelledStep):
                unsupported.append(found)
                continue
            key = (found.start, found.stop, found.cost, found.end)
            kept = transitions.setdefault(key, found)
            if len(found.rolls) < len(kept.rolls):
                transitions[key] = found
        return (*transitions.values(), *unsupported)

    def _ways_on(self, spot: Spot, row: CrossingView) -> Iterator[Way]:
        """Yield the ways on from a row's base mode."""
        a, b, ground, probe = spot.crossing.a, spot.crossing.b, spot.crossing.ground, None
        listed = self._candidates(a, b, row.like)
        needless: set[type[Action]] = set()
        for one in self.mover.views.tries(row, listed, ground, whole_map=spot.whole_map):
            if type(one.action) in needless:
                continue
            rotation = self.mover.views.rotation
            start = rotation.moded(row.like, -one.by)
            key = outcome_key(start, one.name, one.seen, spot.present)
            outcome = self.mover.outcomes.get(key)
            if outcome is None:
                if probe is None:
                    unit = self.rulebook.in_mode(self.unit, a, self.mover.modes[row.start])
                    probe = self._put(unit)
                action = renamed(rotation.turned(one.action, row.by), unit=self.unit.id, to=b)
                found, consulted = self._tracked(probe, action, b, row.start)
                found = rotation.turn(found, -row.by - one.by)
                outcome = self.mover.outcomes[key] = ActionOutcome(found, consulted)
            else:
                self.mover.consult(outcome.consulted)
            ways = outcome.ways
            if one.by and ways:
                turned = (*key, one.by)
                if turned not in self.turned:
                    self.turned[turned] = rotation.turn(ways, one.by)
                ways = self.turned[turned]
            needless |= self._needless(one.action, ways)
            yield from ways

    def _needless(self, action: Action, ways: Iterable[Way]) -> set[type[Action]]:
        """Return the last resorts that need not be tried, given an action's ways on."""
        limits = self.mover.limits
        found = {last for last, first in self.last_resorts.items() if isinstance(action, first)}
        if (
            found
            and is_plain(action)
            and any(
                isinstance(way, Transition) and not way.end and way.cost <= limits[way.start]
                for way in ways
            )
        ):
            return found
        return set()

    def _candidates(self, a: str, b: str, start: int) -> tuple[int, tuple[Action, ...]]:
        """Return the candidates of a mode, without names of units and places, with a token."""
        key = (start, a == b)
        if key not in self.listed:
            unit = self.rulebook.in_mode(self.unit, a, self.mover.modes[start])
            probe = self._put(unit)
            types, to = (self.staying_verbs, None) if a == b else (self.crossing_verbs, b)
            found = candidates(self.rulebook, probe, unit, types, to=to, free=False)
            actions = tuple([renamed(action, unit="", to="") for action in found])
            self.listed[key] = (token_of(actions), actions)
        return self.listed[key]

    def _put(self, unit: Unit) -> Position[Any, Any]:
        """Return the position with the unit there, and with those that go along."""
        along = self.rulebook.along(self.position, self.unit, unit) if self.laden else ()
        return self.position.with_units([unit, *along])

    def _tracked(
        self, probe: Position[Any, Any], action: Action, to: str, start: int
    ) -> tuple[tuple[Way, ...], frozenset[str] | None]:
        """Return an action's outcome and the clauses on which it depends, if these are recorded."""
        if not self.tracks:
            return self._tried(probe, action, to, start), None
        with dependencies() as consulted:
            found = self._tried(probe, action, to, start)
        self.mover.consult(consulted)
        return found, self._once(consulted)

    def _once(self, consulted: Iterable[str]) -> frozenset[str]:
        """Return a set of clause names, the same object for equal sets."""
        found = frozenset(consulted)
        return self._equal.setdefault(found, found)

    def _tried(
        self, probe: Position[Any, Any], action: Action, to: str, start: int
    ) -> tuple[Way, ...]:
        if self.rulebook.is_idle(probe, probe.unit(self.unit.id), action):
            return ()
        edition = self.rulebook.edition(probe)
        found = edition.judge_unless_barred(self.rulebook.cases(probe, action))
        if found is None:
            return ()
        probe.__dict__["cases"] = (action, edition, *found)  # for the ruling that follows
        return tuple(self._asked(probe, probe.unit(self.unit.id), action, to, start))

    def _asked(
        self, probe: Position[Any, Any], unit: Unit, action: Action, to: str, start: int
    ) -> Iterator[Way]:
        ruling = self.rulebook.rule(probe, action)
        rolls = tuple(o.clause for o in ruling.obligations)
        if ruling.violations:
            return
        if ruling.unsupported:
            yield self._unmodelled(ruling, unit, start, [v.clause for v in ruling.unsupported])
            return
        if rolls and passed(ruling.after) is None:  # its result is not searched
            yield self._unmodelled(ruling, unit, start, rolls)
            return
        after = ruling.after.unit(self.unit.id)
        if (after.at == unit.at and to != unit.at) or self.rulebook.is_sent_back(after):
            return
        if after.at != to:
            raise InternalError(f"{ruling.action} was to lead to {to} but led to {after.at}")
        cost = self.rulebook.spent(after) - self.rulebook.spent(unit)
        mode = self.rulebook.mode(after)
        end, number = self.rulebook.is_final(mode), self.mover.numbered(mode)
        if (number, to, cost) == (start, unit.at, 0):
            return
        least = int(end and not self._is_legal_with_nothing_left(probe, unit, action, start))
        first = Transition(start, number, cost, end, (action,), rolls, least)
        yield first
        if end:
            yield from self._stops(first, without_rolls(ruling.after))

    def _is_legal_with_nothing_left(
        self, probe: Position[Any, Any], unit: Unit, action: Action, start: int
    ) -> bool:
        """Return whether an end is legal for a unit that has already spent what it can."""
        spent = replace(unit, spent=self.mover.limits[start])
        return self.rulebook.rule(probe.with_units([spent]), action).is_legal

    def _stops(self, first: Transition, position: Position[Any, Any]) -> Iterator[Transition]:
        """Yield an end together with what is still possible afterwards (a Stop), as one arc."""
        unit = position.unit(self.unit.id)
        for last in candidates(self.rulebook, position, unit, self.staying_verbs, free=False):
            ruling = self.rulebook.rule(position, last)
            if not ruling.is_legal or passed(ruling.after) is None:
                continue
            stop = self.rulebook.mode(ruling.after.unit(self.unit.id))
            if self.rulebook.is_final(stop):
                yield replace(
                    first,
                    stop=self.mover.numbered(stop),
                    actions=(*first.actions, last),
                    rolls=(*first.rolls, *(o.clause for o in ruling.obligations)),
                )

    def _unmodelled(
        self, ruling: Ruling, unit: Unit, start: int, why: Iterable[str]
    ) -> UnmodelledStep:
        clauses, rolls = tuple(why), tuple(o.clause for o in ruling.obligations)
        if ruling.after is None:
            return UnmodelledStep(start, start, 0, clauses, rolls)
        after = ruling.after.unit(self.unit.id)
        mode = self.rulebook.mode(after)
        cost = self.rulebook.spent(after) - self.rulebook.spent(unit)
        if self.rulebook.is_final(mode):  # it takes everything left
            cost = 0
        return UnmodelledStep(start, self.mover.numbered(mode), cost, clauses, rolls)
