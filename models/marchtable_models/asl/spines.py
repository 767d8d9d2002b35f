"""The six hexspines; spine number i lies between hexsides i and i + 1 and ends in vertex i."""

from __future__ import annotations

from typing import Literal

__all__ = ["CORNERS", "SPINES", "Spine"]

Spine = Literal["NNE", "E", "SSE", "SSW", "W", "NNW"]
"""A hexspine: a VCA, or the vertex in which it ends."""
CORNERS = "the hexspines, which point at the corners of a hex (NE and the like are hexsides)"
"""What a message says of them where another word is given."""
SPINES: tuple[Spine, ...] = ("NNE", "E", "SSE", "SSW", "W", "NNW")
