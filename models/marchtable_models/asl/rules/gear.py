"""Skis (E4) and bicycles (D15.8): changing to them and back, and moving on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from marchtable.rules.facts import Bill, Case, Edition, Facts, Sheet
from marchtable.rules.subjects import cases, clause, effect, not_modelled
from marchtable.rules.view import fact, read
from marchtable.state.action import Action, Companions
from marchtable_models.asl.data import halves
from marchtable_models.asl.effects.acting import after_action
from marchtable_models.asl.levels import level_of
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.rules.declarations import Declaration
from marchtable_models.asl.rules.leaders import partings
from marchtable_models.asl.rules.stacks import members, stack_facts
from marchtable_models.asl.rules.support_weapons import Handling
from marchtable_models.asl.verbs import Traits, has_trait
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.foot import ground_row_at
from marchtable_models.asl.views.ground_facts import ENTRENCHED
from marchtable_models.asl.views.mph_ends import interrupted
from marchtable_models.asl.views.reading import there
from marchtable_models.asl.views.spending_facts import Allowance
from marchtable_models.asl.views.standing import Standing
from marchtable_models.asl.views.unitkinds import nationality_of, type_of
from marchtable_models.asl.views.weather import weather_of
from marchtable_models.asl.weapons import BICYCLE, SKIS, kind_of

FOOT = "foot"
SHUT = (
    "wooden-building", "stone-building", "lumberyard", "factory", "wooden-rubble", "stone-rubble",
    "debris", "rail-car", "rail-car-wreck",
)  # fmt: skip
"""Rows that a Skier can only bypass."""
STREWN = ("shellholes", *ENTRENCHED)
"""What slows a cyclist: a counter, or the start of its kind (D15.81)."""
ABOARD = ("load", "mount", "man", "shift", "get-beneath")
"""Verbs by which a unit goes aboard or beneath something."""
ABOUT = ("double-time", "drop", "end", "impulse", "lend", "set-out", "switch")
"""A Skier's or cyclist's movement, besides entering a Location and declarations."""


class Switch(Action, frozen=True, tag="switch"):
    """Infantry, alone or as a stack, changes to its skis or bicycles, or back to foot."""

    traits: ClassVar[Traits] = ("leaves",)

    units: Companions
    gear: Literal["skis", "bicycle", "foot"]


class Switching(Facts, frozen=True, gc=False):
    """A unit about to change to its skis or bicycle, or to foot."""

    now: str  # its current way to move: ``skis``, ``bicycle`` or ``foot``
    to: str
    has: bool  # it has that gear, or changes to foot
    infantry: bool  # Infantry not aboard anything
    finnish: bool
    snow: bool
    phase: str
    row: str  # Chart row of its Location, ``""`` in Bypass
    enemies: bool  # a Known enemy is there
    pp: int  # PP of its other load
    assault: bool


@cases(Switch)
def switch_facts(position: AslPosition, action: Switch, edition: Edition) -> list[Case]:
    """Return the facts of units that change gear, and of units left behind."""
    units = members(position, action.units)
    found = stack_facts(
        position, units, "switch", lambda unit: switching(position, unit, action.gear)
    )
    found += interrupted(position, units, edition)
    return found + partings(position, action.units, edition)


def gear_of(unit: AslUnit) -> list[str]:
    """Return the gear, skis and bicycle, that a unit has."""
    held = {kind_of(weapon) for weapon in unit.sw} if unit.sw else ()
    return [kind for kind in (SKIS, BICYCLE) if kind in held]


def ways_to_go(unit: AslUnit) -> list[str]:
    """Return the ways of moving that a unit can change to."""
    return [way for way in (*gear_of(unit), FOOT) if way != (unit.status.gear or FOOT)]


def switching(position: AslPosition, unit: AslUnit, to: str) -> Switching:
    """Return the facts of a unit that changes to skis, a bicycle or foot."""
    at = unit.at or ""
    found = there(position, unit.side, at, (unit.id,), level_of(position, unit)) if at else None
    return Switching(
        now=unit.status.gear or FOOT,
        to=to,
        has=to == FOOT or to in gear_of(unit),
        infantry=type_of(position, unit).is_infantry and unit.cargo.aboard is None,
        finnish=nationality_of(unit) == "finnish",
        snow=weather_of(position.conditions).snow != "",
        phase=position.phase,
        row=ground_row_at(position, at) if at and unit.place.bypass is None else "",
        enemies=found is not None and (found.known or found.harmless),
        pp=sum(weapon.pp for weapon in unit.sw if kind_of(weapon) != to),
        assault=unit.move.assault,
    )


@clause("E4.2a", kind="action")
def on_skis(facts: Switching, sheet: Sheet) -> None:
    """Infantry changes to skis or a bicycle it has, and back; to skis only in snow."""
    if not facts.infantry:
        sheet.bar("only Infantry that is not on a vehicle or mount can use skis or a bicycle")
    elif not facts.has:
        sheet.bar(f"it possesses no {facts.to}")
    elif facts.to == facts.now:
        sheet.bar("it already moves that way")
    elif facts.to == SKIS and not facts.snow:
        sheet.bar("there is no snow")
    sheet.force("gear", "" if facts.to == FOOT else facts.to)


@clause("E4.2b", kind="cost")
def skis_cost(facts: Switching, sheet: Sheet) -> None:
    """Changing to skis costs 2 MF (Finnish Infantry 1); back to foot is free."""
    if facts.to == SKIS:
        sheet.charge(halves("E4.2", "finnish" if facts.finnish else "to_skis"), "to skis")


@not_modelled("E4.32", lifts=("A3.3", "A4.2a", "A10.4"))
def in_other_phases(facts: Switching) -> bool:
    """Changing to or from skis in the RtPh or APh, when the MF add to those of the advance."""
    return facts.phase in ("APh", "RtPh") and SKIS in (facts.now, facts.to)


@clause("E4.3c", kind="action")
def not_at_once(facts: Switching, sheet: Sheet) -> None:
    """A unit cannot change to skis inside a building, rubble, debris or a Rail Car."""
    if facts.to == SKIS and facts.row in SHUT:
        sheet.bar("it must first leave on foot")


@clause("D15.81e", kind="cost")
def mounts_free(facts: Switching, sheet: Sheet) -> None:
    """Mounting and dismounting a bicycle are free."""
    if BICYCLE in (facts.now, facts.to):
        sheet.exception("a bicycle is mounted and dismounted at no cost")


@clause("D15.82", kind="capacity")
def no_load(facts: Switching, sheet: Sheet) -> None:
    """A cyclist carries no SW."""
    if facts.to == BICYCLE and facts.pp:
        sheet.bar("a cyclist cannot carry anything", 0, facts.pp, points="PP")


@clause("D15.8a", kind="action")
def among_enemies(facts: Switching, sheet: Sheet) -> None:
    """A unit cannot dismount from a bicycle in a Known enemy's Location, as from a motorcycle."""
    if facts.now == BICYCLE and facts.enemies:
        sheet.bar("a Known enemy is in the Location")


