"""Time plans in which vehicles carry Infantry: ``python -m benchmarks.plan_transport``."""

from __future__ import annotations

import gc
import os
import pickle
import subprocess
import sys
import time
from importlib.util import find_spec
from itertools import product
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks.reach import report
from benchmarks.transport_scenes import instance
from marchtable.cpsat.harness import Status, solve
from marchtable.planning.choice.model import ChoiceModel
from marchtable.rules.plan_model import Task
from marchtable.rules.referee import check
from marchtable_models.asl.cpsat.transport.model import Transport
from marchtable_models.asl.rulebook import RULEBOOK
from tests.quiet import Quiet

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.reach import Row
    from marchtable.state.goal import Goal

SEEDS = 5
SIZES = ((12, 6), (40, 20), (80, 40))
OPEN = 2**62  # bounds beyond are none
LIMIT = 60.0  # deterministic time, and for HiGHS seconds
TASK = Task({"distance": -100, "points": -1}, {}, {})
HIGHS = """
import pickle, sys, time
import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_matrix
cost, rows, low, high, top, limit = pickle.load(sys.stdin.buffer)
matrix = csr_matrix((rows[2], (rows[0], rows[1])), shape=(len(low), len(cost)))
before = time.perf_counter(), time.process_time()
found = milp(cost, constraints=LinearConstraint(matrix, low, high), integrality=np.ones(len(cost)),
             bounds=Bounds(0, top), options={"time_limit": limit, "mip_rel_gap": 0})
print(found.status, round(found.fun) if found.fun is not None else None,
      time.perf_counter() - before[0], time.process_time() - before[1])
"""


class Taken(NamedTuple):
    """The proof, and its wall-clock and processor milliseconds."""

    best: int | None
    clock: float
    processor: float


def timed(run: Any) -> Taken:
    """Return a run's proof and its time."""
    gc.collect()
    gc.disable()  # as timeit does
    try:
        clock, processor = time.perf_counter(), time.process_time()
        best = run()
        taken = time.perf_counter() - clock, time.process_time() - processor
    finally:
        gc.enable()
    return Taken(best, taken[0] * 1e3, taken[1] * 1e3)


def ours(position: Any, goal: Goal) -> tuple[int | None, Transport]:
    """Return what the model proves, including tables, columns, model, cuts and replay."""
    model = Transport(RULEBOOK, position, goal)
    found = model.best(TASK, Quiet())
    if found.log is not None:  # as the planner replays it
        assert check(position, found.log).status == "LEGAL"
    return found.bound if found.status == "OPTIMAL" else None, model


def leave_whole(model: Transport) -> None:
    """Let the filter omit nothing, as if cuts were about all units wherever they end."""
    instance = model.instance
    every = [*instance.foot, *instance.aboard, *instance.vehicles]
    tokens: list[Any] = [*every, *product(every, instance.vehicles)]
    model.listing.cut((token, None) for token in tokens)


def program(model: Transport, *, whole: bool) -> ChoiceModel[Any]:
    """Return the last of our models with its cuts, or the same with every column."""
    if whole:
        leave_whole(model)
    problem = model.problem_of(TASK)
    made = ChoiceModel(problem, model.learned)
    made.aim(TASK)
    return made


def by_default(made: ChoiceModel[Any]) -> int | None:
    """Return what CP-SAT proves with default parameters and one worker."""
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_deterministic_time = LIMIT
    return round(solver.objective_value) if solver.solve(made.model) == cp_model.OPTIMAL else None


def tuned(made: ChoiceModel[Any]) -> int | None:
    """Return what CP-SAT proves with our profile."""
    outcome = solve(made.model, "knapsack", limit=LIMIT)
    return outcome.objective if outcome.status is Status.OPTIMAL else None


def by_highs(made: ChoiceModel[Any]) -> Taken:
    """Return what HiGHS proves for the same rows, in a separate process; reading them is not timed."""
    done = subprocess.run(
        [sys.executable, "-c", HIGHS], input=pickle.dumps(arrays(made)), capture_output=True,
        check=True,
    )  # fmt: skip
    status, best, clock, processor = done.stdout.split()
    proved = -int(best) - round(made.model.proto.objective.offset) if status == b"0" else None
    return Taken(proved, float(clock) * 1e3, float(processor) * 1e3)


def arrays(made: ChoiceModel[Any]) -> tuple[Any, ...]:
    """Return a model's rows as a matrix: a maximum becomes a minimum."""
    import numpy as np

    proto = made.model.proto
    size = len(proto.variables)
    cost = np.zeros(size)
    cost[list(proto.objective.vars)] = list(proto.objective.coeffs)
    top = [list(one.domain)[-1] for one in proto.variables]
    row: list[int] = []
    column: list[int] = []
    number: list[int] = []
    low: list[float] = []
    high: list[float] = []
    for names, factors, ends in (found for one in proto.constraints for found in rows_of(one, top)):
        row += [len(low)] * len(names)
        column += names
        number += factors
        low.append(ends[0] if abs(ends[0]) < OPEN else -np.inf)
        high.append(ends[1] if abs(ends[1]) < OPEN else np.inf)
    return cost, (row, column, number), low, high, top, LIMIT


