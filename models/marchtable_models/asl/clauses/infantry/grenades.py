"""SMOKE grenades of Infantry, as far as their MF go (A24.1, A24.3)."""

from __future__ import annotations

from marchtable.dice import SIDES
from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause, not_modelled
from marchtable.state.position import Odds
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.facts.grenades import Grenades, Thrown

PLACED, SHORT, FAILED, ENDS = "placed", "short", "failed", "ends"


@clause("A24.1a", kind="action")
def who_throws(facts: Grenades, sheet: Sheet) -> None:
    """An Infantry squad in Good Order tries once a MPh to place SMOKE grenades."""
    if not facts.fit:
        sheet.bar("only Infantry squads on foot and in Good Order have SMOKE grenades")
    elif facts.tried:
        sheet.bar("it has tried in this MPh")


@clause("A24.1b", kind="action")
def where(facts: Grenades, sheet: Sheet) -> None:
    """SMOKE grenades are placed in the own Location or an adjacent one."""
    if not facts.way:
        sheet.bar("that Location is neither its own nor adjacent")


@clause("A24.1c", kind="action")
def height(facts: Grenades, sheet: Sheet) -> None:
    """They are placed one level up at most, and not up a cliff."""
    if facts.rise > (most := count("A24.1", "levels")):
        sheet.bar("that Location lies too high", most, facts.rise)
    elif facts.rise > 0 and facts.cliff:
        sheet.bar("a cliff leads up there")


@clause("A24.1d", kind="action")
def not_in_water(facts: Grenades, sheet: Sheet) -> None:
    """They are not placed in Water Obstacles or marsh."""
    if facts.row in ("water", "marsh"):
        sheet.bar("there is water or marsh")


@clause("A24.11", kind="action")
def weather(facts: Grenades, sheet: Sheet) -> None:
    """Rain, Mud and Deep Snow leave no SMOKE of grenades but in buildings."""
    if facts.washed and not facts.indoors:
        sheet.bar("the weather lets no SMOKE stand there")


@not_modelled("A24.11b")
def other_building(facts: Grenades) -> bool:
    """In such weather, whether the building that SMOKE is placed in is that which it comes out of."""
    return facts.washed and facts.indoors == "another"


@clause("A24.1e", kind="cost")
def cost(facts: Grenades, sheet: Sheet) -> None:
    """The try costs 1 MF in the own Location, 2 MF in an adjacent one."""
    if facts.way:
        sheet.charge(halves("A24.1", facts.way), "SMOKE grenades", "grenades")


@clause("A24.1f", kind="odds")
def placement(facts: Grenades, sheet: Sheet) -> None:
    """A dr of no more than the exponent, of WP one less, places it; up a level by a second dr of 3 or less."""
    reach = max(0, facts.exponent - (count("A24.3", "less") if facts.wp else 0))
    there = count("A24.1", "uphill") if facts.rise > 0 else SIDES
    chances = (
        (PLACED, reach * there),
        (SHORT, reach * (SIDES - there)),
        (FAILED, (SIDES - 1 - reach) * SIDES),
        (ENDS, SIDES),
    )
    odds = tuple(Odds(said, chance, SIDES * SIDES) for said, chance in chances if chance)
    sheet.roll("smoke", odds, f"exponent {reach}")


@clause("A24.1g", kind="effect", composes="end")
def ends(facts: Thrown, sheet: Sheet) -> None:
    """A 6 ends the unit's MPh."""
    if facts.outcome == ENDS:
        sheet.force("mph", "done")
