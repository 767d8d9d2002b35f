"""Crews that button up or become Crew Exposed (D5.33)."""

from __future__ import annotations

from typing import ClassVar, Literal

from marchtable.rules.facts import Case, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause, effect
from marchtable.state.action import Action
from marchtable.state.position import UnitId
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.occasions import at_phase
from marchtable_models.asl.verbs import Traits
from marchtable_models.asl.views.cargo import everybody
from marchtable_models.asl.views.reading import type_of
from marchtable_models.asl.views.standing import standing_of


class Hatch(Action, frozen=True, tag="hatch"):
    """The crew of an AFV buttons up or becomes Crew Exposed."""

    traits: ClassVar[Traits] = ("says", "still", "waiting")

    unit: UnitId
    to: Literal["bu", "ce"]


class HatchChange(Facts, frozen=True, gc=False):
    """A crew about to button up or become CE."""

    afv: bool
    bu: bool
    to_bu: bool
    hatched: bool  # it has already changed in this phase
    carrier: bool = False
    passengers: bool = False  # its vehicle has Passengers
    fired: bool = False  # in its MPh, and it or one of its PRC has fired in this Player Turn
    abandoned: bool = False  # the vehicle has no crew


@cases(Hatch)
def hatch_facts(position: AslPosition, action: Hatch) -> list[Case]:
    """Return the facts of a crew that buttons up or becomes CE."""
    unit = position.unit(action.unit)
    standing = standing_of(position, unit, "hatch")
    return [about(unit, standing), about(unit, hatch_change(position, unit, action))]


def hatch_change(position: AslPosition, unit: AslUnit, action: Hatch) -> HatchChange:
    """Return the facts of a crew's buttoning up or becoming CE."""
    kind = type_of(position, unit)
    aboard = everybody(position, unit)
    return HatchChange(
        afv=kind.afv,
        bu=unit.crew.bu,
        to_bu=action.to == "bu",
        hatched=unit.crew.hatched,
        carrier=kind.carrier,
        passengers=any(not (u.cargo.riding or u.crew.inherent) for u in aboard),
        fired=position.phase == "MPh"
        and any(u.status.fired or u.status.prep_fired for u in (unit, *aboard)),
        abandoned=unit.crew.abandoned,
    )


class HatchesChanged(Facts, frozen=True, gc=False):
    """A vehicle whose crew has changed its hatches, as a phase begins."""


@at_phase
def phase_facts(_: AslPosition, unit: AslUnit) -> HatchesChanged | None:
    """Return the facts of a vehicle whose crew has changed its hatches."""
    return HatchesChanged() if unit.crew.hatched else None


@clause("D5.33a", kind="action")
def hatch(facts: HatchChange, sheet: Sheet) -> None:
    """A crew can button up or become CE for free, once a phase."""
    if not facts.afv:
        sheet.bar("only the crew of an AFV can button up")
    elif facts.bu == facts.to_bu:
        sheet.bar("the hatches are already in that position")
    if facts.hatched:
        sheet.bar("the crew has already changed its hatches in this phase")
    if facts.abandoned and not facts.passengers:
        sheet.bar("nobody is aboard")
    sheet.force("bu", value=facts.to_bu)
    sheet.force("hatched", value=True)


@clause("D5.33c", kind="action")
def hatch_kept(facts: HatchChange, sheet: Sheet) -> None:
    """After a vehicle or its PRC fire, its hatches stay unchanged for its MPh."""
    if facts.fired:
        sheet.bar("the vehicle, or one of its PRC, has fired")


@clause("D5.33b", kind="state")
def hatch_ready(_: HatchesChanged, sheet: Sheet) -> None:
    """The crew can change its hatches again in another phase."""
    sheet.force("hatched", value=False)


@clause("D6.62d", kind="action")
def change_together(facts: HatchChange, sheet: Sheet) -> None:
    """Passengers become CE or BU with the crew."""
    if facts.afv and facts.passengers and not facts.carrier:
        sheet.exception("its Passengers become CE or BU with the crew")


@effect(Hatch)
def after_hatch(position: AslPosition) -> AslPosition:
    """Return the position unchanged: a clause applies the effect."""
    return position
