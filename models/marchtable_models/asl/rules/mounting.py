"""Mounting and dismounting horses (A13.3) and motorcycles (D15.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from marchtable.errors import BadInputError
from marchtable.rules.facts import Bill, Case, Edition, Sheet, about
from marchtable.rules.judging import paid_by_unit
from marchtable.rules.subjects import cases, clause, effect, not_modelled
from marchtable.rules.view import read
from marchtable.state.action import Action, Companions, Fellow
from marchtable.state.position import UnitId
from marchtable.state.records import replace
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.effects.acting import begun
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.rules.leaders import partings
from marchtable_models.asl.rules.stacks import group
from marchtable_models.asl.verbs import Traits
from marchtable_models.asl.views import movers, reading, spending
from marchtable_models.asl.views.entry import Crowd
from marchtable_models.asl.views.mount_counters import next_name, parted
from marchtable_models.asl.views.mph_ends import interrupted
from marchtable_models.asl.views.overlay import is_on_wire
from marchtable_models.asl.views.spending_facts import PaidIfFree
from marchtable_models.asl.views.standing import Standing, standing_of
from marchtable_models.asl.views.unitkinds import misfit
from marchtable_models.asl.weapons import can_be_dm


class Mount(Action, frozen=True, tag="mount"):
    """
    Infantry mounts a counter of horses or motorcycles in its Location, as one stack.

    If the counter is too large, a single unit takes what it needs; the rest becomes a new counter
    (``h-2`` beside ``h``).
    """

    traits: ClassVar[Traits] = ("leaves",)

    units: Companions
    onto: Fellow


class Dismount(Action, frozen=True, tag="dismount"):
    """All riders of the named horses or motorcycles dismount."""

    unit: UnitId


class Mounting(PaidIfFree, frozen=True, gc=False):
    """A unit about to mount."""

    # the counter
    horses: bool  # else motorcycles
    sidecar: bool
    # the unit
    foot: bool
    aboard: bool  # aboard something
    conveyed: bool  # it has dismounted or left a vehicle in this Player Turn
    # the counter again
    misfit: str  # what is wrong with it: its ``kind``, ``side`` or ``place``
    # the unit again
    size: str
    wounded: bool
    pp: int
    double_time: bool
    helped: bool  # the SMC that lends it his IPC, if any, mounts with it
    assault: bool = False
    assembled: int = 0  # SW it carries that could be dm but are not
    wired: bool = False  # it is on top of Wire
    manned: bool = False  # the counter includes its riders


class Ridden(PaidIfFree, frozen=True, gc=False):
    """Horses or motorcycles about to be mounted or dismounted (``verb``); half points."""

    verb: str
    horses: bool  # else motorcycles
    mounts: int
    sidecar: bool
    moving: bool
    enemies: bool  # a Known enemy is in its Location
    ridden: bool  # it already has a rider
    crowd: Crowd  # its riders, present or future
    allotment: int
    spent: int
    most: int  # spent by the rider that has spent most, (dis)mounting included
    printed: bool = False  # its riders are printed on it, and are not units
    instead: str = ""  # the action that takes a unit named instead off what it rides or moves on
    becomes: str = ""  # if it splits: the type of the part for the unit that mounts


class Dismounting(PaidIfFree, frozen=True, gc=False):
    """A rider about to dismount; half points."""

    horses: bool
    most: int  # spent on foot by the rider that has spent most, mounting included
    allotment: int
    used: int
    plain: int  # allowance of the horse or motorcycle without Gallop


@cases(Mount)
def mounting_facts(position: AslPosition, action: Mount, edition: Edition) -> list[Case]:
    """Return the facts of units that mount, of the counter, and of leaders left behind."""
    if not action.units:
        raise BadInputError("expected at least one unit", field="units")
    onto, units = position.unit(action.onto), [position.unit(name) for name in action.units]
    found = [about(unit, standing_of(position, unit, "mount")) for unit in (*units, onto)]
    if len(units) > 1:
        found.append(Case(action.units, group(position, units, "mount")))
    spent = []
    for unit in units:
        facts = mounting(position, unit, onto, action.units)
        found.append(about(unit, facts))
        due = spending.due(position, unit, facts, edition.judge(facts), edition)
        spent.append(due.spent + due.cost)
    if reading.type_of(position, onto).mounts:
        found.append(_whole(position, "mount", onto, units, max(spent), edition))
    found += interrupted(position, [*units, onto], edition)
    return found + partings(position, action.units, edition)


def _whole(
    position: AslPosition,
    verb: str,
    onto: AslUnit,
    units: Sequence[AslUnit],
    most: int,
    edition: Edition,
) -> Case:
    facts = ridden(position, verb, onto, units, most, edition)
    return about((onto, *units), facts)


@cases(Dismount)
def dismounting_facts(position: AslPosition, action: Dismount, edition: Edition) -> list[Case]:
    """Return the facts of units that dismount, and of the counter."""
    mount = position.unit(action.unit)
    riders = movers.riders_of(position, mount)
    found = [about(mount, standing_of(position, mount, "dismount"))]
    spent = [0]
    for unit in riders:
        standing = standing_of(position, unit, "dismount")
        found.append(about(unit, standing.replace(mph=mount.move.mph)))
        facts = dismounting(position, mount, edition)
        found.append(about(unit, facts))
        spent.append(unit.points.spent + edition.judge(facts).total)
    found.append(_whole(position, "dismount", mount, riders, max(spent), edition))
    return found + interrupted(position, [mount, *riders], edition)


def mounting(position: AslPosition, unit: AslUnit, onto: AslUnit, ids: Sequence[str]) -> Mounting:
    """Return the facts of a unit mounting a counter with others."""
    kind, mount = reading.type_of(position, unit), reading.type_of(position, onto)
    return Mounting(
        horses=mount.class_ == "cavalry",
        sidecar=mount.sidecar,
        foot=kind.is_infantry,
        aboard=unit.cargo.aboard is not None,
        conveyed=unit.cargo.conveyed,
        misfit=misfit(unit, onto, is_kind=mount.mounts > 0),
        size=kind.size,
        wounded=unit.status.wounded,
        pp=sum(weapon.pp for weapon in unit.sw),
        double_time=unit.points.double > 0,
        assault=unit.move.assault,
        assembled=sum(can_be_dm(weapon) and not weapon.dm for weapon in unit.sw),
        helped=unit.move.helper is None or unit.move.helper in ids,
        wired=is_on_wire(position, unit),
        manned=mount.class_ in ("cavalry", "motorcycle") and not mount.mounts,
    )


def ridden(
    position: AslPosition,
    verb: str,
    onto: AslUnit,
    riders: Sequence[AslUnit],
    most: int,
    edition: Edition,
) -> Ridden:
    """Return the facts of a counter about to be mounted or dismounted by these units."""
    mount = reading.type_of(position, onto)
    parts = parted(position, onto, riders) if verb == "mount" else None
    return Ridden(
        verb=verb,
        horses=mount.class_ == "cavalry",
        mounts=mount.mounts,
        sidecar=mount.sidecar,
        moving=onto.motion.moving,
        enemies=reading.there(position, onto.side, onto.at or "").known,
        ridden=bool(movers.riders_of(position, onto)),
        printed=mount.riders != "",
        instead=_dismounts(position, onto) if verb == "dismount" else "",
        crowd=movers.party(position, riders).crowd,
        allotment=spending.allotment(position, onto, edition),
        spent=onto.points.spent,
        most=most,
        becomes=parts[0] if parts else "",
    )


def _dismounts(position: AslPosition, unit: AslUnit) -> str:
    """Return the action that takes a unit off what it rides or moves on; "" for one that does neither."""
    if unit.cargo.aboard is None:
        return f"switch {unit.id} foot" if unit.status.gear else ""
    is_ridden = reading.type_of(position, position.unit(unit.cargo.aboard)).mounts
    return f"dismount {unit.cargo.aboard}" if is_ridden else f"unload {unit.id}"


def dismounting(position: AslPosition, mount: AslUnit, edition: Edition) -> Dismounting:
    """Return the facts of a counter's rider dismounting."""
    plain = replace(mount, double=0)
    return Dismounting(
        horses=reading.type_of(position, mount).class_ == "cavalry",
        most=max((rider.points.spent for rider in movers.riders_of(position, mount)), default=0),
        allotment=spending.allotment(position, mount, edition),
        used=mount.points.spent,
        plain=spending.allotment(position, plain, edition),
    )


