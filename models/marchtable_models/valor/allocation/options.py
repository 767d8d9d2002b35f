"""What can happen to one unit with all that it carries, found by asking the clauses about it alone.

A *group* is a unit with its Passengers and the Gun it tows. Its options are walked step by step,
each step judged with other units about that leave it free: points enough owed, room enough beside
it. Where a step is legal only beyond so many points, or not beyond the pins at hand, or not once
others have suffered, is found by asking about it again with that changed.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from math import factorial, prod
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable_models.valor.allocation.course import Course, Roll, State, Step
from marchtable_models.valor.allocation.stack import Choices, Member, Stack, UnitResult

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable_models.valor.allocation.stack import Loss

AMPLE = 99
"""Points, pins and room of which there is never too little."""

PLAIN, PINS, BARE, EARLY = range(4)
"""Whether points must come out exactly: for pins, a unit or a Passenger that merely ignores one."""
PINNED_BEFORE = 2
"""The last stage in which units suffer that were not pinned before the attack."""


class Key(NamedTuple):
    """
    All of what happened to some groups on which others depend.

    Parameters
    ----------
    points, first
        What it fulfils, and the part of units that were not pinned before.
    mode
        Whether the points must come out exactly, and why.
    stage
        The last that is touched: 0 if nothing happened, 1 if only what must precede other damage
        did, else 2; of units pinned before 3 and 4.
    reach
        By how many points, and one, the last step of the last stage may go beyond what is owed.
    resolved, gone
        Whether every unit that can suffer is pinned or gone, or gone.
    help
        What the best unpinned leader among them takes off rally dice.
    """

    points: int
    first: int
    mode: int
    stage: int
    reach: int
    resolved: bool
    gone: bool
    help: int = 0


START = Key(0, 0, PLAIN, 0, 0, resolved=True, gone=True)
"""Of no groups."""


class Group:
    """
    A unit (the head) with its Passengers, Guns on tow last; all without names.

    There is one object for each kind of group (see :func:`group_of`), so that looking up what is
    known of it costs next to nothing.
    """

    __slots__ = ("head", "pinned", "rolls", "units")

    def __init__(self, units: tuple[Member, ...]) -> None:
        self.units, self.head = units, units[0]
        self.pinned = self.head.pinned
        self.rolls = self.head.kind != "infantry" and self.head.mover and not self.pinned


def orders(things: Sequence[object]) -> int:
    """Return in how many orders things can stand, some of them alike."""
    return factorial(len(things)) // prod(map(factorial, Counter(things).values()))


_group = lru_cache(maxsize=4096)(Group)


def group_of(units: Sequence[Member], *, suffers: bool) -> Group:
    """Return the group of some units, the head first, and whether the attack affects it at all."""
    head = units[0]
    return _group(
        tuple(
            msgspec.structs.replace(
                unit, id=str(i), aboard="0" if i else None, pinned=head.pinned, mover=suffers
            )
            for i, unit in enumerate(units)
        )
    )


class Option(NamedTuple):
    """
    One thing that can happen to a group; ``results`` are its units' in the group's order.

    ``ways`` counts it with each of identical Passengers by itself.
    """

    results: tuple[UnitResult, ...]
    key: Key
    ways: int = 1


class Trial(NamedTuple):
    """A survival roll, after some losses, and the states that it leads to."""

    roll: Roll
    held: State
    failed: State | None
    losses: tuple[Loss, ...] = ()


class _Onward(NamedTuple):
    """A legal step, the state that it leads to, and its part of a key."""

    step: Step
    after: State
    mode: int
    stage: int
    reach: int


class _Walker:
    """One group by itself; ``total`` is what clauses see as the points of the attack."""

    def __init__(self, group: Group, choices: Choices, total: int) -> None:
        self.group, self.choices, self.total = group, choices, total
        self.course = Course(Stack(group.units, opportunity=True), AMPLE, choices)
        self._pins = (AMPLE,) if choices.overshoot == "free" else (AMPLE, 0)
        self._onward: dict[tuple[State, bool], list[_Onward]] = {}
        riders: dict[tuple[Any, ...], list[int]] = {}
        for i, unit in enumerate(group.units[1:], start=1):
            riders.setdefault(unit.figures, []).append(i)
        self.alike = [places for places in riders.values() if len(places) > 1]

    # -- one step --

    def allowed(
        self, state: State, step: Step, *, owed: int = AMPLE, hurt: bool, pins: int | None = None
    ) -> bool:
        """Return whether the clauses allow a step, the other units leaving it free."""
        course = self.course
        verb = "absorb" if step.verb in ("survive", "fail") else step.verb
        facts = course.damage(state).loss(int(step.unit), verb, step.points)
        for at_hand in self._pins if pins is None else (pins,):
            found = course.edition.judge(
                msgspec.structs.replace(
                    facts, owed=owed, total=self.total, pins=at_hand, first_pins=AMPLE, ignores=0,
                    forfeits=False, room=AMPLE, hurt=hurt or facts.hurt,
                )
            )  # fmt: skip
            falls = step.verb != "fail" or not found.rolls or found.rolls[0].outcomes[1].chance
            if falls and not found.bars:
                return True
        return False

    def needed(self, state: State, step: Step, *, hurt: bool) -> int:
        """Return the fewest points that must be owed for a step, 0 if no number will do."""
        if self.allowed(state, step, owed=1, hurt=hurt):
            return 1
        if not self.allowed(state, step, hurt=hurt):
            return 0
        return next(n for n in range(2, AMPLE) if self.allowed(state, step, owed=n, hurt=hurt))

    def onward(self, state: State, *, hurt: bool) -> list[_Onward]:
        """Return the legal steps; ``hurt``: other units have suffered."""
        known = (state, hurt)
        if known not in self._onward:
            self._onward[known] = list(self._steps(state, hurt=hurt))
        return self._onward[known]

    def _steps(self, state: State, *, hurt: bool) -> Iterator[_Onward]:
        for step in self.course.candidates(state):
            needed = self.needed(state, step, hurt=hurt)
            if not needed:
                continue
            is_pin = step.verb == "pin" and not self.allowed(state, step, pins=0, hurt=hurt)
            closes = is_pin and self.choices.is_tabled  # else more may follow
            after = self.course.after(state, step)
            yield _Onward(
                step,
                self._sorted(after),
                PINS if closes else PLAIN,
                2 if self.allowed(state, step, hurt=True) else 1,
                state.owed - after.owed - needed + 1,
            )

    # -- many --

    def walk(self, start: State, *, rolls: bool, hurt: bool) -> Iterator[tuple[State, Key]]:
        """Yield the states that steps lead to, with survival rolls or without, and their keys."""
        found: dict[State, tuple[int, int, int]] = {start: (PLAIN, 0, 0)}
        waiting = {start.owed: [start]}
        while waiting:
            for state in waiting.pop(max(waiting)):
                mode, stage, reach = found[state]
                yield state, self._key(state, start.owed - state.owed, mode, stage, reach)
                for on in self.onward(state, hurt=hurt):
                    if on.step.points and not rolls:
                        continue
                    if on.after not in found:
                        waiting.setdefault(on.after.owed, []).append(on.after)
                    last = on.reach if on.stage == 2 else max(reach, on.reach)
                    new = max(mode, on.mode), max(stage, on.stage), last
                    if on.after not in found or last > found[on.after][2]:
                        found[on.after] = new

    def _key(self, state: State, points: int, mode: int, stage: int, reach: int) -> Key:
        if state.pending and state.marks[int(state.pending)].done == ("ignored",):
            mode = BARE if stage == 2 else EARLY
        damage, choices = self.course.damage(state), self.choices
        waits = damage.unpinned if choices.unpinned_first == "gone" else damage.untouched
        if choices.is_tabled:
            open_ = bool(damage.liable)
        else:
            open_ = bool(damage.open(pinned_too=choices.newly_pinned == "allowed"))
        first = points
        if self.group.pinned:
            first, stage = 0, stage and stage + PINNED_BEFORE
        help_ = self.course.stack.help_after(self.course.losses(state))
        return Key(points, first, mode, stage, 1 if mode else reach, not waits, not open_, help_)

    def _sorted(self, state: State) -> State:
        """Return the state with the marks of Passengers that are alike in order."""
        if not self.alike:
            return state
        marks, pending = list(state.marks), state.pending
        for places in self.alike:
            entries = sorted((str(i) == state.pending, state.marks[i]) for i in places)
            for i, (waits, mark) in zip(places, entries, strict=True):
                marks[i] = mark
                pending = str(i) if waits else pending
        return State(tuple(marks), state.owed, pending)

    def shared(self, results: tuple[UnitResult, ...]) -> tuple[tuple[UnitResult, ...], int]:
        """Return results with those of Passengers that are alike in order, and how many ways that covers."""
        found, ways = list(results), 1
        for places in self.alike:
            group = sorted(results[i] for i in places)
            for i, result in zip(places, group, strict=True):
                found[i] = result
            ways *= orders(group)
        return tuple(found), ways


walker_of = lru_cache(maxsize=4096)(_Walker)
"""Returns the walker of a group, by readings and points."""


@lru_cache(maxsize=16384)
def options(
    group: Group, state: State, choices: Choices, total: int, *, rolls: bool, hurt: bool
) -> tuple[Option, ...]:
    """
    Return all that can still happen to a group, nothing first.

    Of steps that come to the same results the one with the longest reach counts.

    Parameters
    ----------
    rolls
        Whether survival rolls are included, however they fall.
    hurt
        Whether other units have suffered.
    """
    walker = walker_of(group, choices, total)
    found: dict[tuple[UnitResult, ...], Option] = {}
    for after, key in walker.walk(state, rolls=rolls and group.rolls, hurt=hurt):
        results = tuple(walker.course.results(after))
        alike, ways = walker.shared(results)
        if alike not in found or found[alike].key.reach < key.reach:
            found[alike] = Option(results, key, ways)
    return tuple(found.values())


@lru_cache(maxsize=4096)
def settings(group: Group, state: State, choices: Choices, total: int) -> tuple[State, ...]:
    """Return the states that a vehicle's Passengers can be in before it suffers."""
    walked = walker_of(group, choices, total).walk(state, rolls=False, hurt=False)
    return tuple(after for after, key in walked if key.stage < 2 and not after.pending)


@lru_cache(maxsize=4096)
def trials(group: Group, state: State, choices: Choices, total: int) -> tuple[Trial, ...]:
    """Return the survival rolls that a vehicle or Gun can be put to, it alone."""
    walker, found = walker_of(group, choices, total), []
    onward = walker.onward(state, hurt=True)
    for begun in (state, *(on.after for on in onward if on.step.verb == "ignore")):
        ends: dict[int, list[State]] = {}
        for on in walker.onward(begun, hurt=True):
            if on.step.points:  # it is held first, then failed
                ends.setdefault(on.step.points, []).append(on.after)
        for points, (held, *failed) in ends.items():
            chance = walker.course.chance(begun, Step("0", "survive", points))
            roll = Roll("0", points, begun is not state, chance)
            found.append(Trial(roll, held, failed[0] if failed else None))
    return tuple(found)
