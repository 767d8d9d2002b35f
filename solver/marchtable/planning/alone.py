"""
The model for every rulebook: units that each move at most once, in one go, alone.

Reach gives each unit the least cost of every destination while the others are out of the way;
CP-SAT chooses the units' ends, and their order (:mod:`marchtable.planning.choice`). The choice is
replayed (:mod:`marchtable.planning.company`). If a unit cannot do its part, the model finds out
which others, at their places, are in its way, and cuts off what they forbid or make more expensive.
"""

from __future__ import annotations

from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any

from marchtable.cpsat.harness import Status
from marchtable.planning.all_moves import plan_of_any_order
from marchtable.planning.choice.aims import held, idle_of, still
from marchtable.planning.choice.model import ChoiceModel
from marchtable.planning.choice.options import Cut, Presence, Problem
from marchtable.planning.choice.presence import Turns
from marchtable.planning.choice.replay import carry_out, fewest, in_order
from marchtable.planning.choice.space import ChoiceSpace
from marchtable.planning.company import BUDGET, Company, Cost, TooMany
from marchtable.planning.goals import movers_of
from marchtable.planning.greedy import greedy
from marchtable.planning.moves import moves_of
from marchtable.planning.reasons import Family
from marchtable.planning.ways import unsupported
from marchtable.rules.plan_model import PlanSpace, Proposal
from marchtable.rules.referee import check
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.action import verb_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from marchtable.planning.choice.aims import Standing
    from marchtable.planning.choice.model import Chosen
    from marchtable.planning.choice.options import Price, Spot
    from marchtable.planning.choice.replay import Stuck
    from marchtable.planning.moves import Move
    from marchtable.planning.score import FinalPlace
    from marchtable.planning.ways import Played
    from marchtable.rules.plan_model import Control, Rolls, Score, Task
    from marchtable.rules.ruling import Verdict
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal
    from marchtable.state.position import Position

__all__ = ["NAME", "AloneModel"]

NAME = "alone"
COUNTED = {"points", "exposure"}


