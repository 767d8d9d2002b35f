"""Courses gone through: where that leads, what it costs, and whom they meet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.state.action import Action
    from marchtable_models.panzer.cpsat.course import Course

__all__ = ["Acted", "Price", "TooManyOrdersError", "minds_of", "price_of"]

Price = tuple[int, int]
"""Points and exposure."""


class TooManyOrdersError(Exception):
    """So many orders are possible that not all were tried."""


class Acted(NamedTuple):
    """Courses gone through in some order: where that leads, and what it cost."""

    position: Any
    log: tuple[Action, ...] = ()
    points: int = 0
    exposure: int = 0


def price_of(courses: Sequence[Course]) -> Price:
    """Return what courses cost if nobody is in their way."""
    return sum(c.points for c in courses), sum(c.exposure for c in courses)


def minds_of(course: Course) -> set[str]:
    """Return the hexes in which a course minds who is there: those that it enters or unloads in."""
    entered = {at for leg in course.legs if leg.way is not None for at in leg.way.path()}
    handled = {leg.deed.passenger for leg in course.legs if leg.deed is not None}
    return entered | {end.at for end in course.ends if end.unit in handled}
