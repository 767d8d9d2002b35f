"""Plans in which vehicles carry Infantry: a model of the planner (see :mod:`marchtable.rules.plan_model`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from marchtable.budget import work
from marchtable.cpsat.harness import Status, solve
from marchtable.planning.score import Stand
from marchtable.planning.tasks import FIVE, in_order
from marchtable.rules.plan_model import Proposal
from marchtable.state.goal import CRITERIA
from marchtable_models.asl.cpsat.transport.cut_separation import CutSeparation
from marchtable_models.asl.cpsat.transport.cuts import Clock, Cut, Literal, SurchargeCut
from marchtable_models.asl.cpsat.transport.dominance import DominanceFilter
from marchtable_models.asl.cpsat.transport.greedy import greedy
from marchtable_models.asl.cpsat.transport.instance import Instance
from marchtable_models.asl.cpsat.transport.options import name_of
from marchtable_models.asl.cpsat.transport.policy import space_of
from marchtable_models.asl.cpsat.transport.precedence import ranked
from marchtable_models.asl.cpsat.transport.precedence_variables import known
from marchtable_models.asl.cpsat.transport.program import Program
from marchtable_models.asl.cpsat.transport.replay import groups_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from marchtable.rules.plan_model import Control, PlanSpace, Reason, Score, Task, Unsettled
    from marchtable.rules.ruling import Verdict
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal
    from marchtable.state.position import Position
    from marchtable_models.asl.cpsat.transport.cuts import Said
    from marchtable_models.asl.cpsat.transport.options import Offer, Trip
    from marchtable_models.asl.cpsat.transport.precedence import Turns
    from marchtable_models.asl.cpsat.transport.program import Plan
    from marchtable_models.asl.cpsat.transport.replay import Run
    from marchtable_models.asl.model import AslConditions, AslUnit
    from marchtable_models.asl.travel import AslTravel

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["Transport"]

ROUND = 0.005  # deterministic time that each program counts for beside its solution
EXPOSURE = CRITERIA.index("exposure")


class Priced(NamedTuple):
    """A whole plan of which a cut tells what it comes to, beside what cuts tell that actors pay more."""

    cut: Cut
    known: int
    columns: Sequence[Offer | Trip]
    order: Turns


class Transport:
    """
    The transport model for one position and goal.

    Parameters
    ----------
    rulebook, position, goal
        The problem; the goal is checked.
    """

    name = "transport"
    unsettled: Unsettled = "others"

    def __init__(self, rulebook: AslTravel, position: AslPosition, goal: Goal) -> None:
        self.position, self.goal = position, goal
        self.instance = Instance(rulebook, position, goal)
        self.dominance = DominanceFilter(self.instance)
        self.clock = Clock(self.instance)
        self.separation = CutSeparation(self.instance, self.clock)
        self.cuts: list[Cut | SurchargeCut] = []
        self._extra: dict[Hashable, Priced] = {}
        self._proposed: dict[tuple[Action, ...], tuple[Said, ...]] = {}

    @property
    def is_fit(self) -> bool:
        """
        Whether a vehicle carries, or may carry, some unit of the plan, or some are to leave the map.

        Or aims are about vehicles, and about nobody who might move and has no part in the plan.
        """
        instance = self.instance
        carries = instance.aboard or any(map(instance.boarding.is_of_use, instance.vehicles))
        drives = any(map(instance.is_of_use, instance.vehicles)) and not instance.outsiders
        return bool(carries or instance.exits or drives)

    @property
    def might_carry(self) -> bool:
        """Whether vehicles and Infantry may move, if not together, and aims are about nobody else."""
        instance = self.instance
        return bool(instance.motors and instance.foot) and not instance.outsiders

    @property
    def space(self) -> PlanSpace:
        """The plans that it searches; left out is what bears within what was looked into so far."""
        return space_of(self.name, self.instance)

    # -- the planner's questions ---------------------------------------------------------------------

    def quick(self) -> Iterator[tuple[Action, ...]]:
        """Yield the plan in which nobody moves, if that may be, and a greedy one."""
        if not self.instance.restless(self.position):
            yield ()
        plan = greedy(
            self.instance, self.dominance.columns(in_order(self.goal)), in_order(self.goal)
        )
        if plan is None:
            return
        run, is_whole, cuts = self.separation.acted(groups_of(self.clock, plan))
        for cut in cuts:
            self._cut(cut)
        if is_whole and not self.instance.restless(run.position) and not self._spares(run, plan):
            yield tuple(run.log)

    def _spares(self, run: Run, plan: Plan) -> bool:
        """Tell whether others in the way turn somebody to a less exposed way: then bounds say nothing of it."""
        if not self.goal.threat:
            return False
        told = sum(column.score[EXPOSURE] for column in plan.columns())
        return self.instance.measure.of(run.verdict).score["exposure"] < told

    def best(self, task: Task, control: Control) -> Proposal:
        """Return the best plan that no cut excludes."""
        while not control.stop.is_requested and control.left() > 0:
            work(ROUND)
            program = Program(self.instance, self.dominance.columns(task), task, self.cuts)
            outcome = solve(
                program.model, program.profile, limit=control.left(), stop=control.stop,
                seed=control.seed, bounded=control.bounded,
            )  # fmt: skip
            control.spend(outcome.time)
            if outcome.status is Status.IMPOSSIBLE:
                return Proposal("IMPOSSIBLE", None, None)
            if outcome.objective is None:
                return Proposal("UNKNOWN", None, None)
            plan = program.plan(outcome.solver.response_proto.solution)
            log = self._laid(plan, control)
            if log is not None:
                is_proved = outcome.status is Status.OPTIMAL
                return Proposal("OPTIMAL" if is_proved else "FEASIBLE", log, outcome.bound)
        return Proposal("UNKNOWN", None, None)

    def refuse(self, log: tuple[Action, ...], verdict: Verdict) -> None:
        """Never propose this plan again."""
        clauses = tuple(violation.clause for violation in verdict.violations)
        self._cut(Cut(self._proposed[log], None, clauses))

    def differ(self, log: tuple[Action, ...]) -> None:
        """
        Look only for plans in which somebody ends elsewhere, or has spent something else.

        What else comes to the same is refused when it is proposed: only then it is known what it costs.
        """
        this = self._proposed.get(log)
        if this is not None:
            self._cut(Cut(this, None))

    def conflict(self, control: Control) -> tuple[Reason, ...] | None:
        """Return a smallest set of clauses that forbid the musts; None for a limit, or no such set."""
        from marchtable_models.asl.cpsat.transport.infeasibility import proved

        return proved(self, control)

    def _laid(self, plan: Plan, control: Control) -> tuple[Action, ...] | None:
        """Return a plan's log, or None after noting what is wrong with it."""
        groups = groups_of(self.clock, plan)
        is_first = not self.cuts
        run, is_whole, cuts = self.separation.acted(groups, lazily=True)
        if is_whole and not cuts and (self.goal.threat or self.instance.exits):
            run, is_whole, cuts = self.separation.acted(groups)  # where they came through counts
        for cut in cuts:
            self._cut(cut)
        columns = plan.columns()
        turns = self.separation.meetings.turns(run, groups)
        this: tuple[Said, ...] = (*map(_exactly, columns), *turns)
        if not is_whole:
            if not cuts:
                self._cut(Cut(this, None))
            return None
        if clauses := self.instance.restless(run.position):
            self._cut(Cut(this, None, clauses))
            return None
        if cuts:
            if is_first and not self.goal.threat:  # see _spares: it has not been ruled on in full
                control.found(tuple(run.log))
            return None
        measure = self.instance.measure
        score = measure.of(run.verdict).score if run.is_ruled else self._guessed(run, columns)
        told = [sum(c.score[n] for c in columns) for n in range(len(CRITERIA))]
        order = ranked(self.clock.order, plan.before)
        paid = self._known(columns, order)
        told[3] += paid
        more = [score[name] - told[n] for n, name in enumerate(CRITERIA)]
        extra = (more[0], more[1], more[2], more[3], more[4])
        key = (frozenset(map(id, columns)), turns)
        priced = self._extra.get(key)
        if extra != (FIVE if priced is None else priced.cut.extra):
            self._cut(Cut(this, extra))
            self._extra[key] = Priced(cast("Cut", self.cuts[-1]), paid, columns, order)
            return None
        log = tuple(run.log)
        self._proposed[log] = this
        return log

    def _guessed(self, run: Run, columns: Sequence[Offer | Trip]) -> Score:
        """Return what it comes to if those act who can, and the others stay: if nobody leaves the map."""
        told = [sum(column.score[n] for column in columns) for n in range(len(CRITERIA))]
        found: Score = dict(zip(CRITERIA, told, strict=True))
        found["value"] = found["distance"] = found["points"] = 0
        for before, unit in zip(self.position.units, run.position.units, strict=True):
            stand = Stand(unit.at, bool(unit.cargo.aboard or unit.cargo.towed_by))
            value, distance = self.instance.measure.gain(unit.id, stand)
            found["value"] += value
            found["distance"] += distance
            found["points"] += unit.points.spent - before.points.spent
        return found

    def _known(self, columns: Sequence[Offer | Trip], order: Turns) -> int:
        """Return what cuts tell that actors pay more in a plan."""
        chosen = {name_of(column): column for column in columns}
        return sum(known(self.cuts, chosen, order).values())

    def _cut(self, cut: Cut | SurchargeCut) -> None:
        self.cuts.append(cut)
        self.dominance.cut(cut)
        if isinstance(cut, SurchargeCut):
            self._price_anew()

    def _price_anew(self) -> None:
        """Forget what plans cost more as a whole that are now told to cost more by what they meet."""
        for key, priced in [*self._extra.items()]:
            if self._known(priced.columns, priced.order) != priced.known:
                del self._extra[key]
                self.cuts = [other for other in self.cuts if other is not priced.cut]


def _exactly(chosen: Offer | Trip) -> Literal:
    return Literal(name_of(chosen), lambda column: column is chosen)
