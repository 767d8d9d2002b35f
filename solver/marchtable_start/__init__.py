"""The command ``marchtable``: prepares for Ctrl-C, then imports and runs the command line."""

from __future__ import annotations

import gc
import sys

from marchtable_start.signals import ready
from marchtable_start.version import version_line

__all__ = ["main"]

NEW_OBJECTS = 200_000
"""New objects before garbage is first collected: imports make half as many, and nearly all of them last."""


def main() -> None:
    """Run the command line; print the version without importing it."""
    ready()
    if sys.argv[1:] == ["--version"]:
        sys.stdout.write(f"{version_line()}\n")
        return
    gc.set_threshold(NEW_OBJECTS)
    from marchtable.cli.guard import alone
    from marchtable.cli.main import main as run

    alone()
    run()
