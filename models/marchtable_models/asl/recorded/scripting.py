"""Possible readings of units' moves, as scripts."""

from __future__ import annotations

from copy import copy
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from marchtable_models.asl.recorded.groups import MOST_TOGETHER, along
from marchtable_models.asl.recorded.scripts import (
    Advanced,
    Affected,
    BoardScript,
    ClimbScript,
    Declared,
    Dropped,
    Ended,
    Exited,
    Hooked,
    PushScript,
    SmokeScript,
    Unhooked,
    UnloadScript,
    Walked,
)
from marchtable_models.asl.recorded.views import OFF_MAP

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from marchtable_models.asl.recorded.groups import TrackGroup
    from marchtable_models.asl.recorded.scripts import Part
    from marchtable_models.asl.recorded.tracks import Effect, Leg, Track


def scripts_of(
    group: TrackGroup, phase: str, smokes: Sequence[tuple[int, str]] = ()
) -> Iterator[tuple[Part, ...]]:
    """
    Yield the ways a group might have moved: as one stack first, then in smaller ones.

    Parameters
    ----------
    group
        The units.
    phase
        The phase.
    smokes
        The steps, by index, in which SMOKE was placed during their move, and where.
    """
    climbed = tuple(_climbed(group))
    for script in _plain_scripts(group, phase):
        whole = _with_drops(_with_smoke(script, group, smokes), group)
        if climbed:
            yield (*whole, *climbed)
        yield whole


def _climbed(group: TrackGroup) -> Iterator[ClimbScript]:
    """Yield units that end above a level counter, which might mark others."""
    upstairs: dict[tuple[str, int], list[Track]] = {}
    for track in group.tracks:
        if track.last is not None and track.legs and track.last.fields.get("floor"):
            place = track.last.at, track.last.fields["floor"]
            upstairs.setdefault(place, []).append(track)
    for (_, floor), some in upstairs.items():
        yield ClimbScript(tuple(track.unit for track in some), floor, max(some[0].steps))


def _with_drops(script: tuple[Part, ...], group: TrackGroup) -> tuple[Part, ...]:
    """Return a script with units on foot dropping the SW that stay behind, where they were left."""
    parts = list(script)
    for track in group.tracks if not group.is_driven else ():
        for when, name in track.dropped if track.is_afoot else ():
            later = (
                number
                for number, part in enumerate(parts)
                if getattr(part, "when", -1) > when and track.unit in getattr(part, "units", ())
            )
            if (at := next(later, None)) is not None:
                parts.insert(at, Dropped(track.unit, name, when))
    return tuple(parts)


def _with_smoke(
    script: tuple[Part, ...], group: TrackGroup, smokes: Sequence[tuple[int, str]]
) -> tuple[Part, ...]:
    """Return a script with a unit of the group placing SMOKE, before the step that follows."""
    if not smokes:
        return script
    units = tuple(track.unit for track in group.tracks if not track.is_gun)
    parts = list(script)
    for when, at in smokes:
        later = (number for number, part in enumerate(parts) if getattr(part, "when", -1) > when)
        parts.insert(next(later, len(parts)), SmokeScript(units, at, when))
    return tuple(parts)


def _plain_scripts(group: TrackGroup, phase: str) -> Iterator[tuple[Part, ...]]:
    if group.is_driven:
        vehicle, riders = group.tracks[0], group.tracks[1:]
        for walkers in _boardings(vehicle, riders):
            yield tuple(_driven(vehicle, riders, walkers))
        return
    tired = [track for track in group.tracks if _declares(track)]
    # the CX counter of another unit above it says little: first without Double Time
    has_own = any(track.last is not None and track.last.fields.get("cx") for track in tired)
    for doubles in dict.fromkeys((has_own, bool(tired), False)):
        for parts in _partitions(list(group.tracks)):
            if len(parts) > 1 and any(all(one.is_gun for one in part) for part in parts):
                continue
            script: list[Part] = []
            for together in sorted(parts, key=lambda part: min(min(one.steps) for one in part)):
                script += [Declared(one.unit) for one in together if doubles and _declares(one)]
                script += _walk(_alike(together), 0, phase)
            yield tuple(script)


