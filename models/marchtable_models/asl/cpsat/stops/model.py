"""Plans in which units leave vehicles at several stops: a planner model, searched as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.budget import OverLimit
from marchtable.planning.reasons import Explained, Family
from marchtable.rules.plan_model import Proposal
from marchtable.rules.referee import check
from marchtable_models.asl.cpsat.stops.courses import Courses
from marchtable_models.asl.cpsat.stops.objective import ObjectiveBound
from marchtable_models.asl.cpsat.stops.policy import space_of
from marchtable_models.asl.cpsat.stops.simulator import Simulator
from marchtable_models.asl.cpsat.stops.upper_bound import UpperBounds
from marchtable_models.asl.cpsat.transport.instance import Instance
from marchtable_models.asl.hooks.conflict_candidates import BOARDING, CANDIDATES

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from marchtable.planning.score import Measured
    from marchtable.rules.plan_model import Control, PlanSpace, Rolls, Task
    from marchtable.rules.ruling import Verdict
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal
    from marchtable_models.asl.cpsat.stops.upper_bound import Legs
    from marchtable_models.asl.hooks.travel import AslTravel
    from marchtable_models.asl.model import AslPosition

__all__ = ["TransportStops"]

VEHICLES, ABOARD = 3, 6
"""The largest number of useful vehicles, and of units aboard, for this search."""


class TransportStops(Explained):
    """
    The model of transport with several stops for one position and goal.

    Parameters
    ----------
    rulebook, position, goal
        The problem; the goal is checked.
    """

    name = "transport-stops"
    rolls: Rolls = "avoid"

    def __init__(self, rulebook: AslTravel, position: AslPosition, goal: Goal) -> None:
        self.position, self.goal = position, goal
        self.instance = Instance(rulebook, position, goal)
        self.simulator = Simulator(self.instance)
        self._legs: dict[Hashable, Legs] = {}
        self._rejected: set[tuple[Action, ...]] = set()
        self._taken: set[object] = set()

    @property
    def is_fit(self) -> bool:
        """Whether some units are aboard vehicles or can board one, and few enough."""
        return not self.unfit

    @property
    def unfit(self) -> str:
        """What is missing, or too much; nothing if it is fit."""
        instance = self.instance
        boarding = instance.boarding
        able = {*instance.aboard}
        able |= {
            name
            for able_by in (boarding.boarders, boarding.riders)
            for n in able_by
            for name in able_by[n]
        }
        if not able:
            return "no unit is aboard a vehicle that the plan can use, or can board one"
        if len(able) > ABOARD:
            return f"{len(able)} units are aboard, or able to board"
        if (count := len(instance.vehicles)) > VEHICLES:
            return f"{count} vehicles may be used"
        return ""

    @property
    def space(self) -> PlanSpace:
        """The plans it searches; it leaves out what applied within what was examined."""
        return space_of(self.name, self.instance)

    # -- planner interface ------------------------------------------------------------------------

    def quick(self) -> Iterator[tuple[Action, ...]]:
        """Yield the plan without moves, if all can stay in place."""
        if not self.instance.restless(self.position):
            yield ()

    def best(self, task: Task, control: Control) -> Proposal:
        """Return the best plan not yet rejected or taken."""
        upper = UpperBounds(self.instance, ObjectiveBound(self.instance, task), self._legs)
        search = Courses(self.instance, task, self.simulator, upper, self._accepts, control.found)
        try:
            search.run()
        except OverLimit:
            return _unfinished(search)
        if search.best is None:
            return Proposal("IMPOSSIBLE", None, None)
        return Proposal("OPTIMAL", search.best.log, search.best.worth)

    def _accepts(self, log: tuple[Action, ...], measured: Measured) -> bool:
        return log not in self._rejected and measured.projection not in self._taken

    def reject(self, log: tuple[Action, ...], verdict: Verdict) -> None:  # noqa: ARG002
        """Exclude this plan."""
        self._rejected.add(log)

    def differ(self, log: tuple[Action, ...]) -> None:
        """Require plans in which some unit ends elsewhere, or has spent another amount."""
        measured = self.instance.measure.of(check(self.position, log))
        self._taken.add(measured.projection)

    def again(self) -> TransportStops:
        """Return a copy of the space, to be used while other clauses are off."""
        return TransportStops(self.instance.rulebook, self.position, self.goal)

    def families(self, control: Control) -> Iterator[Family]:  # noqa: ARG002 - a model's interface
        """Yield the conflict candidates."""
        yield Family((*CANDIDATES, *BOARDING), bearing=self.space.left_out)


def _unfinished(search: Courses) -> Proposal:
    """Return the results so far when a limit is reached."""
    best = search.best
    if best is None:
        return Proposal("UNKNOWN", None, search.open)
    bound = best.worth if search.open is None else max(best.worth, search.open)
    return Proposal("FEASIBLE", best.log, bound)
