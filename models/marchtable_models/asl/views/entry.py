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
    """
    The unit that moves, as far as costs depend on it. Amounts are half points.

    Parameters
    ----------
    column
        Terrain Chart column.
    smc
        Whether it is a SMC.
    mp
        Printed allotment of a unit with a VCA, else 0.
    afv, bu, open_topped, truck_type, ground_pressure, armed, rev
        Printed on its counter, and whether it is buttoned up.
    tons
        A vehicle's weight, 0 if unstated.
    towing, trailer
        Whether it is hampered by a Gun in tow, and whether by a trailer.
    small
        Whether it is small enough to pass others in one lane.
    red_mp
        Whether it is an AFV with MP printed in red.
    breaches, sledge
        Whether it is built to breach hedgerows, and whether it is a sledge.
    amphibious, water_mp
        Whether it also has amphibious MP, and how many, 0 if unstated.
    """

    column: str
    smc: bool = False
    mp: int = 0
    afv: bool = False
    bu: bool = False
    open_topped: bool = False
    truck_type: bool = False
    ground_pressure: str = ""
    tons: float = 0
    armed: bool = False
    rev: int = 0
    towing: bool = False
    trailer: bool = False
    small: bool = False
    red_mp: bool = False
    breaches: bool = False
    sledge: bool = False
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


class There(msgspec.Struct, frozen=True, order=True, cache_hash=True, gc=False):
    """
    The occupants of a Location, without the mover.

    Parameters
    ----------
    vehicles, convoy
        Vehicles and wrecks of either side, and whether any belongs to a Convoy.
    crowd
        Personnel of the mover's side.
    harmless, hidden, known
        Enemies there: whether Known ones exist that keep nobody out (unarmed trucks, unarmed or
        disrupted Personnel); the concealed units; and whether other Known units exist.
    lone_smc
        Whether the only Known enemy there, apart from its carrier, is a SMC that keeps others out.
    enemy_afv, manned_afv
        Whether any enemy there, concealed or not, is an AFV, and whether a Known one has its crew.
    smoke
        Whether there is SMOKE.
    counters
        Kinds of the other counters there.
    tons
        Weight of the vehicles and wrecks there.
    unweighed
        Whether one of their weights is unstated.
    small
        How many of them are small enough to pass in one lane.
    unmanned
        Whether there are enemy Guns or Abandoned vehicles.
    wrecks
        How many of the vehicles there are wrecks.
    sham
        Whether all concealed enemies there are Dummies.
    held
        Whether a Known armed enemy is in another Location of the hex: upstairs or in a pillbox.
    overhead
        Whether one is upstairs.
    unsure
        Whether any unit is beneath a pillbox or another counter there.
    guns
        Number of Guns there, of either side, that are not concealed enemies or in tow.
    beneath
        Units of the crowd beneath a Fortification.
    garrison
        Number of half squads of Known enemies there that are armed, unpinned and in Good Order.
    prey
        Whether there is a Known enemy that can be overrun: no AFV with a BU crew, nobody in a
        pillbox.
    """

    vehicles: int = 0
    convoy: bool = False
    crowd: Crowd = Crowd()
    harmless: bool = False
    hidden: tuple[str, ...] = ()
    known: bool = False
    lone_smc: bool = False
    enemy_afv: bool = False
    smoke: bool = False
    counters: tuple[str, ...] = ()
    tons: float = 0
    unweighed: bool = False
    small: int = 0
    unmanned: bool = False
    wrecks: int = 0
    manned_afv: bool = False
    sham: bool = False
    held: bool = False
    unsure: bool = False
    guns: int = 0
    beneath: Crowd = Crowd()
    prey: bool = False
    garrison: int = 0
    overhead: bool = False

    @property
    def concealed(self) -> bool:
        """Whether there are concealed enemies."""
        return self.hidden != ()


