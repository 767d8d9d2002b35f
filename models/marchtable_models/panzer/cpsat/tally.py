"""What courses come to, together and one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.planning.score import Stand
from marchtable.state.goal import CRITERIA

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ortools.sat.python import cp_model

    from marchtable.planning.score import Measure
    from marchtable.rules.plan_model import Score
    from marchtable.state.goal import Criterion
    from marchtable_models.panzer.cpsat.course import Course

__all__ = ["Cut", "Extra", "Tally"]

EXPOSURE = 10**6
"""More than any unit's exposure."""


class Cut(NamedTuple):
    """
    Courses that cannot all be gone through for what they cost one by one.

    Parameters
    ----------
    courses
        The courses.
    more
        By how many points and how much exposure they can come to more together, none beaten;
        nothing if they exclude each other.
    """

    courses: frozenset[Course]
    more: tuple[tuple[int, int], ...] = ()


class Tally:
    """What courses come to, by criterion: the goal's own measure of where their units end."""

    def __init__(self, measure: Measure) -> None:
        self.measure = measure
        self._movers = frozenset(measure.movers)

    def of(self, course: Course) -> Score:
        """Return what a course adds."""
        gains = [self.measure.gain(e.unit, Stand(e.at, e.aboard is not None)) for e in course.ends]
        return {
            "value": sum(value for value, _ in gains),
            "distance": sum(distance for _, distance in gains),
            "exposure": course.exposure,
            "points": course.points,
            "moved": len(course.going & self._movers),
        }

    def still(self, ends: Sequence[tuple[str, str | None, bool]]) -> Score:
        """Return what the units add that stay as they are."""
        gains = [self.measure.gain(name, Stand(at, carried)) for name, at, carried in ends]
        score: Score = dict.fromkeys(CRITERIA, 0)
        return {**score, "value": sum(v for v, _ in gains), "distance": sum(d for _, d in gains)}


class Extra:
    """By how much units cost more than their courses say, a unit having so many points at most."""

    def __init__(self, model: cp_model.CpModel, points: int) -> None:
        self._model, self._points = model, points
        self.known: dict[tuple[Criterion, str], Any] = {}

    def of(self, name: Criterion, unit: str) -> Any:
        """Return the variable for points or exposure of a unit."""
        if (name, unit) not in self.known:
            most = self._points if name == "points" else EXPOSURE
            self.known[name, unit] = self._model.new_int_var(0, most, "")
        return self.known[name, unit]

    def points(self, unit: str) -> Any:
        """Return the variable for the points of a unit."""
        return self.of("points", unit)

    def most(self) -> int:
        """Return what all can come to."""
        return self._points * len(self.known)
