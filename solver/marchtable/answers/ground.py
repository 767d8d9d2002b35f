"""Notes on what an answer leaves out: terrain without rules, and actions that are not searched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Iterable

    from marchtable.state.position import Position

__all__ = ["ground_notes", "unplanned_notes"]

MOST = 4
"""Most hexes that are named for a terrain."""


def ground_notes(position: Position[Any, Any]) -> list[str]:
    """Return a line for each terrain that neither the rulebook nor the scene covers, with its hexes."""
    rulebook, board = find_rulebook(position.rulebook), position.board
    stated = rulebook.map_names(position.conditions) or {}
    covered = {name for names in stated.values() for name in names}
    lines = []
    for name in [one for one in rulebook.uncovered(board) or () if one not in covered]:
        hexes = list(dict.fromkeys(one.hex for one in board.locations if one.terrain == name))
        rest = f" and {len(hexes) - MOST} more" if len(hexes) > MOST else ""
        where = f" ({', '.join(hexes[:MOST])}{rest})" if hexes else ""
        lines.append(f"{rulebook.name} has no rules for {name}{where}")
    return lines


def unplanned_notes(position: Position[Any, Any], clauses: Iterable[str]) -> list[str]:
    """Return a line for each of these clauses whose actions no model searches: what to do instead."""
    unplanned = find_rulebook(position.rulebook).unplanned
    return [unplanned[clause] for clause in clauses if clause in unplanned]
