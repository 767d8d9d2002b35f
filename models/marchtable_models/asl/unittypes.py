"""What is printed on counters: unit types, and SW."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

__all__ = ["SupportWeapon", "UnitType"]


class UnitType(
    msgspec.Struct, frozen=True, kw_only=True, cache_hash=True, forbid_unknown_fields=True
):
    """
    What is printed on a counter.

    Parameters
    ----------
    name
        What units call it.
    class_
        Its kind (``class`` in files).
    column
        Terrain Chart column: ``inf``, ``ft``, ``ht`` or ``tr``.
    mp
        Printed MP, for vehicles.
    leads
        Whether it is a leader.
    afv, armed, open_topped, truck_type, radio
        As on the vehicle's counter; whether an AFV has a radio.
    ground_pressure
        Of a vehicle.
    quality
        ``line`` (better troops count so too), ``green`` or ``conscript``.
    stealth
        Of Personnel at night: ``lax``, ``normal`` or ``stealthy``.
    assumed
        Names of fields whose value is a stand-in, not read off a counter.
    """

    name: str
    class_: Literal["squad", "half-squad", "crew", "smc", "vehicle", "wreck"] = msgspec.field(
        name="class"
    )
    column: Literal["inf", "ft", "ht", "tr"] = "inf"
    mp: Annotated[int, msgspec.Meta(ge=0, le=60)] = 0
    leads: bool = False
    afv: bool = False
    armed: bool = False
    radio: bool = True
    open_topped: bool = False
    truck_type: bool = False
    ground_pressure: Literal["low", "normal", "high"] = "normal"
    quality: Literal["line", "green", "conscript"] = "line"
    stealth: Literal["lax", "normal", "stealthy"] = "normal"
    assumed: tuple[str, ...] = ()

    @property
    def is_vehicle(self) -> bool:
        """Whether it moves by MP."""
        return self.class_ == "vehicle"

    @property
    def is_personnel(self) -> bool:
        """Whether it moves by MF."""
        return self.class_ not in ("vehicle", "wreck")


class SupportWeapon(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A SW, its portage points (PP), and whether another unit has portaged it this phase."""

    name: str
    pp: Annotated[int, msgspec.Meta(ge=0, le=20)]
    portaged: bool = False
