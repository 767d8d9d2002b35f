"""A Convoy's plan as peers state it, from the same tables: vehicle by Impulse by state."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.planning.line.graph import HALTED, HALTS, OFF

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from marchtable_models.asl.cpsat.convoy.model import ConvoyModel

__all__ = ["Tables", "by_clingo", "by_cpsat", "has_clingo", "tables_of", "watched"]

LOOK = 0.05  # seconds


class Tables(NamedTuple):
    """The input of both peers; numbers instead of names.

    Parameters
    ----------
    impulses, budget
        The most that a plan has, and may spend.
    starts
        Each vehicle's state.
    reach
        By vehicle and Impulse: the states that it can be in.
    arcs
        By vehicle: (state, state after, cost, starts anew, stops), staying left out.
    cell, moving
        Of each state.
    near
        Pairs of cells in which neighbours may be.
    distance
        Of the lead, by cell.
    ends
        By vehicle and what is spent: states that may not end so, with the cells one of which must
        be taken; none for never.
    """

    impulses: int
    budget: int
    starts: list[int]
    reach: list[list[list[int]]]
    arcs: list[list[tuple[int, int, int, bool, bool]]]
    cell: dict[int, int]
    moving: dict[int, bool]
    near: set[tuple[int, int]]
    distance: dict[int, int]
    ends: list[dict[tuple[int, int], list[list[int]]]]


def tables_of(model: ConvoyModel) -> Tables:
    """Return the tables of a model; building them is not timed."""
    field, count = model.graph, len(model.line)
    block = field.size  # a state's number is its vehicle's, and its own
    arcs: list[list[tuple[int, int, int, bool, bool]]] = []
    reach: list[list[list[int]]] = []
    cell: dict[int, int] = {}
    moving: dict[int, bool] = {}
    for i in range(count):
        edge = [field.starts[i]]
        found: dict[int, list[tuple[int, int, int, bool, bool]]] = {}
        layers = [[i * block + edge[0]]]
        inside = {*edge}
        for _ in range(model.most):
            for s in edge:
                found[s] = [
                    (i * block + s, i * block + to, cost, bool(flags & HALTED), bool(flags & HALTS))
                    for to, cost, flags, _ in field.ways(i, s)
                ]
            edge = [to - i * block for s in edge for _, to, *_ in found[s]]
            edge = [s for s in dict.fromkeys(edge) if s not in inside]
            inside.update(edge)
            layers.append(sorted(i * block + s for s in inside))
        reach.append(layers)
        arcs.append([arc for row in found.values() for arc in row])
        cell |= {i * block + s: field.place_of(i, s) for s in inside}
        moving |= {i * block + s: field.is_moving(i, s) for s in inside}
    cells = sorted(set(cell.values()))
    near = {(a, b) for a in cells for b in cells if a != b and (a == OFF or b in field.near(1, a))}
    distance = {c: int(model.worth.distance[0, c]) for c in cells}
    ends = [_bars(model, i, [s - i * block for s in reach[i][-1]]) for i in range(count)]
    starts = [i * block + s for i, s in enumerate(field.starts)]
    return Tables(
        model.most, model.graph.budget, starts, reach, arcs, cell, moving, near, distance, ends
    )


def _bars(model: ConvoyModel, i: int, states: list[int]) -> dict[tuple[int, int], list[list[int]]]:
    field, found = model.graph, {}
    going = [s for s in states if field.is_moving(i, s)]
    for s in going:
        for level in range(min(field.levels, model.ends.level(i, s, field.budget, 0))):
            needs = model.ends.needs(i, s, level, field.budget)
            if needs != ():
                result = [[]] if needs is None else [*map(list, needs)]
                found[i * field.size + s, level * field.grain] = result
    return found


@contextmanager
def watched(until: float, stop: Callable[[], None]) -> Iterator[None]:
    """Stop a function once the process has used this much time."""
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(LOOK):
            if time.process_time() >= until:
                stop()

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


# -- CP-SAT with default parameters ------------------------------------------------------------------


def by_cpsat(  # noqa: C901 - one plain model, stated in one go
    t: Tables, limit: float
) -> tuple[tuple[int, int] | None, float]:
    """Return the best distance and cost, or None if unproved in time, and process time taken."""
    from ortools.sat.python import cp_model

    begun = time.process_time()
    m, count, span = cp_model.CpModel(), len(t.starts), range(t.impulses + 1)
    x = [[{s: m.new_bool_var("") for s in t.reach[i][k]} for k in span] for i in range(count)]
    costs = sorted({0, *(arc[2] for arcs in t.arcs for arc in arcs)})
    paid = [{c: m.new_bool_var("") for c in costs} for _ in span]
    halted = [m.new_bool_var("") for _ in span]
    m.add(halted[0] == 0)
    hexes: list[list[dict[int, Any]]] = []
    for i in range(count):
        m.add(x[i][0][t.starts[i]] == 1)
        hexes.append([])
        for k in span:
            m.add_exactly_one(x[i][k].values())
            by_cell: dict[int, list[Any]] = {}
            for s, v in x[i][k].items():
                by_cell.setdefault(t.cell[s], []).append(v)
            hexes[i].append({c: m.new_bool_var("") for c in by_cell})
            for c, vs in by_cell.items():
                m.add(sum(vs) == hexes[i][k][c])
    for k in span[1:]:
        m.add_exactly_one(paid[k].values())
        m.add_implication(halted[k - 1], halted[k])
        payers: dict[int, list[Any]] = {c: [] for c in costs if c}
        for i in range(count):
            ways: dict[int, list[Any]] = {}
            out: dict[int, list[Any]] = {}
            stays = [(s, s, 0, False, False) for s in x[i][k - 1]]
            for a, b, cost, starts, stops in (*stays, *t.arcs[i]):
                if a in x[i][k - 1] and b in x[i][k]:
                    y = m.new_bool_var("")
                    ways.setdefault(b, []).append(y)
                    out.setdefault(a, []).append(y)
                    if cost:
                        payers[cost].append(y)
                    m.add_bool_or([paid[k][c] for c in costs if c >= cost]).only_enforce_if(y)
                    if starts:
                        m.add_implication(y, ~halted[k - 1])
                    if stops:
                        m.add_implication(y, halted[k])
            for s, v in x[i][k].items():
                m.add(sum(ways.get(s, ())) == v)
            for s, v in x[i][k - 1].items():
                m.add(sum(out.get(s, ())) == v)
        for c, ys in payers.items():
            m.add_bool_or([*ys, ~paid[k][c]])
    for k in span:
        for i in range(count - 1):
            for c, v in hexes[i][k].items():
                m.add_bool_or([w for d, w in hexes[i + 1][k].items() if (c, d) in t.near] + [~v])
        for i in range(count):
            for j in range(i + 1, count):
                for c, v in hexes[i][k].items():
                    if c in hexes[j][k]:
                        m.add_bool_or([~v, ~hexes[j][k][c]])
                    if k and c in hexes[j][k - 1]:
                        m.add_bool_or([~v, ~hexes[j][k - 1][c]])
    spent = m.new_int_var(0, t.budget, "")
    m.add(spent == sum(c * v for k in span[1:] for c, v in paid[k].items()))
    totals = {
        s: m.new_bool_var("") for s in sorted({spent for found in t.ends for _, spent in found})
    }
    for s, v in totals.items():
        m.add(spent == s).only_enforce_if(v)
        m.add(spent != s).only_enforce_if(~v)
    going = m.new_bool_var("")
    last = t.impulses
    for i in range(count):
        for s, v in x[i][last].items():
            m.add_implication(v, going if t.moving[s] else ~going)
        for (s, total), needs in t.ends[i].items():
            if s in x[i][last]:
                for cells in needs:
                    there = [hexes[j][last][c] for j in range(count) if j != i
                             for c in cells if c in hexes[j][last]]  # fmt: skip
                    m.add_bool_or([~x[i][last][s], ~totals[total], *there])
    big = t.budget + 1
    m.minimize(big * sum(t.distance[c] * v for c, v in hexes[0][last].items()) + spent)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    with watched(begun + limit, solver.stop_search):
        status = solver.solve(m)
    taken = time.process_time() - begun
    if status != cp_model.OPTIMAL:
        return None, taken
    return divmod(round(solver.objective_value), big), taken


# -- clingo --------------------------------------------------------------------------------------------

RULES = """
time(0..last). v(0..n-1).
x(I,0,S) :- start(I,S).
1 { x(I,K,S) : reach(I,K,S) } 1 :- v(I), time(K), K > 0.
move(I,K,S,T) :- x(I,K-1,S), x(I,K,T), S != T.
:- move(I,K,S,T), not arc(I,S,T,_,_,_).
cost(K,C) :- move(I,K,S,T), arc(I,S,T,C,_,_).
paid(K,C) :- cost(K,C), C = #max { D : cost(K,D) }.
halted(K) :- move(I,K,S,T), arc(I,S,T,_,_,1).
halted(K) :- halted(K-1), time(K).
:- move(I,K,S,T), arc(I,S,T,_,1,_), halted(K-1).
h(I,K,C) :- x(I,K,S), cell(S,C).
:- h(I,K,C), h(I+1,K,D), not near(C,D).
:- h(I,K,C), h(J,K,C), I < J.
:- h(I,K,C), h(J,K-1,C), I < J.
total(M) :- M = #sum { C,K : paid(K,C) }.
:- total(M), M > budget.
going(I) :- x(I,last,S), moving(S).
:- going(I), v(J), not going(J).
taken(I,C) :- h(J,last,C), v(I), I != J.
:- x(I,last,S), total(M), never(I,S,M).
:- x(I,last,S), total(M), need(I,S,M,N), not taken(I,C) : in(N,C).
#minimize { D@2 : h(0,last,C), far(C,D) }.
#minimize { C@1,K : paid(K,C) }.
"""


def has_clingo() -> bool:
    """Return whether clingo is installed."""
    return find_spec("clingo") is not None


def _facts(t: Tables) -> str:
    found = []
    for i, start in enumerate(t.starts):
        found.append(f"start({i},{start}).")
        found += [f"reach({i},{k},{s})." for k, layer in enumerate(t.reach[i]) for s in layer]
        found += [f"arc({i},{a},{b},{c},{int(d)},{int(e)})." for a, b, c, d, e in t.arcs[i]]
        number = 0
        for (s, total), needs in t.ends[i].items():
            for cells in needs:
                if not cells:
                    found.append(f"never({i},{s},{total}).")
                    continue
                name = (i + 1) * 1_000_000 + number
                number += 1
                found.append(f"need({i},{s},{total},{name}).")
                found += [f"in({name},{c})." for c in cells]
    found += [f"cell({s},{c})." for s, c in t.cell.items()]
    found += [f"moving({s})." for s, moves in t.moving.items() if moves]
    found += [f"near({a},{b})." for a, b in t.near]
    found += [f"far({c},{d})." for c, d in t.distance.items()]
    return "\n".join(found)


def by_clingo(
    t: Tables, limit: float, options: tuple[str, ...] = ("--opt-strategy=usc",)
) -> tuple[tuple[int, int] | None, float]:
    """Return the best distance and cost, or None if unproved in time, and process time taken."""
    import clingo

    facts = _facts(t)
    begun = time.process_time()
    control = clingo.Control(
        [*options, f"-c n={len(t.starts)}", f"-c last={t.impulses}", f"-c budget={t.budget}",
         "--warn=none"]
    )  # fmt: skip
    control.add("base", [], RULES + facts)
    control.ground([("base", [])])
    best: list[int] = []
    with control.solve(on_model=lambda model: best.__setitem__(slice(None), model.cost),
                       async_=True) as handle:  # fmt: skip
        done = handle.wait(LOOK)
        while not done and time.process_time() < begun + limit:
            done = handle.wait(LOOK)
        if not done:
            handle.cancel()
        result = handle.get()
    taken = time.process_time() - begun
    if not done or not result.exhausted or not best:
        return None, taken
    return (best[0], best[1]), taken
