"""The contents page of Valor & Victory: the clauses that look at each kind of facts, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.valor.clauses import (
    antitank,
    assaults,
    barrages,
    casualties,
    combat,
    errands,
    fire,
    forming,
    movement,
    protection,
    rally,
    transport,
    valour,
    works,
)
from marchtable_models.valor.clauses.chart import CHART
from marchtable_models.valor.facts.assaults import (
    Arm,
    Assaulters,
    Battered,
    Clash,
    Crossed,
    Defence,
    Laying,
    Overrunning,
    SniperFell,
    Sniping,
    StormFell,
    Storming,
    Swept,
    Taking,
)
from marchtable_models.valor.facts.attacks import (
    Aim,
    Crew,
    Firing,
    Inspired,
    Loadout,
    Piercing,
    Result,
    Shot,
    Steeled,
    UsedUp,
    Volley,
)
from marchtable_models.valor.facts.barrages import Mission
from marchtable_models.valor.facts.errands import (
    Abandoned,
    Forming,
    Handing,
    Leaving,
    Smoking,
    Struck,
)
from marchtable_models.valor.facts.losses import (
    Boarding,
    Carried,
    Loss,
    March,
    Outcome,
    Owing,
    Portage,
    Recovery,
    Stacked,
    Trial,
)  # fmt: skip
from marchtable_models.valor.facts.moves import (
    Allowance,
    Blast,
    Company,
    Mobile,
    Payment,
    Sequence,
    Step,
    Turning,
)

if TYPE_CHECKING:
    from marchtable.rules.clause import Clause

__all__ = ["BEYOND_TRAVEL", "CONTENTS"]

CONTENTS: dict[type, tuple[Clause, ...]] = {
    Owing: (casualties.owner_chooses,),
    Sequence: (movement.sequence,),
    Firing: (
        fire.fire_phases, rally.pinned_acts_not, fire.one_attack, fire.opportunity_fire, fire.mortars,
        fire.pinned_in_a_crowd, antitank.final_fire,
    ),
    Shot: (
        fire.counters_weapons, fire.vehicle_ranges, fire.gun_arc, fire.ring_mg, fire.forward_mg,
        fire.passenger_weapons, fire.infantry_range, fire.mortars,
    ),
    Loadout: (fire.infantry_loadout, fire.counters_weapons, fire.example_tank, fire.mortars),
    Crew: (fire.groups, fire.smaller_groups, fire.passenger_groups, fire.alone, fire.mortars),
    Aim: (fire.anti_personnel, fire.line_of_sight),
    Volley: (
        combat.total, barrages.by_table, assaults.doubled, combat.leaders, valour.valour, combat.hexside_hindrance, combat.own_hexside,
        combat.other_modifiers, combat.over_hindrances, combat.opportunity_dice, movement.uncharted, combat.mortar_mixed,
        combat.bursts_mixed,
        combat.roll,
    ),
    Result: (combat.casualty_points, combat.air_bursts),
    Piercing: (antitank.who_pierces, antitank.reaches, antitank.no_bunkers),
    UsedUp: (antitank.used_up,),
    Inspired: (valour.valour_check,),
    Steeled: (valour.valour_check,),
    Loss: (
        casualties.owner_chooses, fire.anti_personnel, fire.opportunity_fire,
        casualties.reduce, casualties.example_squad, casualties.eliminate, casualties.weapons_lost,
        casualties.keeps_weapons, casualties.reduced_then_pinned, casualties.no_pin_then_more,
        casualties.fulfil, casualties.pins_last, casualties.split_points, casualties.pinned_last,
        casualties.no_reduction_of_pinned, protection.first_point, protection.same_unit_next,
        protection.one_point_pins, protection.more_than_rating, protection.pinned_vehicle,
        protection.survival, protection.passengers_count, protection.collateral,
        protection.afv_passengers, protection.towed_gun, protection.no_pin_for_passengers,
        assaults.battered_crowd,
    ),
    Outcome: (protection.survival, protection.passengers_count),
    Carried: (protection.share_fate, protection.passengers_pinned, rally.brings_passengers),
    Trial: (rally.who_rallies, rally.leader_helps, rally.roll_to_rally, rally.brings_passengers),
    Recovery: (rally.recover,),
    Boarding: (
        rally.pinned_acts_not, transport.loading_time, transport.who_boards, transport.capacity,
    ),
    Stacked: (transport.stacking, works.occupants, works.bunkers),
    Portage: (transport.portage,),
    March: (movement.told, transport.who_boards),
    Mobile: (
        movement.coming_on, movement.own_phase, rally.pinned_acts_not, movement.printed_mp,
        movement.one_after_another, errands.immobile, movement.advancing,
    ),
    Company: (movement.stacks,),
    Step: (
        movement.adjacent, movement.coming_on, movement.enemies, movement.assault, movement.uncharted, movement.higher,
        *CHART, movement.uphill, movement.steep_way, movement.hexsides, works.entering_works,
        works.wire, movement.direction, works.mines,
    ),
    Turning: (movement.turning, movement.in_place, movement.advancing),
    Allowance: (
        movement.infantry_mp, movement.leader_bonus, movement.printed_mp, movement.assault_halves,
        movement.heavy_weapon,
    ),
    Payment: (movement.steep_way, movement.minimum, movement.pay),
    Blast: (works.blown_up,),
    Overrunning: (assaults.overruns, assaults.overrun_cost),
    Assaulters: (assaults.who_assaults,),
    Storming: (assaults.who_assaults,),
    Arm: (assaults.assaulters_weapons,),
    Defence: (assaults.defence, assaults.vehicles_defend, assaults.guns_defend),
    Clash: (
        assaults.who_assaults, assaults.pinned_defenders, assaults.bunker_taken, valour.valour, assaults.odds, assaults.leaders_assault, assaults.assaulters_suffer,
        assaults.uphill_assault,
        assaults.storm_roll,
    ),
    StormFell: (assaults.storm_roll, assaults.assaulters_suffer, assaults.defenders_suffer),
    Battered: (assaults.batters_afv, errands.abandons),
    Taking: (works.mines_taken,),
    Sniping: (assaults.snipers, assaults.sniper_points, assaults.sniper_check),
    SniperFell: (assaults.sniper_points,),
    Laying: (assaults.lanes_laid,),
    Mission: (barrages.missions, barrages.scatter, barrages.spotters, barrages.smoke_missions),
    Swept: (assaults.lanes_swept,),
    Crossed: (assaults.crossfire, assaults.lane_points),
    Leaving: (errands.leaving, movement.direction),
    Smoking: (rally.pinned_acts_not, errands.one_smoke, errands.infantry_smoke, errands.smoke_rounds),
    Handing: (errands.handed_on,),
    Forming: (rally.pinned_acts_not, forming.with_a_leader, forming.one_type, forming.valorous_stay),
    Struck: (errands.struck, errands.abandons),
    Abandoned: (errands.abandons,),
}  # fmt: skip

TRAVEL = (Owing, Mobile, Company, March, Step, Turning, Stacked, Allowance, Payment, Swept)
"""The facts of moves."""
BEYOND_TRAVEL = frozenset(
    entry.id for kind, entries in CONTENTS.items() if kind not in TRAVEL for entry in entries
) - {entry.id for kind in TRAVEL for entry in CONTENTS[kind]}
"""Clauses that no move asks."""
