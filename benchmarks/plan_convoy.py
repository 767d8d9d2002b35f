"""Time the plans of Convoys: ``python -m benchmarks.plan_convoy``."""

from __future__ import annotations

import platform
import time
from importlib.metadata import version
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks.convoy_peers import by_clingo, by_cpsat, has_clingo, tables_of
from benchmarks.convoy_scenes import IMPULSES, scene
from benchmarks.reach import report, row
from marchtable.cpsat import Stop
from marchtable.planning.goal import Aim, Goal
from marchtable.planning.model import Task
from marchtable.referee import check
from marchtable.rulebook import find_rulebook
from marchtable_models.asl.cpsat import convoyplan
from marchtable_models.asl.cpsat.convoyplan import ConvoyModel
from marchtable_models.asl.lines import members

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.reach import Row

SEEDS = range(5)
SIZES = (3, 5, 8, 12)
SMALL, FEW = 3, 6  # vehicles and Impulses with which the peers are held
LIMIT = 90.0  # seconds for a peer
TARGETS = {"clingo": 60, "CP-SAT": 100}
ASL = find_rulebook("asl")


class Lent:
    """What a planner lends a model."""

    def __init__(self) -> None:
        self.stop, self.seed, self.time = Stop(), 0, 600.0

    def left(self) -> float:
        return self.time

    def spend(self, time: float) -> None:
        self.time -= time

    def found(self, log: Any) -> None:
        pass

    def bounded(self, bound: int) -> None:
        pass


class Clocks:
    """Where the time goes: seconds by what is called."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}

    def on(self, owner: Any, name: str, label: str) -> None:
        """Time what is called by that name from now on."""
        inner = getattr(owner, name)

        def timed(*args: Any, **kwargs: Any) -> Any:
            begun = time.perf_counter()
            try:
                return inner(*args, **kwargs)
            finally:
                taken = time.perf_counter() - begun
                self.spent[label] = self.spent.get(label, 0.0) + taken

        setattr(owner, name, timed)


class Found(NamedTuple):
    """The best plan of a scene, the seconds it took, and the model that found it."""

    answer: tuple[int, int]
    seconds: float
    model: ConvoyModel
    legal: bool


def planned(position: Any, goal: Goal, impulses: int) -> Found:
    """Return the best distance of the lead and cost, proved, building included."""
    begun = time.perf_counter()
    line = members(position, position.unit("t1"))
    model = ConvoyModel(ASL, position, goal, line, impulses)
    first = model.best(Task({"distance": -1}, {}, {}), Lent())
    assert first.bound is not None
    second = model.best(Task({"points": -1}, {}, {"distance": -first.bound}), Lent())
    taken = time.perf_counter() - begun
    assert first.status == second.status == "OPTIMAL"
    assert second.bound is not None
    assert second.log is not None
    verdict = check(position, second.log)
    legal = not (verdict.violations or verdict.unsupported)
    return Found((-first.bound, -second.bound // len(line)), taken, model, legal)


def against_peers() -> tuple[list[Row], list[str]]:
    """Hold answers equal and compare times where the peers come to an end."""
    times: dict[str, list[float]] = {"ours": []}
    notes = []
    for seed in SEEDS:
        position, goal = scene(SMALL, seed)
        planned(position, goal, FEW)
        mine = planned(position, goal, FEW)
        assert mine.legal
        times["ours"].append(mine.seconds)
        tables = tables_of(mine.model)
        peers: dict[str, Callable[..., Any]] = {"CP-SAT": by_cpsat}
        if has_clingo():
            peers["clingo"] = by_clingo
        for name, run in peers.items():
            answer, taken = run(tables, LIMIT)
            assert answer in (mine.answer, None), (seed, name, answer, mine.answer)
            times.setdefault(name, []).append(taken)
            if answer is None:
                notes.append(f"{name}, seed {seed}: not proved in {LIMIT:.0f} s, counted as that.")
    ours, rows = median(times["ours"]) * 1e6, []
    for name, least in TARGETS.items():
        if name in times:
            other = median(times[name]) * 1e6
            what = f"{SMALL} vehicles, {FEW} Impulses: {name} / ours"
            met = other / ours >= least
            rows.append(row(what, other, ours, other / ours, f">= {least}", met))
    return rows, notes


def growth() -> tuple[list[Row], list[str]]:
    """Time ours alone at sizes that the peers do not come to an end with, and tell where it goes."""
    rows, notes = [], []
    for count in SIZES:
        clocks = Clocks()
        taken, first = [], []
        kept = {name: getattr(convoyplan, name) for name in ("forward", "narrowed", "solved")}
        logic = convoyplan.Logic.__init__
        for seed in SEEDS:
            position, goal = scene(count, seed)
            begun = time.perf_counter()
            cold = ConvoyModel(ASL, position, goal, members(position, position.unit("t1")))
            assert list(cold.quick())
            first.append(time.perf_counter() - begun)
            for name in kept:
                clocks.on(convoyplan, name, name)
            clocks.on(convoyplan.Logic, "__init__", "clauses")
            found = planned(position, goal, IMPULSES)
            for name, inner in kept.items():
                setattr(convoyplan, name, inner)
            convoyplan.Logic.__init__ = logic  # type: ignore[method-assign]
            assert found.legal
            taken.append(found.seconds)
        told = ", ".join(
            f"{what} {clocks.spent.get(name, 0) / len(taken) * 1e3:.0f} ms"
            for name, what in (("forward", "forward layers"), ("narrowed", "narrowing"),
                               ("clauses", "clauses"), ("solved", "CP-SAT"))
        )  # fmt: skip
        notes.append(
            f"{count} vehicles, {IMPULSES} Impulses: {min(taken) * 1e3:.0f} to"
            f" {max(taken) * 1e3:.0f} ms; on average {told}. A first plan, tables asked of the"
            f" rulebook included, after {median(first) * 1e3:.0f} ms."
        )
        middle = median(taken) * 1e6
        rows.append(
            row(f"{count} vehicles, {IMPULSES} Impulses: proved", middle, middle, 1, "-", True)
        )
    return rows, notes


def reasons() -> Row:
    """Time the smallest set of clauses that forbid a goal of eight vehicles."""
    taken = []
    for seed in SEEDS:
        position, goal = scene(8, seed)
        poor = position.unit("t8")
        told = type(poor)(
            **{name: getattr(poor, name) for name in poor.__struct_fields__}
            | {"spent": 44, "used": 44}
        )
        position = position.with_units([told])
        must = Goal(aims=(Aim(units=("t1",), at=goal.aims[0].near, must="all"),))
        line = members(position, position.unit("t1"))
        ConvoyModel(ASL, position, must, line).conflict(Lent())
        begun = time.perf_counter()
        ConvoyModel(ASL, position, must, line).conflict(Lent())
        taken.append(time.perf_counter() - begun)
    middle = median(taken) * 1e6
    return row("why, 8 vehicles", middle, middle, 1, "< 500 ms", middle < 500_000)


def main() -> None:
    """Run every comparison."""
    rows, notes = against_peers()
    more, remarks = growth()
    told = [
        f"Python {platform.python_version()}, OR-tools {version('ortools')}"
        + (f", clingo {version('clingo')}" if has_clingo() else "; no clingo here: left out")
        + ". Medians of five seeds, in microseconds; building included, tables kept. "
        "The peers read the same tables.",
        *notes,
        *remarks,
    ]
    report("plan-convoy", "Plans of Convoys", told, [*rows, *more, reasons()])


if __name__ == "__main__":
    main()
