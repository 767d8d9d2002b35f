"""How many units may end the phase in a hex: the stacking clauses' own answers as a table."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

from marchtable_models.panzer.rules.stacking import Stack, stack

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from marchtable_models.panzer.cpsat.course import Course, End
    from marchtable_models.panzer.cpsat.participants import Participants
    from marchtable_models.panzer.cpsat.prices import Prices
    from marchtable_models.panzer.views.presence import Limits

__all__ = ["Room"]


class Room:
    """
    How many units may end the phase in a hex, as the clauses answer for each number of them.

    Where units of several factions might meet, it is the most that any of them allows.

    Parameters
    ----------
    participants, prices
        Who takes part, and who asks the rulebook.

    Attributes
    ----------
    is_plain
        Whether more units in a hex never make room there.
    """

    def __init__(self, participants: Participants, prices: Prices) -> None:
        self._participants, self._prices = participants, prices
        position = participants.position
        own = [u for u in position.units if u.side == position.side and u.at is not None]
        limits = {x for unit in own for x in stack(position, unit, "end").limits}
        most = max([len(own), *(max(x.panzerblitz, x.leader) for x in limits)])
        free = [n for n in range(most + 2) if any(self._fits(n, 0, x) for x in limits)]
        self.most = max(free, default=0)
        carried = any(self._fits(self.most + 1, 1, x) for x in limits)
        self.counts = (1, 0 if carried else 1)
        self._ends = any(not self._fits(most + 1, 0, x) for x in limits)
        self.is_plain = not any(
            self._fits(n + 1, 0, *sorted(pair)) and not self._fits(n, 0, pair[0])
            for pair in permutations(limits, 2)
            for n in range(1, self.most + 1)
        )

    def _fits(self, units: int, carried: int, *limits: Limits) -> bool:
        found = self._prices.edition.judge(Stack("end", units, carried, limits))
        return not found.bars and not found.unsupported

    def weight(self, ends: Sequence[End]) -> int:
        """Return how much room units take that end in one hex."""
        return sum(self.counts[end.aboard is not None] for end in ends)

    def left(self, at: str) -> int | None:
        """Return the room that those leave who stand there whatever is done; None if it is endless."""
        if not self._ends or self._participants.position.phase != "Movement":
            return None
        there = self._participants.crowd(self._participants.position.side, at)
        standing = there.units - there.carried
        return self.most - standing * self.counts[0] - there.carried * self.counts[1]

    def has(self, taken: Mapping[str, int], course: Course) -> bool:
        """Return whether there is room for a course's units, so much of it being taken."""
        return all(
            (most := self.left(at)) is None or taken.get(at, 0) + self._needs(course, at) <= most
            for at in {end.at for end in course.ends}
        )

    def take(self, taken: dict[str, int], course: Course) -> None:
        """Count the room that a course's units take as taken, where it is known that they do."""
        for at in {end.at for end in course.known}:
            taken[at] = taken.get(at, 0) + self._needs(course, at)

    def give(self, taken: dict[str, int], course: Course) -> None:
        """Count the room as free again."""
        for at in {end.at for end in course.known}:
            taken[at] = taken.get(at, 0) - self._needs(course, at)

    def _needs(self, course: Course, at: str) -> int:
        return self.weight([end for end in course.known if end.at == at])
