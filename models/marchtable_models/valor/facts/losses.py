"""The small frozen records that clauses on losses, rallies and loading look at; none knows a position."""

from __future__ import annotations

import msgspec

__all__ = [
    "Boarding",
    "Carried",
    "Guard",
    "Loss",
    "March",
    "Outcome",
    "Owing",
    "Portage",
    "Recovery",
    "Stacked",
    "Trial",
    "guarded",
]


class Owing(msgspec.Struct, frozen=True):
    """Casualty Points that must be fulfilled before anything else is done."""

    owed: int


class Guard(msgspec.Struct, frozen=True):
    """Whether a unit may ignore a point: shield, attack within its FFA, moving; or valorous."""

    shield: bool = False
    ahead: bool = False
    moving: bool = False
    valorous: bool = False


def guarded(guard: Guard) -> bool:
    """Return whether a unit can ignore the first point of this attack."""
    return guard.valorous or (guard.shield and guard.ahead and not guard.moving)


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
    forfeits
        Whether one of the latter is this unit's.
    doomed_pins, doomed_ignores
        The part of both that falls on vehicles and Guns whose Casualty Rating the total exceeds.
    saved
        Whether the attack has pinned any unit, which is safe from it now.
    room, room_ignored, room_before, room_carried, room_towed
        Points that the other units could fulfil still: by their losses; more by ignoring, those
        pinned before apart, and of these the Passengers; and with towed Guns counted.
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
    battering
        While AFVs are to take points of a failed assault: ``aboard`` one of them, or ``behind`` them.
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
    forfeits: bool = False
    doomed_pins: int = 0
    doomed_ignores: int = 0
    saved: bool = False
    room: int = 0
    room_ignored: int = 0
    room_before: int = 0
    room_carried: int = 0
    room_towed: int = 0
    misses: bool = False
    pinned_any: bool = False
    absorbed_any: bool = False
    cut_any: bool = False
    first_pins: int = 0
    focus: str = ""
    elsewhere: bool = False
    hurt: bool = False
    guard: Guard = Guard()
    battering: str = ""

    @property
    def is_heavy(self) -> bool:
        """Whether it is an unarmored vehicle or Gun."""
        return self.kind in ("vehicle", "gun")

    @property
    def is_saved(self) -> bool:
        """Whether this very attack has pinned it."""
        return bool({"pinned", "absorbed"} & set(self.done))

    @property
    def needs_cut(self) -> bool:
        """Whether pins could never fulfil the total, and nothing is reduced or eliminated yet."""
        return self.total > self.first_pins and not self.cut_any

    @property
    def worth(self) -> int:
        """What the loss fulfils by the unit itself."""
        if self.verb == "reduce":
            return self.cr - (self.half_cr or 0)
        return {"pin": 1, "ignore": 1, "absorb": self.points}.get(self.verb, self.cr)

    @property
    def remainder(self) -> int:
        """What the unit, and its Passengers, could fulfil still after the loss."""
        if self.verb == "reduce":
            return self.half_cr or 0
        return self.cr + self.passengers if self.verb == "ignore" else 0

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
    handled, carrier_handled
        What each has done this turn: ``load``, ``unload`` or nothing.
    moved
        Whether the unit has moved this turn.
    half_squads, leaders, weapons, guns
        What would be aboard then; weapons are light and heavy support weapons.
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
    handled: str = ""
    carrier_handled: str = ""
    moved: bool = False
    half_squads: int = 0
    leaders: int = 0
    weapons: int = 0
    guns: int = 0
    carries: int = 0
    tows: bool = False
    is_gun: bool = False
    large: bool = False


class Stacked(msgspec.Struct, frozen=True):
    """
    What stands in a hex on its own.

    Parameters
    ----------
    infantry, heavies, guns
        Infantry; AFVs, vehicles and Guns; and the Guns among them.
    ends
        Whether movement ends.
    works
        Kinds of the fortifications and entrenchments there.
    """

    infantry: int
    heavies: int
    ends: bool = False
    guns: int = 0
    works: tuple[str, ...] = ()


class Portage(msgspec.Struct, frozen=True):
    """Whether a unit of infantry is a leader, and how many light and heavy support weapons it carries."""

    leader: bool
    light: int
    heavy: int


class March(msgspec.Struct, frozen=True):
    """
    A move of a unit.

    Parameters
    ----------
    told
        Whether the players tell that it was made.
    aboard
        Whether the unit is carried: it is what carries it that moves.
    settled
        Whether it has moved and boarded, or left a vehicle, in this turn.
    infantry, heavies
        What stands on its own in the hex that it leaves, itself included.
    vehicle
        Whether it is a vehicle or AFV.
    """

    told: bool
    aboard: bool = False
    settled: bool = False
    infantry: int = 0
    heavies: int = 0
    vehicle: bool = False
