"""The weather, read off a scene's conditions, and snow added to the map's facts."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import msgspec

from marchtable_models.asl.views.ground_facts import STREAMS, Lie
from marchtable_models.asl.views.weather_facts import CLEAR, Weather

if TYPE_CHECKING:
    from marchtable_models.asl.model import AslConditions

FROZEN = {
    "marsh": "open",
    "mudflats": "open",
    "water": "open",
    **dict.fromkeys(STREAMS, "stream-dry"),
}
"""The effect of any snow on terrain (E3.722, B16.8, B20.7, B21.6)."""
COVERED = {"brush": "open", "vineyard": "open"}
"""The further effect of Deep Snow (B12.6)."""


def weather_of(conditions: AslConditions) -> Weather:
    """Return the weather."""
    seen = conditions
    if not (seen.ground_snow or seen.deep_snow or seen.mud or seen.rain or seen.soft_ground):
        return CLEAR
    snow = "deep" if seen.deep_snow else "ground" if seen.ground_snow else ""
    return Weather(snow, seen.plowed, seen.mud, seen.soft_ground, seen.rain)  # type: ignore[arg-type]


def snowed(way: Lie, conditions: AslConditions) -> Lie:
    """Return the facts of a crossing with snow, if any."""
    if not (conditions.ground_snow or conditions.deep_snow):
        return way
    return _snowed(way, deep=conditions.deep_snow)


@cache
def _snowed(way: Lie, *, deep: bool) -> Lie:
    turned = {**FROZEN, **COVERED} if deep else FROZEN

    def now(row: str) -> str:
        return turned.get(row, row)

    ground = way.ground
    within = "" if now(ground.within) == "open" else now(ground.within)
    there = now(ground.there)
    changed = msgspec.structs.replace(
        ground,
        here=now(ground.here), there=there, within=within, by_marsh=False, canal=False,
        frozen=ground.there if there != ground.there else "",
    )  # fmt: skip
    skirt = msgspec.structs.replace(way.skirt, row=now(way.skirt.row))
    return msgspec.structs.replace(way, ground=changed, skirt=skirt, beside=now(way.beside))
