"""Stacking, overstacking and enemy-occupied Locations (A4.14, A5, A12.15)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.clause import clause, unsupported
from marchtable_models.asl.data import count, halves

if TYPE_CHECKING:
    from marchtable.clause import Sheet
    from marchtable_models.asl.facts import Entry

__all__ = ["concealed_enemy", "enemy_there", "excess_squads", "overstacked_on_foot", "overstacked_vehicle"]


def excess_squads(half_squads: int, smc: int) -> int:
    """Return the squad-equivalents above the limit of a Location, a part counting whole (A5.11)."""
    if smc > count("A5.1", "smc"):
        half_squads += smc // count("A5.1", "smc_as_half_squad")
    return max(0, -(-(half_squads - count("A5.1", "half_squads")) // 2))


@clause("A5.11a", "Entering a Location costs 1 MF more for each squad-equivalent too many", kind="cost", composes="joint")
def overstacked_on_foot(facts: Entry, sheet: Sheet) -> None:
    if not facts.mover.is_vehicle:
        excess = excess_squads(
            facts.there.half_squads + facts.group_half_squads, facts.there.smc + facts.group_smc
        )
        sheet.charge(excess * halves("A5.11", "each"), f"{excess} squad(s) too many", "stacking")


@clause("A5.11b", "A vehicle pays 1 MP more for each squad-equivalent of Personnel too many", kind="cost")
def overstacked_vehicle(facts: Entry, sheet: Sheet) -> None:
    if facts.mover.is_vehicle:
        excess = excess_squads(facts.there.half_squads, facts.there.smc)
        sheet.charge(excess * halves("A5.11", "each"), f"{excess} squad(s) too many", "stacking")


@clause("A4.14", "Infantry does not enter a Location with a Known enemy, an unarmed truck alone excepted", kind="action")
def enemy_there(facts: Entry, sheet: Sheet) -> None:
    if facts.mover.is_vehicle:
        return
    if facts.there.enemy == "known":
        sheet.bar("a Known enemy unit is there")
    elif facts.there.enemy == "unarmed-truck":
        sheet.exception("the only enemy there is an unarmed truck")


concealed_enemy = unsupported(
    "A12.15",
    "Infantry entering a Location with a concealed enemy",
    lambda facts: facts.there.enemy == "concealed" and not facts.mover.is_vehicle,
)
