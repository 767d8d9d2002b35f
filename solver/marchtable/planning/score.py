"""
A plan's score, measured only on the referee's positions and receipts.

By criterion:

``value``
    The worth of each unit that is where an aim wants it: in a Location of ``at`` at the plan's
    end, or off the map with one of ``exit`` as its last Location.
``distance``
    The worth of each unit of an aim ``near`` times its distance, in hexes, from the nearest of
    these Locations: as the crow flies, or along the roads (``by_road``). A unit off the map counts
    as one hex farther away than the farthest Location of the board.
``exposure``
    For each time that one of the plan's movers enters a Location, on its own or aboard another
    unit: the threat there.
``points``
    All charges in the receipts, in half points.
``moved``
    How many of the movers were ever in another Location than at the start (or left the map, or
    entered it), on their own or aboard.

A unit aboard another does not count for an aim that does not take ``carried`` units: it adds
nothing to ``value``, and to ``distance`` as much as one off the map.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.codec.structs import points
from marchtable.planning.goals import movers_of, places_of, units_of, worth_of
from marchtable.planning.road_distance import hexes_by_road

if TYPE_CHECKING:
    from collections.abc import Mapping

    from marchtable.board.board import Board
    from marchtable.rules.plan_model import Score
    from marchtable.rules.ruling import Verdict
    from marchtable.state.goal import Aim, Goal
    from marchtable.state.position import Position

__all__ = ["SUM", "FinalPlace", "Measure", "Measured", "amounts", "score"]

SUM = "sum"
"""The key of the weighted sum, beside the criteria."""


class FinalPlace(NamedTuple):
    """
    Where a unit is when a plan ends.

    Parameters
    ----------
    at
        Its Location, None if it is off the map.
    carried
        Whether it is aboard another unit.
    exited_by
        The last Location it was in, if it left the map.
    """

    at: str | None
    carried: bool = False
    exited_by: str | None = None


class Measured(NamedTuple):
    """
    The measurements of a replayed log.

    Parameters
    ----------
    score
        By criterion.
    unmet
        Numbers of the aims whose ``must`` is not met.
    trespasses
        Units that enter a Location to avoid, with the Location.
    strangers
        Units that move but are not among the movers.
    projection
        Each mover's last Location (None off the map) and half points spent; plans are different
        if this is.
    """

    score: Score
    unmet: tuple[int, ...]
    trespasses: tuple[tuple[str, str], ...]
    strangers: tuple[str, ...]
    projection: tuple[tuple[str, str | None, int], ...]

    @property
    def is_kept(self) -> bool:
        """Whether the plan does what the goal demands and nothing that it forbids."""
        return not (self.unmet or self.trespasses or self.strangers)


class _Track(NamedTuple):
    """The units' changes along a log."""

    entries: list[tuple[str, str]]
    exited_by: dict[str, str]
    moved: set[str]
    spent: dict[str, int]


