"""Requests in, answers out: in order or as completed, each on the worker with its board."""

from __future__ import annotations

import hashlib
import json
import os
import tomllib
from collections import deque
from collections.abc import Iterable, Mapping
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    wait,
)
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.answers.answer import error_answer
from marchtable.arguments import public
from marchtable.batch.workers import CallerExecutor, Hands, Process, fault
from marchtable.codec.plain import one_line
from marchtable.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["Answered", "batch", "board_of"]

WAITING = 32  # requests per worker that are read ahead, or answered and not yet returned


class Answered(NamedTuple):
    """
    An answer.

    Parameters
    ----------
    number
        The number of its request, counted from 0.
    answer
        The result of :func:`marchtable.answer`. If the request killed the worker, or an internal
        error occurred, its status is ``ERROR`` and its source ``batch``.
    """

    number: int
    answer: dict[str, Any]


@public
def batch(
    requests: Iterable[Any],
    *,
    executor: Executor | Sequence[Executor] | Sequence[Hands] | None = None,
    jobs: int | None = None,
    in_order: bool = True,
    files: bool = False,
) -> Iterator[Answered]:
    """
    Answer many requests, each with :func:`marchtable.answer`.

    Parameters
    ----------
    requests
        Plain data, read lazily, so there can be any number. A request that could not be read can be
        given as its BadInputError, which becomes its answer.
    executor
        Anything with the standard Executor's interface (a pool, Dask's ``get_executor()``), or
        several, one per worker, so that questions on one board go to the worker that has cached it.
        By default processes of this machine. They do not import the script that calls this.
    jobs
        The number of processes; by default the number of cores.
    in_order
        Whether answers come in the order of their requests, or as they are found.
    files
        Whether requests can name files to read.

    Yields
    ------
    Answered
        One for each request. A request that kills its worker's process is retried once, alone; if
        it kills that one too, it is answered with ERROR, and the others are answered. An executor
        of your own cannot be replaced: once it is broken, all its requests are answered with ERROR.

    Raises
    ------
    BadInputError
        If `requests` is one request, or the name of a file (`answer_lines` reads one).
    """
    if isinstance(requests, str | bytes | Mapping) or not isinstance(requests, Iterable):
        given = "one request" if isinstance(requests, Mapping) else one_line(repr(requests), 60)
        raise BadInputError(
            f"expected a list of requests, got {given}; `marchtable batch FILE` reads a file",
            field="requests",
        )
    return _answered(requests, executor, jobs, in_order=in_order, files=files)


def _answered(
    requests: Iterable[Any], executor: Any, jobs: int | None, *, in_order: bool, files: bool
) -> Iterator[Answered]:
    hands, own = _hands(executor, jobs)
    work = _Work(hands, files=files)
    try:
        yield from work.run(enumerate(requests), in_order=in_order)
    finally:
        if own:
            for one in hands:
                one.close()


def _hands(executor: Any, jobs: int | None) -> tuple[list[Hands], bool]:
    if executor is None:
        count = jobs if jobs is not None else _cores()
        return [Process() for _ in range(count)], True
    is_one = hasattr(executor, "submit")
    if not is_one and not isinstance(executor, Iterable):
        raise BadInputError(
            f"expected an executor, or a list of them, got {one_line(repr(executor), 60)}; "
            "concurrent.futures has such classes",
            field="executor",
        )
    executors = [executor] if is_one else [*executor]
    if not executors:
        raise BadInputError("expected at least one executor", field="executor")
    alone = len(executors) == 1
    return [
        one if isinstance(one, Hands) else CallerExecutor(one, ahead=WAITING if alone else 2)
        for one in executors
    ], False


def _cores() -> int:
    found = getattr(os, "sched_getaffinity", None)
    return len(found(0)) if found else os.cpu_count() or 1


class _Task(NamedTuple):
    number: int
    request: Any
    board: str
    tries: int = 0


