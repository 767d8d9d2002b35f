"""Precedence variables of vehicles in a program, of those that cuts name, and what a solution owes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl.cpsat.transport.cuts import Cut, Literal, SurchargeCut
from marchtable_models.asl.cpsat.transport.precedence import Home, ranked

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from marchtable.cpsat.rows import Rows
    from marchtable_models.asl.cpsat.transport.cuts import AtLeast
    from marchtable_models.asl.cpsat.transport.precedence import Before, Chosen, Turns

__all__ = ["Precedences", "known", "owed"]

MOST = 10**6  # half points: more than anybody pays, in place of what cannot be done


def known(cuts: Iterable[Cut | SurchargeCut], chosen: Chosen, turns: Turns) -> dict[str, int]:
    """Return what cuts tell that actors pay more in a plan, by actor; too much where they may not act."""
    found: dict[str, int] = {}
    for cut in cuts:
        if isinstance(cut, SurchargeCut) and cut.is_met(chosen, turns):
            more = cut.surcharge(chosen[cut.actor])
            found[cut.actor] = max(found.get(cut.actor, 0), MOST if more is None else more)
    return found


def owed(
    cuts: Iterable[Cut | SurchargeCut], chosen: Chosen, turns: Turns, order: Turns
) -> set[Before]:
    """
    Return which vehicles act before which in a plan, where by cuts it comes to more otherwise.

    Parameters
    ----------
    cuts, chosen
        What is known, and the plan.
    turns
        By which it comes to the least.
    order
        Kept where it comes to the same.
    """
    bearing = [cut for cut in cuts if _bears(cut, chosen)]
    fixed: set[Before] = set()
    found: set[Before] = set()
    for cut in bearing:
        for literal in cut.literals:
            if isinstance(literal, Literal):
                continue
            if isinstance(cut, Cut):
                fixed.add(literal.kept(turns))
            elif not literal.holds(chosen, turns):
                found.add(literal.kept(turns))
        if isinstance(cut, SurchargeCut) and cut.throngs and not cut.is_met(chosen, turns):
            found |= _scattered(cut.throngs, chosen, turns)
    found |= fixed
    least = sum(known(bearing, chosen, ranked(order, found)).values())
    for pair in sorted(found - fixed):
        fewer = found - {pair}
        if order[pair[0]] > order[pair[1]]:
            now = ranked(order, fewer)
            if sum(known(bearing, chosen, now).values()) <= least:
                found = fewer
    return found


def _scattered(throngs: Iterable[AtLeast], chosen: Chosen, turns: Turns) -> set[Before]:
    """Return which vehicles act before which so that some do not stand somewhere as another acts."""
    return {
        literal.kept(turns)
        for at_least in throngs
        if at_least.actor in turns
        for name in at_least.able(chosen)
        if name in turns
        for literal in at_least.literals(name)
        if not isinstance(literal, Literal) and not literal.holds(chosen, turns)
    }


def _bears(cut: Cut | SurchargeCut, chosen: Chosen) -> bool:
    """Tell whether a cut is about what is done in a plan, in whichever order."""
    told = (x for x in cut.literals if isinstance(x, Literal))
    if not all(x.test(chosen[x.unit]) for x in told):
        return False
    if isinstance(cut, Cut):
        return True
    able = all(len(at_least.able(chosen)) >= at_least.enough for at_least in cut.throngs)
    return able and cut.surcharge(chosen[cut.actor]) != 0


class Precedences:
    """
    The turns of vehicles as variables; of those alone that cuts name.

    Parameters
    ----------
    rows
        What takes the rows.
    order
        All vehicles that might act.
    """

    def __init__(self, rows: Rows, order: Collection[str]) -> None:
        self.rows, self._last = rows, len(order) - 1
        self._ranks: dict[str, int] = {}
        self._known: dict[Before, int] = {}
        self._enoughs: dict[tuple[tuple[int, ...], int], int] = {}
        self._homes: dict[Before, int] = {}
        self._there: dict[tuple[str, str, str], int] = {}

    @property
    def is_used(self) -> bool:
        """Whether turns of any vehicles matter."""
        return bool(self._known)

    def first(self, one: str, two: str) -> int:
        """Return the literal of a vehicle's acting before another: of one of the two it is negated."""
        one, two, is_turned = (one, two, False) if one < two else (two, one, True)
        if (one, two) not in self._known:
            goes = self._known[one, two] = self.rows.new()
            a, b, more = self._rank(one), self._rank(two), self._last + 1
            self.rows.total([(a, 1), (b, -1), (goes, more)], most=more - 1)
            self.rows.total([(b, 1), (a, -1), (goes, -more)], most=-1)
        return ~self._known[one, two] if is_turned else self._known[one, two]

    def home(self, literal: Home, stays: Collection[int]) -> int:
        """Return a variable that holds while a vehicle is at home, told the columns that stay there."""
        key = (literal.unit, literal.other)
        if key not in self._homes:
            home = self._homes[key] = self.rows.new()
            self.rows.any_of((home, self.first(literal.unit, literal.other)))
            if stays:
                self.rows.total([(home, 1), *((x, -1) for x in stays)], least=0)
        return self._homes[key]

    def there(self, name: str, at_least: AtLeast, ends: Collection[int]) -> int:
        """Return a variable that holds while a vehicle stands somewhere, told the columns that end there."""
        if name in at_least.homes:
            return self.home(Home(name, at_least.test, at_least.actor), ends)
        key = (name, at_least.actor, at_least.at)
        if key not in self._there:
            there = self._there[key] = self.rows.new()
            goes = self.first(name, at_least.actor)
            first, most = ((goes, 1), 1) if goes >= 0 else ((~goes, -1), 0)
            self.rows.total([*((x, 1) for x in ends), first, (there, -1)], most=most)
        return self._there[key]

    def enough(self, literals: Sequence[int], count: int) -> int:
        """Return a literal that holds if so many of some do."""
        key = (tuple(literals), count)
        if key not in self._enoughs:
            found = self._enoughs[key] = self.rows.new()
            if count == 1:
                for one in literals:
                    self.rows.total([(one, 1), (found, -1)], most=0)
            else:
                terms = [*((x, 1) for x in literals), (found, count - 1 - len(literals))]
                self.rows.total(terms, most=count - 1)
        return self._enoughs[key]

    def _rank(self, name: str) -> int:
        if name not in self._ranks:
            self._ranks[name] = self.rows.new(self._last)
        return self._ranks[name]

    def turns(self, told: Sequence[int]) -> dict[str, int]:
        """Return the turns that a solution tells, of the vehicles that have one."""
        return {name: told[number] for name, number in self._ranks.items()}
