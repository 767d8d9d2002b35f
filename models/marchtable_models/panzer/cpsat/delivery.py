"""Deliveries: the most value to where it is wanted within a phase, planned with a proof."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from marchtable.budget import lent
from marchtable.cpsat.harness import Status
from marchtable.planning.goals import movers_of, places_of
from marchtable.planning.reasons import Question
from marchtable.planning.score import Measure, Stand
from marchtable.rules.plan_model import PlanSpace, Proposal
from marchtable.rules.referee import check
from marchtable.state.action import Phase
from marchtable_models.panzer.clauses import combat
from marchtable_models.panzer.cpsat.acted import TooManyOrdersError
from marchtable_models.panzer.cpsat.acting import Acting
from marchtable_models.panzer.cpsat.blame import blamed
from marchtable_models.panzer.cpsat.catalogue import Catalogue
from marchtable_models.panzer.cpsat.choosing import Choosing
from marchtable_models.panzer.cpsat.courses import Courses
from marchtable_models.panzer.cpsat.greedy import at_first
from marchtable_models.panzer.cpsat.mending import Mending
from marchtable_models.panzer.cpsat.outcomes import outcomes
from marchtable_models.panzer.cpsat.participants import Cast
from marchtable_models.panzer.cpsat.prices import Prices
from marchtable_models.panzer.cpsat.room import Room
from marchtable_models.panzer.cpsat.tally import Tally
from marchtable_models.panzer.cpsat.ways import Terms
from marchtable_models.panzer.extraction import survey
from marchtable_models.panzer.model import PHASES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from marchtable.rules.plan_model import Control, Reason, Score, Task, Unsettled
    from marchtable.rules.ruling import Verdict
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal
    from marchtable_models.panzer.cpsat.acted import Acted
    from marchtable_models.panzer.cpsat.choosing import Found
    from marchtable_models.panzer.cpsat.course import Course
    from marchtable_models.panzer.extraction.survey import PanzerPosition

__all__ = ["Delivery"]

POLICY = (
    "One unit after another does all that it does in one go, a transport with what it carries.",
    "A transport loads at most one unit, and unloads in one hex only.",
    "What has been unloaded is not loaded by another transport.",
    "No move wanders: each goes to a hex by a way that no other there beats in points and exposure.",
    "Who is not among the movers stays, and so does a transport that carries him.",
    "The phase is ended legally.",
)


COUNTED = {"points", "exposure"}
END = Phase(PHASES[PHASES.index("Movement") + 1])
CALL, COURSES, CUTS = 0.005, 2500, 250
"""Deterministic time that a choice counts for beside CP-SAT's own, and again for so many of each."""


