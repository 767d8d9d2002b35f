"""Facts of moving to and from a Crest (B20.91, B20.93) or cliff (B11.4), read off the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeVar

import msgspec

from marchtable.board.board import DIRECTIONS
from marchtable_models.asl.views.chart import row_of
from marchtable_models.asl.views.ground import lie

if TYPE_CHECKING:
    from marchtable.board.board import Board
    from marchtable_models.asl.model import AslPosition, AslUnit
    from marchtable_models.asl.views.entry import Entry

E = TypeVar("E", bound="Entry")
SIDES = len(DIRECTIONS)


def is_spanned(board: Board, at: str) -> bool:
    """Return whether a hex has a ford or a bridge."""
    rows = {row_of(one.terrain) for one in board.locations if one.hex == board[at].hex}
    return not rows.isdisjoint(("bridge", "ford"))


def _crossed(board: Board, at: str) -> set[int]:
    """Return the hexsides of a hex that its Depression crosses."""
    return {
        way
        for way, name in board.neighbours(at)
        if (ground := lie(board, at, name).ground).from_depression and ground.into_depression
    }


def from_crest(position: AslPosition, unit: AslUnit, found: E, direction: int) -> E:
    """Return an entry from a Crest: one level above its Depression, on one side of it."""
    claimed = unit.place.crest
    if direction < 0:
        return found
    if claimed is None:
        return found.replace(bank="unstated")
    crossed, side = _crossed(position.board, str(unit.at)), direction
    between = [
        {(claimed + turn * step) % SIDES for step in range((turn * (side - claimed)) % SIDES + 1)}
        for turn in (1, -1)
    ]
    own = any(crossed.isdisjoint(sides) for sides in between)
    bank: Literal["own", "other"] = "own" if own else "other"
    rise = found.ground.rise - 1
    ground = msgspec.structs.replace(
        found.ground, rise=rise, levels=abs(rise), from_depression=False
    )
    return found.replace(ground=ground, bank=bank)


def from_cliff(unit: AslUnit, found: E, direction: int) -> E:
    """Return an entry from a cliff: over its top, if the unit advances there."""
    top = direction == unit.place.crest and unit.place.floor == found.ground.rise
    return found.replace(floor=0, scaled=top and found.manner.advancing)


def to_crest(position: AslPosition, to: str, found: E, direction: int) -> E:
    """Return an entry that claims Crest status along the hexside crossed."""
    side = None if direction < 0 else (direction + SIDES // 2) % SIDES
    return found.replace(crests=True, spanned=is_spanned(position.board, to), side=side)
