"""
Unpossessed SW: in vehicles, or as counters of kind ``sw PP NAME``.

``sw* PP NAME`` is one portaged in this phase; other properties follow the PP after commas, as in
``sw 5,81mm,dm MTR``.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from marchtable.errors import BadInputError, UnknownNameError
from marchtable.nearest import unknown
from marchtable.state.position import Counter
from marchtable_models.asl.data import count, known_weapons, weapon_kinds
from marchtable_models.asl.levels import level_of
from marchtable_models.asl.model import AslUnit, SupportWeapon
from marchtable_models.asl.typenames import meant_weapons

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from marchtable_models.asl.data import WeaponKind
    from marchtable_models.asl.model import AslPosition

_WORDS = re.compile("[A-Za-z]+")
LYING, PORTAGED = "sw", "sw*"
SKIS, BICYCLE = "skis", "bicycle"
MARKS = {"dm": "dm", "x": "x_number", "malfunctioned": "malfunctioned"}
UNITS = {"mm": "mm", "fp": "fp"}


def with_weapons(data: Mapping[str, Any]) -> dict[str, Any]:
    """
    Return a scene's table with PP for every SW, known ones if only the name is given.

    Raises
    ------
    UnknownNameError
        For an unknown name without PP.
    BadInputError
        For Dummies without a type.
    """
    units = data.get("units")
    if not isinstance(units, list | tuple):
        return dict(data)
    for number, unit in enumerate(units):
        _check_dummy(unit, f"units[{number}].type")
    return {**data, "units": [_armed(unit, f"units[{n}].sw") for n, unit in enumerate(units)]}


def _check_dummy(unit: Any, field: str) -> None:
    """Report Dummies without a type; other missing types are reported for all games."""
    if not isinstance(unit, dict) or "type" in unit:
        return
    concealment = unit.get("concealment")
    if unit.get("dummy") or (isinstance(concealment, dict) and concealment.get("dummy")):
        raise BadInputError(
            "Dummies have a type, too: any of Infantry, as of those for whom they pass", field=field
        )


def _armed(unit: Any, field: str) -> Any:
    sw = unit.get("sw") if isinstance(unit, dict) else None
    if not isinstance(sw, list | tuple):
        return unit
    return {**unit, "sw": [_with_pp(item, f"{field}[{n}]") for n, item in enumerate(sw)]}


def _with_pp(item: Any, field: str) -> Any:
    fields = {"name": item} if isinstance(item, str) else item
    if not isinstance(fields, dict) or "pp" in fields or not isinstance(fields.get("name"), str):
        return fields
    alike = (name for name in known_weapons() if name.lower() == fields["name"].lower())
    if (name := next(alike, None)) is None:
        text = unknown(
            "SW", fields["name"], known_weapons(), meant=meant_weapons(fields["name"]) or None
        )
        raise UnknownNameError(f"{text}; expected pp of any other", field=field)
    known = known_weapons()[name]
    return {**fields, "name": name, "pp": known.pp, "assumed": known.assumed}


def is_weapon(kind: str) -> bool:
    """Return whether a counter is a SW."""
    return kind.startswith((f"{LYING} ", f"{PORTAGED} "))


def weapon_of(kind: str) -> SupportWeapon:
    """Return the SW of a counter; raises BadInputError."""
    head, *rest = kind.split(" ", 2)
    pp, *marks = rest[0].split(",") if rest else ("",)
    pairs = [_field_of(mark) for mark in marks]
    if len(rest) != 2 or not pp.isdecimal() or None in pairs:
        raise BadInputError(
            f"{kind!r}: expected 'sw PP NAME', such as 'sw 5 HMG' or 'sw 5,81mm,dm MTR' "
            f"(after the PP: {', '.join((*(f'#{unit}' for unit in UNITS), *MARKS, *weapon_kinds()))})",
            field="counters",
        )
    fields = dict(pair for pair in pairs if pair is not None)
    return SupportWeapon(name=rest[1], pp=int(pp), portaged=head == PORTAGED, **fields)


def _field_of(mark: str) -> tuple[str, Any] | None:
    """Return the field that a mark sets and its value, None for an unknown mark."""
    if mark in MARKS:
        return MARKS[mark], True
    if mark in weapon_kinds():
        return "kind", mark
    number, unit = mark[:-2], mark[-2:]
    return (UNITS[unit], int(number)) if unit in UNITS and number.isdecimal() else None


def use_of(weapon: SupportWeapon) -> str:
    """Return how Passengers can use a SW: ``fire``, ``desperate``, ``never``; ``""`` if unknown."""
    kind = _kind_of(weapon)
    return "" if kind is None else kind.passengers


def is_gone_upon(unit: AslUnit, weapon: SupportWeapon) -> bool:
    """Return whether a unit is moving on these skis or this bicycle, not carrying them (E4.21)."""
    return unit.status.gear != "" and kind_of(weapon) == unit.status.gear


def can_be_dm(weapon: SupportWeapon) -> bool:
    """Return whether a SW can be dismantled: a MMG, HMG, or mortar of a certain caliber."""
    if weapon.mm:
        return is_dismantlable_mortar(weapon.mm)
    kind = _kind_of(weapon)
    return kind is not None and kind.dm


def is_dismantlable_mortar(mm: int) -> bool:
    """Return whether a mortar of this caliber can be dismantled, and is towed like a SW (C10.1)."""
    return count("C10.1", "mortar_from") <= mm <= count("C10.1", "mortar_to")


def takes_ammo_room(weapon: SupportWeapon) -> bool:
    """Return whether a SW is a dm mortar that counts by the PP of its ammo (C10.13)."""
    return weapon.dm and count("C10.13", "mortar_from") <= weapon.mm <= count("C10.13", "mortar_to")


def is_assembled(weapon: SupportWeapon) -> bool:
    """Return whether a SW is a MMG, HMG or mortar that is not dismantled."""
    return not weapon.dm and bool(weapon.mm or kind_of(weapon) in ("mg", "mortar"))


def kind_of(weapon: SupportWeapon) -> str:
    """Return the name of the SW's kind, ``""`` if unknown."""
    kind = _kind_of(weapon)
    return "" if kind is None else kind.name


