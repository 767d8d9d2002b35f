"""
Bound tightening from the best possible downwards: bounds by layers, plans and proofs by CP-SAT.

The question is always the same: *is there a plan whose objective is at least this?*

1. *Layers* are a relaxation of it. A layer holds, for a member, a round and a state, a bit mask of
   the points that may have been spent by then. They are swept forwards from the members' starts and
   backwards from good enough ends until nothing changes; masks that only one sweep reaches are
   dropped. In each round a member keeps only states with its neighbours beside it
   (:func:`.sweep.keep_contiguous`). First members can end anywhere (:meth:`BoundTightening._free`),
   then only where the rules allow (:meth:`~BoundTightening._single`). Both keep all plans: if a
   layer is empty, there is no such plan.
2. The objective asked for falls from the best possible (:meth:`~BoundTightening._falling`, in
   growing strides, then by bisection) until no layer is empty. That is an upper bound, ``top``.
3. CP-SAT is asked for a plan of at least ``top`` within the layers, with all constraints on the
   line and cuts from replays. If there is one, it is optimal. If there is none, ``top`` falls by a
   step, and layers come first again.
4. After CP-SAT has said no a few times, it is asked for less at once, between the best plan found
   (``cutoff``) and ``top``. The search ends when ``top`` has come down to ``cutoff``: the proof.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from marchtable.budget import current_budget
from marchtable.cpsat.harness import Status, solve, weighted
from marchtable.planning.line.constraints import LineConstraints
from marchtable.planning.line.layers import EXTRA_ROUNDS, ends_within, hope, narrowed
from marchtable.planning.line.problem import AnyEnd
from marchtable.planning.line.sweep import Layers

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from marchtable.budget import Budget
    from marchtable.planning.line.graph import Course
    from marchtable.planning.line.problem import LineProblem
    from marchtable.planning.line.worth import TaskRows
    from marchtable.rules.plan_model import Control
    from marchtable.state.action import Action

__all__ = [
    "FIRST",
    "LITTLE",
    "MASK",
    "BoundTightening",
    "checked",
    "could_end",
    "early_control",
    "solved",
    "stated",
]

# Deterministic time charged for work, roughly its seconds
MASK = 5e-8
"""Sweeping one mask of a table, forwards and backwards until nothing changes."""
STATED = 2e-4
"""Stating a state after a round to CP-SAT, and loading that."""
PATIENCE = 3
"""After so many sums in a row that CP-SAT had to rule out, ask for less at once."""
FIRST = 0.5
"""Deterministic time for finding any plan, before good ones are sought."""
LITTLE = 2
"""A search with less than so many times what it spends before it seeks good plans may find none."""
WIDER = 2
"""Maximum growth of states when less is asked; raised by the same factor each time."""


class BudgetControl:
    """A control that reports nothing and spends a little of a lent budget: up to :data:`FIRST`."""

    seed = 0

    def __init__(self, budget: Budget) -> None:
        self.stop, self._budget, self._own = budget.stop, budget, FIRST

    def left(self) -> float:
        """Return the rest of the limit, in deterministic time."""
        return min(self._own, self._budget.left())

    def spend(self, time: float) -> None:
        """Record deterministic time as used."""
        self._own = max(0.0, self._own - time)
        self._budget.spend(time)

    def found(self, log: tuple[Action, ...]) -> None:
        """Ignore an interim plan."""

    def bounded(self, bound: int) -> None:
        """Ignore a bound."""


def early_control(charge: float) -> BudgetControl | None:
    """
    Return a control for first plans if the budget lent here leaves little time for a search.

    `charge` is what a search spends before it begins.
    """
    budget = current_budget()
    return (
        None
        if budget is None or budget.left() > LITTLE * (FIRST + charge)
        else BudgetControl(budget)
    )


class BoundTightening:
    """
    The search for the best plan of one task.

    Parameters
    ----------
    problem, limits, control
        The line, the task's bounds, and the planner's control.

    Attributes
    ----------
    top
        An upper bound of every plan's sum.
    """

    def __init__(self, problem: LineProblem, limits: TaskRows, control: Control) -> None:
        self.problem, self.limits, self.control = problem, limits, control
        self.top, self._low = limits.bounds()
        masks = limits.reached()
        self._reached = Layers(masks, masks)
        self._anywhere = AnyEnd(problem.graph)
        self._anywhere.all_alike = problem.ends.all_alike
        self._anywhere.uncounted = problem.ends.uncounted
        self._by_sum: tuple[dict[int, Layers | None], ...] = ({}, {})

    def run(
        self, cutoff: int | None, improved: Callable[[Course], None], bounded: Callable[[int], None]
    ) -> Course | None:
        """
        Return the best plan above a sum already found.

        Calls `improved` with interim plans and `bounded` with bounds. Raises TimeoutError at a
        limit.
        """
        found, refuted = None, 0
        step = self.limits.step
        self._start(cutoff)
        while self.problem.most and self.top > (self._low - step if cutoff is None else cutoff):
            checked(self.control)
            bounded(self.top)
            base = self._low - step if cutoff is None else cutoff
            top = self._highest(base)
            if top is None:
                self.top = base
                break
            self.top = least = top
            if refuted >= PATIENCE and cutoff is not None:
                least = self._less(cutoff, top, refuted + 1 - PATIENCE)
            bounded(top)
            layers = self._single(least)
            course = layers and self._solved(layers, least)
            if course is None:
                self.top = least - step
                refuted += layers is not None
            else:
                found, cutoff = course, self.limits.total(course)
                improved(course)
                refuted = max(refuted, PATIENCE)
        return found

    # -- bounds ----------------------------------------------------------------------------------

    def _start(self, cutoff: int | None) -> None:
        """Lower the bound as far as a sum already found permits at once."""
        graph, step = self.problem.graph, self.limits.step
        if not self.problem.most:
            return
        checked(self.control)
        least, masks = self._low, graph.masks
        if cutoff is not None:
            least = cutoff + step
            found = self._free(least)
            if found is None:
                self.top = cutoff
                return
            masks = found.ends
        hoped = hope(graph, self.limits.wanted(least), masks, self.problem.ends)
        self.top = least - step if hoped is None else min(self.top, hoped + least)

    def _highest(self, base: int) -> int | None:
        """
        Return the largest sum above a base that layers do not rule out, None if they rule out all.

        The possible ends are examined last, when few states are left.
        """
        for layers, growth in ((self._free, 1), (self._single, 0)):
            top = self._falling(base, layers, growth)
            if top is None:
                return None
            self.top = top
        return self.top

    def _less(self, cutoff: int, top: int, tired: int) -> int:
        """Return a sum between found and possible, closer to the latter if less is far wider."""
        most = WIDER**tired * _size(self._single(top))
        less = self.limits.between(cutoff, top)
        while less < top and _size(self._free(less)) > most:
            less = self.limits.between(less, top)
        return less

    def _falling(self, base: int, is_alive: Any, growth: int) -> int | None:
        """Return the largest live sum above a base, by growing strides, or None."""
        step = self.limits.step
        count = -((base - self.top) // step)  # sums top, top - step ... above the base
        low, high, stride = 0, count, 1
        while low < high:
            middle = min(low + stride - 1, high - 1) if high == count else (low + high) // 2
            if is_alive(self.top - middle * step) is not None:
                high = middle
            else:
                low = middle + 1
                stride = 2 * stride if growth or low > PATIENCE else stride
        return self.top - high * step if high < count else None

    def _free(self, total: int) -> Layers | None:
        """Return the layers of single members for a sum, with ends anywhere."""
        known = self._by_sum[0]
        if total not in known:
            known[total] = self._narrowed(self._anywhere, total, self._reached)
        return known[total]

    def _single(self, total: int) -> Layers | None:
        """Return the layers with members ending only where the rules allow."""
        known = self._by_sum[1]
        if total not in known:
            found = self._free(total)
            known[total] = found and self._narrowed(self.problem.ends, total, found)
        return known[total]

    def _narrowed(self, ends: AnyEnd, total: int, within: Layers) -> Layers | None:
        """Restrict layers to a sum, with members ending only as `ends` permits."""
        checked(self.control)
        self.control.spend(MASK * len(self.problem.graph.masks))
        wanted = self.limits.wanted(total)
        return narrowed(self.problem.graph, wanted, ends, within)

    # -- plans -----------------------------------------------------------------------------------

    def some(self) -> Course | None:
        """
        Return any plan of the task; None if there is none (see :attr:`top`) or none is found soon.

        First checks where members can end, without their ways; then ways of the minimum number of
        rounds, of some more, and of any number. Raises TimeoutError at a limit.
        """
        free = self._free(self._low) if self.problem.most else None
        if free is not None and could_end(self.problem, free, self.limits, None, self.control):
            for more in EXTRA_ROUNDS:
                layers = (
                    self._single(self._low) if more is None else self._ending_within(free, more)
                )
                try:
                    found = layers and self._solved(layers, self._low, FIRST)
                except TimeoutError:
                    checked(self.control)
                    return None
                if found is not None:
                    return found
        self.top = self._low - self.limits.step
        return None

    def _ending_within(self, layers: Layers, more: int) -> Layers | None:
        """Return the layers for plans of at most so many rounds more than the minimum."""
        graph, ends = self.problem.graph, self.problem.ends
        some = layers._replace(ends=ends_within(graph, layers.ends, more))
        return self._narrowed(ends, self._low, some)

    def _solved(self, layers: Layers, least: int, limit: float = inf) -> Course | None:
        self.control.spend(STATED * int(np.count_nonzero(layers.active)))
        checked(self.control)
        model = stated(self.problem, layers, self.limits, least)
        values = solved(model, self.control, limit=limit)
        return None if values is None else model.courses(values)[0]


def _size(layers: Layers | None) -> int:
    """Return the number of states in layers."""
    return 0 if layers is None else int(np.count_nonzero(layers.active))


# -- CP-SAT's models -------------------------------------------------------------------------------


def stated(
    problem: LineProblem, layers: Layers, limits: TaskRows, least: int | None
) -> LineConstraints:
    """Return the model of the plans within layers and bounds, of any sum if `least` is None."""
    model = LineConstraints(problem, layers, limits, least)
    model.add_all()
    return model


def could_end(
    problem: LineProblem, layers: Layers, limits: TaskRows, least: int | None, control: Control
) -> bool:
    """Return whether members' last places permit the wanted end; True at a limit."""
    graph = problem.graph
    ends = np.bitwise_or.reduce(layers.ends.reshape(-1, graph.count * graph.size), axis=0)
    model = LineConstraints(problem, Layers(ends, ends), limits, least)
    model.add_last_places()
    return _asked(model, control, (), "last places")[0] is not Status.IMPOSSIBLE