class Detour(msgspec.Struct, frozen=True, gc=False):
    """
    The place a unit returns to if concealed enemies send it back.

    Parameters
    ----------
    before, entered
        The Location it comes from, None if off the map, and the one it tries to enter.
    bypass
        Its vertex of Bypass where it comes from, if any.
    entering
        The edge hexes where it can enter, if it comes from off the map.
    wired
        Whether there is Wire where it comes from.
    sham
        Whether those enemies are all Dummies, so that it is not sent back after all.
    concealed
        Whether it has concealment to lose.
    """

    before: str | None
    entered: str
    bypass: int | None = None
    entering: tuple[str, ...] = ()
    wired: bool = False
    sham: bool = False
    concealed: bool = True


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
    """
    One unit about to enter an adjacent Location.

    Parameters
    ----------
    ground, mover, there
        What it crosses, the mover and the occupants.
    month
        1 to 12.
    depth
        The state of streams, from the conditions.
    ahead
        Whether the Location is in a vehicle's VCA, or behind it in Reverse.
    reverse, off_road, on_trail
        The vehicle's state.
    half
        Whether the chart's second way in is chosen.
    declined
        Whether it declines the road that crosses the hexside.
    minimum
        Whether this is a Minimum Move.
    group
        Personnel entering together, this unit included.
    along
        The other units of the stack.
    fresh
        Whether it has entered nothing yet in this MPh.
    road
        Whether it has crossed only road hexsides so far.
    convoy, column
        Whether it is a Convoy vehicle or a Column unit.
    cx
        Whether it is CX.
    extra, rest
        Extra half points that a vehicle spends voluntarily, or whether all of them.
    counters_here
        Kinds of counters, other than SMOKE, in the Location being left.
    aside
        Whether it stays in its hex and only leaves the road there.
    overrun, breach, beneath
        Whether it announces an OVR or a Breach, or goes beneath a Fortification counter.
    weather
        The weather's effect on the ground.
    manner
        How it enters, if not the usual way.
    detour, asks
        Where Infantry returns to if concealed enemies are there, and those enemies, if it is the
        first unit to enter.
    passing
        The Bypass it uses, if any.
    edge
        The hexside a vehicle will be on in Bypass, which decides what it can do next.
    corner
        From Bypass: whether the hex touches the vertex reached (in a vehicle always ``"at"``), or
        whether, on foot, the unit leaves the map there by the mirror image of a hex that does.
    shut_in
        Whether it is in Bypass at a vertex that a roadblock reaches, and goes on to another hex.
    inside
        Whether it starts ``beneath`` a Fortification, or elsewhere off the ground.
    stairs
        Whether it goes ``up`` or ``down`` from its level of a building.
    pushes
        Whether it pushes a Gun.
    crests, spanned
        Whether it claims Crest status there, and whether the hex has a ford or bridge.
    bank
        For a unit at a Crest: whether it goes to a hex on its ``own`` side of the Depression, an
        ``other`` one, or ``down`` in place; ``untold`` if its side is unstated.
    side
        The hexside of the hex entered that it crosses, 0 to 5, if it claims Crest status.
    fired
        Whether it has fired in this MPh.
    stays
        Whether it stays in its hex.
    scaled
        Whether it is at the top of the cliff and advances over it.
    """

    ground: Ground
    mover: Mover
    there: There
    month: int
    depth: str = ""
    ahead: bool = True
    off_road: bool = False
    on_trail: bool = False
    half: bool = False
    declined: bool = False
    minimum: bool = False
    group: Crowd = Crowd()
    along: tuple[Companion, ...] = ()
    fresh: bool = True
    road: bool = True
    convoy: bool = False
    column: bool = False
    cx: bool = False
    extra: int = 0
    rest: bool = False
    counters_here: tuple[str, ...] = ()
    aside: bool = False
    reverse: bool = False
    overrun: bool = False
    breach: bool = False
    beneath: bool = False
    weather: Weather = CLEAR
    manner: Manner = Manner()
    detour: Detour | None = None
    asks: tuple[str, ...] = ()
    passing: Passing | None = None
    edge: int | None = None
    corner: Literal["", "at", "off", "out"] = ""
    shut_in: bool = False
    inside: str = ""
    pushes: bool = False
    fired: bool = False
    stairs: Literal["", "up", "down"] = ""
    crests: bool = False
    spanned: bool = False
    bank: Literal["", "own", "other", "down", "untold"] = ""
    side: int | None = None
    stays: bool = False
    scaled: bool = False

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
