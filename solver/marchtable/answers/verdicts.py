"""The answer to ``check``: a verdict as plain data, with a sentence for each violation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.answers.instead import proposals
from marchtable.board.bridges import BRIDGE
from marchtable.codec.structs import outside, points
from marchtable.errors import BadInputError, shortened
from marchtable.files.notation import format_action
from marchtable.rules.allowance import changed
from marchtable.rules.referee import check
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.action import Phase, parameters
from marchtable.state.records import holder_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from marchtable.board.board import Board
    from marchtable.rules.rulebook import Rulebook
    from marchtable.rules.ruling import Effect, Receipt, Ruling, Verdict, Violation
    from marchtable.state.action import Action
    from marchtable.state.position import Obligation, Position

__all__ = [
    "below", "check_answer", "effect_text", "is_below", "obligation_data", "receipt_data", "violation_data",
    "which_level", "worded",
]  # fmt: skip

CHECK_FORMAT = "marchtable/check/1"


def check_answer(position: Position[Any, Any], log: Sequence[Action]) -> dict[str, Any]:
    """
    Judge a log and return all results.

    Parameters
    ----------
    position
        The starting position.
    log
        Its actions and events, in order.

    Returns
    -------
    dict
        Status, violations, receipts, effects, open obligations, slack (what each unit that paid
        has left), the entries, where the referee stopped, and the readings used; ``details`` if
        the rulebook states more of a step. Amounts are points; steps count from 0.

    Raises
    ------
    BadInputError
        If an entry names something that does not exist; its field names the entry.
    """
    try:
        verdict = check(position, log)
    except BadInputError as error:
        raise error.located(source="log") from None
    used = {pair for ruling in verdict.rulings for pair in ruling.readings}
    said = [
        (step, *exception)
        for step, ruling in enumerate(verdict.rulings)
        for exception in ruling.exceptions
    ]
    book = find_rulebook(position.rulebook)
    owed, assuming = book.debts(verdict.position), {n for _, n, _ in said if book.clause(n).assumes}
    exceptions = [
        {"clause": clause, "step": step, "note": note}
        for step, clause, note in said
        if clause not in assuming
    ]
    assumed = dict.fromkeys(f"{note} ({clause})" for _, clause, note in said if clause in assuming)
    assumed |= dict.fromkeys(book.assumptions(position, verdict.rulings))
    found = {
        "format": CHECK_FORMAT,
        "status": verdict.status,
        "violations": [
            violation_data(_knowing(position, verdict, v), v) for v in verdict.violations
        ],
        "unsupported": [
            violation_data(_knowing(position, verdict, v), v, modelled=False)
            for v in verdict.unsupported
        ],
        "receipts": [receipt_data(receipt) for receipt in verdict.receipts],
        "effects": [_effect_data(book, effect) for effect in verdict.effects],
        "exceptions": exceptions,
        "obligations": [obligation_data(o) for o in (*verdict.position.pending, *owed)],
        "slack": _slack(position, verdict),
        "stopped": verdict.stopped,
        "log": [format_action(action) for action in log],
        "assumed": list(assumed),
        "interpretations": dict(sorted(used)),
    }
    if details := _details(position, verdict):
        found["details"] = details
    if notes := [*which_level(position, log), *proposals(position, verdict)]:
        found["notes"] = notes
    return found


def which_level(position: Position[Any, Any], log: Sequence[Action]) -> Iterator[str]:
    """Yield which Location is meant for each hex with a bridge that is named without a level."""
    board = position.board
    for unit in position.units:
        if unit.at is not None and unit.at + BRIDGE in board.index:
            yield f"{unit.id} is below the bridge of {unit.at}; upon it is {unit.at}{BRIDGE}"
    for step, action in enumerate(log):
        for parameter in parameters(type(action)):
            name = getattr(action, parameter.name)
            if parameter.domain in ("adjacent", "location") and is_below(board, name):
                yield f"step {step}: {below(name)}"


def is_below(board: Board, name: str | None) -> bool:
    """Return whether a Location is the ground below a bridge."""
    return f"{name}{BRIDGE}" in board.index


def below(name: str) -> str:
    """Return the message for a request that names the ground below a bridge."""
    return f"{name} is the ground below the bridge; the bridge is {name}{BRIDGE}"


def _knowing(
    position: Position[Any, Any], verdict: Verdict, violation: Violation
) -> Position[Any, Any]:
    """Return the position before, or the last one if units are named that were created since."""
    known = position.index.keys() >= set(violation.units)
    return position if known else verdict.position


def _details(position: Position[Any, Any], verdict: Verdict) -> list[dict[str, Any]]:
    """Return the rulebook's details of each step that was judged."""
    rulebook = find_rulebook(position.rulebook)
    found, before = [], position
    for step, ruling in enumerate(verdict.rulings):
        details = list(rulebook.details(before, ruling.action))
        if ruling.after is not None and not isinstance(ruling.action, Phase):
            for name in _named(before, ruling):
                details += changed(rulebook, before, ruling.after, name, name)
        found += [{"step": step, **one} for one in details]
        before = ruling.after
    return found


