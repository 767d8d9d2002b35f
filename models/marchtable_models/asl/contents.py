"""The contents page: which clauses look at which facts, in the order in which they speak."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl import (
    bog,
    chart,
    columns,
    convoys,
    impulses,
    infantry,
    leaving,
    stacking,
    standing,
    terrain,
    vehicles,
)  # fmt: skip
from marchtable_models.asl.columnfacts import Disbanding, Follow
from marchtable_models.asl.facts import (
    Entry,
    Jump,
    StartStop,
    Swing,
)  # fmt: skip
from marchtable_models.asl.linefacts import Formation, Idle, Leaving, LineEnd, Lineup, Link, Parted
from marchtable_models.asl.unitfacts import (
    Allowance,
    BogResult,
    Declaration,
    Ending,
    Group,
    Parting,
    Payment,
    PhaseStart,
    Standing,
)  # fmt: skip

if TYPE_CHECKING:
    from marchtable.clause import Clause

__all__ = ["CONTENTS"]

CONTENTS: dict[type, tuple[Clause, ...]] = {
    Standing: (
        standing.in_own_mph,
        standing.advance,
        standing.wreck_stays,
        standing.from_offboard,
        standing.done_is_done,
        standing.pinned_stays,
        standing.broken_stays,
        standing.fresh_on_foot,
        standing.fit_vehicle,
        standing.mobile,
        standing.overloaded,
        standing.used_up,
        convoys.only_by_impulses,
        columns.closed_list,
        columns.no_special_moves,
        leaving.front_first,
        leaving.parted_first,
    ),
    Jump: (
        standing.adjacent_only,
    ),
    Group: (
        standing.stack_moves,
    ),
    Entry: (
        vehicles.must_be_started,
        vehicles.enter_within_vca,
        vehicles.half_entry,
        *chart.terrain_clauses(),
        terrain.gully_terrain,
        terrain.gully_overgrown,
        terrain.road_on_foot,
        terrain.road_in_vehicle,
        terrain.bu_road,
        terrain.path,
        terrain.smoke,
        terrain.rise_on_foot,
        terrain.rise_in_vehicle,
        terrain.abrupt_change,
        *chart.hexside_clauses(),
        vehicles.building_entry,
        vehicles.beside_the_road,
        vehicles.off_the_woods_road,
        terrain.wooden_bridge,
        terrain.one_lane_bridge,
        terrain.road_beside,
        terrain.slope,
        terrain.strange_road,
        terrain.road_bonus_lost,
        terrain.counters,
        vehicles.vehicles_there,
        convoys.vehicles_twice,
        convoys.beside_a_convoy,
        convoys.extra_mp,
        convoys.road_rate,
        convoys.straight_back,
        columns.no_obstacles,
        stacking.overstacked_on_foot,
        stacking.overstacked_vehicle,
        stacking.enemy_there,
        stacking.infantry_overrun,
        stacking.concealed_enemy,
        infantry.moves_with_lender,
        infantry.with_leader,
        bog.bog_check_entering,
        bog.bog_check_at_hexside,
    ),
    Swing: (
        vehicles.turn_after_start,
        vehicles.turn,
        vehicles.turn_on_bridge,
        vehicles.turn_one_spine,
        terrain.gully_overgrown,
        bog.bog_check_turning,
    ),
    StartStop: (
        convoys.no_start_after_stop,
        vehicles.start,
        vehicles.stop,
        vehicles.enemy_afv_there,
    ),
    Ending: (
        vehicles.end_in_motion,
        vehicles.enemy_afv_there,
    ),
    Declaration: (
        infantry.declare_double_time,
        infantry.double_time_cx,
        infantry.lend_ipc,
    ),
    Parting: (
        infantry.leader_stays,
        infantry.leaves_leader,
    ),
    Formation: (
        convoys.convoy_line,
        columns.column_line,
    ),
    Lineup: (
        impulses.moves_as_line,
        impulses.one_each,
        convoys.recalled_leaves,
        columns.waiting_to_disband,
    ),
    LineEnd: (
        convoys.motion_as_one,
    ),
    Leaving: (
        leaving.leave_only_convoy,
        leaving.stays_in_platoon,
        leaving.sees_attacked,
        leaving.by_radio,
        leaving.recalled,
        leaving.sees_lost,
        leaving.reason,
    ),
    Parted: (
        leaving.gap,
        leaving.gap_before_any_impulse,
        leaving.lone,
    ),
    Idle: (),
    Follow: (
        columns.ahead_only,
    ),
    Disbanding: (
        columns.offboard_stays,
        columns.harmless_mines,
        columns.disband_when_engaged,
        columns.near_aircraft,
        columns.near_he,
        columns.near_wp,
        columns.wire_found,
        columns.voluntary,
        columns.mph_ends,
        columns.wagons_in_motion,
        columns.pinned_defenders,
        columns.loses_concealment,
    ),
    Link: (
        impulses.in_line,
    ),
    Payment: (
        impulses.shared_expenditure,
        impulses.all_can_pay,
        vehicles.expend_more,
        vehicles.pay_mp,
        vehicles.all_entry,
        vehicles.minimum_move,
        infantry.pay_mf,
        infantry.minimum_move_on_foot,
    ),
    Allowance: (
        vehicles.printed_mp,
        infantry.base_mf,
        infantry.wounded,
        infantry.leader_bonus,
        columns.leader_for_all,
        infantry.portage,
        infantry.exhausted_ipc,
        infantry.lent_ipc,
        infantry.double_time_mf,
        infantry.road_bonus,
    ),
    BogResult: (
        bog.bogged,
    ),
    PhaseStart: (
        infantry.rested,
        standing.pin_ends,
        standing.ready_again,
    ),
}  # fmt: skip
