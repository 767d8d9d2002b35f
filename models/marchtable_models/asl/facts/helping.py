"""Facts of an AFV that assists another vehicle to free itself."""

from __future__ import annotations

import msgspec

__all__ = ["Assisting"]


class Assisting(msgspec.Struct, frozen=True, gc=False):
    """
    A vehicle that is told to assist a bogged one of its Location.

    Parameters
    ----------
    fit
        Whether it is a Mobile, Stopped AFV there, of its side, CE, in no line, that has not fired.
    fresh
        Whether it has spent nothing in this MPh.
    tons, bogged_tons
        What both weigh, 0 where nobody tells.
    allotment
        Its half MP.
    """

    fit: bool
    fresh: bool
    tons: float
    bogged_tons: float
    allotment: int
