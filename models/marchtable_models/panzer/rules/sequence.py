"""Phases and turns: their order, and what the start of a turn ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from marchtable.rules.facts import Facts, Sheet
from marchtable.rules.subjects import begins, clause, phase_cases
from marchtable.state.action import Phase
from marchtable.state.records import replace
from marchtable_models.panzer.model import PHASES, PanzerPosition, PanzerUnit


class Succession(Facts, frozen=True):
    """
    A phase that begins: whether it follows the one that ends, in the same side's turn.

    ``known``: whether the side it names is in the game.
    """

    same_side: bool
    later: bool
    known: bool


class Start(NamedTuple):
    """The start of a phase, for a unit."""

    phase: str  # the new phase
    own: bool  # it is a phase of the unit's side
    new_turn: bool  # a turn begins with it

    @property
    def own_turn(self) -> bool:
        """Whether the turn of the unit's side begins with it."""
        return self.own and self.new_turn

    @property
    def own_movement(self) -> bool:
        """Whether it is the movement phase of the unit's side."""
        return self.own and self.phase == "Movement"


@phase_cases
def phase_facts(position: PanzerPosition, event: Phase) -> Succession:
    """Return the facts of the new phase after the old one."""
    sides = {position.side, position.conditions.first_side, *(u.side for u in position.units)}
    return Succession(
        same_side=(event.side or position.side) == position.side,
        later=PHASES.index(event.phase) > PHASES.index(position.phase),
        known=not event.side or event.side in sides,
    )


@clause("PB.sequence", kind="action")
def follows(facts: Succession, sheet: Sheet) -> None:
    """Phases follow in order; empty phases can be skipped; a turn follows the other side's."""
    if not facts.known:
        sheet.bar("no such side is in the game")
    elif facts.same_side and not facts.later:
        sheet.bar("this phase does not come after the one that ends")


def start_of(position: PanzerPosition, event: Phase) -> Start:
    """Return the start of a phase, for a unit of the side whose phase it is."""
    side = event.side or position.side
    new_turn = side != position.side or PHASES.index(event.phase) < PHASES.index(position.phase)
    return Start(event.phase, own=True, new_turn=new_turn)


def begun(
    position: PanzerPosition, event: Phase, changes: Callable[[PanzerUnit, Start], dict[str, Any]]
) -> PanzerPosition:
    """Return the position as a phase begins; ``changes`` gives the changed fields of a unit."""
    side, start = event.side or position.side, start_of(position, event)
    units = [
        replace(unit, **changes(unit, start._replace(own=unit.side == side)))
        for unit in position.units
    ]
    goes_up = start.new_turn and side == position.conditions.first_side
    return replace(
        position.with_units(units), phase=event.phase, side=side, turn=position.turn + goes_up
    )


@begins
def past(unit: PanzerUnit, start: Start) -> dict[str, Any]:
    """Mark acts of this phase as past: earlier in the turn, or in an earlier turn."""
    if start.own_turn:
        return {"handled": "", "fired": ""}
    earlier = {"now": "earlier"}
    return {name: earlier.get(was := getattr(unit, name), was) for name in ("handled", "fired")}
