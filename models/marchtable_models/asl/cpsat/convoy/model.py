"""Models of a Convoy's plans: without a Gap, or with one by a vehicle with a reason to leave.

Also which Convoy a goal concerns, and why there is no plan.
"""

from __future__ import annotations

from copy import copy
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np
from networkx import single_source_shortest_path_length

from marchtable.budget import OverLimit, work
from marchtable.planning.goals import places_of, units_of
from marchtable.planning.line.layers import EXTRA_ROUNDS, ends_within, in_parts
from marchtable.planning.line.model import without_proof
from marchtable.planning.line.problem import LineProblem
from marchtable.planning.line.search import checked, could_end, solved, stated
from marchtable.planning.line.sweep import Layers
from marchtable.planning.line.variables import Parting
from marchtable.planning.line.worth import TaskRows
from marchtable.planning.reasons import Explained, Family, unproved
from marchtable.planning.relation import Relation
from marchtable.planning.score import Measure
from marchtable.rules.plan_model import Proposal, Reason
from marchtable.rules.rolls import settled
from marchtable.state.records import replace
from marchtable_models.asl.cpsat.convoy.plans import NO_GAP, Convoy
from marchtable_models.asl.cpsat.convoy.steps import AS_ONE, steps_for
from marchtable_models.asl.cpsat.line_relations import credit, line_family, lines_for
from marchtable_models.asl.rules.convoys import ConvoyLineup, convoy_line, straight_back
from marchtable_models.asl.rules.impulses import all_can_pay
from marchtable_models.asl.rules.leaving_convoys import leaving, reason
from marchtable_models.asl.rules.mph_end import end_in_motion
from marchtable_models.asl.rules.uniting import no_start_after_stop
from marchtable_models.asl.rules.vehicle_mp import pay_mp
from marchtable_models.asl.views.cargo import carried_by
from marchtable_models.asl.views.lookout import is_computed, known_enemies

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from marchtable.planning.line.constraints import LineConstraints
    from marchtable.planning.line.graph import Course
    from marchtable.rules.plan_model import Control, PlanSpace, Rolls, Task
    from marchtable.rules.rulebook import Rulebook
    from marchtable.rules.ruling import Verdict
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal
    from marchtable_models.asl.model import AslPosition, AslUnit
    from marchtable_models.asl.rules.leaving_convoys import Leaving


__all__ = [
    "NAME",
    "OF_THE_LINE",
    "ConvoyModel",
    "GapModel",
    "GapSearch",
    "PartedPlan",
    "convoy_models",
]

STATE = 5e-5  # deterministic time per statement on a vehicle's state in an Impulse


class PartedPlan(NamedTuple):
    """
    A plan with a Gap: each part's course; both list every vehicle.

    Parameters
    ----------
    at
        The first vehicle of the rear part.
    joint
        The number of Impulses all make together; the last one makes the Gap.
    front, rear
        The parts' plans: in each the other's vehicles stay unchanged.
    """

    at: int
    joint: int
    front: Course
    rear: Course

    @property
    def each(self) -> tuple[Course, ...]:
        """The plan of each vehicle's part."""
        rears = len(self.front.states[0]) - self.at
        return (self.front,) * self.at + (self.rear,) * rears


