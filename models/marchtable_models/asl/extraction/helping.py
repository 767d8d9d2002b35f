"""Reads off a position the facts of an AFV that assists another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl.extraction.lines import kind_of as line_of
from marchtable_models.asl.extraction.unitkinds import type_of
from marchtable_models.asl.facts.helping import Assisting

if TYPE_CHECKING:
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["assisting"]


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
