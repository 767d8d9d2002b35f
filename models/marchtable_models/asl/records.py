"""The fields of an ASL unit, by subject."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from marchtable.rules.marks import marked
from marchtable.state.position import Half, LocationName, UnitId
from marchtable.state.records import Record
from marchtable_models.asl.grains import Course


class Status(Record, frozen=True, kw_only=True):
    """
    The condition of a unit.

    Parameters
    ----------
    pinned, broken, wounded, disrupted, unarmed, berserk
        For Personnel; disrupted or unarmed units keep no enemy out of their Location, and acts of
        berserk Personnel are not modelled.
    dm
        Whether it is under DM.
    inexperienced
        Whether it is Inexperienced.
    cx, was_cx, tired
        Whether it is CX, whether it began the MPh CX, and whether it is CX only by the Minimum Move
        just made.
    ti
        Whether it is TI.
    prep_fired, fired, overran
        Whether it has a Prep Fire counter, whether it has fired (or added FP to an OVR) in this
        MPh, and whether it has made an OVR.
    melee
        For Personnel among enemies: whether it is ``held`` in Melee, or ``free``; if unstated, its
        options are UNSUPPORTED.
    captured
        Whether its side has captured the vehicle.
    gear
        The gear among its SW that Infantry moves on: its ``skis`` or its ``bicycle``.
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

    @property
    def good_order(self) -> bool:
        """Whether Personnel is neither broken, disrupted, berserk nor held in Melee."""
        return not (self.broken or self.disrupted or self.berserk or self.melee == "held")


