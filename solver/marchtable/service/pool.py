"""Worker processes: each answers one call at a time, is killed at its limit, and replaced."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import sys
import threading
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.service.calls import Briefing, News, Reply
from marchtable.service.worker import STOP, serve, unknown_reply

if TYPE_CHECKING:
    from collections.abc import Callable

    from marchtable.service.calls import Call

__all__ = ["Busy", "Pool"]

GRACE = 2.0
"""Seconds that a worker has, beyond a call's own, to end it by itself."""
REMEMBERED = 64


class Busy(Exception):  # noqa: N818 - no error: try again later
    """Too many wait already."""


class _Worker:
    """A process, the connection to it, and what it was asked about lately."""

    def __init__(self, briefing: bytes) -> None:
        context: Any = _context()
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=serve, args=(theirs, briefing), daemon=True)
        self._process.start()
        theirs.close()
        self._sending = threading.Lock()
        self.lately: deque[str] = deque(maxlen=REMEMBERED)
        self.is_spent = False

    @property
    def is_alive(self) -> bool:
        return not self.is_spent and bool(self._process.is_alive())

    def ask(self, call: Call, told: Callable[[bytes], None] | None) -> Reply:
        """Put a call and wait for its reply; a worker that is late is killed."""
        try:
            self._send(msgspec.msgpack.encode(call))
            waits = call.seconds * 1.5 + GRACE
            while self._connection.poll(waits):
                reply = msgspec.msgpack.decode(self._connection.recv_bytes())
                if set(reply) == {"body"}:
                    if told is not None:
                        told(reply["body"])
                    continue
                found = msgspec.convert(reply, Reply)
                self.is_spent = self.is_spent or bool(found.extra.get("spent"))
                return found
        except (EOFError, OSError):
            was_killed, self.is_spent = self.is_spent, True
            return unknown_reply("stop") if was_killed else Reply(500, b"", {"fault": "it died"})
        self.kill()
        return unknown_reply("limit")

    def _send(self, message: bytes) -> None:
        with self._sending:
            self._connection.send_bytes(message)

    def stop(self) -> None:
        """Ask for what there is by now."""
        with contextlib.suppress(OSError):
            self._send(STOP)

    def kill(self) -> None:
        """End it at once."""
        self.is_spent = True
        self._process.kill()

    def close(self) -> None:
        """End it, and wait until it has gone."""
        self.kill()
        self._process.join()
        self._connection.close()


_READY: list[Any] = []


def _context() -> Any:
    """Return how processes are started: forked from one that has all imported, where that can be had."""
    if not _READY:
        if sys.platform == "win32":
            _READY.append(multiprocessing.get_context("spawn"))
        else:
            context = multiprocessing.get_context("forkserver")
            context.set_forkserver_preload(["marchtable.service.warm"])
            _READY.append(context)
    return _READY[0]


class Pool:
    """
    Worker processes, and those who wait for one.

    Parameters
    ----------
    size
        How many processes.
    waiting
        How many calls may wait.
    briefing
        What each is told at its start.
    """

    def __init__(self, size: int, waiting: int, briefing: Briefing) -> None:
        self._size, self._most = size, waiting
        self._briefing = msgspec.msgpack.encode(briefing)
        self._threads = ThreadPoolExecutor(size + 1, "marchtable-pool")
        self._idle: list[_Worker] = []
        self._all: set[_Worker] = set()
        self._line: deque[asyncio.Future[_Worker]] = deque()

    async def open(self) -> None:
        """Start the processes."""
        for _ in range(self._size):
            self._idle.append(await self._new())

    async def close(self) -> None:
        """End them."""
        workers, self._all = self._all, set()
        for worker in workers:
            worker.kill()
        for worker in workers:
            await asyncio.to_thread(worker.close)
        self._threads.shutdown()

    @property
    def load(self) -> tuple[int, int]:
        """How many calls are under way, and how many wait."""
        return len(self._all) - len(self._idle), len(self._line)

    async def _new(self) -> _Worker:
        worker = await asyncio.get_running_loop().run_in_executor(
            self._threads, _Worker, self._briefing
        )
        self._all.add(worker)
        return worker

    async def ask(
        self, call: Call, key: str = "", *, told: Callable[[bytes], None] | None = None
    ) -> Reply:
        """
        Have a call answered.

        Parameters
        ----------
        call
            The call.
        key
            What it is about: who was asked about it before is asked again, if idle.
        told
            Called with what the worker tells on the way, from another thread. If this is
            cancelled, the worker is asked to stop, and killed if it does not.

        Raises
        ------
        Busy
            If too many wait already.
        """
        worker = await self._taken(key)
        answering = asyncio.get_running_loop().run_in_executor(
            self._threads, worker.ask, call, told
        )
        try:
            return await asyncio.shield(answering)
        except asyncio.CancelledError:
            worker.stop()
            done, _ = await asyncio.wait({answering}, timeout=GRACE)
            if not done:
                worker.kill()
                await asyncio.wait({answering})
            raise
        finally:
            await asyncio.shield(self._back(worker))

    async def _taken(self, key: str) -> _Worker:
        if self._idle:
            worker = next((one for one in self._idle if key in one.lately), self._idle[0])
            self._idle.remove(worker)
        elif len(self._line) >= self._most:
            raise Busy
        else:
            turn: asyncio.Future[_Worker] = asyncio.get_running_loop().create_future()
            self._line.append(turn)
            try:
                worker = await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    await self._back(turn.result())
                raise
        if not worker.is_alive:
            worker = await self._replaced(worker)
        if key and key not in worker.lately:
            worker.lately.append(key)
        return worker

    async def _replaced(self, worker: _Worker) -> _Worker:
        self._all.discard(worker)
        await asyncio.get_running_loop().run_in_executor(self._threads, worker.close)
        return await self._new()

    async def _back(self, worker: _Worker) -> None:
        """Give a worker, or the one that takes its place, to who has waited longest."""
        if worker not in self._all:
            return
        if not worker.is_alive:
            worker = await self._replaced(worker)
        while self._line:
            turn = self._line.popleft()
            if not turn.done():
                turn.set_result(worker)
                return
        self._idle.append(worker)
