"""Riders bail out (D6.21, D6.23, D6.24): where, why, and what comes of it."""

from __future__ import annotations

import msgspec

from marchtable.dice import two_dice_at_least
from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause
from marchtable.state.position import Odds
from marchtable_models.asl.clauses.breaking import force_broken
from marchtable_models.asl.clauses.terrain.chart import row_named
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.facts.aboard import BailResult, Plunge, Slew
from marchtable_models.asl.facts.transport import Boarding, Hold


def bails(facts: Plunge, sheet: Sheet) -> bool:
    """Return whether a clause before this one has found a cause."""
    return facts.rider and bool(sheet.total("bail"))


def _forbids(row: str) -> bool:
    return bool(row) and row_named(row).no_riders


@clause("B13.43", kind="action")
def in_woods(facts: Boarding, sheet: Sheet) -> None:
    """Nobody mounts an AFV as a Rider in woods, but on their road, IN a stream or in Bypass."""
    if facts.in_woods:
        sheet.bar("no Riders are on an AFV in woods")


@clause("D6.21b", kind="action")
def by_road(facts: Plunge, sheet: Sheet) -> None:
    """By a road hexside, or along a stream, Riders stay aboard."""
    if facts.by:
        return
    passes = facts.road or (facts.in_stream and not facts.hexside)
    if passes and any(_forbids(row) for row in (facts.here, *facts.entered)):
        sheet.exception("Riders stay aboard by road or in a stream")
        sheet.charge(1, "by road or in a stream", "exempt")


@clause("D6.21a", kind="action")
def through(facts: Plunge, sheet: Sheet) -> None:
    """No Riders aboard while the AFV moves through woods, orchard, building, rubble or water."""
    if facts.by or sheet.total("exempt"):
        return
    barring = next(filter(_forbids, (facts.hexside, *facts.entered)), "")
    if barring and facts.at:
        _thrown_off(facts, sheet, barring)
    elif barring:
        sheet.unsupported("Riders who would bail out before their AFV has come on")


def _thrown_off(facts: Plunge, sheet: Sheet, row: str) -> None:
    """Have Riders bail out because of terrain, and let the answer name it."""
    why = f"no Riders are carried through it: {row_named(row).title}"
    sheet.charge(1, why, "bail")
    if facts.rider:
        sheet.exception(f"{why}{' (B9.54)' * (row == 'bocage')}")


@clause("D6.21c", kind="effect")
def leaving(facts: Plunge, sheet: Sheet) -> None:
    """Riders bail out before the AFV enters such terrain, or leaves it."""
    if facts.by or sheet.total("exempt") or not facts.at:
        return
    if _forbids(facts.here) and sheet.reading("D6.21c") == "leave":
        _thrown_off(facts, sheet, facts.here)


def _bails_where_it_is(facts: Plunge, sheet: Sheet, why: str) -> None:
    if facts.at:
        sheet.charge(1, why, "bail")
    elif facts.rider:
        sheet.unsupported("Riders who would bail out before their AFV has come on")


@clause("D6.21d", kind="effect")
def turret_turns(facts: Plunge, sheet: Sheet) -> None:
    """Riders bail out of a turreted AFV that changes its TCA."""
    if facts.by == "tca" or (facts.by == "vca" and sheet.reading("D6.21d") == "absolute"):
        _bails_where_it_is(facts, sheet, "the turret turns")


@clause("D3.12", kind="effect")
def traverse(facts: Slew, sheet: Sheet) -> None:
    """A turret that is manned may point along any hexspine, in its MPh as MP are spent."""
    if facts.same:
        sheet.bar("the TCA lies so already")
    if facts.idle:
        sheet.bar("nobody is able to turn the turret")
    if facts.unspent and facts.turret:
        sheet.bar("in its MPh a TCA changes with MP that are spent, and none are")
    if facts.hard:
        sheet.unsupported("what a TCA change costs in woods or a building in one's own MPh")
    sheet.force("turret", facts.steps)


@clause("D6.23b", kind="effect")
def struck(facts: Hold | Plunge, sheet: Sheet) -> None:
    """A Rider who is pinned or broken bails out."""
    if isinstance(facts, Hold):
        if facts.unfit:
            sheet.bar("a pinned or broken Rider has bailed out")
    elif facts.by in ("pinned", "broken"):
        _bails_where_it_is(facts, sheet, f"the Rider is {facts.by}")
        sheet.force(facts.by, value=True)


@clause("D6.24a", kind="effect")
def bail_out(facts: Plunge, sheet: Sheet) -> None:
    """Who is forced off an AFV bails out, broken or not."""
    if not facts.rider:
        sheet.bar("only a Rider bails out")
    elif bails(facts, sheet):
        for field, value in (("aboard", None), ("riding", False), ("conveyed", True)):
            sheet.force(field, value)


