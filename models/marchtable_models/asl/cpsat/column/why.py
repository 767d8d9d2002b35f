"""Why a Column cannot do what it must: clauses that bar it, as few as together forbid it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.clause import without
from marchtable.planning.model import Proposal
from marchtable.planning.reasons import clauses_against
from marchtable.referee import check
from marchtable_models.asl.clauses.columnlimits import keeps_together
from marchtable_models.asl.clauses.columns import ahead_only, waiting_to_disband
from marchtable_models.asl.clauses.impulses import all_can_pay, shared_expenditure
from marchtable_models.asl.cpsat.column.lead import followed, lead_ways
from marchtable_models.asl.cpsat.column.model import ColumnModel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable.action import Action
    from marchtable.planning.model import Control, Reason, Task

__all__ = ["conflict"]

OF_THE_LINE = (ahead_only, keeps_together, all_can_pay, shared_expenditure, waiting_to_disband)


class _Replayed(ColumnModel):
    """The model under the clauses that are on here; what it proposes has stood before the referee."""

    def best(self, task: Task, control: Control) -> Proposal:
        """Return a plan that does what it must, if there is one."""
        for log in self._followed():
            if self._stands(log):
                return Proposal("OPTIMAL", log, None)
        if self._is_out_of_reach():
            return Proposal("IMPOSSIBLE", None, None)
        while True:
            proposal = super().best(task, control)
            if proposal.log is None or self._stands(proposal.log):
                return proposal
            self.refuse(proposal.log, check(self.position, proposal.log))

    def _followed(self) -> Iterator[tuple[Action, ...]]:
        yield ()
        for way in lead_ways(self.field):
            course = followed(self.field, way)
            if course is not None and self.worth.meets(course):
                yield self.log(course)

    def _stands(self, log: tuple[Action, ...]) -> bool:
        verdict = check(self.position, log)
        return verdict.status == "LEGAL" and self.worth.measure.of(verdict).is_kept

    def _is_out_of_reach(self) -> bool:
        """Tell whether too few units can come to where a must wants them, each by itself."""
        reach = [{state.at for state in states} for states in self.field.domains[-1]]
        return any(
            sum(
                max(self.worth.held(r, at, demand.aim) for at in places)
                for r, places in enumerate(reach)
            )
            < demand.needed
            for demand in self.worth.demands
        )


def conflict(model: ColumnModel, control: Control) -> tuple[Reason, ...] | None:
    """
    Return a minimal set of clauses that forbid the goal's musts, verified; None at a limit.

    Lifted are those of the line, and those that bar a step with these lifted; what steps cost, and
    what is never asked about, is the background.
    """

    def made() -> _Replayed:
        told = (model.rulebook, model.position, model.goal, model.line.units)
        return _Replayed(*told, impulses=model.most, rolls=model.rolls)

    among = {clause.id for clause in OF_THE_LINE}
    while True:
        with without(*among):
            barring = made().line.barring
        if barring <= among:
            return clauses_against(model.position, made, control, among=among)
        among |= barring
