"""The modes in which a unit moves about: the state beside its Location that a search must keep.

A vehicle's mode is (VCA, moving, in Reverse, off road, road bonus still open, half MF of Gallop,
fresh, guided, final), that of a unit on foot (road bonus still open, half MF of Double Time or Gallop, tired, stage, guided,
final). *Fresh* means nothing spent but on Start and Stop; a unit on foot may also have *spent* MF
where it stood, or *moved*. *Tired* means made CX by a deep stream in this MPh, *guided* that at
night the Movement DR has been made. *Final* tells that the allotment was used up by an entry for
all of it or by a Minimum Move, or that the unit has advanced. A vehicle whose allotment is used up
may have stopped since, or bogged.
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


def modes_of(
    unit: AslUnit, kind: UnitType, phase: str, *, night: bool, deep: bool = False
) -> Sequence[Hashable]:
    """Return every mode of a unit in such a phase; `deep` tells whether there are deep streams."""
    guided = (False, True) if night else (unit.guide is not None,)
    if not kind.is_vehicle:
        modes = _modes_on_foot(unit, kind, phase, guided, deep=deep)
        now = mode_of(unit)
        return modes if now in modes else [now, *modes]
    leaves_road = unit.off_road or kind.column in ("ft", "ht")
    roads = (True, False) if kind.column == "hd" else (unit.road,)
    gains = {unit.double}
    if kind.column == "hd":
        gains |= {0, kind.mp * 2 // data.count("D12.4", "share")}
    return [
        (facing, moving, reverse, off_road, road, gain, fresh, known, "")
        for facing in SPINES
        for moving, reverse in GOING
        for off_road in ((False, True) if leaves_road else (False,))
        for road in roads
        for gain in sorted(gains)
        for fresh in (True, False)
        for known in guided
    ] + [
        (facing, moving, reverse, off_road, road, gain, False, known, final)
        for facing in SPINES
        for off_road in (False, True)
        for moving, reverse in GOING
        for road in roads
        for gain in sorted(gains)
        for known in guided
        for final in ("all", "minimum")
    ]


def _modes_on_foot(
    unit: AslUnit, kind: UnitType, phase: str, guided: Sequence[bool], *, deep: bool
) -> list[Hashable]:
    tiring = (False, True) if deep or unit.tired else (False,)
    if phase == "APh":
        return [
            (road, unit.double, tired, stage, known, final)
            for road in (True, False)
            for known in guided
            for stage, final in ((stage_of(unit), ""), ("moved", "advance"))
            for tired in (tiring if not final else (False,))
        ]
    rule = "A13.36" if kind.class_ == "cavalry" else "A4.5"
    declared = [data.halves(rule, name) for name in ("at_start", "later")]
    stages = dict.fromkeys((
        ("fresh", ""), (stage_of(unit), ""), ("moved", ""), ("moved", "all"), ("moved", "minimum"),
    ))  # fmt: skip
    return [
        (road, double, tired, stage, known, final)
        for road in (True, False)
        for double in sorted({0, unit.double, *declared})
        for known in guided
        for stage, final in stages
        for tired in (tiring if not final else (False,))
    ]


def stage_of(unit: AslUnit) -> str:
    """Return how far a unit on foot is in its MPh."""
    if unit.previous is not None:
        return "moved"
    return "spent" if unit.used else "fresh"


def mode_of(unit: AslUnit) -> Hashable:
    """Return the unit's present mode."""
    guided = unit.guide is not None
    if unit.facing is None:
        tired = unit.tired and not unit.final
        return (unit.road, unit.double, tired, stage_of(unit), guided, unit.final)
    going = (unit.moving, unit.moving and unit.reverse)
    fresh = unit.used == 0
    return (
        unit.facing, *going, unit.off_road, unit.road, unit.double, fresh, guided, unit.final
    )  # fmt: skip


def in_mode(unit: AslUnit, at: str, mode: Any) -> AslUnit:
    """Return the unit as if it stood there in that mode with nothing spent."""
    changes: dict[str, Any] = {
        "at": at, "spent": 0, "leaders": (), "tired": False,
        "mph": "done" if unit.mph == "done" else "moving",
    }  # fmt: skip
    if unit.facing is None:
        *told, stage, guided, changes["final"] = mode
        changes.update(zip(("road", "double", "tired"), told, strict=True))
        changes["cx"] = unit.cx or changes["double"] > 0 or changes["tired"]
        changes["previous"] = (unit.previous or at) if stage == "moved" else None
        fresh = stage == "fresh"
    else:
        *told, fresh, guided, changes["final"] = mode
        names = ("facing", "moving", "reverse", "off_road", "road", "double")
        changes.update(zip(names, told, strict=True))
        changes["cx"] = unit.cx or changes["double"] > 0
    if fresh:
        changes["mph"] = unit.mph
    changes["guide"] = (unit.guide or unit.id) if guided else None
    return msgspec.structs.replace(unit, used=0 if fresh else 1, **changes)


def describe(mode: Any) -> dict[str, Any]:
    """Return a mode as clients are told of it."""
    if mode[0] in SPINES:
        told = {"facing": mode[0], "moving": mode[1]}
        if mode[5]:  # only wagons gain by it
            told["gallop"] = True
        return {**told, "reverse": True} if mode[2] else told
    return {"double_time": True} if mode[1] else {}


def stripped(unit: AslUnit, *, night: bool) -> AslUnit:
    """Return the unit without its place, its mode and what it has spent."""
    on_foot = unit.facing is None
    mph = "moving" if unit.mph == "unmoved" and not on_foot and not night else unit.mph
    return msgspec.structs.replace(
        unit, id="", at=None, spent=0, used=0, final="", road=on_foot or unit.road, leaders=(),
        moving=False, off_road=False, previous=None, reverse=False, entering=(), mph=mph,
        facing=None if on_foot else SPINES[0], guide=None, tried=(),
    )  # fmt: skip
