"""Vehicles of a Convoy that leave the map: who must have gone, and where the next one must be."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from marchtable_models.asl.cpsat.convoy.offmap import are_beside

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.planning.line.field import StateGraph
    from marchtable.planning.line.logic import Logic
    from marchtable.planning.line.states import Course
    from marchtable_models.asl.cpsat.convoy.steps import Steps
    from marchtable_models.asl.extraction.edge import Spot

__all__ = ["keep_together", "state_exits"]


def keep_together(field: StateGraph, course: Course) -> bool:
    """Tell whether vehicles that leave the map do so in turn, without a Gap; see the clauses below."""
    if not field.has_exits:
        return True
    return all(field.spent(i, course) <= cap for i, cap in enumerate(_caps(field))) and all(
        _is_kept(field, *rows) for rows in itertools.pairwise((course.states[0], *course.states))
    )


def _caps(field: StateGraph) -> Sequence[int]:
    """Return what each vehicle may spend while it is on the map, nothing if that is all the same."""
    return () if field.caps is None or callable(field.caps) else field.caps


def _is_kept(field: StateGraph, before: Sequence[int], after: Sequence[int]) -> bool:
    gone = [field.is_gone(i, state) for i, state in enumerate(after)]
    last = field.count - 1
    if last and gone[last - 1] != (gone[last] or field.is_alone(last, after[last])):
        return False
    for i in range(last):
        if gone[i + 1] > gone[i] and field.in_order:
            return False
        if field.linked[i + 1] and gone[i] and not field.is_gone(i, before[i]):
            here = field.state(i + 1, after[i + 1]).at
            spot = _beyond(field, i + 1, before[i + 1]) if gone[i + 1] else here
            if spot is None or not are_beside(
                field.board, field.apart, _beyond(field, i, before[i]), spot
            ):
                return False
    return True


def _may_leave(field: StateGraph, i: int, state: int) -> bool:
    """Tell whether a vehicle may leave the map from a state."""
    return any(field.is_gone(i, to) for to, *_ in field.ways(i, state))


def _beyond(field: StateGraph, i: int, state: int) -> Spot:
    """Return where a vehicle goes that leaves the map from a state."""
    steps: Steps = field.graphs[i].steps
    return steps.beyond(field.state(i, state))


def state_exits(logic: Logic) -> None:
    """State what :func:`keep_together` tells."""
    field, last = logic.field, logic.count - 1
    for t in range(1, logic.last + 1):
        for i, cap in enumerate(_caps(field)):
            _can_pay(logic, i, t, cap)
        for i in range(last):
            if field.in_order:
                _in_order(logic, i, t)
            if field.linked[i + 1]:
                _no_gap(logic, i, t)
        if last:
            _alone_at_last(logic, t)


def _can_pay(logic: Logic, i: int, t: int, cap: int) -> None:
    """State that who leaves the map can pay the Impulse in which it does (E11.2h)."""
    gone, before = logic.gone(i, t), logic.gone(i, t - 1)
    if gone is None:
        return
    for level, total in logic.totals[t].items():
        if level * logic.field.grain > cap:
            logic.any_of((~total, ~gone, *([] if before is None else [before])))


def _in_order(logic: Logic, i: int, t: int) -> None:
    """State that no vehicle has left the map before the one ahead (A2.6f)."""
    front, rear = logic.gone(i, t), logic.gone(i + 1, t)
    if rear is not None:
        logic.any_of((~rear,) if front is None else (~rear, front))


def _no_gap(logic: Logic, i: int, t: int) -> None:
    """State that the next one is beside a vehicle that leaves, or leaves beside it."""
    field, gone, both = logic.field, logic.gone(i, t), logic.gone(i + 1, t)
    if gone is None:
        return
    known: dict[Spot, tuple[list[int], list[int]]] = {}
    for state, literal in logic.at[i][t - 1].items():
        if not _may_leave(field, i, state):
            continue
        spot = _beyond(field, i, state)
        if spot not in known:
            known[spot] = (_beside(logic, i + 1, t, spot), _leaving(logic, i + 1, t, spot))
        near, leaving = known[spot]
        logic.any_of((~literal, ~gone, *near, *([] if both is None else [both])))
        if both is not None:
            logic.any_of((~literal, ~gone, ~both, *leaving))


def _beside(logic: Logic, i: int, t: int, spot: Spot) -> list[int]:
    field = logic.field
    names = field.places.names[: field.places.count]
    there = {names[p]: x for p, x in logic.spots[i][t].items() if p < len(names)}
    return [x for at, x in there.items() if at and are_beside(field.board, field.apart, spot, at)]


def _leaving(logic: Logic, i: int, t: int, spot: Spot) -> list[int]:
    field = logic.field
    return [
        literal
        for state, literal in logic.at[i][t - 1].items()
        if _may_leave(field, i, state)
        and are_beside(field.board, field.apart, spot, _beyond(field, i, state))
    ]


def _alone_at_last(logic: Logic, t: int) -> None:
    """State that the last vehicle is alone once all others have left the map, and not before (E11.255b)."""
    last = logic.count - 1
    gone, left = logic.gone(last - 1, t), logic.gone(last, t)
    alone = logic.either(
        literal for state, literal in logic.at[last][t].items()
        if logic.field.is_alone(last, state)
    )  # fmt: skip
    if alone is not None:
        logic.any_of((~alone,) if gone is None else (~alone, gone))
    if gone is not None:
        logic.any_of((~gone, *(x for x in (alone, left) if x is not None)))
