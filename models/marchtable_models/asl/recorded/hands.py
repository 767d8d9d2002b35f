"""Moves that may not be what they look like: counters put right by hand, and Human Waves."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING

from marchtable_models.asl.data import count
from marchtable_models.asl.recorded.groups import Group, along
from marchtable_models.asl.recorded.tracks import Leg
from marchtable_models.asl.rules.waves import NATIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from marchtable.board.board import Board
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit
    from marchtable_models.asl.recorded.tracks import Track

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["PUT_BACK", "may_be_a_wave", "without_detours"]

PUT_BACK = "it is legal without a detour: a counter may have been put back by hand"
WAVERS = (*NATIONS, "japanese")
"""Nations that may declare a Human Wave, or a Banzai Charge (G1.5)."""


def without_detours(group: Group, board: Board) -> Group | None:
    """
    Return a group without the loops of its ways, and the slips; None if there are none.

    A slip is a jump to a place from which the unit jumps back next to where it came from.

    Units that stay where they were are left out of it. A vehicle with others is left as it is, unless
    those who still go anywhere go along with it.
    """
    cut = [_cut(track, board) for track in group.tracks]
    if all(len(one.legs) == len(track.legs) for one, track in zip(cut, group.tracks, strict=True)):
        return None
    going = tuple(one for one in cut if one.legs)
    if group.is_driven and any(not along(one, cut[0]) for one in going):
        return None
    return Group(going)


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


def may_be_a_wave(group: Group, tracks: Iterable[Track], after: AslPosition) -> bool:
    """Return whether Infantry went along with others beside it, and as far as a Human Wave may go."""
    starts = [track.start for track in group.tracks if track.start and track.legs]
    if not starts or group.is_driven:
        return False
    nations = {one.fields.get("nationality", one.side) for one in starts}
    most = 2 * count("A25.232", "mf")  # in half points
    units = [after.unit(track.unit) for track in group.tracks if track.unit in after.index]
    if not nations <= {*WAVERS} or any(one.points.spent > most for one in units):
        return False
    side, board = starts[0].side, after.board
    ways = {
        (track.way[0], track.way[-1])
        for track in tracks
        if track.legs and track.start and track.start.side == side and track.start.is_afoot
        if track.way[0] in board and track.way[-1] in board
    }
    wave = {way for way in ways if way == (starts[0].at, group.tracks[0].way[-1])}
    for _ in ways:  # grows by the neighbours that go the same way
        wave |= {
            way
            for way in ways
            if any(
                max(board.distance(way[0], one[0]), board.distance(way[1], one[1])) <= 1
                for one in wave
            )
        }
    return len({start for start, _ in wave}) >= count("A25.23", "hexes")
