"""Facts of Guns that are loaded onto vehicles, and carried en portee (C10.5)."""

from __future__ import annotations

import msgspec

__all__ = ["Portee"]


class Portee(msgspec.Struct, frozen=True, gc=False):
    """
    A vehicle, its crew or its Gun as that is loaded en portee, or unloaded; half points.

    Parameters
    ----------
    part
        Whether this is the ``vehicle``, the ``crew`` or the ``gun``.
    unloads
        Whether the vehicle carries that Gun already.
    gun, ready
        Whether it is a Gun of its side in its Location, not in tow, and whether it is limbered or needs
        not be.
    noted
        Whether the vehicle is noted for a Gun of its caliber.
    tows
        Whether the vehicle tows, or carries, some Gun.
    halted
        Whether the vehicle has stopped, and is in no Bypass.
    spent
        What the vehicle has spent in this MPh.
    crew, fit
        Whether a crew of its side is there, on foot and in no entrenchment, and is in Good Order, not
        pinned.
    mf, used
        What that has in all and has spent.
    """

    part: str
    unloads: bool
    gun: bool
    ready: bool
    noted: bool
    tows: bool
    halted: bool
    spent: int
    crew: bool
    fit: bool
    mf: int
    used: int
