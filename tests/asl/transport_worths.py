"""The worth of transport states, whether a plan can end in them, and what can follow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.files.notation import parse_action
from marchtable.planning.score import FinalPlace, Measure
from marchtable.state.goal import CRITERIA
from tests.asl.boards import ASL

if TYPE_CHECKING:
    from collections.abc import Mapping

    from marchtable.state.goal import Goal
    from tests.asl.transport_world import Entry, State, World

__all__ = ["Table", "Worths"]

DFPH = parse_action("phase DFPh", ASL)
Table = dict[Any, int]
"""The continuations: for each way to meet the musts (or each projection), the most it is worth."""


class Worths:
    """The worth of states.

    Parameters
    ----------
    position, goal, world
        The problem, and what is known of its board.
    weights
        By criterion; None to distinguish all plans by their projections.
    """

    def __init__(
        self, position: Any, goal: Goal, world: World, weights: Mapping[str, int] | None
    ) -> None:
        self.start, self.goal, self.world, self.weights = position, goal, world, weights
        self.measure = Measure(position, goal)
        self.index = {unit.id: place for place, unit in enumerate(position.units)}
        self._over: dict[State, bool] = {}
        self._worths: dict[tuple[int, int], tuple[int, tuple[int, ...]]] = {}

    def _worth(self, state: State) -> tuple[int, tuple[int, ...]]:
        """Return the worth of a state as it is, and how many units meet each must-aim."""
        found = [self._of(place, number) for place, number in enumerate(state)]
        return sum(value for value, _ in found), _added(*(met for _, met in found))

    def _of(self, place: int, number: int) -> tuple[int, tuple[int, ...]]:
        if (place, number) not in self._worths:
            entry, before = self.world.entries[number], self.start.units[place]
            stand, name = _stand(entry), before.id
            value, distance = self.measure.gain(name, stand)
            mine = name in self.measure.movers
            score = (
                value, distance, entry.exposure * mine, entry.unit.points.spent - before.points.spent,
                int(entry.moved and mine),
            )  # fmt: skip
            weights = self.weights or {}
            worth = sum(weights.get(c, 0) * n for c, n in zip(CRITERIA, score, strict=True))
            met = tuple(
                int(self.measure.required(aim) > 0 and self.measure.holds(aim, name, stand))
                for aim in range(len(self.goal.aims))
            )
            self._worths[place, number] = worth, met
        return self._worths[place, number]

    def _after(self, before: State, after: State, table: Table, into: Table) -> None:
        """Add the continuations of a state to those of the one before."""
        if self.weights is None:
            into.update(table)
            return
        worth, met = 0, [0] * len(self.goal.aims)
        for place, (old, new) in enumerate(zip(before, after, strict=True)):
            if old != new:
                (was, had), (now, has) = self._of(place, old), self._of(place, new)
                worth += now - was
                met = [m + b - a for m, a, b in zip(met, had, has, strict=True)]
        for gained, more in table.items():
            key = tuple(a + b for a, b in zip(gained, met, strict=True))
            if more + worth > into.get(key, -(10**12)):
                into[key] = more + worth

    def _may_end(self, state: State) -> bool:
        """Return whether the MPh can end with all units as they are."""
        if state not in self._over:
            position = self.world.position(self.start, state)
            under_way = any(
                u.motion.moving for u in position.units if u.at is not None or u.offboard.entering
            )
            self._over[state] = not under_way or ASL.rule(position, DFPH).is_legal
        return self._over[state]

    def _end(self, state: State) -> Table:
        if not self._may_end(state):
            return {}
        if self.weights is not None:
            return {(0,) * len(self.goal.aims): 0}
        _, met = self._worth(state)
        if any(m < self.measure.required(aim) for aim, m in enumerate(met)):
            return {}
        entries = {name: self.world.entries[state[place]] for name, place in self.index.items()}
        return {tuple(
            (name, entries[name].unit.at,
             entries[name].unit.points.spent - self.start.units[self.index[name]].points.spent)
            for name in self.measure.movers
        ): 0}  # fmt: skip


def _added(*counts: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(map(sum, zip(*counts, strict=True)))


def _stand(entry: Entry) -> FinalPlace:
    unit = entry.unit
    carried = (unit.cargo.aboard or unit.cargo.towed_by) is not None
    return FinalPlace(unit.at, carried, entry.by or None)
