"""Plans of a Column's MPh: a model of the planner (see :mod:`marchtable.rules.plan_model`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.planning.line.cuts import Cuts
from marchtable.planning.line.problem import AnyEnd
from marchtable.planning.line.model import LineModel
from marchtable.planning.line.state_graph import Scope, StateGraph
from marchtable.planning.line.worth import Worth
from marchtable.planning.reasons import Question
from marchtable.rules.plan_model import PlanSpace
from marchtable_models.asl.clauses.lines.columnlimits import keeps_together
from marchtable_models.asl.clauses.lines.columns import ahead_only, waiting_to_disband
from marchtable_models.asl.clauses.vehicles.impulses import all_others_can_pay
from marchtable_models.asl.cpsat.column.line import Line
from marchtable_models.asl.cpsat.column.steps import VERBS
from marchtable_models.asl.cpsat.line_relations import FREE
from marchtable_models.asl.cpsat.lined import conflict, made_before
from marchtable_models.asl.extraction.lines import STAY
from marchtable_models.asl.model import DoubleTime, Impulse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from marchtable.planning.line.graph import Course
    from marchtable.rules.plan_model import Control, Reason, Rolls
    from marchtable.rules.rulebook import Rulebook
    from marchtable.rules.ruling import Verdict
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["IMPULSES", "NAME", "ColumnModel"]

NAME = "column"
IMPULSES = 12
OF_THE_LINE = tuple(
    one.id for one in (ahead_only, keeps_together, all_others_can_pay, waiting_to_disband)
)
"""The clauses that bind a Column's plans."""


def _space(
    movers: Sequence[str], impulses: int, rolls: Rolls, left_out: Iterable[str]
) -> PlanSpace:
    return PlanSpace(
        name=NAME,
        verbs=("double-time", "impulse"),
        movers=tuple(movers),
        policy=(
            f"The Column moves by at most {impulses} Impulses, and nobody else moves.",
            f"In an Impulse units stay or go to a hex ({', '.join(VERBS)}), those in front first; those"
            " of one place in the line do the same, by the cheapest way.",
            "No unit enters a hex in which units of another place in the line stand at that moment, if it"
            " pays for their company (A5.11).",
            "No unit enters a hex for its whole allotment, or one from which it is sent back.",
            "Double Time is declared before the first Impulse, by those alone who need it; nobody gallops,"
            " and the Column does not disband of its own will.",
        ),
        rolls=rolls,
        left_out=tuple(sorted(left_out)),
    )


class ColumnModel(LineModel):
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
    ways = 12
    may_stay = True

    def __init__(
        self, rulebook: Rulebook[Any, Any], position: AslPosition, goal: Goal,
        line: Sequence[AslUnit], impulses: int = IMPULSES, rolls: Rolls = "avoid",
    ) -> None:  # fmt: skip
        self.rulebook, self.position, self.goal, self.rolls = rulebook, position, goal, rolls
        self.impulses = impulses
        exits = any(aim.exit for aim in goal.aims)
        self.line = Line(rulebook, position, line, avoid=rolls == "avoid", exits=exits)
        self.graph = self._graph()
        ranks = self.line.ranks
        self.worth = Worth(rulebook, position, goal, self.graph, ranks, [*map(len, ranks)])
        self.ends = AnyEnd(self.graph)
        self._begin(Cuts(self.graph, [None] * len(ranks)))

    def _graph(self) -> StateGraph:
        """Return where its places can be; if no unit pays (D14.31b), within the most Impulses allowed."""
        line = self.line
        most = min(self.impulses, 1) if line.once else self.impulses
        avoid = tuple(dict.fromkeys((*self.goal.avoid, *line.in_view)))
        scope = Scope(most if line.may_move else 0, line.most, avoid, caps=line.means)
        told = (self.position.board, line.steps, line.starts, line.links)
        if line.credit == FREE:
            graph = StateGraph(*told, scope._replace(budget=most, free=True, caps=None))
            dearest = max(
                (cost for g in graph.graphs for row in g.rows for _, cost, *_ in row or ()),
                default=0,
            )
            scope = scope._replace(budget=most * dearest, caps=None)
        return StateGraph(*told, scope)

    @property
    def space(self) -> PlanSpace:
        """The plans that it searches; left out is what bears within what was looked into."""
        movers = [unit.id for unit in self.line.units]
        left_out = self.line.left_out | self.graph.left_out
        return _space(movers, self.impulses, self.rolls, left_out)

    def quick(self) -> Iterator[tuple[Action, ...]]:
        """Yield the plan in which nobody moves, and the best that is soon found."""
        yield ()
        yield from super().quick()

    def told(self, course: Course) -> tuple[Action, ...]:
        """Return a plan as a log, rolls aside."""
        impulses = [
            Impulse(self.line.lead, tuple(
                move or STAY for move, rank in zip(moves, self.line.ranks, strict=True) for _ in rank
            ))
            for moves in self.cuts.moves(course)
        ]  # fmt: skip
        return (*map(DoubleTime, self._in_need(course)), *impulses)

    def _in_need(self, course: Course) -> list[str]:
        """Return the units that cannot do their part of a plan without Double Time, in line."""
        told = [
            name for states, spent in zip(*course, strict=True) for r, state in enumerate(states)
            for name in self.line.in_need(r, self.graph.state(r, state), spent)
        ]  # fmt: skip
        return [unit.id for unit in self.line.units if unit.id in told]

    def made_before(self, log: tuple[Action, ...], verdict: Verdict) -> int | None:
        """Return how many Impulses were made up to the first that was refused; None if none was."""
        made = made_before(log, verdict)
        acts = sum(isinstance(action, DoubleTime) for action in log)
        return made - acts if made is not None and made > acts else None

    def conflict(self, control: Control) -> tuple[Reason, ...] | None:
        """Return a minimal set of clauses that together forbid the goal's musts, verified."""
        asked = Question(self.position, self.goal, self.rolls, self._anew, control)
        return conflict(
            asked, self.line.units, OF_THE_LINE, bearing=self.space.left_out,
            barring=lambda: self._anew().line.barring,
        )  # fmt: skip

    def _anew(self) -> ColumnModel:
        """Return the same question under the clauses that are on now."""
        told = (self.rulebook, self.position, self.goal, self.line.units)
        return ColumnModel(*told, impulses=self.impulses, rolls=self.rolls)
