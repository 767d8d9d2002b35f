"""The units of a hex under an attack, group by group, and how far the attack has got."""

from __future__ import annotations

from functools import cached_property
from itertools import product
from math import comb
from typing import TYPE_CHECKING, NamedTuple

from marchtable_models.valor.allocation.citing import losses_of
from marchtable_models.valor.allocation.course import Course, State, Step
from marchtable_models.valor.allocation.options import (
    AMPLE,
    Fate,
    figures_of,
    group_of,
    options,
    settings,
    throws,
    walker_of,
)
from marchtable_models.valor.allocation.order import in_order
from marchtable_models.valor.facts.stack import UNHURT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from marchtable_models.valor.allocation.options import Group, Option, Throw
    from marchtable_models.valor.facts.stack import Choices, Loss, Member, Stack

__all__ = ["Class", "Node", "Picked", "Roll", "Target", "canonical"]


class Node(NamedTuple):
    """How far an attack has got: the state of each group by itself, and the points still owed."""

    states: tuple[State, ...]
    owed: int


class Class(NamedTuple):
    """Identical groups in the same state: the names of their units, and what can happen to each."""

    group: Group
    options: tuple[Option, ...]
    names: list[tuple[str, ...]]


Picked = tuple[tuple[int, ...], ...]
"""For each class, the options that its groups are given, by number in falling order."""


class Roll(NamedTuple):
    """A survival roll for one group, made at a node, and the nodes that it leads to."""

    before: Node
    unit: str
    throw: Throw
    held: Node
    failed: Node | None


