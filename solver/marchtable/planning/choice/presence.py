"""Who stands where as a unit acts: literals for who acts before whom, and for how many are there."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Generic

from marchtable.planning.choice.options import Opt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from marchtable.planning.choice.options import Given, Presence, Problem, Spot

__all__ = ["Presences"]


class Presences(Generic[Opt]):
    r"""
    Literals for what is given as somebody acts.

    With :math:`b_{ij}` that unit ``i`` acts before ``j``, an option of ``j`` has its units where
    they begin while :math:`b_{ij}`, and where they end otherwise; the numbers of units in their
    order make :math:`b` an order.

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
        self._there: dict[tuple[str, Presence], Any] = {}
        self._at: dict[Spot, list[tuple[int, int, int]]] | None = None

    def given(self, actor: str, given: Given) -> Any:
        """Return a literal that is true if all that is given is so as a unit acts."""
        literals = [self.there(actor, one) for one in sorted(given, key=repr)]
        if len(literals) == 1:
            return literals[0]
        every = self._model.new_bool_var("")
        self._model.add_bool_or([*(one.negated() for one in literals), every])
        if self._exact:
            self._model.add_bool_and(literals).only_enforce_if(every)
        return every

    def there(self, actor: str, presence: Presence) -> Any:
        """Return a literal that is true if so many others stand somewhere as a unit acts."""
        key = (actor, presence)
        if key not in self._there:
            self._there[key] = self._model.new_bool_var("")
            self._count(actor, presence, self._there[key])
        return self._there[key]

    def before(self, unit: str, other: str) -> Any:
        """Return the literal that one unit acts before another."""
        if unit > other:
            return self.before(other, unit).negated()
        if (unit, other) not in self._before:
            literal = self._before[unit, other] = self._model.new_bool_var("")
            first, second = self._rank(unit), self._rank(other)
            self._model.add(first < second).only_enforce_if(literal)
            self._model.add(second < first).only_enforce_if(literal.negated())
        return self._before[unit, other]

    def order(self, is_true: Callable[[Any], bool], actor: str, given: Given) -> Iterator[Any]:
        """Yield who acts before whom, so that not all that is given is so, once that is solved."""
        clear = (one for one in sorted(given, key=repr) if not is_true(self.there(actor, one)))
        one = next(clear, None)
        for number, before, after in self._standing(one.spot) if one else ():
            option = self._problem.options[number]
            if before != after and actor not in option.units and is_true(self._x[number]):
                pair = (actor, option.unit)
                yield pair if is_true(self.before(*pair)) else pair[::-1]

    def pairs(self, is_true: Callable[[Any], bool]) -> Iterator[tuple[str, str]]:
        """Yield who acts before whom, of all pairs of which that was asked."""
        for (unit, other), literal in self._before.items():
            yield (unit, other) if is_true(literal) else (other, unit)

    def _standing(self, spot: Spot) -> list[tuple[int, int, int]]:
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

    def _count(self, actor: str, presence: Presence, there: Any) -> None:
        groups: dict[tuple[str, int, int], list[Any]] = defaultdict(list)
        for number, before, after in self._standing(presence.spot):
            option = self._problem.options[number]
            if actor not in option.units:
                groups[option.unit, before, after].append(self._x[number])
        single = presence.least == 1 and not self._exact
        terms = []
        for (other, before, after), chosen in groups.items():
            for count, literal in (
                (min(before, after), None),
                (max(0, before - after), self.before(actor, other) if before > after else None),
                (max(0, after - before), self.before(other, actor) if after > before else None),
            ):
                if count:
                    terms.append((self._present(chosen, literal, there if single else None), count))
        if single:
            return
        total, most = sum(count * x for x, count in terms), sum(count for _, count in terms)
        more = max(0, most - presence.least + 1)  # no looser than it need be
        self._model.add(total <= presence.least - 1 + more * there)
        if self._exact:
            self._model.add(total >= presence.least).only_enforce_if(there)

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
