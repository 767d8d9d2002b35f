"""What a unit of a Column may do (E11.5)."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause
from marchtable_models.asl.chart import row_named
from marchtable_models.asl.data import halves
from marchtable_models.asl.facts.spending import Allowance
from marchtable_models.asl.facts.steps import Entry
from marchtable_models.asl.facts.units import Standing
from marchtable_models.asl.rules.declarations import Declaration
from marchtable_models.asl.rules.support_weapons import Handling

OPEN = ("impulse", "disband", "set-out", "end")
BARRED = ("minimum", "assault", "bypass")


@clause("E11.5c", kind="action")
def closed_list(facts: Standing | Handling | Declaration, sheet: Sheet) -> None:
    """A Column unit only moves, advances, disbands; all else is barred."""
    if not isinstance(facts, Standing) and facts.to_line == "column":
        sheet.bar("the unit that it is done with is in a Column")
    if isinstance(facts, Declaration):
        return  # see Standing
    if facts.line != "column" or facts.verb in (*OPEN, *BARRED, "exit"):
        return
    if not sheet.excepted("E11.52a", "E11.52f"):
        sheet.bar("the unit is in a Column, which only moves by Impulses and disbands")


class InColumn(Entry):
    """An entry by a Column unit."""

    bears = property(lambda self: self.column)


@clause("E11.52d", kind="action")
def no_special_moves(facts: Standing | InColumn, sheet: Sheet) -> None:
    """No Minimum, Assault or Bypass move in a Column."""
    if isinstance(facts, Entry):
        if facts.column and facts.passing:
            sheet.bar("a Column goes round nothing by Bypass, in an Impulse either")
    elif facts.line == "column" and facts.verb in BARRED:
        sheet.bar("a Column makes no Minimum, Assault or Bypass move")


@clause("E11.521a", kind="action")
def no_obstacles(facts: InColumn, sheet: Sheet) -> None:
    """No Column unit enters woods or a building but by path or road."""
    if not facts.column or facts.way:
        return
    rows = (facts.ground.there, facts.ground.within)  # woods in a gully are woods
    if any(row_named(name).obstacle for name in rows if name):
        sheet.bar("a Column enters woods and buildings by path or road only")


@clause("E11.52e", kind="cost", composes="joint")
def leader_for_all(facts: Allowance, sheet: Sheet) -> None:
    """One leader's bonus of MF can serve the whole Column."""
    led = facts.column_led == "own" or (
        facts.column_led == "other" and sheet.reading("E11.52e") == "any"
    )
    if led and facts.on_foot and not (facts.led or facts.smc):
        sheet.charge(halves("A4.12", "bonus"), "a leader's bonus, in Column")
