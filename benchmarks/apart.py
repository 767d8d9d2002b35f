"""Runs a peer in a separate process with a limit on time and memory."""

from __future__ import annotations

import multiprocessing
import resource
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

__all__ = ["apart"]

GRACE = 2  # seconds for a solver that stops by itself to report it
MEMORY = 8 * 2**30


def apart(
    ask: Callable[[Any, float], tuple[Any, float]], problem: Any, limit: float
) -> tuple[Any, float]:
    """Return a peer's answer and the process seconds it reports.

    A peer stopped for its time, building and grounding included, or for its memory, has no answer,
    and the limit as its time.
    """
    context = multiprocessing.get_context("spawn")
    mine, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_asked, args=(ask, problem, limit, theirs))
    process.start()
    theirs.close()
    try:
        answer, taken = mine.recv()
    except EOFError:
        answer, taken = None, limit
    process.join()
    return answer, min(taken, limit)


def _asked(
    ask: Callable[[Any, float], tuple[Any, float]], problem: Any, limit: float, to: Connection
) -> None:
    begun = resource.getrusage(resource.RUSAGE_SELF)
    most = int(begun.ru_utime + begun.ru_stime + limit) + GRACE
    resource.setrlimit(resource.RLIMIT_CPU, (most, most))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    to.send(ask(problem, limit))
