"""Turrets (D3.12): their facing."""

from __future__ import annotations

from typing import Annotated

import msgspec

from marchtable.rules.facts import Case, Edition, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause, effect
from marchtable.state.action import Event
from marchtable.state.position import UnitId
from marchtable_models.asl.corners import CORNERS, SPINES, Spine
from marchtable_models.asl.grants import deny, grant
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.rules.carriers import Carriage
from marchtable_models.asl.rules.riders import turning_facts
from marchtable_models.asl.views import reading
from marchtable_models.asl.views.carriage import is_own_mph
from marchtable_models.asl.views.chart import row_named
from marchtable_models.asl.views.overlay import site


class Traverse(Event, frozen=True, tag="tca"):
    """A turreted AFV points its turret along a hexspine."""

    unit: UnitId
    facing: Annotated[Spine, msgspec.Meta(description=CORNERS)]


class Slew(Facts, frozen=True, gc=False):
    """A vehicle about to turn its turret."""

    afv: bool
    turret: bool
    steps: int  # hexspines, clockwise, from its VCA to the new facing
    same: bool  # already the turret's facing
    idle: bool  # no crew is there, or able to turn it
    hard: bool  # in its own MPh, in terrain that doubles the cost of turning
    unspent: bool = False  # in its own MPh, with no MP spent


@cases(Traverse)
def traverse_facts(position: AslPosition, action: Traverse, edition: Edition) -> list[Case]:
    """Return the facts of a turret that turns, and of its Riders."""
    vehicle = position.unit(action.unit)
    found = [about(vehicle, slewing(position, vehicle, action.facing))]
    return found + turning_facts(position, vehicle, edition, "tca")


def slewing(position: AslPosition, vehicle: AslUnit, facing: str) -> Slew:
    """Return the facts of a turret about to turn to a hexspine."""
    kind, at = reading.type_of(position, vehicle), vehicle.at or ""
    ahead = SPINES.index(vehicle.facing) if vehicle.facing else 0
    steps = (SPINES.index(facing) - ahead) % len(SPINES)
    own = is_own_mph(position, vehicle)
    rows = site(position, at).ground.rows if at else ()
    return Slew(
        afv=kind.afv,
        turret=kind.turret,
        steps=steps,
        same=steps == vehicle.motion.turret,
        idle=not vehicle.crew.able,
        hard=own and any(row_named(row).hard_turn for row in rows),
        unspent=own and vehicle.points.spent == 0,
    )


@clause("D3.12", kind="effect")
def traverse(facts: Slew, sheet: Sheet) -> None:
    """A manned turret can turn to any hexspine, in its MPh as MP are spent."""
    if facts.same:
        sheet.bar("that is already its TCA")
    if facts.idle:
        sheet.bar("no crew is able to turn the turret")
    if facts.unspent and facts.turret:
        sheet.bar(
            "in its own MPh a vehicle changes its TCA only as it spends MP, and it spends none"
        )
    if facts.hard:
        sheet.unsupported("what a TCA change costs in woods or a building in the vehicle's own MPh")
    sheet.force("turret", facts.steps)


@clause("D6.62e", kind="state")
def no_tca(facts: Carriage | Slew, sheet: Sheet) -> None:
    """An AFV without a turret is BU or CE, but has no TCA."""
    if isinstance(facts, Slew):
        if not (facts.afv and facts.turret):
            sheet.bar("it has no turret, and so no TCA")
    elif facts.afv:
        if facts.turret:
            grant(sheet, "show a TCA", 1)
        else:
            deny(sheet, "show a TCA")


@effect(Traverse)
def after_traverse(position: AslPosition) -> AslPosition:
    """Return the position unchanged: a clause applies the new facing."""
    return position
