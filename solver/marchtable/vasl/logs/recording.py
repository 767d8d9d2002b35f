"""One or several logs as one recording: linked by what lies on the table, undone steps found."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from marchtable.budget import look
from marchtable.errors import BadInputError
from marchtable.vasl.logs.commands import Chat, Command, Undo, decoded
from marchtable.vasl.logs.live import LiveTable
from marchtable.vasl.saves.savefile import Save, read_log

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from marchtable.vasl.logs.live import Changes

__all__ = ["Linked", "Part", "Recording", "Step", "read_recording"]

Link = Literal["begins", "follows", "contains", "overlaps", "repeats", "gap"]
MOST_FILES = 200
FEW, MANY = 3, 200
"""How many steps back an undo is looked for, without its mark and with it."""
MARKED_SINCE = (3, 6, 7)
"""The version of VASSAL since which a step that takes another back is marked."""
UNMATCHED = "it takes back a step that was not found"


class Step(msgspec.Struct, frozen=True):
    """
    One recorded step: what one press of PgDn plays.

    Parameters
    ----------
    file
        The file in which it comes first.
    number
        The press of PgDn that plays it there, from 1.
    commands
        What it does, as far as it changes the table.
    chats
        The lines of the chat that it writes.
    undone
        Whether it was taken back later, or takes back an earlier one.
    until
        The index, in its part, of the step that takes it back; 0 if none does.
    unread
        Why it could not be read, ``""`` if it was.
    """

    file: str
    number: int
    commands: tuple[Command, ...]
    chats: tuple[str, ...]
    undone: bool = False
    until: int = 0
    unread: str = ""


class Part(msgspec.Struct, frozen=True):
    """
    Steps that follow one another without a gap.

    Parameters
    ----------
    save
        The position they begin with.
    steps
        The steps, in order.
    """

    save: Save
    steps: tuple[Step, ...]


class Linked(msgspec.Struct, frozen=True):
    """A file of a recording: its name, its steps, and how it goes on from the files before it."""

    file: str
    steps: int
    link: Link
    note: str = ""


class Recording(msgspec.Struct, frozen=True):
    """
    What was recorded.

    Parameters
    ----------
    parts
        The recorded steps; a new part begins after a gap.
    files
        The files in the order in which they were played.
    """

    parts: tuple[Part, ...]
    files: tuple[Linked, ...]


class _Log:
    """One file, decoded."""

    def __init__(self, path: Path) -> None:
        self.save, texts = read_log(path)
        self.steps = [_step(self.save.source, n, text) for n, text in enumerate(texts, 1)]

    @cached_property
    def start(self) -> LiveTable:
        """The table that it begins with, which nobody changes."""
        return LiveTable(self.save)

    @cached_property
    def hashes(self) -> list[int]:
        """The table's hash at the beginning and after each step."""
        return _Run(self).hashes


class _Run:
    """A part while it grows: its table at the end, and the table's hash after each step."""

    def __init__(self, log: _Log) -> None:
        self.save, self.steps = log.save, list(log.steps)
        self.table = LiveTable(log.save)
        self.hashes = [self.table.hash]
        self.play(self.steps)

    def play(self, steps: Sequence[Step]) -> None:
        for step in steps:
            look()
            with suppress(BadInputError):  # found again when the recording is judged
                self.table.play(step.commands)
            self.hashes.append(self.table.hash)


def read_recording(paths: Sequence[str | Path]) -> Recording:
    """
    Return what one or several logs record.

    Parameters
    ----------
    paths
        The files, in any order: one that goes on from those before it is taken first, else the one
        that was saved first, or named first where they do not say when.

    Raises
    ------
    BadInputError
        If a file is no saved game or log of VASSAL, is damaged or oversized.
    """
    if len(paths) > MOST_FILES:
        raise BadInputError(f"expected at most {MOST_FILES} files")
    logs = [_Log(Path(path)) for path in paths]
    if all(log.save.date for log in logs):
        logs.sort(key=lambda log: log.save.date)
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
    parts = tuple(Part(run.save, tuple(_without_undone(run, marking))) for run in runs)
    return Recording(parts, tuple(files))


def _step(file: str, number: int, text: str) -> Step:
    look()
    try:
        commands = decoded(text)
    except BadInputError as error:
        return Step(file, number, (), (), unread=error.message)
    chats = tuple(one.text for one in commands if isinstance(one, Chat))
    rest = tuple(one for one in commands if not isinstance(one, Chat))
    return Step(file, number, rest, chats)


# -- files that belong together ------------------------------------------------------------------


