"""Each unit's acts in a phase, as its counter shows them."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, NamedTuple

from marchtable.rules.refereeing import UNSEEN
from marchtable_models.asl.recorded.views import DUMMY, MARKED, OFF_MAP, STATES

if TYPE_CHECKING:
    from collections import Counter

    from marchtable_models.asl.recorded.views import Seen, Segment


class Leg(NamedTuple):
    """A unit went to a hex in a step."""

    when: int
    to: str


class Effect(NamedTuple):
    """
    A unit was pinned or otherwise affected in a step (by its index), until the marker was removed.

    `when` is -1 if it was so as the phase began.
    """

    when: int
    what: str
    until: float = inf


class Track:
    """
    The acts in a phase of one unit, or of a `?` whose units the reader does not see.

    Parameters
    ----------
    unit
        Its id.
    start
        Its look as the phase began, None if it was not there.
    """

    def __init__(self, unit: str, start: Seen | None) -> None:
        self.unit, self.start = unit, start
        self.last: Seen | None = start
        self.legs: list[Leg] = []
        self.effects: list[Effect] = []
        self.marks: list[Effect] = []
        """The times it was in one of the states `MARKED`."""
        self.steps: set[int] = set()
        self.weapons: list[tuple[int, Counter[str]]] = []
        """Its SW after each step that changed them."""
        self.turned = False
        self.off_centre = bool(start and start.off_centre)
        self.tired = False
        self.was_hidden = bool(start and start.veil == "hidden")
        self.changed = False
        """Whether it became another type, or appeared from nowhere."""
        self.gone = False
        """Whether it was eliminated, or replaced."""
        self.revealed = -1
        """The last step in which it was visible, by index."""
        self.was_unseen = False
        """Whether the reader could not see it for a while."""

    @property
    def seen(self) -> Seen | None:
        """Its last look."""
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
        """``hidden`` if the other side cannot see its moves, ``concealed`` if not its identity."""
        if self.was_hidden:
            return "hidden"
        return self.last.veil if self.last else ""

    @property
    def is_unseen(self) -> bool:
        """Whether it is a `?` whose units the reader does not see."""
        return self.start is not None and self.start.class_ == UNSEEN

    @property
    def is_cleared(self) -> bool:
        """Whether a marker it moved under, or had at first, was removed."""
        return any(
            one.when < 0 or any(one.when < leg.when <= one.until for leg in self.legs)
            for one in (*self.effects, *self.marks)
            if one.until < inf
        )

    @property
    def marked(self) -> str:
        """The first state of `MARKED` it got in the phase and went on in; ``""`` for none."""
        found = (
            one.what
            for one in self.marks
            if one.when >= 0 and any(one.when < leg.when <= one.until for leg in self.legs)
        )
        return next(found, "")

    def effects_at(self, index: float) -> set[str]:
        """Return the effects on it from before a step that still applied then."""
        return {one.what for one in self.effects if one.when < index <= one.until}

    @property
    def dropped(self) -> list[tuple[int, str]]:
        """The SW it had at first but not in the end, each with the last step that shows it."""
        if self.start is None or not self.weapons:
            return []
        gone = self.start.weapons - self.weapons[-1][1]
        return [
            (max((when for when, had in self.weapons if had[name]), default=-1), name)
            for name in gone.elements()
        ]

    @property
    def is_gun(self) -> bool:
        """Whether it is a Gun."""
        return self.seen is not None and self.seen.class_ == "gun"

    @property
    def is_afoot(self) -> bool:
        """Whether it is, or might be, Personnel or a Dummy."""
        return self.seen is not None and self.seen.is_afoot

    @property
    def is_dummy(self) -> bool:
        """Whether it is a `?` over no unit."""
        return self.seen is not None and self.seen.class_ == DUMMY

    def forget_what_was_put_back(self) -> None:
        """Assume that it did not move if it ends where it began, looking the same."""
        first, last = self.start, self.last
        if first and last and (first.at, first.facing) == (last.at, last.facing):
            self.legs, self.steps, self.turned = [], set(), False

    @property
    def way(self) -> tuple[str, ...]:
        """Its hexes, first to last."""
        first = (self.start.at,) if self.start else ()
        return (*first, *(leg.to for leg in self.legs))


def tracks_of(segment: Segment) -> dict[str, Track]:
    """Return the acts in a phase of each unit and each `?`, by id."""
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
    """Follows each `?` with units the reader does not see, from hex to hex."""

    def __init__(self) -> None:
        self.tracks: list[Track] = []
        self._at: dict[tuple[str, str], Track] = {}
        self._by_leg: dict[tuple[str, str, str], Track] = {}

    def follow(self, index: int, before: Seen | None, after: Seen | None) -> None:
        """
        Record that a `?` went to another hex.

        It is the one that came to the hex it leaves, or the rest of a stack following its other
        part. Otherwise it was never seen to move before.
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
    """Return whether a `?` covered nothing only while its stack was moved piece by piece."""
    return track.is_dummy and (track.start is None or track.gone)


def _note(track: Track, index: int, before: Seen | None, after: Seen | None) -> None:
    """Record a step's change to a unit; one put back on the map continues from its last place."""
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
    """Record the states a unit got or lost in a step."""
    for state in (*STATES, *MARKED):
        known = track.effects if state in STATES else track.marks
        if after.shows(state) and not was.shows(state):
            known.append(Effect(index, state))
        elif was.shows(state) and not after.shows(state):
            last = next((one for one in reversed(known) if one.what == state), None)
            known[:] = [one for one in known if one is not last]
            known.append(Effect(last.when if last else -1, state, index))