def rows_of(one: Any, top: list[int]) -> Iterator[tuple[list[int], list[int], tuple[int, int]]]:
    """Yield the rows of a constraint; one with enforcing literals is loose unless all hold."""
    names, factors, (low, high) = row_of(one)
    given = list(one.enforcement_literal)
    if not given:
        yield names, factors, (low, high)
        return
    sums = [f * top[x] for x, f in zip(names, factors, strict=True)]
    least, most = (sum(pick(0, n) for n in sums) for pick in (min, max))
    for end, slack in ((low, max(0, low - least)), (high, min(0, high - most))):
        is_low = slack > 0
        if slack and abs(end) < OPEN:  # a false literal gives that much more room
            terms = dict(zip(names, factors, strict=True))
            for literal in given:
                x = literal if literal >= 0 else -literal - 1
                terms[x] = terms.get(x, 0) - (slack if literal >= 0 else -slack)
            at = end - slack * sum(literal >= 0 for literal in given)
            yield [*terms], [*terms.values()], (at, OPEN) if is_low else (-OPEN, at)


def row_of(one: Any) -> tuple[list[int], list[int], tuple[int, int]]:
    """Return a row's variables, their factors and its bounds."""
    kind = next(
        (
            kind
            for kind in ("exactly_one", "at_most_one", "bool_or")
            if getattr(one, f"has_{kind}")()
        ),
        None,  # asking for the field itself would make it one
    )
    if kind is None:
        domain = list(one.linear.domain)
        return list(one.linear.vars), list(one.linear.coeffs), (domain[0], domain[-1])
    found = list(getattr(one, kind).literals)
    negated = sum(literal < 0 for literal in found)
    least = 0 if kind == "at_most_one" else 1
    most = len(found) if kind == "bool_or" else 1
    names = [literal if literal >= 0 else -literal - 1 for literal in found]
    factors = [1 if literal >= 0 else -1 for literal in found]
    return names, factors, (least - negated, most - negated)


def compared(units: int, vehicles: int) -> tuple[list[Row], list[str]]:
    """Time one size; all proofs agree."""
    taken: dict[str, list[Taken]] = {}
    sizes, cuts = [], []
    for seed in range(SEEDS):
        position, goal = instance(units, vehicles, seed)
        _, model = ours(position, goal)  # what reach compiles is cached
        made = program(model, whole=False)
        sizes.append(len(made.model.proto.variables))
        runs = {
            "ours": timed(lambda p=position, g=goal: ours(p, g)[0]),
            "solving alone": timed(lambda m=made: tuned(m)),
            "default CP-SAT": timed(lambda m=made: by_default(m)),
        }
        if find_spec("scipy"):
            runs["HiGHS"] = by_highs(made)
        if units <= 40:
            every = program(model, whole=True)
            sizes[-1] = len(every.model.proto.variables)
            name = "default CP-SAT, every column"
            runs[name] = timed(lambda m=every: by_default(m))
            if find_spec("scipy"):
                runs["HiGHS, every column"] = by_highs(every)
        proved = {name: one.best for name, one in runs.items() if one.best is not None}
        assert len(set(proved.values())) == 1, proved
        cuts.append(len(model.learned.cuts))
        for name, one in runs.items():
            taken.setdefault(name, []).append(one)
    rows = []
    mine = median(one.processor for one in taken["ours"])
    for name, found in taken.items():
        other = median(one.processor for one in found)
        failed = sum(one.best is None for one in found)
        what = f"{units} units, {vehicles} vehicles: {name}"
        result = f"{len(found) - failed} of {len(found)} proved"
        clock = median(one.clock for one in found)
        rows.append((what, f"{other:.1f}", f"{clock:.1f}", f"{other / mine:.2f}", result))
    return rows, [
        f"{units} and {vehicles}: {median(sizes):.0f} variables in the largest model timed, "
        f"{median(cuts):.0f} cuts."
    ]


def main() -> None:
    """Run the comparisons of the sizes named by their numbers of units, or of every size."""
    sizes = [size for size in SIZES if str(size[0]) in sys.argv[1:]] or SIZES
    os.environ["MARCHTABLE_KERNEL"] = "numba"
    rows: list[Row] = []
    notes = [
        "Milliseconds of the processor (this) and by the clock (against); Ratio is to ours. Medians "
        f"of {SEEDS} seeds on one board; the machine was shared, so read the ratios.",
        "Ours takes in tables, columns, model, proof and the referee's replay; what reach compiles is "
        "kept from an earlier question, and Python does not collect garbage meanwhile. The others get the last model built, with all cuts that our "
        "replays found, and solve it once: the same columns, or (every column) all that reach and "
        "the rulebook allow.",
        "HiGHS is scipy's, one thread, in a process of its own." if find_spec("scipy")
        else "No scipy here: HiGHS is left out.",
    ]  # fmt: skip
    for units, vehicles in sizes:
        more, found = compared(units, vehicles)
        rows += more
        notes += found
        report("plan-transport", "Transport plans", notes, rows)


if __name__ == "__main__":
    main()
