"""The Advance of Infantry in the APh (A4.7)."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause, not_modelled
from marchtable.rules.view import read
from marchtable_models.asl.data import halves
from marchtable_models.asl.views.chart import cell
from marchtable_models.asl.views.entry import Entry, Jump
from marchtable_models.asl.views.foot_facts import AdvanceCost
from marchtable_models.asl.views.standing import Standing


class ToAdvance(Standing):
    """A unit about to advance."""

    cavalry: bool = read(lambda actor: actor.kind.class_ == "cavalry")

    is_relevant = property(lambda self: self.advances)


@clause("A4.7a", kind="action")
def advance_in_aph(facts: ToAdvance, sheet: Sheet) -> None:
    """Infantry advances in the APh of its own Player Turn."""
    if not facts.advances:
        return
    if not facts.own_turn:
        sheet.bar("it is not its side's Player Turn")
    elif facts.phase != "APh":
        sheet.bar("units advance in the APh", "APh", facts.phase)


@clause("A4.7b", kind="action")
def advances_on_foot(facts: ToAdvance, sheet: Sheet) -> None:
    """Only Infantry that is not TI advances."""
    if not facts.advances:
        return
    cavalry = facts.cavalry and sheet.reading("A4.7b") == "infantry"
    with_column = facts.form != "foot" and sheet.excepted("E11.52a")
    if (facts.form != "foot" and not with_column) or cavalry:
        sheet.bar("only Infantry advances")
    elif facts.ti:
        sheet.bar("the unit is TI")


@clause("A4.7c", kind="action", composes="end")
def advance_once(facts: ToAdvance, sheet: Sheet) -> None:
    """A unit advances only once per APh."""
    if facts.advances and facts.final == "advance":
        sheet.bar("the unit has advanced")


@clause("A4.1b", kind="action")
def adjacent_only(facts: Jump, sheet: Sheet) -> None:
    """A unit moves from its Location to an adjacent one."""
    if facts.distance > 1:
        sheet.bar("the Location is not adjacent", 1, facts.distance)
    elif facts.bridge:
        sheet.bar("a bridge is entered and left only along its road (B6.1)")
    else:
        sheet.bar("there is no way in from here")


@clause("A4.7d", kind="action")
def level_advance(facts: Jump, sheet: Sheet) -> None:
    """In its hex a unit advances by a stairwell, or to its Crest, instead of to another hex."""
    if facts.levels == "building":
        sheet.bar("use `stairs` to reach another level of this hex")
    elif facts.levels == "depression":
        sheet.bar("use `crest` to reach the Crest of this hex")


class Advancing(Entry):
    """An Advance into another Location."""

    is_relevant = property(lambda self: self.manner.advancing)


@clause("B16.4", kind="action")
def not_in_aph(facts: Advancing, sheet: Sheet) -> None:
    """Units do not advance into Marsh or Water Obstacles."""
    if (
        facts.manner.advancing
        and not facts.way
        and "@" in cell(facts.ground.there, facts.mover).marks
    ):
        sheet.bar("this terrain cannot be entered in the APh")


@not_modelled("A4.71")
def paatc(facts: Advancing) -> bool:
    """A MMC without a passed check advances upon a Known, manned AFV: use `dare UNIT HEX` first."""
    return (
        facts.manner.advancing
        and facts.there.manned_afv
        and not (facts.mover.smc or facts.manner.dared)
    )


@clause("A4.7e", kind="cost")
def no_mf_spent(facts: AdvanceCost, sheet: Sheet) -> None:
    """An Advance spends no MF."""
    sheet.charge(-facts.cost, "an Advance spends no MF")


@clause("A4.72", kind="effect", composes="end")
def difficult_terrain(facts: AdvanceCost, sheet: Sheet) -> None:
    """An Advance for 4 MF (SMOKE apart), or all a unit's MF, makes it CX; a CX unit cannot."""
    least = min(halves("A4.72", "difficult"), facts.allotment)
    if facts.clear < least and not facts.whole:
        return
    if facts.cx and not (facts.deep and sheet.reading("A4.72") == "exempt"):
        sheet.bar("a CX unit cannot advance into Difficult Terrain")
    elif facts.allotment <= 0:
        sheet.bar("no MF are left after portage", 1, facts.allotment, halves=True)
    sheet.force("cx", value=True)
