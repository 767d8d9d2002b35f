"""Stacking, overstacking and enemy-occupied Locations (A4.14, A5)."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause, not_modelled
from marchtable.rules.view import fact
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.views.entry import Crowd, Entry
from marchtable_models.asl.views.movers import half_squads_in, half_squads_of_smc


def excess_squads(*crowds: Crowd, most: int | None = None) -> int:
    """Return the squad-equivalents above a Location's limit (A5.11), rounded up."""
    half_squads = smc = 0
    for crowd in crowds:
        manning = min(crowd.crews, crowd.guns)  # a crew with its Gun counts as a squad
        half_squads += half_squads_in(crowd)
        half_squads += manning * (count("A5.5", "manned_gun") - count("A5.5", "crew"))
        smc += crowd.smc
    half_squads += half_squads_of_smc(smc)
    limit = count("A5.1", "half_squads") if most is None else most * count("A5.5", "squad")
    return max(0, -(-(half_squads - limit) // count("A5.5", "squad")))


class Crowded(Entry):
    """An entry into an occupied Location."""

    @fact
    def excess(self) -> int:
        """The squad-equivalents above the limit there."""
        return excess_squads(self.there.crowd, self.group)

    @fact
    def may_overrun(self) -> bool:
        """Whether only one Known SMC is there, and the Infantry entering includes a MMC."""
        group = self.group
        mmc = group.squads + group.half_squads + group.crews
        able = self.mover.column == "inf" and not (self.manner.berserk or self.manner.wave)
        return self.there.lone_smc and mmc > 0 and able


@clause("A5.11a", kind="cost", composes="joint")
def overstacked_on_foot(facts: Crowded, sheet: Sheet) -> None:
    """Entering a Location costs 1 extra MF per squad-equivalent above its limit."""
    if not facts.mover.is_vehicle:
        excess = facts.excess
        sheet.charge(excess * halves("A5.11", "each"), f"{excess} squad(s) too many", "stacking")


@clause("A5.11b", kind="cost")
def overstacked_vehicle(facts: Crowded, sheet: Sheet) -> None:
    """A vehicle pays 1 extra MP per excess squad-equivalent of Personnel, its Riders included."""
    if facts.mover.is_vehicle:
        excess = facts.excess
        sheet.charge(excess * halves("A5.11", "each"), f"{excess} squad(s) too many", "stacking")


@clause("A5.1", kind="capacity", composes="joint")
def set_up_together(facts: Crowded, sheet: Sheet) -> None:
    """Units that enter the map together were set up together, and never overstacked."""
    if facts.ground.edge != "on" or not facts.fresh:
        return
    if excess := excess_squads(facts.group):
        most = count("A5.1", "half_squads") // count("A5.5", "squad")
        sheet.bar("too many squads were set up together off the map", most, most + excess)


@clause("A4.14", kind="action")
def enemy_there(facts: Crowded, sheet: Sheet) -> None:
    """Infantry cannot move into a Known enemy's Location unless it is disrupted or unarmed."""
    if facts.mover.is_vehicle or facts.manner.advancing:
        return
    there = facts.there
    if there.known and not (facts.may_overrun or facts.manner.berserk or facts.manner.wave):
        sheet.bar("a Known enemy unit is there")
    elif (
        there.unmanned
        and (facts.may_overrun or not there.known)
        and sheet.reading("A4.14") == "keeps-out"
    ):
        sheet.bar("an enemy Gun, or a vehicle that its crew has abandoned, is there")
    elif facts.there.harmless and not facts.there.concealed:
        sheet.exception("every enemy there is unarmed or disrupted")


@not_modelled("A4.15")
def infantry_overrun(facts: Crowded) -> bool:
    """Infantry OVR of a Known enemy SMC without having passed a NTC: use `dare UNIT HEX`."""
    return facts.may_overrun and not (facts.manner.advancing or facts.manner.dared)


@clause("A4.15b", kind="cost")
def overrun_doubled(facts: Crowded, sheet: Sheet) -> None:
    """Infantry OVR costs double."""
    if facts.may_overrun and not facts.manner.advancing:
        sheet.charge(sheet.total(), "Infantry OVR, doubled", "overrun")


@not_modelled("B30.1")
def beneath_which(facts: Crowded) -> bool:
    """Entering a hex with units beneath a pillbox or another counter."""
    return facts.there.unsure


@not_modelled("A13.6", lifts=("A4.14",))
def charge(facts: Crowded) -> bool:
    """Cavalry charging a Known enemy at a gallop."""
    return facts.manner.galloping and facts.mover.column == "cav" and facts.there.known
