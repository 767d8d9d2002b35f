"""Casualties: every legal way to take an attack's points, their number, and the best one.

A :class:`Stack` is the target hex, ``points`` the attack's Casualty Points and :class:`Choices` the
readings of the rules. An :class:`Allocation` is *final*: each unit's result and the points
fulfilled. Survival rolls turn the owner's choice into a :class:`LossPlan` with branches. Allocations
are the ends of all legal plans; a plan is legal if the points can be fulfilled whatever the rolls.

The clauses decide what can happen to a unit with all it carries (:mod:`.options`). One CP-SAT model
(:mod:`.model`) combines these for lists, the best plans and the front; survival rolls are a tree
above it (:mod:`.rolls`). The fold (:mod:`.fold`) counts, confirms the best value, and evaluates
attacks yet to be rolled.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from marchtable.budget import OverLimit, stop_here
from marchtable.cpsat.confirm import Disagreement, Proof, confirm, weakest
from marchtable.cpsat.harness import LIMIT, Claims, claimed
from marchtable.errors import BadInputError, InternalError
from marchtable_models.valor.allocation.course import LossStep, Roll, in_order
from marchtable_models.valor.allocation.fold import COUNTING, Count, Folded
from marchtable_models.valor.allocation.model import LossModel
from marchtable_models.valor.allocation.rolls import (
    Folding,
    Front,
    Listing,
    LossPlan,
    Modelled,
    Tree,
)
from marchtable_models.valor.allocation.stack import (
    DEFAULTS,
    PINNED,
    Allocation,
    Choices,
    Member,
    Stack,
    UnitLoss,
)
from marchtable_models.valor.allocation.target import Target, canonical
from marchtable_models.valor.allocation.values import USUAL, Scale, Values, value_of, valued

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from marchtable_models.valor.allocation.options import Group, GroupResult

__all__ = [
    "DEFAULTS",
    "Advice",
    "Allocation",
    "Choices",
    "Count",
    "LossPlan",
    "LossStep",
    "Member",
    "Roll",
    "Stack",
    "Trade",
    "UnitLoss",
    "Values",
    "after_losses",
    "allocations",
    "best",
    "best_ahead",
    "best_value",
    "count",
    "pareto",
    "proposed",
    "standing_ahead",
    "value_of",
    "worth_ahead",
]  # fmt: skip

MOST_TRIED, MOST_STATES = 200, 5_000
"""Solutions tried for a proposal if the replay rejects them, and states for each."""
MOST_TIES = 10
"""The number of plans to find if several share the best value."""


class Advice(msgspec.Struct, frozen=True):
    """
    The best plan under stated values.

    Two plans differ if they differ before any die roll: in the Passengers lost, in the first roll
    or, without a roll, in the final allocation.

    Parameters
    ----------
    plans
        The best plan; others of the same value (only some if there are many); then the best plan
        worth less, if there is one and the equal ones are few enough.
    scale
        Value 1 in units of the plans' values.
    proof
        How it is proved that no plan is better.
    """

    plans: tuple[LossPlan, ...]
    scale: int
    proof: Proof = "unconfirmed"

    @property
    def best(self) -> LossPlan:
        """The best plan."""
        return self.plans[0]

    @property
    def value(self) -> Fraction:
        """The best plan's expected value."""
        return Fraction(self.best.value) / self.scale

    @property
    def equals(self) -> tuple[LossPlan, ...]:
        """Others of the same value."""
        return tuple(plan for plan in self.plans[1:] if plan.value == self.best.value)

    @property
    def runner_up(self) -> LossPlan | None:
        """The best plan that is worth less."""
        return next((plan for plan in self.plans if plan.value != self.best.value), None)

    @property
    def cost(self) -> Fraction | None:
        """How much worse the runner-up is than the best."""
        following = self.runner_up
        return None if following is None else self.value - Fraction(following.value) / self.scale


class Trade(NamedTuple):
    """
    A plan that no other plan equals or beats in all three expected values.

    They are the worth of the units alive, that of the units able to act, and the surplus Casualty
    Points.
    """

    strength: Fraction
    firepower: Fraction
    wasted: Fraction
    plan: LossPlan


def allocations(
    stack: Stack, points: int, choices: Choices = DEFAULTS, most: int | None = None
) -> Iterator[Allocation]:
    """
    Yield every legal final allocation, equal up to identical units only once.

    ``most`` limits their number.

    Examples
    --------
    >>> squad = Member("squad", "infantry", cr=4, cr_half=2)
    >>> found = allocations(Stack((squad,)), 3)
    >>> sorted((a.points, a.losses[0].result) for a in found)
    [(3, 'reduced, pinned'), (4, 'eliminated')]
    """
    target = Target(stack, points, choices)
    if not points:
        yield Allocation(())
        return
    classes = target.classes(target.start, rolls=True)
    for picked in LossModel(classes, points, target.choices).all(most):
        losses = target.losses(classes, picked)
        if target.is_end(losses):
            yield Allocation(losses, target.ways(classes, picked))