class GapSearch(LineProblem):
    """
    The plans with the Gap before one vehicle.

    Parameters
    ----------
    plain
        The model of the plans without a Gap.
    lone
        The vehicles that a Gap can leave alone.
    """

    parting: Parting

    def __init__(self, plain: Convoy, lone: Collection[str]) -> None:
        self.plain = plain
        line, free, avoid = plain.line, plain.is_loose, plain.rolls == "avoid"
        steps = steps_for(
            plain.rulebook, plain.position, line, avoid=avoid, exits=plain.exits, lone=lone
        )
        self.left = [plain.most] * len(line) if free else plain.left
        apart = [steps[unit.id] for unit in line]
        self.graph = plain.graph_for(max(self.left), apart, free=free)
        self.worth, _ = plain.given(self.graph)

    def parted_before(self, at: int, *, first: bool, later: bool) -> GapSearch:
        """Return the search of plans in which a vehicle splits the Convoy: in the first Impulse, or later."""
        found, plain = copy(self), self.plain
        rules = plain.rulebook.edition(plain.position)
        means = [own + credit(rules, "") for own in plain.means]
        found.parting = Parting(at, first, later, plain.is_leaving_shared, means)
        _, found.cuts = plain.given(self.graph)
        found.ends = plain.ends_in(self.graph, bound=not plain.is_loose, parts=found.halves)
        return found

    @property
    def left_out(self) -> set[str]:
        """The unmodelled clauses that applied to steps and ends."""
        return self.ends.left_out | self.graph.left_out

    def best_of(
        self, least: int | None, task: Task, control: Control
    ) -> tuple[PartedPlan, int] | None:
        """Return the best plan worth at least that, None for any, and its worth; raises TimeoutError at a limit."""
        limits = TaskRows(self.worth, task)
        checked(control)
        layers = self._reached(limits, least)
        if layers is None or not could_end(self, layers, limits, least, control):
            return None
        for more in (None,) if limits.weights else EXTRA_ROUNDS:
            found = self._solved(layers, limits, least, more, control)
            if found is not None:
                return found
        return None

    def _solved(
        self,
        layers: Layers,
        limits: TaskRows,
        least: int | None,
        more: int | None,
        control: Control,
    ) -> tuple[PartedPlan, int] | None:
        """Return the best plan within some layers, with so many extra rounds; None: any number."""
        ends = layers.ends if more is None else ends_within(self.graph, layers.ends, more)
        ends = ends & self.ends.may_end(ends)
        found = self._reached(limits, least, layers._replace(ends=ends))
        if found is None:
            return None
        work(STATE * int(np.count_nonzero(found.active)))
        model = stated(self, found, limits, least)
        terms, _ = limits.terms(model, limits.sum, whole=True)
        # if all plans are equal: one without detours, unless any will do
        sought = terms or (_spending(model) if limits.weights else [])
        values = solved(model, control, sought)
        if values is None:
            return None
        total = sum(value for literal, value in terms if values[literal])
        joint = max(t for t in range(1, model.last + 1) if values[model.joint[t]])
        plan = PartedPlan(self.parting.at, joint, *model.courses(values))
        return plan, total - limits.sum.least

    def _reached(
        self, limits: TaskRows, least: int | None, within: Layers | None = None
    ) -> Layers | None:
        """Return the part of the states that a plan of that worth can use, None if there is none."""
        graph, rows = self.graph, [limits.sum, *limits.rows]
        most = max if graph.has_exits else min
        parts = [
            (part, graph.part(part, most(self.left[i] for i in part)),
             [limits.share(row, part) for row in rows])
            for part in self.halves
        ]  # fmt: skip
        wanted = limits.wanted(limits.bounds()[1] if least is None else least)
        return in_parts(parts, wanted, within or self._anywhere())

    def _anywhere(self) -> Layers:
        """Return the vehicles' possible places, alone only if their part has no other, or all others have left."""
        graph, masks = self.graph, self.graph.masks.copy()
        table = masks.reshape(graph.most + 1, graph.count, graph.size)
        for part in (part for part in self.halves if len(part) > 1):
            for i in part[:-1] if graph.has_exits else part:
                table[:, i, [s for s in range(graph.span[i]) if graph.is_alone(i, s)]] = 0
        return Layers(masks, masks)

    @property
    def halves(self) -> Sequence[range]:
        """The parts of the line."""
        return range(self.parting.at), range(self.parting.at, self.graph.count)


def _spending(model: LineConstraints) -> list[tuple[int, int]]:
    """Return the literals of one part's expenditures that exclude the other's."""
    return [(x, -n) for part in model.parts for n, x in part.totals[model.last].items() if n]


