"""Reads off a position the facts of Guns that are pushed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from marchtable_models.asl.data import tem
from marchtable_models.asl.extraction import movers
from marchtable_models.asl.extraction.reading import entry, there
from marchtable_models.asl.extraction.unitkinds import type_of
from marchtable_models.asl.facts.pushing import Pushing
from marchtable_models.asl.model import Enter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.state.position import Position
    from marchtable_models.asl.facts.steps import Entry
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["entering", "pushing", "with_whom"]


def entering(
    position: AslPosition, unit: AslUnit, units: Sequence[AslUnit], gun: AslUnit, to: str
) -> Entry:
    """Return the facts of a unit that enters with these, pushing a Gun."""
    stack = movers.party(position, [*units, gun])
    found = entry(position, unit, to, stack, Enter(stack.ids, to))
    return msgspec.structs.replace(found, pushes=True, detour=None, asks=())


def pushing(
    position: AslPosition,
    units: Sequence[AslUnit],
    gun: AslUnit,
    step: Entry,
    cost: int,
    labor: int,
) -> Pushing:
    """Return the facts of units pushing a Gun by such a step, that costs so many half MF."""
    piece, kinds = type_of(position, gun), [type_of(position, unit) for unit in units]
    crowd = movers.crowd_of(kinds)
    row = "" if step.way else step.row
    rows = (row, step.ground.hurdle)
    free = gun.cargo.towed_by is None and (
        not gun.status.ti or any(_has_pushed(unit) for unit in units)
    )
    weather = step.weather.bogs and not step.firm
    return Pushing(
        gun=piece.class_ == "gun" and gun.side == units[0].side,
        together=free and all(unit.at == gun.at for unit in units),
        ready=piece.qsu or gun.cargo.limbered,
        m_number=piece.m_number,
        half_squads=2 * crowd.squads + crowd.half_squads + crowd.crews + crowd.smc // 5,
        whole=crowd.squads == 1 and not (crowd.half_squads or crowd.crews),
        fit=all(
            kind.is_infantry
            and not (
                unit.status.broken or unit.status.pinned or unit.move.assault or unit.status.fired
            )
            and unit.place.bypass is None
            and unit.cargo.aboard is None
            for unit, kind in zip(units, kinds, strict=True)
        ),
        pp=sum(weapon.pp for unit in units for weapon in unit.sw),
        beneath=any(unit.place.inside for unit in units),
        cost=cost,
        tem=sum(tem().get(name, 0) for name in rows),
        road=step.way == "road" and (not step.weather.bogs or step.firm),
        mired=weather,
        row=step.row,
        concealed=there(position, gun.side, gun.at or "").concealed or step.there.concealed,
        labor=labor,
        small=piece.small,
    )


def _has_pushed(unit: AslUnit) -> bool:
    return unit.move.hazardous == "push-gun" and unit.move.mph == "moving"


def with_whom(position: AslPosition, unit: AslUnit) -> list[AslUnit]:
    """Return the Gun that a unit has just pushed, and all who pushed it."""
    return [
        other
        for other in position.units
        if (other.at, other.move.previous, other.side) == (unit.at, unit.move.previous, unit.side)
        and (
            _has_pushed(other)
            or (type_of(position, other).class_ == "gun" and other.move.mph == "moving")
        )
    ]
