"""Plans of a Convoy's MPh, proved: from the best that could be downwards, one decision at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.planning.model import PlanSpace, Proposal
from marchtable.planning.rolls import settled
from marchtable_models.asl.cpsat.convoycuts import Cuts
from marchtable_models.asl.cpsat.convoyends import Ends
from marchtable_models.asl.cpsat.convoyfield import Course, Field
from marchtable_models.asl.cpsat.convoylayers import forward, narrowed
from marchtable_models.asl.cpsat.convoylead import followed, lead_ways
from marchtable_models.asl.cpsat.convoylogic import Logic, checked, solved
from marchtable_models.asl.cpsat.convoysteps import VERBS, state_of, steps_for
from marchtable_models.asl.cpsat.convoytask import Limits
from marchtable_models.asl.cpsat.convoyworth import Worth
from marchtable_models.asl.impulses import one_each
from marchtable_models.asl.model import End, Impulse
from marchtable_models.asl.survey_transport import carried_by

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from marchtable.action import Action
    from marchtable.planning.goal import Goal
    from marchtable.planning.model import Control, Reason, Rolls, Task
    from marchtable.position import Position
    from marchtable.rulebook import Rulebook
    from marchtable.ruling import Verdict
    from marchtable_models.asl.cpsat.convoylayers import Layers, Node
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["IMPULSES", "ConvoyModel"]

IMPULSES = 12
WAYS = 3  # of the lead, to be followed
SWEEP = 2e-5
"""Deterministic time that a vehicle's set of states counts for when layers are narrowed."""


def _space(
    movers: Sequence[str], impulses: int, rolls: Rolls, left_out: Iterable[str]
) -> PlanSpace:
    return PlanSpace(
        name="convoy",
        verbs=("impulse", "end"),
        movers=tuple(movers),
        policy=(
            f"The Convoy moves by at most {impulses} Impulses and then ends its MPh,"
            " or does nothing.",
            f"In an Impulse vehicles stay, {', '.join(VERBS)}; none goes by Bypass or in Reverse.",
            "No vehicle enters a hex in which another of its Convoy stands,"
            " nor one that one behind it leaves in that Impulse.",
            "No Gap is made; no vehicle leaves, and no other Convoy joins.",
            "No vehicle enters a hex for its whole allotment.",
        ),
        rolls=rolls,
        left_out=tuple(sorted(left_out)),
    )


