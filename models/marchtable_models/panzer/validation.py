"""Checks of scenes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.codec.structs import plain_fields
from marchtable.errors import BadInputError, UnknownNameError
from marchtable.nearest import by_words, unknown
from marchtable_models.panzer.data import factions, rows, unit_types
from marchtable_models.panzer.rules.carrying import pairing
from marchtable_models.panzer.rules.loading import burden

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from marchtable.rules.edition import Edition
    from marchtable_models.panzer.model import PanzerPosition, PanzerUnit

__all__ = ["check"]


def check(position: PanzerPosition, edition: Edition) -> None:
    """Raise BadInputError for unknown names, impossible loads, and duplicate definitions."""
    conditions = position.conditions
    known = {*factions(), *(f.name for f in conditions.factions)}
    for number, kind in enumerate(conditions.types):
        field = f"conditions.types[{number}]"
        if kind.faction not in known:
            raise _unknown("faction", kind.faction, known, f"{field}.faction")
        if (kind.armoured or kind.self_propelled) and not kind.is_vehicle:
            raise BadInputError(
                f"{kind.name} is no vehicle, so it is neither armoured nor self-propelled; leave both out",
                field=f"{field}.kind",
            )
    sides = {position.side, *(unit.side for unit in position.units)}
    if conditions.first_side and conditions.first_side not in sides:
        raise _unknown("side", conditions.first_side, sides, "conditions.first_side")
    _check_registered(position, sides)
    _check_once("types", [kind.name for kind in conditions.types])
    _check_once("factions", [faction.name for faction in conditions.factions])
    _check_once("terrain", [name for row in conditions.terrain for name in row.names])
    _check_terrain(position)
    types = {**unit_types(), **{kind.name: kind for kind in conditions.types}}
    for number, unit in enumerate(position.units):
        if unit.type not in types:
            described = {name: f"{name} {plain_fields(kind)}" for name, kind in types.items()}
            meant = by_words(unit.type, described)
            raise _unknown("unit type", unit.type, types, f"units[{number}].type", meant)
    for number, unit in enumerate(position.units):
        _check_unit(position, unit, f"units[{number}]")
    for number, unit in enumerate(position.units):
        if unit.aboard is not None:
            _check_load(position, unit, f"units[{number}].aboard", edition)


def _check_registered(position: PanzerPosition, sides: set[str]) -> None:
    for number, entry in enumerate(position.conditions.registered):
        field = f"conditions.registered[{number}]"
        if entry.side not in sides:
            raise _unknown("side", entry.side, sides, f"{field}.side")
        for name in entry.at:
            try:
                position.board.resolve(name)
            except UnknownNameError as error:
                raise error.located(field=f"{field}.at") from None


def _unknown(
    what: str, name: str, known: Iterable[str], field: str, meant: Sequence[str] | None = None
) -> UnknownNameError:
    listing = "types --rulebook panzer" if what == "unit type" else ""
    text = unknown(what, name, sorted(known), listing=listing, meant=meant)
    return UnknownNameError(text, field=field)


def _check_once(field: str, names: list[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise BadInputError(
                f"{name} is defined twice; leave one out", field=f"conditions.{field}"
            )


def _check_terrain(position: PanzerPosition) -> None:
    for number, row in enumerate(position.conditions.terrain):
        columns = {"infantry", "vehicle", "truck", "wagon", "cavalry"}
        if extra := set(row.assumed) - columns:
            raise _unknown("column", extra.pop(), columns, f"conditions.terrain[{number}].assumed")
        for name in ("Open Ground", "Slope"):
            whole = rows()[name].names
            if name in row.names and not all(
                row.of(c) is not None for c in ("infantry", "vehicle", "truck", "wagon", "cavalry")
            ):
                raise BadInputError(
                    f"{whole[0]} needs a cost in every column",
                    field=f"conditions.terrain[{number}]",
                )


def _check_unit(position: PanzerPosition, unit: PanzerUnit, field: str) -> None:
    if unit.spent > 0 and not unit.entered:
        raise BadInputError(
            f"{unit.id} has spent points, so it has entered a hex; write `entered = true`",
            field=f"{field}.entered",
        )
    if unit.final and not unit.entered:
        raise BadInputError(
            f"{unit.id} has final, so it has entered a hex; write `entered = true`",
            field=f"{field}.entered",
        )
    for name in unit.entering:
        if unit.at is not None or not position.board.is_at_edge(position.board.resolve(name)):
            raise BadInputError(
                f"{unit.id}: entering names hexes at the map's edge for a unit off the map (at = '-'), "
                f"got {name!r}",
                field=f"{field}.entering",
            )
    for name in ("aboard", "left", "thrown"):
        other = getattr(unit, name)
        if other is not None and other not in position.index:
            raise _unknown("unit", other, position.index, f"{field}.{name}")
    if unit.aboard is None:
        return
    carrier = position.unit(unit.aboard)
    if carrier is unit or carrier.aboard is not None:
        raise BadInputError(
            f"{unit.id}: {carrier.id} is carried itself; expected a transport",
            field=f"{field}.aboard",
        )
    if (carrier.at, carrier.side) != (unit.at, unit.side):
        raise BadInputError(
            f"{unit.id}: expected a transport of {unit.side} in {unit.at or '-'}, got {carrier.id}",
            field=f"{field}.aboard",
        )


def _check_load(position: PanzerPosition, unit: PanzerUnit, field: str, edition: Edition) -> None:
    """Check a load against the clauses on carrying."""
    carrier = position.unit(str(unit.aboard))
    if carrier.height not in (unit.height, unit.height + 1):  # equal: not reported
        message = f"{unit.id} lies directly beneath {carrier.id} (P.rec-a); write `height = {max(carrier.height - 1, 0)}`"
        raise BadInputError(message, field=field.replace("aboard", "height"))
    for facts in (pairing(position, carrier, unit), burden(position, carrier)):
        for bar in edition.judge(facts).bars:
            raise BadInputError(
                f"{unit.id} aboard {carrier.id}: {bar.note} ({bar.clause})", field=field
            )
