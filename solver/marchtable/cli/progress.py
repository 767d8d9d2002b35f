"""What long work is doing: on a terminal's standard error a line that is written anew, else said once."""

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
"""Seconds for which nothing is shown: most answers are there by then."""
LONG = 15.0
"""Seconds after which it is said, where there is no terminal, that something is being done."""


@contextmanager
def progress_shown(*, as_json: bool) -> Iterator[None]:
    """Show what is being done, on a terminal and not beside JSON; nothing of it stays there."""
    if as_json:
        yield
        return
    if not sys.stderr.isatty():
        with _said_once():
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


@contextmanager
def _said_once() -> Iterator[None]:
    """Say on standard error, once it takes long, what is being done."""
    seen = ["reading"]

    def say() -> None:
        print(f"marchtable: at work: {seen[-1]}", file=sys.stderr)  # noqa: T201

    def note(now: Any) -> None:
        seen[-1] = now.line

    timer = threading.Timer(LONG, say)
    timer.daemon = True
    timer.start()
    try:
        with watched(note):
            yield
    finally:
        timer.cancel()
