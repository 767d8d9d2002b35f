"""A second implementation of V14.61 to V14.65, from the rule text and not from the clauses.

Four conditions: (1) points are owed before every application, and none at the end unless everything
eligible is gone; (2) units pinned before the attack come last; (3) pins come last and close the
account; (4) the point after an ignored one falls on the same unit. Passengers come before others of
equal standing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from marchtable_models.valor.allocation.course import LossStep
from marchtable_models.valor.allocation.stack import (
    DEFAULTS,
    PINNED,
    Allocation,
    Choices,
    Member,
    Result,
    Stack,
    UnitLoss,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable_models.valor.allocation.course import Verb

__all__ = ["Application", "oracle"]

VERBS: tuple[Verb, ...] = ("ignore", "pin", "reduce", "eliminate", "survive", "fail")
DIE = 6
ONE_LEFT = 1


class Mark(NamedTuple):
    """A unit's losses so far."""

    result: Result = "unharmed"
    points: int = 0


class State(NamedTuple):
    """The state of an allocation.

    ``pending`` is the unit that ignored a point and must take the next; ``harmed`` says whether a
    unit other than a Passenger was hit, among the unpinned and the pinned; ``pinning`` that only
    pins can follow; ``killed`` that something was reduced or eliminated.
    """

    marks: tuple[Mark, ...]
    owed: int
    pending: str = ""
    harmed: tuple[bool, bool] = (False, False)
    pinning: bool = False
    killed: bool = False


def immune(stack: Stack, member: Member) -> str:
    """Return the clause that keeps Casualty Points off the member, or an empty string."""
    carrier = stack.carrier(member)
    if member.kind == "afv":
        return "V14.1"
    if member.towed:
        return "V14.65c"
    if carrier is not None and carrier.kind == "afv":
        return "V14.65b"
    mover = member if carrier is None else carrier
    return "V14.2c" if stack.opportunity and not mover.mover else ""


