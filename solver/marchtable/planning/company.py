"""Units that move one after another: whether they can get to given Locations, in which order, at what cost.

Everything is asked of reach and played by the referee, in the positions that the moves lead to.
Where other units only ever hinder (:attr:`Rulebook.others_hinder`), what some units cannot do
while the others are off the map they cannot do at all, and it matters of those that have moved
only where they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.budget import work
from marchtable.planning.ways import ways
from marchtable.rules.rolls import passing
from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from marchtable.planning.ways import Way
    from marchtable.rules.plan_model import Rolls
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal
    from marchtable.state.position import Position

__all__ = ["Company", "Cost", "Ends", "TooMany", "Vector"]

Ends = dict[str, "str | None"]
"""Where units end: a Location, or None for staying where they are."""


class Cost(NamedTuple):
    """What a unit's move costs: half points and exposure."""

    points: int
    exposure: int


Vector = tuple[Cost, ...]
"""What the moves of several units cost, in their order; staying costs nothing."""

NOTHING = Cost(0, 0)
SEARCH = 0.002
"""Deterministic time that a search of one unit's ways counts for."""
BUDGET = 4000
"""How many searches of one unit's ways one question may take."""


class TooMany(Exception):  # noqa: N818 - no error: a limit
    """A question that would take more searches than its budget."""


