"""The results possible for one unit with all it carries, from the clauses for it alone.

A *group* is a unit with its Passengers and the Gun it tows. Its options are walked step by step.
Each step is judged with other units that do not constrain it: enough points owed, enough room
beside it. If a step is legal only beyond some points, or within the pins at hand, or once others
have suffered, this is found by asking again with that changed.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from math import factorial, prod
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec

from marchtable_models.valor.allocation.course import Course, LossStep, Roll, State
from marchtable_models.valor.allocation.stack import Choices, Member, Stack, UnitResult

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from marchtable_models.valor.allocation.stack import UnitLoss

T = TypeVar("T")

AMPLE = 99
"""Points, pins and room that always suffice."""

PLAIN, PINS, BARE, EARLY = range(4)
"""Whether points must be exact: for pins, or for a unit or Passenger that only ignores one."""
PINNED_BEFORE = 2
"""The last stage of losses of units not pinned before the attack."""


class Key(NamedTuple):
    """
    Everything about some groups' results that others depend on.

    Parameters
    ----------
    points, unpinned
        The points it fulfils, and the part of units not pinned before.
    mode
        Whether the points must be exact, and why.
    stage
        The last stage touched: 0 nothing, 1 only what must precede other damage, 2 other damage; 3
        and 4 likewise for units pinned before.
    reach
        The largest surplus, plus one, that the last step of the last stage can cause.
    resolved, gone
        Whether every unit that can suffer is pinned or gone, or gone.
    help
        The best unpinned leader's bonus to rally dice.
    """

    points: int
    unpinned: int
    mode: int
    stage: int
    reach: int
    resolved: bool
    gone: bool
    help: int = 0


START = Key(0, 0, PLAIN, 0, 0, resolved=True, gone=True)
"""For no groups."""


class GroupResult(NamedTuple):
    """
    One possible result of a group; ``results`` are its units', in the group's order.

    ``ways`` counts it with each of identical Passengers by itself.
    """

    results: tuple[UnitResult, ...]
    key: Key
    ways: int


class SurvivalRoll(NamedTuple):
    """A survival roll, after some losses, and the states it leads to."""

    roll: Roll
    held: State
    failed: State | None
    losses: tuple[UnitLoss, ...] = ()


class _Onward(NamedTuple):
    """A legal step, the state after it, and its part of a key."""

    step: LossStep
    after: State
    mode: int
    stage: int
    reach: int


class Group:
    """
    A unit (the head) with its Passengers, towed Guns last; all without names.

    There is one object for each kind of group (see :func:`group_of`), which caches its results.

    Parameters
    ----------
    total
        The points of the attack, for the clauses.
    """

    def __init__(self, units: tuple[Member, ...], choices: Choices, total: int) -> None:
        self.units, self.choices, self.total = units, choices, total
        self.pinned = units[0].pinned
        self.rolls = units[0].kind != "infantry" and units[0].mover and not self.pinned
        self.course = Course(Stack(units, opportunity=True), AMPLE, choices)
        self._pins = (AMPLE,) if choices.overshoot == "free" else (AMPLE, 0)
        self._onward: dict[tuple[State, bool], list[_Onward]] = {}
        self._options: dict[tuple[State, bool, bool], tuple[GroupResult, ...]] = {}

    def options(self, state: State, *, rolls: bool, hurt: bool) -> tuple[GroupResult, ...]:
        """
        Return all results still possible for the group, nothing first.

        Of steps with the same results, the one with the longest reach counts.

        Parameters
        ----------
        rolls
            Whether survival rolls are included, with both results.
        hurt
            Whether other units have suffered.
        """
        known = state, rolls, hurt
        if known not in self._options:
            found: dict[tuple[UnitResult, ...], GroupResult] = {}
            alike = self._alike(state)
            for after, key in self._walk(state, rolls=rolls, hurt=hurt):
                results = _arranged(self.course.results(after), alike)
                if results not in found or found[results].key.reach < key.reach:
                    ways = prod(orders([results[i] for i in places]) for places in alike)
                    found[results] = GroupResult(results, key, ways)
            self._options[known] = tuple(found.values())
        return self._options[known]

    def settings(self, state: State) -> list[State]:
        """Return the states of a vehicle's Passengers that can precede its own losses."""
        walked = self._walk(state, rolls=False, hurt=False)
        return [after for after, key in walked if key.stage < 2 and not after.pending]

    def trials(self, state: State) -> Iterator[SurvivalRoll]:
        """Yield the survival rolls that a vehicle or Gun can make."""
        onward = self._onward_from(state, hurt=True)
        for begun in (state, *(on.after for on in onward if on.step.verb == "ignore")):
            after = {on.step[1:]: on.after for on in self._onward_from(begun, hurt=True)}
            for (verb, points), held in after.items():
                if verb == "survive":
                    chance = self.course.chance(begun, LossStep("0", verb, points))
                    roll = Roll("0", points, begun is not state, chance)
                    yield SurvivalRoll(roll, held, after.get(("fail", points)))

    # -- one step --

    def _allows(
        self,
        state: State,
        step: LossStep,
        *,
        owed: int = AMPLE,
        hurt: bool,
        pins: int | None = None,
    ) -> bool:
        """Return whether the clauses allow a step, if other units do not constrain it."""
        facts = self.course.facts(state, step)
        return any(
            not self.course.bars(
                step,
                msgspec.structs.replace(
                    facts, owed=owed, total=self.total, pins=at_hand, first_pins=AMPLE, ignores=0,
                    forfeits=False, room=AMPLE, hurt=hurt or facts.hurt,
                ),
            )
            for at_hand in (self._pins if pins is None else (pins,))
        )  # fmt: skip

    def _needed(self, state: State, step: LossStep, *, hurt: bool) -> int:
        """Return the fewest points that must be owed for a step, 0 if no number is enough."""
        if self._allows(state, step, owed=1, hurt=hurt):
            return 1
        if not self._allows(state, step, hurt=hurt):
            return 0
        return next(n for n in range(2, AMPLE) if self._allows(state, step, owed=n, hurt=hurt))

    def _onward_from(self, state: State, *, hurt: bool) -> list[_Onward]:
        """Return the legal steps; ``hurt``: other units have suffered."""
        known = (state, hurt)
        if known not in self._onward:
            self._onward[known] = list(self._steps(state, hurt=hurt))
        return self._onward[known]

    def _steps(self, state: State, *, hurt: bool) -> Iterator[_Onward]:
        for step in self.course.candidates(state):
            needed = self._needed(state, step, hurt=hurt)
            if not needed:
                continue
            is_pin = step.verb == "pin" and not self._allows(state, step, pins=0, hurt=hurt)
            closes = is_pin and self.choices.is_tabled  # else more can follow
            after = self.course.after(state, step)
            yield _Onward(
                step,
                after,
                PINS if closes else PLAIN,
                2 if self._allows(state, step, hurt=True) else 1,
                state.owed - after.owed - needed + 1,
            )

    # -- walks ------------------------------------------------------------------------------------

    def _walk(self, start: State, *, rolls: bool, hurt: bool) -> Iterator[tuple[State, Key]]:
        """Yield the states after steps, with or without survival rolls, and their keys."""
        found: dict[State, tuple[int, int, int]] = {start: (PLAIN, 0, 0)}
        alike, waiting = self._alike(start), {start.owed: [start]}
        while waiting:
            for state in waiting.pop(max(waiting)):
                mode, stage, reach = found[state]
                yield state, self._key(state, start.owed - state.owed, mode, stage, reach)
                for on in self._onward_from(state, hurt=hurt):
                    if on.step.points and not rolls:
                        continue
                    after = _sorted(on.after, alike)
                    if after not in found:
                        waiting.setdefault(after.owed, []).append(after)
                    last = on.reach if on.stage == 2 else max(reach, on.reach)
                    new = max(mode, on.mode), max(stage, on.stage), last
                    if after not in found or last > found[after][2]:
                        found[after] = new

    def _key(self, state: State, points: int, mode: int, stage: int, reach: int) -> Key:
        if state.pending and state.marks[int(state.pending)].done == ("ignored",):
            mode = BARE if stage == 2 else EARLY
        damage, choices = self.course.damage(state), self.choices
        waits = damage.unpinned if choices.unpinned_first == "gone" else damage.untouched
        if choices.is_tabled:
            gone = not damage.liable
        else:
            gone = not damage.open(pinned_too=choices.newly_pinned == "allowed")
        unpinned = points
        if self.pinned:
            unpinned, stage = 0, stage and stage + PINNED_BEFORE
        help_ = self.course.stack.help_after(self.course.losses(state))
        return Key(points, unpinned, mode, stage, 1 if mode else reach, not waits, gone, help_)

    def _alike(self, start: State) -> list[list[int]]:
        """Return the places of equal Passengers with equal results."""
        places: dict[tuple[Any, ...], list[int]] = {}
        for i, unit in enumerate(self.units[1:], start=1):
            places.setdefault((unit.figures, start.marks[i]), []).append(i)
        return [found for found in places.values() if len(found) > 1]


