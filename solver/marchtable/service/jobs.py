"""Long questions: all listeners get their progress; they end when there are none."""

from __future__ import annotations

import asyncio
import logging
import secrets
from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.answers.answer import error_answer
from marchtable.errors import BadInputError
from marchtable.service.pool import Busy
from marchtable.service.shapes import JobShape
from marchtable.service.who import Rejected

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from marchtable.service.calls import Reply
    from marchtable.service.who import Who

__all__ = ["Job", "Jobs"]

ALONE = 15.0
"""Seconds for which a job continues without listeners."""
BEAT = 5.0
"""Seconds between signals to a listener, which reveal a lost connection."""
FAULT = msgspec.json.encode(error_answer(BadInputError("internal error; see the server's log")))
_LOG = logging.getLogger(__name__)


class Job:
    """
    A long question.

    Parameters
    ----------
    who
        The requester.
    verb
        The verb.
    """

    def __init__(self, who: Who, verb: str) -> None:
        self.id, self.who, self.verb = secrets.token_urlsafe(12), who, verb
        self.stop = asyncio.Event()
        self.news: bytes | None = None
        self.answer: bytes | None = None
        self.has_failed = False
        self._count = 0
        self._changed = asyncio.Event()
        self._listeners = 0
        self._lonely: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()
        self._left()

    def publish(self, body: bytes) -> None:
        """Accept progress, from any thread."""
        self._loop.call_soon_threadsafe(self._take, body, None)

    def _take(self, news: bytes | None, answer: bytes | None) -> None:
        self.news, self.answer = news or self.news, answer or self.answer
        self._count += 1
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    def end(self, answer: bytes, *, has_failed: bool = False) -> None:
        """Accept the answer; an error if it has failed."""
        self.has_failed = has_failed
        self._take(None, answer)
        if self._lonely is not None:
            self._lonely.cancel()

    async def ended(self) -> None:
        """Stop the job, and wait until it has ended."""
        self.stop.set()
        while self.answer is None:
            await self._changed.wait()

    def _left(self) -> None:
        if not self._listeners and self.answer is None:
            self._lonely = self._loop.call_later(ALONE, self.stop.set)

    async def events(self) -> AsyncIterator[bytes]:
        """Yield progress as server-sent events, then the answer."""
        self._listeners += 1
        if self._lonely is not None:
            self._lonely.cancel()
        seen = -1
        try:
            while True:
                changed = self._changed
                if seen != self._count:
                    seen = self._count
                    if self.answer is not None:
                        yield _event("answer", self.answer)
                        return
                    if self.news is not None:
                        yield _event("progress", self.news)
                try:
                    await asyncio.wait_for(changed.wait(), BEAT)
                except TimeoutError:
                    yield b": still at it\n\n"
        finally:
            self._listeners -= 1
            self._left()

    @property
    def state(self) -> str:
        """Its state."""
        if self.answer is None:
            return "working"
        return "failed" if self.has_failed else "done"

    @property
    def data(self) -> dict[str, Any]:
        """The job as plain data."""
        return {
            "format": JobShape.__struct_config__.tag,
            "job": self.id,
            "verb": self.verb,
            "state": self.state,
            "news": None if self.news is None else msgspec.Raw(self.news),
            "answer": None if self.answer is None else msgspec.Raw(self.answer),
        }


def _event(name: str, data: bytes) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (name.encode(), data)


class Jobs:
    """
    The jobs.

    Parameters
    ----------
    most
        The maximum number kept, including finished ones.
    each
        The maximum number of running jobs per client.
    """

    def __init__(self, most: int, each: int) -> None:
        self._most, self._each = most, each
        self._jobs: dict[str, Job] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def begin(self, who: Who, verb: str, ask: Callable[[Job], Awaitable[Reply]]) -> Job:
        """Begin a job; raise its immediate errors, or Rejected (429) if the client has too many."""
        own = [one for one in self._jobs.values() if one.who.name == who.name]
        if sum(one.answer is None for one in own) >= self._each:
            raise Rejected(429, "you have too many long questions in progress")
        job = Job(who, verb)
        self._jobs[job.id] = job
        task = asyncio.create_task(self._work(job, ask))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        await asyncio.sleep(0)
        if task.done() and task.exception() is not None:
            del self._jobs[job.id]
            task.result()
        for old in [*own, *self._jobs.values()]:  # the client's own jobs are removed before others'
            if len(self._jobs) > self._most and old.answer is not None and old is not job:
                self._jobs.pop(old.id, None)
        return job

    async def _work(self, job: Job, ask: Callable[[Job], Awaitable[Reply]]) -> None:
        try:
            reply = await ask(job)
            if reply.status >= 500:
                _LOG.error("%s", reply.extra.get("fault"))
            job.end(reply.body or FAULT, has_failed=reply.status >= 400)
        except Busy:
            job.end(FAULT, has_failed=True)  # a fault can occur after the job was handed out
            raise
        except Exception:
            _LOG.exception("a job failed")
            job.end(FAULT, has_failed=True)

    def of(self, who: Who, id: str) -> Job | None:  # noqa: A002 - the field's name
        """Return a job, if the requester began it."""
        job = self._jobs.get(id)
        return job if job is not None and job.who == who else None

    async def close(self) -> None:
        """End all jobs."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
