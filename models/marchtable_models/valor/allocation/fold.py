r"""What can befall several groups together: dynamic programming over the :class:`Key` they add up to.

With :math:`V` the points fulfilled and :math:`N` those of the attack, what befalls the groups is a
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

Nothing else of the rules is stated here: what can befall one group is asked of the clauses
(:mod:`.options`), and the oracle of the tests holds these five lines against every order of steps.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

from marchtable_models.valor.allocation.options import BARE, PINS, PLAIN, START, Key

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from marchtable_models.valor.allocation.options import Group, Option

__all__ = [
    "START", "Count", "Label", "Measure", "Table", "closed", "endings", "fits", "fold", "join", "part",
]  # fmt: skip

L = TypeVar("L")
Table = dict[Key, list[L]]
"""The labels of everything that comes to the same key."""


class Label(NamedTuple):
    """Marks, whatever they count, and how they are come by: options chosen, the last one first."""

    marks: tuple[int, ...]
    how: Any = None


class Measure(Protocol, Generic[L]):
    """What is to be known of allocations: how many there are, the best, those that none beats."""

    nothing: L

    def option(self, group: Group, option: Option) -> L:
        """Return the label of one option."""

    def times(self, a: L, b: L) -> L:
        """Return the label of two things together."""

    def again(self, label: L, before: L, n: int, left: int) -> L:
        """Return a label with an option chosen for ``n`` more of ``left`` identical groups."""

    def chosen(self, label: L, name: int) -> L:
        """Return the label of a whole class, by which it is then known."""

    def keep(self, labels: list[L]) -> list[L]:
        """Return the labels that matter."""


class Count(NamedTuple):
    """How many final allocations there are: identical units taken as one, and told apart."""

    kinds: int
    ways: int


class Counting:
    """Counts allocations."""

    nothing = Count(1, 1)

    def option(self, group: Group, option: Option) -> Count:
        """Return the label of one option."""
        del group
        return Count(1, option.ways)

    def times(self, a: Count, b: Count) -> Count:
        """Return how many combinations there are."""
        return Count(a.kinds * b.kinds, a.ways * b.ways)

    def again(self, label: Count, before: Count, n: int, left: int) -> Count:
        """Return how many there are with so many more copies given an option."""
        return Count(before.kinds, before.ways * comb(left, n) * label.ways**n)

    def chosen(self, label: Count, name: int) -> Count:
        """Return the label as it is."""
        del name
        return label

    def keep(self, labels: list[Count]) -> list[Count]:
        """Return their sum."""
        return [Count(sum(one.kinds for one in labels), sum(one.ways for one in labels))]


COUNTING = Counting()


# -- what goes together ----------------------------------------------------------------------------


def join(a: Key, b: Key) -> Key | None:
    """Return the key of two parts together, or None if they exclude each other."""
    resolved, gone = a[4] and b[4], a[5] and b[5]
    points, help_ = a[0] + b[0], a[6] if a[6] > b[6] else b[6]
    if not a[1] and not b[1]:
        if a[2] == b[2]:
            reach = a[3] if a[3] > b[3] else b[3]
            return Key(points, PLAIN, a[2], reach, resolved, gone, help_)
        late = a if a[2] > b[2] else b
        return Key(points, PLAIN, late[2], late[3], resolved, gone, help_)
    mode = max(a[1], b[1])
    if mode == PINS or (mode == BARE and a[1] != b[1]):
        return Key(points, mode, 2, 0, resolved, gone, help_)
    if mode != BARE and min(a[1], b[1]) == PLAIN and a[2] < 2 and b[2] < 2:
        return Key(points, mode, 1, 0, resolved, gone, help_)
    return None


def closed(key: Key, owed: int) -> bool:
    """Return whether what is owed is fulfilled with nothing gratuitous."""
    if key[1]:
        return key[0] == owed
    return key[0] >= owed > key[0] - key[3]


def fits(key: Key, cap: int) -> bool:
    """Return whether so many points are not plainly too many, whatever else befalls."""
    return key[0] <= cap if key[1] else key[0] - key[3] < cap


# -- many together ---------------------------------------------------------------------------------


def part(
    group: Group, found: Sequence[Option], n: int, cap: int, measure: Measure[L], name: int
) -> Table[L]:
    """Return what can befall ``n`` identical groups, in any number of one option and the other."""
    tables: list[Table[L]] = [{START: [measure.nothing]}, *({} for _ in range(n))]
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
    return {
        key: [measure.chosen(label, name) for label in measure.keep(labels)]
        for key, labels in tables[n].items()
    }


def fold(table: Table[L], parts: Iterable[Table[L]], cap: int, measure: Measure[L]) -> Table[L]:
    """Return a table with more parts added to it, but for what goes plainly beyond the cap."""
    times = measure.times
    for more in parts:
        wider: Table[L] = {}
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


def endings(
    first: Iterable[Key], last: Iterable[Key], owed: int, *, spared: bool = False
) -> Iterable[tuple[Key, Key, int]]:
    """
    Yield what befalls the unpinned and the units pinned earlier so that all is fulfilled, and the waste.

    ``spared`` tells that a survival roll has left a unit which nothing can befall any more.
    """
    later = list(last)
    for key in first:
        if closed(key, owed):
            yield from ((key, other, key.points - owed) for other in later if not other.stage)
        elif not key.mode and key.resolved and key.points < owed:
            rest = owed - key.points
            for other in later:
                if other.stage and closed(other, rest):
                    yield key, other, other.points - rest
                elif key.gone and other.gone and not spared and other.points < rest:
                    yield key, other, 0
