"""Slow cases: a few are always tried, the rest only when all tests run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["slow_after"]


def slow_after(quick: int, cases: Iterable[object]) -> list[object]:
    """Return the cases (a tuple is one case of several arguments), those after the first `quick` ones marked ``slow``."""
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)),
            marks=[] if n < quick else pytest.mark.slow,
        )
        for n, case in enumerate(cases)
    ]
