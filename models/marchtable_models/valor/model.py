"""Valor & Victory's units, weapons and conditions."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from marchtable.state.position import Conditions, Half, LocationName, Position, Unit, UnitId

__all__ = [
    "FACINGS", "PHASES", "Attack", "Counterblow", "Facing", "Sight", "Spare", "Storm", "Taken", "UnitType", "ValorConditions",
    "ValorUnit", "WeaponType",
]  # fmt: skip

Facing = Literal["N", "NE", "SE", "S", "SW", "NW"]
"""A unit's facing hexside."""
FACINGS: tuple[Facing, ...] = ("N", "NE", "SE", "S", "SW", "NW")
PHASES = ("Command", "Fire", "Movement", "DefensiveFire", "AdvanceAndAssault", "AfterAction")

Names = Annotated[tuple[str, ...], msgspec.Meta(extra={"domain": "names"})]
"""Names of weapons, each ``unit:weapon``, or of hexes."""
Count = Annotated[int, msgspec.Meta(ge=0, le=99)]
Letter = Annotated[str, msgspec.Meta(pattern="^[A-Z]?$")]
"""An anti-tank rating; "" for none."""


class UnitType(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """
    What is printed on a counter.

    Parameters
    ----------
    name
        Its name in unit records.
    class_
        Its kind (``class`` in files).
    apfp, range, cr
        Firepower and range (hexes) of infantry; Casualty Rating, None for AFVs.
    half
        The half squad that it is reduced to.
    modifier
        A leader's modifier.
    elite
        Whether it is elite infantry.
    shield
        Whether it has a Gun Shield.
    gun, mg360, mgff
        APFP of the weapons of a Gun, vehicle or AFV.
    atfp
        Letter of its Gun's anti-tank firepower.
    turreted
        Whether the Gun fires in any direction.
    mp
        Movement points; 0 for a large Gun, and for infantry, whose class sets them.
    carries, tows
        How many half squads it can carry, and whether it can tow a Gun.
    source, assumed
        Where the figures come from, and fields whose figure is a stand-in.
    """

    name: str
    class_: Literal["squad", "half-squad", "leader", "gun", "vehicle", "afv"] = msgspec.field(
        name="class"
    )
    apfp: Count = 0
    range: Count = 0
    cr: Annotated[int, msgspec.Meta(ge=1, le=20)] | None = None
    half: str | None = None
    modifier: Annotated[int, msgspec.Meta(ge=-9, le=9)] = 0
    elite: bool = False
    shield: bool = False
    gun: Count = 0
    mg360: Count = 0
    mgff: Count = 0
    atfp: Letter = ""
    turreted: bool = False
    mp: Count = 0
    carries: Count = 0
    tows: bool = False
    source: str = ""
    assumed: tuple[str, ...] = ()

    @property
    def is_infantry(self) -> bool:
        """Whether it is a squad, half squad or leader."""
        return self.class_ in ("squad", "half-squad", "leader")


class WeaponType(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """
    What is printed on a support weapon.

    Parameters
    ----------
    name
        Its name in unit records.
    class_
        L, H or X (``class`` in files).
    kind
        Its sort of weapon.
    apfp, range, least
        Firepower, and its longest and shortest range in hexes.
    atfp
        Letter of its anti-tank firepower.
    modifier
        Its modifier of the dice.
    source
        Where the figures come from.
    """

    name: str
    class_: Literal["L", "H", "X"] = msgspec.field(name="class")
    kind: Literal["mg", "mortar", "grenades", "satchel", "panzerfaust", "bazooka", "flamethrower"]
    apfp: Count = 0
    range: Count = 0
    least: Count = 0
    atfp: Letter = ""
    modifier: Annotated[int, msgspec.Meta(ge=-9, le=9)] = 0
    source: str = ""


class ValorUnit(Unit, frozen=True, kw_only=True):
    """
    A unit.

    Parameters
    ----------
    type
        Name of its unit type.
    facing
        For a vehicle, AFV or Gun: the hexside it faces.
    sw
        Names of its support weapons.
    pinned, valorous
        Its state.
    aboard
        The vehicle that carries or tows it.
    moving, assault
        Whether it has just moved into this hex, and by Assault Movement.
    fired, fired_at
        Whether it has attacked in this turn, and which hex.
    tried
        Whether it has tried to rally in this phase.
    handled
        Whether it has loaded or unloaded (or was) in this turn, and which.
    moved, settled
        Whether it has moved in this turn, and whether it can no longer.
    spent
        Half points spent in this phase.
    party
        The units it began its move with as a stack, itself included.
    turned, advanced, stormed
        Whether it has turned in this hex, has advanced or assaulted in this phase, and whether
        units of its hex have assaulted.
    laid, smoked
        Whether it has laid a fire lane, or smoke, in this phase.
    crossed
        For an AFV that has just overrun enemies: their hex.
    immobile
        For an AFV: whether it is immobilized.
    entering
        If it waits off the map: the edge hexes where it can enter.
    """

    type: str
    facing: Facing | None = None
    sw: tuple[str, ...] = ()
    pinned: bool = False
    valorous: bool = False
    aboard: UnitId | None = None
    moving: bool = False
    assault: bool = False
    fired: bool = False
    fired_at: LocationName | None = None
    tried: bool = False
    handled: Literal["load", "unload"] | None = None
    moved: bool = False
    settled: bool = False
    spent: Half = 0
    party: tuple[UnitId, ...] = ()
    turned: bool = False
    advanced: bool = False
    stormed: bool = False
    laid: bool = False
    smoked: bool = False
    crossed: LocationName | None = None
    immobile: bool = False
    entering: tuple[LocationName, ...] = ()

    @property
    def carrier(self) -> str | None:
        """What carries it, or tows it."""
        return self.aboard


class Sight(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """
    A line of sight, as found by the players; valid both ways.

    Parameters
    ----------
    a, b
        Its ends.
    blocked
        Whether it is blocked.
    through
        Hexes between that it crosses.
    over, along
        Hexsides that it crosses, and that it runs along, each as ``A1-A2``.
    beside
        Hexes beside the hexsides it runs along whose hindrance counts (V9.4).
    """

    a: LocationName
    b: LocationName
    blocked: bool = False
    through: tuple[LocationName, ...] = ()
    over: tuple[str, ...] = ()
    along: tuple[str, ...] = ()
    beside: tuple[LocationName, ...] = ()


class Spare(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The half-squad counters of a type left (needed only by reading A18)."""

    type: str
    left: Count


class Taken(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An attack's effects on a unit: ``ignored``, ``reduced``, ``pinned``, ``absorbed``, ``eliminated``."""

    unit: UnitId
    losses: tuple[str, ...]


class Counterblow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """
    The loss of the assaulters in a failed close assault, inflicted after that of the defenders.

    Parameters
    ----------
    side, origin, target
        The side and hex that inflict it, and the target hex.
    only
        The units affected.
    total
        The points.
    """

    side: str
    origin: LocationName
    target: LocationName
    only: tuple[UnitId, ...]
    total: int


class Attack(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """
    An attack being resolved.

    Parameters
    ----------
    side, origin, target
        The firing side, its hex, and the target hex.
    apfp, modifier, doubled
        The total, the modifier of the dice, and whether the points count double.
    opportunity
        Whether it is Opportunity Fire, which affects only moving units.
    total, owed
        Casualty Points inflicted, and those still owed.
    before
        Units under fire that were pinned before.
    pins
        Points that pins alone could have fulfilled at the start.
    taken
        The results of the units under fire.
    focus
        A unit that ignored a point and must take the next.
    absorbing
        Points for which a survival roll is due.
    only
        The units affected, with ``opportunity``, if not those moving.
    units
        The units that make it.
    then
        What is inflicted after this is fulfilled.
    batters
        AFVs that take points of a failed assault, and whether the owner chooses how.
    """

    side: str
    origin: LocationName
    target: LocationName
    apfp: int = 0
    modifier: int = 0
    doubled: bool = False
    opportunity: bool = False
    total: int = 0
    owed: int = 0
    before: tuple[UnitId, ...] = ()
    pins: int = 0
    taken: tuple[Taken, ...] = ()
    focus: UnitId | None = None
    absorbing: int = 0
    only: tuple[UnitId, ...] = ()
    units: tuple[UnitId, ...] = ()
    then: Counterblow | None = None
    batters: tuple[UnitId, ...] = ()


class Storm(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """
    A close assault whose roll is due.

    Parameters
    ----------
    units, target
        The assaulters and the hex.
    kill, modifier
        The Kill Number, and the modifier of the dice.
    suffered
        Points that the assaulters suffer in any case.
    """

    units: tuple[UnitId, ...]
    target: LocationName
    kill: int
    modifier: int = 0
    suffered: int = 0


class ValorConditions(Conditions, frozen=True, kw_only=True):
    """
    Conditions of the whole map.

    Parameters
    ----------
    types, weapons
        Unit and weapon types besides the sample ones.
    sights
        Lines of sight. Unstated ones are computed, or else taken as clear.
    sight
        Whether unstated lines of sight are ``computed`` from the map.
    spare
        Half-squad counters left.
    attack, storm
        The attack and the close assault being resolved.
    """

    types: tuple[UnitType, ...] = ()
    weapons: tuple[WeaponType, ...] = ()
    sights: tuple[Sight, ...] = ()
    sight: Literal["given", "computed"] = "given"
    spare: tuple[Spare, ...] = ()
    attack: Attack | None = None
    storm: Storm | None = None


ValorPosition = Position[ValorUnit, ValorConditions]
