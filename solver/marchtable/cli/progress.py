"""What long work is doing: a line on a terminal that is written anew, or news for whoever asked."""

from __future__ import annotations

import math
import sys
import threading
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any

from marchtable.budget import watched

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["now_and_then", "progress_shown"]

PAUSE = 0.05
"""Seconds between two news."""
FIELDS = ("what", "number", "of", "best", "bound", "time")
PATIENCE = 0.5
"""Seconds for which nothing is shown: most answers are there by then."""


def now_and_then(tell: Callable[[dict[str, Any]], None]) -> Callable[[Any], None]:
    """Return what to watch with, so that news are told now and then: the line and what is known."""
    last = -math.inf

    def watch(seen: Any) -> None:
        nonlocal last
        if monotonic() - last < PAUSE:
            return
        last = monotonic()
        known = {name: getattr(seen, name, None) for name in FIELDS}
        found = {name: one for name, one in known.items() if isinstance(one, str | int | float)}
        if "best" in found and "bound" in found:
            found["gap"] = found["bound"] - found["best"]
        tell({"line": seen.line, **found})

    return watch


@contextmanager
def progress_shown(*, as_json: bool) -> Iterator[None]:
    """Show what is being done, on a terminal and not beside JSON; nothing of it stays there."""
    if as_json or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    console = Console(stderr=True, markup=False, highlight=False, emoji=False)
    status = console.status("reading")
    timer = threading.Timer(PATIENCE, status.start)
    timer.daemon = True
    timer.start()

    def show(seen: Any) -> None:
        status.update(seen.line)

    try:
        with watched(show):
            yield
    finally:
        timer.cancel()
        timer.join()  # it may be starting the display now
        status.stop()
