"""Facts of vehicles' acts other than entering hexes, and of entering and leaving the map."""

from __future__ import annotations

import msgspec

from marchtable_models.asl.views.entry import Mover
from marchtable_models.asl.views.ground_facts import Ground
from marchtable_models.asl.views.weather_facts import CLEAR, Weather


class Wait(msgspec.Struct, frozen=True, gc=False):
    """
    A vehicle about to spend half MP in place.

    ``platoon``: it is in one. ``pushes``: it spends them to push a wreck away; then ``fit``: it is
    a tracked AFV in the wreck's Location, ``tons`` and ``wreck_tons``: both weights (0 if unknown),
    ``allotment``: its half MP.
    """

    is_vehicle: bool
    moving: bool
    mp: int
    platoon: bool = False
    pushes: bool = False
    fit: bool = False
    tons: float = 0
    wreck_tons: float = 0
    allotment: int = 0
    wreck: str = ""


class Arrival(msgspec.Struct, frozen=True, gc=False):
    """A unit about to enter the map: whether the hex is at the edge, and one stated for it."""

    at_edge: bool
    listed: bool


class Departure(msgspec.Struct, frozen=True, gc=False):
    """A unit about to leave the map: whether it is at the edge."""

    at_edge: bool


class Swing(msgspec.Struct, frozen=True, gc=False):
    """
    A vehicle about to change its VCA.

    Parameters
    ----------
    ground, mover
        The Location, and the unit that turns.
    steps
        In hexspines.
    off_road, moving
        The vehicle's state.
    across_road
        Whether a road crosses the hexside it swings past.
    counters_here
        Kinds of counters, other than SMOKE, in its Location.
    in_bypass, pivoted
        Whether it is in Bypass and has changed its VCA at the vertex ahead.
    galloping
        Whether it is a wagon that gallops.
    keeps_road
        Whether its new VCA includes a hex that its Location's road leads to, if that is a bridge.
    weather
        The weather's effect on the ground.
    coming
        Whether it is in Motion only because it waits off the map.
    """

    ground: Ground
    mover: Mover
    steps: int
    off_road: bool
    across_road: bool
    moving: bool
    counters_here: tuple[str, ...] = ()
    reverse: bool = False
    in_bypass: bool = False
    pivoted: bool = False
    galloping: bool = False
    keeps_road: bool = True
    weather: Weather = CLEAR
    coming: bool = False


class StartStop(msgspec.Struct, frozen=True, gc=False):
    """
    A vehicle about to start (``verb`` = ``"start"``) or stop, perhaps beside an enemy AFV.

    ``halted``: its Convoy has spent a Stop MP in this MPh. ``reverse``: it starts in Reverse.
    ``pivoted``: it is in Bypass and has changed its VCA at the vertex ahead. ``convoy``: it is in a
    Convoy. ``from_convoy``: it has left one in this MPh. ``afloat``: what an amphibious vehicle
    floats in.
    """

    verb: str
    is_vehicle: bool
    moving: bool
    final: str
    enemy_afv: bool
    halted: bool = False
    wagon: bool = False
    mover: Mover = Mover("inf")
    reverse: bool = False
    pivoted: bool = False
    convoy: bool = False
    from_convoy: bool = False
    afloat: str = ""
