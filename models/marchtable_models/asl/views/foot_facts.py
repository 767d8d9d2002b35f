"""Facts of acts on foot other than entering: handling SW, paying for Advances, limits on fire."""

from __future__ import annotations

import msgspec

from marchtable.sight.facts import Glow
from marchtable_models.asl.views.los import Los


class Crowd(msgspec.Struct, frozen=True, order=True, cache_hash=True, gc=False):
    """Personnel counted by size, and their Guns that are not in tow."""

    squads: int = 0
    half_squads: int = 0
    crews: int = 0
    smc: int = 0
    guns: int = 0


class Manner(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """
    How a unit on foot (at night, any unit) enters.

    Parameters
    ----------
    night
        Whether it is night.
    advancing
        Whether it advances in the APh instead of moving.
    assault
        Whether it has declared Assault Movement.
    moved
        Whether it has entered something in this MPh.
    concealed
        Whether it is concealed.
    spent_load
        Whether it carries an item that another unit has portaged in this phase.
    galloping
        Whether it is galloping Cavalry or a galloping wagon.
    seen
        For a concealed unit, whether a Good Order enemy sees it there (A12.14).
    dummy, berserk, wave, unarmed
        Whether it is a Dummy, berserk, in a Human Wave, or unarmed.
    dared, elsewhere
        Whether it has passed a task check to enter this Location, and whether one for another.
    routing
        Whether it routs, in the RtPh.
    light
        For a concealed unit at night, whether its Location is Illuminated (E1.9): ``dim`` if
        unknown.
    gear, downhill
        The gear it moves on, ``skis`` or ``bicycle``, and the half MF it has gained downhill.
    """

    night: bool = False
    advancing: bool = False
    assault: bool = False
    moved: bool = False
    concealed: bool = False
    spent_load: bool = False
    galloping: bool = False
    seen: Los = "no"
    dummy: bool = False
    dared: bool = False
    elsewhere: bool = False
    berserk: bool = False
    wave: bool = False
    gear: str = ""
    downhill: int = 0
    unarmed: bool = False
    routing: bool = False
    light: Glow = "dark"


class AdvanceCost(msgspec.Struct, frozen=True, gc=False):
    """
    The cost of an Advance if it were a move; half points.

    Parameters
    ----------
    cost
        The charges of the clauses on the entry.
    allotment
        The unit's MF, without Double Time.
    spent
        Always 0: nothing is spent in the APh.
    cx
        Whether the unit is CX.
    whole
        Whether a move would take the whole allotment, or be a Minimum Move.
    clear
        Its cost without the SMOKE there.
    deep
        Whether a deep stream is entered.
    """

    cost: int
    allotment: int
    cx: bool
    spent: int = 0
    whole: bool = False
    clear: int = 0
    deep: bool = False


SHOWS, LOSES = "shows", "loses"
"""The DEFENDER's choices when Infantry runs into its units: reveal one, or lose all concealment there."""
BOARDED = "boarded"
"""The event of an unconcealed unit that boards, or whose vehicle hooks up a Gun."""
STRANDED = "stranded"
"""The event of PRC that leave a vehicle in Bypass among enemies."""


class Detection(msgspec.Struct, frozen=True, gc=False):
    """
    A unit whose Location Infantry tried to enter: its owner's choice, and whether it is ``shown``.

    ``dummy``: it is a Dummy.
    """

    outcome: str
    shown: bool = False
    dummy: bool = False
