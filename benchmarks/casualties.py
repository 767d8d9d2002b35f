"""Time casualty choice: ``python -m benchmarks.casualties``."""

from __future__ import annotations

import time
from functools import partial
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Any

import marchtable
from benchmarks.peers import clingo_enumerates, clingo_version
from benchmarks.reach import how_timed, report, row, take_turns
from marchtable_models.valor.allocation import options
from marchtable_models.valor.allocation.advice import (
    Allocation,
    Stack,
    allocations,
    best,
    count,
    pareto,
)
from tests.valor.allocation_hexes import large_hex, limited_hex
from tests.valor.scenes import foe, under
from tests.valor.test_differential import drawn

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.reach import Row

STACKS, ROUNDS, SLOW_ROUNDS = 1000, 41, 3
POINTS = range(3, 16)
TARGETS = {"clingo": 200}
EIGHT = [(large_hex(8), 11), (large_hex(8, heavy=2), 11)]


def forget() -> None:
    """Empty every table that is cached between questions."""
    options.known_group.cache_clear()


def milliseconds(run: Callable[[], Any]) -> float:
    """Return how long one call takes."""
    before = time.perf_counter()
    run()
    return (time.perf_counter() - before) * 1e3


def within_the_limit() -> tuple[list[Row], list[str]]:
    """Time the best plan for hexes within the stacking limit, one by one."""
    random = Random(4)
    cases = [(limited_hex(random), random.randint(1, 10)) for _ in range(STACKS)]
    warm, cold = [], []
    for stack, points in cases:
        forget()
        cold.append(milliseconds(lambda s=stack, n=points: best(s, n)))  # type: ignore[misc]
        taken = [milliseconds(lambda s=stack, n=points: best(s, n)) for _ in range(5)]  # type: ignore[misc]
        warm.append(min(taken))
    slowest = max(warm)
    middle = median(warm)
    what = f"best, {STACKS} hexes within the limit: slowest / middle"
    notes = [
        "Hexes within the limit: the least of 5 calls each, tables kept. With every table "
        f"forgotten before the one call: middle {median(cold):.2f} ms, 99 in 100 "
        f"under {sorted(cold)[len(cold) * 99 // 100]:.2f} ms, slowest {max(cold):.2f} ms."
    ]
    met = slowest < 200
    return [row(what, slowest * 1e3, middle * 1e3, slowest / middle, "< 200000 us", met)], notes


def as_called() -> tuple[list[Row], list[str]]:
    """Time the verb as Python calls it: stack read, best plan and the next, all replayed."""
    taken = []
    for seed in range(STACKS // 4):
        position, points = drawn(seed, mixed=seed % 2 == 0)
        ask = partial(marchtable.casualties, position, points, at="C1")
        taken.append(min(milliseconds(ask) for _ in range(5)))
    taken.sort()
    middle, most = median(taken), taken[len(taken) * 9 // 10]
    what = f"casualties in Python, {len(taken)} hexes: nine in ten under / middle"
    notes = [
        f"casualties as called: 99 in 100 under {taken[len(taken) * 99 // 100]:.2f} ms, slowest "
        f"{taken[-1]:.2f} ms; the referee's replay of both plans takes most of it."
    ]
    return [row(what, most * 1e3, middle * 1e3, most / middle, "< 200000 us", most < 200)], notes


def table() -> Row:
    """Time the whole answer for the fullest hex of a real game, by points."""
    units = [foe(f"squad{n}", "squad-464") for n in range(6)]
    units += [foe("leader1", "leader"), foe("leader2", "leader")]
    units += [foe("gun", "6-pounder", facing="S"), foe("truck", "3-ton-truck", facing="S")]
    taken = []
    for points in POINTS:
        ask = partial(marchtable.casualties, under(points, *units), points, at="C1")
        taken.append(min(milliseconds(ask) for _ in range(3)))
    slowest, middle = max(taken), median(taken)
    what = f"6 squads, 2 leaders, a Gun and a truck, {POINTS[0]} to {POINTS[-1]} points: slowest / middle"
    return row(what, slowest * 1e3, middle * 1e3, slowest / middle, "< 200000 us", slowest < 200)


def large() -> list[Row]:
    """Time the count of a hex of 12 units under 16 points, of infantry alone and with vehicles and Guns."""
    rows = []
    for name, stack in (("infantry", large_hex(12)), ("3 of them heavy", large_hex(12, heavy=3))):

        def counted(stack: Stack = stack) -> int:
            forget()
            return count(stack, 16).ways

        times = take_turns({"best": lambda s=stack: best(s, 16), "count": counted}, ROUNDS)  # type: ignore[misc]
        what = f"12 units ({name}), 16 points: all {count(stack, 16).ways} counted / best"
        taken, mine = times["count"], times["best"]
        rows.append(row(what, taken, mine, taken / mine, "< 50000 us", taken < 50_000))
    return rows


def enumerations(stack: Stack, points: int) -> dict[str, Callable[[], int]]:
    """Return other ways to find all allocations."""
    return {"clingo": partial(clingo_enumerates, stack, points)} if clingo_version() else {}


def every(stack: Stack, points: int) -> list[Allocation]:
    """Return all allocations, written out."""
    return list(allocations(stack, points))


def eight_units() -> tuple[list[Row], list[str]]:
    """Compare with the enumeration of clingo at 8 units; all answers are equal."""
    rows, notes = [], []
    for stack, points in EIGHT:
        listed = {a.losses for a in allocations(stack, points)}

        def counted(stack: Stack = stack, points: int = points) -> int:
            return count(stack, points).ways

        assert len(listed) == counted()
        heavy = sum(m.kind != "infantry" for m in stack.members)
        name = f"8 units ({heavy} heavy), {points} points, {len(listed)} allocations"
        for peer, run in enumerations(stack, points).items():
            assert len(listed) == run()
            times = take_turns({"ours": counted, peer: run}, SLOW_ROUNDS)
            ratio = times[peer] / times["ours"]
            least = TARGETS[peer]
            what = f"{name}: all by {peer} / count"
            rows.append(row(what, times[peer], times["ours"], ratio, f">= {least}", ratio >= least))
        others: dict[str, Callable[[], Any]] = {
            "list": partial(every, stack, points),
            "best": partial(best, stack, points),
            "front": partial(pareto, stack, points),
        }
        taken = {other: t / 1e3 for other, t in take_turns(others, SLOW_ROUNDS).items()}
        notes.append(
            f"{name}: listed in {taken['list']:.0f} ms, Pareto front {taken['front']:.0f} ms, best "
            f"{taken['best']:.2f} ms."
        )
    return rows, notes


def main() -> None:
    """Run every comparison."""
    rows, notes = within_the_limit()
    called, found = as_called()
    rows += [*called, table(), *large()]
    notes += found
    more, remarks = eight_units()
    version = clingo_version()
    notes.append("At 8 units tables are kept, but not the count itself.")
    notes.append(f"clingo {version}." if version else "No clingo here: it is left out.")
    notes.insert(0, how_timed())
    report("casualties", "Casualty choice", notes + remarks, rows + more)


if __name__ == "__main__":
    main()