class Target:
    """
    A stack under an attack of some points.

    Parameters
    ----------
    points
        The attack's Casualty Points.
    choices
        The readings. Under the usual ones, and others that leave the closed form as it is, what
        is found for each group by itself is legal together if sums agree; under the rest it is
        replayed.
    """

    def __init__(self, stack: Stack, points: int, choices: Choices) -> None:
        self.stack, self.points, self.choices = stack, points, choices
        self.total = points if choices.rating_exceeded == "whole" else AMPLE
        self.groups: list[Group] = []
        self.names: list[tuple[str, ...]] = []
        self.immune: list[Member] = []
        for head in stack.members:
            if head.aboard is not None:
                continue
            units = (head, *sorted(stack.cargo.get(head.id, ()), key=_load_order))
            if stack.bar(head):
                self.immune += units
                continue
            self.groups.append(group_of(head.pinned, *map(figures_of, units)))
            self.names.append(tuple(unit.id for unit in units))
        walkers = (walker_of(group, choices, self.total) for group in self.groups)
        self.start = Node(tuple(walker.course.start() for walker in walkers), points)
        self.rolling = sum(group.rolls for group in self.groups)

    @cached_property
    def course(self) -> Course:
        """The whole stack, step by step."""
        return Course(self.stack, self.points, self.choices)

    @property
    def rolls_first(self) -> bool:
        """Whether rolling for survival before others suffer is never worse (no A1, A2, A20)."""
        return self.choices == self.choices.freest_order

    # -- one node --

    def classes(self, node: Node, *, rolls: bool = False) -> list[Class]:
        """Return the groups of a node, identical ones together; with ``rolls``, dice as they fall."""
        found: dict[tuple[Group, State], list[tuple[str, ...]]] = {}
        hurt = {False: False, True: False}
        for group, state, names in zip(self.groups, node.states, self.names, strict=True):
            found.setdefault((group, state), []).append(names)
            hurt[group.pinned] |= state.marks[0].done not in UNHURT_WORDS
        return [
            Class(
                group,
                options(
                    group, state, self.choices, self.total, rolls=rolls, hurt=hurt[group.pinned]
                ),
                names,
            )
            for (group, state), names in found.items()
        ]

    def losses(self, classes: Sequence[Class], picked: Picked) -> tuple[Loss, ...]:
        """Return the losses if classes are given these options; of identical groups the first suffer."""
        fates = {
            unit: fate
            for class_, numbers in zip(classes, picked, strict=True)
            for names, number in zip(class_.names, numbers, strict=True)
            for unit, fate in zip(names, class_.options[number].fates, strict=True)
        }
        return losses_of(self.stack, fates)

    @staticmethod
    def ways(classes: Sequence[Class], picked: Picked) -> int:
        """Return how many allocations these options stand for when identical units are told apart."""
        ways = 1
        for class_, numbers in zip(classes, picked, strict=True):
            left = len(numbers)
            for number in set(numbers):
                n = numbers.count(number)
                ways *= comb(left, n) * class_.options[number].ways ** n
                left -= n
        return ways

    def losses_at(self, node: Node) -> tuple[Loss, ...]:
        """Return the losses that have been taken at a node."""
        fates: dict[str, Fate] = {}
        for group, state, names in zip(self.groups, node.states, self.names, strict=True):
            found = walker_of(group, self.choices, self.total).fates(state)
            fates |= zip(names, found, strict=True)
        return losses_of(self.stack, fates)

    def allows(self, node: Node, losses: tuple[Loss, ...]) -> bool:
        """Return whether some legal order of steps leads from a node to losses that end the attack."""
        if self.choices.is_tabled:
            return True
        found = in_order(self.course, self.whole(node), losses)
        return found is not None and self.course.is_over(found[1])

    def whole(self, node: Node) -> State:
        """Return the state of the whole stack."""
        marks = {
            unit: mark
            for state, names in zip(node.states, self.names, strict=True)
            for unit, mark in zip(names, state.marks, strict=True)
        }
        start = self.course.start()
        found = tuple(
            marks.get(member.id, mark)
            for member, mark in zip(self.stack.members, start.marks, strict=True)
        )
        return State(found, node.owed)

    # -- survival rolls --

    def rolls(self, node: Node, *, at_start: bool) -> Iterator[Roll]:
        """Yield the survival rolls that can be made from a node on, and before each what must precede it."""
        if node.owed < 2:
            return
        for before in self._befores(node, at_start=at_start):
            for i, (group, state) in enumerate(zip(self.groups, before.states, strict=True)):
                for throw in throws(group, state, self.choices, self.total) if group.rolls else ():
                    unit = self.names[i][0]
                    if throw.absorbed + throw.ignores <= before.owed and self._rolls(
                        before, unit, throw
                    ):
                        failed = None if throw.failed is None else _after(before, i, throw.failed)
                        yield Roll(before, unit, throw, _after(before, i, throw.held), failed)

    def _rolls(self, node: Node, unit: str, throw: Throw) -> bool:
        """Return whether the clauses allow a roll on the whole stack; sums decide where they do."""
        if self.choices.is_tabled:
            return True
        state = self.whole(node)
        if throw.ignores:
            if self.course.barred(state, Step(unit, "ignore")):
                return False
            state = self.course.after(state, Step(unit, "ignore"))
        return not self.course.barred(state, Step(unit, "survive", throw.absorbed))

    def _befores(self, node: Node, *, at_start: bool) -> Iterable[Node]:
        """Return the nodes at which rolls are made: after losses of Passengers, or after any."""
        if not self.rolls_first:
            return self._reached(node)
        if not at_start:
            return (node,)
        found = [
            settings(group, state, self.choices, self.total) if group.rolls else (state,)
            for group, state in zip(self.groups, node.states, strict=True)
        ]
        spent = sum(state.owed for state in node.states)
        return (
            Node(states, node.owed + sum(state.owed for state in states) - spent)
            for states in product(*found)
        )

    def _reached(self, node: Node) -> Iterator[Node]:
        """Yield the nodes that legal steps lead to without a roll, identical ones once."""
        seen, waiting = set(), [self.whole(node)]
        while waiting:
            state = waiting.pop()
            alike = canonical(self.stack, self.course.losses(state)), state.pending
            if alike in seen:
                continue
            seen.add(alike)
            if not state.pending:
                yield self._node(state)
            waiting += [
                self.course.after(state, step)
                for step in self.course.steps(state)
                if not step.points
            ]

    def _node(self, state: State) -> Node:
        """Return a state of the whole stack as a node."""
        marks = dict(zip((m.id for m in self.stack.members), state.marks, strict=True))
        states = []
        for names in self.names:
            own = tuple(marks[name] for name in names)
            states.append(State(own, AMPLE - sum(mark.points for mark in own)))
        return Node(tuple(states), state.owed)


UNHURT_WORDS = ((), *((word,) for word in UNHURT))


def _after(node: Node, i: int, state: State) -> Node:
    """Return a node with the state of one group changed."""
    spent = node.states[i].owed - state.owed
    return Node((*node.states[:i], state, *node.states[i + 1 :]), node.owed - spent)


def _load_order(member: Member) -> tuple[object, ...]:
    return (member.towed, *figures_of(member))


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