NAME = "convoy-gaps"
OF_THE_LINE = (*AS_ONE, no_start_after_stop.id, straight_back.id, end_in_motion.id, pay_mp.id)
"""The clauses that bind a Convoy's plans."""
POLICY = (
    "At most one Gap is made, in an Impulse, by a vehicle with a reason to leave that enters a hex"
    " or stops, and in which another of the Convoy makes an expenditure; not beside a vehicle off"
    " the map.",
    "The part ahead of it then moves and ends its MPh before the part behind; what is left alone"
    " moves by itself. Each vehicle takes part in no more Impulses, or such moves, than that.",
    "No vehicle enters a hex in which one of the other part stands, either.",
    "No vehicle leaves otherwise, and no other Convoy joins.",
)


def may_part(model: Convoy) -> tuple[dict[int, tuple[bool, ...]], frozenset[str]]:
    """
    Return the vehicles that can split the Convoy, by number: in the first Impulse, or later.

    And the unmodelled clauses that alone prevent some. Computed sight is as now: reasons that come
    into or go out of sight later are left out.
    """
    position, edition = model.position, model.rulebook.edition(model.position)
    found, doubts = dict[int, tuple[bool, ...]](), set[str]()
    is_fixed = not is_computed(position) or not known_enemies(position, model.line[0])
    if not is_fixed:
        doubts.add(reason.id)
    for at in range(1, len(model.line) if model.most else 0):
        leave = Relation((), partial(_leaving, model, model.line[at]), (False, True))
        left_out = {
            later: {bar.clause for bar in edition.judge(leave.facts_of(later)).unsupported}
            for later in leave.allowed(edition)
        }
        doubts = doubts.union(*left_out.values())
        when = tuple(
            (is_fixed or not later) and later in left_out and not left_out[later]
            for later in leave.scope
        )
        if any(when):
            found[at] = when
    return found, frozenset(doubts)


def _leaving(model: Convoy, unit: AslUnit, later: bool) -> Leaving:
    """Return the facts of a vehicle that splits the Convoy in its first Impulse, or in another."""
    position = model.position
    if later:
        position = position.with_units(
            [replace(u, attacked=False, mph="moving") for u in model.line]
        )
    return leaving(position, position.unit(unit.id))


class ConvoyModel(Convoy):
    """The plans of one Convoy without a Gap; a goal can be impossible because no Gap is possible."""

    def conflict(self, control: Control) -> tuple[Reason, ...] | None:
        """Return a minimal set of clauses that together forbid the goal's musts, verified."""
        model = GapModel(self)
        found = model.conflict(control)
        self.is_by_policy = model.is_by_policy
        return found