class Company:
    """
    The units that may move, and what is known of their ways.

    Parameters
    ----------
    position, goal, rolls
        Where they start, what is threatened and to be avoided, what becomes of rolls.
    units
        The units, none of them aboard another.
    """

    def __init__(
        self, position: Position[Any, Any], goal: Goal, rolls: Rolls, units: tuple[str, ...]
    ) -> None:
        self.position, self.units = position, units
        self.searches = 0
        self._goal, self._rolls = goal, rolls
        self._rulebook = find_rulebook(position.rulebook)
        load: dict[str | None, list[str]] = {}
        for unit in position.units:
            load.setdefault(self._rulebook.carrier(position, unit), []).append(unit.id)
        self.aboard = {unit: self._carried_by(unit, load) for unit in units}
        self._without: dict[frozenset[str], Position[Any, Any]] = {}
        self._alone: dict[str, dict[str, tuple[Way, ...]]] = {}
        self._parting: dict[str, bool] = {}

    @staticmethod
    def _carried_by(unit: str, load: Mapping[str | None, Sequence[str]]) -> tuple[str, ...]:
        """Return the units that move when this one does, aboard it or aboard those."""
        found = [unit]
        for name in found:
            found += load.get(name, ())
        return tuple(found[1:])

    def only(self, units: Iterable[str]) -> Position[Any, Any]:
        """Return the position with all of the company but these off the map."""
        kept = frozenset(units)
        if kept not in self._without:
            gone = [u for unit in self.units if unit not in kept
                    for u in (unit, *self.aboard[unit])]  # fmt: skip
            self._without[kept] = self.position.with_units(
                [msgspec.structs.replace(self.position.unit(name), at=None) for name in gone]
            )
        return self._without[kept]

    def alone(self, unit: str) -> dict[str, tuple[Way, ...]]:
        """Return a unit's ways while all others of the company are off the map."""
        if unit not in self._alone:
            self._alone[unit] = self.ways(self.only([unit]), unit)
        return self._alone[unit]

    def ways(self, position: Position[Any, Any], unit: str) -> dict[str, tuple[Way, ...]]:
        """Return a unit's ways as things stand."""
        self.searches += 1
        work(SEARCH)
        return ways(position, unit, self._goal, self._rolls)

    def played(
        self, position: Position[Any, Any], actions: Iterable[Action]
    ) -> tuple[Position[Any, Any], tuple[Action, ...]] | None:
        """Return the position after some actions and all that was done, None if it is not legal."""
        log: list[Action] = []
        for action in actions:
            ruling = self._rulebook.rule(position, action)
            if not ruling.is_legal:
                return None
            log.append(action)
            position = ruling.after
            while position.pending:
                event = passing(position)
                if event is None or self._rolls == "avoid":
                    return None
                log.append(event)
                position = self._rulebook.rule(position, event).after
        return position, tuple(log)

    def parts(self, unit: str) -> bool:
        """Tell whether on some way not all come along who are aboard, so that its worth is open."""
        if not self.aboard[unit]:
            return False
        if unit not in self._parting:
            every = (way for some in self.alone(unit).values() for way in some)
            self._parting[unit] = any(self._leaves_some(unit, way) for way in every)
        return self._parting[unit]

    def _leaves_some(self, unit: str, way: Way) -> bool:
        work(SEARCH)
        done = self.played(self.only([unit]), way.actions)
        return done is not None and any(
            self._rulebook.carrier(done[0], done[0].unit(name))
            != self._rulebook.carrier(self.position, self.position.unit(name))
            for name in self.aboard[unit]
        )

    def spent(self, position: Position[Any, Any], unit: str) -> int:
        """Return what a unit has spent since the start, in half points."""
        before = self._rulebook.spent(self.position.unit(unit))
        return self._rulebook.spent(position.unit(unit)) - before

    # -- questions ---------------------------------------------------------------------------

    def log(self, ends: Ends, most: Mapping[str, Cost]) -> tuple[Action, ...] | None:
        """
        Return moves that bring units where they are to end, none costing more than it may.

        Parameters
        ----------
        ends
            Of the units that are on the map; the company's others are off it.
        most
            For each that moves.

        Returns
        -------
        tuple of Action or None
            None if there is no such order.

        Raises
        ------
        TooMany
            If that is not settled within the budget.
        """
        movers = frozenset(unit for unit, at in ends.items() if at is not None)
        dead: set[frozenset[str]] = set()
        until = self.searches + BUDGET

        def go(position: Position[Any, Any], left: frozenset[str]) -> tuple[Action, ...] | None:
            if not left:
                return ()
            if left in dead:
                return None
            for unit in (unit for unit in self.units if unit in left):
                if self.searches > until:
                    raise TooMany
                step = self._step(position, unit, str(ends[unit]), most[unit])
                if step is not None:
                    rest = go(step[0], left - {unit})
                    if rest is not None:
                        return step[1] + rest
            dead.add(left)
            return None

        return go(self.only(ends), movers)

    def _step(
        self, position: Position[Any, Any], unit: str, at: str, most: Cost
    ) -> tuple[Position[Any, Any], tuple[Action, ...]] | None:
        """Return a unit's move to a Location at that cost, as things stand."""
        for way in self.alone(unit).get(at, ()):
            if way.points <= most.points and way.exposure <= most.exposure:
                done = self.played(position, way.actions)
                if done is not None and self.spent(done[0], unit) <= most.points:
                    return done
        for way in self.ways(position, unit).get(at, ()):
            if way.points <= most.points and way.exposure <= most.exposure:
                return self.played(position, way.actions)
        return None

    def vectors(self, ends: Ends, *, all_of_them: bool = False) -> dict[Vector, tuple[Action, ...]]:
        """
        Return what bringing units where they are to end may cost, and how it is done.

        Parameters
        ----------
        ends
            Of the units that are on the map; the company's others are off it.
        all_of_them
            In every order, each unit going as cheaply as the order lets it; else only those costs
            that none other is below, unit by unit.

        Raises
        ------
        TooMany
            If that is not settled within the budget.
        """
        names = [unit for unit in self.units if unit in ends]
        movers = frozenset(unit for unit in names if ends[unit] is not None)
        known: dict[frozenset[str], dict[Vector, tuple[Action, ...]]] = {}
        until = self.searches + BUDGET

        def go(position: Position[Any, Any], left: frozenset[str]) -> dict[Vector, Any]:
            if not left:
                return {(NOTHING,) * len(names): ()}
            if left not in known:
                found: dict[Vector, tuple[Action, ...]] = {}
                for number, unit in enumerate(names):
                    if unit not in left:
                        continue
                    if self.searches > until:
                        raise TooMany
                    for way in self.ways(position, unit).get(str(ends[unit]), ()):
                        done = self.played(position, way.actions)
                        if done is None:
                            continue
                        cost = Cost(way.points, way.exposure)
                        for vector, rest in go(done[0], left - {unit}).items():
                            whole = (*vector[:number], cost, *vector[number + 1 :])
                            found.setdefault(whole, done[1] + rest)
                known[left] = found if all_of_them else _least(found)
            return known[left]

        return go(self.only(ends), movers)


def _least(found: dict[Vector, tuple[Action, ...]]) -> dict[Vector, tuple[Action, ...]]:
    """Return the vectors that none other is below."""
    kept: dict[Vector, tuple[Action, ...]] = {}
    for vector, log in sorted(found.items(), key=lambda pair: pair[0]):
        if not any(_is_below(other, vector) for other in kept):
            kept[vector] = log
    return kept


def _is_below(a: Vector, b: Vector) -> bool:
    return all(x.points <= y.points and x.exposure <= y.exposure for x, y in zip(a, b, strict=True))
