"""SMOKE that was placed in a phase, and who may have placed it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from marchtable.board.board import Board
    from marchtable_models.asl.recorded.groups import Group
    from marchtable_models.asl.recorded.tracks import Track
    from marchtable_models.asl.recorded.views import Segment

__all__ = ["Smokes"]


class Smokes:
    """
    Tells whose grenades a SMOKE counter may be.

    Parameters
    ----------
    segment
        The phase.
    tracks
        What each unit did in it.
    groups
        The moves in it, in order.
    """

    def __init__(
        self, segment: Segment, tracks: Mapping[str, Track], groups: Sequence[Group]
    ) -> None:
        self._segment, self._tracks, self._groups = segment, tracks, groups

    def of(self, group: Group) -> list[tuple[int, str]]:
        """Return the SMOKE, by step, that was placed after a group set out and before the next did."""
        if self._segment.phase != "MPh" or not any(track.is_afoot for track in group.tracks):
            return []
        begins = [one.first for one in self._groups]
        return [
            (when, placed.at)
            for when, placed in self._segment.placed
            if placed.is_smoke
            and max((begin for begin in begins if begin <= when), default=min(begins))
            == group.first
        ]

    def may_be_anothers(
        self,
        group: Group,
        smokes: Sequence[tuple[int, str]],
        board: Board,
        *,
        of_vehicles: bool = False,
    ) -> bool:
        """Return whether another unit of the side, on foot or not, was next to each SMOKE at some time."""
        own = {track.unit for track in group.tracks}
        side = group.tracks[0].seen.side if group.tracks[0].seen else ""
        near: list[str] = []
        for name, seen in self._segment.start.items():
            fits = seen.is_vehicle if of_vehicles else seen.is_afoot
            if name not in own and seen.side == side and fits:
                track = self._tracks.get(name)
                near += (seen.at,) if track is None else track.way
        return all(
            any(at in board and board.distance(at, smoke) <= 1 for at in near)
            for _, smoke in smokes
        )
