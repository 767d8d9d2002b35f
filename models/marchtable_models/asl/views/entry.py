"""
Facts of steps: the small frozen records that ASL's clauses read; none knows a position.

Those of the map are in :mod:`marchtable_models.asl.views.ground_facts`, those of units in
:mod:`marchtable_models.asl.views.standing`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from marchtable.rules.view import View, fact
from marchtable_models.asl.data import vehicle_tables
from marchtable_models.asl.views.foot_facts import Crowd, Manner
from marchtable_models.asl.views.ground_facts import (
    AFLOAT,
    FORDED,
    PATHED,
    RUBBLE,
    STREAMS,
    WET,
    WOODS,
    Ground,
)
from marchtable_models.asl.views.weather_facts import CLEAR, Weather

if TYPE_CHECKING:
    from marchtable_models.asl.views.bypass_facts import Passing

__all__ = ["Companion", "Crowd", "Detour", "Entry", "Jump", "Manner", "Mover", "There"]


class Mover(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """Who moves, as far as costs go. Amounts are half points."""

    column: str  # terrain Chart column
    smc: bool = False  # whether it is a SMC
    mp: int = 0  # printed allotment of what has a VCA, else 0
    # afv, bu, open_topped, truck_type, ground_pressure, armed, rev: as on its counter, and whether
    # it is buttoned up
    afv: bool = False
    bu: bool = False
    open_topped: bool = False
    truck_type: bool = False
    ground_pressure: str = ""
    tons: float = 0  # what a vehicle weighs, 0 if nobody says
    armed: bool = False
    rev: int = 0
    # towing, trailer: whether it tows a Gun that hampers it, and whether a trailer
    towing: bool = False
    trailer: bool = False
    small: bool = False  # whether it is so small that it passes others on one lane
    red_mp: bool = False  # whether it is an AFV whose MP are printed in red
    # breaches, sledge: whether it is made to breach hedgerows, and whether it is a sledge
    breaches: bool = False
    sledge: bool = False
    # amphibious, water_mp: whether it has amphibious MP, too, and how many, 0 where nobody says
    amphibious: bool = False
    water_mp: int = 0

    @property
    def stroke(self) -> int:
        """The land MP that an amphibious MP takes, in half points: its share, rounded down."""
        return self.mp // self.water_mp if self.water_mp else 0

    @property
    def reverse_times(self) -> int:
        """The cost multiplier in Reverse, 0 if it cannot reverse."""
        times = vehicle_tables().reverse.get(self.column, 0)
        return self.rev or times if times else 0

    @property
    def is_vehicle(self) -> bool:
        """Whether it has a VCA and moves as vehicles do, like wagons."""
        return self.column not in ("inf", "cav")

    @property
    def pays_mf(self) -> bool:
        """Whether it pays MF; a wagon does."""
        return self.column in ("inf", "cav", "hd")


class There(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """What stands in a Location, the mover apart."""

    # vehicles, convoy: vehicles and wrecks of either side, and whether one of them belongs to a
    # Convoy
    vehicles: int = 0
    convoy: bool = False
    crowd: Crowd = Crowd()  # personnel of the mover's side
    # harmless, hidden, known: the enemies there: whether there are Known ones who keep nobody out
    # (unarmed trucks, unarmed or disrupted Personnel), which concealed units, and whether there are
    # other Known units
    harmless: bool = False
    hidden: tuple[str, ...] = ()
    known: bool = False
    # whether the only Known enemy there, apart from its carrier, is a SMC that keeps others out
    lone_smc: bool = False
    # enemy_afv, manned_afv: whether one of the enemies, concealed or not, is an AFV, and whether a
    # Known one is that its crew has not abandoned
    enemy_afv: bool = False
    smoke: bool = False  # whether there is SMOKE
    counters: tuple[str, ...] = ()  # kinds of the other counters there
    tons: float = 0  # what the vehicles and wrecks there weigh
    unweighed: bool = False  # whether nobody says what one of them weighs
    small: int = 0  # how many of them are small enough to be passed on one lane
    # whether there are enemy Guns, or vehicles that their crews have abandoned
    unmanned: bool = False
    wrecks: int = 0  # how many of the vehicles there are wrecks
    manned_afv: bool = False
    sham: bool = False  # whether all concealed enemies there are Dummies
    # whether a Known armed enemy is in another Location of the hex: upstairs, or in a pillbox
    held: bool = False
    unsure: bool = False  # whether somebody is beneath a pillbox, or something else that lies there
    # how many Guns, of either side and not concealed enemies, stand there and are not in tow
    guns: int = 0
    beneath: Crowd = Crowd()  # those of the crowd who are beneath a Fortification
    # whether there is a Known enemy that may be overrun: no AFV whose crew is BU, nobody in a
    # pillbox
    prey: bool = False
    # how many half squads of Known enemies there are armed, unpinned and in Good Order
    garrison: int = 0
    overhead: bool = False  # whether one is upstairs

    @property
    def concealed(self) -> bool:
        """Whether there are concealed enemies."""
        return self.hidden != ()


class Detour(msgspec.Struct, frozen=True, gc=False):
    """Where a unit goes back to if concealed enemies send it back."""

    # before, entered: the Location it comes from, None off the map, and the one it tries to enter
    before: str | None
    entered: str
    bypass: int | None = None  # the vertex at which it is in Bypass where it comes from, if it is
    # edge hexes by one of which it may come on, if it comes from off the map
    entering: tuple[str, ...] = ()
    wired: bool = False  # whether there is Wire where it comes from
    sham: bool = False  # whether those enemies are all Dummies, and it is not sent back after all
    concealed: bool = True  # whether it has concealment to lose


class Companion(msgspec.Struct, frozen=True, gc=False):
    """
    Another unit of an entering stack, as one of its members sees it.

    ``exposed``: a CE Passenger in an armored halftrack or Carrier of the stack, aboard since their
    MPh began. ``mounted``: likewise riding horses of the stack.
    """

    id: str
    leads: bool
    same_nationality: bool
    exposed: bool = False
    mounted: bool = False


class Entry(View):
    """One unit about to enter an adjacent Location."""

    # ground, mover, there: what is crossed, who moves, what stands there
    ground: Ground
    mover: Mover
    there: There
    month: int  # 1 to 12
    depth: str = ""  # what the conditions say of streams
    # whether the Location lies in a vehicle's VCA, or behind it if it moves in Reverse
    ahead: bool = True
    # reverse, off_road, on_trail: the vehicle's state
    off_road: bool = False
    on_trail: bool = False
    half: bool = False  # whether the chart's second way in is chosen
    declined: bool = False  # whether it declines the road whose hexside it crosses
    minimum: bool = False  # whether this is a Minimum Move
    group: Crowd = Crowd()  # personnel entering together, this unit included
    along: tuple[Companion, ...] = ()  # the others of the stack
    fresh: bool = True  # whether it has entered nothing yet this MPh
    road: bool = True  # whether it has crossed only road hexsides so far
    # convoy, column: whether it is a Convoy vehicle or a Column unit
    convoy: bool = False
    column: bool = False
    cx: bool = False  # whether it is CX
    # extra, rest: what a vehicle spends beyond the least it must, in half points, or whether all of
    # it
    extra: int = 0
    rest: bool = False
    # kinds of counters, SMOKE apart, in the Location that is left
    counters_here: tuple[str, ...] = ()
    aside: bool = False  # whether it stays in its hex and only leaves the road there
    reverse: bool = False
    # overrun, breach, beneath: whether an OVR, or a Breach, is announced, or that the unit goes
    # beneath a Fortification counter
    overrun: bool = False
    breach: bool = False
    beneath: bool = False
    weather: Weather = CLEAR  # what the weather has made of the ground
    manner: Manner = Manner()  # how it enters, where that is not the usual way
    # detour, asks: where Infantry goes back to if concealed enemies are there, and these, if it is
    # the first of those who enter
    detour: Detour | None = None
    asks: tuple[str, ...] = ()
    passing: Passing | None = None  # the Bypass by which it goes, if by any
    # the hexside on which a vehicle will be in Bypass: what it may do next turns on it
    edge: int | None = None
    # from Bypass: whether the hex meets the vertex reached (in a vehicle always ``"at"``), or
    # whether, on foot, the unit leaves the map there by the mirror image of a hex that does
    corner: Literal["", "at", "off", "out"] = ""
    # whether it is in Bypass at a vertex to which a roadblock reaches, and goes on to another hex
    shut_in: bool = False
    # whether it is ``beneath`` a Fortification where it comes from, or elsewhere than on the ground
    inside: str = ""
    pushes: bool = False  # whether it pushes a Gun
    fired: bool = False  # whether it has fired in this MPh
    # whether it goes ``up`` or ``down`` from the level of the building that it is on
    stairs: Literal["", "up", "down"] = ""
    # crests, spanned: whether it claims Crest status there, and whether what it enters has a ford
    # or a bridge
    crests: bool = False
    spanned: bool = False
    # of who is at a Crest: whether it goes to a hex on its ``own`` side of the Depression, an
    # ``other`` one, or ``down`` where it is; ``unstated`` where its side is not stated
    bank: Literal["", "own", "other", "down", "unstated"] = ""
    # the hexside of what it enters that it crosses, 0 to 5, where it claims Crest status
    side: int | None = None
    stays: bool = False  # whether it stays in its hex
    scaled: bool = False  # whether it is at the top of the cliff that it advances over

    @fact
    def way(self) -> str:
        """``"road"``, ``"graveyard"`` (its road), ``"factory"`` (inside), ``"path"``, ``"trail"``, ``"trench"``, ``"stairs"``, ``""``."""
        if self.stairs:
            return "stairs"
        if self.beneath and self.from_trench:
            return "trench"
        if self.has_road and not self.declined:  # a road is regained for free from its woods
            return "graveyard" if self.ground.there == "graveyard" else "road"
        if self.from_factory and self.ground.there == "factory" and self.mover.column == "inf":
            return "factory"
        if self.ground.path and self.ground.there in PATHED and not self.mover.is_vehicle:
            return "path"
        return "trail" if self.ground.trail and self._keeps_to_trail() else ""

    @fact
    def from_factory(self) -> bool:
        """Whether it comes from a factory, or from its rubble into another of its hexes (B23.743)."""
        return self.ground.in_factory and self.ground.here in ("factory", *RUBBLE)

    @fact
    def has_road(self) -> bool:
        """Whether a road crosses the hexside into terrain with a road cost on the chart."""
        return self.ground.road and self.ground.there not in WET

    @fact
    def from_trench(self) -> bool:
        """Whether it leaves a trench or bunker for lower or connected ground (B27.54, B27.6)."""
        if self.inside != "beneath" or self.ground.abyss:
            return False
        here, there = self.counters_here, self.there.counters
        if self.beneath:
            ends = [[kind for kind in ("trench", "pillbox") if kind in at] for at in (here, there)]
            return all(ends) and "trench" in (*ends[0], *ends[1])
        return "trench" in here and self.ground.levels > 0 >= self.ground.rise

    @fact
    def goes_beneath(self) -> bool:
        """Whether it will then be beneath an entrenchment or pillbox there."""
        return self.beneath and not self.column

    @fact
    def shelters(self) -> tuple[str, ...]:
        """The counters it will be beneath."""
        return self.there.counters

    @fact
    def sheltered(self) -> Crowd:
        """The units beneath them."""
        return self.there.beneath

    @fact
    def on_soft_road(self) -> bool:
        """Whether it uses a road that Mud makes useless."""
        return self.weather.mud and self.way in ("road", "graveyard") and not self.ground.paved

    @fact
    def firm(self) -> bool:
        """Whether it uses a road that is usable in this weather: paved in Mud, plowed in snow."""
        if self.way not in ("road", "graveyard") or self.on_soft_road:
            return False
        return self.weather.plowed or not self.weather.snow

    @fact
    def hexsides(self) -> int:
        """Number of hexsides crossed, or used in Bypass."""
        return max(1, self.passing.hexsides) if self.passing else 1

    @fact
    def crosses_road(self) -> bool:
        """Whether a road crosses the hexside, even if declined or ending there at a door."""
        ground = self.ground
        return ground.door or (ground.road and not (self.declined and ground.beside_road))

    def _keeps_to_trail(self) -> bool:
        """Return whether it uses the Trail Break: on foot, or fully-tracked with a clear lane."""
        if self.ground.there not in WOODS:
            return False
        if self.mover.column in ("inf", "cav"):
            return self.passing is None
        free = not (self.there.vehicles or self.ground.shut or self.half)
        return free and self.mover.column == "ft"

    @fact
    def along_trail(self) -> bool:
        """Whether it moves along a Trail Break, into or out of its woods."""
        leaves = self.ground.trail_out and self.mover.column in ("inf", "cav", "ft")
        return self.way == "trail" or (leaves and self.passing is None and not self.corner)

    @fact
    def beaten(self) -> bool:
        """Whether it keeps to a road, a path or a factory's inside."""
        return self.way not in ("", "trail")

    @fact
    def breaks_in(self) -> bool:
        """Whether it is a fully-tracked AFV that breaks into woods."""
        return self._breaks and self.way == "" and self.row in WOODS

    @fact
    def breaks_out(self) -> bool:
        """Whether it is a fully-tracked AFV that breaks out of woods."""
        return self._breaks and not (self.beaten or self.declined) and self.ground.here in WOODS

    @fact
    def dead_end(self) -> bool:
        """Whether it leaves by the only Trail Break of its hex, which it has not followed."""
        trails = sum(kind.startswith("trail-break-") for kind in self.counters_here)
        return self.ground.trail_out and trails == 1 and not self.on_trail

    @fact
    def _breaks(self) -> bool:
        return self.mover.afv and self.mover.column == "ft" and not self.aside

    @fact
    def row(self) -> str:
        """The chart row entered; streams by the stated depth, fords one class shallower."""
        there = self.ground.there
        if self.depth and there in STREAMS:
            return f"stream-{self.depth}"
        return FORDED.get(self.depth or self.ground.ford, there) if there == "ford" else there

    @fact
    def afloat(self) -> str:
        """The row of water or marsh that an amphibious vehicle enters off road; else ``""``."""
        return self.row if self.mover.amphibious and not self.way and self.row in AFLOAT else ""

    @fact
    def onto_pontoon(self) -> bool:
        """Whether Infantry enters a pontoon bridge off its road, which no other bridge allows."""
        pontoon = self.ground.pontoon and self.row == "bridge"
        return pontoon and self.mover.column == "inf" and not self.way

    @fact
    def in_mudflats(self) -> bool:
        """Whether an amphibious vehicle enters mudflats off road: on land, which others cannot."""
        return self.mover.amphibious and self.row == "mudflats" and not self.way

    @fact
    def in_deep_stream(self) -> bool:
        """Whether it goes IN a deep stream."""
        return self.row == "stream-deep" and not self.way

    @fact
    def beside(self) -> str:
        """Chart row of the other terrain whose cost is added; none when moving along a stream."""
        ground = self.ground
        along = self.row in STREAMS and ground.from_depression and ground.into_depression
        return "" if self.way or along else ground.within


class Jump(msgspec.Struct, frozen=True, gc=False):
    """
    A unit about to enter a Location without a step to it, perhaps by an Advance.

    ``levels``: it is its own hex, with another level of a ``building`` or ``depression``.
    ``bridge``: one of the two Locations is a bridge.
    """

    distance: int
    advancing: bool = False
    levels: Literal["", "building", "depression"] = ""
    bridge: bool = False
