"""Every plan there is, tried out by the referee alone: what the planner is held against."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.action import Phase
from marchtable.planning.score import Measure, Stand
from marchtable_models.panzer.orders import Load, Move, Unload
from tests.panzer.scenes import PANZER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable.action import Action
    from marchtable.planning.goal import Goal
    from marchtable.planning.model import Score

__all__ = ["best_by_force", "scores_by_force"]

SIGNS = {"value": 1, "distance": -1, "exposure": -1, "points": -1, "moved": -1}


class _State(NamedTuple):
    """Where a plan stands: who acts, who has acted, and what its policy has to remember."""

    position: Any
    actor: str | None = None
    done: frozenset[str] = frozenset()
    loaded: bool = False
    unloaded_in: str | None = None
    set_down: frozenset[str] = frozenset()
    exposure: int = 0
    points: int = 0
    moved: frozenset[str] = frozenset()


def _tries(position: Any, movers: frozenset[str]) -> Iterator[Action]:
    for unit in (position.unit(name) for name in sorted(movers)):
        if unit.at is None:
            continue
        for _, to in position.board.neighbours(unit.at):
            yield Move(unit.id, to)
        for other in sorted(movers - {unit.id}):
            yield Load(unit.id, other)
            yield Unload(unit.id, other)


def _after(state: _State, action: Any, goal: Goal, movers: frozenset[str]) -> _State | None:
    """Return where an action leads, None where the space of plans or the referee does not allow it."""
    name = action.unit
    if name != state.actor:
        finished = state.done | ({state.actor} if state.actor else set())
        if name in finished:
            return None
        state = state._replace(actor=name, done=finished, loaded=False, unloaded_in=None)
    at = state.position.unit(name).at
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
    met = sum(goal.threat.get(ruling.after.unit(n).at, 0) for n in gone)
    return state._replace(
        position=ruling.after,
        exposure=state.exposure + met,
        points=state.points + sum(r.amount for r in ruling.receipts),
        moved=state.moved | gone,
    )


def _states(position: Any, goal: Goal, movers: frozenset[str], most: int) -> set[_State] | None:
    seen = {_State(position)}
    waiting = list(seen)
    while waiting:
        state = waiting.pop()
        for action in _tries(state.position, movers):
            found = _after(state, action, goal, movers)
            if found is not None and found not in seen:
                seen.add(found)
                waiting.append(found)
                if len(seen) > most:
                    return None
    return seen


def scores_by_force(position: Any, goal: Goal, most: int = 20_000) -> list[Score] | None:
    """Return what every plan comes to that does what the goal demands; None if there are too many."""
    measure = Measure(position, goal)
    states = _states(position, goal, frozenset(measure.movers), most)
    if states is None:
        return None
    found = []
    for state in states:
        if not PANZER.rule(state.position, Phase("Assault")).is_legal:
            continue
        stands = {u.id: Stand(u.at, u.aboard is not None) for u in state.position.units}
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
    """Return the best score in the goal's order, signed so that more is better; () if there is none."""
    scores = scores_by_force(position, goal, most)
    if scores is None:
        return None
    signed: list[tuple[int, ...]] = [
        tuple(SIGNS[name] * s[name] for name in goal.order) for s in scores
    ]
    return max(signed, default=())
