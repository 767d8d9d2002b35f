"""Moves in which a counter was put down wrongly, and put right by hand."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING

from marchtable_models.asl.recorded.groups import Group, Leg

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.board.board import Board
    from marchtable_models.asl.recorded.groups import Track

__all__ = ["PUT_BACK", "without_detours"]

PUT_BACK = "it is legal without a detour: a counter may have been put back by hand"


def without_detours(group: Group, board: Board) -> Group | None:
    """
    Return a group without the loops of its ways, and the slips; None if there are none.

    A slip is a jump to a place from which the unit jumps back next to where it came from.

    Units that stay where they were are left out of it. A vehicle with others is left as it is.
    """
    if group.is_driven and len(group.tracks) > 1:
        return None
    cut = [_cut(track, board) for track in group.tracks]
    if all(len(one.legs) == len(track.legs) for one, track in zip(cut, group.tracks, strict=True)):
        return None
    return Group(tuple(one for one in cut if one.legs))


def _cut(track: Track, board: Board) -> Track:
    """Return a track without the legs of its loops, and those of its slips."""
    if track.start is None:
        return track
    at, legs = [track.start.at], list[Leg]()
    for leg in track.legs:
        if leg.to in at:
            kept = at.index(leg.to)
            at, legs = at[: kept + 1], legs[:kept]
            continue
        if _is_slip(board, [*at[-2:], leg.to]):
            at.pop()
            legs.pop()
        at.append(leg.to)
        legs.append(leg)
    cut = copy(track)
    cut.legs = legs
    return cut


def _is_slip(board: Board, places: Sequence[str]) -> bool:
    """Return whether a unit jumped from the first of three places to the second, and was put right."""
    if len(places) < 3 or any(at not in board for at in places):
        return False
    before, slip, after = places
    return (
        board.distance(before, after) == 1
        and min(board.distance(before, slip), board.distance(slip, after)) > 1
    )
