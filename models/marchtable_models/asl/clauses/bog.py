"""The Bog Check (D8.2): when it is due, its odds, and what becomes of a vehicle that fails."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from marchtable.dice import two_dice_at_least
from marchtable.rules.clause import clause, unsupported
from marchtable.state.position import Odds
from marchtable_models.asl.clauses.chart import cell, cells, counter_rows
from marchtable_models.asl.data import count
from marchtable_models.asl.facts.ground import STREAMS, WOODS

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.asl.data import Row
    from marchtable_models.asl.facts.ground import Ground
    from marchtable_models.asl.facts.outcomes import BogResult
    from marchtable_models.asl.facts.steps import Entry, Mover
    from marchtable_models.asl.facts.vehicles import Swing

__all__ = [
    "bog_check_at_hexside",
    "bog_check_entering",
    "bog_check_leaving",
    "bog_check_off_the_trail",
    "bog_check_turning",
    "bogged",
    "escort_left",
    "is_bog_check",
    "is_turn_difficult",
    "kind_of_check",
]


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
    if mover.towing:
        drm["towing"] = count("D8.21", "towing")
    return drm


def _roll(sheet: Sheet, name: str, drm: dict[str, int]) -> None:
    fails, of = two_dice_at_least(count("D8.21", "bogs") - sum(drm.values()))
    odds = (Odds("mobile", of - fails, of), Odds("bogged", fails, of))
    sheet.roll(name, odds, ", ".join(f"{value:+d} {what}" for what, value in drm.items()))


def _is_hexside_difficult(facts: Entry) -> bool:
    hexside = facts.ground.hurdle
    return bool(hexside) and "B" in cell(hexside, facts.mover).marks


def _is_boggy(ground: Ground, mover: Mover) -> bool:
    """Tell whether every hex of that lie is a Bog hex (B16.43); motorcycles never bog (D15.47)."""
    return ground.by_marsh and mover.column != "mc"


def _is_entry_difficult(facts: Entry) -> bool:
    boggy = _is_boggy(facts.ground, facts.mover)
    return boggy or (facts.way != "trail" and any("B" in found.marks for _, found in cells(facts)))


def _difficult_counters(kinds: tuple[str, ...], mover: Mover) -> list[Row]:
    """Return the rows of counters that call for a Bog Check."""
    return [row for row in counter_rows(kinds) if "B" in cell(row.id, mover).marks]


def _drm_entering(facts: Entry) -> dict[str, int]:
    """Return the Bog DRM of an entry, those of the terrain beyond the hexside included."""
    drm = _drm(facts.mover)
    if facts.ground.abrupt:
        drm["abrupt change of elevation"] = count("D8.21", "abrupt")
    for row, found in () if facts.way else cells(facts):
        if "B" in found.marks:
            if found.drm:
                drm[row.title] = found.drm
            if facts.ground.rise > 0 and row.id in WOODS:
                drm["uphill into woods"] = count("D8.21", "up_into_woods")
    return drm | _drm_of_counters(
        _difficult_counters(facts.there.counters, facts.mover), facts.mover
    )


def _drm_of_counters(found: list[Row], mover: Mover) -> dict[str, int]:
    drm = {row.title: cell(row.id, mover).drm for row in found}
    return {title: value for title, value in drm.items() if value}


@clause(
    "D8.21a",
    "Entering difficult terrain off road calls for a Bog Check",
    kind="odds",
)
def bog_check_entering(facts: Entry, sheet: Sheet) -> None:
    mover = facts.mover
    if not mover.is_vehicle:
        return
    by_road = facts.beaten
    if not by_road and _is_hexside_difficult(facts):
        return  # one check, that of the hexside
    due = not by_road and _is_entry_difficult(facts)
    if not due and _difficult_counters(facts.there.counters, mover):
        due = not by_road or sheet.reading("D8.21a") == "due"
    if due:
        _roll(sheet, "bog", _drm_entering(facts))


def _is_dry(facts: Entry) -> bool:
    here = facts.ground.here
    return here == "stream-dry" or (facts.depth == "dry" and here in STREAMS)


def _leaves_a_bog(facts: Entry) -> bool:
    """Tell whether a vehicle climbs, off the road, out of what the chart marks for a check as it is left."""
    if not facts.mover.is_vehicle or facts.beaten or facts.ground.into_depression:
        return False
    return "BB" in cell(facts.ground.here, facts.mover).marks


@clause(
    "D8.2",
    "A vehicle that leaves a stream, or a truck a gully, makes a Bog Check there first",
    kind="odds",
)
def bog_check_leaving(facts: Entry, sheet: Sheet) -> None:
    mover, ground = facts.mover, facts.ground
    if not _leaves_a_bog(facts):
        return
    dry = _is_dry(facts) and sheet.reading("D8.2") == "gully"
    if "BB" not in cell("gully" if dry else ground.here, mover).marks:
        return
    drm = _drm(mover)
    if ground.abrupt:
        drm["abrupt change of elevation"] = count("D8.21", "abrupt")
    depth = f"stream-{facts.depth}" if facts.depth and ground.here in STREAMS else ground.here
    if depth == "stream-deep":
        drm["out of a deep stream"] = count("D8.21", "deep_stream")
    _roll(sheet, "bog-leaving", drm)


@clause(
    "B13.421d",
    "A fully-tracked AFV that came along a Trail Break and leaves off it makes a Bog Check there first",
    kind="odds",
)
def bog_check_off_the_trail(facts: Entry, sheet: Sheet) -> None:
    mover = facts.mover
    follows = facts.way == "trail" and mover.afv and mover.column == "ft"
    if follows != facts.on_trail:
        sheet.force("on_trail", follows)
    if facts.on_trail and not (facts.beaten or facts.ground.trail_out or _leaves_a_bog(facts)):
        _roll(sheet, "bog-leaving", _drm(mover))


@clause(
    "D8.21d",
    "Crossing a difficult hexside off road calls for a Bog Check, one with that of the hex",
    kind="odds",
)
def bog_check_at_hexside(facts: Entry, sheet: Sheet) -> None:
    if facts.mover.is_vehicle and not facts.beaten and _is_hexside_difficult(facts):
        _roll(sheet, "bog-hexside", _drm_entering(facts))


escort_left = unsupported(
    "D9.31f",
    "Armored Assault where the AFV makes a Bog Check before it is across: who bogs there stays behind",
    lambda facts: (
        bool(facts.along)
        and facts.mover.is_vehicle
        and not facts.beaten
        and (_is_hexside_difficult(facts) or _leaves_a_bog(facts))
    ),
)


def is_turn_difficult(facts: Swing, sheet: Sheet) -> bool:
    """Tell whether a VCA change there calls for a Bog Check."""
    on_road = bool(facts.ground.road_here) and not facts.off_road
    if not facts.mover.is_vehicle:
        return False
    due = not on_road and (
        _is_boggy(facts.ground, facts.mover)
        or any("B" in cell(row, facts.mover).marks for row in facts.ground.rows)
    )
    if not due and _difficult_counters(facts.counters_here, facts.mover):
        due = not on_road or sheet.reading("D8.21a") == "due"
    return due


@clause("D8.21b", "Changing VCA in difficult terrain off road calls for a Bog Check", kind="odds")
def bog_check_turning(facts: Swing, sheet: Sheet) -> None:
    if is_turn_difficult(facts, sheet):
        found = _difficult_counters(facts.counters_here, facts.mover)
        drm = _drm(facts.mover) | _drm_of_counters(found, facts.mover)
        if "debris" in facts.ground.rows and sheet.reading("D8.21b") == "any":
            drm["debris"] = count("D8.21", "debris")
        _roll(sheet, "bog", drm)


@clause(
    "D8.21c",
    "A vehicle that fails is bogged and its MPh ends; at a hexside, or leaving a stream, it stays behind",
    kind="effect",
)
def bogged(facts: BogResult, sheet: Sheet) -> None:
    if facts.outcome != "bogged":
        return
    for field, value in (("bogged", True), ("moving", False), ("mph", "done")):
        sheet.force(field, value)
    if facts.reverse:
        sheet.force("reverse", value=False)
    behind = facts.of == "leaving" or (facts.of and sheet.reading("D8.21c") == "left")
    if behind and facts.previous:
        sheet.force("at", facts.previous)
        sheet.force("off_road", facts.from_obstacle)  # by road it would have made no check
        if facts.in_bypass:
            sheet.force("bypass", None)


def kind_of_check(clause_id: str) -> Literal["", "hexside", "leaving"]:
    """Return whether a Bog Check is one at a hexside, or of a vehicle that leaves a stream."""
    if clause_id in (bog_check_leaving.id, bog_check_off_the_trail.id):
        return "leaving"
    return "hexside" if clause_id == bog_check_at_hexside.id else ""


def is_bog_check(clause_id: str) -> bool:
    """Tell whether a roll that this clause calls for is a Bog Check."""
    return clause_id in (
        bog_check_entering.id,
        bog_check_turning.id,
        bog_check_at_hexside.id,
        bog_check_leaving.id,
        bog_check_off_the_trail.id,
    )
