"""Phases (A3): their order in a Player Turn, and what each one ends and begins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from marchtable.rules.facts import Case, Edition, Facts, Sheet
from marchtable.rules.subjects import clause, phase_cases
from marchtable.state.action import Phase
from marchtable_models.asl.effects.acting import begins_turn
from marchtable_models.asl.model import PHASES, AslPosition
from marchtable_models.asl.occasions import FIRE_OVER, PHASE
from marchtable_models.asl.views.mph_ends import endings


class PhaseBegins(NamedTuple):
    """A phase that begins."""

    phase: str
    side: str  # side whose Player Turn it is
    new_turn: bool  # a new Player Turn begins with it


class PhaseOrder(Facts, frozen=True, gc=False):
    """A phase that begins."""

    later: bool  # whether it comes after the one that ends, or in another Player Turn
    # side, sides: whose Player Turn it is of, and the sides that the scene names
    side: str
    sides: tuple[str, ...]


@phase_cases
def phase_facts(position: AslPosition, event: Phase, edition: Edition) -> Iterator[Case]:
    """Yield the facts of a phase that begins, of the MPhs it ends, and of each unit."""
    side = event.side or position.side
    later = PHASES.index(event.phase) > PHASES.index(position.phase)
    named = {position.side, position.conditions.first_side, *(unit.side for unit in position.units)}
    sides = tuple(sorted(named - {""}))
    yield Case((), PhaseOrder(later or side != position.side, side, sides), ())
    if position.phase == "MPh":
        over = [unit for unit in position.units if unit.side == position.side]
        yield from endings(position, over, edition)
    yield from edition.subjects.ask(FIRE_OVER, [], position, True)
    begins = PhaseBegins(event.phase, side, begins_turn(position, event))
    for unit in position.units:
        yield from edition.subjects.ask(PHASE, [unit], position, unit, begins)


@clause("A3", kind="action")
def phase_order(facts: PhaseOrder, sheet: Sheet) -> None:
    """Phases of a Player Turn follow in order; phases without actions can be left out."""
    if not facts.later:
        sheet.bar("it does not come after this phase, in this side's Player Turn")


@clause("A3b", kind="action")
def side_of_scene(facts: PhaseOrder, sheet: Sheet) -> None:
    """A Player Turn belongs to one of the scene's two sides."""
    if len(facts.sides) > 1 and facts.side not in facts.sides:  # the side that is not stated
        sheet.bar("the scene has no such side", " or ".join(facts.sides), facts.side)
