"""Carried units (D6.3): they go where their vehicle goes, and are revealed with it."""

from __future__ import annotations

from collections.abc import Sequence

from marchtable.codec.structs import points
from marchtable.errors import BadInputError
from marchtable.nearest import unknown
from marchtable.rules.facts import Case, Edition, Facts, Sheet, about
from marchtable.rules.subjects import beside, clause
from marchtable.rules.view import read
from marchtable.state.records import field_of
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.occasions import at_carrying, at_check
from marchtable_models.asl.rules.bog import BogResult
from marchtable_models.asl.views.cargo import carried_by
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.foot_facts import BOARDED, Detection
from marchtable_models.asl.views.mph_ends import stranded
from marchtable_models.asl.views.standing import Standing
from marchtable_models.asl.views.unitkinds import type_of

SENT_BACK = "sent back"
"""The event for Riders when concealed enemies send their AFV back."""
BOARDS = ("load", "mount", "portee")
"""Verbs by which a unit comes to be carried."""
ABOARD = (
    "lend",
    "unload",
    "dismount",
    "split",
    "hook",
    "unhook",
    "transfer",
    "recover",
    "end",
    "abandon",
)
"""The acts a unit aboard can take part in."""


class Haul(Facts, frozen=True, gc=False):
    """A load carried by a vehicle that is sent back, or has made a Bog Check."""

    outcome: str
    of: str  # as for :class:`BogResult`
    previous: str | None  # the Location that the vehicle came from


@beside(Entry)
def going_back_facts(position: AslPosition, unit: AslUnit, facts: Entry) -> list[Case]:
    """Return the facts of units aboard one sent back, and of those it meets in Bypass there."""
    detour = facts.detour
    if detour is None or detour.sham:
        return []
    back = Haul(SENT_BACK, of="", previous=detour.before)
    to = () if detour.before is None else (detour.before,)
    found = [Case((rider.id,), back, to) for rider in carried_by(position, unit)]
    return found if detour.bypass is None else found + stranded(position, (unit,))


@beside(BogResult)
def bogging_facts(position: AslPosition, unit: AslUnit, facts: BogResult) -> list[Case]:
    """Return the facts of the load of a vehicle that has made a Bog Check."""
    haul = Haul(facts.outcome, facts.of, facts.previous)
    return [about(other, haul) for other in carried_by(position, unit)]


@at_carrying
def showing_facts(
    position: AslPosition, vehicle: AslUnit, facts: Entry, edition: Edition
) -> list[Case]:
    """Return the facts of units aboard a vehicle that loses concealment as it enters (A12.2c)."""
    if not vehicle.concealment.concealed:
        return []
    if not any(each.field == "concealed" for each in edition.judge(facts).forced):
        return []
    loses = [unit for unit in carried_by(position, vehicle) if unit.concealment.concealed]
    return [about(unit, Detection(BOARDED)) for unit in loses]


@at_check
def check_this_phase(position: AslPosition, unit: AslUnit, field: str) -> None:
    """Raise BadInputError for a hitch to a missing unit, and for more MP lost than spent."""
    named = unit.cargo.hitch[:1] if unit.cargo.act == "mans" else unit.cargo.hitch
    if (unit.cargo.act == "mans" and not named) or not position.index.keys() >= set(named):
        raise BadInputError(
            _no_hitch(position, unit, named),
            field=f"{field}.hitch",
        )
    if unit.points.lost > unit.points.spent:
        raise BadInputError(
            f"{unit.id}: lost is part of spent, so at most {points(unit.points.spent)} MP; "
            f"got {points(unit.points.lost)}",
            field=f"{field}.lost",
        )


def _no_hitch(position: AslPosition, unit: AslUnit, named: Sequence[str]) -> str:
    """Return the message that rejects a hitch that is empty or names no unit."""
    missing = next((name for name in named if name not in position.index), None)
    if missing is None:
        return f"{unit.id}: act = 'mans' needs a hitch, with the vehicle's name"
    return f"{unit.id}: {unknown('unit', missing, position.index, where=' here')}"


@at_check
def check_entry(position: AslPosition, unit: AslUnit, field: str) -> None:
    """Raise BadInputError for an arrival turn other than that of the unit's carrier or tower."""
    carrier = position.index.get(unit.cargo.aboard or unit.cargo.towed_by or "")
    if unit.at is not None or carrier is None or not unit.offboard.entry_turn:
        return
    turn = position.units[carrier].offboard.entry_turn
    if unit.offboard.entry_turn != turn:
        raise BadInputError(
            f"{unit.id}: it enters with its carrier, in turn {turn or 'none'}, "
            f"got {unit.offboard.entry_turn}",
            field=f"{field}.entry_turn",
        )


