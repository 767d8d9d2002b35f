"""Counters of horses and motorcycles: their sizes and how they split (A13.32, D15.44)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from marchtable_models.asl.model import AslPosition, AslUnit, UnitType
from marchtable_models.asl.views import movers, reading
from marchtable_models.asl.views.unitkinds import types_here

SQUAD, HALF, ONE = 3, 2, 1
"""The number on a counter, by the units it is for."""


def mount_type(position: AslPosition, kind: UnitType, mounts: int) -> str:
    """Return the type for a number of horses or motorcycles of a kind, ``""`` if there is none."""
    if kind.mounts == mounts:
        return kind.name
    sort = sort_of(kind)
    return next(
        (
            other.name
            for other in types_here(position).values()
            if other.mounts == mounts and sort_of(other) == sort
        ),
        "",
    )


def sort_of(kind: UnitType) -> tuple[object, ...]:
    """Return the properties that counters of one kind share."""
    return (kind.class_, kind.column, kind.mp, kind.sidecar)


def parted(
    position: AslPosition, mount: AslUnit, units: Sequence[AslUnit]
) -> tuple[str, str] | None:
    """
    Return the types of the part of a counter that a unit mounts and of the rest; None if whole.

    Horses for a squad split in two for half squads. A SMC takes one of several, which leaves room
    for the units they are for (A13.32, D15.44).
    """
    kind = reading.type_of(position, mount)
    if kind.mounts <= ONE or len(units) != 1 or movers.riders_of(position, mount):
        return None
    size = reading.type_of(position, units[0]).size
    if size == "smc":
        own = mount_type(position, kind, ONE)
        return (own, kind.name) if own else None
    if size in ("half-squad", "crew") and kind.mounts == SQUAD and kind.class_ == "cavalry":
        half = mount_type(position, kind, HALF)
        return (half, half) if half else None
    return None


def next_name(position: AslPosition, mount: AslUnit) -> str:
    """Return the name of a counter split off another: ``h-2``, or the next free one."""
    number = 2
    while f"{mount.id}-{number}" in position.index:
        number += 1
    return f"{mount.id}-{number}"


def stems_from(position: AslPosition, name: str) -> bool:
    """Return whether a counter of that name could have been split off an existing one."""
    stem, number = re.fullmatch(r"(.*?)((?:-\d+)*)", name, re.DOTALL).groups()  # type: ignore[union-attr]
    parts = [part for part in number.split("-") if part]
    for kept in range(len(parts)):
        whole = position.index.get("-".join([stem, *parts[:kept]]))
        if whole is not None:
            kind = reading.type_of(position, position.units[whole])
            return kind.mounts > ONE or kind.class_ == "wagon"
    return False
