"""Upper levels of buildings (B23.4): stairwells, and moving about upstairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause, unsupported
from marchtable_models.asl.data import count, halves

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.asl.facts.steps import Entry

__all__ = [
    "fortified",
    "one_building",
    "ran_into",
    "roof_of_a_row",
    "rowhouse_walls",
    "same_building",
    "stairwell",
    "stairwell_cost",
    "strange_roofs",
    "takes_stairs",
    "who_holds_it",
]


@clause(
    "B23.23",
    "Infantry goes up or down where there is a stairwell and a level to go to",
    kind="action",
)
def stairwell(facts: Entry, sheet: Sheet) -> None:
    if not facts.stairs:
        return
    up, floors = facts.stairs == "up", facts.ground.floors
    roof = floors + 1 if facts.roofs and floors else floors
    through_the_roof = roof > floors and max(facts.floor, facts.floor + (1 if up else -1)) == roof
    if facts.mover.column != "inf" or facts.corner:
        sheet.bar("only Infantry that is not in Bypass takes the stairs")
    elif not (facts.ground.stairs or through_the_roof):
        sheet.bar("there is no stairwell here")
    elif up and facts.floor >= roof:
        sheet.bar("the building has no higher level", roof, facts.floor + 1)
    elif not up and not facts.floor:
        sheet.bar("the unit is on the ground")


@clause("B23.4", "A level up or down a stairwell costs 1 MF", kind="cost")
def stairwell_cost(facts: Entry, sheet: Sheet) -> None:
    if facts.stairs:
        sheet.charge(halves("B23.4", "level"), f"{facts.stairs} the stairs", "cot")


@clause("B23.421", "Who has gone up or down is on the next level", kind="effect")
def takes_stairs(facts: Entry, sheet: Sheet) -> None:
    if facts.stairs:
        floor = facts.floor + (1 if facts.stairs == "up" else -1)
        sheet.force("floor", floor)
        sheet.force("inside", "upstairs" if floor else "")


ran_into = unsupported(
    "B23.42",
    "What concealed enemies up or down the stairs do to who runs into them",
    lambda facts: bool(facts.stairs) and facts.there.concealed and not facts.manner.advancing,
)


@clause(
    "B23.422",
    "From an upper level nobody goes but to that level of a hex of the same building",
    kind="action",
)
def same_building(facts: Entry, sheet: Sheet) -> None:
    if facts.floor > 0 and not facts.stairs and facts.ground.joined is not None:
        joined = 0 if facts.ground.edge else facts.ground.joined
        if on_the_roofs(facts):
            sheet.exception("from rooftop to rooftop (B23.8)")
        elif facts.floor > joined:
            sheet.bar("that level of the same building does not go on there", facts.floor, joined)


def on_the_roofs(facts: Entry) -> bool:
    """Return whether both Locations are rooftops of one building, as high as each other."""
    joined = facts.ground.joined or 0
    return facts.roofs and joined > 0 and facts.floor == joined + 1 == facts.ground.floors + 1


roof_of_a_row = unsupported(
    "B23.8",
    "From the rooftop of one rowhouse to the next",
    lambda facts: (
        facts.roofs
        and not facts.stairs
        and facts.floor == facts.ground.floors + 1
        and facts.ground.hexside == "rowhouse-wall"
    ),
    lifts=("B23.422",),
)


strange_roofs = unsupported(
    "B23.87",
    "Rooftops of factories, and concealed units that go to a rooftop or are on one",
    lambda facts: facts.roofs and (_is_factory_roof(facts) or _is_hidden_up_there(facts)),
    lifts=("B23.23", "B23.422"),
)


def _is_factory_roof(facts: Entry) -> bool:
    return bool(facts.stairs) and facts.ground.there == "factory"


def _is_hidden_up_there(facts: Entry) -> bool:
    top = facts.ground.floors
    climbs = facts.stairs == "up" and facts.floor == top > 0
    return facts.manner.concealed and (climbs or facts.floor > top > 0)


one_building = unsupported(
    "B23.25",
    "Upstairs, whether the hexes belong to one building: the board does not tell, or they lie at two levels",
    lambda facts: facts.floor > 0 and not facts.stairs and facts.ground.joined is None,
)


rowhouse_walls = unsupported(
    "B23.711",
    "An AFV driving through a rowhouse wall, or one between hexes of two levels",
    lambda facts: (
        facts.ground.hurdle == "rowhouse-wall"
        and (facts.mover.column == "ft" or facts.ground.levels > 0)
    ),
    lifts=("B23.71",),
)


@clause(
    "B23.922",
    "Into a Fortified Building no Infantry goes in any phase where an able enemy squad is, but by a Breach",
    kind="action",
)
def fortified(facts: Entry, sheet: Sheet) -> None:
    held = facts.there.garrison >= count("A5.5", "squad")
    if held and _enters_fortified(facts):
        sheet.bar("an enemy squad holds the Fortified Building")


def _enters_fortified(facts: Entry) -> bool:
    fortified = "fortified" in facts.there.counters and not (facts.floor or facts.stairs)
    return fortified and not (facts.mover.is_vehicle or facts.passing or facts.ground.breach)


who_holds_it = unsupported(
    "B23.911",
    "Advancing into a Fortified Building where concealed enemies may hold it",
    lambda facts: _enters_fortified(facts) and facts.there.concealed and facts.manner.advancing,
)