@clause("D6.24b", kind="cost")
def costs_no_mp(facts: Plunge, sheet: Sheet) -> None:
    """Bailing out costs the vehicle no MP."""
    if bails(facts, sheet):
        sheet.exception("bailing out costs the vehicle no MP")


@clause("D6.24c", kind="cost")
def bail_spends(facts: Plunge, sheet: Sheet) -> None:
    """Who bails out counts as spending all its MF."""
    if bails(facts, sheet):
        sheet.force("spent", max(facts.mf, halves("D6.24c", "least")))


@clause("D6.24f", kind="action")
def bails_among_enemies(facts: Plunge, sheet: Sheet) -> None:
    """Enemies in the Location do not forbid bailing out there."""
    if bails(facts, sheet) and facts.enemies:
        sheet.exception("units bail out among enemies")


@clause("D6.24g", kind="effect")
def bail_place(facts: Plunge, sheet: Sheet) -> None:
    """Who bails out lies beneath the AFV, in its Location."""
    if bails(facts, sheet):
        sheet.force("at", facts.at)


@clause("D6.24h", kind="effect")
def bail_marker(facts: Plunge, sheet: Sheet) -> None:
    """Who bails out neither moves nor fires again that phase."""
    if bails(facts, sheet):
        sheet.force("mph", "done")
        if not facts.broken and facts.by != "broken":
            sheet.force("prep_fired" if facts.own else "fired", value=True)


@clause("D6.24d", kind="effect")
def bail_check(facts: Plunge | BailResult, sheet: Sheet) -> None:
    """Each unit that bails out takes a NMC."""
    if isinstance(facts, BailResult):
        if facts.roll == "nmc":
            _after_check(facts, sheet)
    elif bails(facts, sheet):
        if facts.broken or facts.by == "broken":
            sheet.unsupported("the morale of a unit once it is broken is not told")
        elif not facts.morale:
            sheet.unsupported("its morale is not told")
        else:
            sheet.roll("nmc", _check_odds(facts.morale), f"morale {facts.morale}")


def _after_check(facts: BailResult, sheet: Sheet) -> None:
    if facts.outcome == "pinned":
        sheet.force("pinned", value=True)
    elif facts.outcome in ("broken", "reduced"):
        force_broken(sheet)
        if facts.outcome == "reduced":
            sheet.unsupported("Casualty Reduction")


def _check_odds(morale: int) -> tuple[Odds, ...]:
    """Return the odds of a NMC: below the morale it is passed, at it pinned, a 12 reduces."""
    at_least, of = two_dice_at_least(morale)
    above, _ = two_dice_at_least(morale + 1)
    worst, _ = two_dice_at_least(count("D6.24d", "reduces"))
    return (
        Odds("passed", of - at_least, of), Odds("pinned", at_least - above, of),
        Odds("broken", above - worst, of), Odds("reduced", worst, of),
    )  # fmt: skip


@clause("D6.24e", kind="effect")
def weapons_lost(facts: Plunge | BailResult, sheet: Sheet) -> None:
    """SW of a unit that breaks before or after bailing out are lost."""
    if isinstance(facts, BailResult):
        broken = facts.roll == "nmc" and facts.outcome in ("broken", "reduced")
    else:
        broken = bails(facts, sheet) and (facts.broken or facts.by == "broken")
    if broken:
        sheet.force("sw", ())


@clause("D6.24i", kind="odds")
def bail_weapons(facts: BailResult, sheet: Sheet) -> None:
    """SW of a unit that bails out unbroken are checked for malfunction."""
    if facts.roll == "nmc" and facts.outcome in ("passed", "pinned"):
        works, of = count("D6.24i", "works"), count("D6.24i", "of")
        odds = (Odds("works", works, of), Odds("malfunctions", of - works, of))
        for number, weapon in reversed([*enumerate(facts.sw)]):  # losing one moves no earlier one
            if not weapon.malfunctioned:
                sheet.roll(f"sw{number}", odds, weapon.name)
    elif facts.outcome == "malfunctions":
        number = int(facts.roll.removeprefix("sw"))
        weapon = facts.sw[number]
        spoilt = () if weapon.x_number else (msgspec.structs.replace(weapon, malfunctioned=True),)
        sheet.force("sw", (*facts.sw[:number], *spoilt, *facts.sw[number + 1 :]))


def is_bail_roll(clause_id: str) -> bool:
    """Return whether a roll that this clause calls for is one of bailing out."""
    return clause_id in (bail_check.id, bail_weapons.id)
