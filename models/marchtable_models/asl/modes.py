"""The modes in which a unit moves about: the state beside its Location that a search must keep.

A vehicle's mode is (VCA, moving, in Reverse, off road, fresh, final), that of a unit on foot (road bonus still
open, half MF of Double Time, fresh, final). *Fresh* means nothing spent but on Start and Stop;
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


def modes_of(unit: AslUnit, kind: UnitType) -> Sequence[Hashable]:
    """Return every mode of a unit."""
    if not kind.is_vehicle:
        declared = [data.halves("A4.5", name) for name in ("at_start", "later")]
        return [
            (road, double, fresh, final)
            for road in (True, False)
            for double in sorted({0, unit.double, *declared})
            for fresh, final in ((True, ""), (False, ""), (False, "minimum"))
        ]
    leaves_road = unit.off_road or kind.column == "ft"
    return [
        (facing, moving, reverse, off_road, fresh, "")
        for facing in SPINES
        for moving, reverse in GOING
        for off_road in ((False, True) if leaves_road else (False,))
        for fresh in (True, False)
    ] + [
        (facing, moving, reverse, off_road, False, final)
        for facing in SPINES
        for off_road in (False, True)
        for moving, reverse in GOING
        for final in ("all", "minimum")
    ]


def mode_of(unit: AslUnit) -> Hashable:
    """Return the unit's present mode."""
    if unit.facing is None:
        return (unit.road, unit.double, unit.used == 0, unit.final)
    reverse = unit.moving and unit.reverse
    return (unit.facing, unit.moving, reverse, unit.off_road, unit.used == 0, unit.final)


def in_mode(unit: AslUnit, at: str, mode: Any) -> AslUnit:
    """Return the unit as if it stood there in that mode with nothing spent."""
    changes: dict[str, Any] = {
        "at": at, "spent": 0, "leaders": (), "tired": False, "mph": "done" if unit.mph == "done" else "moving",
    }  # fmt: skip
    if unit.facing is None:
        changes["road"], changes["double"], fresh, changes["final"] = mode
        changes["cx"] = unit.cx or changes["double"] > 0
    else:
        changes["facing"], changes["moving"], changes["reverse"], *rest = mode
        changes["off_road"], fresh, changes["final"] = rest
    if fresh:
        changes["mph"] = unit.mph
    return msgspec.structs.replace(unit, used=0 if fresh else 1, **changes)


def describe(mode: Any) -> dict[str, Any]:
    """Return a mode as clients are told of it."""
    if len(mode) == len(("facing", "moving", "reverse", "off_road", "fresh", "final")):
        told = {"facing": mode[0], "moving": mode[1]}
        return {**told, "reverse": True} if mode[2] else told
    return {"double_time": True} if mode[1] else {}


def stripped(unit: AslUnit) -> AslUnit:
    """Return the unit without its place, its mode and what it has spent."""
    on_foot = unit.facing is None
    mph = "moving" if unit.mph == "unmoved" and not on_foot else unit.mph
    return msgspec.structs.replace(
        unit, id="", at=None, spent=0, used=0, final="", road=True, leaders=(), moving=False,
        off_road=False, previous=None, reverse=False, entering=(), mph=mph, facing=None if on_foot else SPINES[0],
    )  # fmt: skip