def solved(
    model: LineConstraints, control: Control, sought: Sequence[tuple[int, int]] = (), *,
    limit: float = inf,
) -> Any | None:  # fmt: skip
    """
    Return the values of a plan in which no member goes straight back, or None.

    Parameters
    ----------
    model, control
        The model, and the planner's control.
    sought
        Literals with weights, to find the best plan; by default any plan.
    limit
        Deterministic time for one search, if less than the planner's.

    Raises
    ------
    TimeoutError
        If a limit is reached.
    """
    cuts = model.problem.cuts
    while True:
        status, values = _asked(model, control, sought, limit=limit)
        if status is Status.IMPOSSIBLE:
            return None
        if status is not Status.OPTIMAL and (sought or status is Status.UNKNOWN):
            raise TimeoutError
        backs = {each for course in model.courses(values) for each in cuts.breaks(course)}
        if not backs:
            return values
        cuts.learn(backs)
        for each in sorted(backs):
            cuts.not_back(model, *each)


def _asked(
    model: LineConstraints, control: Control, sought: Sequence[tuple[int, int]], what: str = "", *,
    limit: float = inf,
) -> tuple[Status, Any]:  # fmt: skip
    """Return CP-SAT's status, and the values of a plan if it found one."""
    checked(control)
    rows = model.model()
    if sought:
        rows.maximize(weighted([(rows.get_bool_var_from_proto_index(x), n) for x, n in sought]))
    outcome = solve(
        rows, "logic", limit=min(limit, control.left()), stop=control.stop, seed=control.seed,
        about=(model.graph, model.parting and model.parting.at, what),
    )  # fmt: skip
    control.spend(outcome.time)
    return outcome.status, [*outcome.solver.response_proto.solution]  # includes the solver's own


def checked(control: Control) -> None:
    """Raise TimeoutError if a limit is reached or a stop was requested."""
    if control.stop.is_requested or control.left() <= 0:
        raise TimeoutError
