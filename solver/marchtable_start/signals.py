"""Has Ctrl-C end in one line from the first moment, while all else is imported.

It stands outside ``marchtable``, as to import anything in there is to import most of it, and imports
nothing of it.
"""

from __future__ import annotations

import os
import signal
import sys

__all__ = ["is_starting", "ready"]

INTERRUPTED = 130


def ready() -> None:
    """Have Ctrl-C and SIGTERM end the process in one line, unless it is set to ignore them."""

    def leave(*_: object) -> None:
        os.write(2, b"marchtable: interrupted\n")
        os._exit(INTERRUPTED)  # an import broken off here or there has much to say

    for one in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(one) not in (signal.SIG_IGN, None):
            signal.signal(one, leave)


def is_starting() -> bool:
    """Return whether it is ``python -m marchtable`` that imports the package."""
    return sys.argv[:1] == ["-m"] and "marchtable" in sys.orig_argv