def _next(runs: list[_Run], waiting: Sequence[_Log]) -> tuple[_Log, Link, str]:
    """Return the log that comes next, and how it is linked to the last part."""
    notes = {}
    for log in waiting if runs else ():
        link, note = _linked(runs, log)
        if link != "gap":
            return log, link, note
        notes[log] = note
    if len(waiting) == 1:
        first = waiting[0]
    else:  # one that does not go on from another of them
        free = (
            log
            for log in waiting
            if not any(log.start.hash in one.hashes[1:] for one in waiting if one is not log)
        )
        first = next(free, waiting[0])
    return (first, "gap", notes[first]) if runs else (first, "begins", "")


def _linked(runs: list[_Run], log: _Log) -> tuple[Link, str]:
    """Link a log to the last part if it goes on from there, and return how."""
    run, table = runs[-1], log.start
    end = len(run.steps)
    for at in [end, *range(end)]:
        if run.hashes[at] != table.hash:
            continue
        shared = min(end - at, len(log.steps))
        same = all(_alike(run.steps[at + n], log.steps[n]) for n in range(shared))
        if not same:
            continue
        new = log.steps[shared:]
        run.steps += new
        run.play(new)
        if at == end:
            return "follows", ""
        if not new:
            return "repeats", "all its steps are in the files before it"
        return ("contains" if at == 0 else "overlaps"), f"its first {shared} steps are those before"
    return "gap", "counters differ between the end of the files before it and its beginning"


def _alike(one: Step, other: Step) -> bool:
    return one.commands == other.commands and one.chats == other.chats


# -- undone steps --------------------------------------------------------------------------------


def _marks_undo(version: str) -> bool:
    """Return whether a version of VASSAL marks the steps that take another back."""
    numbers = re.match(r"(\d{1,4})\.(\d{1,4})(?:\.(\d{1,4}))?", version)
    if numbers is None:
        return False
    return tuple(int(one or 0) for one in numbers.groups()) >= MARKED_SINCE


def _without_undone(run: _Run, marking: Collection[str]) -> Iterator[Step]:
    """
    Yield the steps, with those noted that were taken back or take another back.

    In the files of `marking` all that take another back are marked as such. In older ones they are
    found as the inverses of the steps before them. A marked one that takes back no recorded step is
    kept, as unread.
    """
    table = LiveTable(run.save)
    undone: set[int] = set()
    until: dict[int, int] = {}
    unmatched: set[int] = set()
    earlier: list[tuple[int, Changes]] = []
    for number, step in enumerate(run.steps):
        look()
        try:
            changes, _ = table.play(step.commands)
        except BadInputError:
            changes = {}
        is_marked = any(isinstance(one, Undo) for one in step.commands)
        may_be = is_marked or step.file not in marking
        taken = _taken_back(earlier, changes, is_marked=is_marked) if may_be else None
        if taken is not None:
            undone |= {earlier[taken][0], number}
            until[earlier[taken][0]] = number
            del earlier[taken]
        elif is_marked and not _without_passing(changes):
            undone.add(number)
        elif is_marked:
            unmatched.add(number)
        else:
            earlier.append((number, changes))
    for number, step in enumerate(run.steps):
        if number in undone:
            yield msgspec.structs.replace(step, undone=True, until=until.get(number, 0))
        elif number in unmatched:
            yield msgspec.structs.replace(step, unread=step.unread or UNMATCHED)
        else:
            yield step


def _taken_back(
    earlier: Sequence[tuple[int, Changes]], changes: Changes, *, is_marked: bool
) -> int | None:
    """
    Return which of the earlier steps a change takes back, None if it takes back none.

    A marked undo that fits none exactly, as a trail was not restored, takes back the last step that
    it fits but for what parts no tables, else the last one whose pieces it puts back to their places.
    """
    if not changes:
        silent = (at for at in range(len(earlier) - 1, -1, -1) if not earlier[at][1])
        return next(silent, None) if is_marked else None
    inverse = {name: (after, before) for name, (before, after) in changes.items()}
    last = max(-1, len(earlier) - 1 - (MANY if is_marked else FEW))
    for at in range(len(earlier) - 1, last, -1):
        known = earlier[at][1]
        if known == inverse:
            return at
        if known and not is_marked:
            return None
    if not is_marked:
        return None
    for likeness in (_without_passing, _places):
        plain = likeness(inverse)
        for at in range(len(earlier) - 1, last, -1):
            if plain and likeness(earlier[at][1]) == plain:
                return at
    return None


def _without_passing(changes: Changes) -> dict[str, tuple[object, object]]:
    """Return changes but for moved marks, trails and who moved last."""
    kept = {
        name: (before and before[:4], after and after[:4])
        for name, (before, after) in changes.items()
    }
    return {name: both for name, both in kept.items() if both[0] != both[1]}


def _places(changes: Changes) -> dict[str, tuple[object, object]]:
    """Return the maps and pixels that pieces left and came to."""
    kept = {
        name: (before and before[:3], after and after[:3])
        for name, (before, after) in changes.items()
    }
    return {name: both for name, both in kept.items() if both[0] != both[1]}
