"""Loading and unloading in ``options``: which units could board what and where, and what is left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.checking import Checks, hold
from marchtable.codec.structs import points
from marchtable.reachability.reach import reach
from marchtable.state.records import replace
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.hooks import equivalence
from marchtable_models.asl.rules import loading
from marchtable_models.asl.rules.loading import Load
from marchtable_models.asl.rules.unloading import Unload
from marchtable_models.asl.views.cargo import conveyance
from marchtable_models.asl.views.ground import lie
from marchtable_models.asl.views.reading import type_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from marchtable.rules.rulebook import Rulebook
    from marchtable.rules.ruling import Ruling
    from marchtable.rules.travel import ReachedStates
    from marchtable.state.action import Action
    from marchtable_models.asl.model import AslConditions, AslPosition, AslUnit

    Book = Rulebook[AslUnit, AslConditions]


class BoardingProspect(NamedTuple):
    """What boarding leaves a unit of its MF, and the vehicle of its MP, and how many these were."""

    left: float
    mp: float
    whole: float


CLAUSES = (loading.kept.id, loading.board.id)
AS_RIDERS = " as Riders"
MOST_KEPT = 20_000  # ways to board cached per board


def _kept(book: Book, ruling: Ruling, vehicle: str) -> tuple[float, float] | None:
    """Return the MP a vehicle has left after a step, and its whole allotment."""
    after = ruling.after
    if after is None:
        return None
    unit = after.unit(vehicle)
    whole = book.allotment(after, unit)
    return points(max(0, whole - unit.points.spent)), points(whole)


def details(book: Book, position: AslPosition, action: Action) -> list[dict[str, Any]]:
    """Return the MP a vehicle keeps after units have boarded or left it."""
    if not isinstance(action, (Load, Unload)) or not action.units or position.pending:
        return []
    units = [position.unit(name) for name in action.units]
    name = action.onto if isinstance(action, Load) else conveyance(position, units[0]).id
    if position.unit(name).facing is None:
        return []
    kept = _kept(book, book.rule(position, action), name)
    if kept is None:
        return []
    kind = book.points(position, position.unit(name))
    what = f"{kind} that {name} keeps, of {kept[1]:g}"
    return [{"what": what, "value": kept[0], "parts": [], "outcomes": []}]


# -- boarding prospects --------------------------------------------------------------------------


def prospects(
    book: Book, position: AslPosition, found: ReachedStates, known: Mapping[str, ReachedStates]
) -> list[dict[str, Any]]:
    """Return the vehicles a unit could board in this MPh, or the units that could board it."""
    unit = position.unit(found.unit.id)
    if position.phase != "MPh" or unit.side != position.side or unit.at is None:
        return []
    if _boards(position, unit):
        return [
            entry
            for other in position.units
            if other.facing is not None and other.side == unit.side
            for entry in _boarding(book, position, found, other)
        ]
    if unit.facing is None or unit.motion.moving:
        return []
    near = [
        other
        for other in _boarders(position, unit.side)
        if other.id in known or _could_come(book, position, other, unit)
    ]
    waiting = [other.id for other in near if other.id not in known]
    if waiting:
        known = {**known, **dict(zip(waiting, reach(position, waiting), strict=True))}
    return [
        {
            **entry,
            "unit": other.id,
            "what": f"be boarded by {other.id}{AS_RIDERS * entry['what'].endswith(AS_RIDERS)}",
        }
        for other in near
        for entry in _boarding(book, position, known[other.id], unit)
    ]


def _boards(position: AslPosition, unit: AslUnit) -> bool:
    return (
        type_of(position, unit).is_infantry
        and unit.cargo.aboard is None
        and unit.move.mph != "done"
    )


def _boarders(position: AslPosition, side: str) -> list[AslUnit]:
    """Return a side's units that might board something."""
    known: dict[str, list[AslUnit]] = position.notes.setdefault("boarders", {})
    if side not in known:
        known[side] = [
            unit
            for unit in position.units
            if unit.side == side and unit.at is not None and _boards(position, unit)
        ]
    return known[side]


