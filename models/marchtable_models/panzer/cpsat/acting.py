"""Goes through courses one after another, each in one go, as the referee rules."""

from __future__ import annotations

from collections import defaultdict
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.budget import work
from marchtable.planning.choice.replay import through
from marchtable_models.panzer.cpsat.ways import entered, ways
from marchtable_models.panzer.rules.movement import Move

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence

    from marchtable.planning.choice.options import Price
    from marchtable.planning.choice.replay import Stuck
    from marchtable.state.action import Action
    from marchtable_models.panzer.cpsat.course import Course, Leg
    from marchtable_models.panzer.cpsat.participants import Participants
    from marchtable_models.panzer.cpsat.prices import Prices, Terms

__all__ = ["Acted", "Acting", "minds_of"]

replace = msgspec.structs.replace
TRY = 0.0005  # deterministic time that each course tried counts for
MUST = 1000  # that one unit must act before another outweighs all that speaks for the reverse


class Acted(NamedTuple):
    """Courses gone through in some order: where that leads, and what it cost."""

    position: Any
    log: tuple[Action, ...] = ()
    points: int = 0
    exposure: int = 0


def minds_of(course: Course) -> set[str]:
    """Return the hexes in which a course minds who is there: those that it enters or unloads in."""
    gone = {at for leg in course.legs if leg.way is not None for at in entered(leg.way)}
    handled = {leg.deed.passenger for leg in course.legs if leg.deed is not None}
    return gone | {end.at for end in course.ends if end.unit in handled}


class Acting:
    """
    Goes through courses.

    Parameters
    ----------
    participants, prices, terms
        Who takes part, what steps cost, and what the goal says of them.
    """

    def __init__(self, participants: Participants, prices: Prices, terms: Terms) -> None:
        self.participants, self.prices, self.terms = participants, prices, terms

    # -- one course ------------------------------------------------------------------------------

    def start(self, courses: Sequence[Course]) -> Acted:
        """Return the outset for the units of some courses, the others being nowhere."""
        return Acted(
            self.participants.with_only([end.unit for course in courses for end in course.ends])
        )

    def within(
        self, acted: Acted, course: Course, extra: Price | None, *, exactly: bool = False
    ) -> Acted | None:
        """
        Return what a course leads to now, the cheapest there is; None if that is too dear.

        Parameters
        ----------
        extra
            By how much more it may cost than it says; None if that is all one.
        exactly
            Whether it must cost so many points more.
        """
        more = extra or (0, 0)
        plain = self._plainly(acted, course)
        if plain is not None and not (exactly and more[0]):
            return plain
        points, exposure = acted.points + course.points, acted.exposure + course.exposure
        for found in self._somehow(acted, course):
            over = found.points - points - more[0], found.exposure - exposure - more[1]
            if extra is None or ((over[0] == 0 if exactly else over[0] <= 0) and over[1] <= 0):
                return found
        return None

    def _plainly(self, acted: Acted, course: Course) -> Acted | None:
        """Return what a course leads to if it costs now what it says; else None."""
        if self._is_clear(acted, course):
            return self._as_told(acted, course)
        work(TRY)
        found: Acted | None = acted
        for leg in course.legs:
            if found is None:
                return None
            found = self._along(found, course.unit, leg)
        return found

    def _is_clear(self, acted: Acted, course: Course) -> bool:
        """Return whether nobody stands where a course minds it who was not there as it was listed."""
        own, fixed = {end.unit for end in course.ends}, self.participants.fixed
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
                log += [Move(course.unit, to) for to in entered(leg.way)]
        ends = [replace(position.unit(e.unit), at=e.at, aboard=e.aboard) for e in course.ends]
        points, exposure = acted.points + course.points, acted.exposure + course.exposure
        return Acted(position.with_units(ends), tuple(log), points, exposure)

    def _somehow(self, acted: Acted, course: Course) -> list[Acted]:
        """Return every way of going through a course now that no other beats, the cheapest first."""
        work(TRY)
        now = [acted]
        for leg in course.legs:
            now = list(chain.from_iterable(self._about(state, course.unit, leg) for state in now))
        return sorted(now, key=lambda a: (a.points, a.exposure))

    def _along(self, acted: Acted, unit: str, leg: Leg) -> Acted | None:
        if leg.deed is not None:
            return self._ruled(acted, [leg.deed])
        assert leg.way is not None
        found = self._ruled(acted, [Move(unit, to) for to in entered(leg.way)])
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
        mover, at = acted.position.unit(unit), leg.way.node[0]
        found = ways(self.prices, acted.position, mover, self.terms, to=at).get(at, ())
        for way in found:
            done = self._ruled(acted, [Move(unit, to) for to in entered(way)])
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

    def through(
        self, courses: Sequence[Course], extra: Mapping[str, Price] | None,
        pairs: Container[tuple[str, str]] = (), *, exactly: bool = False,
    ) -> tuple[Acted, list[Stuck[Course]]]:  # fmt: skip
        """
        Return the state after the courses that can be carried out, and what is in the way of the rest.

        Parameters
        ----------
        extra
            By how much units may cost more than their courses say; None if that is all one.
        pairs
            Units of which the first must act before the second.
        exactly
            Whether units must cost just so many points more.
        """

        def attempt(acted: Acted, course: Course) -> Acted | None:
            more = None if extra is None else extra.get(course.unit, (0, 0))
            return self.within(acted, course, more, exactly=exactly)

        return through(self._ordered(courses, pairs), self.start(courses), attempt)

    def _is_first(self, name: str, other: str) -> bool:
        """Return whether a unit cannot move once another has (PB.order)."""
        position = self.participants.position
        return name != other and self.prices.goes_first(
            position, position.unit(name), position.unit(other)
        )

    def _ordered(
        self, courses: Sequence[Course], pairs: Container[tuple[str, str]]
    ) -> list[Course]:
        """Return courses in an order that is likely to do: who is in the way first."""
        waiting = [course for course in courses if course.legs]
        minds = [minds_of(course) for course in waiting]
        froms = [{self.participants.position.unit(e.unit).at for e in c.ends} for c in waiting]
        tos = [{end.at for end in c.ends} for c in waiting]
        before: list[dict[int, int]] = [defaultdict(int) for _ in waiting]
        for i, own in enumerate(minds):
            for j in range(len(waiting)):
                names = waiting[i].unit, waiting[j].unit
                if names in pairs or self._is_first(*names):
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
