"""Transport plans by brute force: every plan of the declared space, from ``legal_actions`` alone.

It tries every boarding, vehicle move, unloading and order of the other units. The results from a
state are computed once for all states that look the same to the units still to act.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.rules.generator import legal_actions
from marchtable.state.records import replace
from marchtable_models.asl.model import End
from marchtable_models.asl.rules.loading import Load
from marchtable_models.asl.rules.towing import Unhook
from marchtable_models.asl.rules.unloading import Unload
from tests.asl.boards import ASL
from tests.asl.transport_world import Entry, World, changes_of
from tests.asl.transport_worths import Worths

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from marchtable.state.goal import Goal
    from tests.asl.transport_world import Changes, State, Way
    from tests.asl.transport_worths import Table

__all__ = ["ALONE", "ByForce", "TooManyError"]

FIRST = (-1, -1)
CARRYING = frozenset(("load", "unload", "unhook"))
ALONE = frozenset((
    "start", "stop", "turn", "enter", "leave-road", "minimum", "double-time", "gallop", "bypass",
    "along", "into", "exit",
))  # fmt: skip
"""The verbs by which units go alone; without an aim to leave the map, none does."""


class TooManyError(Exception):
    """More questions than the allowed number."""


class ByForce(Worths):
    """All plans for a position and goal, vehicles moving in any order, each by its cheapest way.

    Parameters
    ----------
    position, goal, vehicles
        The problem, and who moves.
    verbs
        Those of the declared space.
    weights
        By criterion; None to distinguish all plans by their projections.
    world
        What is known of the board from other positions.
    most
        How often to ask for legal actions at most.
    """

    def __init__(
        self, position: Any, goal: Goal, vehicles: Iterable[str], verbs: Iterable[str],
        weights: Mapping[str, int] | None = None, *, world: World | None = None, most: int = 10**9,
    ) -> None:  # fmt: skip
        alone = frozenset(verbs) - CARRYING | {"exit"}
        known = world if world is not None and world.verbs == alone else World(alone)
        super().__init__(position, goal, known, weights)
        self.vehicles, self.most, self.asked = frozenset(vehicles), most, known.asked
        self._known: dict[Any, Table] = {}
        self._others: dict[Any, list[Changes]] = {}
        self._rested: dict[str, bool] = {}

    def best(self) -> int | None:
        """Return the largest weighted sum, or None if no plan meets the musts."""
        state = self.world.state(self.start)
        value, met = self._worth(state)
        needed = [self.measure.required(number) for number in range(len(self.goal.aims))]
        return max(
            (
                value + more
                for gained, more in self._boarding(state).items()
                if all(a + b >= n for a, b, n in zip(met, gained, needed, strict=True))
            ),
            default=None,
        )

    def projections(self) -> set[Any]:
        """Return where units end and what they spend in all plans that meet the musts."""
        return set(self._boarding(self.world.state(self.start)))

    # -- stages ----------------------------------------------------------------------------------

    def _kept(
        self, stage: Any, state: State, active: Callable[[Any], bool],
        found: Callable[[], Iterator[tuple[State, Table]]],
    ) -> Table:  # fmt: skip
        """Return the possible continuations; for units that are done only the place matters."""
        key = (stage, state)
        if self.weights is not None:
            entries, plain = self.world.entries, self.world.plain
            key = (stage, tuple([
                n if active(entries[n].unit) else -2 - plain[n] for n in state
            ]))  # fmt: skip
        if key not in self._known:
            if self.world.asked - self.asked > self.most:
                raise TooManyError
            table: Table = {}
            for after, rest in found():
                self._after(state, after, rest, table)
            self._known[key] = table
        return self._known[key]

    def _is_mine(self, unit: Any) -> bool:
        return bool(unit.id in self.measure.movers)

    def _boarding(self, state: State) -> Table:
        vehicles = {self._unit(state, name).at for name in self.vehicles}

        def found() -> Iterator[tuple[State, Table]]:
            yield state, self._driving(state, self.vehicles)
            for unit in self._on_foot(state):
                for way, there in self._ways(state, unit.id):
                    if (
                        way.plain
                        and way.at in vehicles
                        and way.spent <= self._least(unit.id, way.at)
                    ):
                        for inside in self._loaded(there, unit.id):
                            yield inside, self._boarding(inside)

        return self._kept("board", state, self._is_mine, found)

    def _loaded(self, state: State, name: str) -> Iterator[State]:
        def changes() -> Iterator[Changes]:
            position = self.world.position(self.start, state)
            for choice in legal_actions(position, name):
                action, ruling = choice.action, choice.ruling
                is_alone = isinstance(action, Load) and choice.closes and action.units == (name,)
                if is_alone and not ruling.obligations:
                    yield changes_of(position, ruling.after)

        for after in self._changed(state, name, "load", changes):
            by = self._unit(after, name)
            if by.cargo.aboard in self.vehicles and self._are_alike(after, by.cargo.aboard):
                yield after

    def _are_alike(self, state: State, vehicle: str) -> bool:
        """Return whether all units that boarded a vehicle did so as Passengers, or all as Riders."""
        found = [self.world.entries[number].unit for number in state]
        before = {unit.id: unit.cargo.aboard for unit in self.start.units}
        return len({u.cargo.riding for u in found if u.cargo.aboard == vehicle != before[u.id]}) < 2

    def _changed(
        self, state: State, name: str, what: str, changes: Callable[[], Iterator[Changes]]
    ) -> Iterator[State]:
        """Yield states after the possible actions in one Location, asked once per situation."""
        at = self._unit(state, name).at
        entries = self.world.entries
        there = tuple([1 + n if entries[n].unit.at == at else 0 for n in state])
        key = (what, name, there)
        if key not in self._others:
            here = {unit.id for unit, n in zip(self.start.units, there, strict=True) if n}
            self._others[key] = [
                tuple(change for change in found if change[0] in here) for found in changes()
            ]
        for found in self._others[key]:
            yield self.world.with_changes(state, self.index, found)

    def _driving(self, state: State, waiting: frozenset[str]) -> Table:
        """Let one of the vehicles that have not acted act, then the others."""
        if not waiting:
            return self._walking(state)

        def active(unit: Any) -> bool:
            return self._walks(unit) or bool(
                {unit.id, unit.cargo.aboard, unit.cargo.towed_by} & waiting
            )

        def found() -> Iterator[tuple[State, Table]]:
            for name in sorted(waiting):
                yield from self._drives(state, name, waiting - {name})

        return self._kept(waiting, state, active, found)

    def _drives(
        self, state: State, name: str, waiting: frozenset[str]
    ) -> Iterator[tuple[State, Table]]:
        if self._may_end(self._apart(state, name)) or self._rests_at_first(name):
            yield state, self._driving(state, waiting)
        for way, there in self._ways(state, name):
            if way.by or way.stands:
                yield there, self._driving(there, waiting)
            if way.stands:
                for left in (*self._unloaded(there, name), *self._unhooked(there, name)):
                    yield left, self._left(there, left, waiting)

    def _rests_at_first(self, name: str) -> bool:
        """Return whether a vehicle can be left as it is with all units at their start."""
        if name not in self._rested:
            self._rested[name] = ASL.rule(self.start, End(name)).is_legal
        return self._rested[name]

    def _left(self, before: State, after: State, waiting: frozenset[str]) -> Table:
        off = [
            name for name, place in self.index.items()
            if self._unit(before, name).cargo.aboard and not self.world.entries[after[place]].unit.cargo.aboard
        ]  # fmt: skip
        return self._walking_on(after, waiting, frozenset(off))

    def _unloaded(self, state: State, vehicle: str) -> Iterator[State]:
        def changes() -> Iterator[Changes]:
            position = self.world.position(self.start, state)
            inside = [unit.id for unit in position.units if unit.cargo.aboard == vehicle]
            waiting = [c for name in inside for c in legal_actions(position, name)
                       if isinstance(c.action, Unload)]  # fmt: skip
            while waiting:
                choice = waiting.pop()
                if choice.closes and not choice.ruling.obligations:
                    yield changes_of(position, choice.ruling.after)
                if choice.joins:
                    waiting += legal_actions(position, opened=choice.action)

        return self._changed(state, vehicle, "unload", changes)

    def _unhooked(self, state: State, vehicle: str) -> Iterator[State]:
        def changes() -> Iterator[Changes]:
            position = self.world.position(self.start, state)
            for choice in legal_actions(position, vehicle):
                action, ruling = choice.action, choice.ruling
                if not isinstance(action, Unhook) or not choice.closes or ruling.obligations:
                    continue
                if position.unit(action.crew).cargo.aboard == vehicle:
                    yield changes_of(position, ruling.after)

        if self._unit(state, vehicle).cargo.towing:
            yield from self._changed(state, vehicle, "unhook", changes)

    def _walking_on(
        self, state: State, waiting: frozenset[str], able: frozenset[str],
        last: tuple[int, int] = FIRST,
    ) -> Table:  # fmt: skip
        """Let units that have unloaded go on, the one with the least to spare first."""

        def active(unit: Any) -> bool:
            carried = {unit.id, unit.cargo.aboard, unit.cargo.towed_by} & waiting
            return self._walks(unit) or unit.id in able or bool(carried)

        def found() -> Iterator[tuple[State, Table]]:
            yield state, self._driving(state, waiting)
            for name in able:
                for turn, there in self._in_turn(state, name, last):
                    yield there, self._walking_on(there, waiting, able - {name}, turn)

        return self._kept((waiting, able, last), state, active, found)

    def _walking(self, state: State, last: tuple[int, int] = FIRST) -> Table:
        """Let the others walk, the one with the least to spare first."""

        def found() -> Iterator[tuple[State, Table]]:
            yield state, self._end(state)
            for unit in self._on_foot(state):
                for turn, there in self._in_turn(state, unit.id, last):
                    yield there, self._walking(there, turn)

        return self._kept(("walk", last), state, self._walks, found)

    # -- actors ----------------------------------------------------------------------------------

    def _unit(self, state: State, name: str) -> Any:
        return self.world.entries[state[self.index[name]]].unit

    def _walks(self, unit: Any) -> bool:
        """Return whether a unit can still set out on foot."""
        return (
            unit.move.mph == "unmoved" and unit.facing is None and unit.cargo.aboard is None
            and (unit.at is not None or unit.offboard.entering) and unit.id in self.measure.movers
            and unit.type != "piece"
        )  # fmt: skip

    def _on_foot(self, state: State) -> Iterator[Any]:
        units = (self.world.entries[number].unit for number in state)
        return (unit for unit in units if self._walks(unit))

    def _ways(self, state: State, name: str) -> Iterator[tuple[Way, State]]:
        for way in self.world.ways(self.start, state, name, self.goal):
            yield way, self.world.with_changes(state, self.index, way.changes, way, name)

    def _in_turn(
        self, state: State, name: str, last: tuple[int, int]
    ) -> Iterator[tuple[tuple[int, int], State]]:
        """Yield the cheapest way to each other Location, if it is not another's turn."""
        unit, place = self._unit(state, name), sorted(self.measure.movers).index(name)
        alone = self.world.ways(self.start, self._apart(state, name), name, self.goal)
        lefts = {(way.at, way.by): way.left for way in alone}
        seen = {(unit.at, "")}
        for way, there in self._ways(state, name):
            turn = (lefts.get((way.at, way.by), 0), place)
            if (way.at, way.by) not in seen and turn > last:
                yield turn, there
            seen.add((way.at, way.by))

    def _apart(self, state: State, name: str) -> State:
        """Return the state without the other movers."""
        found = list(state)
        for other in self.measure.movers:
            if other != name:
                place = self.index[other]
                unit = self.world.entries[found[place]].unit
                gone = replace(unit, at=None, aboard=None, riding=False)
                found[place] = self.world.number(Entry(gone))
        return tuple(found)

    def _least(self, name: str, at: str) -> int:
        """Return the least a unit spends on its way to a Location without the other movers."""
        alone = self._apart(self.world.state(self.start), name)
        ways = self.world.ways(self.start, alone, name, self.goal)
        return min((way.spent for way in ways if way.plain and way.at == at), default=-1)
