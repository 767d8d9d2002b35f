"""CP-SAT's choice of one course for each unit; each constraint bears the clause that demands it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.cpsat.harness import Outcome, Status, solve
from marchtable.planning.score import Stand
from marchtable.state.goal import CRITERIA
from marchtable_models.panzer.cpsat.standing import Standing
from marchtable_models.panzer.cpsat.tally import Extra

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ortools.sat.python import cp_model

    from marchtable.rules.plan_model import Control, Score, Task
    from marchtable.state.goal import Criterion
    from marchtable_models.panzer.cpsat.course import Course
    from marchtable_models.panzer.cpsat.room import Room
    from marchtable_models.panzer.cpsat.standing import Block
    from marchtable_models.panzer.cpsat.tally import Cut, Tally

__all__ = ["Choosing", "Found"]

COUNTED: tuple[Criterion, Criterion] = ("points", "exposure")
"""What courses that hinder each other may come to more of."""


class Found(NamedTuple):
    """
    What CP-SAT chose, what that comes to by its account, and what it claims.

    Parameters
    ----------
    outcome
        Its objective and bound are those of the task.
    courses, totals
        What is gone through, and what that comes to.
    extra
        By how many points units cost more than their courses say.
    pairs
        Units of which the first must act before the second.
    spares
        Whether of equals it is one of the fewest points.
    """

    outcome: Outcome
    courses: tuple[Course, ...] = ()
    totals: Score = {}  # noqa: RUF012 - never changed
    extra: Mapping[str, int] = {}
    pairs: frozenset[tuple[str, str]] = frozenset()
    spares: bool = False


class Choosing:
    r"""
    The choice: with :math:`x_c` that course ``c`` is gone through.

    Each unit has one fate, :math:`\sum_{c \ni u} x_c = 1`; where courses end there is room; what a
    goal demands is done; and cuts hold.

    Parameters
    ----------
    courses
        All courses, by unit.
    tally, room
        What they come to, and how many units may end where.
    still
        What the units add that stay as they are.
    held
        Numbers of the goal's aims, each with the units that meet it as they stand.
    started
        Where each unit is at the outset, and whether aboard.
    allotment
        The most points that a unit has.
    """

    def __init__(
        self,
        courses: Mapping[str, Sequence[Course]],
        tally: Tally,
        room: Room,
        still: Score,
        held: Mapping[int, int],
        started: Mapping[str, tuple[str | None, bool]],
        allotment: int,
    ) -> None:
        self.tally, self.room, self.still, self.held = tally, room, still, held
        self.started, self.allotment = started, allotment
        self.courses = [course for every in courses.values() for course in every]
        self.scores = [tally.of(course) for course in self.courses]

    @property
    def size(self) -> int:
        """The number of courses to choose from."""
        return len(self.courses)

    def solve(
        self,
        task: Task,
        cuts: Sequence[Cut],
        blocks: Sequence[Block],
        control: Control,
    ) -> Found:
        """
        Return the best choice that no cut and no block excludes; of equals the least to be done.

        Parameters
        ----------
        task
            What is sought, within which bounds.
        cuts, blocks
            Courses that hinder each other, and units in others' way.
        control
            The limit, and the seed.
        """
        from ortools.sat.python import cp_model

        model = cp_model.CpModel()
        x = [model.new_bool_var("") for _ in self.courses]
        for add in CONSTRAINTS:
            add(self, model, x)
        extra = Extra(model, self.allotment)
        self._cut(model, x, cuts, extra)
        standing = Standing(model, self.courses, x, self.started)
        for block in blocks:
            standing.block(block, extra.points)
        totals = self._totals(x, extra)
        for bounds, sign in ((task.least, 1), (task.most, -1)):
            for name, bound in bounds.items():
                model.add(sign * totals[name] >= sign * bound)
        sought = sum(weight * totals[name] for name, weight in task.weights.items())
        spared, most = self._spared(x, extra, totals["points"], task)
        model.maximize(sought * (most + 1) - spared)
        outcome = solve(
            model, "knapsack", limit=control.left(), stop=control.stop, seed=control.seed
        )
        control.spend(outcome.time)
        if outcome.objective is None or outcome.bound is None:
            return Found(outcome)
        solver = outcome.solver
        picked = [c for v, c in zip(x, self.courses, strict=True) if solver.boolean_value(v)]
        return Found(
            outcome._replace(
                objective=int(solver.value(sought)), bound=(outcome.bound + most) // (most + 1)
            ),
            tuple(picked),
            {name: int(solver.value(total)) for name, total in totals.items()},
            {
                unit: int(solver.value(v))
                for (name, unit), v in extra.known.items()
                if name == "points"
            },
            frozenset(standing.order(solver.boolean_value)),
            bool(task.weights) and most > 0 and outcome.status is Status.OPTIMAL,
        )

    def _spared(self, x: Sequence[Any], extra: Extra, points: Any, task: Task) -> tuple[Any, int]:
        """Return what is spared where that is all one to the task, and the most of it: points, else acts."""
        if not task.weights:
            acts = [(v, len(c.legs)) for v, c in zip(x, self.courses, strict=True) if c.legs]
            return _weighted(acts), sum(count for _, count in acts)
        if {"points"} & {*task.weights, *task.most}:
            return 0, 0
        return points, self._most_points() + extra.most() + self.still["points"]

    def _most_points(self) -> int:
        """Return the points that courses can come to at most, one for each unit."""
        most: dict[str, int] = {}
        for course in self.courses:
            most[course.unit] = max(course.points, most.get(course.unit, 0))
        return sum(most.values())

    def _totals(self, x: Sequence[Any], extra: Extra) -> dict[Criterion, Any]:
        sums: dict[Any, list[tuple[Any, int]]] = {name: [] for name in CRITERIA}
        for chosen, score in zip(x, self.scores, strict=True):
            for name, amount in score.items():
                if amount:
                    sums[name].append((chosen, amount))
        for (name, _), variable in extra.known.items():
            sums[name].append((variable, 1))
        return {name: _weighted(terms) + self.still[name] for name, terms in sums.items()}

    def _cut(
        self, model: cp_model.CpModel, x: Sequence[Any], cuts: Sequence[Cut], extra: Extra
    ) -> None:
        """Let courses that hinder each other be dearer together, or exclude each other."""
        of = dict(zip(self.courses, x, strict=True)) if cuts else {}
        for cut in cuts:
            if not all(course in of for course in cut.courses):
                continue
            dearer = [model.new_bool_var("") for _ in cut.more]
            model.add_bool_or([of[course].negated() for course in cut.courses] + dearer)
            for literal, price in zip(dearer, cut.more, strict=True):
                for name, amount in zip(COUNTED, price, strict=True):
                    shares = [extra.of(name, course.unit) for course in cut.courses]
                    model.add(sum(shares) >= amount).only_enforce_if(literal)


def _weighted(terms: Sequence[tuple[Any, int]]) -> Any:
    from ortools.sat.python import cp_model

    if not terms:
        return 0
    return cp_model.LinearExpr.weighted_sum([v for v, _ in terms], [a for _, a in terms])


# -- constraints -----------------------------------------------------------------------------------


def one_fate(choosing: Choosing, model: cp_model.CpModel, x: Sequence[Any]) -> None:
    """P.turn-a, P.turn-c: a unit acts, or rests and is carried by one transport: one course each."""
    fates: dict[str, list[Any]] = defaultdict(list)
    for chosen, course in zip(x, choosing.courses, strict=True):
        for end in course.ends:
            fates[end.unit].append(chosen)
    for every in fates.values():
        model.add_exactly_one(every)


def room_at_the_end(choosing: Choosing, model: cp_model.CpModel, x: Sequence[Any]) -> None:
    """P.opt-b, P.stack-a: as the phase ends no hex holds more than it may."""
    loads: dict[str, list[tuple[Any, int]]] = defaultdict(list)
    for chosen, course in zip(x, choosing.courses, strict=True):
        for at in {end.at for end in course.known}:
            weight = choosing.room.weight([e for e in course.known if e.at == at])
            if weight:
                loads[at].append((chosen, weight))
    for at, terms in loads.items():
        most = choosing.room.left(at)
        if most is not None and sum(weight for _, weight in terms) > most:
            model.add(_weighted(terms) <= most)


def demands(choosing: Choosing, model: cp_model.CpModel, x: Sequence[Any]) -> None:
    """Bring as many units as the goal demands to where it wants them."""
    measure = choosing.tally.measure
    for aim, held in choosing.held.items():
        required = measure.required(aim) - held
        if required <= 0:
            continue
        terms = [
            (chosen, count)
            for chosen, course in zip(x, choosing.courses, strict=True)
            if (
                count := sum(
                    measure.holds(aim, e.unit, Stand(e.at, e.aboard is not None))
                    for e in course.ends
                )
            )
        ]
        model.add(_weighted(terms) >= required)


CONSTRAINTS: tuple[Callable[[Choosing, Any, Sequence[Any]], None], ...] = (
    one_fate, room_at_the_end, demands,
)  # fmt: skip
