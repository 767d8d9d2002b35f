"""The Terrain Chart: the cost of each terrain, hexside and counter for each kind of mover."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import msgspec

from marchtable_models.asl.data import Row, rows, works
from marchtable_models.asl.views.ground_facts import STREAMS

if TYPE_CHECKING:
    from marchtable.rules.facts import Sheet
    from marchtable_models.asl.views.entry import Entry, Mover

MOVERS = {
    "inf": "Infantry", "cav": "cavalry", "hd": "horse-drawn units", "mc": "motorcycles",
    "ac": "armored cars", "ft": "fully-tracked vehicles", "ht": "halftracks", "tr": "trucks",
}  # fmt: skip
"""The units of each column, in messages."""
COLUMNS = tuple(MOVERS)
SHELLHOLES = "shellholes"
ALL_ON_FOOT = 2
"""Half points that stand for all MF on foot; any rest is charged on payment."""


MINIMUM_ONLY = "minimum-only"
"""The part of a charge for a hexside that a unit on foot crosses only by Minimum Move."""


class Cell(msgspec.Struct, frozen=True):
    """One cell of the chart."""

    # ``"points"``, ``"part"`` (of the allotment), ``"NA"``, ``"ALL"``, ``"M"`` or ``"-"``
    entry: str
    amount: int = 0  # half points; for ``"part"``, what the allotment is divided by
    more: int = 0  # half points on top that going uphill does not double
    drm: int = 0  # bog DRM at entry
    # what else it says: ``+OG``, ``+COT``, ``B``, ``BB``, ``D``, ``X`` …
    marks: frozenset[str] = frozenset()


@cache
def _cell_of(text: str) -> Cell:
    first, *rest = text.split()
    more = drm = 0
    marks = set()
    for mark in rest:
        if mark[:1] == "+" and mark[1:].isdigit():
            more = int(mark) * 2
        else:
            letter, _, value = mark.partition("+") if mark[0] != "+" else (mark, "", "")
            marks.add(letter)
            drm += int(value or 0)
    if first in ("NA", "ALL", "M", "-"):
        return Cell(first, 0, more, drm, frozenset(marks))
    if first.startswith("1/"):
        return Cell("part", int(first[2:]), more, drm, frozenset(marks))
    return Cell("points", int(float(first) * 2), more, drm, frozenset(marks))


@cache
def _by_id() -> dict[str, Row]:
    return {row.id: row for kind in (*rows(), works().counter) for row in kind}


def row_named(name: str) -> Row:
    """Return the row with that id."""
    return _by_id()[name]


def cell(row: str, mover: Mover) -> Cell:
    """Return the chart cell of a row for a mover."""
    text: str = getattr(_by_id()[row], mover.column)
    return _cell_of(text)


def cells(facts: Entry) -> tuple[tuple[Row, Cell], ...]:
    """Return the rows that an entry is charged for, each with the cell that applies."""
    entered = row_named(facts.row)
    found = ((entered, _chosen(facts, entered)),)
    if not facts.beside:
        return found
    other = row_named(facts.beside)
    return (*found, (other, _chosen(facts, other)))


def _chosen(facts: Entry, row: Row) -> Cell:
    column = facts.mover.column
    if facts.half and column in row.second:
        return _cell_of(row.second[column])
    if column in row.by_stream and row.id == facts.beside and facts.row in STREAMS:
        return _cell_of(row.by_stream[column])
    return cell(row.id, facts.mover)


@cache
def _by_name(kind: int) -> dict[str, str]:
    return {name: row.id for row in rows()[kind] for name in row.names}


def is_hexside(terrain: str) -> bool:
    """Return whether a terrain, by its VASL name, lies along hexsides."""
    return terrain in _by_name(1)


def row_of(terrain: str) -> str:
    """Return the row of a terrain, by its VASL name; ``other`` if there is none."""
    return _by_name(0).get(terrain, "other")


def hexside_of(terrain: str | None) -> str:
    """Return the row of the terrain along a hexside, ``""`` for none."""
    return _by_name(1).get(terrain, "other-hexside") if terrain else ""


def least_share(row: str, mover: Mover) -> int:
    """Return the least of the allotment that a row takes, in half points: a part, or all of it."""
    second = _by_id()[row].second.get(mover.column)
    found = _cell_of(second) if second else cell(row, mover)
    return _share(found, mover) if found.entry == "part" else mover.mp


def _share(found: Cell, mover: Mover) -> int:
    """Return that part of the allotment in half points, rounded up if the chart says so."""
    whole = 2 if "FRU" in found.marks else 1
    return whole * -(-mover.mp // (whole * found.amount))


def counter_rows(kinds: tuple[str, ...]) -> list[Row]:
    """Return the rows of those counters that have a row."""
    return [row for row in works().counter if row.id in kinds]


BY_CHOICE = "by-choice"
"""The part of a charge that is the unit's own choice."""


def charge_cell(facts: Entry, sheet: Sheet, row: Row, *, part: str) -> None:
    """Record one cell's effect on an entry on the sheet."""
    mover, title = facts.mover, row.title
    found = _chosen(facts, row)
    everything = mover.mp or ALL_ON_FOOT
    if found.entry == "NA":
        sheet.bar(f"{title}: closed to {MOVERS[mover.column]}")
    elif found.entry == "ALL":
        sheet.charge(everything, f"{title}, whole allotment", "all")
    elif found.entry == "M":
        sheet.charge(found.more, f"{title}, by Minimum Move alone", MINIMUM_ONLY)
    elif found.entry == "part":  # rounded up to the half point
        share = _share(found, mover)
        sheet.charge(share, f"{title}, 1/{found.amount} of the allotment", part)
    elif found.entry == "points":
        sheet.charge(found.amount, title, part)
        sheet.charge(found.more, f"{title}, more", "more")
        bare = "+OG" in found.marks or ("+COT" in found.marks and not facts.ground.within)
        if bare:
            sheet.charge(cell("open", mover).amount, "Open Ground in it", part)


def is_out_of_season(row: Row, month: int) -> bool:
    """Return whether such terrain is absent, so Open Ground, in that month."""
    return bool(row.months) and month not in row.months


def charge_row(facts: Entry, sheet: Sheet, row: Row) -> None:
    """Record the cost of entering such terrain on the sheet."""
    if is_out_of_season(row, facts.month):
        sheet.charge(cell("open", facts.mover).amount, f"{row.title}: out of season", "cot")
    else:
        charge_cell(facts, sheet, row, part="cot")


def in_a_gully(facts: Entry) -> bool:
    """Return whether the Location entered, off road, is a gully with shellholes."""
    strewn = SHELLHOLES in (*facts.there.counters, facts.ground.within)
    return strewn and facts.row == "gully" and not facts.way


def has_second_way(facts: Entry) -> bool:
    """Return whether the chart gives a mover a second way into the terrain."""
    column = facts.mover.column
    if column == "inf" and in_a_gully(facts):
        return True
    return not facts.way and any(column in row.second for row, _ in cells(facts))
