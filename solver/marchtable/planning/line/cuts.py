"""Excluded plans, and the rule that needs memory: no member goes straight back."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from marchtable.planning.line.graph import Course

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from marchtable.planning.line.graph import LaneStep
    from marchtable.planning.line.state_graph import StateGraph
    from marchtable.planning.line.variables import Variables

__all__ = ["Cuts", "not_all"]

Ending = tuple[tuple[int, ...], tuple[int, ...]]
Rejected = tuple[tuple[Course, ...], int, bool]
"""The parts' courses, the number of joint rounds, and whether only this ending is wrong."""


class Cuts:
    """
    Excluded plans.

    Parameters
    ----------
    graph
        The states, and the arcs between them.
    before
        Where each member came from before the plan began.

    Attributes
    ----------
    is_sure
        Whether no cut can exclude a legal plan; if one can, nothing is proved.
    """

    is_sure = True

    def __init__(self, graph: StateGraph, before: Sequence[str | None]) -> None:
        self.graph = graph
        self.before = [None if at is None else graph.places.number.get(at) for at in before]
        self._back: set[tuple[int, int, int]] = set()
        self._rejected: list[Rejected] = []
        self._differ: list[Ending] = []

    # -- steps -----------------------------------------------------------------------------------

    def step(self, i: int, before: int, after: int, cost: int) -> LaneStep | None:
        """Return a member's dearest step from one state to another within a cost, or None."""
        if after in (before, self.graph.idle_of(i, before)):
            return None
        found = [
            (paid, step)
            for to, paid, _, step in self.graph.ways(i, before)
            if to == after and paid <= cost
        ]
        return max(found, key=lambda each: each[0])[1]

    def moves(self, course: Course, members: Sequence[int] = ()) -> list[list[str]]:
        """Return some members' moves (default: all) in each round of a plan, "" for staying."""
        rounds = zip(
            itertools.pairwise(course.states), itertools.pairwise(course.spent), strict=True
        )
        steps = [
            [self.step(i, a[i], b[i], cost - paid) for i in members or range(len(a))]
            for (a, b), (paid, cost) in rounds
        ]
        return [["" if step is None else step.move for step in row] for row in steps]

    # -- cuts ------------------------------------------------------------------------------------

    def reject(self, course: Course, rounds: int | None) -> None:
        """
        Cut off every plan that begins with so many rounds of this one; None: only this one.

        A cut names states and points. It also cuts off other moves between these states for these
        points, which may be legal.
        """
        end = None if rounds is None else rounds + 1
        path = Course(course.states[:end], course.spent[:end])
        self.is_sure &= rounds is None or not self.has_twin(path)
        self._rejected.append(((self._plain(path),), 0, rounds is None))

    def reject_parted(
        self, courses: tuple[Course, ...], joint: int, *, is_ending: bool = False
    ) -> None:
        """
        Cut off one plan of a line that parts after so many rounds.

        `is_ending` means that it failed by its end, or by its worth.
        """
        self.is_sure &= is_ending or not any(map(self.has_twin, courses))
        self._rejected.append((courses, joint, True))

    def has_twin(self, course: Course) -> bool:
        """Return whether other moves lead through the same states for the same points."""
        rounds = zip(
            itertools.pairwise(course.states), itertools.pairwise(course.spent), strict=True
        )
        return any(
            len(self._between(i, a[i], b[i], cost - paid)) > 1
            for (a, b), (paid, cost) in rounds for i in range(len(a))
        )  # fmt: skip

    def _between(self, i: int, before: int, after: int, cost: int) -> set[str]:
        """Return a member's moves from one state to another within a cost, "" for staying."""
        stays = {""} if after in (before, self.graph.idle_of(i, before)) else set[str]()
        ways = self.graph.ways(i, before)
        return stays.union(step.move for to, paid, _, step in ways if to == after and paid <= cost)

    def _plain(self, course: Course) -> Course:
        """Return a plan with one state for all members that left the map by the same Location."""
        if not self.graph.has_exits:
            return course
        states = tuple(tuple(map(self.graph.plain, *zip(*enumerate(row), strict=True)))
                       for row in course.states)  # fmt: skip
        return course._replace(states=states)

    def differ(self, ending: Ending) -> None:
        """Cut off every plan with these final places and points."""
        self._differ.append(ending)

    def ending(self, *courses: Course) -> Ending:
        """
        Return each member's end (one place for off the map) and points spent.

        Takes one course for all members, or one for each.
        """
        graph, members = self.graph, range(self.graph.count)
        each = courses if len(courses) > 1 else courses * graph.count
        place_of = graph.place_of if graph.has_exits else graph.spot_of
        cells = tuple(place_of(i, each[i].states[-1][i]) for i in members)
        return cells, tuple(graph.spent(i, each[i]) for i in members)

    def allow(self, course: Course) -> bool:
        """Return whether a plan is not cut off."""
        if self._differ and self.ending(course) in self._differ:
            return False
        course = self._plain(course)
        return not any(
            course.states[: len(path.states)] == path.states
            and course.spent[: len(path.spent)] == path.spent
            and not (is_whole and len(course.states) > len(path.states))
            for (path, *_), _, is_whole in self._rejected
        )

    def breaks(self, course: Course) -> set[tuple[int, int, int]]:
        """Return the moves straight back: member, hex it came from, hex it was in."""
        found = set()
        for i, came in enumerate(self.before):
            last, here = came, self.graph.spot_of(i, course.states[0][i])
            for t, (before, after) in enumerate(itertools.pairwise(course.states)):
                cell = self.graph.spot_of(i, after[i])
                if cell == here:
                    continue
                if cell == last:
                    cost = course.spent[t + 1] - course.spent[t]
                    step = self.step(i, before[i], after[i], cost)
                    if step is not None and step.back:
                        found.add((i, last, here))
                last, here = here, cell
        return found

    def learn(self, found: Iterable[tuple[int, int, int]]) -> None:
        """Cut off permanently the plans with these moves straight back."""
        self._back |= {*found}

    def state(self, model: Variables) -> None:
        """Add all cuts that apply to a model and are new to it."""
        for courses, joint, is_whole in self._rejected:
            not_all(model, self._along(model, courses, joint, is_whole=is_whole))
        for cells, spent in self._differ:
            where = model.places if self.graph.has_exits else model.spots
            hexes = [where[i][model.last].get(cell) for i, cell in enumerate(cells)]
            paid = [self._paid(model, i, spent[i]) for i in range(model.count)]
            not_all(model, [*hexes, *dict.fromkeys(paid)])
        for each in sorted(self._back):
            self.not_back(model, *each)

    def _paid(self, model: Variables, i: int, spent: int) -> int | None:
        """Return a literal for a member's total being a sum at the plan's end, or None."""
        has_exits, grain = self.graph.has_exits, self.graph.grain
        paid = model.paid_by(i) if has_exits else model.part_of(i).totals[model.last]
        return None if spent % grain else paid.get(spent // grain)

    def _along(
        self, model: Variables, courses: Sequence[Course], joint: int, *, is_whole: bool
    ) -> list[int | None]:
        """Return literals that all hold only in plans with this beginning; None if impossible."""
        if max(joint + 1, *(len(path.states) for path in courses)) > model.last + 1:
            return [None]
        literals: list[int | None] = []
        if model.parting:
            literals += [model.joint[joint], ~model.joint[joint + 1]]
        for part, path in zip(model.parts, courses, strict=True):
            literals += [
                self._there(model, i, t, row[i])
                for t, row in enumerate(path.states) for i in part.members
            ]  # fmt: skip
            literals += [
                part.totals[t].get(spent // self.graph.grain) for t, spent in enumerate(path.spent)
            ]
            if is_whole and len(path.states) <= model.last:
                literals.append(part.costs[len(path.states)].get(0))  # no round follows
        return literals

    def _there(self, model: Variables, i: int, t: int, state: int) -> int | None:
        if self.graph.is_gone(i, state):
            return model.spots[i][t].get(self.graph.spot_of(i, state))
        return model.at[i][t].get(state)

    def not_back(self, model: Variables, i: int, came: int, here: int) -> None:
        """Forbid a member to go from one hex to another and straight back."""
        hexes = model.places[i]
        there = (came, came + self.graph.places.count) if self.graph.is_twice else (came,)
        for t, place in itertools.product(range(1, model.last + 1), there):
            leaves = hexes[t].get(place)  # the others may have just left the map
            if leaves is None:
                continue
            stays: list[int | None] = []
            with model.says("back"):
                for since in range(t - 1, -1, -1):
                    stays.append(hexes[since].get(here))
                    if stays[-1] is None:
                        break
                    if since and (began := hexes[since - 1].get(came)) is not None:
                        not_all(model, [leaves, *stays, began])
                else:
                    if self.before[i] == came:
                        not_all(model, [leaves, *stays])


def not_all(model: Variables, literals: Sequence[int | None]) -> None:
    """Require that not all literals hold; None never holds."""
    possible = [literal for literal in literals if literal is not None]
    if len(possible) == len(literals):
        model.any_of([~literal for literal in possible])
