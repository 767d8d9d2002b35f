"""The modes in which a unit moves about: the state beside its Location that a search must keep.

A vehicle's mode is (VCA, moving, off road, fresh, guided, final), that of a unit on foot (road
bonus still open, half MF of Double Time, stage, guided, final). *Fresh* means nothing spent but
on Start and Stop; a unit on foot may also have *spent* MF where it stood, or *moved*. *Guided*
means that at night the Movement DR has been made. *Final* tells that the allotment was used up by
an entry for all of it or by a Minimum Move, or that the unit has advanced. A vehicle whose
allotment is used up may have stopped since, or bogged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from marchtable_models.asl import data
from marchtable_models.asl.model import SPINES

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from marchtable_models.asl.model import AslUnit, UnitType

__all__ = ["describe", "in_mode", "mode_of", "modes_of", "stripped"]


def modes_of(unit: AslUnit, kind: UnitType, phase: str, *, night: bool) -> Sequence[Hashable]:
    """Return every mode of a unit in such a phase."""
    guided = (False, True) if night else (unit.guide is not None,)
    if not kind.is_vehicle:
        modes = _modes_on_foot(unit, phase, guided)
        now = mode_of(unit)
        return modes if now in modes else [now, *modes]
    leaves_road = unit.off_road or kind.column == "ft"
    return [
        (facing, moving, off_road, fresh, known, "")
        for facing in SPINES
        for moving in (True, False)
        for off_road in ((False, True) if leaves_road else (False,))
        for fresh in (True, False)
        for known in guided
    ] + [
        (facing, moving, off_road, False, known, final)
        for facing in SPINES
        for off_road in (False, True)
        for moving in (True, False)
        for known in guided
        for final in ("all", "minimum")
    ]


def _modes_on_foot(unit: AslUnit, phase: str, guided: Sequence[bool]) -> list[Hashable]:
    if phase == "APh":
        return [
            (road, unit.double, stage, known, final)
            for road in (True, False)
            for known in guided
            for stage, final in ((stage_of(unit), ""), ("moved", "advance"))
        ]
    declared = [data.halves("A4.5", name) for name in ("at_start", "later")]
    stages = dict.fromkeys(
        (("fresh", ""), (stage_of(unit), ""), ("moved", ""), ("moved", "minimum"))
    )
    return [
        (road, double, stage, known, final)
        for road in (True, False)
        for double in sorted({0, unit.double, *declared})
        for known in guided
        for stage, final in stages
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
        return (unit.road, unit.double, stage_of(unit), guided, unit.final)
    return (unit.facing, unit.moving, unit.off_road, unit.used == 0, guided, unit.final)


def in_mode(unit: AslUnit, at: str, mode: Any) -> AslUnit:
    """Return the unit as if it stood there in that mode with nothing spent."""
    changes: dict[str, Any] = {
        "at": at, "spent": 0, "leaders": (), "tired": False, "mph": "done" if unit.mph == "done" else "moving",
    }  # fmt: skip
    if unit.facing is None:
        changes["road"], changes["double"], stage, guided, changes["final"] = mode
        changes["cx"] = unit.cx or changes["double"] > 0
        changes["previous"] = (unit.previous or at) if stage == "moved" else None
        fresh = stage == "fresh"
    else:
        names = ("facing", "moving", "off_road")
        *state, fresh, guided, changes["final"] = mode
        changes.update(zip(names, state, strict=True))
    if fresh:
        changes["mph"] = unit.mph
    changes["guide"] = (unit.guide or unit.id) if guided else None
    return msgspec.structs.replace(unit, used=0 if fresh else 1, **changes)


def describe(mode: Any) -> dict[str, Any]:
    """Return a mode as clients are told of it."""
    if mode[0] in SPINES:
        return {"facing": mode[0], "moving": mode[1]}
    return {"double_time": True} if mode[1] else {}


def stripped(unit: AslUnit, *, night: bool) -> AslUnit:
    """Return the unit without its place, its mode and what it has spent."""
    on_foot = unit.facing is None
    mph = "moving" if unit.mph == "unmoved" and not on_foot and not night else unit.mph
    return msgspec.structs.replace(
        unit, id="", at=None, spent=0, used=0, final="", road=True, leaders=(), moving=False,
        off_road=False, previous=None, mph=mph, facing=None if on_foot else SPINES[0], guide=None,
        tried=(),
    )  # fmt: skip