class Course:
    """The effects of applied points on a stack, legal or not."""

    def __init__(self, stack: Stack, points: int, choices: Choices = DEFAULTS) -> None:
        self.stack = stack
        self.points = points
        self.choices = choices
        self.ids = tuple(m.id for m in stack.members if not immune(stack, m))
        self._index = {unit: i for i, unit in enumerate(self.ids)}

    def start(self) -> State:
        """Return the state before any point is applied."""
        return State((Mark(),) * len(self.ids), self.points)

    # -- units --

    def result(self, state: State, unit: str) -> Result:
        """Return the unit's own losses so far."""
        return state.marks[self._index[unit]].result

    def is_open(self, state: State, unit: str) -> bool:
        """Return whether the unit was unpinned before the attack and still is."""
        member = self.stack.by_id[unit]
        if self.stack.is_pinned(member):
            return False
        carrier = self.stack.carrier(member)
        shared = () if carrier is None or immune(self.stack, carrier) else (carrier.id,)
        return all(
            self.result(state, name) not in (*PINNED, "eliminated") for name in (unit, *shared)
        )

    def is_gone(self, state: State, unit: str) -> bool:
        """Return whether the unit is eliminated, by itself or with its carrier."""
        carrier = self.stack.by_id[unit].aboard
        lost = carrier is not None and self.result(state, carrier) == "eliminated"
        return lost or self.result(state, unit) == "eliminated"

    def rating(self, state: State, unit: str) -> int:
        """Return the unit's present Casualty Rating, without Passengers."""
        member = self.stack.by_id[unit]
        is_half = self.result(state, unit).startswith("reduced")
        return member.cr_half if is_half and member.cr_half is not None else member.cr

    def lost_with(self, state: State, unit: str) -> int:
        """Return the points credited for everything that dies with a carrier."""
        load = self.stack.cargo.get(unit, ())
        towed = sum(m.cr for m in load if m.towed and self.choices.towed == "counted")
        riders = (m.id for m in load if not m.towed and not self.is_gone(state, m.id))
        return towed + sum(self.rating(state, rider) for rider in riders)

    # -- effects of a step --

    def cost(self, state: State, step: LossStep) -> int:
        """Return the points the step fulfils, including Passengers lost by it."""
        lost = self.lost_with(state, step.unit) if step.verb in ("eliminate", "fail") else 0
        return self._own_cost(state, step) + lost

    def _own_cost(self, state: State, step: LossStep) -> int:
        """Return the points the step fulfils by the unit itself."""
        member = self.stack.by_id[step.unit]
        if step.verb in ("ignore", "pin"):
            return 1
        if step.verb == "reduce":
            return member.cr - (member.cr_half or 0)
        if step.verb == "survive":
            return step.points
        if step.verb == "fail" and self.choices.failed_roll == "applied":
            return step.points
        return self.rating(state, step.unit)

    def after(self, state: State, step: LossStep) -> State:
        """Return the state after a legal step."""
        member = self.stack.by_id[step.unit]
        i = self._index[step.unit]
        points = state.marks[i].points + self._own_cost(state, step)
        mark = Mark(_result_of(step.verb, state.marks[i].result), points)
        was_pinned = self.stack.is_pinned(member)
        harmed = state.harmed
        if member.aboard is None and step.verb != "ignore":
            harmed = (True, harmed[1]) if not was_pinned else (harmed[0], True)
        strict = self.choices.pin_last == "strict"
        pins = step.verb == "pin" or (step.verb == "survive" and self.choices.survival_pin == "yes")
        pending = step.unit if step.verb == "ignore" else ""
        if state.pending and self.choices.same_unit == "exhaust" and step.verb == "reduce":
            pending = step.unit
        return State(
            (*state.marks[:i], mark, *state.marks[i + 1 :]),
            state.owed - self.cost(state, step),
            pending,
            harmed,
            state.pinning or (strict and pins),
            state.killed or step.verb in ("reduce", "eliminate", "fail"),
        )

    def is_over(self, state: State) -> bool:
        """Return whether the points are fulfilled, or everything eligible is gone."""
        return state.owed <= 0 or all(self.is_gone(state, unit) for unit in self.ids)

    def losses(self, state: State) -> tuple[UnitLoss, ...]:
        """Return each unit's losses, including those pinned or lost with their carrier."""
        losses = []
        for member in self.stack.members:
            mark = state.marks[self._index[member.id]] if member.id in self._index else Mark()
            result, points = self._with_carrier(state, member, mark)
            if result != "unharmed":
                losses.append(UnitLoss(member.id, result, points))
        return tuple(losses)

    def _with_carrier(self, state: State, member: Member, mark: Mark) -> Mark:
        if member.aboard not in self._index:
            return mark
        outcome = self.result(state, member.aboard)
        if outcome in PINNED and mark.result != "eliminated":
            return Mark("reduced, pinned" if mark.result == "reduced" else "pinned", mark.points)
        if outcome != "eliminated" or mark.result == "eliminated":
            return mark
        counts = not member.towed or self.choices.towed == "counted"
        return Mark("eliminated", mark.points + counts * self._rating_of(member, mark))

    def _rating_of(self, member: Member, mark: Mark) -> int:
        return (member.cr_half or 0) if mark.result == "reduced" else member.cr


def _result_of(verb: Verb, before: Result) -> Result:
    if verb == "ignore":
        return "ignored"
    if verb == "pin":
        return "reduced, pinned" if before == "reduced" else "pinned"
    if verb == "reduce":
        return "reduced"
    return "survived" if verb == "survive" else "eliminated"