class Crew(Record, frozen=True, kw_only=True):
    """
    A vehicle's crew, or a unit that is one.

    Parameters
    ----------
    bu, hatched
        Whether an AFV is buttoned up, and whether its crew has changed that in this phase.
    dispensed
        Whether it has tried its smoke dispenser in this Player Turn.
    abandoned, taken
        Whether the crew has left the vehicle, and which armament has been removed.
    recalled, stunned, shocked, dazed
        Its state; ``dazed``: it has been Stunned before (the +1 side of the counter).
    armor_leader
        Whether an Armor Leader commands the vehicle.
    inherent
        Whether a unit is the inherent crew of its vehicle.
    carrier_crew
        Whether a unit on foot is a Carrier's crew, or the crews of two as a squad.
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

    @property
    def able(self) -> bool:
        """Whether the crew has not left the vehicle, and is neither Stunned nor shocked."""
        return not (self.abandoned or self.stunned or self.shocked)


class Motion(Record, frozen=True, kw_only=True):
    """
    A vehicle's motion, or why it cannot move.

    Parameters
    ----------
    moving
        Whether it is non-stopped (between MPhs: in Motion). One that enters from off the map need
        not be, as it needs no Start.
    reverse
        Whether it moves backwards (between MPhs: in Reverse Motion).
    tried_motion
        Whether it has made a Motion attempt in this Player Turn, as a DEFENDER.
    bogged, mired, immobile
        What holds it; a mired vehicle is also bogged.
    turret
        The hexspines, clockwise, from a turreted AFV's VCA to its TCA.
    check
        The result of a radioless AFV's task check to move alone in this MPh (D14.23), by
        `task-check` or the scene: ``passed`` or ``failed``.
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
    A unit's expenditure in this MPh, and its gains or losses.

    Parameters
    ----------
    spent, used
        Half points spent, and the part of them not spent on Start and Stop.
    final
        How its allotment was used up: by an entry that takes ``all``, or a ``minimum`` Move; or
        that it has made its ``advance`` in this APh.
    double, esb, downhill
        Half MF gained by Double Time, half MP by Excessive Speed, and half MF downhill on skis or
        by bicycle.
    lost
        Half MP that a vehicle has lost by loading.
    boarder_spent, boarder_left
        Half MF that the boarder that counts for it has spent and has left.
    portaged
        PP carried in this phase and then dropped.
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
    Infantry an AFV has moved with, and how far it could still go along.

    Parameters
    ----------
    unit, kind
        The Infantry, and its type, in case it is eliminated.
    left, bonus
        Half MF left if it had gone wherever the AFV has, and those of the road bonus, 0 once
        forfeited.
    had
        Its whole allotment without the road bonus, as last known.
    apart
        Whether one of them has moved on without the other.
    """

    unit: UnitId
    kind: str
    left: int
    bonus: Half = 0
    had: Half = 0
    apart: bool = False


class Move(Record, frozen=True, kw_only=True):
    """
    A unit's movement in this MPh.

    Parameters
    ----------
    mph
        The stage of its MPh: ``unmoved``, ``moving`` or ``done``.
    previous
        The Location it came from.
    road
        Whether it has crossed only road hexsides.
    lane
        The direction in which it last crossed a one-lane bridge's hexside (0 to 5), or 6 once it
        has been used both ways.
    leaders
        Leaders it has moved with since its MPh began.
    lends, helper
        The unit a SMC lends his IPC to, and the SMC that lends it to this unit.
    assault
        Whether it has declared Assault Movement.
    armored
        The AFV it has moved with by Armored Assault (an AFV's own name for the AFV itself, a unit's
        own once it has moved on alone).
    escorted
        For an AFV, the Infantry it has moved with by Armored Assault.
    hazardous
        Its act of Hazardous Movement (a name in ``data/hazards.toml``), or ``""``.
    clears
        The wreck it pushes away as this MPh ends.
    dash
        Its declared Dash destination, until it is there.
    dared
        The enemy Location for which it takes, or has passed, a task check.
    goals
        Its rout goal.
    fled
        The Known armed enemies that have seen it while it routed.
    thrown
        The target of its SMOKE grenades in this MPh.
    task
        The item it is clearing, until its DR is made.
    tried
        Names of the items it has tried to recover in this phase, in order.
    """

    mph: Literal["unmoved", "moving", "done"] = "unmoved"
    previous: LocationName | None = None
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
    A unit's place in its Location.

    Parameters
    ----------
    bypass
        In Bypass, a vehicle's hexside, or the vertex reached by another unit (0 to 5).
    inside
        Whether it is ``beneath`` Wire, an entrenchment or pillbox, ``upstairs`` in a building, at
        the ``crest`` of a Depression, or on a ``cliff``, above the hex at its foot.
    floor
        Upstairs, its building level, 0 if unstated; on a cliff, its levels up.
    crest
        At the Crest or on a cliff, its hexside, 0 to 5 clockwise from N (1 is NE).
    wall_advantage
        Whether it claims Wall Advantage (it has the counter).
    off_road
        Whether a vehicle is in the woods part of a hex with a road, or another unit has declined
        the road it came by.
    on_trail
        Whether a fully-tracked AFV is in woods that it entered along a Trail Break.
    cafp
        For a unit that left a vehicle in Bypass in its MPh: whether it still counts as ``at`` the
        CAFP, or is ``past`` it.
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
    Carriers, tows and loads.

    Parameters
    ----------
    aboard, riding
        The vehicle that carries it (its Location is the vehicle's), and whether as a Rider.
    towing, towed_by
        The Gun that a vehicle tows, and the vehicle that tows a Gun.
    trailer
        Whether a vehicle tows a trailer.
    yoked
        Whether a wagon is two combined ones, to tow what is too heavy for one.
    portee, laden
        The caliber in mm of the Guns that a vehicle is noted to carry en portee, 0 for none, and
        whether it carries the one in ``towing`` so.
    limbered
        Whether a Gun is limbered.
    conveyed, stays
        Whether it has boarded or left a vehicle in this Player Turn, and whether it must stay where
        it left it.
    act
        Its last act, which fire can still undo: it ``loads`` or ``unloads`` (``alights`` from an
        unarmored vehicle), ``hooks``, ``unhooks`` or ``mans``; until any unit acts again.
    hitch
        The vehicle and Gun it has just hooked up or unhooked, or the vehicle it has just manned and
        the armament mounted.
    guard
        The enemy unit that guards it: it is where its Guard is, aboard the same vehicle.
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
        The name of each, ``""`` for none.
    rank
        Its place in its Convoy or Column, counted from the front. Column units that share a
        Location as their MPh begins are one stack, at the lowest of their places.
    disbanding
        Whether its Column disbands after the next fire at it: its owner has declared it, or it sees
        a Known enemy.
    halted
        Whether its Convoy has spent a Stop MP in this MPh.
    left, convoyed
        Whether it has left its Convoy voluntarily in this MPh, and how; and, for a vehicle once in
        a Convoy, whether it was ``empty`` or set up with a ``gun`` in tow.
    origin, behind
        The Convoy it belonged to as the MPh began, and the Convoy that must end its MPh first.
    attacked, fallen
        Whether it was attacked as its Convoy's last Impulse ended; whether it was eliminated or
        immobilized in this MPh.
    course, upon
        For a Human Wave: its Hex Grain, as one or two hexsides (``SW-S``), and the Location it
        leads through (by the first of them).
    strayed, trodden
        Whether a wave unit has moved away from its course and not closer since (it has the Range
        counter), and the Locations it has left in this MPh.
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
    behind: Annotated[str, marked("AFTER {}", "goes after that Convoy", "line")] = ""
    attacked: bool = False
    fallen: bool = False
    course: Course | Literal[""] = ""
    upon: LocationName | None = None
    strayed: bool = False
    trodden: tuple[LocationName, ...] = ()


class Concealment(Record, frozen=True, kw_only=True):
    """
    A unit's visibility and sight.

    Parameters
    ----------
    concealed
        Whether it is concealed.
    dummy
        Whether a concealed counter is a Dummy; it still has a type of Infantry.
    sees
        Units it is stated to have a LOS to.
    not_sees
        Units it is stated to have no LOS to.
    """

    concealed: bool = False
    dummy: bool = False
    sees: tuple[UnitId, ...] = ()
    not_sees: tuple[UnitId, ...] = ()


class OffBoard(Record, frozen=True, kw_only=True):
    """
    How a unit enters from off the map, or that it has left.

    Parameters
    ----------
    entering
        Edge hexes where it can enter, while it waits off the map.
    entry_turn, late
        Its turn of entry, 0 if unstated, and whether it can enter later.
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
        The unit whose Movement DR applied to it in this MPh.
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
