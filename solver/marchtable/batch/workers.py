"""
Workers: processes of this machine, or anything with the standard Executor's interface.

A *worker* is an executor that answers one request after another in the same process, so that its
cached data on a board serve the next question on it.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import sys
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
)
from multiprocessing import parent_process
from multiprocessing.context import SpawnContext, SpawnProcess
from pathlib import Path
from threading import Event, Lock, Thread
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

from marchtable.answers.answer import answer, error_answer
from marchtable.codec.plain import one_line
from marchtable.errors import BadInputError, MarchtableError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["CallerExecutor", "Hands", "Process", "ask", "dask_workers", "fault", "ray_workers"]


def ask(request: Any, *, files: bool) -> dict[str, Any]:
    """Answer a request; errors become answers too."""
    try:
        _reject_pipes(request)
        return answer(request, files=files)
    except BadInputError as error:
        return error_answer(error)
    except Exception as error:  # one request must not end the others
        return fault(error)


def _reject_pipes(request: Any) -> None:
    """Raise BadInputError if a request names a pipe, which could block forever."""
    for field, value in request.items() if isinstance(request, dict) else ():
        try:
            is_pipe = isinstance(value, str) and Path(value).is_fifo()
        except (OSError, ValueError):  # an invalid file name
            continue
        if is_pipe:
            raise BadInputError("expected a file, got a pipe", source=value, field=str(field))


def fault(error: BaseException) -> dict[str, Any]:
    """Return the answer to a request that failed by an internal error or a worker's."""
    words = str(error) or "no more is known"
    if not isinstance(error, MarchtableError):
        words = f"{type(error).__name__}: {words}"
    return error_answer(BadInputError(words, source="batch", field="request"))


GUARD = (
    "its processes import your script, which would run the batch again; "
    'put the lines that call batch under `if __name__ == "__main__":`'
)
"""What to write in a script whose own executor spawns processes."""


LOOK = 2.0
"""Seconds between looks at whether a worker of a cluster is still there."""


class Hands:
    """A worker, and its number of requests at a time: one in progress, one waiting."""

    ahead = 2

    def submit(self, request: Any, *, files: bool) -> Future[dict[str, Any]]:
        """Submit a request."""
        raise NotImplementedError

    def renew(self) -> bool:
        """Repair the worker after it broke; return False if it cannot be repaired."""
        return False

    def has_died(self, error: BaseException) -> bool:
        """Return whether an error means that the worker died, with all its requests."""
        return isinstance(error, BrokenExecutor)

    def close(self) -> None:
        """Release the worker."""


class _Apart(SpawnProcess):
    """
    A process that does not import the caller's script.

    So the script needs no ``if __name__ == "__main__":``, and can come from standard input or a
    notebook. A spawned process imports what ``__main__`` is while the process starts.
    """

    _starting: ClassVar = Lock()

    def start(self) -> None:
        """Start the process."""
        with self._starting:
            script = sys.modules["__main__"]
            sys.modules["__main__"] = ModuleType("__main__")
            try:
                super().start()
            finally:
                sys.modules["__main__"] = script


class Apart(SpawnContext):
    """Starts processes that do not import the caller's script."""

    Process = _Apart


class Process(Hands):
    """A process of this machine."""

    def __init__(self) -> None:
        self.pool = self._made()

    @staticmethod
    def _made() -> ProcessPoolExecutor:
        return ProcessPoolExecutor(1, mp_context=Apart(), initializer=_begin)

    def submit(self, request: Any, *, files: bool) -> Future[dict[str, Any]]:
        """Submit a request."""
        return self.pool.submit(ask, request, files=files)

    def renew(self) -> bool:
        """Start another process."""
        self.close()
        self.pool = self._made()
        return True

    def close(self) -> None:
        """End the process."""
        self.pool.shutdown(wait=False, cancel_futures=True)


