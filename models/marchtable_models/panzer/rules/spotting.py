"""Spotting in concealing terrain, and the optional movement that avoids it."""

from __future__ import annotations

from collections.abc import Iterator

from marchtable.rules.facts import Case, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause
from marchtable_models.panzer.model import PanzerPosition, PanzerUnit
from marchtable_models.panzer.rules.hits import Hit
from marchtable_models.panzer.rules.movement import Move, Payment
from marchtable_models.panzer.rules.overruns import Overrun
from marchtable_models.panzer.views.ground import coming_on, lie, row_named, terrain_of
from marchtable_models.panzer.views.travel import Going, steps
from marchtable_models.panzer.views.units import type_of

OPTIONAL = "concealed-movement"


class Driving(Facts, frozen=True):
    """A vehicle that enters concealing terrain openly."""


class Creeping(Facts, frozen=True):
    """A step by concealed movement: whether the rule is in play, the hex conceals, the unit is a vehicle."""

    in_play: bool
    concealing: bool
    vehicle: bool


class Hidden(Facts, frozen=True):
    """A unit fired at in concealing terrain: whether it can be spotted anyway."""

    spotted: bool


def _conceals(going: Going) -> bool:
    position, unit, to, _, _ = going
    board = position.board
    crossing = lie(board, unit.at, to) if unit.at is not None else coming_on(board, to)
    row = row_named(position.conditions, crossing.there)[0]
    return row is not None and row.concealing


@cases(Move, Overrun)
def steps_facts(position: PanzerPosition, action: Move | Overrun) -> Iterator[Case]:
    """Yield the facts of vehicles that enter concealing terrain, and of concealed steps."""
    for going in steps(position, action):
        vehicle = type_of(position, going.unit).is_vehicle
        if isinstance(action, Move) and action.concealed:
            in_play = OPTIONAL in position.conditions.optional
            facts = Creeping(in_play, _conceals(going), vehicle)
            yield about(going.unit, facts, going.to)
        elif vehicle and _conceals(going):
            yield about(going.unit, Driving(), going.to)


@cases(Hit)
def hit_facts(position: PanzerPosition, action: Hit) -> Hidden | None:
    """Return the facts of spotting a unit in concealing terrain; mines need not see it."""
    unit = position.unit(action.unit)
    if unit.at is None or action.fire == "mines":
        return None
    row = row_named(position.conditions, terrain_of(position.board[unit.at]))[0]
    if row is None or not row.concealing:
        return None
    carrier = position.unit(unit.aboard) if unit.aboard is not None else unit
    return Hidden(unit.exposed or carrier.exposed or _beside_enemy(position, unit))


def _beside_enemy(position: PanzerPosition, unit: PanzerUnit) -> bool:
    """Return whether an enemy that can spot is adjacent to a unit."""
    return any(
        other.side != unit.side
        and not other.dispersed
        and other.aboard is None
        and type_of(position, other).class_ != "C"
        for _, name in position.board.neighbours(str(unit.at))
        for other in position.occupants.get(name, ())
    )


@clause("P.move-b", kind="state")
def concealing(facts: Driving, sheet: Sheet) -> None:
    """A vehicle that enters concealing terrain can be spotted and hit there."""
    sheet.force("exposed", True)


@clause("P.opt-c", kind="cost", composes="end")
def concealed(facts: Creeping | Payment, sheet: Sheet) -> None:
    """Optional concealed movement: an adjacent concealing hex, for the whole movement factor and unspotted; vehicles only out of the enemies' sight."""
    if isinstance(facts, Payment):
        if facts.concealed:
            if facts.entered or facts.spent:
                sheet.bar("it has moved in this phase")
            sheet.charge(max(0, facts.allotment - facts.cost), "all that it has")
            sheet.force("final", True)
        return
    if not facts.in_play:
        sheet.bar("the scene does not use this optional rule")
    if not facts.concealing:
        sheet.bar("the hex does not conceal")
    if facts.vehicle:
        sheet.exception("no enemy that may spot is taken to see the hex it leaves")


@clause("PB.spotting", kind="state")
def spotted(facts: Hidden, sheet: Sheet) -> None:
    """In concealing terrain only a spotted unit can be fired on."""
    if not facts.spotted:
        sheet.bar("it is in concealing terrain and not spotted")
