"""Which Convoy a goal is about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable_models.asl.cpsat.convoy.model import ConvoyModel, GapModel
from marchtable_models.asl.cpsat.lined import lines_for

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.rules.plan_model import Rolls
    from marchtable.rules.rulebook import Rulebook
    from marchtable.state.goal import Goal
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["convoy_models"]


def convoy_models(
    rulebook: Rulebook[Any, Any], position: AslPosition, goal: Goal, rolls: Rolls
) -> list[ConvoyModel | GapModel]:
    """
    Return the models of the Convoy whose vehicles a goal is about, if there is one.

    That of plans with a Gap comes after that of plans without, which it contains.
    """
    found: list[ConvoyModel | GapModel] = []
    for line in lines_for(position, goal, lambda unit: unit.line.convoy):
        if _is_apart(line):
            plain = ConvoyModel(rulebook, position, goal, line, rolls=rolls)
            found.append(plain)
            if not any(aim.exit for aim in goal.aims):
                found.append(GapModel(plain))
    return found


def _is_apart(line: Sequence[AslUnit]) -> bool:
    """Return whether a Convoy stands one vehicle per hex, and none in Bypass."""
    places = [unit.at for unit in line if unit.at is not None]
    return len(places) == len(set(places)) and all(unit.place.bypass is None for unit in line)