def count(stack: Stack, points: int, choices: Choices = DEFAULTS) -> Count:
    """
    Return the number of final allocations, without listing them.

    Examples
    --------
    >>> squads = tuple(Member(f"squad {i}", "infantry", cr=4, cr_half=2) for i in range(12))
    >>> count(Stack(squads), 16)
    Count(kinds=61, ways=5429919)
    """
    target = Target(stack, points, choices)
    if not points:
        return Count(1, 1)
    if not target.choices.is_tabled:
        ways = [found.ways for found in allocations(stack, points, choices)]
        return Count(len(ways), sum(ways))
    classes = target.classes(target.start, rolls=True)
    found = Folded(COUNTING, points).ends(classes, points)
    return Count(sum(one.kinds for _, one in found), sum(one.ways for _, one in found))


def best(stack: Stack, points: int, values: Values = USUAL, choices: Choices = DEFAULTS) -> Advice:
    """
    Return the plan of the greatest expected value, its equals, and the runner-up.

    Examples
    --------
    >>> squad = Member("squad", "infantry", cr=4, cr_half=2, worth=4, worth_half=2)
    >>> leader = Member("leader", "infantry", cr=3, worth=1)
    >>> advice = best(Stack((squad, leader)), 3)
    >>> [(loss.unit, loss.result) for loss in advice.best.losses]
    [('leader', 'eliminated')]
    >>> print(advice.value)
    8
    """
    whole, scale = valued(stack, values)
    target, claims = Target(whole, points, choices), Claims()
    bounds = _bounds(target, scale)
    with claimed(claims):
        plans = _best_and_next(Tree(target, Modelled(target, scale), bounds))
    return Advice(plans, scale.one, _proof(target, plans[0], bounds, claims))


def _bounds(target: Target, scale: Scale) -> Tree | None:
    """Return the fold's tree; its values are bounds under readings at least as strict."""
    freest = target.choices.freest_order
    if not freest.is_tabled:
        return None
    freer = target if freest == target.choices else Target(target.stack, target.points, freest)
    return Tree(freer, Folding(freer, scale))


def _proof(target: Target, plan: LossPlan, bounds: Tree | None, claims: Claims) -> Proof:
    """
    Confirm that no plan is better, by the fold or by solving every leaf again.

    Raises
    ------
    InternalError
        If the two disagree.
    """
    most = None if bounds is None else bounds.best().value
    if most == plan.value:
        return "bound"
    if most is not None and (target.choices.is_tabled or most < plan.value):
        raise InternalError(f"the model finds a best plan worth {plan.value}, the fold {most}")
    try:
        return weakest(confirm(c, limit=LIMIT, stop=stop_here()).proof for c in claims.all)
    except Disagreement as found:
        raise InternalError(
            f"two solves disagree on casualties: the model is in {found.file}"
        ) from found


def _best_and_next(tree: Tree) -> tuple[LossPlan, ...]:
    """Return the best plans, equal ones once, up to the first that is worth less."""
    target, found = tree.target, dict[object, LossPlan]()
    for plan in tree.plans():
        roll = {plan.roll.unit: plan.roll[1:]} if plan.roll else {}
        found.setdefault(canonical(target.stack, plan.losses, roll), plan)
        if plan.value != next(iter(found.values())).value or len(found) == MOST_TIES:
            break
    return tuple(found.values())


def best_value(stack: Stack, points: int, values: Values, choices: Choices) -> Fraction:
    """Return the greatest value of the stack, without the plan."""
    whole, scale = valued(stack, values)
    target = Target(whole, points, choices)
    ends = Folding(target, scale) if target.choices.is_tabled else Modelled(target, scale)
    return Fraction(Tree(target, ends).best().value) / scale.one


def pareto(
    stack: Stack, points: int, values: Values = USUAL, choices: Choices = DEFAULTS
) -> list[Trade]:
    """
    Return the plans unbeaten in strength, firepower able to act and points wasted.

    Only the worths in ``values`` count.

    Raises
    ------
    BadInputError
        Under readings that need replay.

    Examples
    --------
    >>> squads = [Member(i, "infantry", cr=4, cr_half=2, worth=4, worth_half=2) for i in "ab"]
    >>> for trade in pareto(Stack(tuple(squads)), 2):
    ...     print(trade.strength, trade.firepower, trade.wasted)
    8 0 0
    6 6 0
    """
    whole, scale = valued(stack, values)
    target = Target(whole, points, choices)
    if not target.choices.is_tabled:
        raise BadInputError("expected readings that leave the closed form as it is (see Choices)")
    found = []
    for plan in Tree(target, Front(target)).front():
        strength, firepower, thrift = map(Fraction, plan.marks)
        found.append(Trade(strength / scale.ratio, firepower / scale.ratio, -thrift, plan))
    return found


