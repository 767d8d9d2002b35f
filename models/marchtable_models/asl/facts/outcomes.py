"""Facts of how a unit's MPh ends, and of what rolls come to."""

from __future__ import annotations

from typing import Literal

import msgspec

from marchtable_models.asl.facts.steps import Mover
from marchtable_models.asl.facts.units import NextHex

__all__ = ["BogResult", "CollapseResult", "Ending", "Wound"]


MOBILE, BOGGED, CLEARS, RUBBLES, FALLS = "mobile", "bogged", "clears", "rubbles", "falls"
"""How a Bog Check comes out."""


class Ending(msgspec.Struct, frozen=True, gc=False):
    """
    A vehicle about to end its MPh without having stopped.

    Parameters
    ----------
    left, spent
        Half points it has not spent, and those it has.
    mover
        Who it is.
    ahead
        The two hexes in its VCA, or behind it in Reverse.
    enemy_afv
        Whether an enemy AFV is in its Location.
    pivoted
        Whether it is in Bypass and has changed its VCA at the vertex in front.
    afloat
        In what an amphibious vehicle floats, ``""`` if in nothing.
    """

    left: int
    spent: int
    mover: Mover
    ahead: tuple[NextHex, ...]
    enemy_afv: bool
    pivoted: bool = False
    afloat: str = ""


class BogResult(msgspec.Struct, frozen=True, gc=False):
    """
    How a Bog Check came out.

    Parameters
    ----------
    outcome
        ``mobile`` or ``bogged``; ``clears`` if it is mobile and takes Wire away; of an AFV that breaks
        into a building ``rubbles`` or ``falls``, into the cellar, whatever the check itself says.
    of
        Whether the check was that of a ``hexside``, of a ``breach`` in one, or that of ``leaving`` a stream.
    previous, from_obstacle
        The Location the vehicle came from, and whether it is one of woods or buildings.
    reverse
        Whether it moved in Reverse.
    breaks_in, breaks_out
        Whether it is a fully-tracked AFV that has broken its way into woods, or out of them.
    dead_end
        Whether it has left by the one Trail Break of its hex.
    in_bypass
        Whether it has gone there by Bypass.
    """

    outcome: str
    of: Literal["", "hexside", "breach", "leaving"]
    previous: str | None
    from_obstacle: bool
    reverse: bool = False
    breaks_in: bool = False
    breaks_out: bool = False
    in_bypass: bool = False
    dead_end: bool = False


class Wound(msgspec.Struct, frozen=True, gc=False):
    """A SMC is wounded: how many half MF he has spent in the MPh that goes on."""

    spent: int


class CollapseResult(msgspec.Struct, frozen=True, gc=False):
    """How the roll for a wooden bridge came out: ``holds`` or ``collapses``, and the tons upon it."""

    outcome: str
    tons: float = 0
