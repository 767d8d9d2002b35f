"""Cases of which the first few are tried each time and the rest where all tests are run."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

__all__ = ["slow_after"]


def slow_after(quick: int, cases: Iterable[object]) -> list[object]:
    """Return the cases, those after the first `quick` ones marked ``slow``."""
    return [
        case if n < quick else pytest.param(case, marks=pytest.mark.slow)
        for n, case in enumerate(cases)
    ]
