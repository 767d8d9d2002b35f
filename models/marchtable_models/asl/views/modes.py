"""Modes of movement: the state, besides its Location, that a search must keep of a unit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.board.board import DIRECTIONS
from marchtable.state.records import replace
from marchtable_models.asl.corners import SPINES
from marchtable_models.asl.views.ground_facts import BOTH_WAYS
from marchtable_models.asl.views.unitkinds import is_under_way
from marchtable_models.asl.weapons import kind_of

if TYPE_CHECKING:
    from marchtable_models.asl.corners import Spine
    from marchtable_models.asl.model import AslUnit

ON_TRAIL = 2
"""In place of the off-road flag: it came there along a Trail Break."""
UNMOVED, LADEN = "unmoved", "laden"
"""Stages before the MPh: with nothing spent, and with something."""
FRESH = (UNMOVED, "fresh", True)
"""Stages with nothing spent."""


class FootMode(NamedTuple):
    """
    The mode of a unit on foot; fields without a comment are those of the unit.

    A mode is *final* if an all-MF entry or a Minimum Move used up the allotment, or the unit has
    advanced.
    """

    road: bool
    double: int
    cx: bool
    tired: bool  # made CX by a deep stream in this MPh
    inside: str
    bypass: int | None
    stage: str  # unmoved, laden (paid for loading), fresh, spent (MF in place) or moved
    guided: bool  # whether the Movement DR has been made at night
    final: str


class DrivenMode(NamedTuple):
    """
    The mode of a unit with a VCA; fields without a comment are those of the unit.

    A vehicle in a *final* mode can have stopped since, or bogged.
    """

    facing: Spine
    moving: bool
    reverse: bool
    off_road: int  # ON_TRAIL on a Trail Break
    road: bool
    double: int  # half MF of Gallop
    cx: bool
    lane: int | None
    bypass: int | None
    stage: bool | str  # unmoved, laden, or whether nothing was spent but on Start and Stop
    guided: bool
    final: str


Mode = FootMode | DrivenMode


def stage_of(unit: AslUnit) -> str:
    """Return the stage of a unit on foot in its MPh."""
    if unit.move.previous is not None:
        return "moved"
    if unit.move.mph == "unmoved":
        return LADEN if unit.points.used else UNMOVED
    return "spent" if unit.points.used else "fresh"


def mode_of(unit: AslUnit) -> Mode:
    """Return the unit's present mode."""
    guided, final = unit.night.guide is not None, unit.points.final
    road, double, cx = unit.move.road, unit.points.double, unit.status.cx
    inside, bypass = unit.place.inside, unit.place.bypass
    if unit.facing is None:
        tired = unit.status.tired and not final
        return FootMode(road, double, cx, tired, inside, bypass, stage_of(unit), guided, final)
    moves = is_under_way(unit)
    off_road = ON_TRAIL if unit.place.on_trail else unit.place.off_road
    stage: bool | str = unit.points.used == 0
    if unit.move.mph == "unmoved":
        stage = UNMOVED if stage else LADEN
    going = (unit.facing, moves, moves and unit.motion.reverse, off_road)
    return DrivenMode(*going, road, double, cx, unit.move.lane, bypass, stage, guided, final)


def in_mode(unit: AslUnit, at: str, mode: Mode) -> AslUnit:
    """Return the unit as if it were there in that mode with nothing spent."""
    changes = mode._asdict()
    stage, guided = changes.pop("stage"), changes.pop("guided")
    if isinstance(mode, FootMode):
        changes["previous"] = (unit.move.previous or at) if stage == "moved" else None
    else:
        changes["on_trail"] = mode.off_road == ON_TRAIL
        changes["off_road"] = bool(mode.off_road)
        changes["tired"] = False
    if stage in (UNMOVED, LADEN):
        changes["mph"] = "unmoved"
    else:
        changes["mph"] = "done" if unit.move.mph == "done" else "moving"
    changes["guide"] = (unit.night.guide or unit.id) if guided else None
    used = 0 if stage in FRESH else 1
    return replace(unit, at=at, spent=0, used=used, leaders=(), **changes)


def spine(name: Spine, by: int) -> Spine:
    """Return a hexspine rotated by a number of hexspines."""
    return SPINES[(SPINES.index(name) + by) % len(SPINES)]


def turned(mode: Mode, by: int) -> Mode:
    """Return a mode rotated by hexspines: VCA, lane, and the Bypass hexside or vertex."""
    bypass = _rotated(mode.bypass, by)
    if isinstance(mode, FootMode):
        return mode._replace(bypass=bypass)
    lane = _rotated(mode.lane, by)
    return mode._replace(facing=spine(mode.facing, by), lane=lane, bypass=bypass)


def _rotated(side: int | None, by: int) -> int | None:
    return side if side in (None, BOTH_WAYS) else (side + by) % len(SPINES)


def describe(mode: Mode) -> dict[str, Any]:
    """Return a mode in the form shown to clients."""
    if isinstance(mode, DrivenMode):
        fields: dict[str, Any] = {"facing": mode.facing, "moving": mode.moving}
        fields |= {"reverse": True} if mode.reverse else {}
        fields |= {"gallop": True} if mode.double else {}  # only wagons gain by it
        return fields if mode.bypass is None else {**fields, "bypass": DIRECTIONS[mode.bypass]}
    fields = {"double_time": True} if mode.double else {}
    fields |= {"inside": mode.inside} if mode.inside else {}
    return fields if mode.bypass is None else {**fields, "bypass": SPINES[mode.bypass]}


_ANY_FOOT = FootMode(True, 0, False, False, "", None, "fresh", False, "")
_ANY_DRIVEN = DrivenMode("NNE", False, False, 0, True, 0, False, None, None, True, False, "")
UNREAD: dict[str, Any] = {
    "id": "", "at": None, "spent": 0,  # a search keeps place and expenditure itself
    "leaders": (),  # reach is of each unit alone
    "previous": None,  # of a vehicle: clauses read it after a step, which sets it
    "entering": (),  # read of the unit itself, for its first step
    "tried": (), "thrown": None,  # bar recovery of SW and SMOKE grenades, which are no steps
    "act": "", "hitch": (), "cafp": "",  # what fire can undo, and where it finds the unit
}  # fmt: skip
"""Fields that no step of reach depends on."""


def stripped(unit: AslUnit) -> AslUnit:
    """
    Return the unit without its mode, what no step depends on, and the names of its SW.

    The stage of its MPh stays: see `AslTravel.before_its_move`.
    """
    sw = unit.sw and tuple(
        msgspec.structs.replace(w, name="", kind=kind_of(w), held=0) for w in unit.sw
    )
    bare = in_mode(unit, "", _ANY_FOOT if unit.facing is None else _ANY_DRIVEN)
    return replace(bare, **UNREAD, sw=sw, mph=unit.move.mph)
