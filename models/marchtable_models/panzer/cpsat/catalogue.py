"""The courses that a choice is made from, and which of them an open course is taken to be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.panzer.cpsat.acting import minds_of

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    from marchtable_models.panzer.cpsat.course import Course
    from marchtable_models.panzer.cpsat.courses import Courses
    from marchtable_models.panzer.cpsat.participants import Participants
    from marchtable_models.panzer.cpsat.room import Room

__all__ = ["Catalogue", "kind_of"]


class Catalogue:
    """
    All courses by unit; open ones are told apart when they have to be.

    Parameters
    ----------
    participants, courses, room
        Who takes part, who lists courses, and how many units may end where.
    matters
        The hexes in which it matters to the goal who ends there; None if all do.

    Attributes
    ----------
    listed
        The courses by unit.
    matters
        By unit the hexes beyond which its courses are open; None if none is.
    version
        Goes up as lists grow.
    """

    def __init__(
        self,
        participants: Participants,
        courses: Courses,
        room: Room,
        matters: frozenset[str] | None,
    ) -> None:
        self._participants, self._courses, self._room = participants, courses, room
        self.matters: dict[str, frozenset[str] | None] = dict.fromkeys(
            [unit.id for unit in participants.actors], matters
        )
        self.listed = {unit.id: courses.of(unit, matters) for unit in participants.actors}
        self.version = 0
        self._every: dict[str, tuple[Course, ...]] = {}

    def widen(self, name: str, hexes: Iterable[str] | None = None) -> bool:
        """
        List the courses of a unit that end in more hexes; tell whether these are news.

        Parameters
        ----------
        hexes
            The hexes; None for all.
        """
        matters = self.matters[name]
        if matters is None:
            return False
        wider = None if hexes is None else matters.union(hexes)
        if wider == matters:
            return False
        self.matters[name] = wider
        self.version += 1
        unit = self._participants.position.unit(name)
        self.listed[name] = self._all_of(name) if wider is None else self._courses.of(unit, wider)
        return True

    def _all_of(self, name: str) -> tuple[Course, ...]:
        if name not in self._every:
            self._every[name] = self._courses.of(self._participants.position.unit(name), None)
        return self._every[name]

    def told_apart(self, courses: Sequence[Course], *, counts: bool) -> list[Course] | None:
        """
        Return courses with each open one replaced by one that ends where there is room left.

        Where no such course is left the unit's are widened, and nothing is returned.

        Parameters
        ----------
        counts
            Whether the replacement may cost no more.
        """
        taken: dict[str, int] = {}
        minded = {course.unit: minds_of(course) for course in courses if not course.is_open}
        for course in courses:
            self._room.take(taken, course)
        told = []
        for course in courses:
            found = course
            if course.is_open:
                self._room.give(taken, course)
                others = set[str]().union(*minded.values())
                one = self._elsewhere(course, taken, others, counts=counts)
                if one is None:
                    self.widen(course.unit)
                    return None
                found = one
                minded[course.unit] = minds_of(found)
                self._room.take(taken, found)
            told.append(found)
        return told

    def _elsewhere(
        self, course: Course, taken: dict[str, int], minded: Container[str], *, counts: bool
    ) -> Course | None:
        """Return the fittest course for which an open one stands and for which there is room."""
        wanted = kind_of(course, course.beyond)
        alike = [
            c for c in self._all_of(course.unit)
            if kind_of(c, course.beyond) == wanted and not (counts and c.points > course.points)
        ]  # fmt: skip
        alike.sort(key=lambda c: (any(end.at in minded for end in c.ends), c.points))
        return next((found for found in alike if self._room.has(taken, found)), None)


def kind_of(course: Course, beyond: frozenset[str] | None) -> object:
    """Return what all courses have in common for which one that is open beyond some hexes stands."""
    deeds = tuple(leg.deed for leg in course.legs)
    return deeds, frozenset(
        (e.unit, e.at if beyond is None or e.at in beyond else None, e.aboard) for e in course.ends
    )
