"""Time a batch on one process and on two, and see what many requests leave: ``python -m
benchmarks.batches [sizes] [scaling] [memory]``.

It reports requests a second without warm-up (a first batch starts the processes), processor time by
request, of the caller and of the workers, and the sizes of requests and answers; then the peak
memory of either over a tenth of the requests, and over all of them.
"""

from __future__ import annotations

import json
import resource
import statistics
import sys
import time
from typing import TYPE_CHECKING, Any

from benchmarks import scenes
from marchtable.batch import batch
from marchtable.batch.workers import Process
from marchtable.files.scenes import load, scene_data

if TYPE_CHECKING:
    from collections.abc import Iterator

REQUESTS, UNITS, MANY = 120, 12, 20_000


def questions() -> list[dict[str, Any]]:
    """Return questions about two crowds, the scenes in full."""
    board = scenes.single()
    found: list[dict[str, Any]] = []
    for number in range(REQUESTS):
        position = scenes.crowd(board, number % 2, movers=UNITS, enemies=UNITS)
        scene = scene_data(position)
        unit = f"g{number % UNITS}"
        verb = ("reach", "options", "legal_actions")[number % 3]
        found.append({"verb": verb, "scene": scene, "unit": unit})
    return found


def processor(who: int) -> float:
    """Return the processor time of this process, or of those it has ended."""
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def asked_on(jobs: int, asked: list[dict[str, Any]], rounds: int) -> tuple[float, float, float]:
    """Return the seconds of the last round, and the processor time of all rounds, here and in workers."""
    here, there = processor(resource.RUSAGE_SELF), processor(resource.RUSAGE_CHILDREN)
    hands = [Process() for _ in range(jobs)]
    for _ in range(rounds):
        begun = time.perf_counter()
        for _ in batch(asked, executor=hands):
            pass
        took = time.perf_counter() - begun
    for one in hands:
        one.pool.shutdown(wait=True)
    return (
        took,
        processor(resource.RUSAGE_SELF) - here,
        processor(resource.RUSAGE_CHILDREN) - there,
    )


def of_scaling() -> None:
    """Ask on one process, then on two; the cost of more rounds separates warm from cold."""
    asked, rates = questions(), {}
    for jobs in (1, 2):
        _, here, there = asked_on(jobs, asked, 1)
        took, here_more, there_more = asked_on(jobs, asked, 4)
        rates[jobs] = len(asked) / took
        found = [
            (b - a) / 3 / len(asked) * 1e3 for a, b in ((here, here_more), (there, there_more))
        ]
        print(
            f"{jobs} process(es): {rates[jobs]:.0f} requests/s; "
            f"processor time by request {found[0]:.1f} ms here, {found[1]:.1f} ms in workers"
        )
    print(f"two against one: {rates[2] / rates[1]:.2f} times")


def of_sizes() -> None:
    """Report the size of the messages."""
    asked = questions()
    sizes: dict[str, list[int]] = {}
    for number, answer in batch(asked, jobs=1):
        sizes.setdefault(str(asked[number]["verb"]), []).append(len(json.dumps(answer)))
    found = statistics.median(len(json.dumps(one)) for one in asked)
    print(f"a request, the board in it: {found:.0f} bytes")
    for verb, some in sizes.items():
        print(f"an answer to {verb}: {statistics.median(some):.0f} bytes")


def of_memory() -> None:
    """Ask many small questions, all different, and report the peak memory."""
    demo = load(scenes.DEMO / "scene.toml")
    scene = {**scene_data(scenes.asl(demo.board, [scenes.truck("u", "E5")])), "board": "demo"}
    units: Any = scene["units"]
    places = [place.name for place in demo.board.locations]

    def endless(count: int) -> Iterator[dict[str, object]]:
        for number in range(count):
            own = {**units[0], "at": places[number % len(places)], "spent": number // 1000}
            yield {"verb": "legal_actions", "scene": {**scene, "units": [own]}}

    for count in (MANY // 10, MANY):
        hands = Process()
        for _ in batch(endless(count), executor=[hands]):
            pass
        hands.pool.shutdown(wait=True)
        most = [
            resource.getrusage(who).ru_maxrss // 1024
            for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
        ]
        print(f"{count} requests: at most {most[0]} MB here, {most[1]} MB in the worker")


def main() -> None:
    """Report everything."""
    found = {"sizes": of_sizes, "scaling": of_scaling, "memory": of_memory}
    for name in sys.argv[1:] or found:
        found[name]()


if __name__ == "__main__":
    main()
