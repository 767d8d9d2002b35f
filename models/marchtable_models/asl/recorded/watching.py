"""Each unit's visible acts in a recorded game, phase by phase."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypedDict

from marchtable.errors import BadInputError
from marchtable.importing import NOBODY, Wishes
from marchtable.rules.refereeing import UNSEEN
from marchtable.vasl.logs import LiveTable, dice_of, sighting_of
from marchtable.vasl.saves import MAIN_MAPS
from marchtable_models.asl.recorded.piles import Piles
from marchtable_models.asl.recorded.viewer import named, sight_of
from marchtable_models.asl.recorded.views import (
    BARE,
    DUMMY,
    OFF_MAP,
    Event,
    PlacedCounter,
    Seen,
    Segment,
)
from marchtable_models.asl.saved.kinds import nation_of
from marchtable_models.asl.saved.scenes import (
    TRACK,
    scene_of_save,
    shown_phase,
    side_of_player,
)
from marchtable_models.asl.saved.stacks import Names, StackReader, covered, says
from marchtable_models.asl.saved.tables import vasl_names

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from marchtable.importing import SavedScene
    from marchtable.rules.refereeing import Recorded
    from marchtable.vasl.logs import Anew, RecordedStep
    from marchtable.vasl.saves import Piece, Stack
    from marchtable_models.asl.recorded.piles import Place
    from marchtable_models.asl.saved.sight import StackView

DEFAULT_PHASE = "MPh"
LEVELS = 10
GRENADES = ("smoke", "smoke-grenades", "wp-grenades", "smoke-dispersed", "wp-dispersed")
"""The kinds of SMOKE counters that can be grenades: no +3, and none that drifts."""
OFF_CENTRE = 0.3
"""The distance from its hex's centre, in hex heights, from which a counter can be in Bypass."""


class _SeenAt(TypedDict):
    """A counter's place and look, as in :class:`Seen`."""

    at: str
    veil: str
    off_centre: bool
    moved: bool
    gone: bool


