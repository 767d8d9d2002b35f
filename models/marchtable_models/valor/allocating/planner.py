"""What a stack is worth at best: a search over survival rolls above a fold over everything else.

Values are whole numbers. With ``j`` survival rolls still possible they count in units ``6 ** j``
times finer, so that a die is averaged without a fraction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.valor.allocating.fold import START, Fold
from marchtable_models.valor.allocating.groups import groups_of
from marchtable_models.valor.allocating.settings import (
    fewest,
    parts_of,
    settings_of,
    standing_entries,
)
from marchtable_models.valor.allocating.course import DIE
from marchtable_models.valor.allocating.values import fixed_value, valued

if TYPE_CHECKING:
    from collections.abc import Iterable

    from marchtable_models.valor.allocating.cargo import Group
    from marchtable_models.valor.allocating.fold import Entry
    from marchtable_models.valor.allocating.stack import Choices, Stack
    from marchtable_models.valor.allocating.values import Values

__all__ = ["Classes", "Left", "Planner"]

Classes = tuple[tuple["Group", tuple[tuple[str, ...], ...]], ...]
"""Groups with the names of their copies."""

Left = tuple[tuple[int, int], ...]
"""Vehicles and Guns not yet rolled for: each with what befell its Passengers, by index."""


class Planner:
    """
    One stack, one number of points, one set of values.

    Parameters
    ----------
    points
        Casualty Points, 1 or more.
    """

    def __init__(self, stack: Stack, points: int, values: Values, choices: Choices) -> None:
        self.points = points
        self.choices = choices
        self.stack, self.scale = valued(stack, values)
        unpinned, self.later = groups_of(self.stack)
        self.lone: Classes = tuple(entry for entry in unpinned if not entry[0].rolls)
        self.heavy: Classes = tuple(entry for entry in unpinned if entry[0].rolls)
        self.rollers = [(i, group, ids) for i, (group, n) in enumerate(self.heavy) for ids in n]
        self.settings = [settings_of(group, choices, self.scale) for _, group, _ in self.rollers]
        self.ignoring = choices.ignored == "counts"
        self.fold = Fold(points, (self.part(g, len(names)) for g, names in self.lone))
        self.pinned = Fold(points, (self.part(g, len(names)) for g, names in self.later))
        self.intact, self.waiting = self.fold.final[START], self.pinned.final[START]
        self._lone_cr = self.fewest(self.lone)
        self._lone_shields = self.ignoring * sum(g.head.shield * len(n) for g, n in self.lone)
        self._inner: dict[tuple[Left, int, bool], int | None] = {}
        self._folds: dict[Left, Fold] = {(): self.fold}

    @property
    def fixed(self) -> int:
        """What units are worth that nothing can befall."""
        return fixed_value(self.stack, self.scale)

    def part(self, group: Group, n: int) -> tuple[Entry, ...]:
        """Return what can be chosen for some identical groups without a roll."""
        return parts_of(group, "any", n, self.points if n > 1 else 0, self.choices, self.scale)

    def losing(self, classes: Classes) -> Fold:
        """Return the ways to lose all of some classes."""
        return Fold(
            self.points,
            (
                parts_of(group, "gone", len(names), self.points, self.choices, self.scale)
                for group, names in classes
            ),
        )

    def fewest(self, classes: Iterable[tuple[Group, tuple[tuple[str, ...], ...]]]) -> int:
        """Return the fewest points that losing all of some classes can fulfil."""
        return sum(len(names) * fewest(group, self.choices) for group, names in classes)

    def fold_of(self, left: Left) -> Fold:
        """Return the fold over the infantry and some vehicles and Guns, none rolled for."""
        if left not in self._folds:
            self._folds[left] = self.fold_of(left[:-1]).plus(self.standing(*left[-1]))
        return self._folds[left]

    def standing(self, i: int, setting: int) -> tuple[Entry, ...]:
        """Return what can be chosen for a vehicle or Gun once its Passengers are settled."""
        cargo = self.settings[i][setting].cargo
        return standing_entries(self.rollers[i][1], cargo, self.choices, self.scale)

    # -- values --

    def last(self, owed: int, *, spared: bool) -> int | None:
        """Return the best value of the units pinned earlier, nothing else being left."""
        if owed <= 0:
            return self.waiting
        found = self.pinned.closings[owed]
        if found is None and not spared and self.fewest(self.later) < owed:
            return 0
        return found

    def lost(self, left: Left) -> tuple[int, int]:
        """Return the points that losing everything unpinned fulfils: the fewest, the most."""
        least, most = self._lone_cr, self._lone_cr + self._lone_shields
        for i, setting in left:
            head = self.rollers[i][1].head
            cost = head.cr + self.settings[i][setting].cargo.left
            least += cost
            most += cost + (head.shield and self.ignoring)
        return least, most

    def end(self, left: Left, owed: int, *, spared: bool) -> int | None:
        """Return the best value without any further roll; ``spared``: a roll was survived."""
        found = self.fold_of(left).closings[owed]
        if found is not None:
            found += self.waiting
        least, most = self.lost(left)
        if least < owed:  # the more the lost fulfil the better for those pinned earlier
            gone = self.last(owed - min(most, owed - 1), spared=spared)
            if found is None or (gone is not None and gone > found):
                found = gone
        return found

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
            ignored, absorbed = self.most(left[place][0], owed)
            if absorbed > 1:
                value = self.rolled(left, place, owed, ignored, absorbed, spared=spared)
                best = value if best is None or (value is not None and value > best) else best
        return best

    def most(self, i: int, owed: int) -> tuple[int, int]:
        """Return the points to ignore and to absorb: as many as it can, for the roll is the same."""
        head = self.rollers[i][1].head
        ignored = int(head.shield and self.ignoring and owed > 2)
        return ignored, min(head.cr, owed - ignored)

    def rolled(
        self, left: Left, place: int, owed: int, ignored: int, absorbed: int, *, spared: bool
    ) -> int | None:
        """Return the expected value of a roll for one vehicle or Gun, and of what follows."""
        i, s = left[place]
        rest = left[:place] + left[place + 1 :]
        rating, setting = self.rollers[i][1].head.cr, self.settings[i][s]
        survived = self.inner(rest, owed - ignored - absorbed, spared=True)
        if survived is None:
            return None
        survived += setting.pinned * int(DIE ** len(rest))
        if rating >= DIE:
            return DIE * survived
        failed = self.inner(rest, owed - ignored - rating - setting.cargo.left, spared=spared)
        return None if failed is None else rating * survived + (DIE - rating) * failed
