"""
Units that move one after another: whether they can reach given Locations, in what order and cost.

Reach answers all questions, and the referee replays the moves in the positions that they lead to.
If other units can only hinder (:attr:`Rulebook.others_hinder`), what units cannot do with the
others off the map they cannot do at all, and units that have moved matter only by their places.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.budget import work
from marchtable.planning.goals import places_of, units_of
from marchtable.planning.score import FinalPlace
from marchtable.planning.ways import played, ways
from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from marchtable.planning.choice.aims import Standing
    from marchtable.planning.ways import End, Played, Way
    from marchtable.rules.plan_model import Rolls
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal
    from marchtable.state.position import Position

__all__ = ["BUDGET", "Company", "Cost", "TooMany"]


class Cost(NamedTuple):
    """The cost of a unit's move: half points and exposure."""

    points: int
    exposure: int


SEARCH = 0.002
"""Deterministic time charged for a search of one unit's ways."""
BUDGET = 4000
"""Maximum number of searches of one unit's ways for one question."""


class TooMany(Exception):  # noqa: N818 - no error: a limit
    """A question that would take more searches than its budget."""


class Company:
    """
    The units that can move, and what is known of their ways.

    Parameters
    ----------
    position, goal, rolls
        Their start, the threats and Locations to avoid, and the policy for rolls.
    units
        The units, none of them aboard another.

    Attributes
    ----------
    left_out
        Unmodelled clauses that alone kept a unit from leaving the map.
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
            load.setdefault(unit.carrier, []).append(unit.id)
        self.aboard = {unit: self._carried_by(unit, load) for unit in units}
        self._without: dict[frozenset[str], Position[Any, Any]] = {}
        self._alone: dict[str, dict[End, tuple[Way, ...]]] = {}
        self._parting: dict[str, bool] = {}
        self.left_out: set[str] = set()
        self._exits = [
            (frozenset(units_of(aim, position)), places_of(aim.exit, position.board))
            for aim in goal.aims if aim.exit
        ]  # fmt: skip

    @staticmethod
    def _carried_by(unit: str, load: Mapping[str | None, Sequence[str]]) -> tuple[str, ...]:
        """Return the units that move with this one: those aboard it, and those aboard them."""
        found = [unit]
        for name in found:
            found += load.get(name, ())
        return tuple(found[1:])

    def only(self, units: Iterable[str]) -> Position[Any, Any]:
        """Return the position with all other units of the company off the map."""
        present = frozenset(units)
        if present not in self._without:
            gone = [u for unit in self.units if unit not in present
                    for u in (unit, *self.aboard[unit])]  # fmt: skip
            self._without[present] = self.position.with_units(
                [msgspec.structs.replace(self.position.unit(name), at=None) for name in gone]
            )
        return self._without[present]

    def alone(self, unit: str) -> dict[End, tuple[Way, ...]]:
        """Return a unit's ways with all others of the company off the map."""
        if unit not in self._alone:
            self._alone[unit] = self.ways(self.only([unit]), unit)
        return self._alone[unit]

    def ways(
        self, position: Position[Any, Any], unit: str, beside: Iterable[str] = ()
    ) -> dict[End, tuple[Way, ...]]:
        """
        Return a unit's ways in a position.

        Ways off the map are included if an aim wants the unit, its load or those in `beside` there.
        """
        self.searches += 1
        work(SEARCH)
        off = self._off(position, (unit, *beside)) if self._exits else frozenset()
        return ways(position, unit, self._goal, self._rolls, off, self.left_out)

    def _off(self, position: Position[Any, Any], names: Iterable[str]) -> frozenset[str]:
        """Return the Locations by which an aim wants some units, or their loads, off the map."""
        going = [*names]
        for name in going:
            going += [u.id for u in position.units if u.carrier == name]
        wanted = (places for units, places in self._exits if not units.isdisjoint(going))
        return frozenset().union(*wanted)

    def stands(self, unit: str, way: Way) -> tuple[Standing, ...]:
        """Return the final places of a unit and those aboard at the end of a route, if all on the map come along."""
        names, (at, leaves) = (unit, *self.aboard[unit]), way.end
        if not leaves:
            return tuple((name, FinalPlace(at, carried=name != unit)) for name in names)
        done = self.played(self.only([unit]), way.actions)
        assert done is not None
        carried = {n: done[0].unit(n).carrier is not None for n in names}
        return tuple((name, FinalPlace(None, carried[name], at)) for name in names)

    def played(self, position: Position[Any, Any], actions: Iterable[Action]) -> Played | None:
        """Return the position after some actions and the full log, or None if it is not legal."""
        return played(position, actions, self._rolls)

    def parts(self, unit: str) -> bool:
        """Return whether some way leaves units aboard behind, so that its worth is open."""
        if not self.aboard[unit]:
            return False
        if unit not in self._parting:
            every = (way for some in self.alone(unit).values() for way in some)
            self._parting[unit] = any(self._leaves_some(unit, way) for way in every)
        return self._parting[unit]

    def _leaves_some(self, unit: str, way: Way) -> bool:
        work(SEARCH)
        done = self.played(self.only([unit]), way.actions)
        if done is not None and way.end.leaves:
            return any(done[0].unit(name).at is not None for name in self.aboard[unit])
        return done is not None and any(
            done[0].unit(name).carrier != self.position.unit(name).carrier
            for name in self.aboard[unit]
        )

    def spent(self, position: Position[Any, Any], unit: str) -> int:
        """Return the half points that a unit has spent since the start."""
        before = self._rulebook.spent(self.position.unit(unit))
        return self._rulebook.spent(position.unit(unit)) - before

    # -- among others ------------------------------------------------------------------------

    def among(self, unit: str, others: Mapping[str, str]) -> Position[Any, Any]:
        """Return the position with some others at given places, the rest off the map."""
        others_there = [msgspec.structs.replace(self.position.unit(name), at=at)
                for other, at in others.items()
                for name in (other, *self.aboard[other])]  # fmt: skip
        return self.only([unit]).with_units(others_there)

    def step(
        self,
        position: Position[Any, Any],
        unit: str,
        end: End,
        most: Cost | None,
        points: int | None,
    ) -> Played | None:
        """
        Return a unit's move to an end in a position, and the full log; None if there is none.

        Parameters
        ----------
        most
            Its maximum cost, None for any.
        points
            Its exact cost in half points, None for any.
        """

        def fits(way: Way) -> bool:
            is_cheap = most is None or (way.points <= most.points and way.exposure <= most.exposure)
            return is_cheap and points in (None, way.points)

        for way in self.alone(unit).get(end, ()):
            if fits(way):
                done = self.played(position, way.actions)
                if done is not None and self.spent(done[0], unit) <= way.points:
                    return done
        some = (way for way in self.ways(position, unit).get(end, ()) if fits(way))
        return next(filter(None, (self.played(position, way.actions) for way in some)), None)