# -- mounting ------------------------------------------------------------------------------------

MOVES = ("enter", "minimum", "start", "turn", "stop", "exit", "delay")
"""Acts of a ridden counter only."""


NO_MOUNT = {
    "kind": "the unit to mount is neither horses nor motorcycles (a vehicle is boarded: `load`)",
    "side": "it mounts only horses or motorcycles of its own side",
    "place": "it must be in their Location",
}


def _mount(facts: Mounting, sheet: Sheet, rule: str) -> None:
    if not facts.foot or facts.aboard:
        sheet.bar("only a unit on foot can mount")
    if facts.manned:
        sheet.bar("its type includes the riders; types to mount: cycles, horses and others")
    elif facts.misfit:
        sheet.bar(NO_MOUNT[facts.misfit])
    sheet.charge(halves(rule, "mount"), "mounting", "mounting")
    sheet.force("conveyed", value=True)
    if facts.conveyed:  # the vehicle it left no longer matters
        sheet.force("act", "")
        sheet.force("cafp", "")


@clause("A13.31a", kind="cost")
def mount_horse(facts: Mounting, sheet: Sheet) -> None:
    """Mounting a horse costs 1 of a unit's 4 MF."""
    if facts.horses:
        _mount(facts, sheet, "A13.31")


@clause("D15.41a", kind="cost")
def mount_cycle(facts: Mounting, sheet: Sheet) -> None:
    """Mounting a motorcycle costs 1 of a unit's 4 MF."""
    if not facts.horses:
        _mount(facts, sheet, "D15.41")


