"""Better and better plans until there is none: what layers leave open is decided by CP-SAT."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.cpsat import Status, solve, weighted
from marchtable_models.asl.cpsat.column.dive import Capped, Dive
from marchtable_models.asl.cpsat.column.layers import NEVER, Layers, narrowed, total
from marchtable_models.asl.cpsat.column.program import Program

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel

    from marchtable.cpsat import Outcome, Profile
    from marchtable.planning.model import Control, Task
    from marchtable_models.asl.cpsat.column.field import Course
    from marchtable_models.asl.cpsat.column.model import ColumnModel

__all__ = ["Descent"]

CAP = 10_000
"""How many Impulses a dive may try before CP-SAT is asked."""
DIVE = 1e-4
"""Deterministic time that each that is looked into counts for."""
TRIES = 3
"""How often CP-SAT is asked for any better plan before it is asked for the best."""
TRY = 0.1
"""Deterministic time for each of these."""
SWEEP = 1e-6
"""Deterministic time that a step of the layers counts for when these are narrowed."""


class Descent:
    """
    The search for the best plan of one task.

    Parameters
    ----------
    model, task, control
        Whose plans, what they are asked to be, and what the planner lends.

    Attributes
    ----------
    top
        No plan's sum is larger; None if nothing is known.
    """

    def __init__(self, model: ColumnModel, task: Task, control: Control) -> None:
        self.model, self.task, self.control = model, task, control
        self.worth = model.worth
        self.weights = {name: weight for name, weight in task.weights.items() if weight}
        self.rows = self.worth.rows(task)
        self.step = self.worth.step(self.weights)
        self.top: int | None = None

    def run(self, best: Course | None) -> Course | None:
        """Return the best plan, one that fits being known or not; raises TimeoutError at a limit."""
        base = self._narrowed(self.model.layers, None)
        if base is None:
            return best
        begin = self.worth.total(self.model.start, self.weights)
        most = total(base, self.worth.row(self.weights, 0)) + self.worth.constant(self.weights)
        self.top = begin + (most - begin) // self.step * self.step
        self.control.bounded(self.top)
        tries = TRIES
        while best is None or self.top > self.worth.total(best, self.weights):
            least = None if best is None else self.worth.total(best, self.weights) + self.step
            layers = base if least is None else self._narrowed(base, least)
            if layers is None:
                break
            if tries == TRIES:
                try:
                    return self._dived(layers, least) or best
                except Capped:
                    best = self.model.best_known(self.task)
                    least = self.worth.total(best, self.weights) + self.step if best else least
            found = self._better(layers, least, tries)
            if found is None:
                break
            best = found
            tries -= 1
        return best

    def _narrowed(self, layers: Layers, least: int | None) -> Layers | None:
        """Return what is left of layers for plans whose sum comes to so much."""
        self._check(SWEEP * sum(len(edges) for layer in layers.edges for edges in layer))
        main = [] if least is None else [self.worth.row(self.weights, least)]
        return narrowed(layers, [*main, *self.rows])

    def _dived(self, layers: Layers, least: int | None) -> Course | None:
        """Return the best plan that comes to so much, None if there is none; raises Capped."""
        line, model = layers.line, self.model
        if not (line.follows and line.shares):
            raise Capped
        floor = NEVER if least is None else least
        rows = [self.worth.row(self.weights, floor), *self.rows]
        constant = self.worth.constant(self.weights)

        def worth(course: Course) -> int | None:
            fits = model.fits(course, self.task)
            return self.worth.total(course, self.weights) - constant if fits else None

        dive = Dive(
            layers, rows, self.step, worth=worth, check=self._check, found=self._found, cap=CAP
        )
        return dive.run(model.start)

    def _found(self, course: Course) -> None:
        self.model.known.append(course)
        self.control.found(self.model.log(course))

    def _check(self, time: float = DIVE) -> None:
        """Count time as used; raise TimeoutError at a limit."""
        if self.control.stop.is_requested or self.control.left() <= 0:
            raise TimeoutError
        self.control.spend(time)

    def _better(self, layers: Layers, least: int | None, tries: int) -> Course | None:
        """Return a plan whose sum comes to so much, without tries left the best; None if there is none."""
        program = Program(layers)
        self.model.cut(program)
        self.worth.state(program, self.task)
        if least is not None:
            self.worth.at_least(program, self.weights, least)
        sought = self.worth.sum(program, self.weights)
        model = program.model()
        if tries > 0 or not sought.terms:
            outcome = self._solved(model, "logic", TRY if sought.terms else None)
            if outcome.status is Status.IMPOSSIBLE:
                return None
            if outcome.status is not Status.UNKNOWN:
                return self._course(program, outcome)
            if not sought.terms:
                raise TimeoutError
        terms = [(model.get_bool_var_from_proto_index(x), w) for x, w in sought.terms]
        model.maximize(weighted(terms) + sought.constant)
        outcome = self._solved(model, "knapsack", None)
        if outcome.status is Status.IMPOSSIBLE:
            return None
        if outcome.bound is None or self.top is None:
            raise TimeoutError
        self.top = min(self.top, outcome.bound)
        course = self._course(program, outcome)
        if outcome.status is Status.FEASIBLE:
            raise TimeoutError
        return course

    def _solved(self, model: CpModel, profile: Profile, limit: float | None) -> Outcome:
        control = self.control
        left = max(0.0, control.left())
        bounded = control.bounded if model.has_objective() else None
        outcome = solve(
            model, profile, limit=left if limit is None else min(limit, left),
            stop=control.stop, seed=control.seed, bounded=bounded,
        )  # fmt: skip
        control.spend(outcome.time)
        return outcome

    def _course(self, program: Program, outcome: Outcome) -> Course:
        solution = outcome.solver.response_proto.solution
        course = program.course(lambda x: bool(solution[x]))
        self._found(course)
        return course
