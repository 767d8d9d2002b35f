"""The fold against the oracle: lists, counts, plans and fronts on random hexes."""

from __future__ import annotations

import os
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marchtable_models.valor.allocation.advice import (
    DEFAULTS,
    Member,
    Stack,
    Values,
    allocations,
    best,
    count,
    pareto,
)
from marchtable_models.valor.allocation.course import Course, in_order
from marchtable_models.valor.data import DIE
from tests.slowly import slow_after
from tests.valor.allocation_hexes import (
    any_choices,
    any_hex,
    any_values,
    large_hex,
    limited_hex,
    tabled_choices,
)
from tests.valor.oracle import oracle
from tests.valor.plan_faults import plan_fault
from tests.valor.step_by_step import brute_force, search

if TYPE_CHECKING:
    from marchtable_models.valor.allocation.advice import Advice, Choices
    from marchtable_models.valor.allocation.course import State

HEXES = int(os.environ.get("CASUALTY_HEXES", "1200"))  # new for each comparison
BLOCKS = 16
RANDOMS = st.randoms(use_true_random=False)

Mark = tuple[Fraction, Fraction, Fraction]


def seeds(block: int, share: int = 1) -> range:
    """Return the seeds of one block."""
    size = HEXES // BLOCKS // share
    return range(block * size, (block + 1) * size)


def worth(advice: Advice) -> tuple[Fraction, Fraction | None]:
    """Return the value of the best plan and what the runner-up costs."""
    return advice.value, advice.cost


def lists_agree(stack: Stack, points: int, choices: Choices) -> None:
    """Check list and count against brute force, except what only A30 allows (never better: see the best)."""
    every = oracle(stack, points, msgspec.structs.replace(choices, after_pins="barred"))
    wasteful = {a.losses for a in oracle(stack, points, choices)} - {a.losses for a in every}
    assert all(any("pinned" in loss.result for loss in losses) for losses in wasteful)
    listed = list(allocations(stack, points, choices))

    assert (len(listed), len(every)) == count(stack, points, choices)
    assert {a.losses for a in listed} <= {a.losses for a in every}
    assert len(listed) == len({a.losses for a in listed})
    assert len(every) == sum(a.ways for a in listed)


@pytest.mark.parametrize("block", slow_after(1, [1, 0, *range(2, BLOCKS)]))
def test_lists_and_counts(block: int) -> None:
    """List and count equal brute force under all readings for which the fold holds."""
    for seed in seeds(block):
        random = Random(seed)
        stack = any_hex(random, random.choice([3, 4, 5]))
        lists_agree(stack, random.randint(1, 12), tabled_choices(random))


@pytest.mark.parametrize("block", slow_after(1, range(BLOCKS)))
def test_the_clauses_and_the_oracle(block: int) -> None:
    """Under every reading steps judged by the clauses lead where the oracle's do."""
    for seed in seeds(block, share=2):
        random = Random(seed)
        stack, points = any_hex(random, 4), random.randint(1, 9)
        choices = any_choices(random)

        assert oracle(stack, points, choices) == brute_force(stack, points, choices), seed


@given(RANDOMS, st.integers(0, 12))
def test_lists_and_counts_of_any_hex(random: Random, points: int) -> None:
    """The same for hexes drawn by Hypothesis."""
    lists_agree(any_hex(random), points, DEFAULTS)


@given(RANDOMS, st.integers(1, 9))
def test_identical_units(random: Random, points: int) -> None:
    """Copies of a unit are counted as one kind, and listed as many."""
    first = any_hex(random, 2).members
    copies = [msgspec.structs.replace(m, id=f"{m.id}+") for m in first if m.aboard is None]

    lists_agree(Stack((*first, *copies)), points, DEFAULTS)


@given(RANDOMS, st.integers(1, 9))
def test_identical_units_are_interchangeable(random: Random, points: int) -> None:
    """Neither the order of the units nor their names change the best value or the count."""
    stack = limited_hex(random)
    members = list(stack.members)
    random.shuffle(members)
    shuffled = Stack(tuple(members), stack.opportunity)

    assert worth(best(stack, points)) == worth(best(shuffled, points))
    assert count(stack, points) == count(shuffled, points)


@pytest.mark.slow
@pytest.mark.parametrize("block", slow_after(1, [1, 0, *range(2, BLOCKS)]))
def test_best_and_runner_up(block: int) -> None:
    """Best plan and runner-up have the values a search of steps finds."""
    for seed in seeds(block):
        random = Random(seed)
        stack, points = any_hex(random, random.choice([3, 4, 5])), random.randint(1, 10)
        values, choices = any_values(random), tabled_choices(random)

        plain = msgspec.structs.replace(choices, after_pins="barred")
        expected = worth(search(stack, points, values, plain))
        assert expected[0] == worth(search(stack, points, values, choices))[0], seed
        assert expected == worth(best(stack, points, values, choices)), seed


