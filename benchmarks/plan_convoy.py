"""Time the plans of Convoys: ``python -m benchmarks.plan_convoy``."""

from __future__ import annotations

import os
import platform
import time
from importlib.metadata import version
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks.apart import apart
from benchmarks.convoy_astar import WORK, by_astar
from benchmarks.convoy_peers import by_clingo, by_cpsat, has_clingo, tables_of
from benchmarks.convoy_scenes import IMPULSES, MAPS, scene, scene_on
from benchmarks.reach import report, row
from marchtable.cpsat.harness import Stop
from marchtable.rules.plan_model import Task
from marchtable.rules.referee import check
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.goal import Aim, Goal
from marchtable.state.records import replace
from marchtable_models.asl.cpsat.convoy.model import ConvoyModel
from marchtable_models.asl.views.lines import members

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from benchmarks.convoy_peers import Tables
    from benchmarks.reach import Row

    Stated = tuple[list[Row], list[str]]
SEEDS = range(5)
SIZES = (3, 5, 8, 12, 16)
FEW = (3, 5)  # vehicles for A*
ON_MAPS = range(3)  # seeds for maps of several boards
SMALL = (3, 3)  # vehicles and Impulses for which solvers prove their answers
LARGE = 12
LIMIT = 40.0  # seconds of process time for a solver; a longer run counts as that
ASL = find_rulebook("asl")


