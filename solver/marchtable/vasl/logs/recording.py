"""One or several logs as one recording: linked by the table's contents, with undone steps found."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from marchtable.budget import look
from marchtable.errors import BadInputError
from marchtable.vasl.logs.commands import Chat, Command, Undo, decoded
from marchtable.vasl.logs.live import LiveTable
from marchtable.vasl.logs.shown import ShownTable
from marchtable.vasl.saves.savefile import Save, read_log

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from marchtable.vasl.logs.live import Changes
    from marchtable.vasl.logs.shown import Show
    from marchtable.vasl.saves.pieces import Piece

__all__ = ["Anew", "Linked", "RecordedPart", "RecordedStep", "Recording", "read_recording"]

Link = Literal["begins", "follows", "contains", "overlaps", "repeats", "gap"]
MOST_FILES = 200
FEW, MANY = 3, 200
"""How many steps back an undo is searched for, without and with its mark."""
MARKED_SINCE = (3, 6, 7)
"""The version of VASSAL since which undo steps are marked."""
UNMATCHED = "it takes back a step that was not found"


class RecordedStep(msgspec.Struct, frozen=True):
    """
    One recorded step: what one press of PgDn plays.

    Parameters
    ----------
    file
        The first file that contains it.
    number
        The press of PgDn that plays it there, from 1.
    commands
        The commands that change the table.
    chats
        Its chat lines.
    undone
        Whether it was taken back later, or takes back an earlier one.
    until
        The index, in its part, of the step that takes it back; 0 if none does.
    unread
        Why it could not be read, ``""`` if it was.
    anew
        The table before it, if it is the first new step of a file that continues others: hidden
        things may differ from the end of those.
    """

    file: str
    number: int
    commands: tuple[Command, ...]
    chats: tuple[str, ...]
    undone: bool = False
    until: int = 0
    unread: str = ""
    anew: Anew | None = None


class Anew(msgspec.Struct, frozen=True):
    """A file's own position, and those of its steps that are known from earlier files."""

    save: Save
    steps: tuple[RecordedStep, ...]

    def table(self, players: dict[str, str]) -> LiveTable:
        """Return the table after these steps; for `players` see :class:`LiveTable`."""
        table = LiveTable(self.save, players)
        for step in self.steps:
            with suppress(BadInputError):
                table.play(step.commands)
        return table


class RecordedPart(msgspec.Struct, frozen=True):
    """
    Consecutive steps without a gap.

    Parameters
    ----------
    save
        The starting position.
    steps
        The steps, in order.
    """

    save: Save
    steps: tuple[RecordedStep, ...]


class Linked(msgspec.Struct, frozen=True):
    """A file of a recording: its name, its steps, and how it continues earlier files."""

    file: str
    steps: int
    link: Link
    note: str = ""


class Recording(msgspec.Struct, frozen=True):
    """
    A recording.

    Parameters
    ----------
    parts
        The recorded steps; a new part begins after a gap.
    files
        The files in playing order.
    """

    parts: tuple[RecordedPart, ...]
    files: tuple[Linked, ...]


class _Eyes(NamedTuple):
    """A reader's view of a stack, and the players' numbers."""

    show: Show
    players: dict[str, str]

    def table(self, save: Save) -> ShownTable:
        return ShownTable(save, self.show, self.players)


class _LogFile:
    """One file, decoded."""

    def __init__(self, path: Path) -> None:
        self.save, texts = read_log(path)
        self.steps = [_step(self.save.source, n, text) for n, text in enumerate(texts, 1)]
        self.hashes: list[int] = []
        """The hash of the visible table at the beginning, and after each step."""

    def look(self, eyes: _Eyes) -> None:
        """Compute the hashes."""
        table = eyes.table(self.save)
        self.hashes = [table.hash]
        for step in self.steps:
            look()
            table.play(step.commands)
            self.hashes.append(table.hash)


