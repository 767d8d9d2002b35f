"""The best plan for a stack: a search over survival rolls above a fold over everything else.

Values are whole numbers. With ``j`` survival rolls still possible they count in units ``6 ** j``
times finer, so that a die is averaged without a fraction.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from marchtable_models.valor.allocation_fold import Fold, closed, entries_of
from marchtable_models.valor.allocation_cargo import Fate, cargoes_of, pinned_too
from marchtable_models.valor.allocation_groups import decisions, groups_of, standing
from marchtable_models.valor.allocation_steps import DIE
from marchtable_models.valor.allocation_values import valued

if TYPE_CHECKING:
    from marchtable_models.valor.allocation_fold import Entry, State
    from collections.abc import Callable, Sequence

    from marchtable_models.valor.allocation_cargo import Cargo, Group
    from marchtable_models.valor.allocation_groups import Option
    from marchtable_models.valor.allocation_stack import Choices, Member, Stack
    from marchtable_models.valor.allocation_values import Values

__all__ = ["Opening", "Planner", "Setting"]

Left = tuple[tuple[int, int], ...]
"""Vehicles and Guns not yet rolled for: each with what befell its Passengers, by index."""


class Setting(NamedTuple):
    """What a search needs to know of one vehicle or Gun once its Passengers' losses are settled."""

    cargo: Cargo
    ready: int
    pinned: int
    entries: tuple[Entry, ...]


class Opening(NamedTuple):
    """
    A way to begin: a complete allocation (``entries``), or a first roll.

    ``value`` is its expected value at the finest scale.
    """

    value: int
    entries: tuple[tuple[Entry, ...], tuple[Entry, ...]] | None = None
    settings: tuple[int, ...] = ()
    roller: int = -1
    ignored: int = 0
    absorbed: int = 0


