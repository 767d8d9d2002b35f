"""Reads off a position the facts of Crest status (B20.9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from marchtable.board.board import DIRECTIONS
from marchtable_models.asl.extraction.banks import is_spanned
from marchtable_models.asl.extraction.overlay import crossing, site
from marchtable_models.asl.extraction.unitkinds import type_of
from marchtable_models.asl.facts.crest import Cresting

if TYPE_CHECKING:
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["cresting"]


def cresting(position: AslPosition, unit: AslUnit, side: str) -> Cresting:
    """Return the facts of a unit that claims Crest status along a hexside."""
    board, number = position.board, DIRECTIONS.index(side)
    here = None if unit.at is None else board[unit.at]
    state = unit.status
    return Cresting(
        fit=type_of(position, unit).is_infantry
        and unit.cargo.aboard is None
        and unit.place.bypass is None
        and not unit.place.inside
        and not (state.broken or state.disrupted or state.berserk),
        depression=here is not None and here.depression is not None,
        crossed=here is not None and is_spanned(board, here.name),
        hexside=_hexside(position, unit.at, number),
        side=number,
        advancing=position.phase == "APh",
        rubble=here is not None and bool(site(position, here.name).ground.filled),
    )


def _hexside(
    position: AslPosition, at: str | None, number: int
) -> Literal["", "depression", "cliff", "edge"]:
    ways = () if at is None else position.board.neighbours(at)
    beyond = [name for way, name in ways if way == number]
    if at is None or not beyond:
        return "edge"
    ground = crossing(position, at, beyond[0]).ground
    if ground.from_depression and ground.into_depression:
        return "depression"
    return "cliff" if ground.hexside == "cliff" else ""
