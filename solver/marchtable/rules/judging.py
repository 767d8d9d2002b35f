"""How findings become a ruling."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import msgspec

from marchtable.errors import BadInputError, UnknownNameError
from marchtable.nearest import did_you_mean
from marchtable.rules.ruling import Effect, Receipt, Ruling, Violation
from marchtable.rules.throws import outcomes_by_throw
from marchtable.state.position import Obligation
from marchtable.state.records import replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from marchtable.rules.clause import Bar, Finding
    from marchtable.rules.edition import Edition
    from marchtable.rules.throws import Throws
    from marchtable.state.action import Action, Settle
    from marchtable.state.position import Position

__all__ = ["Bill", "Case", "judged", "noted", "paid_by_unit", "rejected", "settled"]


MOST = 12
"""Maximum number of outcomes listed for a roll."""


class Case(NamedTuple):
    """
    One record of facts that applies to an action.

    Parameters
    ----------
    units
        The units it concerns; the first pays the cost.
    facts
        A frozen, hashable record; its type selects the clauses.
    hexes
        The place, for the violation's message.
    """

    units: tuple[str, ...]
    facts: Any
    hexes: tuple[str, ...] = ()


class Bill(NamedTuple):
    """
    A case with its finding, ready for the action's own effect.

    Parameters
    ----------
    case, finding
        The facts, and the clauses' finding on them.
    due, payment
        The facts of the payment and the finding on these; None if nothing is paid.
    amount
        The total cost, in half points.
    """

    case: Case
    finding: Finding
    due: Any
    payment: Finding | None
    amount: int


def paid_by_unit(bills: Sequence[Bill]) -> dict[str, int]:
    """Return the total cost to each unit that pays, in half points; a cost may be 0."""
    paid: dict[str, int] = {}
    for bill in bills:
        if bill.payment is not None:
            unit = bill.case.units[0]
            paid[unit] = paid.get(unit, 0) + bill.amount
    return paid


class Rules(Protocol):
    """The methods of a rulebook that rulings call."""

    @property
    def subjects(self) -> Any:
        """The subjects of the rulebook."""

    @property
    def throws(self) -> Throws:
        """Which rolls the sum of the dice settles."""

    def edition(self, position: Position[Any, Any], /) -> Edition:
        """Return the edition that applies in a position."""

    def cases(self, position: Position[Any, Any], action: Action, /) -> Iterable[Case]:
        """Return the facts that apply to an action."""

    def payments(
        self, position: Position[Any, Any], cases: Sequence[Case], findings: Sequence[Finding], /
    ) -> Sequence[Any]:
        """Return the facts of paying for each case."""

    def apply(
        self, position: Position[Any, Any], action: Action, bills: Sequence[Bill], /
    ) -> Position[Any, Any] | None:
        """Return the position after an action."""

    def points(self, position: Position[Any, Any], unit: Any, /) -> str:
        """Return the name of a unit's points."""


def judged(rulebook: Rules, position: Position[Any, Any], action: Action) -> Ruling:
    """Return the ruling on an action; nothing may be pending."""
    edition = rulebook.edition(position)
    bills: list[Bill] = []
    said: list[tuple[Case, Finding]] = []
    # the generator may have just computed it; popped, as views refer to their position
    known: Any = position.__dict__.pop("cases", None)
    if known is not None and known[0] is action and known[1] is edition:
        _, _, cases, findings = known
    else:
        cases = [*rulebook.cases(position, action)]
        findings = [edition.judge(case.facts) for case in cases]
    dues = rulebook.payments(position, cases, findings)
    for case, finding, due in zip(cases, findings, dues, strict=True):
        paid = None if due is None else edition.judge(due)
        amount = finding.total + (paid.total if paid else 0)
        bills.append(Bill(case, finding, due, paid, amount))
        if not finding.is_plain:
            said.append((case, finding))
        if paid and not paid.is_plain:
            said.append((case, paid))
    after = rulebook.apply(position, action, bills)
    receipts = tuple([_receipt(rulebook, position, bill) for bill in bills if bill.payment])
    ruling = _ruling(edition, action, said, after, receipts)
    if ruling.after is None:
        return ruling
    later = rulebook.subjects.aftermath(position, action, bills, ruling.after)
    if not later:
        return ruling
    said += [(case, edition.judge(case.facts)) for case in later]
    return _ruling(edition, action, said, after, receipts)


def _ruling(
    edition: Edition,
    action: Action,
    said: Sequence[tuple[Case, Finding]],
    after: Position[Any, Any] | None,
    receipts: tuple[Receipt, ...] = (),
) -> Ruling:
    """Return findings as a ruling; the position after includes forced values and rolls."""
    if not said:
        return Ruling(action=action, receipts=receipts, after=after)
    lifted = edition.lifted([found for _, found in said])
    obligations = _obligations(said)
    if after is not None:
        after = _with_forced(after, said)
        if obligations:
            pending = (*after.pending, *obligations)
            after = msgspec.structs.replace(after, pending=pending)
    return Ruling(
        action=action,
        receipts=receipts,
        violations=tuple(
            [_violation(c, bar) for c, f in said for bar in f.bars if bar.clause not in lifted]
        ),
        unsupported=tuple([_violation(c, bar) for c, f in said for bar in _open(f, lifted)]),
        effects=_effects(said),
        obligations=obligations,
        exceptions=_union([f.exceptions for _, f in said if f.exceptions]),
        readings=_union([f.readings for _, f in said if f.readings]),
        after=after,
    )


