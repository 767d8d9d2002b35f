"""In which order courses can be gone through, each in one go, so that the referee agrees."""

from __future__ import annotations

from collections import defaultdict
from itertools import chain
from typing import TYPE_CHECKING

import msgspec

from marchtable.budget import work
from marchtable_models.panzer.cpsat.acted import (
    Acted,
    TooManyOrdersError,
    minds_of,
    price_of,
)  # fmt: skip
from marchtable_models.panzer.cpsat.ways import ways
from marchtable_models.panzer.orders import Move

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence

    from marchtable.state.action import Action
    from marchtable_models.panzer.cpsat.acted import Price
    from marchtable_models.panzer.cpsat.course import Course, Leg
    from marchtable_models.panzer.cpsat.participants import Cast
    from marchtable_models.panzer.cpsat.prices import Prices
    from marchtable_models.panzer.cpsat.ways import Terms

__all__ = ["Acting"]

replace = msgspec.structs.replace
TRIES = 1000  # courses tried for one question, before it is given up
TRY = 0.0005  # deterministic time that each counts for
MUST = 1000  # that one unit must act before another outweighs all that speaks for the reverse


class Acting:
    """
    Finds orders in which courses can be gone through.

    Parameters
    ----------
    cast, prices, terms
        Who takes part, what steps cost, and what the goal says of them.
    """

    def __init__(self, cast: Cast, prices: Prices, terms: Terms) -> None:
        self.cast, self.prices, self.terms = cast, prices, terms
        self._tries = 0

    # -- one course ------------------------------------------------------------------------------

    def plainly(self, acted: Acted, course: Course) -> Acted | None:
        """Return what a course leads to if it costs now what it says; else None."""
        if self._is_clear(acted, course):
            return self._as_told(acted, course)
        self._count()
        found: Acted | None = acted
        for leg in course.legs:
            if found is None:
                return None
            found = self._along(found, course.unit, leg)
        return found

    def _is_clear(self, acted: Acted, course: Course) -> bool:
        """Tell whether nobody stands where a course minds it who was not there as it was listed."""
        own, fixed = {end.unit for end in course.ends}, self.cast.fixed
        minded = minds_of(course)
        if course.legs and course.legs[0].deed is not None:
            minded.add(acted.position.unit(course.unit).at)
        there = acted.position.occupants
        return not any(
            unit.id not in own and unit.id not in fixed
            for at in minded
            for unit in there.get(at, ())
        )

    def _as_told(self, acted: Acted, course: Course) -> Acted:
        """Return what a course leads to that nobody hinders; the referee need not be asked."""
        position, log = acted.position, list(acted.log)
        for leg in course.legs:
            if leg.deed is not None:
                log.append(leg.deed)
            elif leg.way is not None:
                log += [Move(course.unit, to) for to in leg.way.path()]
        ends = [replace(position.unit(e.unit), at=e.at, aboard=e.aboard) for e in course.ends]
        points, exposure = acted.points + course.points, acted.exposure + course.exposure
        return Acted(position.with_units(ends), tuple(log), points, exposure)

    def somehow(self, acted: Acted, course: Course) -> list[Acted]:
        """Return every way of going through a course now that no other beats, the cheapest first."""
        self._count()
        now = [acted]
        for leg in course.legs:
            now = list(chain.from_iterable(self._about(state, course.unit, leg) for state in now))
        most = (acted.points + course.points, acted.exposure + course.exposure)
        return sorted(
            (a for a in now if a.points >= most[0] and a.exposure >= most[1]),
            key=lambda a: (a.points, a.exposure),
        )

    def begin(self) -> None:
        """Forget how many courses were tried: a new question."""
        self._tries = 0

    def _count(self) -> None:
        work(TRY)
        self._tries += 1
        if self._tries > TRIES:
            raise TooManyOrdersError

    def _along(self, acted: Acted, unit: str, leg: Leg) -> Acted | None:
        if leg.deed is not None:
            return self._ruled(acted, [leg.deed])
        assert leg.way is not None
        found = self._ruled(acted, [Move(unit, to) for to in leg.way.path()])
        if found is None or found.position.unit(unit).spent != leg.way.spent:
            return None
        return found._replace(exposure=acted.exposure + leg.way.exposure * len(leg.going))

    def _about(self, acted: Acted, unit: str, leg: Leg) -> Iterator[Acted]:
        if leg.deed is not None:
            done = self._ruled(acted, [leg.deed])
            if done is not None:
                yield done
            return
        assert leg.way is not None
        mover, at = acted.position.unit(unit), leg.way.at
        found = ways(self.prices, acted.position, mover, self.terms, to=at).get(at, ())
        for way in found:
            done = self._ruled(acted, [Move(unit, to) for to in way.path()])
            if done is not None:
                yield done._replace(exposure=acted.exposure + way.exposure * len(leg.going))

    def _ruled(self, acted: Acted, actions: Sequence[Action]) -> Acted | None:
        position, points = acted.position, acted.points
        for action in actions:
            ruling = self.prices.rule(position, action)
            if not ruling.is_legal:
                return None
            position = ruling.after
            points += sum(receipt.amount for receipt in ruling.receipts)
        return acted._replace(position=position, log=(*acted.log, *actions), points=points)

    # -- many ------------------------------------------------------------------------------------

    def start(self, courses: Sequence[Course]) -> Acted:
        """Return the outset for the units of some courses, the others being nowhere."""
        return Acted(self.cast.with_only([end.unit for course in courses for end in course.ends]))

    def ordered(
        self, courses: Sequence[Course], pairs: Container[tuple[str, str]] = ()
    ) -> list[Course]:
        """
        Return courses in an order that is likely to do: who is in the way first.

        Parameters
        ----------
        pairs
            Units of which the first must act before the second.
        """
        waiting = [course for course in courses if course.legs]
        minds = [minds_of(course) for course in waiting]
        froms = [{self.cast.position.unit(e.unit).at for e in c.ends} for c in waiting]
        tos = [{end.at for end in c.ends} for c in waiting]
        before: list[dict[int, int]] = [defaultdict(int) for _ in waiting]
        for i, own in enumerate(minds):
            for j in range(len(waiting)):
                if (waiting[i].unit, waiting[j].unit) in pairs:
                    before[j][i] += MUST
                if i != j and own & (tos[j] - froms[j]):
                    before[j][i] += 1
                if i != j and own & (froms[j] - tos[j]):
                    before[i][j] += 1
        found, left = [], set(range(len(waiting)))
        while left:
            first = min(left, key=lambda i: (sum(n for j, n in before[i].items() if j in left), i))
            left.remove(first)
            found.append(waiting[first])
        return found

    def greedy(
        self,
        courses: Sequence[Course],
        extra: Mapping[str, int] | None,
        pairs: Container[tuple[str, str]] = (),
    ) -> tuple[Acted, list[tuple[Course, Acted]]]:
        """
        Return what comes of going through as many courses as happens, and those that are left.

        Each of these comes with the first moment at which it could not be gone through.

        Parameters
        ----------
        extra
            By how many points units may cost more than their courses say; None for any.
        pairs
            Units of which the first must act before the second.
        """
        self.begin()
        acted, left = self.start(courses), self.ordered(courses, pairs)
        failed: dict[str, Acted] = {}
        while True:
            stuck = []
            for course in left:
                found = self.plainly(acted, course)
                more = None if extra is None else extra.get(course.unit, 0)
                if found is None and more != 0:
                    found = next(iter(self.somehow(acted, course)), None)
                    if found and more and found.points > acted.points + course.points + more:
                        found = None
                if found is None:
                    stuck.append(course)
                    failed.setdefault(course.unit, acted)
                else:
                    acted = found
            if not stuck or len(stuck) == len(left):
                return acted, [(course, failed[course.unit]) for course in stuck]
            left = stuck

    def some_order(self, courses: Sequence[Course], most: Price | None) -> Acted | None:
        """
        Return what comes of the courses in some order; None if there is no order that will do.

        Parameters
        ----------
        most
            What they may cost in all; None if that is all one.

        Raises
        ------
        TooManyOrdersError
            If that was not found out.
        """
        self.begin()
        patient = self._patiently(courses)
        if patient is not None and (
            most is None or (patient.points <= most[0] and patient.exposure <= most[1])
        ):
            return patient
        hopeless: dict[frozenset[str], list[Price]] = {}
        return self._order(self.start(courses), self.ordered(courses), most, hopeless)

    def _patiently(self, courses: Sequence[Course]) -> Acted | None:
        """Return what comes of going round about only when nothing else can be gone through."""
        acted, left = self.start(courses), self.ordered(courses)
        while left:
            plain = ((self.plainly(acted, course), course) for course in left)
            found = next(((one, course) for one, course in plain if one is not None), None)
            if found is None:
                dear = ((one, course) for course in left for one in self.somehow(acted, course))
                found = next(dear, None)
            if found is None:
                return None
            acted, done = found
            left = [course for course in left if course is not done]
        return acted

    def _order(
        self,
        acted: Acted,
        left: list[Course],
        most: Price | None,
        hopeless: dict[frozenset[str], list[Price]],
    ) -> Acted | None:
        rest = price_of(left)
        so_far = (acted.points + rest[0], acted.exposure + rest[1])
        if most is not None and (so_far[0] > most[0] or so_far[1] > most[1]):
            return None
        if not left:
            return acted
        tried = hopeless.setdefault(frozenset(course.unit for course in left), [])
        if any(most is None or (p <= so_far[0] and e <= so_far[1]) for p, e in tried):
            return None
        for found, course in self._next(acted, left):
            others = [other for other in left if other is not course]
            done = self._order(found, others, most, hopeless)
            if done is not None:
                return done
        tried.append(so_far)
        return None

    def _next(self, acted: Acted, left: Sequence[Course]) -> Iterator[tuple[Acted, Course]]:
        """Yield what may be gone through next: first as it says, then by ways about, dearer or not."""
        about = []
        for course in left:
            found = self.plainly(acted, course)
            if found is None:
                about.append(course)
            else:
                yield found, course
        for course in about:
            for done in self.somehow(acted, course):
                yield done, course
