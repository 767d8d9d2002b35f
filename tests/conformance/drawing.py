"""Boards of the suite: hexes and hexsides by name, as a person would draw them; no other program is needed to read them.

``hexes`` maps a name to its terrain; ``hexsides`` maps two names to what lies between. Adjacent
hexes are joined unless ``closed`` lists them. ``lower`` says which columns are half a hex lower:
``BDF`` or ``ACE``. Locations other than the ground (a bridge, a floor) name their ``hex``;
``links`` join them.
"""

from __future__ import annotations

import re
from typing import Any

__all__ = ["board_of", "drawn"]

STEPS = ((1, -1), (1, 1), (0, 2))
"""Doubled coordinates of three neighbors; the others are the opposite ones."""
_NAME = re.compile(r"([A-Z]+)(-?\d+)")


def _coordinates(hexagon: str, lower: str) -> tuple[int, int]:
    match = _NAME.fullmatch(hexagon)
    if match is None:
        return (0, 0)
    letters, row = match[1], int(match[2])
    column = 26 * (len(letters) - 1) + ord(letters[0]) - ord("A")
    raised = column % 2 == (0 if lower == "BDF" else 1)
    return column, 2 * row - raised


def _adjacent(places: dict[str, tuple[int, int]]) -> list[tuple[str, str]]:
    by_place = {at: name for name, at in places.items()}
    return [
        (name, by_place[u + across, v + down])
        for name, (u, v) in places.items()
        for across, down in STEPS
        if (u + across, v + down) in by_place
    ]


def drawn(board: dict[str, Any]) -> dict[str, Any]:
    """
    Return the drawing of a board.

    Parameters
    ----------
    board
        Plain data of ``marchtable/board/1`` with ``locations`` and ``edges``.
    """
    fits = {
        lower: sum(
            _coordinates(one["hex"], lower) == (one["u"], one["v"]) for one in board["locations"]
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
        if at != _coordinates(one["hex"], lower):
            fields["at"] = [*at]
        hexes[one["name"]] = fields
    found: dict[str, Any] = {"lower": lower, "hexes": hexes}
    joined = {frozenset((e["a"], e["b"])): e for e in board.get("edges", ())}
    pairs = {frozenset(pair): pair for pair in _adjacent(ground)}
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


def board_of(drawing: dict[str, Any]) -> dict[str, Any]:
    """Return plain data of ``marchtable/board/1`` for a drawing: the inverse of :func:`drawn`."""
    locations, ground = [], {}
    for name, fields in drawing["hexes"].items():
        hexagon = fields.get("hex", name)
        u, v = fields.get("at") or _coordinates(hexagon, drawing["lower"])
        own = {k: v for k, v in fields.items() if k not in ("hex", "at")}
        locations.append({"name": name, "hex": hexagon, "u": u, "v": v, **own})
        if hexagon == name:
            ground[name] = (u, v)
    hexsides = {frozenset(k.split("-")): (k, v) for k, v in drawing.get("hexsides", {}).items()}
    closed = {frozenset(pair.split("-")) for pair in drawing.get("closed", ())}
    edges = []
    for a, b in _adjacent(ground):
        key = frozenset((a, b))
        if key not in closed:
            named, fields = hexsides.get(key, (f"{a}-{b}", {}))
            a, b = named.split("-")  # noqa: PLW2901
            edges.append({"a": a, "b": b, **({"hexside": fields} if fields else {})})
    for link in drawing.get("links", ()):
        fields = {k: v for k, v in link.items() if k not in ("from", "to")}
        edges.append(
            {"a": link["from"], "b": link["to"], **({"hexside": fields} if fields else {})}
        )
    return {"format": "marchtable/board/1", "name": "drawn", "locations": locations, "edges": edges,
            **drawing.get("more", {})}  # fmt: skip
