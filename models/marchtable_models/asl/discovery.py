"""Hidden counters of a side, and which units discover them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from marchtable_models.asl.model import AslPosition


def found_out(position: AslPosition) -> AslPosition:
    """Return the position with hidden counters revealed if an enemy unit shares their hex (A12.33)."""
    if not any(one.hidden for one in position.counters):
        return position
    board = position.board
    sides: dict[str, set[str]] = {}
    for unit in position.units:
        if unit.at is not None:
            sides.setdefault(board[unit.at].hex, set()).add(unit.side)
    counters = tuple(
        msgspec.structs.replace(one, hidden="")
        if one.hidden and sides.get(board[board.resolve(one.at)].hex, set()) - {one.hidden}
        else one
        for one in position.counters
    )
    return msgspec.structs.replace(position, counters=counters)
