"""
Exhaustive search over plans of units that move alone, for goals where units might help each other.

A choice of end places uses each unit's ways while the others are off the map. If the others might
help, its failure to find a plan proves nothing. Here each unit moves with the others where they are
at the time, in any order. The search prunes positions in which too few units can still reach where
a must wants them.
"""

from __future__ import annotations

import math
from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.planning.company import TooMany
from marchtable.planning.score import FinalPlace

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from marchtable.planning.company import Company
    from marchtable.planning.score import Measure
    from marchtable.state.action import Action
    from marchtable.state.position import Position

__all__ = ["MOST", "plan_of_any_order"]

MOST = 500
"""Maximum number of searches of one unit's ways."""


class _State(NamedTuple):
    """The result of some moves: units still to move, exits that units used, and the log."""

    position: Position[Any, Any]
    waiting: frozenset[str]
    exited_by: Mapping[str, str]
    log: tuple[Action, ...]


def plan_of_any_order(company: Company, measure: Measure) -> tuple[Action, ...] | None:
    """
    Return a plan that meets the musts of a goal, found by exhaustive search, or None.

    Raises
    ------
    TooMany
        If that takes more searches than :data:`MOST`, or would if the others were never in the way.
    """
    until = company.searches + MOST
    wanted = {unit for unit in company.units if _is_needed(measure, unit)}
    choices = (1 + len(company.alone(unit)) for unit in company.units if unit not in wanted)
    if math.prod(choices) > MOST:
        raise TooMany
    start = _State(company.only(company.units), frozenset(company.units), {}, ())
    todo = deque([start])  # plans in which few units move come first
    seen: set[object] = set()
    while todo:
        state = todo.popleft()
        now = state.position
        key = (now.units, now.counters, state.waiting, *sorted(state.exited_by.items()))
        if key in seen or not _is_open(company, measure, state, state.waiting):
            continue
        seen.add(key)
        if _is_open(company, measure, state, frozenset()):
            return state.log
        for unit in sorted(state.waiting):
            if company.searches >= until:
                raise TooMany
            todo += _moved(company, state, unit)
    return None


def _is_needed(measure: Measure, unit: str) -> bool:
    """Return whether a must allows a unit no end except where an aim wants it."""
    return any(
        unit in measure.units(aim) and measure.required(aim) == len(measure.units(aim))
        for aim in range(len(measure.goal.aims))
    )


def _is_open(company: Company, measure: Measure, state: _State, waiting: frozenset[str]) -> bool:
    """Return whether the musts are met, or can be if all waiting units reach their aims."""
    able = {name for unit in waiting for name in (unit, *company.aboard[unit])}
    end = state.position

    def holds(aim: int, name: str) -> bool:
        if name in able:
            return True
        by = state.exited_by.get(name)
        if name not in end.index:
            return measure.holds(aim, name, FinalPlace(None, exited_by=by))
        unit = end.unit(name)
        return measure.holds(aim, name, FinalPlace(unit.at, unit.carrier is not None, by))

    return all(
        sum(holds(aim, name) for name in measure.units(aim)) >= measure.required(aim)
        for aim in range(len(measure.goal.aims))
    )


def _moved(company: Company, state: _State, unit: str) -> Iterator[_State]:
    """Yield the state after each way of a unit."""
    for some in company.ways(state.position, unit).values():
        for way in some:
            done = company.played(state.position, way.actions)
            if done is None:
                continue
            after, log = done
            gone = {
                name: way.end.at
                for name in (unit, *company.aboard[unit])
                if way.end.leaves and after.unit(name).at is None
            }
            exited_by = {**state.exited_by, **gone}
            yield _State(after, state.waiting - {unit}, exited_by, (*state.log, *log))