class ActsOnGear(Standing):
    """A unit on skis, or with a bicycle, about to act."""

    gear: str = read("unit.status.gear", "")
    wheels: bool = read(lambda actor: any(kind_of(weapon) == BICYCLE for weapon in actor.unit.sw))

    is_relevant = property(lambda self: bool(self.gear or self.wheels))


@clause("E4.3b", kind="action")
def upon_nothing_else(facts: ActsOnGear, sheet: Sheet) -> None:
    """On skis or a bicycle, a unit cannot board, mount or get beneath anything."""
    if facts.gear and facts.verb in ABOARD:
        sheet.bar(f"it is moving on its {facts.gear}: `switch` to foot first")


@not_modelled("E4.6")
def other_doings(facts: ActsOnGear) -> bool:
    """Anything a Skier or cyclist does other than moving."""
    about = has_trait(facts.verb, "enters") or has_trait(facts.verb, "says")
    return bool(facts.gear) and not about and facts.verb not in (*ABOUT, *ABOARD)


@clause("D15.82b", kind="action")
def not_in_aph(facts: ActsOnGear, sheet: Sheet) -> None:
    """Bicycles do not move in the APh, ridden or portaged."""
    if facts.wheels and facts.advances:
        sheet.bar("it has a bicycle")


@clause("D15.81d", kind="action")
def no_assault(facts: Declaration | Switching, sheet: Sheet) -> None:
    """A cyclist cannot use Assault Movement."""
    if isinstance(facts, Switching):
        both = facts.assault and facts.to == BICYCLE
    else:
        both = facts.verb == "assault" and facts.gear == BICYCLE
    if both:
        sheet.bar("a cyclist cannot use Assault Movement")


@clause("E4.21", kind="action")
def kept(facts: Handling, sheet: Sheet) -> None:
    """A unit neither drops nor transfers the gear it is moving on."""
    if facts.in_use:
        sheet.bar("it is moving on it: `switch` to foot first")


