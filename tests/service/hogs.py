"""What a question must not do."""

from __future__ import annotations

from typing import Any


def hog(_: Any) -> int:
    """Take more memory than is allowed."""
    return len(bytearray(60_000_000_000))
