"""Plans of a Convoy's MPh, proved: from the best that could be downwards, one decision at a time."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from marchtable.planning.model import PlanSpace, Proposal
from marchtable.planning.rolls import settled
from marchtable_models.asl.clauses.impulses import one_each
from marchtable_models.asl.cpsat.convoy.cuts import Cuts
from marchtable_models.asl.cpsat.convoy.descent import Descent
from marchtable_models.asl.cpsat.convoy.ends import Ends
from marchtable_models.asl.cpsat.convoy.field import Course, Field
from marchtable_models.asl.cpsat.convoy.layers import Kept
from marchtable_models.asl.cpsat.convoy.lead import followed, lead_ways
from marchtable_models.asl.cpsat.convoy.sorts import steps_for
from marchtable_models.asl.cpsat.convoy.steps import VERBS, state_of
from marchtable_models.asl.cpsat.convoy.task import Limits
from marchtable_models.asl.cpsat.convoy.worth import Worth
from marchtable_models.asl.model import End, Impulse
from marchtable_models.asl.survey.transport import carried_by

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from marchtable.action import Action
    from marchtable.planning.goal import Goal
    from marchtable.planning.model import Control, Reason, Rolls, Task
    from marchtable.position import Position
    from marchtable.rulebook import Rulebook
    from marchtable.ruling import Verdict
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["IMPULSES", "ConvoyModel"]

IMPULSES = 12
WAYS = 3  # of the lead, to be followed


NAME = "convoy"


def _space(
    movers: Sequence[str], impulses: int, rolls: Rolls, left_out: Iterable[str]
) -> PlanSpace:
    return PlanSpace(
        name=NAME,
        verbs=("impulse", "end"),
        movers=tuple(movers),
        policy=(
            f"The Convoy moves by at most {impulses} Impulses and then ends its MPh,"
            " or does nothing if its MPh may end so.",
            f"In an Impulse vehicles stay, {', '.join(VERBS)}, those in front first;"
            " none goes by Bypass or in Reverse.",
            "No vehicle enters a hex in which another of its Convoy stands,"
            " nor one that one behind it leaves in that Impulse.",
            "No Gap is made; no vehicle leaves, and no other Convoy joins.",
            "No vehicle enters a hex for its whole allotment.",
        ),
        rolls=rolls,
        left_out=tuple(sorted(left_out)),
    )


class ConvoyModel:
    """
    The plans of one Convoy.

    Parameters
    ----------
    rulebook, position, goal
        The rules, where it starts, and what is wanted.
    line
        The Convoy's vehicles, front first.
    impulses
        The most that a plan has.
    rolls
        ``pass`` takes rolls to be passed, ``avoid`` makes no move that calls for one.
    """

    name = NAME

    def __init__(
        self,
        rulebook: Rulebook[Any, Any],
        position: AslPosition,
        goal: Goal,
        line: Sequence[AslUnit],
        impulses: int = IMPULSES,
        rolls: Rolls = "avoid",
    ) -> None:
        self.rulebook, self.position, self.goal, self.line = rulebook, position, goal, line
        found = steps_for(rulebook, position, line, avoid=rolls == "avoid")
        self.steps = [found[unit.id] for unit in line]
        left = [rulebook.allotment(position, u) - u.spent for u in line]
        self.budget = max(0, min(left))
        self.most = impulses if self._can_move() else 0
        starts = [state_of(unit) for unit in line]
        entering = [unit.entering for unit in line]
        self.field = Field(
            position.board, self.steps, starts, entering, self.most, self.budget, goal.avoid
        )
        loads = [load.id for unit in line for load in carried_by(position, unit)]
        left_out = {clause for steps in self.steps for clause in steps.left_out}
        self.space = _space([*(u.id for u in line), *loads], impulses, rolls, left_out)
        self.worth = Worth(rulebook, position, goal, self.field, line)
        self.ends = Ends(rulebook.edition(position), self.field, [u.spent for u in line])
        self.cuts = Cuts(self.field, [u.previous for u in line])
        self.kept = Kept()
        self.start = Course((tuple(self.field.starts),), (0,))
        self.may_stay = self._may_stay()
        self.known = [self.start] if self.may_stay else []

    def _can_move(self) -> bool:
        """Tell whether nothing keeps the Convoy as a whole where it is."""
        idle = Impulse(self.line[0].id, ("stay",) * len(self.line))
        ruling = self.rulebook.rule(self.position, idle)
        kept = [v for v in ruling.violations if v.clause != one_each.id]
        return not (kept or ruling.unsupported)

    def _may_stay(self) -> bool:
        """Tell whether the Convoy's MPh may end without an Impulse, or has ended."""
        if all(unit.mph == "done" for unit in self.line):
            return True
        return self.rulebook.rule(self.position, End(self.line[0].id)).is_legal

    # -- plans without a solver ----------------------------------------------------------------

    def quick(self) -> Iterable[tuple[Action, ...]]:
        """Return what comes of following the lead, best first."""
        self.known += self._followed()
        ranked = sorted(self.known, key=self._rank)
        return [self.log(course) for course in ranked[:1]]

    def _rank(self, course: Course) -> tuple[int, ...]:
        score, goal = self.worth.score(course), self.goal
        sign = {"value": -1}
        if goal.weights:
            total = sum(w * sign.get(name, 1) * score[name] for name, w in goal.weights.items())
            return (not self.worth.meets(course), total)
        return (
            not self.worth.meets(course),
            *(sign.get(name, 1) * score[name] for name in goal.order),
        )

    def _followed(self) -> Iterable[Course]:
        if not self.most:
            return
        worth = (self.worth.value - self.worth.distance).sum(axis=0)
        for way in lead_ways(self.field, worth, WAYS):
            for course in followed(self.field, way):
                if self.ends.allow(course) and not self.cuts.breaks(course):
                    yield course

    # -- the proof -----------------------------------------------------------------------------

    def best(self, task: Task, control: Control) -> Proposal:
        """Return the best plan that no cut excludes."""
        limits = Limits(self.worth, task)
        usable = [c for c in self.known if limits.allow(c) and self.cuts.allow(c)]
        best = max(usable, key=limits.total, default=None)
        search = Descent(self, limits, control)
        try:
            found = search.run(None if best is None else limits.total(best))
        except TimeoutError:
            log = self.log(best) if best else None
            return Proposal("FEASIBLE" if best else "UNKNOWN", log, search.top)
        if found is not None:
            self.known.append(found)
            best = found
        if best is None:
            return Proposal("IMPOSSIBLE", None, None)
        return Proposal("OPTIMAL", self.log(best), limits.total(best))

    # -- logs and cuts -------------------------------------------------------------------------

    def log(self, course: Course) -> tuple[Action, ...]:
        """Return a plan as a log."""
        if len(course.states) == 1:
            return ()
        lead = self.line[0].id
        found: list[Action] = []
        for t, (before, after) in enumerate(itertools.pairwise(course.states)):
            cost = course.spent[t + 1] - course.spent[t]
            moves = [
                self.cuts.step(i, *states, cost)
                for i, states in enumerate(zip(before, after, strict=True))
            ]
            told = tuple("stay" if step is None else step.move for step in moves)
            found.append(Impulse(lead, told))
        log = (*found, End(lead))
        return log if self.space.rolls == "avoid" else settled(self.position, log) or log

    def refuse(self, log: tuple[Action, ...], verdict: Verdict) -> None:
        """Never propose what begins as this did up to what was refused."""
        broken = [v.step for v in (*verdict.violations, *verdict.unsupported)]
        self.cuts.refuse(self._course(log), min(broken, default=len(log)) + 1)

    def differ(self, log: tuple[Action, ...]) -> None:
        """Look for plans with other final places or points spent."""
        self.cuts.differ(self._course(log))

    def _course(self, log: Sequence[Action]) -> Course:
        states = [tuple(self.field.starts)]
        spent = [0]
        for action in log:
            if isinstance(action, Impulse):
                after, cost = [], 0
                for i, (state, move) in enumerate(zip(states[-1], action.moves, strict=True)):
                    to, paid = self.cuts.named(i, state, move)
                    after.append(to)
                    cost = max(cost, paid)
                states.append(tuple(after))
                spent.append(spent[-1] + cost)
        return Course(tuple(states), tuple(spent))

    def conflict(self, control: Control) -> tuple[Reason, ...] | None:
        """Return a minimal set of clauses that together forbid the goal's musts, verified."""
        from marchtable_models.asl.cpsat.convoy.why import Conflict

        return Conflict(self, control).found() if self.most else ()
