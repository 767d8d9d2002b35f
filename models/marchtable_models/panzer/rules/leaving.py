"""Leaving the map."""

from __future__ import annotations

from collections.abc import Sequence

from marchtable.rules.facts import Bill, Facts, Sheet
from marchtable.rules.judging import paid_by_unit
from marchtable.rules.subjects import cases, clause, effect
from marchtable.state.position import UnitId
from marchtable.state.records import replace
from marchtable_models.panzer.data import halves
from marchtable_models.panzer.model import PanzerPosition
from marchtable_models.panzer.views.travel import Travel
from marchtable_models.panzer.views.units import passengers


class Exit(Travel, frozen=True, tag="exit"):
    """A unit leaves the map from an edge hex, for good, with any passenger."""

    unit: UnitId


class Leaving(Facts, frozen=True):
    """A unit about to leave the map: whether its hex is at the edge."""

    edge: bool


@cases(Exit)
def exit_facts(position: PanzerPosition, action: Exit) -> Leaving:
    """Return the facts of a unit leaving the map."""
    unit = position.unit(action.unit)
    return Leaving(unit.at is not None and position.board.is_at_edge(unit.at))


@clause("PB.exit", kind="cost")
def leaving(facts: Leaving, sheet: Sheet) -> None:
    """Units leave the map from an edge hex, for good."""
    if not facts.edge:
        sheet.bar("its hex is not at the map's edge")
    if sheet.reading("PB.exit-cost") == "one":
        sheet.charge(halves("PB.exit", "exit"), "off the map")


@effect(Exit)
def after_exit(
    position: PanzerPosition, action: Exit, bills: Sequence[Bill]
) -> PanzerPosition | None:
    """Return the position without the unit and its load."""
    unit = position.unit(action.unit)
    if unit.at is None:
        return None
    spent = unit.spent + paid_by_unit(bills).get(unit.id, 0)
    cargo = [replace(u, at=None, aboard=None) for u in passengers(position, unit)]
    gone = replace(unit, at=None, aboard=None, spent=spent, entered=True)
    return position.with_units([*cargo, gone])
