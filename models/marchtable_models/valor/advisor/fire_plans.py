"""The total loss of attacks on one hex, if its owner chooses losses optimally.

An attack already declared counts as rolled, with its losses where they matter.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable_models.valor.advisor.battery import plus, spent
from marchtable_models.valor.allocation.advice import after_losses, best_value, worth_ahead
from marchtable_models.valor.allocation.members import stack_of
from marchtable_models.valor.allocation.stack import PINNED, Choices, Stack, UnitLoss
from marchtable_models.valor.allocation.values import valued
from marchtable_models.valor.views.units import type_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from marchtable.rules.ruling import Ruling
    from marchtable_models.valor.advisor.battery import Battery, Party, Used
    from marchtable_models.valor.allocation.values import Values
    from marchtable_models.valor.model import ValorPosition

__all__ = ["HexAttacks", "Power", "Range"]

Power = tuple[str, int]
"""The AP Combat Table row of an attack, and its dice modifier."""


class HexAttacks(NamedTuple):
    """Attacks on one hex, in order, and their total expected loss."""

    parties: tuple[Party, ...]
    used: Used
    loss: Fraction


def suffered(position: ValorPosition, losses: tuple[UnitLoss, ...]) -> ValorPosition:
    """Return the position after some losses."""
    changed = []
    for loss in losses:
        unit = position.unit(loss.unit)
        half = type_of(position, unit).half
        if loss.result == "eliminated":
            unit = msgspec.structs.replace(unit, at=None, sw=(), aboard=None)
        elif loss.result.startswith("reduced") and half is not None:
            unit = msgspec.structs.replace(unit, type=half)
        pinned = unit.pinned or loss.result in PINNED
        changed.append(msgspec.structs.replace(unit, pinned=pinned))
    return position.with_units(changed)


class Range:
    """A target hex: the loss from attacks on it, if its owner chooses losses optimally."""

    def __init__(self, battery: Battery, target: str, values: Values, choices: Choices) -> None:
        self.battery = battery
        self.target = target
        self.values, self.choices = values, choices
        self._kept: dict[Any, Fraction] = {}
        self._stack: tuple[Stack, Fraction] | None = None

    def plans(self) -> list[HexAttacks]:
        """
        Return the attacks on the hex that are legal together, each set in its best order.

        Several are tried only if leaving out any unit would change a row or the dice.
        """
        found: dict[tuple[Party, ...], HexAttacks] = {}
        waiting: list[tuple[ValorPosition, Used, tuple[Party, ...], tuple[Power, ...]]] = [
            (self.battery.position, self.battery.none, (), ())
        ]
        while waiting:
            position, used, before, powers = waiting.pop(0)
            for party, ruling, power, is_lean in self._next(position, used):
                if before and not is_lean:
                    continue
                after, parties = plus(used, party.used), (*before, party)
                plan = HexAttacks(parties, after, self.loss(parties, (*powers, power)))
                which = tuple(sorted(parties))
                if which not in found or plan.loss > found[which].loss:
                    found[which] = plan
                if is_lean:
                    waiting.append((spent(ruling), after, parties, (*powers, power)))
        return list(found.values())

    def _next(self, position: ValorPosition, used: Used) -> list[tuple[Party, Ruling, Power, bool]]:
        """Return the legal attacks there, and whether every unit in them is needed."""
        legal = []
        for party in self.battery.parties(self.target, used):
            ruled = self.battery.ruled(position, party, used)
            if ruled is not None:
                legal.append((party, ruled[1], (ruled[2].row, ruled[2].modifier)))
        return [
            (party, ruling, power, not any(
                other.used != party.used
                and same == power
                and all(n <= most for n, most in zip(other.used, party.used, strict=True))
                for other, _, same in legal
            ))
            for party, ruling, power in legal
        ]  # fmt: skip

    def loss(self, parties: tuple[Party, ...], powers: tuple[Power, ...]) -> Fraction:
        """Return the expected loss of some attacks, each made whatever the previous results."""
        stack, ratio = self._under_fire(parties[0])
        intact = best_value(stack, 0, self.values, self.choices)
        start = self.battery.position, self.battery.none
        return (intact - self._expected(stack, *start, parties, powers)) / ratio

    def _under_fire(self, party: Party) -> tuple[Stack, Fraction]:
        """Return the units under fire with integer worths, and how many of these make 1."""
        if self._stack is None:
            ruled = self.battery.ruled(self.battery.position, party, self.battery.none)
            assert ruled is not None
            stack = stack_of(ruled[1].after, self.target, self.values)
            present = {
                field: {unit: n for unit, n in named.items() if unit in stack.by_id}
                for field, named in (
                    ("worth", self.values.worth),
                    ("worth_half", self.values.worth_half),
                )
            }
            whole, scale = valued(stack, msgspec.structs.replace(self.values, **present))
            self.values = msgspec.structs.replace(self.values, worth={}, worth_half={})
            self._stack = whole, Fraction(scale.ratio)
        return self._stack

    def _expected(
        self,
        stack: Stack,
        position: ValorPosition,
        used: Used,
        parties: tuple[Party, ...],
        powers: tuple[Power, ...],
    ) -> Fraction:
        """
        Return the worth of the hex's units after the attacks still to come.

        Attacks with the same row and modifier have the same effect: what changes with the units
        under fire changes equally for all firers of one hex.
        """
        key = stack, powers
        if key not in self._kept:
            self._kept[key] = self._reckon(stack, position, used, parties, powers)
        return self._kept[key]

    def _reckon(
        self,
        stack: Stack,
        position: ValorPosition,
        used: Used,
        parties: tuple[Party, ...],
        powers: tuple[Power, ...],
    ) -> Fraction:
        if not parties:
            return best_value(stack, 0, self.values, self.choices)
        ruled = self.battery.ruled(position, parties[0], used)
        used = plus(used, parties[0].used)
        if ruled is None:  # no unit is left to fire at
            return self._expected(stack, position, used, parties[1:], powers[1:])
        after = spent(ruled[1])

        def worth(losses: tuple[UnitLoss, ...]) -> Fraction:
            left = after_losses(stack, losses)
            return self._expected(left, suffered(after, losses), used, parties[1:], powers[1:])

        ends = (
            chance * (self._best(stack, n, worth) if parties[1:] else self._last(stack, n))
            for n, chance in ruled[2].distribution.items()
        )
        return sum(ends, Fraction(0))

    def _last(self, stack: Stack, points: int) -> Fraction:
        return best_value(stack, points, self.values, self.choices)

    def _best(
        self, stack: Stack, points: int, worth: Callable[[tuple[UnitLoss, ...]], Fraction]
    ) -> Fraction:
        """Return the best the owner can do with these points, allowing for attacks to come."""
        return worth_ahead(stack, points, self.choices, worth)
