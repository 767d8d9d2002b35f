"""What a question must not do."""

from __future__ import annotations

from typing import Any


def hog(_: Any) -> int:
    """Take all memory that there is."""
    held = []
    while True:
        held.append(bytearray(50_000_000))
