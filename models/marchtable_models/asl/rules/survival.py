"""Survival (D6.9): PRC whose vehicle is destroyed, or hit by fire as they board or leave."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from marchtable.dice import two_dice_at_least
from marchtable.errors import BadInputError
from marchtable.rules.facts import Case, Edition, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause, effect, settles
from marchtable.state.action import Event
from marchtable.state.position import Obligation, Odds, UnitId
from marchtable.state.records import replace
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.occasions import PARTING, at_blow
from marchtable_models.asl.rules.happenings import StatedResult, after_event
from marchtable_models.asl.rules.manning import is_carrier_crew, named
from marchtable_models.asl.unittype import SupportWeapon
from marchtable_models.asl.views import reading
from marchtable_models.asl.views.cargo import everybody, mount_of
from marchtable_models.asl.views.carriage import is_in_bypass, is_own_mph
from marchtable_models.asl.views.mph_ends import stranded
from marchtable_models.asl.views.spending_facts import Counted


class Destroy(Event, frozen=True, tag="destroy"):
    """A vehicle is destroyed: in CC, by burning, or by anything else."""

    unit: UnitId
    by: Literal["fire", "cc", "burning"]


class Lost(Counted, frozen=True, gc=False):
    """PRC of a destroyed vehicle, the vehicle itself or the Gun it tows; half points."""

    part: str  # ``prc``, ``vehicle`` or ``gun``
    by: str  # ``fire``, ``cc``, ``burning``; ``""`` if unknown
    number: int  # the vehicle's Crew Survival number; 0 if unknown
    # the unit
    riding: bool
    broken: bool
    outcome: str = ""  # of its Survival DR, ``""`` before it
    bypass: bool = False  # its vehicle is in Bypass
    own_mph: bool = False  # in the vehicle's MPh
    shaken: bool = False  # it is the inherent crew of a Stunned or Shocked vehicle
    mp: int = 0  # the vehicle's printed MP
    used: int = 0  # MP that the vehicle has spent
    spent: int = 0  # MF that the unit has spent on foot
    mph: str = ""  # state of the vehicle's MPh
    carrier_crew: bool = False  # it is the half squad of a Carrier


class Shot(Facts, frozen=True, gc=False):
    """A unit pinned, broken or eliminated during an act that fire can undo."""

    act: str  # as in :class:`~marchtable_models.asl.model.AslUnit`
    part: str = "unit"  # else the ``vehicle`` or ``gun`` it was hitching
    hitch: tuple[str, ...] = ()  # that vehicle and Gun
    weapons: tuple[
        SupportWeapon, ...
    ] = ()  # SW that it gets back, if it was about to man a vehicle
    taken: tuple[str, ...] = ()  # armament that is off that vehicle again
    destroyed: bool = False  # its vehicle was destroyed, it was not hit itself


ENTERS = ("loads", "hooks", "mans")
"""Acts that get a unit aboard a vehicle."""


@cases(Destroy)
def destroying_facts(position: AslPosition, action: Destroy, edition: Edition) -> list[Case]:
    """Return the facts of a vehicle that is destroyed, of its PRC and of its line."""
    vehicle = position.unit(action.unit)
    if vehicle.facing is None:
        raise BadInputError(f"{vehicle.id} cannot be destroyed; expected a vehicle", field="unit")
    return [
        *_of_loss(position, vehicle, action.by),
        *edition.subjects.ask(PARTING, [], position, vehicle),
    ]


@at_blow
def blow_facts(position: AslPosition, event: StatedResult) -> list[Case]:
    """Return the facts of a unit hit during an act, and of the PRC of a lost vehicle."""
    unit = position.unit(event.unit)
    if mount_of(position, unit):
        return []
    if event.what in ("pinned", "broken", "eliminated") and unit.cargo.act:
        return _of_shot(position, unit)
    lost = event.what == "eliminated" and unit.facing is not None and unit.cargo.aboard is None
    return list(_of_loss(position, unit, "")) if lost else []


@settles("survival")
def survival_facts(position: AslPosition, obligation: Obligation, outcome: str) -> list[Case]:
    """Return the facts of a Survival DR's result."""
    unit = position.unit(obligation.unit)
    bypass, own = is_in_bypass(position, unit), is_own_mph(position, unit)
    riding, broken = unit.cargo.riding, unit.status.broken
    found = [about(unit, Lost("prc", "fire", 0, riding, broken, outcome, bypass, own))]
    return found + stranded(position, (unit,)) if bypass and outcome == "survives" else found