class PlainControl:
    """What a planner provides to a model."""

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
    """The best plan of a scene, its seconds, the model that found it, and the lead's end."""

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
    first = model.best(Task({"distance": -1}, {}, {}), PlainControl())
    assert first.bound is not None
    second = model.best(Task({"points": -1}, {}, {"distance": -first.bound}), PlainControl())
    taken = time.process_time() - begun
    assert first.status == second.status == "OPTIMAL"
    assert second.bound is not None
    assert second.log is not None
    verdict = check(position, second.log)
    legal = not (verdict.violations or verdict.unsupported)
    end = verdict.position.unit("t1").at
    return Found((-first.bound, -second.bound // len(line)), built, taken, model, legal, end)


class Peer(NamedTuple):
    """A peer, the wanted speed-up of ours, and its answer and time."""

    name: str
    target: int
    ask: Callable[[Tables, float], tuple[Any, float]]


def peers_of() -> list[Peer]:
    """Return the available solvers."""
    found = [Peer("CP-SAT with default parameters", 100, by_cpsat)]
    return found + ([Peer("clingo (usc)", 60, by_clingo)] if has_clingo() else [])


def best_planned(position: Any, goal: Goal, impulses: int) -> Found:
    """Return the median of three runs by time taken, with tables and compiled functions ready."""
    planned(position, goal, impulses)
    found = [planned(position, goal, impulses) for _ in range(3)]
    assert all(each.legal for each in found)
    return sorted(found, key=lambda each: each.seconds)[1]


def against_solvers(count: int, impulses: int, seeds: Iterable[int]) -> Stated:
    """Check that answers are equal and compare times; a peer that reaches the limit counts as that."""
    rows, notes, mine = [], [], []
    times: dict[str, list[float]] = {peer.name: [] for peer in peers_of()}
    proved = dict.fromkeys(times, 0)
    for seed in seeds:
        found = best_planned(*scene(count, seed), impulses)
        mine.append(found.seconds)
        tables = tables_of(found.model)
        for peer in peers_of():
            answer, taken = apart(peer.ask, tables, LIMIT)
            assert answer in (found.answer, None), (seed, peer.name, answer, found.answer)
            times[peer.name].append(taken)
            proved[peer.name] += answer is not None
    what = f"{count} vehicles, {impulses} Impulses"
    ours, is_target = median(mine) * 1e6, (count, impulses) == (LARGE, IMPULSES)
    result = ", ".join(f"{each * 1e3:.0f}" for each in mine)
    notes.append(f"{what}: ours seed by seed, ms: {result}.")
    for peer in peers_of():
        other, number = median(times[peer.name]) * 1e6, proved[peer.name]
        rows.append(row(
            f"{what}: {peer.name} / ours", other, ours, other / ours,
            f">= {peer.target}" if is_target else "-",
            other / ours >= peer.target or not is_target,
        ))  # fmt: skip
        notes.append(
            f"{what}: {peer.name} proved {number} of {len(mine)}, and the same as ours."
            + _limited(len(mine) - number, LIMIT)
        )
    return rows, notes


def _limited(number: int, limit: float) -> str:
    found = f" The other {number} count as the limit of {limit:.0f} s: the ratio is at least that."
    return found if number else ""


def against_astar(count: int) -> Stated:
    """Compare ours with a compiled A* over joint configurations; where it gives up counts as that."""
    mine, other, gave_up = [], [], 0
    for seed in SEEDS:
        found = best_planned(*scene(count, seed), IMPULSES)
        tables = tables_of(found.model)
        answer, taken, _ = by_astar(tables)
        if answer is not None:
            taken = median([taken, *(by_astar(tables)[1] for _ in range(2))])
        assert answer in (found.answer, None), (seed, answer, found.answer)
        gave_up += answer is None
        mine.append(found.seconds)
        other.append(taken)
    middle, theirs = median(mine) * 1e6, median(other) * 1e6
    what = f"{count} vehicles, {IMPULSES} Impulses: ours / A*"
    result = ", ".join(f"{a * 1e3:.0f} / {b * 1e3:.0f}" for a, b in zip(mine, other, strict=True))
    notes = [
        f"A*, {count} vehicles, seed by seed, ms: {result}; it gave up on {gave_up} of {len(mine)}"
        f" (after {WORK // 10**6} million moves), all others are the same as ours."
    ]
    ratio = middle / theirs
    return [row(what, middle, theirs, ratio, "<= 5", ratio <= 5)], notes


def growth(what: str, scenes: list[tuple[Any, Goal]], count: int) -> Stated:
    """Time ours alone on some scenes."""
    taken, built, first = [], [], []
    for position, goal in scenes:
        begun = time.process_time()
        cold = ConvoyModel(ASL, position, goal, members(position, position.unit("t1")))
        assert list(cold.quick())
        first.append(time.process_time() - begun)
        found = best_planned(position, goal, IMPULSES)
        taken.append(found.seconds)
        built.append(found.built)
    note = (
        f"{what}: {min(taken) * 1e3:.0f} to {max(taken) * 1e3:.0f} ms, of which building"
        f" {median(built) * 1e3:.0f} ms. A first plan, tables asked of the rulebook included, after"
        f" {median(first) * 1e3:.0f} ms."
    )
    middle, build = median(taken) * 1e6, median(built) * 1e6
    rows = [row(f"{what}: proved", middle, middle, 1, "-", met=True)]
    if count == LARGE:
        rows.append(row(f"{what}: built", build, build, 1, "< 30 ms", build < 30_000))
    return rows, [note]


def reasons() -> Stated:
    """Time the smallest set of clauses that forbids the goal of eight vehicles because of the last."""
    mine: list[float] = []
    for seed in SEEDS:
        position, must = forbidden(seed)
        line = members(position, position.unit("t1"))
        ConvoyModel(ASL, position, must, line).conflict(PlainControl())
        begun = time.process_time()
        assert ConvoyModel(ASL, position, must, line).conflict(PlainControl())
        mine.append(time.process_time() - begun)
    middle = median(mine) * 1e6
    return [row("why, 8 vehicles", middle, middle, 1, "< 500 ms", middle < 500_000)], []


def forbidden(seed: int) -> tuple[Any, Goal]:
    """Return eight vehicles whose last is too poor for the lead's goal."""
    position, goal = scene(8, seed)
    end = planned(position, goal, IMPULSES).end
    poor = replace(position.unit("t8"), spent=44, used=44)
    aim = Aim(units=("t1",), at=(str(end),), must="all")
    return position.with_units([poor]), Goal(aims=(aim,))


def parts() -> Iterator[Stated]:
    """Yield every comparison."""
    for count in SIZES:
        scenes = [scene(count, seed) for seed in SEEDS]
        yield growth(f"{count} vehicles, {IMPULSES} Impulses", scenes, count)
    for boards in MAPS:
        scenes = [scene_on(boards, 8, seed) for seed in ON_MAPS]
        yield growth(f"8 vehicles on a map of {boards} boards' size", scenes, 8)
    by_astar(tables_of(planned(*scene(2, 0), 2).model))  # compiles it
    for count in FEW:
        yield against_astar(count)
    yield reasons()
    yield against_solvers(*SMALL, SEEDS)
    yield against_solvers(LARGE, IMPULSES, SEEDS)


def as_they_come() -> Iterator[Stated]:
    """Yield every comparison, and show it at once."""
    begun = time.perf_counter()
    for rows, notes in parts():
        for each in (*rows, *notes):
            print(f"{time.perf_counter() - begun:.0f} s", each, flush=True)
        yield rows, notes


def main() -> None:
    """Run every comparison."""
    load, begun = os.getloadavg()[1], time.perf_counter()
    found = [*as_they_come()]
    whole = (time.perf_counter() - begun) / 60
    lines = [
        f"Python {platform.python_version()}, OR-tools {version('ortools')}"
        + (f", clingo {version('clingo')}" if has_clingo() else "; no clingo here: left out")
        + ". Medians of five seeds (of three on maps), each of ours"
        " the median of three runs, in microseconds of process time; building included, tables of"
        " the rulebook and compiled functions kept. The peers read the same tables; clingo runs"
        " with its best configuration (usc).",
        f"{os.cpu_count()} processors, load {load:.1f} before and {os.getloadavg()[1]:.1f} after;"
        f" {whole:.0f} minutes in all.",
        *(note for _, notes in found for note in notes),
    ]
    report("plan-convoy", "Plans of Convoys", lines, [each for rows, _ in found for each in rows])


if __name__ == "__main__":
    main()
