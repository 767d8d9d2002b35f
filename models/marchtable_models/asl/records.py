"""What an ASL unit's fields are about, subject by subject."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from marchtable.state.position import Half, LocationName, UnitId
from marchtable.state.records import Record
from marchtable_models.asl.grains import Course


class Status(Record, frozen=True, kw_only=True):
    """
    The condition of a unit.

    Parameters
    ----------
    pinned, broken, wounded, disrupted, unarmed, berserk
        Of Personnel; who is disrupted or unarmed keeps nobody out of his Location, and what berserk
        Personnel does is not modelled.
    dm
        Whether it is under DM.
    inexperienced
        Whether it is Inexperienced.
    cx, was_cx, tired
        Whether it is CX, whether it began the MPh so, and whether it is CX only for a Minimum Move
        just made.
    ti
        Whether it is TI.
    prep_fired, fired, overran
        Whether it is marked by Prep Fire, whether it has fired (or added FP to an OVR) this MPh, and
        whether it has made an OVR.
    melee
        Of Personnel among enemies: whether it is ``held`` in Melee, or ``free``; where neither is stated, what
        it may do is UNSUPPORTED.
    captured
        Whether a vehicle was captured by its side.
    gear
        What Infantry goes upon, of what is among its SW: its ``skis``, or its ``bicycle``.
    """

    pinned: bool = False
    broken: bool = False
    wounded: bool = False
    disrupted: bool = False
    unarmed: bool = False
    berserk: bool = False
    dm: bool = False
    inexperienced: bool = False
    cx: bool = False
    was_cx: bool = False
    tired: bool = False
    ti: bool = False
    prep_fired: bool = False
    fired: bool = False
    overran: bool = False
    melee: Literal["", "held", "free"] = ""
    captured: bool = False
    gear: Literal["", "skis", "bicycle"] = ""


class Crew(Record, frozen=True, kw_only=True):
    """
    A vehicle's crew, or what makes a unit one.

    Parameters
    ----------
    bu, hatched
        Whether an AFV is buttoned up, and whether its crew has buttoned up or become CE this phase.
    dispensed
        Whether it has tried its smoke dispenser in this Player Turn.
    abandoned, taken
        Whether the crew has left the vehicle, and what of its armament has been taken off.
    recalled, stunned, shocked, dazed
        Its state; ``dazed``: it has been Stunned before (the +1 side of the counter).
    armor_leader
        Whether an Armor Leader commands the vehicle.
    inherent
        Whether a unit is the inherent crew of the vehicle it is aboard.
    carrier_crew
        Whether a unit is the crew of a Carrier, or crews of two as a squad, on foot.
    """

    bu: bool = False
    hatched: bool = False
    dispensed: bool = False
    abandoned: bool = False
    taken: tuple[str, ...] = ()
    recalled: bool = False
    stunned: bool = False
    shocked: bool = False
    dazed: bool = False
    armor_leader: bool = False
    inherent: bool = False
    carrier_crew: bool = False


class Motion(Record, frozen=True, kw_only=True):
    """
    How a vehicle moves, or why it cannot.

    Parameters
    ----------
    moving
        Whether it is non-stopped (between its MPh: under Motion). One that comes on from off the
        map need not be, as it has not to start.
    reverse
        Whether it moves backwards (between its MPh: is under Reverse Motion).
    tried_motion
        Whether it has tried to get into Motion this Player Turn, as a DEFENDER.
    bogged, mired, immobile
        What holds it; what is mired is bogged, too.
    turret
        By how many hexspines, clockwise, the TCA of a turreted AFV points away from its VCA.
    check
        How the task check of an AFV without a radio, to move alone in this MPh, came out (D14.23): by
        `task-check`, or where a scene states it, ``passed`` or ``failed``.
    """

    moving: bool = False
    reverse: bool = False
    tried_motion: bool = False
    bogged: bool = False
    mired: bool = False
    immobile: bool = False
    turret: Annotated[int, msgspec.Meta(ge=0, le=5)] = 0
    check: Literal["", "passed", "failed"] = ""


class Points(Record, frozen=True, kw_only=True):
    """
    What a unit has spent of its allotment this MPh, and what it gains or loses.

    Parameters
    ----------
    spent, used
        Half points spent, and those of them not spent on Start and Stop.
    final
        How its allotment was used up: by an entry that takes ``all``, or a ``minimum`` Move; or
        that it has made its ``advance`` this APh.
    double, esb, downhill
        Half MF gained by Double Time, half MP by Excessive Speed, and half MF downhill on skis or by bicycle.
    lost
        Half MP that a vehicle has lost by loading.
    boarder_spent, boarder_left
        Half MF that the boarder who counts for it has spent and has left.
    portaged
        PP of what it carried this phase before it dropped it.
    """

    spent: Half = 0
    used: Half = 0
    final: Literal["", "all", "minimum", "advance"] = ""
    double: Half = 0
    esb: Half = 0
    downhill: Half = 0
    lost: Half = 0
    boarder_spent: Half = 0
    boarder_left: Half = 0
    portaged: int = 0


class Escorted(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True
):
    """
    Infantry with which an AFV has moved, and how far it could still go with it.

    Parameters
    ----------
    unit, kind
        The Infantry, and its type, in case it is eliminated.
    left, bonus
        Half MF it would have left had it gone wherever the AFV has gone, and those of the road bonus, 0
        once that is lost.
    had
        Its whole allotment without the road bonus, as it was known last.
    apart
        Whether one of the two has moved on without the other.
    """

    unit: UnitId
    kind: str
    left: int
    bonus: Half = 0
    had: Half = 0
    apart: bool = False


class Move(Record, frozen=True, kw_only=True):
    """
    How a unit has moved this MPh.

    Parameters
    ----------
    mph
        Where it is in its MPh: ``unmoved``, ``moving`` or ``done``.
    previous
        The Location it came from.
    road
        Whether it has crossed only road hexsides.
    lane
        The direction in which it has crossed a one-lane bridge's hexside last (0 to 5), or 6 once it
        has been used both ways.
    leaders
        Leaders it has moved with ever since its MPh began.
    lends, helper
        Unit to which a SMC lends his IPC, and SMC who lends it to this unit.
    assault
        Whether it has declared Assault Movement.
    armored
        The AFV with which it has moved by Armored Assault (an AFV's own name for that AFV, a unit's
        own once it has moved on without).
    escorted
        Of an AFV, the Infantry with which it has moved by Armored Assault.
    hazardous
        What it does by Hazardous Movement (a name of ``data/hazards.toml``), or ``""``.
    clears
        The wreck that it pushes away as this MPh ends.
    dash
        Where it has declared to dash, until it is there.
    dared
        The enemy Location for which it takes a task check, or has passed it.
    goals
        Where it must get to by its rout.
    thrown
        Where it has tried to place SMOKE grenades in this MPh.
    task
        What it is engaged in clearing, until its DR is made.
    tried
        Names of the items it has tried to recover this phase, in order.
    """

    mph: Literal["unmoved", "moving", "done"] = "unmoved"
    previous: str | None = None
    road: bool = True
    lane: Annotated[int, msgspec.Meta(ge=0, le=6)] | None = None
    leaders: tuple[UnitId, ...] = ()
    lends: UnitId | None = None
    helper: UnitId | None = None
    assault: bool = False
    armored: UnitId | None = None
    escorted: tuple[Escorted, ...] = ()
    hazardous: str = ""
    clears: UnitId | None = None
    dash: LocationName | None = None
    dared: LocationName | None = None
    goals: tuple[LocationName, ...] = ()
    fled: tuple[UnitId, ...] = ()
    thrown: LocationName | None = None
    task: Literal["", "rubble", "flame", "wire", "mines", "dc", "roadblock"] = ""
    tried: tuple[str, ...] = ()


class Place(Record, frozen=True, kw_only=True):
    """
    Where in its Location a unit is.

    Parameters
    ----------
    bypass
        In Bypass, the hexside that a vehicle is on, or the vertex that others have reached (0 to 5).
    inside
        Whether it is ``beneath`` Wire, an entrenchment or pillbox, ``upstairs`` in a building, at the
        ``crest`` of a depression, or on a ``cliff``, above the hex at whose foot that is.
    floor
        Upstairs, on which level of the building, 0 where that is not stated; on a cliff, how many levels up.
    crest
        At the Crest, or on a cliff, the hexside along which, 0 to 5 clockwise from N (1 is NE).
    wall_advantage
        Whether it claims Wall Advantage (it has the counter).
    off_road
        Whether a vehicle stands in the woods part of a hex that a road crosses, or another unit has
        declined the road by which it came.
    on_trail
        Whether a fully-tracked AFV stands in woods that it has entered along a Trail Break.
    cafp
        Of one who has left a vehicle in Bypass in its MPh: whether it still counts as ``at`` the
        CAFP, or that is ``past``.
    """

    bypass: Annotated[int, msgspec.Meta(ge=0, le=5)] | None = None
    inside: Literal["", "beneath", "upstairs", "crest", "cliff"] = ""
    floor: Annotated[int, msgspec.Meta(ge=0, le=4)] = 0
    crest: Annotated[int, msgspec.Meta(ge=0, le=5)] | None = None
    wall_advantage: bool = False
    off_road: bool = False
    on_trail: bool = False
    cafp: Literal["", "at", "past"] = ""


class Cargo(Record, frozen=True, kw_only=True):
    """
    Who carries or tows whom.

    Parameters
    ----------
    aboard, riding
        The vehicle that carries it (its Location is the vehicle's), and whether as a Rider.
    towing, towed_by
        The Gun that a vehicle tows, and the vehicle that tows a Gun.
    trailer
        Whether a vehicle tows a trailer.
    yoked
        Whether a wagon is two that have been combined, to tow what is too heavy for one.
    portee, laden
        The caliber in mm of the Guns that a vehicle is noted to carry en portee, 0 for none, and whether it
        carries so the one that it has in ``towing``.
    limbered
        Whether a Gun is limbered.
    conveyed, stays
        Whether it has boarded or left a vehicle this Player Turn, and whether it must stay where
        it did.
    act
        What it has just done that fire may still undo: it ``loads`` or ``unloads`` (``alights``
        from an unarmored vehicle), ``hooks``, ``unhooks`` or ``mans``; until somebody acts again.
    hitch
        The vehicle and the Gun that it has just hooked up or unhooked, or the vehicle that it has
        just manned and what it has mounted.
    guard
        The enemy unit whose prisoner it is: it is where that Guard is, and aboard what he is aboard.
    """

    aboard: UnitId | None = None
    riding: bool = False
    towing: UnitId | None = None
    towed_by: UnitId | None = None
    trailer: bool = False
    yoked: bool = False
    portee: Annotated[int, msgspec.Meta(ge=0, le=300)] = 0
    laden: bool = False
    limbered: bool = False
    conveyed: bool = False
    stays: bool = False
    act: Literal["", "loads", "unloads", "alights", "hooks", "unhooks", "mans"] = ""
    hitch: tuple[str, ...] = ()
    guard: UnitId | None = None


class Line(Record, frozen=True, kw_only=True):
    """
    The Convoy, Column, platoon or Human Wave that a unit moves in.

    Parameters
    ----------
    convoy, column, platoon, wave
        The name of each that it belongs to, ``""`` for none.
    rank
        Its place in its Convoy's or Column's line, counted from the front. Units of a Column that share
        a Location as their MPh begins are one stack, at the least of their places.
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
    attacked, fallen
        Whether it was attacked as its Convoy's last Impulse ended; whether it was eliminated or
        immobilized this MPh.
    course, upon
        Of a Human Wave: its Hex Grain, as the hexside by which it goes on, or two in turn (``SW-S``), and
        the Location through which that leads (by the first of them).
    strayed, trodden
        Whether a unit of one has got farther from its course and not nearer since (it has the Range
        counter), and the Locations that it has left in this MPh.
    """

    convoy: str = ""
    column: str = ""
    platoon: str = ""
    wave: str = ""
    rank: Annotated[int, msgspec.Meta(ge=0)] = 0
    disbanding: bool = False
    halted: bool = False
    left: Literal["", "declared", "gap"] = ""
    convoyed: Literal["", "empty", "gun"] = ""
    origin: str = ""
    behind: str = ""
    attacked: bool = False
    fallen: bool = False
    course: Course | Literal[""] = ""
    upon: LocationName | None = None
    strayed: bool = False
    trodden: tuple[LocationName, ...] = ()


class Concealment(Record, frozen=True, kw_only=True):
    """
    What others see of a unit, and it of them.

    Parameters
    ----------
    concealed
        Whether it is concealed.
    dummy
        Whether a concealed counter stands for nobody; it has a type all the same, of Infantry.
    sees
        Units to which it is stated to have a LOS.
    not_sees
        Units to which it is stated to have none.
    """

    concealed: bool = False
    dummy: bool = False
    sees: tuple[UnitId, ...] = ()
    not_sees: tuple[UnitId, ...] = ()


class OffBoard(Record, frozen=True, kw_only=True):
    """
    How a unit comes on from off the map, or that it has left.

    Parameters
    ----------
    entering
        Edge hexes by one of which it may come on, while it waits off the map.
    entry_turn, late
        The turn in which it is to come on, 0 where nobody says, and whether it may do so later.
    exited
        Whether it has left the map.
    """

    entering: tuple[LocationName, ...] = ()
    entry_turn: Annotated[int, msgspec.Meta(ge=0)] = 0
    late: bool = False
    exited: bool = False


class Night(Record, frozen=True, kw_only=True):
    """
    Movement at night.

    Parameters
    ----------
    guide
        The unit whose Movement DR held for it this MPh.
    astray
        Whether it strays.
    """

    guide: UnitId | None = None
    astray: bool = False


FRESH = (
    *(name for name in Move.__struct_fields__ if name not in ("hazardous", "tried")),
    *(name for name in Points.__struct_fields__ if name != "portaged"),
    "tired", "fired", "overran", "check", "cafp", "conveyed", "stays", "act", "hitch", "guide", "astray",
    "halted", "left", "behind", "fallen", "wave", "course", "upon", "strayed", "trodden",
)  # fmt: skip
"""Fields that last for one MPh: they have their defaults as the next begins."""
OF = {
    "a vehicle": ("moving", "reverse", "immobile", "bogged"),
    "a vehicle with a crew or Driver": (
        "abandoned", "esb", "stunned", "shocked", "dazed", "recalled", "captured", "lost", "boarder_spent",
        "boarder_left", "towing",
    ),
    "a vehicle, no wagon or motorcycle": ("trailer", "portee", "laden"),
    "a wagon": ("yoked",),
    "an AFV": ("bu", "armor_leader", "escorted"),
    "an AFV without a radio": ("check",),
    "a fully-tracked AFV": ("on_trail",),
    "a vehicle with a turret": ("turret",),
    "Personnel": (
        "broken", "pinned", "dm", "aboard", "riding", "inherent", "act", "cafp", "stays", "assault", "lends",
        "helper", "leaders", "inexperienced", "disrupted", "conveyed", "berserk", "melee", "guard", "unarmed",
        "task",
    ),
    "a SMC": ("wounded",),
    "Personnel or a wagon": ("cx", "double", "hazardous"),
    "Infantry": ("wave", "gear", "downhill"),
    "Personnel or a vehicle": ("sw",),
    "a half squad, crew or squad": ("carrier_crew",),
    "a Gun": ("limbered", "towed_by"),
}  # fmt: skip
"""Fields that some units alone have, by what these are (``validation/states.py`` recognizes them)."""
