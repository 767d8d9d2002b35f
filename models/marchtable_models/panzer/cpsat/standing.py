"""Who stands where as a unit acts: what CP-SAT is told of others being in a unit's way."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from marchtable_models.panzer.cpsat.course import Course

__all__ = ["Block", "Crowds", "Standing", "crowd_of"]

Crowds = frozenset[tuple[str, int]]
"""Hexes, each with a number of units that stand there."""


class Block(NamedTuple):
    """
    Units in one unit's way: what it can do, and for how much, if so many stand in some hexes.

    Parameters
    ----------
    unit
        In whose way they are.
    crowds
        Where how many are.
    price
        Tells the points of the cheapest course that comes to the same as a given one; None if
        there is none.
    """

    unit: str
    crowds: Crowds
    price: Callable[[Course], int | None]


def crowd_of(
    course: Course, at: str, started: Mapping[str, tuple[str | None, bool]]
) -> tuple[int, int]:
    """Return how many of a course's units stand in a hex before and after, none of them carried."""
    before = sum(started[end.unit] == (at, False) for end in course.ends)
    if not course.legs:
        return before, before
    return before, sum(end.at == at and end.aboard is None for end in course.known)


class Standing:
    r"""
    Literals for who acts before whom, and for how many stand in a hex as somebody acts.

    With :math:`b_{ij}` that unit ``i`` acts before ``j``, a course of ``j`` puts its units where
    they begin while :math:`b_{ij}`, and where they end otherwise; the numbers of units in their
    order make :math:`b` an order.

    Parameters
    ----------
    model, courses, x
        The choice of courses.
    started
        Where each unit is at the outset, and whether aboard.
    """

    def __init__(
        self,
        model: Any,
        courses: Sequence[Course],
        x: Sequence[Any],
        started: Mapping[str, tuple[str | None, bool]],
    ) -> None:
        self._model, self._courses, self._x, self._started = model, courses, x, started
        self._last = len({course.unit for course in courses})
        self._ranks: dict[str, Any] = {}
        self.before: dict[tuple[str, str], Any] = {}
        self._crowded: dict[tuple[str, str, int], Any] = {}
        self._met: list[tuple[Any, Block]] = []

    def block(self, block: Block, extra: Callable[[str], Any]) -> None:
        """Exclude what a block makes impossible, and let cost more what it makes dearer."""
        now = None
        for chosen, course in zip(self._x, self._courses, strict=True):
            if course.unit != block.unit or not course.legs:
                continue
            price = block.price(course)
            if price is not None and price <= course.points:
                continue
            if now is None:
                now = self._all([self.crowded(block.unit, at, n) for at, n in sorted(block.crowds)])
            self._met.append((chosen, block))
            if price is None:
                self._model.add_bool_or([chosen.negated(), now.negated()])
            else:
                dearer = self._model.add(extra(block.unit) >= price - course.points)
                dearer.only_enforce_if([chosen, now])

    def order(self, is_true: Callable[[Any], bool]) -> set[tuple[str, str]]:
        """Return who must act before whom in a solution so that units keep out of others' ways."""
        found = set()
        for chosen, block in self._met:
            clear = [c for c in sorted(block.crowds) if not is_true(self.crowded(block.unit, *c))]
            if not clear or not is_true(chosen):
                continue
            at, _ = clear[0]
            for one, course in zip(self._x, self._courses, strict=True):
                if is_true(one) and block.unit not in [end.unit for end in course.ends]:
                    before, after = crowd_of(course, at, self._started)
                    if before != after:
                        pair = (block.unit, course.unit)
                        found.add(pair if is_true(self.acts_before(*pair)) else pair[::-1])
        return found

    def _all(self, literals: Sequence[Any]) -> Any:
        """Return a literal that is true if all of these are."""
        if len(literals) == 1:
            return literals[0]
        every = self._model.new_bool_var("")
        self._model.add_bool_or([*(one.negated() for one in literals), every])
        return every

    def acts_before(self, unit: str, other: str) -> Any:
        """Return the literal that one unit acts before another."""
        if unit > other:
            return self.acts_before(other, unit).negated()
        if (unit, other) not in self.before:
            literal = self.before[unit, other] = self._model.new_bool_var("")
            first, second = self._rank(unit), self._rank(other)
            self._model.add(first < second).only_enforce_if(literal)
            self._model.add(second < first).only_enforce_if(literal.negated())
        return self.before[unit, other]

    def _rank(self, unit: str) -> Any:
        if unit not in self._ranks:
            self._ranks[unit] = self._model.new_int_var(0, self._last, "")
        return self._ranks[unit]

    def crowded(self, unit: str, at: str, least: int) -> Any:
        """Return a literal that is true if so many others stand in a hex as a unit acts."""
        key = (unit, at, least)
        if key not in self._crowded:
            self._crowded[key] = self._model.new_bool_var("")
            self._count(unit, at, least, self._crowded[key])
        return self._crowded[key]

    def _count(self, unit: str, at: str, least: int, crowded: Any) -> None:
        groups: dict[tuple[str, int, int], list[Any]] = defaultdict(list)
        for chosen, course in zip(self._x, self._courses, strict=True):
            before, after = crowd_of(course, at, self._started)
            if (before or after) and unit not in [end.unit for end in course.ends]:
                groups[course.unit, before, after].append(chosen)
        terms = []
        for (other, before, after), chosen in groups.items():
            for count, literal in (
                (min(before, after), None),
                (max(0, before - after), self.acts_before(unit, other) if before > after else None),
                (max(0, after - before), self.acts_before(other, unit) if after > before else None),
            ):
                if count:
                    terms.append(
                        (self._present(chosen, literal, crowded if least == 1 else None), count)
                    )
        if least > 1 and terms:
            most = sum(count for _, count in terms)
            total = sum(count * present for present, count in terms)
            self._model.add(total <= least - 1 + most * crowded)

    def _present(self, chosen: Sequence[Any], literal: Any, present: Any) -> Any:
        """Return a literal that is true if any of these is chosen while another literal is true."""
        present = self._model.new_bool_var("") if present is None else present
        unless = [present] if literal is None else [present, literal.negated()]
        for one in chosen:
            self._model.add_bool_or([one.negated(), *unless])
        return present
