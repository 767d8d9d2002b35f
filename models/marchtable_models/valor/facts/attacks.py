"""The small frozen records that clauses on attacks look at; none of them knows a position."""

from __future__ import annotations

import msgspec

__all__ = [
    "Aim", "Crew", "Firing", "Inspired", "Loadout", "Piercing", "Result", "Shot", "Steeled", "UsedUp", "Volley",
]  # fmt: skip


class Firing(msgspec.Struct, frozen=True):
    """
    Whether a unit may attack at all now.

    Parameters
    ----------
    kind
        ``infantry``, ``gun``, ``vehicle`` or ``afv``.
    phase, own_turn
        When.
    on_map, pinned, fired, towed
        Its state.
    movers
        Enemies in the target hex that have just moved there.
    mortar
        Whether it would fire a mortar.
    crowded
        Whether it would fire at a mover in a hex that holds more than it may when a move ends.
    final
        Whether it is AT fire at an AFV that has just overrun its hex.
    """

    kind: str
    phase: str
    own_turn: bool
    on_map: bool
    pinned: bool
    fired: bool
    towed: bool
    movers: int
    mortar: bool
    crowded: bool = False
    final: bool = False


class Shot(msgspec.Struct, frozen=True):
    """
    One weapon of one unit brought to bear on a hex.

    Parameters
    ----------
    weapon
        ``own``, ``gun``, ``mg360``, ``mgff``, or the kind of a support weapon.
    kind
        Of the unit: ``infantry``, ``gun``, ``vehicle`` or ``afv``.
    printed
        Whether the counter has that weapon.
    apfp
        Its rating.
    class_
        ``L``, ``H`` or ``X`` for a support weapon, else ``""``.
    turreted, ahead
        Whether the Gun fires all round, and whether the hex lies in the FFA.
    distance, range, least
        In hexes; the range is infantry's, 0 where there is none printed.
    aboard
        Whether the unit is a Passenger.
    indoors
        Whether it is in a building or bunker.
    """

    weapon: str
    kind: str
    printed: bool
    apfp: int
    class_: str = ""
    turreted: bool = False
    ahead: bool = True
    distance: int = 1
    range: int = 0
    least: int = 0
    aboard: bool = False
    indoors: bool = False


class Loadout(msgspec.Struct, frozen=True):
    """
    What one unit fires together.

    Parameters
    ----------
    class_
        ``squad``, ``half-squad`` or ``leader``; else ``""``.
    own
        Whether it fires its own APFP.
    light, heavy, other, mortars, grenades
        Support weapons of class L, H, X, and mortars and grenades among them.
    vehicle_weapons
        Weapons that a Gun, vehicle or AFV fires.
    idle
        Whether it fires nothing although it might have.
    """

    class_: str
    own: bool
    light: int = 0
    heavy: int = 0
    other: int = 0
    mortars: int = 0
    grenades: int = 0
    vehicle_weapons: int = 0
    idle: bool = False


class Crew(msgspec.Struct, frozen=True):
    """
    Who attacks together.

    Parameters
    ----------
    size, distinct, sides, hexes
        How many, whether nobody is named twice, and from how many sides and hexes.
    outside
        Infantry on foot.
    heavies
        Guns, vehicles and AFVs.
    riders, carriers
        Passengers, and in how many different vehicles.
    strange
        Passengers whose vehicle is not the one vehicle among those who attack.
    fired_outside, fired_aboard, fired_party
        Whether infantry on foot in their hex, Passengers in it, or others of the very vehicle
        (itself and whom it carries) have attacked this target before in this turn.
    left_out
        Infantry on foot of their hex that could have joined.
    mortars, guides
        Units that fire mortars, and leaders who fire nothing.
    """

    size: int
    distinct: bool
    sides: int
    hexes: int
    outside: int
    heavies: int
    riders: int
    carriers: int
    strange: int
    fired_outside: bool = False
    fired_aboard: bool = False
    fired_party: bool = False
    left_out: int = 0
    mortars: int = 0
    guides: int = 0


class Aim(msgspec.Struct, frozen=True):
    """
    The target hex.

    Parameters
    ----------
    open_to_fire
        Enemies there that AP fire affects.
    enemies
        Enemies there.
    distance
        In hexes.
    seen, blocked
        Whether the line of sight is known, and whether there is none.
    """

    open_to_fire: int
    enemies: int
    distance: int
    seen: bool
    blocked: bool


class Volley(msgspec.Struct, frozen=True):
    """
    What an attack adds up to.

    Parameters
    ----------
    units, units_halved
        APFP of all but leaders: as printed, and with half squads at half of their squads'.
    leaders
        APFP of leaders.
    valorous
        Valorous units that fire their own APFP.
    leader, leader_aboard
        The best modifier of a leader who attacks, and whether he is a Passenger.
    cover
        Of the target hex; None where its terrain is not modelled.
    over, own, along, through
        Hexsides with a hindrance that are crossed, those of the attackers' own hex among them,
        hexsides fired along, and hexes fired through.
    smoke
        What smoke adds.
    assault, wire
        Whether the target moved by Assault Movement, and whether the attackers fire out of wire.
    grenades
        Modifier of grenades.
    opportunity, adjacent
        Whether it is Opportunity Fire, and at the next hex.
    mortar
        Whether mortars fire.
    mortar_in_woods
        Whether a mortar fires at infantry in woods.
    vehicles, guns
        Vehicles and AFVs in the target hex, and Guns.
    overrun
        APFP of an AFV that overruns, to be counted once more.
    mission
        ``light``, ``heavy`` or ``air`` of a support mission.
    """

    units: int
    units_halved: int
    leaders: int
    valorous: int = 0
    leader: int = 0
    leader_aboard: bool = False
    cover: int | None = 0
    over: int = 0
    own: int = 0
    along: int = 0
    through: int = 0
    smoke: int = 0
    assault: bool = False
    wire: bool = False
    grenades: int = 0
    opportunity: bool = False
    adjacent: bool = False
    mortar: bool = False
    mortar_in_woods: bool = False
    vehicles: int = 0
    guns: int = 0
    overrun: int = 0
    mission: str = ""


class Piercing(msgspec.Struct, frozen=True):
    """
    Anti-tank fire at one unit.

    Parameters
    ----------
    kind, rated
        Of who fires, and whether it, or a weapon that it has, has an ATFP.
    aboard
        Whether it is a Passenger.
    distance, range, least
        In hexes; the range is that of infantry's weapon, 0 for a Gun, which has none.
    sheltered
        Whether the target is in a bunker.
    """

    kind: str
    rated: bool
    aboard: bool
    distance: int
    range: int = 0
    least: int = 0
    sheltered: bool = False


class UsedUp(msgspec.Struct, frozen=True):
    """A unit that uses expendable weapons: those that it has left, by name."""

    left: tuple[str, ...]


class Inspired(msgspec.Struct, frozen=True):
    """An infantry unit whose attack was rolled: the natural roll, and whether it is a leader, its CR, its state."""

    roll: int
    leader: bool
    cr: int
    valorous: bool


class Steeled(msgspec.Struct, frozen=True):
    """How a check for valour came out: ``valorous`` or ``no``."""

    outcome: str


class Result(msgspec.Struct, frozen=True):
    """The roll of an attack: APFP total, natural roll of two dice, modifier, and whether its points count double."""

    apfp: int
    roll: int
    modifier: int
    doubled: bool = False
