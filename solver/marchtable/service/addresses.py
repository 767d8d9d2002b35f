"""The address of the API that is nearest to an unknown one."""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["nearest_address"]

ALIKE = 0.6
"""Least similarity, of 1, of two names in an address."""
EXTRA, NO_ID, ANY_ID, NO_ROOT = 0.6, 0.5, 0.1, 0.6
"""Cost of a part too many, of an id too few, of any id, and of no ``/api``; a name costs what it differs."""
MOST = 1.0
"""Addresses that cost as much are not near."""


def nearest_address(path: str, known: Iterable[str]) -> tuple[str, str]:
    """
    Return the known address nearest to a path, and the same with the path's ids; empty for none.

    Parameters
    ----------
    path
        What was asked for.
    known
        The addresses, with ids in braces.

    Examples
    --------
    >>> known = ["/api/check", "/api/games/{game}", "/api/games/{game}/steps/{step}"]
    >>> nearest_address("/api/game/1", known)
    ('/api/games/{game}', '/api/games/1')
    >>> nearest_address("/api/games/1/steps", known)[1]
    '/api/games/1/steps/{step}'
    >>> nearest_address("/api/v1/check", known)[1]
    '/api/check'
    >>> nearest_address("/api/nothing", known)
    ('', '')
    """
    given = path.strip("/").split("/")
    costs = [(*_aligned(given, address.strip("/").split("/")), address) for address in known]
    cost, filled, address = min(costs, default=(MOST, "", ""))
    return (address, filled) if cost < MOST else ("", "")


def _aligned(given: Sequence[str], parts: Sequence[str]) -> tuple[float, str]:
    """Return the least cost at which an address is a known one, and that with the ids given."""
    best: dict[tuple[int, int], tuple[float, str]] = {(0, 0): (0.0, "")}
    for here, there in product(range(len(given) + 1), range(len(parts) + 1)):
        ways = [best[here, there]] if (here, there) in best else []
        if here:
            cost, filled = best[here - 1, there]
            ways.append((cost + EXTRA, filled))
        if there:
            part, is_id = parts[there - 1], parts[there - 1].startswith("{")
            cost, filled = best[here, there - 1]
            ways.append(
                (cost + (NO_ID if is_id else NO_ROOT if there == 1 else MOST), f"{filled}/{part}")
            )
        if here and there:
            cost, filled = best[here - 1, there - 1]
            own = given[here - 1]
            ways.append(
                (cost + ANY_ID, f"{filled}/{own}")
                if is_id
                else (cost + _apart(own, part), f"{filled}/{part}")
            )
        best[here, there] = min(ways)
    return best[len(given), len(parts)]


def _apart(one: str, other: str) -> float:
    """Return how different two names are: 0 if equal, `MOST` if they are not alike."""
    alike = SequenceMatcher(None, other, one.lower(), autojunk=False).ratio()
    return 1 - alike if alike >= ALIKE else MOST
