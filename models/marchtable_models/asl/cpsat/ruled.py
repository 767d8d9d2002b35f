"""What models make of rulings."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from marchtable.ruling import Ruling

__all__ = ["is_granted", "unmodelled"]


def is_granted(ruling: Ruling) -> bool:
    """Tell whether a step is legal and calls for no roll."""
    return ruling.is_legal and not ruling.obligations


def unmodelled(ruling: Ruling) -> set[str]:
    """Return the clauses, not modelled, for which alone a step is refused."""
    return set() if ruling.violations else {fault.clause for fault in ruling.unsupported}
