"""Reads off a position the facts of Guns that are hooked up or unhooked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl.data import count
from marchtable_models.asl.extraction import purse
from marchtable_models.asl.extraction.cargo import prc
from marchtable_models.asl.extraction.transport import is_hulk
from marchtable_models.asl.extraction.unitkinds import type_of
from marchtable_models.asl.facts.transport import Hitch

if TYPE_CHECKING:
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]
    from collections.abc import Iterator

    from marchtable.rules.edition import Edition
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit


__all__ = ["hitch", "is_own_gun"]


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
        gun=is_own_gun(position, vehicle, gun),
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


def is_own_gun(position: AslPosition, vehicle: AslUnit, gun: AslUnit | None) -> bool:
    return (
        gun is not None
        and type_of(position, gun).class_ == "gun"
        and (gun.side, gun.at) == (vehicle.side, vehicle.at)
    )
