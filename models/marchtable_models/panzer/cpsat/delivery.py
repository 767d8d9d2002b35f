"""Deliveries: the most value delivered within a phase, planned with a proof."""

from __future__ import annotations

from functools import cached_property
from itertools import permutations
from typing import TYPE_CHECKING

from marchtable.budget import budget_scope
from marchtable.planning.choice.options import Order
from marchtable.planning.choice.presence import Turns
from marchtable.planning.choice.replay import carry_out, in_order
from marchtable.planning.choice.space import ChoiceSpace
from marchtable.planning.goals import movers_of, places_of
from marchtable.planning.reasons import Family
from marchtable.rules.plan_model import PlanSpace, Proposal
from marchtable.rules.referee import check
from marchtable.state.action import Phase
from marchtable_models.panzer.cpsat.cast import Cast
from marchtable_models.panzer.cpsat.courses import Courses, Listing
from marchtable_models.panzer.cpsat.crowds import Acted, Crowds
from marchtable_models.panzer.model import PHASES
from marchtable_models.panzer.rules import (
    carrying,
    dispersal,
    loading,
    movement,
    observation,
    removal,
    stacking,
    terrain,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from marchtable.planning.choice.model import Chosen
    from marchtable.planning.choice.options import Given, Price, Problem
    from marchtable.planning.choice.replay import Stuck
    from marchtable.rules.plan_model import Control, Rolls, Task
    from marchtable.rules.ruling import Ruling, Verdict
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal
    from marchtable_models.panzer.cpsat.courses import Course
    from marchtable_models.panzer.model import PanzerPosition

__all__ = ["CANDIDATES", "STACKING", "Delivery"]

POLICY = (
    "Units act one after another, each in one go, a transport together with what it carries.",
    "A transport loads at most one unit, and unloads in one hex only.",
    "No transport loads a unit that another has unloaded.",
    "Only vehicles, armoured units and class C carriers carry, and no vehicle is carried, whatever clauses are off.",
    "No move makes a pointless detour: no other route to the same hex is better in both points and exposure.",
    "Units that are not among the movers stay, and so do transports that carry them.",
    "Units that wait off the map stay there.",
    "Units leave the map only to meet an aim `exit` about them or a unit they carry, by a hex of that aim.",
    "The phase can end legally after the plan.",
)
CANDIDATES = tuple(
    one.id
    for one in (
        carrying.riders, carrying.armed_carriers, carrying.by_class, observation.observer_aboard,
        dispersal.dispersed, loading.exclusive, loading.wholly, loading.passenger_rests,
        loading.one_of_three, stacking.unloading, loading.half, movement.who_moves, movement.pay,
        removal.owner_removes,
    )
)  # fmt: skip
"""Conflict candidates before all others; the map and its costs are taken as given."""
BACKGROUND = tuple(
    one.id for one in (movement.one_hex, terrain.adjacent, terrain.added_terrain, terrain.chart)
)
"""Clauses on the map: candidates only if the goal is impossible with all of the first off."""
FIRST = movement.who_moves.id
"""Preferred candidates: that a unit moves nowhere precedes how far it is."""
STACKING = stacking.game_rules.id
"""Never off except alone: it also sets the road rate, and less may be possible without it."""
COUNTED = {"points", "exposure"}
END = Phase(PHASES[PHASES.index("Movement") + 1])


class Delivery(ChoiceSpace["Course"]):
    """
    The plan model of the movement phase: walking, loading, carrying and unloading.

    Parameters
    ----------
    position
        The position.
    goal, rolls
        The goal, checked; nothing here needs rolls.
    """

    name = "delivery"

    def __init__(self, position: PanzerPosition, goal: Goal, rolls: Rolls = "avoid") -> None:
        super().__init__(position, goal, rolls)
        self._taken: list[object] = []
        self._known: dict[tuple[Action, ...], Sequence[Course]] = {}
        self._stated: Problem[Course] | None = None

    @property
    def space(self) -> PlanSpace:
        """The plans it searches; what it leaves out grows as it asks."""
        return PlanSpace(
            name=self.name,
            verbs=("move", "load", "unload", "exit", "phase"),
            movers=movers_of(self.goal, self.position),
            policy=POLICY,
            left_out=tuple(sorted(self._cast.left_out)),
        )

    # -- choices ----------------------------------------------------------------------------------

    @cached_property
    def _cast(self) -> Cast:
        return Cast(self.position, movers_of(self.goal, self.position))

    @cached_property
    def _crowds(self) -> Crowds:
        return Crowds(Courses(self._cast, self.goal))

    @cached_property
    def _listed(self) -> list[Course]:
        listing = Listing(self.matters())
        return [one for unit in self._cast.actors for one in self._crowds.courses.of(unit, listing)]

    def matters(self) -> frozenset[str] | None:
        """Return the hexes where it matters to the goal who ends there; None if all do."""
        if any(aim.near for aim in self.goal.aims):
            return None
        board = self.position.board
        return frozenset().union(
            *(places_of((*aim.at, *aim.exit), board) for aim in self.goal.aims)
        )

    @property
    def problem(self) -> Problem[Course]:
        """The choices listed now."""
        if self._stated is None:
            courses, is_ended = self._listed, self.position.phase == "Movement"
            room = [*self._crowds.room(courses, STACKING)] if is_ended else []
            stated = self.stated(courses, room, Turns(courses, self._crowds.stands))
            rules = stated.rules._replace(orders=[*self._orders(courses)])
            self._stated = stated._replace(rules=rules)
        return self._stated

    def _orders(self, courses: Sequence[Course]) -> Iterator[Order[Course]]:
        """Yield that no unit moves after another if its clauses forbid it after that kind."""
        moving = {course.unit for course in courses if course.moved}
        units = [unit for unit in self._cast.actors if unit.id in moving]
        known: dict[tuple[str, str], bool] = {}
        for one, other in permutations(units, 2):
            kinds = one.type, other.type
            if kinds not in known:
                known[kinds] = self._cast.goes_first(one, other)
            if known[kinds]:
                pair = other.id, one.id
                moves = [c for c in courses if c.unit in pair and c.moved]
                yield Order(moves, [pair], movement.vehicles_first.id)

    # -- planner interface ------------------------------------------------------------------------

    def quick(self) -> Iterable[tuple[Action, ...]]:
        """Return a plan in which each unit in turn takes the best course still possible."""
        with budget_scope(None):  # what has begun is ended, so there is a plan at any limit
            if self._owes():
                return ()
            acted, settled = Acted(self.position), set[str]()
            scored = [*zip(self.problem.scores, self._listed, strict=True)]
            scored.sort(key=lambda pair: (-pair[0]["value"], pair[0]["distance"], pair[1].points))
            for score, course in scored:
                if score["value"] and course.acts and settled.isdisjoint(course.units):
                    done = self._crowds.play(acted, course, (0, 0))
                    if done is not None and self._ended(done) is not None:
                        acted = done
                        settled |= course.units
            log = self._ended(acted)
        return () if log is None else (log,)

    def best(self, task: Task, control: Control) -> Proposal:
        """Return the best plan that no cut excludes; none while something else must be done first."""
        return Proposal("IMPOSSIBLE", None, None) if self._owes() else super().best(task, control)

    def reject(self, log: tuple[Action, ...], verdict: Verdict) -> None:
        """Exclude this combination of courses, whatever the unforeseen verdict."""
        if verdict.rulings and (courses := self._known.get(log)) is not None:
            self._give_up(courses)

    def differ(self, log: tuple[Action, ...]) -> None:
        """Require plans in which some unit ends elsewhere or spends something else."""
        self._list_each(self._listed)
        self.learned.is_exact = True
        self._taken.append(self.measure.of(check(self.position, log)).projection)

    def families(self, control: Control) -> Iterator[Family]:  # noqa: ARG002 - a model's interface
        """Yield conflict candidates, preferred ones first."""
        left_out = self.space.left_out
        yield Family(CANDIDATES, bearing=left_out, fixed=(STACKING,), rather=(FIRST,))
        yield Family(bearing=left_out, rather=(*BACKGROUND, FIRST))

    # -- from courses to a log --------------------------------------------------------------------

    def _owes(self) -> bool:
        """Return whether something else must be done before a plan of this space can begin."""
        ending = self._cast.rule(self.position, END)
        return any(found.clause == removal.owner_removes.id for found in ending.violations)

    def _ended(self, acted: Acted) -> tuple[Action, ...] | None:
        """Return the log with the phase's end; None if it cannot end so."""
        if self.position.phase != "Movement":
            return acted.log
        return (*acted.log, END) if self._cast.rule(acted.position, END).is_legal else None

    def log_of(self, found: Chosen[Course], task: Task) -> tuple[Action, ...] | None:
        """Return the choice as a log; None if it cannot be played, after learning why."""
        exactly = self.learned.is_exact
        counts = found.spares or bool(COUNTED & {*task.weights, *task.least, *task.most})
        extra = found.extra if counts or exactly else None
        courses = self._placed(found.options, counts=counts)
        if courses is None:
            self._list_each(found.options)
            return None

        def attempt(acted: Acted, course: Course) -> Acted | None:
            return self._crowds.play(acted, course, _more(extra, course), exactly=exactly)

        going = in_order([course for course in courses if course.acts], found.pairs)
        acted, stuck = carry_out(going, Acted(self.position), attempt)
        if stuck:
            is_new = any([self._learn(one, extra) for one in stuck])  # noqa: C419 - from all of them
            if not is_new and not self._list_each(found.options):
                self._give_up(found.options)
            return None
        log = self._ended(acted)
        if log is None:
            self._list_each(found.options)
            self._thin_out(self._cast.rule(acted.position, END), courses)
        elif exactly and self.measure.of(check(self.position, log)).projection in self._taken:
            self._vary(found)
            return None
        else:
            self._known[log] = found.options
        return log

    def _placed(self, courses: Sequence[Course], *, counts: bool) -> list[Course] | None:
        """
        Return courses with each open one replaced by one ending in a free hex; None if there is none.

        Parameters
        ----------
        counts
            Whether the replacement must not cost more.
        """
        goes = [one for course in courses if not course.is_open for one in course.hexes]
        placed = []
        for course in courses:
            if course.is_open:
                others = (u for u in self.position.units if u.id not in course.units)
                busy = {*goes, *(str(u.at) for u in others)} - (course.listing.matters or set())
                free = (
                    c for c in self._alike(course) if busy.isdisjoint(e.at for e in c.ends)
                    and not (counts and (c.points > course.points or c.exposure > course.exposure))
                )  # fmt: skip
                found = next(free, None)
                if found is None:
                    return None
                goes += found.hexes
                placed.append(found)
            else:
                placed.append(course)
        return placed

    def _alike(self, course: Course) -> list[Course]:
        """Return the courses that an open one represents, cheapest first."""
        unit, key = self.position.unit(course.unit), course.key()
        every = self._crowds.courses.of(unit, Listing(None, course.deeds))
        return [one for one in every if one.key(course.listing.matters) == key]

    # -- learning ---------------------------------------------------------------------------------

    def _list_each(self, courses: Sequence[Course]) -> bool:
        """List all courses that open ones represent instead of them; return whether there were any."""
        some = {(one.unit, one.key()): one for one in courses if one.is_open}
        listed = [
            one for one in self._listed if not (one.is_open and (one.unit, one.key()) in some)
        ]
        for course in some.values():
            listed += self._alike(course)
        if some:
            self._listed, self._stated = listed, None
        return bool(some)

    def _give_up(self, courses: Sequence[Course]) -> None:
        """Exclude this combination, although an order might exist for it."""
        self.learned.nogoods.append(frozenset(courses))
        self.is_unsure = True

    def _learn(self, stuck: Stuck[Course], extra: Mapping[str, Price] | None) -> bool:
        """Learn in which hexes others block a stuck unit; return whether that is new."""
        given = self._crowds.given(stuck, _more(extra, stuck.option))
        return given is not None and self._cut(stuck.option.unit, given)

    def _cut(self, unit: str, given: Given) -> bool:
        """Learn what a given crowd forbids or makes dearer; return whether that is new."""
        if (unit, given) in self.learned.cuts:
            return False
        self.learned.cuts[unit, given] = self._crowds.cut(unit, given)
        return True

    def _vary(self, found: Chosen[Course]) -> None:
        """Learn what units could spend on courses in any order, and exclude what they spent."""
        going = [course for course in found.options if course.acts]
        for course in going:
            others = [one for one in found.options if one is not course]
            for given in self._crowds.variants(course, others):
                self._cut(course.unit, given)
        more = {one.unit: found.extra.get(one.unit, (0, 0))[0] for one in going}
        self.learned.excluded.append((frozenset(found.options), more))

    def _thin_out(self, ruling: Ruling, courses: Sequence[Course]) -> None:
        """Exclude exactly the units that end in the hexes with which the phase cannot end."""
        hexes = {at for said in (ruling.violations or ruling.unsupported) for at in said.hexes}

        def ends_there(course: Course) -> bool:
            return any(end.at in hexes and not end.has_left for end in course.ends)

        there = [course for course in courses if ends_there(course)]
        names = {course.unit for course in there}
        others = (c for c in self._listed if not c.is_open and not ends_there(c))
        self.learned.nogoods.append(
            frozenset((*there, *(c for c in others if c.unit not in names)))
        )


def _more(extra: Mapping[str, Price] | None, course: Course) -> Price | None:
    """Return how much more a course can cost than stated; None for any."""
    return None if extra is None else extra.get(course.unit, (0, 0))
