"""Proposals replayed by the referee: only what passes this trial is called a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.errors import BadInputError, InternalError, UnknownNameError
from marchtable.files.notation import format_action
from marchtable.planning.score import Measure
from marchtable.rules.referee import check
from marchtable.rules.rolls import passing
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.action import Event, Phase, Settle, verb_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from marchtable.planning.score import Measured
    from marchtable.rules.plan_model import Rolls, Task
    from marchtable.rules.ruling import Verdict
    from marchtable.state.action import Action
    from marchtable.state.goal import Criterion, Goal
    from marchtable.state.position import Position

__all__ = ["Judge", "Trial", "fits", "unmodelled", "worth_under"]

MEMORY = 1000
MOST_FEWER = 50


class Trial(NamedTuple):
    """
    A log, the referee's verdict on it and its measurements.

    Parameters
    ----------
    log, verdict, measured
        The three.
    stands
        Whether it is legal, settles all its rolls according to the policy, does all that the goal
        demands and nothing that it forbids.
    """

    log: tuple[Action, ...]
    verdict: Verdict
    measured: Measured
    stands: bool


class Judge:
    """
    Judges proposals for one goal; caches trials.

    Parameters
    ----------
    position, goal
        The goal is checked.
    rolls
        The policy for rolls.
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

    def stands(self, log: tuple[Action, ...]) -> bool:
        """Return whether a log from another position, or under other clauses, passes here."""
        try:
            return self.trial(log).stands
        except BadInputError:  # it settles a roll that is not required here
            return False

    def _tried(self, log: tuple[Action, ...]) -> Trial:
        for action in log:
            if isinstance(action, Event) and not isinstance(action, Settle | Phase):
                raise InternalError(
                    f"a plan contains an event, which is no player's choice: {format_action(action)}"
                )
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

    def leaner(self, trial: Trial, *, alike: bool = True) -> Trial:
        """
        Return a trial without acts that its rulebook would spare and that it is as good without.

        Parameters
        ----------
        alike
            Whether it must end in the same places with the same points spent.
        """
        spared = find_rulebook(self.position.rulebook).spared
        if not trial.stands or not spared:
            return trial
        for _ in range(MOST_FEWER):
            fewer = next(self._fewer(trial, spared, alike=alike), None)
            if fewer is None:
                break
            trial = fewer
        return trial

    def simplest(self, trial: Trial) -> Trial:
        """Return a trial that is as good, with the simpler acts that its rulebook proposes."""
        rulebook = find_rulebook(self.position.rulebook)
        for number in range(len(trial.log)):
            joint = rulebook.joint(self.position, trial.log[number])
            for simpler in () if joint is None else joint.simpler():
                less = self.trial((*trial.log[:number], simpler, *trial.log[number + 1 :]))
                if less.stands and _is_as_good(less.measured, trial.measured, alike=False):
                    trial = less
                    break
        return trial

    def _fewer(
        self, trial: Trial, spared: Mapping[str, str | None], *, alike: bool
    ) -> Iterator[Trial]:
        """Yield trials that are as good without one act, or two that belong together."""
        verbs = [verb_of(action) for action in trial.log]
        calls = _calls(trial)
        for number in reversed(range(len(verbs))):
            if verbs[number] not in spared:
                continue
            other = spared[verbs[number]]
            own = _names(trial.log[number])
            later = [n for n in range(number + 1, len(verbs))
                     if verbs[n] == other and own & _names(trial.log[n])]  # fmt: skip
            for omitted in ((number,), *((number, n) for n in later)):
                rest = [a for n, a in enumerate(trial.log) if not {n, calls.get(n)} & {*omitted}]
                try:
                    if not self._is_legal(rest, trial, number):
                        continue
                    fewer = self.trial(tuple(rest))
                except UnknownNameError:  # a roll that is no longer required
                    continue
                if fewer.stands and _is_as_good(fewer.measured, trial.measured, alike=alike):
                    yield fewer

    def _is_legal(self, log: Sequence[Action], trial: Trial, number: int) -> bool:
        """Return whether a log is legal; its first `number` entries are a trial's, known legal."""
        rulebook = find_rulebook(self.position.rulebook)
        before = trial.verdict.rulings[number - 1].after if number else self.position
        for action in log[number:]:
            assert before is not None
            ruling = rulebook.rule(before, action)
            if not ruling.is_legal or ruling.after is None:
                return False
            before = ruling.after
        return True

    def _is_passed(self, verdict: Verdict) -> bool:
        """Return whether a log settles each roll as passed."""
        before: Position[Any, Any] | None = self.position
        for ruling in verdict.rulings:
            if isinstance(ruling.action, Settle):
                assert before is not None
                if passing(before) != ruling.action:
                    return False
            before = ruling.after
        return True


def _names(action: Action) -> set[str]:
    """Return the names in an action, units' among them."""
    values = (getattr(action, name) for name in action.__struct_fields__)
    listed = (value if isinstance(value, tuple) else (value,) for value in values)
    return {name for some in listed for name in some if isinstance(name, str) and name}


def _calls(trial: Trial) -> dict[int, int]:
    """Return, for each roll that a log settles, the act that requires it."""
    found, called = dict[int, int](), dict[str, int]()
    for number, ruling in enumerate(trial.verdict.rulings):
        if (
            isinstance(ruling.action, Settle)
            and (by := called.get(ruling.action.obligation)) is not None
        ):
            found[number] = by
        called |= dict.fromkeys((each.id for each in ruling.obligations), number)
    return found


def _is_as_good(one: Measured, other: Measured, *, alike: bool) -> bool:
    """Return whether one is no worse than the other in any criterion."""
    if alike:
        return one == other
    return all(
        one.score[name] >= score if name == "value" else one.score[name] <= score
        for name, score in other.score.items()
    )


def unmodelled(verdict: Verdict) -> set[str]:
    """Return the unmodelled clauses that reject a log, if no clause is broken as early."""
    first = min((fault.step for fault in verdict.violations), default=len(verdict.rulings))
    return {fault.clause for fault in verdict.unsupported if fault.step < first}


def worth_under(weights: Mapping[Criterion, int], trial: Trial) -> int:
    """Return a trial's weighted sum."""
    return sum(weight * trial.measured.score[name] for name, weight in weights.items())


def fits(task: Task, trial: Trial) -> bool:
    """Return whether a trial is within the bounds of a task."""
    score = trial.measured.score
    return all(score[name] >= bound for name, bound in task.least.items()) and all(
        score[name] <= bound for name, bound in task.most.items()
    )
