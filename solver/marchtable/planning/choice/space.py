"""The base of plan models that are choices: CP-SAT chooses until the choice can be played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic

from marchtable.cpsat.harness import Status
from marchtable.planning.choice.aims import demands, gains, idle_of, still
from marchtable.planning.choice.model import ChoiceModel
from marchtable.planning.choice.options import ClauseRows, Learned, Opt, Problem
from marchtable.planning.reasons import Explained
from marchtable.planning.score import Measure
from marchtable.rules.plan_model import Proposal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from marchtable.planning.choice.model import Chosen
    from marchtable.planning.choice.options import Occupancy, Row
    from marchtable.rules.plan_model import Control, Rolls, Score, Task
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal
    from marchtable.state.position import Position

__all__ = ["ChoiceSpace"]

CALL, OPTION, CUT = 0.005, 0.00001, 0.0005
"""Deterministic time charged for building a model: once, per option, and per cut."""


class ChoiceSpace(Explained, Generic[Opt]):
    """
    A plan model in which units choose options.

    A rulebook's space lists the options and their constraints, replays the choice, and learns what
    is wrong with it.

    Parameters
    ----------
    position, goal, rolls
        The position, the checked goal, and the policy for rolls.

    Attributes
    ----------
    learned
        What replays showed.
    is_unsure
        Whether plans were excluded without a proof that they fail.
    found
        During a search: takes interim plans.
    """

    def __init__(self, position: Position[Any, Any], goal: Goal, rolls: Rolls) -> None:
        self.position, self.goal, self.rolls = position, goal, rolls
        self.measure = Measure(position, goal)
        self.learned: Learned[Opt] = Learned()
        self.is_unsure = False
        self.found: Callable[[tuple[Action, ...]], None] = lambda _: None

    @property
    def problem(self) -> Problem[Opt]:
        """The options to choose from."""
        raise NotImplementedError

    def problem_of(self, task: Task) -> Problem[Opt]:  # noqa: ARG002 - most list the same for any task
        """Return the options to choose from for a task."""
        return self.problem

    def log_of(self, found: Chosen[Opt], task: Task) -> tuple[Action, ...] | None:
        """Return the choice as a log, or None, after learning why, if it cannot be played."""
        raise NotImplementedError

    def stated(
        self, options: Sequence[Any], rows: Sequence[Row], turns: Occupancy, more: Sequence[Any] = ()
    ) -> Problem[Opt]:  # fmt: skip
        """
        Return the problem of some options.

        Parameters
        ----------
        options
            They also state the ends of their units (``stands``), and how many move (``moved``).
        rows
            The demands of the stacking clauses.
        more
            Options that leave no unit anywhere, numbered after the others.
        """
        idle = idle_of(self.position, {name for option in options for name in option.units})
        wanted = demands(self.measure, [option.stands for option in options], idle)
        scores = [*map(self._score, options), *({} for _ in more)]
        rules = ClauseRows(stacking=rows, demands=[*wanted])
        return Problem([*options, *more], scores, still(self.measure, idle), rules, turns)

    def _score(self, option: Any) -> Score:
        """Compute an option's contribution to each criterion."""
        value, distance = gains(self.measure, option.stands)
        counted: Score = {"exposure": option.exposure, "points": option.points}
        return {"value": value, "distance": distance, "moved": option.moved, **counted}

    def best(self, task: Task, control: Control) -> Proposal:
        """Return the best choice that no cut excludes and that can be played."""
        bound: int | None = None
        self.found = control.found
        while not control.stop.is_requested and control.left() > 0:
            problem = self.problem_of(task)
            is_sure = not self.is_unsure
            bounded = control.bounded if is_sure else None
            found = ChoiceModel(problem, self.learned).solve(task, control, bound, bounded)
            control.spend(CALL + OPTION * len(problem.options) + CUT * len(self.learned.cuts))
            outcome = found.outcome
            if outcome.status is Status.IMPOSSIBLE:
                return Proposal("IMPOSSIBLE" if is_sure else "UNKNOWN", None, None)
            if outcome.bound is not None and is_sure:
                bound = outcome.bound
                control.bounded(bound)
            if outcome.objective is None:
                break
            log = self.log_of(found, task)
            if log is not None:
                is_proved = outcome.status is Status.OPTIMAL and is_sure
                return Proposal("OPTIMAL" if is_proved else "FEASIBLE", log, bound)
        return Proposal("UNKNOWN", None, bound)
