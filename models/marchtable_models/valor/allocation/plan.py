"""Plans: what an owner means to do with the points owed, whatever the survival rolls bring."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import msgspec

from marchtable.cpsat.confirm import Proof
from marchtable_models.valor.allocation.stack import Loss

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["MOST_TIES", "Advice", "Plan", "Roll", "Trade"]

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
        What has happened to the units when the roll is made, or in the end if there is none.
    marks
        What remains on average, by one mark or several, the value first.
    """

    losses: tuple[Loss, ...]
    marks: tuple[Fraction | int, ...]
    roll: Roll | None = None
    survived: Plan | None = None
    failed: Plan | None = None

    @property
    def value(self) -> Fraction | int:
        """The expected value of what remains, in units of one over ``Advice.scale``."""
        return self.marks[0]

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
    plans
        The best plan, others of the same value (only some of them if there are many), and then the
        best plan that is worth less, if there is one and not too many are equally good.
    scale
        How many units of the plans' values make the value 1.
    proof
        How it is proved that none is better.
    """

    plans: tuple[Plan, ...]
    scale: int
    proof: Proof = "unconfirmed"

    @property
    def best(self) -> Plan:
        """The best plan."""
        return self.plans[0]

    @property
    def value(self) -> Fraction | int:
        """The best plan's expected value."""
        return self.best.value

    @property
    def equals(self) -> tuple[Plan, ...]:
        """Others of the same value."""
        return tuple(plan for plan in self.plans[1:] if plan.value == self.value)

    @property
    def runner_up(self) -> Plan | None:
        """The best plan that is worth less."""
        return next((plan for plan in self.plans if plan.value != self.value), None)

    @property
    def cost(self) -> Fraction | int | None:
        """What the runner-up costs against the best."""
        return None if self.runner_up is None else self.value - self.runner_up.value


class Trade(msgspec.Struct, frozen=True):
    """
    A plan that no other plan equals or beats in all three respects.

    Amounts are expected values in units of one over ``scale``: worth of the units alive,
    worth of those able to act, and Casualty Points fulfilled beyond those owed.
    """

    strength: Fraction | int
    firepower: Fraction | int
    wasted: Fraction | int
    scale: int
    plan: Plan
