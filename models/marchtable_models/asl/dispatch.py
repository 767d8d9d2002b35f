"""Which facts bear on an action, on how a roll came out, and on a phase that begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.judging import Case
from marchtable.state.action import Event
from marchtable_models.asl.cases.mphends import endings
from marchtable_models.asl.effects import acts as effects
from marchtable_models.asl.extraction import foot as foot_facts
from marchtable_models.asl.extraction.steps import hexes
from marchtable_models.asl.model import AslConditions, AslUnit, actors
from marchtable_models.asl.occasions import FIRE_OVER, LOSS, SPENDING
from marchtable_models.asl.rules.happenings import MINES

if TYPE_CHECKING:
    from marchtable.rules.edition import Edition
    from marchtable.rules.subjects import Subjects
    from marchtable.state.action import Action, Phase
    from marchtable.state.position import Obligation, Position

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["of_action", "of_outcome", "of_phase"]

GONE = ("eliminated", "dies")
"""How it comes out that a unit is no more."""


def of_action(position: AslPosition, action: Action, edition: Edition) -> list[Case]:
    """Return the facts that bear on an action."""
    subjects: Subjects = edition.subjects
    found = subjects.cases(position, action, edition)
    if isinstance(action, Event):
        return found
    unit = position.unit(actors(action)[0])
    return [*found, *subjects.ask(SPENDING, [], position, unit, found, edition)]


def of_outcome(
    position: AslPosition, obligation: Obligation, outcome: str, edition: Edition
) -> list[Case]:
    """Return the facts of a roll or choice that came out so, and of prisoners whose Guard it takes."""
    subjects: Subjects = edition.subjects
    found = subjects.settle_cases(position, obligation, outcome, edition)
    if outcome in GONE and obligation.id.partition(":")[0] not in MINES:
        found += subjects.ask(LOSS, [], position, position.unit(obligation.unit))
    return found


def of_phase(position: AslPosition, event: Phase, edition: Edition) -> list[Case]:
    """Return the facts of every unit as a phase begins, and of vehicles whose MPh it ends."""
    side = event.side or position.side
    new_turn = effects.begins_turn(position, event)
    over = [u for u in position.units if u.side == position.side] if position.phase == "MPh" else []
    first = [
        *endings(position, over, edition),
        *edition.subjects.phase_cases(position, event, edition),
    ]
    return [*first, *edition.subjects.ask(FIRE_OVER, [], position, True)] + [
        Case(
            (unit.id,),
            foot_facts.phase_start(position, unit, event.phase, side, new_turn=new_turn),
            hexes(unit.at),
        )
        for unit in position.units
    ]
