"""Proposals put to the referee: only what stands this trial is ever called a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.action import Event, Phase, Settle, verb_of
from marchtable.errors import InternalError
from marchtable.notation import format_action
from marchtable.planning.rolls import passing
from marchtable.planning.score import Measure
from marchtable.referee import check
from marchtable.rulebook import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Mapping

    from marchtable.action import Action
    from marchtable.planning.goal import Criterion, Goal
    from marchtable.planning.model import Rolls, Task
    from marchtable.planning.score import Measured
    from marchtable.position import Position
    from marchtable.ruling import Verdict

__all__ = ["Judge", "Trial", "fits", "worth_under"]

MEMORY = 1000


class Trial(NamedTuple):
    """
    A log, what the referee says of it and what it comes to.

    Parameters
    ----------
    log, verdict, measured
        The three.
    stands
        Whether it is legal, settles all its rolls as the policy wants it, does all that the goal
        demands and nothing that it forbids.
    """

    log: tuple[Action, ...]
    verdict: Verdict
    measured: Measured
    stands: bool


class Judge:
    """
    The referee of one goal's proposals; it remembers what it was shown.

    Parameters
    ----------
    position, goal
        The goal is checked.
    rolls
        What becomes of rolls.
    """

    def __init__(self, position: Position[Any, Any], goal: Goal, rolls: Rolls) -> None:
        self.position, self.rolls = position, rolls
        self.measure = Measure(position, goal)
        self._seen: dict[tuple[Action, ...], Trial] = {}

    def trial(self, log: tuple[Action, ...]) -> Trial:
        """Return the trial of a log."""
        known = self._seen.get(log)
        if known is None:
            if len(self._seen) >= MEMORY:
                self._seen.clear()
            known = self._seen[log] = self._tried(log)
        return known

    def _tried(self, log: tuple[Action, ...]) -> Trial:
        for action in log:
            if isinstance(action, Event) and not isinstance(action, Settle | Phase):
                raise InternalError(f"a plan proposes what nobody chooses: {format_action(action)}")
        verdict = check(self.position, log)
        measured = self.measure.of(verdict)
        rolled = any(ruling.obligations for ruling in verdict.rulings)
        stands = (
            verdict.status == "LEGAL"
            and verdict.stopped is None
            and not verdict.position.pending
            and not (rolled and (self.rolls == "avoid" or not self._is_passed(verdict)))
            and measured.is_kept
        )
        return Trial(log, verdict, measured, stands)

    def leaner(self, trial: Trial) -> Trial:
        """Return a trial without acts that its rulebook would spare and that it is as good without."""
        spared = find_rulebook(self.position.rulebook).spared
        if not trial.stands or not spared:
            return trial
        for number in reversed(range(len(trial.log))):
            if verb_of(trial.log[number]) in spared:
                fewer = self.trial((*trial.log[:number], *trial.log[number + 1 :]))
                if fewer.stands and fewer.measured == trial.measured:
                    trial = fewer
        return trial

    def _is_passed(self, verdict: Verdict) -> bool:
        """Tell whether a log settles each roll as passed."""
        before: Position[Any, Any] | None = self.position
        for ruling in verdict.rulings:
            if isinstance(ruling.action, Settle):
                assert before is not None
                if passing(before) != ruling.action:
                    return False
            before = ruling.after
        return True


def worth_under(weights: Mapping[Criterion, int], trial: Trial) -> int:
    """Return a trial's weighted sum."""
    return sum(weight * trial.measured.score[name] for name, weight in weights.items())


def fits(task: Task, trial: Trial) -> bool:
    """Tell whether a trial is within the bounds of a task."""
    score = trial.measured.score
    return all(score[name] >= bound for name, bound in task.least.items()) and all(
        score[name] <= bound for name, bound in task.most.items()
    )
