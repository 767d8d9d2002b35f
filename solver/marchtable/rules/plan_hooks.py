"""What a rulebook states for the planner; all of it is optional."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, NamedTuple

import msgspec

from marchtable.state.position import C, Position, U

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from marchtable.rules.plan_model import PlanModel
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal

__all__ = ["Change", "PlanHooks", "Space"]


class Change(NamedTuple):
    """
    A change by which a goal might become possible.

    Parameters
    ----------
    words
        What is changed, as a player would say it: ``"drop the MMG"``.
    cost
        How much of a change it is; the cheapest are proposed first. A point more counts 1.
    clauses
        Ids of the clauses that it eases, if it is known.
    position, goal
        Both as they are after the change.
    parts
        What it is made of, if more such changes are proposed: where some of it will do, it is not
        listed.
    named
        Makes more exact words of a plan that was found.
    translated
        Makes of a plan after the change the one that it stands for in the position as it is, None
        if that is none: for what units might do themselves, beside what the space lets them.
    """

    words: str
    cost: float
    clauses: tuple[str, ...]
    position: Position[Any, Any]
    goal: Goal
    parts: frozenset[str] = frozenset()
    named: Callable[[tuple[Action, ...]], str] | None = None
    translated: Callable[[tuple[Action, ...]], tuple[Action, ...] | None] | None = None


class Space(NamedTuple):
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
    spaces: ClassVar[Mapping[str, Space]] = MappingProxyType({})
    planned_jointly: ClassVar[frozenset[str]] = frozenset()

    def plan_models(
        self, position: Position[U, C], goal: Goal, rolls: Literal["pass", "avoid"]
    ) -> Iterable[PlanModel]:
        """
        Return the models that can plan for such a goal, the fittest first (units moving alone apart).

        They may be made one after another: who asks for the fittest makes no other.
        """
        return ()

    def barred_models(
        self, position: Position[U, C], goal: Goal, rolls: Literal["pass", "avoid"]
    ) -> Iterable[PlanModel]:
        """
        Return models that are not fit only because clauses let nobody do what they are for.

        They plan for who names them, and list these clauses if no plan meets a goal.
        """
        return ()

    def never_moves(self, position: Position[U, C], unit: U) -> bool:
        """Return whether it is nothing that anybody could bring somewhere: a wreck, say."""
        return False

    def with_points(self, position: Position[U, C], unit: U, halves: int) -> Position[U, C] | None:
        """
        Return the position if the unit's allotment were so many half points larger (or smaller).

        None if that cannot be; then neither is it proposed that a unit needs more points, nor is
        it listed by which clause a plan would fail if it had fewer.
        """
        return None

    def conveyors(self, position: Position[U, C], names: Sequence[str]) -> Sequence[str]:
        """Return the units whose points bring these to where they are wanted: by default their own."""
        return names

    def another(self, position: Position[U, C], unit: U, name: str, at: str) -> U | None:
        """
        Return another unit like one, that stands alone in a Location.

        None if there is none, for it belongs to a line, say; then it is not listed how many more
        like it there is room for.
        """
        return msgspec.structs.replace(unit, id=name, at=at)

    def room(self, position: Position[U, C], unit: U) -> Iterable[tuple[str, str, int]]:
        """Return for how many half points of what a unit that carries others has room, by clause."""
        return ()

    def repairs(self, position: Position[U, C], goal: Goal) -> Iterable[Change]:
        """Return changes in the game's own terms that might make an impossible goal possible."""
        return ()
