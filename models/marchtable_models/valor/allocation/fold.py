r"""What can happen to several groups together: dynamic programming over the :class:`Key` they add up to.

With :math:`V` the points fulfilled and :math:`N` those of the attack, what happens to the groups is a
final allocation if and only if (V14.61d, e; V14.62a; V14.63b; V14.65a)

- :math:`V \ge N` and :math:`V - M < N`, where :math:`M` is the largest reach of the last stage
  touched (because points are owed before every step, some order exists exactly when the last step
  of some unit can be the last of all);
- :math:`V = N` if units are pinned by choice, or one, and no more, merely ignores a point (if a
  Passenger does, nothing else is hit but Passengers);
- units pinned earlier are touched only if every other is resolved;
- or :math:`V < N` and everything is gone: surplus points are lost.

Where pins would do, reading A30 lets reductions and eliminations follow pins. The fold leaves out
allocations that need this: they lose more than pins alone, or than the same losses without a pin.

Nothing else of the rules is stated here: what can happen to one group is asked of the clauses
(:mod:`.options`), and the oracle of the tests holds these five lines against every order of steps.
"""

from __future__ import annotations

from collections import Counter
from math import comb
from operator import add
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable_models.valor.allocation.options import BARE, PINS, PLAIN, START, Key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from marchtable_models.valor.allocation.options import Group, Option
    from marchtable_models.valor.allocation.target import Class, Picked

    Marks = tuple[int, ...]

__all__ = ["COUNTING", "Count", "Folded", "greatest", "listed"]

Label = Any
"""What a measure knows of some allocations."""
Table = dict[Key, list[Label]]
"""The labels of everything that comes to the same key."""


class Measure(NamedTuple):
    """
    What is to be known of allocations, as labels.

    Parameters
    ----------
    nothing
        The label of no groups.
    option
        Computes that of one option of a group.
    times
        Computes that of two things together.
    again
        Computes a label with an option chosen for ``n`` more of ``open_`` identical groups, from the
        option's label, the label before, ``n`` and ``open_``.
    keep
        Returns the labels that matter among several.
    """

    nothing: Label
    option: Callable[[Group, Option], Label]
    times: Callable[[Label, Label], Label]
    again: Callable[[Label, Label, int, int], Label]
    keep: Callable[[list[Label]], list[Label]]


class Count(NamedTuple):
    """How many final allocations there are: identical units taken as one, and each by itself."""

    kinds: int
    ways: int


COUNTING = Measure(
    Count(1, 1),
    lambda _, option: Count(1, option.ways),
    lambda a, b: Count(a.kinds * b.kinds, a.ways * b.ways),
    lambda one, before, n, open_: Count(before.kinds, before.ways * comb(open_, n) * one.ways**n),
    lambda labels: [Count(sum(x.kinds for x in labels), sum(x.ways for x in labels))],
)
"""Counts allocations."""
EVERY = Measure(
    (),
    lambda _, option: (option,),
    add,
    lambda one, before, n, _: one * n + before,
    lambda labels: labels,
)
"""Lists allocations: the options that groups are given."""


def greatest(worth: Callable[[Group, Option], Marks], nothing: Marks) -> Measure:
    """Return the measure of the greatest worth by each of several marks, from what a group is worth."""
    return Measure(
        nothing,
        worth,
        lambda a, b: tuple(map(add, a, b)),
        lambda one, before, n, _: tuple(b + n * a for a, b in zip(one, before, strict=True)),
        lambda labels: [tuple(map(max, *labels))] if labels[1:] else labels,
    )


# -- what goes together ----------------------------------------------------------------------------


def join(a: Key, b: Key) -> Key | None:
    """Return the key of two parts together, or None if they exclude each other."""
    points_a, mode_a, stage_a, reach_a, resolved_a, gone_a, help_a = a
    points_b, mode_b, stage_b, reach_b, resolved_b, gone_b, help_b = b
    points, resolved, gone = points_a + points_b, resolved_a and resolved_b, gone_a and gone_b
    help_ = help_a if help_a > help_b else help_b
    if not mode_a and not mode_b:
        stage, reach = max((stage_a, reach_a), (stage_b, reach_b))
        return Key(points, PLAIN, stage, reach, resolved, gone, help_)
    mode = max(mode_a, mode_b)
    if mode == PINS or (mode == BARE and mode_a != mode_b):
        return Key(points, mode, 2, 0, resolved, gone, help_)
    if mode != BARE and min(mode_a, mode_b) == PLAIN and stage_a < 2 and stage_b < 2:
        return Key(points, mode, 1, 0, resolved, gone, help_)
    return None


