"""Verdicts on the moves of a recorded game: legal if some reading is, illegal if it is proved."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from marchtable.errors import BadInputError
from marchtable.rules.refereeing import Judged, Judgement, PhaseJudged
from marchtable_models.asl.recorded.groups import (
    MOST_TOGETHER,
    Group,
    groups_of,
    scripts_of,
    tracks_of,
)
from marchtable_models.asl.recorded.readings import read
from marchtable_models.asl.recorded.scripts import Left
from marchtable_models.asl.recorded.watching import Watcher

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable.rules.refereeing import GameFile, Recorded, Status
    from marchtable.rules.ruling import Violation
    from marchtable.state.position import Position
    from marchtable.vasl.logs import Step
    from marchtable_models.asl.model import AslConditions, AslUnit
    from marchtable_models.asl.recorded.groups import Track
    from marchtable_models.asl.recorded.readings import Line, Reading
    from marchtable_models.asl.recorded.watching import Segment

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["judge_recorded"]

OFF_MAP = "-"
MOVING, ADVANCING = "MPh", "APh"
STILL = ("PFPh", "DFPh", "AFPh")
"""Phases in which nobody goes from hex to hex."""


def judge_recorded(recorded: Recorded, phases: Sequence[str]) -> Judgement:
    """Judge the moves of a recorded game, phase by phase."""
    watcher = Watcher(recorded, phases)
    found = [_Phase(segment, recorded).judged() for segment in watcher.segments()]
    return Judgement(found, watcher.sides)


class _Tried(NamedTuple):
    """A reading, and the position in which it begins."""

    reading: Reading
    before: AslPosition
    note: str


class _Phase:
    """Judges the moves of one phase, in the order in which they were recorded."""

    def __init__(self, segment: Segment, recorded: Recorded) -> None:
        self._segment, self._recorded, self._game = segment, recorded, recorded.game
        self._tracks = tracks_of(segment)
        self._steps = {event.when: event.step for event in segment.events}
        self._why = segment.why
        self._start: AslPosition | None = None
        if segment.base is not None and any(track.moves for track in self._tracks.values()):
            try:
                self._start = recorded.position(segment.base)
            except BadInputError as error:
                is_open = not any(seen.veil for seen in segment.start.values())
                self._why = "the position before it cannot be set up" + (
                    f": {error.message}" if is_open else ""
                )
        self._now = self._start

    def judged(self) -> PhaseJudged:
        """Return the verdicts."""
        moves = [one for group in groups_of(self._tracks) for one in self._judge_apart(group)]
        notes = []
        if not self._segment.is_known and moves:
            notes.append(
                f"no phase counter says which phase it is; taken: {self._segment.phase} of "
                f"{self._segment.side} (say otherwise in a game file)"
            )
        for index, why in self._segment.unread.items():
            step = self._recorded.part.steps[index]
            notes.append(f"step {step.number} of {step.file} cannot be read: {why}")
        return PhaseJudged(
            turn=self._segment.turn,
            side=self._segment.side,
            phase=self._segment.phase,
            moves=moves,
            said=self._segment.said,
            notes=notes,
        )

    # -- one move --------------------------------------------------------------------------------

    def _judge_apart(self, group: Group) -> list[Judged]:
        """
        Return the verdict on a group, or on its parts, if it is legal without some of its units.

        Nobody is accused of what another did: the most units that are legal together are judged as
        one, and those who are left by themselves.
        """
        before = self._now
        told = self._judge(group)
        lead = group.tracks[0]
        is_driven = lead.last is not None and lead.last.is_vehicle
        if told.status == "LEGAL" or len(group.tracks) == 1 or is_driven:
            return [told]
        after = self._now
        for some in _without_few(group.tracks):
            self._now = before
            rest = self._judge(Group(some))
            if rest.status == "LEGAL":
                others = tuple(track for track in group.tracks if track not in some)
                return [rest, *self._judge_apart(Group(others))]
        self._now = after
        return [told]

    def _judge(self, group: Group) -> Judged:
        indices = sorted({index for track in group.tracks for index in track.steps})
        lead = group.tracks[0]
        told = Judged(
            units=tuple(track.unit for track in group.tracks),
            names={track.unit: _called(track) for track in self._tracks.values()},
            veiled={track.unit: track.veil for track in self._tracks.values() if track.veil},
            side=(lead.last or lead.start).side if lead.last or lead.start else "",  # type: ignore[union-attr]
            steps=tuple(self._steps[index] for index in indices),
            way=lead.way,
            status="UNKNOWN",
        )
        told.accepted = any(_is_accepted(step, self._game) for step in told.steps)
        why = self._undecidable(group, told)
        if why:
            told.doubts = (why,)
        else:
            self._decide(group, told)
        return told

    def _undecidable(self, group: Group, told: Judged) -> str:
        """Return why a move cannot be judged at all, ``""`` if it can."""
        for track in group.tracks:
            if why := self._unreadable(track):
                return why
        segment = self._segment
        if self._now is None:
            return self._why or "there is no position to judge it in"
        if segment.unread and min(segment.unread) < max(self._steps):
            return "a step of the phase cannot be read"
        if segment.phase not in (MOVING, ADVANCING, *STILL):
            return f"moves in the {segment.phase} are not judged yet"
        return self._untimely(group, told)

    def _unreadable(self, track: Track) -> str:
        """Return why what a unit did cannot be judged, ``""`` if it can."""
        segment = self._segment
        if track.start is None or not track.start.told:
            reason = track.start.why if track.start else ""
            return f"{_called(track)}: {reason or 'it came on the table during the phase'}"
        if track.last is not None and track.last.class_ == "gun":
            return "moves of Guns are not judged yet"
        if track.start.at == OFF_MAP:
            return "it comes from off the map: when and where it may enter is not recorded"
        if OFF_MAP in track.way:
            return "it leaves the map: as an exit or a loss is not recorded"
        if track.start.moved and not segment.entered and segment.phase == MOVING:
            return "it had moved before the recording began: what it had spent is not recorded"
        return ""

    def _untimely(self, group: Group, told: Judged) -> str:
        """Return why a move at the wrong time is not judged, ``""`` if it is at the right one, or proved."""
        segment = self._segment
        if told.side == segment.side and segment.phase not in STILL:
            return ""
        if not (segment.entered and segment.left):
            return (
                f"{told.side} units do not move in the {segment.phase} of {segment.side}, but the "
                "phase counter may not have been kept"
            )
        if any(track.last and track.last.is_vehicle for track in group.tracks):
            return "what vehicles do outside their MPh is not judged yet"
        return ""

    def _decide(self, group: Group, told: Judged) -> None:
        """Find the reading of a move, and the verdict."""
        assert self._now is not None
        tried = self._tried(group)
        if not tried:
            told.doubts = ("it is not in the position before: its counter could not be kept",)
            return
        best = min(tried, key=_badness)
        line = best.reading.line
        told.before, told.log, told.rulings = best.before, line.log, line.rulings
        told.notes = (*line.notes, *((best.note,) if best.note else ()))
        doubts = [_in_words(one) for one in line.doubts]
        if best.reading.failed is None:
            doubts += self._not_explained(group, line)
        else:
            told.faults = _first_faults(line)
            told.nearest = "; ".join(map(str, best.reading.legal.log))
            doubts += self._unproved(group, told, best.reading, tried)
        doubts += self._in_the_way(group)
        told.doubts = tuple(dict.fromkeys(doubts))
        found: Status = "LEGAL" if best.reading.failed is None else "ILLEGAL"
        told.status = "UNKNOWN" if doubts else found
        self._go_on(group, line)

    def _tried(self, group: Group) -> list[_Tried]:
        """Return the readings of a move that were tried, up to the first that is legal."""
        tried: list[_Tried] = []
        tired = frozenset(track.unit for track in group.tracks if track.tired)
        for before, note in self._orders(group):
            for opening in self._openings(before, group):
                for script in scripts_of(group, self._segment.phase):
                    reading = read(before, (*opening, *script), tired)
                    if reading is None:
                        continue
                    tried.append(_Tried(reading, before, note))
                    if reading.failed is None and not reading.line.doubts:
                        return tried
        return tried

    @staticmethod
    def _openings(before: AslPosition, group: Group) -> Iterator[tuple[Left, ...]]:
        """Yield what Infantry does first: nothing, or it gets off what it is aboard."""
        yield ()
        units = tuple(
            track.unit
            for track in group.tracks
            if track.last is not None
            and track.last.is_on_foot
            and track.unit in before.index
            and before.unit(track.unit).cargo.aboard
        )
        lead = group.tracks[0]
        if units and not (lead.last is not None and lead.last.is_vehicle):
            yield (Left(units, group.first),)

    def _unproved(
        self, group: Group, told: Judged, reading: Reading, tried: Sequence[_Tried]
    ) -> Iterator[str]:
        """Yield what keeps an illegal move from being proved."""
        if not told.faults:
            yield "no way was found that explains it, and no clause forbids it"
        if not all(one.reading.is_whole for one in tried):
            yield "not all ways were tried"
        if any(track.vague for track in group.tracks):
            yield "a counter lies off the centre of its hex: it may be in Bypass"
        if len(group.tracks) > MOST_TOGETHER:
            yield "so many units moved together that not all ways were tried"
        if any(track.changed for track in group.tracks):
            yield "a counter was flipped or replaced on the way"
        if not self._segment.is_known and (reading.failed or 0) >= len(told.way) - 2 > 0:
            yield "no phase counter says which phase it is: it may have advanced at the end"

    def _not_explained(self, group: Group, line: Line) -> Iterator[str]:
        """Yield what of a move a legal reading does not explain."""
        for track in group.tracks:
            unit = line.position.unit(track.unit)
            if track.last is not None and unit.at != track.last.at:
                yield f"{track.unit} is in {unit.at} by the reading, and in {track.last.at} as recorded"

    def _in_the_way(self, group: Group) -> Iterator[str]:
        """Yield what came into the way of a move during the phase, as far as it is not judged."""
        last = max(when for track in group.tracks for when in track.steps)
        way = {at for track in group.tracks for at in track.way}
        if laid := {at for when, at in self._segment.laid if when <= last and at in way}:
            yield f"counters were put, changed or taken in {', '.join(sorted(laid))} during the phase"
        side = group.tracks[0].last.side if group.tracks[0].last else ""
        for track in self._tracks.values():
            seen = track.last
            came = seen is not None and (track.start is None or track.start.at != seen.at)
            if seen is not None and came and seen.side != side and seen.at in way:
                yield f"an enemy unit came to {seen.at} during the phase"

    def _orders(self, group: Group) -> Iterator[tuple[AslPosition, str]]:
        """Yield the positions in which a move may have begun: as recorded first, then in another order."""
        assert self._now is not None
        assert self._start is not None
        as_recorded = self._patched(self._now, group.first, group)
        yield as_recorded, ""
        on_foot = self._on_foot(as_recorded, group)
        if on_foot is not as_recorded:
            yield on_foot, "taken to lie in the vehicle's hex, not aboard it"
        note = "legal if made in another order than recorded"
        if self._start.key() != as_recorded.key():
            yield self._on_foot(self._start, group), note
        late = self._late(on_foot, group)
        if late is not None:
            yield late, note

    @staticmethod
    def _on_foot(position: AslPosition, group: Group) -> AslPosition:
        """Return a position in which those who lie on a vehicle are not aboard it."""
        own = {track.unit for track in group.tracks}
        changed = [
            msgspec.structs.replace(unit, cargo=msgspec.structs.replace(unit.cargo, aboard=None, riding=False))
            for unit in position.units
            if unit.cargo.aboard is not None
            and (unit.id in own) != (unit.cargo.aboard in own)
            and not unit.crew.inherent
        ]  # fmt: skip
        return position.with_units(changed) if changed else position

    def _patched(self, position: AslPosition, before: int, group: Group) -> AslPosition:
        """Return a position with what was seen of other units before a step."""
        own = {track.unit for track in group.tracks}
        changed = []
        for name, track in self._tracks.items():
            if name not in position.index:
                continue
            if name in own and track.start and position.unit(name).at != track.start.at:
                changed.append(msgspec.structs.replace(position.unit(name), at=track.start.at))
            if name in own or track.moves:
                continue
            unit = position.unit(name)
            blows = {what for index, what in track.blows if index < before}
            if blows:
                status = msgspec.structs.replace(unit.status, **dict.fromkeys(blows, True))
                changed.append(msgspec.structs.replace(unit, status=status))
        return position.with_units(changed) if changed else position

    def _late(self, position: AslPosition, group: Group) -> AslPosition | None:
        """Return a position in which all others have moved already, None if that is no other one."""
        own = {track.unit for track in group.tracks}
        changed = []
        for name, track in self._tracks.items():
            if name in own or name not in position.index or not track.legs or track.last is None:
                continue
            unit = position.unit(name)
            if track.last.at in position.board and unit.at != track.last.at:
                changed.append(msgspec.structs.replace(unit, at=track.last.at))
        return position.with_units(changed) if changed else None

    def _go_on(self, group: Group, line: Line) -> None:
        """Take over where a move led, for those who move after it."""
        assert self._now is not None
        units = [
            line.position.unit(track.unit)
            for track in group.tracks
            if track.unit in line.position.index
        ]
        gone = {track.unit for track in group.tracks if track.gone}
        known = [
            msgspec.structs.replace(unit, at=None) if unit.id in gone else unit
            for unit in units
            if unit.id in self._now.index
        ]
        self._now = self._now.with_units(known)


def _without_few(tracks: Sequence[Track]) -> Iterator[tuple[Track, ...]]:
    """Yield the units of a group without some, few first: of many units without one, or one alone."""
    sizes = range(len(tracks) - 1, 0, -1)
    for size in sizes if len(tracks) <= MOST_TOGETHER else (len(tracks) - 1, 1):
        yield from combinations(tracks, size)


def _badness(one: _Tried) -> tuple[int, int, int, int]:
    line = one.reading.line
    return (
        one.reading.failed is not None,
        len({fault.clause for fault in line.faults}),
        len(line.doubts),
        -(one.reading.failed or 0),
    )


def _first_faults(line: Line) -> tuple[Violation, ...]:
    """Return the violations of the first entry that is illegal: those after it may hang on it."""
    return next((ruling.violations for ruling in line.rulings if ruling.violations), ())


def _in_words(one: Violation) -> str:
    return f"{one.note} ({one.clause})"


def _called(track: Track) -> str:
    seen = track.start or track.last
    return seen.called if seen else track.unit


def _is_accepted(step: Step, game: GameFile) -> bool:
    return any(
        accepted in (step.number, f"{step.file}:{step.number}", str(step.number))
        for accepted in game.accept
    )
