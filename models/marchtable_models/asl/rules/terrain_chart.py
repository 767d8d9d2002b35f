"""The Terrain Chart as clauses, one for each row of ``terrain.toml``."""

from __future__ import annotations

from marchtable.rules.clause import Clause, unsupported
from marchtable.rules.facts import Sheet
from marchtable_models.asl.data import Row, rows, works
from marchtable_models.asl.views.chart import charge_cell, charge_row
from marchtable_models.asl.views.entry import Entry


def _terrain_clause(row: Row) -> Clause:
    if not row.modelled:

        def is_met(facts: Entry) -> bool:
            return row.id in (facts.row, facts.beside)

        return unsupported(row.clause, row.title, is_met)

    def enter(facts: Entry, sheet: Sheet) -> None:
        by_land = not (facts.way or facts.afloat or facts.in_mudflats or facts.onto_pontoon)
        if facts.row == row.id and by_land and not facts.ground.strange_road:
            charge_row(facts, sheet, row)

    return Clause(row.clause, f"{row.title}: cost of entry", kind="cost", function=enter)


def _hexside_clause(row: Row) -> Clause:
    if not row.modelled:

        def is_crossed(facts: Entry) -> bool:
            return facts.ground.hexside == row.id

        return unsupported(row.clause, row.title, is_crossed)

    def cross(facts: Entry, sheet: Sheet) -> None:
        if facts.ground.hexside == row.id:
            if facts.scaled:
                sheet.exception(f"{row.title}, which it has climbed")
            elif facts.ground.hurdle:
                charge_cell(facts, sheet, row, part="hexside")
            else:
                way = "the gap of a road" if facts.ground.road else "an obvious gap"
                sheet.exception(f"{row.title} by {way}")

    return Clause(row.clause, f"{row.title}: cost", kind="cost", function=cross)


def _counter_clause(row: Row) -> Clause:
    if not row.modelled:

        def lies_there(facts: Entry) -> bool:
            return row.id in facts.there.counters or row.id in facts.counters_here

        return unsupported(row.clause, row.title, lies_there)

    def enter(facts: Entry, sheet: Sheet) -> None:
        if row.id in facts.there.counters:
            charge_cell(facts, sheet, row, part="cot")
            if row.note:
                sheet.exception(row.note)

    return Clause(row.clause, f"{row.title}: cost", kind="cost", function=enter)


TERRAIN_CLAUSES = tuple(_terrain_clause(row) for row in rows()[0])
COUNTER_CLAUSES = tuple(_counter_clause(row) for row in works().counter)
HEXSIDE_CLAUSES = tuple(_hexside_clause(row) for row in rows()[1])