def closed(key: Key, owed: int) -> bool:
    """Return whether what is owed is fulfilled with nothing gratuitous."""
    if key.mode:
        return key.points == owed
    return key.points >= owed > key.points - key.reach


def fits(key: Key, cap: int) -> bool:
    """Return whether so many points are not plainly too many, whatever else happens."""
    return key.points <= cap if key.mode else key.points - key.reach < cap


# -- many together ---------------------------------------------------------------------------------


def part(group: Group, found: Sequence[Option], n: int, cap: int, measure: Measure) -> Table:
    """Return what can happen to ``n`` identical groups, in any number of one option and the other."""
    tables: list[Table] = [{START: [measure.nothing]}, *({} for _ in range(n))]
    for option in found:
        single = measure.option(group, option)
        for before in range(n - 1, -1, -1):  # how many have theirs already
            for key, labels in tables[before].items():
                both: Key | None = key
                for more in range(1, n - before + 1):
                    both = join(both, option.key) if both is not None else None
                    if both is None or (n > 1 and not fits(both, cap)):
                        break
                    tables[before + more].setdefault(both, []).extend(
                        measure.again(single, label, more, n - before) for label in labels
                    )
        for table in tables[1:] if n > 1 else ():
            table.update({k: measure.keep(found) for k, found in table.items() if found[1:]})
    return {key: measure.keep(labels) for key, labels in tables[n].items()}


def fold(table: Table, parts: Iterable[Table], cap: int, measure: Measure) -> Table:
    """Return a table with more parts added to it, but for what goes plainly beyond the cap."""
    times = measure.times
    for more in parts:
        wider: Table = {}
        for key, labels in table.items():
            for other, others in more.items():
                both = join(key, other)
                if both is not None and fits(both, cap):
                    wider.setdefault(both, []).extend(times(a, b) for a in labels for b in others)
        table = {
            key: measure.keep(labels) if len(labels) > 1 else labels
            for key, labels in wider.items()
        }
    return table


def endings(first: Iterable[Key], last: Iterable[Key], owed: int) -> Iterable[tuple[Key, Key]]:
    """Yield what happens to the unpinned and to the units pinned earlier so that all is fulfilled."""
    later = list(last)
    for key in first:
        if closed(key, owed):
            yield from ((key, other) for other in later if not other.stage)
        elif not key.mode and key.resolved and key.points < owed:
            rest = owed - key.points
            for other in later:
                surplus = key.gone and other.gone and other.points < rest
                if surplus or (other.stage and closed(other, rest)):
                    yield key, other


class Folded:
    """
    The fold of classes, at one node after another.

    Parameters
    ----------
    measure
        What is to be known.
    cap
        The most points that are owed at any node.
    """

    def __init__(self, measure: Measure, cap: int) -> None:
        self.measure, self.cap = measure, cap
        self._parts: dict[tuple[int, ...], tuple[Table, object]] = {}
        self._tables: dict[Any, Table] = {(): {START: [measure.nothing]}}

    def ends(self, classes: Sequence[Class], owed: int) -> list[tuple[int, Label]]:
        """Return the labels of all that fulfils 1 point or more, with what the remaining leader takes off rallies."""
        first, last = (
            self._table(tuple(sorted(map(self._part, found))))
            for found in (
                [class_ for class_ in classes if not class_.group.pinned],
                [class_ for class_ in classes if class_.group.pinned],
            )
        )
        return [
            (max(key.help, other.help), self.measure.times(a, b))
            for key, other in endings(first, last, owed)
            for a in first[key]
            for b in last[other]
        ]

    def _part(self, class_: Class) -> tuple[int, ...]:
        """Return by which its table is known: classes that rolls change come last."""
        group, found, names = class_
        known = int(group.rolls), id(group), id(found), len(names)
        if known not in self._parts:
            more = part(group, found, len(names), self.cap, self.measure)
            self._parts[known] = more, found  # it stays alive, so that no other has its number
        return known

    def _table(self, parts: tuple[tuple[int, ...], ...]) -> Table:
        if parts not in self._tables:
            more = [self._parts[parts[-1]][0]]
            self._tables[parts] = fold(self._table(parts[:-1]), more, self.cap, self.measure)
        return self._tables[parts]


def listed(classes: Sequence[Class], owed: int) -> Iterator[Picked]:
    """Yield the options that classes are given in every way to fulfil 1 point or more."""
    for _, taken in Folded(EVERY, owed).ends(classes, owed):
        times = Counter(map(id, taken))
        yield tuple(
            tuple(
                number
                for number in reversed(range(len(class_.options)))
                for _ in range(times[id(class_.options[number])])
            )
            for class_ in classes
        )
