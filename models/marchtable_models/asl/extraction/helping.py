"""Reads off a position the facts of an AFV that assists another, and of smoke dispensers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl.clauses.terrain.chart import row_named
from marchtable_models.asl.extraction.cargo import everybody
from marchtable_models.asl.extraction.lines import kind_of as line_of
from marchtable_models.asl.extraction.overlay import site
from marchtable_models.asl.extraction.unitkinds import type_of
from marchtable_models.asl.facts.helping import Assisting, Dispensing

if TYPE_CHECKING:
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit
    from marchtable_models.asl.verbs.vehicles import Dispense

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["assisting", "dispensing"]


def assisting(position: AslPosition, helper: AslUnit, bogged: AslUnit, allotment: int) -> Assisting:
    """Return the facts of a vehicle that is to assist a bogged one, with so many half MP."""
    kind, crew = type_of(position, helper), helper.crew
    hindered = crew.bu or crew.abandoned or crew.stunned or crew.shocked or crew.recalled
    stuck = helper.motion.moving or helper.motion.bogged or helper.motion.immobile
    tired = helper.status.prep_fired or helper.status.fired or helper.status.ti
    return Assisting(
        fit=kind.afv
        and (helper.at, helper.side) == (bogged.at, bogged.side)
        and helper.id != bogged.id
        and not (hindered or stuck or tired or line_of(helper)),
        fresh=helper.move.mph == "unmoved" and not helper.points.spent,
        tons=kind.tons,
        bogged_tons=type_of(position, bogged).tons,
        allotment=allotment,
    )


def dispensing(
    position: AslPosition, unit: AslUnit, action: Dispense, allotment: int
) -> Dispensing:
    """Return the facts of a try of a smoke dispenser by a vehicle with so many half MP."""
    crew, kind, told = unit.crew, type_of(position, unit), position.conditions
    indoors = unit.at is not None and row_named(site(position, unit.at).ground.here).closed
    return Dispensing(
        kind=action.kind,
        usage=action.usage,
        afv=kind.afv,
        armed=kind.armed,
        open_topped=kind.open_topped,
        washed=(told.rain or told.mud or told.deep_snow) and not indoors,
        sound=not (crew.abandoned or crew.stunned or crew.shocked),
        bu=crew.bu,
        fired=any(
            u.status.fired or u.status.prep_fired for u in (unit, *everybody(position, unit))
        ),
        tried=crew.dispensed,
        left=allotment - unit.points.spent,
        own_turn=unit.side == position.side,
    )
