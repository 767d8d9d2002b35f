"""Repeated questions whether goals can be met, within one limit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.errors import BadInputError
from marchtable.planning.finding import may_be_more, models_in_time
from marchtable.planning.reasons import ANY
from marchtable.planning.search import Search
from marchtable.planning.trials import Judge
from marchtable.rules.plan_hooks import PlanningSpace
from marchtable.rules.plan_model import Task
from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable.budget import Budget
    from marchtable.rules.plan_model import Rolls
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal
    from marchtable.state.position import Position

__all__ = ["Answer", "Solver", "cheapest"]


class Answer(NamedTuple):
    """
    Whether a goal can be met.

    Parameters
    ----------
    log, is_sure
        A plan; or None, and whether it is proved that there is none.
    search
        The search that found it.
    """

    log: tuple[Action, ...] | None
    is_sure: bool = True
    search: Search | None = None


class Solver:
    """
    Finds out whether goals can be met in one space, within one limit.

    Parameters
    ----------
    space, rolls, seed
        As in :func:`marchtable.planning.loop.plan`.
    budget
        The limit of all questions, with its stop.
    """

    def __init__(self, *, space: str | None, rolls: Rolls, budget: Budget, seed: int) -> None:
        self.space, self.rolls, self.budget, self._seed = space, rolls, budget, seed

    def of(self, space: str | None) -> Solver:
        """Return a solver for another space, or for all (None), with the same limit."""
        return Solver(space=space, rolls=self.rolls, budget=self.budget, seed=self._seed)

    def searches(
        self, position: Position[Any, Any], goal: Goal, *, confirms: bool = False
    ) -> Iterator[Search]:
        """Yield searches for plans in each space in turn, with what remains of the limit."""
        rolls = self.rolls
        for model in models_in_time(
            position, goal, space=self.space, rolls=rolls, budget=self.budget
        ):
            judge = Judge(position, goal, rolls)
            yield Search(judge, model, budget=self.budget, seed=self._seed, confirms=confirms)

    def barred(self, position: Position[Any, Any], goal: Goal) -> Iterator[Search]:
        """Yield searches in the spaces that clauses leave without usable units."""
        rulebook = find_rulebook(position.rulebook)
        for model in rulebook.barred_models(position, goal, self.rolls) if not self.space else ():
            yield Search(
                Judge(position, goal, self.rolls), model, budget=self.budget, seed=self._seed
            )

    def plan(self, position: Position[Any, Any], goal: Goal) -> Answer:
        """Return a plan of the first space (or one that contains it), or whether there is none."""
        answer, first = Answer(None, is_sure=False), ""
        if self.budget.is_over:
            return answer
        spaces = find_rulebook(position.rulebook).spaces
        try:
            for search in self.searches(position, goal):
                name = search.model.name
                if not first or first in spaces.get(name, PlanningSpace()).contains:
                    answer, first = _answer(search), first or name
                is_inner = any(first in space.contains for space in spaces.values())
                if answer.log is not None or not answer.is_sure or not is_inner:
                    return answer
        except BadInputError:  # the named space does not fit the changed position
            return answer
        is_cut = may_be_more(position, first, space=self.space, budget=self.budget)
        return answer._replace(is_sure=answer.is_sure and not is_cut)

    def passing(self, position: Position[Any, Any], goal: Goal) -> tuple[Action, ...] | None:
        """Return a plan of any space that meets a goal if rolls are taken."""
        anywhere = Solver(space=None, rolls="pass", budget=self.budget, seed=self._seed)
        for search in anywhere.searches(position, goal):
            if search.model.space.rolls == "pass":
                answer = _answer(search)
                if answer.log is not None:
                    return answer.log
        return None


def cheapest(answer: Answer, share: float) -> tuple[Action, ...] | None:
    """Return the plan of fewest points, without needless acts, found in a share of the limit."""
    search = answer.search
    if search is None or search.is_over:
        return answer.log
    with search.within(share):
        trial = search.optimum(Task({"points": -1}, {}, {})).trial
        if trial is not None:
            return search.simplest(search.leaner(trial, alike=False)).log
    return answer.log


def _answer(search: Search) -> Answer:
    search.first()
    ending = search.optimum(ANY)
    if ending.trial is not None:
        return Answer(search.leaner(ending.trial, alike=False).log, search=search)
    return Answer(None, is_sure=ending.status == "IMPOSSIBLE")