class Delivery:
    """
    The plan model of the movement phase: walking, loading, carrying and unloading.

    Parameters
    ----------
    position
        Where the game stands.
    goal
        The goal, checked.
    """

    name = "delivery"
    unsettled: Unsettled = "orders"

    def __init__(self, position: PanzerPosition, goal: Goal) -> None:
        self.position, self.goal = position, goal
        self._taken: list[dict[str, tuple[str | None, int]]] = []
        self._known: dict[tuple[Action, ...], tuple[Course, ...]] = {}
        self._chosen: tuple[int, Choosing] | None = None
        self._spared: tuple[Score, tuple[Action, ...]] | None = None

    @property
    def space(self) -> PlanSpace:
        """The plans among which it searches; what it came to leave out grows as it asks."""
        return PlanSpace(
            name=self.name,
            verbs=("move", "load", "unload", "phase"),
            movers=movers_of(self.goal, self.position),
            policy=POLICY,
            left_out=tuple(sorted(self._prices.left_out)),
        )

    # -- what there is to choose from ----------------------------------------------------------

    @cached_property
    def _prices(self) -> Prices:
        return Prices(self.position)

    @cached_property
    def _measure(self) -> Measure:
        return Measure(self.position, self.goal)

    @cached_property
    def _terms(self) -> Terms:
        return Terms(frozenset(self.goal.avoid), self.goal.threat)

    @cached_property
    def _cast(self) -> Cast:
        return Cast(self.position, movers_of(self.goal, self.position), self._prices)

    @cached_property
    def _acting(self) -> Acting:
        return Acting(self._cast, self._prices, self._terms)

    @cached_property
    def _catalogue(self) -> Catalogue:
        courses = Courses(self._cast, self._prices, self._terms)
        return Catalogue(self._cast, courses, self._room, self._matters())

    @cached_property
    def _mending(self) -> Mending:
        return Mending(self._acting, self._catalogue)

    def _matters(self) -> frozenset[str] | None:
        """Return the hexes in which it matters to the goal who ends there; None if all do."""
        if self.goal.threat or any(aim.near for aim in self.goal.aims):
            return None
        board = self.position.board
        return frozenset().union(*(places_of(aim.at, board) for aim in self.goal.aims))

    @cached_property
    def _room(self) -> Room:
        return Room(self._cast, self._prices)

    @property
    def _choosing(self) -> Choosing:
        """The choice from what is listed now."""
        version = self._catalogue.version
        if self._chosen is None or self._chosen[0] != version:
            self._chosen = (version, self._choice())
        return self._chosen[1]

    def _choice(self) -> Choosing:
        tally = Tally(self._measure)
        listed = self._catalogue.listed
        covered = {e.unit for every in listed.values() for c in every for e in c.ends}
        still = [u for u in self.position.units if u.id not in covered]
        held = {
            n: sum(self._measure.holds(n, u.id, Stand(u.at, u.aboard is not None)) for u in still)
            for n in range(len(self.goal.aims))
        }
        as_is = tally.still([(u.id, u.at, u.aboard is not None) for u in still])
        started = {u.id: (u.at, u.aboard is not None) for u in self.position.units}
        most = max(2 * survey.type_of(self.position, u).mf for u in self.position.units)
        return Choosing(listed, tally, self._room, as_is, held, started, most)

    # -- what the planner asks -----------------------------------------------------------------

    def quick(self) -> Iterable[tuple[Action, ...]]:
        """Return a plan in which each unit in turn takes what gains most and is still to be had."""
        with lent(None):  # what has begun is ended: so there is a plan at any limit
            if self._owes():
                return ()
            chosen = at_first(self._catalogue.listed, Tally(self._measure), self._room)
            try:
                acted, _ = self._acting.greedy(chosen, None)
            except TooManyOrdersError:
                return ()
            log = self._ended(acted)
        return () if log is None else (log,)

    def best(self, task: Task, control: Control) -> Proposal:
        """Return the best plan that no cut excludes."""
        if self._owes():
            return Proposal("IMPOSSIBLE", None, None)
        if (spared := self._spared_for(task)) is not None:
            return spared
        bound: int | None = None
        while True:
            if control.stop.is_requested or control.left() <= 0:
                return Proposal("UNKNOWN", None, bound)
            mending = self._mending
            learned = mending.cuts, tuple(mending.blocks.values())
            found = self._choosing.solve(task, *learned, control)
            control.spend(CALL * (1 + self._choosing.size / COURSES + len(learned[0]) / CUTS))
            outcome = found.outcome
            if outcome.status is Status.IMPOSSIBLE:
                return Proposal("UNKNOWN" if mending.is_unsure else "IMPOSSIBLE", None, None)
            if outcome.status is Status.UNKNOWN:
                return Proposal("UNKNOWN", None, bound)
            if not mending.is_unsure:
                bound = outcome.bound
                assert bound is not None
                control.bounded(bound)
            log = self._log(found, task)
            if log is not None:
                self._known[log] = found.courses
                proved = outcome.status is Status.OPTIMAL and not mending.is_unsure
                self._spared = (found.totals, log) if proved and found.spares else None
                return Proposal("OPTIMAL" if proved else "FEASIBLE", log, bound)

    def _spared_for(self, task: Task) -> Proposal | None:
        """Return the last plan if the fewest points are sought, and it is one of these already."""
        if self._spared is None or set(task.weights) != {"points"} or "value" not in task.least:
            return None
        totals, log = self._spared
        low = all(totals[name] <= most for name, most in task.most.items())
        if task.least != {"value": totals["value"]} or not low:
            return None
        return Proposal("OPTIMAL", log, task.weights["points"] * totals["points"])

    def refuse(self, log: tuple[Action, ...], verdict: Verdict) -> None:
        """Never choose these courses together again, whatever the verdict: it was not foreseen."""
        self._spared = None
        if verdict.rulings and (courses := self._known.get(log)) is not None:
            self._mending.give_up(courses)

    def differ(self, log: tuple[Action, ...]) -> None:
        """Look only for plans in which some unit ends elsewhere or spends something else."""
        self._spared = None
        for unit in self._cast.actors:
            self._catalogue.widen(unit.id)
        projection = self._measure.of(check(self.position, log)).projection
        self._taken.append({unit: (at, spent) for unit, at, spent in projection})

    def conflict(self, control: Control) -> tuple[Reason, ...] | None:
        """Return a minimal set of clauses that together forbid what the goal demands."""
        again = Question(
            self.position, self.goal, "avoid", lambda: Delivery(self.position, self.goal), control
        )
        return blamed(again, self.space.left_out)

    # -- from courses to a log -----------------------------------------------------------------

    def _owes(self) -> bool:
        """Tell whether something else must be done before a plan of this space can begin."""
        ending = self._prices.rule(self.position, END)
        return any(found.clause == combat.owner_removes.id for found in ending.violations)

    def _log(self, found: Found, task: Task) -> tuple[Action, ...] | None:
        """Return what was chosen as a log; None if it cannot be gone through: then that is learned."""
        counts = found.spares or bool(COUNTED & {*task.weights, *task.least, *task.most})
        courses = self._catalogue.told_apart(found.courses, counts=counts)
        if courses is None:
            return None
        acted = self._mending.ordered(found, courses, counts=counts)
        if acted is None:
            return None
        log = self._ended(acted)
        if log is None:
            ending = self._prices.rule(acted.position, END)
            self._mending.thin_out(ending, found, courses)
            return None
        return self._another(found, courses, counts=counts) if self._is_taken(log) else log

    def _another(
        self, found: Found, courses: Sequence[Course], *, counts: bool
    ) -> tuple[Action, ...] | None:
        """Return a log of the same courses for which units spend what they did in no plan given out."""
        try:
            every = outcomes(self._acting, courses)
        except TooManyOrdersError:
            self._mending.give_up(found.courses)
            return None
        left = [
            (one, log) for one in every if (log := self._ended(one)) and not self._is_taken(log)
        ]
        most = (found.totals["points"], found.totals["exposure"])
        still = self._choosing.still["points"], self._choosing.still["exposure"]
        for one, log in left:
            cost = one.points + still[0], one.exposure + still[1]
            if not counts or (cost[0] <= most[0] and cost[1] <= most[1]):
                return log
        self._mending.dearer(found.courses, [(one.points, one.exposure) for one, _ in left])
        return None

    def _ended(self, acted: Acted) -> tuple[Action, ...] | None:
        """Return the log with the phase's end; None if it may not end so."""
        if self.position.phase != "Movement":
            return acted.log
        return (*acted.log, END) if self._prices.rule(acted.position, END).is_legal else None

    def _is_taken(self, log: tuple[Action, ...]) -> bool:
        if not self._taken:
            return False
        found = self._measure.of(check(self.position, log)).projection
        return {unit: (at, spent) for unit, at, spent in found} in self._taken
