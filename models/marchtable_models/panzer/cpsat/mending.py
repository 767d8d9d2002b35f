"""What is learned where chosen courses cannot be gone through: cuts, and who is in whose way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.budget import work
from marchtable_models.panzer.cpsat.acted import TooManyOrdersError, price_of
from marchtable_models.panzer.cpsat.blocking import (
    cuts_beside,
    few_without_order,
    none_to_spare,
    prices_of,
)
from marchtable_models.panzer.cpsat.courses import Courses
from marchtable_models.panzer.cpsat.crowding import COURSE, Crowding
from marchtable_models.panzer.cpsat.tally import Cut

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from marchtable.rules.ruling import Ruling
    from marchtable_models.panzer.cpsat.acted import Acted, Price
    from marchtable_models.panzer.cpsat.acting import Acting
    from marchtable_models.panzer.cpsat.catalogue import Catalogue
    from marchtable_models.panzer.cpsat.choosing import Found
    from marchtable_models.panzer.cpsat.course import Course
    from marchtable_models.panzer.cpsat.standing import Block, Crowds

__all__ = ["Mending"]


class Mending:
    """
    Puts what was chosen in order, and learns from it where there is none.

    Parameters
    ----------
    acting, catalogue
        Who goes through courses, and where these come from; its lists grow.

    Attributes
    ----------
    cuts, blocks
        What was learned.
    is_unsure
        Whether something was cut off that there might be an order for: then nothing is proved.
    """

    def __init__(self, acting: Acting, catalogue: Catalogue) -> None:
        self._acting, self._catalogue = acting, catalogue
        self._cast, self._prices, self._terms = acting.cast, acting.prices, acting.terms
        self._crowding = Crowding(self._cast, self._prices, self._terms, catalogue.matters)
        self.cuts: list[Cut] = []
        self.blocks: dict[tuple[str, Crowds], Block] = {}
        self.is_unsure = False

    def give_up(self, courses: Sequence[Course]) -> None:
        """Never choose these together again, although there might be an order for them."""
        self.cuts.append(Cut(frozenset(courses)))
        self.is_unsure = True

    def dearer(self, courses: Sequence[Course], prices: Sequence[Price]) -> None:
        """Let courses cost one of these prices together, or exclude each other if there is none."""
        least = price_of(courses)
        more = tuple((points - least[0], exposure - least[1]) for points, exposure in prices)
        self.cuts.append(Cut(frozenset(courses), more))

    def ordered(self, found: Found, courses: Sequence[Course], *, counts: bool) -> Acted | None:
        """
        Return what comes of the courses in some order; None if there is none: that is learned.

        Parameters
        ----------
        found, courses
            What was chosen, and the same with open courses told apart.
        counts
            Whether they may cost no more than was said.
        """
        try:
            return self._ordered(found, courses, counts=counts)
        except TooManyOrdersError:
            self.give_up(found.courses)
            return None

    def _ordered(self, found: Found, courses: Sequence[Course], *, counts: bool) -> Acted | None:
        extra = found.extra if counts else None
        acted, stuck = self._acting.greedy(courses, extra, found.pairs)
        if not stuck:
            return acted
        at_last = [(course, acted) for course, _ in stuck]
        for moments in (stuck, at_last):
            if self._learned(moments, found, courses, extra):
                return None
        known = {cut.courses for cut in self.cuts}
        left = [course for course, _ in stuck]
        few = few_without_order(self._acting, courses, left, known, counts=counts)
        most = (found.totals["points"], found.totals["exposure"]) if counts else None
        done = None if few else self._acting.some_order(courses, most)
        if done is None:
            self._mend(found.courses, few, counts=counts)
        return done

    def _learned(
        self,
        stuck: Sequence[tuple[Course, Acted]],
        found: Found,
        courses: Sequence[Course],
        extra: Mapping[str, int] | None,
    ) -> bool:
        """Learn in which hexes others are in stuck units' way; tell whether anything is new."""
        if not self._crowding.can_tell:
            return False
        is_new = False
        opened = [told for one, told in zip(found.courses, courses, strict=True) if one.is_open]
        for course, acted in stuck:
            most = None if extra is None else course.points + extra.get(course.unit, 0)
            crowds = self._crowding.explained(acted.position, course, most)
            if crowds is None:
                continue
            if (course.unit, crowds) not in self.blocks:
                self.blocks[course.unit, crowds] = self._crowding.block(course, crowds)
                is_new = True
                continue
            hexes = {at for at, _ in crowds}
            for one in opened:
                ends = {end.at for end in one.ends}
                is_new |= self._catalogue.widen(one.unit, ends if one is course else hexes & ends)
        return is_new

    def thin_out(self, ruling: Ruling, found: Found, courses: Sequence[Course]) -> None:
        """
        Cut off that those end together who are in the hexes with which the phase cannot end.

        Parameters
        ----------
        ruling
            On the phase's end.
        found, courses
            What was chosen, and the same with open courses told apart.
        """
        hexes = {at for said in (ruling.violations or ruling.unsupported) for at in said.hexes}
        every = list(zip(found.courses, courses, strict=True))
        there = [(one, told) for one, told in every if hexes & {end.at for end in told.ends}]
        wider = [
            self._catalogue.widen(one.unit, hexes & {end.at for end in told.ends})
            for one, told in there
            if one.is_open
        ]
        if any(wider):
            return
        if wider:
            self.give_up(found.courses)
        else:  # more units might make room if they are of another faction
            some = there if self._crowding.is_plain else every
            self.cuts.append(Cut(frozenset(one for one, _ in some)))

    def _mend(self, courses: Sequence[Course], few: Sequence[Course], *, counts: bool) -> None:
        """Tell open courses apart, or cut off the fewest that cannot be gone through together."""
        hindered = {c.unit for c in few or courses}
        opened = [c.unit for c in courses if c.is_open and c.unit in hindered]
        for name in opened:
            self._catalogue.widen(name)
        if opened:
            return
        try:
            few = few or none_to_spare(self._acting, courses, counts=counts)
            known = {cut.courses for cut in self.cuts}
            few = courses if frozenset(few) in known else few  # each pays for some: all for more
            cheapest = prices_of(self._acting, few) if counts else []
        except TooManyOrdersError:
            self.give_up(courses)
            return
        if len(few) == 2 and not self._terms.threat:
            for course, other in (few, few[::-1]):
                beside = course.legs and not other.legs
                if beside and self._beside(course, other, counts=counts):
                    return
        least = price_of(few)
        more = tuple((p - least[0], e - least[1]) for p, e in cheapest)
        # there is an order after all, or it is known what they cost: such a cut cuts nothing off
        if (0, 0) in more or Cut(frozenset(few), more) in self.cuts:
            self.give_up(courses)
            return
        self.cuts.append(Cut(frozenset(few), more))

    def _beside(self, course: Course, other: Course, *, counts: bool) -> bool:
        """
        Cut off all that a course's unit cannot do, or not so cheaply, beside one that stays.

        Returns whether these two are among what is cut off.
        """
        cast = self._cast.holding([end.unit for end in other.ends])
        unit = self._cast.position.unit(course.unit)
        beside = Courses(cast, self._prices, self._terms).of(unit, None)
        work(COURSE * len(beside))
        listed = self._catalogue.listed[course.unit]
        cuts = cuts_beside(beside, listed, other, counts=counts)
        self.cuts += cuts
        return any(course in cut.courses for cut in cuts)
