"""The modes in which a unit moves about: the state beside its Location that a search must keep.

A vehicle's mode is (VCA, moving, in Reverse, off road, road bonus still open, fresh, final), that
of a unit on foot (road bonus still open, half MF of Double Time, tired, fresh, final). *Tired*
means made CX by a deep stream in this MPh, *fresh* nothing spent but on Start and Stop;
*final* that the allotment was used up by an entry for all of it or by a Minimum Move. A vehicle
whose allotment is used up may have stopped since, or bogged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from marchtable_models.asl import data
from marchtable_models.asl.model import SPINES

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from marchtable_models.asl.model import AslUnit, UnitType

__all__ = ["GOING", "describe", "in_mode", "mode_of", "modes_of", "stripped"]


GOING = ((True, False), (True, True), (False, False))
"""Whether a vehicle moves, and whether in Reverse."""


def modes_of(unit: AslUnit, kind: UnitType, *, deep: bool = False) -> Sequence[Hashable]:
    """Return every mode of a unit; `deep` tells whether there are deep streams."""
    if not kind.is_vehicle:
        declared = [data.halves("A4.5", name) for name in ("at_start", "later")]
        return [
            (road, double, tired, fresh, final)
            for road in (True, False)
            for double in sorted({0, unit.double, *declared})
            for fresh, final in ((True, ""), (False, ""), (False, "all"), (False, "minimum"))
            for tired in ((False, True) if not final and (deep or unit.tired) else (False,))
        ]
    leaves_road = unit.off_road or kind.column in ("ft", "ht")
    roads = (True, False) if kind.column == "hd" else (unit.road,)
    return [
        (facing, moving, reverse, off_road, road, fresh, "")
        for facing in SPINES
        for moving, reverse in GOING
        for off_road in ((False, True) if leaves_road else (False,))
        for road in roads
        for fresh in (True, False)
    ] + [
        (facing, moving, reverse, off_road, road, False, final)
        for facing in SPINES
        for off_road in (False, True)
        for moving, reverse in GOING
        for road in roads
        for final in ("all", "minimum")
    ]


def mode_of(unit: AslUnit) -> Hashable:
    """Return the unit's present mode."""
    if unit.facing is None:
        tired = unit.tired and not unit.final
        return (unit.road, unit.double, tired, unit.used == 0, unit.final)
    going = (unit.moving, unit.moving and unit.reverse)
    return (unit.facing, *going, unit.off_road, unit.road, unit.used == 0, unit.final)


def in_mode(unit: AslUnit, at: str, mode: Any) -> AslUnit:
    """Return the unit as if it stood there in that mode with nothing spent."""
    changes: dict[str, Any] = {
        "at": at, "spent": 0, "leaders": (), "tired": False, "mph": "done" if unit.mph == "done" else "moving",
    }  # fmt: skip
    if unit.facing is None:
        names: tuple[str, ...] = ("road", "double", "tired")
    else:
        names = ("facing", "moving", "reverse", "off_road", "road")
    *told, fresh, changes["final"] = mode
    changes.update(zip(names, told, strict=True))
    if unit.facing is None:
        changes["cx"] = unit.cx or changes["double"] > 0 or changes["tired"]
    if fresh:
        changes["mph"] = unit.mph
    return msgspec.structs.replace(unit, used=0 if fresh else 1, **changes)


def describe(mode: Any) -> dict[str, Any]:
    """Return a mode as clients are told of it."""
    if mode[0] in SPINES:
        told = {"facing": mode[0], "moving": mode[1]}
        return {**told, "reverse": True} if mode[2] else told
    return {"double_time": True} if mode[1] else {}


def stripped(unit: AslUnit) -> AslUnit:
    """Return the unit without its place, its mode and what it has spent."""
    on_foot = unit.facing is None
    mph = "moving" if unit.mph == "unmoved" and not on_foot else unit.mph
    return msgspec.structs.replace(
        unit, id="", at=None, spent=0, used=0, final="", road=on_foot or unit.road, leaders=(),
        moving=False, off_road=False, previous=None, reverse=False, entering=(), mph=mph,
        facing=None if on_foot else SPINES[0],
    )  # fmt: skip
