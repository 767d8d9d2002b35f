"""Why a Convoy cannot do what it must, by the same deletion loop with CP-SAT's default parameters."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.convoy_peers import watched
from marchtable.planning.line.layers import Layers, alone
from marchtable.planning.line.logic import Logic
from marchtable.planning.line.neighbours import in_pairs
from marchtable_models.asl.cpsat.convoy import why

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable.planning.line.states import Course
    from marchtable.rules.plan_model import Control

__all__ = ["asked_plainly"]


class Plain(why.Question):
    """A question put to CP-SAT as it comes, over all that reach leaves, or over our layers."""

    until = 0.0
    in_layers = False

    def allows(self, control: Control) -> bool:
        """Tell whether the musts can be met; raises TimeoutError at the limit."""
        del control
        layers = self._narrowed() if self.in_layers else self._reached()
        if layers is None:
            return False
        logic = Logic(self.field, layers, halted=self.field.halted)
        self.ends.state(logic)
        self.limits.state(logic, 0)
        while True:
            course = self._by_default(logic)
            if course is None:
                return False
            back = [each for each in self.cuts.breaks(course) if each[0] in self.backs]
            for each in sorted(back):
                self.cuts.not_back(logic, *each)
            if not back:
                return True

    def _narrowed(self) -> Layers | None:
        wanted, alike = self.limits.wanted(0), self.ends.all_alike
        found = alone(self.field, wanted, self.ends.may_end, alike=alike)
        return found and in_pairs(self.field, wanted, found, self.ends)

    def _reached(self) -> Layers:
        field = self.field
        ends = field.masks.copy()
        ends[: field.count * field.size] = 0
        return Layers(field.masks, ends, np.zeros(0, np.int64))

    def _by_default(self, logic: Logic) -> Course | None:
        from ortools.sat.python import cp_model

        model, solver = logic.model(), cp_model.CpSolver()
        if "Invalid domain" in model.validate():  # a sum that cannot be reached
            return None
        solver.parameters.num_workers = 1
        with watched(self.until, solver.stop_search):
            status = solver.solve(model)
        if status == cp_model.INFEASIBLE:
            return None
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            raise TimeoutError
        return logic.course(solver.response_proto.solution)


@contextmanager
def asked_plainly(limit: float, *, in_layers: bool) -> Iterator[None]:
    """Put every question so, for so many seconds of process time in all."""
    module: Any = why
    ours = module.Question
    Plain.until, Plain.in_layers = time.process_time() + limit, in_layers
    module.Question = Plain
    try:
        yield
    finally:
        module.Question = ours