class Watcher:
    """
    Plays a recording, and records what each step shows.

    Parameters
    ----------
    recorded
        The recording.
    phases
        The names of the phases.
    """

    def __init__(self, recorded: Recorded, phases: Sequence[str]) -> None:
        self._recorded, self._phases = recorded, phases
        self._layout, self._game = recorded.layout, recorded.game
        self._owners: dict[str, str] = {}
        """The numbers of the owners of hidden and concealed pieces."""
        self._live = LiveTable(recorded.part.save, self._owners)
        self._names = Names(recorded.game.counters)
        self._sides: dict[str, str] = {}
        self._sight = self._sight_of(self._live.stacks(self._layout))
        stacks, concealed = self._look()
        self._piles = Piles()
        self._piles.update(concealed, concealed)
        self._track = next((p for p in _pieces(stacks) if TRACK in p.name and p.map), None)
        self._base = self._first_turn(stacks)
        """The turn of the last act."""
        self._mover = self._first_mover()
        self.seen = dict(self._seen(stacks))
        self._near: set[str] = set()
        self._changed: set[str] = set()
        self._undone: dict[int, set[str]] = {}
        """The pieces of steps to be undone, by index of the undoing step."""
        self._grounds: dict[str, str] = {}
        """Places of counters that belong to a hex and might change its cost."""
        self._note_grounds(stacks)
        self._placed: list[PlacedCounter] = []
        """Places where the last step put, changed or removed counters that are not units."""

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides that have units."""
        return tuple(dict.fromkeys(self._sides.values()))

    # -- sides and phases -------------------------------------------------------------------------

    def _sight_of(self, stacks: Sequence[Stack]) -> StackView:
        """Return the reader's view, and record the side of each nation in it."""
        sight = sight_of(stacks, self._game, self._recorded.viewer)
        self._sides = named(sight.look(stacks).stacks, self._game)
        if not self._sides:
            raise BadInputError("none of its counters is of a nation: nothing to judge")
        return sight

    def _meet(self, stacks: Sequence[Stack]) -> None:
        """Record the sides of nations that come into sight: their bloc's, if it has one."""
        for code, side in named(stacks, self._game).items():
            if code not in self._sides:
                bloc = vasl_names().nation_of_code(code).bloc
                allies = (
                    one for one in self._sides if vasl_names().nation_of_code(one).bloc == bloc
                )
                ally = next(allies, "")
                self._sides[code] = self._sides.get(ally, side)

    def _look(self, numbers: Sequence[str] | None = None) -> tuple[list[Stack], dict[str, Place]]:
        """
        Return the reader's view of stacks, and the places of pieces concealed from them.

        The stacks are in the order of the pieces seen in them.

        Parameters
        ----------
        numbers
            The pieces whose stacks are wanted; None for all.
        """
        live, layout = self._live, self._layout
        stacks = live.stacks(layout) if numbers is None else live.stacks_of(numbers, layout)
        look = self._sight.look(stacks)
        self._meet(look.stacks)
        concealed: dict[str, Place] = {}
        for piece, stack in look.concealed:
            nation = nation_of(piece)
            side = self._sides.get(nation.code, "") if nation is not None else ""
            if piece.map in MAIN_MAPS:
                concealed[piece.id] = (side, stack.at or self._beside(piece))
        return sorted(look.stacks, key=_first_number), concealed

    def _first_turn(self, stacks: Sequence[Stack]) -> int:
        if self._game.turn:
            return self._game.turn
        found = scene_of_save(
            self._layout.table(stacks), Wishes(), self._phases, Names(), self._sides
        )
        return int(found.data["turn"])

    def _first_mover(self) -> str:
        """Return the side whose counter moves first, ``""`` if none does."""
        table = LiveTable(self._recorded.part.save)
        for step in self._recorded.part.steps:
            table = step.anew.table({}) if step.anew is not None else table
            if step.undone or step.unread:
                continue
            try:
                changes, _ = table.play(step.commands)
            except BadInputError:
                continue
            for number, (before, after) in changes.items():
                if before is None or after is None or before[:3] == after[:3]:
                    continue
                piece = table.piece(number)
                nation = nation_of(piece) if piece is not None else None
                if piece is None or nation is None or nation.code not in self._sides:
                    continue
                is_unit = piece.masks or self._names.unit_of(piece)
                if is_unit and not self._sight.hides(piece):
                    return self._sides[nation.code]
        return ""

    def _shown(self) -> tuple[str, str, str]:
        """Return the player, phase and turn that the phase counter shows."""
        return shown_phase(self._track) if self._track else ("", "", "")

    def _phase(self) -> tuple[str, str, int, bool]:
        """Return the present side, phase and turn, and whether anything states them."""
        player, phase, shown = self._shown()
        turn = self._base
        if match := re.search(r"\d{1,3}", shown):
            turn = _nearest(int(match[0]), self._base)
        side = self._game.sides.get(player, "") or (
            side_of_player(player, self._sides) if len(set(self._sides.values())) > 1 else ""
        )
        is_known = bool(side or self._game.side) and bool(phase in self._phases or self._game.phase)
        return (
            side or self._game.side or self._mover,
            phase if phase in self._phases else self._game.phase or DEFAULT_PHASE,
            turn,
            is_known,
        )

    # -- playing ----------------------------------------------------------------------------------

    def segments(self) -> Iterator[Segment]:
        """
        Yield the phases of the recording in which units changed or something was said.

        The phase counter cannot step back: the last of a run of its steps counts, and a phase it
        returns to continues.
        """
        last: Segment | None = None
        current = self._opened(entered=False)
        for index, step in enumerate(self._recorded.part.steps):
            if step.anew is not None:
                self._resume(step.anew)
            if current.is_fresh and step.commands:
                self._begin(current)
            unread = self._play(step)
            if step.undone:
                self._suspend(index, step)
                continue
            changed = self._changes()
            if (
                current.shown == self._shown()
            ):  # the first unit of a side can show whose phase it is
                current.side, _, _, current.is_known = self._phase()
            if self._is_other_phase(current):
                last = current if current.has_events else last
                is_back = last is not None and not self._is_other_phase(last)
                current = last if last and is_back else self._opened(entered=True)
                continue
            current.placed += [(index, one) for one in self._placed]
            if _note(current, index, step, changed, unread):
                if last is not None and last is not current:
                    last.following = current.when
                    yield last
                last, self._base = current, current.turn
        if last is not None:
            last.following = None if last is current else current.when
            yield last

    def _resume(self, anew: Anew) -> None:
        """Take over the table at the start of a file: it differs only out of sight."""
        gone = self._live.images().keys()
        self._live = anew.table(self._owners)
        suspended = self._suspended()
        numbers = sorted((gone | self._live.images().keys()) - suspended)
        stacks, concealed = self._look_at(numbers, suspended)
        self._piles.update(numbers, concealed)
        waiting = {self._names.known.get(number) for number in suspended}
        now = dict(self._seen(stacks))
        self.seen |= {name: now[name] for name in self.seen.keys() & now.keys() - waiting}

    def _opened(self, *, entered: bool) -> Segment:
        side, phase, turn, is_known = self._phase()
        segment = Segment(side, phase, turn, is_known=is_known, entered=entered)
        segment.shown = self._shown()
        return segment

    def _begin(self, segment: Segment) -> None:
        """Read the table as a phase begins."""
        segment.base, segment.why = self._scene(segment.side, segment.phase)
        start = self.seen | self._piles.seen()
        segment.start = {name: one._replace(shares_cx=False) for name, one in start.items()}
        segment.unknown_at, segment.is_fresh = self._unknown_at(), False

    def _unknown_at(self) -> dict[str, str]:
        """Return the unknown counters that mark no unit, by hex, as far as all see them."""
        reader = StackReader(self._sides, self._names)
        for stack in self._look()[0]:
            if all(piece.id and not piece.masks and not piece.hidden_by for piece in stack.pieces):
                reader.read(stack, covered(stack.pieces))
        return reader.unknown_at

    def _is_other_phase(self, segment: Segment) -> bool:
        return self._phase()[:3] != segment.when

    def _play(self, step: RecordedStep) -> str:
        """Play a step, and return why it cannot be read, ``""`` if it can."""
        self._changed = set()
        try:
            changes, near = self._live.play(step.commands)
        except BadInputError as error:
            return error.message
        self._near |= near
        self._changed = set(changes)
        return step.unread

    def _suspend(self, index: int, step: RecordedStep) -> None:
        """Hide the effect of a step that is undone later until then."""
        if step.until:
            self._undone[step.until] = self._changed
        else:
            self._undone.pop(index, None)

    def _suspended(self) -> set[str]:
        """Return the pieces changed by steps that are to be undone."""
        return {number for pieces in self._undone.values() for number in pieces}

    def _look_at(
        self, numbers: Sequence[str], suspended: Container[str]
    ) -> tuple[list[Stack], dict[str, Place]]:
        """Look at some pieces, like `_look`, without suspended concealed ones."""
        stacks, concealed = self._look(numbers)
        return stacks, {one: at for one, at in concealed.items() if one not in suspended}

    def _scene(self, side: str, phase: str) -> tuple[SavedScene | None, str]:
        """
        Return the table as the moving side sees it, or why nothing can be judged on it.

        It leaves out what readers of the verdicts cannot see of that side.
        """
        table = self._layout.table(self._look()[0])
        there = set(self._sides.values())
        if side not in there:
            return (
                None,
                f"the phase counter is that of {side or 'nobody'}, whose units are not here",
            )
        try:
            viewer = side if self._recorded.viewer.see(side) else NOBODY
            wishes = Wishes(viewer=viewer, mover=side, phase=phase)
            return scene_of_save(table, wishes, self._phases, self._names, self._sides), ""
        except BadInputError as error:
            return None, error.message

    def _changes(self) -> dict[str, tuple[Seen | None, Seen | None]]:
        """Return the units whose counters changed, and record other changes."""
        suspended = self._suspended()
        numbers, self._near = sorted(self._near - suspended), set()
        stacks, concealed = self._look_at(numbers, suspended)
        piles = self._piles.update(numbers, concealed)
        now = dict(self._seen(stacks))
        self._placed = []
        for stack in stacks:
            for piece in stack.pieces:
                if TRACK in piece.name and piece.map:
                    self._track = piece
        was = {number: self._grounds.pop(number, "") for number in self._changed}
        self._placed += self._note_grounds(stacks, was)
        self._placed += [PlacedCounter(at, number) for number, at in was.items() if at]
        known = {
            name: number
            for number in numbers
            if (name := self._names.known.get(number)) is not None
        }
        for name, number in known.items():
            if name in self.seen and name not in now and number in self._piles:
                place = self._piles.place(number)
                now[name] = self.seen[name]._replace(at=place, veil=UNSEEN)
        for number in suspended:
            now.pop(self._names.known.get(number, ""), None)
        changed = {
            name: (self.seen.get(name), now.get(name))
            for name in dict.fromkeys([*now, *sorted(known)])
            if self.seen.get(name) != now.get(name)
        }
        for name, (_, after) in changed.items():
            if after is None or after.veil == UNSEEN:
                self.seen.pop(name, None)
            else:
                self.seen[name] = after
        return changed | piles

    def _note_grounds(
        self, stacks: Sequence[Stack], was: Mapping[str, str] | None = None
    ) -> list[PlacedCounter]:
        """Record the counters of hexes, and return those in `was` that were changed or placed."""
        found = []
        for stack in stacks:
            for piece in stack.pieces:
                if stack.at is None or not self._is_placed(piece):
                    continue
                self._grounds[piece.id] = stack.at
                if was is not None and piece.id in was:
                    is_new = was[piece.id] != stack.at
                    is_smoke = is_new and _is_grenades(piece)
                    found.append(PlacedCounter(stack.at, piece.id, is_smoke=is_smoke))
        return found

    @staticmethod
    def _is_placed(piece: Piece) -> bool:
        """Return whether a counter seen by both sides belongs to a hex and might change its cost."""
        if piece.hidden_by:
            return False
        names = vasl_names()
        if any(says(piece, row.word) for row in names.ground):
            return True
        return piece.is_ground and not any(
            word in piece.name for word in (*names.harmless, *names.levels)
        )

    def _seen(self, stacks: Iterable[Stack]) -> Iterator[tuple[str, Seen]]:
        """Yield each unit of these stacks as it looks."""
        for stack in stacks:
            masked = covered(stack.pieces)
            reader = StackReader(self._sides, self._names)
            reader.read(stack, masked)
            beneath: set[str] = set()
            """The sides with units under a `?`, among the pieces so far."""
            for piece, is_masked in zip(stack.pieces, masked, strict=True):
                draft = reader.drafts.get(piece.id)
                veil = "hidden" if piece.hidden_by else "concealed" if is_masked else ""
                lies = _SeenAt(
                    at=stack.at or self._beside(piece),
                    veil=veil,
                    off_centre=stack.at is not None
                    and self._layout.off_centre(piece.x, piece.y) > OFF_CENTRE,
                    moved=piece.marks.get("moved") == "true",
                    gone=piece.map not in MAIN_MAPS,
                )
                if draft is not None:
                    fields = dict(draft.fields)
                    beneath |= {fields["side"]} if is_masked else set()
                    name = fields["id"]
                    yield (
                        name,
                        Seen(
                            fields,
                            _shown_name(piece, draft.class_),
                            fields["side"],
                            class_=draft.class_,
                            shares_cx=name in reader.under_cx,
                            unknown=reader.unknown.get(name, ""),
                            **lies,
                        ),
                    )
                elif piece.masks and piece.id:
                    yield from self._dummy(piece, beneath, lies)
                elif found := self._untyped(piece):
                    nation, why, class_ = found
                    name = self._names.of(piece, nation, "unit")
                    side = self._sides.get(nation.code, "")
                    yield name, Seen({}, piece.name, side, class_=class_, why=why, **lies)

    def _beside(self, piece: Piece) -> str:
        """Return the place of a piece on no hex: beside the boards, or on one without hexes."""
        if piece.map not in MAIN_MAPS:
            return OFF_MAP
        board = self._layout.without_terrain(piece.x, piece.y)
        return f"{BARE}{board}" if board else OFF_MAP

    def _dummy(
        self, piece: Piece, beneath: Container[str], lies: _SeenAt
    ) -> Iterator[tuple[str, Seen]]:
        """Yield a `?` that covers no unit of its side."""
        nation = nation_of(piece)
        side = self._sides.get(nation.code, "") if nation is not None else ""
        if nation is None or side in beneath:
            return
        lies["veil"] = "hidden" if piece.hidden_by else "concealed"
        yield self._names.of(piece, nation, DUMMY), Seen({}, "?", side, class_=DUMMY, **lies)

    def _untyped(self, piece: Piece) -> tuple[Any, str, str] | None:
        """Return nation, reason and class of a counter that is a unit without a type here."""
        unit = self._names.unit_of(piece)
        if unit is None or unit[1].type == "wreck":
            return None
        nation, found = unit
        is_vehicle = any("/veh" in image for image in piece.images)
        return nation, found.why or "it cannot be placed", "vehicle" if is_vehicle else "squad"


