"""The program's version, printed without importing the program."""

from __future__ import annotations

__all__ = ["version_line"]


def version_line() -> str:
    """Return the program's name and version."""
    from importlib.metadata import version

    return f"marchtable {version('marchtable')}"
