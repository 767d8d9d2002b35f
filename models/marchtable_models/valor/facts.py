"""The small frozen records that the clauses look at; none of them knows a position."""

from __future__ import annotations

import msgspec

__all__ = [
    "Aim", "Boarding", "Carried", "Crew", "Firing", "Guard", "Loadout", "Loss", "Outcome", "Owing",
    "Recovery", "Result", "Shot", "Stacked", "Trial", "Volley",
]  # fmt: skip


class Owing(msgspec.Struct, frozen=True):
    """Casualty Points that must be fulfilled before anything else is done."""

    owed: int


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
    light, heavy, other, mortars
        Support weapons of class L, H, X, and mortars among them.
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
    mortars
        Units that fire mortars.
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
    mortar_in_woods
        Whether a mortar fires at infantry in woods.
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
    mortar_in_woods: bool = False


class Result(msgspec.Struct, frozen=True):
    """The roll of an attack: APFP total, natural roll of two dice, and modifier."""

    apfp: int
    roll: int
    modifier: int


class Guard(msgspec.Struct, frozen=True):
    """Whether a unit may ignore a point: shield, attack within its FFA, moving; or valorous."""

    shield: bool = False
    ahead: bool = False
    moving: bool = False
    valorous: bool = False


class Loss(msgspec.Struct, frozen=True):
    """
    A loss that the owner would take to fulfil Casualty Points.

    Parameters
    ----------
    verb
        ``pin``, ``reduce``, ``eliminate``, ``ignore`` or ``absorb``.
    under_fire, mover
        Whether the unit is an enemy of the attacker in the target hex, and, in Opportunity Fire,
        one that is moving.
    owed, total
        Points to fulfil still, and in all.
    kind
        ``infantry``, ``gun``, ``vehicle`` or ``afv``.
    cr, half_cr, half_left
        Casualty Rating, that of its half squad, and whether a counter of it is left.
    before
        Whether it was pinned before the attack.
    done
        What the attack has done to it.
    points
        Points to absorb.
    aboard, towed
        ``vehicle`` or ``afv`` for what is carried, and whether it is a Gun.
    passengers, towing
        Casualty Ratings of those it carries: infantry, and a Gun.
    unpinned, untouched
        Whether any unit not pinned before stands unpinned, and whether one of these has not
        suffered.
    pins, ignores
        Points that pins can fulfil still, and points that can be ignored beside.
    room, room_ignored, room_before, room_towed
        Points that the other units could fulfil still: by their losses; more by ignoring, those
        pinned before apart; and with towed Guns counted.
    fits
        Whether a loss worth no more than is owed is open to the owner (asked for by A2 only).
    misses
        Whether the points could be fulfilled exactly, and not after this loss (by A1 only).
    pinned_any, absorbed_any, cut_any
        Whether the attack has pinned, left pinned by a roll, reduced or eliminated any unit.
    first_pins
        Points that pins could have fulfilled at first.
    focus
        ``this`` or ``other`` if a unit that ignored a point must take the next.
    elsewhere
        Whether any other unit has suffered or ignored a point.
    hurt
        Whether any unit but Passengers has suffered, of those pinned before if this one was, else
        of the others.
    guard
        What may protect it.
    """

    verb: str
    kind: str
    owed: int
    total: int
    under_fire: bool = True
    mover: bool = True
    cr: int = 0
    half_cr: int | None = None
    half_left: bool = False
    before: bool = False
    done: tuple[str, ...] = ()
    points: int = 0
    aboard: str = ""
    towed: bool = False
    passengers: int = 0
    towing: int = 0
    unpinned: bool = False
    untouched: bool = False
    pins: int = 0
    ignores: int = 0
    room: int = 0
    room_ignored: int = 0
    room_before: int = 0
    room_towed: int = 0
    fits: bool = False
    misses: bool = False
    pinned_any: bool = False
    absorbed_any: bool = False
    cut_any: bool = False
    first_pins: int = 0
    focus: str = ""
    elsewhere: bool = False
    hurt: bool = False
    guard: Guard = Guard()

    @property
    def is_heavy(self) -> bool:
        """Whether it is an unarmored vehicle or Gun."""
        return self.kind in ("vehicle", "gun")

    @property
    def worth(self) -> int:
        """What the loss fulfils by the unit itself."""
        if self.verb == "reduce":
            return self.cr - (self.half_cr or 0)
        return {"pin": 1, "ignore": 1, "absorb": self.points}.get(self.verb, self.cr)

    @property
    def cost(self) -> int:
        """What the loss fulfils with the Passengers lost by it."""
        return self.worth + (self.passengers if self.verb == "eliminate" else 0)


class Outcome(msgspec.Struct, frozen=True):
    """A survival roll: how it came out, the Casualty Rating, the points absorbed, and who is aboard."""

    survives: bool
    cr: int
    points: int
    passengers: int = 0
    towing: int = 0


class Carried(msgspec.Struct, frozen=True):
    """What befell the vehicle that carries a unit: ``pinned``, ``survived``, ``eliminated`` or ``rallied``."""

    fate: str


class Trial(msgspec.Struct, frozen=True):
    """
    An attempt to rally.

    Parameters
    ----------
    kind, elite
        Of the unit: ``infantry``, ``leader``, ``gun``, ``vehicle`` or ``afv``.
    phase, own_turn, on_map
        When and where.
    pinned, tried
        Its state.
    leader
        The best modifier of an unpinned leader in its hex.
    with_pinned
        Whether it is a Passenger of a pinned vehicle.
    """

    kind: str
    elite: bool
    phase: str
    own_turn: bool
    on_map: bool
    pinned: bool
    tried: bool
    leader: int
    with_pinned: bool


class Recovery(msgspec.Struct, frozen=True):
    """A pinned unit at a moment at which it may recover: ``rallied``, ``failed`` or ``command``."""

    moment: str


class Boarding(msgspec.Struct, frozen=True):
    """
    A unit about to be loaded or unloaded.

    Parameters
    ----------
    verb
        ``load`` or ``unload``.
    phase, own_turn, pinned, carrier_pinned
        When, and whether either is pinned.
    together, carrier
        Whether they share a hex, and whether the other is a vehicle or AFV.
    aboard
        Whether the unit is carried already.
    handled
        Whether either has loaded or unloaded this turn.
    half_squads, leaders, guns
        What would be aboard then.
    carries, tows
        What the vehicle can carry, in half squads, and whether it can tow.
    is_gun, large
        Whether the unit is a Gun, and a large one.
    """

    verb: str
    phase: str
    own_turn: bool
    pinned: bool
    carrier_pinned: bool
    together: bool
    carrier: bool
    aboard: bool
    handled: bool
    half_squads: int = 0
    leaders: int = 0
    guns: int = 0
    carries: int = 0
    tows: bool = False
    is_gun: bool = False
    large: bool = False


class Stacked(msgspec.Struct, frozen=True):
    """What stands in a hex on its own: infantry, and AFVs, vehicles and Guns."""

    infantry: int
    heavies: int
