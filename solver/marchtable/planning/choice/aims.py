"""What a goal makes of options: what they add to value and distance, and what it demands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.planning.choice.options import Row
from marchtable.planning.score import Stand
from marchtable.state.goal import CRITERIA

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable.planning.score import Measure
    from marchtable.rules.plan_model import Score

__all__ = ["Standing", "demands", "gains", "held", "still"]

Standing = tuple[str, Stand]
"""A unit, and how it is left."""


def gains(measure: Measure, stands: Sequence[Standing]) -> tuple[int, int]:
    """Return what units that are left so add to ``value`` and to ``distance``."""
    found = [measure.gain(name, stand) for name, stand in stands]
    return sum(value for value, _ in found), sum(distance for _, distance in found)


def held(measure: Measure, aim: int, stands: Sequence[Standing]) -> int:
    """Return how many units that are left so are where an aim wants them."""
    return sum(measure.holds(aim, name, stand) for name, stand in stands)


def still(measure: Measure, idle: Sequence[Standing]) -> Score:
    """Return what those add to each criterion who have no options."""
    value, distance = gains(measure, idle)
    return {**dict.fromkeys(CRITERIA, 0), "value": value, "distance": distance}


def demands(
    measure: Measure, options: Sequence[Sequence[Standing]], idle: Sequence[Standing]
) -> Iterator[Row]:
    """
    Yield that as many units as the goal demands come to where it wants them.

    Parameters
    ----------
    options, idle
        How each option leaves its units, and how those are who have none.
    """
    for aim in range(len(measure.goal.aims)):
        required = measure.required(aim) - held(measure, aim, idle)
        if required > 0:
            met = enumerate(held(measure, aim, stands) for stands in options)
            yield Row("", [(number, count) for number, count in met if count], least=required)
