"""Checks of scenes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.codec.structs import plain_fields
from marchtable.errors import BadInputError, UnknownNameError
from marchtable.nearest import by_words, did_you_mean, unknown
from marchtable_models.valor.data import unit_types, weapon_types, works
from marchtable_models.valor.model import FACINGS, ValorPosition
from marchtable_models.valor.rules.stacking import bunkers, over_limit, stacking_limit
from marchtable_models.valor.rules.transport import over_capacity
from marchtable_models.valor.rules.under_fire import open_units
from marchtable_models.valor.views.attack import under_fire
from marchtable_models.valor.views.sight import sides_named
from marchtable_models.valor.views.units import cargo, kind_of, type_named, type_of
from marchtable_models.valor.views.weapons import VEHICLE_WEAPONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import msgspec

    from marchtable.rules.edition import Edition
    from marchtable_models.valor.model import UnitType, ValorUnit

__all__ = ["MOVING", "check", "counter_kinds"]

MOVING = ("Movement", "AdvanceAndAssault")
"""Phases in which units move."""
LIMITS = {entry.id: entry.title for entry in (stacking_limit, bunkers)}
"""The stacking limits of a hex, by clause."""


def counter_kinds() -> tuple[str, ...]:
    """Return the kinds of counters that a scene may have."""
    return (*sorted(works()), "fire-lane", "minefield", "smoke1", "smoke2", "sniper", "wire")


# -- scenes --------------------------------------------------------------------------------------


def check(position: ValorPosition, edition: Edition) -> None:
    """Raise BadInputError for unknown names, wrong facings, and vehicles or hexes that hold too much."""
    types = {**unit_types(), **{t.name: t for t in position.conditions.types}}
    weapons = {**weapon_types(), **{w.name: w for w in position.conditions.weapons}}
    for number, unit in enumerate(position.units):
        field = f"units[{number}]"
        if unit.type not in types:
            raise UnknownNameError(
                _unknown("unit type", unit.type, types, "types"),
                field=f"{field}.type",
            )
        for name in unit.sw:
            if name not in weapons:
                raise UnknownNameError(
                    _unknown("support weapon", name, weapons, "weapons"), field=f"{field}.sw"
                )
    for number, unit in enumerate(position.units):  # all types are known here
        _check_unit(position, unit, f"units[{number}]")
    _check_counters(position)
    _check_types(position, types)
    _check_sights(position)
    _check_attack(position)
    _check_loads(position, edition)
    _check_stacks(position, edition)


def _unknown(what: str, name: str, known: Mapping[str, msgspec.Struct], listing: str) -> str:
    """Return the message that rejects the name of a unit type or support weapon."""
    meant = by_words(name, {one: f"{one} {plain_fields(kind)}" for one, kind in known.items()})
    return unknown(what, name, sorted(known), listing=f"{listing} --rulebook valor", meant=meant)


def _check_unit(position: ValorPosition, unit: ValorUnit, field: str) -> None:
    kind = type_of(position, unit)
    if kind.is_infantry != (unit.facing is None):
        raise BadInputError(
            f"{unit.id} needs a facing: one of {', '.join(FACINGS)}"
            if unit.facing is None
            else f"infantry such as {unit.id} has no facing; remove the field",
            field=f"{field}.facing",
        )
    for name in unit.entering:
        if unit.at is not None or not position.board.is_at_edge(_resolve(position, name, field)):
            raise BadInputError(
                f"{unit.id}: entering names hexes at the map's edge for a unit off the map (at = '-'), "
                f"got {name!r}",
                field=f"{field}.entering",
            )
    if unit.aboard is None or unit.at is None:
        return
    carrier = position.unit(unit.aboard)
    if kind_of(position, carrier) not in ("vehicle", "afv") or carrier.at != unit.at:
        raise BadInputError(
            f"{unit.id}: expected a vehicle or AFV in {unit.at}, got {carrier.id}",
            field=f"{field}.aboard",
        )
    if carrier.aboard is not None or kind.class_ in ("vehicle", "afv"):
        raise BadInputError(
            f"{unit.id}: no vehicle is carried, nor aboard one that is; leave aboard out",
            field=f"{field}.aboard",
        )
    if unit.moving and not carrier.moving:
        raise BadInputError(
            f"{unit.id} moves with {carrier.id}; write `moving = true` there too, or leave it out",
            field=f"{field}.moving",
        )
    if carrier.pinned and not unit.pinned:
        raise BadInputError(
            f"{unit.id}: {carrier.id} is pinned, and so are units aboard; write `pinned = true`",
            field=f"{field}.pinned",
        )


def _check_loads(position: ValorPosition, edition: Edition) -> None:
    """
    Reject overloaded vehicles.

    Support weapons are not counted: units aboard can pick up more of them (V12.4).
    """
    for unit in position.units:
        for bar in over_capacity(position, unit, edition, weapons=False):
            last = cargo(position, unit)[-1]
            holds = "" if bar.need is None else f": at most {bar.need}, got {bar.have}"
            raise BadInputError(
                f"{last.id} aboard {unit.id}: {bar.note}{holds} ({bar.clause})",
                field=f"units[{position.index[last.id]}].aboard",
            )


def _check_stacks(position: ValorPosition, edition: Edition) -> None:
    """
    Reject hexes that hold too many units of a side.

    A side can exceed the limit only while it moves, since its units can pass through full hexes.
    """
    for unit, bars in over_limit(position, edition):
        if unit.side == position.side and position.phase in MOVING:
            continue
        for bar in bars:
            if bar.clause in LIMITS:
                title = LIMITS[bar.clause]
                raise BadInputError(
                    f"{unit.at} has too many {unit.side} units; only units still moving can exceed the "
                    f"limit ({bar.clause}: {title[0].lower()}{title[1:]})",
                    field=f"units[{position.index[unit.id]}].at",
                )


def _check_counters(position: ValorPosition) -> None:
    known = counter_kinds()
    for number, counter in enumerate(position.counters):
        if counter.kind not in known:
            message = unknown("counter", counter.kind, known)
            raise UnknownNameError(message, field=f"counters[{number}].kind")


def _check_types(position: ValorPosition, known: Iterable[str]) -> None:
    for number, kind in enumerate(position.conditions.types):
        field = f"conditions.types[{number}]"
        if kind.name in unit_types():
            raise BadInputError(
                f"{kind.name} is one of the sample types; use it as it is, or choose another name",
                field=f"{field}.name",
            )
        if (kind.cr is None) != (kind.class_ == "afv"):
            raise BadInputError(
                f"{kind.name}: an AFV has no cr; leave it out"
                if kind.class_ == "afv"
                else f"{kind.name}: a {kind.class_} needs cr, its Casualty Rating",
                field=f"{field}.cr",
            )
        _check_firepower(kind, field)
        if kind.half is None:
            continue
        half = type_named(position, kind.half) if kind.half in known else None
        if half is None or half.class_ != "half-squad" or kind.class_ != "squad":
            raise BadInputError(
                f"{kind.name}: half names the half squad of a squad, got {kind.half!r}"
                f"{did_you_mean(kind.half, known)}",
                field=f"{field}.half",
            )
        if (half.cr or 0) >= (kind.cr or 0):
            raise BadInputError(
                f"{half.name} needs a lower cr than {kind.name}: {kind.cr}", field=f"{field}.half"
            )


def _check_firepower(kind: UnitType, field: str) -> None:
    """Reject a figure that no counter of the class has: no clause would look at it."""
    own = ("apfp", "range") if kind.is_infantry else VEHICLE_WEAPONS
    for name in VEHICLE_WEAPONS if kind.is_infantry else ("apfp", "range"):
        if getattr(kind, name):
            raise BadInputError(
                f"{kind.name}: a {kind.class_} has no {name}; expected {own[0]}, "
                f"or one of {', '.join(own[1:])}",
                field=f"{field}.{name}",
            )


def _check_sights(position: ValorPosition) -> None:
    for number, found in enumerate(position.conditions.sights):
        field = f"conditions.sights[{number}]"
        for name in (found.a, found.b, *found.through, *found.beside):
            _resolve(position, name, field)
        for name in sides_named(found):
            a, dash, b = name.partition("-")
            if (
                not dash
                or position.board.hexside(
                    _resolve(position, a, field), _resolve(position, b, field)
                )
                is None
            ):
                raise BadInputError(f"expected a hexside such as A1-A2, got {name!r}", field=field)


def _resolve(position: ValorPosition, name: str, field: str) -> str:
    try:
        return position.board.resolve(name)
    except UnknownNameError as error:
        raise error.located(field=field) from None


def _check_attack(position: ValorPosition) -> None:
    attack = position.conditions.attack
    if attack is None:
        return
    field = "conditions.attack"
    for name in (attack.origin, attack.target):
        _resolve(position, name, field)
    for name in (
        *attack.before,
        *(t.unit for t in attack.taken),
        *((attack.focus,) if attack.focus else ()),
    ):
        if name not in position.index:
            raise UnknownNameError(
                unknown("unit", name, position.index, where=" here"), field=field
            )
    struck = {unit.id for unit in under_fire(position, attack)} | {t.unit for t in attack.taken}
    if attack.focus is not None and attack.focus not in struck:
        names = ", ".join(sorted(struck)) or "none"
        raise BadInputError(
            f"{attack.focus} is not under fire in {attack.target} (units under fire: {names})",
            field=f"{field}.focus",
        )
    if attack.owed > 0 and not open_units(position, attack, pinned_too=True):
        raise BadInputError(
            f"no unit in {attack.target} can take what is owed; write owed = 0", field=field
        )
