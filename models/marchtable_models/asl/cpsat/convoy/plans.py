"""Plans of a Convoy's MPh without a Gap, and its possible ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import msgspec
import numpy as np

from marchtable.files.notation import points
from marchtable.planning.goals import places_of
from marchtable.planning.line.cuts import Cuts
from marchtable.planning.line.model import LineModel
from marchtable.planning.line.problem import AnyEnd
from marchtable.planning.line.state_graph import Scope, StateGraph
from marchtable.planning.line.worth import Worth
from marchtable.rules.plan_model import PlanSpace
from marchtable_models.asl.cpsat.convoy.steps import AS_ONE, OUT, VERBS, state_of, steps_for
from marchtable_models.asl.cpsat.line_relations import (
    CAN_PAY,
    UNLIMITED,
    credit,
    is_leaving_shared,
    links_of,
    made_before,
    may_move,
)
from marchtable_models.asl.cpsat.ruled import still_has, unmodelled
from marchtable_models.asl.model import End
from marchtable_models.asl.rules.convoys import LineEnd
from marchtable_models.asl.rules.impulse_moves import Impulse, step_of
from marchtable_models.asl.rules.mph_end import end_in_motion
from marchtable_models.asl.views.cargo import carried_by
from marchtable_models.asl.views.lines import STAY, kind_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from marchtable.planning.line.graph import Course
    from marchtable.planning.line.links import Links
    from marchtable.rules.edition import Edition
    from marchtable.rules.plan_model import Reason, Rolls
    from marchtable.rules.rulebook import Rulebook
    from marchtable.rules.ruling import Verdict
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal
    from marchtable_models.asl.cpsat.convoy.steps import VehicleSteps
    from marchtable_models.asl.model import AslPosition, AslUnit


__all__ = ["IMPULSES", "NO_GAP", "Convoy", "Ends"]

IMPULSES = 24
NAME = "convoy"
NO_GAP = "No Gap is made; no vehicle leaves, and no other Convoy joins."


def _space(
    movers: Sequence[str], impulses: int, rolls: Rolls, left_out: Iterable[str], *, exits: bool
) -> PlanSpace:
    verbs = (*VERBS, OUT) if exits else VERBS
    off = (
        "Vehicles leave the map only by the Locations that the goal names for them.",
        "The last vehicle on the map goes on by itself; each of its moves counts as an Impulse.",
    )
    return PlanSpace(
        name=NAME,
        verbs=("impulse", "end", *(verbs if exits else ())),
        movers=tuple(movers),
        policy=(
            f"The Convoy moves by at most {impulses} Impulses and then ends its MPh,"
            " or does nothing if the rules allow its MPh to end that way.",
            f"In an Impulse, from the front, each vehicle stays or does one of: {', '.join(verbs)}."
            " No vehicle goes by Bypass or in Reverse.",
            "No vehicle enters a hex in which another vehicle of its Convoy stands,"
            " or one that a vehicle behind it leaves in that Impulse.",
            NO_GAP,
            "No vehicle enters a hex for its whole allotment.",
            *(
                ("No move needs a roll that leaves a counter even if it is passed.",)
                * (rolls == "pass")
            ),
            *(off if exits else ("No vehicle leaves the map.",)),
        ),
        rolls=rolls,
        left_out=tuple(sorted(left_out)),
    )


class Ends(AnyEnd):
    """
    The rules on ending the MPh.

    Parameters
    ----------
    edition, graph
        The rules, and the states.
    before
        Each vehicle's expenditure before the plan, in half points.
    left
        Each vehicle's remaining half points.
    bound
        Whether they matter to an end in Motion.
    parts
        The vehicles that end together, by default all.
    """

    clause = end_in_motion.id

    def __init__(
        self,
        edition: Edition,
        graph: StateGraph,
        before: Sequence[int],
        left: Sequence[int],
        *,
        bound: bool = True,
        parts: Sequence[range] = (),
    ) -> None:
        super().__init__(graph)
        self._parts = parts or (range(graph.count),)
        self.before = before
        self.left, self.bound = left, bound
        bars = edition.judge(LineEnd(members=2, moving=1)).bars
        self.alike = next((bar.clause for bar in bars), "")
        self.all_alike = bool(bars)

    # -- in masks ---------------------------------------------------------------------------------

    def may_end(self, ends: Any) -> Any:
        """Return, for a table of ends, the possible expenditures by place, with all possible help beside."""
        graph = self.graph
        live = np.bitwise_or.reduce(ends.reshape(-1, graph.count, graph.size), axis=0) != 0
        found = np.full((graph.count, graph.size), graph.full, ends.dtype)
        for i in range(graph.count) if self.bound else ():
            least = self.poorest(i)[0][0]
            for state in (s for s in np.flatnonzero(live[i]).tolist() if graph.is_moving(i, s)):
                level = self.level(i, state, least, self._every(i, state))
                found[i, state] = graph.full >> level << level
        return np.tile(found.reshape(-1), graph.most + 1)

    def _every(self, i: int, state: int) -> int:
        """Return the code of all places ahead of a vehicle."""
        return (1 << len(self.graph.graphs[i].ahead(self.graph.own[i][state]))) - 1

    def poorest(self, i: int) -> list[tuple[int, tuple[int, ...]]]:
        """Return the least points that a vehicle's group on the map can have left, and the vehicles that must have left it."""
        part = next(part for part in self._parts if i in part)
        means = sorted({self.left[j] for j in part})
        return [
            (budget, tuple(j for j in part if self.left[j] < budget))
            for budget in (means if self.graph.has_exits else means[:1])
        ]

    def level(self, i: int, state: int, budget: int, code: int) -> int:
        """
        Return the fewest levels for a vehicle's end; as many as there are: never.

        The poorest has these half points left; the places of a code ahead of the vehicle are taken.
        """
        graph, before = self.graph, self.before[i]
        least, doubts = graph.graphs[i].ends_from(graph.own[i][state], budget + before, code)
        self.left_out.update(doubts)
        return min(graph.levels, max(0, -((before - int(least)) // graph.grain)))

    # -- of one plan ------------------------------------------------------------------------------

    def binds(self, i: int, state: int) -> bool:
        """Return whether a vehicle's end in a state matters: in Motion, unless any sum is allowed."""
        return self.bound and self.graph.is_moving(i, state)

    def needs(
        self, i: int, state: int, level: int, budget: int
    ) -> tuple[frozenset[int], ...] | None:
        """
        Return sets of places, each of which must hold a Convoy vehicle; None: it cannot end.

        The plan's expenditure in steps of the graph's grain, and the poorest's remaining half
        points.
        """
        graph = self.graph
        if not self.binds(i, state):
            return ()
        every = self._every(i, state)
        if self.level(i, state, budget, every) > level:
            return None
        if self.level(i, state, budget, 0) <= level:  # more units there do no harm
            return ()
        ahead = graph.graphs[i].ahead(graph.own[i][state])
        barred = [code for code in range(every) if self.level(i, state, budget, code) > level]
        largest = [a for a in barred if not any(a != b and a & b == a for b in barred)]
        return tuple(
            frozenset(p for k, p in enumerate(ahead) if not code >> k & 1) for code in largest
        )


class Convoy(LineModel):
    """
    The plans of one Convoy.

    Parameters
    ----------
    rulebook, position, goal
        The rules, its start, and the goal.
    line
        The Convoy's vehicles, front first.
    impulses
        The most Impulses of a plan.
    rolls
        ``pass`` assumes rolls passed, ``avoid`` makes no move that needs one.
    loose
        If no vehicle pays (E11.2h, D14.31b), count Impulses instead of points until a plan is
        rejected.
    """

    name = NAME
    as_one: Collection[str] = AS_ONE
    end_rules: type[Ends] = Ends
    is_quick = True
    ends: Ends

    def __init__(
        self,
        rulebook: Rulebook[Any, Any],
        position: AslPosition,
        goal: Goal,
        line: Sequence[AslUnit],
        impulses: int = IMPULSES,
        rolls: Rolls = "avoid",
        *,
        loose: bool = False,
    ) -> None:
        self.rulebook, self.position, self.goal, self.line = rulebook, position, goal, line
        names = [name for aim in goal.aims for name in aim.exit]
        self.exits = exits = places_of(names, position.board)
        self.rolls, self.has_exits = rolls, bool(exits)
        found = steps_for(
            rulebook, position, line, avoid=rolls == "avoid", exits=exits, as_one=self.as_one
        )
        self.steps = [found[unit.id] for unit in line]
        self.means = [max(0, still_has(rulebook, position, u)) for u in line]
        can_move, self._left_out = self._may_move()
        self._most = impulses if can_move else 0
        edition = rulebook.edition(position)
        self.links, self._credit = self._links(edition), credit(edition, kind_of(line[0]))
        self.is_leaving_shared = is_leaving_shared(edition)
        loads = [load.id for unit in line for load in carried_by(position, unit)]
        self.movers, self.impulses = [*(u.id for u in line), *loads], impulses
        self.may_stay = self._may_stay()
        self._lay_out(loose=loose and self._credit == UNLIMITED)

    def _may_move(self) -> tuple[bool, set[str]]:
        """Return whether nothing holds the whole line in place, and what is unmodelled about that."""
        return may_move(self.rulebook, self.position, self.line)

    def _links(self, edition: Edition) -> Links:
        """Return the relations of each vehicle to the one ahead."""
        return links_of(edition, self.position, self.line)

    def _lay_out(self, *, loose: bool) -> None:
        """Find the vehicles' possible states; loose: for any points, and any end in Motion."""
        line, self.is_loose = self.line, loose
        self.left = [own + self._credit for own in self.means]
        if self._credit == UNLIMITED:
            self.graph = self.graph_for(self._most, free=True)
            self.left = [self._most * self.graph.dearest] * len(line)
        if not loose:
            budget = (max if any(each.exits for each in self.steps) else min)(self.left)
            self.graph = self.graph_for(budget, free=False)
        self.worth, self.cuts = self.given(self.graph)
        self.spent = [unit.points.spent for unit in line]
        self.ends = self.ends_in(self.graph, bound=not loose)
        self._begin(self.cuts)

    def graph_for(
        self, budget: int, apart: Sequence[VehicleSteps] = (), *, free: bool
    ) -> StateGraph:
        """Return the vehicles' possible states within a budget; `apart`: each one's own, if they can split."""
        steps, halted = apart or self.steps, self.line[0].line.halted
        caps = self.left if any(each.exits for each in steps) and not free else None
        scope = (self._most, budget, self.goal.avoid, free, caps, halted, bool(apart))
        starts = [state_of(unit) for unit in self.line]
        return StateGraph(self.position.board, steps, starts, self.links, Scope(*scope))

    def given(self, graph: StateGraph) -> tuple[Worth, Cuts]:
        """Return the worth of vehicles, with their loads, by state, and what is excluded."""
        groups = [(unit, *carried_by(self.position, unit)) for unit in self.line]
        question = (self.position, self.goal, graph, groups, [1] * len(groups))
        return Worth(*question), Cuts(graph, [unit.move.previous for unit in self.line])

    def ends_in(self, graph: StateGraph, *, bound: bool, parts: Sequence[range] = ()) -> Ends:
        """Return the possible ends of the MPh; Stunned vehicles count as in Motion or not (E11.24a)."""
        edition = self.rulebook.edition(self.position)
        found = self.end_rules(edition, graph, self.spent, self.means, bound=bound, parts=parts)
        found.uncounted = frozenset(i for i, unit in enumerate(self.line) if unit.crew.stunned)
        return found

    @property
    def space(self) -> PlanSpace:
        """The plans it searches; it leaves out what applied within what was examined."""
        left_out = self._left_out | self.ends.left_out | self.graph.left_out
        return _space(self.movers, self.impulses, self.rolls, left_out, exits=self.has_exits)

    def _may_stay(self) -> bool:
        """Return whether the Convoy's MPh can end without an Impulse, or has ended."""
        if all(unit.move.mph == "done" for unit in self.line):
            return True
        ruling = self.rulebook.rule(self.position, End(self.line[0].id))
        self._left_out |= unmodelled(ruling)
        return ruling.is_legal

    # -- logs and cuts ----------------------------------------------------------------------------

    def actions_of(self, course: Course) -> tuple[Action, ...]:
        """Return a plan as a log, apart from rolls."""
        if len(course.states) == 1:
            return ()
        every, moves = range(len(self.line)), self.cuts.moves(course)
        acts = [
            self.act(self.graph, every, *each) for each in zip(course.states, moves, strict=False)
        ]
        return (*acts, *self.end(self.graph, every, course.states[-1]))

    def act(
        self, graph: StateGraph, members: range, states: Sequence[int], moves: Sequence[str]
    ) -> Action:
        """Return an Impulse of the members still on the map, or the act of a single one."""
        here = [i for i in members if not graph.is_gone(i, states[i])]
        unit, own = self.line[here[0]], tuple(moves[i] or STAY for i in here)
        if graph.is_alone(here[0], states[here[0]]):
            act = step_of(unit, own[0], self.position.phase)
            assert act is not None
            return act
        return Impulse(unit.id, own)

    def end(self, graph: StateGraph, members: range, states: Sequence[int]) -> list[Action]:
        """Return the end of the MPh of the members still on the map."""
        here = [i for i in members if not graph.is_gone(i, states[i])]
        return [End(self.line[i].id) for i in here[:1]]

    def made_before(self, log: tuple[Action, ...], verdict: Verdict) -> int | None:
        """Return the number of Impulses before the first rejected one; None if none was rejected."""
        return made_before(log, verdict)

    def reject(self, log: tuple[Action, ...], verdict: Verdict) -> None:
        """Exclude plans with this beginning up to the rejected Impulse; count points from now on."""
        if self.is_loose:
            self._lay_out(loose=False)
        else:
            super().reject(log, verdict)

    def in_points(self, reason: Reason) -> Reason:
        """Return a reason in terms of the poorest, which cannot pay: all pay the same."""
        if reason.clause not in CAN_PAY:
            return reason
        have = {
            u.id: own for u, own in zip(self.line, self.means, strict=True) if u.id in reason.units
        }
        least = min(have.values(), default=0)
        units = tuple(name for name, own in have.items() if own == least)
        return msgspec.structs.replace(reason, units=units, numbers=(("have", points(least)),))

    def again(self) -> Self:
        """Return the same question under the clauses now on, counting Impulses if no unit pays."""
        question = (self.rulebook, self.position, self.goal, self.line)
        return type(self)(*question, self.impulses, self.rolls, loose=True)
