"""How many allocations there are, without listing them: products of polynomials.

A class of ``n`` identical groups becomes a polynomial whose coefficient of ``x ** v`` counts the
ways in which it can fulfil ``v`` points; one long integer holds all coefficients, so a product is
one multiplication. Allocations whose largest reach is ``M`` are those with no reach above ``M``
less those with none above the next lower one.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from marchtable_models.valor.allocating.groups import options

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from marchtable_models.valor.allocating.cargo import Group
    from marchtable_models.valor.allocating.groups import Hex, Option
    from marchtable_models.valor.allocating.stack import Choices

__all__ = ["Count", "count_hex"]

MOST = 1 << 30
WORD = 64

KINDS: dict[str, Callable[[Option], bool]] = {
    "not bare": lambda option: not option.bare,
    "resolved": lambda option: option.resolved,
    "gone": lambda option: option.gone,
}

Classes = tuple[tuple["Group", int], ...]


class Count(NamedTuple):
    """
    How many final allocations there are.

    ``kinds`` takes identical units as one, ``ways`` tells them apart.
    """

    kinds: int
    ways: int


class _Class:
    """The polynomials of ``n`` identical groups, coefficients ``width`` bits wide."""

    def __init__(self, found: tuple[Option, ...], n: int, width: int, *, apart: bool) -> None:
        self.found = found
        self.n = n
        self.width = width
        self.apart = apart
        self.has_bare = any(option.bare for option in found)
        self.plain = [o for o in found if not (o.pin or o.bare)]
        self.reaches = {s: sorted({o.reach for o in self.plain if o.stage == s}) for s in (1, 2)}
        self._of: dict[str, int] = {}
        self._within: dict[tuple[int, int], int] = {}

    def powers(self, kept: list[Option], most: int) -> list[int]:
        """Return the polynomials of 0 to ``most`` groups that take only the options kept."""
        powers = [1] + [0] * most
        if self.apart or most == 1:
            one = 0
            for option in kept:
                one += (option.ways if self.apart else 1) << self.width * option.points
            for i in range(1, most + 1):
                powers[i] = powers[i - 1] * one
            return powers
        for option in kept:
            shift = self.width * option.points
            for i in range(1, most + 1):
                powers[i] += powers[i - 1] << shift
        return powers

    def of(self, which: str) -> int:
        """Return the polynomial of some options: one of :data:`KINDS`."""
        if which not in self._of:
            keep = KINDS[which]
            self._of[which] = self.powers([o for o in self.found if keep(o)], self.n)[self.n]
        return self._of[which]

    def within(self, stage: int, reach: int) -> int:
        """Return the polynomial of plain options up to a stage, with no longer reach in it."""
        known = bisect_right(self.reaches[stage], reach)
        if (stage, known) not in self._within:
            kept = [
                o for o in self.plain if o.stage < stage or (o.stage == stage and o.reach <= reach)
            ]
            self._within[stage, known] = self.powers(kept, self.n)[self.n]
        return self._within[stage, known]


@lru_cache(maxsize=4096)
def _class(group: Group, n: int, width: int, choices: Choices, *, apart: bool) -> _Class:
    return _Class(options(group, choices), n, width, apart=apart)


@lru_cache(maxsize=4096)
def _size(group: Group, choices: Choices) -> tuple[int, int]:
    """Return the ways of all options of a group, and their longest reach."""
    found = options(group, choices)
    return sum(option.ways for option in found), max(option.reach for option in found)


class _Tally:
    """Counts for one standing (unpinned or pinned), identical units told apart or not."""

    def __init__(self, classes: Classes, points: int, choices: Choices, *, apart: bool) -> None:
        sizes = [_size(group, choices) for group, _ in classes]
        top = max((reach for _, reach in sizes), default=0)
        weight = max((ways for ways, _ in sizes), default=1) + 1
        needed = sum(n for _, n in classes) * weight.bit_length() + 1
        self.width = -(-needed // WORD) * WORD  # few widths, so that classes are met again
        self.mask = (1 << self.width * (points + top)) - 1
        self.classes = [_class(group, n, self.width, choices, apart=apart) for group, n in classes]

    def _product(self, polynomials: Iterable[int]) -> int:
        total = 1
        for polynomial in polynomials:
            total = total * polynomial & self.mask
        return total

    def product(self, which: str) -> int:
        """Return the polynomial of all choices among some options: one of :data:`KINDS`."""
        return self._product(each.of(which) for each in self.classes)

    def _bare(self, keep: Callable[[Option], bool], stage: int) -> int:
        """Return the polynomial of choices with exactly one bare option, of that stage."""
        none, one = 1, 0
        for each in self.classes:
            powers = each.powers([o for o in each.found if keep(o)], each.n)
            bare = [o for o in each.found if o.bare and o.stage == stage]
            single = each.powers(bare, 1)[1] * (each.n if each.apart else 1)
            one = one * powers[each.n] + none * powers[each.n - 1] * single & self.mask
            none = none * powers[each.n] & self.mask
        return one

    def at(self, polynomial: int, points: int) -> int:
        """Return one coefficient."""
        return polynomial >> self.width * points & ((1 << self.width) - 1)

    def between(self, polynomial: int, first: int, end: int) -> int:
        """Return the sum of the coefficients from ``first`` to before ``end``."""
        digits = polynomial >> self.width * first & ((1 << self.width * (end - first)) - 1)
        return digits % ((1 << self.width) - 1)  # casting out nines, in a larger base

    def closed(self, points: int) -> int:
        """Return how many choices fulfil exactly what ``points`` asks for."""
        early = self._product(each.within(1, MOST) for each in self.classes)
        plain, total = self._by_reach(points, early, 2)
        total += self._by_reach(points, 1, 1)[1]
        total += self.at(self.product("not bare"), points) - self.at(plain, points)
        if any(each.has_bare for each in self.classes):
            total += self.at(self._bare(lambda o: not o.bare, 2), points)
            total += self.at(self._bare(lambda o: o.stage < 2 and not o.bare, 1), points)
        return total

    def _by_reach(self, points: int, base: int, stage: int) -> tuple[int, int]:
        """Return the polynomial with no pins, and the choices that end in that stage."""
        total, before = 0, base
        for reach in sorted({reach for each in self.classes for reach in each.reaches[stage]}):
            now = self._product(each.within(stage, reach) for each in self.classes)
            total += self.between(now - before, points, points + reach)
            before = now
        return before, total


def count_hex(found: Hex, points: int, choices: Choices) -> Count:
    """Return how many final allocations a hex has."""
    key = tuple(_sizes(classes) for classes in found)
    kinds = _count(*key, points, choices, apart=False)
    if all(n == 1 and len(set(group.units)) == len(group.units) for c in key for group, n in c):
        return Count(kinds, kinds)
    return Count(kinds, _count(*key, points, choices, apart=True))


def _sizes(classes: Iterable[tuple[Group, tuple[tuple[str, ...], ...]]]) -> Classes:
    return tuple((group, len(names)) for group, names in classes)


@lru_cache(maxsize=1024)
def _count(
    unpinned: Classes, pinned: Classes, points: int, choices: Choices, *, apart: bool
) -> int:
    if not points:
        return 1
    first = _Tally(unpinned, points, choices, apart=apart)
    total = first.closed(points) if unpinned else 0
    gone = first.product("gone")
    if not pinned:
        return total + first.between(gone, 0, points)
    second = _Tally(pinned, points, choices, apart=apart)
    resolved, lost = first.product("resolved"), second.product("gone")
    for spent in range(points):
        ways = first.at(resolved, spent)
        if ways:
            total += ways * second.closed(points - spent)
        ways = first.at(gone, spent)
        if ways:
            total += ways * second.between(lost, 0, points - spent)
    return total
