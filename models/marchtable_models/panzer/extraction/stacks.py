"""Reads the order of stacks off a position, and the facts of changing it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from marchtable_models.panzer.extraction.reading import (
    CARRIERS,
    is_transportable,
    passengers,
    type_of,
)
from marchtable_models.panzer.facts.steps import Recording

if TYPE_CHECKING:
    from marchtable_models.panzer.extraction.reading import PanzerPosition
    from marchtable_models.panzer.model import PanzerUnit

__all__ = ["enter_record", "load_record", "stack_order", "unload_record"]


def load_record(
    position: PanzerPosition,
    unit: PanzerUnit,
    role: Literal["transport", "passenger"],
    pair: tuple[str, str],
) -> Recording:
    """Return the stack into which a pair is put together."""
    heights = [u.height for u in position.occupants.get(unit.at or "", ()) if u.id not in pair]
    return Recording(role, "load", max(heights, default=-1), 0, 0)


def unload_record(position: PanzerPosition, unit: PanzerUnit, passenger: PanzerUnit) -> Recording:
    """Return the stack beneath which a transport is put."""
    rest = [u for u in position.occupants.get(unit.at or "", ()) if u is not unit]
    free = [
        u.height
        for u in rest
        if u is passenger or (u.aboard is None and is_transportable(type_of(position, u)))
    ]
    every = [u.height for u in rest]
    return Recording(
        "transport", "unload", 0, min(free, default=unit.height), min(every, default=unit.height)
    )


def enter_record(position: PanzerPosition, unit: PanzerUnit, to: str) -> Recording | None:
    """Return the stack that an empty transport joins; None where nobody lies above it for that."""
    kind = type_of(position, unit)
    if not kind.is_vehicle or kind.class_ not in CARRIERS or passengers(position, unit):
        return None
    there = [u for u in position.occupants.get(to, ()) if u is not unit]
    free = [u.height for u in there if u.aboard is None and is_transportable(type_of(position, u))]
    if not free:
        return None
    every = [u.height for u in there]
    return Recording("transport", "enter", max(every), min(free), min(every))


def stack_order(position: PanzerPosition, at: str) -> tuple[PanzerUnit, ...]:
    """Return the units of a hex, from the top of the stack down."""
    found = position.occupants.get(at, ())
    return tuple(sorted(found, key=lambda u: (u.height, position.index[u.id]), reverse=True))
