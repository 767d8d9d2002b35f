"""Casualty choice: every legal way to take an attack's points, how many, and which is best.

A :class:`Stack` is the target hex, ``points`` the attack's Casualty Points and :class:`Choices`
the readings of the rules. An :class:`Allocation` is *final*: what happened to each unit and the points
that this fulfilled. Survival rolls make the owner's choice a :class:`Plan` with branches; the
allocations are the ends of all legal plans, and a plan is legal if the points can be fulfilled
however its rolls fall.

What can happen to a unit with all that it carries is asked of the clauses (:mod:`.options`). One
CP-SAT model (:mod:`.model`) decides what goes together: for lists, the best plans and the front;
survival rolls are a tree above it (:mod:`.rolls`). The fold (:mod:`.fold`) counts, confirms the
best value, and reckons attacks yet to be rolled.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import msgspec

from marchtable.errors import BadInputError, InternalError
from marchtable_models.valor.allocation.citing import allocation_of
from marchtable_models.valor.allocation.course import DIE, Step
from marchtable_models.valor.allocation.fold import COUNTING, Count, Folded
from marchtable_models.valor.allocation.model import LossModel
from marchtable_models.valor.allocation.order import replay
from marchtable_models.valor.allocation.plan import MOST_TIES, Advice, Plan, Roll, Trade, advice_of
from marchtable_models.valor.allocation.rolls import End, Folding, Front, Listing, Modelled, Tree
from marchtable_models.valor.allocation.target import Target
from marchtable_models.valor.allocation.values import Values, scale_of, value_of, valued
from marchtable_models.valor.facts.stack import (
    DEFAULTS,
    PINNED,
    Allocation,
    Choices,
    Loss,
    Member,
    Stack,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Distribution = Mapping[int, Fraction | int | float | str]

__all__ = [
    "DEFAULTS", "Advice", "Allocation", "Choices", "Count", "Loss", "Member", "Plan", "Roll", "Stack",
    "Step", "Trade", "Values", "after_losses", "allocations", "best", "best_ahead", "best_value",
    "chances", "count", "expected_loss", "pareto", "replay", "value_of", "worth_ahead",
]  # fmt: skip

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
    >>> found = allocations(Stack((squad,)), 3)
    >>> sorted((a.points, a.losses[0].result) for a in found)
    [(3, 'reduced, pinned'), (4, 'eliminated')]
    """
    _checked(points)
    target = Target(stack, points, choices)
    if not points or not target.groups:
        yield Allocation((), 0)
        return
    classes = target.classes(target.start, rolls=True)
    for picked in LossModel(classes, points, choices).all(most):
        losses = target.losses(classes, picked)
        if target.allows(target.start, losses):
            yield allocation_of(stack, losses, target.ways(classes, picked))


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
    if not points:
        return Count(1, 1)
    if not choices.is_tabled:
        ways = [found.ways for found in allocations(stack, points, choices)]
        return Count(len(ways), sum(ways))
    target = Target(stack, points, choices)
    classes = target.classes(target.start, rolls=True)
    found = Folded(COUNTING, points).ends(classes, points)
    number: Count = COUNTING.keep([label for _, label in found])[0]
    return number


def best(stack: Stack, points: int, values: Values = USUAL, choices: Choices = DEFAULTS) -> Advice:
    """
    Return the plan of the greatest expected value, those that are as good, and the runner-up.

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
    whole, scale = valued(stack, values)
    target = Target(whole, points, choices)
    freest = choices.freest_order
    folded = None
    if freest.is_tabled:  # what it allows is never less, so its values are bounds
        freer = target if freest == choices else Target(whole, points, freest)
        folded = Tree(freer, Folding(freer, scale))
    tree = Tree(target, Modelled(target, scale), folded)
    plans = _best_and_next(tree)
    if folded is not None and choices.is_tabled:
        confirmed = folded.openings()[0].marks[0]
        if confirmed != plans[0].marks[0]:
            worth = plans[0].marks[0]
            raise InternalError(f"the model finds a best plan worth {worth}, the fold {confirmed}")
    return advice_of([tree.written(end) for end in plans], scale.one * tree.finest)


def _best_and_next(tree: Tree) -> list[End]:
    """Return the best ways to begin, up to the first that is worth less."""
    found: list[End] = []
    for end in tree.best_first():
        found.append(end)
        if end.marks != found[0].marks or len(found) == MOST_TIES:
            break
    return found


def best_value(stack: Stack, points: int, values: Values, choices: Choices) -> Fraction:
    """Return what the stack is worth at best, without writing out how."""
    whole, scale = valued(stack, values)
    if not points:
        return Fraction(value_of(whole, (), scale), scale.one)
    target = Target(whole, points, choices)
    ends = Folding(target, scale) if choices.is_tabled else Modelled(target, scale)
    return Fraction(Tree(target, ends).openings()[0].marks[0]) / scale.one


def pareto(
    stack: Stack, points: int, values: Values = USUAL, choices: Choices = DEFAULTS
) -> list[Trade]:
    """
    Return the plans that no other beats in strength, firepower able to act and points wasted.

    Of ``values`` only the worths count.

    Raises
    ------
    BadInputError
        Under readings that are replayed.

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
    whole, scale = valued(stack, values)
    target = Target(whole, points, choices)
    tree = Tree(target, Front(target))
    found = []
    for end in tree.openings():
        kept, able, thrift = (int(mark * tree.finest) for mark in end.marks)
        ratio, plan = scale.ratio, tree.written(end)
        found.append(Trade(kept, able, -thrift * ratio, tree.finest * ratio, plan))
    return found


