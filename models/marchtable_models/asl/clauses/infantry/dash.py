"""The Dash of Infantry across a road (A4.63)."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause, not_modelled
from marchtable_models.asl.data import count
from marchtable_models.asl.facts.dashing import Dashing
from marchtable_models.asl.facts.foot import Moment
from marchtable_models.asl.facts.units import Standing
from marchtable_models.asl.grants import grant

AREA_FIRE = "Defensive First Fire, but ordnance, Fire Lanes and what lies there already"


@clause("A4.63a", kind="action")
def declares(facts: Dashing, sheet: Sheet) -> None:
    """A Dash is declared by Infantry before it does anything."""
    if facts.stage != "declared":
        return
    if not facts.fit:
        sheet.bar("only Infantry on foot dashes, by neither Assault Movement nor Armored Assault")
    elif not facts.fresh:
        sheet.bar("a Dash is declared as the MPh begins")


@clause("A4.63b", kind="action")
def over_the_road(facts: Dashing, sheet: Sheet) -> None:
    """A Dash goes from one side of a road through its hex to the other side."""
    if facts.stage not in ("declared", "road"):
        return
    ends_there = facts.roads == 1 and sheet.reading("A4.63b") == "any"
    if not facts.way:
        sheet.bar("no Location leads there from here in two steps")
    elif not facts.roads:
        sheet.bar("the Location between has no road to cross")
    elif not (facts.parted or ends_there):
        sheet.bar("both Locations lie on one side of the road")


@clause("A4.63c", kind="action")
def from_cover(facts: Dashing, sheet: Sheet) -> None:
    """A Dash goes from no Open Ground that an enemy sees, nor to such."""
    if facts.stage != "declared":
        return
    if facts.open_ends == "yes":
        sheet.bar("an enemy sees it in Open Ground")
    elif facts.open_ends == "unsure":
        sheet.unsupported("whether an enemy sees the Open Ground there; state it with `sight`")
    elif facts.open_ends == "untold" and sheet.reading("A4.63c") == "untold":
        sheet.unsupported(
            "whether an enemy sees the Open Ground there, which the reading A4.63c = unseen denies"
        )


@clause("A4.63d", kind="cost", composes="joint")
def affordable(facts: Dashing, sheet: Sheet) -> None:
    """The MF at hand pay for both Locations of a Dash."""
    if facts.stage == "declared" and facts.way and facts.cost > facts.allotment:
        sheet.bar("not enough MF for the Dash", facts.cost, facts.allotment, halves=True)


@clause("A4.63e", kind="action", composes="flag")
def nothing_else(facts: Standing, sheet: Sheet) -> None:
    """Who dashes does nothing else."""
    if facts.dashing and facts.verb not in ("enter", "double-time", "end"):
        sheet.bar("the unit has declared a Dash")


@clause("A4.63f", kind="action", composes="flag")
def goes_on(facts: Dashing, sheet: Sheet) -> None:
    """Who dashes goes where it has declared, at the least cost."""
    if facts.stage == "far" and not facts.way:
        sheet.bar("the unit has declared to dash elsewhere")
    elif not facts.plain:
        sheet.bar("who dashes spends no more than it must")


@clause("A4.63g", kind="effect", composes="end")
def arrives(facts: Dashing, sheet: Sheet) -> None:
    """Where it has dashed to its MPh is over."""
    if facts.stage == "far":
        sheet.force("dash", None)
        sheet.force("mph", "done")


@not_modelled("A4.63h")
def breaks_off(facts: Dashing) -> bool:
    """Whether who ends its MPh in the midst of a Dash could have gone on with it."""
    return facts.stage == "ends"


@clause("A4.63i", kind="state")
def fire_at_a_dash(facts: Moment, sheet: Sheet) -> None:
    """In the road who dashes is fired at by Area Fire, but by ordnance and what is there already."""
    if facts.dashing:
        grant(sheet, AREA_FIRE, 1 / count("A4.63", "area_fire"))
