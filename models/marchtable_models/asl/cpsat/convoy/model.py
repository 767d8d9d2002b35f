"""Plans of a Convoy's MPh, proved: from the best that could be downwards, one decision at a time."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from marchtable.planning.goals import places_of
from marchtable.planning.line.field import Scope, StateGraph
from marchtable.planning.line.model import LineModel
from marchtable.rules.plan_model import PlanSpace
from marchtable_models.asl.cpsat.convoy.cargo import worth_of
from marchtable_models.asl.cpsat.convoy.ends import Ends
from marchtable_models.asl.cpsat.convoy.exits import keep_together, state_exits
from marchtable_models.asl.cpsat.convoy.links import links_of
from marchtable_models.asl.cpsat.convoy.shared import is_shared
from marchtable_models.asl.cpsat.convoy.sorts import steps_for
from marchtable_models.asl.cpsat.convoy.states import state_of
from marchtable_models.asl.cpsat.convoy.steps import OUT, VERBS
from marchtable_models.asl.cpsat.lined import made_before, may_move
from marchtable_models.asl.cpsat.ruled import still_has, unmodelled
from marchtable_models.asl.extraction.cargo import carried_by
from marchtable_models.asl.extraction.lines import step_of
from marchtable_models.asl.model import End, Impulse

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from marchtable.planning.line.states import Course
    from marchtable.rules.plan_model import Control, Reason, Rolls
    from marchtable.rules.rulebook import Rulebook
    from marchtable.rules.ruling import Verdict
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal
    from marchtable.state.position import Position
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


class ConvoyModel(LineModel):
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
    ends: Ends

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
        self._impulses = impulses if can_move else 0
        self.links = links_of(rulebook.edition(position), position, line)
        self.field = self.field_for(self.left)
        self.has_one_sum = is_shared(rulebook.edition(position), self.field)
        loads = [load.id for unit in line for load in carried_by(position, unit)]
        self.movers, self.impulses = [*(u.id for u in line), *loads], impulses
        self.worth = worth_of(rulebook, position, goal, self.field, line)
        before = [u.points.spent for u in line]
        self.ends = Ends(rulebook.edition(position), self.field, before, left=self.left)
        self.may_stay = self._may_stay()
        self._begin([u.move.previous for u in line])

    @property
    def space(self) -> PlanSpace:
        """The plans that it searches; left out is what bears within what was looked into."""
        left_out = self._left_out | self.ends.left_out | self.field.left_out
        return _space(self.movers, self.impulses, self.rolls, left_out, exits=self.has_exits)

    def field_for(self, left: Sequence[int] | None) -> StateGraph:
        """Return where the vehicles can be, each having so much left; None: as much as it likes."""
        caps = None if left is None or not any(each.exits for each in self.steps) else left
        most = self._impulses
        budget = most if left is None else (min if caps is None else max)(left)
        scope = Scope(most, budget, self.goal.avoid, left is None, caps, self.line[0].line.halted)
        starts = [state_of(unit) for unit in self.line]
        field = StateGraph(self.position.board, self.steps, starts, self.links, scope)
        field.bonds = (state_exits,) if field.has_exits else ()
        return field

    def is_legal(self, course: Course) -> bool:
        """Tell whether a plan is one of the space; vehicles that leave the map keep together."""
        return super().is_legal(course) and keep_together(self.field, course)

    def _may_stay(self) -> bool:
        """Tell whether the Convoy's MPh may end without an Impulse, or has ended."""
        if all(unit.move.mph == "done" for unit in self.line):
            return True
        ruling = self.rulebook.rule(self.position, End(self.line[0].id))
        self._left_out |= unmodelled(ruling)
        return ruling.is_legal

    # -- logs and cuts -------------------------------------------------------------------------

    def told(self, course: Course) -> tuple[Action, ...]:
        """Return a plan as a log, rolls aside."""
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
        return (*found, *ends)

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

    def made_before(self, log: tuple[Action, ...], verdict: Verdict) -> int | None:
        """Return how many Impulses were made up to the first that was refused; None if none was."""
        return made_before(log, verdict)

    def conflict(self, control: Control) -> tuple[Reason, ...] | None:
        """Return a minimal set of clauses that together forbid the goal's musts, verified."""
        from marchtable_models.asl.cpsat.convoy.why import conflict

        return conflict(self, control)

    def anew(self) -> ConvoyModel:
        """Return the same question under the clauses that are on now."""
        told = (self.rulebook, self.position, self.goal, self.line)
        return ConvoyModel(*told, self.impulses, self.rolls)
