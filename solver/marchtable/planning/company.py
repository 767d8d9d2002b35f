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

__all__ = ["BUDGET", "Company", "Cost", "Played", "TooMany"]


class Cost(NamedTuple):
    """What a unit's move costs: half points and exposure."""

    points: int
    exposure: int


SEARCH = 0.002
"""Deterministic time that a search of one unit's ways counts for."""
BUDGET = 4000
"""How many searches of one unit's ways one question may take."""
Played = tuple["Position[Any, Any]", "tuple[Action, ...]"]
"""Where actions lead, and all that was done."""


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
        present = frozenset(units)
        if present not in self._without:
            gone = [u for unit in self.units if unit not in present
                    for u in (unit, *self.aboard[unit])]  # fmt: skip
            self._without[present] = self.position.with_units(
                [msgspec.structs.replace(self.position.unit(name), at=None) for name in gone]
            )
        return self._without[present]

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

    def played(self, position: Position[Any, Any], actions: Iterable[Action]) -> Played | None:
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
        """Return whether on some way not all come along who are aboard, so that its worth is open."""
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

    # -- among others ------------------------------------------------------------------------

    def among(self, unit: str, others: Mapping[str, str]) -> Position[Any, Any]:
        """Return the position with some others where they are given to be, and the rest of the company off the map."""
        others_there = [msgspec.structs.replace(self.position.unit(name), at=at)
                for other, at in others.items()
                for name in (other, *self.aboard[other])]  # fmt: skip
        return self.only([unit]).with_units(others_there)

    def step(
        self,
        position: Position[Any, Any],
        unit: str,
        at: str,
        most: Cost | None,
        points: int | None,
    ) -> Played | None:
        """
        Return a unit's move to a Location as things stand, and all that was done; None if there is none.

        Parameters
        ----------
        most
            What it may cost, None if that is all one.
        points
            What it must cost, None if that is all one.
        """

        def fits(way: Way) -> bool:
            is_cheap = most is None or (way.points <= most.points and way.exposure <= most.exposure)
            return is_cheap and points in (None, way.points)

        for way in self.alone(unit).get(at, ()):
            if fits(way):
                done = self.played(position, way.actions)
                if done is not None and self.spent(done[0], unit) <= way.points:
                    return done
        some = (way for way in self.ways(position, unit).get(at, ()) if fits(way))
        return next(filter(None, (self.played(position, way.actions) for way in some)), None)