@pytest.mark.parametrize("points", [6, 7])
def test_passengers_alike(points: int) -> None:
    """A Passenger lost before its vehicle rolls stays the lost one."""
    members = [
        Member("truck", "vehicle", 4),
        *(Member(name, "infantry", 2, aboard="truck", worth=2) for name in ("first", "second")),
        Member("squad", "infantry", 5, shield=True, worth=8),
        Member("leader", "infantry", 1, worth=5),
    ]
    plans_are_legal(Stack(tuple(members)), points)


@given(RANDOMS, st.integers(1, 10), st.booleans())
def test_plans_are_legal(random: Random, points: int, twins: bool) -> None:
    """Every step of the best plan, the runner-up and the front is legal, whatever the dice."""
    members = any_hex(random).members
    aboard = [m for m in members if m.aboard and not m.towed] if twins else []
    plans_are_legal(
        Stack((*members, *(msgspec.structs.replace(m, id=f"{m.id}+") for m in aboard))), points
    )


def plans_are_legal(stack: Stack, points: int) -> None:
    """Replay the best plan, the runner-up and the front."""
    advice = best(stack, points)
    plans = [advice.best, *(trade.plan for trade in pareto(stack, points))]
    plans += [advice.runner_up] if advice.runner_up else []

    for plan in plans:
        assert "" == plan_fault(stack, points, plan)


@given(RANDOMS, st.integers(1, 8))
def test_every_allocation_has_an_order(random: Random, points: int) -> None:
    """Every listed allocation has a legal order of steps."""
    stack = any_hex(random)
    course = Course(stack, points)

    for allocation in allocations(stack, points):
        assert in_order(course, course.start(), allocation.losses) is not None


@pytest.mark.slow
@given(RANDOMS)
def test_more_points_never_leave_a_better_best(random: Random) -> None:
    """The best value never rises with the points."""
    stack, values = limited_hex(random), any_values(random)
    worths = [worth(best(stack, points, values))[0] for points in range(14)]

    assert sorted(worths, reverse=True) == worths


@pytest.mark.parametrize("block", slow_after(2, range(BLOCKS)))
def test_front(block: int) -> None:
    """The front is the set of plans that no other plan equals or beats."""
    for seed in seeds(block, share=4):
        random = Random(seed)
        stack, points = any_hex(random), random.randint(1, 8)

        found = {
            (
                trade.strength,
                trade.firepower,
                -trade.wasted,
            )
            for trade in pareto(stack, points)
        }
        assert _Fronts(stack, points).best() == found, seed


class _Fronts:
    """All plans' scores, by steps."""

    def __init__(self, stack: Stack, points: int) -> None:
        self.stack = stack
        self.course = Course(stack, points)
        self.known: dict[State, set[Mark]] = {}

    def best(self) -> set[Mark]:
        return self.of(self.course.start())

    def of(self, state: State) -> set[Mark]:
        if state not in self.known:
            over = self.course.is_over(state)
            found = {self.marks(state)} if over else self.onward(state)
            self.known[state] = {a for a in found if not any(_beats(b, a) for b in found)}
        return self.known[state]

    def onward(self, state: State) -> set[Mark]:
        found: set[Mark] = set()
        for step in self.course.steps(state):
            rating = self.stack.by_id[step.unit].cr
            if step.verb == "fail":
                continue
            held = self.of(self.course.after(state, step))
            if step.verb != "survive" or rating >= DIE:
                found |= held
                continue
            failed = self.of(self.course.after(state, step._replace(verb="fail")))
            found |= {_mixed(a, b, rating) for a in held for b in failed}
        return found

    def marks(self, state: State) -> Mark:
        results = {loss.unit: loss.result for loss in self.course.losses(state)}
        strength = firepower = Fraction(0)
        for member in self.stack.members:
            result = results.get(member.id, "unharmed")
            kept = member.worth_half if result.startswith("reduced") else member.worth
            idle = result in ("pinned", "survived", "reduced, pinned")
            if result != "eliminated":
                strength += Fraction(kept)
                firepower += 0 if idle or self.stack.is_pinned(member) else Fraction(kept)
        return strength, firepower, Fraction(min(0, state.owed))


def _beats(a: Mark, b: Mark) -> bool:
    return a != b and all(x >= y for x, y in zip(a, b, strict=True))


def _mixed(held: Mark, failed: Mark, rating: int) -> Mark:
    strength, firepower, thrift = (
        (rating * a + (DIE - rating) * b) / DIE for a, b in zip(held, failed, strict=True)
    )
    return strength, firepower, thrift


def test_large_hex() -> None:
    """Twelve different units under 16 points: as many allocations as an independent count found."""
    assert 756_305 == count(large_hex(12), 16).ways
    assert 2_849_487 == count(large_hex(12, heavy=3), 16).ways
    assert 5_032 == sum(1 for _ in allocations(large_hex(8), 11))


def test_value_of_a_plan_is_that_of_its_ends() -> None:
    """A plan's value is the mean of its branches' values, weighted by the die."""
    stack = limited_hex(Random(12))
    for points in range(2, 9):
        plan = best(stack, points, Values(ready="1/3")).best
        while plan.roll is not None and plan.survived is not None and plan.failed is not None:
            chance = plan.roll.chance
            mean = chance * plan.survived.value + (DIE - chance) * plan.failed.value
            assert DIE * plan.value == mean
            plan = plan.survived
