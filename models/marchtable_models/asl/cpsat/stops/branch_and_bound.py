"""Branch and bound over the next act: largest upper bound first, with cut-offs."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from marchtable.budget import OverLimit
from marchtable.rules.ruling import Verdict
from marchtable.state.goal import CRITERIA
from marchtable_models.asl.cpsat.reached.ends import end_number, home_of
from marchtable_models.asl.cpsat.stops.simulator import Met

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    import numpy.typing as npt

    from marchtable.planning.score import Measured
    from marchtable.rules.plan_model import Task
    from marchtable.state.action import Action
    from marchtable_models.asl.cpsat.reached.paths import Places, ReachedEnd
    from marchtable_models.asl.cpsat.stops.simulator import Scene, Simulator
    from marchtable_models.asl.cpsat.stops.upper_bound import UpperBounds
    from marchtable_models.asl.cpsat.transport.instance import Instance

    Ints = npt.NDArray[np.int64]
    Numbers = Mapping[str, Ints]
    Turn = tuple[int, int]
    Then = Callable[[Scene, Numbers], None]

__all__ = ["FIRST", "BranchAndBound", "Incumbent", "Next"]

FIRST = (-1, -1)


class Incumbent(NamedTuple):
    """The best plan so far, and its worth."""

    log: tuple[Action, ...]
    worth: int


class Next(NamedTuple):
    """A next act, upper bounds of plans with it, and its function."""

    numbers: Ints
    act: Callable[[], None]


class BranchAndBound:
    """
    The part of the search on walking units, and on reporting plans.

    Parameters
    ----------
    instance, task, simulator, upper
        The problem, the task, the simulator of plans, and the bounds of units' results.
    accepts
        Returns whether a plan that meets the goal's demands can be reported.
    report
        Called with each improved plan.

    Attributes
    ----------
    best
        The best plan so far, None if there is none.
    order, place
        The vehicles in acting order, and each unit's place among the movers.
    open
        After a limit: the most that the unexplored part can be worth.
    """

    def __init__(
        self, instance: Instance, task: Task, simulator: Simulator, upper: UpperBounds,
        accepts: Callable[[tuple[Action, ...], Measured], bool],
        report: Callable[[tuple[Action, ...]], None],
    ) -> None:  # fmt: skip
        self.instance, self.task, self.simulator, self.upper = instance, task, simulator, upper
        self.objective, self._accepts, self._report = upper.objective, accepts, report
        self.best: Incumbent | None = None
        self.open: int | None = None
        self.order: Sequence[str] = sorted(instance.order, key=instance.order.__getitem__)
        self.place = {name: number for number, name in enumerate(sorted(instance.measure.movers))}

    @property
    def worth(self) -> int | None:
        """The worth of the best plan so far."""
        return None if self.best is None else self.best.worth

    def explore(self, options: Sequence[Next]) -> None:
        """Do one act after another, if a plan with it might beat the best."""
        ranked = sorted(options, key=lambda one: (-int(one.numbers[1]), -int(one.numbers[0])))
        for n, option in enumerate(ranked):
            if not self.objective.is_enough(option.numbers, self.worth):
                continue
            try:
                option.act()
            except OverLimit:
                remaining = ranked[n if self.open is None else n + 1 :]
                sums = [int(one.numbers[0]) for one in remaining
                        if self.objective.is_enough(one.numbers, self.worth)]  # fmt: skip
                if self.open is not None:
                    sums.append(self.open)
                self.open = max(sums, default=None)
                raise

    def total(self, numbers: Numbers) -> Ints:
        """Return the sum of all units' numbers."""
        return sum(numbers.values(), start=self.objective.none)

    def noted(self, scene: Scene, numbers: Numbers) -> None:
        """Record a plan as it is."""
        if not self.objective.is_enough(self.total(numbers), self.worth):
            return
        verdict = Verdict(rulings=scene.rulings, stopped=None, position=scene.here)
        measured = self.instance.measure.of(verdict)
        if not measured.is_kept:
            return
        if not self._accepts(scene.log, measured):
            self.simulator.is_hindered = True  # in another order the result might differ
            return
        if self.instance.restless(scene.here):
            return
        weights = self.task.weights
        worth = sum(weights.get(name, 0) * measured.score[name] for name in CRITERIA)
        if self.worth is None or worth > self.worth:
            self.best = Incumbent(scene.log, worth)
            self._report(scene.log)

    # -- on foot ----------------------------------------------------------------------------------

    def on_foot(self, scene: Scene, numbers: Numbers) -> None:
        """Let the other Infantry walk."""
        able = {
            name: self.instance.walks[name]
            for name in self.instance.foot
            if scene.here.unit(name).move.mph == "unmoved"
            and scene.here.unit(name).cargo.aboard is None
        }
        self.walk(scene, numbers, able, FIRST, self.noted)

    def walk(
        self, scene: Scene, numbers: Numbers, able: Mapping[str, Places], turn: Turn, then: Then
    ) -> None:
        """Let units walk in turn, or stay: least to spare first."""
        rest = {**numbers, **{name: self.upper.exact(scene, name) for name in able}}
        options = [Next(self.total(rest), partial(then, scene, rest))]
        for name in able:
            options += self._walks(scene, numbers, able, name, turn, then)
        self.explore(options)

    def _walks(
        self, scene: Scene, numbers: Numbers, able: Mapping[str, Places], name: str, turn: Turn,
        then: Then,
    ) -> list[Next]:  # fmt: skip
        unit, places = scene.here.unit(name), able[name]
        rows = self.upper.rows(unit, places, scene.met.get(name, Met()))
        totals = self.total(numbers) - numbers[name] + rows
        here = end_number(self.instance.position.board, home_of(unit))
        fit = self.objective.are_enough(totals, self.worth) & (places.at != here)
        found = []
        for row in fit.nonzero()[0].tolist():
            now = (int(places.remaining[row]), self.place[name])
            if now > turn:
                act = partial(self._walk, scene, numbers, able, places.place(row), name, now, then)
                found.append(Next(totals[row], act))
        return found

    def _walk(
        self, scene: Scene, numbers: Numbers, able: Mapping[str, Places], place: ReachedEnd, name: str,
        now: Turn, then: Then,
    ) -> None:  # fmt: skip
        after = self.simulator.walk(scene, name, place)
        if after is not None:
            others = {other: places for other, places in able.items() if other != name}
            known = {**numbers, name: self.upper.exact(after, name)}
            self.walk(after, known, others, now, then)