class Measure:
    """
    Measures plans for one goal.

    Parameters
    ----------
    position
        The starting position.
    goal
        The goal, checked (:func:`marchtable.planning.goals.checked_goal`).
    """

    def __init__(self, position: Position[Any, Any], goal: Goal) -> None:
        self.position, self.goal = position, goal
        self.movers = movers_of(goal, position)
        board = position.board
        self._units = [frozenset(units_of(aim, position)) for aim in goal.aims]
        self._at = [places_of(aim.at or aim.exit, board) for aim in goal.aims]
        self._near = [_distances(board, aim) for aim in goal.aims]
        self._beyond = [1 + max(near.values(), default=0) for near in self._near]

    def units(self, aim: int) -> frozenset[str]:
        """Return the units of the aim with that number."""
        return self._units[aim]

    def holds(self, aim: int, unit: str, stand: FinalPlace) -> bool:
        """Return whether a unit with this end satisfies the aim of that number (at or exit)."""
        wanted = self.goal.aims[aim]
        if unit not in self._units[aim] or wanted.near or (stand.carried and not wanted.carried):
            return False
        at = stand.at if wanted.at else stand.exited_by
        return at in self._at[aim] and (stand.at is None) == bool(wanted.exit)

    def gain(self, unit: str, stand: FinalPlace) -> tuple[int, int]:
        """Compute a unit's contribution to ``value`` and ``distance`` at this end."""
        value = distance = 0
        for number, aim in enumerate(self.goal.aims):
            if unit not in self._units[number]:
                continue
            worth = worth_of(aim, unit)
            if not aim.near:
                value += worth * self.holds(number, unit, stand)
            elif stand.at is None or (stand.carried and not aim.carried):
                distance += worth * self._beyond[number]
            else:
                distance += worth * self._near[number][stand.at]
        return value, distance

    def worth(self, aim: int, unit: str) -> int | None:
        """Return a unit's worth to an aim, or None if the aim is not about it."""
        return worth_of(self.goal.aims[aim], unit) if unit in self._units[aim] else None

    def standing(
        self, aim: int, *, carried: bool, off: bool = False
    ) -> list[tuple[int, int, bool]]:
        """
        Return, by Location, what a unit of worth 1 that ends there adds, and whether the aim holds.

        That is value, distance, and the flag. With `off`, for units that left the map by each
        Location.
        """
        wanted, near, at = self.goal.aims[aim], self._near[aim], self._at[aim]
        counts = not carried or wanted.carried
        names = [location.name for location in self.position.board.locations]
        if wanted.near:
            here = counts and not off
            return [(0, near[name] if here else self._beyond[aim], False) for name in names]
        there = [
            counts and bool(wanted.exit if off else wanted.at) and name in at for name in names
        ]
        return [(int(holds), 0, holds) for holds in there]

    def waiting(self, aim: int) -> tuple[int, int, bool]:
        """Return the same for a unit that was off the map and stayed there."""
        return (0, self._beyond[aim] if self.goal.aims[aim].near else 0, False)

    def required(self, aim: int) -> int:
        """Return how many units the aim of that number must bring to its places."""
        must = self.goal.aims[aim].must
        return len(self._units[aim]) if must == "all" else must or 0

    def most_value(self) -> int:
        """Return the value if every unit were where it is wanted."""
        return sum(
            worth_of(aim, unit)
            for aim, units in zip(self.goal.aims, self._units, strict=True)
            if not aim.near
            for unit in units
        )

    def of(self, verdict: Verdict) -> Measured:
        """Return the measurements of a replayed log, legal or not."""
        track = self._track(verdict)
        stands = self._stands(verdict.position, track.exited_by)
        gains = [self.gain(name, stand) for name, stand in stands.items()]
        threat = self.goal.threat
        score: Score = {
            "value": sum(value for value, _ in gains),
            "distance": sum(distance for _, distance in gains),
            "exposure": sum(threat.get(at, 0) for u, at in track.entries if u in self.movers),
            "points": sum(track.spent.values()),
            "moved": len(track.moved & set(self.movers)),
        }
        avoid = set(self.goal.avoid)
        return Measured(
            score,
            self._unmet(stands),
            tuple((u, at) for u, at in track.entries if at in avoid and u in self.movers),
            tuple(u.id for u in self.position.units
                  if u.id in track.moved and u.id not in self.movers),
            tuple((u, stands[u].at, track.spent.get(u, 0)) for u in self.movers),
        )  # fmt: skip

    def stands(self, verdict: Verdict) -> dict[str, FinalPlace]:
        """Return each unit's final place after a replayed log."""
        return self._stands(verdict.position, self._track(verdict).exited_by)

    def _unmet(self, stands: Mapping[str, FinalPlace]) -> tuple[int, ...]:
        return tuple(
            number
            for number, units in enumerate(self._units)
            if sum(self.holds(number, u, stands[u]) for u in units) < self.required(number)
        )

    def _stands(
        self, end: Position[Any, Any], exited_by: Mapping[str, str]
    ) -> dict[str, FinalPlace]:
        found = {
            unit.id: FinalPlace(None, exited_by=exited_by.get(unit.id))
            for unit in self.position.units
        }
        for unit in end.units:
            found[unit.id] = FinalPlace(unit.at, unit.carrier is not None, exited_by.get(unit.id))
        return found

    def _track(self, verdict: Verdict) -> _Track:
        track = _Track([], {}, set(), {})
        at, before = {unit.id: unit.at for unit in self.position.units}, self.position
        for ruling in verdict.rulings:
            for receipt in ruling.receipts:
                spent = track.spent.get(receipt.unit, 0)
                track.spent[receipt.unit] = spent + receipt.amount
            if ruling.after is None:
                continue
            for name in _touched(before, ruling.after):
                if name not in at:
                    continue
                was = at[name]
                now = ruling.after.unit(name).at if name in ruling.after.index else None
                if now != was:
                    _move(track, name, was, now)
                    at[name] = now
            before = ruling.after
        return track


def _touched(before: Position[Any, Any], after: Position[Any, Any]) -> list[str]:
    """Return the units that may have changed: all of before, unless the same units exist."""
    pairs = [
        (was.id, now.id)
        for was, now in zip(before.units, after.units, strict=False)
        if was is not now
    ]
    same = len(before.units) == len(after.units) and all(was == now for was, now in pairs)
    return [was for was, _ in pairs] if same else [unit.id for unit in before.units]


def _move(track: _Track, name: str, was: str | None, now: str | None) -> None:
    track.moved.add(name)
    if now is not None:
        track.exited_by.pop(name, None)
        track.entries.append((name, now))
    elif was is not None:
        track.exited_by[name] = was


def _distances(board: Board, aim: Aim) -> dict[str, int]:
    """Return each Location's distance, in hexes, from the nearest target of an aim."""
    if aim.by_road:
        found = hexes_by_road(board, aim.near)
        farthest = 1 + max(found.values(), default=0)
        return {place.name: found.get(place.hex, farthest) for place in board.locations}
    return {
        place.name: min(board.distance(place.name, target) for target in aim.near)
        for place in (board.locations if aim.near else ())
    }


def score(position: Position[Any, Any], goal: Goal, verdict: Verdict) -> Score:
    """Return the score of a replayed log, by criterion; points in half points."""
    return Measure(position, goal).of(verdict).score


def amounts(by_name: Mapping[Any, int | None]) -> dict[str, int | float | None]:
    """Return a score or bounds with half points converted to points."""
    return {
        name: points(value) if value is not None and name in ("points", SUM) else value
        for name, value in by_name.items()
    }
