"""The Bog Check (D8.2): when it is due, its odds, and what becomes of a vehicle that fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.clause import clause
from marchtable.dice import two_dice_at_least
from marchtable.position import Odds
from marchtable_models.asl.chart import cell, row_named
from marchtable_models.asl.data import count

if TYPE_CHECKING:
    from marchtable.clause import Sheet
    from marchtable_models.asl.facts import BogResult, Entry, Mover, Swing

__all__ = ["bog_check_entering", "bog_check_turning", "bogged"]


def _drm(mover: Mover) -> dict[str, int]:
    """Return the Bog DRM that depend on the vehicle, by what they are for."""
    drm = {}
    if mover.ground_pressure != "low":
        drm[f"{mover.ground_pressure} ground pressure"] = count(
            "D8.21", f"{mover.ground_pressure}_ground_pressure"
        )
    if mover.column != "ft":
        drm["not fully tracked"] = count("D8.21", "not_fully_tracked")
    if mover.truck_type:
        drm["truck-type"] = count("D8.21", "truck_type")
    return drm


def _roll(sheet: Sheet, name: str, drm: dict[str, int]) -> None:
    fails, of = two_dice_at_least(count("D8.21", "bogs") - sum(drm.values()))
    odds = (Odds("mobile", of - fails, of), Odds("bogged", fails, of))
    sheet.roll(name, odds, ", ".join(f"{value:+d} {what}" for what, value in drm.items()))


@clause("D8.21a", "Entering difficult terrain off road, or climbing out of it, calls for a Bog Check", kind="odds")
def bog_check_entering(facts: Entry, sheet: Sheet) -> None:
    mover, ground = facts.mover, facts.ground
    if not mover.is_vehicle or facts.way == "road":
        return
    at_hexside = bool(ground.hexside) and "B" in cell(ground.hexside, mover).marks
    entering = "B" in cell(ground.there, mover).marks
    leaving = "BB" in cell(ground.here, mover).marks and not ground.into_depression
    if not (at_hexside or entering or leaving):
        return
    drm = _drm(mover)
    row = row_named(ground.there)
    if entering:
        if facts.half and mover.column in row.half:
            drm[f"{row.title} at half the allotment"] = row.half[mover.column]
        if row.bog_drm:
            drm[row.title] = row.bog_drm
        if ground.rise > 0 and row.id == "woods":
            drm["uphill into woods"] = count("D8.21", "up_into_woods")
    _roll(sheet, "bog-hexside" if at_hexside else "bog", drm)


@clause("D8.21b", "Changing VCA in difficult terrain off road calls for a Bog Check", kind="odds")
def bog_check_turning(facts: Swing, sheet: Sheet) -> None:
    on_road = bool(facts.ground.road_here) and not facts.off_road
    if not on_road and "B" in cell(facts.ground.here, facts.mover).marks:
        _roll(sheet, "bog", _drm(facts.mover))


@clause("D8.21c", "A vehicle that fails is bogged and its MPh ends; at a hexside it stays behind it", kind="effect")
def bogged(facts: BogResult, sheet: Sheet) -> None:
    if facts.outcome != "bogged":
        return
    for field, value in (("bogged", True), ("moving", False), ("mph", "done")):
        sheet.force(field, value)
    if facts.at_hexside and facts.previous and sheet.reading("B9.4") == "left":
        sheet.force("at", facts.previous)
