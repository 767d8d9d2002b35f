r"""Combined results of several groups: dynamic programming over their joint :class:`Key`.

With :math:`V` the points fulfilled and :math:`N` those of the attack, the groups' results are a
final allocation if and only if (V14.61d, e; V14.62a; V14.63b; V14.65a)

- :math:`V \ge N` and :math:`V - M < N`, where :math:`M` is the largest reach of the last stage
  touched (points are owed before every step, so an order exists exactly if some unit's last step
  can be the last of all);
- :math:`V = N` if units are pinned by choice, or if exactly one only ignores a point (if it is a
  Passenger, only Passengers are hit otherwise);
- units already pinned are touched only if every other is resolved, and points are then owed;
- or :math:`V < N` and everything is gone: surplus points are lost.

If pins would do, reading A30 allows reductions and eliminations after pins. The fold omits
allocations that need this: they lose more than pins alone, or than the same losses without a pin.

No other rule is stated here: the clauses decide each group's results (:mod:`.options`), and the
tests check these five lines against every order of steps.
"""

from __future__ import annotations

from math import comb
from operator import add
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable_models.valor.allocation.options import BARE, EARLY, PINNED_BEFORE, START, Key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from marchtable_models.valor.allocation.options import Group, GroupResult
    from marchtable_models.valor.allocation.target import Class, Picked

    Marks = tuple[int, ...]

Label = Any
"""A measure's label of the allocations with one key."""
Table = dict[Key, Label]


class Measure(NamedTuple):
    """
    What to compute of allocations, as labels: a semiring.

    Parameters
    ----------
    nothing
        The label of no groups.
    option
        Computes the label of one option of a group.
    both
        Computes the label of two things together.
    either
        Computes the label of one thing or another.
    again
        Computes a label with an option chosen for ``n`` more of ``open_`` identical groups, from
        the option's label, the previous label, ``n`` and ``open_``.
    """

    nothing: Label
    option: Callable[[Group, GroupResult], Label]
    both: Callable[[Label, Label], Label]
    either: Callable[[Label, Label], Label]
    again: Callable[[Label, Label, int, int], Label]


class Count(NamedTuple):
    """The number of final allocations: with identical units as one, and with each by itself."""

    kinds: int
    ways: int


COUNTING = Measure(
    Count(1, 1),
    lambda _, option: Count(1, option.ways),
    lambda a, b: Count(a.kinds * b.kinds, a.ways * b.ways),
    lambda a, b: Count(a.kinds + b.kinds, a.ways + b.ways),
    lambda one, before, n, open_: Count(before.kinds, before.ways * comb(open_, n) * one.ways**n),
)
"""Counts allocations."""
EVERY = Measure(
    [()],
    lambda _, option: [(option,)],
    lambda a, b: [x + y for x in a for y in b],
    add,
    lambda one, before, n, _: [one[0] * n + x for x in before],
)
"""Lists allocations: the groups' options."""


def greatest(worth: Callable[[Group, GroupResult], Marks], nothing: Marks) -> Measure:
    """Return the measure of the greatest worth by several marks, from a group's worth."""
    return Measure(
        nothing,
        worth,
        lambda a, b: tuple(map(add, a, b)),
        lambda a, b: tuple(map(max, a, b)),
        lambda one, before, n, _: tuple(b + n * a for a, b in zip(one, before, strict=True)),
    )


def join(a: Key, b: Key) -> Key | None:
    """Return the joint key of two parts, or None if they exclude each other."""
    if b.stage > a.stage:
        a, b = b, a
    if b.mode:  # only more of the same stage follows, or pins after an ignored point
        later = a.stage > b.stage and (b.mode == EARLY or a.stage > PINNED_BEFORE >= b.stage)
        if later or (a.mode >= BARE and b.mode >= BARE):
            return None
    mode = a.mode if a.mode > b.mode else b.mode
    reach = 1 if mode else a.reach if a.stage > b.stage or a.reach > b.reach else b.reach
    return Key(
        a.points + b.points, a.unpinned + b.unpinned, mode, a.stage, reach, a.resolved and b.resolved,
        a.gone and b.gone, a.help if a.help > b.help else b.help,
    )  # fmt: skip


def fits(key: Key, cap: int) -> bool:
    """Return whether these points are not certainly too many."""
    return key.points - key.reach < cap


def closed(key: Key, owed: int) -> bool:
    """Return whether it is a final allocation."""
    if key.stage > PINNED_BEFORE and not (key.resolved and key.unpinned < owed):
        return False
    return key.gone if key.points < owed else fits(key, owed)


class Folded:
    """
    The fold of classes, at one node after another.

    Parameters
    ----------
    measure
        The measure.
    cap
        The most points owed at any node.
    """

    def __init__(self, measure: Measure, cap: int) -> None:
        self.measure, self.cap = measure, cap
        self._parts: dict[tuple[int, ...], tuple[Table, object]] = {}
        self._tables: dict[Any, Table] = {(): {START: measure.nothing}}

    def ends(self, classes: Sequence[Class], owed: int) -> list[tuple[int, Label]]:
        """Return the labels of all that fulfils at least 1 point, with the leader's rally bonus."""
        table = self._table(tuple(sorted(map(self._part, classes))))
        return [(key.help, label) for key, label in table.items() if closed(key, owed)]

    def _part(self, class_: Class) -> tuple[int, ...]:
        """Return the cache key of its table: classes that rolls change come last."""
        group, found, names = class_
        known = int(group.rolls), id(group), id(found), len(names)
        if known not in self._parts:
            self._parts[known] = self._alike(class_), found  # alive, so its number stays taken
        return known

    def _alike(self, class_: Class) -> Table:
        """Return the results of identical groups, in any mix of options."""
        n, again = len(class_.names), self.measure.again
        tables: list[Table] = [{START: self.measure.nothing}, *({} for _ in range(n))]
        for option in class_.options:
            single = self.measure.option(class_.group, option)
            for before in range(n - 1, -1, -1):  # how many have theirs already
                for key, label in tables[before].items():
                    both: Key | None = key
                    for more in range(1, n - before + 1):
                        both = join(both, option.key) if both is not None else None
                        if both is None or not fits(both, self.cap):
                            break
                        self._enter(
                            tables[before + more], both, again(single, label, more, n - before)
                        )
        return tables[n]

    def _table(self, parts: tuple[tuple[int, ...], ...]) -> Table:
        """Return the results of several classes, except those certainly beyond the cap."""
        if parts not in self._tables:
            found: Table = {}
            more, _ = self._parts[parts[-1]]
            for key, label in self._table(parts[:-1]).items():
                for other, label_of_other in more.items():
                    both = join(key, other)
                    if both is not None and fits(both, self.cap):
                        self._enter(found, both, self.measure.both(label, label_of_other))
            self._tables[parts] = found
        return self._tables[parts]

    def _enter(self, table: Table, key: Key, label: Label) -> None:
        table[key] = self.measure.either(table[key], label) if key in table else label


def listed(classes: Sequence[Class], owed: int) -> Iterator[Picked]:
    """Yield the options of classes in every way to fulfil at least 1 point."""
    places = {id(o): (i, -n) for i, c in enumerate(classes) for n, o in enumerate(c.options)}
    for _, found in Folded(EVERY, owed).ends(classes, owed):
        for taken in found:
            yield tuple(-n for _, n in sorted(places[id(option)] for option in taken))
