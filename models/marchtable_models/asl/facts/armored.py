"""Facts of Armored Assault: Infantry and an AFV that move as one stack (D9.31)."""

from __future__ import annotations

from typing import Literal

import msgspec

__all__ = ["Escort"]


class Escort(msgspec.Struct, frozen=True, gc=False):
    """
    A unit about to enter with an AFV, or one that has moved so before in this MPh.

    Parameters
    ----------
    afv
        The AFV with whose stack it enters, ``""`` for none; the unit's own name if it ``parts``.
    alone
        How it goes on without: ``parts`` is Infantry that leaves its AFV, ``held`` an AFV that goes on
        by itself.
    """

    afv: str
    alone: Literal["", "parts", "held"] = ""
