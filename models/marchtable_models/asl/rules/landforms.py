"""Depressions, water, marsh, cliffs and abrupt changes of elevation."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause, not_modelled
from marchtable.rules.view import fact, read
from marchtable_models.asl.data import Row, halves
from marchtable_models.asl.views.chart import charge_row, is_out_of_season, row_named
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.ground_facts import STREAMS
from marchtable_models.asl.views.movers import carried_sw
from marchtable_models.asl.views.reading import Entering
from marchtable_models.asl.weapons import is_assembled


def _carries_assembled(step: Entering) -> bool:
    """Return whether a MMG, HMG or mortar that is not dm is carried into a Water Obstacle."""
    carried = carried_sw(step.position, step.unit)
    return step.lie.ground.there == "water" and any(map(is_assembled, carried))


class Overland(Entry):
    """An entry affected by landforms and growth."""

    fordable: bool = read("position.conditions.fordable")
    assembled: bool = read(_carries_assembled)  # carried into water

    @fact
    def grown(self) -> Row | None:
        """The row of other terrain there that adds its cost; Open Ground adds nothing."""
        row = row_named(self.beside) if self.beside else None
        return row if row and row.modelled and not is_out_of_season(row, self.month) else None

    @fact
    def wades(self) -> bool:
        """Whether a unit outside a vehicle fords a Water Obstacle."""
        return self.row == "water" and not self.mover.is_vehicle


@clause("A2.4", kind="cost")
def cumulative_terrain(facts: Overland, sheet: Sheet) -> None:
    """Woods around a building add their cost to the building's."""
    if facts.grown and facts.row not in ("gully", *STREAMS):
        charge_row(facts, sheet, facts.grown)


@clause("B19.4a", kind="cost")
def gully_terrain(facts: Overland, sheet: Sheet) -> None:
    """Other terrain in a gully adds its own cost to the gully's."""
    strewn = facts.beside == "shellholes" and facts.mover.pays_mf  # B2.4 covers this
    if facts.grown and facts.row == "gully" and not strewn:
        charge_row(facts, sheet, facts.grown)


@clause("B24.121", kind="cost")
def fallen_rubble(facts: Overland, sheet: Sheet) -> None:
    """Fallen rubble has its own cost, whatever it has fallen on."""
    filled = facts.ground.filled
    if filled and not facts.way and sheet.reading("B24.121") == "adds":
        row = f"stream-{facts.depth}" if facts.depth and filled in STREAMS else filled
        charge_row(facts, sheet, row_named(row))


@clause("B20.4", kind="cost")
def stream_terrain(facts: Overland, sheet: Sheet) -> None:
    """Other terrain at a stream adds its own cost, except when moving along the stream."""
    if facts.grown and facts.row in STREAMS:
        charge_row(facts, sheet, facts.grown)


@clause("B20.43", kind="effect", composes="flag")
def deep_stream(facts: Overland, sheet: Sheet) -> None:
    """Infantry and Cavalry (horse and rider) entering a deep stream become CX."""
    if not facts.mover.is_vehicle and facts.in_deep_stream and not facts.cx:
        sheet.force("cx", value=True)
        sheet.force("tired", value=True)


@clause("B21.4", kind="action")
def water_to_ford(facts: Overland, sheet: Sheet) -> None:
    """A Water Obstacle can be entered only if conditions allow fording."""
    if facts.row == "water" and not (facts.way or facts.fordable or facts.afloat):
        sheet.bar("the water cannot be forded")


@not_modelled("B21.41c", lifts=("A4.11b", "A4.134", "A4.134b", "A4.61b", "B21.41b"))
def canal_to_ford(facts: Overland) -> bool:
    """Fording a canal: only rivers are forded, but the scene makes its Water Obstacles fordable."""
    return facts.ground.canal and facts.row == "water" and not facts.way and facts.fordable


@clause("B21.41b", kind="capacity")
def assembled_in_water(facts: Overland, sheet: Sheet) -> None:
    """MMG, HMG and mortars carried through a ford must be dm."""
    if facts.wades and not facts.way and facts.assembled:
        sheet.bar("a carried MMG, HMG or mortar is not dismantled (dm)")


@clause("B21.41", kind="effect")
def fording(facts: Overland, sheet: Sheet) -> None:
    """Fording a Water Obstacle is Hazardous Movement."""
    if facts.wades and not facts.column:
        sheet.force("hazardous", "fording")


@clause("B10.5", kind="cost")
def abrupt_change(facts: Overland, sheet: Sheet) -> None:
    """An Abrupt Elevation Change costs 2 MF or 4 MP per intermediate level upward, half of it downward."""
    between = abs(facts.ground.rise) - 1
    if between > 0:
        way = "up" if facts.ground.rise > 0 else "down"
        who = "foot" if facts.mover.pays_mf else "vehicle"
        amount = between * halves("B10.5", f"{way}_{who}")
        sheet.charge(amount, f"{between} level(s) between", "abrupt")


@clause("B19.4b", kind="cost")
def over_the_ridge(facts: Overland, sheet: Sheet) -> None:
    """Crossing higher ground from one Depression into another costs 2 MF or 4 MP extra."""
    if facts.ground.ridge:
        figure = "up_foot" if facts.mover.pays_mf else "up_vehicle"
        sheet.charge(halves("B10.5", figure), "the level between", "abrupt")


@clause("B9.54", kind="action")
def bocage_for_afv(facts: Overland, sheet: Sheet) -> None:
    """Only fully-tracked AFV can cross bocage."""
    ground, mover = facts.ground, facts.mover
    if ground.hurdle == "bocage" and mover.column == "ft" and not mover.afv:
        sheet.bar("only a fully-tracked AFV can cross bocage")


@clause("B9.54a", kind="action", composes="flag")
def bocage_ahead(facts: Overland, sheet: Sheet) -> None:
    """A vehicle cannot cross bocage in Reverse."""
    if facts.ground.hurdle == "bocage" and facts.mover.is_vehicle and facts.reverse:
        sheet.bar("bocage cannot be crossed in Reverse")


@clause("B9.541", kind="action")
def breaches(facts: Overland, sheet: Sheet) -> None:
    """A dozer, or an AFV built for it, breaches bocage as it crosses, for its whole allotment."""
    if not facts.breach:
        return
    if facts.ground.hurdle != "bocage" or not facts.mover.breaches:
        sheet.bar("only a dozer, or an AFV built for it, can breach bocage")
    if facts.reverse:
        sheet.bar("a vehicle cannot breach bocage in Reverse")
    sheet.charge(facts.mover.mp - sheet.total(), "a Breach, whole allotment", "all")


@not_modelled("B16.6", lifts=("A4.11b", "A4.134", "A4.134b", "A4.61b", "B16", "B16.4"))
def marsh_depth(facts: Overland) -> bool:
    """Marsh if the map's streams are dry or its Water Obstacles fordable: nearby it is mudflats."""
    return (
        facts.row == "marsh"
        and not (facts.way or facts.mover.is_vehicle)
        and (facts.depth == "dry" or facts.fordable)
    )
