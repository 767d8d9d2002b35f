"""Misbehaving questions."""

from __future__ import annotations

import gc
import os
from time import monotonic, sleep
from typing import Any

from marchtable.budget import Stage, look, watch_here
from marchtable.reachability.kernel import backend


def hog(_: Any) -> int:
    """Take more memory than is allowed."""
    return len(bytearray(60_000_000_000))


def pid(_: Any) -> int:
    """Return the process's id."""
    return os.getpid()


def patient(_: Any, *, lasts: float) -> int:
    """Take some seconds, if not asked to stop."""
    end = monotonic() + lasts
    while monotonic() < end:
        look()
        sleep(0.01)
    return os.getpid()


def talker(_: Any, *, lasts: float) -> int:
    """Report progress for some seconds, whatever the limit."""
    end, watch = monotonic() + lasts, watch_here()
    assert watch is not None
    while monotonic() < end:
        watch(Stage("talking", 1, 1))
        sleep(0.05)
    return os.getpid()


def readiness(_: Any) -> list[Any]:
    """Return what the next search runs on, and whether shared data is scanned for garbage."""
    return [backend(), gc.get_freeze_count() == 0]