# -- attacks yet to be rolled ----------------------------------------------------------------------


def chances(distribution: Distribution) -> dict[int, Fraction]:
    """
    Return the chances of each number of Casualty Points as fractions.

    Raises
    ------
    BadInputError
        If they do not sum to 1, or a number of points is negative.
    """
    found: dict[int, Fraction] = {}
    for points, chance in distribution.items():
        try:
            found[points] = Fraction(str(chance))
        except (ValueError, ZeroDivisionError):
            message = f"expected a chance, not {chance!r}"
            raise BadInputError(message, field=f"distribution.{points}") from None
        if type(points) is not int or points < 0 or found[points] < 0:
            raise BadInputError("expected chances by Casualty Points", field="distribution")
    if sum(found.values()) != 1:
        raise BadInputError("expected chances that sum to 1", field="distribution")
    return found


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
    found = {n: chance for n, chance in chances(distribution).items() if chance}
    left = sum(chance * best_value(stack, n, values, choices) for n, chance in found.items())
    return best_value(stack, 0, values, choices) - left


def after_losses(stack: Stack, losses: tuple[Loss, ...]) -> Stack:
    """Return the stack as some losses leave it: the units alive, reduced or pinned."""
    fates = {loss.unit: loss.result for loss in losses}
    members = (
        _after(member, fates.get(member.id, "unharmed"))
        for member in stack.members
        if fates.get(member.id) != "eliminated"
    )
    return Stack(tuple(members), stack.opportunity)


def _after(member: Member, result: str) -> Member:
    pinned = member.pinned or result in PINNED
    if not result.startswith("reduced") or member.cr_half is None:
        return msgspec.structs.replace(member, pinned=pinned)
    return msgspec.structs.replace(
        member, cr=member.cr_half, cr_half=None, worth=member.worth_half, worth_half=0,
        pinned=pinned,
    )  # fmt: skip


def worth_ahead(
    stack: Stack, points: int, choices: Choices, worth: Callable[[tuple[Loss, ...]], Fraction]
) -> Fraction:
    """Return the greatest worth that the owner can make of an attack, by any worth of the losses."""
    target = Target(stack, points, choices)
    return Fraction(Tree(target, Listing(target, worth)).openings()[0].marks[0])


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
    found = {n: chance for n, chance in chances(follow_up).items() if chance}
    whole, scale = valued(stack, values)
    later = msgspec.structs.replace(values, worth={}, worth_half={})
    ratio = Fraction(scale.one, scale_of(later).one)
    known: dict[tuple[Loss, ...], Fraction] = {}

    def worth(losses: tuple[Loss, ...]) -> Fraction:
        if losses not in known:
            left = after_losses(whole, losses)
            values_ = (c * best_value(left, n, later, choices) for n, c in found.items())
            known[losses] = sum(values_, Fraction(0)) / ratio * finest
        return known[losses]

    finest = scale.one * int(DIE ** sum(m.kind in ("vehicle", "gun") for m in stack.members))
    for chance in found.values():
        finest *= chance.denominator
    target = Target(whole, points, choices)
    tree = Tree(target, Listing(target, worth))
    plans = [tree.written(end) for end in _best_and_next(tree)]
    return advice_of(plans, finest * tree.finest)
