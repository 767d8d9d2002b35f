"""The Terrain Chart as clauses: one for each row of ``terrain.toml``."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import msgspec

from marchtable.clause import Clause, Sheet, unsupported
from marchtable_models.asl.data import Row, rows

if TYPE_CHECKING:
    from marchtable_models.asl.facts import Entry, Mover

__all__ = [
    "Cell", "cell", "charge_row", "has_second_way", "hexside_clauses", "hexside_of",
    "is_hexside", "row_named",
    "row_of", "terrain_clauses",
]  # fmt: skip


class Cell(msgspec.Struct, frozen=True):
    """
    One cell of the chart.

    Parameters
    ----------
    amount
        Half points; 0 where ``entry`` is not ``"points"``.
    entry
        ``"points"``, ``"NA"``, ``"ALL"`` or ``"1/2"``.
    marks
        What else it says: ``+OG``, ``B``, ``BB``, ``D``.
    """

    amount: int
    entry: str
    marks: frozenset[str]


@cache
def _cell_of(text: str) -> Cell:
    first, *marks = text.split()
    if first in ("NA", "ALL", "1/2"):
        return Cell(0, first, frozenset(marks))
    return Cell(int(float(first) * 2), "points", frozenset(marks))


@cache
def _by_id() -> dict[str, Row]:
    return {row.id: row for kind in rows() for row in kind}


def row_named(name: str) -> Row:
    """Return the row of that id."""
    return _by_id()[name]


def cell(row: str, mover: Mover) -> Cell:
    """Return what the chart says of a row for a mover."""
    text: str = getattr(_by_id()[row], mover.column)
    return _cell_of(text)


@cache
def has_second_way(column: str) -> bool:
    """Tell whether some row gives the column a second way in, for half the allotment."""
    return any(column in row.half for row in rows()[0])


@cache
def _by_name(kind: int) -> dict[str, str]:
    return {name: row.id for row in rows()[kind] for name in row.names}


def is_hexside(terrain: str) -> bool:
    """Tell whether a terrain is one that lies along hexsides, by its VASL name."""
    return terrain in _by_name(1)


def row_of(terrain: str) -> str:
    """Return the row that covers a terrain, by its VASL name; ``other`` where none does."""
    return _by_name(0).get(terrain, "other")


def hexside_of(terrain: str | None) -> str:
    """Return the row that covers what lies along a hexside, ``""`` for nothing."""
    return _by_name(1).get(terrain, "other-hexside") if terrain else ""


def charge_cell(facts: Entry, sheet: Sheet, row: Row, *, part: str) -> None:
    """Write what one cell says about an entry on the sheet."""
    mover = facts.mover
    found = cell(row.id, mover)
    title = row.title
    if facts.half and mover.column in row.half:
        sheet.charge(mover.mp // 2, f"{title}, half the allotment", part)
    elif found.entry == "NA":
        sheet.bar(f"{title} is not allowed to {mover.column} movement")
    elif found.entry == "ALL":
        sheet.charge(mover.mp, f"{title}, whole allotment", "all")
    elif found.entry == "1/2":
        sheet.charge(mover.mp // 2, f"{title}, half the allotment", part)
    else:
        sheet.charge(found.amount, title, part)
        if "+OG" in found.marks and not facts.ground.within:
            sheet.charge(cell("open", mover).amount, "Open Ground in it", part)


def charge_row(facts: Entry, sheet: Sheet, row: Row) -> None:
    """Write what entering such terrain costs on the sheet."""
    if row.months and facts.month not in row.months:
        sheet.charge(cell("open", facts.mover).amount, f"{row.title}: out of season", "cot")
    else:
        charge_cell(facts, sheet, row, part="cot")


def _terrain_clause(row: Row) -> Clause:
    if not row.modelled:
        return unsupported(row.clause, row.title, lambda facts: facts.ground.there == row.id)

    def enter(facts: Entry, sheet: Sheet) -> None:
        if facts.ground.there == row.id and not facts.way:
            charge_row(facts, sheet, row)

    return Clause(row.clause, f"{row.title}: cost of entry", kind="cost", function=enter)


def _hexside_clause(row: Row) -> Clause:
    if not row.modelled:
        return unsupported(row.clause, row.title, lambda facts: facts.ground.hexside == row.id)

    def cross(facts: Entry, sheet: Sheet) -> None:
        if facts.ground.hexside == row.id:
            if facts.ground.hurdle:
                charge_cell(facts, sheet, row, part="hexside")
            else:
                way = "the gap of a road" if facts.ground.road else "an obvious gap"
                sheet.exception(f"{row.title} by {way}")

    return Clause(row.clause, f"{row.title}: cost", kind="cost", function=cross)


def terrain_clauses() -> tuple[Clause, ...]:
    """Return a clause for each Location row."""
    return tuple(_terrain_clause(row) for row in rows()[0])


def hexside_clauses() -> tuple[Clause, ...]:
    """Return a clause for each hexside row."""
    return tuple(_hexside_clause(row) for row in rows()[1])
