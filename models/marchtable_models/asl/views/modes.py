"""Modes of movement: the state, besides its Location, that a search must keep of a unit.

A vehicle's mode is (VCA, moving, in Reverse, off road (2: on a Trail Break), road bonus still open,
half MF of Gallop, lane, bypass, stage, guided, final). On foot it is (road bonus still open, half
MF of Double Time or Gallop, tired, inside, bypass, stage, guided, final). *Inside* is its place in
its Location, such as beneath a Fortification. *Lane* is the direction in which it has used a
one-lane bridge, if any. *Bypass* is the hexside or, on foot, the vertex of its Bypass, if any. The
*stage* of a vehicle is whether anything was spent other than on Start and Stop. A unit on foot is
*fresh*, may have *spent* MF in place, or has *moved*. Either is *unmoved* before its MPh, and
*laden* if it has paid for loading. *Tired* means made CX by a deep stream in this MPh. *Guided*
means that the Movement DR has been made at night. *Final* means that an all-MP/MF entry or a
Minimum Move used up the allotment, or that the unit has advanced. A vehicle whose allotment is used
up can have stopped since, or bogged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.board.board import DIRECTIONS
from marchtable.state.records import replace
from marchtable_models.asl.corners import SPINES
from marchtable_models.asl.views.ground_facts import BOTH_WAYS
from marchtable_models.asl.views.unitkinds import is_under_way
from marchtable_models.asl.weapons import kind_of

if TYPE_CHECKING:
    from collections.abc import Hashable

    from marchtable_models.asl.corners import Spine
    from marchtable_models.asl.model import AslUnit

BYPASS = -4
"""Index of Bypass in every mode."""
MOVING = 1
"""Index of motion in a vehicle's mode."""
STAGE = -3
"""Index of the stage in a mode."""
LANE = -5
"""Index, in a vehicle's mode, of its direction on a one-lane bridge."""
INSIDE = 3
"""Index, in the mode of a unit on foot, of its place in its Location."""
GAIN = 5
"""Index, in a wagon's mode, of its gain by Gallop."""
ON_TRAIL = 2
"""In place of the off-road flag: it came there along a Trail Break."""
UNMOVED, LADEN = "unmoved", "laden"
"""Stages before the MPh: with nothing spent, and with something."""
FRESH = (UNMOVED, "fresh", True)
"""Stages with nothing spent."""


def stage_of(unit: AslUnit) -> str:
    """Return the stage of a unit on foot in its MPh."""
    if unit.move.previous is not None:
        return "moved"
    if unit.move.mph == "unmoved":
        return LADEN if unit.points.used else UNMOVED
    return "spent" if unit.points.used else "fresh"


def mode_of(unit: AslUnit) -> Hashable:
    """Return the unit's present mode."""
    guided = unit.night.guide is not None
    if unit.facing is None:
        tired = unit.status.tired and not unit.points.final
        where = (unit.place.inside, unit.place.bypass, stage_of(unit))
        return (unit.move.road, unit.points.double, tired, *where, guided, unit.points.final)
    moves = is_under_way(unit)
    going = (moves, moves and unit.motion.reverse)
    off_road = ON_TRAIL if unit.place.on_trail else unit.place.off_road
    state = (off_road, unit.move.road, unit.points.double, unit.move.lane, unit.place.bypass)
    stage: bool | str = unit.points.used == 0
    if unit.move.mph == "unmoved":
        stage = UNMOVED if stage else LADEN
    return (unit.facing, *going, *state, stage, guided, unit.points.final)


def in_mode(unit: AslUnit, at: str, mode: Any) -> AslUnit:
    """Return the unit as if it were there in that mode with nothing spent."""
    changes: dict[str, Any] = {
        "at": at, "spent": 0, "leaders": (), "tired": False,
        "mph": "done" if unit.move.mph == "done" else "moving",
    }  # fmt: skip
    if unit.facing is None:
        *own, stage, guided, changes["final"] = mode
        changes.update(zip(("road", "double", "tired", "inside", "bypass"), own, strict=True))
        changes["cx"] = unit.status.cx or changes["double"] > 0 or changes["tired"]
        changes["previous"] = (unit.move.previous or at) if stage == "moved" else None
    else:
        *own, stage, guided, changes["final"] = mode
        names = ("facing", "moving", "reverse", "off_road", "road", "double", "lane", "bypass")
        changes.update(zip(names, own, strict=True))
        changes["on_trail"] = changes["off_road"] == ON_TRAIL
        changes["off_road"] = bool(changes["off_road"])
        changes["cx"] = unit.status.cx or changes["double"] > 0
    fresh = stage in FRESH
    if stage in (UNMOVED, LADEN):
        changes["mph"] = "unmoved"
    changes["guide"] = (unit.night.guide or unit.id) if guided else None
    return replace(unit, used=0 if fresh else 1, **changes)


def spine(name: Spine, by: int) -> Spine:
    """Return a hexspine rotated by a number of hexspines."""
    return SPINES[(SPINES.index(name) + by) % len(SPINES)]


def turned(mode: Any, by: int) -> Any:
    """Return a mode rotated by hexspines: VCA, lane, and the Bypass hexside or vertex."""
    found, drives = list(mode), mode[0] in SPINES
    if drives:
        found[0] = spine(mode[0], by)
    for place in (LANE, BYPASS) if drives else (BYPASS,):
        if mode[place] not in (None, BOTH_WAYS):
            found[place] = (mode[place] + by) % len(SPINES)
    return tuple(found)


def describe(mode: Any) -> dict[str, Any]:
    """Return a mode in the form shown to clients."""
    bypass = mode[BYPASS]
    if mode[0] in SPINES:
        fields: dict[str, Any] = {"facing": mode[0], "moving": mode[1]}
        fields = {**fields, "reverse": True} if mode[2] else fields
        fields = {**fields, "gallop": True} if mode[GAIN] else fields  # only wagons gain by it
        return fields if bypass is None else {**fields, "bypass": DIRECTIONS[bypass]}
    fields = {"double_time": True} if mode[1] else {}
    fields = {**fields, "inside": mode[INSIDE]} if mode[INSIDE] else fields
    return fields if bypass is None else {**fields, "bypass": SPINES[bypass]}


def declared(mode: Any) -> tuple[bool, int]:
    """Return whether a mode is of a Minimum Move, and its half MF of Double Time or Gallop."""
    return mode[-1] == "minimum", mode[GAIN] if mode[0] in SPINES else mode[1]


def stripped(unit: AslUnit) -> AslUnit:
    """
    Return the unit without its place, mode, expenditure and the names of its SW.

    The stage of its MPh stays: see `AslTravel.before_its_move`.
    """
    on_foot = unit.facing is None
    sw = unit.sw and tuple(
        msgspec.structs.replace(w, name="", kind=kind_of(w), held=0) for w in unit.sw
    )
    return replace(
        unit, id="", at=None, spent=0, used=0, final="", road=on_foot or unit.move.road, leaders=(),
        moving=False, inside="", off_road=False, on_trail=False, bypass=None, previous=None, reverse=False, entering=(), lane=None,
        facing=None if on_foot else SPINES[0], guide=None, tried=(), thrown=None, act="", cafp="", hitch=(), sw=sw,
    )  # fmt: skip
