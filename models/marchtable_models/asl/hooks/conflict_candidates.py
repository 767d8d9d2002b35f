"""Candidates for a conflict: clauses that can forbid a goal, and those that rest on computed sight."""

from __future__ import annotations

from marchtable.rules.clause import Clause
from marchtable_models.asl.rules import (
    bypass,
    capacity,
    cavalry,
    crews,
    infantry_mf,
    loading,
    manning,
    mounting,
    mph_end,
    offboard,
    reverse,
    riders,
    roads,
    stacking,
    start_stop,
    towing,
    turning,
    unloading,
    vehicle_mp,
    who_may_act,
)

CANDIDATES = tuple(
    one.id
    for one in (
        who_may_act.in_own_mph, who_may_act.wreck_stays, offboard.gone, offboard.waits_off_board, offboard.in_its_turn,
        who_may_act.done_is_done, who_may_act.pinned_stays, who_may_act.broken_stays,
        who_may_act.fresh_on_foot, who_may_act.fit_vehicle, who_may_act.mobile, crews.stunned,
        crews.shocked, crews.abandoned, manning.overloaded, cavalry.cavalry_load,
        who_may_act.used_up, mounting.pushed_cycle, stacking.enemy_there,
        stacking.overstacked_on_foot, stacking.overstacked_vehicle, stacking.set_up_together, mph_end.enemy_afv_there,
        mph_end.end_in_motion, capacity.passenger_pp, loading.kept, unloading.enough_left,
        unloading.stunned, unloading.fired_before, unloading.go_on, infantry_mf.portage, infantry_mf.exhausted_ipc, infantry_mf.wounded, loading.four_mf,
        vehicle_mp.pay_mp, infantry_mf.pay_mf,
    )
)  # fmt: skip
"""Clauses that bind units on any map; the map's bars and costs are taken as given."""
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
Clauses that bind a unit that boards, rides or leaves, or that set the price.

They are candidates too if vehicles could carry units.
"""
SIGHT = frozenset(
    {
        *(c.id for m in (bypass, reverse) for c in vars(m).values() if isinstance(c, Clause)),
        start_stop.start.id, start_stop.stop.id, turning.turn_one_spine.id,
        turning.enter_within_vca.id, start_stop.must_be_started.id, turning.turn_after_start.id,
        roads.declines_road.id,
    }
)  # fmt: skip
"""Clauses that reach asks what the map and a mode alone bar (``views/outlook.py``)."""
