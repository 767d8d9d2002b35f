"""Units that move, alone or with others, and their sizes; read off a position."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from marchtable_models.asl.corners import is_pivoted
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.model import SPINES, AslUnit, UnitType
from marchtable_models.asl.views.entry import Crowd, Mover
from marchtable_models.asl.views.unitkinds import type_of
from marchtable_models.asl.weapons import is_dismantlable_mortar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable_models.asl.model import AslPosition
    from marchtable_models.asl.unittype import SupportWeapon


def riders_of(position: AslPosition, unit: AslUnit) -> list[AslUnit]:
    """Return the units that ride a counter of horses or motorcycles."""
    if not type_of(position, unit).mounts:
        return []
    return [other for other in position.units if other.cargo.aboard == unit.id]


def carried_sw(position: AslPosition, unit: AslUnit) -> list[SupportWeapon]:
    """Return the SW that a unit or its riders carry."""
    return [weapon for who in (unit, *riders_of(position, unit)) for weapon in who.sw]


def sizes_of(position: AslPosition, unit: AslUnit, kind: UnitType) -> list[UnitType]:
    """Return the types that count for stacking: those of the riders, or the unit's own (D15.3)."""
    if not kind.mounts:
        return [kind]
    return [type_of(position, rider) for rider in riders_of(position, unit)]


def mover(position: AslPosition, unit: AslUnit) -> Mover:
    """Return the facts of the unit that moves."""
    kind = type_of(position, unit)
    if kind.mounts and not kind.is_vehicle:
        smc = all(other.class_ == "smc" for other in sizes_of(position, unit, kind))
        return Mover(kind.column, smc=smc)
    return _mover(kind, bu=unit.crew.bu, towing=_tows(position, unit), trailer=unit.cargo.trailer)


def _tows(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether a vehicle's tow hampers it; a medium mortar (C10.1) or portee does not."""
    if unit.cargo.towing is None or unit.cargo.laden:
        return False
    gun = type_of(position, position.unit(unit.cargo.towing))
    return not (gun.main == "mortar" and is_dismantlable_mortar(gun.mm))


@cache
def _mover(kind: UnitType, *, bu: bool, towing: bool, trailer: bool) -> Mover:
    if not kind.is_vehicle:
        return Mover(kind.column, smc=kind.size == "smc")
    return Mover(
        column=kind.column,
        mp=kind.mp * 2,
        afv=kind.afv,
        bu=bu,
        open_topped=kind.open_topped,
        truck_type=kind.column == "tr",
        ground_pressure=kind.ground_pressure,
        tons=kind.tons,
        armed=kind.armed,
        rev=kind.rev,
        towing=towing,
        trailer=trailer,
        small=kind.small,
        red_mp=kind.red_mp and kind.afv,
        breaches=kind.breaches,
        sledge=kind.sledge,
        amphibious=kind.amphibious,
        water_mp=kind.water_mp,
    )


class Party(NamedTuple):
    """Units that enter together: the units, their ids, their size, and the first on foot."""

    units: tuple[AslUnit, ...]
    ids: tuple[str, ...]
    crowd: Crowd
    first: str


def party(position: AslPosition, units: Sequence[AslUnit]) -> Party:
    """Return units that enter together as a party."""
    if len(units) == 1 and not (kind := type_of(position, units[0])).mounts:
        return Party((units[0],), (units[0].id,), _counted((kind.size,)), units[0].id)
    ids = tuple([unit.id for unit in units])
    kinds = [kind for unit in units for kind in sizes_of(position, unit, type_of(position, unit))]
    first = ids[0] if len(ids) == 1 else next((u.id for u in units if u.facing is None), "")
    return Party(tuple(units), ids, _manning(crowd_of(kinds)), first)


def _manning(crowd: Crowd) -> Crowd:
    """Return a moving stack, half squads counting as crews of the Guns they push (A5.5)."""
    acting = max(0, min(crowd.half_squads, crowd.guns - crowd.crews))
    if not acting:
        return crowd
    return msgspec.structs.replace(
        crowd, half_squads=crowd.half_squads - acting, crews=crowd.crews + acting
    )


def crowd_of(kinds: Sequence[UnitType]) -> Crowd:
    return _counted(tuple([kind.size for kind in kinds]))


def half_squads_in(crowd: Crowd) -> int:
    """Return the half squads for which a crowd's MMC count, Guns apart (A5.5)."""
    return (
        crowd.squads * count("A5.5", "squad")
        + crowd.half_squads * count("A5.5", "half_squad")
        + crowd.crews * count("A5.5", "crew")
    )


def half_squads_of_smc(smc: int) -> int:
    """Return the half squads for which SMC count: none for up to four, else one for five (A5.5)."""
    return smc // count("A5.5", "smc_for_one") if smc > count("A5.1", "smc") else 0


@cache
def _counted(classes: tuple[str, ...]) -> Crowd:
    return Crowd(
        classes.count("squad"),
        classes.count("half-squad"),
        classes.count("crew"),
        classes.count("smc"),
        classes.count("gun"),
    )


def pivoted(unit: AslUnit) -> bool:
    """Return whether a vehicle in Bypass has changed its VCA at the vertex ahead."""
    if unit.place.bypass is None or unit.facing is None:
        return False
    return is_pivoted(unit.place.bypass, SPINES.index(unit.facing))


def form_of(kind: UnitType) -> str:
    """Return ``vehicle``, ``foot``, ``gun`` or ``wreck``."""
    return "vehicle" if kind.is_vehicle else "foot" if kind.is_personnel else kind.class_


def has_only_thrown(unit: AslUnit) -> bool:
    """Return whether a unit has only tried SMOKE grenades in its MPh."""
    own = unit.move.thrown == unit.at
    cost = halves("A24.1", "own" if own else "adjacent")
    return bool(unit.move.thrown) and unit.move.previous is None and unit.points.spent == cost
