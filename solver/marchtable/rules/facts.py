"""What functions of a subject take and return: records of facts, cases, findings; see :mod:`marchtable.rules.subjects`."""

from __future__ import annotations

from typing import Any

import msgspec

from marchtable.rules.clause import Finding as Finding
from marchtable.rules.clause import Sheet as Sheet
from marchtable.rules.edition import Edition as Edition
from marchtable.rules.judging import Bill as Bill
from marchtable.rules.judging import Case as Case

__all__ = ["Facts", "about"]


class Facts(msgspec.Struct, frozen=True):
    """A record that clauses look at. Equal records must deserve equal findings."""


def about(unit: Any, facts: Facts, *to: str) -> Case:
    """Return the case of a unit, with its hex, if it is on the map, and those that it acts upon."""
    return Case((unit.id,), facts, to if unit.at is None else (unit.at, *to))