def _kind_of(weapon: SupportWeapon) -> WeaponKind | None:
    """Return the SW's kind, stated or implied by its name."""
    if weapon.kind:
        return weapon_kinds().get(weapon.kind)  # unknown kinds are rejected elsewhere
    return _kind_named(weapon.name)


@lru_cache(maxsize=256)
def _kind_named(name: str) -> WeaponKind | None:
    """Return the kind that a SW's name implies."""
    words = f" {' '.join(_WORDS.findall(name)).lower()} "
    for kind in weapon_kinds().values():
        if any(f" {' '.join(_WORDS.findall(word)).lower()} " in words for word in kind.words):
            return kind
    return None


def as_counter(weapon: SupportWeapon, at: str) -> Counter:
    """Return the counter for an unpossessed SW."""
    head = PORTAGED if weapon.portaged else LYING
    numbers = [f"{getattr(weapon, f)}{unit}" for unit, f in UNITS.items() if getattr(weapon, f)]
    marks = [mark for mark, field in MARKS.items() if getattr(weapon, field)]
    kind = (weapon.kind,) if weapon.kind else ()
    details = ",".join((str(weapon.pp), *kind, *numbers, *marks))
    return Counter(kind=f"{head} {details} {weapon.name}", at=at)


def was_carried(unit: AslUnit, weapon: SupportWeapon) -> bool:
    """Return whether a unit has portaged its SW in this phase: spent MF while it had it."""
    return unit.points.spent > weapon.held or unit.points.final == "advance"


def lying(position: AslPosition, at: str | None) -> tuple[SupportWeapon, ...]:
    """Return the unpossessed SW in a Location."""
    kinds = position.markers.get(at or "", ())
    return tuple(weapon_of(kind) for kind in kinds if is_weapon(kind))


def within_reach(position: AslPosition, unit: AslUnit) -> tuple[SupportWeapon, ...]:
    """Return the unpossessed SW a unit can try for: in its vehicle or its Location."""
    inside = unit.cargo.aboard is not None and not unit.cargo.riding
    return position.unit(str(unit.cargo.aboard)).sw if inside else lying(position, unit.at)


def owner_of(position: AslPosition, unit: AslUnit, name: str) -> AslUnit | None:
    """Return a broken friend in a unit's Location that has such a SW, if any."""
    return next((u for u in _broken(position, unit) if named(u.sw, name) is not None), None)


def for_the_taking(position: AslPosition, unit: AslUnit) -> tuple[SupportWeapon, ...]:
    """Return the SW a unit can try to recover: unpossessed ones, and broken friends'."""
    theirs = (weapon for other in _broken(position, unit) for weapon in other.sw)
    return (*within_reach(position, unit), *theirs)


def _broken(position: AslPosition, unit: AslUnit) -> list[AslUnit]:
    if unit.cargo.aboard is not None:
        return []
    return [
        other
        for other in position.occupants.get(unit.at or "", ())
        if other.status.broken
        and other.sw
        and other.side == unit.side
        and other.cargo.aboard is None
        and other.id != unit.id
        and level_of(position, other) == level_of(position, unit)
    ]


def named(weapons: Iterable[SupportWeapon], name: str) -> SupportWeapon | None:
    """Return the first SW of that name, if any; a log writes hyphens for blanks."""
    wanted = written(name)
    return next((weapon for weapon in weapons if written(weapon.name) == wanted), None)


def written(name: str) -> str:
    """Return a SW's name as one word."""
    return "-".join(name.split())