class _Run:
    """A growing part, with the hash of the visible table after each step."""

    def __init__(self, log: _LogFile) -> None:
        self.save, self.steps, self.hashes = log.save, list(log.steps), list(log.hashes)


def read_recording(
    paths: Sequence[str | Path],
    sight: Callable[[Sequence[Sequence[Piece]]], Show] = lambda _: tuple,
) -> Recording:
    """
    Return the recording in one or several logs.

    Parameters
    ----------
    paths
        The files, in any order: one that continues earlier ones is taken first, else the one saved
        first, or named first if they do not say when.

    Raises
    ------
    BadInputError
        If a file is no saved game or log of VASSAL, is damaged or oversized.
    """
    if len(paths) > MOST_FILES:
        raise BadInputError(f"expected at most {MOST_FILES} files")
    logs = [_LogFile(Path(path)) for path in paths]
    if all(log.save.date for log in logs):
        logs.sort(key=lambda log: log.save.date)
    players: dict[str, str] = {}
    tables = (LiveTable(log.save, players) for log in logs)
    eyes = _Eyes(sight([pieces for table in tables for pieces in table.piles()]), players)
    for log in logs if len(logs) > 1 else ():
        log.look(eyes)
    runs: list[_Run] = []
    files: list[Linked] = []
    waiting = list(logs)
    while waiting:
        log, link, note = _next(runs, waiting)
        waiting.remove(log)
        if link in ("begins", "gap"):
            runs.append(_Run(log))
        files.append(Linked(log.save.source, len(log.steps), link, note))
    marking = {log.save.source for log in logs if _marks_undo(log.save.writer)}
    parts = tuple(
        RecordedPart(run.save, tuple(_without_undone(run, marking, eyes))) for run in runs
    )
    return Recording(parts, tuple(files))


def _step(file: str, number: int, text: str) -> RecordedStep:
    look()
    try:
        commands = decoded(text)
    except BadInputError as error:
        return RecordedStep(file, number, (), (), unread=error.message)
    chats = tuple(one.text for one in commands if isinstance(one, Chat))
    rest = tuple(one for one in commands if not isinstance(one, Chat))
    return RecordedStep(file, number, rest, chats)


# -- linking files -------------------------------------------------------------------------------


def _next(runs: list[_Run], waiting: Sequence[_LogFile]) -> tuple[_LogFile, Link, str]:
    """Return the next log, and how it is linked to the last part."""
    notes = {}
    for log in waiting if runs else ():
        link, note = _linked(runs, log)
        if link != "gap":
            return log, link, note
        notes[log] = note
    if len(waiting) == 1:
        first = waiting[0]
    else:  # one that does not continue another of them
        free = (
            log
            for log in waiting
            if not any(log.hashes[0] in one.hashes[1:] for one in waiting if one is not log)
        )
        first = next(free, waiting[0])
    return (first, "gap", notes[first]) if runs else (first, "begins", "")


def _linked(runs: list[_Run], log: _LogFile) -> tuple[Link, str]:
    """Link a log to the last part if it continues it, and return how."""
    run = runs[-1]
    end = len(run.steps)
    for at in [end, *range(end)]:
        shared = min(end - at, len(log.steps))
        is_same = run.hashes[at : at + shared + 1] == log.hashes[: shared + 1] and all(
            run.steps[at + n].chats == log.steps[n].chats for n in range(shared)
        )
        if not is_same:
            continue
        new = log.steps[shared:]
        if new:
            anew = Anew(log.save, tuple(log.steps[:shared]))
            run.steps += [msgspec.structs.replace(new[0], anew=anew), *new[1:]]
            run.hashes += log.hashes[shared + 1 :]
        if at == end:
            return "follows", ""
        if not new:
            return "repeats", "all its steps are in the files before it"
        return ("contains" if at == 0 else "overlaps"), f"its first {shared} steps are those before"
    return "gap", "counters differ between the end of the files before it and its beginning"


