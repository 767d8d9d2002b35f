"""What models make of rulings."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.ruling import Ruling

__all__ = ["charged", "is_granted", "unmodelled"]


def is_granted(ruling: Ruling) -> bool:
    """Tell whether a step is legal and calls for no roll."""
    return ruling.is_legal and not ruling.obligations


def unmodelled(ruling: Ruling) -> set[str]:
    """Return the clauses, not modelled, for which alone a step is refused."""
    return set() if ruling.violations else {fault.clause for fault in ruling.unsupported}


def charged(rulings: Sequence[Ruling], unit: str | None = None) -> Counter[str]:
    """Return by clause the half points that steps charge a unit, or all if none is named."""
    found: Counter[str] = Counter()
    for receipt in (r for ruling in rulings for r in ruling.receipts):
        if unit in (None, receipt.unit):
            for charge in receipt.charges:
                found[charge.clause] += charge.amount
    return found
