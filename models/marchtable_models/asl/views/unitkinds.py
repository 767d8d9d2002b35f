"""A unit's kind, from its counter, its nationality, and its Known enemies."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from marchtable.state.records import replace
from marchtable_models.asl.catalogue import catalogue
from marchtable_models.asl.data import count, nation, unit_types, vehicle_tables

if TYPE_CHECKING:
    from marchtable_models.asl.model import AslConditions, AslPosition, AslUnit, UnitType

SAMPLES = unit_types()
_TYPES: list[tuple[tuple[UnitType, ...], dict[str, UnitType]]] = [((), SAMPLES)]
"""The unit types by name, with the last scene's own."""


def type_of(position: AslPosition, unit: AslUnit) -> UnitType:
    """Return the data printed on the unit's counter."""
    return types_here(position)[unit.type]


def ipc_of(position: AslPosition, unit: AslUnit) -> int:
    """Return a unit's Inherent Portage Capacity, in PP, unless it is CX."""
    return printed_ipc(smc=type_of(position, unit).class_ == "smc", wounded=unit.status.wounded)


def printed_ipc(*, smc: bool, wounded: bool = False) -> int:
    """Return the Inherent Portage Capacity, in PP, of a SMC or a MMC (A4.42, A17.2)."""
    return count("A17.2", "ipc") if wounded else count("A4.42", "smc" if smc else "mmc")


def ipc_if_cx(ipc: int, *, cx: bool) -> int:
    """Return an IPC in PP, lowered if the unit is CX (A4.52)."""
    return ipc - count("A4.52", "ipc") if cx else ipc


def misfit(unit: AslUnit, other: AslUnit, *, is_kind: bool) -> str:
    """Return what is wrong with another unit for a unit: ``side``, ``kind`` or ``place``, if anything."""
    if other.side != unit.side:
        return "side"
    if not is_kind:
        return "kind"
    return "" if other.at == unit.at else "place"


def types_here(position: AslPosition) -> dict[str, UnitType]:
    """Return the unit types by name: the scene's own, then the samples."""
    own, found = position.conditions.types, _TYPES[0]
    if own is not found[0]:
        found = _TYPES[0] = (own, {**SAMPLES, **{kind.name: kind for kind in own[::-1]}})
    return found[1]


def type_called(position: AslPosition, unit: AslUnit, name: str) -> UnitType | None:
    """Return the type that a name means for a unit's nationality, None if there is none."""
    known = types_here(position)
    return known.get(f"{nationality_of(unit)} {name}") or known.get(name)


def halves_of(position: AslPosition, unit: AslUnit) -> tuple[str, ...]:
    """Return the names of a squad's half squads, the scene's own included; none for other units."""
    if type_of(position, unit).class_ != "squad":
        return ()
    own = [kind.name for kind in position.conditions.types if kind.class_ == "half-squad"]
    nation = nationality_of(unit)
    printed = [
        one.name for one in catalogue() if one.nation == nation and one.type.class_ == "half-squad"
    ]
    return tuple(dict.fromkeys((*own, *printed)))


def has_men(kind: UnitType) -> bool:
    """Return whether it is Personnel, mounted or not."""
    return kind.is_personnel or kind.class_ == "motorcycle"


def is_manned(kind: UnitType) -> bool:
    """Return whether it has its own crew or Driver."""
    return kind.class_ in ("vehicle", "wagon")


def nationality_of(unit: AslUnit) -> str:
    """Return a unit's nationality, the side's if the unit states none."""
    return nation(unit.nationality or unit.side)


def crew_morale(position: AslPosition, unit: AslUnit) -> int:
    """Return an AFV crew's morale: its type's or nationality's; 0 if unknown (D5.1)."""
    printed = type_of(position, unit).morale
    if printed or unit.crew.armor_leader:
        return printed
    return vehicle_tables().crew_morale.get(nationality_of(unit), 0)


def is_under_way(unit: AslUnit) -> bool:
    """Return whether a vehicle is in Motion; one off the map is until it acts (A2.52)."""
    waits = unit.at is None and unit.move.mph == "unmoved" and not unit.offboard.exited
    return unit.motion.moving or (unit.facing is not None and waits)


def is_known_enemy(position: AslPosition, unit: AslUnit, other: AslUnit) -> bool:
    """Return whether one unit is a Known enemy to another that sees it; a wreck is no unit."""
    is_enemy = other.side != unit.side and not other.concealment.concealed
    is_enemy = is_enemy and other.cargo.guard is None
    return is_enemy and type_of(position, other).class_ != "wreck"


_PRINTED = re.compile(r"(?:^| )\d+-(\d+)-\d+(?= |$)")


def normal_range(kind: UnitType) -> int | None:
    """Return a MMC's Normal Range in hexes, the middle figure in its name (4-6-7), or None."""
    found = _PRINTED.search(kind.name) if kind.class_ in ("squad", "half-squad", "crew") else None
    return None if found is None else int(found[1])


_NAME = re.compile(r"(.+) \((\d+) (MF|MP)\)")


def variant_of(kind: UnitType, points: int) -> UnitType:
    """Return a copy of a type with other MP, or MF if it has no MP."""
    name, field = ("MP", "mp") if kind.mp else ("MF", "mf")
    changes = {"name": f"{kind.name} ({points} {name})", field: points}
    return replace(kind, **changes)


def without_variants(conditions: AslConditions) -> AslConditions:
    """Return conditions without types that their names fully describe, given the others."""
    if not conditions.types:
        return conditions
    known = {**unit_types(), **{kind.name: kind for kind in conditions.types[::-1]}}
    names = [kind.name for kind in conditions.types]
    kept = []
    for kind in conditions.types:
        match = _NAME.fullmatch(kind.name)
        base = known.get(match[1]) if match else None
        is_variant = (
            base is not None and match is not None and variant_of(base, int(match[2])) == kind
        )
        if not is_variant or names.count(kind.name) > 1:
            kept.append(kind)
    if len(kept) == len(conditions.types):
        return conditions
    return msgspec.structs.replace(conditions, types=tuple(kept))
