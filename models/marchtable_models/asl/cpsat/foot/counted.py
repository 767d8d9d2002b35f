"""How many are about as units come to a Location: variables that tell whether there are so many."""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from marchtable_models.asl.cpsat.foot.congestion import BARRED
from marchtable_models.asl.cpsat.foot.options import STAYS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from marchtable.cpsat.rows import Rows
    from marchtable_models.asl.cpsat.foot.congestion import CongestionCost
    from marchtable_models.asl.cpsat.foot.cuts import Cuts

    About = list[tuple[int, str, int]]

__all__ = ["Counted", "Price"]


class Price(NamedTuple):
    """What is paid as a sum of literals times numbers, and the literal that bars it altogether."""

    terms: list[tuple[int, int]]
    barred: int | None


class Counted:
    """
    Tells whether so many others are in a Location as somebody comes there.

    Whoever meets the same others there, or what may be the same, shares the variables.

    Parameters
    ----------
    cuts, congestion
        What is known beyond the options, and of this a Location with whom to count there.
    of
        By unit and row the variable of doing it.
    rows
        To add to.
    """

    def __init__(
        self,
        cuts: Cuts,
        congestion: CongestionCost,
        of: Mapping[str, Mapping[int, int]],
        rows: Rows,
    ) -> None:
        self.cuts, self.congestion, self._rows = cuts, congestion, rows
        self._come: About = []
        self._go: About = []
        self._stacks: dict[tuple[int, int], list[tuple[str, int]]] = {}
        for name, options in cuts.options_of.items():
            if cuts.looks[name] == congestion.looks:
                for row, x in of[name].items():
                    if options.home == congestion.at:
                        self._go.append((int(options.turn[row]), name, x))
                    elif options.at[row] == congestion.at:
                        self._come.append((int(options.turn[row]), name, x))
                    if row != STAYS and congestion.with_stack:
                        key = cuts.congestions.group(name, row)
                        self._stacks.setdefault(key, []).append((name, x))
        self._come.sort()
        self._go.sort()
        self._enough: dict[tuple[tuple[int, ...], int], int | None] = {}

    def price(self, name: str, row: int) -> Price:
        """Return what a unit pays on a row's way as a sum of literals times numbers, and what bars it."""
        prices = self.congestion.prices[int(self.congestion.of[name][row])]
        if not prices[-1]:
            return Price([], None)
        there, along = self._about(name, row)
        own = any(other == name for other, _ in along)
        if own and len(along) == 1:
            own, along = False, []
        names = {other for other, _ in (*there, *along)}
        literals = tuple(x for _, x in (*there, *along))
        terms: list[tuple[int, int]] = []
        barred = None
        for count, (before, more) in enumerate(pairwise(prices), start=1):
            y = self._at_least(literals, len(names), count + own) if more > before else None
            if y is not None and more == BARRED:
                barred = y
            elif y is not None:
                terms.append((y, more - before))
        return Price(terms, barred)

    def _about(self, name: str, row: int) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
        """Return who may be there as a unit comes, and who comes along, perhaps with itself."""
        turn = int(self.cuts.options_of[name].turn[row])
        come, go = bisect_left(self._come, (turn,)), bisect_left(self._go, (turn + 1,))
        there = [(other, x) for _, other, x in (*self._come[:come], *self._go[go:])]
        return there, self._stacks.get(self.cuts.congestions.group(name, row), [])

    def _at_least(self, literals: tuple[int, ...], units: int, count: int) -> int | None:
        """Return a variable that is 1 if so many of some hold, no more than one of each unit."""
        if units < count:
            return None
        key = (literals, count)
        if key not in self._enough:
            self._enough[key] = y = self._rows.new()
            over = units - count + 1
            self._rows.total([*((x, 1) for x in literals), (y, -over)], most=count - 1)
        return self._enough[key]
