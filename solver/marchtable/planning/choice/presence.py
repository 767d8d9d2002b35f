"""Presence as a unit acts: literals for the order of parties, and for how many units are where."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, cast

from marchtable.planning.choice.options import Moment, Opt

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

    from marchtable.planning.choice.options import (
        Counted,
        Given,
        Occupancy,
        Pair,
        Presence,
        Spot,
        TimedSpot,
    )

    Counts = Mapping[Spot, int]
    Party = tuple[str, Mapping[Hashable, int]]

__all__ = ["END", "START", "PresenceLiterals", "Stations", "Stay", "Turns"]


class Turns(Generic[Opt]):
    """
    The occupancy if units act in turns: each is at its start until its turn, then at its end.

    Parameters
    ----------
    options
        All of them.
    stands
        Returns the numbers of units by place and sort that an option has before and after its turn.
    party
        Returns the party of an option, and how many units of each sort it brings: to others of that
        party these are wherever it goes. Without it, each unit has its own turn.
    """

    def __init__(
        self, options: Sequence[Opt], stands: Callable[[Opt], tuple[Counts, Counts]],
        party: Callable[[Opt], Party] | None = None,
    ) -> None:  # fmt: skip
        self._options = options
        self._at: dict[Spot, list[tuple[int, int, int]]] = defaultdict(list)
        self._parties: list[str] = []
        self._along: dict[tuple[str, Hashable], list[tuple[int, int]]] = defaultdict(list)
        for number, option in enumerate(options):
            before, after = stands(option)
            for at in {*before, *after}:
                self._at[at].append((number, before.get(at, 0), after.get(at, 0)))
            by, sorts = party(option) if party else (option.unit, {})
            self._parties.append(by)
            for sort, count in sorts.items():
                self._along[by, sort].append((number, count))

    def party(self, number: int) -> str:
        """Return the party in whose turn an option is done."""
        return self._parties[number]

    def about(self, actor: str, party: str, spot: Spot) -> Iterator[Counted]:
        """Yield the options that put others in a spot as a unit acts in a party's turn."""
        for number, before, after in self.standing(spot):
            by, option = self._parties[number], self._options[number]
            if actor not in option.units and not (by == party and option.acts):
                yield number, (party, by), before, after
        for number, count in self._along.get((party, spot[1]), ()):
            if actor not in self._options[number].units:
                yield number, ("", ""), count, count

    def standing(self, spot: Spot) -> Sequence[tuple[int, int, int]]:
        """Return the options with units in a spot: number, and how many before and after."""
        return self._at.get(spot, ())


START, END = Moment(-1), Moment(2**31)
LAST = (2**62,)
"""After everything in a turn."""


class Stay(NamedTuple):
    """A spot, and the moments between which (exclusive) a unit is there."""

    where: str
    sort: Hashable
    since: Moment = START
    until: Moment = END

    def is_at(self, now: Moment) -> bool:
        """Return whether the unit is there at a moment; the order must be fixed."""
        return self.since < now <= self.until


class Stations(Generic[Opt]):
    """
    The occupancy if units can be in several places in turn; spots also name the moment.

    Parameters
    ----------
    options
        All of them.
    stays
        Returns the places of an option's unit, with their times.
    """

    def __init__(self, options: Sequence[Opt], stays: Callable[[Opt], Sequence[Stay]]) -> None:
        self._options, self._stays = options, stays

    @cached_property
    def _at(self) -> dict[tuple[str, Hashable], list[tuple[int, Stay]]]:
        found: dict[tuple[str, Hashable], list[tuple[int, Stay]]] = defaultdict(list)
        for number, option in enumerate(self._options):
            for stay in self._stays(option):
                found[stay.where, stay.sort].append((number, stay))
        return found

    def party(self, number: int) -> str:
        """Return the party in whose turn an option is done: its own."""
        return self._options[number].unit

    def about(self, actor: str, party: str, spot: TimedSpot) -> Iterator[Counted]:  # noqa: ARG002 - the moment says so
        """Yield the options with units in a spot, except those of the acting unit."""
        where, sort, now = cast("tuple[str, Hashable, Moment]", spot)
        acting = actor if now.rest else now.party
        for number, stay in self._at.get((where, sort), ()):
            if self._options[number].unit not in (actor, acting):
                pair, before, after = seen(stay, now)
                if before or after:
                    yield number, pair, before, after

    def standing(self, spot: Spot) -> tuple[()]:  # noqa: ARG002 - spots know more than that
        """Return nothing: it depends on the order of actions."""
        return ()


def seen(stay: Stay, now: Moment) -> tuple[Pair, int, int]:
    """Return the parties whose order decides a stay at a moment, and the count for either order."""
    parties = (one.party for one in (stay.since, stay.until) if one.stage == now.stage)
    by = next((one for one in parties if one and now.party and one != now.party), None)
    if by is None:
        is_there = int(stay.is_at(now))
        return ("", ""), is_there, is_there
    before, after = Moment(now.stage, by), Moment(now.stage, by, LAST)
    return (now.party, by), int(stay.is_at(before)), int(stay.is_at(after))


