"""The engine's loop: one thread reads, another answers, so that what is asked can be cancelled."""

from __future__ import annotations

import math
import select
import threading
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from marchtable.answers.answer import unknown_answer
from marchtable.budget import OverLimit, limited, now_and_then, watched
from marchtable.cpsat.harness import Stop
from marchtable.protocol.messages import (
    BUSY,
    CANCEL,
    INTERNAL,
    INVALID,
    PARAMS,
    SHUTDOWN,
    Fault,
    Message,
    error,
    line_of,
    lines,
    messages_of,
    notification,
    result,
)
from marchtable.protocol.methods import Methods

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO

__all__ = ["MOST_BYTES", "MOST_WAITING", "Engine", "serve"]

MOST_BYTES = 8_000_000
"""Of a line."""
MOST_WAITING = 1_000
LOOK, LAST = 0.2, 2.0
"""Seconds between two looks whether the client has gone, and those in which what runs then is to end."""


class _Batch:
    """The answers to a batch, which go out together."""

    def __init__(self, size: int) -> None:
        self.left, self.answers = size, list[Any]()


class _Job:
    """A message that waits for its answer."""

    def __init__(self, message: Message, batch: _Batch | None) -> None:
        self.message, self.batch, self.stop = message, batch, Stop()


class Engine:
    """
    Answers lines, one after the other.

    Parameters
    ----------
    send
        Takes each line that goes out; called from one thread at a time.
    files
        Whether files may be named.
    most_waiting
        How many messages may wait to be answered; more are refused at once.
    """

    def __init__(
        self,
        send: Callable[[bytes], None],
        *,
        files: bool = False,
        most_waiting: int = MOST_WAITING,
    ) -> None:
        self._send, self._most = send, most_waiting
        self.methods = Methods(files=files)
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._open: list[_Job] = []  # waiting or being answered
        self._lock = threading.Lock()  # of what is open, and of what goes out
        self.is_over = False

    # -- what the reading thread does --------------------------------------------------------------

    def take(self, line: bytes | None) -> None:
        """Take a line in; None stands for one that was too long."""
        if line is not None and not line.strip():
            return
        try:
            if line is None:
                raise Fault(INVALID, f"a line of more than {MOST_BYTES} bytes")  # noqa: TRY301
            messages, is_batch = messages_of(line)
        except Fault as fault:
            self._emit(error(None, fault))
            return
        batch = _Batch(len(messages)) if is_batch else None
        for message in messages:
            self._take(message, batch)

    def _take(self, message: Message, batch: _Batch | None) -> None:
        job = _Job(message, batch)
        if message.fault is not None:
            self._answer(job, error(message.id, message.fault))
        elif message.method == CANCEL:
            self._cancel(job)
        elif message.method == SHUTDOWN:
            self._answer(job, result(message.id, None))
            self.is_over = True
        else:
            with self._lock:
                is_full = len(self._open) >= self._most
                if not is_full:
                    self._open.append(job)
            if is_full:
                fault = Fault(BUSY, f"{self._most} messages wait already; ask again later")
                self._answer(job, error(message.id, fault))
            else:
                self._jobs.put(job)

    def _cancel(self, job: _Job) -> None:
        """Ask what has that id to stop: it is answered all the same, with what was found so far."""
        params = job.message.params
        if set(params) != {"id"}:
            self._answer(job, error(job.message.id, Fault(PARAMS, "expected the id of a request")))
            return
        wanted = params["id"]
        with self._lock:
            meant = [
                one
                for one in self._open
                if one.message.is_request
                and type(one.message.id) is type(wanted)
                and one.message.id == wanted
            ]
        for one in meant:
            one.stop.request()
        self._answer(job, result(job.message.id, {"cancelled": bool(meant)}))

    def end(self) -> None:
        """Have the answering thread leave off once nothing waits."""
        self._jobs.put(None)

    def stop(self) -> None:
        """Ask all that waits and is being answered to stop."""
        with self._lock:
            for job in self._open:
                job.stop.request()

    # -- what the answering thread does --------------------------------------------------------------

    def work(self) -> None:
        """Answer what waits, until there is no more to come."""
        while (job := self._jobs.get()) is not None:
            number = job.message.id
            try:
                found = result(number, self._called(job))
                line_of(found)
            except Fault as fault:
                found = error(number, fault)
            except Exception as fault:
                what = f"internal error, please report it: {type(fault).__name__}: {fault}"
                found = error(number, Fault(INTERNAL, what))
            with self._lock:
                self._open.remove(job)
            self._answer(job, found)

    def _called(self, job: _Job) -> Any:
        params = dict(job.message.params)
        wants = params.pop("progress", False)
        if not isinstance(wants, bool):
            raise Fault(PARAMS, "expected true or false", {"source": "params", "field": "progress"})
        number = job.message.id

        def notify(news: dict[str, Any]) -> None:
            self._emit(notification("progress", {"id": number, **news}))

        watch = now_and_then(notify) if wants and job.message.is_request else None
        try:
            with limited(math.inf, job.stop), watched(watch):
                return self.methods.call(job.message.method, params, job.stop)
        except OverLimit:
            return unknown_answer("stop")

    # -- what goes out -------------------------------------------------------------------------------

    def _answer(self, job: _Job, message: dict[str, Any]) -> None:
        """Send an answer, or keep it until its whole batch is answered; a notification gets none."""
        if job.batch is None:
            if job.message.is_request:
                self._emit(message)
            return
        with self._lock:
            if job.message.is_request:
                job.batch.answers.append(message)
            job.batch.left -= 1
            is_whole = job.batch.left == 0
        if is_whole and job.batch.answers:
            self._emit(job.batch.answers)

    def _emit(self, message: Any) -> None:
        line = line_of(message)
        with self._lock:
            self._send(line)


def serve(
    source: BinaryIO,
    sink: BinaryIO,
    *,
    files: bool = False,
    leave: Callable[[], None] = lambda: None,
) -> None:
    """
    Answer a stream's lines until it ends, or the client says ``shutdown`` or has gone.

    Parameters
    ----------
    source, sink
        Where messages come from, and where answers go.
    files
        Whether scenes, boards, logs and goals may be named by the paths of their files.
    leave
        Called, from another thread, once nobody reads the answers: it ends the process, though that
        be waiting for a line or at work on something that cannot be stopped.
    """
    has_gone = threading.Event()  # the client

    def send(line: bytes) -> None:
        try:
            sink.write(line)
            sink.flush()
        except (OSError, ValueError):
            has_gone.set()

    engine = Engine(send, files=files)
    worker = threading.Thread(target=engine.work, daemon=True, name="answering")

    def watch() -> None:
        while worker.is_alive():
            if has_gone.wait(LOOK) or _is_deaf(sink):
                engine.end()
                engine.stop()
                worker.join(LAST)
                leave()
                return

    worker.start()
    threading.Thread(target=watch, daemon=True, name="watching").start()
    try:
        for line in lines(source, MOST_BYTES):
            engine.take(line)
            if engine.is_over:
                break
        engine.end()
        while worker.is_alive():  # so that Ctrl-C is heard
            worker.join(LOOK)
    except KeyboardInterrupt:
        engine.stop()
        raise


def _is_deaf(sink: BinaryIO) -> bool:
    """Return whether a pipe's reader has gone; where that cannot be asked, writing to it shows it."""
    if not hasattr(select, "poll"):
        return False
    try:
        end = select.poll()
        end.register(sink.fileno(), 0)  # poll reports a broken pipe unasked
        return bool(end.poll(0))
    except (OSError, ValueError):  # no file of the system's
        return False
