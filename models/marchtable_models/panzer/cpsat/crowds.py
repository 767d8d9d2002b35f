"""Why a course cannot be gone through: how many others stand where, and what that bars or costs."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import TYPE_CHECKING

from marchtable.budget import work
from marchtable.planning.choice.options import Cut, Presence
from marchtable.planning.dominance import Front
from marchtable_models.panzer.cpsat.acting import Acting
from marchtable_models.panzer.cpsat.catalogue import kind_of
from marchtable_models.panzer.cpsat.courses import Courses
from marchtable_models.panzer.rules.movement import Move

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from marchtable.planning.choice.options import Given, Price, Spot
    from marchtable.planning.choice.replay import Stuck
    from marchtable_models.panzer.cpsat.acting import Acted
    from marchtable_models.panzer.cpsat.course import Course
    from marchtable_models.panzer.cpsat.participants import Participants
    from marchtable_models.panzer.cpsat.prices import Prices, Terms

__all__ = ["Crowds"]

COURSE = 0.0001  # deterministic time that a course listed counts for


class Crowds:
    """
    Finds the few hexes in which others must stand so that a course cannot be gone through.

    It holds whoever they are: units whose factions allow stacks of one size, carried or not, are
    of one sort (:meth:`Participants.sort`), and alike to all who meet them.

    Parameters
    ----------
    participants, prices, terms
        Who takes part, what steps cost, and what the goal says of them.
    matters
        By unit the hexes beyond which its courses are open; None if none is.
    """

    def __init__(
        self,
        participants: Participants,
        prices: Prices,
        terms: Terms,
        matters: Mapping[str, frozenset[str] | None],
    ) -> None:
        self._participants, self._prices, self._terms, self._matters = (
            participants,
            prices,
            terms,
            matters,
        )

    def stands(self, course: Course) -> tuple[Mapping[Spot, int], Mapping[Spot, int]]:
        """Return how many units of which sort a course has standing where, before it and after."""
        units = [self._participants.position.unit(end.unit) for end in course.ends]
        sort = self._participants.sort
        before: Counter[Spot] = Counter((str(u.at), sort(u.id, u.aboard)) for u in units)
        if not course.legs:
            return before, before
        return before, Counter((end.at, sort(end.unit, end.aboard)) for end in course.known)

    def given(self, stuck: Stuck[Course], extra: Price | None) -> Given | None:
        """
        Return what suffices to hinder a course, none to spare; None if nobody who stands about does.

        Parameters
        ----------
        extra
            By how much more it may cost than it says; None if that is all one.
        """
        course, own = stuck.option, {end.unit for end in stuck.option.ends}
        there: Counter[Spot] = Counter(
            (unit.at, self._participants.sort(unit.id, unit.aboard))
            for unit in stuck.state.position.units
            if unit.at is not None
            and unit.id not in own
            and unit.id not in self._participants.fixed
        )
        few: dict[Spot, int] = {}
        while (done := self._among(few, course, extra)) is not None:
            met = self._met(done, course)
            more = {spot: n for spot, n in there.items() if spot[0] in met and spot not in few}
            if not more:
                return None
            few |= more
        for spot in list(few):
            for count in range(few[spot]):
                fewer = {k: n for k, n in {**few, spot: count}.items() if n}
                if self._among(fewer, course, extra) is None:
                    few = fewer
                    break
        return _given(few)

    def variants(self, course: Course, others: Sequence[Course]) -> Iterator[Given]:
        """
        Yield what may be given of other courses, before them or after, that makes one dearer.

        It is all that there is: who is not on the cheapest way as things stand changes nothing.
        """
        waiting: list[dict[Spot, int]] = [{}]
        seen: set[Given] = set()
        while waiting:
            crowds = waiting.pop()
            done = self._among(crowds, course, None)
            if crowds:
                yield _given(crowds)
            if done is None:
                continue
            met = self._met(done, course)
            states = [[_at(met, stands) for stands in self.stands(one)] for one in others]
            near = [[{}, *some] for some in states if any(some)]
            for some in product(*near):
                more: Counter[Spot] = sum(map(Counter, some), start=Counter())
                work(COURSE)
                wider = {
                    spot: max(crowds.get(spot, 0), n) for spot, n in {**crowds, **more}.items()
                }
                if _given(wider) not in seen and wider != crowds:
                    seen.add(_given(wider))
                    waiting.append(wider)

    def _met(self, done: Acted, course: Course) -> set[str]:
        """Return the hexes in which a course, gone through, minds who is there."""
        entered = {action.to for action in done.log if isinstance(action, Move)}
        return entered | {end.at for end in course.ends}

    def _among(
        self, crowds: Mapping[Spot, int], course: Course, extra: Price | None
    ) -> Acted | None:
        """Return the outcome of a course among such crowds if it costs no more than it may."""
        acting = Acting(self._participants.among(crowds), self._prices, self._terms)
        return acting.within(acting.start([course]), course, extra)

    def cut(self, unit: str, given: Given) -> Cut[Course]:
        """Return what is barred, and made dearer, for a unit by what is given."""
        return Cut(given, unit, self._extra(unit, {one.spot: one.least for one in given}))

    def _extra(self, unit: str, crowds: Mapping[Spot, int]) -> Callable[[Course], Sequence[Price]]:
        beside = Courses(self._participants.among(crowds), self._prices, self._terms)
        known: dict[frozenset[str] | None, dict[object, set[Price]]] = {}

        def extra(course: Course) -> Sequence[Price]:
            matters = self._matters[unit]
            if matters not in known:
                prices = known[matters] = {}
                listed = beside.of(self._participants.position.unit(unit), matters)
                work(COURSE * len(listed))
                for one in listed:
                    prices.setdefault(kind_of(one, one.beyond), set()).add(
                        (one.points, one.exposure)
                    )
            own = course.points, course.exposure
            front = known[matters].get(kind_of(course, course.beyond), ())
            more = sorted((p - own[0], e - own[1]) for p, e in front if p >= own[0] and e >= own[1])
            least = Front()
            return [one for one in more if least.takes("", *one)]

        return extra


def _given(crowds: Mapping[Spot, int]) -> Given:
    return frozenset(Presence(spot, count) for spot, count in crowds.items())


def _at(hexes: Collection[str], crowds: Mapping[Spot, int]) -> dict[Spot, int]:
    """Return those of some crowds that are in some hexes."""
    return {spot: count for spot, count in crowds.items() if spot[0] in hexes}
