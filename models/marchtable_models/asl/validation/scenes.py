"""Requirements on a position for the clauses to make sense of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.board.board import DIRECTIONS
from marchtable.codec.structs import points
from marchtable.errors import BadInputError, UnknownNameError
from marchtable.files.validation import check_word
from marchtable.nearest import unknown
from marchtable_models.asl.counterkinds import (
    BREACH,
    CROSSED,
    LIMIT,
    OTHER,
    ROADBLOCK,
    TRAIL,
    is_known,
    known_kinds,
    roadblock_side,
    side_of,
)
from marchtable_models.asl.data import (
    halves,
    hazards,
    known_weapons,
    nation,
    nationalities,
    unit_types,
    weapon_kinds,
)
from marchtable_models.asl.model import SPINES
from marchtable_models.asl.typenames import like_types, meant_weapons
from marchtable_models.asl.views.clearance import bypass_sides
from marchtable_models.asl.views.ground import beside_row
from marchtable_models.asl.views.reading import type_of
from marchtable_models.asl.weapons import is_weapon, weapon_of, written

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from marchtable.state.position import Counter, Position
    from marchtable_models.asl.model import AslConditions, AslUnit, SupportWeapon, UnitType


def check_scene(position: Position[AslUnit, AslConditions]) -> None:
    """Raise BadInputError for unknown kinds of SW, unreadable SW counters, and a night without NVR."""
    for number, unit in enumerate(position.units):
        _check_weapons(unit.sw, f"units[{number}].sw")
    for number, kind in enumerate(position.conditions.types):
        _check_weapons(kind.armament, f"conditions.types[{number}].armament")
    if position.conditions.night and position.conditions.nvr is None:
        raise BadInputError(
            "a scene at night needs its Night Visibility Range; write `nvr = 3`, in hexes",
            field="conditions.nvr",
        )
    _check_weather(position.conditions)
    for counter in position.counters:
        if is_weapon(counter.kind):
            weapon_of(counter.kind)


def _check_weapons(weapons: Sequence[SupportWeapon], field: str) -> None:
    """Reject an unknown kind of SW, and a name that no log could write."""
    for number, weapon in enumerate(weapons):
        check_word(written(weapon.name), f"{field}[{number}].name")
        if weapon.kind and weapon.kind not in weapon_kinds():
            raise UnknownNameError(
                f"{weapon.name}: {unknown('SW kind', weapon.kind, weapon_kinds())}",
                field=f"{field}[{number}].kind",
            )


def _check_weather(conditions: AslConditions) -> None:
    """Reject Mud under snow, two kinds of snow, and plowed roads without snow."""
    lies = [name for name in ("ground_snow", "deep_snow", "mud") if getattr(conditions, name)]
    if len(lies) > 1:
        text = f"{' and '.join(lies)} exclude each other; keep one of them"
        raise BadInputError(text, field=f"conditions.{lies[-1]}")
    if conditions.plowed and not (conditions.ground_snow or conditions.deep_snow):
        raise BadInputError(
            "plowed needs snow; write `ground_snow = true` or `deep_snow = true` beside it",
            field="conditions.plowed",
        )


def check_counters(position: Position[AslUnit, AslConditions]) -> None:
    """Raise BadInputError for a roadblock off its Location's road hexsides, and for odd tracks."""
    for number, counter in enumerate(position.counters):
        _check_spelling(counter, f"counters[{number}].kind")
        _check_track(counter, f"counters[{number}].kind")
        if not counter.kind.startswith("roadblock"):
            continue
        side = roadblock_side(counter.kind)
        ways = dict(position.board.neighbours(position.board.resolve(counter.at)))
        hexside = position.board.hexside(counter.at, ways[side]) if side in ways else None
        if hexside is None or hexside.road is None:
            raise BadInputError(
                f"{counter.kind} in {counter.at}: expected roadblock- and one of "
                f"{', '.join(DIRECTIONS)}, a hexside crossed by a road",
                field=f"counters[{number}].kind",
            )


def _check_spelling(counter: Counter, field: str) -> None:
    """Reject a kind that no clause knows, unless it states that itself."""
    kind = counter.kind
    sorts = (ROADBLOCK, BREACH, TRAIL, CROSSED)
    is_composed = kind.startswith((*sorts, OTHER)) or is_weapon(kind)  # sides are checked elsewhere
    if is_known(kind) or is_composed:
        return
    weapons = (item for item in known_weapons().values() if item.name.lower() == kind.lower())
    if item := next(weapons, None):
        raise UnknownNameError(
            f"{counter.at}: expected a SW that nobody possesses with its PP, "
            f"'sw {item.pp} {item.name}', got {kind!r}",
            field=field,
        )
    if kind in unit_types():
        raise UnknownNameError(
            f"{counter.at}: {kind!r} is a unit type, not a counter; write it as an entry of [[units]]",
            field=field,
        )
    sides = [f"{LIMIT}25", *(f"{sort}{side}" for sort in sorts for side in DIRECTIONS)]
    text = unknown("counter", kind, [*known_kinds(), *sides], listing="counters")
    raise UnknownNameError(
        f"{counter.at}: {text}; for a counter that no rule here uses write {f'{OTHER}{kind}'!r}",
        field=field,
    )


