"""Reads off a position the facts of units that enter as one stack, perhaps with an AFV (D9.31)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl.extraction.reading import type_of
from marchtable_models.asl.facts.units import Group

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["afv_of", "group"]


def afv_of(position: AslPosition, units: Sequence[AslUnit]) -> AslUnit | None:
    """Return the AFV of a stack of Personnel about one AFV."""
    found: AslUnit | None = None
    for unit in units:
        if not type_of(position, unit).is_personnel:
            if found is not None:
                return None
            found = unit
    return found if found is not None and type_of(position, found).afv else None


def group(
    position: AslPosition, units: Sequence[AslUnit], verb: str, *, needed: bool = True
) -> Group:
    """Return the facts of units entering as one; a Gun would be pushed along (C10.3)."""
    kinds = [type_of(position, unit) for unit in units]
    afv = afv_of(position, units)
    with_it = [unit for unit in units if unit is not afv]
    return Group(
        size=len(units),
        distinct=len({unit.id for unit in units}) == len(units),
        one_place=len({(unit.at, unit.place.inside, unit.place.floor) for unit in units})
        == len({u.place.bypass for u in with_it})
        == 1,
        all_foot=all([kind.is_personnel or kind.class_ == "gun" for kind in kinds]),  # noqa: C419
        one_side=len({unit.side for unit in units}) == 1,
        phases=tuple(
            sorted({unit.move.mph for unit in with_it})
        ),  # the AFV may have started before
        with_afv=afv is not None,
        needed=needed,
        infantry=all(type_of(position, unit).is_infantry for unit in with_it),
        beneath=afv is None or _is_beneath(afv, with_it),
        manner=_manner(position, units, verb),
        platoon=afv is not None and afv.line.platoon != "",
    )


def _is_beneath(afv: AslUnit, infantry: Sequence[AslUnit]) -> bool:
    """Return whether all began the MPh in the AFV's Location and have moved only with it."""
    if afv.move.armored is not None:
        apart = {one.unit for one in afv.move.escorted if one.apart}
        return all(u.move.armored == afv.id and u.id not in apart for u in infantry)
    return all(
        unit.move.previous is None and unit.move.armored is None and not unit.cargo.conveyed
        for unit in (afv, *infantry)
    )


def _manner(position: AslPosition, units: Sequence[AslUnit], verb: str) -> str:
    if position.conditions.night:
        return "night"
    round_it = verb in ("bypass", "into") or any(unit.place.bypass is not None for unit in units)
    return "bypass" if round_it else "minimum" if verb == "minimum" else ""