@not_modelled("E4.21b")
def recovered(facts: Handling) -> bool:
    """Whether a unit that picks up skis can use them: unless from the start, only on a dr of 1."""
    return facts.gear == SKIS and facts.verb != "drop"


class OnGear(Entry):
    """An entry on skis or by bicycle."""

    is_relevant = property(lambda self: self.manner.gear != "")

    @fact
    def skis(self) -> bool:
        """Whether it skis."""
        return self.manner.gear == SKIS

    @fact
    def rides(self) -> bool:
        """Whether it rides a bicycle."""
        return self.manner.gear == BICYCLE


@clause("E4.3a", kind="action")
def never_skied(facts: OnGear, sheet: Sheet) -> None:
    """A Skier enters no building, rubble, debris, Rail Car or Fortification, except by Bypass, and crosses no cliff."""
    if not facts.skis:
        return
    shut = facts.passing is None and facts.way != "road"
    if facts.stairs or (shut and any(row in SHUT for row in (facts.row, *facts.ground.rows))):
        sheet.bar("a unit on skis cannot enter there")
    if facts.beneath:
        sheet.bar("a unit on skis cannot go beneath a Fortification")
    if facts.ground.hurdle == "cliff":
        sheet.bar("a unit on skis cannot cross a cliff")


@clause("E4.3", kind="cost")
def no_snow_cost(facts: OnGear, sheet: Sheet) -> None:
    """A Skier pays nothing extra for snow."""
    if facts.skis and facts.weather.snow:
        sheet.charge(-sheet.total("weather"), "on skis", "weather")


@clause("E4.3d", kind="state", composes="flag")
def skis_bonus(facts: OnGear, sheet: Sheet) -> None:
    """A Skier has no road bonus."""
    if facts.skis and facts.road and not facts.manner.advancing:
        sheet.force("road", value=False)


@clause("E4.31", kind="state", composes="flag")
def downhill(facts: OnGear, sheet: Sheet) -> None:
    """A Skier gains 2 MF for each Crest Line crossed downhill."""
    levels = -facts.ground.rise
    if facts.ground.into_depression and sheet.reading("E4.31") == "any":
        levels += not facts.ground.from_depression
    if facts.skis and levels > 0 and not facts.manner.advancing:
        sheet.force("downhill", facts.manner.downhill + levels * halves("E4.31", "crest_line"))


class Downhill(Allowance):
    """MF that Skiers and cyclists have gained."""

    downhill: int = read("unit.points.downhill", 0)  # half MF

    is_relevant = property(lambda self: self.downhill != 0)


@clause("E4.31b", kind="cost", composes="flag")
def gained(facts: Downhill, sheet: Sheet) -> None:
    """A Skier or cyclist can spend the MF gained downhill."""
    sheet.charge(facts.downhill, "downhill")


@clause("D15.81a", kind="action")
def by_road_only(facts: OnGear, sheet: Sheet) -> None:
    """A bicycle is ridden only across road hexsides."""
    if facts.rides and (facts.way not in ("road", "graveyard") or facts.passing is not None):
        sheet.bar("a bicycle is ridden only by road: `switch` to foot first")


@clause("D15.81b", kind="cost")
def halved(facts: OnGear, sheet: Sheet) -> None:
    """A cyclist pays half the MF, except uphill, in shellholes or entrenchments, Mud and snow."""
    if not facts.rides or facts.ground.rise > 0 or not facts.firm:
        return
    there = (*facts.there.counters, facts.row, facts.ground.within)
    if sheet.reading("D15.81b") == "either":
        there = (*there, *facts.counters_here, facts.ground.here)
    if not any(kind.startswith(STREWN) for kind in there):
        sheet.charge(-(sheet.total() // 2), "by bicycle", "bicycle")


@clause("D15.81c", kind="state", composes="flag")
def bonus_by_road(facts: OnGear, sheet: Sheet) -> None:
    """A cyclist gains 1 MF for each level descended by road."""
    if facts.rides and facts.ground.rise < 0:
        more = -facts.ground.rise * halves("D15.81", "level")
        sheet.force("downhill", facts.manner.downhill + more)


@clause("D15.83", kind="action")
def not_among_enemies(facts: OnGear, sheet: Sheet) -> None:
    """A bicycle cannot be ridden into a Known enemy's Location."""
    if facts.rides and (facts.there.known or facts.there.harmless):
        sheet.bar("a Known enemy is there")


@effect(Switch)
def after_switch(position: AslPosition, action: Switch, bills: Sequence[Bill]) -> AslPosition:
    """Return the position after units have paid to change gear; a clause applies the change."""
    return after_action(position, action, bills)