def _of_shot(position: AslPosition, unit: AslUnit) -> list[Case]:
    """Return the facts of a unit hit during an act, and of what it was about to hitch or man."""
    act, hitch = unit.cargo.act, unit.cargo.hitch
    if act != "mans":
        facts = Shot(act, "unit", hitch)
        hitched = zip(("vehicle", "gun"), map(position.unit, hitch), strict=False)
        return [
            about(unit, facts),
            *(about(one, replace(facts, part=part)) for part, one in hitched),
        ]
    name, *mounted = hitch
    vehicle = position.unit(name)
    weapons = named(reading.type_of(position, vehicle).armament, mounted)
    facts = Shot(act, weapons=weapons, taken=(*vehicle.crew.taken, *mounted))
    return [about(unit, facts), about(vehicle, replace(facts, part="vehicle"))]


def _of_loss(position: AslPosition, vehicle: AslUnit, by: str) -> Iterator[Case]:
    """Yield the facts of a lost vehicle, of its PRC and of its Gun."""
    aboard = everybody(position, vehicle)
    boarding = [unit for unit in aboard if unit.cargo.act in ENTERS]  # not aboard yet (D5.43)
    yield about(vehicle, _lost(position, vehicle, "vehicle", vehicle, by))
    for unit in aboard:
        if unit not in boarding:
            yield about(unit, _lost(position, vehicle, "prc", unit, by))
    towed = vehicle.cargo.towing
    for name in _unhooked(position, vehicle) if towed is None else [towed]:
        gun = position.unit(name)
        yield about(gun, _lost(position, vehicle, "gun", gun, by))
    for unit in boarding:
        struck = _of_shot(position, unit)[0].facts
        yield about(unit, replace(struck, destroyed=True))


def _unhooked(position: AslPosition, vehicle: AslUnit) -> list[str]:
    """Return the Gun that is being unhooked from a vehicle."""
    return [
        unit.cargo.hitch[1]
        for unit in position.beside(vehicle.at)
        if unit.cargo.act == "unhooks" and unit.cargo.hitch[0] == vehicle.id
    ]


def _lost(position: AslPosition, vehicle: AslUnit, part: str, unit: AslUnit, by: str) -> Lost:
    kind, crew = reading.type_of(position, vehicle), vehicle.crew
    return Lost(
        part,
        by,
        kind.survival,
        unit.cargo.riding,
        unit.status.broken,
        own_mph=is_own_mph(position, vehicle),
        shaken=unit.crew.inherent and (crew.stunned or crew.shocked or crew.dazed),
        mp=kind.mp * 2,
        used=vehicle.points.spent,
        spent=unit.points.spent,
        mph=vehicle.move.mph,
        carrier_crew=is_carrier_crew(position, unit, vehicle),
    )


# -- a destroyed vehicle -------------------------------------------------------------------------


def _checks(facts: Lost) -> bool:
    return facts.part == "prc" and facts.by not in ("cc", "burning") and not facts.outcome


@clause("D6.9c", kind="odds")
def broken_drm(facts: Lost, sheet: Sheet) -> None:
    """Broken PRC have a +1 to their Survival DR, and no other DRM applies."""
    if _checks(facts) and facts.broken:
        sheet.charge(2 * count("D6.9c", "broken"), "broken", "drm")
    if _checks(facts) and facts.shaken:
        sheet.unsupported("what Stun or Shock adds to the Survival DR of the inherent crew")


