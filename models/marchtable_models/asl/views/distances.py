"""Least costs in MF from one Location to others, for rout and charge."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from marchtable.board.board import Board

    Cost = Callable[[str, str], int | None]
    """The cost in half MF of a step between adjacent Locations; None if there is none."""


def distances(board: Board, start: str, cost: Cost, most: int | None = None) -> dict[str, int]:
    """Return the cheapest cost, in half MF, to all Locations, or to those within `most`."""
    import networkx as nx  # imported late: it loads slowly and is rarely needed

    step = cache(cost)

    def weight(a: str, b: str, _: Any) -> int | None:
        return step(a, b)

    found: Any = nx.single_source_dijkstra_path_length(
        board.graph, start, cutoff=most, weight=weight
    )
    return {at: int(spent) for at, spent in found.items()}
