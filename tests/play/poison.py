"""An answerer that dies on some requests, for tests: a worker process imports it."""

from __future__ import annotations

import os
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

from marchtable.batch.workers import Process, ask


def ask_or_die(request: Any, *, files: bool) -> dict[str, Any]:
    """Answer a request, but end the process if it asks for that."""
    if request == "die":
        os._exit(3)
    return ask(request, files=files)


class Mortal(Process):
    """A process that dies on the request ``die``."""

    @staticmethod
    def _made() -> ProcessPoolExecutor:
        return ProcessPoolExecutor(1, mp_context=get_context("spawn"))

    def submit(self, request: Any, *, files: bool) -> Future[dict[str, Any]]:
        """Have a request answered."""
        return self.pool.submit(ask_or_die, request, files=files)


class Deadly:
    """A request that ends the process in which it is unpacked."""

    def __reduce__(self) -> tuple[Any, tuple[int]]:
        """Return the function that unpacks it."""
        return os._exit, (3,)
