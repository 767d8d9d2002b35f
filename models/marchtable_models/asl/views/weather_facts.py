"""Facts of the weather (E3): its effect on the ground."""

from __future__ import annotations

from typing import Literal

import msgspec


class Weather(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """What the weather has made of the ground."""

    snow: Literal["", "ground", "deep"] = ""  # whether Ground Snow or Deep Snow lies
    plowed: bool = False  # whether the roads are plowed then
    # mud, soft: whether there is Mud, and whether the scene calls the ground soft
    mud: bool = False
    soft: bool = False
    rain: bool = False  # whether it rains, or has rained

    @property
    def bogs(self) -> bool:
        """Whether a vehicle can bog anywhere off a firm road."""
        return self.mud or self.snow == "deep"


CLEAR = Weather()
