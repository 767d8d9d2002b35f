"""Columns: what holds for them at all times, in the APh, and what they run into (E11.5)."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause
from marchtable_models.asl.facts.lines import Formation, Leaving, Lineup, Link, apart
from marchtable_models.asl.facts.spending import Allowance
from marchtable_models.asl.facts.steps import Entry
from marchtable_models.asl.facts.units import Standing


@clause("E11.5d", kind="action", composes="joint")
def not_by_chance(facts: Lineup, sheet: Sheet) -> None:
    """Units that happen to stand in line are no Column."""
    if facts.chance == "column":
        sheet.bar("units in a line are no Column unless they were set up as one")


@clause("E11.5b", kind="action", composes="joint")
def keeps_together(facts: Link, sheet: Sheet) -> None:
    """Column units stay adjacent to those they are adjacent to."""
    if facts.kind == "column" and facts.gapes:
        sheet.bar("the move would part units of the Column", apart(), facts.distance)


@clause("E11.53a", kind="action")
def nobody_leaves(facts: Leaving, sheet: Sheet) -> None:
    """Column units do not leave their Column, and no Gap appears in it."""
    if facts.column:
        sheet.bar("nobody leaves a Column")


@clause("E11.5e", kind="state")
def known_column(facts: Leaving, sheet: Sheet) -> None:
    """A Column unit without '?' is a Known enemy to the other side."""
    if facts.sees_column:
        sheet.exception("it sees a Known enemy unit in Column")


def _free_of_stacking(facts: Entry, sheet: Sheet) -> None:
    if facts.column:
        sheet.charge(-sheet.total("stacking"), "Column", "stacking")


@clause("E11.5f", kind="capacity", denied=_free_of_stacking)
def normal_stacking(facts: Entry, sheet: Sheet) -> None:
    """Stacking limits hold in each hex of a Column."""
    # A5.1 stands


@clause("E11.51", kind="state")
def dismantled(facts: Formation, sheet: Sheet) -> None:
    """SW in a Column are dm if they can be, but on wagons."""
    if facts.kind == "column" and facts.assembled:
        sheet.bar("a SW that can be dm is not", 0, facts.assembled)


def _no_concealment(facts: Formation, sheet: Sheet) -> None:
    if facts.kind == "column" and facts.concealed:
        sheet.bar("a Column unit is concealed")


@clause("E11.54a", kind="state", denied=_no_concealment)
def concealed_set_up(facts: Formation, sheet: Sheet) -> None:
    """Column units may be set up concealed."""
    # A12 stands


# -- moving ----------------------------------------------------------------------------------------


@clause("E11.52f", kind="action")
def double_time(facts: Standing, sheet: Sheet) -> None:
    """A Column may use Double Time and Gallop."""
    if facts.line == "column" and facts.verb in ("double-time", "gallop"):
        sheet.exception("Double Time and Gallop are open to a Column")


@clause("E11.52a", kind="cost")
def advance_by_impulse(facts: Standing, sheet: Sheet) -> None:
    """A Column advances in the APh by one Impulse."""
    if facts.line != "column" or facts.verb != "advance" or not facts.by_impulse:
        return
    if facts.kind == "foot":
        sheet.exception("a Column advances by an Impulse")
    elif sheet.reading("E11.52a") == "wagons-too":
        sheet.exception("a wagon advances with its Column")
        sheet.unsupported("what it costs a wagon to advance with its Column")


def _without_road_bonus(facts: Allowance, sheet: Sheet) -> None:
    if facts.column:
        sheet.charge(-sheet.total("road"), "Column")


@clause("E11.52c", kind="cost", denied=_without_road_bonus)
def road_bonus(facts: Allowance, sheet: Sheet) -> None:
    """A Column has the road bonus as others have it."""
    # B3.4 stands


@clause("E11.521b", kind="state")
def no_shellholes(facts: Entry, sheet: Sheet) -> None:
    """A Column unit takes no cover of shellholes."""
    if facts.column and facts.half and not facts.mover.is_vehicle:
        sheet.bar("a Column unit takes no cover of shellholes")


@clause("E11.521c", kind="action")
def not_beneath(facts: Entry, sheet: Sheet) -> None:
    """A Column unit spends nothing to go beneath a Fortification."""
    if facts.column and facts.beneath:
        sheet.bar("a Column unit does not go beneath a Fortification counter")
