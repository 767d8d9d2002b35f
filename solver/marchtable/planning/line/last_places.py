"""Whether members could end as is wanted, all together: their last places alone, a CP-SAT model of few rows."""

from __future__ import annotations

from functools import reduce
from operator import and_, or_
from typing import TYPE_CHECKING, Any

import numpy as np

from marchtable.cpsat.harness import Status, solve
from marchtable.cpsat.rows import Rows
from marchtable.planning.line.constraints import state_beside
from marchtable.planning.line.graph import OFF

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from marchtable.planning.line.state_graph import StateGraph
    from marchtable.planning.line.task import Row
    from marchtable.rules.plan_model import Control

__all__ = ["could_end"]

Spots = dict[tuple[int, int], int]
"""By place and spot in which a member may end: the mask of what may be spent by then."""


def could_end(
    graph: StateGraph, ends: Any, rows: Iterable[Row], parts: Sequence[range],
    linked: Sequence[int], control: Control,
) -> bool:  # fmt: skip
    """
    Return whether members could end as wanted as far as their last places tell; True at a limit.

    Parameters
    ----------
    graph, ends
        The states, and masks of how each member may end.
    rows
        What the plan must come to.
    parts
        The members that count one sum; if there are several, all members spend alike.
    linked
        By member: whether it must be beside the one ahead.
    """
    table = np.bitwise_or.reduce(ends.reshape(graph.most + 1, graph.count, graph.size), axis=0)
    spots = [_spots(graph, i, table[i]) for i in range(graph.count)]
    if not all(spots):
        return False
    model = Rows()
    here = [{key: model.new() for key in found} for found in spots]
    for literals in here:
        model.one_of(literals.values())
    _one_each(graph, model, here)
    places = [[(place, x) for (place, _), x in found.items()] for found in here]
    for i in range(1, graph.count):
        if linked[i]:
            state_beside(model, graph, i, places[i - 1], places[i])
    sums = [_part(graph, model, spots, here, part) for part in parts]
    for row in rows:
        whole = row.points * graph.grain
        terms = [
            (x, int(row.gains[i, spot]))
            for i, found in enumerate(here) for (_, spot), x in found.items()
        ]  # fmt: skip
        terms += [
            (x, whole * level * len(part) // graph.count)
            for part, levels in zip(parts, sums, strict=True) for level, x in levels.items()
        ]  # fmt: skip
        model.total(terms, row.least)
    outcome = solve(
        model.model(), "logic", limit=control.left(), stop=control.stop, seed=control.seed,
        about=(graph, *linked),
    )  # fmt: skip
    control.spend(outcome.time)
    return outcome.status is not Status.IMPOSSIBLE


def _spots(graph: StateGraph, i: int, masks: Any) -> Spots:
    found: Spots = {}
    for state in np.flatnonzero(masks).tolist():
        key = graph.place_of(i, state), graph.spot_of(i, state)
        found[key] = found.get(key, 0) | int(masks[state])
    return found


def _one_each(graph: StateGraph, model: Rows, here: Sequence[Spots]) -> None:
    """State that no two are in one place, but for those that began in one; unless some may pass."""
    if graph.crowds is not None:
        return
    begun = [graph.spot_of(i, state) for i, state in enumerate(graph.starts)]
    there: dict[int, list[int]] = {}
    for found in here:
        for (_, spot), x in found.items():
            there.setdefault(spot, []).append(x)
    for spot, literals in there.items():
        if OFF < spot < graph.places.count and begun.count(spot) < 2:
            model.not_two(literals)


def _part(
    graph: StateGraph, model: Rows, spots: Sequence[Spots], here: Sequence[Spots], part: range
) -> dict[int, int]:
    """State that those of a part have spent the same; return literals of what that is."""
    every = reduce(and_, (reduce(or_, spots[i].values()) for i in part))
    levels = {level: model.new() for level in range(graph.levels) if every >> level & 1}
    model.one_of(levels.values())
    for i in part:
        for key, x in here[i].items():
            fitting = [total for level, total in levels.items() if spots[i][key] >> level & 1]
            if len(fitting) < len(levels):
                model.any_of((~x, *fitting))
    return levels
