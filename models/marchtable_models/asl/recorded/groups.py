"""Which units moved together in a phase, and in how many ways that may be read."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from marchtable_models.asl.recorded.scripts import (
    Advanced,
    Befell,
    Boarded,
    Declared,
    Ended,
    Left,
    Walked,
)  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable_models.asl.recorded.scripts import Part
    from marchtable_models.asl.recorded.watching import Seen, Segment

__all__ = ["MOST_TOGETHER", "Group", "Track", "groups_of", "scripts_of", "tracks_of"]

MOST_TOGETHER = 4
"""Of how many units all ways of having moved in smaller stacks are tried."""


class Leg(NamedTuple):
    """A unit went to a hex in a step (by its index)."""

    when: int
    to: str


class Track:
    """
    What one unit did in a phase.

    Parameters
    ----------
    unit
        Its id.
    start
        How it looked as the phase began, None if it was not there.
    """

    def __init__(self, unit: str, start: Seen | None) -> None:
        self.unit, self.start = unit, start
        self.last: Seen | None = start
        self.legs: list[Leg] = []
        self.blows: list[tuple[int, str]] = []
        self.steps: set[int] = set()
        self.turned = False
        self.vague = bool(start and start.vague)
        self.tired = False
        self.veil = start.veil if start else ""
        self.changed = False
        """Whether it became another type, or came from nowhere."""
        self.gone = False
        """Whether it was eliminated, or replaced."""

    @property
    def moves(self) -> bool:
        """Whether it went somewhere, or turned."""
        return bool(self.legs) or self.turned

    @property
    def way(self) -> tuple[str, ...]:
        """The hexes it was in, from the first to the last."""
        first = (self.start.at,) if self.start else ()
        return (*first, *(leg.to for leg in self.legs))


class Group(NamedTuple):
    """Tracks of units that may have moved together, a vehicle first."""

    tracks: tuple[Track, ...]

    @property
    def first(self) -> int:
        """The index of its first step."""
        return min(min(track.steps) for track in self.tracks)


def tracks_of(segment: Segment) -> dict[str, Track]:
    """Return what each unit did in a phase, by its id."""
    found: dict[str, Track] = {}
    for event in segment.events:
        for name, (before, after) in event.changed.items():
            track = found.setdefault(name, Track(name, segment.start.get(name)))
            _noted(track, event.when, before, after)
    return found


def _noted(track: Track, index: int, before: Seen | None, after: Seen | None) -> None:
    """Note what a step changed of a unit."""
    if after is None or after.gone:
        track.gone = True
        return
    track.last = after
    if before is None or track.gone:
        track.changed = True
        return
    track.vague = track.vague or after.vague
    track.veil = track.veil or after.veil
    if before.at != after.at:
        track.legs.append(Leg(index, after.at))
        track.steps.add(index)
    if before.facing != after.facing:
        track.turned = True
        track.steps.add(index)
    if before.told.get("type") != after.told.get("type"):
        track.changed = True
    for state, blow in (("pinned", "pinned"), ("broken", "broken")):
        if after.shows(state) and not before.shows(state):
            track.blows.append((index, blow))
    track.tired = after.shows("cx")


def groups_of(tracks: dict[str, Track]) -> list[Group]:
    """Return the moves of a phase: those who went along with a vehicle, or began as a stack, together."""
    moving = [track for track in tracks.values() if track.moves]
    vehicles = [track for track in moving if track.last and track.last.is_vehicle]
    carried: dict[str, list[Track]] = {}
    on_foot: dict[tuple[object, ...], list[Track]] = {}
    alone: list[list[Track]] = []
    for track in moving:
        if track in vehicles:
            continue
        carrier = next((one for one in vehicles if set(one.legs) & set(track.legs)), None)
        if carrier is not None:
            carried.setdefault(carrier.unit, []).append(track)
        elif track.last and track.last.is_on_foot and track.start:
            on_foot.setdefault((track.start.at, track.legs[0].to), []).append(track)
        else:
            alone.append([track])
    groups = [Group((one, *carried.get(one.unit, ()))) for one in vehicles]
    groups += [Group(tuple(together)) for together in (*on_foot.values(), *alone)]
    return sorted(groups, key=lambda group: group.first)


# -- readings of a group -------------------------------------------------------------------------


def scripts_of(group: Group, phase: str) -> Iterator[tuple[Part, ...]]:
    """Yield the ways in which a group may have moved: as one stack first, then in smaller ones."""
    lead = group.tracks[0]
    if lead.last is not None and lead.last.is_vehicle:
        yield tuple(_driven(lead, group.tracks[1:]))
        return
    tired = any(_declares(track) for track in group.tracks)
    for doubles in (True, False) if tired else (False,):
        for parts in _partitions(list(group.tracks)):
            script: list[Part] = []
            for together in sorted(parts, key=lambda part: min(min(one.steps) for one in part)):
                script += [Declared(one.unit) for one in together if doubles and _declares(one)]
                script += _walk(together, 0, phase)
            yield tuple(script)


def _declares(track: Track) -> bool:
    """Return whether a unit shows a CX counter that it did not have as the phase began."""
    return track.tired and not (track.start is not None and track.start.shows("cx"))


def _partitions(tracks: list[Track]) -> Iterator[list[list[Track]]]:
    """Yield the ways to part units into stacks, all together first; of many units but a few ways."""
    yield [tracks]
    if len(tracks) == 1:
        return
    if len(tracks) <= MOST_TOGETHER:
        for parts in _set_partitions(tracks):
            if len(parts) > 1:
                yield parts
        return
    by_step = [list(same) for _, same in groupby(tracks, key=lambda track: track.legs[0].when)]
    if 1 < len(by_step) < len(tracks):
        yield by_step
    yield [[track] for track in tracks]


def _set_partitions(tracks: list[Track]) -> Iterator[list[list[Track]]]:
    if not tracks:
        yield []
        return
    first, *rest = tracks
    for parts in _set_partitions(rest):
        for number, part in enumerate(parts):
            yield [*parts[:number], [first, *part], *parts[number + 1 :]]
        yield [[first], *parts]


def _walk(together: Sequence[Track], done: int, phase: str) -> list[Part]:
    """Return what units do from a leg on: together as long as they go the same way."""
    script: list[Part] = []
    going = [track for track in together if len(track.legs) > done]
    if not going:
        return script
    ways: dict[str, list[Track]] = {}
    for track in going:
        ways.setdefault(track.legs[done].to, []).append(track)
    for to, some in sorted(ways.items(), key=lambda item: item[1][0].legs[done].when):
        index = min(track.legs[done].when for track in some)
        for track in some:
            before = [blow for blow in track.blows if blow[0] < index]
            earlier = track.legs[done - 1].when if done else -1
            script += [Befell(track.unit, what, at) for at, what in before if at >= earlier]
        units = tuple(track.unit for track in some)
        script.append(Advanced(units, to, index) if phase == "APh" else Walked(units, to, index))
        if len(ways) > 1 or len(going) < len(together):
            script += _walk(some, done + 1, phase)
    if len(ways) == 1 and len(going) == len(together):
        script += _walk(going, done + 1, phase)
    return script


def _driven(vehicle: Track, riders: Sequence[Track]) -> Iterator[Part]:
    """Yield what a vehicle does, and what those who go along with it do before, on the way and after."""
    own = {leg.when: number for number, leg in enumerate(vehicle.legs)}
    for track in riders:
        first = next(leg.when for leg in track.legs if leg in vehicle.legs)
        before = [leg for leg in track.legs if leg.when < first]
        yield from (Walked((track.unit,), leg.to, leg.when) for leg in before)
    boarding: dict[int, list[str]] = {}
    leaving: dict[int, list[Track]] = {}
    for track in riders:
        along = [leg for leg in track.legs if leg in vehicle.legs]
        boarding.setdefault(own[along[0].when], []).append(track.unit)
        if len(along) < len(track.legs) - sum(leg.when < along[0].when for leg in track.legs):
            leaving.setdefault(own[along[-1].when], []).append(track)
    for number, leg in enumerate(vehicle.legs):
        if number in boarding:
            yield Boarded(tuple(boarding[number]), vehicle.unit, leg.when)
        yield Walked((vehicle.unit,), leg.to, leg.when)
        if number in leaving:
            gone = leaving[number]
            yield Left(tuple(track.unit for track in gone), leg.when)
            for track in gone:
                yield from (
                    Walked((track.unit,), later.to, later.when)
                    for later in track.legs
                    if later.when > leg.when
                )
    last = vehicle.last
    if last is not None:
        yield Ended(vehicle.unit, last.facing, last.shows("moving"), max(vehicle.steps))