class PresenceLiterals:
    r"""
    Literals for presences as a unit acts.

    With :math:`b_{ij}` for "party ``i`` acts before ``j``", an option of ``j`` has its units at
    their start while :math:`b_{ij}`, and at their end otherwise; position numbers of parties make
    :math:`b` an
    order.

    Parameters
    ----------
    model, occupancy
        The choice of options, and the units' places under them.
    units, any_of
        The unit of each option by number, and a function that returns a literal for "one of some
        options of a unit is chosen".
    exact
        Whether literals are true only if the presence holds; otherwise they can also be true where
        that costs more.
    """

    def __init__(
        self, model: Any, occupancy: Occupancy, units: Sequence[str],
        any_of: Callable[[Sequence[int]], Any], *, exact: bool,
    ) -> None:  # fmt: skip
        self._model, self._occupancy, self._exact = model, occupancy, exact
        self._units, self._any_of = units, any_of
        self._last = len({*units})
        self._ranks: dict[str, Any] = {}
        self._before: dict[tuple[str, str], Any] = {}
        self._given: dict[tuple[str, str, Given], Any] = {}
        self._there: dict[tuple[str, str, Spot], dict[int, Any]] = defaultdict(dict)
        self._others: dict[tuple[str, str, Spot], list[tuple[Any, int]]] = {}
        self._both: dict[tuple[int, ...], Any] = {}

    def given(self, actor: str, party: str, given: Given) -> Any:
        """Return a literal that holds if all presences do as a unit acts in a party's turn."""
        key = (actor, party, given)
        if key not in self._given:
            literals = [self.there(actor, party, one) for one in sorted(given, key=repr)]
            self._given[key] = literals[0] if len(literals) == 1 else self._all_of(literals)
        return self._given[key]

    def there(self, actor: str, party: str, presence: Presence) -> Any:
        """Return a literal that holds if enough others are in a spot as a unit acts."""
        spot, least = presence
        known = self._there[actor, party, spot]
        if least not in known:
            found = self._model.new_bool_var("")
            self._count(actor, party, presence, found)
            for count, other in known.items():
                more, fewer = (found, other) if least > count else (other, found)
                self._model.add_implication(more, fewer)
            known[least] = found
        return known[least]

    def before(self, unit: str, other: str) -> Any:
        """Return the literal for one party acting before another."""
        if unit > other:
            return self.before(other, unit).negated()
        if (unit, other) not in self._before:
            literal = self._before[unit, other] = self._model.new_bool_var("")
            first, second = self._rank(unit), self._rank(other)
            self._model.add(first < second).only_enforce_if(literal)
            self._model.add(second < first).only_enforce_if(literal.negated())
        return self._before[unit, other]

    def is_ordered(self, unit: str, other: str) -> bool:
        """Return whether the order of two parties matters."""
        return (min(unit, other), max(unit, other)) in self._before

    def order(
        self, is_true: Callable[[Any], bool], actor: str, party: str, given: Given
    ) -> Iterator[tuple[str, str]]:
        """Yield the pairs, in order, by which a solution avoids that all given presences hold."""
        for one in sorted(given, key=repr):
            if not is_true(self.there(actor, party, one)):
                for number, pair, before, after in self._occupancy.about(actor, party, one.spot):
                    if before != after and is_true(self._any_of((number,))):
                        yield pair if is_true(self.before(*pair)) else pair[::-1]
                return

    def pairs(self, is_true: Callable[[Any], bool]) -> Iterator[tuple[str, str]]:
        """Yield the solution's order of all pairs with a literal."""
        for (unit, other), literal in self._before.items():
            yield (unit, other) if is_true(literal) else (other, unit)

    def _rank(self, unit: str) -> Any:
        if unit not in self._ranks:
            self._ranks[unit] = self._model.new_int_var(0, self._last, "")
        return self._ranks[unit]

    def _count(self, actor: str, party: str, presence: Presence, there: Any) -> None:
        key = (actor, party, presence.spot)
        if presence.least == 1 and not self._exact:
            for literals, _ in self._groups(*key):
                self._model.add_bool_or([*(one.negated() for one in literals), there])
            return
        if key not in self._others:
            self._others[key] = [(self._all_of(some), count) for some, count in self._groups(*key)]
        terms = self._others[key]
        total, most = sum(count * x for x, count in terms), sum(count for _, count in terms)
        more = max(0, most - presence.least + 1)  # as tight as possible
        self._model.add(total <= presence.least - 1 + more * there)
        if self._exact:
            self._model.add(total >= presence.least).only_enforce_if(there)

    def _groups(self, actor: str, party: str, spot: Spot) -> Iterator[tuple[list[Any], int]]:
        """Yield literals, and how many others are in a spot as a unit acts if all of them hold."""
        groups: dict[tuple[Any, ...], list[int]] = defaultdict(list)
        for number, pair, before, after in self._occupancy.about(actor, party, spot):
            groups[self._units[number], pair, before, after].append(number)
        for (_, pair, before, after), numbers in groups.items():
            chosen = self._any_of(numbers)
            if both := min(before, after):
                yield [chosen], both
            if before != after:
                earlier = pair if before > after else pair[::-1]
                yield [chosen, self.before(*earlier)], abs(before - after)

    def _all_of(self, literals: Sequence[Any]) -> Any:
        """Return a literal that holds if all the given ones do."""
        if len(literals) == 1:
            return literals[0]
        key = tuple(sorted(one.index for one in literals))
        if key not in self._both:
            every = self._both[key] = self._model.new_bool_var("")
            self._model.add_bool_or([*(one.negated() for one in literals), every])
            if self._exact:
                self._model.add_bool_and(literals).only_enforce_if(every)
        return self._both[key]
