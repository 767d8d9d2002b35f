"""What a unit is entitled to beside its actions: fire, observation, being a target, and losses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.state.position import Obligation
from marchtable_models.panzer.extraction import gunnery, reading, stacks
from marchtable_models.panzer.facts.steps import Owing
from marchtable_models.panzer.orders import Hit

if TYPE_CHECKING:
    from marchtable.rules.clause import Finding
    from marchtable.rules.edition import Edition
    from marchtable_models.panzer.extraction.reading import PanzerPosition
    from marchtable_models.panzer.model import PanzerUnit
    from marchtable_models.panzer.orders import Overrun

__all__ = ["bonus", "cheaper_loss", "debts", "of"]


def bonus(position: PanzerPosition, action: Overrun, edition: Edition) -> list[dict[str, Any]]:
    """Return by how much an overrun betters odds and die, as details of the action."""
    unit = position.unit(action.units[0])
    if unit.at is None:
        return []
    facts = reading.overrunning(position, unit, position.board.resolve(action.to), action.units)
    return [
        {
            "what": charge.part,
            "value": charge.amount,
            "parts": [{"clause": charge.clause, "amount": charge.amount, "note": charge.note}],
            "outcomes": [],
        }
        for charge in edition.judge(facts).charges
    ]


def of(position: PanzerPosition, unit: PanzerUnit, edition: Edition) -> list[dict[str, Any]]:
    """Return what a unit is entitled to as it stands."""
    if unit.at is None:
        return []
    firing = edition.judge(gunnery.firing(position, unit))
    observing = edition.judge(gunnery.observing(position, unit))
    owed = gunnery.owed(position, edition)
    found = [
        _entitlement("fire", firing, None),
        _entitlement("observe for indirect fire", observing, None),
    ]
    if owed:  # nothing else may be done before
        clauses = [bar.clause for bar in edition.judge(Owing()).bars]
        found = [{**entry, "allowed": False, "clauses": clauses} for entry in found]
    for way in ("direct", "indirect"):
        facts = gunnery.target(position, unit, Hit(unit.id, "D", way))
        judged = edition.judge(facts)
        factor = judged.total or reading.type_of(position, unit).defence
        found.append(_entitlement(f"be a target of its own for {way} fire", judged, factor))
    order = stacks.stack_order(position, unit.at)
    if len(order) > 1:
        found.append(
            _entry("lie in the stack, counted from its top", order.index(unit) + 1, ["P.rec-a"])
        )
    if unit in owed:
        what = "be removed"
        if cheaper_loss(position, edition) == unit.id:
            what = "be removed, as the unit of lower stated value"
        found.append(_entry(what, unit.value, ["P.dd-b"]))
    return found


def _entry(what: str, factor: int | None, clauses: list[str]) -> dict[str, Any]:
    return {"what": what, "allowed": True, "factor": factor, "clauses": clauses}


def _entitlement(what: str, finding: Finding, factor: int | None) -> dict[str, Any]:
    names = [bar.clause for bar in finding.bars] or [name for name, _ in finding.exceptions]
    clauses = list(dict.fromkeys((*names, *(charge.clause for charge in finding.charges))))
    return {"what": what, "allowed": not finding.bars, "factor": factor, "clauses": clauses}


def debts(position: PanzerPosition, edition: Edition) -> tuple[Obligation, ...]:
    """Return the removal that is owed, if one is, with who is better removed."""
    pair = gunnery.owed(position, edition)
    if not pair:
        return ()
    better = cheaper_loss(position, edition)
    advice = f"; {better} is worth less" if better else ""
    note = f"its owner must remove {pair[0].id} or {pair[1].id}{advice}"
    (bar,) = edition.judge(Owing()).bars
    return (Obligation(f"remove:{pair[1].id}", bar.clause, pair[1].id, (), note),)


def cheaper_loss(position: PanzerPosition, edition: Edition) -> str | None:
    """
    Return which of the two units, of which one must be removed, has the lower stated value.

    None where nothing is owed, or where both are worth the same.
    """
    pair = gunnery.owed(position, edition)
    if not pair or pair[0].value == pair[1].value:
        return None
    return min(pair, key=lambda unit: unit.value).id