def _check_nationality(unit: AslUnit, field: str) -> None:
    if unit.nationality and unit.nationality.lower() not in nationalities():
        raise UnknownNameError(
            unknown("nationality", unit.nationality, nationalities(), listing="nationalities"),
            field=f"{field}.nationality",
        )


def _check_track(counter: Counter, field: str) -> None:
    sort = next((prefix for prefix in (TRAIL, CROSSED) if counter.kind.startswith(prefix)), None)
    if sort is not None and side_of(sort, counter.kind) is None:
        raise BadInputError(
            f"{counter.kind} in {counter.at}: expected {sort} and one of {', '.join(DIRECTIONS)}",
            field=field,
        )


COLUMNS = {
    "vehicle": ("ac", "ft", "ht", "tr"), "wagon": ("hd",), "motorcycle": ("mc",),
    "cavalry": ("cav",),
}  # fmt: skip
"""The columns of each class; others have ``inf``."""


def _check_type(kind: UnitType, field: str) -> None:
    columns = COLUMNS.get(kind.class_, ("inf",))
    if kind.column not in columns:
        raise BadInputError(
            f"{kind.name}: a {kind.class_} has column {' or '.join(columns)}, not {kind.column}",
            field=f"{field}.column",
        )
    if kind.is_vehicle != (kind.mp > 0):
        raise BadInputError(
            f"{kind.name}: a {kind.class_} needs mp above 0"
            if kind.is_vehicle
            else f"{kind.name}: a {kind.class_} has no mp; leave it out",
            field=f"{field}.mp",
        )
    if kind.mf and not kind.is_infantry:
        raise BadInputError(
            f"{kind.name}: a {kind.class_} has no mf, only Infantry has; leave it out",
            field=f"{field}.mf",
        )
    if kind.amphibious and kind.class_ != "vehicle":
        raise BadInputError(
            f"{kind.name}: a {kind.class_} is not amphibious, only a vehicle is; leave it out",
            field=f"{field}.amphibious",
        )
    if kind.water_mp and not kind.amphibious:
        raise BadInputError(
            f"{kind.name}: water_mp needs amphibious = true",
            field=f"{field}.water_mp",
        )
    seats = bool(kind.riders) + bool(kind.mounts)
    if seats != (kind.class_ in ("cavalry", "motorcycle")):
        raise BadInputError(
            f"{kind.name}: a {kind.class_} needs either riders or mounts"
            if kind.class_ in ("cavalry", "motorcycle")
            else f"{kind.name}: a {kind.class_} has no riders and no mounts; leave them out",
            field=f"{field}.riders",
        )


def check_units(position: Position[AslUnit, AslConditions]) -> None:
    """Raise BadInputError for unknown unit types, vehicles without a VCA, and impossible states."""
    names = [kind.name for kind in position.conditions.types]
    for number, kind in enumerate(position.conditions.types):
        field = f"conditions.types[{number}]"
        if kind.name in names[:number]:
            raise BadInputError(f"unit type {kind.name!r} is listed twice", field=f"{field}.name")
        _check_type(kind, field)
    known = dict.fromkeys([*names, *unit_types()])
    _check_sides(position)
    for number, unit in enumerate(position.units):
        field = f"units[{number}]"
        if unit.type not in known:
            raise UnknownNameError(_no_type(unit, known, names), field=f"{field}.type")
        _check_nationality(unit, field)
        if type_of(position, unit).is_vehicle != (unit.facing is not None):
            raise BadInputError(
                f"{unit.id} needs a facing: one of {', '.join(SPINES)}"
                if unit.facing is None
                else f"only vehicles have a facing, and {unit.id} is not one; remove the field",
                field=f"{field}.facing",
            )
        _check_state(position, unit, field)


def _no_type(unit: AslUnit, known: Iterable[str], own: Sequence[str]) -> str:
    """Return the message that rejects a unit's type."""
    if weapons := meant_weapons(unit.type):
        fields = " or ".join(f'sw = ["{name}"]' for name in weapons)
        return f"{unit.type!r} is a SW, not a unit; list it in the sw of the unit that has it: {fields}"
    if is_known(unit.type):
        return f"{unit.type!r} is a counter, not a unit type; write it as an entry of [[counters]]"
    meant = like_types(unit.type, own, nation(unit.nationality or unit.side))
    return unknown("unit type", unit.type, known, listing="types", meant=meant)


