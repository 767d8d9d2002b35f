"""Options measured against a goal: their value and distance, and the goal's demands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.planning.choice.options import Row
from marchtable.planning.score import FinalPlace
from marchtable.state.goal import CRITERIA

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from marchtable.planning.score import Measure
    from marchtable.rules.plan_model import Score
    from marchtable.state.position import Position

__all__ = ["Standing", "demands", "gains", "held", "idle_of", "still"]

Standing = tuple[str, FinalPlace]
"""A unit, and where it ends."""


def gains(measure: Measure, stands: Sequence[Standing]) -> tuple[int, int]:
    """Compute the contribution of units with these ends to ``value`` and ``distance``."""
    found = [measure.gain(name, stand) for name, stand in stands]
    return sum(value for value, _ in found), sum(distance for _, distance in found)


def held(measure: Measure, aim: int, stands: Sequence[Standing]) -> int:
    """Return how many units with these ends are where an aim wants them."""
    return sum(measure.holds(aim, name, stand) for name, stand in stands)


def still(measure: Measure, idle: Sequence[Standing]) -> Score:
    """Compute the contribution of units without options to each criterion."""
    value, distance = gains(measure, idle)
    return {**dict.fromkeys(CRITERIA, 0), "value": value, "distance": distance}


def idle_of(position: Position[Any, Any], parts: Collection[str]) -> list[Standing]:
    """Return the ends of units that take no part in a plan: they stay where they are."""
    return [
        (unit.id, FinalPlace(unit.at, unit.carrier is not None))
        for unit in position.units if unit.id not in parts
    ]  # fmt: skip


def demands(
    measure: Measure, options: Sequence[Sequence[Standing]], idle: Sequence[Standing]
) -> Iterator[Row]:
    """
    Yield rows that require as many units at the goal's places as it demands.

    Parameters
    ----------
    options, idle
        The ends of each option's units, and of units without options.
    """
    for aim in range(len(measure.goal.aims)):
        required = measure.required(aim) - held(measure, aim, idle)
        if required > 0:
            met = enumerate(held(measure, aim, stands) for stands in options)
            yield Row("", [(number, count) for number, count in met if count], least=required)
