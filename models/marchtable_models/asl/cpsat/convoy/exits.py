"""Vehicles of a Convoy that leave the map: who must have gone, and where the next one must be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl.clauses.lines.leaving import lone
from marchtable_models.asl.clauses.vehicles.impulses import all_can_pay
from marchtable_models.asl.extraction.edge import span

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from marchtable.board.board import Board
    from marchtable.planning.line.logic import Logic
    from marchtable.planning.line.state_graph import StateGraph
    from marchtable_models.asl.cpsat.convoy.steps import Steps
    from marchtable_models.asl.extraction.edge import Spot

__all__ = ["state_alone", "state_exits"]


def _caps(graph: StateGraph) -> Sequence[int]:
    """Return what each vehicle may spend while it is on the map, nothing if that is all the same."""
    return () if graph.caps is None or callable(graph.caps) else graph.caps


def _may_leave(graph: StateGraph, i: int, state: int) -> bool:
    """Return whether a vehicle may leave the map from a state."""
    return any(graph.is_gone(i, to) for to, *_ in graph.ways(i, state))


def _beyond(graph: StateGraph, i: int, state: int) -> Spot:
    """Return where a vehicle goes that leaves the map from a state."""
    steps: Steps = graph.graphs[i].steps
    return steps.beyond(graph.state(i, state))


def state_exits(logic: Logic) -> None:
    """State that vehicles that leave the map do so in turn and without a Gap, each while it can pay."""
    graph, last = logic.graph, logic.count - 1
    for t in range(1, logic.last + 1):
        with logic.under(all_can_pay.id):
            for i, cap in enumerate(_caps(graph)):
                _can_pay(logic, i, t, cap)
        for i in range(last):
            with logic.says("order"):
                if graph.in_order:
                    _in_order(logic, i, t)
            with logic.says("line"):
                if graph.linked[i + 1]:
                    _no_gap(logic, i, t)
        if last:
            state_alone(logic, last, t, logic.gone(last - 1, t))


def _can_pay(logic: Logic, i: int, t: int, cap: int) -> None:
    """State that who leaves the map can pay the Impulse in which it does (E11.2h)."""
    gone, before = logic.gone(i, t), logic.gone(i, t - 1)
    if gone is None:
        return
    for level, total in logic.part_of(i).totals[t].items():
        if level * logic.graph.grain > cap:
            logic.any_of((~total, ~gone, *([] if before is None else [before])))


def _in_order(logic: Logic, i: int, t: int) -> None:
    """State that no vehicle has left the map before the one ahead (A2.6f)."""
    front, rear = logic.gone(i, t), logic.gone(i + 1, t)
    if rear is not None:
        logic.any_of((~rear,) if front is None else (~rear, front))


def _no_gap(logic: Logic, i: int, t: int) -> None:
    """State that the next one is beside a vehicle that leaves, or leaves beside it."""
    graph, gone, both = logic.graph, logic.gone(i, t), logic.gone(i + 1, t)
    if gone is None:
        return
    known: dict[Spot, tuple[list[int], list[int]]] = {}
    for state, literal in logic.at[i][t - 1].items():
        if not _may_leave(graph, i, state):
            continue
        spot = _beyond(graph, i, state)
        if spot not in known:
            known[spot] = (_beside(logic, i + 1, t, spot), _leaving(logic, i + 1, t, spot))
        near, leaving = known[spot]
        logic.any_of((~literal, ~gone, *near, *([] if both is None else [both])))
        if both is not None:
            logic.any_of((~literal, ~gone, ~both, *leaving))


def _beside(logic: Logic, i: int, t: int, spot: Spot) -> list[int]:
    graph = logic.graph
    names = graph.places.names[: graph.places.count]
    there = {names[p]: x for p, x in logic.spots[i][t].items() if p < len(names)}
    return [x for at, x in there.items() if at and _are_beside(graph.board, graph.apart, spot, at)]


def _leaving(logic: Logic, i: int, t: int, spot: Spot) -> list[int]:
    graph = logic.graph
    return [
        literal
        for state, literal in logic.at[i][t - 1].items()
        if _may_leave(graph, i, state)
        and _are_beside(graph.board, graph.apart, spot, _beyond(graph, i, state))
    ]


def state_alone(logic: Logic, i: int, t: int, parted: int | None) -> None:
    """State that a vehicle is alone, or has left the map, if all others have parted from it or left, and not before (E11.255b)."""
    alone = logic.either(x for s, x in logic.at[i][t].items() if logic.graph.is_alone(i, s))
    with logic.under(lone.id):
        if alone is not None:
            logic.any_of((~alone,) if parted is None else (~alone, parted))
        if parted is not None:
            logic.any_of((~parted, *(x for x in (alone, logic.gone(i, t)) if x is not None)))


def _are_beside(board: Board, apart: Collection[int], a: Spot, b: Spot) -> bool:
    """Return whether there is no Gap between two vehicles so far apart, on the map or just gone from it."""
    return span(board, a, b) in apart
