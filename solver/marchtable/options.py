"""What each unit can still do: legal actions with their cost, and why each other verb is barred."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.action import verb_of
from marchtable.generator import Choice, candidates, legal_actions
from marchtable.notation import format_action, points
from marchtable.rulebook import find_rulebook

if TYPE_CHECKING:
    from marchtable.action import Action
    from marchtable.position import Position, Unit
    from marchtable.ruling import Ruling, Violation

__all__ = ["options"]


def options(
    position: Position[Any, Any], unit: str | None = None, *, side: str | None = None
) -> dict[str, Any]:
    """
    Tell what may be done now.

    Parameters
    ----------
    position
        Where the game stands.
    unit
        Only this unit.
    side
        Only this side's units; by default those of the sides that may act now.

    Returns
    -------
    dict
        ``{"status", "pending", "units": [{"unit", "left", "points", "actions", "barred",
        "unsupported", "entitlements"}]}``. An action with ``joins`` may be opened for those
        units; ``closes`` tells whether it is legal as it stands; ``details`` are what the rulebook
        tells of it. Amounts are points.

    Raises
    ------
    UnknownNameError
        If there is no such unit.
    """
    sides = (side,) if side else find_rulebook(position.rulebook).sides(position)
    chosen = [position.unit(unit)] if unit else [u for u in position.units if u.side in sides]
    return {
        "status": "LEGAL",
        "pending": [
            {
                "id": o.id, "clause": o.clause, "unit": o.unit, "note": o.note,
                "outcomes": [{"outcome": x.outcome, "chance": x.chance, "of": x.of} for x in o.outcomes],
            }
            for o in position.pending
        ],
        "units": [_unit_options(position, entry) for entry in chosen],
    }  # fmt: skip


def _unit_options(position: Position[Any, Any], unit: Unit) -> dict[str, Any]:
    rulebook = find_rulebook(position.rulebook)
    left = rulebook.allotment(position, unit) - rulebook.spent(unit)
    found: dict[str, Any] = {
        "unit": unit.id, "at": unit.at, "left": points(left), "points": rulebook.points(position, unit),
        "actions": [], "barred": [], "unsupported": [],
        "entitlements": rulebook.entitlements(position, unit),
    }  # fmt: skip
    choices = legal_actions(position, unit.id)
    found["actions"] = [_action(position, choice, unit.id) for choice in choices]
    if not position.pending:
        offered = {verb_of(choice.action) for choice in choices}
        found["barred"], found["unsupported"] = _barred(position, unit, offered)
    return found


def _action(position: Position[Any, Any], choice: Choice, unit: str) -> dict[str, Any]:
    entry: dict[str, Any] = {"action": format_action(choice.action), "verb": verb_of(choice.action)}
    for receipt in choice.ruling.receipts:
        if receipt.unit == unit:
            entry["cost"] = points(receipt.amount)
            entry["left"] = points(receipt.left)
    if choice.ruling.obligations:
        entry["rolls"] = [o.clause for o in choice.ruling.obligations]
    if choice.joins or not choice.closes:
        entry["closes"], entry["joins"] = choice.closes, list(choice.joins)
    if told := find_rulebook(position.rulebook).details(position, choice.action):
        entry["details"] = told
    return entry


def _barred(
    position: Position[Any, Any], unit: Unit, offered: set[str]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return, for each verb that offers nothing, what bars the attempt that came closest."""
    rulebook = find_rulebook(position.rulebook)
    closest: dict[str, Ruling] = {}
    unsupported: list[dict[str, Any]] = []
    for action in candidates(rulebook, position, unit):
        ruling = rulebook.rule(position, action)
        if not ruling.violations and ruling.unsupported:
            unsupported.append(_unmodelled(action, ruling))
        verb = verb_of(action)
        if verb in offered or not ruling.violations:
            continue
        if verb not in closest or len(ruling.violations) < len(closest[verb].violations):
            closest[verb] = ruling
    return [_bar(verb, ruling) for verb, ruling in closest.items()], unsupported


def _unmodelled(action: Action, ruling: Ruling) -> dict[str, Any]:
    return {"action": format_action(action), "clauses": [v.clause for v in ruling.unsupported]}


def _bar(verb: str, ruling: Ruling) -> dict[str, Any]:
    first = ruling.violations[0]
    return {
        "verb": verb,
        "clauses": list(dict.fromkeys(v.clause for v in ruling.violations)),
        "note": first.note,
        "need": _number(first, first.need),
        "have": _number(first, first.have),
        "closest": format_action(ruling.action),
    }


def _number(violation: Violation, value: int | str | None) -> Any:
    return points(value) if violation.halves and isinstance(value, int) else value
