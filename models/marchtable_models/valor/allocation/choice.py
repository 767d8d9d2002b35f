"""Casualty choice: every legal way to take an attack's points, how many, and which is best.

A :class:`Stack` is the target hex, ``points`` the attack's Casualty Points and :class:`Choices`
the readings of the rules. An :class:`Allocation` is *final*: what befell each unit and the points
that this fulfilled. Survival rolls make the owner's choice a :class:`Plan` with branches; the
allocations are the ends of all legal plans, and a plan is legal if the points can be fulfilled
however its rolls fall.

What a step may do is asked of the clauses (:mod:`.allocating.course`). Under the usual readings that
is done for each unit by itself, and dynamic programming puts units together
(:mod:`.allocating.fold`); unusual readings are searched step by step,
which is meant for hexes within the stacking limit.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from marchtable.errors import BadInputError
from marchtable_models.valor.allocation.advice import (
    advise,
    best_value,
    expected_value,
    stands_best,
    trades,
)
from marchtable_models.valor.allocation.course import Step
from marchtable_models.valor.allocation.fold import COUNTING, START, Count, endings, fold, part
from marchtable_models.valor.allocation.groups import groups_of
from marchtable_models.valor.allocation.listing import clauses_of, list_hex
from marchtable_models.valor.allocation.options import options
from marchtable_models.valor.allocation.plan import Advice, Plan, Roll, Trade
from marchtable_models.valor.allocation.reference import brute_force, replay
from marchtable_models.valor.allocation.search import canonical
from marchtable_models.valor.allocation.values import Values
from marchtable_models.valor.facts.stack import (
    DEFAULTS,
    Allocation,
    Choices,
    Loss,
    Member,
    Stack,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from marchtable_models.valor.allocation.advice import Distribution


__all__ = [
    "DEFAULTS",
    "Advice",
    "Allocation",
    "Choices",
    "Count",
    "Loss",
    "Member",
    "Plan",
    "Roll",
    "Stack",
    "Step",
    "Trade",
    "Values",
    "allocations",
    "best",
    "best_ahead",
    "brute_force",
    "count",
    "expected_loss",
    "pareto",
    "replay",
]

USUAL = Values()


def _checked(points: int) -> None:
    if type(points) is not int or points < 0:
        raise BadInputError(f"expected 0 or more Casualty Points, got {points!r}", field="points")


def allocations(
    stack: Stack, points: int, choices: Choices = DEFAULTS, most: int | None = None
) -> Iterator[Allocation]:
    """
    Yield every legal final allocation, those that differ only in identical units once.

    ``most`` bounds how many are sought.

    Examples
    --------
    >>> squad = Member("squad", "infantry", cr=4, cr_half=2)
    >>> for allocation in allocations(Stack((squad,)), 3):
    ...     print(allocation.points, [loss.result for loss in allocation.losses])
    4 ['eliminated']
    3 ['reduced, pinned']
    """
    _checked(points)
    if choices.is_tabled:
        yield from list_hex(stack, points, choices, most)
        return
    found = brute_force(stack, points, choices)
    kinds = {canonical(stack, a.losses): a for a in reversed(found)}
    ways = Counter(canonical(stack, a.losses) for a in found)
    for kind, a in kinds.items():
        yield Allocation(a.losses, a.points, ways[kind], clauses_of(stack, a.losses))


def count(stack: Stack, points: int, choices: Choices = DEFAULTS) -> Count:
    """
    Return how many final allocations there are, without listing them.

    Examples
    --------
    >>> squads = tuple(Member(f"squad {i}", "infantry", cr=4, cr_half=2) for i in range(12))
    >>> count(Stack(squads), 16)
    Count(kinds=61, ways=5429919)
    """
    _checked(points)
    if choices.is_tabled:
        return _counted(stack, points, choices)
    found = brute_force(stack, points, choices)
    return Count(len({canonical(stack, a.losses) for a in found}), len(found))


def _counted(stack: Stack, points: int, choices: Choices) -> Count:
    if not points:
        return Count(1, 1)
    first, last = (
        fold(
            {START: [COUNTING.nothing]},
            (
                part(group, options(group, choices, rolls=True), len(names), points, COUNTING, 0)
                for group, names in classes
            ),
            points,
            COUNTING,
        )
        for classes in groups_of(stack)
    )
    ends = endings(first, last, points)
    found = [COUNTING.times(first[key][0], last[other][0]) for key, other, _ in ends]
    return COUNTING.keep(found)[0]


def best(stack: Stack, points: int, values: Values = USUAL, choices: Choices = DEFAULTS) -> Advice:
    """
    Return the plan of the greatest expected value, and the runner-up.

    Examples
    --------
    >>> squad = Member("squad", "infantry", cr=4, cr_half=2, worth=4, worth_half=2)
    >>> leader = Member("leader", "infantry", cr=3, worth=1)
    >>> advice = best(Stack((squad, leader)), 3)
    >>> [(loss.unit, loss.result) for loss in advice.best.losses]
    [('leader', 'eliminated')]
    >>> advice.value / advice.scale
    8.0
    """
    _checked(points)
    return advise(stack, points, values, choices)


def pareto(
    stack: Stack, points: int, values: Values = USUAL, choices: Choices = DEFAULTS
) -> list[Trade]:
    """
    Return the plans that no other beats in strength, firepower able to act and points wasted.

    Of ``values`` only the worths count.

    Raises
    ------
    BadInputError
        Under readings that are searched step by step.

    Examples
    --------
    >>> squads = [Member(i, "infantry", cr=4, cr_half=2, worth=4, worth_half=2) for i in "ab"]
    >>> for trade in pareto(Stack(tuple(squads)), 2):
    ...     print(trade.strength, trade.firepower, trade.wasted)
    8 0 0
    6 6 0
    """
    _checked(points)
    if not choices.is_tabled:
        raise BadInputError("expected readings that leave the closed form as it is (see Choices)")
    return trades(stack, points, values, choices)


def expected_loss(
    stack: Stack,
    distribution: Distribution,
    values: Values = USUAL,
    choices: Choices = DEFAULTS,
) -> Fraction:
    """
    Return what an attack takes from a stack on average, its owner always choosing for the best.

    Parameters
    ----------
    distribution
        The chance of each number of Casualty Points; 0 stands for no effect.

    Examples
    --------
    >>> squad = Member("squad", "infantry", cr=4, cr_half=2, worth=4, worth_half=2)
    >>> expected_loss(Stack((squad,)), {0: "1/2", 1: "1/4", 2: "1/4"})
    Fraction(7, 4)
    """
    intact = best_value(stack, 0, values, choices)
    return intact - expected_value(stack, distribution, values, choices)


def best_ahead(
    stack: Stack,
    points: int,
    follow_up: Distribution,
    values: Values = USUAL,
    choices: Choices = DEFAULTS,
) -> Advice:
    """
    Return the plan that stands best when another attack follows at once.

    ``follow_up`` is the chance of each number of Casualty Points of that attack; the owner
    chooses for the best there too, and units are valued after it.
    """
    _checked(points)
    return stands_best(stack, points, follow_up, values, choices)
