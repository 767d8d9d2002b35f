"""Solvers besides ours on the delivery models: HiGHS, which reads them as mixed-integer programs."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from marchtable.planning.choice import model

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["by_highs", "solved"]

LIMIT = 20.0  # seconds
FAR = 10**7  # bounds beyond are none
INF = float("inf")
Row = tuple[dict[int, float], float, float]
"""Factors by variable, and the least and most that the sum may be."""


def solved(run: Callable[[], Any]) -> tuple[list[tuple[Any, int | None]], float]:
    """Run a function; return each model it solved with its optimum, and the milliseconds."""
    choosing: Any = model
    own, models, taken = choosing.solve, [], 0.0

    def solve(asked: Any, *args: Any, **kwargs: Any) -> Any:
        nonlocal taken
        before = time.process_time()
        found = own(asked, *args, **kwargs)
        taken += time.process_time() - before
        models.append((asked.clone(), found.objective))
        return found

    choosing.solve = solve
    try:
        run()
    finally:
        choosing.solve = own
    return models, taken * 1e3


def by_highs(model: Any) -> tuple[float, int | None]:
    """Return HiGHS' milliseconds for a model, and the optimum, or None if unproved."""
    import numpy as np
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import coo_matrix

    proto = model.proto
    low, high = np.array([[min(v.domain), max(v.domain)] for v in proto.variables], dtype=float).T
    cost = np.zeros(len(low))
    for variable, factor in zip(proto.objective.vars, proto.objective.coeffs, strict=True):
        cost[variable] = factor
    widest = np.maximum(abs(low), abs(high)).tolist()
    rows = [row for constraint in proto.constraints for row in rows_of(constraint, widest)]
    entries = [(n, v, c) for n, (terms, _, _) in enumerate(rows) for v, c in terms.items()]
    numbers, variables, factors = zip(*entries, strict=True)
    matrix = coo_matrix((factors, (numbers, variables)), shape=(len(rows), len(low)))
    bounds = LinearConstraint(matrix.tocsr(), [r[1] for r in rows], [r[2] for r in rows])
    before = time.process_time()
    found = milp(
        cost, constraints=bounds, bounds=Bounds(low, high), integrality=np.ones(len(low)),
        options={"time_limit": LIMIT, "mip_rel_gap": 0.0},
    )  # fmt: skip
    taken = (time.process_time() - before) * 1e3
    scale = proto.objective.scaling_factor or 1.0
    best = scale * (found.fun + proto.objective.offset) if found.status == 0 else None
    return taken, None if best is None else round(best)


def rows_of(constraint: Any, widest: Sequence[float]) -> list[Row]:
    """Return a constraint as rows of a matrix; if its enforcing literal is false, the rows are free."""
    literals = [-e - 1 for e in constraint.enforcement_literal]
    if constraint.has_exactly_one():
        terms, constant = linear([(literal, 1) for literal in constraint.exactly_one.literals])
        return [(terms, 1 - constant, 1 - constant)]
    if constraint.has_bool_or():
        every = [*constraint.bool_or.literals, *literals]
        terms, constant = linear([(literal, 1) for literal in every])
        return [(terms, 1 - constant, INF)]
    assert constraint.has_linear(), constraint
    found = constraint.linear
    sums = list(zip(found.vars, found.coeffs, strict=True))
    rows: list[Row] = []
    for bound, sign in ((min(found.domain), 1), (max(found.domain), -1)):
        if abs(bound) < FAR:
            span = abs(bound) + sum(abs(c) * widest[v] for v, c in sums)
            terms, constant = linear([*sums, *((literal, sign * span) for literal in literals)])
            limit = bound - constant
            rows.append((terms, limit, INF) if sign == 1 else (terms, -INF, limit))
    return rows


def linear(terms: list[tuple[int, float]]) -> tuple[dict[int, float], float]:
    """Return a sum over literals as one over variables, and its constant."""
    found: dict[int, float] = {}
    constant = 0.0
    for literal, factor in terms:
        variable, sign = (literal, 1) if literal >= 0 else (-literal - 1, -1)
        constant += factor if sign < 0 else 0
        found[variable] = found.get(variable, 0) + sign * factor
    return found, constant