def _check_sides(position: Position[AslUnit, AslConditions]) -> None:
    """Reject two sides that are one nation under two names."""
    called: dict[str, str] = {}
    for number, unit in enumerate(position.units):
        other = called.setdefault(nation(unit.side), unit.side)
        if unit.side != other:
            raise BadInputError(
                f"{unit.side!r} and {other!r} are two names of one side, which would be enemies; "
                f"write {other!r} for both",
                field=f"units[{number}].side",
            )
    if position.side != (other := called.get(nation(position.side), position.side)):
        raise BadInputError(
            f"side {position.side!r} is {other!r} by another name; write {other!r}", field="side"
        )


def _check_state(position: Position[AslUnit, AslConditions], unit: AslUnit, field: str) -> None:
    if unit.move.hazardous and unit.move.hazardous not in hazards():
        raise BadInputError(
            f"{unit.id}: {unknown('Hazardous Movement', unit.move.hazardous, hazards())}",
            field=f"{field}.hazardous",
        )
    _check_spent(position, unit, field)
    if unit.place.bypass is not None and not _may_bypass(position, unit):
        raise BadInputError(
            f"{unit.id}: expected a hexside with room to bypass the woods or building of "
            f"{unit.at}, or on foot a vertex of one, 0 to 5",
            field=f"{field}.bypass",
        )
    waits = any(
        due.unit == unit.id for due in position.pending
    )  # it backs out once it has started, or is free
    if unit.motion.reverse and not unit.motion.moving and not waits:
        raise BadInputError(
            f"{unit.id}: reverse is for a vehicle in motion; write `moving = true` too, or leave it out",
            field=f"{field}.reverse",
        )
    if unit.at is not None and (unit.offboard.exited or unit.offboard.entering):
        raise BadInputError(
            f"{unit.id}: a unit with exited or entering is off the map; write at = '-'",
            field=f"{field}.at",
        )
    if unit.place.inside and not type_of(position, unit).is_personnel:
        raise BadInputError(
            f"{unit.id}: only Personnel have inside (beneath something, upstairs, at a Crest, on a "
            "cliff); leave it out",
            field=f"{field}.inside",
        )
    if unit.place.floor and unit.place.inside not in ("upstairs", "cliff"):
        raise BadInputError(
            f'{unit.id}: floor needs inside = "upstairs" or "cliff"; write that, or leave floor out',
            field=f"{field}.floor",
        )
    if unit.points.final and not unit.points.used:
        raise BadInputError(
            f'{unit.id}: final needs used, the points used up; write `used`, or final = ""',
            field=f"{field}.final",
        )


def _check_spent(position: Position[AslUnit, AslConditions], unit: AslUnit, field: str) -> None:
    """Reject an expenditure of more than twice what such a unit, or a horse, ever has: a slip."""
    kind = type_of(position, unit)
    most = 2 * max(2 * kind.mp, halves("A13.34", "horse"))
    for name in ("spent", "used"):
        if getattr(unit.points, name) > most:
            raise BadInputError(
                f"{unit.id}: at most {points(most)} {name} are possible for its type, "
                f"got {points(getattr(unit.points, name))}",
                field=f"{field}.{name}",
            )


def check_progress(position: Position[AslUnit, AslConditions]) -> None:
    """
    Raise BadInputError for MF spent by Infantry that has not moved in its own MPh.

    A vehicle spends MP before it moves when units board it.
    """
    if position.phase != "MPh":
        return
    for number, unit in enumerate(position.units):
        is_mover = unit.side == position.side and type_of(position, unit).is_infantry
        if is_mover and unit.points.spent and unit.move.mph == "unmoved":
            raise BadInputError(
                f'{unit.id}: has spent {points(unit.points.spent)}; expected mph = "moving" (or "done")',
                field=f"units[{number}].mph",
            )


def _may_bypass(position: Position[AslUnit, AslConditions], unit: AslUnit) -> bool:
    """Return whether there is an obstacle to bypass at the unit's place."""
    if unit.at is None or not beside_row(position.board[unit.at]):
        return False
    on_foot = type_of(position, unit).is_personnel
    clear = bypass_sides(position.board, unit.at, vehicle=not on_foot)
    edge = unit.place.bypass or 0
    wanted = {edge, (edge + 1) % len(SPINES)} if on_foot else {edge}
    return clear is not None and not wanted.isdisjoint(clear)
