"""Plans in which Infantry walks, alone or led: a model of the planner (see :mod:`marchtable.rules.plan_model`)."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from marchtable.budget import work
from marchtable.cpsat.harness import Status, solve
from marchtable.cpsat.rows import HIGHEST
from marchtable.planning.tasks import in_order
from marchtable.rules.plan_model import PlanSpace, Proposal
from marchtable.state.goal import CRITERIA
from marchtable_models.asl.cpsat.foot.acting import groups_of
from marchtable_models.asl.cpsat.foot.blame import Act, Blame
from marchtable_models.asl.cpsat.foot.company import Company
from marchtable_models.asl.cpsat.foot.congestion import CongestionCosts
from marchtable_models.asl.cpsat.foot.crowds import Crowds
from marchtable_models.asl.cpsat.foot.cuts import Cuts
from marchtable_models.asl.cpsat.foot.dominance import undominated
from marchtable_models.asl.cpsat.foot.greedy import greedy
from marchtable_models.asl.cpsat.foot.options import STAYS
from marchtable_models.asl.cpsat.foot.prices import Prices
from marchtable_models.asl.cpsat.foot.program import POINTS, Program
from marchtable_models.asl.cpsat.foot.simulator import Simulator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    import numpy as np
    import numpy.typing as npt

    from marchtable.rules.plan_model import Control, Reason, Task, Unsettled
    from marchtable.rules.ruling import Verdict
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit
    from marchtable_models.asl.travel import AslTravel

    AslPosition = Position[AslUnit, AslConditions]
    Flags = npt.NDArray[np.bool_]
    Plan = Mapping[str, int]

__all__ = ["Foot"]

POLICY = (
    "Infantry that has not begun its MPh moves once, in one go: alone, or in a stack with a leader "
    "who begins in the same Location and whose bonus it has, all of it all the way to where he ends.",
    "Who waits off the map comes on by one of the Locations told for him, or stays there; a leader brings "
    "on with him those for whom the same Locations are told.",
    "Each goes by one way of least points that calls for no roll, of these the least exposed, if map "
    "and threats are not too large to tell, as the map is with the others of the plan taken away, for "
    "each of: no Double Time, told on the way or before, by road alone or not; a stack by one such way "
    "of its leader's, of least points for him.",
    "Double Time is for all of a stack or for none, but told of those alone who need it; a Minimum Move "
    "is made alone; nobody ends in Bypass.",
    "Who has least to spare on its way goes first (of equals, who spends most, then by name), a stack "
    "when its leader would; but units may go ahead of the others, in that order too, if they begin "
    "where, while all stay who do, another of the plan that ends its way there by itself would pay more "
    "or not get in; and so may all who come on, if that is so in a Location for them to come on by with all "
    "there who may.",
    "Plans in which all end in the same places by ways that cost the same count as one, whoever goes "
    "when.",
    "Nobody boards a vehicle (in the space transport they ride), drops or hands on what it carries, lends his IPC, or leaves the map but by the "
    "Locations that the goal names for it; who leaves goes before those not ahead. Vehicles stay as they are, even such "
    "as would have to stop before the MPh ends.",
)
ROW = 0.00001  # deterministic time that a row counts for each time that all are undominated
VERBS = ("enter", "minimum", "double-time", "bypass", "into", "exit")


class Foot:
    """
    The model of Infantry on foot for one position and goal.

    Parameters
    ----------
    rulebook, position, goal
        The problem; the goal is checked.
    """

    name = "foot"
    unsettled: Unsettled = "others"

    def __init__(self, rulebook: AslTravel, position: AslPosition, goal: Goal) -> None:
        self.rulebook, self.position, self.goal = rulebook, position, goal
        self.company = Company(rulebook, position, goal)
        self.simulator = Simulator(self.company)
        self._left_out: set[str] = set()
        self._proposed: dict[tuple[Action, ...], Plan] = {}

    @property
    def is_fit(self) -> bool:
        """Whether somebody may walk, and all whom aims are about are on foot or stay in any case."""
        return self.company.is_fit

    @cached_property
    def cuts(self) -> Cuts:
        """What the referee said beyond the options."""
        company, prices = self.company, Prices(self.company)
        return Cuts(
            company.options_of,
            company.looks,
            Crowds(company, prices),
            CongestionCosts(company, prices),
        )

    @cached_property
    def blame(self) -> Blame:
        """What finds out why."""
        return Blame(self.company, self.simulator, self.cuts.crowds)

    @property
    def space(self) -> PlanSpace:
        """The plans that it searches; left out is what bears within what was looked into so far."""
        left_out = self.company.unsupported() | self._left_out
        return PlanSpace(
            name=self.name, verbs=VERBS, movers=tuple(self.company.units), policy=POLICY,
            rolls="avoid", left_out=tuple(sorted(left_out)),
        )  # fmt: skip

    # -- the planner's questions ---------------------------------------------------------------------

    def quick(self) -> Iterator[tuple[Action, ...]]:
        """Yield the plan in which nobody moves, and a greedy one."""
        self._proposed[()] = dict.fromkeys(self.company.units, STAYS)
        yield ()
        plan = greedy(self.company, in_order(self.goal))
        yield self._told(plan, self._acted(plan))

    def best(self, task: Task, control: Control) -> Proposal:
        """Return the best plan that no cut excludes."""
        most = HIGHEST
        while not control.stop.is_requested and control.left() > 0:
            self.cuts.foresee(task)
            kept = undominated(self.cuts, task)
            work(ROW * sum(map(len, kept.values())))
            program = Program(self.company, self.cuts, kept, task, most)
            outcome = solve(
                program.model, "places", limit=control.left(), stop=control.stop,
                seed=control.seed, bounded=lambda b: control.bounded(b + self._fixed(task)),
            )  # fmt: skip
            control.spend(outcome.time)
            if outcome.status is Status.IMPOSSIBLE:
                return Proposal("IMPOSSIBLE", None, None)
            if outcome.objective is None or outcome.bound is None:
                return Proposal("UNKNOWN", None, None)
            most = outcome.bound
            plan = program.plan(outcome.solver.response_proto.solution)
            log = self._laid(plan, kept, control)
            if log is not None:
                is_proved = outcome.status is Status.OPTIMAL
                bound = outcome.bound + self._fixed(task)
                return Proposal("OPTIMAL" if is_proved else "FEASIBLE", log, bound)
        return Proposal("UNKNOWN", None, None)

    def refuse(self, log: tuple[Action, ...], verdict: Verdict) -> None:
        """Never propose this plan again; nor one that comes to the same, if it is legal."""
        self._bar(self._proposed[log], alike=verdict.status == "LEGAL")

    def differ(self, log: tuple[Action, ...]) -> Callable[[tuple[Action, ...]], bool] | None:
        """
        Look only for plans in which somebody ends elsewhere, or by a way of another cost.

        What company adds to that turns on who goes first: such plans count as one.
        """
        plan = self._proposed.get(log)
        if plan is None:
            return None
        self._bar(plan, alike=True)
        ends = self._ends(plan)
        return lambda other: other in self._proposed and self._ends(self._proposed[other]) == ends

    def conflict(self, control: Control) -> tuple[Reason, ...] | None:
        """Return a smallest set of clauses that forbid the musts; None for a limit."""
        from marchtable.planning.reasons import Family, Question, clauses_against
        from marchtable_models.asl.blame import BLAMABLE

        def again() -> Foot:
            return Foot(self.rulebook, self.position, self.goal)

        question = Question(self.position, self.goal, "avoid", again, control)
        return clauses_against(question, Family(BLAMABLE, bearing=self.space.left_out))

    # -- plans -------------------------------------------------------------------------------------

    def _fixed(self, task: Task) -> int:
        """Return what those add to a task's sum who are not of the company."""
        pairs = zip(CRITERIA, self.company.fixed, strict=True)
        return sum(task.weights.get(name, 0) * number for name, number in pairs)

    def _laid(
        self, plan: Plan, kept: Mapping[str, Flags], control: Control
    ) -> tuple[Action, ...] | None:
        """Return a plan's log, or None after taking note of what is wrong with it."""
        acts = self._acted(plan)
        log = self._told(plan, acts)
        paid = [act.outcome.spent for act in acts if act.outcome.spent is not None]
        if len(paid) == len(acts) and sum(map(sum, paid)) <= self.cuts.points(plan):
            return log
        control.found(log)
        known, before = self.cuts.known(plan), self.cuts.size
        for act in acts:
            self.blame.learn(act, known, self.cuts.congestions)
        if self.cuts.size == before:
            for act in acts:
                self.cuts.found += self.blame.cuts(act, known, kept)
        if self.cuts.size == before:
            self._bar(plan)
        return None

    def _acted(self, plan: Plan) -> list[Act]:
        """Return what becomes of a plan: who may not go stays where it is, and the others go on."""
        at = {n: unit.at for n, unit in self.company.units.items() if unit.at is not None}
        acts = []
        for group in groups_of(self.company.options_of, plan):
            others = {name: where for name, where in at.items() if name not in group.names}
            outcome = self.simulator.play(group, others)
            acts.append(Act(group, others, outcome))
            self._left_out.update(outcome.left_out)
            if outcome.spent is not None:
                if group.first.is_off(group.row):
                    at = {name: where for name, where in at.items() if name not in group.names}
                    continue
                end = self.position.board.locations[int(group.first.at[group.row])].name
                at |= dict.fromkeys(group.names, end)
        return acts

    def _told(self, plan: Plan, acts: Sequence[Act]) -> tuple[Action, ...]:
        """Return the log of those who went, and take note of what plan it is."""
        gone = [act.group for act in acts if act.outcome.spent is not None]
        went = {name for group in gone for name in group.names}
        log = tuple(action for group in gone for action in group.actions())
        self._proposed[log] = {n: row if n in went else STAYS for n, row in plan.items()}
        return log

    def _ends(self, plan: Plan) -> dict[str, tuple[int, int]]:
        """Return where each unit ends, and what its way costs by itself."""
        options_of = self.company.options_of
        return {
            n: (int(options_of[n].at[row]), int(options_of[n].score[row, POINTS]))
            for n, row in plan.items()
        }

    def _bar(self, plan: Plan, *, alike: bool = False) -> None:
        """Exclude a plan as a whole, or with it all in which each ends there by a way that costs as much."""
        import numpy as np

        found = {}
        for name, row in plan.items():
            options = self.company.options_of[name]
            points = options.score[:, POINTS]
            same = (options.at == options.at[row]) & (points == points[row])
            found[name] = same if alike else np.arange(len(options)) == row
        self.cuts.barred.append(found)
