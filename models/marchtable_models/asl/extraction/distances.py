"""Least costs in MF from one Location to others, as rout and charge ask for them."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from marchtable.board.board import Board

    Cost = Callable[[str, str], int | None]
    """What a step between adjacent Locations costs in half MF; None where it leads nowhere."""

__all__ = ["distances"]


def distances(
    board: Board, start: str, cost: Cost, *, goal: str = "", most: int | None = None
) -> dict[str, int]:
    """
    Return what the cheapest ways cost, in half MF.

    Parameters
    ----------
    board, start
        Where, and from which Location.
    cost
        What each step costs.
    goal
        Where to stop: what is dearer is not looked at.
    most
        What no way may cost more than.
    """
    best, found, queue = {start: 0}, dict[str, int](), [(0, start)]
    while queue:
        spent, at = heappop(queue)
        if at in found:
            continue
        found[at] = spent
        if at == goal:
            break
        for _, other in board.neighbours(at):
            price = None if other in found else cost(at, other)
            if price is None or (most is not None and spent + price > most):
                continue
            if spent + price < best.get(other, spent + price + 1):
                best[other] = spent + price
                heappush(queue, (spent + price, other))
    return found
