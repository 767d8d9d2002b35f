"""Time plans of Columns: ``python -m benchmarks.plan_column``."""

from __future__ import annotations

import time
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks.reach import report
from benchmarks.scenes import asl, open_ground, single
from marchtable.cpsat.harness import weighted
from marchtable.planning.goals import checked_goal
from marchtable.planning.line.constraints import LineConstraints
from marchtable.planning.line.sweep import Layers
from marchtable.planning.line.worth import TaskRows
from marchtable.rules.plan_model import Task
from marchtable.state.goal import Aim, Goal
from marchtable.state.records import struct_from_fields
from marchtable_models.asl.cpsat.column.model import column_models
from marchtable_models.asl.model import AslUnit
from marchtable_models.asl.rulebook import RULEBOOK
from tests.quiet import Quiet

if TYPE_CHECKING:
    from benchmarks.reach import Row
    from marchtable_models.asl.cpsat.column.model import ColumnModel

SEEDS = 5
SIZES = (6, 12)
LIMIT = 60.0  # deterministic time
TASK = Task({"distance": -100, "points": -1}, {}, {})


class Taken(NamedTuple):
    """The proof, and its processor time in milliseconds."""

    best: int | None
    processor: float


def timed(run: Any) -> Taken:
    """Return a run's proof and its time."""
    processor = time.process_time()
    best = run()
    return Taken(best, (time.process_time() - processor) * 1e3)


def instance(count: int, seed: int) -> tuple[Any, Goal]:
    """Return a Column of squads behind a leader on a board, and a goal some hexes away."""
    board, random = single(), Random(seed)
    places = set(open_ground(board))
    line: list[str] = []
    while len(line) < count:
        near = [name for _, name in board.neighbours(line[-1])] if line else sorted(places)
        free = [name for name in near if name in places and name not in line]
        line = [*line, random.choice(free)] if free else []
    units = [
        struct_from_fields(AslUnit, id=f"u{n}", side="german", type="squad" if n else "leader", at=at, column="k",
                rank=n)
        for n, at in enumerate(line)
    ]  # fmt: skip
    far = [name for name in sorted(places) if 4 <= board.distance(name, line[0]) <= 7]
    goal = Goal(aims=(Aim(units=tuple(u.id for u in units), near=(random.choice(far),)),))
    position = asl(board, units)
    return position, checked_goal(goal, position)


def made(position: Any, goal: Goal) -> ColumnModel:
    """Return the model of the Column."""
    return column_models(RULEBOOK, position, goal, "avoid")[0]


def ours(model: ColumnModel) -> int | None:
    """Return what the model proves, including the first plan."""
    tuple(model.quick())
    found = model.best(TASK, Quiet())
    return found.bound if found.status == "OPTIMAL" else None


def by_default(model: ColumnModel) -> int | None:
    """Return what CP-SAT proves of the plain model, with default parameters and one worker."""
    from ortools.sat.python import cp_model

    field, limits = model.graph, TaskRows(model.worth, TASK)
    ends = field.masks.copy()
    ends[: field.count * field.size] = 0
    rules = LineConstraints(model, Layers(field.masks, ends), limits, None)
    rules.add_all()
    terms, cutoff = limits.terms(rules, limits.sum)
    plain = rules.model()
    plain.maximize(weighted([(plain.get_bool_var_from_proto_index(x), w) for x, w in terms]))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_deterministic_time = LIMIT
    if solver.solve(plain) != cp_model.OPTIMAL:
        return None
    return round(solver.objective_value) + cutoff - limits.sum.least


def compared(count: int) -> list[Row]:
    """Time one size; all proofs agree."""
    taken: dict[str, list[Taken]] = {}
    for seed in range(SEEDS):
        position, goal = instance(count, seed)
        model = made(position, goal)
        tables = timed(lambda p=position, g=goal: made(p, g) and None)
        runs = {
            "default CP-SAT, plain model": timed(lambda m=model: by_default(m)),
            "ours": timed(lambda m=model: ours(m)),
        }
        proved = {name: one.best for name, one in runs.items() if one.best is not None}
        assert len(set(proved.values())) == 1, proved
        for name, one in {**runs, "tables, for either": tables}.items():
            taken.setdefault(name, []).append(one)
    mine = median(one.processor for one in taken["ours"])
    return [
        (f"{count} units: {name}", f"{mine:.0f}", f"{other:.0f}", f"{other / mine:.2f}",
         f"{sum(one.best is not None for one in found)} of {len(found)} proved")
        for name, found in taken.items()
        for other in [median(one.processor for one in found)]
    ]  # fmt: skip


def main() -> None:
    """Run every comparison."""
    rows: list[Row] = []
    notes = [
        "Milliseconds of the processor, of ours (this) and of the one named (against). Medians of "
        f"{SEEDS} seeds on one board; the machine was shared, so read the ratios.",
        "Both read the same tables of states and steps, asked of the rulebook before. Ours takes in "
        "first plan, bounds and proof; the other's model has all states and the same constraints.",
    ]
    for count in SIZES:
        rows += compared(count)
        report("plan-column", "Plans of Columns", notes, rows)


if __name__ == "__main__":
    main()