def _sorted(state: State, alike: Sequence[Sequence[int]]) -> State:
    """Return the state with the marks of equal Passengers sorted."""
    if not alike:
        return state
    units = _arranged(((str(i) == state.pending, m) for i, m in enumerate(state.marks)), alike)
    pending = next((str(i) for i, (waits, _) in enumerate(units) if waits), "")
    return State(tuple(mark for _, mark in units), state.owed, pending)


def _arranged(entries: Iterable[T], alike: Iterable[Sequence[int]]) -> tuple[T, ...]:
    """Return an entry for each unit, those of equal Passengers sorted."""
    found = list(entries)
    for places in alike:
        for i, entry in zip(places, sorted(found[i] for i in places), strict=True):  # type: ignore[type-var]
            found[i] = entry
    return tuple(found)


def orders(things: Sequence[object]) -> int:
    """Return the number of orders of things, some of them equal."""
    return factorial(len(things)) // prod(map(factorial, Counter(things).values()))


known_group = lru_cache(maxsize=4096)(Group)


def group_of(units: Sequence[Member], choices: Choices, total: int, *, suffers: bool) -> Group:
    """Return the group of some units, head first; ``suffers``: the attack affects it."""
    return known_group(
        tuple(
            msgspec.structs.replace(
                unit, id=str(i), aboard="0" if i else None, pinned=units[0].pinned, mover=suffers
            )
            for i, unit in enumerate(units)
        ),
        choices,
        total,
    )
