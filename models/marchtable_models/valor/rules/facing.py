"""Facing: turning, and directions of vehicle movement (6.5, 7)."""

from __future__ import annotations

from collections.abc import Sequence

from marchtable.rules.facts import Bill, Facts, Sheet
from marchtable.rules.judging import paid_by_unit
from marchtable.rules.subjects import cases, clause, effect, resets
from marchtable.state.position import UnitId
from marchtable.state.records import replace
from marchtable_models.valor.data import figure
from marchtable_models.valor.model import FACINGS, Facing, ValorPosition
from marchtable_models.valor.rules.leaving import Leaving
from marchtable_models.valor.rules.movement import Mobile, Travel, stopped
from marchtable_models.valor.rules.terrain import CHART, Step
from marchtable_models.valor.views.ground import FULL_TURN
from marchtable_models.valor.views.units import kind_of


class Turn(Travel, frozen=True, tag="turn"):
    """A vehicle, AFV or Gun turns to face another hexside of its hex."""

    unit: UnitId
    facing: Facing


COSTS = ("V10.7a", "V10.10", "V20.3", "V6.10b", *(entry.id for entry in CHART))
"""Clauses that charge for a step."""


class Turning(Facts, frozen=True):
    """A unit that turns."""

    # its kind, and the phase
    kind: str
    phase: str
    sides: int  # hexsides turned
    # it is moving; it has turned in this hex
    under_way: bool
    turned: bool


@cases(Turn)
def turn_facts(position: ValorPosition, action: Turn) -> Turning | None:
    """Return the facts of a unit's turn."""
    unit = position.unit(action.unit)
    if unit.at is None:
        return None
    off = (FACINGS.index(action.facing) - FACINGS.index(unit.facing or "N")) % FULL_TURN
    sides = min(off, FULL_TURN - off)
    return Turning(kind_of(position, unit), position.phase, sides, unit.moving, unit.turned)


@clause("V6.5", kind="cost")
def turning(facts: Turning, sheet: Sheet) -> None:
    """A vehicle or AFV turns once for each hex it enters: one hexside for free, each further one for 1 MP."""
    if facts.kind == "infantry":
        sheet.bar("infantry has no facing")
    if not facts.sides:
        sheet.bar("it faces there already")
    if facts.phase != "Movement":
        return
    if facts.turned:
        sheet.bar("it has turned in this hex")
    if facts.kind in ("vehicle", "afv") and (facts.under_way or sheet.reading("A25") == "yes"):
        further = max(0, facts.sides - figure("V6.5", "free"))
        sheet.charge(2 * further * figure("V6.5", "more"), "turning")


@clause("V7.3", kind="action")
def in_place(facts: Turning, sheet: Sheet) -> None:
    """A unit that turns in place does nothing else."""
    still = facts.phase == "Movement" and not facts.under_way
    if still and (facts.kind == "gun" or sheet.reading("A25") == "no"):
        sheet.force("moving", False)


@clause("V5.35", kind="action")
def advancing(facts: Mobile | Turning, sheet: Sheet) -> None:
    """In the Advance and Assault Phase a unit advances one hex at any cost; vehicles, AFVs and Guns turn one hexside."""
    if facts.phase != "AdvanceAndAssault":
        return
    if not isinstance(facts, Turning):
        if facts.verb == "advance" and (facts.advanced or facts.turned):
            sheet.bar("it has advanced or turned in this phase")
        return
    most = figure("V5.35", "turn")
    if facts.sides > most:
        sheet.bar("it turns farther than it can now", most, facts.sides)
    if facts.turned:
        sheet.bar("it has turned in this phase")


@clause("V7.2", kind="cost", after=COSTS)
def direction(facts: Step | Leaving, sheet: Sheet) -> None:
    """Vehicles and AFVs go ahead, or reverse at double cost; infantry and Guns go in any direction."""
    if facts.way == "aside":
        sheet.bar("it neither faces that hex nor turns its back to it")
    elif facts.way == "behind":
        sheet.charge((figure("V7.2", "reverse") - 1) * sheet.total(), "in reverse")


@effect(Turn)
def after_turn(
    position: ValorPosition, action: Turn, bills: Sequence[Bill]
) -> ValorPosition | None:
    """Return the position with a unit turned, None if it is off the map."""
    unit = position.unit(action.unit)
    if unit.at is None:
        return None
    turned = replace(unit, facing=action.facing, turned=True)
    if position.phase != "Movement":
        return position.with_units([turned])
    spent = unit.spent + paid_by_unit(bills).get(unit.id, 0)
    moved = replace(turned, moved=True, moving=True, spent=spent)
    return position.with_units([*stopped(position, unit.side, [unit.id]), moved])


anew = resets(turned=False)