def _could_come(book: Book, position: AslPosition, unit: AslUnit, vehicle: AslUnit) -> bool:
    """
    Return whether a unit has the MF for the distance.

    No hex costs less than one, unless the unit moves on skis or bicycles, and units that board do
    not Double Time (A4.5c).
    """
    most = 2 * count("A4.5", "most")
    if not unit.status.gear:
        most = book.allotment(position, unit) - book.spent(unit) + halves("B3.4", "bonus")
    return 2 * position.board.distance(str(unit.at), str(vehicle.at)) <= most


def _boarding(
    book: Book, position: AslPosition, found: ReachedStates, vehicle: AslUnit
) -> Sequence[dict[str, Any]]:
    """Return how a unit could board a vehicle, as Passengers and as Riders, with the most MF left."""
    if vehicle.at not in found.locations:
        return ()
    known = found.notes.setdefault("boarding", {})  # asked of the unit and the vehicle
    if vehicle.id not in known:
        known[vehicle.id] = [
            {
                "what": f"board {vehicle.id}{AS_RIDERS * riding}",
                "unit": vehicle.id,
                "at": vehicle.at,
                "left": boarded.left,
                "note": (
                    f"{found.unit.id} would have {boarded.left:g} MF left, {vehicle.id} "
                    f"{boarded.mp:g} of {boarded.whole:g} {book.points(position, vehicle)}"
                ),
                "clauses": list(CLAUSES),
            }
            for riding in (False, True)
            if (boarded := _first(book, position, found, vehicle, riding=riding)) is not None
        ]
    return known[vehicle.id]  # type: ignore[no-any-return]


def _first(
    book: Book, position: AslPosition, found: ReachedStates, vehicle: AslUnit, *, riding: bool
) -> BoardingProspect | None:
    """Return the result of boarding from a unit's best place, if any."""
    unit, at = position.unit(found.unit.id), str(vehicle.at)
    known: dict[Hashable, BoardingProspect | None] = position.board.notes.setdefault("boarded", {})
    if len(known) >= MOST_KEPT:
        known.clear()
    around = _around(book, position, unit, vehicle)
    for place in found.places_at(at):
        boarder = unit
        if unit.at != place.at or unit.points.spent != place.spent:
            moved = book.in_mode(unit, place.at, place.mode)
            boarder = replace(moved, spent=place.spent)
        own = None if around is None else equivalence.alone(position.board, boarder)
        key = (riding, around, own)
        if own is None or key not in known:
            boarded = _tried(book, position, boarder, vehicle, riding=riding)
            if own is not None:
                known[key] = boarded
        else:
            boarded = known[key]
            if Checks.on:
                ruled = _tried(book, position, boarder, vehicle, riding=riding)
                who = f"{unit.id} {vehicle.id}"
                hold("boarding", boarded, ruled, key=key, position=position, action=who)
        if boarded is not None:
            return boarded
    return None


def _around(book: Book, position: AslPosition, unit: AslUnit, vehicle: AslUnit) -> Hashable:
    """Return all that boarding depends on besides the unit's state; None if unknown."""
    at = str(vehicle.at)
    crowd = equivalence.occupancy(position, at)
    if crowd is None or position.conditions.night or book.is_bound(position, unit):
        return None
    beside = position.beside(at)
    inside = beside.index(unit) if unit.at == at else None
    edition = book.edition(position)
    there = equivalence.elsewhere(position, unit, edition)
    waits = (equivalence.waiting(position, unit), equivalence.waiting(position, vehicle))
    spot = lie(position.board, at, at)
    return (edition, there, crowd, beside.index(vehicle), inside, waits, spot)


def _tried(
    book: Book, position: AslPosition, boarder: AslUnit, vehicle: AslUnit, *, riding: bool
) -> BoardingProspect | None:
    """Return the result of boarding once the unit is at the vehicle, None if it cannot."""
    if boarder is not position.unit(boarder.id):
        position = position.with_units([boarder])
    ruling = book.rule(position, Load((boarder.id,), vehicle.id, riding))
    kept = _kept(book, ruling, vehicle.id) if ruling.is_legal else None
    if kept is None or ruling.after is None:
        return None
    after = ruling.after.unit(boarder.id)
    return BoardingProspect(points(book.allotment(ruling.after, after) - after.points.spent), *kept)
