"""What a plan is asked to be: sums over its vehicles that must not fall short."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from marchtable.planning.model import Task
    from marchtable_models.asl.cpsat.convoyfield import Course
    from marchtable_models.asl.cpsat.convoylayers import Node
    from marchtable_models.asl.cpsat.convoylogic import Logic
    from marchtable_models.asl.cpsat.convoyworth import Worth

__all__ = ["Limits", "Row"]

WAYSIDE = ("exposure", "moved")
"""Criteria that turn on where a vehicle has been, not only on where it ends."""


class Row(NamedTuple):
    """
    A sum that must not be less than something.

    Parameters
    ----------
    rings
        By vehicle: what it adds by where it ends, most first, and the cells.
    points
        What each half point that an Impulse costs adds.
    wayside
        What each unit of the criteria along the way adds.
    least
        What the sum must be at least, constants taken off.
    """

    rings: tuple[tuple[tuple[int, int], ...], ...]
    points: int
    wayside: tuple[tuple[str, int], ...]
    least: int

    def hopes(self, hexes: Sequence[int]) -> list[int] | None:
        """Return the most that each vehicle can add by ending in some cells; None if one has none."""
        found = []
        for rings, cells in zip(self.rings, hexes, strict=True):
            best = next((total for total, where in rings if where & cells), None)
            if best is None:
                return None
            found.append(best)
        return found

    def keep(self, spent: int, hexes: Sequence[int]) -> list[int] | None:
        """Return those of some cells in which vehicles may end if the others do their best."""
        best = self.hopes(hexes)
        if best is None:
            return None
        slack = sum(best) + self.points * spent - self.least
        if any(weight > 0 for _, weight in self.wayside):
            return list(hexes)  # nothing is known of what is gained along the way
        if slack < 0:
            return None
        found = []
        for rings, cells, most in zip(self.rings, hexes, best, strict=True):
            kept = 0
            for total, where in rings:
                if most - total > slack:
                    break
                kept |= where
            found.append(cells & kept)
        return found


class Limits:
    """A task as rows: the sum to be made large, and everything that bounds it."""

    def __init__(self, worth: Worth, task: Task) -> None:
        self.worth, self.task = worth, task
        self.weights = {name: weight for name, weight in task.weights.items() if weight}
        self.sum = _row(worth, self.weights, 0)
        self.rows = [
            *(_row(worth, {name: 1}, bound) for name, bound in task.least.items()),
            *(_row(worth, {name: -1}, -bound) for name, bound in task.most.items()),
            *(_demanded(cells, needed) for needed, cells in worth.demands if needed > 0),
        ]
        self.step = max(1, worth.step(self.weights))

    # -- of one plan -----------------------------------------------------------------------------

    def total(self, course: Course) -> int:
        """Return what a plan comes to."""
        score = self.worth.score(course)
        return sum(weight * score[name] for name, weight in self.weights.items())

    def allow(self, course: Course) -> bool:
        """Tell whether a plan keeps within the bounds and does what it must."""
        score = self.worth.score(course)
        return (
            all(score[name] >= bound for name, bound in self.task.least.items())
            and all(score[name] <= bound for name, bound in self.task.most.items())
            and self.worth.meets(course)
        )

    # -- of all that may still be ------------------------------------------------------------------

    def best(self, spent: int, hexes: Sequence[int]) -> int | None:
        """Return the most that plans can come to that end in some cells, so much being spent."""
        for row in self.rows:
            if row.keep(spent, hexes) is None:
                return None
        hopes = self.sum.hopes(hexes)
        if hopes is None:
            return None
        gain = sum(self.worth.most_wayside(name) * max(0, w) for name, w in self.sum.wayside)
        return sum(hopes) + self.sum.points * spent + gain + self.worth.constant(self.weights)

    def keep(self, spent: int, hexes: Sequence[int], least: int) -> list[int] | None:
        """Return those of some cells in which plans may end that come to `least`."""
        main = self.sum._replace(least=least - self.worth.constant(self.weights))
        kept = list(hexes)
        for row in (main, *self.rows):
            fitting = row.keep(spent, kept)
            if fitting is None or not all(fitting):
                return None
            kept = fitting
        return kept

    def between(self, floor: int, top: int) -> int:
        """Return what to ask for next: more than was found, and not all that could be."""
        return top - (top - floor - 1) // self.step // 2 * self.step

    def lowest(self, layers: Sequence[Mapping[int, Node]]) -> int:
        """Return a sum that no plan falls short of."""
        found = sum(rings[-1][0] for rings in self.sum.rings)
        spent = [spent for layer in layers for spent in layer]
        found += min(self.sum.points * each for each in spent)
        found += sum(self.worth.most_wayside(name) * min(0, w) for name, w in self.sum.wayside)
        return found + self.worth.constant(self.weights)

    def state(self, logic: Logic, least: int) -> None:
        """State all rows."""
        main = self.sum._replace(least=least - self.worth.constant(self.weights))
        for row in (main, *self.rows):
            _state(self.worth, logic, row)


def _row(worth: Worth, weights: Mapping[Any, int], least: int) -> Row:
    wayside = tuple((name, weights[name]) for name in WAYSIDE if weights.get(name))
    rings = tuple(tuple(worth.rings(i, weights)) for i in range(worth.count))
    points = weights.get("points", 0) * worth.count
    return Row(rings, points, wayside, least - worth.constant(weights))


def _demanded(cells: Sequence[Mapping[int, int]], needed: int) -> Row:
    rings = []
    for counts in cells:
        by_count: dict[int, int] = {}
        for cell, count in counts.items():
            by_count[count] = by_count.get(count, 0) | 1 << cell
        rings.append(tuple(sorted(by_count.items(), reverse=True)))
    return Row(tuple(rings), 0, (), needed)


def _state(worth: Worth, logic: Logic, row: Row) -> None:
    """State one row, unless it cannot but hold."""
    terms: list[tuple[int, int]] = []
    least, floor = row.least, 0
    for i, rings in enumerate(row.rings):
        found = [
            (total, literal)
            for cell, literal in logic.hexes[i][logic.last].items()
            for total, where in rings
            if where >> cell & 1
        ]
        low = min(total for total, _ in found)
        floor += low
        terms += [(literal, total - low) for total, literal in found if total != low]
    totals = logic.totals[logic.last]
    low = min(row.points * spent for spent in totals)
    floor += low
    terms += [(x, row.points * s - low) for s, x in totals.items() if row.points * s != low]
    for name, weight in row.wayside:
        terms += [(literal, weight * times) for literal, times in _met(worth, logic, name)]
    if row.wayside or floor < least:
        logic.total(terms, least - floor, sum(max(0, value) for _, value in terms))


def _met(worth: Worth, logic: Logic, name: str) -> list[tuple[int, int]]:
    """Return literals that hold where a vehicle has been somewhere, and what each counts."""
    if name == "exposure":
        return _entered(logic, worth.threats)
    found = []
    for i, hexes in enumerate(logic.hexes):
        start = next(iter(hexes[0]))
        away = logic.new()
        for t in range(1, logic.last + 1):
            for cell, literal in hexes[t].items():
                if cell != start:
                    logic.any_of((~literal, away))
        if start in hexes[logic.last] and worth.moved[i]:
            staying = [hexes[t][start] for t in range(1, logic.last + 1) if start in hexes[t]]
            if len(staying) == logic.last:
                logic.any_of((~away, *(~x for x in staying)))
        found.append((away, worth.moved[i]))
    return found


def _entered(logic: Logic, threats: Sequence[Mapping[int, int]]) -> list[tuple[int, int]]:
    """Return literals that hold where a vehicle enters a cell under threat, and the threat."""
    found = []
    for i, hexes in enumerate(logic.hexes):
        for t in range(1, logic.last + 1):
            for cell, literal in hexes[t].items():
                if cell not in threats[i]:
                    continue
                was = hexes[t - 1].get(cell)
                entered = literal
                if was is not None:
                    entered = logic.new()
                    logic.any_of((~literal, was, entered))
                    logic.any_of((~entered, literal))
                    logic.any_of((~entered, ~was))
                found.append((entered, threats[i][cell]))
    return found
