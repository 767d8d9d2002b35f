"""
Makes Ctrl-C end in one line from the first moment, during the imports.

It is outside ``marchtable`` because importing anything from there imports most of it.
"""

from __future__ import annotations

import os
import signal
import sys

__all__ = ["is_starting", "ready"]

INTERRUPTED = 130


def ready() -> None:
    """Make Ctrl-C and SIGTERM end the process in one line, unless it is set to ignore them."""

    def leave(*_: object) -> None:
        os.write(2, b"marchtable: interrupted\n")
        os._exit(INTERRUPTED)  # an interrupted import can print a lot

    for one in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(one) not in (signal.SIG_IGN, None):
            signal.signal(one, leave)


def is_starting() -> bool:
    """Return whether ``python -m marchtable`` is importing the package."""
    return sys.argv[:1] == ["-m"] and "marchtable" in sys.orig_argv
