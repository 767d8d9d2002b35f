"""Draw boards for the suite; :mod:`marchtable.files.cases` reads such drawings."""

from __future__ import annotations

from typing import Any

from marchtable.files.cases import adjacent, coordinates

__all__ = ["drawn"]


def drawn(board: dict[str, Any]) -> dict[str, Any]:
    """
    Return the drawing of a board: the inverse of :func:`marchtable.files.cases.board_of`.

    Parameters
    ----------
    board
        Plain data of ``marchtable/board/1`` with ``locations`` and ``edges``.
    """
    fits = {
        lower: sum(
            coordinates(one["hex"], lower) == (one["u"], one["v"]) for one in board["locations"]
        )
        for lower in ("BDF", "ACE")
    }
    lower = max(fits, key=fits.__getitem__)
    hexes: dict[str, Any] = {}
    ground: dict[str, tuple[int, int]] = {}
    for one in board["locations"]:
        fields = {k: v for k, v in one.items() if k not in ("name", "hex", "u", "v")}
        at = (one["u"], one["v"])
        if one["name"] == one["hex"]:
            ground[one["name"]] = at
        else:
            fields["hex"] = one["hex"]
        if at != coordinates(one["hex"], lower):
            fields["at"] = [*at]
        hexes[one["name"]] = fields
    found: dict[str, Any] = {"lower": lower, "hexes": hexes}
    joined = {frozenset((e["a"], e["b"])): e for e in board.get("edges", ())}
    pairs = {frozenset(pair): pair for pair in adjacent(ground)}
    hexsides = {
        "-".join(pairs[key])
        if (edge["a"], edge["b"]) == pairs[key]
        else f"{edge['a']}-{edge['b']}": edge["hexside"]
        for key, edge in joined.items()
        if key in pairs and edge.get("hexside")
    }
    closed = sorted("-".join(pair) for key, pair in pairs.items() if key not in joined)
    links = [
        {"from": edge["a"], "to": edge["b"], **edge.get("hexside", {})}
        for key, edge in joined.items()
        if key not in pairs
    ]
    found |= {k: v for k, v in (("hexsides", hexsides), ("closed", closed), ("links", links)) if v}
    others = {k: v for k, v in board.items() if k not in ("format", "name", "locations", "edges")}
    return found | ({"more": others} if others else {})
