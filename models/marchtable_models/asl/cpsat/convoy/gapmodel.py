"""Plans of a Convoy in which one Gap may be made, by a vehicle that has a reason to leave."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import msgspec

from marchtable.cpsat import Status, solve, weighted
from marchtable.planning.model import Proposal
from marchtable.planning.rolls import settled
from marchtable_models.asl.cpsat.convoy.cuts import Cuts
from marchtable_models.asl.cpsat.convoy.ends import Ends
from marchtable_models.asl.cpsat.convoy.field import Field
from marchtable_models.asl.cpsat.convoy.gaplogic import GapLogic
from marchtable_models.asl.cpsat.convoy.logic import checked
from marchtable_models.asl.cpsat.convoy.sorts import steps_for
from marchtable_models.asl.cpsat.convoy.states import state_of
from marchtable_models.asl.cpsat.convoy.task import Limits, met
from marchtable_models.asl.cpsat.convoy.worth import Worth
from marchtable_models.asl.model import End, Impulse
from marchtable_models.asl.survey.gaps import leaving
from marchtable_models.asl.survey.lines import step_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from marchtable.action import Action
    from marchtable.planning.model import Control, PlanSpace, Reason, Task
    from marchtable.ruling import Verdict
    from marchtable_models.asl.cpsat.convoy.gaplogic import Parted
    from marchtable_models.asl.cpsat.convoy.model import ConvoyModel
    from marchtable_models.asl.cpsat.convoy.states import Course

__all__ = ["NAME", "GapModel", "may_part"]

NAME = "convoy-gaps"
NO_GAP = "No Gap is made; no vehicle leaves, and no other Convoy joins."
POLICY = (
    "At most one Gap is made, in an Impulse, by a vehicle with a reason to leave that enters a hex"
    " or stops, and in which another of the Convoy makes an expenditure; not beside a vehicle off"
    " the map.",
    "The part ahead of it then moves and ends its MPh before the part behind; what is left alone"
    " moves by itself. Each vehicle takes part in no more Impulses, or such moves, than that.",
    "No vehicle enters a hex in which one of the other part stands, either.",
    "No vehicle leaves otherwise, and no other Convoy joins.",
)


def may_part(model: ConvoyModel, at: int) -> tuple[bool, bool]:
    """Tell whether a vehicle may part the Convoy in the first Impulse, and whether in later ones."""
    position, unit = model.position, model.line[at]
    edition = model.rulebook.edition(position)
    on = [msgspec.structs.replace(u, attacked=False, mph="moving") for u in model.line]
    later = position.with_units(on)
    told = (leaving(position, unit), leaving(later, later.unit(unit.id)))
    first, then = (edition.judge(facts) for facts in told)
    return not (first.bars or first.unsupported), not (then.bars or then.unsupported)


class GapModel:
    """
    The plans of one Convoy with a Gap or without.

    Parameters
    ----------
    plain
        The model of those without.
    """

    name = NAME

    def __init__(self, plain: ConvoyModel) -> None:
        self.plain = plain
        self.position, self.line = plain.position, plain.line
        self.gaps = {at: when for at in range(1, len(self.line) if plain.most else 0)
                     if any(when := may_part(plain, at))}  # fmt: skip
        self.left_out = set(plain.space.left_out)
        self._sides: dict[int, Side] = {}
        self._parted: dict[tuple[Action, ...], Parted] = {}

    @property
    def space(self) -> PlanSpace:
        """The plans without a Gap, and those with one."""
        space = self.plain.space
        policy = tuple(
            line for told in space.policy for line in (POLICY if told == NO_GAP else (told,))
        )
        verbs = (*space.verbs, "enter", "start", "stop", "turn")
        left_out = tuple(sorted(self.left_out))
        return msgspec.structs.replace(
            space, name=NAME, policy=policy, verbs=verbs, left_out=left_out
        )

    def quick(self) -> Iterable[tuple[Action, ...]]:
        """Return what comes of following the lead, best first."""
        return self.plain.quick()

    def best(self, task: Task, control: Control) -> Proposal:
        """Return the best plan that no cut excludes."""
        found = self.plain.best(task, _Unbounded(control))
        if found.status in ("FEASIBLE", "UNKNOWN"):
            return found._replace(bound=None)
        for at in self.gaps:
            try:
                other = self._side(at).best(task, control, found.bound)
            except TimeoutError:
                status = "UNKNOWN" if found.log is None else "FEASIBLE"
                return Proposal(status, found.log, None)  # type: ignore[arg-type]
            if other is not None:
                plan, total = other
                log = self._log(plan)
                self._parted[log] = plan
                found = Proposal("OPTIMAL", log, total)
        return found

    def _side(self, at: int) -> Side:
        if at not in self._sides:
            self._sides[at] = Side(self.plain, at, *self.gaps[at])
            self.left_out |= self._sides[at].left_out
        return self._sides[at]

    # -- logs and cuts -------------------------------------------------------------------------

    def _log(self, plan: Parted) -> tuple[Action, ...]:
        side = self._side(plan.at)
        found: list[Action] = []
        fronts, rears = side.moves(plan.front), side.moves(plan.rear)
        for t in range(plan.joint):
            moves = (*fronts[t][: plan.at], *rears[t][plan.at :])
            found.append(Impulse(self.line[0].id, tuple(moves)))
        parts = (range(plan.at), range(plan.at, len(self.line)))
        for members, rows in zip(parts, (fronts, rears), strict=True):
            lead = self.line[members[0]]
            for row in rows[plan.joint :]:
                own = tuple(row[i] for i in members)
                act = step_of(lead, own[0], self.position.phase) if len(own) == 1 else None
                found.append(act or Impulse(lead.id, own))
            found.append(End(lead.id))
        log = tuple(found)
        return log if self.plain.space.rolls == "avoid" else settled(self.position, log) or log

    def refuse(self, log: tuple[Action, ...], verdict: Verdict) -> None:
        """Never propose what was refused."""
        if log in self._parted:
            plan = self._parted[log]
            self._side(plan.at).refused.append(plan)
        else:
            self.plain.refuse(log, verdict)

    def differ(self, log: tuple[Action, ...]) -> None:
        """Look for plans with other final places or points spent."""
        if log not in self._parted:
            self.plain.differ(log)
            course = self.plain.course(log)
            ending = self.plain.cuts.ending(course)
        else:
            plan = self._parted[log]
            ending = self._side(plan.at).ending(plan)
            self.plain.cuts.differ_from(ending)
        for at in self.gaps:
            self._side(at).differ.append(ending)

    def conflict(self, control: Control) -> tuple[Reason, ...] | None:
        """Return why the plans without a Gap fail, None if others might do what those may not."""
        return self.plain.conflict(control)


class _Unbounded:
    """A control that is told no bounds: those of some plans are not those of all."""

    def __init__(self, control: Control) -> None:
        self._control = control
        self.stop, self.seed = control.stop, control.seed

    def left(self) -> float:
        """Return what is left of the limit."""
        return self._control.left()

    def spend(self, time: float) -> None:
        """Count deterministic time as used."""
        self._control.spend(time)

    def found(self, log: tuple[Action, ...]) -> None:
        """Tell of a plan on the way."""
        self._control.found(log)

    def bounded(self, bound: int) -> None:
        """Take no note."""


class Side:
    """The plans in which the Gap appears before one vehicle."""

    def __init__(self, plain: ConvoyModel, at: int, first: bool, later: bool) -> None:
        self.plain, self.at, self.first, self.later = plain, at, first, later
        line, position = plain.line, plain.position
        ends = (0, len(line) - 1)
        sizes = (at, len(line) - at)
        lone = [line[end].id for end, size in zip(ends, sizes, strict=True) if size == 1]
        steps = steps_for(
            plain.rulebook, position, line, avoid=plain.space.rolls == "avoid", lone=lone
        )
        self.steps = [steps[unit.id] for unit in line]
        self.field = Field(
            position.board, self.steps, [state_of(unit) for unit in line], [None] * len(line),
            plain.most, max(plain.left), plain.goal.avoid,
        )  # fmt: skip
        for i, unit in enumerate(line):  # who may come on where counts for those before the Gap
            numbers = self.field.places.number
            self.field.entering[i, [numbers[position.board.resolve(n)] for n in unit.entering]] = 1
        self.left_out = {clause for each in self.steps for clause in each.left_out}
        self.worth = Worth(plain.rulebook, position, plain.goal, self.field, line)
        self.cuts = Cuts(self.field, [unit.previous for unit in line])
        edition = plain.rulebook.edition(position)
        self.ends = Ends(edition, self.field, [unit.spent for unit in line])
        self.refused: list[Parted] = []
        self.differ: list[tuple[tuple[int, ...], tuple[int, ...]]] = []

    def best(self, task: Task, control: Control, floor: int | None) -> tuple[Parted, int] | None:
        """Return the best plan above a sum, and its sum; raises TimeoutError at a limit."""
        limits = Limits(self.worth, task)
        checked(control)
        logic = GapLogic(
            self.field, self.at, self.plain.left, first=self.first, later=self.later,
            halted=self.plain.line[0].halted,
        )  # fmt: skip
        logic.state_ends(self.ends, self.plain.left)
        for row in limits.rows:
            terms = logic.terms(row, self.worth, met)
            _at_least(logic, terms, row.least)
        self._cut(logic)
        terms = logic.terms(limits.sum, self.worth, met)
        base = limits.sum.least  # what does not depend on the plan, negated
        if floor is not None:
            _at_least(logic, terms, floor + base + 1)
        while True:
            checked(control)
            model = logic.model()
            if terms:
                told = [(model.get_bool_var_from_proto_index(x), value) for x, value in terms]
                model.maximize(weighted(told))
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

    def _backs(self, plan: Parted) -> list[tuple[int, int, int]]:
        """Return who goes straight back."""
        ahead = [each for each in self.cuts.breaks(plan.front) if each[0] < self.at]
        return sorted([*ahead, *(x for x in self.cuts.breaks(plan.rear) if x[0] >= self.at)])

    def _cut(self, logic: GapLogic) -> None:
        self.cuts.state(logic)
        for plan in self.refused:
            literals = [logic.joint[plan.joint], ~logic.joint[plan.joint + 1]]
            for part, course in enumerate((plan.front, plan.rear)):
                literals += [
                    logic.at[i][t][row[i]]
                    for t, row in enumerate(course.states) for i in logic.parts[part]
                ]  # fmt: skip
                last = logic.sums[part][len(course.spent) - 1]
                literals.append(last[course.spent[-1] // self.field.grain])
            logic.any_of([~literal for literal in literals])
        for cells, spent in self.differ:
            told = [logic.spots[i][logic.last].get(cell) for i, cell in enumerate(cells)]
            for part, members in enumerate(logic.parts):
                for paid in dict.fromkeys(spent[i] for i in members):
                    whole = paid % self.field.grain == 0
                    told.append(
                        logic.sums[part][-1].get(paid // self.field.grain) if whole else None
                    )
            if all(literal is not None for literal in told):
                logic.any_of([~literal for literal in told if literal is not None])

    def ending(self, plan: Parted) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return where each vehicle ends, and what it has spent."""
        count = self.field.count
        courses = [plan.front if i < self.at else plan.rear for i in range(count)]
        cells = tuple(self.field.spot_of(i, c.states[-1][i]) for i, c in enumerate(courses))
        return cells, tuple(course.spent[-1] for course in courses)

    def moves(self, course: Course) -> list[list[str]]:
        """Return what every vehicle does in each Impulse, if it did what those of one part pay for."""
        found = []
        for t, (before, after) in enumerate(itertools.pairwise(course.states)):
            cost = course.spent[t + 1] - course.spent[t]
            found.append(
                [self._move(i, before[i], after[i], cost) for i in range(self.field.count)]
            )
        return found

    def _move(self, i: int, before: int, after: int, cost: int) -> str:
        fits = any(to == after and paid <= cost for to, paid, *_ in self.field.ways(i, before))
        step = self.cuts.step(i, before, after, cost) if fits else None
        return "stay" if step is None else step.move


def _at_least(logic: GapLogic, terms: list[tuple[int, int]], least: int) -> None:
    most = sum(max(0, value) for _, value in terms)
    if most < least:
        logic.any_of(())
    elif sum(min(0, value) for _, value in terms) < least:
        logic.total(terms, least, most)
