"""Which clauses may be blamed for a goal that units cannot meet, and on which the map's sight rests."""

from __future__ import annotations

from marchtable.rules.clause import Clause
from marchtable_models.asl.clauses import (
    bypass,
    crewing,
    infantry,
    loading,
    mounting,
    mounts,
    offboard,
    passengers,
    reverse,
    riders,
    stacking,
    standing,
    terrain,
    towing,
    unloading,
    vehicles,
)

__all__ = ["BEYOND_TRAVEL", "BLAMABLE", "BOARDING", "SIGHT"]

BLAMABLE = tuple(
    one.id
    for one in (
        standing.in_own_mph, standing.wreck_stays, offboard.gone, offboard.waits_off_board, offboard.in_its_turn,
        standing.done_is_done, standing.pinned_stays, standing.broken_stays,
        standing.fresh_on_foot, standing.fit_vehicle, standing.mobile, crewing.stunned,
        crewing.shocked, crewing.abandoned, standing.overloaded, mounts.cavalry_load,
        standing.used_up, mounting.pushed_cycle, stacking.enemy_there,
        stacking.overstacked_on_foot, stacking.overstacked_vehicle, stacking.overstacked_coming_on, vehicles.enemy_afv_there,
        vehicles.end_in_motion, passengers.passenger_pp, loading.kept, unloading.enough_left,
        unloading.stunned, unloading.fired_before, unloading.go_on, infantry.portage, infantry.exhausted_ipc, infantry.wounded, loading.four_mf,
        vehicles.pay_mp, infantry.pay_mf,
    )
)  # fmt: skip
"""Those that bind units whatever the map is like; what it bars and costs is taken as given."""
BOARDING = tuple(
    one.id
    for one in (
        loading.stands_to_load, loading.nothing_spent, loading.no_assault, loading.no_double_time,
        loading.board, unloading.quarter, unloading.alight, unloading.immobilized,
        unloading.fired_aboard, passengers.carrier_pp, passengers.carrier_riders,
        passengers.rider_pp, passengers.rider_vehicles, passengers.rider_dates,
        passengers.lone_rider, riders.struck, towing.tow_cost, towing.hitch_cost, towing.no_esb,
        towing.gun_crew, towing.fires_not,
    )
)  # fmt: skip
"""
Those that bind who boards, rides or leaves, or have a price for it.

They are to be blamed as well where vehicles might carry.
"""
SIGHT = frozenset(
    {
        *(c.id for m in (bypass, reverse) for c in vars(m).values() if isinstance(c, Clause)),
        vehicles.start.id, vehicles.stop.id, vehicles.turn_one_spine.id,
        vehicles.enter_within_vca.id, vehicles.must_be_started.id, vehicles.turn_after_start.id,
        terrain.declines_road.id,
    }
)  # fmt: skip
"""Those by which it is known what the map bars in any case (``extraction/outlook.py``)."""
BEYOND_TRAVEL = frozenset(
    one.id
    for one in (
        passengers.passenger_pp, loading.kept, unloading.enough_left, unloading.quarter,
        unloading.alight, loading.board, towing.hitch_cost,
    )
)  # fmt: skip
"""Those of loading and unloading alone, by which nobody gets about."""
