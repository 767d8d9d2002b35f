"""
Pictures of a board, as SVG or PNG: terrain, units, reach, a path and violations.

Input: a position or a board, reaches, logs. Output: SVG or PNG. A picture knows no game: it draws
map features by their names (``data/picture.toml`` states the look of each), and the counters,
points and clause ids it is given. A stack under fire has its own kind of picture. The package uses
no pyplot and writes only the requested file.
"""

from __future__ import annotations

from marchtable.picture.counters import Marker as Marker
from marchtable.picture.figure import WITHOUT as WITHOUT
from marchtable.picture.figure import Look as Look
from marchtable.picture.figure import can_draw as can_draw
from marchtable.picture.figure import check_picture as check_picture
from marchtable.picture.figure import draw as draw
from marchtable.picture.figure import save as save
from marchtable.picture.links import Link as Link
from marchtable.picture.overlay import PathOverlay as PathOverlay
from marchtable.picture.overlay import ReachOverlay as ReachOverlay
from marchtable.picture.stack import draw_stack as draw_stack
from marchtable.picture.things import Thing as Thing
from marchtable.rules.marks import Mark as Mark

__all__ = [
    "WITHOUT",
    "Link",
    "Look",
    "Mark",
    "Marker",
    "PathOverlay",
    "ReachOverlay",
    "Thing",
    "can_draw",
    "check_picture",
    "draw",
    "draw_stack",
    "save",
]  # fmt: skip