def proposed(
    stack: Stack, points: int, wanted: Mapping[str, str], choices: Choices = DEFAULTS
) -> tuple[list[LossStep], tuple[UnitLoss, ...]] | None:
    """
    Return legal steps to exactly a proposal, and the losses.

    None if there are none. Unnamed units are unharmed or share their carrier's result.

    Examples
    --------
    >>> squads = tuple(Member(i, "infantry", cr=4, cr_half=2) for i in "ab")
    >>> proposed(Stack(squads), 3, {"a": "pinned", "b": "reduced"})[0]
    [LossStep(unit='b', verb='reduce', points=0), LossStep(unit='a', verb='pin', points=0)]
    """
    members = (
        msgspec.structs.replace(m, traits=(*m.traits, wanted.get(m.id, ""))) for m in stack.members
    )
    target = Target(Stack(tuple(members), stack.opportunity), points, choices, listed=False)
    if not points:
        return ([], ()) if {*wanted.values()} <= {"unharmed"} else None
    classes = [
        class_._replace(options=tuple(o for o in class_.options if _is_so(class_.group, o)))
        for class_ in target.classes(target.start, rolls=True)
    ]
    if not all(class_.options for class_ in classes):
        return None
    model = LossModel(classes, points, target.choices)
    solutions = model.best_first(lambda _, option: (-option.key.points,), (0,))
    for number, (picked, _) in enumerate(solutions):
        if number == MOST_TRIED:
            raise OverLimit
        losses = target.losses(classes, picked)
        found = in_order(target.course, target.start, losses, ends=True, most=MOST_STATES)
        if found is not None:
            return found[0], losses
    return None


def _is_so(group: Group, option: GroupResult) -> bool:
    """Return whether an option gives each unit its last trait's result, or its carrier's."""
    head = option.results[0].result
    shared = "pinned" if head in PINNED else head

    def suits(unit: Member, result: str) -> bool:
        wanted = unit.traits[-1]
        return result == wanted if wanted else result in ("unharmed", unit.aboard and shared)

    return all(map(suits, group.units, (one.result for one in option.results)))


# -- attacks yet to be rolled --------------------------------------------------------------------


def after_losses(stack: Stack, losses: tuple[UnitLoss, ...]) -> Stack:
    """Return the stack after some losses: the units alive, reduced or pinned."""
    results = {loss.unit: loss.result for loss in losses}
    members = (
        _after(member, results.get(member.id, "unharmed"))
        for member in stack.members
        if results.get(member.id) != "eliminated"
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
    stack: Stack, points: int, choices: Choices, worth: Callable[[tuple[UnitLoss, ...]], Fraction]
) -> Fraction:
    """Return the greatest worth the owner can keep in an attack, by any worth of the losses."""
    target = Target(stack, points, choices)
    return Fraction(Tree(target, Listing(target, worth)).best().value)


def standing_ahead(
    stack: Stack,
    follow_up: Mapping[int, Fraction],
    values: Values = USUAL,
    choices: Choices = DEFAULTS,
) -> Callable[[tuple[UnitLoss, ...]], Fraction]:
    """
    Return the average worth after losses once another attack has followed.

    ``follow_up`` is the probability of each number of Casualty Points of that attack, in which the
    owner also chooses optimally.
    """
    whole, scale = valued(stack, values)
    later = msgspec.structs.replace(values, worth={}, worth_half={})

    @cache
    def worth(losses: tuple[UnitLoss, ...]) -> Fraction:
        left = after_losses(whole, losses)
        means = (c * best_value(left, n, later, choices) for n, c in follow_up.items() if c)
        return sum(means, Fraction(0)) / scale.ratio

    return worth


def best_ahead(
    stack: Stack,
    points: int,
    worth: Callable[[tuple[UnitLoss, ...]], Fraction],
    values: Values = USUAL,
    choices: Choices = DEFAULTS,
) -> Advice:
    """Return the best plan by a worth of the losses, such as :func:`standing_ahead`."""
    whole, _ = valued(stack, values)
    target = Target(whole, points, choices)
    plans = _best_and_next(Tree(target, Listing(target, worth)))
    return Advice(plans, 1, "bound" if target.choices.is_tabled else "unconfirmed")