class Application(Course):
    """The legality of each application of points to a stack under the chosen readings."""

    def __init__(self, stack: Stack, points: int, choices: Choices = DEFAULTS) -> None:
        super().__init__(stack, points, choices)
        self._exact: dict[State, bool] = {}

    def _ignores(self, member: Member) -> bool:
        allowed = self.choices.pinned_shield == "ignores" or not self.stack.is_pinned(member)
        return member.shield and allowed and self.choices.ignored == "counts"

    # -- prohibitions --

    def barred(self, state: State, step: LossStep) -> str:
        """Return the clause that forbids the step, or an empty string."""
        clause = self._barred(state, step)
        if not clause and self.choices.exceed == "exact" and self._misses(state, step):
            return "V14.61d"
        return clause

    def _barred(self, state: State, step: LossStep) -> str:
        member = self.stack.by_id[step.unit]
        return (
            immune(self.stack, member)
            or self._barred_now(state, step)
            or self._barred_by_standing(state, member)
            or getattr(self, f"_bar_{step.verb}")(state, step, member)
        )

    def _barred_now(self, state: State, step: LossStep) -> str:
        if state.owed <= 0:
            return "V14.61d"
        result = self.result(state, step.unit)
        if self.is_gone(state, step.unit):
            return "V14.61c"
        if result in PINNED and not (
            self.choices.newly_pinned == "allowed"
            and step.verb == "eliminate"
            and not any(self.is_open(state, unit) for unit in self.ids)
        ):
            return "V14.61c"
        if state.pending and (state.pending != step.unit or step.verb == "ignore"):
            return "V14.63b"
        return ""

    def _barred_by_standing(self, state: State, member: Member) -> str:
        was_pinned = self.stack.is_pinned(member)
        if member.aboard is not None and state.harmed[was_pinned]:
            return "V14.65a"
        if not was_pinned:
            return ""
        if member.aboard is not None and self.choices.pinned_passengers == "never":
            return "V14.65a"
        touched = self.choices.unpinned_first == "touched"
        for unit in self.ids:
            spared = touched and self.result(state, unit) not in ("unharmed", "ignored")
            if self.is_open(state, unit) and not spared:
                return "V14.62a"
        return "V14.62a" if self._closes(state) else ""

    def _closes(self, state: State) -> bool:
        """Return whether only pins can follow (A30)."""
        return state.pinning and self.choices.after_pins == "barred"

    def _bar_ignore(self, state: State, step: LossStep, member: Member) -> str:
        untouched = self.result(state, step.unit) == "unharmed"
        if not (self._ignores(member) and untouched):
            return "V14.63a"
        others = any(mark.result != "unharmed" for mark in state.marks)
        late = state.owed == ONE_LEFT and others and self.choices.last_point == "barred"
        return "V14.63b" if late else ""

    def _bar_pin(self, state: State, _: LossStep, member: Member) -> str:
        if self.stack.is_pinned(member):
            return "V14.62a"
        if member.aboard is not None:
            return "V14.65d"
        if member.kind != "infantry" and self._is_exceeded(member):
            return "V14.64b"
        if self.choices.pin_last == "strict":
            ignores = self.result(state, member.id) == "unharmed" and self._ignores(member)
            return "V14.61e" if state.owed > self._pins_left(state) - ignores else ""
        return "V14.61e" if self._bars_pins(state) else ""

    def _bars_pins(self, state: State) -> bool:
        """Apply A3's other reading: if pins do not suffice, none before a reduction or elimination."""
        if self.choices.pin_last == "strict" or state.killed:
            return False
        return self._pins_left(self.start()) < self.points

    def _pins_left(self, state: State) -> int:
        """Return how many points pins, and ignored points before them, can still fulfil."""
        total = last = 0
        for unit in self.ids:
            member = self.stack.by_id[unit]
            if self.is_open(state, unit) and member.aboard is None:
                ignores = self.result(state, unit) == "unharmed" and self._ignores(member)
                if member.kind != "infantry" and self._is_exceeded(member):
                    last = max(last, ignores)  # the very last point can be ignored
                else:
                    total += 1 + ignores
        return total + last

    def _bar_reduce(self, state: State, step: LossStep, member: Member) -> str:
        if self.stack.is_pinned(member):
            return "V14.62b"
        if member.cr_half is None or self.result(state, step.unit) == "reduced":
            return "V14.61h"
        if self._closes(state):
            return "V14.61e"
        return self._bar_cost(state, member.cr - member.cr_half)

    def _bar_eliminate(self, state: State, step: LossStep, member: Member) -> str:
        if self._closes(state) and not self.stack.is_pinned(member):
            return "V14.61e"
        if member.kind != "infantry" and self.is_open(state, step.unit):
            exceeded = state.owed > member.cr or self._is_exceeded(member)
            if not exceeded and self.choices.outright == "no":
                return "V14.64e"
        cost = self.rating(state, step.unit) + self.lost_with(state, step.unit)
        return self._bar_cost(state, cost)

    def _bar_survive(self, state: State, step: LossStep, member: Member) -> str:
        if member.kind == "infantry":
            return "V14.64e"
        if self.stack.is_pinned(member):
            return "V14.64d"
        if self._closes(state):
            return "V14.61e"
        if step.points < 2 or step.points > state.owed:
            return "V14.64a" if step.points < 2 else "V14.61d"
        if step.points > member.cr or self._is_exceeded(member):
            return "V14.64b"
        return self._bar_stranded(state, step._replace(verb="survive"))

    def _bar_stranded(self, state: State, held: LossStep) -> str:
        """Forbid a roll that, if it succeeds, leaves points that nothing can fulfil."""
        after = self.after(state, held)
        if self.choices.newly_pinned == "barred" and after.owed > self._room(after, held.unit):
            return "V14.61d"
        return "V14.61e" if after.pinning and after.owed > self._pins_left(after) else ""

    def _room(self, state: State, spared: str) -> int:
        """Return the points the other units can still fulfil, by losses and by ignoring."""
        total = 0
        for unit in self.ids:
            member = self.stack.by_id[unit]
            is_safe = self.result(state, unit) in PINNED or self.is_gone(state, unit)
            if unit == spared or is_safe:
                continue
            if member.aboard is None:
                total += self.rating(state, unit) + self.lost_with(state, unit)
            if member.aboard is None or self._suffers_first(state, member):
                total += self._ignores(member) and self.result(state, unit) == "unharmed"
        return total

    def _suffers_first(self, state: State, member: Member) -> bool:
        """Return whether a Passenger pinned before can still be hit, and so ignore a point."""
        barred = state.harmed[True] or self.choices.pinned_passengers == "never"
        return self.stack.is_pinned(member) and not barred

    def _is_exceeded(self, member: Member) -> bool:
        """Apply A10's other reading: compare the attack's whole result with the rating."""
        return self.choices.rating_exceeded == "whole" and self.points > member.cr

    def _bar_fail(self, state: State, step: LossStep, member: Member) -> str:
        return self._bar_survive(state, step, member) or ("V14.64e" if member.cr >= DIE else "")

    def _bar_cost(self, state: State, cost: int) -> str:
        """Apply A2's other reading: no loss beyond the points owed while pins alone would suffice."""
        if self.choices.overshoot == "free" or cost <= state.owed or self._bars_pins(state):
            return ""
        return "" if state.owed > self._pins_left(state) else "V14.61d"

    def _misses(self, state: State, step: LossStep) -> bool:
        """Return whether the points could be fulfilled exactly, but not after this step."""
        steps = [step]
        if step.verb in ("survive", "fail"):  # one decision: either outcome suffices
            steps = [step._replace(verb=verb) for verb in VERBS[-2:]]
        after = [self.after(state, s) for s in steps if not self._barred(state, s)]
        return not any(map(self._is_exact, after)) and self._is_exact(state)

    def _is_exact(self, state: State) -> bool:
        """Return whether some sequence, with some dice, fulfils exactly the points owed."""
        if state.owed <= 0:
            return state.owed == 0
        if state not in self._exact:
            steps = (step for step in self._candidates(state) if not self._barred(state, step))
            self._exact[state] = any(self._is_exact(self.after(state, step)) for step in steps)
        return self._exact[state]

    def _candidates(self, state: State) -> Iterator[LossStep]:
        for unit in self.ids:
            for verb in VERBS:
                rolls = verb in ("survive", "fail")
                amounts = range(2, max(2, state.owed + 1)) if rolls else (0,)
                yield from (LossStep(unit, verb, k) for k in amounts)

    def steps(self, state: State) -> list[LossStep]:
        """Return every legal step."""
        return [step for step in self._candidates(state) if not self.barred(state, step)]


def oracle(stack: Stack, points: int, choices: Choices = DEFAULTS) -> tuple[Allocation, ...]:
    """Return every final allocation, identical units distinguished, by trying every sequence.

    A state reached twice is walked once; nothing else is left out. For small stacks only.
    """
    application = Application(stack, points, choices)
    found: dict[tuple[UnitLoss, ...], Allocation] = {}
    seen = {application.start()}
    todo = list(seen)
    while todo:
        state = todo.pop()
        if application.is_over(state):
            losses = application.losses(state)
            found[losses] = Allocation(losses)
            continue
        for step in application.steps(state):
            after = application.after(state, step)
            if after not in seen:
                seen.add(after)
                todo.append(after)
    return tuple(found[losses] for losses in sorted(found))