def _named(position: Position[Any, Any], ruling: Ruling) -> list[str]:
    """Return the units on the map that pay for a step or are named first in it."""
    names = [receipt.unit for receipt in ruling.receipts] or [getattr(ruling.action, "unit", "")]
    after = ruling.after.index
    return [name for name in dict.fromkeys(names) if name in position.index and name in after]


# -- parts -----------------------------------------------------------------------------------------


def violation_data(
    position: Position[Any, Any], violation: Violation, *, modelled: bool = True
) -> dict[str, Any]:
    """Return a violation (or an unmodelled clause that applies) as plain data."""
    need, have = (
        points(value) if violation.halves and isinstance(value, int) else value
        for value in (violation.need, violation.have)
    )
    reason = _reason(position, violation, need, have, modelled=modelled)
    return {
        "clause": violation.clause,
        "units": list(violation.units),
        "step": violation.step,
        "hexes": list(violation.hexes),
        "need": need,
        "have": have,
        "after": violation.after,
        "reason": reason,
        "message": shortened(_sentence(position, violation, reason, modelled=modelled)),
    }


def _reason(
    position: Position[Any, Any], violation: Violation, need: Any, have: Any, *, modelled: bool
) -> str:
    """Return the fault itself, without unit, place and clause."""
    rulebook = find_rulebook(position.rulebook)
    if not modelled and rulebook.clauses[violation.clause].modelled:
        return f"cannot be judged here: {violation.note}"
    if not modelled:
        return f"not modelled: {rulebook.clauses[violation.clause].title}"
    if need is None or have is None:
        return violation.note
    unit = position.unit(violation.units[0]) if violation.halves and violation.units else None
    name = violation.points or (rulebook.points(position, unit) if unit is not None else "")
    numbers = shortfall(need, have, name, several=len(violation.units) > 1)
    return f"{violation.note}; {numbers}"


def _sentence(
    position: Position[Any, Any], violation: Violation, reason: str, *, modelled: bool
) -> str:
    who = _listed(violation.units) or "The side"
    where = " to ".join(violation.hexes)
    where = f" ({where})" if where else ""
    clause = find_rulebook(position.rulebook).clauses[violation.clause]
    if not modelled and not clause.modelled:
        return f"{who}{where}: {violation.clause} applies here but is {reason}."
    if not modelled:
        return f"{who}{where}: {violation.clause} {reason} ({clause.title})."
    broken = "break" if len(violation.units) > 1 else "breaks"
    return f"{who}{where} {broken} {violation.clause}: {reason} ({clause.title})."


