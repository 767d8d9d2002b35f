"""Every possible plan, tried by the referee alone, to check the planner."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.planning.score import FinalPlace, Measure
from marchtable.rules.clause import without
from marchtable.state.action import Phase
from marchtable_models.panzer.rules.leaving import Exit
from marchtable_models.panzer.rules.loading import Load, Unload
from marchtable_models.panzer.rules.movement import Move
from marchtable_models.panzer.views.units import type_of
from tests.panzer.scenes import PANZER

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from marchtable.rules.plan_model import Score
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal

__all__ = ["best_by_force", "ends_by_force", "is_met_by_force", "scores_by_force"]

SIGNS = {"value": 1, "distance": -1, "exposure": -1, "points": -1, "moved": -1}


class _State(NamedTuple):
    """A plan's state: the acting unit, those that have acted, and what its policy must remember."""

    position: Any
    actor: str | None = None
    done: frozenset[str] = frozenset()
    loaded: bool = False
    unloaded_in: str | None = None
    set_down: frozenset[str] = frozenset()
    been: frozenset[str] | None = None
    exposure: int = 0
    points: int = 0
    moved: frozenset[str] = frozenset()
    left: frozenset[tuple[str, str]] = frozenset()


def _tries(position: Any, movers: frozenset[str], goal: Goal) -> Iterator[Action]:
    for unit in (position.unit(name) for name in sorted(movers)):
        if unit.at is None:
            continue
        for _, to in position.board.neighbours(unit.at):
            yield Move(unit.id, to)
        going = {u.id for u in position.units if unit.id in (u.id, u.aboard)}
        if any(unit.at in aim.exit and going & {*aim.units} for aim in goal.aims):
            yield Exit(unit.id)
        for other in (position.unit(name) for name in sorted(movers - {unit.id})):
            if other.aboard is None and _is_fit(position, unit, other):
                yield Load(unit.id, other.id)
            if other.aboard == unit.id:
                yield Unload(unit.id, other.id)


def _is_fit(position: Any, unit: Any, other: Any) -> bool:
    """Return whether one could carry the other with any clause off: a vehicle a non-vehicle beside it."""
    if unit.at != other.at or unit.aboard is not None:
        return False
    kind, cargo = type_of(position, unit), type_of(position, other)
    return kind.is_vehicle and not cargo.is_vehicle


def _after(state: _State, action: Any, goal: Goal, movers: frozenset[str]) -> _State | None:
    """Return the result of an action, or None if the space of plans or the referee forbids it."""
    name = action.unit
    if name != state.actor:
        finished = state.done | ({state.actor} if state.actor else set())
        if name in finished:
            return None
        state = state._replace(actor=name, done=finished, loaded=False, unloaded_in=None)
        state = state if state.been is None else state._replace(been=frozenset())
    at = state.position.unit(name).at
    if state.been is not None:
        if isinstance(action, Move) and action.to in state.been:
            return None
        state = state._replace(been=state.been | {at} if isinstance(action, Move) else frozenset())
    return _allowed(state, action, goal, movers)


def _allowed(state: _State, action: Any, goal: Goal, movers: frozenset[str]) -> _State | None:
    """Return the result of an action of the acting unit, or None if forbidden."""
    at = state.position.unit(action.unit).at
    if isinstance(action, Load):
        if state.loaded or action.passenger in state.set_down | state.done:
            return None
        state = state._replace(loaded=True)
    if isinstance(action, Unload):
        if state.unloaded_in not in (None, at):
            return None
        state = state._replace(unloaded_in=at, set_down=state.set_down | {action.passenger})
    ruling = PANZER.rule(state.position, action)
    if not ruling.is_legal:
        return None
    before = {u.id: u.at for u in state.position.units}
    gone = {u.id for u in ruling.after.units if u.at != before[u.id]}
    if gone - movers or (isinstance(action, Move) and action.to in goal.avoid):
        return None
    met = sum(goal.threat.get(ruling.after.unit(n).at or "", 0) for n in gone)
    left = {(n, before[n]) for n in gone if ruling.after.unit(n).at is None}
    return state._replace(
        position=ruling.after,
        exposure=state.exposure + met,
        points=state.points + sum(r.amount for r in ruling.receipts),
        moved=state.moved | gone,
        left=state.left | left,
    )


def _states(
    position: Any, goal: Goal, movers: frozenset[str], most: int, *, straight: bool = False
) -> set[_State] | None:
    seen = {_State(position, been=frozenset() if straight else None)}
    waiting = list(seen)
    while waiting:
        state = waiting.pop()
        for action in _tries(state.position, movers, goal):
            found = _after(state, action, goal, movers)
            if found is not None and found not in seen:
                seen.add(found)
                waiting.append(found)
                if len(seen) > most:
                    return None
    return seen


def is_met_by_force(position: Any, goal: Goal, off: Iterable[str], most: int) -> bool | None:
    """Return whether a plan meets the goal with some clauses off, or None if there are too many.

    No unit returns to a previous place without having loaded or unloaded.
    """
    with without(*off):
        scores = scores_by_force(position, goal, most, straight=True)
    return None if scores is None else bool(scores)


def ends_by_force(
    position: Any, goal: Goal, most: int
) -> set[tuple[tuple[str, str, int], ...]] | None:
    """Return where units can end, and at which cost, if none returns to a previous place."""
    movers = sorted(Measure(position, goal).movers)
    states = _states(position, goal, frozenset(movers), most, straight=True)
    if states is None:
        return None
    return {
        tuple(
            (name, state.position.unit(name).at, state.position.unit(name).spent) for name in movers
        )
        for state in states
        if PANZER.rule(state.position, Phase("Assault")).is_legal
    }


def scores_by_force(
    position: Any, goal: Goal, most: int = 20_000, *, straight: bool = False
) -> list[Score] | None:
    """Return the results of every plan that meets the goal, or None if there are too many."""
    measure = Measure(position, goal)
    states = _states(position, goal, frozenset(measure.movers), most, straight=straight)
    if states is None:
        return None
    found = []
    for state in states:
        if not PANZER.rule(state.position, Phase("Assault")).is_legal:
            continue
        by = dict(state.left)
        stands = {
            u.id: FinalPlace(u.at, u.aboard is not None, by.get(u.id)) for u in state.position.units
        }
        if any(
            sum(measure.holds(n, name, stand) for name, stand in stands.items())
            < measure.required(n)
            for n in range(len(goal.aims))
        ):
            continue
        gains = [measure.gain(name, stand) for name, stand in stands.items()]
        found.append(
            {
                "value": sum(v for v, _ in gains), "distance": sum(d for _, d in gains),
                "exposure": state.exposure, "points": state.points, "moved": len(state.moved),
            }
        )  # fmt: skip
    return found  # type: ignore[return-value]


def best_by_force(position: Any, goal: Goal, most: int = 20_000) -> tuple[int, ...] | None:
    """Return the best score in the goal's order, signed so that more is better, or ()."""
    scores = scores_by_force(position, goal, most)
    if scores is None:
        return None
    signed: list[tuple[int, ...]] = [
        tuple(SIGNS[name] * s[name] for name in goal.order) for s in scores
    ]
    return max(signed, default=())
