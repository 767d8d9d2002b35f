"""Why a course cannot be gone through: how many others stand where, and what that bars or costs."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

from marchtable.budget import work
from marchtable_models.panzer.cpsat.acting import Acting
from marchtable_models.panzer.cpsat.catalogue import kind_of
from marchtable_models.panzer.cpsat.courses import Courses
from marchtable_models.panzer.cpsat.standing import Block
from marchtable_models.panzer.extraction import survey
from marchtable_models.panzer.orders import Move

if TYPE_CHECKING:
    from collections.abc import Mapping

    from marchtable_models.panzer.cpsat.acted import Acted
    from marchtable_models.panzer.cpsat.course import Course
    from marchtable_models.panzer.cpsat.participants import Cast
    from marchtable_models.panzer.cpsat.prices import Prices
    from marchtable_models.panzer.cpsat.standing import Crowds
    from marchtable_models.panzer.cpsat.ways import Terms
    from marchtable_models.panzer.extraction.survey import PanzerPosition

__all__ = ["COURSE", "Crowding"]

COURSE = 0.0001  # deterministic time that a course listed counts for
MIXED = "P.opt-b-mixed"


class Crowding:
    """
    Finds the few hexes in which others must stand so that a course cannot be gone through.

    It holds whoever they are, so that it is only asked where all units of the side count alike:
    where their factions allow stacks of one size.

    Parameters
    ----------
    cast, prices, terms
        Who takes part, what steps cost, and what the goal says of them.
    matters
        By unit the hexes beyond which its courses are open; None if none is.
    """

    def __init__(
        self, cast: Cast, prices: Prices, terms: Terms, matters: Mapping[str, frozenset[str] | None]
    ) -> None:
        self._cast, self._prices, self._terms, self._matters = cast, prices, terms, matters

    @property
    def can_tell(self) -> bool:
        """Whether all units of the side count alike, and only points are at issue."""
        return self.is_alike and not self._terms.threat

    @cached_property
    def is_alike(self) -> bool:
        """Whether the factions of all units allow stacks of one size."""
        position = self._cast.position
        alike = {
            (faction.stacking, faction.leader_stacking)
            for faction in (survey.faction_of(position, unit) for unit in position.units)
        }
        return len(alike) == 1

    @property
    def is_plain(self) -> bool:
        """Whether more units in a hex never make room there."""
        return self.is_alike or dict(self._cast.position.readings).get(MIXED) != "most"

    def around(self, position: PanzerPosition, course: Course) -> dict[str, int]:
        """Return how many others that might be elsewhere stand in each hex, none of them carried."""
        own = {end.unit for end in course.ends}
        return dict(
            Counter(
                unit.at
                for unit in position.units
                if unit.at is not None
                and unit.aboard is None
                and unit.id not in own
                and unit.id not in self._cast.fixed
            )
        )

    def explained(
        self, position: PanzerPosition, course: Course, most: int | None
    ) -> Crowds | None:
        """
        Return hexes and numbers of units that suffice to hinder a course, none to spare.

        Parameters
        ----------
        position
            Where all are that hinder it.
        most
            The points that it may cost; None if that is all one.

        Returns
        -------
        frozenset or None
            None if such numbers do not hinder it.
        """
        there, few = self.around(position, course), dict[str, int]()
        while (done := self._cheapest(few, course, most)) is not None:
            entered = [a.to for a in done.log if isinstance(a, Move)]
            handled = [end.at for end in course.ends]
            met = [at for at in (*entered, *handled) if at in there and at not in few]
            if not met:
                return None
            few |= {at: there[at] for at in met}
        for at in list(few):
            for count in range(few[at]):
                fewer = {k: n for k, n in {**few, at: count}.items() if n}
                if self._cheapest(fewer, course, most) is None:
                    few = fewer
                    break
        return frozenset(few.items())

    def _cheapest(
        self, crowds: Mapping[str, int], course: Course, most: int | None
    ) -> Acted | None:
        """Return what comes of a course among such crowds if it costs no more than it may."""
        acting = Acting(self._cast.among(crowds), self._prices, self._terms)
        done = acting.somehow(acting.start([course]), course)
        if not done or (most is not None and done[0].points > most):
            return None
        return done[0]

    def block(self, course: Course, crowds: Crowds) -> Block:
        """Return what such crowds bar and make dearer for the unit that a course is of."""
        unit = self._cast.position.unit(course.unit)
        beside = Courses(self._cast.among(dict(crowds)), self._prices, self._terms)
        known: dict[frozenset[str] | None, dict[object, int]] = {}

        def price(one: Course) -> int | None:
            matters = self._matters[unit.id]
            if matters not in known:
                prices = known[matters] = {}
                listed = beside.of(unit, matters)
                work(COURSE * len(listed))
                for other in listed:
                    key = kind_of(other, other.beyond)
                    prices[key] = min(other.points, prices.get(key, other.points))
            return known[matters].get(kind_of(one, one.beyond))

        return Block(course.unit, crowds, price)
