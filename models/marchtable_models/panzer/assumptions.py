"""Unverified figures behind an answer, by the marks in the data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.panzer.rules.hits import Hit
from marchtable_models.panzer.rules.loading import Unload
from marchtable_models.panzer.rules.movement import Move
from marchtable_models.panzer.rules.overruns import Overrun
from marchtable_models.panzer.views.ground import hexside_named, lie, row_named
from marchtable_models.panzer.views.units import type_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable.rules.ruling import Ruling
    from marchtable_models.panzer.model import PanzerPosition, PanzerUnit

__all__ = ["of"]


def of(position: PanzerPosition, rulings: Sequence[Ruling]) -> tuple[str, ...]:
    """Return the unverified figures of counters and of the chart that rulings rest on."""
    counters: dict[str, None] = {}
    chart: dict[str, None] = {}
    for ruling in rulings:
        action = ruling.action
        if isinstance(action, Overrun):
            for name in action.units:
                kind = type_of(position, position.unit(name))
                counters |= {f"{WORDS['mf']} of {kind.name}": None} if "mf" in kind.assumed else {}
        if isinstance(action, Move | Unload | Hit):
            unit = position.unit(action.unit)
            kind = type_of(position, unit)
            field = "defence" if isinstance(action, Hit) else "mf"
            if field in kind.assumed:
                counters[f"{WORDS[field]} of {kind.name}"] = None
            if isinstance(action, Move) and unit.at is not None:
                to = position.board.resolve(action.to)
                chart |= dict.fromkeys(_assumed_rows(position, unit, unit.at, to))
        position = ruling.after
    found = (", ".join(counters), ", ".join(chart))
    return tuple([f"not read in a rulebook: {names}" for names in found if names])


WORDS = {"mf": "movement factor", "defence": "defence factor"}


def _assumed_rows(position: PanzerPosition, unit: PanzerUnit, here: str, to: str) -> Iterator[str]:
    """Yield the chart rows with an assumed figure for the unit's column."""
    crossing = lie(position.board, here, to)
    if crossing.road or not crossing.adjacent:
        return
    column = type_of(position, unit).column
    names = [crossing.there, *(["Slope"] if crossing.rise else [])]
    rows = [row_named(position.conditions, name)[0] for name in names]
    left = row_named(position.conditions, crossing.here)[0]
    if left is not None and left.leave.of(column) and left not in rows:
        rows.append(left)
    for row in (*rows, hexside_named(position.conditions, crossing.hexside)):
        if row is not None and column in row.assumed:
            yield f"{row.title} ({column})"