def _declares(track: Track) -> bool:
    """Return whether a unit has a CX counter that it lacked as the phase began."""
    return track.tired and not (track.start is not None and track.start.shows("cx"))


def _partitions(tracks: list[Track]) -> Iterator[list[list[Track]]]:
    """Yield the divisions of units into stacks, all together first; only a few for many units."""
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


class _Walker(NamedTuple):
    """A unit, its effects, and its assumed legs."""

    unit: str
    legs: list[Leg]
    effects: list[Effect]
    is_gun: bool


def _alike(together: Sequence[Track]) -> list[_Walker]:
    """Return units with their legs; all with the longest, if the others only skip hexes."""
    longest = max(together, key=lambda track: len(track.legs))
    is_one_way = all(
        track.legs[-1].to == longest.legs[-1].to and _leaves_out(track, longest)
        for track in together
    )
    return [
        _Walker(track.unit, longest.legs if is_one_way else track.legs, track.effects, track.is_gun)
        for track in together
    ]


def _leaves_out(one: Track, longest: Track) -> bool:
    """Return whether a unit's way is another's with some hexes skipped."""
    rest = iter(leg.to for leg in longest.legs)
    return all(leg.to in rest for leg in one.legs)


def _walk(together: Sequence[_Walker], done: int, phase: str) -> list[Part]:
    """Return the actions of units from a leg on: together while they go the same way."""
    script: list[Part] = []
    going = [track for track in together if len(track.legs) > done]
    if not going:
        return script
    ways: dict[str, list[_Walker]] = {}
    for track in going:
        ways.setdefault(track.legs[done].to, []).append(track)
    for to, some in sorted(ways.items(), key=lambda item: item[1][0].legs[done].when):
        index = min(track.legs[done].when for track in some)
        for track in some:
            script += _affected(track, track.legs[done - 1].when if done else 0, index)
        script.append(_step(some, to, index, phase))
        if len(ways) > 1 or len(going) < len(together):
            script += _walk(some, done + 1, phase)
    if len(ways) == 1 and len(going) == len(together):
        script += _walk(going, done + 1, phase)
    return script


def _affected(track: Track | _Walker, since: int, index: int) -> list[Part]:
    """Return the effects of fire on a unit between two steps, as far as they still show."""
    return [
        Affected(track.unit, one.what, one.when)
        for one in track.effects
        if since <= one.when < index <= one.until
    ]


def _step(some: Sequence[_Walker], to: str, index: int, phase: str) -> Part:
    """Return one step of units that go the same way."""
    units = tuple(track.unit for track in some)
    guns = [track.unit for track in some if track.is_gun]
    if to == OFF_MAP:
        return Exited(units, index)
    if phase == "APh":
        return Advanced(units, to, index)
    if len(guns) == 1 and len(units) > 1:
        return PushScript(tuple(unit for unit in units if unit != guns[0]), guns[0], to, index)
    return Walked(units, to, index)


