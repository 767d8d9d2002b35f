"""Worker processes: a stop ends the call, and the next one finds a warm process."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from typing import TYPE_CHECKING, Any

import pytest

from marchtable.service.calls import Briefing, Call
from marchtable.service.pool import Pool, Worker
from marchtable.service.settings import Library

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable.service.calls import Reply

BRIEFING = Briefing(Library(), 8192)


@pytest.fixture
def worker() -> Iterator[Worker]:
    """A worker."""
    found = Worker(BRIEFING)
    yield found
    found.close()


def call(function: str, seconds: float = 20.0, **args: Any) -> Call:
    """Return a call of one of the functions made for tests."""
    found = {"function": f"tests.service.hogs:{function}", "args": args, "reports": True}
    return Call(function="run", args=found, seconds=seconds)


def unknown(reply: Reply) -> bool:
    """Return whether a reply is that of a stopped question."""
    found = json.loads(reply.body)
    return isinstance(found, dict) and found["status"] == "UNKNOWN"


def test_a_stop_may_come_before_its_call(worker: Worker) -> None:
    """A stop that overtakes its call is heeded; a late one harms no other call."""
    first = worker.process.pid
    assert json.loads(worker.ask(worker.number(), call("pid"), None).body) == first
    number = worker.number()
    worker.stop(number)
    assert unknown(worker.ask(number, call("patient", lasts=10.0), None))
    worker.stop(number)
    after = worker.ask(worker.number(), call("patient", lasts=0.1), None)
    assert json.loads(after.body) == first


def test_no_question_waits_for_the_kernel(worker: Worker) -> None:
    """A process has the compiled kernel before its first question, and does not scan it for garbage."""
    pytest.importorskip("numba")
    if os.environ.get("MARCHTABLE_KERNEL", "auto") == "python":
        pytest.skip("numba is not wanted here")
    reply = worker.ask(worker.number(), call("readiness"), None)
    assert json.loads(reply.body) == ["numba", False]


def test_a_kill_belongs_to_its_call(worker: Worker) -> None:
    """Killing an answered call has no effect; a queued one is not started."""
    first, number = worker.process.pid, worker.number()
    worker.ask(number, call("pid"), None)
    worker.kill(number)
    number = worker.number()
    assert json.loads(worker.ask(number, call("pid"), None).body) == first
    number = worker.number()
    worker.kill(number)
    assert unknown(worker.ask(number, call("pid"), None))
    assert json.loads(worker.ask(worker.number(), call("pid"), None).body) == first


@pytest.mark.slow
def test_news_do_not_put_off_the_end(worker: Worker) -> None:
    """A call that does not end at its limit is killed, whatever progress it reports."""
    heard: list[bytes] = []
    assert unknown(worker.ask(worker.number(), call("talker", 0.2, lasts=8.0), heard.append))
    assert heard


def test_a_worker_that_ignores_a_stop_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call that ignores a stop is reported as stopped, not as over its limit."""
    monkeypatch.setattr("marchtable.service.pool.HEED", 0.1)

    async def talk() -> bytes:
        pool, stop = Pool(1, 4, BRIEFING), asyncio.Event()
        await pool.open()
        try:
            asked = asyncio.create_task(pool.ask(call("patient", 60.0, lasts=50.0), stop=stop))
            await asyncio.sleep(0.2)
            os.kill(pool.pids[0], signal.SIGSTOP)  # as if it were caught where nothing is heeded
            stop.set()
            return (await asyncio.wait_for(asked, 20)).body
        finally:
            await pool.close()

    assert json.loads(asyncio.run(talk()))["unsettled"] == "stop"


def test_a_queued_question_heeds_a_stop() -> None:
    """A queued call ends when stopped, and a running one keeps its process."""

    async def talk() -> None:
        pool = Pool(1, 4, BRIEFING)
        await pool.open()
        try:
            pids, stops = pool.pids, (asyncio.Event(), asyncio.Event())
            long = call("patient", 60.0, lasts=50.0)
            first = asyncio.create_task(pool.ask(long, stop=stops[0]))
            second = asyncio.create_task(pool.ask(long, stop=stops[1]))
            await asyncio.sleep(0.1)
            assert pool.load == (1, 1)
            stops[1].set()
            assert unknown(await asyncio.wait_for(second, 20))
            assert pool.load == (1, 0)
            assert not first.done()
            assert unknown(await pool.ask(long, stop=stops[1]))
            stops[0].set()
            assert unknown(await asyncio.wait_for(first, 20))
            assert json.loads((await pool.ask(call("pid"))).body) == pids[0]
        finally:
            await pool.close()

    asyncio.run(talk())


def test_a_worker_with_warm_caches_is_waited_for_a_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call goes to the worker that answered similar questions, unless it is busy for long."""

    async def talk() -> None:
        pool = Pool(2, 4, BRIEFING)
        await pool.open()

        async def pid() -> int:
            found: int = json.loads((await pool.ask(call("pid"), "game")).body)
            return found

        try:
            monkeypatch.setattr("marchtable.service.pool.SOON", 20.0)
            knows = await pid()
            assert list(await asyncio.gather(pid(), pid())) == [knows, knows]
            monkeypatch.setattr("marchtable.service.pool.SOON", 0.05)
            stop = asyncio.Event()
            long = call("patient", 60.0, lasts=50.0)
            busy = asyncio.create_task(pool.ask(long, "game", stop=stop))
            await asyncio.sleep(0.1)
            assert await asyncio.wait_for(pid(), 20) != knows
            stop.set()
            await busy
        finally:
            await pool.close()

    asyncio.run(talk())
