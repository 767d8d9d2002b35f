"""Moves that might not be what they seem: counters corrected by hand, and Human Waves."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING

from marchtable_models.asl.data import count
from marchtable_models.asl.recorded.groups import TrackGroup, along
from marchtable_models.asl.recorded.tracks import Leg
from marchtable_models.asl.rules.declaring_waves import NATIONS

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from marchtable.board.board import Board
    from marchtable_models.asl.model import AslPosition
    from marchtable_models.asl.recorded.tracks import Track

PUT_BACK = "it is legal without a detour: a counter may have been put back by hand"
MOST_SLIPS = 4
"""The largest number of slips to an adjacent hex of which each is left out alone."""
WAVERS = (*NATIONS, "japanese")
"""Nations that can declare a Human Wave, or a Banzai Charge (G1.5)."""


def without_detours(group: TrackGroup, board: Board) -> Iterator[TrackGroup]:
    """
    Yield a group without the loops and slips of its ways: without all of them, then the likeliest.

    A slip is a place between two adjacent ones. One reached by a jump is always left out; any other
    might have been meant, so each alone is also left out.

    Units that stay in place are left out. A vehicle with others is unchanged, unless those that
    still move go along with it.
    """
    near = dict.fromkeys(leg for track in group.tracks for leg in _near_slips(track, board))
    legs = sum(len(track.legs) for track in group.tracks)
    alone = (frozenset((leg,)) for leg in [*near][:MOST_SLIPS])
    for slips in (frozenset(near), frozenset(), *alone):
        cut = [_cut(track, board, slips) for track in group.tracks]
        going = tuple(one for one in cut if one.legs)
        is_apart = group.is_driven and any(not along(one, cut[0]) for one in going)
        if sum(len(one.legs) for one in cut) < legs and not is_apart:
            yield TrackGroup(going)


def _near_slips(track: Track, board: Board) -> Iterator[Leg]:
    """Yield the legs of a track to places between two adjacent ones."""
    for before, leg, after in zip(track.way, track.legs, track.way[2:], strict=False):
        if _is_between(board, (before, leg.to, after)) and before != after:
            yield leg


def _cut(track: Track, board: Board, slips: Container[Leg]) -> Track:
    """Return a track without its loops, its distant slips, and the given legs."""
    if track.start is None:
        return track
    at, legs = [track.start.at], list[Leg]()
    for leg in track.legs:
        if leg.to in at:
            kept = at.index(leg.to)
            at, legs = at[: kept + 1], legs[:kept]
            continue
        if legs and _is_between(board, (*at[-2:], leg.to)):
            is_far = max(board.distance(at[-2], at[-1]), board.distance(at[-1], leg.to)) > 1
            if is_far or legs[-1] in slips:
                at.pop()
                legs.pop()
        at.append(leg.to)
        legs.append(leg)
    cut = copy(track)
    cut.legs = legs
    return cut


def _is_between(board: Board, places: Sequence[str]) -> bool:
    """Return whether the second of three places is between two adjacent ones."""
    before, slip, after = places
    return all(at in board for at in (before, slip, after)) and board.distance(before, after) == 1


def may_be_a_wave(group: TrackGroup, tracks: Iterable[Track], after: AslPosition) -> bool:
    """Return whether Infantry moved with others beside it, no farther than a Human Wave can."""
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
    for _ in ways:  # grows by neighbours that go the same way
        wave |= {
            way
            for way in ways
            if any(
                max(board.distance(way[0], one[0]), board.distance(way[1], one[1])) <= 1
                for one in wave
            )
        }
    return len({start for start, _ in wave}) >= count("A25.23", "hexes")
