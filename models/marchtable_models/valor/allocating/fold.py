"""The dearest choice of options, and the next: dynamic programming over the classes of a hex.

A state says what the options chosen so far add up to: points, whether pins or a bare ignored point
already demand that the points come out exactly, the last stage touched and the largest reach in
it. Two choices in the same state can be completed alike, so only the dearer is kept.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from marchtable_models.valor.allocating.groups import Option

__all__ = ["START", "Entry", "Fold", "closed", "entries_of", "join", "state_of"]

State = tuple[int, int, int, int]
"""Points, mode, stage, reach; where points must come out exactly, reach does not matter."""

PLAIN, PINS, BARE, EARLY = range(4)
START: State = (0, PLAIN, 0, 0)


class Entry(NamedTuple):
    """What befalls one class: its part of a state, what is left worth, the options chosen."""

    state: State
    value: int
    picked: tuple[Option, ...]


Choice = tuple[int, list[Entry]]
"""A value, and the entries, one a class, that come to it."""


def join(a: State, b: State) -> State | None:
    """Return the state of two parts together, or None if they exclude each other."""
    points = a[0] + b[0]
    if not a[1] and not b[1]:
        if a[2] == b[2]:
            return points, PLAIN, a[2], a[3] if a[3] > b[3] else b[3]
        return (points, PLAIN, a[2], a[3]) if a[2] > b[2] else (points, PLAIN, b[2], b[3])
    mode = max(a[1], b[1])
    if mode == PINS:
        return points, PINS, 2, 0
    if mode == BARE:
        return None if a[1] == b[1] else (points, BARE, 2, 0)
    if min(a[1], b[1]) == PLAIN and a[2] < 2 and b[2] < 2:
        return points, EARLY, 1, 0
    return None


def closed(state: State, owed: int) -> bool:
    """Tell whether a state fulfils what is owed with nothing gratuitous."""
    if state[1]:
        return state[0] == owed
    return state[0] >= owed > state[0] - state[3]


def state_of(option: Option) -> State:
    """Return an option's part of a state."""
    if option.pin:
        return option.points, PINS, 2, 0
    if option.bare:
        return (option.points, BARE, 2, 0) if option.stage == 2 else (option.points, EARLY, 1, 0)
    return option.points, PLAIN, option.stage, option.reach


def entries_of(
    found: tuple[Option, ...], values: tuple[int, ...], n: int, cap: int
) -> tuple[Entry, ...]:
    """
    Return what can befall ``n`` identical groups, the two dearest ways to each state.

    Of several groups, what goes plainly beyond the ``cap`` on points owed is left out.
    """
    by_state: dict[State, list[Entry]] = {}
    for option, value in zip(found, values, strict=True):
        _keep(by_state, Entry(state_of(option), value, (option,)))
    singles = [entry for entries in by_state.values() for entry in entries]
    if n == 1:
        return tuple(singles)
    levels: list[dict[State, list[Entry]]] = [{START: [Entry(START, 0, ())]}]
    levels += [{} for _ in range(n)]
    for single in singles:
        for i in range(1, n + 1):
            for entries in levels[i - 1].values():
                for entry in entries:
                    _add(levels[i], entry, single, cap)
    return tuple(entry for entries in levels[n].values() for entry in entries)


def _add(level: dict[State, list[Entry]], entry: Entry, single: Entry, cap: int) -> None:
    state = join(entry.state, single.state)
    if state is not None and _fits(state, cap):
        _keep(level, Entry(state, entry.value + single.value, entry.picked + single.picked))


def _keep(level: dict[State, list[Entry]], entry: Entry) -> None:
    """Keep an entry if it is one of the two dearest ways to its state."""
    kept = level.setdefault(entry.state, [])
    kept.append(entry)
    if len(kept) > 1:
        kept.sort(key=_by_value, reverse=True)
        del kept[2:]


def _by_value(entry: Entry) -> int:
    return entry.value


def _fits(state: State, cap: int) -> bool:
    return state[0] <= cap if state[1] else state[0] - state[3] < cap


