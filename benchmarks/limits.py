"""Measure whether limits hold: processor time against the limit, and equal answers when asked again.

``python -m benchmarks.limits LIMIT SCENE GOAL [SCENE GOAL ...]`` asks ``plan`` for each goal file twice,
each time in a fresh process, reading included. A limit holds if the processor time is at most a
fifth and a second more than it. Asked again, the answer is the same.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys

GRACE, SLACK, TIMES = 1.0, 1.2, 2


def asked(scene: str, goal: str, limit: float) -> tuple[float, dict[str, object]]:
    """Return the processor time of one answer, that of starting Python included, and the answer."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    words = ("plan", scene, "--goal", goal, "--limit", str(limit), "--json")
    done = subprocess.run(
        [sys.executable, "-m", "marchtable", *words], capture_output=True, text=True, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent, json.loads(done.stdout)


def main() -> None:
    """Ask what is named on the command line."""
    limit, files = float(sys.argv[1]), sys.argv[2:]
    for scene, goal in zip(files[::2], files[1::2], strict=True):
        found = [asked(scene, goal, limit) for _ in range(TIMES)]
        spent = ", ".join(f"{time:.1f}" for time, _ in found)
        holds = all(time <= SLACK * limit + GRACE for time, _ in found)
        (_, first), (_, again) = found
        same = "the same answer" if first == again else "ANOTHER ANSWER"
        print(
            f"{goal}: {first['status']}, {spent} s of processor ({'holds' if holds else 'TOO LONG'}), {same}"
        )


if __name__ == "__main__":
    main()
