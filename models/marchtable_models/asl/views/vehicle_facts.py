"""Facts of what vehicles do beside entering hexes, and of coming to the map and leaving it."""

from __future__ import annotations

import msgspec

from marchtable_models.asl.views.entry import Mover
from marchtable_models.asl.views.ground_facts import Ground
from marchtable_models.asl.views.weather_facts import CLEAR, Weather


class Wait(msgspec.Struct, frozen=True, gc=False):
    """
    A vehicle about to spend half MP where it stands.

    ``platoon`` says that it is in one, ``pushes`` that it does so to push a wreck away: then ``fit``
    that it is a tracked AFV in the wreck's Location, ``tons`` and ``wreck_tons`` what both weigh (0
    where it is not known), and ``allotment`` its half MP.
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
    """A unit about to come on: whether the hex lies at the edge and is one stated for it."""

    at_edge: bool
    listed: bool


class Departure(msgspec.Struct, frozen=True, gc=False):
    """A unit about to leave the map: whether it stands at the edge."""

    at_edge: bool


class Swing(msgspec.Struct, frozen=True, gc=False):
    """
    A vehicle about to change its VCA.

    Parameters
    ----------
    ground, mover
        Where, and who turns.
    steps
        In hexspines.
    off_road, moving
        The vehicle's state.
    across_road
        Whether a road crosses the hexside it swings past.
    counters_here
        Kinds of counters, SMOKE apart, in its Location.
    in_bypass, pivoted
        Whether it is in Bypass, and has changed its VCA at the vertex in front.
    galloping
        Whether it is a wagon that gallops.
    keeps_road
        Whether its VCA has a hex in it then to which its Location's road leads, if that is a bridge.
    weather
        What the weather has made of the ground.
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
    A vehicle about to start (``verb`` = ``"start"``) or to stop, perhaps beside an enemy AFV.

    ``halted`` says whether its Convoy has spent a Stop MP this MPh, ``reverse`` that it is to
    start in Reverse, ``pivoted`` whether it is in Bypass and has changed its VCA at the vertex in
    front.
    ``convoy`` says that it is in a Convoy, ``from_convoy`` that it has left one this MPh, ``afloat`` in what an amphibious vehicle floats, if it does.
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
