"""Progress of long work: one line on a terminal's standard error, rewritten in place."""

from __future__ import annotations

import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from marchtable.budget import watched

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["progress_shown"]

PATIENCE = 0.5
"""Seconds before progress is shown; most answers are ready by then."""


@contextmanager
def progress_shown(*, as_json: bool) -> Iterator[None]:
    """Show progress on a terminal, but not with JSON; clear the line at the end."""
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
