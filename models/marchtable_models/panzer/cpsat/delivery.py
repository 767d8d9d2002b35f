"""Deliveries: the most value to where it is wanted within a phase, planned with a proof."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING

from marchtable.budget import lent
from marchtable.cpsat.harness import Status
from marchtable.planning.choice.aims import demands, gains, still
from marchtable.planning.choice.model import Choice
from marchtable.planning.choice.options import Learned, Problem, Row, Rules
from marchtable.planning.choice.presence import Turns
from marchtable.planning.goals import movers_of, places_of
from marchtable.planning.reasons import Question
from marchtable.planning.score import Measure, Stand
from marchtable.rules.plan_model import PlanSpace, Proposal
from marchtable.rules.referee import check
from marchtable.state.action import Phase
from marchtable_models.panzer.cpsat.acting import Acting
from marchtable_models.panzer.cpsat.blame import STACKING, blamed
from marchtable_models.panzer.cpsat.catalogue import Catalogue
from marchtable_models.panzer.cpsat.courses import Courses
from marchtable_models.panzer.cpsat.crowds import Crowds
from marchtable_models.panzer.cpsat.greedy import at_first
from marchtable_models.panzer.cpsat.participants import Participants
from marchtable_models.panzer.cpsat.prices import Prices, Terms
from marchtable_models.panzer.cpsat.room import Room
from marchtable_models.panzer.model import PHASES
from marchtable_models.panzer.rules.removal import owner_removes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from marchtable.planning.choice.aims import Standing
    from marchtable.planning.choice.model import Found
    from marchtable.planning.choice.options import Price
    from marchtable.planning.choice.replay import Stuck
    from marchtable.rules.plan_model import Control, Reason, Score, Task, Unsettled
    from marchtable.rules.ruling import Ruling, Verdict
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal
    from marchtable_models.panzer.cpsat.acting import Acted
    from marchtable_models.panzer.cpsat.course import Course
    from marchtable_models.panzer.views.units import PanzerPosition

__all__ = ["Delivery"]

POLICY = (
    "One unit after another does all that it does in one go, a transport with what it carries.",
    "A transport loads at most one unit, and unloads in one hex only.",
    "What has been unloaded is not loaded by another transport.",
    "Vehicles, armoured units and carriers by class (C) carry, no others, and no vehicle is carried, whatever clauses are off.",
    "No move wanders: each goes to a hex by a way that no other there beats in points and exposure.",
    "Who is not among the movers stays, and so does a transport that carries him.",
    "Who waits off the map stays there, and nobody leaves it.",
    "The phase is ended legally.",
)


Projection = tuple[tuple[str, str | None, int], ...]
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
    unsettled: Unsettled = "others"

    def __init__(self, position: PanzerPosition, goal: Goal) -> None:
        self.position, self.goal = position, goal
        self._learned: Learned[Course] = Learned()
        self._taken: list[Projection] = []
        self._is_unsure = False
        self._known: dict[tuple[Action, ...], tuple[Course, ...]] = {}
        self._stated: tuple[int, Problem[Course]] | None = None
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
    def _participants(self) -> Participants:
        return Participants(self.position, movers_of(self.goal, self.position), self._prices)

    @cached_property
    def _acting(self) -> Acting:
        return Acting(self._participants, self._prices, self._terms)

    @cached_property
    def _catalogue(self) -> Catalogue:
        courses = Courses(self._participants, self._prices, self._terms)
        return Catalogue(self._participants, courses, self._room, self.matters())

    @cached_property
    def _crowds(self) -> Crowds:
        return Crowds(self._participants, self._prices, self._terms, self._catalogue.matters)

    def matters(self) -> frozenset[str] | None:
        """Return the hexes in which it matters to the goal who ends there; None if all do."""
        if self.goal.threat or any(aim.near for aim in self.goal.aims):
            return None
        board = self.position.board
        return frozenset().union(*(places_of(aim.at, board) for aim in self.goal.aims))

    @cached_property
    def _room(self) -> Room:
        return Room(self._participants, self._prices)

    @property
    def _problem(self) -> Problem[Course]:
        """What there is to choose from, as it is listed now."""
        version = self._catalogue.version
        if self._stated is None or self._stated[0] != version:
            self._stated = (version, self._state())
        return self._stated[1]

    def _state(self) -> Problem[Course]:
        courses = [course for every in self._catalogue.listed.values() for course in every]
        covered = {end.unit for course in courses for end in course.ends}
        idle = [
            (u.id, Stand(u.at, u.aboard is not None))
            for u in self.position.units
            if u.id not in covered
        ]
        wanted = demands(self._measure, [_stands(course) for course in courses], idle)
        rules = Rules(stacking=[*self._room_rows(courses)], demands=[*wanted])
        scores = [self._score(course) for course in courses]
        return Problem(
            courses, scores, still(self._measure, idle), rules, Turns(courses, self._crowds.stands)
        )

    def _score(self, course: Course) -> Score:
        """Return what a course adds to each criterion."""
        value, distance = gains(self._measure, _stands(course))
        moved = len(course.going & {*self._measure.movers})
        counted: Score = {"exposure": course.exposure, "points": course.points, "moved": moved}
        return {"value": value, "distance": distance, **counted}

    def _room_rows(self, courses: Sequence[Course]) -> Iterator[Row]:
        """Yield that as the phase ends no hex holds more than it may."""
        loads: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, course in enumerate(courses):
            for at in {end.at for end in course.known}:
                weight = self._room.weight([e for e in course.known if e.at == at])
                if weight:
                    loads[at].append((number, weight))
        for at, terms in loads.items():
            most = self._room.left(at)
            if most is not None and sum(weight for _, weight in terms) > most:
                yield Row(STACKING, terms, most=most)

    # -- what the planner asks -----------------------------------------------------------------

    def quick(self) -> Iterable[tuple[Action, ...]]:
        """Return a plan in which each unit in turn takes what gains most and is still to be had."""
        with lent(None):  # what has begun is ended: so there is a plan at any limit
            if self._owes():
                return ()
            chosen = at_first(self._catalogue.listed, self._problem.scores, self._room)
            acted, _ = self._acting.through(chosen, None)
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
            problem, learned = self._problem, self._learned
            found = Choice(problem, learned).solve(task, control)
            size = len(problem.options) / COURSES + len(learned.nogoods) / CUTS
            control.spend(CALL * (1 + size))
            outcome = found.outcome
            if outcome.status is Status.IMPOSSIBLE:
                return Proposal("UNKNOWN" if self._is_unsure else "IMPOSSIBLE", None, None)
            if not self._is_unsure and outcome.bound is not None:
                bound = outcome.bound
                control.bounded(bound)
            if outcome.status is Status.UNKNOWN:
                return Proposal("UNKNOWN", None, bound)
            log = self._log(found, task)
            if log is not None:
                self._known[log] = found.options
                proved = outcome.status is Status.OPTIMAL and not self._is_unsure
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
            self._give_up(courses)

    def differ(self, log: tuple[Action, ...]) -> None:
        """Look only for plans in which some unit ends elsewhere or spends something else."""
        self._spared = None
        for unit in self._participants.actors:
            self._catalogue.widen(unit.id)
        projection = self._measure.of(check(self.position, log)).projection
        self._learned.is_exact = True
        self._taken.append(projection)

    def conflict(self, control: Control) -> tuple[Reason, ...] | None:
        """Return a minimal set of clauses that together forbid what the goal demands."""
        again = Question(
            self.position, self.goal, "avoid", lambda: Delivery(self.position, self.goal), control
        )
        return blamed(again, self.space.left_out)

    # -- from courses to a log -----------------------------------------------------------------

    def _owes(self) -> bool:
        """Return whether something else must be done before a plan of this space can begin."""
        ending = self._prices.rule(self.position, END)
        return any(found.clause == owner_removes.id for found in ending.violations)

    def _log(self, found: Found[Course], task: Task) -> tuple[Action, ...] | None:
        """Return what was chosen as a log; None if it cannot be gone through: then that is learned."""
        exactly = self._learned.is_exact
        counts = found.spares or bool(COUNTED & {*task.weights, *task.least, *task.most})
        courses = self._catalogue.told_apart(found.options, counts=counts)
        if courses is None:
            return None
        extra = found.extra if counts or exactly else None
        acted, stuck = self._acting.through(courses, extra, found.pairs, exactly=exactly)
        if stuck:
            if not self._learn(stuck, found, courses, extra):
                self._tell_apart(found)
            return None
        log = self._ended(acted)
        if log is None:
            self._thin_out(self._prices.rule(acted.position, END), found, courses)
        elif exactly and self._is_taken(log):
            self._vary(found)
            return None
        return log

    # -- what is learned -----------------------------------------------------------------------

    def _give_up(self, courses: Sequence[Course]) -> None:
        """Never choose these together again, although there might be an order for them."""
        self._learned.nogoods.append(frozenset(courses))
        self._is_unsure = True

    def _learn(
        self, stuck: Sequence[Stuck[Course]], found: Found[Course], courses: Sequence[Course],
        extra: Mapping[str, Price] | None,
    ) -> bool:  # fmt: skip
        """Learn in which hexes others are in stuck units' way; tell whether anything is new."""
        is_new = False
        for one in stuck:
            unit = one.option.unit
            given = self._crowds.given(one, None if extra is None else extra.get(unit, (0, 0)))
            if given is None:
                continue
            if (unit, given) not in self._learned.cuts:
                self._learned.cuts[unit, given] = self._crowds.cut(unit, given)
                is_new = True
                continue
            hexes = {presence.spot[0] for presence in given}
            for chosen, told in zip(found.options, courses, strict=True):
                if chosen.is_open:
                    ends = {end.at for end in told.ends}
                    wanted = ends if told is one.option else hexes & ends
                    is_new |= self._catalogue.widen(told.unit, wanted)
        return is_new

    def _vary(self, found: Found[Course]) -> None:
        """Learn what units could spend on courses in any order, and exclude what they spent."""
        going = [course for course in found.options if course.legs]
        for course in going:
            others = [one for one in found.options if one is not course]
            for given in self._crowds.variants(course, others):
                cut = self._crowds.cut(course.unit, given)
                self._learned.cuts.setdefault((course.unit, given), cut)
        more = {one.unit: found.extra.get(one.unit, (0, 0))[0] for one in going}
        self._learned.excluded.append((frozenset(found.options), more))

    def _tell_apart(self, found: Found[Course]) -> None:
        """Distinguish open courses that were chosen; where there are none, choose others."""
        wider = [self._catalogue.widen(one.unit) for one in found.options if one.is_open]
        if not any(wider):
            self._give_up(found.options)

    def _thin_out(self, ruling: Ruling, found: Found[Course], courses: Sequence[Course]) -> None:
        """Exclude that those end together who are in the hexes with which the phase cannot end."""
        hexes = {at for said in (ruling.violations or ruling.unsupported) for at in said.hexes}
        every = list(zip(found.options, courses, strict=True))
        there = [(one, told) for one, told in every if hexes & {end.at for end in told.ends}]
        wider = [
            self._catalogue.widen(one.unit, hexes & {end.at for end in told.ends})
            for one, told in there
            if one.is_open
        ]
        if any(wider):
            return
        if wider:
            self._give_up(found.options)
        else:  # more units might make room if they are of another faction
            some = there if self._room.is_plain else every
            self._learned.nogoods.append(frozenset(one for one, _ in some))

    # -- from courses to a log -----------------------------------------------------------------

    def _ended(self, acted: Acted) -> tuple[Action, ...] | None:
        """Return the log with the phase's end; None if it may not end so."""
        if self.position.phase != "Movement":
            return acted.log
        return (*acted.log, END) if self._prices.rule(acted.position, END).is_legal else None

    def _is_taken(self, log: tuple[Action, ...]) -> bool:
        return self._measure.of(check(self.position, log)).projection in self._taken


def _stands(course: Course) -> list[Standing]:
    return [(end.unit, Stand(end.at, end.aboard is not None)) for end in course.ends]
