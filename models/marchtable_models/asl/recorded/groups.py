"""Which units moved together in a phase, and in how many ways their moves can be read."""

from __future__ import annotations

from itertools import groupby
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from marchtable.rules.refereeing import UNSEEN
from marchtable_models.asl.recorded.scripts import (
    Advanced,
    Affected,
    Boarded,
    Declared,
    Dropped,
    Ended,
    Exited,
    Hooked,
    Pushed,
    Thrown,
    Unhooked,
    Unloaded,
    Walked,
)
from marchtable_models.asl.recorded.views import DUMMY, MARKED, OFF_MAP, STATES

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Iterator, Sequence

    from marchtable_models.asl.recorded.scripts import Part
    from marchtable_models.asl.recorded.views import Seen, Segment

__all__ = [
    "MOST_TOGETHER",
    "Group",
    "Track",
    "groups_of",
    "scripts_of",
    "tracks_of",
]

MOST_TOGETHER = 4
"""The most units of which all divisions into smaller stacks are tried."""


class Leg(NamedTuple):
    """A unit went to a hex in a step."""

    when: int
    to: str


class Effect(NamedTuple):
    """
    A unit was pinned or so on in a step (by its index), until the marker was taken away again.

    `when` is -1 if it was so as the phase began.
    """

    when: int
    what: str
    until: float = inf


