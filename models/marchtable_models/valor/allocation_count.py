"""How many allocations there are, without listing them: products of polynomials.

A class of ``n`` identical groups becomes a polynomial whose coefficient of ``x ** v`` counts the
ways in which it can fulfil ``v`` points; one long integer holds all coefficients, so a product is
one multiplication. Allocations whose largest reach is ``M`` are those with no reach above ``M``
less those with none above the next lower one.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from marchtable_models.valor.allocation_groups import options

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from marchtable_models.valor.allocation_cargo import Group
    from marchtable_models.valor.allocation_groups import Hex, Option
    from marchtable_models.valor.allocation_stack import Choices

__all__ = ["Count", "count_hex"]

Classes = tuple[tuple["Group", int], ...]


class Count(NamedTuple):
    """
    How many final allocations there are.

    ``kinds`` takes identical units as one, ``ways`` tells them apart.
    """

    kinds: int
    ways: int


class _Tally:
    """Counts for one standing (unpinned or pinned), told apart or not."""

    def __init__(self, classes: Classes, points: int, choices: Choices, *, apart: bool) -> None:
        self.classes = [(options(group, choices), n) for group, n in classes]
        self.apart = apart
        every = [option for found, _ in self.classes for option in found]
        top = max((option.reach for option in every), default=0)
        self.cap = points + top
        weight = sum(o.ways for o in every) + 1
        self.width = max(1, sum(n for _, n in self.classes)) * weight.bit_length() + 1
        self.mask = (1 << self.width * self.cap) - 1

    def product(self, keep: Callable[[Option], bool]) -> int:
        """Return the polynomial of all choices among the options kept."""
        total = 1
        for found, n in self.classes:
            total = total * self._powers([o for o in found if keep(o)], n)[n] & self.mask
        return total

    def _powers(self, found: list[Option], n: int) -> list[int]:
        """Return the polynomials of 0 to ``n`` identical groups."""
        powers = [1] + [0] * n
        if self.apart:
            one = sum(o.ways << self.width * o.points for o in found)
            for i in range(1, n + 1):
                powers[i] = powers[i - 1] * one & self.mask
            return powers
        for option in found:
            shift = self.width * option.points
            for i in range(1, n + 1):
                powers[i] += powers[i - 1] << shift & self.mask
        return powers

    def bare(self, keep: Callable[[Option], bool], is_bare: Callable[[Option], bool]) -> int:
        """Return the polynomial of choices with exactly one bare option."""
        none, one = 1, 0
        for found, n in self.classes:
            powers = self._powers([o for o in found if keep(o)], n)
            singles = sum(
                (o.ways if self.apart else 1) << self.width * o.points for o in found if is_bare(o)
            )
            ones = powers[n - 1] * singles * (n if self.apart else 1)
            one = one * powers[n] + none * ones & self.mask
            none = none * powers[n] & self.mask
        return one

    def at(self, polynomial: int, points: int) -> int:
        """Return one coefficient."""
        return polynomial >> self.width * points & ((1 << self.width) - 1)

    def closed(self, points: int) -> int:
        """Return how many choices fulfil exactly what ``points`` asks for."""
        early = self.product(lambda o: o.stage < 2 and not o.bare)
        plain, late = self._by_reach(points, early, 2)
        total = late + self._by_reach(points, 1, 1)[1]
        total += self.at(self.product(lambda o: not o.bare), points) - self.at(plain, points)
        late_bare = self.bare(lambda o: not o.bare, lambda o: o.bare and o.stage == 2)
        early_bare = self.bare(
            lambda o: o.stage < 2 and not o.bare, lambda o: o.bare and o.stage == 1
        )
        return total + self.at(late_bare, points) + self.at(early_bare, points)

    def _by_reach(self, points: int, base: int, stage: int) -> tuple[int, int]:
        """Return the polynomial with no pins, and the choices that end in that stage."""
        plain = [o for found, _ in self.classes for o in found if not (o.pin or o.bare)]
        total, before = 0, base
        for reach in sorted({o.reach for o in plain if o.stage == stage}):
            now = self.product(lambda o, reach=reach: _within(o, stage, reach))  # type: ignore[misc]
            for v in range(points, points + reach):
                total += self.at(now, v) - self.at(before, v)
            before = now
        return before, total


def _within(option: Option, stage: int, reach: int) -> bool:
    if option.pin or option.bare or option.stage > stage:
        return False
    return option.stage < stage or option.reach <= reach


def count_hex(found: Hex, points: int, choices: Choices) -> Count:
    """Return how many final allocations a hex has."""
    key = tuple(_sizes(classes) for classes in found)
    return Count(*(_count(*key, points, choices, apart=apart) for apart in (False, True)))


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
    resolved = first.product(lambda o: o.resolved)
    gone = first.product(lambda o: o.gone)
    second = _Tally(pinned, points, choices, apart=apart)
    lost = second.product(lambda o: o.gone)
    for spent in range(points):
        ways = first.at(resolved, spent)
        if pinned and ways:
            total += ways * second.closed(points - spent)
        ways = first.at(gone, spent)
        if ways:
            total += ways * sum(second.at(lost, v) for v in range(points - spent))
    return total
