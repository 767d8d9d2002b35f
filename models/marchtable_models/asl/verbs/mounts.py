"""The verbs of horses, motorcycles and wagons: mounting, dismounting, Gallop."""

from __future__ import annotations

from marchtable.state.action import Action, Companions, Fellow
from marchtable.state.position import UnitId

__all__ = ["MOUNT_ACTIONS", "Dismount", "Gallop", "Mount"]


class Mount(Action, frozen=True, tag="mount"):
    """Infantry mounts the horses or motorcycles of a counter in its Location, as one stack."""

    units: Companions
    onto: Fellow


class Dismount(Action, frozen=True, tag="dismount"):
    """All who ride a counter of horses or motorcycles, which is named, dismount."""

    unit: UnitId


class Gallop(Action, frozen=True, tag="gallop"):
    """Cavalry or a wagon declares that it gallops."""

    unit: UnitId


MOUNT_ACTIONS: tuple[type[Action], ...] = (Mount, Dismount, Gallop)
