"""Ctrl-C and SIGTERM, which the command line treats alike: it ends in one line, with code 130."""

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
    """Call a handler at Ctrl-C and SIGTERM, except for signals that this process ignores."""
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
    Treat Ctrl-C as a request to stop; a second one, or any without `keeping`, ends the block.

    Parameters
    ----------
    keeping
        Whether partial results are worth keeping.

    Yields
    ------
    Stop
        The stop requested; KeyboardInterrupt is raised as well where it is expected.
    """
    stop = Stop()

    def handler(*_: object) -> None:
        is_second = stop.is_requested
        stop.request()
        if is_second or not keeping or stop.is_heeded:
            raise KeyboardInterrupt

    with heard(handler):
        yield stop
