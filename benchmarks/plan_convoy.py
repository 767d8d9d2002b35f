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
from marchtable_models.asl.cpsat.convoy.model import ConvoyModel
from marchtable_models.asl.survey.lines import members

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.reach import Row

SEEDS = range(5)
SIZES = (3, 5, 8, 12)
HELD = range(3)
SMALL, FEW = 3, 4  # vehicles and Impulses with which answers are held equal
LARGE = 12
LIMIT = 20.0  # seconds for a peer; what takes longer counts as that
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


class Found(NamedTuple):
    """The best plan of a scene, the seconds it took, the model that found it, and the lead's end."""

    answer: tuple[int, int]
    built: float
    seconds: float
    model: ConvoyModel
    legal: bool
    end: str | None


def planned(position: Any, goal: Goal, impulses: int) -> Found:
    """Return the best distance of the lead and cost, proved, building included."""
    begun = time.process_time()
    line = members(position, position.unit("t1"))
    model = ConvoyModel(ASL, position, goal, line, impulses)
    built = time.process_time() - begun
    first = model.best(Task({"distance": -1}, {}, {}), Lent())
    assert first.bound is not None
    second = model.best(Task({"points": -1}, {}, {"distance": -first.bound}), Lent())
    taken = time.process_time() - begun
    assert first.status == second.status == "OPTIMAL"
    assert second.bound is not None
    assert second.log is not None
    verdict = check(position, second.log)
    legal = not (verdict.violations or verdict.unsupported)
    end = verdict.position.unit("t1").at
    return Found((-first.bound, -second.bound // len(line)), built, taken, model, legal, end)


def peers_of() -> dict[str, Callable[..., Any]]:
    """Return the peers that are here."""
    found: dict[str, Callable[..., Any]] = {"CP-SAT": by_cpsat}
    return found | ({"clingo": by_clingo} if has_clingo() else {})


def against_peers(count: int, impulses: int, seeds: range) -> tuple[list[Row], list[str]]:
    """Hold answers equal and compare times; a peer that reaches the limit counts as the limit."""
    times: dict[str, list[float]] = {"ours": []}
    notes = []
    for seed in seeds:
        position, goal = scene(count, seed)
        planned(position, goal, impulses)
        mine = planned(position, goal, impulses)
        assert mine.legal
        times["ours"].append(mine.seconds)
        tables = tables_of(mine.model)
        for name, run in peers_of().items():
            begun = time.process_time()
            answer, _ = run(tables, LIMIT)
            taken = time.process_time() - begun
            assert answer in (mine.answer, None), (seed, name, answer, mine.answer)
            times.setdefault(name, []).append(taken)
            if answer is None:
                notes.append(
                    f"{name}, {count} vehicles, {impulses} Impulses, seed {seed}: not proved in"
                    f" {LIMIT:.0f} s; counts as the {taken:.0f} s of process time it took."
                )
    ours, rows = median(times["ours"]) * 1e6, []
    for name, least in TARGETS.items():
        if name in times:
            other = median(times[name]) * 1e6
            what = f"{count} vehicles, {impulses} Impulses: {name} / ours"
            is_target = (count, impulses) == (LARGE, IMPULSES)
            told = f">= {least}" if is_target else "-"
            met = other / ours >= least or not is_target
            rows.append(row(what, other, ours, other / ours, told, met))
    return rows, notes


def growth() -> tuple[list[Row], list[str]]:
    """Time ours alone as Convoys grow, and building the model."""
    rows, notes = [], []
    for count in SIZES:
        taken, built, first = [], [], []
        for seed in SEEDS:
            position, goal = scene(count, seed)
            begun = time.process_time()
            cold = ConvoyModel(ASL, position, goal, members(position, position.unit("t1")))
            assert list(cold.quick())
            first.append(time.process_time() - begun)
            planned(position, goal, IMPULSES)
            found = planned(position, goal, IMPULSES)
            assert found.legal
            taken.append(found.seconds)
            built.append(found.built)
        notes.append(
            f"{count} vehicles, {IMPULSES} Impulses: {min(taken) * 1e3:.0f} to"
            f" {max(taken) * 1e3:.0f} ms, of which building {median(built) * 1e3:.0f} ms. A first"
            f" plan, tables asked of the rulebook included, after {median(first) * 1e3:.0f} ms."
        )
        middle, build = median(taken) * 1e6, median(built) * 1e6
        what = f"{count} vehicles, {IMPULSES} Impulses"
        rows.append(row(f"{what}: proved", middle, middle, 1, "-", True))
        print(notes[-1], flush=True)
        if count == LARGE:
            rows.append(row(f"{what}: built", build, build, 1, "< 30 ms", build < 30_000))
    return rows, notes


def reasons() -> Row:
    """Time the smallest set of clauses that forbid what eight vehicles could do but for the last."""
    taken = []
    for seed in SEEDS:
        position, goal = scene(8, seed)
        end = planned(position, goal, IMPULSES).end
        poor = position.unit("t8")
        told = type(poor)(
            **{name: getattr(poor, name) for name in poor.__struct_fields__}
            | {"spent": 44, "used": 44}
        )
        position = position.with_units([told])
        must = Goal(aims=(Aim(units=("t1",), at=(str(end),), must="all"),))
        line = members(position, position.unit("t1"))
        ConvoyModel(ASL, position, must, line).conflict(Lent())
        begun = time.process_time()
        assert ConvoyModel(ASL, position, must, line).conflict(Lent())
        taken.append(time.process_time() - begun)
    middle = median(taken) * 1e6
    return row("why, 8 vehicles", middle, middle, 1, "< 500 ms", middle < 500_000)


def main() -> None:
    """Run every comparison."""
    more, told = growth()
    why = reasons()
    rows, notes = against_peers(SMALL, FEW, HELD)
    large, remarks = against_peers(LARGE, IMPULSES, range(1))
    lines = [
        f"Python {platform.python_version()}, OR-tools {version('ortools')}"
        + (f", clingo {version('clingo')}" if has_clingo() else "; no clingo here: left out")
        + ". Medians of five seeds (of three against peers, with 12 vehicles of one), in microseconds of"
        " process time; building included, tables of the rulebook and compiled functions kept."
        " The peers read the same tables; clingo runs with its best configuration (usc).",
        *notes,
        *remarks,
        *told,
    ]
    report("plan-convoy", "Plans of Convoys", lines, [*rows, *large, *more, why])


if __name__ == "__main__":
    main()
