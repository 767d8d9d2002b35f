"""Facts of horses, motorcycles and wagons that clauses of other rules read, too."""

from __future__ import annotations

from marchtable.rules.facts import Facts
from marchtable_models.asl.unittype import SupportWeapon

__all__ = ["Mounting", "Spilled"]


class Mounting(Facts, frozen=True, gc=False):
    """One unit about to mount."""

    # the counter
    horses: bool  # else motorcycles
    sidecar: bool
    # the unit
    foot: bool
    aboard: bool  # of anything
    conveyed: bool  # it has dismounted or left a vehicle this Player Turn
    # the counter again
    mount: bool  # one of horses or motorcycles, of the unit's side
    together: bool
    # the unit again
    size: str
    wounded: bool
    pp: int
    double_time: bool
    helped: bool  # the SMC who lends it his IPC, if any, mounts with it
    assault: bool = False
    assembled: int = 0  # SW it carries that are not dm and could be
    wired: bool = False  # it stands on top of Wire
    manned: bool = False  # the counter is one unit with those who ride


class Spilled(Facts, frozen=True, gc=False):
    """A Passenger of a wagon that is wrecked."""

    weapons: tuple[SupportWeapon, ...] = ()
    bypass: bool = False  # the wagon is in Bypass
    unbreakable: bool = False
