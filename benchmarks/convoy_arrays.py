"""A Convoy's tables for its peers, as arrays."""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from benchmarks.convoy_peers import Tables

__all__ = ["Arrays", "arrays_of"]


class Arrays(NamedTuple):
    """The tables as arrays; states are numbered over all vehicles."""

    first: Any
    to: Any
    kind: Any
    flags: Any
    cell: Any
    moving: Any
    distance: Any
    near: Any
    costs: Any
    begin: Any
    starts: Any
    verdict: Any
    need_at: Any
    set_at: Any
    cells: Any


def arrays_of(t: Tables) -> tuple[Arrays, int]:
    """Return the tables as arrays, and the grain; not timed."""
    names = sorted(t.cell)
    number = {s: n for n, s in enumerate(names)}
    places = {c: n for n, c in enumerate(sorted(set(t.cell.values())))}
    found = sorted({arc[2] for arcs in t.arcs for arc in arcs})
    grain = gcd(*found)
    kinds = {cost: k for k, cost in enumerate(found, 1)}
    rows: list[list[tuple[int, int, int]]] = [[] for _ in names]
    for arcs in t.arcs:
        for a, b, cost, starts, stops in dict.fromkeys(arcs):
            if b in number:
                rows[number[a]].append((number[b], kinds[cost], starts + 2 * stops))
    flat = np.array([arc for row in rows for arc in row], np.int64).reshape(-1, 3)
    near = np.zeros((len(places), len(places)), np.bool_)
    for a, b in t.near:
        near[places[a], places[b]] = True
    distance = np.array([t.distance[c] for c in places], np.int64)
    levels = t.budget // grain + 1
    verdict = np.zeros((len(names), levels), np.int64)
    need_at, set_at, cells = [0, 0], [0], []
    for told_ends in t.ends:
        for (state, spent), needs in told_ends.items():
            if any(not each for each in needs):
                verdict[number[state], spent // grain] = -1
                continue
            for each in needs:
                cells += [places[c] for c in each if c in places]
                set_at.append(len(cells))
            need_at.append(len(set_at) - 1)
            verdict[number[state], spent // grain] = len(need_at) - 2
    first_of = [min(number[s] for s in layers[-1]) for layers in t.reach]
    return Arrays(
        np.cumsum([0, *map(len, rows)]).astype(np.int64), flat[:, 0].copy(), flat[:, 1].copy(),
        flat[:, 2].copy(), np.array([places[t.cell[s]] for s in names], np.int64),
        np.array([t.moving[s] for s in names], np.int64), distance, near,
        np.array([0, *(c // grain for c in found)], np.int64),
        np.array([*first_of, len(names)], np.int64),
        np.array([number[s] for s in t.starts], np.int64), verdict,
        np.array(need_at, np.int64), np.array(set_at, np.int64), np.array([*cells, 0], np.int64),
    ), grain  # fmt: skip
