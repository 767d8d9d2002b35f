"""Worker processes: each answers one call at a time, is killed at its limit, and replaced."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import sys
import threading
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from functools import cache
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
KILLED = -9
"""Exit code of a process that was killed: where we did not, there was no memory left."""
DIED = Reply(500, b"", {"fault": "a worker process died"})


class Busy(Exception):  # noqa: N818 - no error: try again later
    """Too many wait already."""


@cache
def _context() -> Any:
    """Return how processes are started: forked from one that has all imported, where that can be had."""
    if sys.platform == "win32":
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["marchtable.service.warm"])
    return context


class _Worker:
    """A process and the connection to it; when it ends, or is ended, another takes its place."""

    def __init__(self, briefing: bytes) -> None:
        self._briefing = briefing
        self._sending = threading.Lock()
        self.lately: deque[str] = deque(maxlen=REMEMBERED)
        self._start()

    def _start(self) -> None:
        self._connection, theirs = _context().Pipe()
        self.process = _context().Process(target=serve, args=(theirs, self._briefing), daemon=True)
        self.process.start()
        self._is_killed = False
        theirs.close()
        self.lately.clear()

    def _restart(self) -> None:
        self.close()
        self._start()

    def ask(self, call: Call, told: Callable[[bytes], None] | None) -> Reply:
        """Put a call and wait for its reply; a process that is late is killed."""
        for _ in range(2):  # it may have died before it was asked
            try:
                found = self._asked(call, told)
            except (EOFError, OSError):
                self.process.join(GRACE)
                was_killed, code = self._is_killed, self.process.exitcode
                self._restart()
                if was_killed:
                    break
                continue
            if found is None or found.extra.get("spent"):
                self._restart()
            return found or unknown_reply("limit")
        return unknown_reply("limit") if was_killed or code == KILLED else DIED

    def _asked(self, call: Call, told: Callable[[bytes], None] | None) -> Reply | None:
        """Return the reply, None if it is late."""
        self._send(msgspec.msgpack.encode(call))
        while self._connection.poll(call.seconds * 1.5 + GRACE):
            message = self._connection.recv_bytes()
            reply = msgspec.msgpack.decode(message, type=Reply | News)
            if isinstance(reply, Reply):
                return reply
            if told is not None:
                told(reply.body)
        return None

    def _send(self, message: bytes) -> None:
        with self._sending:
            self._connection.send_bytes(message)

    def stop(self) -> None:
        """Ask for what there is by now."""
        with contextlib.suppress(OSError):
            self._send(STOP)

    def kill(self) -> None:
        """End the process at once, whatever it does."""
        self._is_killed = True
        self.process.kill()

    def close(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.join()
        self._connection.close()


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
        What each process is told at its start.
    """

    def __init__(self, size: int, waiting: int, briefing: Briefing) -> None:
        self._size, self._most = size, waiting
        self._briefing = msgspec.msgpack.encode(briefing)
        self._threads = ThreadPoolExecutor(size, "marchtable-pool")
        self._all: list[_Worker] = []
        self._idle: list[_Worker] = []
        self._line: deque[asyncio.Future[_Worker]] = deque()

    async def open(self) -> None:
        """Start the processes."""
        loop = asyncio.get_running_loop()
        started = [
            loop.run_in_executor(self._threads, _Worker, self._briefing) for _ in range(self._size)
        ]
        self._all = list(await asyncio.gather(*started))
        self._idle = list(self._all)

    async def close(self) -> None:
        """End the processes, whatever they do."""
        for worker in self._all:
            worker.kill()
        await asyncio.to_thread(self._threads.shutdown)
        for worker in self._all:
            await asyncio.to_thread(worker.close)

    @property
    def load(self) -> tuple[int, int]:
        """How many calls are under way, and how many wait."""
        return len(self._all) - len(self._idle), len(self._line)

    @property
    def pids(self) -> list[int]:
        """The ids of the processes."""
        return [worker.process.pid for worker in self._all]

    async def ask(
        self,
        call: Call,
        key: str = "",
        *,
        told: Callable[[bytes], None] | None = None,
        stop: asyncio.Event | None = None,
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
            Called with what the worker tells on the way, from another thread.
        stop
            Ends the call with what there is when it is set. A worker that does not heed it is killed,
            as one is whose caller is cancelled.

        Raises
        ------
        Busy
            If too many wait already.
        """
        worker = await self._taken(key)
        loop = asyncio.get_running_loop()
        asked = loop.run_in_executor(self._threads, worker.ask, call, told)
        asked.add_done_callback(lambda _: self._back(worker))
        try:
            if stop is not None:
                await self._until(asked, stop, worker)
            return await asyncio.shield(asked)
        except asyncio.CancelledError:
            worker.kill()
            raise

    async def _until(self, asked: Any, stop: asyncio.Event, worker: _Worker) -> None:
        """Wait for an answer or a request to stop, and have that heeded."""
        stopped = asyncio.ensure_future(stop.wait())
        try:
            await asyncio.wait({asked, stopped}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            stopped.cancel()
        if not asked.done():
            worker.stop()
            await asyncio.wait({asked}, timeout=GRACE)
        if not asked.done():
            worker.kill()

    async def _taken(self, key: str) -> _Worker:
        if self._idle:
            worker = next((one for one in self._idle if key in one.lately), self._idle[0])
            self._idle.remove(worker)
        elif len(self._line) >= self._most:
            raise Busy
        else:
            worker = await self._turn()
        if key and key not in worker.lately:
            worker.lately.append(key)
        return worker

    async def _turn(self) -> _Worker:
        turn: asyncio.Future[_Worker] = asyncio.get_running_loop().create_future()
        self._line.append(turn)
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._back(turn.result())
            raise

    def _back(self, worker: _Worker) -> None:
        """Give a worker to who has waited longest."""
        while self._line:
            turn = self._line.popleft()
            if not turn.done():
                turn.set_result(worker)
                return
        self._idle.append(worker)
