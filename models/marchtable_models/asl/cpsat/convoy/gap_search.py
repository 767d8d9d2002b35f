"""The plans of a Convoy in which a Gap appears before one vehicle, the best of them by CP-SAT."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.cpsat.harness import Status, solve, weighted
from marchtable.planning.line.bound_tightening import MASK
from marchtable.planning.line.cuts import Cuts, not_all
from marchtable.planning.line.last_places import could_end
from marchtable.planning.line.logic import checked
from marchtable.planning.line.state_graph import Scope, StateGraph
from marchtable.planning.line.task import Limits, met
from marchtable_models.asl.cpsat.convoy.ends import Ends
from marchtable_models.asl.cpsat.convoy.gap_constraints import GapLogic
from marchtable_models.asl.cpsat.convoy.gap_layers import reached
from marchtable_models.asl.cpsat.convoy.kept_steps import steps_for
from marchtable_models.asl.cpsat.convoy.plans import worth_of
from marchtable_models.asl.cpsat.convoy.states import state_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from marchtable.planning.line.task import Row
    from marchtable.rules.plan_model import Control, Task
    from marchtable_models.asl.cpsat.convoy.gap_constraints import Parted
    from marchtable_models.asl.cpsat.convoy.gap_layers import Reached
    from marchtable_models.asl.cpsat.convoy.plans import Convoy

__all__ = ["GapSearch"]


class GapSearch:
    """
    The plans in which the Gap appears before one vehicle.

    Parameters
    ----------
    plain
        The model of the plans without a Gap.
    at, first, later
        The vehicle by its place in the line, 0 for any; whether it may part the Convoy in the first
        Impulse, and in others.
    """

    def __init__(self, plain: Convoy, at: int, first: bool, later: bool) -> None:
        self.plain, self.at, self.first, self.later = plain, at, first, later
        line, position, last = plain.line, plain.position, len(plain.line) - 1
        lone = {line[end].id for end, part in ((0, 1), (last, last)) if at in (0, part)}
        steps = steps_for(plain.rulebook, position, line, avoid=plain.rolls == "avoid", lone=lone)
        self.steps = [steps[unit.id] for unit in line]
        unbound = plain.links._replace(bound=(False,) * len(line))
        free = plain.is_loose
        self.left = [plain.most] * len(line) if free else plain.left
        scope = Scope(
            plain.most, max(self.left), plain.goal.avoid, free, halted=line[0].line.halted
        )
        starts = [state_of(unit) for unit in line]
        self.graph = StateGraph(position.board, self.steps, starts, unbound, scope)
        self.worth = worth_of(plain.rulebook, position, plain.goal, self.graph, line)
        self.cuts = Cuts(self.graph, [unit.move.previous for unit in line])
        edition = plain.rulebook.edition(position)
        before = [unit.points.spent for unit in line]
        self.ends = Ends(edition, self.graph, before, plain.means, bound=at > 0 and not free)
        self.refused: list[Parted] = []
        self.differ: list[tuple[tuple[int, ...], tuple[int, ...]]] = []

    @property
    def left_out(self) -> set[str]:
        """The clauses that are not modelled and bore on steps and endings."""
        return self.ends.left_out | self.graph.left_out

    def best(self, task: Task, control: Control, cutoff: int | None) -> tuple[Parted, int] | None:
        """Return the best plan above a sum, and its sum; raises TimeoutError at a limit."""
        limits = Limits(self.worth, task)
        checked(control)
        logic = self._stated(self._rows(limits, cutoff), control)
        if logic is None:
            return None
        terms = logic.terms(limits.sum, self.worth, met)
        base = limits.sum.least  # what does not depend on the plan, negated
        while True:
            checked(control)
            model = logic.model()
            # where all plans are as good: one without detours, unless any will do
            sought = terms or (logic.spending() if limits.weights else [])
            if sought:
                model.maximize(
                    weighted(
                        [(model.get_bool_var_from_proto_index(x), value) for x, value in sought]
                    )
                )
            outcome = solve(
                model, "logic", limit=control.left(), stop=control.stop, seed=control.seed
            )
            control.spend(outcome.time)
            if outcome.status is Status.IMPOSSIBLE:
                return None
            if outcome.status is not Status.OPTIMAL:
                raise TimeoutError
            values = outcome.solver.response_proto.solution
            plan = logic.parted(values)
            backs = self._backs(plan)
            if not backs:
                total = sum(value for literal, value in terms if values[literal])
                return plan, total - base
            for back in backs:
                self.cuts.learn([back])
                self.cuts.not_back(logic, *back)

    def _stated(self, rows: list[Row], control: Control) -> GapLogic | None:
        """Return the plans that come to so much as clauses, None if there is none."""
        found = self._reached(rows)
        if found is None or not self._could_part(self.at, found, rows, control):
            return None
        parts = self._parts(self.at)
        found = reached(self.graph, self.ends, *self._means, rows, parts, found)
        if found is None:
            return None
        logic = GapLogic(
            self.graph, found, self.at, self.left, first=self.first, later=self.later,
            halted=self.plain.line[0].line.halted, shared=self.plain.is_leaving_shared,
        )  # fmt: skip
        logic.state_ends(self.ends, self.plain.means)
        for row in rows:
            _at_least(logic, logic.terms(row, self.worth, met), row.least)
        self._cut(logic)
        return logic

    def _rows(self, limits: Limits, cutoff: int | None) -> list[Row]:
        """Return what a plan above a sum must come to."""
        if cutoff is None:
            return limits.rows
        return [*limits.rows, limits.sum._replace(least=cutoff + 1 + limits.sum.least)]

    def _reached(self, rows: list[Row]) -> Reached | None:
        """Return what of the states a plan can use that comes to so much, however its MPh ends; None if there is none."""
        each = [range(i, i + 1) for i in range(self.graph.count)]
        parts = self._parts(self.at) if self.at else each
        return reached(self.graph, None, *self._means, rows, parts)

    @property
    def _means(self) -> tuple[list[int], list[int]]:
        """By vehicle what the poorest of its part has left, and what it may spend."""
        means, left = self.plain.means, self.left
        if not self.at:  # each by itself
            return means, left
        parts = self._parts(self.at)
        first, second = ([min(some[i] for i in part) for part in parts for _ in part]
                         for some in (means, left))  # fmt: skip
        return first, second

    def _parts(self, at: int) -> tuple[range, range]:
        return range(at), range(at, self.graph.count)

    def _could_part(self, at: int, found: Reached, rows: list[Row], control: Control) -> bool:
        """Return whether vehicles could end as wanted with a Gap before one, as far as last places tell."""
        linked = [i != at for i in range(self.graph.count)]
        return could_end(self.graph, found.ends, rows, self._parts(at), linked, control)

    def could_part(
        self, some: Iterable[int], task: Task, cutoff: int | None, control: Control
    ) -> list[int]:
        """Return before which of some vehicles a Gap may be in a plan above a sum, as far as last places tell."""
        control.spend(MASK * len(self.graph.masks))
        rows = self._rows(Limits(self.worth, task), cutoff)
        found = self._reached(rows)
        return [at for at in some if found and self._could_part(at, found, rows, control)]

    def _backs(self, plan: Parted) -> list[tuple[int, int, int]]:
        """Return who goes straight back."""
        return sorted(self.cuts.breaks(plan.front) | self.cuts.breaks(plan.rear))

    def _cut(self, logic: GapLogic) -> None:
        self.cuts.state(logic)
        for plan in self.refused:
            not_all(logic, self._along(logic, plan))
        for cells, spent in self.differ:
            told = [logic.spots[i][logic.last].get(cell) for i, cell in enumerate(cells)]
            for part, members in enumerate(logic.parts):
                for paid in dict.fromkeys(spent[i] for i in members):
                    whole = paid % self.graph.grain == 0
                    told.append(
                        logic.sums[part][-1].get(paid // self.graph.grain) if whole else None
                    )
            not_all(logic, told)

    def _along(self, logic: GapLogic, plan: Parted) -> list[int | None]:
        """Return literals that hold together in one plan alone; None is one that cannot hold."""
        found: list[int | None] = [logic.joint[plan.joint], ~logic.joint[plan.joint + 1]]
        for part, course in enumerate((plan.front, plan.rear)):
            found += [
                logic.at[i][t].get(row[i])
                for t, row in enumerate(course.states) for i in logic.parts[part]
            ]  # fmt: skip
            found += [
                logic.sums[part][t].get(spent // self.graph.grain)
                for t, spent in enumerate(course.spent)
            ]
            if len(course.states) <= logic.last:  # no Impulse after it
                found.append(logic.paying[part][len(course.states)].get(0))
        return found

    def ending(self, plan: Parted) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return where each vehicle ends, and what it has spent."""
        count = self.graph.count
        courses = [plan.front if i < self.at else plan.rear for i in range(count)]
        cells = tuple(self.graph.spot_of(i, c.states[-1][i]) for i, c in enumerate(courses))
        return cells, tuple(course.spent[-1] for course in courses)


def _at_least(logic: GapLogic, terms: list[tuple[int, int]], least: int) -> None:
    most = sum(max(0, value) for _, value in terms)
    if most < least:
        logic.any_of(())
    elif sum(min(0, value) for _, value in terms) < least:
        logic.total(terms, least, most)
