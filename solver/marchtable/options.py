"""What each unit can still do: legal actions with their cost, its reach, and why each other verb is barred."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.action import verb_of
from marchtable.generator import Choice, judged_candidates, legal_actions
from marchtable.notation import format_action, points
from marchtable.reach import reach as reach_of
from marchtable.rulebook import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.action import Action
    from marchtable.position import Position, Unit
    from marchtable.ruling import Ruling, Violation

__all__ = ["options", "reaches_told"]


def options(
    position: Position[Any, Any],
    unit: str | None = None,
    *,
    side: str | None = None,
    reach: bool = True,
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
    reach
        Whether to tell where each unit can get to as well, and what it could do there.

    Returns
    -------
    dict
        ``{"status", "pending", "units": [{"unit", "left", "points", "actions", "barred",
        "unsupported", "entitlements", "reach"}]}``. An action with ``joins`` may be opened for
        those units; ``closes`` tells whether it is legal as it stands; ``details`` are what the
        rulebook tells of it. ``reach`` holds the most points left in each Location reached, and
        ``prospects``: what the rulebook says could be done there. Amounts are points.

    Raises
    ------
    UnknownNameError
        If there is no such unit.
    """
    rulebook = find_rulebook(position.rulebook)
    sides = (side,) if side else rulebook.sides(position)
    chosen = [position.unit(unit)] if unit else [u for u in position.units if u.side in sides]
    found = [_unit_options(position, entry) for entry in chosen]
    if reach and rulebook.travel and not position.pending:
        told = reaches_told(position, [entry.id for entry in chosen])
        for entry, where in zip(found, told, strict=True):
            entry["reach"] = where
    return {
        "status": "LEGAL",
        "pending": [
            {
                "id": o.id, "clause": o.clause, "unit": o.unit, "note": o.note,
                "outcomes": [{"outcome": x.outcome, "chance": x.chance, "of": x.of} for x in o.outcomes],
            }
            for o in position.pending
        ],
        "units": found,
    }  # fmt: skip


def reaches_told(position: Position[Any, Any], units: Sequence[str]) -> list[dict[str, Any]]:
    """Return where each unit can get to, and what it could do there, as `options` tell it."""
    rulebook = find_rulebook(position.rulebook)
    known = {found.unit.id: found for found in reach_of(position, units)}
    return [
        {
            "exact": found.is_exact,
            "assumed": list(found.assumed),
            "unsupported": list(found.unsupported),
            "locations": {at: points(left) for at, left in found.most_left().items()},
            "prospects": rulebook.prospects(position, found, known),
        }
        for found in known.values()
    ]


def _unit_options(position: Position[Any, Any], unit: Unit) -> dict[str, Any]:
    rulebook = find_rulebook(position.rulebook)
    left = rulebook.allotment(position, unit) - rulebook.spent(unit)
    found: dict[str, Any] = {
        "unit": unit.id, "at": unit.at, "left": points(left), "points": rulebook.points(position, unit),
        "actions": [], "barred": [], "unsupported": [],
        "entitlements": rulebook.entitlements(position, unit),
    }  # fmt: skip
    if position.pending:
        choices = legal_actions(position, unit.id)
        found["actions"] = [_action(position, choice, unit.id) for choice in choices]
        return found
    tried = judged_candidates(position, unit)
    choices = [choice for choice in tried if choice.closes or choice.joins]
    found["actions"] = [_action(position, choice, unit.id) for choice in choices]
    offered = {verb_of(choice.action) for choice in choices}
    found["barred"], found["unsupported"] = _barred([choice.ruling for choice in tried], offered)
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
    rulings: Sequence[Ruling], offered: set[str]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return, for each verb that offers nothing, what bars the attempt that came closest."""
    closest: dict[str, Ruling] = {}
    unsupported: list[dict[str, Any]] = []
    for ruling in rulings:
        if not ruling.violations and ruling.unsupported:
            unsupported.append(_unmodelled(ruling.action, ruling))
        verb = verb_of(ruling.action)
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
