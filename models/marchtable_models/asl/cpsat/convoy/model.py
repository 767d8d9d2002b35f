"""Plans of a Convoy's MPh, proved: from the best that could be downwards, one decision at a time."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from marchtable.planning.goals import places_of
from marchtable.planning.model import PlanSpace, Proposal
from marchtable.planning.rolls import settled
from marchtable_models.asl.cpsat.convoy.cuts import Cuts
from marchtable_models.asl.cpsat.convoy.descent import Descent
from marchtable_models.asl.cpsat.convoy.ends import Ends
from marchtable_models.asl.cpsat.convoy.exits import keep_together
from marchtable_models.asl.cpsat.convoy.field import Course, Field
from marchtable_models.asl.cpsat.convoy.first import first_plan
from marchtable_models.asl.cpsat.convoy.layers import Kept
from marchtable_models.asl.cpsat.convoy.lead import followed, lead_ways
from marchtable_models.asl.cpsat.convoy.links import links_of
from marchtable_models.asl.cpsat.convoy.prices import ASKED
from marchtable_models.asl.cpsat.convoy.shared import is_shared
from marchtable_models.asl.cpsat.convoy.sorts import steps_for
from marchtable_models.asl.cpsat.convoy.states import state_of
from marchtable_models.asl.cpsat.convoy.steps import OUT, VERBS
from marchtable_models.asl.cpsat.convoy.task import Limits
from marchtable_models.asl.cpsat.convoy.worth import Worth
from marchtable_models.asl.cpsat.lined import made_before, may_move
from marchtable_models.asl.cpsat.ruled import still_has, unmodelled
from marchtable_models.asl.cpsat.tasks import ranking
from marchtable_models.asl.model import End, Impulse
from marchtable_models.asl.survey.cargo import carried_by
from marchtable_models.asl.survey.lines import step_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from marchtable.action import Action
    from marchtable.planning.goal import Goal
    from marchtable.planning.model import Control, Reason, Rolls, Task, Unsettled
    from marchtable.position import Position
    from marchtable.rulebook import Rulebook
    from marchtable.ruling import Verdict
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["IMPULSES", "ConvoyModel"]

IMPULSES = 24
WAYS = 3  # of the lead, to be followed


NAME = "convoy"


def _space(
    movers: Sequence[str], impulses: int, rolls: Rolls, left_out: Iterable[str], *, exits: bool
) -> PlanSpace:
    verbs = (*VERBS, OUT) if exits else VERBS
    off = (
        "No vehicle leaves the map but by the Locations that the goal names for it.",
        "The last vehicle that is left on the map goes on by itself, each move counting as an"
        " Impulse.",
    )
    return PlanSpace(
        name=NAME,
        verbs=("impulse", "end", *(verbs if exits else ())),
        movers=tuple(movers),
        policy=(
            f"The Convoy moves by at most {impulses} Impulses and then ends its MPh,"
            " or does nothing if its MPh may end so.",
            f"In an Impulse vehicles stay, {', '.join(verbs)}, those in front first;"
            " none goes by Bypass or in Reverse.",
            "No vehicle enters a hex in which another of its Convoy stands,"
            " nor one that one behind it leaves in that Impulse.",
            "No Gap is made; no vehicle leaves, and no other Convoy joins.",
            "No vehicle enters a hex for its whole allotment.",
            *(
                ("No roll is called for that leaves a counter as it is passed.",)
                * (rolls == "pass")
            ),
            *(off if exits else ("No vehicle leaves the map.",)),
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
    unsettled: Unsettled = "others"

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
        names = [name for aim in goal.aims for name in aim.exit]
        exits = places_of(names, position.board)
        self.rolls, self.has_exits = rolls, bool(exits)
        found = steps_for(rulebook, position, line, avoid=rolls == "avoid", exits=exits)
        self.steps = [found[unit.id] for unit in line]
        self.left = [max(0, still_has(rulebook, position, u)) for u in line]
        can_move, self._left_out = may_move(rulebook, position, line)
        self.most = impulses if can_move else 0
        self.links = links_of(rulebook.edition(position), position, line)
        self.field = self.field_for(self.left)
        self.budget, self._is_shared = (
            self.field.budget,
            is_shared(rulebook.edition(position), self.field),
        )
        loads = [load.id for unit in line for load in carried_by(position, unit)]
        self.movers, self.impulses = [*(u.id for u in line), *loads], impulses
        self.worth = Worth(rulebook, position, goal, self.field, line)
        before = [u.spent for u in line]
        self.ends = Ends(rulebook.edition(position), self.field, before, left=self.left)
        self.cuts = Cuts(self.field, [u.previous for u in line])
        self.kept = Kept()
        self.start = Course((tuple(self.field.starts),), (0,))
        self.may_stay = self._may_stay()
        self.known = [self.start] if self.may_stay else []
        self._courses: dict[tuple[Action, ...], Course] = {}
        self._unpaid = self.field.asked_about()
        self._none_moves = False  # by no Impulses is done what must be

    @property
    def space(self) -> PlanSpace:
        """The plans that it searches; left out is what bears within what was looked into."""
        left_out = self._left_out | self.ends.left_out | self.field.left_out
        return _space(self.movers, self.impulses, self.rolls, left_out, exits=self.has_exits)

    def field_for(self, left: Sequence[int] | None) -> Field:
        """Return where the vehicles can be, each having so much left; None: as much as it likes."""
        caps = None if left is None or not any(each.exits for each in self.steps) else left
        budget = self.most if left is None else (min if caps is None else max)(left)
        return Field(
            self.position.board, self.steps, [state_of(unit) for unit in self.line],
            self.links, self.most, budget, self.goal.avoid,
            free=left is None, caps=caps, halted=self.line[0].halted,
        )  # fmt: skip

    def _may_stay(self) -> bool:
        """Tell whether the Convoy's MPh may end without an Impulse, or has ended."""
        if all(unit.mph == "done" for unit in self.line):
            return True
        ruling = self.rulebook.rule(self.position, End(self.line[0].id))
        self._left_out |= unmodelled(ruling)
        return ruling.is_legal

    # -- plans without a solver ----------------------------------------------------------------

    def quick(self) -> Iterator[tuple[Action, ...]]:
        """Yield the best that comes of following the lead, and where that is not enough what else is found."""
        yield from self.led()
        yield from self.first()

    def led(self) -> list[tuple[Action, ...]]:
        """Return the best of what comes of following the lead, if there is anything."""
        self.known += self._followed()
        ranked = sorted(self.known, key=self._rank)
        return [self.log(course) for course in ranked[:1]]

    def first(self) -> list[tuple[Action, ...]]:
        """Return some plan that does what it must, if none is known and one is soon found."""
        if not self.most or any(self.worth.meets(course) for course in self.known):
            return []
        try:
            found = first_plan(self)
        except TimeoutError:
            return []
        if found is None:
            self._none_moves = True
            return []
        self.known.append(found)
        return [self.log(found)]

    def _rank(self, course: Course) -> tuple[int, ...]:
        """Return how a plan ranks, the best least; those that do what they must come first."""
        return (not self.worth.meets(course), *ranking(self.goal, self.worth.score(course)))

    def _followed(self) -> Iterable[Course]:
        if not self.most:
            return
        worth = (self.worth.value - self.worth.distance).sum(axis=0)
        for way in lead_ways(self.field, worth, WAYS):
            for course in followed(self.field, way):
                if self.is_legal(course):
                    yield course

    def is_legal(self, course: Course) -> bool:
        """Tell whether a plan ends as it may, goes nowhere straight back, and keeps together."""
        return (
            self.ends.allow(course)
            and not self.cuts.breaks(course)
            and keep_together(self.field, course)
        )

    # -- the proof -----------------------------------------------------------------------------

    def best(self, task: Task, control: Control) -> Proposal:
        """Return the best plan that no cut excludes."""
        limits = Limits(self.worth, task)
        usable = [c for c in self.known if limits.allow(c) and self.cuts.allow(c)]
        best = max(usable, key=limits.total, default=None)
        if not self._is_shared:
            return Proposal("FEASIBLE" if best else "UNKNOWN", best and self.log(best), None)
        if best is None and self._none_moves:
            return Proposal("IMPOSSIBLE", None, None)
        search = Descent(self, limits, control)
        control.spend(ASKED * self._unpaid)
        self._unpaid = 0
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
        log = self._told(course)
        self._courses[log] = course
        return log

    def _told(self, course: Course) -> tuple[Action, ...]:
        if len(course.states) == 1:
            return ()
        found: list[Action] = []
        for t, (before, after) in enumerate(itertools.pairwise(course.states)):
            cost = course.spent[t + 1] - course.spent[t]
            here = self._here(before)
            moves = [self.cuts.step(i, before[i], after[i], cost) for i in here]
            told = tuple("stay" if step is None else step.move for step in moves)
            found.append(self._act(here, before, told))
        ends = [End(self.line[i].id) for i in self._here(course.states[-1])[:1]]
        log = (*found, *ends)
        return log if self.rolls == "avoid" else settled(self.position, log) or log

    def _here(self, states: Sequence[int]) -> list[int]:
        """Return the vehicles that have not left the map."""
        return [i for i, state in enumerate(states) if not self.field.is_gone(i, state)]

    def _act(self, here: Sequence[int], states: Sequence[int], told: tuple[str, ...]) -> Action:
        """Return an Impulse of those who have not left the map, or what the last of them does."""
        unit = self.line[here[0]]
        if self.field.is_alone(here[0], states[here[0]]):
            act = step_of(unit, told[0], self.position.phase)
            assert act is not None
            return act
        return Impulse(unit.id, told)

    def course(self, log: tuple[Action, ...]) -> Course:
        """Return a plan that it has told as a log."""
        return self._courses[log]

    def refuse(self, log: tuple[Action, ...], verdict: Verdict) -> None:
        """Never propose what begins as this did up to the Impulse refused; if none was, this plan."""
        self.cuts.refuse(self._courses[log], made_before(log, verdict))

    def differ(self, log: tuple[Action, ...]) -> None:
        """Look for plans with other final places or points spent."""
        self.cuts.differ(self._courses[log])

    def conflict(self, control: Control) -> tuple[Reason, ...] | None:
        """Return a minimal set of clauses that together forbid the goal's musts, verified."""
        from marchtable_models.asl.cpsat.convoy.why import conflict

        return conflict(self, control)

    def anew(self) -> ConvoyModel:
        """Return the same question under the clauses that are on now."""
        told = (self.rulebook, self.position, self.goal, self.line)
        return ConvoyModel(*told, self.impulses, self.rolls)
