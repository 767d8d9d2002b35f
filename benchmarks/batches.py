"""
Time a batch on one process and on two: ``python -m benchmarks.batches``.

Told are requests a second, warm-up left out (a first batch starts the processes), and how large
requests and answers are.
"""

from __future__ import annotations

import json
import statistics
import time

from benchmarks import scenes
from marchtable.batch import batch
from marchtable.batch.workers import Process
from marchtable.files.scenes import scene_data

REQUESTS, UNITS = 120, 12


def questions() -> list[dict[str, object]]:
    """Return questions about two crowds, the scenes in full."""
    board, found = scenes.single(), []
    for number in range(REQUESTS):
        position = scenes.crowd(board, number % 2, movers=UNITS, enemies=UNITS)
        scene = scene_data(position)
        unit = f"g{number % UNITS}"
        verb = ("reach", "options", "legal_actions")[number % 3]
        found.append({"verb": verb, "scene": scene, "unit": unit})
    return found


def main() -> None:
    """Ask on one process, then on two."""
    asked = questions()
    rates = {}
    for jobs in (1, 2):
        hands = [Process() for _ in range(jobs)]
        sizes: dict[str, list[int]] = {}
        try:
            for _ in range(2):
                begun = time.perf_counter()
                for number, answer in batch(asked, executor=hands):
                    size = len(json.dumps(answer))
                    sizes.setdefault(str(asked[number]["verb"]), []).append(size)
                took = time.perf_counter() - begun
        finally:
            for one in hands:
                one.close()
        rates[jobs] = len(asked) / took
        print(f"{jobs} process(es): {rates[jobs]:.0f} requests/s")
    print(f"two against one: {rates[2] / rates[1]:.2f} times")
    told = statistics.median(len(json.dumps(one)) for one in asked)
    print(f"a request, the board in it: {told:.0f} bytes")
    for verb, some in sizes.items():
        print(f"an answer to {verb}: {statistics.median(some):.0f} bytes")


if __name__ == "__main__":
    main()
