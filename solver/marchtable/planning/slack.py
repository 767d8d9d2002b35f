"""How much room a legal log leaves: which clause would break next, and by how much, probed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.referee import check
from marchtable.rulebook import find_rulebook
from marchtable.structs import points

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable.action import Action
    from marchtable.position import Position
    from marchtable.ruling import Receipt, Ruling, Verdict

__all__ = ["Slack", "slack"]

MOST_COPIES = 3


class Slack(NamedTuple):
    """
    Room that a log leaves before it would break a clause.

    Parameters
    ----------
    clause
        The clause that binds next.
    unit, at
        Whom it concerns, or in which Location.
    what, amount
        Of what there is room, and for how much: points that the unit need not have, or units
        like it that might stand there as well.
    """

    clause: str
    unit: str
    at: str | None
    what: str
    amount: int | float


def slack(position: Position[Any, Any], log: Sequence[Action]) -> list[Slack]:
    """Return the room that a legal log leaves, unit by unit and Location by Location, tightest first."""
    verdict = check(position, log)
    found = [*_points(position, log, verdict), *_room(position, log, verdict)]
    return sorted(found, key=lambda one: one.amount)


def _points(
    position: Position[Any, Any], log: Sequence[Action], verdict: Verdict
) -> Iterator[Slack]:
    """Yield for each unit that pays how many points it might have less."""
    rulebook = find_rulebook(position.rulebook)
    before = position
    last: dict[str, tuple[Position[Any, Any], Ruling, Receipt]] = {}
    for ruling in verdict.rulings:
        paid = [receipt for receipt in ruling.receipts if receipt.amount]
        last |= {receipt.unit: (before, ruling, receipt) for receipt in paid}
        before = ruling.after
    for name, step in last.items():
        unit = position.unit(name)
        found = _fewer(position, log, unit) or _short(*step)
        if found is not None:
            yield Slack(found[0], name, None, rulebook.points(position, unit), points(found[1]))


def _fewer(
    position: Position[Any, Any], log: Sequence[Action], unit: Any
) -> tuple[str, int] | None:
    """Return the clause that breaks with fewer points, and how many may be missing before it does."""
    rulebook = find_rulebook(position.rulebook)
    spare = 0
    for halves in range(1, rulebook.allotment(position, unit) + 1):
        changed = rulebook.with_points(position, unit, -halves)
        if changed is None:  # it cannot be so many, but it might be more
            continue
        broken = check(changed, log).violations
        if broken:
            return broken[0].clause, spare
        spare = halves
    return None


def _short(
    position: Position[Any, Any], ruling: Ruling, receipt: Receipt
) -> tuple[str, int] | None:
    """Return the same by what was last paid, were it paid out of a smaller allotment."""
    rulebook = find_rulebook(position.rulebook)
    edition = rulebook.edition(position)
    cases = rulebook.cases(position, ruling.action)
    dues = rulebook.payments(position, cases, [edition.judge(case.facts) for case in cases])
    for case, due in zip(cases, dues, strict=True):
        if due is None or case.units[0] != receipt.unit or not isinstance(due, msgspec.Struct):
            continue
        allotment = getattr(due, "allotment", 0) - receipt.left - 1
        broken = edition.judge(msgspec.structs.replace(due, allotment=allotment)).bars
        if broken and receipt.left >= 0:
            return broken[0].clause, receipt.left
    return None


def _room(position: Position[Any, Any], log: Sequence[Action], verdict: Verdict) -> Iterator[Slack]:
    """Yield for each Location where units end how many more like the last might be there."""
    last: dict[str, Any] = {}
    for ruling in verdict.rulings:
        for receipt in ruling.receipts:
            unit = ruling.after.unit(receipt.unit)
            last = {at: other for at, other in last.items() if other.id != unit.id}
            if unit.at is not None:
                last[unit.at] = unit
    for at, unit in last.items():
        copies: list[Any] = []
        start = position.unit(unit.id)
        for number in range(1, MOST_COPIES + 1):
            copies.append(msgspec.structs.replace(start, id=f"{unit.id}+{number}", at=at))
            crowded = msgspec.structs.replace(position, units=(*position.units, *copies))
            broken = check(crowded, log).violations
            if broken:
                yield Slack(broken[0].clause, unit.id, at, "units", number - 1)
                break
