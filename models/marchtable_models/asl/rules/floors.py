"""Upper levels of buildings (B23.4): stairwells, and moving about upstairs."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause, not_modelled
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.facts.steps import Entry
from marchtable_models.asl.facts.units import Standing
from marchtable_models.asl.verbs.traits import has_trait


@clause("B23.23", kind="action")
def stairwell(facts: Entry, sheet: Sheet) -> None:
    """Infantry goes up or down where there is a stairwell and a level to go to."""
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


@clause("B23.4", kind="cost")
def stairwell_cost(facts: Entry, sheet: Sheet) -> None:
    """A level up or down a stairwell costs 1 MF."""
    if facts.stairs:
        sheet.charge(halves("B23.4", "level"), f"{facts.stairs} the stairs", "cot")


@clause("B23.421", kind="effect")
def takes_stairs(facts: Entry, sheet: Sheet) -> None:
    """Who has gone up or down is on the next level."""
    if facts.stairs:
        floor = facts.floor + (1 if facts.stairs == "up" else -1)
        sheet.force("floor", floor)
        sheet.force("inside", "upstairs" if floor else "")


@not_modelled("B23.42")
def ran_into(facts: Entry) -> bool:
    """What concealed enemies up or down the stairs do to who runs into them."""
    return bool(facts.stairs) and facts.there.concealed and not facts.manner.advancing


@clause("B23.422", kind="action")
def same_building(facts: Entry, sheet: Sheet) -> None:
    """From an upper level nobody goes but to that level of a hex of the same building."""
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


@not_modelled("B23.8", lifts=("B23.422",))
def roof_of_a_row(facts: Entry) -> bool:
    """From the rooftop of one rowhouse to the next."""
    return (
        facts.roofs
        and not facts.stairs
        and facts.floor == facts.ground.floors + 1
        and facts.ground.hexside == "rowhouse-wall"
    )


@not_modelled("B23.87", lifts=("B23.23", "B23.422"))
def strange_roofs(facts: Entry) -> bool:
    """Rooftops of factories, and concealed units that go to a rooftop or are on one."""
    return facts.roofs and (_is_factory_roof(facts) or _is_hidden_up_there(facts))


def _is_factory_roof(facts: Entry) -> bool:
    return bool(facts.stairs) and facts.ground.there == "factory"


def _is_hidden_up_there(facts: Entry) -> bool:
    top = facts.ground.floors
    climbs = facts.stairs == "up" and facts.floor == top > 0
    return facts.manner.concealed and (climbs or facts.floor > top > 0)


@not_modelled("B23.25")
def one_building(facts: Entry) -> bool:
    """Upstairs, whether the hexes belong to one building: the board does not tell, or they lie at two levels."""
    return facts.floor > 0 and not facts.stairs and facts.ground.joined is None


@not_modelled("B23.711", lifts=("B23.71",))
def rowhouse_walls(facts: Entry) -> bool:
    """An AFV driving through a rowhouse wall, or one between hexes of two levels."""
    return facts.ground.hurdle == "rowhouse-wall" and (
        facts.mover.column == "ft" or facts.ground.levels > 0
    )


@clause("B23.922", kind="action")
def fortified(facts: Entry, sheet: Sheet) -> None:
    """Into a Fortified Building no Infantry goes in any phase where an able enemy squad is, but by a Breach."""
    held = facts.there.garrison >= count("A5.5", "squad")
    if held and _enters_fortified(facts):
        sheet.bar("an enemy squad holds the Fortified Building")


def _enters_fortified(facts: Entry) -> bool:
    fortified = "fortified" in facts.there.counters and not (facts.floor or facts.stairs)
    return fortified and not (facts.mover.is_vehicle or facts.passing or facts.ground.breach)


@not_modelled("B23.911")
def who_holds_it(facts: Entry) -> bool:
    """Advancing into a Fortified Building where concealed enemies may hold it."""
    return _enters_fortified(facts) and facts.there.concealed and facts.manner.advancing


@not_modelled("B23.4u")
def upstairs(facts: Standing) -> bool:
    """What is done upstairs but moving about, or upstairs where the level is not told."""
    return (
        facts.inside == "upstairs"
        and (not has_trait(facts.verb, "upstairs") or not facts.floor)
        and facts.verb != "end"
    )
