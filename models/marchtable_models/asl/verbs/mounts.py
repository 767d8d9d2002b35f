"""The verbs of horses, motorcycles and wagons: mounting, dismounting, parting, Gallop."""

from __future__ import annotations

from typing import ClassVar

from marchtable.state.action import Action, Companions, Fellow
from marchtable.state.position import UnitId
from marchtable_models.asl.verbs.traits import Traits, declared_in

__all__ = ["MOUNT_ACTIONS", "Combine", "Dismount", "Gallop", "Mount", "Split"]


class Mount(Action, frozen=True, tag="mount"):
    """
    Infantry mounts the horses or motorcycles of a counter in its Location, as one stack.

    Of a counter too large for it, one unit mounts as much as it needs; the rest is a new counter
    (``h-2`` beside ``h``).
    """

    traits: ClassVar[Traits] = ("leaves",)

    units: Companions
    onto: Fellow


class Dismount(Action, frozen=True, tag="dismount"):
    """All who ride a counter of horses or motorcycles, which is named, dismount."""

    unit: UnitId


class Gallop(Action, frozen=True, tag="gallop"):
    """Cavalry or a wagon declares that it gallops."""

    traits: ClassVar[Traits] = ("waiting",)

    unit: UnitId


class Split(Action, frozen=True, tag="split"):
    """
    A SMC who rides a counter of horses or motorcycles, which is not named, takes one for himself.

    His is a new counter (``h-2`` if he rode ``h``). Or wagons that were combined, of which one is named, are two again.
    """

    unit: UnitId


class Combine(Action, frozen=True, tag="combine"):
    """
    Horses or motorcycles that nobody rides, two counters for a half squad each, become one: the first.

    So do two wagons, to tow a heavy Gun together (D12.2).
    """

    unit: UnitId
    to: Fellow


MOUNT_ACTIONS = declared_in(__name__)
