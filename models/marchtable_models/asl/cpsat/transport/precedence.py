"""Precedence of vehicles, which acts before which: how cuts speak of that, and the order that a plan keeps."""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from marchtable_models.asl.cpsat.transport.options import Offer, Trip

    Chosen = Mapping[str, Offer | Trip]
    Turns = Mapping[str, int]
    Test = Callable[[Offer | Trip], bool]

__all__ = ["After", "Before", "Home", "ranked"]

Before = tuple[str, str]
"""A vehicle, and one that acts after it."""


class After(NamedTuple):
    """
    That a vehicle acts after another.

    Parameters
    ----------
    unit, other
        The vehicle, and the one before it.
    """

    unit: str
    other: str

    def holds(self, chosen: Chosen, turns: Turns) -> bool:  # noqa: ARG002
        """Tell whether it is so in a plan."""
        return turns[self.other] < turns[self.unit]

    def tests(self) -> Iterator[tuple[str, Test]]:
        """Yield nothing: it is about no column."""
        yield from ()

    def kept(self, turns: Turns) -> Before:
        """Return which acts first in a plan."""
        return _in_turn(self.unit, self.other, turns)


class Home(NamedTuple):
    """
    That a vehicle is where it began when another acts: it stays there, or acts later.

    Parameters
    ----------
    unit, test
        The vehicle, and what tells that it stays.
    other
        The one that acts.
    """

    unit: str
    test: Test
    other: str

    def holds(self, chosen: Chosen, turns: Turns) -> bool:
        """Tell whether it is so in a plan."""
        return self.test(chosen[self.unit]) or turns[self.other] < turns[self.unit]

    def tests(self) -> Iterator[tuple[str, Test]]:
        """Yield the vehicle, and what tells that it stays."""
        yield self.unit, self.test

    def kept(self, turns: Turns) -> Before:
        """Return which acts first in a plan."""
        return _in_turn(self.unit, self.other, turns)


def _in_turn(one: str, two: str, turns: Turns) -> Before:
    return (one, two) if turns[one] < turns[two] else (two, one)


def ranked(order: Mapping[str, int], before: Collection[Before]) -> dict[str, int]:
    """Return the turn of each vehicle, told who has to act before whom; else they keep an order."""
    owed = dict.fromkeys(order, 0)
    after: dict[str, list[str]] = {name: [] for name in order}
    for first, then in {*before}:
        owed[then] += 1
        after[first].append(then)
    ready = [(place, name) for name, place in order.items() if not owed[name]]
    heapify(ready)
    found: dict[str, int] = {}
    while ready:
        _, name = heappop(ready)
        found[name] = len(found)
        for then in after[name]:
            owed[then] -= 1
            if not owed[then]:
                heappush(ready, (order[then], then))
    assert len(found) == len(order), "vehicles that wait for each other"
    return found
