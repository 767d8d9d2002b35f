"""Mounting horses (A13) and motorcycles (D15), dismounting, and being thrown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause, unsupported
from marchtable_models.asl.clauses.breaking import force_broken
from marchtable_models.asl.data import count, halves

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.asl.facts.mounts import (
        Dismounting,
        Mounting,
        Ridden,
        Toil,
        Unhorsed,
        Unseated,
    )
    from marchtable_models.asl.facts.units import Standing

__all__ = [
    "after_moving", "among_enemies", "cycle_capacity", "cycle_load", "cycle_quarters",
    "dismount_cycle", "dismount_horse", "horse_bolts", "horse_capacity", "horse_quarters",
    "led_horses", "mount_cycle", "mount_horse", "other_blows", "pushed_cycle", "riders_tire", "thrown_cyclist",
    "too_many_cycles", "who_rides",
]  # fmt: skip

MOVES = ("enter", "minimum", "start", "turn", "stop", "exit", "delay")
"""What only a counter that is ridden does."""


# -- mounting --------------------------------------------------------------------------------------


def _mount(facts: Mounting, sheet: Sheet, rule: str) -> None:
    if not facts.foot or facts.aboard:
        sheet.bar("only a unit on foot mounts")
    if facts.manned:
        sheet.bar("its type is one unit with who rides; those to mount: cycles, horses and others")
    elif not facts.mount:
        sheet.bar("it mounts only horses or motorcycles of its own side")
    elif not facts.together:
        sheet.bar("it must be in their Location")
    sheet.charge(halves(rule, "mount"), "mounting", "mounting")
    sheet.force("conveyed", value=True)
    if facts.conveyed:  # what it has left does not bear on it any more
        sheet.force("act", "")
        sheet.force("cafp", "")


@clause("A13.31a", "Mounting a horse costs 1 of the unit's 4 MF", kind="cost")
def mount_horse(facts: Mounting, sheet: Sheet) -> None:
    if facts.horses:
        _mount(facts, sheet, "A13.31")


@clause("D15.41a", "Mounting a motorcycle costs 1 of the unit's 4 MF", kind="cost")
def mount_cycle(facts: Mounting, sheet: Sheet) -> None:
    if not facts.horses:
        _mount(facts, sheet, "D15.41")


@clause(
    "A13.31d",
    "Nobody mounts a counter that has been dismounted, or has moved, in that MPh",
    kind="action",
)
def after_moving(facts: Ridden, sheet: Sheet) -> None:
    if facts.verb == "mount" and facts.spent:
        sheet.bar("the counter has spent points this MPh", 0, facts.spent, halves=True)


@clause(
    "D15.2", "A motorcycle's rider carries no SW but in a sidecar, by his size", kind="capacity"
)
def cycle_load(facts: Mounting, sheet: Sheet) -> None:
    if not facts.horses:
        size = "half_squad" if facts.size in ("half-squad", "crew") else facts.size
        sized = facts.sidecar and size in ("squad", "half_squad", "smc")
        most = count("D15.2", size) if sized else 0
        if facts.pp > most:
            sheet.bar("more PP than the motorcycles carry", most, facts.pp)


# -- what the counter loses, and holds -------------------------------------------------------------


def _lost(spent: int, allotment: int, rule: str) -> int:
    """Return what of an allotment is lost by half MF that a rider has spent: a quarter for each MF."""
    share = halves(rule, "mount") * count(rule, "parts")
    return 2 * -(-spent * allotment // (2 * share)) if share else 0  # where a figure is varied to 0


def _begun(spent: int) -> int:
    """Return half MF with what is begun of the last MF: that carries nobody any farther (D15.41)."""
    whole = halves("D15.41", "mount")
    return -(-spent // whole) * whole if whole else spent


@clause(
    "A13.31b",
    "A horse loses a quarter of its MF for each MF its rider spends until he has (dis)mounted",
    kind="cost",
    composes="joint",
)
def horse_quarters(facts: Ridden, sheet: Sheet) -> None:
    if facts.horses:
        due = _lost(facts.most, facts.allotment, "A13.31")
        gone = max(0, due - facts.spent)
        sheet.charge(gone, f"its riders' MF spent to {facts.verb}", "mounting")


@clause(
    "D15.41b",
    "A motorcycle loses a quarter of its MP for each MF its rider spends until he has (dis)mounted",
    kind="cost",
    composes="joint",
)
def cycle_quarters(facts: Ridden, sheet: Sheet) -> None:
    if not facts.horses:
        if facts.moving:
            sheet.bar("the motorcycle has not stopped")
        due = _lost(_begun(facts.most), facts.allotment, "D15.41") - facts.spent
        quarter = min(due, _lost(halves("D15.41", "mount"), facts.allotment, "D15.41"))
        if facts.verb == "dismount":  # what else it has lost stands for its riders' MF
            quarter = min(quarter, facts.allotment - facts.spent)
        sheet.charge(max(0, quarter), f"a quarter to {facts.verb}", "mounting")
        if facts.verb == "mount" and due > quarter:
            sheet.charge(due - quarter, "for the MF that its riders have spent", "mounting")


def _men(facts: Ridden) -> int:
    """Return the MMC that ride, in half squads."""
    crowd = facts.crowd
    return 2 * crowd.squads + crowd.half_squads + crowd.crews


def _all_of_it(facts: Ridden, sheet: Sheet, men: int) -> None:
    """Answer UNSUPPORTED where several would part a counter, or SMC would join those who ride."""
    if facts.ridden and (_men(facts) or not men):
        sheet.bar("the counter is ridden already")
    elif facts.ridden:
        sheet.unsupported("SMC who mount a counter that others ride already")
    elif _men(facts) < men and not facts.becomes and (facts.horses or not _men(facts)):
        sheet.unsupported("a counter too large for several who mount it: one alone would part it")


@clause(
    "A13.32",
    "Three horses carry a squad's worth and SMC, two half of it and 4 SMC, one a SMC or two",
    kind="capacity",
)
def horse_capacity(facts: Ridden, sheet: Sheet) -> None:
    if not facts.horses or facts.verb == "dismount":
        return
    men, smc = facts.mounts - 1, facts.crowd.smc
    _all_of_it(facts, sheet, men)
    if _men(facts) > men:
        sheet.bar("the horses carry so many half squads", men, _men(facts))
    most = {1: count("A13.32", "one"), 2: count("A13.32", "two")}.get(facts.mounts)
    if most is not None and smc > most:
        sheet.bar("the horses carry no more SMC", most, smc)
    if not men and not smc:
        sheet.bar("nobody would ride")


@clause(
    "D15.1",
    "Three motorcycles carry a squad's worth and 4 SMC, two half of it and 4, one 2 SMC or, in a sidecar, 3",
    kind="capacity",
)
def cycle_capacity(facts: Ridden, sheet: Sheet) -> None:
    if facts.horses or facts.verb == "dismount":
        return
    men, smc = facts.mounts - 1, facts.crowd.smc
    _all_of_it(facts, sheet, men)
    if _men(facts) > men:
        sheet.bar("the motorcycles carry so many half squads", men, _men(facts))
    name = "more" if men else "sidecar" if facts.sidecar else "one"
    if smc > (most := count("D15.1", name)):
        sheet.bar("the motorcycles carry no more SMC", most, smc)


@clause(
    "D15.4b",
    "Who is fewer than a counter of motorcycles is for does not ride it: these part for a SMC alone",
    kind="capacity",
)
def too_many_cycles(facts: Ridden, sheet: Sheet) -> None:
    if facts.horses or facts.verb == "dismount" or facts.ridden:
        return
    if 0 < _men(facts) < (men := facts.mounts - 1):
        sheet.bar(
            "the counter is for so many half squads, and parts for a SMC alone", men, _men(facts)
        )


# -- dismounting -----------------------------------------------------------------------------------


def _dismount(facts: Dismounting, sheet: Sheet, rule: str) -> None:
    sheet.charge(halves(rule, "mount"), "dismounting", "leaving")
    spent = facts.most if facts.horses else _begun(facts.most)
    ridden = facts.used - _lost(spent, facts.plain, rule)  # for what it lost, MF were spent
    quarters = -(-count(rule, "parts") * max(0, ridden) // facts.allotment)
    gone = quarters * halves(rule, "mount")
    sheet.charge(gone, f"{quarters} quarter(s) of the allotment used as it rode", "leaving")
    sheet.force("conveyed", value=True)
    sheet.force("road", value=False)


@clause(
    "A13.31c",
    "Dismounting costs 1 MF, and 1 for each quarter the horse used while it was ridden",
    kind="cost",
)
def dismount_horse(facts: Dismounting, sheet: Sheet) -> None:
    if facts.horses:
        _dismount(facts, sheet, "A13.31")


@clause(
    "D15.41c", "Dismounting costs 1 MF, and 1 for each quarter the motorcycle used", kind="cost"
)
def dismount_cycle(facts: Dismounting, sheet: Sheet) -> None:
    if not facts.horses:
        _dismount(facts, sheet, "D15.41")


@clause("A13.31e", "Who dismounts rides a counter, and all who do dismount as one", kind="action")
def who_rides(facts: Ridden, sheet: Sheet) -> None:
    if facts.verb != "dismount" or facts.ridden:
        return
    if facts.printed:
        mounts = "horses" if facts.horses else "cycles"
        sheet.unsupported(f"who dismounts; put the riders `aboard` a counter of type `{mounts}`")
    else:
        sheet.bar("no unit rides it")


@clause(
    "D15.43",
    "Nobody dismounts from a motorcycle in a Known enemy's Location; from a horse one may",
    kind="action",
)
def among_enemies(facts: Ridden, sheet: Sheet) -> None:
    if facts.verb == "dismount" and facts.enemies:
        if facts.horses:
            sheet.exception("Cavalry dismounts among enemies")
        else:
            sheet.bar("a Known enemy is in the Location")


# -- riderless -------------------------------------------------------------------------------------

led_horses = unsupported(
    "A13.7",
    "Horses that nobody rides, led on foot",
    lambda facts: facts.unridden and facts.kind == "foot" and facts.verb in MOVES,
)


@clause("D15.4", "A motorcycle that nobody rides does not move", kind="action")
def pushed_cycle(facts: Standing, sheet: Sheet) -> None:
    if facts.unridden and facts.kind == "vehicle" and facts.verb in MOVES:
        sheet.bar("nobody rides it")


# -- thrown ----------------------------------------------------------------------------------------


@clause(
    "A13.51", "The horse of Cavalry that breaks is removed, as its rider bails out", kind="effect"
)
def horse_bolts(facts: Unhorsed, sheet: Sheet) -> None:
    if facts.what != "broken" or not facts.horses:
        return
    if facts.whole:
        sheet.unsupported("Cavalry told as one counter, whose rider and horse part")
        return
    if facts.others:
        sheet.unsupported("some of those who ride a counter of horses break, and others do not")
    sheet.force("at", None)
    sheet.force("mph", "done")


@clause(
    "A13.3b",
    "Who rides horses is CX with them after a Minimum Move, or in a deep stream",
    kind="effect",
)
def riders_tire(facts: Toil, sheet: Sheet) -> None:
    if not facts.cx:
        sheet.force("cx", value=True)
        sheet.force("tired", value=True)


other_blows = unsupported(
    "D15.53",
    "Riders of motorcycles who break, and mounted units that are eliminated",
    lambda facts: facts.what == "eliminated" or (facts.what == "broken" and not facts.horses),
)


@clause(
    "D15.46c", "A Rider whose motorcycle is wrecked breaks, and stands dismounted", kind="effect"
)
def thrown_cyclist(facts: Unseated, sheet: Sheet) -> None:
    if facts.outcome == "wrecked":
        force_broken(sheet)
        for field, value in (("aboard", None), ("conveyed", True), ("mph", "done")):
            sheet.force(field, value)