class Planner:
    """One stack, one number of points, one set of values."""

    def __init__(self, stack: Stack, points: int, values: Values, choices: Choices) -> None:
        self.points = points
        self.choices = choices
        self.stack, self.scale = valued(stack, values)
        self.hex = groups_of(self.stack)
        self.lone = [(g, names) for g, names in self.hex.unpinned if not g.rolls]
        self.classes = [*self.lone, *((g, ids) for g, ids in self.hex.unpinned if g.rolls)]
        self.rollers = [(g, ids) for g, names in self.hex.unpinned if g.rolls for ids in names]
        self.fold = Fold(points, (self._part(g, len(names)) for g, names in self.lone))
        self.pinned = Fold(points, (self._part(g, len(names)) for g, names in self.hex.pinned))
        self.intact = self.fold.final[0, 0, 0, 0]
        self.waiting = self.pinned.final[0, 0, 0, 0]
        self.fixed = sum(
            self.scale.unit(m, Fate(), was_pinned=self.stack.is_pinned(m))
            for m in self.stack.members
            if self._is_outside(m)
        )
        ignoring = choices.ignored == "counts"
        self.total = sum(group.head.cr * len(names) for group, names in self.lone)
        self.shields = sum(g.head.shield * len(names) for g, names in self.lone) * ignoring
        self.fewest_pinned = sum(self._fewest(g, len(names)) for g, names in self.hex.pinned)
        self.kinds = [i for i, (g, names) in enumerate(self.hex.unpinned) if g.rolls for _ in names]
        self.settings = [self._settings(group) for group, _ in self.rollers]
        self._inner: dict[tuple[Left, int, bool], int | None] = {}
        self._folds: dict[Left, Fold] = {(): self.fold}
        self._last: dict[tuple[int, bool], int | None] = {}
        self._ends: dict[tuple[Left, int, bool], int | None] = {}

    # -- what can be chosen --

    def _is_outside(self, member: Member) -> bool:
        """Tell whether nothing can befall the unit."""
        carrier = self.stack.carrier(member)
        return bool(self.stack.bar(carrier or member))

    def _part(self, group: Group, n: int) -> tuple[Entry, ...]:
        return self.entries(group, decisions(group, self.choices), n)

    def entries(self, group: Group, found: tuple[Option, ...], n: int) -> tuple[Entry, ...]:
        values = tuple(self.scale.group(group, option.fates) for option in found)
        return entries_of(found, values, n, self.points)

    def _settings(self, group: Group) -> list[Setting]:
        """
        Return the states that a vehicle's Passengers can be left in.

        One that two others beat whatever becomes of the vehicle is in no best plan and in no
        runner-up.
        """
        found = []
        for cargo in cargoes_of(group, self.choices):
            if cargo.bare or cargo.points > self.points - 2:
                continue
            ready = self.scale.group(group, (Fate(), *cargo.fates))
            pins = (Fate("pinned"), *map(pinned_too, cargo.fates))
            found.append((ready, self.scale.group(group, pins), cargo))
        found.sort(key=_by_worth, reverse=True)
        kept: list[tuple[int, int, Cargo]] = []
        for ready, pinned, cargo in found:
            better = sum(
                1
                for r, p, c in kept
                if r >= ready and p >= pinned and (c.points, c.left) == (cargo.points, cargo.left)
            )
            if better < 2:
                kept.append((ready, pinned, cargo))
        return [
            Setting(c, r, p, self.entries(group, standing(group, c, self.choices), 1))
            for r, p, c in kept
        ]

    # -- values below the first roll --

    def fold_of(self, left: Left) -> Fold:
        if left not in self._folds:
            i, setting = left[-1]
            before = self.fold_of(left[:-1])
            self._folds[left] = before.plus(self.settings[i][setting].entries)
        return self._folds[left]

    def lasts(self, owed: int, *, spared: bool) -> int | None:
        """Return the best value of the units pinned earlier, nothing else being left."""
        key = (owed, spared)
        if key not in self._last:
            if owed <= 0:
                self._last[key] = self.waiting
            else:
                ways = self.pinned.best(lambda state: state[0] > 0 and closed(state, owed))
                lost = 0 if self.fewest_pinned < owed and not spared else None
                self._last[key] = lost if ways is None else ways[0]
        return self._last[key]

    def _fewest(self, group: Group, n: int) -> int:
        """Return the fewest points that losing the groups can fulfil."""
        return n * min(o.points for o in decisions(group, self.choices) if o.gone)

    def _lost(self, left: Left) -> tuple[int, int]:
        """Return the points that losing everything unpinned fulfils: the fewest, the most."""
        fewest, most = self.total, self.total + self.shields
        for i, setting in left:
            head = self.rollers[i][0].head
            cost = head.cr + self.settings[i][setting].cargo.left
            fewest += cost
            most += cost + (head.shield and self.choices.ignored == "counts")
        return fewest, most

    def end(self, left: Left, owed: int, *, spared: bool) -> int | None:
        """Return the best value without any further roll; ``spared``: a roll was survived."""
        key = (left, owed, spared)
        if key not in self._ends:
            ways = self.fold_of(left).best(lambda state: closed(state, owed))
            best = None if ways is None else ways[0] + self.waiting
            fewest, most = self._lost(left)
            if fewest < owed:
                gone = self.lasts(owed - min(most, owed - 1), spared=spared)
                best = gone if best is None or (gone is not None and gone > best) else best
            self._ends[key] = best
        return self._ends[key]

    def inner(self, left: Left, owed: int, *, spared: bool) -> int | None:
        """Return the best value from here on, or None if the points cannot be fulfilled."""
        key = (left, owed, spared)
        if key not in self._inner:
            self._inner[key] = self._search(left, owed, spared=spared)
        return self._inner[key]

    def _search(self, left: Left, owed: int, *, spared: bool) -> int | None:
        finer: int = DIE ** len(left)
        if owed <= 0:
            standing = sum(self.settings[i][s].ready for i, s in left)
            return (standing + self.intact + self.waiting) * finer
        best = self.end(left, owed, spared=spared)
        best = None if best is None else best * finer
        for place in range(len(left)):
            i = left[place][0]
            ignored, absorbed = self.most(i, owed)
            if absorbed > 1:
                value = self.rolled(left, place, owed, ignored, absorbed, spared=spared)
                best = value if best is None or (value is not None and value > best) else best
        return best

    def most(self, i: int, owed: int) -> tuple[int, int]:
        """Return the points to ignore and to absorb: as many as it can, for the roll is the same."""
        head = self.rollers[i][0].head
        ignored = int(head.shield and self.choices.ignored == "counts" and owed > 2)
        return ignored, min(head.cr, owed - ignored)

    def rolled(
        self, left: Left, place: int, owed: int, ignored: int, absorbed: int, *, spared: bool
    ) -> int | None:
        """Return the expected value of a roll for one vehicle or Gun, and of what follows."""
        i, s = left[place]
        rest = left[:place] + left[place + 1 :]
        head, setting = self.rollers[i][0].head, self.settings[i][s]
        survived = self.inner(rest, owed - ignored - absorbed, spared=True)
        if survived is None:
            return None
        survived += setting.pinned * int(DIE ** len(rest))
        if head.cr >= DIE:
            return DIE * survived
        failed = self.inner(rest, owed - ignored - head.cr - setting.cargo.left, spared=spared)
        return None if failed is None else head.cr * survived + (DIE - head.cr) * failed

    # -- openings --

    def openings(self) -> list[Opening]:
        """Return the best opening and the runner-up, best first; the fixed part is left out."""
        found = self._final_openings(DIE ** len(self.rollers))
        if self.points > 1:
            found += self._roll_openings().values()
        found.sort(key=_by_value, reverse=True)
        return found[:2]

    def _roll_openings(self) -> dict[object, Opening]:
        found: dict[object, Opening] = {}
        indices = [range(len(settings)) for settings in self.settings]
        for chosen in product(*indices):
            spent = sum(self.settings[i][s].cargo.points for i, s in enumerate(chosen))
            owed = self.points - spent
            left = tuple(enumerate(chosen))
            for i in range(len(chosen)) if owed > 1 else ():
                for ignored, absorbed in self._rolls(i, owed):
                    value = self.rolled(left, i, owed, ignored, absorbed, spared=False)
                    if value is not None:
                        opening = Opening(value, None, chosen, i, ignored, absorbed)
                        found.setdefault(self._key(opening), opening)
        return found

    def _rolls(self, i: int, owed: int) -> list[tuple[int, int]]:
        head = self.rollers[i][0].head
        able = head.shield and self.choices.ignored == "counts"
        return [
            (ignored, absorbed)
            for ignored in ((0, 1) if able else (0,))
            for absorbed in range(2, min(head.cr, owed - ignored) + 1)
        ]

    def _key(self, opening: Opening) -> object:
        """Return what tells an opening apart when identical vehicles are exchanged."""
        parts = [
            (kind, s, i == opening.roller)
            for i, (kind, s) in enumerate(zip(self.kinds, opening.settings, strict=True))
        ]
        return tuple(sorted(parts)), opening.ignored, opening.absorbed

    def _final_openings(self, finer: int) -> list[Opening]:
        """Return the two best complete allocations."""
        fold = self.fold
        for group, names in self.classes[len(self.lone) :]:
            fold = fold.plus(self._part(group, len(names)))
        owed = self.points
        found = [
            Opening((value + self.waiting) * finer, (tuple(entries), ()))
            for value, entries in two_best(fold, lambda state: closed(state, owed))
        ]
        return found + self._losing_openings(finer)

    def _losing_openings(self, finer: int) -> list[Opening]:
        """Return the best complete allocations that lose everything unpinned, and more."""
        owed = self.points
        fold = self.losing(self.classes)
        found = []
        for spent in sorted({state[0] for state in fold.final if state[0] < owed}):
            heads = two_best(fold, lambda state, spent=spent: state[0] == spent)  # type: ignore[misc]
            rest = owed - spent

            def ends(state: State, rest: int = rest) -> bool:
                return bool(state[0]) and closed(state, rest)

            tails = two_best(self.pinned, ends)
            if self.fewest_pinned < rest:
                tails += self._all_lost(rest)
            for value, entries in heads:
                found += [
                    Opening((value + v) * finer, (tuple(entries), tuple(e))) for v, e in tails
                ]
        return found

    def _all_lost(self, owed: int) -> list[tuple[int, list[Entry]]]:
        """Return the ways to lose everything pinned with points left over."""
        return two_best(self.losing(self.hex.pinned), lambda state: state[0] < owed)

    def losing(self, classes: Sequence[tuple[Group, tuple[tuple[str, ...], ...]]]) -> Fold:
        """Return the ways to lose all of some classes."""
        return Fold(
            self.points,
            (
                self.entries(
                    group, tuple(o for o in decisions(group, self.choices) if o.gone), len(names)
                )
                for group, names in classes
            ),
        )


def two_best(fold: Fold, wanted: Callable[[State], bool]) -> list[tuple[int, list[Entry]]]:
    """Return the dearest choice and the next, if there are any."""
    first = fold.best(wanted)
    if first is None:
        return []
    entries = fold.trace(first[1])
    second = fold.second(wanted, entries)
    return [(first[0], entries), *([second] if second else [])]


def _by_worth(item: tuple[int, int, Cargo]) -> tuple[int, int]:
    return item[0], item[1]


def _by_value(opening: Opening) -> int:
    return opening.value
