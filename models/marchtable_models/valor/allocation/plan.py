"""Plans: what an owner means to do with his points, whatever the survival rolls bring."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from marchtable_models.valor.facts.stack import Loss

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["MOST_TIES", "Advice", "Plan", "Roll", "Trade", "advice_of"]

MOST_TIES = 10
"""How many plans to find if several share the best value."""


class Roll(msgspec.Struct, frozen=True):
    """
    A survival roll: the unit absorbs ``points`` (after ignoring one, if ``ignores``).

    It survives on ``chance`` or less with one die.
    """

    unit: str
    points: int
    ignores: bool
    chance: int


class Plan(msgspec.Struct, frozen=True):
    """
    What to do with the points owed; after a roll it goes on by how the die falls.

    Survival rolls are made before any other loss but those of Passengers: this is never worse,
    for a unit lost by a failed roll spares another.

    Parameters
    ----------
    losses
        What has befallen the units when the roll is made, or in the end if there is none.
    points
        Casualty Points fulfilled by them.
    value
        The expected value of what is left, in units of one over ``Advice.scale``.
    """

    losses: tuple[Loss, ...]
    points: int
    value: int
    clauses: tuple[str, ...] = ()
    roll: Roll | None = None
    survived: Plan | None = None
    failed: Plan | None = None

    def leaves(self) -> Iterator[Plan]:
        """Yield the ends of the plan, one for each way in which its rolls can fall."""
        branches = [plan for plan in (self.survived, self.failed) if plan is not None]
        if not branches:
            yield self
        for branch in branches:
            yield from branch.leaves()


class Advice(msgspec.Struct, frozen=True):
    """
    The best plan under stated values.

    Two plans count as different if they differ before any die is rolled: in the Passengers lost,
    in the first roll or, without a roll, in the final allocation.

    Parameters
    ----------
    best, equals
        The best plan, and others of the same value; if there are many, only some of them.
    runner_up
        The best plan that is worth less. None if there is none, or too many plans are equally good.
    value, cost
        The best's expected value and what the runner-up costs against it, exactly, in units of
        one over ``scale``.
    scale
        How many of these units make the value 1.
    """

    best: Plan
    value: int
    scale: int
    runner_up: Plan | None = None
    cost: int | None = None
    equals: tuple[Plan, ...] = ()


def advice_of(plans: Sequence[Plan], scale: int) -> Advice:
    """Return the advice that follows from some plans, the best first."""
    best = plans[0]
    equals = [plan for plan in plans[1:] if plan.value == best.value]
    worse = plans[1 + len(equals) :]
    if not worse:
        return Advice(best, best.value, scale, equals=tuple(equals))
    return Advice(best, best.value, scale, worse[0], best.value - worse[0].value, tuple(equals))


class Trade(msgspec.Struct, frozen=True):
    """
    A plan that no other plan equals or beats in all three respects.

    Amounts are expected values in units of one over ``scale``: worth of the units left alive,
    worth of those able to act, and Casualty Points fulfilled beyond those owed. The plan's own
    ``value`` is its strength.
    """

    strength: int
    firepower: int
    wasted: int
    scale: int
    plan: Plan
