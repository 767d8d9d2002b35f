"""Verdicts on recorded moves: legal if some reading is, illegal only if proved."""

from __future__ import annotations

from collections import Counter
from copy import copy
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from marchtable.budget import Budget, OverLimit, budget_scope, look, stop_here
from marchtable.errors import BadInputError
from marchtable.rules.refereeing import Judged, Judgement, PhaseJudged
from marchtable_models.asl.recorded.dice import compared, may_settle
from marchtable_models.asl.recorded.groups import MOST_TOGETHER, TrackGroup, groups_of
from marchtable_models.asl.recorded.hands import PUT_BACK, may_be_a_wave, without_detours
from marchtable_models.asl.recorded.lines import Assumptions
from marchtable_models.asl.recorded.readings import read
from marchtable_models.asl.recorded.recovery import among, gained_weapons, recovering
from marchtable_models.asl.recorded.replaying import replay_of
from marchtable_models.asl.recorded.riders import walked_too_far
from marchtable_models.asl.recorded.scripting import scripts_of
from marchtable_models.asl.recorded.smokes import Smokes
from marchtable_models.asl.recorded.starts import Starts, beginnings
from marchtable_models.asl.recorded.timing import STILL, Timing
from marchtable_models.asl.recorded.tracks import tracks_of
from marchtable_models.asl.recorded.trials import (
    Tried,
    badness,
    faults_of,
    first_faults,
    is_explained,
    is_proof,
    shares_cx,
)
from marchtable_models.asl.recorded.views import BARE, DUMMY, OFF_MAP
from marchtable_models.asl.recorded.watching import Watcher
from marchtable_models.asl.rules.dispensers import Dispense
from marchtable_models.asl.rules.driving import ExcessSpeed
from marchtable_models.asl.rules.grenades import Smoke
from marchtable_models.asl.rules.support_weapons import Recover
from marchtable_models.asl.saved.tables import vasl_names

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable.rules.refereeing import GameFile, Recorded, Status
    from marchtable.rules.ruling import Violation
    from marchtable.vasl.logs import Dice, RecordedStep
    from marchtable_models.asl.model import AslPosition
    from marchtable_models.asl.recorded.lines import PartialLog
    from marchtable_models.asl.recorded.readings import Reading
    from marchtable_models.asl.recorded.starts import Setting
    from marchtable_models.asl.recorded.tracks import Track
    from marchtable_models.asl.recorded.views import Seen, Segment

MOVING, ADVANCING = "MPh", "APh"
NOT_JUDGED = {
    "RPh": "what units do in the RPh is not judged (A3.1)",
    "RtPh": "routs are not judged (A10.5)",
    "CCPh": "Infiltration and withdrawal from Melee are not judged (A11.2, A11.22)",
}
"""Phases whose moves are not judged, and the clauses."""
FEWER = "these are the fewest clauses found: fewer were not ruled out"
MOST_LEGS = 60
"""The largest number of a unit's steps in a phase for which a reading is sought."""
MOST_WORK = 3.0
"""Search time for a move, and then for alternatives, in deterministic time: about seconds."""
TOO_LONG = "searched too long"
MOST_SETS = 60
"""The largest number of clause sets lifted in turn."""


def judge_recorded(recorded: Recorded, phases: Sequence[str]) -> Judgement:
    """Judge the moves of a recorded game, phase by phase."""
    watcher = Watcher(recorded, phases)
    found = [_Phase(segment, recorded, phases).judged() for segment in watcher.segments()]
    return Judgement(found, watcher.sides)


class _Verdict(NamedTuple):
    """A verdict, the readings tried, and the one that counts."""

    judged: Judged
    tried: tuple[Tried, ...] = ()
    best: Tried | None = None

    @property
    def is_explained(self) -> bool:
        """Whether a reading is legal, whatever else leaves the move undecided."""
        return self.best is not None and is_explained(self.best)


