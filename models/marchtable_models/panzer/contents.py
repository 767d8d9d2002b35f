"""The contents page: which clauses look at which facts, in the order in which they speak."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.panzer.clauses import (
    assaults,
    combat,
    eligibility,
    fire,
    movement,
    overruns,
    stacking,
    transport,
    works,
)
from marchtable_models.panzer.facts.fire import Recovering, Shared, Target
from marchtable_models.panzer.facts.steps import (
    Allowance,
    Assaulting,
    Burden,
    Firing,
    Leaving,
    Loading,
    Mobile,
    Observing,
    Overrunning,
    Owing,
    Pairing,
    Payment,
    Recording,
    Removal,
    Sequence,
    Shelling,
    Stack,
    Step,
    Unloading,
)  # fmt: skip

if TYPE_CHECKING:
    from marchtable.rules.clause import Clause

__all__ = ["CONTENTS"]

CONTENTS: dict[type, tuple[Clause, ...]] = {
    Owing: (combat.owner_removes,),
    Mobile: (
        movement.who_moves, movement.vehicles_first, transport.dispersed, transport.passenger_rests, transport.exclusive,
        transport.wholly, overruns.straight, fire.observer_aboard, transport.optional_rules, works.mines_stop,
        works.blocks, works.forts,
    ),
    Overrunning: (overruns.who, overruns.straight, overruns.attacks_once, overruns.once, overruns.bonus),
    Step: (
        movement.adjacent, movement.coming_on, works.blocks, movement.enemies, movement.concealed, stacking.markers, movement.uncharted,
        stacking.game_rules, movement.chart, movement.added_terrain, movement.concealing, combat.registered,
    ),
    Shelling: (combat.registered,),
    Leaving: (movement.leaving,),
    Loading: (
        transport.one_of_three, transport.passenger_rests, transport.exclusive, transport.dispersed,
        transport.optional_rules,
    ),
    Burden: (transport.one_of_three,),
    Pairing: (eligibility.armed_carriers, eligibility.riders, eligibility.by_class),
    Unloading: (
        transport.one_of_three, transport.half, transport.exclusive, transport.wholly,
        transport.dispersed, transport.optional_rules,
    ),
    Recording: (transport.record,),
    Stack: (combat.one_target, stacking.wrecks, stacking.unloading, stacking.game_rules, stacking.markers),
    Sequence: (movement.sequence,),
    Payment: (movement.one_hex, movement.concealed, transport.half, movement.pay),
    Allowance: (movement.movement_factor, transport.half),
    Firing: (
        fire.fires_once, transport.dispersed, fire.passenger_silent, transport.passenger_rests,
        fire.transport_fires, works.mines_silence,
    ),
    Assaulting: (assaults.who, assaults.near, assaults.rested, transport.dispersed, works.mines_silence),
    Observing: (fire.observers, transport.dispersed, fire.observer_aboard),
    Target: (
        combat.on_the_map, overruns.struck, assaults.struck, works.mines_attack, combat.drew_fire, combat.as_unloaded, combat.as_loaded, combat.still_loaded, combat.apart,
        combat.rider_direct, combat.rider_indirect, combat.one_target, combat.spotted,
        combat.on_moving_units, combat.registered, combat.destroys,
    ),
    Shared: (
        combat.as_unloaded, combat.as_loaded, combat.still_loaded, combat.apart,
        combat.shared_results, combat.rider_results, combat.dd_unloads, combat.forced_off, combat.destroys,
    ),
    Recovering: (combat.recovers,),
    Removal: (combat.owner_removes,),
}  # fmt: skip