# -- undone steps --------------------------------------------------------------------------------


def _marks_undo(version: str) -> bool:
    """Return whether a version of VASSAL marks undo steps."""
    numbers = re.match(r"(\d{1,4})\.(\d{1,4})(?:\.(\d{1,4}))?", version)
    if numbers is None:
        return False
    return tuple(int(one or 0) for one in numbers.groups()) >= MARKED_SINCE


def _without_undone(run: _Run, marking: Collection[str], eyes: _Eyes) -> Iterator[RecordedStep]:
    """
    Yield the steps, marking those that were taken back or take another back.

    In the files of `marking`, every undo step is marked. In older ones they are found as inverses
    of earlier steps. A marked one that takes back no recorded step is kept, as unread.
    """
    table = eyes.table(run.save)
    undone: set[int] = set()
    until: dict[int, int] = {}
    unmatched: set[int] = set()
    earlier: list[_Earlier] = []
    for number, step in enumerate(run.steps):
        look()
        if step.anew is not None:
            table = eyes.table(step.anew.save)
            for known in step.anew.steps:
                table.play(known.commands)
        one = _Earlier(number, *table.play(step.commands))
        is_marked = any(isinstance(command, Undo) for command in step.commands)
        may_be = is_marked or step.file not in marking
        taken = _taken_back(earlier, one, is_marked=is_marked) if may_be else None
        if taken is not None:
            undone |= {earlier[taken].number, number}
            until[earlier[taken].number] = number
            del earlier[taken]
        elif is_marked and not (one.is_seen and _without_passing(one.changes)):
            undone.add(number)
        elif is_marked:
            unmatched.add(number)
        else:
            earlier.append(one)
    for number, step in enumerate(run.steps):
        if number in undone:
            yield msgspec.structs.replace(step, undone=True, until=until.get(number, 0))
        elif number in unmatched:
            yield msgspec.structs.replace(step, unread=step.unread or UNMATCHED)
        else:
            yield step


class _Earlier(NamedTuple):
    """A step that may be taken back: its number, its changes, and whether the reader sees them."""

    number: int
    changes: Changes
    is_seen: bool


def _taken_back(earlier: Sequence[_Earlier], step: _Earlier, *, is_marked: bool) -> int | None:
    """
    Return which of the earlier steps a step takes back, or None.

    A visible step takes back a visible one, a hidden step a hidden one. A marked undo that fits
    none exactly, because a trail was not restored, takes back the last step that it fits apart from
    passing traits, else the last one whose pieces it puts back in place.
    """
    changes = step.changes
    if not changes:
        silent = (at for at in range(len(earlier) - 1, -1, -1) if not earlier[at].changes)
        return next(silent, None) if is_marked else None
    inverse = {name: (after, before) for name, (before, after) in changes.items()}
    last = max(-1, len(earlier) - 1 - (MANY if is_marked else FEW))
    known = [
        (at, earlier[at].changes)
        for at in range(len(earlier) - 1, last, -1)
        if earlier[at].is_seen == step.is_seen and earlier[at].changes
    ]
    for at, one in known if is_marked else known[:1]:
        if one == inverse:
            return at
    if not is_marked:
        return None
    for form in (_without_passing, _places):
        plain = form(inverse)
        for at, one in known:
            if plain and form(one) == plain:
                return at
    return None


def _without_passing(changes: Changes) -> dict[str, tuple[object, object]]:
    """Return changes without moved marks, trails and last movers."""
    kept = {
        name: (before and before[:4], after and after[:4])
        for name, (before, after) in changes.items()
    }
    return {name: both for name, both in kept.items() if both[0] != both[1]}


def _places(changes: Changes) -> dict[str, tuple[object, object]]:
    """Return the maps and pixels that pieces left and reached."""
    kept = {
        name: (before and before[:3], after and after[:3])
        for name, (before, after) in changes.items()
    }
    return {name: both for name, both in kept.items() if both[0] != both[1]}
