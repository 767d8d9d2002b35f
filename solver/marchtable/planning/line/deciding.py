"""What CP-SAT is asked about a line: whether it has a plan within some layers, and the best of these."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from marchtable.cpsat.harness import Status, solve, weighted
from marchtable.planning.line.constraints import Constraints
from marchtable.planning.line.sweep import Layers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.planning.line.problem import LineProblem
    from marchtable.planning.line.worth import Limits
    from marchtable.rules.plan_model import Control

__all__ = ["checked", "could_end", "solved", "stated"]


def stated(problem: LineProblem, layers: Layers, limits: Limits, least: int | None) -> Constraints:
    """Return the model of the plans within some layers that come to so much, None for any."""
    model = Constraints(problem, layers, limits, least)
    model.add_all()
    return model


def could_end(
    problem: LineProblem, layers: Layers, limits: Limits, least: int | None, control: Control
) -> bool:
    """Return whether members could end as is wanted as far as their last places tell; True at a limit."""
    graph = problem.graph
    ends = np.bitwise_or.reduce(layers.ends.reshape(-1, graph.count * graph.size), axis=0)
    model = Constraints(problem, Layers(ends, ends), limits, least)
    model.add_last_places()
    return _asked(model, control, (), "last places")[0] is not Status.IMPOSSIBLE


def solved(
    model: Constraints, control: Control, sought: Sequence[tuple[int, int]] = (), *,
    limit: float = inf,
) -> Any | None:  # fmt: skip
    """
    Return the values of a plan in which nobody goes straight back, None if there is none.

    Parameters
    ----------
    model, control
        All that binds the plan, and what the planner lends.
    sought
        Literals and what each counts, if the best plan is sought; by default any will do.
    limit
        Deterministic time for one search, if that is less than the planner lends.

    Raises
    ------
    TimeoutError
        If a limit is reached.
    """
    cuts = model.problem.cuts
    while True:
        status, values = _asked(model, control, sought, limit=limit)
        if status is Status.IMPOSSIBLE:
            return None
        if status is not Status.OPTIMAL and (sought or status is Status.UNKNOWN):
            raise TimeoutError
        backs = {each for course in model.courses(values) for each in cuts.breaks(course)}
        if not backs:
            return values
        cuts.learn(backs)
        for each in sorted(backs):
            cuts.not_back(model, *each)


def _asked(
    model: Constraints, control: Control, sought: Sequence[tuple[int, int]], what: str = "", *,
    limit: float = inf,
) -> tuple[Status, Any]:  # fmt: skip
    """Return how CP-SAT ends, and the values of a plan if it found one."""
    checked(control)
    rows = model.model()
    if sought:
        rows.maximize(weighted([(rows.get_bool_var_from_proto_index(x), n) for x, n in sought]))
    outcome = solve(
        rows, "logic", limit=min(limit, control.left()), stop=control.stop, seed=control.seed,
        about=(model.graph, model.parting and model.parting.at, what),
    )  # fmt: skip
    control.spend(outcome.time)
    return outcome.status, [
        *outcome.solver.response_proto.solution
    ]  # the solver's own goes with it


def checked(control: Control) -> None:
    """Raise TimeoutError if a limit is reached or a stop was requested."""
    if control.stop.is_requested or control.left() <= 0:
        raise TimeoutError
