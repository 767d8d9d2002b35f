"""ASL's units, conditions and actions."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from marchtable.state.action import Action, Adjacent, Companions, Fellow, Moves
from marchtable.state.position import Conditions, Half, LocationName, Unit, UnitId
from marchtable_models.asl.spines import CORNERS, SPINES, Spine
from marchtable_models.asl.unittype import SupportWeapon, UnitType
from marchtable_models.asl.verbs.bypass import BYPASSES
from marchtable_models.asl.verbs.carrying import (
    BailOut,
    Destroy,
    Hook,
    Load,
    Traverse,
    Unhook,
    Unload,
)  # fmt: skip
from marchtable_models.asl.verbs.foot import FOOT_ACTIONS
from marchtable_models.asl.verbs.happenings import HAPPENINGS
from marchtable_models.asl.verbs.manning import MANNING_ACTIONS
from marchtable_models.asl.verbs.mounts import MOUNT_ACTIONS
from marchtable_models.asl.verbs.vehicles import VEHICLE_ACTIONS

__all__ = [
    "ACTIONS", "SPINES", "AslConditions", "AslUnit", "Disband", "DoubleTime", "End", "Enter", "Impulse", "Join", "Leave",
    "LeaveRoad", "Lend",
    "MinimumMove", "Spine", "Start", "Stop", "SupportWeapon", "Turn", "UnitType", "actors",
]  # fmt: skip


class AslUnit(Unit, frozen=True, kw_only=True):
    """
    A unit or wreck.

    Parameters
    ----------
    type
        Name of its unit type.
    nationality
        For what depends on it (the leader bonus, ESB); of its side where it is not told.
    facing
        VCA of a vehicle: the hexspine it points along.
    moving
        Whether a vehicle is non-stopped (between its MPh: under Motion). One that comes on from off
        the map need not be, as it has not to start.
    reverse
        Whether it moves backwards (between its MPh: is under Reverse Motion).
    bu
        Whether an AFV is buttoned up.
    sw
        SW in its possession.
    pinned, broken, wounded, inexperienced, cx, concealed, ti, prep_fired, bogged, mired, immobile
        Its state; what is mired is bogged, too.
    abandoned
        Whether a vehicle's crew has left it.
    hatched
        Whether an AFV's crew has buttoned up or become CE this phase.
    tried_motion
        Whether it has tried to get into Motion this Player Turn, as a DEFENDER.
    entering
        Edge hexes by one of which it may come on, while it waits off the map.
    entry_turn, late
        The turn in which it is to come on, 0 where nobody says, and whether it may do so later.
    exited
        Whether it has left the map.
    mph
        Where it is in its MPh: ``unmoved``, ``moving`` or ``done``.
    spent
        Half points spent this MPh.
    used
        Those not spent on Start and Stop.
    final
        How its allotment was used up: by an entry that takes ``all``, or a ``minimum`` Move; or
        that it has made its ``advance`` this APh.
    off_road
        Whether a vehicle stands in the woods part of a hex that a road crosses, or another unit has
        declined the road by which it came.
    on_trail
        Whether a fully-tracked AFV stands in woods that it has entered along a Trail Break.
    bypass
        In Bypass, the hexside that a vehicle is on, or the vertex that others have reached (0 to 5).
    previous
        The Location it came from this MPh.
    road
        Whether it has crossed only road hexsides this MPh.
    double
        Half MF gained by Double Time this MPh.
    esb
        Half MP gained by Excessive Speed this MPh.
    was_cx, tired
        Whether it began the MPh CX, and whether it is CX only for a Minimum Move just made.
    leaders
        Leaders it has moved with ever since its MPh began.
    convoy, column, platoon
        The name of each that it belongs to, ``""`` for none.
    rank
        Its place in its Convoy's or Column's line, counted from the front.
    disbanding
        Whether its Column disbands once fire at it is over: its owner has declared it, or it sees
        a Known enemy.
    halted
        Whether its Convoy has spent a Stop MP this MPh.
    left, convoyed
        Whether it has left its Convoy of its own will this MPh, and how; and, of a vehicle that was in a
        Convoy once, whether it was ``empty`` or had been set up with a ``gun`` in tow.
    origin, behind
        The Convoy it belonged to as the MPh began, and the Convoy that must end its MPh first.
    sees, attacked, fallen
        Units it is told to have a LOS to; whether it was attacked as its Convoy's last Impulse
        ended; whether it was eliminated or immobilized this MPh.
    recalled, stunned, shocked, dazed
        State of a vehicle's crew; ``dazed``: it has been Stunned before (the +1 side of the counter).
    armor_leader, captured
        Whether an Armor Leader commands a vehicle, and whether its side has captured it.
    carrier_crew
        Whether it is the crew of a Carrier, or crews of two as a squad, on foot.
    turret
        By how many hexspines, clockwise, the TCA of a turreted AFV points away from its VCA.
    inside
        Whether it is ``beneath`` Wire, an entrenchment or pillbox, ``upstairs`` in a building, or
        at the ``crest`` of a depression.
    lends, helper
        Unit to which a SMC lends his IPC this MPh, and SMC who lends it to this unit.
    assault
        Whether it has declared Assault Movement this MPh.
    hazardous
        What it does by Hazardous Movement (a name of ``data/hazards.toml``), or ``""``.
    portaged
        PP of what it carried this phase before it dropped it.
    armored
        The AFV with which it has moved by Armored Assault this MPh (an AFV's own name for that
        AFV, a unit's own once it has moved on without).
    lane
        The direction in which it has crossed a one-lane bridge's hexside last this MPh (0 to 5), or 6
        once it has been used both ways.
    tried
        Names of the items it has tried to recover this phase, in order.
    guide, astray
        At night: the unit whose Movement DR held for it this MPh, and whether it strays.
    disrupted, unarmed
        Further states of Personnel, who then keep nobody out of their Location.
    berserk, dummy
        Whether Personnel is berserk, and whether a concealed counter stands for nobody: what these
        do is not modelled.
    aboard, riding
        The vehicle that carries it (its Location is the vehicle's), and whether as a Rider.
    towing, towed_by
        The Gun that a vehicle tows, and the vehicle that tows a Gun.
    limbered
        Whether a Gun is limbered.
    conveyed, stays
        Whether it has boarded or left a vehicle this Player Turn, and whether it must stay where
        it did.
    floor
        Upstairs, on which level of the building; 0 where that is not told.
    fired, overran
        Whether it has fired (or added FP to an OVR) this MPh, and whether it has made an OVR.
    act
        What it has just done that fire may still undo: it ``loads`` or ``unloads`` (``alights``
        from an unarmored vehicle), ``hooks``, ``unhooks`` or ``mans``; until somebody acts again.
    cafp
        Of one who has left a vehicle in Bypass in its MPh: whether it still counts as ``at`` the
        CAFP, or that is ``past``.
    hitch
        The vehicle and the Gun that it has just hooked up or unhooked, or the vehicle that it has
        just manned and what it has mounted.
    inherent, taken
        Whether it is the inherent crew of the vehicle it is aboard; of a vehicle, what of its
        armament has been taken off.
    check
        How an AFV's task check to move without a radio came out this MPh (D14.23).
    lost, boarder_spent, boarder_left
        Half MP that a vehicle has lost by loading this MPh, and half MF that the boarder who
        counts for it has spent and has left.
    """

    type: str
    nationality: str = ""
    facing: Annotated[Spine | None, msgspec.Meta(description=CORNERS)] = None
    moving: bool = False
    reverse: bool = False
    bu: bool = False
    sw: tuple[SupportWeapon, ...] = ()
    pinned: bool = False
    broken: bool = False
    wounded: bool = False
    inexperienced: bool = False
    cx: bool = False
    concealed: bool = False
    ti: bool = False
    prep_fired: bool = False
    bogged: bool = False
    mired: bool = False
    immobile: bool = False
    abandoned: bool = False
    hatched: bool = False
    tried_motion: bool = False
    entering: tuple[LocationName, ...] = ()
    entry_turn: Annotated[int, msgspec.Meta(ge=0)] = 0
    late: bool = False
    exited: bool = False
    mph: Literal["unmoved", "moving", "done"] = "unmoved"
    spent: Half = 0
    used: Half = 0
    final: Literal["", "all", "minimum", "advance"] = ""
    off_road: bool = False
    on_trail: bool = False
    bypass: Annotated[int, msgspec.Meta(ge=0, le=5)] | None = None
    previous: str | None = None
    road: bool = True
    double: Half = 0
    esb: Half = 0
    was_cx: bool = False
    tired: bool = False
    leaders: tuple[UnitId, ...] = ()
    convoy: str = ""
    column: str = ""
    platoon: str = ""
    rank: Annotated[int, msgspec.Meta(ge=0)] = 0
    disbanding: bool = False
    halted: bool = False
    left: Literal["", "declared", "gap"] = ""
    convoyed: Literal["", "empty", "gun"] = ""
    origin: str = ""
    behind: str = ""
    sees: tuple[UnitId, ...] = ()
    attacked: bool = False
    fallen: bool = False
    recalled: bool = False
    stunned: bool = False
    shocked: bool = False
    dazed: bool = False
    armor_leader: bool = False
    captured: bool = False
    carrier_crew: bool = False
    turret: Annotated[int, msgspec.Meta(ge=0, le=5)] = 0
    inside: Literal["", "beneath", "upstairs", "crest"] = ""
    floor: Annotated[int, msgspec.Meta(ge=0, le=4)] = 0
    lends: UnitId | None = None
    helper: UnitId | None = None
    assault: bool = False
    hazardous: str = ""
    portaged: int = 0
    armored: UnitId | None = None
    lane: Annotated[int, msgspec.Meta(ge=0, le=6)] | None = None
    tried: tuple[str, ...] = ()
    guide: UnitId | None = None
    astray: bool = False
    disrupted: bool = False
    unarmed: bool = False
    berserk: bool = False
    dummy: bool = False
    aboard: UnitId | None = None
    riding: bool = False
    towing: UnitId | None = None
    towed_by: UnitId | None = None
    limbered: bool = False
    conveyed: bool = False
    stays: bool = False
    fired: bool = False
    overran: bool = False
    act: Literal["", "loads", "unloads", "alights", "hooks", "unhooks", "mans"] = ""
    cafp: Literal["", "at", "past"] = ""
    hitch: tuple[str, ...] = ()
    inherent: bool = False
    taken: tuple[str, ...] = ()
    check: Literal["", "passed", "failed"] = ""
    lost: Half = 0
    boarder_spent: Half = 0
    boarder_left: Half = 0


class AslConditions(Conditions, frozen=True, kw_only=True):
    """
    What holds for the whole map.

    Parameters
    ----------
    month, year
        The month, 1 to 12, and the year; 0 where no year is told.
    stream
        Depth of all streams, whatever the map shows; ``""`` for as it shows them.
    fordable
        Whether Water Obstacles may be forded.
    first_side
        Side that moves first in each turn: the turn counter goes up as its Player Turn begins. Where
        this is not told, it is the side in whose Player Turn the scene begins.
    ground_snow, deep_snow, plowed
        Whether Ground Snow or Deep Snow lies, and whether the roads are plowed then.
    mud, soft_ground, rain
        Whether there is Mud, whether the scene calls the ground soft, and whether it rains, or has.
    night, nvr
        Whether it is night, and then the Night Visibility Range.
    types
        Unit types beside the sample ones.
    """

    month: Annotated[int, msgspec.Meta(ge=1, le=12)] = 6
    stream: Literal["", "dry", "shallow", "deep"] = ""
    fordable: bool = False
    year: Annotated[int, msgspec.Meta(ge=0, le=2100)] = 0
    first_side: str = ""
    ground_snow: bool = False
    deep_snow: bool = False
    plowed: bool = False
    mud: bool = False
    soft_ground: bool = False
    rain: bool = False
    night: bool = False
    nvr: Annotated[int, msgspec.Meta(ge=0, le=30)] | None = None
    types: tuple[UnitType, ...] = ()


class Start(Action, frozen=True, tag="start"):
    """A vehicle starts, to go forward or in Reverse."""

    unit: UnitId
    reverse: bool = False


class Stop(Action, frozen=True, tag="stop"):
    """A vehicle stops."""

    unit: UnitId


class Turn(Action, frozen=True, tag="turn"):
    """A vehicle changes its VCA by one hexspine."""

    unit: UnitId
    facing: Annotated[Spine, msgspec.Meta(description=CORNERS)]


class Enter(Action, frozen=True, tag="enter"):
    """
    A vehicle, an Infantry unit or a moving stack enters an adjacent Location.

    ``off_road`` declines the road whose hexside is crossed: the unit pays for the hex's other terrain.
    ``half`` chooses the chart's second way in (half the allotment with a harder Bog Check; for
    Infantry the cover of shellholes); ``extra`` is what a vehicle spends beyond the least it must
    (D2.18), judged but never proposed, and ``rest`` says that it spends all it has left.
    ``overrun`` announces an OVR there, ``beneath`` that the unit goes beneath a Fortification counter.
    """

    units: Companions
    to: Adjacent
    half: bool = False
    extra: Half = 0
    rest: Annotated[bool, msgspec.Meta(extra={"domain": "free"})] = False
    overrun: Annotated[bool, msgspec.Meta(extra={"domain": "free"})] = False
    beneath: Annotated[bool, msgspec.Meta(extra={"domain": "free"})] = False
    off_road: bool = False


class LeaveRoad(Action, frozen=True, tag="leave-road"):
    """
    A vehicle leaves the road for the woods that it runs through, in its own Location.

    ``half`` chooses the chart's second way in, as for an entry.
    """

    unit: UnitId
    half: bool = False


class MinimumMove(Action, frozen=True, tag="minimum"):
    """A unit, or a stack, enters an adjacent Location that an allotment does not pay for."""

    units: Companions
    to: Adjacent


class Impulse(Action, frozen=True, tag="impulse"):
    """
    A Convoy, Column or platoon moves by one Impulse (D14.31), named by its first unit.

    ``moves`` says what each member does, in order: ``start``, ``stop``, ``turn:NNE``,
    ``enter:C5``, ``half:C5`` (the chart's second way in), ``exit`` (off the map) or ``stay``; told, but never proposed,
    are ``reverse`` (a Start), ``off-road:C5`` (an entry that declines the road), ``overrun:C5``, ``beneath:C5`` and
    ``delay`` (or ``delay:2``: so many MP). They act from the front on, but
    those of ``first`` before the others, in that order; none are proposed.
    """

    unit: UnitId
    moves: Moves
    first: Annotated[tuple[str, ...], msgspec.Meta(extra={"domain": "names"})] = ()


class Leave(Action, frozen=True, tag="leave"):
    """
    A vehicle leaves its Convoy for a move of its own, before an Impulse begins.

    ``alone`` tells that an AFV without a radio breaks off from its platoon, too.
    """

    unit: UnitId
    alone: Annotated[bool, msgspec.Meta(extra={"domain": "free"})] = False


class Disband(Action, frozen=True, tag="disband"):
    """A Column, named by its first unit, spends a MF and declares that it disbands."""

    unit: UnitId


class Join(Action, frozen=True, tag="join"):
    """
    A unit joins a Column, or the Convoy that it leads falls in behind another.

    ``to`` is the name of that line as the scene tells it (``convoy`` or ``column``), no unit.
    """

    unit: UnitId
    to: Annotated[str, msgspec.Meta(extra={"domain": "line"})]


class DoubleTime(Action, frozen=True, tag="double-time"):
    """Infantry declares Double Time."""

    unit: UnitId


class Lend(Action, frozen=True, tag="lend"):
    """A SMC lends his IPC to a unit of his Location for this MPh or APh."""

    unit: UnitId
    to: Fellow


class End(Action, frozen=True, tag="end"):
    """A unit ends its MPh; what a vehicle has left counts as spent there."""

    unit: UnitId


ACTIONS: tuple[type[Action], ...] = (
    Start, Stop, Turn, LeaveRoad, Enter, MinimumMove, Impulse, Leave, Disband, Join, DoubleTime, Lend,
    Load, Unload, Hook, Unhook, *MANNING_ACTIONS, *MOUNT_ACTIONS, *VEHICLE_ACTIONS, End, *FOOT_ACTIONS, *BYPASSES,
    BailOut, Traverse, Destroy, *HAPPENINGS,
)  # fmt: skip


def actors(action: Action) -> tuple[str, ...]:
    """Return the units that act."""
    several: tuple[str, ...] | None = getattr(action, "units", None)
    return (action.unit,) if several is None else several  # type: ignore[attr-defined]
