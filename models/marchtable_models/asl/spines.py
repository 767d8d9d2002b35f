"""The six hexspines; spine number i lies between hexsides i and i + 1 and ends in vertex i."""

from __future__ import annotations

from typing import Literal

__all__ = ["SPINES", "Spine"]

Spine = Literal["NNE", "E", "SSE", "SSW", "W", "NNW"]
"""A hexspine: a VCA, or the vertex in which it ends."""
SPINES: tuple[Spine, ...] = ("NNE", "E", "SSE", "SSW", "W", "NNW")
