"""A unit's weapons, and those named for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from marchtable.errors import BadInputError, UnknownNameError
from marchtable.nearest import did_you_mean
from marchtable_models.valor.model import UnitType, ValorPosition, ValorUnit, WeaponType
from marchtable_models.valor.views.units import type_of, weapon_of

OWN, NOTHING = "own", "none"


VEHICLE_WEAPONS = ("gun", "mg360", "mgff")


class Salvo(NamedTuple):
    """The names of the weapons one unit fires."""

    unit: ValorUnit
    weapons: tuple[str, ...]


def arms(position: ValorPosition, unit: ValorUnit) -> tuple[str, ...]:
    """Return all weapons of the unit."""
    kind = type_of(position, unit)
    if kind.is_infantry:
        return (OWN, *dict.fromkeys(unit.sw))
    return tuple(name for name in VEHICLE_WEAPONS if getattr(kind, name))


def support_weapon(position: ValorPosition, unit: ValorUnit, name: str) -> WeaponType | None:
    """Return the support weapon of that name, None for a weapon printed on the counter."""
    return weapon_of(position, name) if name in unit.sw else None


def printed_apfp(kind: UnitType, name: str) -> int:
    """Return the APFP of a weapon printed on a counter."""
    if kind.is_infantry:
        return kind.apfp if name == OWN else 0
    return int(getattr(kind, name)) if name in VEHICLE_WEAPONS else 0


def chosen(units: Sequence[ValorUnit], named: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the weapons named for some units; raises BadInputError for an unknown weapon."""
    ids = {unit.id: unit for unit in units}
    found: dict[str, tuple[str, ...]] = {}
    for entry in named:
        owner, _, weapon = entry.partition(":")
        if owner not in ids:
            raise UnknownNameError(
                f"{entry!r}: expected unit:weapon of a unit that fires ({', '.join(ids)})",
                field="weapons",
            )
        known = (OWN, NOTHING, *VEHICLE_WEAPONS, *ids[owner].sw)
        if weapon not in known:
            raise BadInputError(
                f"{owner} has no weapon {weapon!r}{did_you_mean(weapon, known)}; expected one of {', '.join(known)}",
                field="weapons",
            )
        before = found.get(owner, ())
        found[owner] = before if weapon in (NOTHING, *before) else (*before, weapon)
    return found


def worth(position: ValorPosition, found: Salvo) -> tuple[int, int]:
    """Return a salvo's APFP, and its weapons' modifier to the dice."""
    kind = type_of(position, found.unit)
    weapons = [support_weapon(position, found.unit, name) for name in found.weapons]
    apfp = sum(
        weapon.apfp if weapon else printed_apfp(kind, name)
        for name, weapon in zip(found.weapons, weapons, strict=True)
    )
    return apfp, -sum(weapon.modifier for weapon in weapons if weapon)


def fires_mortar(position: ValorPosition, found: Salvo) -> bool:
    """Return whether a unit fires a mortar."""
    used = [name for name in found.weapons if name in found.unit.sw]
    return any(weapon_of(position, name).kind == "mortar" for name in used)