class _Phase:
    """Judges the moves of one phase, in recorded order."""

    def __init__(self, segment: Segment, recorded: Recorded, phases: Sequence[str]) -> None:
        self._segment, self._recorded, self._game = segment, recorded, recorded.game
        self._tracks = tracks_of(segment)
        self._steps = {event.when: event.step for event in segment.events}
        self._groups = groups_of(self._tracks)
        self._timing = Timing(segment, phases, self._tracks, self._groups)
        self._names = {name: _called(track) for name, track in self._tracks.items()}
        self._why = segment.why or "there is no position to judge it in"
        """Why no move can be judged, ``""`` if the position before them is known."""
        if segment.base is not None and self._groups:
            try:
                position = recorded.position(segment.base)
                self._starts = Starts(position, self._tracks, segment)
                self._smokes = Smokes(segment, self._tracks, self._groups, position.board)
                self._why = ""
            except BadInputError as error:
                self._why = f"the position before it cannot be set up: {error.message}"
            except OverLimit:
                self._why = TOO_LONG

    def judged(self) -> PhaseJudged:
        """Return the verdicts."""
        moves: list[Judged] = []
        waiting = [*self._groups]
        while waiting:
            found = self._judge_apart(waiting.pop(0))
            if isinstance(found, Judged):
                moves.append(found)
            else:
                waiting = sorted([*waiting, *found], key=lambda group: group.first)
        if not self._why:
            self._smokes.settle(moves, self._starts.now)
        notes = []
        if not self._segment.is_known and moves:
            notes.append(
                f"no phase counter states the phase; assumed: {self._segment.phase} of "
                f"{self._segment.side} (a game file can state another)"
            )
        if self._segment.phase == MOVING and not self._segment.entered and moves:
            notes.append(
                "the recording begins in this MPh: units without a moved mark are taken to have spent "
                "nothing before"
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
            replay=replay_of(self._segment),
        )

    # -- one move ---------------------------------------------------------------------------------

    def _judge_apart(self, group: TrackGroup) -> Judged | tuple[TrackGroup, ...]:
        """Return the verdict on a group or its parts, or that the search took too long."""
        try:
            with budget_scope(Budget(MOST_WORK)):
                found = self._judge(group)
            with budget_scope(Budget(MOST_WORK)):
                if found.judged.status != "LEGAL" and (parts := self._parts(group, found)):
                    return parts
                if found.judged.status == "ILLEGAL":
                    found = self._confirmed(group, found)
        except OverLimit:
            if stop_here().is_requested:
                raise
            judged = self._blank(group)
            judged.doubts = (TOO_LONG,)
            return judged
        if found.best is not None:
            self._starts.go_on(group, found.best.reading.line.position)
            if found.judged.status == "LEGAL":
                self._smokes.note(group, found.judged, found.best)
        return found.judged

    def _parts(self, group: TrackGroup, found: _Verdict) -> tuple[TrackGroup, ...]:
        """
        Return the parts of a group that are judged separately, none if it is judged as a whole.

        No unit is held responsible for another's act: the most units that are legal together form one part of
        an illegal group, the others another. If there are none, units whose moves are legal except
        for a doubt are separated from units whose moves are not.
        """
        if self._why or len(group.tracks) == 1:
            return ()
        riders = group.tracks[1:] if group.is_driven else ()
        if found.judged.status == "ILLEGAL" and riders and _are_afoot(riders):
            apart = (
                TrackGroup(riders),
                TrackGroup(group.tracks[:1]),
            )  # units on foot are searched faster
            if all(self._judge(part).judged.status != "ILLEGAL" for part in apart):
                return apart
        if group.is_bound:
            return ()
        doubtful: tuple[Track, ...] = ()
        for some in group.without_few():
            part = self._judge(TrackGroup(some))
            if part.judged.status == "LEGAL":
                return group.parted(some)
            if part.is_explained and not found.is_explained:
                doubtful = doubtful or some
        return group.parted(doubtful) if doubtful else ()

    def _judge(self, group: TrackGroup) -> _Verdict:
        """Judge a group; an illegal move might still be something else."""
        judged = self._blank(group)
        if why := self._undecidable(group, judged):
            judged.doubts = (why,)
            return _Verdict(judged)
        tried, proof = self._search(group)
        if not tried:
            judged.doubts = ("it is not in the position before: its counter could not be kept",)
            return _Verdict(judged)
        best = min(tried, key=badness)
        line = best.reading.line
        doubts = [*self._unknown(group, line)]
        doubts += [
            f"it went on although it became {track.marked.replace('_', ' ')} during the phase"
            for track in group.tracks
            if track.marked
        ]
        if best.reading.failed is None:
            is_fast = any(isinstance(one, ExcessSpeed) for one in line.log)
            dice = compared(line.rulings, self._rolls(group, before=is_fast))
            doubts += [_in_words(one) for one in line.doubts]
            doubts += [*self._not_explained(group, line), *dice.doubts]
            doubts += [*self._in_the_way(group), *self._met(group)]
            judged.notes = (*line.notes, *self._assumed(group, best, line), *dice.notes)
        else:
            judged.nearest = "; ".join(map(str, best.reading.legal.log))
            judged.faults = first_faults(line)
            doubts += self._unproved(group, judged, best.reading, [*tried, *proof], proof)
            doubts += [_in_words(one) for one in line.doubts if doubts]
        judged.before, judged.log, judged.rulings = best.before, line.log, line.rulings
        judged.doubts = tuple(dict.fromkeys(doubts))
        found: Status = "LEGAL" if best.reading.failed is None else "ILLEGAL"
        judged.status = "UNKNOWN" if doubts else found
        return _Verdict(judged, tuple(tried), best)

    def _confirmed(self, group: TrackGroup, found: _Verdict) -> _Verdict:
        """Return the verdict on an illegal move: with the fewest clauses, or with alternatives."""
        judged, best = found.judged, found.best
        assert best is not None
        judged.doubts = tuple(self._otherwise(group, best.reading.line.position))
        if not judged.doubts:
            best, judged.faults, judged.notes = self._smallest(group, best, found.tried)
            line = best.reading.line
            judged.before, judged.log, judged.rulings = best.before, line.log, line.rulings
            judged.doubts = tuple(_in_words(one) for one in line.doubts)
        judged.status = "UNKNOWN" if judged.doubts else "ILLEGAL"
        return found._replace(best=best)

    def _blank(self, group: TrackGroup) -> Judged:
        """Return an empty verdict on a group."""
        indices = sorted({index for track in group.tracks for index in track.steps})
        lead = group.tracks[0]
        judged = Judged(
            units=tuple(track.unit for track in group.tracks),
            names=self._names,
            veiled=lead.is_unseen,
            side=lead.seen.side if lead.seen else "",
            steps=tuple(self._steps[index] for index in indices),
            way=max((track.way for track in group.tracks), key=len),
            status="UNKNOWN",
        )
        judged.accepted = any(_is_accepted(step, self._game) for step in judged.steps)
        return judged

    def _undecidable(self, group: TrackGroup, judged: Judged) -> str:
        """Return why a move cannot be judged at all, ``""`` if it can."""
        for track in group.tracks:
            if why := _unseen(track) or self._unreadable(track) or _on_bare_board(track):
                return why
        segment = self._segment
        if self._why:
            return self._why
        if segment.unread and min(segment.unread) <= max(self._steps):
            return "a step of the phase cannot be read"
        if segment.phase not in (MOVING, ADVANCING, *STILL):
            return NOT_JUDGED.get(segment.phase, f"moves in the {segment.phase} are not judged")
        if all(track.seen and track.seen.class_ == "gun" for track in group.tracks):
            return "a Gun went from hex to hex by itself: who pushed it is not recorded (C10.3)"
        return self._timing.untimely(group, judged.side)

    def _unreadable(self, track: Track) -> str:
        """Return why a unit's acts cannot be judged, ``""`` if they can."""
        if track.seen is not None and track.seen.class_ == DUMMY:
            return "the moves of Dummies are not judged (A12.11)"
        if track.start is None or not track.start.fields:
            reason = track.start.why if track.start else ""
            return f"{_called(track)}: {reason or 'it came on the table, or into sight, during the phase'}"
        if len(track.legs) > MOST_LEGS:
            return f"it went from hex to hex more than {MOST_LEGS} times in the phase"
        if OFF_MAP in track.way[1:-1]:
            return "it leaves the map and enters it again"
        return self._began_before(track.start)

    def _began_before(self, start: Seen) -> str:
        """Return why a unit might have moved in this MPh before the recording, ``""`` if it has not."""
        if self._segment.entered or self._segment.phase != MOVING:
            return ""
        if start.moved:
            return "it had moved before the recording began: what it had spent is not recorded"
        if start.shows("cx"):
            return "it was CX as the recording began: it may have moved before"
        return ""

    def _otherwise(self, group: TrackGroup, after: AslPosition) -> Iterator[str]:
        """Yield what else a move might be: a Human Wave, or a legal one with a counter put back by hand."""
        if may_be_a_wave(group, self._tracks.values(), after):
            yield "it may be a Human Wave (A25.23)"
        if any(map(self._is_legal, without_detours(group, self._starts.now.board))):
            yield PUT_BACK
        if any(one.gone and not one.tired for one in group.tracks) and self._is_legal(
            TrackGroup(tuple(_with_cx(one) if one.gone else one for one in group.tracks))
        ):
            yield "it was lost before a CX counter was placed: it may have used Double Time (A4.5)"

    def _is_legal(self, group: TrackGroup) -> bool:
        """Return whether a reading of a group is legal, or none of its units moves."""
        if not group.tracks:
            return True
        tried, _ = self._search(group)
        return bool(tried) and is_explained(tried[-1])

    def _search(self, group: TrackGroup) -> tuple[list[Tried], list[Tried]]:
        """
        Return the readings of a move tried, up to the first legal one, and the proof.

        The likeliest position is searched for the shortest ways first, then one without other units
        for every way: if there is none, no other position needs a search.
        """
        settings = [*self._starts.settings(group)]
        plain, thorough = (Assumptions(group.tired, is_thorough=one) for one in (False, True))
        tried = self._tried(group, plain, settings[:1])
        proof: list[Tried] = []
        if tried and not is_explained(tried[-1]):
            alone = [*self._starts.without_others(group)]
            proof = [] if self._may_be_fast(group) else walked_too_far(group, thorough, alone)
            proof = proof or self._tried(group, thorough, alone)
            for assumed, some in ((plain, settings[1:]), (thorough, settings)):
                if not is_proof(proof) and not is_explained(tried[-1]):
                    tried += self._tried(group, assumed, some)
        return tried, proof

    def _tried(
        self, group: TrackGroup, assumed: Assumptions, settings: Sequence[Setting]
    ) -> list[Tried]:
        """Return the readings of a move tried, up to the first legal one."""
        tried: list[Tried] = []
        scripts = [
            with_recovery
            for some in self._smokes.choices(group)
            for script in scripts_of(group, self._segment.phase, some)
            for with_recovery in recovering(script, group, self._starts.now)
        ]
        is_fast = self._may_be_fast(group)
        for setting in settings:
            for opening in beginnings(setting.position, group, is_fast=is_fast):
                for script in scripts:
                    whole = (*opening, *among(script, setting.meanwhile))
                    reading = read(setting.position, whole, assumed)
                    if reading is None:
                        continue
                    tried.append(Tried(reading, setting.position, setting.note, whole))
                    if is_explained(tried[-1]):
                        return tried
        return tried

    def _smallest(
        self,
        group: TrackGroup,
        best: Tried,
        tried: Sequence[Tried],
    ) -> tuple[Tried, tuple[Violation, ...], tuple[str, ...]]:
        """
        Return the fewest clauses found without which a move would be legal.

        Sets are tried from small to large, among the clauses that the readings break. A single
        clause is proved minimal, since the move is illegal. Several are not: an untried reading
        might break others, and fewer.

        Returns
        -------
        tuple
            The reading, its violations of these clauses (the first of each), and notes.
        """
        settings = [*self._starts.settings(group)]
        ordered = [one.reading for one in sorted(tried, key=badness)]
        clauses = dict.fromkeys(fault.clause for one in ordered for fault in one.line.faults)
        clauses |= dict.fromkeys(clause for one in ordered for clause in one.barring)
        most = len({fault.clause for fault in best.reading.line.faults})
        sets = [some for size in range(1, most + 1) for some in combinations(clauses, size)]
        for some in sets[:MOST_SETS]:
            assumed = Assumptions(group.tired, frozenset(some), is_thorough=len(some) < most)
            try:
                found = self._tried(group, assumed, settings)
            except OverLimit:  # the finding is proved, but not its minimality
                look()
                break
            if found and is_explained(found[-1]):
                notes = () if len(some) == 1 else (FEWER,)
                return found[-1], faults_of(found[-1].reading.line, some), notes
        return best, first_faults(best.reading.line), (FEWER,)

    def _may_be_fast(self, group: TrackGroup) -> bool:
        """Return whether some DR could be the one for a vehicle's Excessive Speed."""
        return any(may_settle(dice) for _, dice in self._rolls(group, before=True))

    def _rolls(self, group: TrackGroup, *, before: bool = False) -> list[tuple[str, Dice]]:
        """
        Return the dice thrown from a move's first step to the next move, with their steps.

        With `before`, those since the last move count too: an Excessive Speed roll can precede the
        drag of the counter.
        """
        following = [one.first for one in self._groups if one.first > group.end]
        end = min(following, default=len(self._recorded.part.steps))
        earlier = [one.end for one in self._groups if one.end < group.first]
        begin = max(earlier, default=0) if before else group.first
        return [
            (str(self._recorded.part.steps[index].number), dice)
            for index, dice in self._segment.rolls
            if begin <= index < end
        ]

    def _assumed(self, group: TrackGroup, best: Tried, line: PartialLog) -> Iterator[str]:
        """Yield the assumptions of a legal reading."""
        if best.note:
            yield best.note
        if any(track.start and track.start.at == OFF_MAP for track in group.tracks):
            yield "whether it may enter there, and in this turn, is not recorded"
        if any(track.exits for track in group.tracks):
            yield "assumed to exit the map"
        if shares_cx(group, line):
            yield "one CX counter is assumed to mark its whole stack"
        if any(isinstance(action, Smoke) for action in line.log):
            yield "the exponent of the SMOKE grenades is not known; any is accepted"
        elif any(isinstance(action, Dispense) for action in line.log):
            yield "the smoke dispenser of the vehicle is not known; any is accepted"
        elif self._smokes.of(group):
            yield "assumed that another unit placed the SMOKE"
        if line.assumed.is_thorough and any(
            line.position.unit(track.unit).place.bypass is not None for track in group.tracks
        ):
            yield "assumed to be in Bypass"

    def _unproved(
        self,
        group: TrackGroup,
        judged: Judged,
        reading: Reading,
        tried: Sequence[Tried],
        proof: Sequence[Tried],
    ) -> Iterator[str]:
        """Yield why an illegal move is not proved."""
        if not any(one.reading.line.faults for one in tried):
            yield "no way was found that explains it, and no clause forbids it"
        if any(map(is_explained, proof)):
            yield "it would be legal without the other units that moved, whose order is uncertain"
        elif not is_proof(proof):
            yield "not all ways were tried"
        if any(track.exits for track in group.tracks):
            yield "it leaves the map: whether as an exit or as a loss is not recorded"
        if any(track.off_centre for track in group.tracks):
            yield "a counter lies off the centre of its hex: it may be in Bypass"
        if len(group.tracks) > MOST_TOGETHER:
            yield "so many units moved together that not all ways were tried"
        if any(track.is_cleared for track in group.tracks):
            yield "a marker that says that it is pinned, broken or so on was taken away again"
        if any(track.changed for track in group.tracks):
            yield "a counter was flipped or replaced on the way"
        yield from self._smokes.doubts(group)
        yield from self._in_the_way(group)
        is_at_end = (reading.failed or 0) >= len(judged.way) - 2 > 0
        yield from self._timing.doubts(group, is_at_end=is_at_end)
        yield from self._unapplied()

    def _unapplied(self) -> Iterator[str]:
        """Yield the boards' SSR that are not applied and have no stated condition."""
        for name in dict.fromkeys(name for _, name in self._recorded.layout.unchanged):
            rule = vasl_names().ssr.get(name)
            if rule is None or not self._game.conditions.keys() & set(rule.fields):
                fields = f" ({', '.join(rule.fields)})" if rule and rule.fields else ""
                yield f"SSR {name} is not applied: state the conditions{fields} in a game file"

    def _unknown(self, group: TrackGroup, line: PartialLog) -> Iterator[str]:
        """Yield unknown counters that mark a group's units or are in its way."""
        own = {track.unit for track in group.tracks}
        seen = [one.start for one in group.tracks]
        seen += [
            after
            for event in self._segment.events
            for name, (_, after) in event.changed.items()
            if name in own
        ]
        for name in dict.fromkeys(one.unknown for one in seen if one is not None and one.unknown):
            yield f"a counter marks it whose effect is not known here: {name}"
        way = {at for track in group.tracks for at in track.way}
        way |= {str(getattr(action, "to", "")) for action in line.log}
        for at in sorted(way & self._segment.unknown_at.keys()):
            yield f"a counter lies in {at} whose effect is not known here: {self._segment.unknown_at[at]}"

    def _not_explained(self, group: TrackGroup, line: PartialLog) -> Iterator[str]:
        """Yield what a legal reading leaves unexplained."""
        for track in group.tracks:
            at = line.position.unit(track.unit).at or OFF_MAP
            floor = track.last.fields.get("floor", 0) if track.last is not None else 0
            if floor and floor != line.position.unit(track.unit).place.floor:
                yield f"{track.unit} lies above the counter of level {floor}, where the reading does not end"
            if track.last is not None and at != track.last.at:
                yield f"{track.unit} is in {at} by the reading, and in {track.last.at} as recorded"
        if shares_cx(group, line) and not any(
            track.last and track.last.fields.get("cx") for track in group.tracks
        ):
            yield "it went Double Time, and the CX counter above it may be that of another unit"
        recovered = Counter(one.weapon for one in line.log if isinstance(one, Recover))
        for name in gained_weapons(group) - recovered:
            yield f"how the {name} that it has came to it is not explained (A4.44)"

    def _in_the_way(self, group: TrackGroup) -> Iterator[str]:
        """Yield what came into a move's way during the phase without being judged."""
        way = {at for track in group.tracks for at in track.way} - {OFF_MAP}
        placed = {
            one.at
            for when, one in self._segment.placed
            if when <= group.end and one.at in way
            if not self._smokes.explains(when, one.number)
        } - {at for smoke in self._smokes.of(group) for _, at in smoke.drags}
        if placed:
            yield (
                f"counters were placed, changed or removed in {', '.join(sorted(placed))} during the "
                "phase"
            )
        for track, seen in self._enemies(group):
            if track.revealed >= group.first and seen.at in way:
                yield f"an enemy unit showed itself in {seen.at} during the phase"

    def _enemies(self, group: TrackGroup) -> Iterator[tuple[Track, Seen]]:
        """Yield the acts of enemy units that are still there, and their looks."""
        side = group.tracks[0].last.side if group.tracks[0].last else ""
        for track in self._tracks.values():
            if track.last is not None and track.last.side != side and not track.gone:
                yield track, track.last

    def _met(self, group: TrackGroup) -> Iterator[str]:
        """Yield where enemy units came into the way of a legal move before its end."""
        way = {at for track in group.tracks for at in track.way} - {OFF_MAP}
        for track, seen in self._enemies(group):
            if track.veil == "hidden":
                continue
            came = {leg.to for leg in track.legs if leg.when <= group.end}
            came |= set() if track.legs else {seen.at}
            for at in sorted(came & way - {track.start.at if track.start else ""}):
                yield f"an enemy unit came to {at} during the phase"


def _are_afoot(tracks: Sequence[Track]) -> bool:
    return all(track.seen is not None and track.seen.is_afoot for track in tracks)


def _with_cx(track: Track) -> Track:
    """Return a track as if the unit had its CX counter."""
    tired = copy(track)
    tired.tired = True
    return tired


def _in_words(one: Violation) -> str:
    return f"{one.note} ({one.clause})"


def _unseen(track: Track) -> str:
    """Return why a unit's acts are not judged as the reader did not see them, ``""`` if they did."""
    if track.is_unseen:
        return "a concealed unit: see it with --as its side, or --reveal"
    if track.was_unseen:
        return f"{_called(track)}: it was out of sight for a part of the phase"
    return ""


def _on_bare_board(track: Track) -> str:
    """Return why a unit's acts on a board without LOS data are not judged."""
    bare = next((at for at in track.way if at.startswith(BARE)), "")
    return f"it was on {bare}, which has no LOS data" if bare else ""


def _called(track: Track) -> str:
    seen = track.start or track.last
    return seen.called if seen else track.unit


def _is_accepted(step: RecordedStep, game: GameFile) -> bool:
    return any(
        accepted in (step.number, f"{step.file}:{step.number}", str(step.number))
        for accepted in game.accept
    )
