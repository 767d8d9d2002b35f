"""What keeps a Convoy where it is, whatever it would do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.budget import OverLimit
from marchtable.planning.reasons import Question, Unmodelled, Unproved, unproved
from marchtable.rules.plan_model import Reason
from marchtable_models.asl.cpsat.lined import bars_on

if TYPE_CHECKING:
    from marchtable.rules.plan_model import Control
    from marchtable_models.asl.cpsat.convoy.model import ConvoyModel

__all__ = ["holding"]


def holding(model: ConvoyModel, control: Control) -> tuple[Reason, ...]:
    """
    Return the clauses that let a Convoy make no Impulse at all.

    A single one is proved if there is a plan without it; of several each would do alone.
    """
    units: dict[str, tuple[str, ...]] = {}
    for bar in bars_on(model.rulebook, model.position, model.line):
        units[bar.clause] = tuple(dict.fromkeys((*units.get(bar.clause, ()), *bar.units)))
    reasons = tuple(Reason(clause=clause, units=named) for clause, named in units.items())
    if len(reasons) != 1:
        return unproved(reasons)
    question = Question(model.position, model.goal, model.rolls, model.anew, control)
    try:
        is_proved = question.plan(tuple(units), ()) is not None
    except (Unproved, Unmodelled, OverLimit):
        is_proved = False
    return reasons if is_proved else unproved(reasons)
