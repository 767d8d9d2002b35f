"""Who stands where as a unit acts: literals for who acts before whom, and for how many are there."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Generic

from marchtable.planning.choice.options import Opt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from marchtable.planning.choice.options import (
        Counted,
        Given,
        Pair,
        Presence,
        Problem,
        Spot,
    )

__all__ = ["Presences"]


class Presences(Generic[Opt]):
    r"""
    Literals for what is given as somebody acts.

    With :math:`b_{ij}` that party ``i`` acts before ``j``, an option of ``j`` has its units where
    they begin while :math:`b_{ij}`, and where they end otherwise; the numbers of parties in their
    order make :math:`b` an order. Who goes along in a party is about wherever that goes.

    Parameters
    ----------
    model, problem, x
        The choice of options.
    exact
        Whether literals are true only where it is so; else also where that costs more.
    """

    def __init__(self, model: Any, problem: Problem[Opt], x: Sequence[Any], *, exact: bool) -> None:
        self._model, self._problem, self._x, self._exact = model, problem, x, exact
        self._last = len({option.unit for option in problem.options})
        self._ranks: dict[str, Any] = {}
        self._before: dict[tuple[str, str], Any] = {}
        self._there: dict[tuple[str, str, Presence], Any] = {}
        self._others: dict[tuple[str, str, Spot], list[tuple[Any, int]]] = {}
        self._parties = [problem.party(option) for option in problem.options]
        self._at: dict[Spot, list[tuple[int, int, int]]] | None = None

    def given(self, actor: str, party: str, given: Given) -> Any:
        """Return a literal that is true if all that is given is so as a unit acts with a party."""
        literals = [self.there(actor, party, one) for one in sorted(given, key=repr)]
        if len(literals) == 1:
            return literals[0]
        every = self._model.new_bool_var("")
        self._model.add_bool_or([*(one.negated() for one in literals), every])
        if self._exact:
            self._model.add_bool_and(literals).only_enforce_if(every)
        return every

    def there(self, actor: str, party: str, presence: Presence) -> Any:
        """Return a literal that is true if so many others are somewhere as a unit acts with a party."""
        key = (actor, party, presence)
        if key not in self._there:
            self._there[key] = self._model.new_bool_var("")
            self._count(actor, party, presence, self._there[key])
        return self._there[key]

    def before(self, unit: str, other: str) -> Any:
        """Return the literal that one party acts before another."""
        if unit > other:
            return self.before(other, unit).negated()
        if (unit, other) not in self._before:
            literal = self._before[unit, other] = self._model.new_bool_var("")
            first, second = self._rank(unit), self._rank(other)
            self._model.add(first < second).only_enforce_if(literal)
            self._model.add(second < first).only_enforce_if(literal.negated())
        return self._before[unit, other]

    def order(
        self, is_true: Callable[[Any], bool], actor: str, party: str, given: Given
    ) -> Iterator[tuple[str, str]]:
        """Yield who acts before whom, so that not all that is given is so, once that is solved."""
        clear = (
            one for one in sorted(given, key=repr) if not is_true(self.there(actor, party, one))
        )
        one = next(clear, None)
        if one is None:
            return
        if self._problem.around is not None:
            for number, pair, before, after in self._problem.around(actor, one.spot):
                if before != after and is_true(self._x[number]):
                    yield pair if is_true(self.before(*pair)) else pair[::-1]
            return
        for number, before, after in self.standing(one.spot):
            by, _ = self._parties[number]
            is_own = by == party or actor in self._problem.options[number].units
            if before != after and not is_own and is_true(self._x[number]):
                yield (party, by) if is_true(self.before(party, by)) else (by, party)

    def pairs(self, is_true: Callable[[Any], bool]) -> Iterator[tuple[str, str]]:
        """Yield who acts before whom, of all pairs of which that was asked."""
        for (unit, other), literal in self._before.items():
            yield (unit, other) if is_true(literal) else (other, unit)

    def standing(self, spot: Spot) -> list[tuple[int, int, int]]:
        """Return the options that have units in a spot: number, and how many before and after."""
        if self._at is None:
            self._at = defaultdict(list)
            for number, option in enumerate(self._problem.options):
                before, after = self._problem.stands(option)
                for at in {*before, *after}:
                    self._at[at].append((number, before.get(at, 0), after.get(at, 0)))
        return self._at.get(spot, [])

    def _rank(self, unit: str) -> Any:
        if unit not in self._ranks:
            self._ranks[unit] = self._model.new_int_var(0, self._last, "")
        return self._ranks[unit]

    def _count(self, actor: str, party: str, presence: Presence, there: Any) -> None:
        if presence.least == 1 and not self._exact:
            for chosen, literal, _ in self._groups(actor, party, presence.spot):
                self._present(chosen, literal, there)
            return
        key = (actor, party, presence.spot)
        if key not in self._others:
            self._others[key] = [
                (self._present(chosen, literal, None), count)
                for chosen, literal, count in self._groups(*key)
            ]
        terms = self._others[key]
        total, most = sum(count * x for x, count in terms), sum(count for _, count in terms)
        more = max(0, most - presence.least + 1)  # no looser than it need be
        self._model.add(total <= presence.least - 1 + more * there)
        if self._exact:
            self._model.add(total >= presence.least).only_enforce_if(there)

    def _around(self, counted: Iterable[Counted]) -> Iterator[tuple[list[Any], Any, int]]:
        """Yield the same, told by the problem itself; who begins or ends there is one literal for all his options."""
        groups: dict[tuple[str, Pair, int, int], list[Any]] = defaultdict(list)
        for number, pair, before, after in counted:
            groups[self._problem.options[number].unit, pair, before, after].append(self._x[number])
        for (_, pair, before, after), chosen in groups.items():
            found = self._model.new_bool_var("")
            self._model.add(sum(chosen) == found)
            if both := min(before, after):
                yield [found], None, both
            if before > after:
                yield [found], self.before(*pair), before - after
            elif after > before:
                yield [found], self.before(*pair[::-1]), after - before

    def _groups(self, actor: str, party: str, spot: Spot) -> Iterator[tuple[list[Any], Any, int]]:
        """Yield how many others are somewhere if any of some options is chosen, while a literal is true."""
        if self._problem.around is not None:
            yield from self._around(self._problem.around(actor, spot))
            return
        standing: dict[tuple[str, str, int, int], list[Any]] = defaultdict(list)
        along: dict[tuple[str, int], list[Any]] = defaultdict(list)
        options = self._problem.options
        for number, before, after in self.standing(spot):
            by, _ = self._parties[number]
            if actor not in options[number].units and not (by == party and options[number].acts):
                standing[by, options[number].unit, before, after].append(self._x[number])
        for number, (by, sorts) in enumerate(self._parties):
            if by == party and spot[1] in sorts and actor not in options[number].units:
                along[options[number].unit, sorts[spot[1]]].append(self._x[number])
        for (by, _, before, after), chosen in standing.items():
            for count, literal in (
                (min(before, after), None),
                (max(0, before - after), self.before(party, by) if before > after else None),
                (max(0, after - before), self.before(by, party) if after > before else None),
            ):
                if count:
                    yield chosen, literal, count
        for (_, count), chosen in along.items():
            yield chosen, None, count

    def _present(self, chosen: Sequence[Any], literal: Any, present: Any) -> Any:
        """Return a literal that is true if any of these is chosen while another literal is true."""
        present = self._model.new_bool_var("") if present is None else present
        unless = [present] if literal is None else [present, literal.negated()]
        for one in chosen:
            self._model.add_bool_or([one.negated(), *unless])
        if self._exact:
            self._model.add_bool_or([present.negated(), *chosen])
            if literal is not None:
                self._model.add_implication(present, literal)
        return present
