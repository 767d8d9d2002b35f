"""A unit's entitlements besides its actions: fire, observation, being a target, and losses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.state.position import Obligation
from marchtable_models.panzer.rules.fire import Fire
from marchtable_models.panzer.rules.hits import Hit
from marchtable_models.panzer.rules.observation import Observe
from marchtable_models.panzer.rules.overruns import overrunning
from marchtable_models.panzer.rules.removal import Owing, owed
from marchtable_models.panzer.rules.stack_order import stack_order
from marchtable_models.panzer.views.units import type_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from marchtable.rules.clause import Finding
    from marchtable.rules.edition import Edition
    from marchtable.state.action import Action
    from marchtable_models.panzer.model import PanzerPosition, PanzerUnit
    from marchtable_models.panzer.rules.overruns import Overrun

    Judge = Callable[[PanzerPosition, Action], Sequence[Finding]]

__all__ = ["bonus", "cheaper_loss", "debts", "of"]


def bonus(position: PanzerPosition, action: Overrun, edition: Edition) -> list[dict[str, Any]]:
    """Return an overrun's bonus to odds and die, as details of the action."""
    unit = position.unit(action.units[0])
    if unit.at is None:
        return []
    facts = overrunning(position, unit, position.board.resolve(action.to), action.units)
    return [
        {
            "what": charge.part,
            "value": charge.amount,
            "parts": [{"clause": charge.clause, "amount": charge.amount, "note": charge.note}],
            "outcomes": [],
        }
        for charge in edition.judge(facts).charges
    ]


def of(
    position: PanzerPosition, unit: PanzerUnit, edition: Edition, judge: Judge
) -> list[dict[str, Any]]:
    """
    Return the unit's entitlements.

    Parameters
    ----------
    judge
        Returns the clauses' findings on an action for the acting unit itself.
    """
    if unit.at is None:
        return []
    found = [
        _entitlement("fire", judge(position, Fire(unit.id)), None),
        _entitlement("observe for indirect fire", judge(position, Observe(unit.id)), None),
    ]
    pair = owed(position, edition)
    if pair:  # nothing else can be done first
        clauses = [bar.clause for bar in edition.judge(Owing()).bars]
        found = [{**entry, "allowed": False, "clauses": clauses} for entry in found]
    for way in ("direct", "indirect"):
        judged = judge(position, Hit(unit.id, "D", way))
        factor = sum(finding.total for finding in judged) or type_of(position, unit).defence
        found.append(_entitlement(f"be a target of its own for {way} fire", judged, factor))
    order = stack_order(position, unit.at)
    if len(order) > 1:
        found.append(
            _entry("lie in the stack, counted from its top", order.index(unit) + 1, ["P.rec-a"])
        )
    if unit in pair:
        what = "be removed"
        if cheaper_loss(position, edition) == unit.id:
            what = "be removed, as the unit of lower stated value"
        found.append(_entry(what, unit.value, ["P.dd-b"]))
    return found


def _entry(what: str, factor: int | None, clauses: list[str]) -> dict[str, Any]:
    return {"what": what, "allowed": True, "factor": factor, "clauses": clauses}


def _entitlement(what: str, findings: Sequence[Finding], factor: int | None) -> dict[str, Any]:
    """Return an entitlement: the clauses that deny it, or those that grant or change it."""
    bars = [bar.clause for found in findings for bar in found.bars]
    names = bars or [name for found in findings for name, _ in found.exceptions]
    names += [charge.clause for found in findings for charge in found.charges]
    return {
        "what": what,
        "allowed": not bars,
        "factor": factor,
        "clauses": list(dict.fromkeys(names)),
    }


def debts(position: PanzerPosition, edition: Edition) -> tuple[Obligation, ...]:
    """Return the removal owed, if any, with the better unit to remove."""
    pair = owed(position, edition)
    if not pair:
        return ()
    better = cheaper_loss(position, edition)
    advice = f"; {better} is worth less" if better else ""
    note = f"{pair[0].side} must remove {pair[0].id} or {pair[1].id}{advice}"
    bars = edition.judge(Owing()).bars
    return tuple(
        Obligation(f"remove:{pair[1].id}", bar.clause, pair[1].id, (), note) for bar in bars
    )


def cheaper_loss(position: PanzerPosition, edition: Edition) -> str | None:
    """
    Return the unit of the lower stated value, if one of two must be removed.

    None if nothing is owed, or both are worth the same.
    """
    pair = owed(position, edition)
    if not pair or pair[0].value == pair[1].value:
        return None
    return min(pair, key=lambda unit: unit.value).id
