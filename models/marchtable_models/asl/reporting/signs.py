"""ASL counters in pictures: the sign of each type, and a unit's facing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.rules.marks import Mark, lying, marks_of
from marchtable.state.records import replace
from marchtable_models.asl.data import marks
from marchtable_models.asl.model import SPINES
from marchtable_models.asl.reporting.seen import stands_in
from marchtable_models.asl.rules.phases import open_fights
from marchtable_models.asl.views.cargo import captives
from marchtable_models.asl.views.standing import fights
from marchtable_models.asl.views.unitkinds import type_of
from marchtable_models.asl.weapons import is_weapon, weapon_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable_models.asl.model import AslPosition, AslUnit
    from marchtable_models.asl.unittype import UnitType

MEN = {"squad": 3, "half-squad": 2, "smc": 1}
BY_CLASS = {
    "cavalry": "rider",
    **{name: name for name in ("motorcycle", "wagon", "crew", "wreck", "gun")},
}
BY_COLUMN = {"tr": "truck", "ht": "halftrack", "ac": "armored-car"}


def marker(position: AslPosition, unit: AslUnit) -> dict[str, Any]:
    """Return a unit's look in a picture, with its place in a Convoy or Column, and its SW."""
    kind, line = type_of(position, unit), unit.line.convoy or unit.line.column
    facing = None if unit.facing is None else 30.0 + 60.0 * SPINES.index(unit.facing)
    found = {
        "label": unit.id,
        "note": f"{line} {unit.line.rank}" if line else "",
        "marks": _marks(position, unit, kind),
        "style": "unknown" if stands_in(unit) else _sign(kind),
        "carried": unit.cargo.aboard or unit.cargo.towed_by or "",
        "aside": _aside(kind, unit),
        "facing": facing,
        "turret": None if facing is None else facing + 60.0 * unit.motion.turret,
        "sides": (unit.place.crest,) if unit.place.crest is not None else (),
    }
    return {**found, "men": MEN[kind.class_]} if kind.class_ in MEN else found


def _aside(kind: UnitType, unit: AslUnit) -> float | None:
    """Return the direction of a unit in Bypass off the hex's centre, in hexsides clockwise from N."""
    if unit.place.bypass is None:
        return None
    return float(unit.place.bypass) + (0.5 if kind.is_personnel else 0.0)


def shown(kind: str) -> dict[str, Any]:
    """Return the look in a picture of a counter on the map: a SW by its name."""
    if not is_weapon(kind):
        return lying(kind, marks()["counter"])
    weapon = weapon_of(kind)
    return {"text": f"{'dm ' if weapon.dm else ''}{weapon.name}"}


def headline(position: AslPosition) -> str:
    """Return a picture's text on the whole map: also Close Combats and Overruns without results."""
    found = [mark.sign for mark in marks_of(position.conditions, marks()["map"])]
    if position.phase == "CCPh" and (combats := [*open_fights(position)]):
        found.append(f"Close Combat in {'; '.join(combats)}")
    if position.phase == "MPh" and (attacks := [*_overruns(position)]):
        found.append(f"Overrun in {'; '.join(attacks)}: enter what it does, if anything")
    return ", ".join(found)


def _overruns(position: AslPosition) -> Iterator[str]:
    """Yield where a vehicle that has overrun enemies is still among some unharmed, with their names."""
    for unit in position.units:
        if unit.status.overran and unit.at is not None:
            enemies = [
                one.id for one in position.occupants[unit.at]
                if one.side != unit.side
                and not (one.concealment.concealed or one.status.broken or one.status.pinned)
                and type_of(position, one).class_ != "wreck"
            ]  # fmt: skip
            if enemies:
                yield f"{unit.at} ({unit.id} of {', '.join(enemies)})"


def tint(position: AslPosition) -> str:
    """Return the colour of ground cover: snow, mud."""
    found = marks_of(position.conditions, marks()["tint"])
    return found[-1].sign if found else ""


def _marks(position: AslPosition, unit: AslUnit, kind: UnitType) -> tuple[Mark, ...]:
    """Return a unit's place in its Location, its counter's marks, and its SW."""
    names = [
        *_where(unit),
        *_crew(unit, kind),
        *(["guard"] if unit.id in captives(position) else []),
        *(["melee"] if not unit.status.melee and fights(position, unit) else []),
    ]
    if unit.side != position.side:  # whether it has moved is of no account in the other's turn
        unit = replace(unit, mph="unmoved", conveyed=False)
    elif position.phase != "MPh" and unit.move.mph == "moving":  # its move has ended with the phase
        unit = replace(unit, mph="done")
    above = (unit.at or "").partition(":")[2]
    table = marks()["stated"]
    return (
        *([Mark(above, tone="place")] if above else []),
        *(
            Mark(*(part.replace("{}", str(unit.place.floor)) for part in table[name]))
            for name in names
        ),
        *marks_of(unit, marks()["unit"]),
        *(Mark(f"{'dm ' if weapon.dm else ''}{weapon.name}", tone="gear") for weapon in unit.sw),
    )


def _where(unit: AslUnit) -> list[str]:
    """Return a unit's place in its Location, as names of marks."""
    inside = unit.place.inside
    return ["level"] if inside == "upstairs" and unit.place.floor else [inside] if inside else []


def _crew(unit: AslUnit, kind: UnitType) -> list[str]:
    """Return whether an AFV's crew, if any, is BU or CE; an impaired one is not CE."""
    crew = unit.crew
    if not kind.afv or kind.class_ == "wreck" or crew.abandoned:
        return []
    return ["bu"] if crew.bu else [] if crew.stunned or crew.shocked else ["ce"]


def _sign(kind: UnitType) -> str:
    """Return the name of the sign of a type."""
    if kind.class_ in MEN:
        return "leader" if kind.leads else "foot"
    if kind.class_ != "vehicle":
        return BY_CLASS[kind.class_]
    if kind.turret or kind.column in BY_COLUMN or kind.role in ("tank", "tankette"):
        return BY_COLUMN.get(kind.column, "vehicle")
    return "carrier" if kind.pp or not kind.role else "assault-gun"
