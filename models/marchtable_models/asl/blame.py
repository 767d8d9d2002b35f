"""Which clauses may be blamed for a goal that units cannot meet, and on which the map's sight rests."""

from __future__ import annotations

from marchtable.rules.clause import Clause
from marchtable_models.asl.clauses.infantry import allowance, offboard, stacking, standing
from marchtable_models.asl.clauses.terrain import bypass, entry
from marchtable_models.asl.clauses.vehicles import movement, reverse
from marchtable_models.asl.rules import (
    capacity,
    cavalry,
    crews,
    loading,
    manning,
    mounting,
    riders,
    towing,
    unloading,
)

__all__ = ["BLAMABLE", "BOARDING", "SIGHT"]

BLAMABLE = tuple(
    one.id
    for one in (
        standing.in_own_mph, standing.wreck_stays, offboard.gone, offboard.waits_off_board, offboard.in_its_turn,
        standing.done_is_done, standing.pinned_stays, standing.broken_stays,
        standing.fresh_on_foot, standing.fit_vehicle, standing.mobile, crews.stunned,
        crews.shocked, crews.abandoned, manning.overloaded, cavalry.cavalry_load,
        standing.used_up, mounting.pushed_cycle, stacking.enemy_there,
        stacking.overstacked_on_foot, stacking.overstacked_vehicle, stacking.set_up_together, movement.enemy_afv_there,
        movement.end_in_motion, capacity.passenger_pp, loading.kept, unloading.enough_left,
        unloading.stunned, unloading.fired_before, unloading.go_on, allowance.portage, allowance.exhausted_ipc, allowance.wounded, loading.four_mf,
        movement.pay_mp, allowance.pay_mf,
    )
)  # fmt: skip
"""Those that bind units whatever the map is like; what it bars and costs is taken as given."""
BOARDING = tuple(
    one.id
    for one in (
        loading.stands_to_load, loading.nothing_spent, loading.no_assault, loading.no_double_time,
        loading.board, unloading.quarter, unloading.alight, unloading.immobilized,
        unloading.fired_aboard, capacity.carrier_pp, capacity.carrier_riders,
        capacity.rider_pp, capacity.rider_vehicles, capacity.rider_dates,
        capacity.lone_rider, riders.struck, towing.tow_cost, towing.hitch_cost, towing.no_esb,
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
        movement.start.id, movement.stop.id, movement.turn_one_spine.id,
        movement.enter_within_vca.id, movement.must_be_started.id, movement.turn_after_start.id,
        entry.declines_road.id,
    }
)  # fmt: skip
"""Those by which it is known what the map bars in any case (``extraction/outlook.py``)."""