class GapModel(Explained):
    """
    The plans of one Convoy with or without a Gap.

    Parameters
    ----------
    plain
        The model of plans without a Gap.
    """

    name = NAME
    is_quick = True

    def __init__(self, plain: Convoy) -> None:
        self.plain = plain
        self.position, self.goal, self.rolls = plain.position, plain.goal, plain.rolls
        self.line = plain.line
        self._search: GapSearch | None = None
        self._sides: dict[int, GapSearch] = {}
        self._parted: dict[tuple[Action, ...], PartedPlan] = {}

    @cached_property
    def _chances(self) -> tuple[dict[int, tuple[bool, ...]], frozenset[str]]:
        return may_part(self.plain)

    @property
    def gaps(self) -> dict[int, tuple[bool, ...]]:
        """The vehicles that can split the Convoy, by number: in the first Impulse, or later."""
        return self._chances[0]

    @property
    def doubts(self) -> frozenset[str]:
        """The unmodelled clauses that alone prevent some vehicle from splitting the Convoy."""
        return self._chances[1]

    @property
    def space(self) -> PlanSpace:
        """The plans without a Gap, and those with one."""
        space = self.plain.space
        policy = tuple(
            line for rule in space.policy for line in (POLICY if rule == NO_GAP else (rule,))
        )
        verbs = tuple(dict.fromkeys((*space.verbs, "enter", "start", "stop", "turn")))
        sides = (side.left_out for side in self._sides.values())
        left_out = tuple(sorted({*space.left_out, *self.doubts}.union(*sides)))
        return msgspec.structs.replace(
            space, name=NAME, policy=policy, verbs=verbs, left_out=left_out
        )

    def quick(self) -> Iterable[tuple[Action, ...]]:
        """Return plans found without a solver, without a Gap."""
        return self.plain.quick()

    def best(self, task: Task, control: Control) -> Proposal:
        """Return the best plan that no cut excludes; proofs end once a cut might exclude a legal one."""
        found = self._searched(task, control)
        cuts = (model.cuts for model in (self.plain, *self._sides.values()))
        return found if all(each.is_sure for each in cuts) else without_proof(found)

    def _searched(self, task: Task, control: Control) -> Proposal:
        """Return the best of the remaining plans, with proof."""
        found = self.plain.searched(task, control, lambda _: None)  # not the bounds of all plans
        if found.status in ("FEASIBLE", "UNKNOWN"):
            return found._replace(bound=None)
        if found.log is not None and not task.weights:
            return found
        least = None if found.bound is None else found.bound + 1
        for at in self.gaps:
            try:
                other = self.side(at).best_of(least, task, control)
            except (TimeoutError, OverLimit):
                status = "UNKNOWN" if found.log is None else "FEASIBLE"
                return Proposal(status, found.log, None)  # type: ignore[arg-type]
            if other is not None:
                plan, total = other
                found, least = (
                    Proposal("OPTIMAL", self._log_of(plan, self.side(at)), total),
                    total + 1,
                )
                if not task.weights:
                    break
        return found

    def side(self, at: int) -> GapSearch:
        """Return the search of plans with the Gap before that vehicle."""
        if self._search is None:
            last = len(self.line) - 1
            front = self.gaps if self.plain.has_exits else {1} & {*self.gaps}
            lone = {self.line[at - 1].id for at in front}
            rear = {self.line[last].id} if last in self.gaps else set()
            self._search = GapSearch(self.plain, lone | rear)
        if at not in self._sides:
            first, later = self.gaps[at]
            self._sides[at] = self._search.parted_before(at, first=first, later=later)
        return self._sides[at]

    # -- logs and cuts ----------------------------------------------------------------------------

    def _log_of(self, plan: PartedPlan, model: LineProblem) -> tuple[Action, ...]:
        """Return a plan as a log of the part described by `model`."""
        graph, at, every, joint = model.graph, plan.at, range(len(self.line)), plan.joint
        act, end = partial(self.plain.act, graph), partial(self.plain.end, graph)
        courses = (plan.front, plan.rear)
        moves = [model.cuts.moves(course) for course in courses]
        together = [
            ((*a[:at], *b[at:]), [*c[:at], *d[at:]])
            for a, b, c, d in zip(
                *(course.states[:joint] for course in courses), *moves, strict=False
            )
        ]
        found = [act(every, *each) for each in together]
        for members, course, own in zip((every[:at], every[at:]), courses, moves, strict=True):
            alone = zip(course.states[joint:], own[joint:], strict=False)
            found += [*(act(members, *each) for each in alone), *end(members, course.states[-1])]
        log = tuple(found)
        log = log if self.plain.rolls == "avoid" else settled(self.position, log) or log
        self._parted[log] = plan
        return log

    def refuse(self, log: tuple[Action, ...], verdict: Verdict) -> None:
        """Exclude what was rejected."""
        if self.plain.is_loose:
            self.plain.refuse(log, verdict)
            self._search = None
            self._sides.clear()
        elif log in self._parted:
            plan = self._parted[log]
            is_ending = self.plain.made_before(log, verdict) is None
            cuts = self.side(plan.at).cuts
            cuts.refuse_parted((plan.front, plan.rear), plan.joint, is_ending=is_ending)
        else:
            self.plain.refuse(log, verdict)

    def differ(self, log: tuple[Action, ...]) -> None:
        """Require plans with other final places or points spent."""
        if log in self._parted:
            plan = self._parted[log]
            ending = self.side(plan.at).cuts.ending(*plan.each)
        else:
            ending = self.plain.cuts.ending(self.plain.course(log))
        for model in (self.plain, *map(self.side, self.gaps)):
            model.cuts.differ(ending)

    def conflict(self, control: Control) -> tuple[Reason, ...] | None:
        """
        Return a minimal set of clauses that together forbid the goal's musts, verified.

        The line's clauses, if they do, with or without a Gap; otherwise those that bind its
        vehicles. If vehicles leave the map, or wait off it, only plans without a Gap are
        considered.
        """
        if is_too_far(self.plain):
            return ()
        found = super().conflict(control)
        if found == ():
            found = crowded(self.plain)
            self.is_by_policy = not found and bool(wanted_together(self.plain))  # one in each hex
        if found and self._is_plain and self.gaps:
            found = unproved(found)
        return found and tuple(map(self.plain.in_points, found))

    @property
    def _is_plain(self) -> bool:
        """Whether reasons are sought only among plans without a Gap."""
        return self.plain.has_exits or any(unit.at is None for unit in self.line)

    def families(self, control: Control) -> Iterator[Family]:
        """Yield the clauses that bind the line, then others as well."""
        bearing = self.space.left_out
        yield Family(OF_THE_LINE, bearing=bearing, rather=(all_can_pay.id,), least=False)
        yield from line_family(self, control, self.line, others=OF_THE_LINE, bearing=bearing)

    def again(self) -> Convoy | GapModel:
        """Return the same question under the clauses now on."""
        plain = self.plain.again()
        return plain if self._is_plain else GapModel(plain)


