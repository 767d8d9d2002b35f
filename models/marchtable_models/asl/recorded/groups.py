"""Which units moved together in a phase."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable_models.asl.recorded.tracks import Leg, Track

MOST_TOGETHER = 4
"""The largest number of units for which all divisions into stacks are tried."""


class TrackGroup(NamedTuple):
    """Tracks of units that might have moved together, a vehicle first."""

    tracks: tuple[Track, ...]

    @property
    def first(self) -> int:
        """The index of its first step."""
        return min(min(track.steps) for track in self.tracks)

    @property
    def end(self) -> int:
        """The index of its last step."""
        return max(max(track.steps) for track in self.tracks)

    @property
    def is_driven(self) -> bool:
        """Whether a vehicle leads it."""
        seen = self.tracks[0].seen
        return seen is not None and seen.is_vehicle

    @property
    def is_bound(self) -> bool:
        """Whether its units depend on each other: a vehicle's load, or units pushing a Gun."""
        return self.is_driven or any(track.is_gun for track in self.tracks)

    @property
    def tired(self) -> frozenset[str]:
        """The units with a CX counter as the phase ends."""
        return frozenset(track.unit for track in self.tracks if track.tired)

    def without_few(self) -> Iterator[tuple[Track, ...]]:
        """Yield the units without some, few first: of many units without one, or one alone."""
        number = len(self.tracks)
        sizes = range(number - 1, 0, -1)
        for size in sizes if number <= MOST_TOGETHER else (number - 1, 1):
            yield from combinations(self.tracks, size)

    def parted(self, some: Sequence[Track]) -> tuple[TrackGroup, TrackGroup]:
        """Return some of the units, and the others."""
        others = (track for track in self.tracks if track not in some)
        return TrackGroup(tuple(some)), TrackGroup(tuple(others))


def groups_of(tracks: dict[str, Track]) -> list[TrackGroup]:
    """Return the moves of a phase, grouping a vehicle's load or a starting stack."""
    moving = [track for track in tracks.values() if track.moves]
    vehicles = [track for track in moving if track.seen and track.seen.is_vehicle]
    carried: dict[str, list[Track]] = {}
    stacks: list[list[Track]] = []
    dummies: list[list[Track]] = []
    alone: list[list[Track]] = []
    for track in moving:
        if track in vehicles:
            continue
        if track.is_unseen:
            alone.append([track])
        elif (carrier := _carrier(track, vehicles)) is not None:
            carried.setdefault(carrier.unit, []).append(track)
        elif track.start and track.legs and (track.is_gun or track.is_afoot):
            _join(dummies if track.is_dummy else stacks, track)
        else:
            alone.append([track])
    groups = [TrackGroup((one, *carried.get(one.unit, ()))) for one in vehicles]
    groups += [TrackGroup(tuple(together)) for together in (*stacks, *dummies, *alone)]
    return sorted(groups, key=lambda group: group.first)


def _carrier(track: Track, vehicles: Sequence[Track]) -> Track | None:
    """Return the friendly vehicle a unit went along with farthest, None for none."""
    own = [one for one in vehicles if one.seen and track.seen and one.seen.side == track.seen.side]
    best = max(own, key=lambda one: len(along(track, one)), default=None)
    return best if best is not None and along(track, best) else None


def along(track: Track, vehicle: Track) -> list[Leg]:
    """Return a unit's legs shared with a vehicle: from the same hex, in the same step."""
    own = {*_with_origins(vehicle)}
    return [leg for before, leg in _with_origins(track) if (before, leg) in own]


def _with_origins(track: Track) -> list[tuple[str, Leg]]:
    before = [track.start.at if track.start else "", *(leg.to for leg in track.legs)]
    return [*zip(before, track.legs, strict=False)]


def _join(stacks: list[list[Track]], track: Track) -> None:
    """Add a track to the stack from its hex that went the same way first, or as far."""
    for stack in stacks:
        if any(_set_out_together(track, other) for other in stack):
            stack.append(track)
            return
    stacks.append([track])


def _set_out_together(one: Track, other: Track) -> bool:
    if one.way[0] != other.way[0]:
        return False
    return one.legs[0].to == other.legs[0].to or one.legs[-1].to == other.legs[-1].to
