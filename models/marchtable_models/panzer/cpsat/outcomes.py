"""All that units may come to spend on the same courses, gone through in this order or that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.panzer.cpsat.blocking import meet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable_models.panzer.cpsat.acted import Acted
    from marchtable_models.panzer.cpsat.acting import Acting
    from marchtable_models.panzer.cpsat.course import Course

__all__ = ["outcomes"]

Spent = tuple[int, ...]
"""What each unit has spent, in the order of the courses, and the exposure at last."""


def outcomes(acting: Acting, courses: Sequence[Course]) -> list[Acted]:
    """
    Return what comes of courses in any order, once for each division of what units spend.

    Those who do not meet are gone through one after another: their order is all one.

    Raises
    ------
    TooManyOrdersError
        If that was not found out.
    """
    acting.begin()
    now = [acting.start(courses)]
    for group in _groups(acting, [course for course in courses if course.legs]):
        found: dict[Spent, Acted] = {}
        for acted in now:
            for one in _in_any_order(acting, acted, group):
                found.setdefault(_spent(one, courses), one)
        now = list(found.values())
    return sorted(now, key=lambda a: (a.points, a.exposure))


def _groups(acting: Acting, courses: Sequence[Course]) -> list[list[Course]]:
    """Return courses together with all that they meet, if only by way of others."""
    groups: list[list[Course]] = []
    for course in courses:
        near = [g for g in groups if any(meet(acting, course, other) for other in g)]
        groups = [g for g in groups if g not in near]
        groups.append([course, *(other for group in near for other in group)])
    return groups


def _in_any_order(acting: Acting, acted: Acted, courses: Sequence[Course]) -> list[Acted]:
    front: dict[frozenset[str], dict[Spent, Acted]] = {frozenset(): {(): acted}}
    for _ in courses:
        on: dict[frozenset[str], dict[Spent, Acted]] = {}
        for done, every in front.items():
            for course in [course for course in courses if course.unit not in done]:
                for state in every.values():
                    for found in acting.somehow(state, course):
                        then = on.setdefault(done | {course.unit}, {})
                        then.setdefault(_spent(found, courses), found)
        front = on
    return [found for every in front.values() for found in every.values()]


def _spent(acted: Acted, courses: Sequence[Course]) -> Spent:
    return (*(acted.position.unit(c.unit).spent for c in courses), acted.exposure)
