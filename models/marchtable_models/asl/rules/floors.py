"""Upper levels of buildings (B23.4): stairwells, and moving upstairs."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause, not_modelled
from marchtable.rules.view import fact, read
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.verbs import has_trait
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.standing import Standing


class Upstairs(Entry):
    """An entry in, or into, a building with upper levels."""

    roofs: bool = read("position.conditions.rooftops")
    floor: int = read("unit.place.floor", 0)  # its current level

    is_relevant = property(
        lambda self: bool(
            self.stairs
            or self.floor
            or self.roofs
            or "fortified" in self.there.counters
            or self.ground.hurdle == "rowhouse-wall"
        )
    )

    @fact
    def on_the_roofs(self) -> bool:
        """Whether both Locations are rooftops of one building at the same height."""
        joined = self.ground.joined or 0
        return self.roofs and joined > 0 and self.floor == joined + 1 == self.ground.floors + 1

    @fact
    def is_factory_roof(self) -> bool:
        """Whether it uses the stairs of a factory."""
        return bool(self.stairs) and self.ground.there == "factory"

    @fact
    def is_hidden_up_there(self) -> bool:
        """Whether a concealed unit enters or is on a rooftop."""
        top = self.ground.floors
        climbs = self.stairs == "up" and self.floor == top > 0
        return self.manner.concealed and (climbs or self.floor > top > 0)

    @fact
    def enters_fortified(self) -> bool:
        """Whether Infantry enters a Fortified Building at ground level other than by a Breach."""
        fortified = "fortified" in self.there.counters and not (self.floor or self.stairs)
        return fortified and not (self.mover.is_vehicle or self.passing or self.ground.breach)


@clause("B23.23", kind="action")
def stairwell(facts: Upstairs, sheet: Sheet) -> None:
    """Infantry changes level only where there is a stairwell and a level to go to."""
    if not facts.stairs:
        return
    up, floors = facts.stairs == "up", facts.ground.floors
    roof = floors + 1 if facts.roofs and floors else floors
    through_the_roof = roof > floors and max(facts.floor, facts.floor + (1 if up else -1)) == roof
    if facts.mover.column != "inf" or facts.corner:
        sheet.bar("only Infantry that is not in Bypass can take the stairs")
    elif not (facts.ground.stairs or through_the_roof):
        sheet.bar("there is no stairwell here")
    elif up and facts.floor >= roof:
        sheet.bar("the building has no higher level", roof, facts.floor + 1)
    elif not up and not facts.floor:
        sheet.bar("the unit is on the ground")


@clause("B23.4", kind="cost")
def stairwell_cost(facts: Upstairs, sheet: Sheet) -> None:
    """A stairwell costs 1 MF per level."""
    if facts.stairs:
        sheet.charge(halves("B23.4", "level"), f"{facts.stairs} the stairs", "cot")


@clause("B23.421", kind="effect")
def takes_stairs(facts: Upstairs, sheet: Sheet) -> None:
    """A unit that uses a stairwell is on the next level."""
    if facts.stairs:
        floor = facts.floor + (1 if facts.stairs == "up" else -1)
        sheet.force("floor", floor)
        sheet.force("inside", "upstairs" if floor else "")


@not_modelled("B23.42")
def ran_into(facts: Upstairs) -> bool:
    """The effect of concealed enemies up or down the stairs on a unit that runs into them."""
    return bool(facts.stairs) and facts.there.concealed and not facts.manner.advancing


@clause("B23.422", kind="action")
def same_building(facts: Upstairs, sheet: Sheet) -> None:
    """From an upper level a unit enters only the same level of the same building."""
    if facts.floor > 0 and not facts.stairs and facts.ground.joined is not None:
        joined = 0 if facts.ground.edge else facts.ground.joined
        if facts.on_the_roofs:
            sheet.exception("from rooftop to rooftop (B23.8)")
        elif facts.floor > joined:
            sheet.bar("the same building has no such level there", facts.floor, joined)


@not_modelled("B23.8", lifts=("B23.422",))
def roof_of_a_row(facts: Upstairs) -> bool:
    """Moving from one rowhouse's rooftop to the next."""
    return (
        facts.roofs
        and not facts.stairs
        and facts.floor == facts.ground.floors + 1
        and facts.ground.hexside == "rowhouse-wall"
    )


@not_modelled("B23.87", lifts=("B23.23", "B23.422"))
def strange_roofs(facts: Upstairs) -> bool:
    """Rooftops of factories, and concealed units entering or on a rooftop."""
    return facts.roofs and (facts.is_factory_roof or facts.is_hidden_up_there)


@not_modelled("B23.25")
def one_building(facts: Upstairs) -> bool:
    """Upstairs if the board does not state whether the hexes are one building, or at two levels."""
    return facts.floor > 0 and not facts.stairs and facts.ground.joined is None


@not_modelled("B23.711", lifts=("B23.71",))
def rowhouse_walls(facts: Upstairs) -> bool:
    """An AFV driving through a rowhouse wall, or a wall between hexes of two levels."""
    return facts.ground.hurdle == "rowhouse-wall" and (
        facts.mover.column == "ft" or facts.ground.levels > 0
    )


@clause("B23.922", kind="action")
def fortified(facts: Upstairs, sheet: Sheet) -> None:
    """Infantry never enters a Fortified Building with an able enemy squad, except by a Breach."""
    held = facts.there.garrison >= count("A5.5", "squad")
    if held and facts.enters_fortified:
        sheet.bar("an enemy squad holds the Fortified Building")


@not_modelled("B23.911")
def who_holds_it(facts: Upstairs) -> bool:
    """Advancing into a Fortified Building that concealed enemies might hold."""
    return facts.enters_fortified and facts.there.concealed and facts.manner.advancing


class ActsUpstairs(Standing):
    """A unit upstairs about to act."""

    floor: int = read("unit.place.floor", 0)

    is_relevant = property(lambda self: self.inside == "upstairs")


@not_modelled("B23.4u")
def upstairs(facts: ActsUpstairs) -> bool:
    """Actions upstairs other than moving, or upstairs on an unknown level."""
    return (
        facts.inside == "upstairs"
        and (not has_trait(facts.verb, "upstairs") or not facts.floor)
        and facts.verb != "end"
    )
