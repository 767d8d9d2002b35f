"""Weather (E3): the effect of rain, mud and snow on moving units."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause, not_modelled
from marchtable.rules.view import fact
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.rules import roads
from marchtable_models.asl.views.chart import cell, is_out_of_season, row_named
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.ground_facts import PATHED, WOODS
from marchtable_models.asl.views.weather_facts import CLEAR

TRACKLESS = ("hd", "mc", "ac", "tr")
ON_FOOT = ("inf", "cav")
OPEN = ("open", "shellholes", "plowed", "gully", "stream-dry", "sunken-road", "elevated-road")
"""Rows that count as Open Ground for Mud and Deep Snow if nothing else is in them (E3.65)."""
PAVED = ("runway", "bridge")


def _moves_on(facts: Entry, sheet: Sheet) -> bool:
    """Return whether a hexside is crossed, or bypassed, for less than the whole allotment."""
    return not facts.aside and not sheet.total("all")


class InWeather(Entry):
    """An entry as affected by the weather."""

    is_relevant = property(lambda self: self.weather != CLEAR or self.ground.frozen != "")

    @fact
    def is_open_to_it(self) -> bool:
        """Whether the hex entered counts as Open Ground for the Mud or Deep Snow there."""
        if self.way in ("road", "graveyard"):
            return not self.firm
        row = self.row
        if self.way or (row in PAVED and self.weather.mud):
            return False
        if is_out_of_season(row_named(row), self.month):
            return True
        covered = PATHED if self.weather.mud else WOODS
        return row in (*OPEN, *PAVED) and self.beside not in covered


@clause("E3.722", kind="state")
def frozen(facts: InWeather, sheet: Sheet) -> None:
    """Snow makes marsh, mudflats and water Open Ground, and streams dry; Deep Snow also brush."""
    if facts.ground.frozen:
        sheet.exception(f"snow: the {row_named(facts.ground.frozen).title.lower()} is {facts.row}")


@not_modelled("B21.6")
def on_ice(facts: InWeather) -> bool:
    """Whether ice holds a vehicle of five tons or more, or of unknown weight."""
    return (
        facts.ground.frozen == "water"
        and facts.mover.is_vehicle
        and not facts.way
        and not 0 < facts.mover.tons < count("B21.6", "tons")
    )


@clause("E3.54", kind="cost")
def levels_in_rain(facts: InWeather, sheet: Sheet) -> None:
    """Rain costs 1 extra MF or MP for each level up or down, except by paved road."""
    paved = facts.way == "road" and facts.ground.paved
    if facts.weather.rain and not paved and _moves_on(facts, sheet):
        sheet.charge(halves("E3.54", "level") * facts.ground.levels, "levels in rain", "weather")


@clause("E3.6", kind="cost")
def muddy_road(facts: InWeather, sheet: Sheet) -> None:
    """In Mud an unpaved road costs a vehicle Open Ground, climbs included."""
    mover = facts.mover
    if not facts.on_soft_road or mover.pays_mf or facts.way != "road":
        return
    more = cell("open", mover).amount - roads.road_rate(mover)
    sheet.charge(more, "an unpaved road in Mud", "cot")
    if facts.ground.rise > 0 and sheet.reading("E3.6") == "field":
        more = halves("B10.4", "up") - halves("B10.4", "up_by_road")
        sheet.charge(more, "uphill by an unpaved road in Mud", "uphill")


@clause("E3.64", kind="cost")
def mud(facts: InWeather, sheet: Sheet) -> None:
    """In Mud an Open Ground hexside costs half a MF or 1 MP extra, even by unpaved road."""
    if facts.weather.mud and _moves_on(facts, sheet) and facts.is_open_to_it:
        figure = "foot" if facts.mover.pays_mf else "vehicle"
        sheet.charge(halves("E3.64", figure) * facts.hexsides, "Mud", "weather")


@clause("E3.723b", kind="state", composes="flag")
def soft_road_bonus(facts: InWeather, sheet: Sheet) -> None:
    """In Mud an unpaved road, and in snow an unplowed one, forfeits the road bonus."""
    soft = facts.way == "road" and not facts.firm
    if soft and facts.mover.pays_mf and facts.road and not facts.manner.advancing:
        sheet.force("road", value=False)


@clause("E3.723", kind="cost")
def levels_in_snow(facts: InWeather, sheet: Sheet) -> None:
    """In snow Infantry and Cavalry pay 1 extra MF per level up or down, except by plowed road."""
    if facts.weather.snow and facts.mover.column in ON_FOOT and _moves_on(facts, sheet):
        levels = 0 if facts.firm else facts.ground.levels
        sheet.charge(halves("E3.723", "level") * levels, "levels in snow", "weather")


@clause("E3.724", kind="cost")
def road_rate(facts: InWeather, sheet: Sheet) -> None:
    """In snow a vehicle pays at least 1 MP at the road rate."""
    mover = facts.mover
    by_road = facts.way == "road" and not (mover.pays_mf or facts.convoy)  # see E11.2c
    if facts.weather.snow and by_road:
        more = max(0, halves("E3.724", "road") - roads.road_rate(mover))
        sheet.charge(more, "road hexside in snow", "cot")


@clause("E3.724b", kind="cost")
def without_tracks(facts: InWeather, sheet: Sheet) -> None:
    """In Ground Snow, or on plowed roads in Deep Snow, trackless vehicles pay 1 extra a hexside."""
    if facts.mover.column not in TRACKLESS or not _moves_on(facts, sheet):
        return
    in_convoy = facts.convoy and facts.way == "road"  # E11.2l adds it to the road rate
    if (facts.weather.snow == "ground" and not in_convoy) or (
        facts.weather.snow == "deep" and facts.firm
    ):
        sheet.charge(halves("E3.724", "trackless") * facts.hexsides, "no tracks in snow", "weather")


@clause("E3.733", kind="cost")
def deep_snow_on_foot(facts: InWeather, sheet: Sheet) -> None:
    """In Deep Snow Infantry and Cavalry pay half a MF extra per hexside, except by plowed road or into woods, a building or rubble."""
    if facts.weather.snow != "deep" or facts.mover.column not in ON_FOOT or facts.firm:
        return
    row = row_named(facts.row)
    sheltered = row.obstacle or row.id in ("wooden-rubble", "stone-rubble")
    if _moves_on(facts, sheet) and (facts.way in ("road", "graveyard") or not sheltered):
        sheet.charge(halves("E3.733", "hexside") * facts.hexsides, "Deep Snow", "weather")


@clause("D12.5", kind="cost")
def on_a_sledge(facts: InWeather, sheet: Sheet) -> None:
    """A sledge pays nothing extra for snow."""
    if facts.mover.sledge and facts.weather.snow:
        sheet.charge(-sheet.total("weather"), "a sledge", "weather")


@clause("E3.733b", kind="action")
def no_gallop(facts: InWeather, sheet: Sheet) -> None:
    """In Deep Snow units gallop only across plowed road hexsides."""
    if facts.weather.snow == "deep" and facts.manner.galloping and not facts.firm:
        sheet.bar("a unit cannot gallop in Deep Snow except by plowed road")


@clause("E3.7331", kind="cost")
def deep_snow_in_vehicle(facts: InWeather, sheet: Sheet) -> None:
    """In Deep Snow tracks pay 1 extra MP a hexside, others 2, except by plowed road."""
    mover = facts.mover
    deep = facts.weather.snow == "deep" and not facts.firm
    if deep and mover.is_vehicle and _moves_on(facts, sheet):
        figure = "trackless" if mover.column in TRACKLESS else "tracked"
        sheet.charge(halves("E3.7331", figure) * facts.hexsides, "Deep Snow", "weather")
