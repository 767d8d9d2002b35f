"""The engine's loop: one thread reads, another answers, so that requests can be cancelled."""

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
"""Maximum length of a line."""
MOST_WAITING = 1_000
LOOK, LAST = 0.2, 2.0
"""Seconds between checks whether the client is gone, and for running work to end after that."""


class _Batch:
    """The answers to a batch, which are sent together."""

    def __init__(self, size: int) -> None:
        self.left, self.answers = size, list[Any]()


class _Job:
    """A message waiting for its answer."""

    def __init__(self, message: Message, batch: _Batch | None) -> None:
        self.message, self.batch, self.stop = message, batch, Stop()


class Engine:
    """
    Answers lines, one after the other.

    Parameters
    ----------
    send
        Takes each outgoing line; called from one thread at a time.
    files
        Whether clients can name files.
    most_waiting
        The maximum number of queued messages; more are rejected at once.
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
        self._open: list[_Job] = []  # queued or in progress
        self._lock = threading.Lock()  # protects _open and outgoing lines
        self.is_over = False

    # -- the reading thread ------------------------------------------------------------------------

    def take(self, line: bytes | None) -> None:
        """Process an incoming line; None stands for one that was too long."""
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
        """Stop the request of that id: it is still answered, with the results so far."""
        params = job.message.params
        if set(params) != {"id"}:
            data = {"source": "params", "field": "id"}
            fault = Fault(PARAMS, "expected the id of a request", data)
            self._answer(job, error(job.message.id, fault))
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
        """Let the answering thread end once the queue is empty."""
        self._jobs.put(None)

    def stop(self) -> None:
        """Stop all queued and running requests."""
        with self._lock:
            for job in self._open:
                job.stop.request()

    # -- the answering thread ----------------------------------------------------------------------

    def work(self) -> None:
        """Answer queued messages until there are no more to come."""
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

    # -- sending -----------------------------------------------------------------------------------

    def _answer(self, job: _Job, message: dict[str, Any]) -> None:
        """Send an answer, or keep it until its batch is answered; a notification gets none."""
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
    Answer a stream's lines until it ends, or the client sends ``shutdown`` or is gone.

    Parameters
    ----------
    source, sink
        The streams of messages and of answers.
    files
        Whether scenes, boards, logs and goals can be named by file path.
    leave
        Called from another thread once the answers have no reader: it ends the process, even if
        that is waiting for a line or at work that cannot be stopped.
    """
    has_gone = threading.Event()  # set when the client is gone

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
    """Return whether a pipe's reader is gone; if this cannot be checked, writing will show it."""
    if not hasattr(select, "poll"):
        return False
    try:
        end = select.poll()
        end.register(sink.fileno(), 0)  # poll always reports a broken pipe
        return bool(end.poll(0))
    except (OSError, ValueError):  # not a file of the system's
        return False
