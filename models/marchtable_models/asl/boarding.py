"""What ``options`` tells of loading and unloading: who could board what where, and what is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.reach import reach
from marchtable.structs import points
from marchtable_models.asl.carrying import Load, Unload
from marchtable_models.asl.data import count
from marchtable_models.asl.survey import type_of
from marchtable_models.asl.survey_transport import conveyance

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from marchtable.action import Action
    from marchtable.position import Position
    from marchtable.reach import Place, Reach
    from marchtable.rulebook import Rulebook
    from marchtable.ruling import Ruling
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]
    Book = Rulebook[AslUnit, AslConditions]

__all__ = ["details", "prospects"]

CLAUSES = ("D6.4c", "D6.4d")


def _kept(book: Book, ruling: Ruling, vehicle: str) -> tuple[float, float] | None:
    """Return the MP that a vehicle has left after a step, and how many quarters of its MP they are."""
    after = ruling.after
    if after is None:
        return None
    unit = after.unit(vehicle)
    whole = book.allotment(after, unit)
    left = max(0, whole - unit.spent)
    return points(left), (count("D6.4c", "parts") * left / whole if whole else 0)


def details(book: Book, position: AslPosition, action: Action) -> list[dict[str, Any]]:
    """Return what a vehicle keeps of its MP once units have boarded, or left it."""
    if not isinstance(action, (Load, Unload)) or not action.units or position.pending:
        return []
    units = [position.unit(name) for name in action.units]
    name = action.onto if isinstance(action, Load) else conveyance(position, units[0]).id
    if position.unit(name).facing is None:
        return []
    kept = _kept(book, book.rule(position, action), name)
    if kept is None:
        return []
    told = ((f"MP that {name} keeps", kept[0]), (f"quarters that {name} keeps", kept[1]))
    return [{"what": what, "value": value, "parts": [], "outcomes": []} for what, value in told]


# -- who could board what, where -------------------------------------------------------------------


def prospects(
    book: Book, position: AslPosition, found: Reach, known: Mapping[str, Reach]
) -> list[dict[str, Any]]:
    """Return the vehicles that a unit could board this MPh, or the units that could board it."""
    unit = position.unit(found.unit.id)
    if position.phase != "MPh" or unit.side != position.side or unit.at is None:
        return []
    if _boards(position, unit):
        vehicles = [other for other in position.units if _takes(unit, other)]
        return [
            entry for vehicle in vehicles for entry in _boarding(book, position, found, vehicle)
        ]
    if unit.facing is None or unit.moving:
        return []
    near = [other for other in position.units if _could_come(position, other, unit)]
    waiting = [other.id for other in near if other.id not in known]
    reaches = {**known, **dict(zip(waiting, reach(position, waiting), strict=True))}
    return [
        {
            **entry,
            "unit": other.id,
            "what": f"be boarded by {other.id}{' outside' * (' outside' in entry['what'])}",
        }
        for other in near
        for entry in _boarding(book, position, reaches[other.id], unit)
    ]


def _boards(position: AslPosition, unit: AslUnit) -> bool:
    return type_of(position, unit).is_infantry and unit.aboard is None and unit.mph != "done"


def _takes(unit: AslUnit, other: AslUnit) -> bool:
    return other.facing is not None and other.at is not None and other.side == unit.side


def _could_come(position: AslPosition, unit: AslUnit, vehicle: AslUnit) -> bool:
    if unit.at is None or unit.side != vehicle.side or not _boards(position, unit):
        return False
    return position.board.distance(unit.at, vehicle.at or "") <= count("A4.5", "most")


def _boarding(
    book: Book, position: AslPosition, found: Reach, vehicle: AslUnit
) -> Iterator[dict[str, Any]]:
    """Yield how a unit could board a vehicle, inside or outside: with the most MF left."""
    for riding in (False, True):
        for place in found.places_at(vehicle.at or ""):
            entry = _tried(book, position, found, vehicle, place, riding=riding)
            if entry is not None:
                yield entry
                break


def _tried(
    book: Book,
    position: AslPosition,
    found: Reach,
    vehicle: AslUnit,
    place: Place,
    *,
    riding: bool,
) -> dict[str, Any] | None:
    """Return what comes of boarding as the unit comes to the vehicle, None if it cannot so."""
    unit = position.unit(found.unit.id)
    if unit.at != place.at or unit.spent != place.spent:
        moved = book.in_mode(unit, place.at, place.mode)
        position = position.with_units([msgspec.structs.replace(moved, spent=place.spent)])
    ruling = book.rule(position, Load((unit.id,), vehicle.id, riding))
    kept = _kept(book, ruling, vehicle.id) if ruling.is_legal else None
    if kept is None or ruling.after is None:
        return None
    after = ruling.after.unit(unit.id)
    return {
        "what": f"board {vehicle.id}{' outside' * riding}",
        "unit": vehicle.id,
        "at": place.at,
        "left": points(book.allotment(ruling.after, after) - after.spent),
        "note": f"{vehicle.id} keeps {kept[0]:g} MP, {kept[1]:g} quarters",
        "clauses": list(CLAUSES),
    }
