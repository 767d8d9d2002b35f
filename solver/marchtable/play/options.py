"""Units' options: legal actions with their cost, reach, and why each other verb is unavailable."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from marchtable.arguments import public
from marchtable.budget import report_progress
from marchtable.errors import BadInputError
from marchtable.files.notation import points
from marchtable.play.offers import offers, settlements
from marchtable.reachability.reach import reach as reach_of
from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.state.position import Position, Unit

__all__ = ["options", "reach_data"]


@public
def options(
    position: Position[Any, Any],
    unit: str | None = None,
    *,
    side: str | None = None,
    reach: bool = True,
) -> dict[str, Any]:
    """
    Return the possible actions.

    Parameters
    ----------
    position
        The position.
    unit
        Only this unit.
    side
        Only this side's units; by default the units that may have a choice now.
    reach
        Whether to list also where each unit can go, and what it could do there.

    Returns
    -------
    dict
        ``{"status", "pending", "unproposed", "units": [{"unit", "left", "points", "actions",
        "barred", "unsupported", "entitlements", "reach"}]}``. An action with ``joins`` can be
        opened for those units; ``closes`` says whether it is legal as it is; ``details`` are the
        rulebook's. ``unproposed`` are verbs that are judged but never listed among the actions.
        ``reach`` holds the most points left in each reachable Location, and ``prospects``: what the
        rulebook says could be done there. Amounts are points.

    Raises
    ------
    BadInputError, UnknownNameError
        If a list of names is given, or there is no such unit.
    """
    if unit and unit not in position.index and re.search("[, ]", unit):
        raise BadInputError(
            f"expected one unit, got {unit!r}; the options of each list who can go along",
            field="unit",
        )
    rulebook = find_rulebook(position.rulebook)
    if unit:
        chosen = [position.unit(unit, "unit")]
    elif side:
        chosen = [one for one in position.units if one.side == side]
    else:
        chosen = [*rulebook.active(position)]
    found = []
    for number, entry in enumerate(chosen, 1):
        report_progress(f"options of {entry.id}", number, len(chosen))
        found.append(_unit_options(position, entry))
    if reach and rulebook.travel and not position.pending:
        reached = reach_data(position, [entry.id for entry in chosen])
        for entry, where in zip(found, reached, strict=True):
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
        "unproposed": [verb for verb, kind in rulebook.verbs.items() if kind.unlisted],
        "units": found,
    }  # fmt: skip


def reach_data(position: Position[Any, Any], units: Sequence[str]) -> list[dict[str, Any]]:
    """Return each unit's reach and its options there, in the form of `options`."""
    rulebook = find_rulebook(position.rulebook)
    known = {found.unit.id: found for found in reach_of(position, units)}
    return [
        {
            "exact": found.is_exact,
            "assumed": list(found.assumed),
            "unsupported": list(found.unsupported),
            "locations": _in_points(found.most_left()),
            "prospects": rulebook.prospects(position, found, known),
        }
        for found in known.values()
    ]


def _in_points(halves: dict[str, int]) -> dict[str, float]:
    by_number = [points(number) for number in range(max(halves.values(), default=0) + 1)]
    return {at: by_number[number] for at, number in halves.items()}


def _unit_options(position: Position[Any, Any], unit: Unit) -> dict[str, Any]:
    rulebook = find_rulebook(position.rulebook)
    left = rulebook.allotment(position, unit) - rulebook.spent(unit)
    found: dict[str, Any] = {
        "unit": unit.id, "at": unit.at, "left": points(left), "points": rulebook.points(position, unit),
        "actions": [], "barred": [], "unsupported": [],
        "entitlements": rulebook.entitlements(position, unit),
    }  # fmt: skip
    if position.pending:
        found["actions"] = settlements(position, unit)
        return found
    found["actions"], found["barred"], found["unsupported"] = offers(position, unit)
    return found
