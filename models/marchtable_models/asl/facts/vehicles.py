"""Facts of what vehicles do beside entering hexes, and of coming to the map and leaving it."""

from __future__ import annotations

import msgspec

from marchtable.rules.facts import Facts
from marchtable_models.asl.facts.ground import Ground
from marchtable_models.asl.facts.los import Los
from marchtable_models.asl.facts.steps import Mover
from marchtable_models.asl.facts.weather import CLEAR, Weather

__all__ = [
    "Arrival", "Burst", "Departure", "DriveResult", "Freed", "MotionTry",
    "StartStop", "Swing", "Veer", "Wait",
]  # fmt: skip


class Wait(msgspec.Struct, frozen=True, gc=False):
    """
    A vehicle about to spend half MP where it stands.

    ``platoon`` tells that it is in one, ``pushes`` that it does so to push a wreck away: then ``fit``
    that it is a tracked AFV in the wreck's Location, ``tons`` and ``wreck_tons`` what both weigh (0
    where nobody tells), and ``allotment`` its half MP.
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


class Burst(msgspec.Struct, frozen=True, gc=False):
    """
    A vehicle about to use Excessive Speed.

    Parameters
    ----------
    column
        Terrain Chart column.
    printed, mp
        Its printed allotment and what it asks for on top, in half MP.
    nationality
        Who made the vehicle; whose it is, where its name does not tell.
    had
        Half MP it has gained so this MPh.
    enemy_afv, armed
        Whether an enemy AFV is there, and whether it is armed itself.
    """

    column: str
    printed: int
    mp: int
    nationality: str
    had: int
    enemy_afv: bool = False
    armed: bool = False


class Freed(Facts, frozen=True, gc=False):
    """
    How such a try came out, and what it costs, is spent and had, in half MP.

    ``red_mp`` tells of an AFV whose MP are printed in red, ``assisted`` that another AFV has helped.
    """

    how: str
    cost: int
    spent: int
    allotment: int
    reverse: bool
    mired: bool = False
    red_mp: bool = False
    assisted: bool = False


class MotionTry(msgspec.Struct, frozen=True, gc=False):
    """
    A DEFENDER's vehicle about to try to get into Motion.

    Parameters
    ----------
    kind
        ``foot``, ``vehicle`` or ``wreck``.
    own_turn, phase, on_map
        When, and whether it is there.
    moving, fixed, tried
        Whether it is in Motion, cannot move at all, or has tried this Player Turn.
    seen
        Half points that the moving enemy has spent in its LOS.
    convoy
        Whether it is in a Convoy.
    drm
        What is added to the dr: 1 for a lone AFV without a radio, for a platoon the number of its AFV.
    reverse, has_reverse
        Whether it tries for Reverse Motion, and whether it may move in Reverse at all.
    mate
        Whether it is a platoon-mate of the one for whom the dr is made.
    red_platoon
        Whether it is an AFV of a platoon whose MP are printed in red.
    fired
        Whether it has fired in this MPh.
    los, spent
        Where sight is computed, whether an enemy that now moves is in its LOS, or in that of a
        platoon-mate, and the most half points that such an enemy has spent.
    """

    kind: str
    own_turn: bool
    phase: str
    on_map: bool
    moving: bool
    fixed: bool
    tried: bool
    seen: int
    convoy: bool = False
    drm: int = 0
    reverse: bool = False
    has_reverse: bool = True
    mate: bool = False
    red_platoon: bool = False
    fired: bool = False
    los: Los = "untold"
    spent: int = 0


class DriveResult(msgspec.Struct, frozen=True, gc=False):
    """
    How a roll for Excessive Speed (``speed``) or a Motion attempt came out.

    ``reverse`` tells that the vehicle goes, or tries to go, in Reverse; ``moving`` that it was under
    way; ``red_mp`` that it is an AFV, of no platoon, whose MP are printed in red.
    """

    speed: bool
    outcome: str
    reverse: bool
    moving: bool = False
    red_mp: bool = False


class Arrival(msgspec.Struct, frozen=True, gc=False):
    """A unit about to come on: whether the hex lies at the edge and is one told for it."""

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


class Veer(msgspec.Struct, frozen=True, gc=False):
    """
    A vehicle about to change its VCA as its Motion attempt allows.

    Parameters
    ----------
    swing
        The change, as one in its own MPh would be.
    facing
        The hexspine that it shall point along.
    gained
        Whether it is under way in the enemy's MPh, and has tried for Motion in it.
    """

    swing: Swing
    facing: str
    gained: bool


class StartStop(msgspec.Struct, frozen=True, gc=False):
    """
    A vehicle about to start (``verb`` = ``"start"``) or to stop, perhaps beside an enemy AFV.

    ``halted`` tells whether its Convoy has spent a Stop MP this MPh, ``reverse`` that it is to
    start in Reverse, ``pivoted`` whether it is in Bypass and has changed its VCA at the vertex in
    front.
    ``convoy`` tells that it is in a Convoy, ``from_convoy`` that it has left one this MPh, ``afloat`` in what an amphibious vehicle floats, if it does.
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
