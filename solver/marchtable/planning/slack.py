"""The slack of a legal log: which clause would break next, and by how much, found by probing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.budget import budget_scope, heeding, work
from marchtable.codec.structs import points
from marchtable.rules.referee import check
from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable.budget import Budget
    from marchtable.rules.ruling import Receipt, Ruling, Verdict
    from marchtable.state.action import Action
    from marchtable.state.position import Position

__all__ = ["Slack", "slack"]

MOST_COPIES = 3
STEP = 0.0001  # deterministic time charged per entry of a log, each time it is judged


class Slack(NamedTuple):
    """
    A slack: how much more a log could use before it breaks a clause.

    Parameters
    ----------
    clause
        The clause that binds next.
    unit, at
        The unit, or the Location.
    what, amount
        The kind and amount of slack: points that the unit has to spare, or further units like it
        that could be there.
    """

    clause: str
    unit: str
    at: str | None
    what: str
    amount: int | float


def slack(position: Position[Any, Any], log: Sequence[Action], budget: Budget) -> list[Slack]:
    """
    Return the slack of a legal log, tightest first.

    Listed by unit and Location: how many fewer points a unit could have, how many more could be
    there, and what the rulebook states of carriers. When the budget is spent, the results so far
    are returned.
    """
    found: list[Slack] = []
    with heeding(budget.stop), budget_scope(budget):
        verdict = _checked(position, log)
        for one in (_points, _carried, _room):
            found.extend(one(position, log, verdict))
    return sorted(found, key=lambda one: one.amount)


def _checked(position: Position[Any, Any], log: Sequence[Action]) -> Verdict:
    """Return the referee's verdict, charged as work."""
    work(STEP * (len(log) + 1))
    return check(position, log)


def _carried(
    position: Position[Any, Any], _: Sequence[Action], verdict: Verdict
) -> Iterator[Slack]:
    """Yield, for each carrier, the least room that it ever has for more."""
    rulebook = find_rulebook(position.rulebook)
    least: dict[tuple[str, str, str], int] = {}
    before: dict[str, list[str]] = {}
    for ruling in verdict.rulings:
        cargo: dict[str, list[str]] = {}
        for unit in ruling.after.units:
            if (carrier := unit.carrier) is not None:
                cargo.setdefault(carrier, []).append(unit.id)
        for name in (name for name, aboard in cargo.items() if before.get(name) != aboard):
            for clause, what, halves in rulebook.room(ruling.after, ruling.after.unit(name)):
                key = (clause, name, what)
                least[key] = min(halves, least.get(key, halves))
        before = cargo
    for (clause, name, what), halves in least.items():
        yield Slack(clause, name, None, what, points(halves))


def _points(
    position: Position[Any, Any], log: Sequence[Action], verdict: Verdict
) -> Iterator[Slack]:
    """Yield how many fewer points each paying unit could have."""
    rulebook = find_rulebook(position.rulebook)
    before = position
    last: dict[str, tuple[Position[Any, Any], Ruling, Receipt]] = {}
    for ruling in verdict.rulings:
        paid = [receipt for receipt in ruling.receipts if receipt.amount]
        last |= {receipt.unit: (before, ruling, receipt) for receipt in paid}
        before = ruling.after
    for name, step in last.items():
        unit = position.unit(name)
        grains = [n for n in (1, 2) if rulebook.with_points(position, unit, -n) is not None]
        found = _fewer(position, log, unit, grains[0]) if grains else None
        found = found or _short(*step)  # the amount printed may differ from what it can spend
        if found is not None:
            yield Slack(found[0], name, None, rulebook.points(position, unit), points(found[1]))


def _fewer(
    position: Position[Any, Any], log: Sequence[Action], unit: Any, grain: int
) -> tuple[str, int] | None:
    """Return the clause that breaks with fewer points, and how many can be missing until then."""
    rulebook = find_rulebook(position.rulebook)

    def broken(grains: int) -> tuple[str, ...] | None:
        """Return the clauses broken with that many fewer, or None if there cannot be so few."""
        changed = rulebook.with_points(position, unit, -grain * grains)
        return (
            None if changed is None else tuple(v.clause for v in _checked(changed, log).violations)
        )

    most = rulebook.allotment(position, unit) // grain
    low, high, first = 0, 1, broken(1)
    while first == () and high < most:
        low, high = high, min(2 * high, most)
        first = broken(high)
    while high - low > 1:
        middle = (low + high) // 2
        found = broken(middle)
        if found == ():
            low = middle
        else:
            high, first = middle, found
    return (first[0], grain * (high - 1)) if first else None


def _short(
    position: Position[Any, Any], ruling: Ruling, receipt: Receipt
) -> tuple[str, int] | None:
    """Return the same for the last payment, as if made from a smaller allotment."""
    rulebook = find_rulebook(position.rulebook)
    edition = rulebook.edition(position)
    cases = [*rulebook.cases(position, ruling.action)]
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
    """
    Yield, for each Location where units end, how many more like the last one could be there.

    The additional units are placed just before it arrives, and the rest of the log is judged.
    """
    rulebook = find_rulebook(position.rulebook)
    last: dict[str, tuple[int, Position[Any, Any], Any]] = {}
    before = position
    for step, ruling in enumerate(verdict.rulings):
        for receipt in ruling.receipts:
            unit = ruling.after.unit(receipt.unit)
            last = {at: one for at, one in last.items() if one[2].id != unit.id}
            if unit.at is not None:
                last[unit.at] = step, before, unit
        before = ruling.after
    for at, (step, there, unit) in last.items():
        first = position.unit(unit.id)
        if first.carrier is not None or rulebook.is_bound(position, first):
            continue  # others refer to it, or it is aboard one that has no room for a copy
        if rulebook.alone(position, first) != position:
            continue  # a line has no second place of its rank
        copies: list[Any] = []
        for number in range(1, MOST_COPIES + 1):
            copies.append(msgspec.structs.replace(first, id=f"{unit.id}+{number}", at=at))
            crowded = msgspec.structs.replace(there, units=(*there.units, *copies))
            broken = _checked(crowded, log[step:]).violations
            if broken:
                yield Slack(broken[0].clause, unit.id, at, "units", number - 1)
                break
