"""Facts of acts on foot other than entering: handling SW, paying for Advances, limits on fire."""

from __future__ import annotations

import msgspec

from marchtable.sight.facts import Glow
from marchtable_models.asl.views.los import Los


class Crowd(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """Personnel counted by size, and their Guns that are not in tow."""

    squads: int = 0
    half_squads: int = 0
    crews: int = 0
    smc: int = 0
    guns: int = 0


class Manner(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """How a unit on foot, or at night any unit, enters."""

    night: bool = False  # whether it is night
    advancing: bool = False  # whether it advances in the APh instead of moving
    assault: bool = False  # whether it has declared Assault Movement
    moved: bool = False  # whether it has entered something this MPh
    concealed: bool = False  # whether it is concealed itself
    spent_load: bool = False  # whether it carries an item that another unit has portaged this phase
    galloping: bool = False  # whether it is Cavalry or a wagon that gallops
    seen: Los = "no"  # of a concealed unit whether an enemy in Good Order sees it there (A12.14)
    # dummy, berserk, wave, unarmed: whether it is a Dummy, berserk, in a Human Wave, or unarmed
    dummy: bool = False
    # dared, elsewhere: whether it has passed a task check to enter what it enters, and whether one
    # for another Location
    dared: bool = False
    elsewhere: bool = False
    berserk: bool = False
    wave: bool = False
    # gear, downhill: what it goes upon, ``skis`` or ``bicycle``, and the half MF that it has gained
    # downhill so far
    gear: str = ""
    downhill: int = 0
    unarmed: bool = False
    routing: bool = False  # whether it routs: it is the RtPh
    # of a concealed unit at night whether its Location is Illuminated (E1.9): ``dim`` if that is
    # not known
    light: Glow = "dark"


class AdvanceCost(msgspec.Struct, frozen=True, gc=False):
    """What an Advance would cost as a move; half points."""

    cost: int  # what the clauses on the entry charged
    allotment: int  # the unit's MF, without Double Time
    cx: bool  # whether the unit is CX
    spent: int = 0  # always 0: nothing is spent in the APh
    whole: bool = False  # whether a move would take the whole allotment, or be a Minimum Move
    clear: int = 0  # what it would cost without the SMOKE there
    deep: bool = False  # whether a deep stream is entered


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
