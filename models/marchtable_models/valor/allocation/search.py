"""The best plan by trying every single course: for unusual readings, and as the reference.

It also takes any value of what is left, so it looks one attack ahead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from marchtable_models.valor.allocation.course import DIE, Course, Step
from marchtable_models.valor.allocation.listing import clauses_of
from marchtable_models.valor.allocation.options import figures_of
from marchtable_models.valor.allocation.plan import MOST_TIES, Plan, Roll, advice_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from marchtable_models.valor.allocation.course import State
    from marchtable_models.valor.allocation.plan import Advice
    from marchtable_models.valor.facts.stack import Choices, Loss, Member, Stack

    Worth = Callable[[tuple[Loss, ...]], Fraction]

__all__ = ["Search", "canonical"]


class _Move(NamedTuple):
    """A step, or a roll with the states that its outcomes lead to; the failed one may be none."""

    step: Step
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
        """Return the legal steps, the two outcomes of one roll together."""
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
        """Return whether a roll, after these losses, is a beginning that counts."""
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

    def advice(self, scale: int) -> Advice:
        """Return the best plans and the next best; ``scale`` must make all values whole."""
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
                    found[canonical(self.stack, losses, move.step)] = value, state, move
                elif move.held not in seen:
                    seen.add(move.held)
                    todo.append(move.held)
        ranked = sorted(found.values(), key=lambda entry: -entry[0])[:MOST_TIES]
        return advice_of(
            [self._plan(state, move, value, scale) for value, state, move in ranked], scale
        )

    def _plan(self, state: State, move: _Move | None, value: Fraction, scale: int) -> Plan:
        losses = tuple(
            loss
            for loss in self.course.losses(state)
            if move is None or loss.unit != state.pending  # the roll tells of the point ignored
        )
        points = sum(loss.points for loss in losses)
        plan = Plan(losses, points, int(value * scale), clauses_of(self.stack, losses))
        if move is None:
            return plan
        roll = Roll(move.step.unit, move.step.points, bool(state.pending), move.chance)
        held = self._follow(move.held, scale)
        failed = None if move.failed is None else self._follow(move.failed, scale)
        return Plan(losses, points, plan.value, plan.clauses, roll, held, failed)

    def _follow(self, state: State, scale: int) -> Plan:
        """Return the best plan from a state on."""
        value = self.value(state)
        assert value is not None
        while not self.course.is_over(state):
            move = next(m for m in self._moves(state) if self._value_of(m) == value)
            if move.step.verb == "survive":
                return self._plan(state, move, value, scale)
            state = move.held
        return self._plan(state, None, value, scale)


def canonical(stack: Stack, losses: tuple[Loss, ...], roll: Step | None = None) -> object:
    """Return the same for losses (and a roll to come) that differ only in identical units."""
    fates = {loss.unit: (loss.result, loss.points) for loss in losses}

    def of(member: Member) -> tuple[object, ...]:
        rolled = roll.points if roll is not None and roll.unit == member.id else 0
        fields = (*figures_of(member), stack.is_pinned(member), stack.bar(member))
        return (*fields, fates.get(member.id, ("unharmed", 0)), rolled)

    groups = [
        (of(head), tuple(sorted(map(of, stack.cargo.get(head.id, ())))))
        for head in stack.members
        if head.aboard is None
    ]
    return tuple(sorted(groups))
