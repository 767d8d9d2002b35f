"""Measure whether limits hold: processor time against the limit, and equal answers when asked again.

``python -m benchmarks.limits LIMIT [SCENE GOAL ...]`` asks ``plan`` for each goal file twice, each time
in a fresh process, reading included; without files it asks for made-up Convoys of 8, 12 and 16 vehicles
(:mod:`benchmarks.convoy_scenes`) and for what the documentation plans. A limit holds if the processor
time is at most a fifth and a second more than it (for a first plan, at least five seconds). Asked again,
the answer is the same.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import marchtable
from benchmarks.convoy_scenes import scene
from marchtable.budget import FIRST, patience

TIMES = 2
EXAMPLES = Path("docs/examples")
SHOWN = (
    ("convoy", "convoy-over-the-bridge"), ("column", "column-out-of-the-wood"),
    ("reinforcements", "before-the-village"), ("lift", "one-on-each-side"),
)  # fmt: skip
SIZES = ((8, 10), (12, 20), (16, 30))
"""Made-up Convoys: numbers of vehicles, and of hexes ahead of them."""


def asked(scene_: str, goal: str, limit: float) -> tuple[float, dict[str, Any]]:
    """Return the processor time of one answer, including Python's start, and the answer."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    words = ("plan", scene_, "--goal", goal, "--limit", str(limit), "--json")
    done = subprocess.run(
        [sys.executable, "-m", "marchtable", *words], capture_output=True, text=True, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent, json.loads(done.stdout)


def questions(folder: Path) -> list[tuple[str, str]]:
    """Return scenes and goals as files, some of them written to a folder."""
    found = [(f"{EXAMPLES / one}.toml", f"{EXAMPLES / goal}.toml") for one, goal in SHOWN]
    for count, ahead in SIZES:
        position, goal = scene(count, count, ahead=ahead)
        names = [str(folder / f"convoy-of-{count}{end}.json") for end in ("", "-goal")]
        marchtable.save(position, names[0], name=f"convoy of {count}")
        marchtable.save_goal(goal, names[1])
        found.append((names[0], names[1]))
    return found


def measure(files: list[tuple[str, str]], limit: float) -> None:
    """Print a row of a table for each question."""
    most = max(patience(limit), FIRST)
    for one, goal in files:
        found = [asked(one, goal, limit) for _ in range(TIMES)]
        spent = ", ".join(f"{time:.1f}" for time, _ in found)
        holds = "holds" if all(time <= most for time, _ in found) else "TOO LONG"
        (_, first), (_, again) = found
        same = "the same" if first == again else "ANOTHER"
        print(f"| {Path(goal).stem} | {limit:g} | {first['status']} | {spent} | {holds} | {same} |")
        sys.stdout.flush()


def main() -> None:
    """Ask the questions named on the command line, or its own."""
    limit, names = float(sys.argv[1]), sys.argv[2:]
    with TemporaryDirectory() as folder:
        files = [*zip(names[::2], names[1::2], strict=True)] or questions(Path(folder))
        measure(files, limit)


if __name__ == "__main__":
    main()
