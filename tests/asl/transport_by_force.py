"""Transport plans by brute force: every plan of the declared space, out of ``legal_actions`` alone."""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.generator import candidates, legal_actions
from marchtable.planning.goal import CRITERIA
from marchtable.planning.score import Measure, Stand
from marchtable_models.asl.carrying import Load, Unload
from marchtable_models.asl.model import (
    DoubleTime,
    Enter,
    LeaveRoad,
    MinimumMove,
    Start,
    Stop,
    Turn,
)  # fmt: skip
from tests.asl.boards import ASL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from marchtable.planning.goal import Goal

__all__ = ["ByForce"]

Scores = frozenset[tuple[int, ...]]

MOVES = (Start, Stop, Turn, Enter, LeaveRoad, MinimumMove, DoubleTime)


class ByForce:
    """
    All plans for a position and goal, vehicles moving in the order given.

    Each unit's own way is the cheapest, as the declared policy has it; who boards what, where
    vehicles go, who leaves them there and in which order the others act is tried out in full.
    """

    def __init__(self, position: Any, goal: Goal, order: list[str]) -> None:
        self.start, self.goal, self.order = position, goal, order
        self.measure = Measure(position, goal)
        self._ways: dict[Any, dict[tuple[str, bool, bool], Any]] = {}
        self._ends: dict[Any, Scores] = {}

    def scores(self) -> Scores:
        """Return the scores of all plans that meet the musts, by criterion."""
        return self._boarding(self.start)

    def best(self, weights: Mapping[str, int]) -> int | None:
        """Return the largest weighted sum, None if no plan meets the musts."""
        return max(
            (
                sum(weights.get(c, 0) * n for c, n in zip(CRITERIA, s, strict=True))
                for s in self.scores()
            ),
            default=None,
        )

    # -- stages ----------------------------------------------------------------------------------

    def _kept(self, stage: Any, position: Any, found: Callable[[], Iterator[Any]]) -> Scores:
        key = (stage, position.units)
        if key not in self._ends:
            self._ends[key] = frozenset(score for scores in found() for score in scores)
        return self._ends[key]

    def _boarding(self, position: Any) -> Scores:
        vehicles = [position.unit(name) for name in self.order]

        def found() -> Iterator[Any]:
            yield self._driving(position, 0)
            for unit in self._on_foot(position):
                if unit.mph != "unmoved":
                    continue
                for (at, _, plain), way in self._ways_of(position, unit.id).items():
                    if way.unit(unit.id).spent > self._least(unit.id, at):
                        continue  # it would pay for company on its way
                    if plain and any(v.at == way.unit(unit.id).at for v in vehicles):
                        for choice in legal_actions(way, unit.id):
                            action = choice.action
                            if isinstance(action, Load) and choice.closes and not action.riding:
                                yield self._boarding(choice.ruling.after)

        return self._kept("board", position, found)

    def _driving(self, position: Any, number: int) -> Scores:
        if number == len(self.order):
            return self._walking(position)

        def found() -> Iterator[Any]:
            yield self._driving(position, number + 1)
            for (_, stopped, _), way in self._ways_of(position, self.order[number]).items():
                if stopped:
                    yield self._driving(way, number + 1)
                    for left in self._unloaded(way, self.order[number]):
                        yield self._walking_on(left, number)

        return self._kept(number, position, found)

    def _unloaded(self, position: Any, vehicle: str) -> Iterator[Any]:
        inside = [unit.id for unit in position.units if unit.aboard == vehicle]
        waiting = [c for name in inside for c in legal_actions(position, name)
                   if isinstance(c.action, Unload)]  # fmt: skip
        while waiting:
            choice = waiting.pop()
            if choice.closes:
                yield choice.ruling.after
            if choice.joins:
                waiting += legal_actions(position, opened=choice.action)

    def _walking_on(self, position: Any, number: int) -> Scores:
        def found() -> Iterator[Any]:
            yield self._driving(position, number + 1)
            for unit in self._on_foot(position):
                if unit.mph == "moving" and unit.conveyed and unit.previous is None:
                    for way in self._elsewhere(position, unit):
                        yield self._walking_on(way, number)

        return self._kept((number, "walk"), position, found)

    def _walking(self, position: Any) -> Scores:
        def found() -> Iterator[Any]:
            score = self._score(position)
            yield () if score is None else (score,)
            for unit in self._on_foot(position):
                if unit.mph == "unmoved":
                    for way in self._elsewhere(position, unit):
                        yield self._walking(way)

        return self._kept("walk", position, found)

    def _elsewhere(self, position: Any, unit: Any) -> Iterator[Any]:
        return (
            way for (at, _, _), way in self._ways_of(position, unit.id).items() if at != unit.at
        )

    def _on_foot(self, position: Any) -> Iterator[Any]:
        return (
            unit for unit in position.units
            if unit.side == position.side and unit.facing is None and unit.aboard is None
            and unit.id in self.measure.movers
        )  # fmt: skip

    def _least(self, name: str, at: str) -> int:
        """Return the least that a unit spends on its way to a Location with none of the others about."""
        others = [
            msgspec.structs.replace(unit, at=None, aboard=None)
            for unit in self.start.units
            if unit.id in self.measure.movers and unit.id != name
        ]
        ways = self._ways_of(self.start.with_units(others), name)
        return min((way.unit(name).spent for (end, _, plain), way in ways.items()
                    if plain and end == at), default=-1)  # fmt: skip

    # -- ways and scores -------------------------------------------------------------------------

    def _ways_of(self, position: Any, name: str) -> dict[tuple[str, bool, bool], Any]:
        """Return the cheapest position for each Location, whether it stands, whether it may yet board."""
        key = (position.units, name)
        if key not in self._ways:
            self._ways[key] = self._searched(position, name)
        return self._ways[key]

    def _searched(self, position: Any, name: str) -> dict[tuple[str, bool, bool], Any]:
        numbers = count()
        waiting = [(position.unit(name).spent, next(numbers), position)]
        seen: set[Any] = set()
        found: dict[tuple[str, bool, bool], Any] = {}
        while waiting:
            _, _, now = heappop(waiting)
            unit = now.unit(name)
            state = msgspec.structs.replace(unit, spent=0, used=min(unit.used, 1), previous=None)
            if state in seen:
                continue
            seen.add(state)
            plain = not (unit.double or unit.final or unit.tired)
            found.setdefault((unit.at, not unit.moving, plain), now)
            for action in candidates(ASL, now, unit, MOVES):
                ruling = ASL.rule(now, action)
                if ruling.is_legal and not ruling.obligations:
                    heappush(waiting, (ruling.after.unit(name).spent, next(numbers), ruling.after))
        return found

    def _score(self, position: Any) -> tuple[int, ...] | None:
        stands = {u.id: Stand(u.at, u.aboard is not None) for u in position.units}
        measure = self.measure
        for number in range(len(self.goal.aims)):
            met = sum(measure.holds(number, name, stand) for name, stand in stands.items())
            if met < measure.required(number):
                return None
        gains = [measure.gain(name, stand) for name, stand in stands.items()]
        before = {unit.id: unit for unit in self.start.units}
        points = sum(unit.spent - before[unit.id].spent for unit in position.units)
        moved = sum(unit.at != before[unit.id].at for unit in position.units)
        return (sum(v for v, _ in gains), sum(d for _, d in gains), 0, points, moved)
