"""What units are known to be able to do in each mode, kept for all that are equal in that mode."""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.cache import Cache
from marchtable.reachability.keys import mode_key
from marchtable.reachability.transitions import Way
from marchtable.rules.clause import clause_of

if TYPE_CHECKING:
    from collections.abc import Hashable

    from marchtable.reachability.views import Asker
    from marchtable.state.position import Position, Unit


__all__ = ["Lesson", "Memory", "differing"]

WAY = 700  # bytes, about, that one of them takes
MOST_LESSONS = 8  # choices of clauses under which one of these is known
_LOCK = threading.Lock()


@lru_cache(maxsize=4096)
def differing(one: frozenset[str], other: frozenset[str]) -> frozenset[str]:
    """Return the clauses that are off, or eased, in but one of two choices."""
    return frozenset(map(clause_of, one ^ other))


class Lesson(msgspec.Struct, frozen=True, gc=False):
    """
    What comes of an action in a mode under some choice of clauses.

    Parameters
    ----------
    off
        What was switched off.
    consulted
        The clauses that have a say in it; None if that was not kept.
    ways
        What comes of it.
    """

    off: frozenset[str]
    consulted: frozenset[str] | None
    ways: tuple[Way, ...]

    def holds(self, off: frozenset[str]) -> bool:
        """Return whether it is the same with these clauses off."""
        if off == self.off:
            return True
        return self.consulted is not None and self.consulted.isdisjoint(differing(off, self.off))


Lessons = dict["Hashable", tuple[Lesson, ...]]
_KEPT: Cache[Lessons] = Cache(lambda lessons: WAY * len(lessons))


class Memory:
    """
    What a unit, and its equals in one of its modes, are known to be able to do.

    Units that differ as such may be equal once they have moved: so they share what is known of
    those modes, however these are numbered.

    Parameters
    ----------
    mover
        What is known of units equal to it, and its modes.
    position, unit
        Whom it is about; it must be in the position.
    setting
        All that rulings depend on beside units, what is off and what :meth:`Travel.ground` returns.
    off
        What is switched off.
    """

    def __init__(
        self,
        mover: Asker,
        position: Position[Any, Any],
        unit: Unit,
        setting: Hashable,
        off: frozenset[str],
    ) -> None:
        self._modes, self._number = mover.modes, mover.number
        self._known: dict[int, Lessons] = {}
        self._off, self._position, self._unit = off, position, unit
        self._rulebook, self._setting = mover.rulebook, setting

    def _of_mode(self, start: int) -> Lessons:
        known = self._known.get(start)
        if known is None:
            mode, somewhere = self._modes[start], self._position.board.locations[0].name
            unit = self._rulebook.in_mode(self._unit, somewhere, mode)
            key = mode_key(self._position, unit, mode, self._rulebook, self._setting)
            with _LOCK:
                found = _KEPT.get(key)
                known = self._known[start] = _KEPT.keep(key, {}) if found is None else found
        return known

    def recalled(self, start: int, key: Hashable) -> Lesson | None:
        """Return what is known to come of an action in a mode, if it is known."""
        for lesson in self._of_mode(start).get(key, ()):
            if lesson.holds(self._off):
                return self._numbered(lesson)
        return None

    def _numbered(self, lesson: Lesson) -> Lesson | None:
        number, found = self._number, lesson.ways
        if not found:
            return lesson
        if any(way.start not in number or way.stop not in number for way in found):
            return None
        return msgspec.structs.replace(lesson, ways=tuple([
            msgspec.structs.replace(way, start=number[way.start], stop=number[way.stop])
            for way in found
        ]))  # fmt: skip

    def remember(
        self, start: int, key: Hashable, ways: tuple[Way, ...], consulted: frozenset[str] | None
    ) -> None:
        """Keep the outcome of an action in a mode, and the clauses on which it depends."""
        modes: Any = self._modes
        learned = tuple([
            msgspec.structs.replace(way, start=modes[way.start], stop=modes[way.stop]) for way in ways
        ])  # fmt: skip
        known = self._of_mode(start)
        known[key] = (
            Lesson(self._off, consulted, learned),
            *known.get(key, ())[: MOST_LESSONS - 1],
        )
