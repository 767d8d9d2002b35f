"""Best plans, by the fold or by search, and what they are worth against an attack yet to be rolled."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import msgspec

from marchtable.errors import BadInputError
from marchtable_models.valor.allocation.course import DIE
from marchtable_models.valor.allocation.options import Fate
from marchtable_models.valor.allocation.plan import MOST_TIES, Trade, advice_of
from marchtable_models.valor.allocation.plans import Plans, Worths
from marchtable_models.valor.allocation.search import Search
from marchtable_models.valor.allocation.values import scale_of, valued
from marchtable_models.valor.facts.stack import PINNED, Stack

if TYPE_CHECKING:
    from collections.abc import Mapping

    from marchtable_models.valor.allocation.plan import Advice
    from marchtable_models.valor.allocation.values import Scale, Values
    from marchtable_models.valor.facts.stack import Choices, Loss, Member

    Distribution = Mapping[int, Fraction | int | float | str]

__all__ = [
    "advise", "after_losses", "best_value", "chances", "expected_value", "search", "stands_best",
    "trades", "value_of",
]  # fmt: skip


def planner(
    stack: Stack, points: int, values: Values, choices: Choices, most: int = 2
) -> tuple[Plans, Scale]:
    """Return the plans of a stack under stated values, and their scale."""
    whole, scale = valued(stack, values)
    helps = whole.helps

    def of(member: Member, fate: Fate, was_pinned: bool) -> tuple[int, ...]:
        return tuple(scale.unit(member, fate, help_, was_pinned=was_pinned) for help_ in helps)

    return Plans(whole, points, choices, Worths(of, helps, most=most)), scale


def advise(stack: Stack, points: int, values: Values, choices: Choices) -> Advice:
    """Return the best plan, those that are as good, and the next best."""
    if not points or not choices.is_tabled:
        return search(stack, points, values, choices)
    plans, scale = planner(stack, points, values, choices)
    found = plans.dearest()
    if len({opening.marks for opening in found}) < len(found):  # a tie: there may be more
        plans, scale = planner(stack, points, values, choices, MOST_TIES)
        found = plans.dearest()
    return advice_of([plans.written(opening) for opening in found], scale.one * plans.finest)


def best_value(stack: Stack, points: int, values: Values, choices: Choices) -> Fraction:
    """Return what the stack is worth at best, without writing out how."""
    if not points:
        whole, scale = valued(stack, values)
        return Fraction(value_of(whole, (), scale), scale.one)
    if not choices.is_tabled:
        found = search(stack, points, values, choices)
        return Fraction(found.value, found.scale)
    plans, scale = planner(stack, points, values, choices)
    return Fraction(plans.dearest()[0].marks[0], scale.one * plans.finest)


def trades(stack: Stack, points: int, values: Values, choices: Choices) -> list[Trade]:
    """Return the front, strongest first."""
    whole, scale = valued(stack, values)
    plans = Plans(whole, points, choices, Worths(_strength, wasteful=True))
    found = [(opening.marks, opening) for opening in plans.front()]
    return [
        Trade(kept, able, -thrift * scale.ratio, plans.finest * scale.ratio, plans.written(opening))
        for (kept, able, thrift), opening in found
    ]


def _strength(unit: Member, fate: Fate, was_pinned: bool) -> tuple[int, ...]:
    """Return the worth of a unit alive, and able to act, after its fate; nothing is wasted by it."""
    if fate.result == "eliminated":
        return 0, 0, 0
    worth = int(unit.worth_half if fate.result.startswith("reduced") else unit.worth)
    return worth, 0 if was_pinned or fate.result in PINNED else worth, 0


def search(stack: Stack, points: int, values: Values, choices: Choices) -> Advice:
    """Return the same as :func:`advise`, by trying every step."""
    whole, scale = valued(stack, values)

    def worth(losses: tuple[Loss, ...]) -> Fraction:
        return Fraction(value_of(whole, losses, scale), scale.one)

    rolls = sum(m.kind in ("vehicle", "gun") for m in stack.members)
    found = Search(whole, points, worth, choices, rolls_first=choices.is_tabled)
    return found.advice(scale.one * int(DIE**rolls))


def value_of(whole: Stack, losses: tuple[Loss, ...], scale: Scale) -> int:
    """Return what is left worth after some losses; worths must be whole."""
    fates = {loss.unit: Fate(loss.result, loss.points) for loss in losses}
    help_ = whole.help_after(losses)
    return sum(
        scale.unit(m, fates.get(m.id, Fate()), help_, was_pinned=whole.is_pinned(m))
        for m in whole.members
    )


# -- one attack ahead ------------------------------------------------------------------------------


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


def expected_value(
    stack: Stack, distribution: Distribution, values: Values, choices: Choices
) -> Fraction:
    """Return what a stack is worth after an attack, its owner choosing for the best each time."""
    found = chances(distribution).items()
    worth = (chance * best_value(stack, n, values, choices) for n, chance in found if chance)
    return sum(worth, Fraction(0))


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


def stands_best(
    stack: Stack, points: int, follow_up: Distribution, values: Values, choices: Choices
) -> Advice:
    """Return the plan whose outcome is worth most after the follow-up attack as well."""
    found = {n: chance for n, chance in chances(follow_up).items() if chance}
    whole, scale = valued(stack, values)
    later = msgspec.structs.replace(values, worth={}, worth_half={})
    ratio = Fraction(scale.one, scale_of(later).one)
    known: dict[tuple[Loss, ...], Fraction] = {}

    def worth(losses: tuple[Loss, ...]) -> Fraction:
        if losses not in known:
            left = after_losses(whole, losses)
            known[losses] = (
                sum(
                    (chance * best_value(left, n, later, choices) for n, chance in found.items()),
                    Fraction(0),
                )
                / ratio
            )
        return known[losses]

    rolls = 2 * sum(member.kind in ("vehicle", "gun") for member in stack.members)
    finest = scale.one * DIE**rolls
    for chance in found.values():
        finest *= chance.denominator
    search = Search(whole, points, worth, choices, rolls_first=choices.is_tabled)
    return search.advice(finest)
