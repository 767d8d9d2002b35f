"""Time the search kernel: ``python -m benchmarks.reach``."""

from __future__ import annotations

import os
import platform
import time
from datetime import date
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.dial import CSearch, library
from benchmarks.maps import SIZES, build, centre
from marchtable.reachability import kernel as kernel_module
from marchtable.reachability.kernel import backend, search, search_batch
from marchtable.reachability.queries import Queries

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from marchtable.reachability.kernel import Reached
    from marchtable.reachability.space import SearchSpace

POINTS = (14, 30)  # MP; the arrays count half points
ROUNDS, MIDDLE_ROUNDS, SLOW_ROUNDS = 61, 21, 3
IN_TURN = 5
UNITS = 60
RESULTS = Path(__file__).with_name("results")
Row = tuple[str, str, str, str, str]


class Course(NamedTuple):
    """One map and budget, with its contestants by name."""

    name: str
    space: SearchSpace
    start: int
    reached: Reached
    fast: dict[str, Callable[[], Any]]
    slow: dict[str, Callable[[], Any]]


def bare(space: SearchSpace, starts: list[int]) -> Callable[[], Any]:
    """Return calls of the compiled kernel, one for each start, with all arguments prepared."""
    run = kernel_module.compiled_kernel()
    assert run is not None
    work = kernel_module.Workspace(space.limit, compiled=True)
    work.fit(space, 0)
    calls = []
    for start in starts:
        asked, marks = Queries(space, [[start]], [[0]]).part(0, 1, compiled=True)
        calls.append(
            ((*space.arrays, space.limit), asked, tuple(work.parts[:3]), (*work.parts[3:], marks))
        )
    return lambda: [run(*arguments) for arguments in calls]


def networkx_search(space: SearchSpace, start: int, expected: dict[int, int]) -> Callable[[], Any]:
    """Return networkx's search of the same arcs, after checking that its answer is the same."""
    import networkx as nx

    graph: Any = nx.DiGraph()
    sources = np.repeat(np.arange(space.size), space.last - space.first).tolist()
    arcs = zip(sources, space.target.tolist(), space.cost.tolist(), strict=True)
    graph.add_weighted_edges_from(arcs)
    budget = int(space.limit[0])
    spent, _ = nx.single_source_dijkstra(graph, start, cutoff=budget)
    assert expected == spent
    return lambda: nx.single_source_dijkstra(graph, start, cutoff=budget)


def scipy_search(
    space: SearchSpace, start: int, expected: dict[int, int]
) -> Callable[[], Any] | None:
    """Return scipy's search of the same arcs likewise, or None without scipy."""
    try:
        from scipy.sparse import csr_matrix
        from scipy.sparse.csgraph import dijkstra
    except ImportError:
        return None
    arcs = space.cost.astype(float), space.target, np.append(space.first, len(space.target))
    matrix = csr_matrix(arcs, shape=(space.size, space.size))
    options: dict[str, Any] = {"indices": start, "limit": int(space.limit[0])}
    options["return_predecessors"] = True
    spent, _ = dijkstra(matrix, **options)
    assert expected == {int(s): int(spent[s]) for s in np.flatnonzero(np.isfinite(spent))}
    return lambda: dijkstra(matrix, **options)


def course(name: str, points: int, c_search: Any) -> Course:
    """Set up one map and budget; every contestant has given the same answer."""
    size = SIZES[name]
    space, start = build(*size, budget=2 * points), centre(*size)
    reached = search(space, [start], [0])
    fast: dict[str, Callable[[], Any]] = {"kernel": bare(space, [start])}
    fast["search"] = lambda: search(space, [start], [0])
    if c_search is not None:
        in_c = CSearch(c_search, space)
        count = in_c(start)
        assert reached.table.tolist() == in_c.out[:, :count].tolist()
        fast["C"] = lambda: in_c(start)
    spent = dict(zip(reached.state.tolist(), reached.spent.tolist(), strict=True))
    slow = {"networkx": networkx_search(space, start, spent)}
    scipy = scipy_search(space, start, spent)
    if scipy is not None:
        slow["scipy"] = scipy
    return Course(f"{name} {points} MP", space, start, reached, fast, slow)


def take_turns(contestants: dict[str, Callable[[], Any]], rounds: int) -> dict[str, float]:
    """
    Return the median time of each in microseconds; they take turns.

    Each runs once in its turn to find the processor's caches as it would leave them itself, then
    counts the median of a few runs.
    """
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, run in contestants.items():
            run()
            taken = []
            for _ in range(IN_TURN):
                before = time.perf_counter()
                run()
                taken.append((time.perf_counter() - before) * 1e6)
            times[name].append(median(taken))
    return {name: median(taken) for name, taken in times.items()}


def row(what: str, mine: float, other: float, ratio: float, target: str, met: bool) -> Row:
    """Return one line of the table."""
    verdict = f"{target}: {'met' if met else 'MISSED'}"
    return what, f"{mine:.1f}", f"{other:.1f}", f"{ratio:.2f}", verdict


