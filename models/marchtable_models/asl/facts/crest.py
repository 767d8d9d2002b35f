"""Facts of Crest status (B20.9)."""

from __future__ import annotations

from typing import Literal

import msgspec

__all__ = ["Cresting"]


class Cresting(msgspec.Struct, frozen=True, gc=False):
    """
    Infantry about to claim Crest status along a hexside of its hex.

    Parameters
    ----------
    fit
        Whether it is Infantry on foot in Good Order, in no Bypass and not ``inside`` anything there.
    depression, crossed
        Whether it is IN a Depression, and whether that has a ford or bridge.
    hexside
        What that hexside is: the Depression crosses it, a ``cliff``, the map's ``edge``, or nothing
        that matters.
    side
        Its number, 0 to 5.
    advancing
        Whether it is its Advance.
    rubble
        Whether rubble has fallen into the Depression there.
    """

    fit: bool
    depression: bool
    crossed: bool
    hexside: Literal["", "depression", "cliff", "edge"]
    side: int
    advancing: bool
    rubble: bool = False
