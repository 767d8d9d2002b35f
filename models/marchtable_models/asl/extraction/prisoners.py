"""Reads off a position the facts of prisoners and their Guards (A20)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl.data import count
from marchtable_models.asl.extraction.cargo import captives
from marchtable_models.asl.extraction.movers import crowd_of, sizes_of
from marchtable_models.asl.extraction.unitkinds import type_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = [ "load_of", "us_of",
]  # fmt: skip


def us_of(position: AslPosition, units: Iterable[AslUnit]) -> int:
    """Return the US# of Personnel in all; of Cavalry that of who rides."""
    crowd = crowd_of([size for u in units for size in sizes_of(position, u, type_of(position, u))])
    halves = count("A20.51", "half_squad") * (crowd.half_squads + crowd.crews)
    return count("A20.51", "squad") * crowd.squads + halves + count("A20.51", "smc") * crowd.smc


def load_of(position: AslPosition, guard: AslUnit, prisoner: AslUnit | None = None) -> int:
    """Return the US# of all whom a unit guards, another one with them."""
    held = list(captives(position).get(guard.id, ()))
    if prisoner is not None and prisoner.cargo.guard != guard.id:
        held.append(prisoner)
    return us_of(position, held)
