"""A rulebook's hooks for the planner; all of them are optional."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, NamedTuple

from marchtable.state.position import C, Position, U

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from marchtable.rules.plan_model import PlanModel
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal

__all__ = ["GoalChange", "PlanHooks", "PlanningSpace"]


class GoalChange(NamedTuple):
    """
    A change by which a goal might become possible.

    Parameters
    ----------
    words
        The change in a player's words: ``"drop the MMG"``.
    cost
        The size of the change; the cheapest are proposed first. One point more counts 1.
    clauses
        Ids of the clauses that it relaxes, if known.
    position, goal
        Both after the change.
    parts
        Its components, if it combines several changes. It is not listed if some of them suffice.
    named
        Returns more exact words, from a plan that was found.
    translated
        Converts a plan after the change into one for the unchanged position, or None if there is
        none: for what units might do themselves, beyond what the space allows.
    """

    words: str
    cost: float
    clauses: tuple[str, ...]
    position: Position[Any, Any]
    goal: Goal
    parts: frozenset[str] = frozenset()
    named: Callable[[tuple[Action, ...]], str] | None = None
    translated: Callable[[tuple[Action, ...]], tuple[Action, ...] | None] | None = None


class PlanningSpace(NamedTuple):
    """
    A space that a rulebook's models search.

    Parameters
    ----------
    purpose
        For what it is: printed where it is named and is not fit.
    contains
        The spaces all of whose plans it has as well; their models come before its own. Where ``alone``
        is one of them, the space of units that move alone is searched by name only.
    unfit
        Returns, given the rulebook, a position and a goal, what makes it none for them; ``""`` if no more is
        known than its purpose.
    """

    purpose: str = ""
    contains: tuple[str, ...] = ()
    unfit: Callable[[Any, Position[Any, Any], Goal], str] = lambda *_: ""


class PlanHooks(Generic[U, C]):
    """
    The part of a rulebook that the planner asks.

    Attributes
    ----------
    others_hinder
        Whether other units of the side only ever hinder one that moves alone: the fewer of them
        stand on the map and the fewer of them have moved, the more it may do and the less it
        costs, and nothing matters of them but where they stand. Then plans of units that move
        alone can be proved the best.
    spared
        Verbs of actions that a plan is listed without, where it is as good without them; each with a
        verb of which one may be left out along with it.
    conflict_candidates
        Clauses that can be reasons why units alone cannot meet a goal; None for all.
    spaces
        The spaces that its models search.
    planned_jointly
        Clauses by which units make no move of their own, and for whose joint moves its models plan.
    """

    others_hinder: ClassVar[bool] = False
    spared: ClassVar[Mapping[str, str | None]] = MappingProxyType({})
    conflict_candidates: ClassVar[tuple[str, ...] | None] = None
    spaces: ClassVar[Mapping[str, PlanningSpace]] = MappingProxyType({})
    planned_jointly: ClassVar[frozenset[str]] = frozenset()

    def plan_models(
        self, position: Position[U, C], goal: Goal, rolls: Literal["pass", "avoid"]
    ) -> Iterable[PlanModel]:
        """
        Return the models for such a goal, the fittest first (units moving alone apart).

        They can be made lazily, so that a caller that takes only the fittest makes no other.
        """
        return ()

    def barred_models(
        self, position: Position[U, C], goal: Goal, rolls: Literal["pass", "avoid"]
    ) -> Iterable[PlanModel]:
        """
        Return models that are unfit only because clauses forbid all units the actions they plan.

        They are used only by name, and list these clauses if no plan meets a goal.
        """
        return ()

    def with_points(self, position: Position[U, C], unit: U, halves: int) -> Position[U, C] | None:
        """
        Return the position with the unit's allotment changed by so many half points.

        None if that is impossible; then `why` neither proposes more points for the unit nor lists
        the clause that fewer would break.
        """
        return None

    def room(self, position: Position[U, C], unit: U) -> Iterable[tuple[str, str, int]]:
        """Return the spare capacity of a carrier, in half points of what it carries, by clause."""
        return ()

    def repairs(self, position: Position[U, C], goal: Goal) -> Iterable[GoalChange]:
        """Return changes, in the game's own terms, that might make an impossible goal possible."""
        return ()
