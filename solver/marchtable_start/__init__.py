"""The command ``marchtable``: gets ready for Ctrl-C, then imports the command line and runs it."""

from __future__ import annotations

from marchtable_start.signals import ready

__all__ = ["main"]


def main() -> None:
    """Run the command line."""
    ready()
    from marchtable.cli.main import main as run

    run()
