"""All plans that bounds leave open, one Impulse after another: a few ways of the lead, for all follow."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from marchtable_models.asl.cpsat.column.field import Course
from marchtable_models.asl.cpsat.column.layers import NEVER
from marchtable_models.asl.cpsat.column.line import FREE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from marchtable_models.asl.cpsat.column.layers import Layers, Row
    from marchtable_models.asl.cpsat.column.steps import State, Step

__all__ = ["Capped", "Dive"]


class Capped(Exception):  # noqa: N818 - no error: a limit
    """More ways than a dive may try."""


class Hopes(NamedTuple):
    """
    A row with what places may add to it.

    Parameters
    ----------
    row
        The row.
    ahead
        By place in the line, Impulse and Location: the most from there on; see :meth:`Layers.back`.
    into
        By place in the line and Location: what ending there adds at most, having come into it.
    led
        By place in the line, Impulse and Location of the lead: the most that ending somewhere the
        lead is from there on adds; see :meth:`Layers.led`.
    apart
        What so many places in front add at most, since no two end in one Location.
    """

    row: Row
    ahead: list[list[dict[str | None, int]]]
    into: list[dict[str | None, int]]
    led: list[list[dict[str | None, int]]]
    apart: list[int]


class Dive:
    """
    A search through the plans of some layers, in which followers follow (E11.5g) and all pay alike.

    Parameters
    ----------
    layers
        The states that plans may pass.
    rows
        What plans must come to; the first is the sum to be made large.
    step
        By how much a plan must be better than the one before.
    worth
        Returns the sum of a whole plan that does all that is asked, None of another.
    check, found
        Called before each plan is looked at (it may raise), and with each that is better.
    cap
        How many Impulses may be tried; beyond that :class:`Capped` is raised.
    """

    def __init__(
        self, layers: Layers, rows: Sequence[Row], step: int, *,
        worth: Callable[[Course], int | None], check: Callable[[], None],
        found: Callable[[Course], None], cap: int,
    ) -> None:  # fmt: skip
        self.layers, self.line, self.field = layers, layers.line, layers.field
        self.worth, self.check, self.found = worth, check, found
        self.step, self.left = step, cap
        self.hopes = [self._hopes(row) for row in rows]
        self.least = [row.least for row in rows]
        self.alive = [[set(states) for states in layer] for layer in layers.states]
        self.best: Course | None = None
        self.cheapest = min(self.field.paid, default=0)

    def _hopes(self, row: Row) -> Hopes:
        layers, count = self.layers, len(self.line.ranks)
        ahead = [_by_place(layers, r, layers.back(r, row)) for r in range(count)]
        into: list[dict[str | None, int]] = []
        for r in range(count):
            ends, entries = row.ends[r], row.entries[r]
            places = {state.at for state in layers.states[-1][r]}
            into.append({at: ends.get(at, 0) + entries.get(at, 0) for at in places})
        led = [_by_place(layers, 0, layers.led(r, told)) for r, told in enumerate(into)]
        apart = [self._apart(row, front) for front in range(count + 1)]
        return Hopes(row, ahead, into, led, apart)

    def _apart(self, row: Row, front: int) -> int:
        """Return what so many places in front add at most, as no two end in one Location."""
        best: dict[str | None, int] = {}
        for r in range(front):
            for state in self.layers.states[-1][r]:
                told = row.ends[r].get(state.at, 0)
                best[state.at] = max(told, best.get(state.at, told))
        if None in best or not self.line.is_apart:
            return -NEVER
        return sum(sorted(best.values(), reverse=True)[:front])

    def run(self, start: Course) -> Course | None:
        """Return the best plan, None if there is none."""
        self._go([start.states[0]], 0, [0] * len(self.hopes), is_last=False)
        return self.best

    def _go(
        self, rows: list[tuple[State, ...]], spent: int, gained: Sequence[int], *, is_last: bool
    ) -> None:
        self.check()
        self._weigh(rows, gained)
        if is_last or len(rows) > self.layers.last:
            return
        nexts: list[tuple[int, int, tuple[State, ...], int, list[int], bool]] = []
        for after, cost, ends in self._impulses(rows[-1], len(rows)):
            rest = self._left(after, spent + cost)
            if rest is None:
                continue
            self.left -= 1
            if self.left < 0:
                raise Capped
            more = [
                had + self._added(hopes.row, rows[-1], after, cost)
                for had, hopes in zip(gained, self.hopes, strict=True)
            ]
            left = self.layers.last - len(rows)
            left = min(left, rest // self.cheapest) if self.cheapest else left
            hope = self._hope(after, left, more)
            if hope is not None:
                nexts.append((-hope, len(nexts), after, cost, more, ends))
        for hope, _, after, cost, more, ends in sorted(nexts, key=lambda each: each[:2]):
            if -hope >= self.least[0]:
                self._go([*rows, after], spent + cost, more, is_last=ends)

    def _weigh(self, rows: Sequence[tuple[State, ...]], gained: Sequence[int]) -> None:
        """Take a plan that ends here if it is the best so far."""
        ends = self.hopes[0].row.ends
        told = gained[0] + sum(ends[r].get(state.at, 0) for r, state in enumerate(rows[-1]))
        if told < self.least[0]:
            return
        course = Course(tuple(rows))
        total = self.worth(course)
        if total is not None and total >= self.least[0]:
            self.best, self.least[0] = course, total + self.step
            self.found(course)

    def _added(self, row: Row, before: Sequence[State], after: Sequence[State], cost: int) -> int:
        """Return what an Impulse adds to a row, where its units end apart."""
        found = row.paid * cost
        for r, (a, b) in enumerate(zip(before, after, strict=True)):
            if row.entries[r] and a.at != b.at:
                found += row.entries[r].get(b.at, 0)
        return found

    def _hope(self, states: Sequence[State], left: int, gained: Sequence[int]) -> int | None:
        """Return the most that the sum may come to in so many Impulses more; None if a row falls short."""
        places = [state.at for state in states]
        found = []
        for hopes, had, least in zip(self.hopes, gained, self.least, strict=True):
            found.append(had + self._most(hopes, places, left))
            if found[-1] < least:
                return None
        return found[0]

    def _most(self, hopes: Hopes, places: Sequence[str | None], left: int) -> int:
        """
        Return the most that all places add from now on.

        The lead goes in each Impulse, and nobody goes who stays behind one that stays. Of so many
        Impulses as there are, that many places in front end anywhere, but apart; the others where
        those ahead are now.
        """
        count, stays = len(places), [0]
        behind, fronts, rest = [0] * (left + 1), [[0] * (left + 1)] * count, {}
        for r in range(count - 1, -1, -1):
            if r < left:
                rest[r + 1] = behind
            stay = hopes.row.ends[r].get(places[r], 0)
            stays.append(stays[-1] + stay)
            gains = self._gains(hopes, r, places, left)
            behind = [max(stays[-1], gain + more) for gain, more in zip(gains, behind, strict=True)]
            fronts[r] = [max(stay, gain) for gain in gains]
        most = stays[-1]
        for moves in range(1, left + 1):
            free = min(moves, count)
            front = min(sum([fronts[r][moves] for r in range(free)]), hopes.apart[free])
            most = max(most, min(front + rest[free][moves], behind[moves]))
        return most

    def _gains(self, hopes: Hopes, r: int, places: Sequence[str | None], left: int) -> list[int]:
        """
        Return what a place adds by Impulses made, if it goes at all.

        It ends where the one ahead of it was before its last step: where one of those ahead is now,
        or where the lead comes to, as many Impulses later as there are places between.
        """
        own = [hopes.ahead[r][self.layers.last - n].get(places[r], NEVER) for n in range(left + 1)]
        if r == 0:
            return own
        shown, found = NEVER, [NEVER]
        for moves in range(1, left + 1):
            if moves < r:
                shown = max(shown, hopes.into[r].get(places[r - moves], NEVER))
            else:
                led = hopes.led[r][self.layers.last - moves]
                shown = max(shown, led.get(places[0], NEVER))
            found.append(min(shown, own[moves]))
        return found

    def _left(self, states: Sequence[State], spent: int) -> int | None:
        """Return what can still be spent, at most; None if somebody cannot pay so much (E11.2h)."""
        line, found = self.line, FREE
        for r, state in enumerate(states):
            means = line.means(r, state)
            if means is not None and spent > means:
                return None
            found = min(found, line.most(r, state))
        return found - spent

    def _impulses(
        self, before: tuple[State, ...], t: int
    ) -> Iterator[tuple[tuple[State, ...], int, bool]]:
        """Yield what Impulses lead to, what they cost, and whether they disband the Column."""
        places, alive = [state.at for state in before], self.alive[t]
        idle = [state.idle for state in before]
        stay = [idle[r] in alive[r] for r in range(len(before))]
        rest = [all(stay[r:]) for r in range(len(before) + 1)]
        for to, step in self.field.ways(0, before[0]).items():
            if to.at in places or to not in alive[0]:
                continue
            after, dearest, ends = [to], step.cost, step.last
            for r in range(1, len(before) + 1):
                if rest[r]:
                    whole = (*after, *idle[r:])
                    if self._is_joined(whole):
                        yield whole, dearest, ends
                found = self._follows(r, before[r - 1].at, before, after)
                if found is None or found.to not in alive[r]:
                    break
                after.append(found.to)
                dearest, ends = max(dearest, found.cost), ends or found.last

    def _is_joined(self, states: Sequence[State]) -> bool:
        return all(
            self.line.linked(r, states[r - 1].at, states[r].at) for r in range(1, len(states))
        )

    def _follows(
        self, r: int, to: str | None, before: Sequence[State], after: Sequence[State]
    ) -> Step | None:
        """Return how a place's units go where those ahead of them were, None if they do not."""
        if to is None or r == len(before):
            return None
        if any(state.at == to for state in (*after, *before[r:])):
            return None
        found = self.field.towards(r, before[r], to)
        if len(found) > 1:
            raise Capped  # more than one way to go there: not looked at here
        return found[0] if found else None


def _by_place(layers: Layers, r: int, told: Sequence[Sequence[int]]) -> list[dict[str | None, int]]:
    """Return by Impulse and Location the largest number that is told of a state of a place's units."""
    found: list[dict[str | None, int]] = []
    for layer, numbers in zip(layers.states, told, strict=True):
        found.append({})
        for state, number in zip(layer[r], numbers, strict=True):
            found[-1][state.at] = max(number, found[-1].get(state.at, NEVER))
    return found
