"""The units of a hex under an attack, by group, and the attack's progress."""

from __future__ import annotations

from functools import cached_property
from itertools import islice, product
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from marchtable.budget import look
from marchtable.errors import BadInputError
from marchtable_models.valor.allocation.course import LEAST_ROLLED, Course, Roll, State, in_order
from marchtable_models.valor.allocation.options import (
    AMPLE,
    SurvivalRoll,
    group_of,
    orders,
)
from marchtable_models.valor.rules.under_fire import UNHURT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from marchtable_models.valor.allocation.options import Group, GroupResult
    from marchtable_models.valor.allocation.stack import (
        Choices,
        Member,
        Stack,
        UnitLoss,
        UnitResult,
    )


class Part(NamedTuple):
    """A group of the stack: the names of its units, and their places in it."""

    group: Group
    names: tuple[str, ...]
    places: tuple[int, ...]


class Class(NamedTuple):
    """Identical groups in the same state: their units' names, and each one's options."""

    group: Group
    options: tuple[GroupResult, ...]
    names: list[tuple[str, ...]]


Picked = tuple[int, ...]
"""Each group's option, by number: class by class, in falling order."""


class Target:
    """
    A stack under an attack of some points.

    Parameters
    ----------
    points
        The attack's Casualty Points.
    choices
        The readings. Under the usual ones, and others that keep the closed form, the groups'
        separate results are jointly legal if sums agree; under the rest they are replayed.
    listed
        Whether only ways that are counted and listed matter, without those that only A30 allows.
    """

    def __init__(self, stack: Stack, points: int, choices: Choices, *, listed: bool = True) -> None:
        if type(points) is not int or points < 0:
            message = f"expected 0 or more Casualty Points, got {points!r}"
            raise BadInputError(message, field="points")
        self.stack, self.points = stack, points
        self.choices = choices.counted if listed else choices
        total = points if choices.rating_exceeded == "whole" else AMPLE
        self.course = Course(stack, points, self.choices)
        self.start = self.course.start()
        self.parts: list[Part] = []
        for head, load in stack.heads():
            units = (head, *sorted(load, key=lambda unit: (unit.towed, *unit.figures)))
            names = tuple(unit.id for unit in units)
            group = group_of(units, self.choices, total, suffers=head.id in stack.liable)
            self.parts.append(Part(group, names, tuple(stack.places[name] for name in names)))
        self.rolling = [part for part in self.parts if part.group.rolls]

    @property
    def rolls_first(self) -> bool:
        """Whether rolling for survival before other losses is never worse (no A1, A2, A20)."""
        return self.choices == self.choices.freest_order

    # -- one node: a state of the whole stack in which no unit must take the next point -----------

    def _own(self, node: State, part: Part) -> State:
        """Return the state of one group by itself."""
        marks = tuple(node.marks[place] for place in part.places)
        return State(marks, AMPLE - sum(mark.points for mark in marks))

    def _changed(self, node: State, part: Part, own: State) -> State:
        """Return a node with the state of one group changed."""
        marks = list(node.marks)
        for place, mark in zip(part.places, own.marks, strict=True):
            marks[place] = mark
        return State(tuple(marks), node.owed - self._own(node, part).owed + own.owed)

    def classes(self, node: State, *, rolls: bool = False) -> list[Class]:
        """Return the groups of a node, identical ones together; with ``rolls``, including dice."""
        found: dict[tuple[Group, State], list[tuple[str, ...]]] = {}
        hurt = {False: False, True: False}
        for part in self.parts:
            own = self._own(node, part)
            found.setdefault((part.group, own), []).append(part.names)
            hurt[part.group.pinned] |= own.marks[0].done not in UNHURT
        return [
            Class(
                group,
                group.options(own, rolls=rolls, hurt=hurt[group.pinned]),
                names,
            )
            for (group, own), names in found.items()
        ]

    def losses(self, classes: Sequence[Class], picked: Picked) -> tuple[UnitLoss, ...]:
        """Return the losses if groups are given these options."""
        groups = [(class_, names) for class_ in classes for names in class_.names]
        results: dict[str, UnitResult] = {}
        for (class_, names), number in zip(groups, picked, strict=True):
            results |= zip(names, class_.options[number].results, strict=True)
        return self.stack.losses(results[member.id] for member in self.stack.members)

    @staticmethod
    def ways(classes: Sequence[Class], picked: Picked) -> int:
        """Return how many allocations these options stand for, identical units counted singly."""
        found, numbers = 1, iter(picked)
        for class_ in classes:
            taken = [*islice(numbers, len(class_.names))]
            found *= orders(taken) * prod(class_.options[number].ways for number in taken)
        return found

    def allows(self, node: State, losses: tuple[UnitLoss, ...]) -> bool:
        """Return whether legal steps lead from a node to losses that end the attack."""
        return self.choices.is_tabled or in_order(self.course, node, losses, ends=True) is not None

    def is_end(self, losses: tuple[UnitLoss, ...]) -> bool:
        """Return whether legal steps and some dice lead from the start to losses that end it."""
        return self.choices.is_tabled or canonical(self.stack, losses) in self._ends

    @cached_property
    def _ends(self) -> set[object]:
        """All losses that do, from one walk: hundreds are needed, and share most steps."""
        states = filter(self.course.is_over, self._reached(self.start, rolls=True))
        return {canonical(self.stack, self.course.losses(state)) for state in states}

    # -- survival rolls --

    def rolls(self, node: State, *, at_start: bool) -> Iterator[SurvivalRoll]:
        """Yield the survival rolls possible from a node, each after what must precede it."""
        if node.owed < LEAST_ROLLED:
            return
        for before in self._befores(node, at_start=at_start):
            losses = self.course.losses(before)
            for part in self.rolling:
                for own, held, failed, _ in part.group.trials(self._own(before, part)):
                    roll = own._replace(unit=part.names[0])
                    if self._can_roll(before, roll):
                        after = failed and self._changed(before, part, failed)
                        yield SurvivalRoll(roll, self._changed(before, part, held), after, losses)

    def _can_roll(self, node: State, roll: Roll) -> bool:
        """Return whether the clauses allow a roll on the whole stack, if sums do not decide."""
        if roll.points + roll.ignores > node.owed:
            return False
        return self.choices.is_tabled or bool(self.course.taken(node, roll.steps))

    def _befores(self, node: State, *, at_start: bool) -> Iterable[State]:
        """Yield the nodes before rolls: after losses of Passengers, or after any."""
        if not self.rolls_first:
            yield from (state for state in self._reached(node) if not state.pending)
            return
        found = [part.group.settings(self._own(node, part)) for part in self.rolling if at_start]
        for states in product(*found):
            before = node
            for part, own in zip(self.rolling, states, strict=False):
                before = self._changed(before, part, own)
            yield before

    def _reached(self, node: State, *, rolls: bool = False) -> Iterator[State]:
        """Yield the states after legal steps, with or without rolls, identical ones once."""
        seen, waiting = set(), [node]
        while waiting:
            look()
            state = waiting.pop()
            done = {m.id: mark for m, mark in zip(self.stack.members, state.marks, strict=True)}
            alike = canonical(self.stack, (), done), state.pending
            if alike in seen:
                continue
            seen.add(alike)
            yield state
            waiting += [
                self.course.after(state, step)
                for step in self.course.steps(state)
                if rolls or not step.points
            ]


def canonical(
    stack: Stack, losses: tuple[UnitLoss, ...], also: Mapping[str, tuple[object, ...]] | None = None
) -> object:
    """Return an equal value for losses, and other facts, that differ only in identical units."""
    results = {loss.unit: (loss.result, loss.points) for loss in losses}

    def of(member: Member) -> tuple[object, ...]:
        fields = (*member.figures, stack.is_pinned(member), member.id in stack.liable)
        return (*fields, results.get(member.id, ("unharmed", 0)), (also or {}).get(member.id, ()))

    return tuple(sorted((of(head), tuple(sorted(map(of, load)))) for head, load in stack.heads()))