class ConvoyModel:
    """
    The plans of one Convoy.

    Parameters
    ----------
    rulebook, position, goal
        The rules, where it starts, and what is wanted.
    line
        The Convoy's vehicles, front first.
    impulses
        The most that a plan has.
    rolls
        ``pass`` takes rolls to be passed, ``avoid`` makes no move that calls for one.
    """

    def __init__(
        self,
        rulebook: Rulebook[Any, Any],
        position: AslPosition,
        goal: Goal,
        line: Sequence[AslUnit],
        impulses: int = IMPULSES,
        rolls: Rolls = "avoid",
    ) -> None:
        self.rulebook, self.position, self.goal, self.line = rulebook, position, goal, line
        found = steps_for(rulebook, position, line, avoid=rolls == "avoid")
        self.steps = [found[unit.id] for unit in line]
        left = [rulebook.allotment(position, u) - u.spent for u in line]
        self.budget = max(0, min(left))
        self.most = impulses if self._can_move() else 0
        starts = [state_of(unit) for unit in line]
        board = position.board
        self.field = Field(board, self.steps, starts, self.most, self.budget, goal.avoid)
        loads = [load.id for unit in line for load in carried_by(position, unit)]
        left_out = {clause for steps in self.steps for clause in steps.left_out}
        self.space = _space([*(u.id for u in line), *loads], impulses, rolls, left_out)
        self.entering = [
            self.field.cells(board.resolve(name) for name in unit.entering) for unit in line
        ]
        self.worth = Worth(rulebook, position, goal, self.field, line, self.most)
        edition = rulebook.edition(position)
        self.ends = Ends(edition, self.field, self.steps, [u.spent for u in line], self.budget)
        self.cuts = Cuts(self.field, self.steps, [u.previous for u in line])
        self.layers = forward(self.field, self.entering, self.most, self.budget)
        self.known: list[Course] = []

    def _can_move(self) -> bool:
        """Tell whether nothing keeps the Convoy as a whole where it is."""
        idle = Impulse(self.line[0].id, ("stay",) * len(self.line))
        ruling = self.rulebook.rule(self.position, idle)
        kept = [v for v in ruling.violations if v.clause != one_each.id]
        return not (kept or ruling.unsupported)

    # -- plans without a solver ----------------------------------------------------------------

    def quick(self) -> Iterable[tuple[Action, ...]]:
        """Return what comes of following the lead, best first."""
        if not self.known:
            self.known = list(self._followed())
        ranked = sorted(self.known, key=self._rank)
        return [self.log(course) for course in ranked[:1]]

    def _rank(self, course: Course) -> tuple[int, ...]:
        score, goal = self.worth.score(course), self.goal
        sign = {"value": -1}
        if goal.weights:
            total = sum(w * sign.get(name, 1) * score[name] for name, w in goal.weights.items())
            return (not self.worth.meets(course), total)
        return (
            not self.worth.meets(course),
            *(sign.get(name, 1) * score[name] for name in goal.order),
        )

    def _followed(self) -> Iterable[Course]:
        yield Course((tuple(s.bit_length() - 1 for s in self.field.starts),), (0,))
        if not self.most:
            return
        sums: dict[int, int] = {}
        for gains in self.worth.gains:
            for cell, (value, distance) in gains.items():
                sums[cell] = sums.get(cell, 0) + value - distance
        ways = lead_ways(self.field, self.most, self.budget, sums.__getitem__, WAYS)
        for way in ways:
            for course in followed(self.field, way, self.most, self.budget):
                if self.ends.allow(course) and not self.cuts.breaks(course):
                    yield course

    # -- the proof -----------------------------------------------------------------------------

    def best(self, task: Task, control: Control) -> Proposal:
        """Return the best plan that no cut excludes."""
        if not self.known:
            self.known = list(self._followed())
        limits = Limits(self.worth, task)
        usable = [c for c in self.known if limits.allow(c) and self.cuts.allow(c)]
        best = max(usable, key=limits.total, default=None)
        floor = limits.total(best) if best else None
        base = limits.lowest(self.layers) - limits.step
        top = self._top(limits)
        alive: dict[int, Layers | None] = {}
        while top is not None and (floor is None or floor < top):
            control.bounded(top)
            try:
                top = self._highest(limits, top, base if floor is None else floor, alive, control)
                if top is None:
                    break
                least = top if floor is None else limits.between(floor, top)
                layers = alive[top] if least == top else self._layers(limits, least, control)
                course = self._decided(limits, least, layers, control)
            except TimeoutError:
                log = self.log(best) if best else None
                return Proposal("FEASIBLE" if best else "UNKNOWN", log, top)
            if course is None:
                top = least - limits.step
            else:
                self.known.append(course)
                best, floor = course, limits.total(course)
                control.found(self.log(course))
        if best is None:
            return Proposal("IMPOSSIBLE", None, None)
        return Proposal("OPTIMAL", self.log(best), floor)

    def _highest(
        self,
        limits: Limits,
        top: int,
        base: int,
        alive: dict[int, Layers | None],
        control: Control,
    ) -> int | None:
        """Return the largest sum above a base that layers do not rule out, None if they do all."""
        count = -((base - top) // limits.step)  # sums top, top - step ... above the base
        low, high, stride = 0, count, 1
        while low < high:
            middle = min(low + stride - 1, high - 1) if high == count else (low + high) // 2
            total = top - middle * limits.step
            if total not in alive:
                alive[total] = self._layers(limits, total, control)
            if alive[total] is None:
                low, stride = middle + 1, 2 * stride
            else:
                high = middle
        return top - high * limits.step if high < count else None

    def _top(self, limits: Limits) -> int | None:
        """Return the best that could be, as far as layers tell."""
        found = [
            total
            for nodes in self.layers[1:]
            for spent, node in nodes.items()
            if (total := limits.best(spent, [self.field.hexes_of(s) for s in node])) is not None
        ]
        return max(found, default=None)

    def _decided(
        self, limits: Limits, least: int, layers: Layers | None, control: Control
    ) -> Course | None:
        """Return a plan worth that much, if there is one within the layers; TimeoutError at a limit."""
        if layers is None:
            return None
        logic = Logic(self.field, self.entering, layers, halted=self.line[0].halted)
        self.ends.state(logic)
        limits.state(logic, least)
        if self.cuts.is_empty and not limits.task.least.keys() - {"value"}:
            logic.at_once()
        self.cuts.state(logic)
        while True:
            course = solved(logic, control)
            if course is None or not self._learned(logic, course):
                return course

    def _learned(self, logic: Logic, course: Course) -> bool:
        """State what a plan breaks that looks back or at how all end; tell whether it does."""
        back, ends = self.cuts.breaks(course), self.ends.breaks(course)
        self.cuts.learn(back)
        self.ends.learn(ends)
        for each in sorted(back):
            self.cuts.not_back(logic, *each)
        for each in sorted(ends):
            self.ends.state_needs(logic, *each)
        return bool(back or ends)

    def _layers(self, limits: Limits, least: int, control: Control) -> Layers | None:
        checked(control)
        control.spend(SWEEP * len(self.line) * sum(map(len, self.layers)))

        def fits(t: int, spent: int, node: Node) -> list[Node]:
            hexes = [self.field.hexes_of(states) for states in node] if t else []
            final = limits.keep(spent, hexes, least) if t else None
            if final is None:
                return []
            inside = [s & self.field.states_in(cells) for s, cells in zip(node, final, strict=True)]
            return self.ends.parts(
                tuple(self.ends.fitting(i, states, spent) for i, states in enumerate(inside))
            )

        return narrowed(self.field, self.entering, self.layers, fits, self.budget)

    # -- logs and cuts -------------------------------------------------------------------------

    def log(self, course: Course) -> tuple[Action, ...]:
        """Return a plan as a log."""
        if len(course.states) == 1:
            return ()
        lead = self.line[0].id
        found: list[Action] = []
        for before, after in zip(course.states, course.states[1:], strict=False):
            moves = [self.cuts.step(i, *s) for i, s in enumerate(zip(before, after, strict=True))]
            told = tuple("stay" if step is None else step.move for step in moves)
            found.append(Impulse(lead, told))
        log = (*found, End(lead))
        return log if self.space.rolls == "avoid" else settled(self.position, log) or log

    def refuse(self, log: tuple[Action, ...], verdict: Verdict) -> None:
        """Never propose what begins as this did up to what was refused."""
        broken = [v.step for v in (*verdict.violations, *verdict.unsupported)]
        self.cuts.refuse(self._course(log), min(broken, default=len(log)) + 1)

    def differ(self, log: tuple[Action, ...]) -> None:
        """Look for plans with other final places or points spent."""
        self.cuts.differ(self._course(log))

    def _course(self, log: Sequence[Action]) -> Course:
        states = [tuple(s.bit_length() - 1 for s in self.field.starts)]
        spent = [0]
        for action in log:
            if isinstance(action, Impulse):
                after, cost = [], 0
                for i, (state, move) in enumerate(zip(states[-1], action.moves, strict=True)):
                    step = self.cuts.named(i, state, move)
                    after.append(state if step is None else self.field.number(step.to))
                    cost = max(cost, 0 if step is None else step.cost)
                states.append(tuple(after))
                spent.append(spent[-1] + cost)
        return Course(tuple(states), tuple(spent))

    def conflict(self, control: Control) -> tuple[Reason, ...] | None:
        """Return a minimal set of clauses that together forbid the goal's musts, verified."""
        from marchtable_models.asl.cpsat.convoywhy import Conflict

        return Conflict(self, control).found() if self.most else ()