def _begin() -> None:
    """Leave Ctrl-C to the parent process, and end when it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


class CallerExecutor(Hands):
    """
    An executor of the caller, which is neither renewed nor closed.

    Parameters
    ----------
    executor
        Anything with the standard Executor's ``submit``.
    ahead
        How many requests it is given at a time.
    close
        Called at the end.
    """

    def __init__(
        self, executor: Executor, *, ahead: int, close: Callable[[], Any] | None = None
    ) -> None:
        self.executor, self.ahead, self._close = executor, ahead, close

    def submit(self, request: Any, *, files: bool) -> Future[dict[str, Any]]:
        """Submit a request; raise BadInputError if the executor takes none."""
        try:
            return self.executor.submit(ask, request, files=files)
        except BrokenExecutor:
            raise
        except RuntimeError as error:  # shut down, or its processes run the script again
            words = one_line(" ".join(str(error).split()))
            if "bootstrapping" in words:
                words = GUARD
            raise BadInputError(words, field="executor") from None

    def close(self) -> None:
        """Release the worker."""
        if self._close is not None:
            self._close()


def _knock(address: str, option: str) -> None:
    """Raise BadInputError if nothing listens at an address; Dask and Ray take long to say so."""
    found = re.fullmatch(r"(?:(?:tcp|tls|ucx|wss?|ray)://)?([^/\s]+):(\d{1,5})/?", address)
    if found is None:
        raise BadInputError(f"expected HOST:PORT, got {address!r}", field=option)
    try:
        socket.create_connection((found[1].strip("[]"), int(found[2])), timeout=10).close()
    except (OSError, OverflowError, UnicodeError) as error:
        raise BadInputError(f"no cluster at {address}: {error}", field=option) from error


def dask_workers(address: str) -> list[Hands]:
    """Return the workers of a Dask cluster, each as its own executor; raise BadInputError."""
    try:
        from distributed import Client
    except ImportError as error:
        raise BadInputError(
            "expected Dask: pip install 'marchtable[dask]'", field="--dask"
        ) from error
    _knock(address, "--dask")
    try:
        made: Any = Client
        client = made(address, set_as_default=False, timeout=10)
    except OSError as error:
        raise BadInputError(f"no cluster at {address}: {error}", field="--dask") from error
    names = sorted(client.scheduler_info(n_workers=-1)["workers"])
    if not names:
        client.close()
        raise BadInputError(f"the cluster at {address} has no workers", field="--dask")
    return [_DaskWorker(client, name, is_last=name == names[-1]) for name in names]


class _DaskWorker(Hands):
    """
    A worker of a Dask cluster.

    Dask gives a process that replaces a dead one another address, and lets the requests of the dead
    wait forever. So a thread looks for the address, and cancels the requests when it is gone.
    """

    def __init__(self, client: Any, name: str, *, is_last: bool) -> None:
        self._client, self._is_last, self._over = client, is_last, Event()
        self._asked: set[Future[dict[str, Any]]] = set()
        self._settle(name)
        Thread(target=self._watch, daemon=True).start()

    def _settle(self, name: str) -> None:
        self._name = name
        self._executor = self._client.get_executor(
            workers=[name], pure=False, allow_other_workers=False
        )

    def _names(self) -> list[str]:
        """Return the addresses of the present workers; none if the scheduler is gone."""
        try:
            return sorted(self._client.scheduler_info(n_workers=-1)["workers"])
        except (OSError, RuntimeError):
            return []

    def _watch(self) -> None:
        while not self._over.wait(LOOK):
            if self._asked and self._name not in (names := self._names()) and names:
                for one in [*self._asked]:
                    one.cancel()

    def submit(self, request: Any, *, files: bool) -> Future[dict[str, Any]]:
        """Submit a request."""
        found: Future[dict[str, Any]] = self._executor.submit(ask, request, files=files)
        self._asked.add(found)
        found.add_done_callback(self._asked.discard)
        return found

    def has_died(self, error: BaseException) -> bool:
        """Return whether the worker died: its requests were then cancelled."""
        return isinstance(error, CancelledError)

    def renew(self) -> bool:
        """Turn to another worker of the cluster."""
        names = self._names()
        if names:
            self._settle(self._name if self._name in names else names[0])
        return bool(names)

    def close(self) -> None:
        """End the watch; the last one also closes the connection."""
        self._over.set()
        if self._is_last:
            self._client.close()


class _Actor(Hands):
    """An actor of a Ray cluster."""

    def __init__(self, ray: Any, close: Callable[[], Any] | None) -> None:
        self._ray, self._close = ray, close
        self._actor = self._made()

    def _made(self) -> Any:
        class Asked:
            def ask(self, request: Any, *, files: bool) -> dict[str, Any]:
                return ask(request, files=files)

        return self._ray.remote(Asked).remote()

    def submit(self, request: Any, *, files: bool) -> Future[dict[str, Any]]:
        """Submit a request."""
        found: Future[dict[str, Any]] = self._actor.ask.remote(request, files=files).future()
        return found

    def has_died(self, error: BaseException) -> bool:
        """Return True: other failures are answers, so any error means that the actor died."""
        del error
        return True

    def renew(self) -> bool:
        """Start another actor."""
        self._ray.kill(self._actor)
        self._actor = self._made()
        return True

    def close(self) -> None:
        """End the actor; the last one also closes the connection."""
        self._ray.kill(self._actor)
        if self._close is not None:
            self._close()


def ray_workers(address: str) -> list[Hands]:
    """Return an actor for each core of a Ray cluster; raise BadInputError."""
    try:
        import ray
    except ImportError as error:
        raise BadInputError("expected Ray: pip install 'marchtable[ray]'", field="--ray") from error
    made: Any = ray
    if address != "auto":
        _knock(address, "--ray")
    try:
        made.init(address=address, log_to_driver=False)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise BadInputError(f"no cluster at {address}: {error}", field="--ray") from error
    count = max(1, int(made.cluster_resources().get("CPU", 1)))
    return [_Actor(made, made.shutdown if n == count - 1 else None) for n in range(count)]
