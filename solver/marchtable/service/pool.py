"""Worker processes: each answers one call at a time, is killed at its limit, and replaced."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import sys
import threading
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.service.calls import Briefing, News, Reply
from marchtable.service.scratch import clear, folder_of
from marchtable.service.worker import STOP, framed, serve, unknown_reply

if TYPE_CHECKING:
    from collections.abc import Callable

    from marchtable.service.calls import Call

__all__ = ["Busy", "Pool"]

GRACE = 2.0
"""Seconds beyond a call's own in which a worker can end it by itself."""
BUSY = 3
"""Factor by which a process's wall-clock time can exceed its limit if it gets no processor."""
HEED = 10.0
"""Seconds for a worker to report its results when asked to stop; its core may be busy."""
REMEMBERED = 64
SOON = 0.2
"""
Seconds for which a call waits for the worker that had the same subject, while others are idle: they
would first have to read the board, which takes about as long.
"""
KILLED = -9
"""Exit code of a killed process: if we did not kill it, memory ran out."""
DIED = Reply(500, b"", {"fault": "a worker process died"})


class Busy(Exception):  # noqa: N818 - no error: try again later
    """Too many calls are waiting."""


def _worked(pid: int | None) -> float:
    """Return a process's processor time (s), or the clock's if the system does not report it."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / float(os.sysconf("SC_CLK_TCK"))
    except (OSError, ValueError, IndexError, AttributeError):
        return monotonic()


@cache
def _context() -> Any:
    """Return how to start processes: forked from one with everything imported, if possible."""
    if sys.platform == "win32":
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["marchtable.service.warm"])
    return context


class Worker:
    """A process and the connection to it; when the process ends, another replaces it."""

    def __init__(self, briefing: Briefing) -> None:
        self._briefing = briefing
        self._sending, self._noting = threading.Lock(), threading.Lock()
        self._last = 0
        self._under_way: int | None = None
        self._killed: int | None = None
        self._is_closing = False
        self.lately: deque[str] = deque(maxlen=REMEMBERED)
        self._start()

    def _start(self) -> None:
        self._connection, theirs = _context().Pipe()
        self.process = _context().Process(
            target=serve, args=(theirs, msgspec.msgpack.encode(self._briefing)), daemon=True
        )
        self.process.start()
        theirs.close()
        self.lately.clear()

    def _restart(self) -> None:
        self.close()
        self._start()

    def number(self) -> int:
        """Return the number of the next call."""
        self._last += 1
        return self._last

    def ask(self, number: int, call: Call, publish: Callable[[bytes], None] | None) -> Reply:
        """Send a call and wait for its reply; kill a late process."""
        message = framed(number, msgspec.msgpack.encode(call))
        for _ in range(2):  # it may have died before it got the call
            if not self._begun(number):
                return unknown_reply("stop")
            is_sent, found = False, None
            try:
                self._send(message)
                is_sent = True
                found = self._answered(call, publish)
            except (EOFError, OSError):
                self.process.join(GRACE)
                was_killed = self._over(number)
                code = self.process.exitcode
                self._restart()
                if was_killed:
                    return unknown_reply("stop")
                if code == KILLED and is_sent:
                    return unknown_reply("limit")
                if is_sent:
                    return DIED
            else:
                self._over(number)
                if found is None or found.extra.get("spent"):
                    self._restart()
                return found or unknown_reply("limit")
        return DIED

    def _begun(self, number: int) -> bool:
        """Record that a call is running, unless it was cancelled."""
        with self._noting:
            if number != self._killed:
                self._under_way = number
            return number != self._killed

    def _over(self, number: int) -> bool:
        """Record that no call is running; return whether this one had the process killed."""
        with self._noting:
            self._under_way = None
            return self._is_closing or number == self._killed

    def _answered(self, call: Call, publish: Callable[[bytes], None] | None) -> Reply | None:
        """
        Return the reply, or None if it is late.

        The time is the process's own: on a busy machine it may wait for a processor, but no longer
        than `BUSY` times its limit.
        """
        most = call.seconds * 1.5 + GRACE
        last, begun = monotonic() + most * BUSY, _worked(self.process.pid)
        while (now := monotonic()) < last:
            wait = most - (_worked(self.process.pid) - begun)
            if wait <= 0:
                break
            if not self._connection.poll(min(wait, last - now)):
                continue
            message = self._connection.recv_bytes()
            reply = msgspec.msgpack.decode(message, type=Reply | News)
            if isinstance(reply, Reply):
                return reply
            if publish is not None:
                publish(reply.body)
        return None

    def _send(self, message: bytes) -> None:
        with self._sending:
            self._connection.send_bytes(message)

    def stop(self, number: int) -> None:
        """Request a call's present results, whether it is running or not yet sent."""
        with contextlib.suppress(OSError):
            self._send(framed(number, STOP))

    def kill(self, number: int) -> None:
        """Kill the process if that call is running; if it has not begun, it never will."""
        with self._noting:
            self._killed = number
            if self._under_way == number:
                self.process.kill()

    def end(self) -> None:
        """Kill the process at once, if it has started."""
        self._is_closing = True
        if self.process.pid is not None:
            self.process.kill()

    def close(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.join()
        self._connection.close()
        if self._briefing.scratch:
            clear(folder_of(Path(self._briefing.scratch), self.process.pid))


class Pool:
    """
    Worker processes, and the calls that wait for one.

    Parameters
    ----------
    size
        The number of processes.
    waiting
        The maximum number of waiting calls.
    briefing
        The start-up data of each process.
    """

    def __init__(self, size: int, waiting: int, briefing: Briefing) -> None:
        self._size, self._most = size, waiting
        self._briefing = briefing
        self._threads = ThreadPoolExecutor(size, "marchtable-pool")
        self.workers: list[Worker] = []
        self._idle: list[Worker] = []
        self._line: deque[asyncio.Future[Worker]] = deque()
        self._waited: set[str] = set()
        self._freed = asyncio.Event()

    async def open(self) -> None:
        """Start the processes."""
        loop = asyncio.get_running_loop()
        started = [
            loop.run_in_executor(self._threads, Worker, self._briefing) for _ in range(self._size)
        ]
        found = await asyncio.gather(*started, return_exceptions=True)
        self.workers = [one for one in found if isinstance(one, Worker)]
        for error in found:
            if isinstance(error, BaseException):
                raise error
        self._idle = list(self.workers)

    async def close(self) -> None:
        """Kill the processes."""
        for worker in self.workers:
            worker.end()
        await asyncio.to_thread(self._threads.shutdown)
        for worker in self.workers:
            await asyncio.to_thread(worker.close)

    @property
    def load(self) -> tuple[int, int]:
        """The numbers of running and waiting calls."""
        return len(self.workers) - len(self._idle), len(self._line)

    @property
    def pids(self) -> list[int]:
        """The ids of the processes."""
        return [worker.process.pid for worker in self.workers]

    async def ask(
        self,
        call: Call,
        key: str = "",
        *,
        publish: Callable[[bytes], None] | None = None,
        stop: asyncio.Event | None = None,
    ) -> Reply:
        """
        Run a call.

        Parameters
        ----------
        call
            The call.
        key
            Its subject: the worker that had it before is used again, if idle.
        publish
            Called with the worker's progress, from another thread.
        stop
            Ends the call with its present results when set. A worker that does not react is killed,
            as is one whose caller is cancelled.

        Raises
        ------
        Busy
            If too many calls are waiting.
        """
        worker = await self._taken(key, stop)
        if worker is None:
            return unknown_reply("stop")
        loop, number = asyncio.get_running_loop(), worker.number()
        asked = loop.run_in_executor(self._threads, worker.ask, number, call, publish)
        asked.add_done_callback(lambda _: self._back(worker))
        try:
            if stop is not None:
                await _either(asked, stop)
                if not asked.done():
                    worker.stop(number)
                    await asyncio.wait({asked}, timeout=HEED)
                if not asked.done():
                    worker.kill(number)
            return await asyncio.shield(asked)
        except asyncio.CancelledError:
            worker.kill(number)
            raise

    async def _taken(self, key: str, stop: asyncio.Event | None) -> Worker | None:
        """Return a worker, or None if it is no longer wanted."""
        worker: Worker | None
        if stop is not None and stop.is_set():
            return None
        if (
            self._idle
            and key
            and not self._knowing(self._idle, key)
            and self._knowing(self.workers, key)
        ):
            await self._wait(key)
        if self._idle:
            worker = self._knowing(self._idle, key) or self._idle[0]
            self._idle.remove(worker)
        elif len(self._line) >= self._most:
            raise Busy
        else:
            worker = await self._turn(stop)
        if worker is not None and key and key not in worker.lately:
            worker.lately.append(key)
        return worker

    @staticmethod
    def _knowing(workers: list[Worker], key: str) -> Worker | None:
        return next((one for one in workers if key in one.lately), None)

    async def _wait(self, key: str) -> None:
        """Wait briefly, one caller at a time, for a worker that has had the subject."""
        if key in self._waited:
            return
        self._waited.add(key)
        try:
            async with asyncio.timeout(SOON):
                while self._idle and not self._knowing(self._idle, key):
                    await self._freed.wait()
        except TimeoutError:
            pass
        finally:
            self._waited.discard(key)

    async def _turn(self, stop: asyncio.Event | None) -> Worker | None:
        turn: asyncio.Future[Worker] = asyncio.get_running_loop().create_future()
        self._line.append(turn)
        try:
            if stop is not None:
                await _either(turn, stop)
                if not turn.done():
                    self._line.remove(turn)
                    return None
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._back(turn.result())
            elif turn in self._line:
                self._line.remove(turn)
            raise

    def _back(self, worker: Worker) -> None:
        """Give a worker to the call that has waited longest."""
        freed, self._freed = self._freed, asyncio.Event()
        freed.set()
        while self._line:
            turn = self._line.popleft()
            if not turn.done():
                turn.set_result(worker)
                return
        self._idle.append(worker)


async def _either(wanted: asyncio.Future[Any], stop: asyncio.Event) -> None:
    """Wait for a task, or for a request to stop."""
    stopped = asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait({wanted, stopped}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        stopped.cancel()
