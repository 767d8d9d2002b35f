"""ADJACENT Locations (A.8): those between which Infantry could advance, enemies ignored."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from marchtable_models.asl.views.overlay import crossing, site

if TYPE_CHECKING:
    from marchtable_models.asl.model import AslPosition, AslUnit

BARRIERS = ("cliff", "rowhouse-wall")
"""Hexside terrain that bars an Advance on the ground."""


class HexLevel(NamedTuple):
    """A Location: its hex, and its level in a building, None upstairs if unstated."""

    at: str
    floor: int | None = 0


def spot_of(unit: AslUnit) -> HexLevel:
    """Return the Location of a unit that is on the map."""
    if unit.place.inside != "upstairs":
        return HexLevel(str(unit.at))
    return HexLevel(str(unit.at), unit.place.floor or None)


def are_adjacent(position: AslPosition, a: HexLevel, b: HexLevel) -> bool:
    """Return whether two Locations are the same or ADJACENT; assumed if the map does not say."""
    board = position.board
    if a.at != b.at and all(name != b.at for _, name in board.neighbours(a.at)):
        return False
    if a.floor is None or b.floor is None:
        return True
    if a.at == b.at:
        apart = abs(a.floor - b.floor)
        return apart == 0 or (apart == 1 and site(position, a.at).ground.stairs)
    ground = crossing(position, a.at, b.at).ground
    if a.floor != b.floor:
        return ground.joined is None and ground.levels > 0  # a building at two levels (B23.72)
    if a.floor:
        return ground.joined is None or a.floor <= ground.joined
    return ground.breach or ground.hurdle not in BARRIERS
