"""Facts of Armored Assault: Infantry and an AFV that move as one stack (D9.31)."""

from __future__ import annotations

from typing import Literal

import msgspec

from marchtable_models.asl.records import Escorted

__all__ = ["Escort"]


class Escort(msgspec.Struct, frozen=True, gc=False):
    """
    A unit about to enter with an AFV, or one that has moved so before in this MPh.

    Parameters
    ----------
    afv
        The AFV with whose stack it enters, ``""`` for none; the unit's own name if it ``parts``.
    escorted
        Of the AFV, the Infantry with which it has moved, as this step leaves them.
    need, have
        Half MF that the step would cost the Infantry that does not come along, and what the poorest of
        them would have for it.
    closed
        Whether that Infantry could not enter there at all: ``impassable`` at any price, or ``barred`` for
        some other reason than MF.
    unknown
        Whether it is not known what the step would cost that Infantry.
    """

    afv: str
    escorted: tuple[Escorted, ...] = ()
    need: int = 0
    have: int = 0
    closed: Literal["", "impassable", "barred"] = ""
    unknown: bool = False
