"""Who ends where a vehicle of a Convoy does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.planning.line.worth import Worth
from marchtable_models.asl.survey.cargo import carried_by

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.planning.goal import Goal
    from marchtable.planning.line.field import Field
    from marchtable.position import Position
    from marchtable.rulebook import Rulebook
    from marchtable_models.asl.model import AslConditions, AslUnit

__all__ = ["worth_of"]


def worth_of(
    rulebook: Rulebook[Any, Any],
    position: Position[AslUnit, AslConditions],
    goal: Goal,
    field: Field,
    line: Sequence[AslUnit],
) -> Worth:
    """Return what vehicles, with all that they carry, are worth to a goal."""
    groups = [(unit, *carried_by(position, unit)) for unit in line]
    return Worth(rulebook, position, goal, field, groups, [1] * len(groups))