def _open(found: Finding, lifted: frozenset[str]) -> list[Bar]:
    """Return the bars of unmodelled clauses, and the bars that these leave uncertain."""
    return [*found.unsupported, *(bar for bar in found.bars if bar.clause in lifted)]


def _receipt(rulebook: Rules, position: Position[Any, Any], bill: Bill) -> Receipt:
    unit = position.unit(bill.case.units[0])
    charges = bill.finding.charges + (bill.payment.charges if bill.payment else ())
    left = bill.due.allotment - bill.due.spent - bill.amount
    if bill.payment is not None and not bill.payment.bars:
        left = max(0, left)  # some steps take more than is left
    return Receipt(unit.id, rulebook.points(position, unit), bill.amount, left, charges)


def _with_forced(
    after: Position[Any, Any], said: Sequence[tuple[Case, Finding]]
) -> Position[Any, Any]:
    forced: dict[str, dict[str, Any]] = {}
    for case, finding in said:
        for each in finding.forced:
            forced.setdefault(case.units[0], {})[each.field] = each.value
    if not forced:
        return after
    return after.with_units(
        [replace(after.unit(name), **forced_fields) for name, forced_fields in forced.items()]
    )


def settled(rulebook: Rules, position: Position[Any, Any], action: Settle) -> Ruling:
    """Return the ruling on an obligation's outcome."""
    for obligation in position.pending:
        if obligation.id == action.obligation:
            break
    else:
        names = [o.id for o in position.pending]
        waiting = ", ".join(names) or "nothing"
        raise UnknownNameError(
            f"no obligation {action.obligation!r} is pending ({waiting} is)"
            f"{did_you_mean(action.obligation, names)}",
            field="obligation",
        )
    if action.outcome not in (names := [o.outcome for o in obligation.outcomes if o.chance]):
        raise BadInputError(
            f"{obligation.id} cannot come out {action.outcome!r}{did_you_mean(action.outcome, names)}; "
            f"expected one of {', '.join(names)}",
            field="outcome",
        )
    if action.dice:
        thrown = outcomes_by_throw(obligation, rulebook.throws).get(action.dice, "no throw for it")
        if thrown != action.outcome:
            raise BadInputError(
                f"{obligation.id}: {action.dice} is {thrown}, not {action.outcome}", field="dice"
            )
    if obligation is not position.pending[0]:
        return rejected(position, action)
    left = position.pending[1:]
    struck = msgspec.structs.replace(position, pending=left)
    came = (struck, obligation, action.outcome, rulebook.edition(position))
    cases, after = rulebook.subjects.settle_cases(*came), rulebook.subjects.resolve(*came)
    return noted(rulebook, struck, action, cases, after)


def noted(
    rulebook: Rules,
    position: Position[Any, Any],
    event: Action,
    cases: Sequence[Case],
    after: Position[Any, Any],
) -> Ruling:
    """Return the ruling on an event; the position after includes the clauses' effects."""
    edition = rulebook.edition(position)
    return _ruling(edition, event, [(case, edition.judge(case.facts)) for case in cases], after)


def rejected(position: Position[Any, Any], action: Action) -> Ruling:
    """Return the ruling on an action while an obligation must be settled first."""
    first = position.pending[0]
    outcomes = "|".join([o.outcome for o in first.outcomes if o.chance][:MOST])
    what = first.id.partition(":")[0].replace("-", " ")
    note = f"{what} of {first.unit} must be settled first: `settle {first.id} {outcomes}`"
    return Ruling(action=action, violations=(Violation(first.clause, note, (first.unit,)),))


def _effects(said: Sequence[tuple[Case, Finding]]) -> tuple[Effect, ...]:
    return tuple(
        [Effect(x.clause, c.units[0], x.field, x.value) for c, f in said for x in f.forced]
    )


def _obligations(said: Sequence[tuple[Case, Finding]]) -> tuple[Obligation, ...]:
    return tuple([
        Obligation(
            f"{roll.name}:{case.units[0]}", roll.clause, case.units[0], roll.outcomes, roll.note
        )
        for case, finding in said
        for roll in finding.rolls
    ])  # fmt: skip


def _violation(case: Case, bar: Bar) -> Violation:
    return Violation(
        bar.clause, bar.note, case.units, case.hexes, bar.need, bar.have, bar.halves,
        points=bar.points,
    )  # fmt: skip


def _union(groups: Sequence[tuple[tuple[str, str], ...]]) -> tuple[tuple[str, str], ...]:
    if not groups:
        return ()
    return tuple(dict.fromkeys(pair for group in groups for pair in group))
