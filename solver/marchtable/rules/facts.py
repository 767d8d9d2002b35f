"""Data of a subject's functions: facts, cases, findings (:mod:`marchtable.rules.subjects`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.rules.clause import Finding as Finding
from marchtable.rules.clause import Sheet as Sheet
from marchtable.rules.edition import Edition as Edition
from marchtable.rules.judging import Bill as Bill
from marchtable.rules.judging import Case as Case

if TYPE_CHECKING:
    from marchtable.rules.view import View

__all__ = ["Facts", "about"]


class Facts(msgspec.Struct, frozen=True):
    """A record that clauses read. Equal records must have equal findings."""


def about(who: Any, facts: msgspec.Struct | View, *to: str) -> Case:
    """Return the case of one or more units, with the first one's hex and those acted upon."""
    units = who if isinstance(who, (tuple, list)) else (who,)
    at = units[0].at if units else None
    return Case(tuple([unit.id for unit in units]), facts, to if at is None else (at, *to))
