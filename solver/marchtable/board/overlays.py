"""
VASL's overlays on a board, as far as a saved game describes them: by name and two hexes.

An overlay's content is in its picture, which is not read. So where one may lie, the hex and its
hexsides become terrain of its name, which no rulebook covers: moves there are UNSUPPORTED, rather
than judged by the board beneath.

How far it may reach is read from its name, conservatively:

- The smallest of its kind (``o1``, ``wd1``, ``x1`` to ``x10``) is a single hex: the one named.
- Others of the small kinds (woods, orchard, grain …, numbered up to 30) are within 4 hexes of the
  hexes named.
- Any other (a river, a hill, a beach …) may cover the whole board.
"""

from __future__ import annotations

import re

import msgspec

from marchtable.board.board import Board, EdgeRecord, Hexside
from marchtable.board.bridges import BRIDGE
from marchtable.errors import BadInputError

__all__ = ["COVERED", "OVERLAID", "overlaid", "overlay_terrain"]

OVERLAID = " overlays "
"""Precedes, in a board's name, the overlays on it."""
COVERED = "Overlay "
"""Prefix of terrain that is hidden by an overlay."""

_OVERLAY = re.compile(r"([0-9A-Za-z_.-]{1,20})((?::[A-Z]{1,2}[0-9]{1,2})*)")
_KIND = re.compile(r"(b|g|hd|m|o|og|p|rp|wd|x)([0-9]+)")
_SINGLE = {"x": (*range(1, 11), 22)}  # for other kinds: number 1
_LARGEST = 30
_REACH = 4


def overlay_terrain(name: str) -> str:
    """Return the name of the terrain beneath an overlay."""
    return COVERED + name


def overlaid(board: Board, overlays: str) -> Board:
    """
    Return a board with overlays.

    Parameters
    ----------
    board
        A single board.
    overlays
        Each overlay's name with its hexes: ``"o5:H4:G4,wd1:D4"``.

    Raises
    ------
    BadInputError
        If one is not written like that.
    """
    hidden: dict[str, str] = {}
    for word in overlays.split(","):
        match = _OVERLAY.fullmatch(word)
        if match is None:
            raise BadInputError(
                f"expected an overlay with the hexes it is laid by, such as o5:H4:G4, not {word!r}",
                field="overlays",
            )
        for one in _beneath(board, match[1], match[2].split(":")[1:]):
            hidden.setdefault(one, overlay_terrain(match[1]))
    locations = [
        one if one.hex not in hidden else msgspec.structs.replace(
            one, terrain=hidden[one.hex], also=(), depression=None, stairway=False, clear=(),
            rim=tuple((way, Hexside(terrain=hidden[one.hex])) for way, _ in one.rim),
        )
        for one in board.locations
    ]  # fmt: skip
    edges = []
    for edge in board.edges:
        ends = (end.removesuffix(BRIDGE) for end in (edge.a, edge.b))
        terrain = next((hidden[end] for end in ends if end in hidden), None)
        edges.append(edge if terrain is None else EdgeRecord(edge.a, edge.b, Hexside(terrain)))
    name = f"{board.name}{OVERLAID}{overlays}"
    return Board(name, locations, edges, board.aliases, board.sheets)


def _beneath(board: Board, name: str, laid_by: list[str]) -> list[str]:
    """Return the hexes that an overlay may cover."""
    kind = _KIND.fullmatch(name.lower())
    known = [one for one in laid_by if one in board]
    if kind is None or int(kind[2]) > _LARGEST or not known:
        return [one.hex for one in board.locations]
    reach = 0 if int(kind[2]) in _SINGLE.get(kind[1], (1,)) else _REACH
    # A single hex is placed by the first one; the second only states its rotation.
    return [
        one.hex
        for one in board.locations
        if any(board.distance(one.name, at) <= reach for at in (known if reach else known[:1]))
    ]