def shortfall(need: Any, have: Any, name: str = "", *, several: bool = False) -> str:
    """Return the amount needed and the amount available, or the amount and its maximum."""
    lack, stock = (
        (f"{one:g}" if isinstance(one, float) else str(one)) + (f" {name}" if name else "")
        for one in (need, have)
    )
    if name and isinstance(have, int | float) and have < 0:
        missing = stock.removeprefix("-")
        return f"{'need' if several else 'needs'} {lack}, already {'lack' if several else 'lacks'} {missing}"
    if isinstance(need, int | float) and isinstance(have, int | float) and have > need:
        if name and not need:
            return f"{stock} left over"
        return f"{'have' if several else 'has'} {stock}, at most {lack}"
    return f"{'need' if several else 'needs'} {lack}, {'have' if several else 'has'} {stock}"


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def receipt_data(receipt: Receipt) -> dict[str, Any]:
    """Return a receipt as plain data."""
    return {
        "step": receipt.step,
        "unit": receipt.unit,
        "points": receipt.points,
        "amount": points(receipt.amount),
        "left": points(receipt.left),
        "charges": [
            {"clause": charge.clause, "amount": points(charge.amount), "note": charge.note}
            for charge in receipt.charges
        ],
    }


def _effect_data(rulebook: Rulebook[Any, Any], effect: Effect) -> dict[str, Any]:
    value = outside(holder_of(rulebook.unit_type, effect.field), effect.field, effect.value)
    found = {
        "clause": effect.clause, "step": effect.step, "unit": effect.unit, "field": effect.field,
        "value": value,
    }  # fmt: skip
    text = effect_text(rulebook, effect.field, value)
    return found if text is None else {**found, "text": text}


def effect_text(rulebook: Rulebook[Any, Any], field: str, value: Any) -> str | None:
    """
    Return what a clause's effect says to players, to follow the unit's name; None for bookkeeping.

    The value is in the form that answers use.
    """
    if rulebook.effects:
        return worded(rulebook.effects.get(field, {}), value)
    name = field.replace("_", " ")
    if isinstance(value, bool):
        return f"is now {name}" if value else f"is {name} no more"
    words = {"": "is off the map", "*": "is in {}"}
    return worded(
        words if field == "at" else {"": f"has no {name}", "*": f"has {name} {{}}"}, value
    )


def worded(words: Mapping[str, str], value: Any) -> str | None:
    """Return a field's words for a value: the key ``""`` is for nothing, ``"*"`` for any other value."""
    if isinstance(value, bool):
        return words.get(str(value).lower())
    if value is None or value in ("", [], ()):
        return words.get("")
    if isinstance(value, str | int) and str(value) in words:
        return words[str(value)]
    return words["*"].format(_listed_value(value)) if "*" in words else None


def _listed_value(value: Any) -> Any:
    """Return a value as text: of a list the names, separated by commas."""
    if not isinstance(value, list | tuple):
        return value
    return ", ".join(one["name"] if isinstance(one, dict) else str(one) for one in value)


def obligation_data(pending: Obligation) -> dict[str, Any]:
    """Return a pending roll or decision as plain data."""
    return {
        "id": pending.id,
        "clause": pending.clause,
        "unit": pending.unit,
        "note": pending.note,
        "outcomes": [
            {"outcome": odds.outcome, "chance": odds.chance, "of": odds.of}
            for odds in pending.outcomes
        ],
    }


def _slack(position: Position[Any, Any], verdict: Verdict) -> list[dict[str, Any]]:
    """Return each unit's remaining points after its last payment, adjusted for later changes."""
    last: dict[str, Receipt] = {}
    more: dict[str, int] = {}
    before = position
    for ruling in verdict.rulings:
        paid = {receipt.unit: receipt for receipt in ruling.receipts}
        after = before if ruling.after is None else ruling.after
        if not isinstance(ruling.action, Phase):  # a new phase begins another allotment
            for name in last.keys() - paid.keys():
                more[name] += _gained(before, after, name)
        last.update(paid)
        more.update(dict.fromkeys(paid, 0))
        before = after
    return [
        {"unit": r.unit, "points": r.points, "left": points(r.left + more[r.unit])}
        for r in last.values()
    ]


def _gained(before: Position[Any, Any], after: Position[Any, Any], name: str) -> int:
    """Return how many half points a unit on the map has gained between two positions."""
    was, now = before.unit(name), after.unit(name)
    if was is now or was.at is None or now.at is None:
        return 0
    book = find_rulebook(after.rulebook)
    had = book.allotment(before, was) - book.spent(was)
    return book.allotment(after, now) - book.spent(now) - had
