"""How a plan breaks a clause: the units it forbids or charges, and by how much it is broken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.codec.structs import points
from marchtable.rules.plan_model import Reason

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.rules.ruling import Verdict, Violation

__all__ = ["reason_of"]


def reason_of(verdict: Verdict, name: str, *, joint: bool) -> tuple[Reason, int | None]:
    """
    Return how a plan breaks a clause, and by how much if that is a number.

    Parameters
    ----------
    verdict, name
        The referee's verdict on the plan, and the clause.
    joint
        Whether the clause concerns all units that share a place.
    """
    broken = [v for v in (*verdict.violations, *verdict.unsupported) if v.clause == name]
    return _broken(verdict, broken, joint=joint) if broken else (_charged(verdict, name), None)


def _broken(
    verdict: Verdict, broken: Sequence[Violation], *, joint: bool
) -> tuple[Reason, int | None]:
    """Return how a plan breaks a clause, and by how much if the clause compares numbers."""
    units = tuple(
        dict.fromkeys(u for v in broken for u in (*v.units, *_beside(verdict, v, joint=joint)))
    )
    breaches = [_breach(one) for one in broken]
    worst = max(range(len(broken)), key=lambda n: breaches[n] or 0)
    fault = broken[worst]
    numbers: tuple[tuple[str, int | float | str], ...] = tuple(
        (word, points(value) if fault.halves and isinstance(value, int) else value)
        for word, value in (("need", fault.need), ("have", fault.have)) if value is not None
    )  # fmt: skip
    breach = breaches[worst]
    if breach is not None and isinstance(fault.have, int) and fault.have < 0:
        numbers = (("lacks", points(breach) if fault.halves else breach),)
    return Reason(clause=fault.clause, units=units, numbers=numbers), breach


def _breach(violation: Violation) -> int | None:
    """Return by how much the available amount is too small or too large."""
    need, have = violation.need, violation.have
    return abs(need - have) if isinstance(need, int) and isinstance(have, int) else None


def _charged(verdict: Verdict, name: str) -> Reason:
    """Return a clause's charges to the barred units (else to others, else none)."""
    barred = dict.fromkeys(unit for v in verdict.violations for unit in v.units)
    charged: dict[str, int] = {}
    for receipt in verdict.receipts:
        amount = sum(charge.amount for charge in receipt.charges if charge.clause == name)
        if amount:
            charged[receipt.unit] = charged.get(receipt.unit, 0) + amount
    charged = {unit: amount for unit, amount in charged.items() if unit in barred} or charged
    return Reason(
        clause=name, units=tuple(charged) or tuple(barred),
        numbers=tuple((f"charges {unit}", points(amount)) for unit, amount in charged.items()),
    )  # fmt: skip


def _beside(verdict: Verdict, broken: Violation, *, joint: bool) -> list[str]:
    """Return the units in the place where a joint clause is broken, except for lack of points."""
    after = verdict.rulings[broken.step].after
    if not joint or broken.halves or after is None or not broken.hexes:
        return []
    side = {after.unit(name).side for name in broken.units}
    return [unit.id for unit in after.beside(broken.hexes[-1]) if unit.side in side]
