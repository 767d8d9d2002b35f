"""Facts of what units on foot do beside entering: SW handled, advances paid, what fire may ask."""

from __future__ import annotations

import msgspec

from marchtable.sight.facts import Glow
from marchtable_models.asl.views.los import Los


class Crowd(msgspec.Struct, frozen=True, order=True, cache_hash=True, gc=False):
    """Personnel counted by size, and the Guns with it that are not in tow."""

    squads: int = 0
    half_squads: int = 0
    crews: int = 0
    smc: int = 0
    guns: int = 0


class Manner(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """
    How a unit on foot, or at night any unit, enters.

    Parameters
    ----------
    night
        Whether it is night.
    advancing
        Whether it advances in the APh instead of moving.
    assault
        Whether it has declared Assault Movement.
    moved
        Whether it has entered something this MPh.
    concealed
        Whether it is concealed itself.
    spent_load
        Whether it carries an item that another unit has portaged this phase.
    galloping
        Whether it is Cavalry or a wagon that gallops.
    seen
        Of a concealed unit whether an enemy in Good Order sees it there (A12.14).
    dummy, berserk, wave, unarmed
        Whether it is a Dummy, berserk, in a Human Wave, or unarmed.
    dared, elsewhere
        Whether it has passed a task check to enter what it enters, and whether one for another Location.
    routing
        Whether it routs: it is the RtPh.
    light
        Of a concealed unit at night whether its Location is Illuminated (E1.9): ``dim`` if that is not known.
    gear, downhill
        What it goes upon, ``skis`` or ``bicycle``, and the half MF that it has gained downhill so far.
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
    What an Advance would cost as a move; half points.

    Parameters
    ----------
    cost
        What the clauses on the entry charged.
    allotment
        The unit's MF, without Double Time.
    spent
        Always 0: nothing is spent in the APh.
    cx
        Whether the unit is CX.
    whole
        Whether a move would take the whole allotment, or be a Minimum Move.
    clear
        What it would cost without the SMOKE there.
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
"""What a DEFENDER chooses whose units Infantry has run into: to show one, or to lose all concealment there."""
BOARDED = "boarded"
"""What a unit shows that boards a vehicle, or whose vehicle hooks up a Gun, and is not concealed."""
STRANDED = "stranded"
"""What happens to concealment where PRC leave a vehicle in Bypass among enemies."""


class Detection(msgspec.Struct, frozen=True, gc=False):
    """
    A unit whose Location Infantry tried to enter: what its owner chose, and whether it is ``shown``.

    ``dummy`` says that it is none.
    """

    outcome: str
    shown: bool = False
    dummy: bool = False
