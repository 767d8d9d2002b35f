"""What attacks on one hex take together, its owner choosing his losses for the best.

An attack already declared is taken to have had its roll, and its losses where they matter.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable_models.valor import survey
from marchtable_models.valor.allocating.advice import after_losses, best_value
from marchtable_models.valor.allocating.search import Search
from marchtable_models.valor.allocating.stack import PINNED
from marchtable_models.valor.allocating.values import scale_of, valued
from marchtable_models.valor.fire_battery import plus, spent
from marchtable_models.valor.stacks import stack_of

if TYPE_CHECKING:
    from marchtable_models.valor.allocating.stack import Choices, Loss, Stack
    from marchtable_models.valor.allocating.values import Values
    from marchtable_models.valor.fire_battery import Battery, Party, Used
    from marchtable_models.valor.survey import ValorPosition

__all__ = ["Plan", "Range"]


class Plan(NamedTuple):
    """Attacks on one hex, in order, and the loss that they are expected to inflict together."""

    parties: tuple[Party, ...]
    used: Used
    loss: Fraction


def suffered(position: ValorPosition, losses: tuple[Loss, ...]) -> ValorPosition:
    """Return the position with some losses taken."""
    changed = []
    for loss in losses:
        unit = position.unit(loss.unit)
        half = survey.type_of(position, unit).half
        if loss.result == "eliminated":
            unit = msgspec.structs.replace(unit, at=None, sw=(), aboard=None)
        elif loss.result.startswith("reduced") and half is not None:
            unit = msgspec.structs.replace(unit, type=half)
        pinned = unit.pinned or loss.result in PINNED
        changed.append(msgspec.structs.replace(unit, pinned=pinned))
    return position.with_units(changed)


class Range:
    """One target hex: what attacks on it take, its owner choosing his losses for the best."""

    def __init__(self, battery: Battery, target: str, values: Values, choices: Choices) -> None:
        self.battery = battery
        self.target = target
        self.values, self.choices = values, choices
        self._kept: dict[Any, Fraction] = {}
        self._stack: tuple[Stack, Fraction] | None = None

    def plans(self) -> list[Plan]:
        """Return all attacks on the hex that are legal together, each set in its best order."""
        found: dict[tuple[Party, ...], Plan] = {}
        waiting: list[tuple[ValorPosition, Used, tuple[Party, ...]]] = [
            (self.battery.position, self.battery.none, ())
        ]
        while waiting:
            position, used, before = waiting.pop(0)
            for party in self.battery.parties(self.target, used):
                ruled = self.battery.ruled(position, party, used)
                if ruled is not None:
                    after = plus(used, party.used)
                    parties = (*before, party)
                    plan = Plan(parties, after, self.loss(parties))
                    which = tuple(sorted(parties))
                    if which not in found or plan.loss > found[which].loss:
                        found[which] = plan
                    waiting.append((spent(ruled[1]), after, parties))
        return list(found.values())

    def loss(self, parties: tuple[Party, ...]) -> Fraction:
        """Return the loss to be expected of some attacks, each made whatever the ones before did."""
        if self._stack is None:
            ruled = self.battery.ruled(self.battery.position, parties[0], self.battery.none)
            assert ruled is not None
            stack = stack_of(ruled[1].after, self.target)
            told = {
                field: {unit: n for unit, n in named.items() if unit in stack.by_id}
                for field, named in (
                    ("worth", self.values.worth),
                    ("worth_half", self.values.worth_half),
                )
            }
            whole, scale = valued(stack, msgspec.structs.replace(self.values, **told))
            self.values = msgspec.structs.replace(self.values, worth={}, worth_half={})
            self._stack = whole, Fraction(scale.one, scale_of(self.values).one)
        stack, ratio = self._stack
        intact = best_value(stack, 0, self.values, self.choices)
        kept = self._expected(stack, self.battery.position, parties, self.battery.none)
        return (intact - kept) / ratio

    def _expected(
        self, stack: Stack, position: ValorPosition, parties: tuple[Party, ...], used: Used
    ) -> Fraction:
        """Return what the units of the hex are worth after the attacks still to come."""
        key = stack, parties, used  # the position is no other where these are the same
        if key not in self._kept:
            self._kept[key] = self._reckon(stack, position, parties, used)
        return self._kept[key]

    def _reckon(
        self, stack: Stack, position: ValorPosition, parties: tuple[Party, ...], used: Used
    ) -> Fraction:
        if not parties:
            return best_value(stack, 0, self.values, self.choices)
        now, *later = parties
        ruled = self.battery.ruled(position, now, used)
        used = plus(used, now.used)
        if ruled is None:  # nobody is left to be fired at
            return self._expected(stack, position, tuple(later), used)
        after = spent(ruled[1])
        ends = (
            chance * self._best(stack, n, after, tuple(later), used)
            for n, chance in ruled[2].distribution.items()
        )
        return sum(ends, Fraction(0))

    def _best(
        self,
        stack: Stack,
        points: int,
        position: ValorPosition,
        later: tuple[Party, ...],
        used: Used,
    ) -> Fraction:
        """Return the best that the owner can make of so many points, with what is to come in mind."""
        if not later:
            return best_value(stack, points, self.values, self.choices)

        def worth(losses: tuple[Loss, ...]) -> Fraction:
            left = after_losses(stack, losses)
            return self._expected(left, suffered(position, losses), later, used)

        search = Search(stack, points, worth, self.choices, rolls_first=self.choices.is_tabled)
        found = search.value(search.application.start())
        assert found is not None  # points can always be fulfilled, or everything is lost
        return found