def is_too_far(model: Convoy) -> bool:
    """
    Return whether too few vehicles can reach their goals by a map edge per Impulse.

    That is what a move is (its argument is adjacent), whatever the rules.
    """
    position, board = model.position, model.position.board
    measure = Measure(position, model.goal)
    begins = {
        load.id: (unit.at,) if unit.at else unit.offboard.entering
        for unit in model.line
        for load in (unit, *carried_by(position, unit))
    }

    @cache
    def near(begins: tuple[str, ...]) -> set[str]:
        some = (single_source_shortest_path_length(board.graph, board.resolve(at), model.impulses)
                for at in begins)  # fmt: skip
        return set().union(*some)

    for number, aim in enumerate(model.goal.aims):
        there = places_of(aim.at, board)
        able = [
            name for name in units_of(aim, position)
            if name not in begins or not near(begins[name]).isdisjoint(there)
        ]  # fmt: skip
        if there and len(able) < measure.required(number):
            return True
    return False


def crowded(model: Convoy) -> tuple[Reason, ...]:
    """
    Return E11.1a, by its reading, if more vehicles are wanted than there are hexes for them.

    It is not shown that they could be there without it: no plan of the space has two in one hex.
    """
    facts = ConvoyLineup(recalled=False, crowded=True)
    edition = model.rulebook.edition(model.position)
    if convoy_line.id not in {bar.clause for bar in edition.judge(facts).bars}:
        return ()
    units = wanted_together(model)
    return (Reason(clause=convoy_line.id, units=units, is_needed=False),) if units else ()


def wanted_together(model: Convoy) -> tuple[str, ...]:
    """Return the vehicles of an aim that wants more of them than its hexes; none if no aim does."""
    board, measure = model.position.board, Measure(model.position, model.goal)
    for number, aim in enumerate(model.goal.aims):
        units = tuple(unit.id for unit in model.line if unit.id in units_of(aim, model.position))
        hexes = {board[name].hex for name in places_of(aim.at, board)}
        if hexes and measure.required(number) > len(hexes) and len(units) > len(hexes):
            return units
    return ()


def convoy_models(
    rulebook: Rulebook[Any, Any], position: AslPosition, goal: Goal, rolls: Rolls
) -> list[ConvoyModel | GapModel]:
    """
    Return the models of the Convoy whose vehicles the goal concerns, if any.

    The model of plans with a Gap follows the model without, which it contains.
    """
    found: list[ConvoyModel | GapModel] = []
    for line in lines_for(position, goal, lambda unit: unit.line.convoy):
        if _is_apart(line):
            plain = ConvoyModel(rulebook, position, goal, line, rolls=rolls)
            found += [plain, GapModel(plain)]
    return found


def _is_apart(line: Sequence[AslUnit]) -> bool:
    """Return whether a Convoy has one vehicle per hex, and none in Bypass."""
    places = [unit.at for unit in line if unit.at is not None]
    return len(places) == len(set(places)) and all(unit.place.bypass is None for unit in line)
