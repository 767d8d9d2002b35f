"""Depressions, water, marsh, cliffs and abrupt changes of elevation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause, unsupported
from marchtable_models.asl.clauses.terrain.chart import charge_row, is_out_of_season, row_named
from marchtable_models.asl.data import halves
from marchtable_models.asl.facts.ground import STREAMS

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.asl.facts.steps import Entry

__all__ = [
    "abrupt_change",
    "assembled_in_water",
    "bocage_ahead",
    "bocage_for_afv",
    "breaches",
    "canal_to_ford",
    "cumulative_terrain",
    "deep_stream",
    "fallen_rubble",
    "fording",
    "gully_terrain",
    "marsh_depth",
    "over_the_ridge",
    "stream_terrain",
    "water_to_ford",
]  # fmt: skip


def _charge_beside(facts: Entry, sheet: Sheet) -> None:
    row = row_named(facts.beside)
    if row.modelled and not is_out_of_season(row, facts.month):  # Open Ground adds nothing
        charge_row(facts, sheet, row)


@clause("A2.4", "Woods about a building add their cost to the building's", kind="cost")
def cumulative_terrain(facts: Entry, sheet: Sheet) -> None:
    if facts.beside and facts.row not in ("gully", *STREAMS):
        _charge_beside(facts, sheet)


@clause("B19.4a", "Other terrain in a gully adds its own cost to the gully's", kind="cost")
def gully_terrain(facts: Entry, sheet: Sheet) -> None:
    if (
        facts.beside
        and facts.row == "gully"
        and not (
            facts.beside == "shellholes" and facts.mover.pays_mf  # see B2.4
        )
    ):
        _charge_beside(facts, sheet)


@clause(
    "B24.121", "Rubble that has fallen costs what it costs, whatever it has fallen on", kind="cost"
)
def fallen_rubble(facts: Entry, sheet: Sheet) -> None:
    filled = facts.ground.filled
    if filled and not facts.way and sheet.reading("B24.121") == "adds":
        row = f"stream-{facts.depth}" if facts.depth and filled in STREAMS else filled
        charge_row(facts, sheet, row_named(row))


@clause(
    "B20.4",
    "Other terrain at a stream adds its own cost, unless one comes along the stream",
    kind="cost",
)
def stream_terrain(facts: Entry, sheet: Sheet) -> None:
    if facts.beside and facts.row in STREAMS:
        _charge_beside(facts, sheet)


@clause(
    "B20.43",
    "Infantry and Cavalry, horse and rider, that enter a deep stream become CX",
    kind="effect",
    composes="flag",
)
def deep_stream(facts: Entry, sheet: Sheet) -> None:
    if not facts.mover.is_vehicle and facts.in_deep_stream and not facts.cx:
        sheet.force("cx", value=True)
        sheet.force("tired", value=True)


@clause("B21.4", "A Water Obstacle is entered only where the conditions let it be forded",
        kind="action")  # fmt: skip
def water_to_ford(facts: Entry, sheet: Sheet) -> None:
    if facts.row == "water" and not (facts.way or facts.fordable or facts.afloat):
        sheet.bar("the water cannot be forded")


canal_to_ford = unsupported(
    "B21.41c",
    "Fording a canal: only rivers are forded, and the scene calls its Water Obstacles fordable",
    lambda facts: facts.ground.canal and facts.row == "water" and not facts.way and facts.fordable,
    lifts=("A4.11b", "A4.134", "A4.134b", "A4.61b", "B21.41b"),
)


@clause("B21.41b", "MMG, HMG and mortars that are forded with are dm", kind="capacity")
def assembled_in_water(facts: Entry, sheet: Sheet) -> None:
    if facts.row == "water" and not (facts.way or facts.mover.is_vehicle) and facts.assembled:
        sheet.bar("a MMG, HMG or mortar that is carried is not dm")


@clause("B21.41", "Who fords a Water Obstacle does so by Hazardous Movement", kind="effect")
def fording(facts: Entry, sheet: Sheet) -> None:
    if facts.row == "water" and not facts.mover.is_vehicle and not facts.column:
        sheet.force("hazardous", "fording")


@clause(
    "B10.5",
    "Over several levels at once, each between costs 2 MF or 4 MP upward, half of it downward",
    kind="cost",
)
def abrupt_change(facts: Entry, sheet: Sheet) -> None:
    between = abs(facts.ground.rise) - 1
    if between > 0:
        way = "up" if facts.ground.rise > 0 else "down"
        who = "foot" if facts.mover.pays_mf else "vehicle"
        amount = between * halves("B10.5", f"{way}_{who}")
        sheet.charge(amount, f"{between} level(s) between", "abrupt")


@clause(
    "B19.4b",
    "From one depression over higher ground into another 2 MF or 4 MP more are paid",
    kind="cost",
)
def over_the_ridge(facts: Entry, sheet: Sheet) -> None:
    if facts.ground.ridge:
        figure = "up_foot" if facts.mover.pays_mf else "up_vehicle"
        sheet.charge(halves("B10.5", figure), "the level between", "abrupt")


@clause("B9.54", "Of vehicles only fully-tracked AFV cross bocage", kind="action")
def bocage_for_afv(facts: Entry, sheet: Sheet) -> None:
    ground, mover = facts.ground, facts.mover
    if ground.hurdle == "bocage" and mover.column == "ft" and not mover.afv:
        sheet.bar("only a fully-tracked AFV crosses bocage")


@clause("B9.54a", "No vehicle crosses bocage in Reverse", kind="action", composes="flag")
def bocage_ahead(facts: Entry, sheet: Sheet) -> None:
    if facts.ground.hurdle == "bocage" and facts.mover.is_vehicle and facts.reverse:
        sheet.bar("bocage is not crossed in Reverse")


@clause(
    "B9.541",
    "A dozer, or an AFV made for it, breaches bocage as it crosses it, for its whole allotment",
    kind="action",
)
def breaches(facts: Entry, sheet: Sheet) -> None:
    if not facts.breach:
        return
    if facts.ground.hurdle != "bocage" or not facts.mover.breaches:
        sheet.bar("only a dozer, or an AFV made for it, breaches bocage that it crosses")
    if facts.reverse:
        sheet.bar("nobody breaches bocage in Reverse")
    sheet.charge(facts.mover.mp - sheet.total(), "a Breach, whole allotment", "all")


marsh_depth = unsupported(
    "B16.6",
    "Marsh, where the streams of the map are dry or its Water Obstacles may be forded: next to these it is mudflats",
    lambda facts: (
        facts.row == "marsh"
        and not (facts.way or facts.mover.is_vehicle)
        and (facts.depth == "dry" or facts.fordable)
    ),
    lifts=("A4.11b", "A4.134", "A4.134b", "A4.61b", "B16", "B16.4"),
)
