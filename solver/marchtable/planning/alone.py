"""The model for every rulebook: units that each move at most once, in one go, alone.

Reach gives each unit the least that getting somewhere costs while the others are out of the way;
CP-SAT chooses where units end (:mod:`marchtable.planning.master`); whether there is an order in
which they get there at that cost is tried out (:mod:`marchtable.planning.company`). If there is
none, the fewest units that cannot do it are found, and what they cannot do is cut off.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.cpsat.harness import Status
from marchtable.planning.company import Company, Cost, TooMany
from marchtable.planning.goals import movers_of
from marchtable.planning.greedy import greedy
from marchtable.planning.master import Choice, Master, Option
from marchtable.planning.reasons import Family, Question, clauses_against
from marchtable.planning.score import Measure, Stand
from marchtable.planning.ways import unsupported
from marchtable.rules.plan_model import PlanSpace, Proposal
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.action import verb_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from marchtable.planning.company import Ends, Vector
    from marchtable.rules.plan_model import Control, Reason, Rolls, Score, Task, Unsettled
    from marchtable.rules.ruling import Verdict
    from marchtable.state.action import Action
    from marchtable.state.goal import Criterion, Goal
    from marchtable.state.position import Position

__all__ = ["NAME", "AloneModel"]

NAME = "alone"


class AloneModel:
    """
    Plans of units that each move at most once, in one go, alone.

    Parameters
    ----------
    position
        Where they start.
    goal
        The goal, checked.
    rolls
        What becomes of rolls.
    """

    name = NAME
    unsettled: Unsettled = "others"

    def __init__(self, position: Position[Any, Any], goal: Goal, rolls: Rolls) -> None:
        self.position, self.goal, self.rolls = position, goal, rolls
        self._rulebook = find_rulebook(position.rulebook)
        self.measure = Measure(position, goal)
        self.company = Company(position, goal, rolls, self._units())
        self._master: Master | None = None
        self._doubts: list[Score] = []
        self._pinned: dict[tuple[str | None, ...], dict[Vector, tuple[Action, ...]]] = {}

    def _units(self) -> tuple[str, ...]:
        movers = [self.position.unit(name) for name in movers_of(self.goal, self.position)]
        return tuple(u.id for u in movers if self._rulebook.carrier(self.position, u) is None)

    @property
    def space(self) -> PlanSpace:
        """The plans that it searches."""
        return PlanSpace(
            name=NAME,
            verbs=tuple(verb_of(kind) for kind in self._rulebook.travel),
            movers=self.company.units,
            policy=(
                "Each unit moves at most once, in one go, alone; in any order.",
                "It goes by a way than which, as the others then stand, none to the same Location "
                "is both cheaper and less exposed.",
                "Units aboard others at the start stay aboard; nobody leaves the map.",
                "What is demanded of units as the phase ends is not looked into.",
            ),
            rolls=self.rolls,
            left_out=self._left_out,
        )

    @property
    def _left_out(self) -> tuple[str, ...]:
        """The clauses, not modelled, that bear within the units' reach, once that was looked into."""
        if self._master is None:
            return ()
        known = (self.company.only([unit]) for unit in self.company.units)
        found = (unsupported(position, unit, self.goal, self.rolls)
                 for unit, position in zip(self.company.units, known, strict=True))  # fmt: skip
        return tuple(sorted({clause for clauses in found for clause in clauses}))

    # -- the options -------------------------------------------------------------------------

    @property
    def master(self) -> Master:
        """The choice of end places; made when it is first asked for."""
        if self._master is None:
            options = {unit: tuple(self._options(unit)) for unit in self.company.units}
            self._master = Master(options, self._fixed(), self._required())
        return self._master

    def _options(self, unit: str) -> Iterator[Option]:
        here = self.position.unit(unit)
        yield self._option(unit, here.at, Cost(0, 0), stays=True)
        for at, found in self.company.alone(unit).items():
            for way in found:
                yield self._option(unit, at, Cost(way.points, way.exposure))

    def _option(self, unit: str, at: str | None, cost: Cost, *, stays: bool = False) -> Option:
        stands = {unit: Stand(at)}
        stands |= {name: Stand(at, carried=True) for name in self.company.aboard[unit]}
        gains = [self.measure.gain(name, stand) for name, stand in stands.items()]
        meets = tuple(
            aim for aim in range(len(self.goal.aims)) for name, stand in stands.items()
            if self.measure.holds(aim, name, stand)
        )  # fmt: skip
        heads = sum(name in self.measure.movers for name in stands)
        return Option(
            None if stays else at, cost, sum(value for value, _ in gains),
            sum(distance for _, distance in gains), 0 if stays else heads, meets, heads,
        )  # fmt: skip

    def _others(self) -> dict[str, Stand]:
        """Return where those stand who cannot move."""
        moving = {name for u in self.company.units for name in (u, *self.company.aboard[u])}
        carrier = self._rulebook.carrier
        return {
            unit.id: Stand(unit.at, carrier(self.position, unit) is not None)
            for unit in self.position.units if unit.id not in moving
        }  # fmt: skip

    def _fixed(self) -> dict[Criterion, int]:
        gains = [self.measure.gain(name, stand) for name, stand in self._others().items()]
        value, distance = (sum(gain[n] for gain in gains) for n in (0, 1))
        return {"value": value, "distance": distance, "exposure": 0, "points": 0, "moved": 0}

    def _required(self) -> dict[int, int]:
        others = self._others()
        found = {}
        for aim in range(len(self.goal.aims)):
            met = sum(self.measure.holds(aim, name, stand) for name, stand in others.items())
            if self.measure.required(aim):
                found[aim] = self.measure.required(aim) - met
        return found

    # -- what the planner asks ---------------------------------------------------------------

    def quick(self) -> Iterator[tuple[Action, ...]]:
        """Yield staying put, and what units reach that choose one after another."""
        yield ()
        if self._must_leave():
            return
        yield greedy(self.company, self.master.options, self.goal)

    def best(self, task: Task, control: Control) -> Proposal:
        """Return the best plan that is not cut off."""
        if self._must_leave():
            return Proposal("IMPOSSIBLE", None, None)
        master = self.master
        company = self.company
        sure = (self._rulebook.others_hinder or len(company.units) <= 1) and not any(
            company.parts(unit) for unit in company.units
        )
        bound: int | None = None
        while not control.stop.is_requested and control.left() > 0:
            outcome, choice = master.solve(task, control)
            if outcome.status is Status.IMPOSSIBLE:
                return self._no_more(task, sure=sure)
            known = outcome.objective if task.weights else 0
            if outcome.status is not Status.OPTIMAL or choice is None or known is None:
                if bound is None and outcome.bound is not None:
                    bound = max([outcome.bound, *self._doubtful(task)])
                break
            bound = max([known, *self._doubtful(task)])
            if sure:
                control.bounded(bound)
            log = self._realised(choice)
            if log is not None:
                is_best = sure and bound == known
                return Proposal("OPTIMAL" if is_best else "FEASIBLE", log, bound if sure else None)
        return Proposal("UNKNOWN", None, bound if sure else None)

    def _must_leave(self) -> bool:
        """Tell whether units must leave the map, as nobody does in this space."""
        goal = self.goal
        return any(aim.exit and self._required().get(n, 0) > 0 for n, aim in enumerate(goal.aims))

    def _no_more(self, task: Task, *, sure: bool) -> Proposal:
        doubtful = self._doubtful(task)
        if sure and not doubtful:
            return Proposal("IMPOSSIBLE", None, None)
        return Proposal("UNKNOWN", None, max(doubtful) if sure else None)

    def _doubtful(self, task: Task) -> list[int]:
        """Return the most that plans can be worth which were cut off unproved."""
        return [
            sum(weight * score[name] for name, weight in task.weights.items())
            for score in self._doubts
            if all(score[name] >= bound for name, bound in task.least.items())
            and all(score[name] <= bound for name, bound in task.most.items())
        ]

    def refuse(self, log: tuple[Action, ...], verdict: Verdict) -> None:  # noqa: ARG002 - a model's interface
        """Never propose these end places again; that there is nothing to them is not proved."""
        self._doubt(self._ends(verdict.position))

    def differ(self, log: tuple[Action, ...]) -> None:
        """From now on leave out plans with this log's end places and points."""
        done = self.company.played(self.position, [a for a in log if not _is_event(a)])
        if done is None:
            return
        ends = self._ends(done[0])
        points = tuple(self.company.spent(done[0], unit) for unit in self.company.units)
        key = tuple(ends.values())
        if key not in self._pinned:
            try:
                self._pinned[key] = self.company.vectors(ends, all_of_them=True)
            except TooMany:
                self._doubt(ends)
                return
        left = {
            vector: way for vector, way in self._pinned[key].items()
            if tuple(cost.points for cost in vector) != points
        }  # fmt: skip
        self._pinned[key] = left
        self.master.charge(ends, left, exactly=True)

    def conflict(self, control: Control) -> tuple[Reason, ...] | None:
        """Return a minimal set of clauses that together forbid the goal's musts, None if unproved."""
        question = Question(
            self.position, self.goal, self.rolls,
            lambda: AloneModel(self.position, self.goal, self.rolls), control,
        )  # fmt: skip
        return clauses_against(
            question, Family(self._rulebook.blamable, bearing=self.space.left_out)
        )

    # -- trying it out -----------------------------------------------------------------------

    def _ends(self, position: Position[Any, Any]) -> Ends:
        found: Ends = {}
        for unit in self.company.units:
            at = position.unit(unit).at
            found[unit] = None if at == self.position.unit(unit).at else at
        return found

    def _realised(self, choice: Choice) -> tuple[Action, ...] | None:
        """Return moves as chosen, or None once what bars them is cut off."""
        pinned = self._pinned.get(tuple(choice.ends.values()))
        if pinned is not None:
            vector = tuple(choice.most[unit] for unit in self.company.units)
            return pinned[vector]
        try:
            log = self.company.log(choice.ends, choice.most)
            if log is None:
                self._cut(choice)
        except TooMany:
            self._doubt(choice.ends)
            return None
        return log

    def _cut(self, choice: Choice) -> None:
        """Cut off what the fewest of the units cannot do together."""
        ends = dict(choice.ends)
        for unit in choice.ends:
            fewer = {name: at for name, at in ends.items() if name != unit}
            if fewer and self.company.log(fewer, choice.most) is None:
                ends = fewer
        vectors = self.company.vectors(ends)
        if vectors:
            self.master.charge(ends, vectors)
        else:
            self.master.forbid(ends)

    def _doubt(self, ends: Ends) -> None:
        """Cut off end places without proof, and remember what they might be worth."""
        self.master.forbid(ends)
        taken = [min((o for o in self.master.options[unit] if o.at == at),
                     key=lambda o: o.cost) for unit, at in ends.items()]  # fmt: skip
        fixed: Mapping[Criterion, int] = self._fixed()
        score: Score = {
            "value": fixed["value"] + sum(o.value for o in taken),
            "distance": fixed["distance"] + sum(o.distance for o in taken),
            "points": sum(o.cost.points for o in taken),
            "moved": sum(o.moved for o in taken),
            "exposure": sum(o.heads * min(x.cost.exposure for x in self.master.options[unit]
                            if x.at == o.at)
                            for o, unit in zip(taken, ends, strict=True)),
        }  # fmt: skip
        self._doubts.append(score)


def _is_event(action: Action) -> bool:
    from marchtable.state.action import Event

    return isinstance(action, Event)
