"""Every allocation and plan by single steps, to check lists, counts and plans.

Public functions of a course judge the steps on the whole stack; nothing is left out.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from marchtable_models.valor.allocation.advice import MOST_TIES, Advice, LossPlan, Roll, value_of
from marchtable_models.valor.allocation.course import Course, LossStep
from marchtable_models.valor.allocation.stack import DEFAULTS, Allocation, Choices, Stack, UnitLoss
from marchtable_models.valor.allocation.target import Target, canonical
from marchtable_models.valor.allocation.values import valued
from marchtable_models.valor.data import DIE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from marchtable_models.valor.allocation.course import State
    from marchtable_models.valor.allocation.values import Values

    Worth = Callable[[tuple[UnitLoss, ...]], Fraction]

__all__ = ["Search", "brute_force", "replay", "search"]


class _Move(NamedTuple):
    """A step, or a roll with the states after its outcomes; the failed one may be none."""

    step: LossStep
    held: State
    failed: State | None = None
    chance: int = DIE


class Search:
    """
    All plans for one stack and attack.

    Parameters
    ----------
    worth
        What the owner holds the outcome to be worth, from the losses.
    rolls_first
        Whether a plan whose first roll comes after losses other than those of Passengers is no
        plan of its own. Under the usual readings rolling first is never worse.
    """

    def __init__(
        self,
        stack: Stack,
        points: int,
        worth: Worth,
        choices: Choices,
        *,
        rolls_first: bool,
    ) -> None:
        self.stack = stack
        self.course = Course(stack, points, choices)
        self.worth = worth
        self.rolls_first = rolls_first
        self._values: dict[State, Fraction | None] = {}

    def _moves(self, state: State) -> list[_Move]:
        """Return the legal steps, with the two outcomes of one roll together."""
        moves = []
        for step in self.course.steps(state):
            if step.verb == "fail":
                continue
            after = self.course.after(state, step)
            chance, failed = DIE, None
            if step.verb == "survive":
                chance = self.course.chance(state, step)
            if chance < DIE:
                failed = self.course.after(state, step._replace(verb="fail"))
            moves.append(_Move(step, after, failed, chance))
        return moves

    def _may_open(self, state: State) -> bool:
        """Return whether a roll, after these losses, is a valid beginning."""
        if not self.rolls_first:
            return True
        marks = zip(self.stack.members, state.marks, strict=True)
        return all(
            not mark.done or member.id == state.pending or member.aboard is not None
            for member, mark in marks
        )

    def value(self, state: State) -> Fraction | None:
        """Return the best expected value, or None if the points cannot be fulfilled from here."""
        if state not in self._values:
            if self.course.is_over(state):
                self._values[state] = self.worth(self.course.losses(state))
            else:
                found = [self._value_of(move) for move in self._moves(state)]
                known = [value for value in found if value is not None]
                self._values[state] = max(known) if known else None
        return self._values[state]

    def _value_of(self, move: _Move) -> Fraction | None:
        held = self.value(move.held)
        if held is None or move.failed is None:
            return held
        failed = self.value(move.failed)
        if failed is None:
            return None
        return (move.chance * held + (DIE - move.chance) * failed) / DIE

    def advice(self) -> Advice:
        """Return the best plans and the next best."""
        found: dict[object, tuple[Fraction, State, _Move | None]] = {}
        start = self.course.start()
        todo, seen = [start], {start}
        while todo:
            state = todo.pop()
            if self.course.is_over(state):
                losses = self.course.losses(state)
                found[canonical(self.stack, losses)] = self.worth(losses), state, None
                continue
            for move in self._moves(state):
                value = self._value_of(move)
                if value is None or (move.step.verb == "survive" and not self._may_open(state)):
                    continue
                if move.step.verb == "survive":
                    losses = self.course.losses(state)
                    roll = {move.step.unit: (move.step.points,)}
                    found[canonical(self.stack, losses, roll)] = value, state, move
                elif move.held not in seen:
                    seen.add(move.held)
                    todo.append(move.held)
        ranked = sorted(found.values(), key=lambda entry: -entry[0])[:MOST_TIES]
        best = ranked[0][0]
        most = next((n for n, entry in enumerate(ranked, start=1) if entry[0] != best), MOST_TIES)
        plans = (self._plan(state, move, value) for value, state, move in ranked[:most])
        return Advice(tuple(plans), 1)

    def _plan(self, state: State, move: _Move | None, value: Fraction) -> LossPlan:
        losses = tuple(
            loss
            for loss in self.course.losses(state)
            if move is None or loss.unit != state.pending  # the roll fulfils the ignored point
        )
        if move is None:
            return LossPlan(losses, (value,))
        roll = Roll(move.step.unit, move.step.points, bool(state.pending), move.chance)
        held = self._follow(move.held)
        failed = None if move.failed is None else self._follow(move.failed)
        return LossPlan(losses, (value,), roll, held, failed)

    def _follow(self, state: State) -> LossPlan:
        """Return the best plan from a state on."""
        value = self.value(state)
        assert value is not None
        while not self.course.is_over(state):
            move = next(m for m in self._moves(state) if self._value_of(m) == value)
            if move.step.verb == "survive":
                return self._plan(state, move, value)
            state = move.held
        return self._plan(state, None, value)


def search(stack: Stack, points: int, values: Values, choices: Choices) -> Advice:
    """Return the best plans by trying every step, without plans whose losses before a roll do not count."""
    whole, scale = valued(stack, values)

    def worth(losses: tuple[UnitLoss, ...]) -> Fraction:
        return Fraction(value_of(whole, losses, scale), scale.one)

    found = Search(
        whole, points, worth, choices, rolls_first=Target(whole, points, choices).rolls_first
    )
    return found.advice()


def brute_force(stack: Stack, points: int, choices: Choices = DEFAULTS) -> tuple[Allocation, ...]:
    """Return every final allocation, identical units distinguished, by trying every sequence.

    A state reached twice is walked once; nothing else is left out. For small stacks only.
    """
    course = Course(stack, points, choices)
    found: dict[tuple[UnitLoss, ...], Allocation] = {}
    seen = {course.start()}
    todo = list(seen)
    while todo:
        state = todo.pop()
        if course.is_over(state):
            losses = course.losses(state)
            found[losses] = Allocation(losses)
            continue
        for step in course.steps(state):
            after = course.after(state, step)
            if after not in seen:
                seen.add(after)
                todo.append(after)
    return tuple(found[losses] for losses in sorted(found))


def replay(
    stack: Stack, points: int, steps: Sequence[LossStep], choices: Choices = DEFAULTS
) -> tuple[tuple[UnitLoss, ...] | None, tuple[str, ...], int]:
    """Apply steps in order and judge them.

    Returns the losses if all are legal and leave nothing to do. Otherwise None, the clauses
    violated, and the step (from 0; one past the last if points are left).
    """
    course = Course(stack, points, choices)
    state = course.start()
    for i, step in enumerate(steps):
        if broken := course.barred(state, step):
            return None, broken, i
        state = course.after(state, step)
    if not course.is_over(state):
        return None, ("V14.61d",), len(steps)
    return course.losses(state), (), len(steps)