class _Work:
    """Requests on their way through workers."""

    def __init__(self, hands: Sequence[Hands], *, files: bool) -> None:
        self.hands, self.files = hands, files
        self.at_hand: dict[Future[dict[str, Any]], tuple[int, _Task]] = {}
        self.load = [0] * len(hands)
        self.knows: list[set[str]] = [set() for _ in hands]
        self.waiting: deque[_Task] = deque()
        self.suspects: deque[_Task] = deque()
        self.done: dict[int, dict[str, Any]] = {}

    def run(self, requests: Iterator[tuple[int, Any]], *, in_order: bool) -> Iterator[Answered]:
        """Yield the answers."""
        room, following, is_open = WAITING * len(self.hands), 0, True
        while True:
            while is_open and len(self.waiting) + len(self.at_hand) + len(self.done) < room:
                number, request = next(requests, (None, None))
                if number is None:
                    is_open = False
                elif isinstance(request, BadInputError):
                    self.done[number] = error_answer(request)
                else:
                    self.waiting.append(_Task(number, request, board_of(request)))
            self._hand_out()
            if in_order:
                while following in self.done:
                    yield Answered(following, self.done.pop(following))
                    following += 1
            else:
                for number in [*self.done]:
                    yield Answered(number, self.done.pop(number))
            if self.at_hand:
                self._take_in(wait(self.at_hand, return_when=FIRST_COMPLETED).done)
            elif not (is_open or self.waiting or self.suspects or self.done):
                return

    def _hand_out(self) -> None:
        """Give requests to the least busy worker: on boards it has cached, else on new boards."""
        if self.suspects:  # suspects are retried one at a time
            if not self.at_hand:
                self._give(0, self.suspects.popleft())
            return
        while self.waiting:
            worker = min(range(len(self.hands)), key=self.load.__getitem__)
            if self.load[worker] >= self.hands[worker].ahead:
                return
            known = set().union(*self.knows)
            ranked = (0 if t.board in self.knows[worker] else 2 if t.board in known else 1
                      for t in self.waiting)  # fmt: skip
            best = min(enumerate(ranked), key=lambda one: one[1])[0]
            task = self.waiting[best]
            del self.waiting[best]
            self._give(worker, task)

    def _give(self, worker: int, task: _Task) -> None:
        hands = self.hands[worker]
        try:
            future = hands.submit(task.request, files=self.files)
        except BrokenExecutor as error:  # it died while idle
            if not hands.renew():
                self.done[task.number] = fault(error)
                return
            self.knows[worker].clear()
            future = hands.submit(task.request, files=self.files)
        self.knows[worker].add(task.board)
        self.load[worker] += 1
        self.at_hand[future] = (worker, task)

    def _take_in(self, futures: Iterable[Future[dict[str, Any]]]) -> None:
        broken: dict[int, BaseException] = {}
        lost: list[tuple[int, _Task]] = []
        for future in futures:
            worker, task = self._back(future)
            error = CancelledError() if future.cancelled() else future.exception()
            if error is None:
                self.done[task.number] = future.result()
            elif self.hands[worker].has_died(error):
                lost.append((worker, task))
                broken[worker] = error
            else:
                self.done[task.number] = fault(error)
        lost += [self._back(f) for f, (who, _) in [*self.at_hand.items()] if who in broken]
        renewed = {worker for worker in broken if self.hands[worker].renew()}
        for worker in broken:
            self.knows[worker].clear()
        for worker, task in lost:
            if worker in renewed and not task.tries:
                self.suspects.append(task._replace(tries=1))  # it may have killed its worker
            else:
                self.done[task.number] = fault(broken[worker])

    def _back(self, future: Future[dict[str, Any]]) -> tuple[int, _Task]:
        """Take a request back from its worker."""
        worker, task = self.at_hand.pop(future)
        self.load[worker] -= 1
        return worker, task


def board_of(request: Any) -> str:
    """Return a key for the board of a request, as far as it is known without reading the board."""
    scene = request.get("scene") if isinstance(request, dict) else None
    if isinstance(scene, dict):
        return _key(scene.get("board"))
    return _board_in(scene) if isinstance(scene, str) else ""


def _key(board: Any) -> str:
    """Return a hash of a scene's board; an empty one if the worker will reject the board."""
    try:
        text = json.dumps(board, sort_keys=True, default=str)
    except (TypeError, ValueError, RecursionError):
        return ""
    return hashlib.blake2b(text.encode(errors="replace"), digest_size=16).hexdigest()


@lru_cache(maxsize=4096)
def _board_in(scene: str) -> str:
    """Return the board that a scene file names, or the file itself if that cannot be found out."""
    path = Path(scene)
    try:
        if path.suffix != ".toml" or not path.is_file():
            return scene
        with path.open("rb") as file:
            found = tomllib.load(file)
    except (OSError, ValueError, RecursionError):
        return scene
    return f"{path.parent}: {_key(found.get('board'))}"
