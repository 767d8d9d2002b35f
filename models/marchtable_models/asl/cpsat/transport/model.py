"""Plans in which vehicles carry Infantry: a model of the planner (see :mod:`marchtable.rules.plan_model`)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from marchtable.budget import work
from marchtable.cpsat.harness import Status
from marchtable.planning.choice.model import Choice
from marchtable.planning.choice.options import Cut, Learned
from marchtable.planning.reasons import Family, Question, clauses_against
from marchtable.planning.score import Stand
from marchtable.planning.tasks import in_order
from marchtable.rules.plan_model import Proposal
from marchtable.state.goal import CRITERIA
from marchtable_models.asl.blame import BOARDING
from marchtable_models.asl.cpsat.transport.clock import Clock
from marchtable_models.asl.cpsat.transport.cut_separation import CutSeparation
from marchtable_models.asl.cpsat.transport.cuts import FREE, Charge, exactly
from marchtable_models.asl.cpsat.transport.dominance import DominanceFilter
from marchtable_models.asl.cpsat.transport.greedy import greedy
from marchtable_models.asl.cpsat.transport.instance import Instance
from marchtable_models.asl.cpsat.transport.policy import space_of
from marchtable_models.asl.cpsat.transport.problem import plan_of, stated
from marchtable_models.asl.cpsat.transport.replay import groups_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from marchtable.planning.choice.model import Found
    from marchtable.planning.choice.options import Pair, Price
    from marchtable.rules.plan_model import Control, PlanSpace, Reason, Score, Task, Unsettled
    from marchtable.rules.ruling import Verdict
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal
    from marchtable.state.position import Position
    from marchtable_models.asl.cpsat.transport.cuts import Column
    from marchtable_models.asl.cpsat.transport.problem import Plan
    from marchtable_models.asl.cpsat.transport.replay import Run
    from marchtable_models.asl.model import AslConditions, AslUnit
    from marchtable_models.asl.travel import AslTravel

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["Transport"]

ROUND = 0.005  # deterministic time that each program counts for beside its solution
EXPOSURE = CRITERIA.index("exposure")


class Done(NamedTuple):
    """What was chosen, and which vehicles acted before which."""

    columns: Sequence[Column]
    turns: Sequence[Pair]


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
        self.spots = self.separation.surcharges.spots
        self.learned: Learned[Column] = Learned()
        self._blamed: list[Callable[[], tuple[str, ...]]] = []
        self._proposed: dict[tuple[Action, ...], Done] = {}

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
            self._learn(cut)
        if is_whole and not self.instance.restless(run.position) and not self._spares(run, plan):
            yield tuple(run.log)

    def _spares(self, run: Run, plan: Plan) -> bool:
        """Return whether others in the way turn somebody to a less exposed way: then bounds say nothing of it."""
        if not self.goal.threat:
            return False
        told = sum(column.score[EXPOSURE] for column in plan.columns())
        return self.instance.measure.of(run.verdict).score["exposure"] < told

    def best(self, task: Task, control: Control) -> Proposal:
        """Return the best plan that no cut excludes."""
        while not control.stop.is_requested and control.left() > 0:
            work(ROUND)
            problem = stated(self.instance, self.spots, self.dominance.columns(task))
            found = Choice(problem, self.learned).solve(task, control, bounded=control.bounded)
            outcome = found.outcome
            if outcome.status is Status.IMPOSSIBLE:
                return Proposal("IMPOSSIBLE", None, None)
            if outcome.objective is None:
                return Proposal("UNKNOWN", None, outcome.bound)
            log = self._laid(found, task, control)
            if log is not None:
                is_proved = outcome.status is Status.OPTIMAL
                return Proposal("OPTIMAL" if is_proved else "FEASIBLE", log, outcome.bound)
        return Proposal("UNKNOWN", None, None)

    def refuse(self, log: tuple[Action, ...], verdict: Verdict) -> None:
        """Never propose this plan again."""
        clauses = tuple(violation.clause for violation in verdict.violations)
        self._exclude(self._proposed[log], clauses)

    def differ(self, log: tuple[Action, ...]) -> None:
        """
        Look only for plans in which somebody ends elsewhere, or has spent something else.

        What else comes to the same is refused when it is proposed: only then it is known what it costs.
        """
        if log in self._proposed:
            self._exclude(self._proposed[log])

    def conflict(self, control: Control) -> tuple[Reason, ...] | None:
        """Return a smallest set of clauses that forbid the musts; None for a limit, or no such set."""
        likely = tuple({clause for told in self._blamed for clause in told()})
        blamed = dict.fromkeys((*(self.instance.rulebook.blamable or ()), *BOARDING, *likely))

        def again() -> Transport:
            return type(self)(self.instance.rulebook, self.position, self.goal)

        question = Question(self.position, self.goal, "avoid", again, control)
        return clauses_against(question, Family((*blamed,), likely, self.space.left_out))

    def _laid(
        self, found: Found[Column], task: Task, control: Control
    ) -> tuple[Action, ...] | None:
        """Return a plan's log, or None after noting what is wrong with it."""
        plan = plan_of(found.options, found.pairs)
        groups = groups_of(self.clock, plan)
        is_first = not self.learned.cuts
        run, is_whole, cuts = self.separation.acted(groups, lazily=True)
        if is_whole and not cuts and (self.goal.threat or self.instance.exits):
            run, is_whole, cuts = self.separation.acted(groups)  # where they came through counts
        for cut in cuts:
            self._learn(cut)
        this = Done(plan.columns(), self.separation.meetings.turns(run, groups))
        if not is_whole:
            if not cuts:
                self._exclude(this)
            return None
        if clauses := self.instance.restless(run.position):
            self._exclude(this, clauses)
            return None
        if cuts:
            if is_first and not self.goal.threat:  # see _spares: it has not been ruled on in full
                control.found(tuple(run.log))
            return None
        measure = self.instance.measure
        score = measure.of(run.verdict).score if run.is_ruled else self._guessed(run, plan)
        if not self._is_as_told(found, task, score):
            self._account(found, run, this, score)
            return None
        log = tuple(run.log)
        self._proposed[log] = this
        return log

    def _guessed(self, run: Run, plan: Plan) -> Score:
        """Return what it comes to if those act who can, and the others stay: if nobody leaves the map."""
        found: Score = {
            name: sum(column.score[n] for column in plan.columns())
            for n, name in enumerate(CRITERIA)
        }
        found["value"] = found["distance"] = found["points"] = 0
        for before, unit in zip(self.position.units, run.position.units, strict=True):
            stand = Stand(unit.at, bool(unit.cargo.aboard or unit.cargo.towed_by))
            value, distance = self.instance.measure.gain(unit.id, stand)
            found["value"] += value
            found["distance"] += distance
            found["points"] += unit.points.spent - before.points.spent
        return found

    def _is_as_told(self, found: Found[Column], task: Task, score: Score) -> bool:
        """Return whether a plan is worth what the model tells, and within the bounds of a task."""
        low = all(score[name] >= least for name, least in task.least.items())
        high = all(score[name] <= most for name, most in task.most.items())
        worth = sum(weight * score[name] for name, weight in task.weights.items())
        return low and high and worth == found.outcome.objective

    def _account(self, found: Found[Column], run: Run, this: Done, score: Score) -> None:
        """Learn what a plan comes to as a whole, where it is more than told; else never choose it again."""
        met = max(0, score["exposure"] - found.totals["exposure"])
        is_new = False
        for column in this.columns:
            points = run.position.unit(column.unit).points.spent
            points -= self.position.unit(column.unit).points.spent + column.points
            told = found.extra.get(column.unit, FREE)
            if column.acts and (points > told[0] or met):
                others = [one for one in this.columns if one is not column]
                given = frozenset(map(self.spots.doing, others))
                price = (points, told[1] + met)
                if (column.unit, given) not in self.learned.cuts:
                    more = partial(_priced, column, price)
                    self._learn(Charge(given, column.unit, more, tuple))
                    is_new = True
                met = 0
        if not is_new:
            self._exclude(this)

    # -- what is learned ---------------------------------------------------------------------------

    def _learn(self, cut: Charge) -> None:
        """Learn what an actor pays more."""
        key = (cut.actor, cut.given)
        known = self.learned.cuts.get(key)
        if known is not None:
            before = known.surcharge
            after = cut.surcharge
            cut.surcharge = lambda column: _dearest(before(column), after(column))  # type: ignore[method-assign]
        self.learned.cuts[key] = Cut(cut.given, cut.actor, cut.surcharge)
        self._blamed.append(lambda: cut.clauses)
        self.dominance.cut(self.spots.tests(cut))

    def _exclude(self, done: Done, clauses: tuple[str, ...] = ()) -> None:
        """Never choose these together again, all acting in their turns."""
        self.learned.orders.append((frozenset(done.columns), done.turns))
        self._blamed.append(lambda: clauses)
        self.dominance.cut((column.unit, exactly(column)) for column in done.columns)


def _priced(column: Column, price: Price, other: Column) -> Price:
    return price if other is column else FREE


def _dearest(one: Sequence[Price], two: Sequence[Price]) -> Sequence[Price]:
    """Return a price that is no less than either, each being one or none."""
    return [(max(a, c), max(b, d)) for a, b in one for c, d in two]
