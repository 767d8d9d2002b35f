"""Cavalry (A13): its MF and load, riders who tire, and riders knocked off their horses."""

from __future__ import annotations

import msgspec

from marchtable.errors import BadInputError
from marchtable.rules.facts import Case, Edition, Facts, Sheet, about
from marchtable.rules.subjects import beside, clause, not_modelled
from marchtable.rules.view import read
from marchtable.state.records import replace
from marchtable_models.asl.data import halves
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.occasions import at_blow, at_check_load
from marchtable_models.asl.rules.capacity import amounts
from marchtable_models.asl.rules.happenings import StatedResult
from marchtable_models.asl.rules.mounting import (
    Mounting,
    cycle_capacity,
    cycle_load,
    horse_capacity,
    mounting,
    ridden,
)
from marchtable_models.asl.rules.riders import plunge
from marchtable_models.asl.views import movers, reading
from marchtable_models.asl.views.cargo import carried_by
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.movers import carried_sw, riders_of
from marchtable_models.asl.views.spending_facts import Allowance
from marchtable_models.asl.views.standing import Actor, Standing
from marchtable_models.asl.views.unitkinds import printed_ipc
from marchtable_models.asl.weapons import can_be_dm


class TiredRider(Facts, frozen=True, gc=False):
    """A rider whose horses make a Minimum Move or go IN a deep stream, and whether it is CX."""

    cx: bool


class Unhorsed(Facts, frozen=True, gc=False):
    """An event (``what``) that affects a rider."""

    what: str
    horses: bool
    others: bool  # there are other riders on the counter
    whole: bool = False  # mount and rider are one counter


@beside(Entry)
def riders_facts(position: AslPosition, horses: AslUnit, facts: Entry) -> list[Case]:
    """Return the facts of riders whose horses tire as they enter."""
    if facts.mover.column != "cav" or not (facts.minimum or facts.in_deep_stream):
        return []
    return [about(unit, TiredRider(unit.status.cx)) for unit in carried_by(position, horses)]


@at_blow
def blow_facts(position: AslPosition, event: StatedResult, edition: Edition) -> list[Case]:
    """Return the facts of a rider who is hit, and of its mount's counter; none for other units."""
    unit = position.unit(event.unit)
    if reading.type_of(position, unit).mounts and movers.riders_of(position, unit):
        if event.what in ("pinned", "broken", "eliminated"):
            raise BadInputError(
                f"{unit.id}: expected the unit that rides it, as men are struck", field="unit"
            )
        return []
    kind = reading.type_of(position, unit)
    if kind.riders and event.what == "broken":
        one = Unhorsed(event.what, kind.class_ == "cavalry", others=False, whole=True)
        return [about(unit, one)]
    mount = position.unit(unit.cargo.aboard) if unit.cargo.aboard is not None else None
    if mount is None or not reading.type_of(position, mount).mounts:
        return []
    horses = reading.type_of(position, mount).class_ == "cavalry"
    facts = Unhorsed(event.what, horses, others=len(movers.riders_of(position, mount)) > 1)
    cases = [about(mount, facts)]
    if event.what == "broken" and facts.horses:
        fall = plunge(position, unit, edition, "broken")
        cases.append(about(unit, msgspec.structs.replace(fall, rider=True)))
    return cases


class HorseMF(Allowance):
    """The allowance of Cavalry."""

    is_relevant = property(lambda self: self.cavalry)


@clause("A13.34", kind="cost", composes="start")
def horse_mf(facts: HorseMF, sheet: Sheet) -> None:
    """A horse has 12 MF."""
    if facts.cavalry:
        sheet.charge(halves("A13.34", "horse"), "horse")


def _assembled(actor: Actor) -> int:
    """Return how many SW of a Cavalry unit could be dm but are not."""
    if actor.kind.class_ != "cavalry":
        return 0
    return sum(can_be_dm(w) and not w.dm for w in carried_sw(actor.position, actor.unit))


class CavalryLoad(Standing):
    """A unit that carries SW, possibly Cavalry."""

    riders: str = read(
        lambda actor: actor.kind.riders if actor.kind.class_ == "cavalry" else "", ""
    )  # counted as for a rider
    wounded: bool = read("unit.status.wounded")
    assembled: int = read(_assembled, 0)  # SW that could be dm but are not

    is_relevant = property(lambda self: bool(self.riders or self.assembled))


@clause("A13.33", kind="capacity")
def cavalry_load(facts: CavalryLoad | Mounting, sheet: Sheet) -> None:
    """Cavalry carries no more PP than its IPC."""
    if isinstance(facts, Mounting):
        rides, riders = facts.horses, facts.size
    else:
        rides, riders = bool(facts.riders) and facts.verb != "end", facts.riders
    if rides:
        smc = riders == "smc"
        most = printed_ipc(smc=smc, wounded=smc and facts.wounded)
        if facts.pp > most:
            sheet.bar("the Cavalry carries too much", most, facts.pp)


@clause("A13.33b", kind="capacity")
def cavalry_dm(facts: CavalryLoad | Mounting, sheet: Sheet) -> None:
    """SW that Cavalry carries must be dm if they can be."""
    rides = facts.horses if isinstance(facts, Mounting) else facts.verb not in ("end", "dismount")
    if rides and facts.assembled:
        sheet.bar("a SW that can be dismantled (dm) is not dismantled", 0, facts.assembled)


@clause("A13.3b", kind="effect")
def riders_tire(facts: TiredRider, sheet: Sheet) -> None:
    """Riders and their horses are CX after a Minimum Move or in a deep stream."""
    if not facts.cx:
        sheet.force("cx", value=True)
        sheet.force("tired", value=True)


@clause("A13.51", kind="effect")
def horse_bolts(facts: Unhorsed, sheet: Sheet) -> None:
    """When Cavalry breaks, its horse is removed and the rider bails out."""
    if facts.what != "broken" or not facts.horses:
        return
    if facts.whole:
        sheet.unsupported("how the rider of Cavalry stated as one counter leaves the horse")
        return
    if facts.others:
        sheet.unsupported("what happens when only some riders of a counter of horses break")
    sheet.force("at", None)
    sheet.force("mph", "done")


@not_modelled("D15.53")
def other_blows(facts: Unhorsed) -> bool:
    """Motorcycle riders that break, and mounted units that are eliminated."""
    return facts.what == "eliminated" or (facts.what == "broken" and not facts.horses)


BURDENS = tuple(one.id for one in (horse_capacity, cycle_capacity, cycle_load, cavalry_load))
"""The limits on riders of horses and motorcycles, in a scene as when mounting."""


@at_check_load
def check_ridden(position: AslPosition, mount: AslUnit, field: str, edition: Edition) -> None:
    """Raise BadInputError for riders too many, or too loaded, for their horses or motorcycles."""
    if not reading.type_of(position, mount).mounts:
        return
    riders = riders_of(position, mount)
    whole = ridden(position, "mount", mount, riders, 0, edition)
    judged: list[Facts] = [replace(whole, ridden=False, spent=0)]
    judged += [mounting(position, rider, mount, ()) for rider in riders]
    for facts in judged:
        for bar in edition.judge(facts).bars:
            over = isinstance(bar.need, int) and isinstance(bar.have, int) and bar.have > bar.need
            if bar.clause in BURDENS and over:  # a unit that has lost fellow riders rides on
                raise BadInputError(
                    f"{mount.id}: {bar.note}{amounts(bar)} ({bar.clause})", field=field
                )
