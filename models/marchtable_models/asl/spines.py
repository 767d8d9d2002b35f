"""The six hexspines; spine number i lies between hexsides i and i + 1 and ends in vertex i."""
"""The hexspines along which vehicles, and turrets, point."""

from __future__ import annotations

from typing import Literal

__all__ = ["SPINES", "Spine"]

Spine = Literal["NNE", "E", "SSE", "SSW", "W", "NNW"]
"""A hexspine: a VCA, or the vertex in which it ends."""
"""A hexspine; spine number i lies between hexsides i and i + 1."""
SPINES: tuple[Spine, ...] = ("NNE", "E", "SSE", "SSW", "W", "NNW")
