"""Time players' questions: ``python -m benchmarks.play``."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from benchmarks import scenes
from benchmarks.reach import (
    MIDDLE_ROUNDS,
    bare,
    how_timed,
    networkx_search,
    report,
    row,
    scipy_search,
    take_turns,
)  # fmt: skip
from marchtable.files.logs import load_log
from marchtable.files.scenes import load
from marchtable.reachability.kernel import search
from marchtable.reachability.reach import reach
from marchtable.reachability.space import SearchSpace
from marchtable.rules.generator import perft
from marchtable.rules.referee import check

if TYPE_CHECKING:
    from collections.abc import Mapping

    from benchmarks.reach import Row
    from marchtable.board.board import Board
    from marchtable.reachability.reach import Reach
    from marchtable.state.position import Position

UNITS, ACTIONS, DEPTH = 60, 12, 4
MEGABYTE = 2**20


def checking() -> list[Row]:
    """Judge a log of a stack, a tank and a truck, with receipts."""
    position = load(scenes.DEMO / "scene.toml")
    log = load_log(scenes.DEMO / "legal.toml", position)[:ACTIONS]
    verdict = check(position, log)
    assert all(ruling.is_legal for ruling in verdict.rulings)
    assert len(verdict.rulings) == ACTIONS
    assert any(ruling.receipts for ruling in verdict.rulings)
    took = take_turns({"check": lambda: check(position, log)}, MIDDLE_ROUNDS)["check"]
    rate = ACTIONS / took * 1e6
    what = f"check a log of {ACTIONS} actions, us; actions per second"
    return [(what, f"{took:.0f}", "", f"{rate:.0f}", verdict_on(">= 20000", rate >= 20_000))]


def verdict_on(target: str, met: bool) -> str:
    """Return the last cell of a line."""
    return f"{target}: {'met' if met else 'MISSED'}"


def counting() -> list[Row]:
    """Count the sequences of four actions of a truck and a squad on the demo board."""
    demo = load(scenes.DEMO / "scene.toml")
    position = scenes.asl(demo.board, [scenes.truck("truck", "B4"), scenes.squad("sq", "G6")])
    nodes = sum(number(perft(position, depth)) for depth in range(1, DEPTH + 1))
    before = time.perf_counter()
    again = sum(number(perft(position, depth)) for depth in range(1, DEPTH + 1))
    took = time.perf_counter() - before
    assert nodes == again
    what = f"perft 1 to {DEPTH}: {nodes} nodes, s; nodes per second"
    return [(what, f"{took:.2f}", "", f"{nodes / took:.0f}", "")]


def number(found: Mapping[Any, int] | int) -> int:
    """Return a count that was not divided."""
    assert isinstance(found, int)
    return found


def kernels_of(found: list[Reach]) -> Any:
    """Return one bare-kernel call after another for a result, once it agrees."""
    starts: dict[SearchSpace, list[int]] = {}
    for one in found:
        space, start = started(one)
        assert one.found.table[1:].tolist() == search(space, [start], [0]).table[1:].tolist()
        starts.setdefault(space, []).append(start)
    calls = [bare(space, some) for space, some in starts.items()]
    return lambda: [call() for call in calls]


def started(one: Reach) -> tuple[SearchSpace, int]:
    """Return the arrays searched for a reach, and its starting state."""
    space, _, ((start,),) = one.space.complete([[int(one.found.state[0])]], [[0]])
    return space, start


def fresh(position: Position[Any, Any]) -> Position[Any, Any]:
    """Return an equal position with empty caches."""
    return msgspec.structs.replace(position)


def asking(board: Board) -> tuple[list[Row], list[str]]:
    """Ask for the reach of one unit as a user does, against the bare kernel on its space."""
    rows, notes = [], []
    at = scenes.middle(board)
    for what, unit in (("truck", scenes.truck("u", at)), ("squad", scenes.squad("u", at))):
        position = scenes.asl(board, [unit])
        found = reach(position, ["u"])
        space, start = started(found[0])
        notes.append(
            f"{what} at {at}: {len(found[0].found)} of {space.size} states met are reached; "
            f"{len(space.target)} arcs."
        )
        contestants = {
            "reach": lambda position=position: reach(position, ["u"]),
            "fresh": lambda position=position: reach(fresh(position), ["u"]),
            "kernel": kernels_of(found),
        }
        took = take_turns(contestants, MIDDLE_ROUNDS)
        for name, words in (("reach", "reach()"), ("fresh", "reach(), new position")):
            ratio = took[name] / took["kernel"]
            line = f"{what}: {words} / kernel"
            rows.append(row(line, took[name], took["kernel"], ratio, "<= 5", ratio <= 5))
        rows += against_others(what, space, start)
    return rows, notes


def asking_for_all(board: Board) -> tuple[list[Row], list[str]]:
    """Ask for the reach of many units at once, against as many calls of the bare kernel."""
    position = scenes.mixed(board, UNITS)
    names = [unit.id for unit in position.units]
    found = reach(position, names)
    note = f"{UNITS} units: {sum(len(one.found) for one in found)} states reached on "
    note += f"{len({id(one.space) for one in found})} spaces."
    contestants = {
        "reach": lambda: reach(position, names),
        "fresh": lambda: reach(fresh(position), names),
        "kernels": kernels_of(found),
    }
    took = take_turns(contestants, MIDDLE_ROUNDS)
    rows = []
    for name, words in (("reach", "reach()"), ("fresh", "reach(), new position")):
        ratio = took[name] / took["kernels"]
        what = f"{UNITS} units: {words} / {UNITS} kernels"
        rows.append(row(what, took[name], took["kernels"], ratio, "<= 1.3", ratio <= 1.3))
    return rows, [note]


def against_others(what: str, space: SearchSpace, start: int) -> list[Row]:
    """Compare the kernel with general searches on the arcs of a real space."""
    plain = least_arcs(space)
    reached = search(plain, [start], [0])
    spent = dict(zip(reached.state.tolist(), reached.spent.tolist(), strict=True))
    contestants = {"kernel": bare(plain, [start]), "networkx": networkx_search(plain, start, spent)}
    scipy = scipy_search(plain, start, spent)
    if scipy is not None:
        contestants["scipy"] = scipy
    took = take_turns(contestants, MIDDLE_ROUNDS // 3)
    rows = []
    for other, least in (("scipy", 8), ("networkx", 100)):
        if other in took:
            ratio = took[other] / took["kernel"]
            line = f"{what}, {len(reached)} states: {other} / kernel"
            target = f">= {least}"
            rows.append(row(line, took[other], took["kernel"], ratio, target, ratio >= least))
    return rows


def least_arcs(space: SearchSpace) -> SearchSpace:
    """Return the cheapest arc between any two states, as general searches take them: one limit."""
    counts = np.maximum(0, space.middle - space.first)
    arcs = np.concatenate(
        [np.arange(*ends) for ends in zip(space.first, space.middle, strict=True)]
    )
    sources, target, cost = (
        np.repeat(np.arange(space.size), counts),
        space.target[arcs],
        space.cost[arcs],
    )
    order = np.lexsort((cost, target, sources))
    pairs = np.stack((sources[order], target[order]))
    first = order[np.concatenate(([True], np.any(pairs[:, 1:] != pairs[:, :-1], axis=0)))]
    counts = np.bincount(sources[first], minlength=space.size)
    last = np.cumsum(counts).astype(np.int32)
    return SearchSpace.of(
        last - counts.astype(np.int32), last, last, target[first], cost[first],
        np.full(space.size, space.limit.max(), np.int32),
    )  # fmt: skip


def compiling(which: str) -> dict[str, float]:
    """Import, join and ask for a first reach in this fresh process; in ms and MB."""
    before = time.perf_counter()
    board = scenes.eight() if which == "eight" else scenes.single()
    loaded = time.perf_counter()
    position = scenes.asl(board, [scenes.truck("u", scenes.middle(board))])
    (found,) = reach(position, ["u"])
    compiled = time.perf_counter()
    return {
        "hexes": len(board), "states": len(found.found), "load": (loaded - before) * 1e3,
        "compile": (compiled - loaded) * 1e3,
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / MEGABYTE,
    }  # fmt: skip


def apart(which: str) -> dict[str, float]:
    """Return the same from a separate process."""
    command = [sys.executable, "-m", "benchmarks.play", which]
    found: dict[str, float] = json.loads(subprocess.check_output(command, cwd=scenes.ROOT))
    return found


def preparing() -> list[Row]:
    """Ask for a truck's first reach on one board and on eight."""
    rows: list[Row] = []
    for which in ("single", "eight") if scenes.is_real() else ("single",):
        found = apart(which)
        size = f"{which}, {found['hexes']} Locations, {found['states']} states reached"
        rows.append((f"{size}: import and join, ms", f"{found['load']:.0f}", "", "", ""))
        rows.append((f"{size}: first reach, ms", f"{found['compile']:.0f}", "", "", ""))
        peak = found["peak"]
        verdict = verdict_on("< 500", peak < 500)
        rows.append((f"{size}: peak memory, MB", f"{peak:.0f}", "", "", verdict))
    return rows


def main() -> None:
    """Run every comparison."""
    os.environ["MARCHTABLE_KERNEL"] = "numba"
    prepared = preparing()  # first: a process begins with the peak memory of the one it came from
    board = scenes.single()
    notes = [how_timed(), f"Board {board.name}; the log and perft are on the demo board."]
    if not scenes.is_real():
        notes.append("No real boards here: the eight-board map is left out.")
    rows = [*checking(), *counting()]
    for lines, more in (asking(board), asking_for_all(board)):
        rows += lines
        notes += more
    report("play", "Play", notes, [*rows, *prepared])


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.stdout.write(json.dumps(compiling(sys.argv[1])))
    else:
        main()