class AloneModel(ChoiceSpace["Move"]):
    """
    Plans of units that each move at most once, in one go, alone.

    Parameters
    ----------
    position
        The starting position.
    goal
        The goal, checked.
    rolls
        The policy for rolls.
    """

    name = NAME

    def __init__(self, position: Position[Any, Any], goal: Goal, rolls: Rolls) -> None:
        super().__init__(position, goal, rolls)
        self._rulebook = find_rulebook(position.rulebook)
        self.company = Company(position, goal, rolls, self._units())
        self._problem: Problem[Move] | None = None
        self._doubts: list[Score] = []
        self._taken: set[object] = set()
        self._is_narrowed = False
        """Whether some plan was already rejected or returned."""

    def _units(self) -> tuple[str, ...]:
        movers = [self.position.unit(name) for name in movers_of(self.goal, self.position)]
        return tuple(u.id for u in movers if u.carrier is None)

    @property
    def space(self) -> PlanSpace:
        """The plans that it searches."""
        return PlanSpace(
            name=NAME,
            verbs=self._verbs,
            movers=self.company.units,
            policy=(
                "Each unit moves at most once, in one go and alone. The order is free.",
                "With the other units where they then are, no route to the same Location is both "
                "cheaper and less exposed than the unit's own.",
                "Units aboard others at the start stay aboard.",
                "A unit leaves the map only to meet an aim `exit` about it or a unit aboard it, by a "
                "Location of that aim.",
                "Rules about the end of the phase are not checked.",
            ),
            rolls=self.rolls,
            left_out=self._left_out,
        )

    @property
    def _verbs(self) -> tuple[str, ...]:
        travel, exit_of = self._rulebook.travel, self._rulebook.exit_of
        leaves = any(aim.exit for aim in self.goal.aims)
        units = map(self.position.unit, self.company.units) if leaves else ()
        exits = {verb_of(type(one)) for unit in units if (one := exit_of(unit))}
        return (*map(verb_of, travel), *sorted(exits))

    @property
    def _left_out(self) -> tuple[str, ...]:
        """The unmodelled clauses that apply within the units' reach, once this was examined."""
        if self._problem is None:
            return ()
        known = (self.company.only([unit]) for unit in self.company.units)
        found = (unsupported(position, unit, self.goal, self.rolls)
                 for unit, position in zip(self.company.units, known, strict=True))  # fmt: skip
        clauses = {clause for clauses in found for clause in clauses}
        return tuple(sorted(clauses | self.company.left_out))

    # -- the options -------------------------------------------------------------------------

    @property
    def problem(self) -> Problem[Move]:
        """The choice of end places, built at the first access."""
        if self._problem is None:
            company, measure = self.company, self.measure
            options = [move for u in company.units for move in moves_of(company, measure, u)]
            self._problem = self.stated(options, (), Turns(options, self._stands))
        return self._problem

    def _stands(self, option: Move) -> tuple[Mapping[Spot, int], Mapping[Spot, int]]:
        """Return a unit's places before and after an option; each unit is a sort of its own."""
        before: dict[Spot, int] = {(str(self.position.unit(option.unit).at), option.unit): 1}
        if option.end is None:
            return before, before
        return before, {} if option.end.leaves else {(option.end.at, option.unit): 1}

    @cached_property
    def _idle(self) -> list[Standing]:
        """The places of units that cannot move."""
        moving = {name for u in self.company.units for name in (u, *self.company.aboard[u])}
        return idle_of(self.position, moving)

    # -- what the planner asks ---------------------------------------------------------------

    def quick(self) -> Iterator[tuple[Action, ...]]:
        """Yield the empty plan, and a plan in which units choose one after another."""
        yield ()
        if self._must_leave():
            return
        problem = self.problem
        scored = [*zip(problem.options, problem.scores, strict=True)]
        yield greedy(self.company, scored, self.goal)

    def best(self, task: Task, control: Control) -> Proposal:
        """Return the best plan that no cut excludes."""
        if self._must_leave():
            return Proposal("IMPOSSIBLE", None, None)
        problem, company = self.problem, self.company
        sure = (self._rulebook.others_hinder or len(company.units) <= 1) and not any(
            company.parts(unit) for unit in company.units
        )
        bound: int | None = None
        while not control.stop.is_requested and control.left() > 0:
            found = ChoiceModel(problem, self.learned).solve(task, control)
            outcome = found.outcome
            if outcome.status is Status.IMPOSSIBLE:
                return self._no_more(task, sure=sure)
            known = outcome.objective if task.weights else 0
            if outcome.status is not Status.OPTIMAL or known is None:
                if bound is None and outcome.bound is not None:
                    bound = max([outcome.bound, *self._doubtful(task)])
                break
            bound = max([known, *self._doubtful(task)])
            if sure:
                control.bounded(bound)
            log = self._realised(found, task)
            if log is not None:
                is_best = sure and bound == known
                return Proposal("OPTIMAL" if is_best else "FEASIBLE", log, bound if sure else None)
        return Proposal("UNKNOWN", None, bound if sure else None)

    def _must_leave(self) -> bool:
        """Return whether units must leave the map and none can."""
        measure, exit_of = self.measure, self._rulebook.exit_of
        must = any(
            aim.exit and measure.required(n) > held(measure, n, self._idle)
            for n, aim in enumerate(self.goal.aims)
        )
        units = map(self.position.unit, self.company.units)
        return must and all(exit_of(unit) is None for unit in units)

    def _no_more(self, task: Task, *, sure: bool) -> Proposal:
        doubtful = self._doubtful(task)
        if sure and not doubtful:
            return Proposal("IMPOSSIBLE", None, None)
        if sure or self._is_narrowed or task.least or task.most:
            return Proposal("UNKNOWN", None, max(doubtful) if sure else None)
        try:
            log = plan_of_any_order(self.company, self.measure)
        except TooMany:
            return Proposal("UNKNOWN", None, None)
        return Proposal("IMPOSSIBLE" if log is None else "FEASIBLE", log, None)

    def _doubtful(self, task: Task) -> list[int]:
        """Return the highest worth of plans that were cut off without proof."""
        return [
            sum(weight * score[name] for name, weight in task.weights.items())
            for score in self._doubts
            if all(score[name] >= bound for name, bound in task.least.items())
            and all(score[name] <= bound for name, bound in task.most.items())
        ]

    def reject(self, log: tuple[Action, ...], verdict: Verdict) -> None:  # noqa: ARG002 - a model's interface
        """Exclude these end places, without a proof that no plan leads there."""
        self._is_narrowed = True
        stands = self.measure.stands(verdict)
        self._doubt({unit: stands[unit] for unit in self.company.units})

    def differ(self, log: tuple[Action, ...]) -> None:
        """Exclude plans with this log's end places and points."""
        self.learned.is_exact = self._is_narrowed = True
        self._taken.add(self.measure.of(check(self.position, log)).projection)

    def families(self, control: Control) -> Iterator[Family]:  # noqa: ARG002 - a model's interface
        """Yield the conflict candidates."""
        yield Family(self._rulebook.conflict_candidates, bearing=self.space.left_out)

    # -- trying it out -----------------------------------------------------------------------

    def _realised(self, found: Chosen[Move], task: Task) -> tuple[Action, ...] | None:
        """Return the chosen moves as a log, or None after cutting off what forbids them."""
        exactly = self.learned.is_exact
        counts = exactly or found.spares or bool(COUNTED & {*task.weights, *task.least, *task.most})
        extra = found.extra if counts else None
        until = self.company.searches + BUDGET

        def attempt(state: Played, option: Move) -> Played | None:
            if self.company.searches > until:
                raise TooMany
            done = self._step(state[0], option, extra, exactly=exactly)
            return None if done is None else (done[0], state[1] + done[1])

        going = [option for option in found.options if option.acts]
        try:
            start: Played = (self.company.only(self.company.units), ())
            (_, log), stuck = carry_out(in_order(going, found.pairs), start, attempt)
            if not stuck:
                measured = self.measure.of(check(self.position, log)) if exactly else None
                if measured is None or measured.projection not in self._taken:
                    return log
                self._vary(found, until)
                return None
            news = [self._learn(one, extra, until) for one in stuck]
        except TooMany:
            news = []
        if not any(news):
            self._doubt(dict(option.stands[0] for option in found.options))
        return None

    def _step(
        self, position: Position[Any, Any], option: Move, extra: Mapping[str, Price] | None, *,
        exactly: bool = False,
    ) -> Played | None:  # fmt: skip
        """Return the outcome of an option, or None if it is impossible at its price."""
        assert option.end is not None
        if extra is None:
            return self.company.step(position, option.unit, option.end, None, None)
        points, exposure = extra.get(option.unit, (0, 0))
        heads = max(1, option.heads)
        most = Cost(option.cost.points + points, option.cost.exposure + exposure // heads)
        wanted = most.points if exactly else None
        return self.company.step(position, option.unit, option.end, most, wanted)

    # -- what is learned ---------------------------------------------------------------------

    def _learn(self, stuck: Stuck[Move], extra: Mapping[str, Price] | None, until: int) -> bool:
        """Learn a smallest set of units in a unit's way; return whether that is new."""
        option, position = stuck.option, stuck.state[0]
        there = {unit: str(position.unit(unit).at) for unit in self.company.units
                 if unit != option.unit and position.unit(unit).at is not None}  # fmt: skip

        def bars(some: Collection[str]) -> bool:
            if self.company.searches > until:
                raise TooMany
            others = {unit: there[unit] for unit in some}
            return self._step(self.company.among(option.unit, others), option, extra) is None

        few = fewest([*there], bars)
        if not few and bars(()):
            self.learned.nogoods.append(frozenset((option,)))
            return True
        return bool(few) and self._cut(option.unit, {unit: there[unit] for unit in few})

    def _cut(self, unit: str, others: Mapping[str, str]) -> bool:
        """Learn what others forbid and make more expensive; return whether that is new."""
        given = frozenset(Presence((at, other), 1) for other, at in others.items())
        if (unit, given) in self.learned.cuts:
            return False
        ways = self.company.ways(self.company.among(unit, others), unit)

        def surcharge(option: Move) -> Sequence[Price]:
            cost = option.cost
            return [
                (way.points - cost.points, (way.exposure - cost.exposure) * option.heads)
                for way in (ways.get(option.end, ()) if option.end else ())
                if way.points >= cost.points and way.exposure >= cost.exposure
            ]

        self.learned.cuts[unit, given] = Cut(given, unit, surcharge)
        return True

    def _vary(self, found: Chosen[Move], until: int) -> None:
        """Learn what units could spend on the choice in any order, and exclude what they spent."""
        home = {option.unit: self.position.unit(option.unit).at for option in found.options}
        going = [option for option in found.options if option.acts]
        for option in going:
            others = [one for one in going if one is not option]
            for gone in product((False, True), repeat=len(others)):
                if self.company.searches > until:
                    raise TooMany
                there = home.copy()
                for one in (one for one, has in zip(others, gone, strict=True) if has):
                    there[one.unit] = one.stands[0][1].at
                some = ((n, at) for n, at in there.items() if at and n != option.unit)
                self._cut(option.unit, dict(some))
        more = {option.unit: found.extra.get(option.unit, (0, 0))[0] for option in going}
        self.learned.excluded.append((frozenset(found.options), more))

    def _doubt(self, ends: Mapping[str, FinalPlace]) -> None:
        """Cut off end places without proof, and record what they might be worth."""
        scored = zip(self.problem.options, self.problem.scores, strict=True)
        alike = {one: worth for one, worth in scored if one.stands[0][1] == ends[one.unit]}
        self.learned.nogoods.append(frozenset(alike))
        score = still(self.measure, self._idle)
        for unit in ends:
            some = [worth for one, worth in alike.items() if one.unit == unit]
            for name in score:
                score[name] += min(one[name] for one in some)
        self._doubts.append(score)
