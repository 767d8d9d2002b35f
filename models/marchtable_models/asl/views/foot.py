"""Facts of acts other than moving: declarations, SW, night, phases; read off a position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl.views.chart import is_out_of_season, row_named
from marchtable_models.asl.views.ground import lie
from marchtable_models.asl.views.ground_facts import FORDED, STREAMS
from marchtable_models.asl.views.overlay import site
from marchtable_models.asl.views.reading import there

if TYPE_CHECKING:
    from marchtable_models.asl.model import AslPosition, AslUnit

BENEATH = "beneath"


def dark(position: AslPosition) -> bool:
    """Return whether it is night with a NVR of 0."""
    return position.conditions.night and not position.conditions.nvr


def ground_row_at(position: AslPosition, at: str) -> str:
    """Return the chart row of a Location, with streams at the stated depth."""
    ground, depth = site(position, at).ground, position.conditions.stream
    row = ground.here
    if row == "ford":
        return FORDED.get(depth or ground.ford, row)
    return f"stream-{depth}" if depth and row in STREAMS else row


def loses(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether SW left in a unit's place are lost, as on a cliff (B11.43)."""
    if unit.at is None or unit.place.inside == "cliff":
        return unit.at is not None
    return row_named(ground_row_at(position, unit.at)).drowns


def lies_open(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether neither terrain nor SMOKE shields a unit where it counts as being."""
    at = unit.at or ""
    if there(position, unit.side, at).smoke:
        return False
    here = site(position, at)
    if unit.place.cafp == "at" or unit.place.bypass is not None:  # beside the obstacle, not in it
        return _is_bare(position, here.beside or here.ground.here)
    came = (
        unit.move.previous is not None
        and position.board.hexside(unit.move.previous, at) is not None
    )
    by_road = came and lie(position.board, str(unit.move.previous), at).ground.road
    by_road = by_road and not unit.place.off_road
    return by_road or _is_bare(position, here.ground.here)


def _is_bare(position: AslPosition, name: str) -> bool:
    """Return whether such terrain has neither TEM nor Hindrance at this time of year."""
    row = row_named(name)
    return row.bare or is_out_of_season(row, position.conditions.month)
