"""Whether a move might belong to another phase than the phase counter shows."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from marchtable_models.asl.recorded.views import OFF_MAP

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from marchtable_models.asl.recorded.groups import TrackGroup
    from marchtable_models.asl.recorded.tracks import Track
    from marchtable_models.asl.recorded.views import Segment

MOVING, ADVANCING, ROUTING, CLOSE_COMBAT = "MPh", "APh", "RtPh", "CCPh"
STILL = ("PFPh", "DFPh", "AFPh")
"""Phases in which no unit moves between hexes."""
ATTACKS = ("IFT", "TH", "TK")
"""VASL's names of attack rolls."""
NOT_KEPT = "the phase counter may not have been kept"


class Timing:
    """
    The phases the players might have been in while the phase counter showed one.

    A counter that is not advanced shows a past phase. It is certainly current only if the next
    phase with events follows soon, with none between in which the move would be legal.

    Parameters
    ----------
    segment
        The phase that the counter shows.
    phases
        The names of the phases in order.
    tracks
        Each unit's acts in it.
    groups
        The moves in it, in order.
    """

    def __init__(
        self,
        segment: Segment,
        phases: Sequence[str],
        tracks: Mapping[str, Track],
        groups: Sequence[TrackGroup],
    ) -> None:
        self._segment, self._tracks, self._groups = segment, tracks, groups
        self._later = _later(segment, phases)

    def _may_be(self, *phases: str) -> bool:
        """Return whether the players might already have been in one of some phases."""
        return self._later is None or not self._later.isdisjoint(phases)

    def untimely(self, group: TrackGroup, side: str) -> str:
        """Return why a move at the wrong time is not judged, ``""`` if it is at the right time, or proved."""
        segment = self._segment
        if (side, segment.phase) != (segment.side, MOVING) and not any(
            track.legs for track in group.tracks
        ):
            return "changes of VCA outside the MPh are not judged (C3.22)"
        if side == segment.side and segment.phase not in STILL:
            return ""
        if any(track.start and track.start.at == OFF_MAP for track in group.tracks):
            return "it comes from beside the boards: it may have been set up, or revealed"
        is_broken = any(map(_is_broken, group.tracks))
        own = (MOVING, ADVANCING) if side == segment.side else ()
        routs = (ROUTING,) if is_broken else ()
        if not segment.entered or self._may_be(*own, *routs, CLOSE_COMBAT):
            return (
                f"{side} units do not move in the {segment.phase} of {segment.side}, but {NOT_KEPT}"
            )
        if any(track.seen and track.seen.is_vehicle for track in group.tracks):
            return "what vehicles do outside their MPh is not judged (D2.1)"
        return ""

    def doubts(self, group: TrackGroup, *, is_at_end: bool) -> Iterator[str]:
        """
        Yield why a move, or part of it, might have been made in a later phase.

        Parameters
        ----------
        group
            The move, which is illegal in the phase.
        is_at_end
            Whether all but its last hex is legal.
        """
        if not self._segment.is_known and is_at_end:
            yield "no phase counter states the phase: it may have advanced at the end"
            return
        pauses = {pause for track in group.tracks for pause in self._pauses(group, track)}
        if is_at_end and True in pauses and self._may_be(ADVANCING, CLOSE_COMBAT):
            yield f"{NOT_KEPT}: it may have advanced at the end"
        elif pauses and self._later is None:
            yield f"{NOT_KEPT}: it may have moved on in a later turn"
        if self._may_be(ROUTING) and self._is_last_and_broken(group):
            yield f"{NOT_KEPT}: it may have routed"

    def _pauses(self, group: TrackGroup, track: Track) -> Iterator[bool]:
        """Yield, for each unit, whether a pause precedes its last leg: others moved, or there was fire."""
        own = {one.unit for one in group.tracks}
        times = [
            leg.when
            for other in self._tracks.values()
            if other.unit not in own
            for leg in other.legs
        ]
        times += [when for when, dice in self._segment.rolls if dice.kind in ATTACKS]
        for number, leg in enumerate(track.legs[1:], 1):
            if any(track.legs[number - 1].when < when < leg.when for when in times):
                yield number == len(track.legs) - 1

    def _is_last_and_broken(self, group: TrackGroup) -> bool:
        """Return whether units of a group are broken, and only broken units move after it."""
        later = [one for one in self._groups if one.first > group.first]
        return all(any(map(_is_broken, one.tracks)) for one in (group, *later))


def _later(segment: Segment, phases: Sequence[str]) -> frozenset[str] | None:
    """Return the phases up to the next with events; None if unknown."""
    if segment.following is None:
        return None
    side, phase, turn = segment.following
    now, then = phases.index(segment.phase), phases.index(phase)
    if (side, turn) != (segment.side, segment.turn) or then <= now:
        return None
    return frozenset(phases[now + 1 : then + 1])


def _is_broken(track: Track) -> bool:
    """Return whether a unit is broken as the phase begins, or is broken in it."""
    at_first = track.start is not None and track.start.shows("broken")
    return at_first or "broken" in track.effects_at(inf)
