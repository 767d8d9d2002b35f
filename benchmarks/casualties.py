"""Time casualty choice: ``python -m benchmarks.casualties``."""

from __future__ import annotations

import time
from fractions import Fraction
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Any

from benchmarks.peers import clingo_enumerates, clingo_version
from benchmarks.reach import report, row, take_turns
from marchtable.cpsat import PROFILES
from marchtable_models.valor import (
    allocation_cargo,
    allocation_count,
    allocation_groups,
    allocation_settings,
)
from marchtable_models.valor.allocation import Stack, allocations, best, count, pareto
from marchtable_models.valor.cpsat import allocations_by_cpsat, best_by_cpsat
from marchtable_models.valor.cpsat.casualties import enumeration_model
from tests.valor.allocation_hexes import large_hex, limited_hex

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.reach import Row
    from marchtable_models.valor.allocation import Advice

STACKS, RATED, ROUNDS, SLOW_ROUNDS = 1000, 10_000, 41, 3
EIGHT = [(large_hex(8), 11), (large_hex(8, heavy=2), 11)]
TABLES = (
    allocation_cargo.cargoes_of,
    allocation_count._class,
    allocation_count._count,
    allocation_groups.decisions,
    allocation_groups.options,
    allocation_groups.standing,
    allocation_settings.fewest,
    allocation_settings.parts_of,
    allocation_settings.settings_of,
    allocation_settings.standing_entries,
)


def forget() -> None:
    """Empty every table that is kept from question to question."""
    for table in TABLES:
        table.cache_clear()


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
        warm.append(median(taken))
    slowest = max(warm)
    middle = median(warm)
    what = f"best, {STACKS} hexes within the limit: slowest / middle"
    notes = [
        f"With every table forgotten before each call: middle {median(cold):.2f} ms, 99 in 100 "
        f"under {sorted(cold)[len(cold) * 99 // 100]:.2f} ms, slowest {max(cold):.2f} ms."
    ]
    met = slowest < 2
    return [row(what, slowest * 1e3, middle * 1e3, slowest / middle, "< 2000 us", met)], notes


def large() -> list[Row]:
    """Time a hex of 12 units under 16 points, of infantry alone and with vehicles and Guns."""
    rows = []
    for name, stack in (("infantry", large_hex(12)), ("3 of them heavy", large_hex(12, heavy=3))):

        def counted(stack: Stack = stack) -> int:
            forget()
            return count(stack, 16).ways

        times = take_turns({"best": lambda s=stack: best(s, 16), "count": counted}, ROUNDS)  # type: ignore[misc]
        ways = count(stack, 16).ways
        mine = times["best"]
        what = f"12 units ({name}), 16 points: best / count"
        rows.append(
            row(what, mine, times["count"], mine / times["count"], "< 10000 us", mine < 10_000)
        )
        taken = times["count"]
        what = f"12 units ({name}), 16 points: all {ways} counted / best"
        rows.append(row(what, taken, mine, taken / mine, "< 50000 us", taken < 50_000))
    return rows


def value(advice: Advice) -> Fraction:
    """Return the expected value."""
    return Fraction(advice.value, advice.scale)


def enumerations(stack: Stack, points: int) -> dict[str, Callable[[], int]]:
    """Return ways to count all allocations, told apart, once they are known to agree."""
    from ortools.sat.python import cp_model

    def by_cpsat(parameters: dict[str, Any]) -> Callable[[], int]:
        def run() -> int:
            model, ending = enumeration_model(stack, points)
            offers = [x for group in (*ending.first, *ending.last) for x, _ in group]
            solver = cp_model.CpSolver()
            for name, setting in (parameters | {"enumerate_all_solutions": True}).items():
                setattr(solver.parameters, name, setting)
            solver.parameters.num_workers = 1
            counter = _Counter(offers)
            assert solver.solve(model, counter) == cp_model.OPTIMAL
            return counter.found

        class _Counter(cp_model.CpSolverSolutionCallback):
            def __init__(self, offers: list[Any]) -> None:
                super().__init__()
                self.offers = offers
                self.found = 0

            def on_solution_callback(self) -> None:
                self.found += 1

        return run

    contestants = {f"CP-SAT {name}": by_cpsat(PROFILES[name]) for name in PROFILES}
    if clingo_version():
        contestants["clingo"] = lambda: clingo_enumerates(stack, points)
    expected = count(stack, points).ways
    for name, run in contestants.items():
        assert expected == run(), name
    return contestants


def eight_units() -> tuple[list[Row], list[str]]:
    """Compare with the enumerations of CP-SAT and clingo at 8 units."""
    rows, notes = [], []
    for stack, points in EIGHT:
        found = sum(1 for _ in allocations(stack, points))
        assert count(stack, points).kinds == found
        assert found == len(allocations_by_cpsat(stack, points)[1])
        assert value(best(stack, points)) == value(best_by_cpsat(stack, points)[1])  # type: ignore[arg-type]
        others = enumerations(stack, points)

        def ours(stack: Stack = stack, points: int = points) -> None:
            best(stack, points)
            forget()
            count(stack, points)

        heavy = sum(m.kind != "infantry" for m in stack.members)
        mine = take_turns({"ours": ours}, ROUNDS)["ours"]
        name = f"8 units ({heavy} heavy), {points} points, {found} allocations"
        times = {}
        for other, run in others.items():
            times[other] = median(milliseconds(run) * 1e3 for _ in range(SLOW_ROUNDS))
        for other, least in (("clingo", 200), ("CP-SAT", 20)):
            named = {o: t for o, t in times.items() if o.startswith(other)}
            if not named:
                continue
            peer = min(named, key=named.__getitem__)
            ratio = named[peer] / mine
            what = f"{name}: {peer}, all / best and count"
            rows.append(row(what, named[peer], mine, ratio, f">= {least}", ratio >= least))
        listed = take_turns({"list": lambda s=stack, n=points: list(allocations(s, n))}, 3)["list"]  # type: ignore[misc]
        solved = take_turns({"CP-SAT": lambda s=stack, n=points: best_by_cpsat(s, n)}, 3)["CP-SAT"]  # type: ignore[misc]
        front = take_turns({"front": lambda s=stack, n=points: pareto(s, n)}, 3)["front"]  # type: ignore[misc]
        notes.append(
            f"{name}: listed in {listed / 1e3:.1f} ms, Pareto front in {front / 1e3:.1f} ms, best "
            f"by CP-SAT in {solved / 1e3:.1f} ms (all three also held equal); "
            + ", ".join(f"{o} {t / 1e3:.0f} ms" for o, t in times.items())
            + "."
        )
    return rows, notes


def rate() -> Row:
    """Return how many random hexes a second get their best plan."""
    random = Random(5)
    cases = [(limited_hex(random), random.randint(1, 10)) for _ in range(RATED)]
    before = time.perf_counter()
    for stack, points in cases:
        best(stack, points)
    taken = time.perf_counter() - before
    each = taken / RATED * 1e6
    what = f"best, {RATED} random hexes: {RATED / taken:.0f} a second, us each / at 2000 a second"
    return row(what, each, 500, each / 500, ">= 2000 a second", each <= 500)


def main() -> None:
    """Run every comparison."""
    rows, notes = within_the_limit()
    rows += large()
    rows.append(rate())
    more, remarks = eight_units()
    version = clingo_version()
    notes.append(f"clingo {version}." if version else "No clingo here: it is left out.")
    report("casualties", "Casualty choice", notes + remarks, rows + more)


if __name__ == "__main__":
    main()
