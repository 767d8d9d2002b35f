"""Why a Convoy cannot do what it must: the clauses that together forbid it, as few as possible."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from marchtable.notation import points
from marchtable.planning.model import Reason, Task
from marchtable_models.asl.convoys import motion_as_one, no_start_after_stop, straight_back
from marchtable_models.asl.cpsat.convoycuts import Cuts
from marchtable_models.asl.cpsat.convoyends import Ends
from marchtable_models.asl.cpsat.convoyfield import Course, Field
from marchtable_models.asl.cpsat.convoylayers import forward, narrowed
from marchtable_models.asl.cpsat.convoylead import followed, lead_ways
from marchtable_models.asl.cpsat.convoylogic import Logic, checked, solved
from marchtable_models.asl.cpsat.convoytask import Limits
from marchtable_models.asl.cpsat.convoyworth import Worth
from marchtable_models.asl.impulses import all_can_pay
from marchtable_models.asl.leaving import reason
from marchtable_models.asl.vehicles import end_in_motion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from marchtable.planning.model import Control
    from marchtable_models.asl.cpsat.convoylayers import Node
    from marchtable_models.asl.cpsat.convoyplan import ConvoyModel

__all__ = ["Conflict"]

WAYS = 3


class Rule(NamedTuple):
    """A clause as it binds certain vehicles, by their place in the line."""

    clause: str
    vehicles: tuple[int, ...]


class Conflict:
    """The rules that bind a Convoy's plans, each of which can be lifted; the map's cannot."""

    def __init__(self, model: ConvoyModel, control: Control) -> None:
        self.model, self.control = model, control
        position, line = model.position, model.line
        self.left = [model.rulebook.allotment(position, u) - u.spent for u in line]
        most = range(len(line))
        everybody = tuple(most)
        self.rules = (
            *(Rule(all_can_pay.id, (i,)) for i in most),
            *(Rule(reason.id, (i, i + 1)) for i in most[:-1]),
            Rule(motion_as_one.id, everybody),
            Rule(no_start_after_stop.id, everybody),
            *(Rule(end_in_motion.id, (i,)) for i in most),
            *(Rule(straight_back.id, (i,)) for i in most),
        )
        self._fields: dict[int, Setting] = {}
        self._known: dict[frozenset[Rule], bool] = {}

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
            paying = [self.left[r.vehicles[0]] for r in key if r.clause == all_can_pay.id]
            budget = min(paying, default=-1)
            if budget not in self._fields:
                self._fields[budget] = Setting(self.model, budget)
            self._known[key] = not self._fields[budget].allows(key, self.control)
        return self._known[key]


class Setting:
    """
    A Convoy with so many half points, or (below 0) with as many as it likes.

    Parameters
    ----------
    model, budget
        Whose plans, and what may be spent.
    """

    def __init__(self, model: ConvoyModel, budget: int) -> None:
        self.model, self.free = model, budget < 0
        self.budget = model.most if self.free else budget
        starts = [model.field.state(s.bit_length() - 1) for s in model.field.starts]
        field = model.field
        if self.free or budget > model.budget:
            field = Field(
                model.position.board, model.steps, starts, model.most, self.budget,
                model.goal.avoid, free=self.free,
            )  # fmt: skip
        self.field = field
        board = model.position.board
        self.entering = [field.cells(board.resolve(n) for n in u.entering) for u in model.line]
        self.worth = Worth(
            model.rulebook, model.position, model.goal, field, model.line, model.most
        )
        self.limits = Limits(self.worth, Task({}, {}, {}))
        edition = model.rulebook.edition(model.position)
        self.ends = Ends(edition, field, model.steps, [u.spent for u in model.line])
        self.cuts = Cuts(field, model.steps, [u.previous for u in model.line])
        self._followed: list[Course] | None = None

    def allows(self, rules: frozenset[Rule], control: Control) -> bool:
        """Tell whether the musts can be met under some rules."""
        start = tuple(s.bit_length() - 1 for s in self.field.starts)
        if self.worth.meets(Course((start,), (0,))):
            return True
        if any(self._keeps(course, rules) for course in self._tries()):
            return True
        linked = {r.vehicles[1] for r in rules if r.clause == reason.id}
        entering = [e if i in linked else None for i, e in enumerate(self.entering)]
        most = self.model.most
        checked(control)
        ahead = forward(self.field, entering, most, self.budget)
        layers = narrowed(self.field, entering, ahead, self._fits(rules), self.budget)
        if layers is None:
            return False
        clauses = {r.clause for r in rules}
        halted = self.model.line[0].halted if no_start_after_stop.id in clauses else None
        logic = Logic(self.field, entering, layers, halted=halted)
        if motion_as_one.id in clauses and self.ends.all_alike:
            self.ends.state_motion(logic)
        self.limits.state(logic, 0)
        return self._solved(logic, rules, control)

    def _solved(self, logic: Logic, rules: frozenset[Rule], control: Control) -> bool:
        while True:
            course = solved(logic, control)
            if course is None:
                return False
            back, ends = self._broken(course, rules)
            for each in back:
                self.cuts.not_back(logic, *each)
            for each in ends:
                self.ends.state_needs(logic, *each)
            if not back and not ends:
                return True

    def _broken(
        self, course: Course, rules: frozenset[Rule]
    ) -> tuple[list[tuple[int, int, int]], list[tuple[int, int, int]]]:
        """Return who goes straight back, and who may not end as it does, by the rules kept."""
        back = [b for b in self.cuts.breaks(course) if Rule(straight_back.id, (b[0],)) in rules]
        ends = [
            e
            for e in (() if self.free else self.ends.breaks(course))
            if Rule(end_in_motion.id, (e[0],)) in rules
        ]
        return sorted(back), sorted(ends)

    def _keeps(self, course: Course, rules: frozenset[Rule]) -> bool:
        """Tell whether a plan that keeps the line and never starts anew meets all."""
        going = {self.ends.moving >> state & 1 for state in course.states[-1]}
        everybody = tuple(range(len(self.model.line)))
        mixed = self.ends.all_alike and len(going) > 1
        if mixed and Rule(motion_as_one.id, everybody) in rules:
            return False
        return self.worth.meets(course) and not any(self._broken(course, rules))

    def _tries(self) -> list[Course]:
        if self._followed is None:
            needed = [0] * self.field.area
            for demand in self.worth.demands:
                for counts in demand.cells:
                    for cell, count in counts.items():
                        needed[cell] += count
            ways = lead_ways(self.field, self.model.most, self.budget, needed.__getitem__, WAYS)
            self._followed = [
                course
                for way in ways
                for course in followed(self.field, way, self.model.most, self.budget)
            ]
        return self._followed

    def _fits(self, rules: frozenset[Rule]) -> Callable[[int, int, Node], list[Node]]:
        alike = any(r.clause == motion_as_one.id for r in rules)
        bound = {r.vehicles[0] for r in rules if r.clause == end_in_motion.id}

        def fits(t: int, spent: int, node: Node) -> list[Node]:
            hexes = [self.field.hexes_of(states) for states in node] if t else []
            final = self.limits.keep(spent, hexes, 0) if t else None
            if final is None:
                return []
            inside = [s & self.field.states_in(cells) for s, cells in zip(node, final, strict=True)]
            if not self.free:
                inside = [
                    self.ends.fitting(i, s, spent) if i in bound else s
                    for i, s in enumerate(inside)
                ]
            whole = tuple(inside)
            return self.ends.parts(whole) if alike else [whole]

        return fits
