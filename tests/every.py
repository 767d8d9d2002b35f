"""Many rows in one test, which lists every failing row: cheaper to collect than a case for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["check_every"]


def check_every(check: Callable[..., object], rows: Iterable[tuple[Any, ...]]) -> None:
    """Run a check on each row; at the end fail with the messages of all failing rows.

    Parameters
    ----------
    check
        Takes the row's values and asserts.
    rows
        The arguments of each call; the first names the row.
    """
    faults = []
    for row in rows:
        try:
            check(*row)
        except Exception as error:
            faults.append(f"{row[0]}: {type(error).__name__}: {error}")
    if faults:
        pytest.fail("\n".join(faults), pytrace=False)
