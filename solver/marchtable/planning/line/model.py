"""Proved plans of one line: from the best possible downwards, one decision at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.budget import OverLimit
from marchtable.planning.line.first_plans import followed, lead_ways
from marchtable.planning.line.graph import Course
from marchtable.planning.line.problem import LineProblem
from marchtable.planning.line.search import BoundTightening, early_control
from marchtable.planning.line.worth import FINAL, TaskRows
from marchtable.planning.reasons import Explained
from marchtable.planning.tasks import ranking
from marchtable.rules.plan_model import Proposal, Task
from marchtable.rules.referee import check
from marchtable.rules.rolls import replayed, settled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from marchtable.planning.line.cuts import Cuts
    from marchtable.rules.plan_model import Control
    from marchtable.rules.ruling import Verdict
    from marchtable.state.action import Action
    from marchtable.state.goal import Criterion

__all__ = ["LineModel", "without_proof"]

ASKED = 1e-3
"""Deterministic time charged for examining a state."""


class LineModel(LineProblem, Explained):
    """
    The plans of one line; a space states what its members, or places, can do, and writes the logs.

    Attributes
    ----------
    may_stay
        Whether the line may do nothing at all.
    """

    ways = 3
    """The number of ways of the lead that are followed for a first plan."""
    may_stay: bool

    def _begin(self, cuts: Cuts) -> None:
        """Prepare for the first task."""
        self.cuts = cuts
        self.start = Course((tuple(self.graph.starts),), (0,))
        self.known = [self.start] if self.may_stay else []
        self._courses: dict[tuple[Action, ...], Course] = {}
        self._logs: dict[Course, tuple[Action, ...]] = {}
        self._unpaid = self.graph.asked_about()
        self._proved: list[tuple[Task, Course | None]] = []

    # -- plans without a solver ----------------------------------------------------------------

    def quick(self) -> Iterator[tuple[Action, ...]]:
        """
        Yield the best plan that follows the lead, if the referee accepts any.

        If it gains nothing and little time is left for a search: also CP-SAT's first plans.
        """
        best = None
        for course in sorted([*self.known, *self._followed()], key=self._rank):
            if (log := self._accepted(course)) is not None:
                best = course
                yield log
                break
        control = early_control(ASKED * self._unpaid)
        if control is not None and self.most and self.graph.has_one_sum:
            for course in self._hurried(best, control):
                if (log := self._accepted(course)) is not None:
                    yield log

    def _accepted(self, course: Course) -> tuple[Action, ...] | None:
        """Return the log of a plan, which is then known; None if the referee rejects it."""
        judge = check if self.rolls == "avoid" else replayed
        verdict = judge(self.position, self.actions_of(course))
        if not verdict or verdict.status != "LEGAL" or verdict.position.pending:
            return None
        self.known.append(course)
        self._logs[course], self._courses[verdict.log] = verdict.log, course
        return verdict.log

    def _hurried(self, best: Course | None, control: Control) -> Iterator[Course]:
        """Yield better and better plans by value, then by distance, until one gains more than staying does."""
        stays = self.worth.score(self.start)
        if best is not None and not self.worth.meets(best):
            best = None
        try:
            for name in FINAL:
                if best is not None and any(
                    self.worth.score(best)[c] != stays[c] for c in (name, "value")
                ):
                    return
                while (found := self._some_better(best, name, control)) is not None:
                    yield (best := found)
                if best is None:
                    return
        except (TimeoutError, OverLimit):
            return

    def _some_better(self, best: Course | None, name: Criterion, control: Control) -> Course | None:
        """Return any plan that is better by a criterion, and as good by value; by default any."""
        least: dict[Criterion, int] = {}
        most: dict[Criterion, int] = {}
        if best is not None:
            score = self.worth.score(best)
            least["value"] = score["value"] + (name == "value")
            if name != "value":
                most[name] = score[name] - 1
        return BoundTightening(self, TaskRows(self.worth, Task({}, least, most)), control).some()

    def _rank(self, course: Course) -> tuple[int, ...]:
        """Return a plan's rank, smaller is better; plans that meet the musts come first."""
        return (not self.worth.meets(course), *ranking(self.goal, self.worth.score(course)))

    def _followed(self) -> Iterable[Course]:
        if not self.most:
            return
        worth = self.worth.value - self.worth.distance
        for way in lead_ways(self.graph, worth, self.ways):
            yield from filter(self.graph.holds, followed(self.graph, way))

    # -- the proof -----------------------------------------------------------------------------

    def best(
        self, task: Task, control: Control, bounded: Callable[[int], None] | None = None
    ) -> Proposal:
        """
        Return the best plan that no cut excludes, without proof if a cut may exclude a legal one.

        Calls `bounded`, by default the control's, with bounds.
        """
        if self.cuts.is_sure:
            return self.searched(task, control, bounded or control.bounded)
        return without_proof(self.searched(task, control, lambda _: None))

    def searched(self, task: Task, control: Control, bounded: Callable[[int], None]) -> Proposal:
        """Return the best of the remaining plans with proof; calls `bounded` with bounds."""
        limits = TaskRows(self.worth, task)
        usable = [c for c in self.known if limits.allow(c) and self.cuts.allow(c)]
        best = max(usable, key=limits.total, default=None)
        if not self.graph.has_one_sum:
            return Proposal("FEASIBLE" if best else "UNKNOWN", best and self.log(best), None)
        if best is None and self._is_impossible(task):
            return Proposal("IMPOSSIBLE", None, None)
        if best is not None and self._is_best(best, task, limits):
            return Proposal("OPTIMAL", self.log(best), limits.total(best))
        search = BoundTightening(self, limits, control)
        try:
            if best is None and not any(map(self.worth.meets, self.known)):
                best = search.some()
                if best is not None:
                    self.known.append(best)
                    control.found(self.log(best))
            control.spend(ASKED * self._unpaid)
            self._unpaid = 0
            found = search.run(
                None if best is None else limits.total(best),
                lambda course: control.found(self.log(course)),
                bounded,
            )
        except TimeoutError:
            log = self.log(best) if best else None
            return Proposal("FEASIBLE" if best else "UNKNOWN", log, search.top)
        if found is not None:
            self.known.append(found)
            best = found
        self._proved.append((task, best))
        if best is None:
            return Proposal("IMPOSSIBLE", None, None)
        return Proposal("OPTIMAL", self.log(best), limits.total(best))

    def _is_impossible(self, task: Task) -> bool:
        """Return whether no plan was found earlier for bounds that are at least as loose."""
        return any(course is None and _is_as_loose(asked, task) for asked, course in self._proved)

    def _is_best(self, best: Course, task: Task, limits: TaskRows) -> bool:
        """Return whether no plan with a larger sum was found earlier within such bounds."""
        return any(
            course is not None and asked.weights == task.weights and _is_as_loose(asked, task)
            and limits.total(course) <= limits.total(best)
            for asked, course in self._proved
        )  # fmt: skip

    # -- logs and cuts -------------------------------------------------------------------------

    def actions_of(self, course: Course) -> tuple[Action, ...]:
        """Return a plan as a log, without rolls."""
        raise NotImplementedError

    def made_before(self, log: tuple[Action, ...], verdict: Verdict) -> int | None:
        """Return the number of rounds before the first rejected one; None if there was none."""
        raise NotImplementedError

    def log(self, course: Course) -> tuple[Action, ...]:
        """Return a plan as a log."""
        if course not in self._logs:
            log = self.actions_of(course)
            log = log if self.rolls == "avoid" else settled(self.position, log) or log
            self._logs[course], self._courses[log] = log, course
        return self._logs[course]

    def course(self, log: tuple[Action, ...]) -> Course:
        """Return the plan of a log that was returned for it."""
        return self._courses[log]

    def refuse(self, log: tuple[Action, ...], verdict: Verdict) -> None:
        """Exclude plans that begin like this one up to the rejected round, or just this one."""
        self.cuts.refuse(self._courses[log], self.made_before(log, verdict))

    def differ(self, log: tuple[Action, ...]) -> None:
        """Exclude plans with these final places and points spent."""
        self.cuts.differ(self.cuts.ending(self._courses[log]))


def without_proof(found: Proposal) -> Proposal:
    """Return a proposal without proof about other plans."""
    return Proposal("UNKNOWN" if found.log is None else "FEASIBLE", found.log, None)


def _is_as_loose(asked: Task, task: Task) -> bool:
    """Return whether an earlier task's bounds are at least as loose as another's."""
    return all(task.least.get(c, least - 1) >= least for c, least in asked.least.items()) and all(
        task.most.get(c, most + 1) <= most for c, most in asked.most.items()
    )
