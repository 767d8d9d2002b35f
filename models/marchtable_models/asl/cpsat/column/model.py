"""Plans of a Column's MPh: a model of the planner (see :mod:`marchtable.planning.model`)."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from marchtable.planning.model import PlanSpace, Proposal
from marchtable.planning.rolls import settled
from marchtable.referee import check
from marchtable_models.asl.cpsat.column.descent import Descent
from marchtable_models.asl.cpsat.column.field import Course, Field
from marchtable_models.asl.cpsat.column.layers import Layers
from marchtable_models.asl.cpsat.column.lead import followed, lead_ways
from marchtable_models.asl.cpsat.column.line import Line
from marchtable_models.asl.cpsat.column.steps import VERBS
from marchtable_models.asl.cpsat.column.worth import Worth
from marchtable_models.asl.cpsat.lined import made_before
from marchtable_models.asl.cpsat.tasks import ranking
from marchtable_models.asl.model import Impulse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from marchtable.action import Action
    from marchtable.planning.goal import Goal
    from marchtable.planning.model import Control, Reason, Rolls, Task, Unsettled
    from marchtable.position import Position
    from marchtable.rulebook import Rulebook
    from marchtable.ruling import Verdict
    from marchtable_models.asl.cpsat.column.program import Program
    from marchtable_models.asl.cpsat.column.steps import State
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["IMPULSES", "NAME", "ColumnModel"]

NAME = "column"
IMPULSES = 12


def _space(
    movers: Sequence[str], impulses: int, rolls: Rolls, left_out: Iterable[str]
) -> PlanSpace:
    return PlanSpace(
        name=NAME,
        verbs=("impulse",),
        movers=tuple(movers),
        policy=(
            f"The Column moves by at most {impulses} Impulses, and nobody else moves.",
            f"In an Impulse units stay or go to a hex ({', '.join(VERBS)}), those in front first; those"
            " of one place in the line do the same, by the cheapest way.",
            "No unit enters a hex in which units of another place in the line stand at that moment.",
            "No unit enters a hex for its whole allotment, or one from which it is sent back.",
            "Nobody declares Double Time or Gallop; the Column does not disband of its own will.",
        ),
        rolls=rolls,
        left_out=tuple(sorted(left_out)),
    )


class ColumnModel:
    """
    The plans of one Column of units on foot or mounted.

    Parameters
    ----------
    rulebook, position, goal
        The rules, where it starts, and what is wanted.
    line
        The Column's units, front first.
    impulses
        The most that a plan has.
    rolls
        ``pass`` takes rolls to be passed, ``avoid`` makes no move that calls for one.
    """

    name = NAME
    unsettled: Unsettled = "others"

    def __init__(
        self, rulebook: Rulebook[Any, Any], position: AslPosition, goal: Goal,
        line: Sequence[AslUnit], impulses: int = IMPULSES, rolls: Rolls = "avoid",
    ) -> None:  # fmt: skip
        self.rulebook, self.position, self.goal, self.rolls = rulebook, position, goal, rolls
        self.most = impulses
        exits = any(aim.exit for aim in goal.aims)
        self.line = Line(rulebook, position, line, avoid=rolls == "avoid", exits=exits)
        most = impulses if self.line.may_move else 0
        self.field = Field(self.line, most, goal.avoid)
        self.worth = Worth(rulebook, position, goal, self.field)
        self.layers = Layers(self.field)
        self.start = Course((tuple(self.line.starts),))
        self.known = [self.start]
        self._refused: list[tuple[Course, bool]] = []
        self._taken: list[tuple[tuple[str | None, ...], int]] = []
        self._proposed: dict[tuple[Action, ...], Course] = {}

    @property
    def space(self) -> PlanSpace:
        """The plans that it searches; left out is what bears within what was looked into."""
        movers = [unit.id for unit in self.line.units]
        return _space(movers, self.most, self.rolls, self.line.left_out)

    # -- plans without a solver ----------------------------------------------------------------

    def quick(self) -> Iterator[tuple[Action, ...]]:
        """Yield the plan in which nobody moves, and the best of following the lead somewhere."""
        yield ()
        courses = (followed(self.field, way) for way in lead_ways(self.field))
        best = min((course for course in courses if course), key=self._rank, default=None)
        if best is not None:
            self.known.append(best)
            yield self.log(best)

    def _rank(self, course: Course) -> tuple[int, ...]:
        """Return how a plan ranks, the best least; those that do what they must come first."""
        return (not self.worth.meets(course), *ranking(self.goal, self.worth.score(course)))

    # -- the proof -----------------------------------------------------------------------------

    def best(self, task: Task, control: Control) -> Proposal:
        """Return the best plan that no cut excludes."""
        if not self.line.shares and any("points" in told for told in task):
            return self._unpriced(task)
        search = Descent(self, task, control)
        try:
            self.known.append(search.run(self.best_known(task)) or self.start)
        except TimeoutError:
            best = self.best_known(task)
            log = None if best is None else self.log(best)
            return Proposal("UNKNOWN" if log is None else "FEASIBLE", log, search.top)
        best = self.best_known(task)
        if best is None:
            return Proposal("IMPOSSIBLE", None, None)
        return Proposal("OPTIMAL", self.log(best), self.worth.total(best, task.weights))

    def _unpriced(self, task: Task) -> Proposal:
        """Return a plan that is known: without E11.2g each pays for itself, which is not reckoned here."""
        best = self.best_known(task)
        log = None if best is None else self.log(best)
        return Proposal("UNKNOWN" if log is None else "FEASIBLE", log, None)

    def best_known(self, task: Task) -> Course | None:
        """Return the best plan known that fits a task and is not cut off."""
        fitting = [course for course in self.known if self.fits(course, task)]
        return max(fitting, key=lambda c: self.worth.total(c, task.weights), default=None)

    def fits(self, course: Course, task: Task) -> bool:
        """Tell whether a plan fits a task and is not cut off."""
        score = self.worth.score(course)
        return (
            self.worth.meets(course)
            and all(score[name] >= least for name, least in task.least.items())
            and all(score[name] <= most for name, most in task.most.items())
            and not any(_begins(course, path, is_whole=whole) for path, whole in self._refused)
            and (self._ends(course) not in self._taken)
        )

    def _ends(self, course: Course) -> tuple[tuple[str | None, ...], int]:
        return tuple(state.at for state in course.states[-1]), self.field.spent(course)

    def cut(self, program: Program) -> None:
        """State the plans that are not to be proposed."""
        for course, is_whole in self._refused:
            literals = program.told(course)
            if literals is not None:
                ends = len(course.states) - 1
                on = [program.going[ends]] if is_whole and ends < program.last else []
                program.any_of((*(~x for x in literals), *on))
        for places, spent in self._taken:
            program.differs(places, spent)

    # -- logs and cuts -------------------------------------------------------------------------

    def log(self, course: Course) -> tuple[Action, ...]:
        """Return a plan as a log."""
        found = tuple(self._impulse(*rows) for rows in pairwise(course.states))
        log = found if self.rolls == "avoid" else settled(self.position, found) or found
        self._proposed[log] = course
        return log

    def _impulse(self, before: Sequence[State], after: Sequence[State]) -> Impulse:
        moves: list[str] = []
        for r, rank in enumerate(self.line.ranks):
            step = self.field.step(r, before[r], after[r])
            moves += ["stay" if step is None else step.move] * len(rank)
        return Impulse(self.line.lead, tuple(moves))

    def refuse(self, log: tuple[Action, ...], verdict: Verdict) -> None:
        """Never propose what begins as this did up to what was refused; if nothing was, this plan."""
        course, made = self._proposed[log], made_before(log, verdict)
        end = None if made is None else made + 1
        self._refused.append((Course(course.states[:end]), made is None))

    def differ(self, log: tuple[Action, ...]) -> None:
        """Look only for plans with other final places or points spent."""
        ends = self.worth.measure.of(check(self.position, log)).projection
        told = {name: (at, spent) for name, at, spent in ends}
        firsts = [told[rank[0].id] for rank in self.line.ranks]
        self._taken.append((tuple(at for at, _ in firsts), firsts[0][1]))

    def conflict(self, control: Control) -> tuple[Reason, ...] | None:
        """Return a minimal set of clauses that together forbid the goal's musts, verified."""
        from marchtable_models.asl.cpsat.column.why import conflict

        return conflict(self, control)


def _begins(course: Course, path: Course, *, is_whole: bool) -> bool:
    """Tell whether a plan begins as a path, or is just that if that was a whole one."""
    size = len(path.states)
    return course.states[:size] == path.states and not (is_whole and len(course.states) > size)
