"""Which courses stand in each other's way: sets of them for which there is no order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.panzer.cpsat.acted import minds_of, price_of
from marchtable_models.panzer.cpsat.tally import Cut

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from marchtable_models.panzer.cpsat.acted import Acted, Price
    from marchtable_models.panzer.cpsat.acting import Acting
    from marchtable_models.panzer.cpsat.course import Course

__all__ = ["cuts_beside", "few_without_order", "meet", "none_to_spare", "prices_of"]


def few_without_order(
    acting: Acting,
    courses: Sequence[Course],
    stuck: Sequence[Course],
    known: Container[frozenset[Course]],
    *,
    counts: bool,
) -> list[Course]:
    """
    Return one or two courses for which there is no order; none if there are no such.

    Parameters
    ----------
    courses, stuck
        All that are to be gone through, and those that could not.
    known
        Sets of which that is known.
    counts
        Whether they may cost no more than they say.
    """
    pairs = [[c, o] for c in stuck for o in courses if o is not c and meet(acting, c, o)]
    for few in [[c] for c in stuck] + pairs:
        most = price_of(few) if counts else None
        if frozenset(few) not in known and acting.some_order(few, most) is None:
            return few
    return []


def meet(acting: Acting, course: Course, other: Course) -> bool:
    """Tell whether one stands, before or after, where the other minds it."""
    start = acting.cast.position
    return any(
        minds_of(a) & {at for end in b.ends for at in (end.at, start.unit(end.unit).at)}
        for a, b in ((course, other), (other, course))
    )


def none_to_spare(acting: Acting, courses: Sequence[Course], *, counts: bool) -> list[Course]:
    """Return a set of the courses for which there is no order, and of which none can be spared."""
    few = list(courses)
    for course in courses:
        rest = [c for c in few if c is not course]
        most = price_of(rest) if counts else None
        if acting.some_order(rest, most) is None:
            few = rest
    return few


def cuts_beside(
    beside: Sequence[Course], listed: Sequence[Course], other: Course, *, counts: bool
) -> list[Cut]:
    """
    Return cuts on all that a unit cannot do, or not so cheaply, beside another that stays.

    Parameters
    ----------
    beside
        What it can do with the other standing there.
    listed
        What it could do if the other were nowhere.
    other
        The other's course: to stay.
    counts
        Whether points count.
    """
    now: dict[object, int] = {}
    for course in beside:
        key = _deeds_and_ends(course)
        now[key] = min(course.points, now.get(key, course.points))
    cuts = []
    for course in listed:
        price = now.get(_deeds_and_ends(course))
        if not course.is_open and price is None:
            cuts.append(Cut(frozenset((course, other))))
        elif not course.is_open and counts and price is not None and price > course.points:
            cuts.append(Cut(frozenset((course, other)), ((price - course.points, 0),)))
    return cuts


def _deeds_and_ends(course: Course) -> object:
    return tuple(leg.deed for leg in course.legs), frozenset(course.ends)


def prices_of(acting: Acting, courses: Sequence[Course]) -> list[Price]:
    """Return what the courses can come to in any order, none of it beaten."""
    acting.begin()
    waiting = [course for course in courses if course.legs]
    front: dict[frozenset[str], list[Acted]] = {frozenset(): [acting.start(courses)]}
    for _ in waiting:
        on: dict[frozenset[str], list[Acted]] = {}
        for done, every in front.items():
            for acted, course in ((a, c) for a in every for c in waiting):
                if course.unit not in done:
                    for found in acting.somehow(acted, course):
                        _keep(on.setdefault(done | {course.unit}, []), found)
        front = on
    return sorted({(a.points, a.exposure) for every in front.values() for a in every})


def _keep(front: list[Acted], new: Acted) -> None:
    """Add to a front what none of it beats, and strike what it beats."""
    if any(old.points <= new.points and old.exposure <= new.exposure for old in front):
        return
    front[:] = [a for a in front if a.points < new.points or a.exposure < new.exposure]
    front.append(new)