class Fold:
    """
    The dearest way to every state of some classes.

    Parameters
    ----------
    cap
        The most points that will be asked for.
    parts
        The entries of each class.
    """

    def __init__(self, cap: int, parts: Iterable[tuple[Entry, ...]] = ()) -> None:
        self.cap = cap
        self.parts: list[tuple[Entry, ...]] = []
        self.layers: list[dict[State, int]] = [{START: 0}]
        for part in parts:
            self._extend(part)

    def plus(self, part: tuple[Entry, ...]) -> Fold:
        """Return the fold with one more class."""
        after = Fold(self.cap)
        after.parts = list(self.parts)
        after.layers = list(self.layers)
        after._extend(part)
        return after

    def _extend(self, part: tuple[Entry, ...]) -> None:  # noqa: C901 - join(), unrolled
        cap = self.cap
        best: dict[State, int] = {}
        known = best.get
        for (points, mode, stage, reach), base in self.layers[-1].items():
            for (more, other, late, far), value, _ in part:  # nearly all the time goes here
                total = points + more
                if not mode and not other:
                    if stage != late:
                        far = far if late > stage else reach  # noqa: PLW2901 - the later stage's
                    elif reach > far:
                        far = reach  # noqa: PLW2901 - the larger
                    if total - far >= cap:
                        continue
                    state = (total, PLAIN, late if late > stage else stage, far)
                elif total > cap:
                    continue
                elif mode + other == PINS or (mode == PINS == other):
                    state = (total, PINS, 2, 0)
                else:
                    joined = join((points, mode, stage, reach), (more, other, late, far))
                    if joined is None:
                        continue
                    state = joined
                worth = base + value
                if known(state, -1) < worth:
                    best[state] = worth
        self.parts.append(part)
        self.layers.append(best)

    @property
    def final(self) -> dict[State, int]:
        """The dearest value by state, over all classes."""
        return self.layers[-1]

    @cached_property
    def closings(self) -> list[int | None]:
        """The dearest value that fulfils each number of points with nothing gratuitous."""
        best: list[int | None] = [None] * (self.cap + 1)
        for (points, mode, _, reach), value in self.final.items():
            first = points if mode else points - reach + 1
            for owed in range(max(first, 1), min(points, self.cap) + 1):
                known = best[owed]
                if known is None or known < value:
                    best[owed] = value
        return best

    def dearest(self, wanted: Callable[[State], bool]) -> Choice | None:
        """Return the dearest choice that ends in a wanted state, if there is any."""
        found = [(value, state) for state, value in self.final.items() if wanted(state)]
        if not found:
            return None
        value, state = max(found)
        return value, self.trace(state)

    def two_dearest(self, wanted: Callable[[State], bool]) -> list[Choice]:
        """Return the dearest choice that ends in a wanted state and the next, if there are any."""
        first = self.dearest(wanted)
        second = None if first is None else self._second(wanted, first[1])
        return [choice for choice in (first, second) if choice is not None]

    def trace(self, state: State) -> list[Entry]:
        """Return the entries, one a class, that lead to a final state at its best value."""
        chosen: list[Entry] = []
        for i in range(len(self.parts) - 1, -1, -1):
            value = self.layers[i + 1][state]
            entry, state = next(
                (entry, before)
                for before, base in self.layers[i].items()
                for entry in self.parts[i]
                if base + entry.value == value and join(before, entry.state) == state
            )
            chosen.append(entry)
        return chosen[::-1]

    def _second(self, wanted: Callable[[State], bool], best: list[Entry]) -> Choice | None:
        """
        Return the dearest choice that differs from the best.

        The last class in which it differs is tried at every place: later ones are as in the best,
        earlier ones the dearest way to some state.
        """
        found: tuple[int, int, State, Entry] | None = None
        known = -1
        tail: State | None = START
        worth = 0
        for i in range(len(best) - 1, -1, -1):
            for entry in self.parts[i]:
                later = None if tail is None or entry is best[i] else join(entry.state, tail)
                if later is None:
                    continue
                more = entry.value + worth
                for before, base in self.layers[i].items():
                    if base + more > known:
                        state = join(before, later)
                        if state is not None and wanted(state):
                            known = base + more
                            found = known, i, before, entry
            tail = None if tail is None else join(best[i].state, tail)
            worth += best[i].value
        if found is None:
            return None
        value, i, before, entry = found
        head = Fold(self.cap)
        head.parts, head.layers = self.parts[:i], self.layers[: i + 1]
        return value, [*head.trace(before), entry, *best[i + 1 :]]
