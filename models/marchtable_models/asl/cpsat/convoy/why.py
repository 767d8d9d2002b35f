"""Why a Convoy cannot do what it must: the clauses that together forbid it, as few as possible."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from marchtable.files.notation import points
from marchtable.planning import reasons
from marchtable.planning.line.cuts import Cuts
from marchtable.planning.line.layers import alone, earliest
from marchtable.planning.line.lead import followed, lead_ways
from marchtable.planning.line.logic import Logic, checked, solved
from marchtable.planning.line.neighbours import in_pairs
from marchtable.planning.line.prices import MASK, STATED
from marchtable.planning.line.states import Course
from marchtable.planning.line.task import Limits
from marchtable.rules.plan_model import Reason, Task
from marchtable_models.asl.clauses.infantry.offboard import in_order
from marchtable_models.asl.clauses.lines.convoys import (
    convoy_line,
    motion_as_one,
    no_start_after_stop,
    straight_back,
)
from marchtable_models.asl.clauses.lines.leaving import reason
from marchtable_models.asl.clauses.vehicles.impulses import all_can_pay
from marchtable_models.asl.clauses.vehicles.movement import end_in_motion
from marchtable_models.asl.cpsat.convoy.cargo import worth_of
from marchtable_models.asl.cpsat.convoy.crowds import crowded
from marchtable_models.asl.cpsat.convoy.ends import Ends
from marchtable_models.asl.cpsat.convoy.exits import keep_together
from marchtable_models.asl.cpsat.convoy.held import holding
from marchtable_models.asl.cpsat.ruled import still_has
from marchtable_models.asl.extraction.gaps import leaving

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from marchtable.planning.line.field import StateGraph
    from marchtable.planning.line.layers import Layers
    from marchtable.rules.plan_model import Control
    from marchtable_models.asl.cpsat.convoy.model import ConvoyModel
    from marchtable_models.asl.model import AslUnit

__all__ = ["Conflict", "conflict"]

WAYS = 3
Links = tuple[frozenset[int], frozenset[int], bool]
"""
The vehicles that are to be beside the one ahead, those that are not to leave before it, and whether
nobody starts once somebody has stopped.
"""


def conflict(model: ConvoyModel, control: Control) -> tuple[Reason, ...] | None:
    """
    Return a minimal set of clauses that forbid the musts, verified; None at a limit.

    Where the rules of Convoys are not what forbids them, it is looked for among the clauses that
    bind vehicles whatever the map is like, with whole plans of this space; then, where there is no
    Impulse at all, among those that bar it; else it may be that they stand one per hex.
    """
    found = Conflict(model, control).found() if model.most else ()
    if found != ():
        return found

    question = reasons.Question(model.position, model.goal, model.rolls, model.anew, control)
    family = reasons.Family(model.rulebook.blamable, bearing=model.space.left_out)
    found = reasons.clauses_against(question, family)
    if found != ():
        return found
    return crowded(model, control) if model.most else holding(model, control)


class Rule(NamedTuple):
    """A clause as it binds certain vehicles, by their place in the line."""

    clause: str
    vehicles: tuple[int, ...]


class Conflict:
    """The rules that bind a Convoy's plans, each of which can be lifted; the map's cannot."""

    def __init__(self, model: ConvoyModel, control: Control) -> None:
        self.model, self.control = model, control
        position, line = model.position, model.line
        self.left = [still_has(model.rulebook, position, u) for u in line]
        most = range(len(line))
        everybody = tuple(most)
        self.rules = (
            *(Rule(all_can_pay.id, (i,)) for i in most),
            *(Rule(self._of_line(line[i + 1]), (i, i + 1)) for i in most[:-1]),
            Rule(motion_as_one.id, everybody),
            Rule(no_start_after_stop.id, everybody),
            *(Rule(end_in_motion.id, (i,)) for i in most),
            *(Rule(straight_back.id, (i,)) for i in most),
            *(Rule(in_order.id, (i, i + 1)) for i in most[:-1] if model.field.has_exits),
        )
        self._fields: dict[tuple[int, ...], Setting] = {}
        self._known: dict[frozenset[Rule], bool] = {}

    def _of_line(self, behind: AslUnit) -> str:
        """Return what forbids a Gap before a vehicle: that it has no reason, or the plan's line alone."""
        position = self.model.position
        found = self.model.rulebook.edition(position).judge(leaving(position, behind))
        return reason.id if any(bar.clause == reason.id for bar in found.bars) else convoy_line.id

    def found(self) -> tuple[Reason, ...] | None:
        """Return a minimal set of rules that forbid the musts, verified; None at a limit."""
        try:
            if not self._forbid(self.rules):
                return None
            if self._forbid(()):
                return ()
            core = self._smallest((), self.rules, known=False)
            kept = [rule for rule in self.rules if rule in core]
            if not self._forbid(kept) or any(
                self._forbid([other for other in kept if other != rule]) for rule in kept
            ):
                return None
        except TimeoutError:
            return None
        return tuple(self._told(rule) for rule in kept)

    def _smallest(
        self, base: Iterable[Rule], rules: tuple[Rule, ...], *, known: bool
    ) -> tuple[Rule, ...]:
        """Return as few of some rules as forbid it together with others; halves first."""
        if known and self._forbid(base):
            return ()
        if len(rules) == 1:
            return rules
        front, back = rules[: len(rules) // 2], rules[len(rules) // 2 :]
        behind = self._smallest((*base, *front), back, known=True)
        before = self._smallest((*base, *behind), front, known=bool(behind))
        return (*before, *behind)

    def _told(self, rule: Rule) -> Reason:
        numbers: tuple[tuple[str, float], ...] = ()
        if rule.clause == all_can_pay.id:
            numbers = (("have", points(self.left[rule.vehicles[0]])),)
        units = tuple(self.model.line[i].id for i in rule.vehicles)
        return Reason(clause=rule.clause, units=units, numbers=numbers)

    def _forbid(self, rules: Iterable[Rule]) -> bool:
        """Tell whether some rules forbid the musts; raises TimeoutError at a limit."""
        key = frozenset(rules)
        if key not in self._known:
            left = self._left({r.vehicles[0] for r in key if r.clause == all_can_pay.id})
            if left not in self._fields:
                self._fields[left] = Setting(self.model, left)
            self._known[key] = not self._fields[left].allows(key, self.control)
        return self._known[key]

    def _left(self, paying: Collection[int]) -> tuple[int, ...]:
        """Return what each vehicle has left if some have to pay: the others as much as the richest."""
        if not paying:
            return ()
        if not self.model.field.has_exits:  # who is there pays to the end: only the poorest matters
            return (min(self.left[i] for i in paying),) * len(self.left)
        most = max(self.left)
        return tuple(left if i in paying else most for i, left in enumerate(self.left))


class Setting:
    """
    A Convoy whose vehicles have so many half points left, or, if none are told, as many as they like.

    Parameters
    ----------
    model, left
        Whose plans, and what each vehicle may spend.
    """

    def __init__(self, model: ConvoyModel, left: tuple[int, ...]) -> None:
        self.model, self.left, self.free = model, left, not left
        self.field = model.field
        if self.free or any(a > b for a, b in zip(left, model.left, strict=True)):
            self.field = model.field_for(left or None)
        self._lifted: dict[Links, tuple[StateGraph, Limits, Cuts, list[Course], set[int]]] = {}

    def allows(self, rules: frozenset[Rule], control: Control) -> bool:
        """Tell whether the musts can be met under some rules."""
        clauses = {r.clause for r in rules}
        linked = (
            frozenset(r.vehicles[1] for r in rules if r.clause in (reason.id, convoy_line.id)),
            frozenset(r.vehicles[1] for r in rules if r.clause == in_order.id),
            no_start_after_stop.id in clauses,
        )
        if linked not in self._lifted:
            checked(control)
            self._lifted[linked] = self._made(linked)
        field, limits, cuts, tries, ways = self._lifted[linked]
        bound = {r.vehicles[0] for r in rules if r.clause == end_in_motion.id and not self.free}
        ends = Ends(
            self.model.rulebook.edition(self.model.position), field,
            [u.points.spent for u in self.model.line], bound, alike=motion_as_one.id in clauses,
            left=self.left or self.model.left,
        )  # fmt: skip
        backs = {r.vehicles[0] for r in rules if r.clause == straight_back.id}

        def stands(course: Course) -> bool:
            return (
                limits.worth.meets(course)
                and ends.allow(course)
                and keep_together(field, course)
                and not any(each[0] in backs for each in cuts.breaks(course))
            )

        done = self.model.may_stay and limits.worth.meets(tries[0])
        if done or any(stands(course) for course in tries):
            return True
        return Question(field, limits, ends, cuts, backs, ways).allows(control)

    def _made(self, linked: Links) -> tuple[StateGraph, Limits, Cuts, list[Course], set[int]]:
        model, (vehicles, ordered, is_over) = self.model, linked
        halted = model.line[0].line.halted if is_over else None
        field = self.field.linking(vehicles, ordered, halted=halted)
        worth = worth_of(model.rulebook, model.position, model.goal, field, model.line)
        needed = sum((d.counts.sum(axis=0) for d in worth.demands), np.zeros(1, np.int64))
        needed = np.broadcast_to(needed, (len(field.places),))
        start = Course((tuple(field.starts),), (0,))
        ways = list(lead_ways(field, needed, WAYS))
        followers = [course for way in ways for course in followed(field, way)]
        cuts = Cuts(field, [u.move.previous for u in model.line])
        places = {field.place_of(i, state) for i, state in enumerate(field.starts)}.union(*ways)
        return field, Limits(worth, Task({}, {}, {})), cuts, [start, *followers], places


class Question(NamedTuple):
    """Whether the musts can be met, once what binds is settled."""

    field: StateGraph
    limits: Limits
    ends: Ends
    cuts: Cuts
    backs: set[int]
    ways: set[int]

    def allows(self, control: Control) -> bool:
        """Tell it; raises TimeoutError at a limit."""
        checked(control)
        found = self._alone(None)
        if found is None:
            return False
        soon = self._alone(self._on_the_ways(found))
        soon = soon and self._alone(soon._replace(ends=earliest(self.field, soon.ends)))
        for layers in (soon, found):
            kept = layers and in_pairs(self.field, self.limits.wanted(0), layers, self.ends)
            control.spend(2 * MASK * len(self.field.masks))
            if kept is not None and self._solved(kept, control):
                return True
        return False

    def _on_the_ways(self, layers: Layers) -> Layers:
        """Return what of some layers is where they begin and ways of the lead go: mostly a plan is, if any."""
        field = self.field
        table = np.zeros((field.count, field.size), bool)
        for i in range(field.count):
            here = field.place[field.base[i] : field.base[i] + field.span[i]]
            table[i, : field.span[i]] = np.isin(here, [*self.ways])
        kept = np.tile(table.reshape(-1), field.most + 1)
        return layers._replace(active=layers.active * kept, ends=layers.ends * kept)

    def _alone(self, within: Layers | None) -> Layers | None:
        """Return what single vehicles leave of some layers, or of all."""
        ends = self.ends
        return alone(
            self.field, self.limits.wanted(0), ends.may_end, alike=ends.all_alike, within=within
        )

    def _solved(self, layers: Layers, control: Control) -> bool:
        control.spend(STATED * int(np.count_nonzero(layers.active)))
        checked(control)
        logic = Logic(self.field, layers, halted=self.field.halted)
        self.ends.state(logic)
        self.limits.state(logic, 0)
        while True:
            course = solved(logic, control)
            if course is None:
                return False
            back = [each for each in self.cuts.breaks(course) if each[0] in self.backs]
            for each in sorted(back):
                self.cuts.not_back(logic, *each)
            if not back:
                return True
