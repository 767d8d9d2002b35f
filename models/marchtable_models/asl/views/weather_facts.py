"""Facts of the weather (E3): its effect on the ground."""

from __future__ import annotations

from typing import Literal

import msgspec


class Weather(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """
    The weather's effect on the ground.

    Parameters
    ----------
    snow
        Whether there is Ground Snow or Deep Snow.
    plowed
        Whether the roads are then plowed.
    mud, soft
        Whether there is Mud, and whether the scene calls the ground soft.
    rain
        Whether it rains or has rained.
    """

    snow: Literal["", "ground", "deep"] = ""
    plowed: bool = False
    mud: bool = False
    soft: bool = False
    rain: bool = False

    @property
    def bogs(self) -> bool:
        """Whether a vehicle can bog anywhere off a firm road."""
        return self.mud or self.snow == "deep"


CLEAR = Weather()