def against_others(one: Course) -> list[Row]:
    """Compare the kernel on one map and budget with all the others."""
    fast = take_turns(one.fast, ROUNDS)
    kernel = fast["kernel"]
    rows = []
    if "C" in fast:
        ratio = kernel / fast["C"]
        rows.append(
            row(f"{one.name}: kernel / C", kernel, fast["C"], ratio, "<= 1.3", ratio <= 1.3)
        )
    ratio = fast["search"] / kernel
    what = f"{one.name}: search() / kernel"
    rows.append(row(what, fast["search"], kernel, ratio, "<= 5", ratio <= 5))
    for other, least, rounds in (("scipy", 8, MIDDLE_ROUNDS), ("networkx", 100, SLOW_ROUNDS)):
        if other not in one.slow:
            continue
        pair = take_turns({"kernel": one.fast["kernel"], other: one.slow[other]}, rounds)
        ratio = pair[other] / pair["kernel"]
        what = f"{one.name}: {other} / kernel"
        rows.append(row(what, pair[other], pair["kernel"], ratio, f">= {least}", ratio >= least))
    return rows


def growth(large: Course, medium: Course) -> Row:
    """Compare the kernel on two maps at equal points."""
    runs = {one.name: one.fast["kernel"] for one in (large, medium)}
    times = take_turns(runs, ROUNDS)
    mine, other = times[large.name], times[medium.name]
    what = f"{large.name} / {medium.name}, reached {len(large.reached)} / {len(medium.reached)}"
    return row(what, mine, other, mine / other, "< 1.6", mine / other < 1.6)


def batch(one: Course) -> Row:
    """Compare a batch of units with as many calls of the bare kernel."""
    random = np.random.default_rng(1)
    starts = random.integers(0, one.space.size, UNITS).tolist()
    units, nothing = [[start] for start in starts], [[0]] * UNITS
    contestants = {
        "batch": lambda: search_batch(one.space, units, nothing),
        "kernels": bare(one.space, starts),
    }
    times = take_turns(contestants, MIDDLE_ROUNDS // 4)
    ratio = times["batch"] / times["kernels"]
    what = f"{one.name}: batch of {UNITS} / {UNITS} kernels"
    return row(what, times["batch"], times["kernels"], ratio, "<= 1.3", ratio <= 1.3)


def preparation() -> list[str]:
    """Report the one-time costs: loading the kernel, compiling a map, making a workspace."""
    lines = []
    before = time.perf_counter()
    backend()
    loading = time.perf_counter() - before
    lines.append(f"Importing numba and loading (or compiling) the kernel: {loading:.2f} s.")
    for name, size in SIZES.items():
        before = time.perf_counter()
        space = build(*size, budget=28)
        compiling = (time.perf_counter() - before) * 1e3
        before = time.perf_counter()
        space.lend(compiled=True)
        making = (time.perf_counter() - before) * 1e3
        lines.append(
            f"{name}, {size[0]}x{size[1]} hexes: {space.size} states and {len(space.target)} arcs"
            f" compiled in {compiling:.0f} ms, workspace made in {making:.2f} ms."
        )
    return lines


HEADS = ("What", "this", "against", "Ratio", "Target")


def report(
    name: str, title: str, notes: list[str], rows: list[Row], heads: Sequence[str] = HEADS
) -> None:
    """Print the results and write them to a file of that name."""
    table = Table(*heads)
    for line in rows:
        table.add_row(*line)
    console = Console()
    console.print(table, *notes, sep="\n")
    today = date.today().isoformat()
    text = [f"# {title}, {today}", "", *(f"- {note}" for note in notes), ""]
    text += ["| " + " | ".join(cells) + " |" for cells in (heads, ("---",) * 5, *rows)]
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{today}-{name}.md").write_text("\n".join(text) + "\n", encoding="utf-8")


def how_timed() -> str:
    """Report where and how this run's times are taken."""
    return (
        f"Python {platform.python_version()}, {os.cpu_count()} processors. Medians in "
        "microseconds; the contestants of a line took turns, each running once to warm the "
        f"caches and then {IN_TURN} times."
    )


def main() -> None:
    """Run every comparison."""
    os.environ["MARCHTABLE_KERNEL"] = "numba"
    notes = [how_timed()]
    notes += preparation()
    c_search = library()
    if c_search is None:
        notes.append("No C compiler here: the comparison with C is left out.")
    courses = {(n, p): course(n, p, c_search) for n in SIZES for p in POINTS}
    if "scipy" not in courses["S", POINTS[0]].slow:
        notes.append("No scipy here: the comparison with it is left out.")
    notes += [f"{one.name}: {len(one.reached)} states reached." for one in courses.values()]
    rows = [line for one in courses.values() for line in against_others(one)]
    rows += [growth(courses["L", points], courses["M", points]) for points in POINTS]
    rows += [batch(courses["M", points]) for points in POINTS]
    report("reach", "Search kernel", notes, rows)


if __name__ == "__main__":
    main()