def _note(
    current: Segment,
    index: int,
    step: RecordedStep,
    changed: dict[str, tuple[Seen | None, Seen | None]],
    unread: str,
) -> bool:
    """Record a step's effect in a phase, and return whether it changed units or said anything."""
    said = [(step, text) for chat in step.chats if (text := _said(chat))]
    current.said += said
    current.rolls += [(index, dice) for chat in step.chats if (dice := dice_of(chat))]
    if unread:
        current.unread[index] = unread
    if changed:
        current.events.append(Event(index, step, changed))
    return bool(said or unread or changed)


def _pieces(stacks: Iterable[Stack]) -> Iterator[Piece]:
    for stack in stacks:
        yield from stack.pieces


def _first_number(stack: Stack) -> tuple[str, str]:
    return min((piece.id for piece in stack.pieces if piece.id), default=""), stack.where


def _shown_name(piece: Piece, class_: str) -> str:
    """Return the name of a unit: its counter's, or for Personnel that of the level that is up."""
    return piece.name if class_ in ("vehicle", "gun") else piece.called


def _is_grenades(piece: Piece) -> bool:
    """Return whether a counter is SMOKE that might be grenades: its first matching word decides."""
    kind = next((row.kind for row in vasl_names().ground if says(piece, row.word)), "")
    return kind in GRENADES


def _nearest(shown: int, before: int) -> int:
    """Return the turn that a ten-level counter shows, given the turn before."""
    if shown > LEVELS:
        return shown
    rounds = range(0, before + 2 * LEVELS, LEVELS)
    return min((shown + more for more in rounds), key=lambda turn: (abs(turn - before), -turn))


def _said(chat: str) -> str:
    """Return a roll or a LOS check in words, ``""`` for any other line of the chat."""
    if dice := dice_of(chat):
        by = f", {dice.player}" if dice.player else ""
        return f"{dice.kind} {dice}{by}"
    if sight := sighting_of(chat):
        return f"LOS from {sight.start} to {sight.end} checked, range {sight.range}, {sight.player}"
    return ""
