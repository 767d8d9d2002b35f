"""Where the places of a Column can be after each Impulse, as far as each by itself tells."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from marchtable_models.asl.cpsat.column.line import FREE

if TYPE_CHECKING:
    from collections.abc import Collection

    from marchtable_models.asl.cpsat.column.line import Line
    from marchtable_models.asl.cpsat.column.steps import State, Step

__all__ = ["Course", "Field"]


class Course(NamedTuple):
    """A plan: the state of each place at the start and after each Impulse."""

    states: tuple[tuple[State, ...], ...]


class Field:
    """
    The states within reach.

    Parameters
    ----------
    line
        The Column.
    most
        Impulses at most.
    avoid
        Locations not to be entered.

    Attributes
    ----------
    last
        The most Impulses that it can make.
    domains
        By Impulse and place: its states, with the least that its own way there costs.
    """

    def __init__(self, line: Line, most: int, avoid: Collection[str]) -> None:
        self.line, self._avoid = line, frozenset(avoid)
        self._ways: list[dict[State, dict[State, Step]]] = [{} for _ in line.ranks]
        self._towards: dict[tuple[int, State], dict[str, list[Step]]] = {}
        self.domains = [[{start: 0} for start in line.starts]]
        self._cheapest, self._ceiling = FREE, self._richest()
        most = min(most, 1) if line.once else most
        while len(self.domains) <= most and self._grow():
            pass
        self.last = len(self.domains) - 1

    def ways(self, r: int, state: State) -> dict[State, Step]:
        """Return the cheapest step of a place's units to each state that one leads to."""
        found = self._ways[r].get(state)
        if found is None:
            found = self._ways[r][state] = {}
            for step in self.line.steps[r].of(state):
                known = found.get(step.to)
                if step.to.at not in self._avoid and (known is None or step.cost < known.cost):
                    found[step.to] = step
                    self._cheapest = min(self._cheapest, step.cost)
        return found

    def towards(self, r: int, state: State, to: str) -> list[Step]:
        """Return the steps of a place's units to a Location."""
        key = (r, state)
        if key not in self._towards:
            found: dict[str, list[Step]] = {}
            for step in self.ways(r, state).values():
                found.setdefault(step.to.at or "", []).append(step)
            self._towards[key] = found
        return self._towards[key].get(to, [])

    @property
    def paid(self) -> set[int]:
        """What steps cost that were looked at."""
        return {
            step.cost for ways in self._ways for found in ways.values() for step in found.values()
        }

    def step(self, r: int, before: State, after: State) -> Step | None:
        """Return the step of a place's units from a state to another; None if they stay."""
        return self.ways(r, before).get(after)

    def costs(self, course: Course) -> list[int]:
        """Return what each Impulse of a plan costs (E11.2g)."""
        return [
            max(
                (step.cost for r, pair in enumerate(zip(*rows, strict=True))
                 if (step := self.step(r, *pair)) is not None),
                default=0,
            )
            for rows in pairwise(course.states)
        ]  # fmt: skip

    def spent(self, course: Course) -> int:
        """Return what each unit spends in a plan."""
        return sum(self.costs(course))

    def _grow(self) -> bool:
        """Add what one more Impulse leads to; return whether anybody can move in it."""
        before, after = self.domains[-1], []
        floor = self._cheapest * (len(self.domains) - 1) if self.line.shares else 0
        has_moved = False
        for r, states in enumerate(before):
            found: dict[State, int] = {}
            ahead = {state.at for state in before[r - 1]} if r and self.line.follows else None
            for state, least in states.items():
                idle = state.idle
                found[idle] = min(found.get(idle, least), least)
                for to, step in self.ways(r, state).items():
                    paid = max(least, floor) + step.cost
                    if (ahead is None or to.at in ahead) and self._is_paid(r, to, paid):
                        has_moved = True
                        found[to] = min(found.get(to, paid), paid)
            after.append(found)
        if has_moved:
            self.domains.append(after)
        return has_moved

    def _is_paid(self, r: int, state: State, paid: int) -> bool:
        means = self.line.means(r, state)
        return means is None or paid <= min(means, self._ceiling)

    def _richest(self) -> int:
        """Return what nobody's means exceed in the course of a plan, if all pay alike."""
        line = self.line
        starts = enumerate(line.starts if line.shares else ())
        return min((line.most(r, start) for r, start in starts), default=FREE)