@at_check
def check_aboard(position: AslPosition, unit: AslUnit, field: str) -> None:
    """Raise BadInputError for a unit aboard nothing, or aboard something that cannot carry it."""
    if unit.cargo.aboard is None:
        _check_afoot(unit, field)
        return
    if is_survival_due(position, unit):
        return
    field = f"{field}.aboard"
    name = str(unit.cargo.aboard)
    vehicle = position.unit(name) if name in position.index else None
    kind = None if vehicle is None else type_of(position, vehicle)
    guards = position.unit(unit.cargo.guard).side if unit.cargo.guard in position.index else ""
    if (
        vehicle is None
        or kind is None
        or vehicle.side not in (unit.side, guards)
        or not (kind.mounts or (kind.is_vehicle and kind.class_ != "motorcycle"))
    ):
        if vehicle is not None and kind is not None and kind.class_ in ("cavalry", "motorcycle"):
            said = (
                f"{unit.id}: {name!r} has the type {vehicle.type!r}, one unit with its riders; units "
                "can ride cycles, horses and other mounts"
            )
        elif kind is not None and kind.class_ == "gun":
            said = (
                f"{unit.id}: {name!r} is a Gun, which carries nobody; a crew at its Gun has the same "
                "`at`, without aboard"
            )
        else:
            said = f"{unit.id}: {unknown('vehicle', name, _carriers(position, unit), where=' of its side')}"
        raise BadInputError(said, field=field)
    if vehicle.at != unit.at:
        raise BadInputError(
            f"{unit.id}: it is aboard {name}, which is in {vehicle.at or '-'}, got at = "
            f"{unit.at or '-'!r}; write the same for both",
            field=field,
        )
    if not type_of(position, unit).is_infantry:
        raise BadInputError(
            f"{unit.id}: only Personnel can be aboard a vehicle; leave aboard out", field=field
        )


def is_survival_due(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether a unit's survival of its vehicle's loss is still unknown."""
    return any(one.id == f"survival:{unit.id}" for one in position.pending)


def _check_afoot(unit: AslUnit, field: str) -> None:
    for name, what in (("inherent", "is its inherent crew"), ("riding", "rides on it")):
        if field_of(unit, name):
            raise BadInputError(
                f"{unit.id}: a unit that {what} needs aboard, the vehicle's name",
                field=f"{field}.{name}",
            )


def _carriers(position: AslPosition, unit: AslUnit) -> list[str]:
    """List the vehicles and mounts of the unit's side."""
    kinds = {one.id: type_of(position, one) for one in position.units if one.side == unit.side}
    return [
        name
        for name, kind in kinds.items()
        if name != unit.id and (kind.mounts or (kind.is_vehicle and kind.class_ != "motorcycle"))
    ]


class Aboard(Standing):
    """A unit that is carried or in tow, about to act."""

    carrier: str = read(lambda actor: actor.unit.cargo.aboard or actor.unit.cargo.towed_by or "")
    left_by: str = read(lambda actor: _left_by(actor.position, actor.unit))

    is_relevant = property(lambda self: bool(self.carrier))


def _left_by(position: AslPosition, unit: AslUnit) -> str:
    """Return the verb by which a unit leaves what carries it, with that if it names it; "" on its own."""
    if name := unit.cargo.towed_by:
        return "portee" if position.unit(name).cargo.laden else "unhook"
    if name := unit.cargo.aboard:
        mounts = type_of(position, position.unit(name)).mounts
        return f"dismount {name}" if mounts else "abandon" if unit.crew.inherent else "unload"
    return ""


@clause("D6.3b", kind="state")
def carried(facts: Aboard | Haul, sheet: Sheet) -> None:
    """A carried unit goes where its vehicle goes, and moves on foot only after leaving it."""
    if isinstance(facts, Haul):
        if facts.outcome == SENT_BACK:
            sheet.force("at", facts.previous)
            sheet.force("concealed", value=False)
        bogged = facts.outcome == "bogged" and facts.of and facts.previous
        if bogged and (facts.of == "leaving" or sheet.reading("D8.21c") == "left"):
            sheet.force("at", facts.previous)
    elif facts.carrier and facts.verb in BOARDS:
        sheet.bar(f"{facts.carrier} carries it already")
    elif facts.carrier and facts.verb not in ABOARD:
        sheet.bar(f"{facts.carrier} carries it: move {facts.carrier}, or `{facts.left_by}` first")