@clause("D6.9a", kind="odds")
def survival(facts: Lost, sheet: Sheet) -> None:
    """Each PRC unit makes a Survival DR, unless its vehicle burns or is destroyed in CC."""
    if facts.part != "prc":
        return
    if _checks(facts):
        if not facts.by or not facts.number:
            missing = "its type's survival number" if facts.by else "how the vehicle was destroyed"
            sheet.unsupported(f"{missing} is not stated")
            _off(facts, sheet)
            return
        dies, of = two_dice_at_least(facts.number - sheet.total("drm") // 2 + 1)
        odds = (Odds("survives", of - dies, of), Odds("dies", dies, of))
        sheet.roll("survival", odds, f"CS {facts.number}")
        if facts.own_mph:
            _on_foot(facts, sheet, sheet.reading("D6.9a"))
        return
    _off(facts, sheet)
    if facts.outcome != "survives":
        sheet.force("at", None)
        sheet.force("mph", "done")


def _off(facts: Lost, sheet: Sheet) -> None:
    """Force a unit to be aboard nothing."""
    sheet.force("aboard", None)
    sheet.force("inherent", value=False)
    sheet.force("act", "")
    if facts.riding:
        sheet.force("riding", value=False)


def _on_foot(facts: Lost, sheet: Sheet, reading: str) -> None:
    """Force the rest of the MPh on a unit, which matters only if it survives."""
    sheet.force("conveyed", value=True)
    sheet.force("road", value=False)
    mph = "moving" if facts.spent and facts.mph == "unmoved" else facts.mph
    sheet.force("mph", "done" if reading == "none" else mph)
    if reading == "quarters" and facts.mp:
        quarters = -(-count("D6.5a", "parts") * facts.used // facts.mp)
        gone = min(quarters * halves("D6.5b", "each"), halves("D6.5f", "most"))
        sheet.force("spent", max(facts.spent, gone))


@clause("A4.62c", kind="state")
def hazard_of_survivors(facts: Lost, sheet: Sheet) -> None:
    """A unit that survives the loss of its vehicle is under Hazardous Movement."""
    if facts.outcome == "survives" and sheet.reading("A4.62c") == "hazardous":
        sheet.force("hazardous", "survival")


@clause("D6.9b", kind="effect")
def no_bailing_out(facts: Lost, sheet: Sheet) -> None:
    """A Rider who survives has not bailed out."""
    if facts.riding and facts.outcome == "survives":
        sheet.exception("it has not bailed out: no NMC, and its SW are not checked")


@clause("D6.9d", kind="effect")
def sw_lost(facts: Lost, sheet: Sheet) -> None:
    """SW not possessed by surviving PRC are lost."""
    gone = facts.by in ("cc", "burning") or facts.outcome == "dies"
    if facts.part == "vehicle" or gone:
        sheet.force("sw", ())


@clause("C10.1d", kind="effect")
def gun_lost(facts: Lost, sheet: Sheet) -> None:
    """A Gun in tow, or being unhooked, is lost with its vehicle."""
    if facts.part == "vehicle":
        sheet.force("towing", None)
    elif facts.part == "gun":
        sheet.force("towed_by", None)
        sheet.force("at", None)


# -- hit during an act ---------------------------------------------------------------------------


@clause("D6.4j", kind="effect")
def fails_to_board(facts: Shot, sheet: Sheet) -> None:
    """A unit pinned or broken while boarding, or whose vehicle is destroyed, stays on foot."""
    if facts.part == "unit" and facts.act in ("loads", "hooks"):
        sheet.force("aboard", None)
        sheet.force("riding", value=False)
        if facts.destroyed:
            sheet.force("act", "")
            sheet.force("hitch", ())


@clause("D6.5j", kind="effect")
def leaves_all_the_same(facts: Shot, sheet: Sheet) -> None:
    """A unit pinned or broken while leaving its vehicle has left it."""
    if facts.part == "unit" and facts.act in ("unloads", "alights"):
        sheet.exception("it has left its vehicle all the same")


@clause("D5.43", kind="effect")
def hitch_undone(facts: Shot, sheet: Sheet) -> None:
    """A pinned, broken or lost crew has neither hooked up nor unhooked its Gun."""
    if facts.act not in ("hooks", "unhooks") or facts.part == "unit":
        return
    vehicle, gun = facts.hitch
    towed = facts.act == "unhooks"
    if facts.part == "vehicle":
        sheet.force("towing", gun if towed else None)
    else:
        sheet.force("towed_by", vehicle if towed else None)


@clause("D5.43b", kind="effect")
def fails_to_man(facts: Shot, sheet: Sheet) -> None:
    """A crew pinned, broken or lost with or while manning a vehicle has not manned it."""
    if facts.act != "mans":
        return
    if facts.part == "vehicle":
        sheet.force("abandoned", value=True)
        sheet.force("taken", facts.taken)
    elif facts.part == "unit":
        sheet.force("aboard", None)
        sheet.force("inherent", value=False)
        sheet.force("sw", facts.weapons)
        if facts.destroyed:
            sheet.force("act", "")
            sheet.force("hitch", ())


@effect(Destroy)
def after_destroying(position: AslPosition, action: Destroy) -> AslPosition:
    """Return the position after a vehicle has been destroyed."""
    return after_event(position, StatedResult(action.unit, "eliminated"))
