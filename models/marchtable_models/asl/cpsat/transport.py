"""Plans in which vehicles carry Infantry: a model of the planner (see :mod:`marchtable.planning.model`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.cpsat import Status, solve
from marchtable.planning.goal import CRITERIA
from marchtable.planning.model import PlanSpace, Proposal
from marchtable.referee import check
from marchtable_models.asl.cpsat.blame import Blame, actor_of, tried
from marchtable_models.asl.cpsat.cuts import Clock, Cut, Literal
from marchtable_models.asl.cpsat.gather import Gathered
from marchtable_models.asl.cpsat.offers import FIVE, name_of
from marchtable_models.asl.cpsat.program import Plan, Program
from marchtable_models.asl.cpsat.replay import Run, groups_of
from marchtable_models.asl.cpsat.sift import Sieve

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable.action import Action
    from marchtable.planning.goal import Goal
    from marchtable.planning.model import Control, Reason, Task
    from marchtable.position import Position
    from marchtable.ruling import Verdict
    from marchtable_models.asl.cpsat.offers import Five, Offer, Trip
    from marchtable_models.asl.model import AslConditions, AslUnit
    from marchtable_models.asl.rulebook import Asl

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["Transport"]

POLICY = (
    "First those who board a vehicle: each walks alone to where it stands and boards it as a Passenger.",
    "Then the vehicles, those nearest to where units are wanted first: each goes to one Location, "
    "stops, and may be left there by one stack; who leaves it walks on at once.",
    "Then the other Infantry, each walking alone.",
    "Each goes by a way of least points; of those who walk one after another, who has least to spare goes first.",
)


class Transport:
    """The transport model for one position and goal."""

    def __init__(self, rulebook: Asl, position: AslPosition, goal: Goal) -> None:
        self.gathered = Gathered(rulebook, position, goal)
        self.position, self.goal = position, goal
        self.cuts: list[Cut] = []
        self.space = PlanSpace(
            name="transport",
            verbs=("start", "stop", "turn", "enter", "leave-road", "minimum", "double-time", "load",
                   "unload"),
            movers=self.gathered.names, policy=POLICY, rolls="avoid",
        )  # fmt: skip
        self.sieve = Sieve(self.gathered)
        self.clock = Clock(self.gathered)
        self.blame = Blame(self.gathered, self.clock)
        self._extra: dict[frozenset[int], Five] = {}

    # -- the planner's questions ---------------------------------------------------------------------

    def quick(self) -> Iterator[tuple[Action, ...]]:
        """Return the plan in which nobody moves."""
        yield ()

    def best(self, task: Task, control: Control) -> Proposal:
        """Return the best plan that no cut excludes."""
        while True:
            program = Program(self.gathered, self.sieve.columns(task), task, self.cuts)
            outcome = solve(program.model, "knapsack", limit=control.left(), stop=control.stop)
            control.spend(outcome.solver.response_proto.deterministic_time)
            if outcome.status is Status.IMPOSSIBLE:
                return Proposal("IMPOSSIBLE", None, None)
            if outcome.objective is None:
                return Proposal("UNKNOWN", None, None)
            log = self._laid(program.plan(outcome.solver))
            if log is not None:
                status = "OPTIMAL" if outcome.status is Status.OPTIMAL else "FEASIBLE"
                return Proposal(status, log, outcome.bound)

    def _laid(self, plan: Plan) -> tuple[Action, ...] | None:
        """Return a plan's log, or None after noting what is wrong with it."""
        run, columns = Run(self.gathered, self.position), plan.columns()
        known = self._known(columns)
        for group in groups_of(self.clock, plan):
            before = run.position
            result = tried(self.gathered, run, group)
            if result.extra is None or result.extra > known.get(actor_of(group), 0):
                self._cut(self.blame.cut(before, group, result))
                return None
        measured = self.gathered.measure.of(check(self.position, run.log))
        told = [sum(c.score[n] for c in columns) for n in range(len(CRITERIA))]
        told[3] += sum(known.values())
        extra = tuple(measured.score[name] - told[n] for n, name in enumerate(CRITERIA))
        if extra != self._extra.get(frozenset(map(id, columns)), FIVE):
            self._extra[frozenset(map(id, columns))] = extra
            self._cut(Cut(tuple(_exactly(column) for column in columns), "", extra))
            return None
        return tuple(run.log)

    def _known(self, columns: Sequence[Offer | Trip]) -> dict[str, int]:
        """Return what cuts tell that actors pay more in a plan."""
        found: dict[str, int] = {}
        chosen = {name_of(column): column for column in columns}
        for cut in self.cuts:
            if cut.extra and cut.actor and all(x.test(chosen[x.unit]) for x in cut.literals):
                found[cut.actor] = max(found.get(cut.actor, 0), cut.extra[3])
        return found

    def _cut(self, cut: Cut) -> None:
        self.cuts.append(cut)
        self.sieve.cuts.append(cut)


def _exactly(chosen: Offer | Trip) -> Literal:
    return Literal(name_of(chosen), lambda column: column is chosen)
