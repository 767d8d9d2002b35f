"""Why a Column cannot do what it must: clauses that bar it, as few as together forbid it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.planning.reasons import Family, Question, clauses_against
from marchtable.rules.clause import without
from marchtable_models.asl.blame import BLAMABLE
from marchtable_models.asl.clauses.lines.columnlimits import keeps_together
from marchtable_models.asl.clauses.lines.columns import ahead_only, waiting_to_disband
from marchtable_models.asl.clauses.vehicles.impulses import all_can_pay
from marchtable_models.asl.cpsat.column.model import ColumnModel
from marchtable_models.asl.cpsat.lined import bars_on

if TYPE_CHECKING:
    from marchtable.rules.plan_model import Control, Reason

__all__ = ["conflict"]

OF_THE_LINE = (ahead_only, keeps_together, all_can_pay, waiting_to_disband)


ROUND = 0.01  # deterministic time that finding out what bars a step counts for, each time


def conflict(model: ColumnModel, control: Control) -> tuple[Reason, ...] | None:
    """
    Return a minimal set of clauses that forbid the goal's musts, verified; None at a limit.

    Lifted are those of the line, those that bind units whatever the map is like, and those that bar
    the line or a step with these lifted; what steps cost, and what is never asked about, is the
    background.
    """

    def made() -> ColumnModel:
        told = (model.rulebook, model.position, model.goal, model.line.units)
        return ColumnModel(*told, impulses=model.impulses, rolls=model.rolls)

    likely = tuple(clause.id for clause in OF_THE_LINE)
    among = {*likely, *BLAMABLE}
    while True:
        if control.stop.is_requested or control.left() <= 0:
            return None
        control.spend(ROUND)
        with without(*among):
            bars = bars_on(model.rulebook, model.position, model.line.units)
            barring = made().line.barring.union(bar.clause for bar in bars)
        if barring <= among:
            break
        among |= barring
    question = Question(model.position, model.goal, model.rolls, made, control)
    return clauses_against(question, Family(tuple(among), likely, bearing=model.space.left_out))
