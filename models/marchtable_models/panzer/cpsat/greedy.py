"""A first choice of courses without a solver."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from marchtable.rules.plan_model import Score
    from marchtable_models.panzer.cpsat.course import Course
    from marchtable_models.panzer.cpsat.room import Room

__all__ = ["at_first"]


def at_first(
    listed: Mapping[str, Sequence[Course]], scores: Sequence[Score], room: Room
) -> list[Course]:
    """
    Return a course for each unit: in turn what gains most and is still to be had, or to stay.

    Parameters
    ----------
    listed, scores
        The courses by unit, and what they add, one after another.
    """
    taken: dict[str, int] = {}
    settled: set[str] = set()
    chosen: list[Course] = []
    every = [course for courses in listed.values() for course in courses]
    scored = zip(scores, every, strict=True)
    gaining = [(score, course) for score, course in scored if course.legs and score["value"]]
    gaining.sort(key=lambda pair: (-pair[0]["value"], pair[0]["distance"], pair[1].points))
    for _, course in gaining:
        names = {end.unit for end in course.ends}
        if not settled & names and room.has(taken, course):
            chosen.append(course)
            settled |= names
            room.take(taken, course)
    stays = [courses[0] for courses in listed.values()]
    return [*chosen, *(c for c in stays if not settled & {end.unit for end in c.ends})]
