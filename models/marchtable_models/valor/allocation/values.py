"""The worth of units to their owner, as integers."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

import msgspec

from marchtable.errors import BadInputError, UnknownNameError
from marchtable_models.valor.allocation.stack import PINNED, Member, Result, Stack, UnitLoss, Worth
from marchtable_models.valor.data import TWO_DICE

Amount = int | float | str
"""A number; a string can hold a fraction such as ``"5/12"``."""

AMOUNT = re.compile(r"\d{1,6}(\.\d{1,6}|/\d{1,6})?")
CERTAIN = sum(TWO_DICE.values())


class Values(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    The owner's values.

    A unit alive has its worth; one able to act now has ``ready`` times that in addition. A pinned
    unit has ``after`` of this if it rallies in the After-Action Phase, else ``command`` of it,
    since it always rallies in the next Command Phase. Its chance is its ``rally``, with the help of
    the best unpinned leader.

    Parameters
    ----------
    worth, worth_half
        By unit id, with all it carries, instead of the worth from its counters.
    leadership
        Worth of each -1 of a leader's modifier, besides their firepower. The narrowest row of the
        AP Combat Table spans an APFP of 4, and -1 on the dice is worth a row.
    range
        Worth of each hex of a unit's longest range.
    ready
        Worth of acting now, for each point of worth.
    after, command
        The part of that left for a unit that can act again from the After-Action Phase, or from its
        owner's Command Phase: 1 is no discount, 0 is worthless.
    """

    worth: dict[str, Amount] = {}
    worth_half: dict[str, Amount] = {}
    leadership: Amount = 4
    range: Amount = "1/8"
    ready: Amount = 1
    after: Amount = "1/2"
    command: Amount = "1/4"


USUAL = Values()


class Scale(NamedTuple):
    """
    The conversion of integer worths into integer values.

    ``ready`` is the factor of units that can act, ``pinned`` that of pinned ones: a constant, and
    the addition per chance in 36 to rally. ``one`` is the value 1 in these units, ``ratio`` its
    part from the worths.
    """

    ready: int
    pinned: tuple[int, int]
    one: int
    ratio: int

    def unit(self, member: Member, result: Result, help_: int) -> int:
        """Return the worth of a unit after its result, with this bonus to its rally dice."""
        if result == "eliminated":
            return 0
        worth = member.worth_half if result.startswith("reduced") else member.worth
        if not member.pinned and result not in PINNED:
            return int(worth) * self.ready
        late, gain = self.pinned
        return int(worth) * (late + gain * member.rallying(help_))


def value_of(whole: Stack, losses: tuple[UnitLoss, ...], scale: Scale) -> int:
    """Return the remaining worth of units after losses; the stack must be :func:`valued`."""
    results: dict[str, Result] = {loss.unit: loss.result for loss in losses}
    help_ = whole.help_after(losses)
    return sum(scale.unit(m, results.get(m.id, "unharmed"), help_) for m in whole.members)


@lru_cache(maxsize=1024, typed=True)  # True is not an amount, though it equals 1
def fraction(amount: Worth | str, field: str) -> Fraction:
    """Return an amount as a fraction; raises BadInputError unless it is a number from 0."""
    if isinstance(amount, Fraction):
        return amount
    text = "" if isinstance(amount, bool) else str(amount)
    try:
        return Fraction(text if AMOUNT.fullmatch(text) else "")
    except (ValueError, ZeroDivisionError):
        message = (
            "expected a number from 0 with at most 6 places, or a fraction such as 5/12, got "
            f"{amount!r}"
        )
        raise BadInputError(message, field=field) from None


def valued(stack: Stack, values: Values) -> tuple[Stack, Scale]:
    """
    Return the stack with integer worths, and carried units pinned and rallying with their carrier.

    If none of its units can rally, its leaders help nobody.
    """
    unknown = [unit for unit in (*values.worth, *values.worth_half) if unit not in stack.by_id]
    if unknown:
        raise UnknownNameError(f"no unit {unknown[0]!r} in the stack", field="weights.worth")
    worths = [
        (
            fraction(values.worth.get(member.id, member.worth), "weights.worth"),
            fraction(values.worth_half.get(member.id, member.worth_half), "weights.worth_half"),
        )
        for member in stack.members
    ]
    ratio = math.lcm(*(part.denominator for pair in worths for part in pair))
    rallies = [(stack.carrier(member) or member).rally for member in stack.members]
    helps = any(map(any, rallies))
    members = (
        msgspec.structs.replace(
            member, worth=int(full * ratio), worth_half=int(half * ratio), rally=rally,
            leads=member.leads if helps else 0, pinned=stack.is_pinned(member),
        )
        for member, rally, (full, half) in zip(stack.members, rallies, worths, strict=True)
    )  # fmt: skip
    return Stack(tuple(members), stack.opportunity), scale_of(values, ratio)


def scale_of(values: Values, ratio: int = 1) -> Scale:
    """Return the conversion of worths to values; raises BadInputError for inconsistent factors."""
    act, late, last = (
        fraction(getattr(values, name), f"weights.{name}") for name in ("ready", "after", "command")
    )
    if not last <= late <= 1:
        raise BadInputError("expected command <= after <= 1", field="weights.after")
    one = math.lcm(act.denominator, (act * late).denominator, (act * last).denominator) * CERTAIN
    # alive, plus the remaining ability to act: certain at command, or after by the chance to rally
    pinned = int((1 + act * last) * one), int(act * (late - last) * one / CERTAIN)
    return Scale(int((1 + act) * one), pinned, one * ratio, ratio)
