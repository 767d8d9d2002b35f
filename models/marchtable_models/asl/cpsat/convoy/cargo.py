"""Who ends where a vehicle of a Convoy does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.planning.line.worth import Worth
from marchtable_models.asl.extraction.cargo import carried_by

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.planning.line.field import StateGraph
    from marchtable.rules.rulebook import Rulebook
    from marchtable.state.goal import Goal
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

__all__ = ["worth_of"]


def worth_of(
    rulebook: Rulebook[Any, Any],
    position: Position[AslUnit, AslConditions],
    goal: Goal,
    field: StateGraph,
    line: Sequence[AslUnit],
) -> Worth:
    """Return what vehicles, with all that they carry, are worth to a goal."""
    groups = [(unit, *carried_by(position, unit)) for unit in line]
    return Worth(rulebook, position, goal, field, groups, [1] * len(groups))