@clause("A13.31d", kind="action")
def after_moving(facts: Ridden, sheet: Sheet) -> None:
    """A counter that moved, or was dismounted, in this MPh cannot be mounted."""
    if facts.verb == "mount" and facts.spent:
        sheet.bar("the counter has spent points this MPh", 0, facts.spent, halves=True)


@clause("D15.2", kind="capacity")
def cycle_load(facts: Mounting, sheet: Sheet) -> None:
    """A motorcycle rider carries SW only in a sidecar, and limited by the rider's size."""
    if not facts.horses:
        size = "half_squad" if facts.size in ("half-squad", "crew") else facts.size
        sized = facts.sidecar and size in ("squad", "half_squad", "smc")
        most = count("D15.2", size) if sized else 0
        if facts.pp > most:
            sheet.bar("the load exceeds the PP that the motorcycles can carry", most, facts.pp)


@clause("A13.32b", kind="effect")
def horses_part(facts: Ridden, sheet: Sheet) -> None:
    """Horses too many for the HS or SMC that mounts split first, into two or to leave one."""
    if facts.horses and facts.becomes:
        sheet.force("type", facts.becomes)


# -- the counter's losses and capacity -----------------------------------------------------------


def _lost(spent: int, allotment: int, rule: str) -> int:
    """Return the part of an allotment lost to the half MF a rider has spent: a quarter per MF."""
    share = halves(rule, "mount") * count(rule, "parts")
    return 2 * -(-spent * allotment // (2 * share)) if share else 0  # a varied figure can be 0


def _begun(spent: int) -> int:
    """Return half MF rounded up to a whole MF, since a part of one goes no farther (D15.41)."""
    whole = halves("D15.41", "mount")
    return -(-spent // whole) * whole if whole else spent


@clause("A13.31b", kind="cost", composes="joint")
def horse_quarters(facts: Ridden, sheet: Sheet) -> None:
    """A horse loses a quarter of its MF for each MF its rider spends up to (dis)mounting."""
    if facts.horses:
        due = _lost(facts.most, facts.allotment, "A13.31")
        gone = max(0, due - facts.spent)
        sheet.charge(gone, f"its riders' MF spent to {facts.verb}", "mounting")


@clause("D15.41b", kind="cost", composes="joint")
def cycle_quarters(facts: Ridden, sheet: Sheet) -> None:
    """A motorcycle loses a quarter of its MP for each MF its rider spends up to (dis)mounting."""
    if not facts.horses:
        if facts.moving:
            sheet.bar("the motorcycle has not stopped")
        due = _lost(_begun(facts.most), facts.allotment, "D15.41") - facts.spent
        quarter = min(due, _lost(halves("D15.41", "mount"), facts.allotment, "D15.41"))
        if facts.verb == "dismount":  # its other losses are its riders' MF
            quarter = min(quarter, facts.allotment - facts.spent)
        sheet.charge(max(0, quarter), f"a quarter to {facts.verb}", "mounting")
        if facts.verb == "mount" and due > quarter:
            sheet.charge(due - quarter, "for the MF that its riders have spent", "mounting")


def _all_of_it(facts: Ridden, sheet: Sheet, men: int) -> None:
    """Answer UNSUPPORTED if several would split a counter, or SMC would join its riders."""
    if facts.ridden and (movers.half_squads_in(facts.crowd) or not men):
        sheet.bar("the counter already has riders")
    elif facts.ridden:
        sheet.unsupported("how SMC mount a counter that already has riders")
    elif (
        movers.half_squads_in(facts.crowd) < men
        and not facts.becomes
        and (facts.horses or not movers.half_squads_in(facts.crowd))
    ):
        sheet.unsupported("a counter too large for several units: only a single one can split it")


@clause("A13.32", kind="capacity")
def horse_capacity(facts: Ridden, sheet: Sheet) -> None:
    """Three horses carry a squad's worth and SMC, two a half squad's worth and 4 SMC, one a SMC or two."""
    if not facts.horses or facts.verb == "dismount":
        return
    men, smc = facts.mounts - 1, facts.crowd.smc
    _all_of_it(facts, sheet, men)
    if movers.half_squads_in(facts.crowd) > men:
        sheet.bar("too many half squads for the horses", men, movers.half_squads_in(facts.crowd))
    most = {1: count("A13.32", "one"), 2: count("A13.32", "two")}.get(facts.mounts)
    if most is not None and smc > most:
        sheet.bar("too many SMC for the horses", most, smc)
    if not men and not smc:
        sheet.bar("no unit would ride")


@clause("D15.1", kind="capacity")
def cycle_capacity(facts: Ridden, sheet: Sheet) -> None:
    """Three motorcycles carry a squad's worth and 4 SMC, two a half squad's and 4 SMC, one 2 SMC or 3 in a sidecar."""
    if facts.horses or facts.verb == "dismount":
        return
    men, smc = facts.mounts - 1, facts.crowd.smc
    _all_of_it(facts, sheet, men)
    if movers.half_squads_in(facts.crowd) > men:
        sheet.bar(
            "too many half squads for the motorcycles", men, movers.half_squads_in(facts.crowd)
        )
    name = "more" if men else "sidecar" if facts.sidecar else "one"
    if smc > (most := count("D15.1", name)):
        sheet.bar("too many SMC for the motorcycles", most, smc)


@clause("D15.4b", kind="capacity")
def too_many_cycles(facts: Ridden, sheet: Sheet) -> None:
    """A motorcycle counter too large for its riders is not ridden; it splits only for a SMC."""
    if facts.horses or facts.verb == "dismount" or facts.ridden:
        return
    if 0 < movers.half_squads_in(facts.crowd) < (men := facts.mounts - 1):
        sheet.bar(
            "too few half squads for the counter, which splits only for a SMC",
            men,
            movers.half_squads_in(facts.crowd),
        )


# -- dismounting ---------------------------------------------------------------------------------


def _dismount(facts: Dismounting, sheet: Sheet, rule: str) -> None:
    sheet.charge(halves(rule, "mount"), "dismounting", "leaving")
    spent = facts.most if facts.horses else _begun(facts.most)
    ridden = facts.used - _lost(spent, facts.plain, rule)  # it lost this for MF already spent
    parts = count(rule, "parts")
    quarters = -(-parts * max(0, ridden) // max(1, facts.allotment))
    gone = quarters * halves(rule, "mount")
    sheet.charge(gone, f"dismounting with {quarters}/{parts} of the allotment used", "leaving")
    sheet.force("conveyed", value=True)
    sheet.force("road", value=False)


@clause("A13.31c", kind="cost")
def dismount_horse(facts: Dismounting, sheet: Sheet) -> None:
    """Dismounting costs 1 MF, and 1 for each quarter the horse used while ridden."""
    if facts.horses:
        _dismount(facts, sheet, "A13.31")


@clause("D15.41c", kind="cost")
def dismount_cycle(facts: Dismounting, sheet: Sheet) -> None:
    """Dismounting costs 1 MF, and 1 for each quarter the motorcycle used."""
    if not facts.horses:
        _dismount(facts, sheet, "D15.41")


@clause("A13.31e", kind="action")
def who_rides(facts: Ridden, sheet: Sheet) -> None:
    """Only riders dismount, and all of one counter together."""
    if facts.verb != "dismount" or facts.ridden:
        return
    if facts.printed:
        mounts = "horses" if facts.horses else "cycles"
        sheet.unsupported(
            f"which unit dismounts; put the riders `aboard` a counter of type `{mounts}`"
        )
    elif not facts.mounts:
        instead = facts.instead and f"; write `{facts.instead}`"
        sheet.bar(f"`dismount` names the horses or motorcycles that are ridden{instead}")
    else:
        sheet.bar("no unit rides it")


@clause("D15.43", kind="action")
def among_enemies(facts: Ridden, sheet: Sheet) -> None:
    """A unit cannot dismount from a motorcycle in a Known enemy's Location; from a horse it can."""
    if facts.verb == "dismount" and facts.enemies:
        if facts.horses:
            sheet.exception("Cavalry dismounts among enemies")
        else:
            sheet.bar("a Known enemy is in the Location")


# -- riderless -----------------------------------------------------------------------------------


class Unridden(Standing):
    """Horses or motorcycles without riders."""

    unridden: bool = read(lambda actor: actor.kind.mounts > 0 and not actor.riders)

    is_relevant = property(lambda self: self.unridden)


@not_modelled("A13.7")
def led_horses(facts: Unridden) -> bool:
    """Horses without riders, led on foot."""
    return facts.unridden and facts.form == "foot" and facts.verb in MOVES


@clause("D15.4", kind="action")
def pushed_cycle(facts: Unridden, sheet: Sheet) -> None:
    """A motorcycle without a rider does not move."""
    if facts.unridden and facts.form == "vehicle" and facts.verb in MOVES:
        sheet.bar("it has no riders")


# -- effects -------------------------------------------------------------------------------------


@effect(Mount)
def after_mounting(
    position: AslPosition, action: Mount, bills: Sequence[Bill]
) -> AslPosition | None:
    """Return the position after units mount, beginning the MPh of their mount, which may split."""
    mount, units = position.unit(action.onto), [position.unit(name) for name in action.units]
    paid = paid_by_unit(bills)
    changed = [_paying(unit, paid, mph="moving", aboard=action.onto) for unit in units]
    changed.append(_paying(mount, paid, mph="moving"))
    after = begun(position, [*units, mount], changed)
    parts = parted(position, mount, units)
    return after if parts is None else with_another(after, mount, type=parts[1])


@effect(Dismount)
def after_dismounting(
    position: AslPosition, action: Dismount, bills: Sequence[Bill]
) -> AslPosition:
    """Return the position after all riders of a counter dismount: its MPh is over."""
    mount, paid = position.unit(action.unit), paid_by_unit(bills)
    units = movers.riders_of(position, mount)
    changed = [_paying(unit, paid, mph="moving", aboard=None) for unit in units]
    return begun(position, [mount, *units], [*changed, _paying(mount, paid, mph="done")])


def with_another(position: AslPosition, mount: AslUnit, **changes: Any) -> AslPosition:
    """Return the position with a new counter, split off this one."""
    new = replace(mount, id=next_name(position, mount), sw=(), **changes)
    return replace(position, units=(*position.units, new))


def _paying(unit: AslUnit, paid: Mapping[str, int], **changes: Any) -> AslUnit:
    amount = paid.get(unit.id, 0)
    return replace(
        unit, spent=unit.points.spent + amount, used=unit.points.used + amount, **changes
    )
