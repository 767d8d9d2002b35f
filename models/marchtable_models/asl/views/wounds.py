"""Facts of how a unit's MPh ends, and of what rolls come to."""

from __future__ import annotations

import msgspec


class Wound(msgspec.Struct, frozen=True, gc=False):
    """A SMC is wounded: how many half MF he has spent in the MPh that goes on."""

    spent: int
