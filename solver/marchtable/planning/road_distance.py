"""Distance along roads, for aims ``by_road``: shortest paths in a graph of hexes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

    import networkx as nx

    from marchtable.board.board import Board

__all__ = ["hexes_by_road", "is_on_road"]


def is_on_road(board: Board, name: str) -> bool:
    """Return whether a road crosses a hexside of a Location's hex."""
    return board[name].hex in _roads(board)


def hexes_by_road(board: Board, targets: Collection[str]) -> dict[str, int]:
    """
    Return each hex's distance in hexes from the nearest target, along the roads that lead there.

    A hex off these roads counts its distance to one of them plus the distance from there, so
    detours of the road bring no hex nearer.

    Parameters
    ----------
    board
        The map.
    targets
        Locations on roads (:func:`is_on_road`).
    """
    import networkx as nx

    roads, begin = _roads(board), {board[name].hex for name in targets}
    along = set().union(*(nx.node_connected_component(roads, at) for at in begin))
    ways: nx.DiGraph[str] = nx.DiGraph(roads.subgraph(along))
    for edge in board.edges:
        a, b = board[edge.a].hex, board[edge.b].hex
        ways.add_edges_from((to, at) for to, at in ((a, b), (b, a)) if at not in along)
    return {at: int(n) for at, n in nx.multi_source_dijkstra_path_length(ways, begin).items()}


def _roads(board: Board) -> nx.Graph[str]:
    """Return the graph of hexes that roads join."""
    key = "roads by hex"
    found: nx.Graph[str] | None = board.notes.get(key)
    if found is None:
        import networkx as nx

        found = board.notes[key] = nx.Graph()
        found.add_edges_from(
            (board[edge.a].hex, board[edge.b].hex)
            for edge in board.edges if edge.hexside.road is not None
        )  # fmt: skip
    return found
