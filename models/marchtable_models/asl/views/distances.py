"""Least costs in MF from one Location to others, as rout and charge ask for them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from marchtable.board.board import Board

    Cost = Callable[[str, str], int | None]
    """What a step between adjacent Locations costs in half MF; None where it leads nowhere."""


def distances(board: Board, start: str, cost: Cost, most: int | None = None) -> dict[str, int]:
    """Return what the cheapest ways cost, in half MF, to all Locations, or those for which `most` is enough."""
    import networkx as nx  # late: it takes long to load, and few questions come here

    step = cache(cost)

    def weight(a: str, b: str, _: Any) -> int | None:
        return step(a, b)

    found: Any = nx.single_source_dijkstra_path_length(
        board.graph, start, cutoff=most, weight=weight
    )
    return {at: int(spent) for at, spent in found.items()}
