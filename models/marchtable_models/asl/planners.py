"""Which models can plan for a goal; each is only loaded when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable.planning.goal import Goal
    from marchtable.planning.model import PlanModel, Rolls
    from marchtable.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit
    from marchtable_models.asl.rulebook import Asl

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["models"]


def models(rulebook: Asl, position: AslPosition, goal: Goal, rolls: Rolls) -> Iterator[PlanModel]:
    """Yield the models that fit, the fittest first: of a Convoy, of transport, of Infantry on foot."""
    if position.phase != "MPh":
        return
    if any(aim.exit for aim in goal.aims):  # none of them knows the map's edge
        return
    if any(unit.facing is not None for unit in position.units):
        yield from _with_vehicles(rulebook, position, goal, rolls)
    from marchtable_models.asl.cpsat.foot.model import Foot

    foot = Foot(rulebook, position, goal)
    if foot.is_fit:
        yield foot


def _with_vehicles(
    rulebook: Asl, position: AslPosition, goal: Goal, rolls: Rolls
) -> Iterator[PlanModel]:
    if any(unit.convoy for unit in position.units):
        from marchtable_models.asl.cpsat.convoy.choice import convoy_models

        yield from convoy_models(rulebook, position, goal, rolls)
    from marchtable_models.asl.cpsat.transport.model import Transport

    transport = Transport(rulebook, position, goal)
    if transport.is_fit:
        yield transport
