"""Reads off a position the facts of Guns that are hooked up, unhooked or pushed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from marchtable_models.asl.data import count, tem
from marchtable_models.asl.extraction import movers, purse
from marchtable_models.asl.extraction.cargo import prc
from marchtable_models.asl.extraction.reading import entry, there
from marchtable_models.asl.extraction.transport import is_hulk
from marchtable_models.asl.extraction.unitkinds import type_of
from marchtable_models.asl.facts.portee import Portee
from marchtable_models.asl.facts.pushing import Pushing
from marchtable_models.asl.facts.transport import Hitch
from marchtable_models.asl.model import Enter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.state.position import Position
    from marchtable_models.asl.facts.steps import Entry
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]
    from collections.abc import Iterator

    from marchtable.rules.edition import Edition
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit, UnitType


MEN_FOR = {3: 2, 2: 1, 1: 0}
"""Half squads it takes to push so many motorcycles; of a single one a SMC will do (D15.4)."""

__all__ = ["entering", "hitch", "portee", "pushing", "with_whom"]


def hitch(
    position: AslPosition,
    verb: str,
    vehicle: AslUnit,
    gun: AslUnit | None,
    crew: AslUnit,
    edition: Edition,
) -> Hitch:
    """Return the facts of a Gun being hooked up or unhooked."""
    kind = type_of(position, crew)
    piece = type_of(position, gun) if gun else None
    near = (crew.at, crew.side) == (vehicle.at, vehicle.side)
    idle = crew.status.ti or crew.move.mph == "done"
    return Hitch(
        verb=verb,
        mp=type_of(position, vehicle).mp * 2,
        moving=vehicle.motion.moving,
        stunned=vehicle.crew.stunned,
        gun=_is_own_gun(position, vehicle, gun),
        towed=gun is not None and gun.cargo.towed_by is not None,
        fired=tuple(_fired(position, verb, vehicle, gun, crew)),
        inherent=crew.crew.inherent,
        five=kind.class_ == "smc" and near and _has_five(position, crew),
        towing=vehicle.cargo.towing is not None,
        circled=piece is not None and piece.circled,
        ready=bool(piece and gun and (piece.qsu or gun.cargo.limbered)),
        crew=near
        and kind.class_ in ("crew", "half-squad", "squad")
        and crew.cargo.aboard in (None, vehicle.id),
        fit=not (crew.status.pinned or crew.status.broken or idle),
        aboard=crew.cargo.aboard is not None,
        crew_mf=purse.allotment(position, crew, edition),
        crew_spent=crew.points.spent,
        without_esb=purse.allotment(position, vehicle, edition)
        - vehicle.points.spent
        - vehicle.points.esb
        if vehicle.points.esb
        else None,
        hulk=is_hulk(position, vehicle),
        laden=vehicle.cargo.laden,
    )


def portee(
    position: AslPosition, vehicle: AslUnit, gun: AslUnit, crew: AslUnit, edition: Edition
) -> Portee:
    """Return the facts of a Gun being loaded onto a vehicle by a crew, or unloaded."""
    piece, unloads = type_of(position, gun), vehicle.cargo.laden and vehicle.cargo.towing == gun.id
    afoot = crew.cargo.aboard is None and not crew.place.inside
    state = crew.status
    return Portee(
        part="",
        unloads=unloads,
        gun=_is_own_gun(position, vehicle, gun) and (unloads or gun.cargo.towed_by is None),
        ready=unloads or piece.qsu or gun.cargo.limbered,
        noted=0 < piece.mm == vehicle.cargo.portee,
        tows=vehicle.cargo.towing is not None,
        halted=not vehicle.motion.moving and vehicle.place.bypass is None,
        spent=vehicle.points.spent,
        crew=afoot
        and type_of(position, crew).class_ == "crew"
        and (crew.at, crew.side) == (vehicle.at, vehicle.side),
        fit=not (state.pinned or state.broken or state.berserk or state.disrupted),
        mf=purse.allotment(position, crew, edition),
        used=crew.points.spent,
    )


def _fired(
    position: AslPosition, verb: str, vehicle: AslUnit, gun: AslUnit | None, crew: AslUnit
) -> Iterator[str]:
    """Yield who has fired of those who take part in hooking up or unhooking."""
    for part, unit in (("gun", gun), ("crew", crew), ("vehicle", vehicle)):
        if unit is not None and (unit.status.fired or unit.status.prep_fired):
            yield part
    if verb == "hook" and any(unit.status.fired for unit in prc(position, vehicle)):
        yield "prc"


def _has_five(position: AslPosition, smc: AslUnit) -> bool:
    """Return whether so many SMC of a side are in a Location that they count as a half squad."""
    around = [
        unit
        for unit in position.beside(smc.at)
        if unit.side == smc.side and type_of(position, unit).class_ == "smc"
    ]
    return len(around) >= count("A5.5", "smc_for_one")


def _is_own_gun(position: AslPosition, vehicle: AslUnit, gun: AslUnit | None) -> bool:
    return (
        gun is not None
        and type_of(position, gun).class_ == "gun"
        and (gun.side, gun.at) == (vehicle.side, vehicle.at)
    )


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
        gun=_is_pushed(position, gun, piece) and gun.side == units[0].side,
        together=free and all(unit.at == gun.at for unit in units),
        ready=piece.qsu or gun.cargo.limbered or piece.mounts > 0,
        needed=MEN_FOR.get(piece.mounts, 1),
        helpers=min(1, crowd.smc - 1) if piece.mounts == 1 and crowd.smc else 0,
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
        cycles=piece.mounts > 0,
    )


def _is_pushed(position: AslPosition, gun: AslUnit, piece: UnitType) -> bool:
    """Return whether it is a Gun, or a counter of motorcycles that nobody rides."""
    idle = piece.class_ == "motorcycle" and piece.mounts > 0
    return piece.class_ == "gun" or (idle and not movers.riders_of(position, gun))


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
            or (
                type_of(position, other).class_ in ("gun", "motorcycle")
                and other.status.ti
                and other.move.mph == "moving"
            )
        )
    ]
