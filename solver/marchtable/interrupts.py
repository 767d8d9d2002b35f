"""Ctrl-C and SIGTERM, which are the same to the command line: it ends in one line, with code 130."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from marchtable.cpsat.harness import Stop

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["INTERRUPTED", "heard", "stopping"]

INTERRUPTED = 130
"""Exit code after Ctrl-C."""

SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def heard(handler: Any) -> Iterator[None]:
    """Have a handler called at Ctrl-C and SIGTERM, but at those that this process is set to ignore."""
    before: dict[signal.Signals, Any] = {}
    try:
        if threading.current_thread() is threading.main_thread():
            for one in SIGNALS:
                if signal.getsignal(one) not in (signal.SIG_IGN, None):
                    before[one] = signal.signal(one, handler)
        yield
    finally:
        for one, was in before.items():
            signal.signal(one, was)


@contextmanager
def stopping(*, keeping: bool) -> Iterator[Stop]:
    """
    Take Ctrl-C for a request to stop; a second one, or any if nothing is to be kept, for the end.

    Parameters
    ----------
    keeping
        Whether what is found so far is worth something.

    Yields
    ------
    Stop
        What is asked for it; KeyboardInterrupt is raised as well, where that is waited for.
    """
    stop = Stop()

    def handler(*_: object) -> None:
        is_second = stop.is_requested
        stop.request()
        if is_second or not keeping or stop.is_heeded:
            raise KeyboardInterrupt

    with heard(handler):
        yield stop
