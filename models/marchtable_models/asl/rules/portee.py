"""Guns en portee (C10.5): loaded onto a vehicle by their crew, carried and unloaded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import msgspec

from marchtable.rules.facts import Bill, Case, Edition, Facts, Sheet, about
from marchtable.rules.judging import paid_by_unit
from marchtable.rules.subjects import cases, clause, effect
from marchtable.state.action import Action, Fellow
from marchtable.state.position import UnitId
from marchtable.state.records import replace
from marchtable_models.asl.data import halves
from marchtable_models.asl.effects.acting import begun, paying
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.rules.capacity import Hold, hold
from marchtable_models.asl.rules.towing import NO_GUN, Hitch, gun_misfit
from marchtable_models.asl.verbs import Traits
from marchtable_models.asl.views import spending
from marchtable_models.asl.views.mph_ends import interrupted
from marchtable_models.asl.views.standing import standing_of
from marchtable_models.asl.views.unitkinds import type_of


class Portee(Action, frozen=True, tag="portee"):
    """
    A crew loads a Gun onto a vehicle in its Location to be carried en portee, or unloads it.

    Add this entry only after no fire has prevented it.
    """

    traits: ClassVar[Traits] = ("still",)

    unit: UnitId
    piece: Fellow
    crew: Fellow


class EnPortee(Facts, frozen=True, gc=False):
    """A vehicle, its crew or its Gun during loading or unloading en portee; half points."""

    part: str  # ``vehicle``, ``crew`` or ``gun``
    unloads: bool  # the vehicle already carries that Gun
    misfit: (
        str  # what of the supposed Gun is wrong: its ``kind``, ``side`` or ``place``, or ``tow``
    )
    ready: bool  # limbered, or it need not be
    noted: bool  # the vehicle is noted for Guns of its caliber
    tows: bool  # the vehicle tows or carries a Gun
    halted: bool  # the vehicle is stopped and not in Bypass
    spent: int  # by the vehicle in this MPh
    crew: bool  # a friendly crew is there, on foot and not in an entrenchment
    fit: bool  # that crew is in Good Order, not pinned
    mf: int  # MF of the crew
    used: int  # MF it has spent


@cases(Portee)
def portee_facts(position: AslPosition, action: Portee, edition: Edition) -> list[Case]:
    """Return the facts of a Gun loaded or unloaded en portee."""
    vehicle, crew = position.unit(action.unit), position.unit(action.crew)
    gun = position.unit(action.piece)
    found = [about(unit, standing_of(position, unit, "portee")) for unit in (vehicle, crew)]
    facts = portee(position, vehicle, gun, crew, edition)
    for part, unit in (("vehicle", vehicle), ("crew", crew), ("gun", gun)):
        found.append(about(unit, msgspec.structs.replace(facts, part=part)))
    if not facts.unloads and vehicle.facing is not None:
        after = replace(vehicle, towing=gun.id, laden=True)
        found.append(about(vehicle, hold(position, after)))
    return found + interrupted(position, (vehicle,), edition)


def portee(
    position: AslPosition, vehicle: AslUnit, gun: AslUnit, crew: AslUnit, edition: Edition
) -> EnPortee:
    """Return the facts of a Gun being loaded onto a vehicle by a crew, or unloaded."""
    piece, unloads = type_of(position, gun), vehicle.cargo.laden and vehicle.cargo.towing == gun.id
    afoot = crew.cargo.aboard is None and not crew.place.inside
    state = crew.status
    return EnPortee(
        part="",
        unloads=unloads,
        misfit=gun_misfit(position, vehicle, gun)
        or ("tow" if gun.cargo.towed_by is not None and not unloads else ""),
        ready=unloads or piece.qsu or gun.cargo.limbered,
        noted=0 < piece.mm == vehicle.cargo.portee,
        tows=vehicle.cargo.towing is not None,
        halted=not vehicle.motion.moving and vehicle.place.bypass is None,
        spent=vehicle.points.spent,
        crew=afoot
        and type_of(position, crew).class_ == "crew"
        and (crew.at, crew.side) == (vehicle.at, vehicle.side),
        fit=state.good_order and not state.pinned,
        mf=spending.allotment(position, crew, edition),
        used=crew.points.spent,
    )


@clause("C10.5a", kind="action")
def noted(facts: EnPortee, sheet: Sheet) -> None:
    """Only a vehicle noted for its caliber carries a Gun en portee, and then tows none."""
    if facts.part != "vehicle":
        return
    if facts.misfit:
        sheet.bar(NO_GUN.get(facts.misfit, "the Gun is in tow; it is unhooked first"))
    elif not facts.unloads and not facts.noted:
        sheet.bar("the vehicle is not noted for a Gun of its caliber; state it with `portee`")
    if facts.tows and not facts.unloads:
        sheet.bar("the vehicle has another Gun")


@clause("C10.5b", kind="capacity", after=("E11.3a",))
def room(facts: Hold, sheet: Sheet) -> None:
    """A Gun en portee leaves 5 PP for Passengers."""
    if facts.laden:
        sheet.charge(min(0, halves("C10.5", "pp") - 2 * facts.pp), "a Gun en portee", "room")


@clause("C10.5c", kind="action")
def not_unhooked(facts: Hitch, sheet: Sheet) -> None:
    """A Gun en portee is unloaded, not unhooked."""
    if facts.laden:
        sheet.bar("the Gun is en portee: `portee` unloads it")


@clause("C10.51", kind="action")
def by_whom(facts: EnPortee, sheet: Sheet) -> None:
    """A Good Order crew in the Location, on foot and not entrenched, loads and unloads a Gun en portee."""
    if facts.part == "crew" and not facts.crew:
        sheet.bar("it is not a crew on foot in the Location")
    elif facts.part == "crew" and not facts.fit:
        sheet.bar("the crew is not in Good Order or is pinned")


@clause("C10.51b", kind="action")
def nothing_spent(facts: EnPortee, sheet: Sheet) -> None:
    """A vehicle that loads or unloads a Gun en portee is stopped, not in Bypass, and has spent no MP in that MPh."""
    if facts.part != "vehicle":
        return
    if not facts.halted:
        sheet.bar("the vehicle has not stopped, or is in Bypass")
    if facts.spent:
        sheet.bar("the vehicle has spent MP", 0, facts.spent, halves=True, points="MP")


@clause("C10.51c", kind="action")
def limbered(facts: EnPortee, sheet: Sheet) -> None:
    """A Gun without QSU must be limbered to be loaded en portee."""
    if facts.part == "gun" and not facts.misfit and not facts.ready:
        sheet.bar("the Gun is not limbered")


@clause("C10.51d", kind="cost", composes="end")
def all_mf(facts: EnPortee, sheet: Sheet) -> None:
    """Loading or unloading a Gun en portee takes all MF of the crew, by Hazardous Movement."""
    if facts.part != "crew":
        return
    if facts.used:
        sheet.bar("the crew has spent MF", 0, facts.used, halves=True, points="MF")
    sheet.charge(facts.mf - facts.used, "a Gun en portee", "portee")
    sheet.force("hazardous", "en-portee")


@clause("C10.51e", kind="effect")
def all_ti(facts: EnPortee, sheet: Sheet) -> None:
    """Loading or unloading a Gun en portee makes crew and vehicle TI and ends their MPh."""
    if facts.part != "gun":
        sheet.force("ti", value=True)
        sheet.force("mph", "done")


@effect(Portee)
def after_portee(position: AslPosition, action: Portee, bills: Sequence[Bill]) -> AslPosition:
    """Return the position after a Gun has been loaded en portee, or unloaded."""
    vehicle, crew = position.unit(action.unit), position.unit(action.crew)
    gun, loads = position.unit(action.piece), not vehicle.cargo.laden
    changed = [
        replace(vehicle, towing=gun.id if loads else None, laden=loads),
        paying(crew, paid_by_unit(bills)),
        replace(gun, towed_by=vehicle.id if loads else None),
    ]
    return begun(position, [vehicle], changed)
