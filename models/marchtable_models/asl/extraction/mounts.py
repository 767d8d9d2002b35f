"""Reads off a position the facts of horses and motorcycles, who rides them, and how they part."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from marchtable.state.records import replace
from marchtable_models.asl.extraction import lines, movers, purse, reading
from marchtable_models.asl.extraction.cargo import everybody
from marchtable_models.asl.extraction.overlay import is_on_wire
from marchtable_models.asl.extraction.unitkinds import types_here
from marchtable_models.asl.facts.mounts import (
    Combining,
    Dismounting,
    Mounting,
    Ridden,
    Splitting,
    Unhorsed,
    Yoking,
)
from marchtable_models.asl.weapons import can_be_dm

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit, UnitType

    AslPosition = Position[AslUnit, AslConditions]

    from marchtable.rules.edition import Edition
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit


__all__ = [
    "combining",
    "dismounting",
    "mounting",
    "next_name",
    "of_size",
    "parted",
    "ridden",
    "splitting",
    "stems_from",
    "unhorsed",
    "yoking",
]


def mounting(position: AslPosition, unit: AslUnit, onto: AslUnit, ids: Sequence[str]) -> Mounting:
    """Return the facts of a unit mounting a counter, with these units."""
    kind, mount = reading.type_of(position, unit), reading.type_of(position, onto)
    return Mounting(
        horses=mount.class_ == "cavalry",
        sidecar=mount.sidecar,
        foot=kind.is_infantry,
        aboard=unit.cargo.aboard is not None,
        conveyed=unit.cargo.conveyed,
        mount=mount.mounts > 0 and onto.side == unit.side,
        together=onto.at == unit.at,
        size=kind.size,
        wounded=unit.status.wounded,
        pp=sum(weapon.pp for weapon in unit.sw),
        double_time=unit.points.double > 0,
        assault=unit.move.assault,
        assembled=sum(can_be_dm(weapon) and not weapon.dm for weapon in unit.sw),
        helped=unit.move.helper is None or unit.move.helper in ids,
        wired=is_on_wire(position, unit),
        manned=mount.class_ in ("cavalry", "motorcycle") and not mount.mounts,
    )


def ridden(
    position: AslPosition,
    verb: str,
    onto: AslUnit,
    riders: Sequence[AslUnit],
    most: int,
    edition: Edition,
) -> Ridden:
    """Return the facts of a counter about to be mounted or dismounted by these units."""
    mount = reading.type_of(position, onto)
    parts = parted(position, onto, riders) if verb == "mount" else None
    return Ridden(
        verb=verb,
        horses=mount.class_ == "cavalry",
        mounts=mount.mounts,
        sidecar=mount.sidecar,
        moving=onto.motion.moving,
        enemies=reading.there(position, onto.side, onto.at or "").known,
        ridden=bool(movers.riders_of(position, onto)),
        printed=mount.riders != "",
        crowd=movers.party(position, riders).crowd,
        allotment=purse.allotment(position, onto, edition),
        spent=onto.points.spent,
        most=most,
        becomes=parts[0] if parts else "",
    )


def dismounting(position: AslPosition, mount: AslUnit, edition: Edition) -> Dismounting:
    """Return the facts of who rides a counter dismounting."""
    plain = replace(mount, double=0)
    return Dismounting(
        horses=reading.type_of(position, mount).class_ == "cavalry",
        most=max((rider.points.spent for rider in movers.riders_of(position, mount)), default=0),
        allotment=purse.allotment(position, mount, edition),
        used=mount.points.spent,
        plain=purse.allotment(position, plain, edition),
    )


def unhorsed(position: AslPosition, unit: AslUnit, what: str) -> tuple[AslUnit, Unhorsed] | None:
    """Return the counter that a unit rides and the facts of a blow to it; None if it rides none."""
    if unit.cargo.aboard is None:
        return None
    mount = position.unit(unit.cargo.aboard)
    kind = reading.type_of(position, mount)
    if not kind.mounts:
        return None
    others = len(movers.riders_of(position, mount)) > 1
    return mount, Unhorsed(what, kind.class_ == "cavalry", others)


SQUAD, HALF, ONE = 3, 2, 1
"""How many a counter shows, by whom it is for."""


def of_size(position: AslPosition, kind: UnitType, mounts: int) -> str:
    """Return the type of so many horses or motorcycles of a sort, ``""`` if there is none."""
    if kind.mounts == mounts:
        return kind.name
    sort = _sort(kind)
    return next(
        (
            other.name
            for other in types_here(position).values()
            if other.mounts == mounts and _sort(other) == sort
        ),
        "",
    )


def _sort(kind: UnitType) -> tuple[object, ...]:
    return (kind.class_, kind.column, kind.mp, kind.sidecar)


def parted(
    position: AslPosition, mount: AslUnit, units: Sequence[AslUnit]
) -> tuple[str, str] | None:
    """
    Return of what types the part of a counter is that a unit mounts, and the rest; None if it is whole.

    Horses for a squad part into two for half squads; of more than one a SMC takes one, which
    leaves room for those for whom they are (A13.32, D15.44).
    """
    kind = reading.type_of(position, mount)
    if kind.mounts <= ONE or len(units) != 1 or movers.riders_of(position, mount):
        return None
    size = reading.type_of(position, units[0]).size
    if size == "smc":
        own = of_size(position, kind, ONE)
        return (own, kind.name) if own else None
    if size in ("half-squad", "crew") and kind.mounts == SQUAD and kind.class_ == "cavalry":
        half = of_size(position, kind, HALF)
        return (half, half) if half else None
    return None


def splitting(position: AslPosition, unit: AslUnit) -> Splitting:
    """Return the facts of a rider who takes a counter of his own."""
    smc = reading.type_of(position, unit).class_ == "smc"
    mount = position.unit(unit.cargo.aboard) if unit.cargo.aboard is not None else None
    kind = None if mount is None else reading.type_of(position, mount)
    if mount is None or kind is None or not kind.mounts or mount.at is None:
        return Splitting(horses=True, rides=False, large=False, smc=smc, becomes="")
    return Splitting(
        horses=kind.class_ == "cavalry",
        rides=True,
        large=kind.mounts > ONE,
        smc=smc,
        becomes=of_size(position, kind, ONE),
        line=lines.kind_of(mount),
    )


def combining(position: AslPosition, unit: AslUnit, other: AslUnit) -> Combining:
    """Return the facts of two counters that are to become one."""
    kind, second = reading.type_of(position, unit), reading.type_of(position, other)
    return Combining(
        horses=kind.class_ == "cavalry",
        mounts=kind.mounts > 0 and second.mounts > 0 and unit.side == other.side,
        alike=_sort(kind) == _sort(second) and unit.id != other.id,
        together=unit.at is not None
        and unit.at == other.at
        and unit.place.inside == other.place.inside,
        ridden=bool(movers.riders_of(position, unit) or movers.riders_of(position, other)),
        sizes=(kind.mounts, second.mounts),
        becomes=of_size(position, kind, SQUAD) if kind.mounts else "",
        accompanied=any(
            who.side == unit.side and not who.status.broken and _is_man(position, who)
            for who in position.beside(unit.at)
        ),
    )


def yoking(position: AslPosition, unit: AslUnit, other: AslUnit | None = None) -> Yoking:
    """Return the facts of two wagons that are to be combined, or of one that is to be two again."""
    both = (unit,) if other is None else (unit, other)
    return Yoking(
        apart=other is None,
        wagons=all(
            reading.type_of(position, one).class_ == "wagon" and one.side == unit.side
            for one in both
        )
        and (other is None or unit.id != other.id),
        together=unit.at is not None
        and all(one.at == unit.at and one.place.bypass is None for one in both),
        yoked=any(one.cargo.yoked for one in both),
        tows=any(one.cargo.towing is not None for one in both),
        loaded=other is not None and bool(everybody(position, other) or other.sw),
        line=any(lines.kind_of(one) for one in both),
    )


def _is_man(position: AslPosition, unit: AslUnit) -> bool:
    kind = reading.type_of(position, unit)
    return kind.is_personnel and not kind.mounts


def next_name(position: AslPosition, mount: AslUnit) -> str:
    """Return the name of a counter that parts from another: ``h-2``, or the next that is free."""
    number = 2
    while f"{mount.id}-{number}" in position.index:
        number += 1
    return f"{mount.id}-{number}"


def stems_from(position: AslPosition, name: str) -> bool:
    """Return whether a counter of that name may part from one that there is."""
    stem, number = re.fullmatch(r"(.*?)((?:-\d+)*)", name, re.DOTALL).groups()  # type: ignore[union-attr]
    parts = [part for part in number.split("-") if part]
    for kept in range(len(parts)):
        whole = position.index.get("-".join([stem, *parts[:kept]]))
        if whole is not None:
            kind = reading.type_of(position, position.units[whole])
            return kind.mounts > ONE or kind.class_ == "wagon"
    return False