class Track:
    """
    What one unit did in a phase, or a `?` whose units the reader does not see.

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
        self.effects: list[Effect] = []
        self.marks: list[Effect] = []
        """The times in which it was in one of the states `MARKED`."""
        self.steps: set[int] = set()
        self.weapons: list[tuple[int, Counter[str]]] = []
        """The SW that it has after each step that changed it."""
        self.turned = False
        self.off_centre = bool(start and start.off_centre)
        self.tired = False
        self.was_hidden = bool(start and start.veil == "hidden")
        self.changed = False
        """Whether it became another type, or came from nowhere."""
        self.gone = False
        """Whether it was eliminated, or replaced."""
        self.revealed = -1
        """The last step in which it showed itself, by its index."""
        self.was_unseen = False
        """Whether the reader did not see it for a while."""

    @property
    def seen(self) -> Seen | None:
        """How it looked last."""
        return self.last or self.start

    @property
    def moves(self) -> bool:
        """Whether it went somewhere, or turned."""
        return bool(self.legs) or self.turned

    @property
    def exits(self) -> bool:
        """Whether it went off the map in the end."""
        return bool(self.legs) and self.legs[-1].to == OFF_MAP

    @property
    def veil(self) -> str:
        """``hidden`` if the other side does not see that it moved, ``concealed`` if not what it is."""
        if self.was_hidden:
            return "hidden"
        return self.last.veil if self.last else ""

    @property
    def is_unseen(self) -> bool:
        """Whether it is a `?` whose units the reader does not see."""
        return self.start is not None and self.start.class_ == UNSEEN

    @property
    def is_cleared(self) -> bool:
        """Whether a marker was taken away under which it moved, or that it had at first."""
        return any(
            one.when < 0 or any(one.when < leg.when <= one.until for leg in self.legs)
            for one in (*self.effects, *self.marks)
            if one.until < inf
        )

    @property
    def marked(self) -> str:
        """The first state of `MARKED` that it got in the phase, and in which it went on; ``""`` for none."""
        found = (
            one.what
            for one in self.marks
            if one.when >= 0 and any(one.when < leg.when <= one.until for leg in self.legs)
        )
        return next(found, "")

    def effects_at(self, index: float) -> set[str]:
        """Return by what it was affected before a step, and still is then."""
        return {one.what for one in self.effects if one.when < index <= one.until}

    @property
    def dropped(self) -> list[tuple[int, str]]:
        """The SW that it had at first and has not in the end, each with the last step that shows it."""
        if self.start is None or not self.weapons:
            return []
        gone = self.start.weapons - self.weapons[-1][1]
        return [
            (max((when for when, had in self.weapons if had[name]), default=-1), name)
            for name in gone.elements()
        ]

    def forget_what_was_put_back(self) -> None:
        """Take it that it did not move, if it lies in the end where it began and as it did."""
        first, last = self.start, self.last
        if first and last and (first.at, first.facing) == (last.at, last.facing):
            self.legs, self.steps, self.turned = [], set(), False

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
        """Whether its units depend on one another: those that a vehicle carries, or that push a Gun."""
        return self.is_driven or any(map(_is_gun, self.tracks))


def tracks_of(segment: Segment) -> dict[str, Track]:
    """Return what each unit did in a phase, and each `?`, by its id."""
    found: dict[str, Track] = {}
    piles = _PileTracks()
    for event in segment.events:
        for name, (before, after) in event.changed.items():
            if name.startswith(UNSEEN):
                piles.follow(event.when, before, after)
                continue
            track = found.setdefault(name, Track(name, segment.start.get(name)))
            _note(track, event.when, before, after)
    known = {name: track for name, track in found.items() if not _is_passing(track)}
    for track in known.values():
        side = track.seen.side if track.seen else ""
        if (side, segment.phase) not in ((segment.side, "MPh"), (segment.side, "APh")):
            track.forget_what_was_put_back()
    return known | {track.unit: track for track in piles.tracks}


class _PileTracks:
    """Follows each `?`, whose units the reader does not see, from hex to hex."""

    def __init__(self) -> None:
        self.tracks: list[Track] = []
        self._at: dict[tuple[str, str], Track] = {}
        self._by_leg: dict[tuple[str, str, str], Track] = {}

    def follow(self, index: int, before: Seen | None, after: Seen | None) -> None:
        """
        Note that a `?` went to another hex.

        It is the one that came to the hex it leaves, or the rest of a stack that goes after its
        other part. Else nobody has seen it go before.
        """
        if before is None or after is None or before.at == after.at:
            return
        side = after.side
        track = self._at.pop((side, before.at), None)
        if track is None:
            rest = self._by_leg.get((side, before.at, after.at))
            track = rest if rest and rest.last and rest.last.at == after.at else None
        if track is None:
            track = Track(f"{UNSEEN} {len(self.tracks) + 1}", before)
            self.tracks.append(track)
        if track.last is not None and track.last.at != after.at:
            track.legs.append(Leg(index, after.at))
        track.steps.add(index)
        track.last = after
        self._at[side, after.at] = self._by_leg[side, before.at, after.at] = track


def _is_passing(track: Track) -> bool:
    """Return whether a `?` lay over nothing only while its stack was moved piece by piece."""
    return _is_dummy(track) and (track.start is None or track.gone)


def _is_dummy(track: Track) -> bool:
    return track.seen is not None and track.seen.class_ == DUMMY


def _note(track: Track, index: int, before: Seen | None, after: Seen | None) -> None:
    """Note what a step changed of a unit; what puts it back on the map counts from where it last was."""
    if after is None or after.gone:
        track.gone = True
        return
    was, track.last, track.gone = track.last, after, False
    track.weapons.append((index, after.weapons))
    if before is None or before.gone:
        track.changed = True
    if was is None or was.gone:
        return
    if was.veil and not after.veil:
        track.revealed = index
    track.off_centre = track.off_centre or after.off_centre
    track.was_hidden = track.was_hidden or after.veil == "hidden"
    track.was_unseen = track.was_unseen or after.veil == UNSEEN
    if was.at != after.at:
        track.legs.append(Leg(index, after.at))
        track.steps.add(index)
    if was.facing != after.facing:
        track.turned = True
        track.steps.add(index)
    if was.fields.get("type") != after.fields.get("type"):
        track.changed = True
    _note_states(track, index, was, after)
    track.tired = after.shows("cx")


def _note_states(track: Track, index: int, was: Seen, after: Seen) -> None:
    """Note which states a unit got in a step, or lost."""
    for state in (*STATES, *MARKED):
        known = track.effects if state in STATES else track.marks
        if after.shows(state) and not was.shows(state):
            known.append(Effect(index, state))
        elif was.shows(state) and not after.shows(state):
            last = next((one for one in reversed(known) if one.what == state), None)
            known[:] = [one for one in known if one is not last]
            known.append(Effect(last.when if last else -1, state, index))


def groups_of(tracks: dict[str, Track]) -> list[Group]:
    """Return the moves of a phase: units that a vehicle carried, or that began as a stack, together."""
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
        elif track.start and track.legs and (_is_gun(track) or _is_afoot(track)):
            _join(dummies if _is_dummy(track) else stacks, track)
        else:
            alone.append([track])
    groups = [Group((one, *carried.get(one.unit, ()))) for one in vehicles]
    groups += [Group(tuple(together)) for together in (*stacks, *dummies, *alone)]
    return sorted(groups, key=lambda group: group.first)


def _carrier(track: Track, vehicles: Sequence[Track]) -> Track | None:
    """Return the vehicle of its side along with which a unit went the farthest, None for none."""
    own = [one for one in vehicles if one.seen and track.seen and one.seen.side == track.seen.side]
    best = max(own, key=lambda one: len(_along(track, one)), default=None)
    return best if best is not None and _along(track, best) else None


def _along(track: Track, vehicle: Track) -> list[Leg]:
    """Return the legs of a unit that are those of a vehicle: from the same hex, in the same step."""
    own = {*_with_origins(vehicle)}
    return [leg for before, leg in _with_origins(track) if (before, leg) in own]


def _with_origins(track: Track) -> list[tuple[str, Leg]]:
    before = [track.start.at if track.start else "", *(leg.to for leg in track.legs)]
    return [*zip(before, track.legs, strict=False)]


def _join(stacks: list[list[Track]], track: Track) -> None:
    """Add a track to the stack that set out from its hex and went the same way first, or as far."""
    for stack in stacks:
        if any(_set_out_together(track, other) for other in stack):
            stack.append(track)
            return
    stacks.append([track])


def _set_out_together(one: Track, other: Track) -> bool:
    if one.way[0] != other.way[0]:
        return False
    return one.legs[0].to == other.legs[0].to or one.legs[-1].to == other.legs[-1].to


# -- readings of a group -------------------------------------------------------------------------


def scripts_of(
    group: Group, phase: str, smokes: Sequence[tuple[int, str]] = ()
) -> Iterator[tuple[Part, ...]]:
    """
    Yield the ways in which a group may have moved: as one stack first, then in smaller ones.

    Parameters
    ----------
    group
        The units.
    phase
        The phase.
    smokes
        The steps, by index, in which SMOKE was placed while they moved, and where.
    """
    for script in _plain_scripts(group, phase):
        yield _with_drops(_with_smoke(script, group, smokes), group)


def _with_drops(script: tuple[Part, ...], group: Group) -> tuple[Part, ...]:
    """Return a script in which units on foot drop the SW that stay behind, where they were left."""
    parts = list(script)
    for track in group.tracks if not group.is_driven else ():
        for when, name in track.dropped if _is_afoot(track) else ():
            later = (
                number
                for number, part in enumerate(parts)
                if getattr(part, "when", -1) > when and track.unit in getattr(part, "units", ())
            )
            if (at := next(later, None)) is not None:
                parts.insert(at, Dropped(track.unit, name, when))
    return tuple(parts)


def _with_smoke(
    script: tuple[Part, ...], group: Group, smokes: Sequence[tuple[int, str]]
) -> tuple[Part, ...]:
    """Return a script in which a unit of the group places SMOKE, before the step that follows."""
    if not smokes:
        return script
    men = tuple(track.unit for track in group.tracks if _is_afoot(track))
    parts = list(script)
    for when, at in smokes:
        later = (number for number, part in enumerate(parts) if getattr(part, "when", -1) > when)
        parts.insert(next(later, len(parts)), Thrown(men, at, when))
    return tuple(parts)


def _plain_scripts(group: Group, phase: str) -> Iterator[tuple[Part, ...]]:
    if group.is_driven:
        yield tuple(_driven(group.tracks[0], group.tracks[1:]))
        return
    tired = any(_declares(track) for track in group.tracks)
    for doubles in (True, False) if tired else (False,):
        for parts in _partitions(list(group.tracks)):
            if len(parts) > 1 and any(all(_is_gun(one) for one in part) for part in parts):
                continue
            script: list[Part] = []
            for together in sorted(parts, key=lambda part: min(min(one.steps) for one in part)):
                script += [Declared(one.unit) for one in together if doubles and _declares(one)]
                script += _walk(_alike(together), 0, phase)
            yield tuple(script)


def _is_gun(track: Track) -> bool:
    return track.seen is not None and track.seen.class_ == "gun"


def _is_afoot(track: Track) -> bool:
    return track.seen is not None and track.seen.is_afoot


def _declares(track: Track) -> bool:
    """Return whether a unit shows a CX counter that it did not have as the phase began."""
    return track.tired and not (track.start is not None and track.start.shows("cx"))


def _partitions(tracks: list[Track]) -> Iterator[list[list[Track]]]:
    """Yield the divisions of units into stacks, all together first; of many units only a few."""
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
    """A unit, its effects, and the legs by which it is taken to have gone."""

    unit: str
    legs: list[Leg]
    effects: list[Effect]
    is_gun: bool


def _alike(together: Sequence[Track]) -> list[_Walker]:
    """Return units with their legs; all with the longest, where the others only leave out hexes."""
    longest = max(together, key=lambda track: len(track.legs))
    is_one_way = all(
        track.legs[-1].to == longest.legs[-1].to and _leaves_out(track, longest)
        for track in together
    )
    return [
        _Walker(
            track.unit, longest.legs if is_one_way else track.legs, track.effects, _is_gun(track)
        )
        for track in together
    ]


def _leaves_out(one: Track, longest: Track) -> bool:
    """Return whether the way of a unit is that of another, with some hexes left out."""
    rest = iter(leg.to for leg in longest.legs)
    return all(leg.to in rest for leg in one.legs)


def _walk(together: Sequence[_Walker], done: int, phase: str) -> list[Part]:
    """Return what units do from a leg on: together as long as they go the same way."""
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
    """Return what fire did to a unit from a step up to another, and what it still shows then."""
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
        return Pushed(tuple(unit for unit in units if unit != guns[0]), guns[0], to, index)
    return Walked(units, to, index)


def _driven(vehicle: Track, riders: Sequence[Track]) -> Iterator[Part]:
    """Yield what a vehicle does, and what those who go along with it do before, on the way and after."""
    own = {leg.when: number for number, leg in enumerate(vehicle.legs)}
    for track in riders:
        first = _along(track, vehicle)[0].when
        before = [leg for leg in track.legs if leg.when < first]
        yield from _afoot(track, before)
    boarding: dict[int, list[Track]] = {}
    leaving: dict[int, list[Track]] = {}
    for track in riders:
        along = _along(track, vehicle)
        boarding.setdefault(own[along[0].when], []).append(track)
        goes_on = len(along) < len(track.legs) - sum(leg.when < along[0].when for leg in track.legs)
        if goes_on or along[-1] != vehicle.legs[-1]:
            leaving.setdefault(own[along[-1].when], []).append(track)
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


def _afoot(track: Track, legs: Iterable[Leg], since: int = 0) -> Iterator[Part]:
    """Yield where a unit goes on foot, and what befalls it from a step on before each leg."""
    for leg in legs:
        yield from _affected(track, since, leg.when)
        since = leg.when
        yield (
            Exited((track.unit,), leg.when)
            if leg.to == OFF_MAP
            else Walked((track.unit,), leg.to, leg.when)
        )


def _taken_along(vehicle: Track, boarding: Sequence[Track], when: int) -> Iterator[Part]:
    """Yield how a vehicle takes along units and Guns before it goes on."""
    men = tuple(track.unit for track in boarding if not _is_gun(track))
    for track in boarding:
        if _is_gun(track):
            yield Hooked(vehicle.unit, track.unit, men, when)
    if men:
        yield Boarded(men, vehicle.unit, when)


def _let_off(vehicle: Track, leaving: Sequence[Track], when: int) -> Iterator[Part]:
    """Yield how units and Guns leave a vehicle, and where the units go on foot."""
    for track in leaving:
        if _is_gun(track):
            yield Unhooked(vehicle.unit, track.unit, when)
    men = [track for track in leaving if not _is_gun(track)]
    if men:
        yield Unloaded(tuple(track.unit for track in men), when)
    for track in men:
        begins = track.legs[0].when if track.legs[0].when < when else 0
        yield from _afoot(track, [leg for leg in track.legs if leg.when > when], begins)