def _driven(
    vehicle: Track, riders: Sequence[Track], walkers: Sequence[Sequence[Track]]
) -> Iterator[Part]:
    """
    Yield a vehicle's acts, and those of its companions before, during and after.

    Parameters
    ----------
    vehicle, riders
        The vehicle and who goes along with it.
    walkers
        Stacks of riders that walk to the vehicle and board it, in this order, before the others do.
    """
    own = {leg.when: number for number, leg in enumerate(vehicle.legs)}
    aboard = [track for together in walkers for track in together]
    for track in riders:
        if track not in aboard:
            yield from _afoot(track, _before(track, vehicle))
    for together in walkers:
        yield from _walk(_alike(_up_to(together, vehicle)), 0, "")
        yield BoardScript(
            tuple(track.unit for track in together),
            vehicle.unit,
            max(_before(track, vehicle)[-1].when for track in together),
        )
    boarding: dict[int, list[Track]] = {}
    leaving: dict[int, list[Track]] = {}
    for track in riders:
        shared = along(track, vehicle)
        if track not in aboard:
            boarding.setdefault(own[shared[0].when], []).append(track)
        goes_on = len(shared) < len(track.legs) - len(_before(track, vehicle))
        if goes_on or shared[-1] != vehicle.legs[-1]:
            leaving.setdefault(own[shared[-1].when], []).append(track)
    for number, leg in enumerate(vehicle.legs):
        yield from _taken_along(vehicle, boarding.get(number, ()), leg.when)
        yield (
            Exited((vehicle.unit,), leg.when)
            if leg.to == OFF_MAP
            else Walked((vehicle.unit,), leg.to, leg.when, rests=leg is vehicle.legs[-1])
        )
        yield from _let_off(vehicle, leaving.get(number, ()), leg.when)
    last = vehicle.last
    if last is not None and not vehicle.exits and not vehicle.gone:
        yield Ended(vehicle.unit, last.facing, last.shows("moving"), max(vehicle.steps))


def _boardings(vehicle: Track, riders: Sequence[Track]) -> Iterator[Sequence[Sequence[Track]]]:
    """
    Yield the stacks in which riders may have walked to a vehicle and boarded it before it went.

    Each stack boards as it arrives: once another unit moves, its MPh is over (A4.2). Where a Gun is
    hooked up, all may have walked first, as its crew boards with it.
    """
    walkers = [
        track
        for track in riders
        if not track.is_gun
        and _before(track, vehicle)
        and along(track, vehicle)[0] == vehicle.legs[0]
    ]
    if not walkers or any(track.is_gun for track in riders):
        yield ()
    if walkers:
        for parts in _partitions(walkers):
            yield sorted(parts, key=lambda part: min(track.legs[0].when for track in part))


def _before(track: Track, vehicle: Track) -> list[Leg]:
    """Return the legs of a rider before it goes along with a vehicle."""
    first = along(track, vehicle)[0].when
    return [leg for leg in track.legs if leg.when < first]


def _up_to(together: Sequence[Track], vehicle: Track) -> list[Track]:
    """Return the tracks of riders as far as the vehicle that they board."""
    cut = [copy(track) for track in together]
    for track in cut:
        track.legs = _before(track, vehicle)
    return cut


def _afoot(track: Track, legs: Iterable[Leg], since: int = 0) -> Iterator[Part]:
    """Yield a unit's way on foot, and what happens to it before each leg."""
    for leg in legs:
        yield from _affected(track, since, leg.when)
        since = leg.when
        yield (
            Exited((track.unit,), leg.when)
            if leg.to == OFF_MAP
            else Walked((track.unit,), leg.to, leg.when)
        )


def _taken_along(vehicle: Track, boarding: Sequence[Track], when: int) -> Iterator[Part]:
    """Yield how a vehicle takes units and Guns along before it goes on."""
    men = tuple(track.unit for track in boarding if not track.is_gun)
    for track in boarding:
        if track.is_gun:
            yield Hooked(vehicle.unit, track.unit, men, when)
    if men:
        yield BoardScript(men, vehicle.unit, when)


def _let_off(vehicle: Track, leaving: Sequence[Track], when: int) -> Iterator[Part]:
    """Yield how units and Guns leave a vehicle, and where the units go on foot."""
    for track in leaving:
        if track.is_gun:
            yield Unhooked(vehicle.unit, track.unit, when)
    men = [track for track in leaving if not track.is_gun]
    if men:
        yield UnloadScript(tuple(track.unit for track in men), when)
    for track in men:
        begins = track.legs[0].when if track.legs[0].when < when else 0
        yield from _afoot(track, [leg for leg in track.legs if leg.when > when], begins)
