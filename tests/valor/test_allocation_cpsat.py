"""CP-SAT beside the tables: equal answers, each replayed."""

from __future__ import annotations

import os
from fractions import Fraction
from random import Random

import pytest

from marchtable.cpsat import Status, Stop
from marchtable.errors import BadInputError
from marchtable_models.valor.allocation import Choices, Stack, Values, allocations, best, count
from marchtable_models.valor.cpsat import allocations_by_cpsat, best_by_cpsat
from tests.valor.allocation_hexes import any_hex, any_values, large_hex, tabled_choices

HEXES = int(os.environ.get("CASUALTY_HEXES", "1200")) // 4
BLOCKS = 4
MOST_ROLLS = 2  # the tree of a plan grows fast with the vehicles and Guns that may roll


def rolls(stack: Stack) -> int:
    """Return how many units may be put to a survival roll."""
    heavy = (m for m in stack.members if m.kind in ("vehicle", "gun") and not m.towed)
    return sum(not stack.is_pinned(member) for member in heavy)


@pytest.mark.parametrize("block", range(BLOCKS))
def test_same_best_value(block: int) -> None:
    """The best plan that CP-SAT proves is worth what the tables say; it has been replayed."""
    for seed in range(block * HEXES // BLOCKS, (block + 1) * HEXES // BLOCKS):
        random = Random(seed)
        stack, points = any_hex(random), random.randint(1, 9)
        values, choices = any_values(random), tabled_choices(random)
        if rolls(stack) > MOST_ROLLS:
            continue
        status, found = best_by_cpsat(stack, points, values, choices)
        expected = best(stack, points, values, choices)

        assert Status.OPTIMAL is status
        assert found is not None
        known = Fraction(expected.value, expected.scale)
        assert known == Fraction(found.value, found.scale), seed


@pytest.mark.parametrize("seed", range(40))
def test_same_allocations(seed: int) -> None:
    """CP-SAT enumerates each allocation once."""
    random = Random(seed)
    stack, points, choices = any_hex(random), random.randint(1, 9), tabled_choices(random)
    status, found = allocations_by_cpsat(stack, points, choices)

    assert Status.OPTIMAL is status
    assert len(found) == len({a.losses for a in found})
    assert count(stack, points, choices).ways == sum(a.ways for a in found)


def test_larger_hex() -> None:
    """Six unlike units: the same allocations, one by one."""
    stack = large_hex(6)
    _, found = allocations_by_cpsat(stack, 7)

    assert {a.losses for a in allocations(stack, 7)} == {a.losses for a in found}


def test_limit_and_stop_are_unknown() -> None:
    """A limit too small, or a stop, is UNKNOWN and never an answer."""
    stop = Stop()
    stop.request()

    assert (Status.UNKNOWN, None) == best_by_cpsat(large_hex(4), 5, stop=stop)
    assert (Status.UNKNOWN, None) == best_by_cpsat(large_hex(8, heavy=2), 11, limit=1e-9)


def test_what_is_not_tabled_is_refused() -> None:
    """Readings that the closed form does not cover, and no points, are bad input."""
    with pytest.raises(BadInputError, match="closed form"):
        best_by_cpsat(large_hex(3), 2, Values(), Choices(pin_last="lenient"))
    with pytest.raises(BadInputError, match="Casualty Points"):
        best_by_cpsat(large_hex(3), 0)
