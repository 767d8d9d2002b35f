"""Riders bailing out (D6.21, D6.23, D6.24): where, why, and the result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from marchtable.dice import two_dice_at_least
from marchtable.errors import BadInputError
from marchtable.rules.facts import Case, Edition, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause, effect, resolves, settles
from marchtable.state.action import Event
from marchtable.state.position import Obligation, Odds, UnitId
from marchtable.state.records import replace
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.effects.acting import BROKEN
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.occasions import at_blow, at_carrying, at_check, at_turning
from marchtable_models.asl.rules.capacity import Hold, forsaken_facts
from marchtable_models.asl.rules.carried import is_survival_due
from marchtable_models.asl.rules.half_squads import halved
from marchtable_models.asl.rules.happenings import StatedResult, after_event
from marchtable_models.asl.unittype import SupportWeapon
from marchtable_models.asl.views import reading, spending
from marchtable_models.asl.views.cargo import mount_of, prc
from marchtable_models.asl.views.carriage import is_in_bypass, is_off_road_in_woods, is_own_mph
from marchtable_models.asl.views.chart import row_named
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.ground_facts import Ground
from marchtable_models.asl.views.mph_ends import stranded
from marchtable_models.asl.views.overlay import site
from marchtable_models.asl.views.spending_facts import Counted
from marchtable_models.asl.views.unitkinds import halves_of, type_of

REDUCTIONS = {"squad": "reduced", "smc": "wounded"}
"""What Casualty Reduction does to units, as outcomes; it eliminates all others (A7.302)."""


class BailOut(Event, frozen=True, tag="bail-out"):
    """A combat result pins or breaks a Rider, who bails out."""

    unit: UnitId
    by: Literal["pinned", "broken"]


class Plunge(Counted, frozen=True, gc=False):
    """A Rider whose AFV moves, or who suffers a combat result."""

    # chart rows
    here: str  # of the hex left
    entered: tuple[str, ...]  # of all terrain it comes into
    hexside: str  # of the hexside crossed
    road: bool  # by a road hexside
    in_stream: bool  # along a stream or gully
    at: str  # the Location where it would bail out
    by: str  # the combat result, or ``tca`` or ``vca`` if the turret turns, alone or with its AFV
    rider: bool  # it is a Rider
    broken: bool  # already
    morale: int  # 0 if unknown
    own: bool  # in its side's Player Turn
    enemies: bool  # enemies where it bails out
    mf: int  # its half MF on foot
    reduction: str = ""  # what Casualty Reduction does to it, as an outcome of its NMC
    bypass: bool = False  # the AFV is in Bypass
    own_mph: bool = False


class BailResult(Facts, frozen=True, gc=False):
    """The result of a roll by a unit that bails out."""

    roll: str
    outcome: str
    sw: tuple[SupportWeapon, ...]  # its SW
    halves: tuple[str, ...]  # half squads of its nationality, if it is a squad


@cases(BailOut)
def bailing_out_facts(position: AslPosition, action: BailOut, edition: Edition) -> list[Case]:
    """Return the facts of a Rider who bails out, and of SW left alone on the AFV."""
    unit = position.unit(action.unit)
    return _of_plunge(position, unit, edition, action.by) + forsaken_facts(position, unit)


@at_blow
def blow_facts(position: AslPosition, event: StatedResult, edition: Edition) -> list[Case]:
    """Return the facts of a Rider who is pinned or broken."""
    unit = position.unit(event.unit)
    struck = event.what in ("pinned", "broken") and unit.cargo.riding and not unit.cargo.act
    if not struck or unit.crew.inherent or mount_of(position, unit):
        return []
    return _of_plunge(position, unit, edition, event.what) + forsaken_facts(position, unit)


@at_carrying
def riding_facts(
    position: AslPosition, vehicle: AslUnit, facts: Entry, edition: Edition
) -> list[Case]:
    """Return the facts of Riders on a vehicle that makes a step."""
    at = vehicle.at
    riders = [unit for unit in prc(position, vehicle) if unit.cargo.riding]
    there = [unit if unit.at == at else msgspec.structs.replace(unit, at=at) for unit in riders]
    return _of_riders(position, there, edition, ground=facts.ground) if there else []


@at_turning
def turning_facts(
    position: AslPosition, vehicle: AslUnit, edition: Edition, how: str = "vca"
) -> list[Case]:
    """Return the facts of the Riders of a turreted AFV whose turret, or VCA, turns."""
    if not reading.type_of(position, vehicle).turret:
        return []
    riders = [unit for unit in prc(position, vehicle) if unit.cargo.riding]
    return _of_riders(position, riders, edition, how)


@settles("nmc", "sw")
def bail_roll_facts(position: AslPosition, obligation: Obligation, outcome: str) -> BailResult:
    """Return the facts of a roll for bailing out."""
    roll, unit = obligation.id.partition(":")[0], position.unit(obligation.unit)
    return BailResult(roll, outcome, unit.sw, halves_of(position, unit))


def _of_riders(
    position: AslPosition,
    riders: Sequence[AslUnit],
    edition: Edition,
    by: str = "",
    ground: Ground | None = None,
) -> list[Case]:
    """Return the facts of Riders who might all bail out, and of SW then left alone."""
    found = [case for unit in riders for case in _of_plunge(position, unit, edition, by, ground)]
    going = [case.units[0] for case in found if edition.judge(case.facts).forced]
    return found + forsaken_facts(position, *(unit for unit in riders if unit.id in going))


def _of_plunge(
    position: AslPosition,
    rider: AslUnit,
    edition: Edition,
    by: str = "",
    ground: Ground | None = None,
) -> list[Case]:
    """Return the facts of a Rider who might bail out, and of units this reveals."""
    facts = plunge(position, rider, edition, by, ground)
    found = [about(rider, facts)]
    if facts.bypass and facts.enemies and edition.judge(facts).forced:
        found += stranded(position, (rider,))
    return found


def plunge(
    position: AslPosition,
    rider: AslUnit,
    edition: Edition,
    by: str = "",
    ground: Ground | None = None,
) -> Plunge:
    """Return the facts of a Rider who is hit, or whose AFV crosses such terrain."""
    at = rider.at or ""
    if ground is None and at:
        ground = site(position, at).ground
    enemies = reading.there(position, rider.side, at)
    afoot = replace(rider, aboard=None, riding=False, conveyed=True)
    return Plunge(
        here=ground.here if ground else "",
        entered=ground.rows if ground else (),
        hexside=ground.hurdle if ground else "",
        road=ground is not None and (ground.road or ground.door),
        in_stream=ground is not None and ground.from_depression and ground.into_depression,
        at=at,
        by=by,
        rider=rider.cargo.aboard is not None and rider.cargo.riding,
        broken=rider.status.broken,
        morale=reading.type_of(position, rider).morale,
        reduction=REDUCTIONS.get(reading.type_of(position, rider).class_, "eliminated"),
        own=rider.side == position.side,
        enemies=enemies.known or enemies.concealed or enemies.harmless,
        mf=spending.allotment(position, afoot, edition),
        bypass=is_in_bypass(position, rider),
        own_mph=is_own_mph(position, rider),
    )


def bails(facts: Plunge, sheet: Sheet) -> bool:
    """Return whether an earlier clause has found a cause."""
    return facts.rider and bool(sheet.total("bail"))


def _forbids(row: str) -> bool:
    return bool(row) and row_named(row).no_riders


# -- causes --------------------------------------------------------------------------------------


@at_check
def check_riding(position: AslPosition, unit: AslUnit, field: str) -> None:
    """Raise BadInputError for Riders of an AFV in woods off the road."""
    if unit.cargo.aboard is None or is_survival_due(position, unit) or not unit.cargo.riding:
        return
    vehicle = position.unit(unit.cargo.aboard)
    if type_of(position, vehicle).afv and is_off_road_in_woods(position, vehicle):
        raise BadInputError(
            f"{unit.id}: an AFV in woods has no Riders, except on a road, IN a stream or in Bypass "
            "(B13.43)",
            field=f"{field}.riding",
        )


@clause("D6.21b", kind="action")
def by_road(facts: Plunge, sheet: Sheet) -> None:
    """Along a road hexside or a stream, Riders stay aboard."""
    if facts.by:
        return
    passes = facts.road or (facts.in_stream and not facts.hexside)
    if passes and any(_forbids(row) for row in (facts.here, *facts.entered)):
        sheet.exception("Riders stay aboard by road or in a stream")
        sheet.charge(1, "by road or in a stream", "exempt")


@clause("D6.21a", kind="action")
def through(facts: Plunge, sheet: Sheet) -> None:
    """Riders must get off when the AFV moves through woods, orchard, building, rubble or water."""
    if facts.by or sheet.total("exempt"):
        return
    barring = next(filter(_forbids, (facts.hexside, *facts.entered)), "")
    if barring and facts.at:
        _thrown_off(facts, sheet, barring)
    elif barring:
        sheet.unsupported("Riders who would bail out before their AFV has entered")


def _thrown_off(facts: Plunge, sheet: Sheet, row: str) -> None:
    """Have Riders bail out because of terrain that the answer names."""
    why = f"Riders cannot be carried through it: {row_named(row).title}"
    sheet.charge(1, why, "bail")
    if facts.rider:
        sheet.exception(f"{why}{' (B9.54)' * (row == 'bocage')}")


@clause("D6.21c", kind="effect")
def leaving(facts: Plunge, sheet: Sheet) -> None:
    """Riders bail out before the AFV enters or leaves terrain that forces them off."""
    if facts.by or sheet.total("exempt") or not facts.at:
        return
    if _forbids(facts.here) and sheet.reading("D6.21c") == "leave":
        _thrown_off(facts, sheet, facts.here)


def _bails_where_it_is(facts: Plunge, sheet: Sheet, why: str) -> None:
    if facts.at:
        sheet.charge(1, why, "bail")
    elif facts.rider:
        sheet.unsupported("Riders who would bail out before their AFV has entered")


@clause("D6.21d", kind="effect")
def turret_turns(facts: Plunge, sheet: Sheet) -> None:
    """Riders bail out of a turreted AFV that changes its TCA."""
    if facts.by == "tca" or (facts.by == "vca" and sheet.reading("D6.21d") == "absolute"):
        _bails_where_it_is(facts, sheet, "the turret turns")


@clause("D6.23b", kind="effect")
def struck(facts: Hold | Plunge, sheet: Sheet) -> None:
    """A Rider who is pinned or broken bails out."""
    if isinstance(facts, Hold):
        if facts.unfit:
            sheet.bar("a pinned or broken Rider has bailed out")
    elif facts.by in ("pinned", "broken"):
        _bails_where_it_is(facts, sheet, f"the Rider is {facts.by}")
        sheet.force(facts.by, value=True)


# -- effects -------------------------------------------------------------------------------------


@clause("D6.24a", kind="effect")
def bail_out(facts: Plunge, sheet: Sheet) -> None:
    """A unit forced off an AFV bails out, broken or not."""
    if not facts.rider:
        sheet.bar("only a Rider can bail out")
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
    """A unit that bails out counts as having spent all its MF."""
    if bails(facts, sheet):
        sheet.force("spent", max(facts.mf, halves("D6.24c", "least")))


@clause("D6.24f", kind="action")
def bails_among_enemies(facts: Plunge, sheet: Sheet) -> None:
    """Riders can bail out among enemies in the Location."""
    if bails(facts, sheet) and facts.enemies:
        sheet.exception("units bail out among enemies")


@clause("D6.24g", kind="effect")
def bail_place(facts: Plunge, sheet: Sheet) -> None:
    """A unit that bails out is beneath the AFV, in its Location."""
    if bails(facts, sheet):
        sheet.force("at", facts.at)


@clause("D6.24h", kind="effect")
def bail_marker(facts: Plunge, sheet: Sheet) -> None:
    """A unit that bails out neither moves nor fires again in that phase."""
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
            odds = tuple(Odds(one, 1, 1) for one in ("passed", facts.reduction))
            sheet.roll(
                "nmc",
                odds,
                "roll against its broken morale; a failure is Casualty Reduction",
            )
        elif not facts.morale:
            sheet.unsupported("its morale is not known")
        else:
            odds = _check_odds(facts.morale, facts.reduction)
            sheet.roll("nmc", odds, f"morale {facts.morale}")


def force_broken(sheet: Sheet) -> None:
    """Force a unit to break."""
    for field, value in BROKEN.items():
        sheet.force(field, value)


def _after_check(facts: BailResult, sheet: Sheet) -> None:
    if facts.outcome == "pinned":
        sheet.force("pinned", value=True)
    elif facts.outcome in ("broken", "reduced", "wounded"):
        force_broken(sheet)
        if facts.outcome == "reduced":
            halved(facts.halves, sheet)


def _check_odds(morale: int, reduction: str) -> tuple[Odds, ...]:
    """Return the odds of a NMC: below the morale passed, equal pinned, a 12 reduces."""
    at_least, of = two_dice_at_least(morale)
    above, _ = two_dice_at_least(morale + 1)
    worst, _ = two_dice_at_least(count("D6.24d", "reduces"))
    return (
        Odds("passed", of - at_least, of), Odds("pinned", at_least - above, of),
        Odds("broken", above - worst, of), Odds(reduction, worst, of),
    )  # fmt: skip


@clause("D6.24e", kind="effect")
def weapons_lost(facts: Plunge | BailResult, sheet: Sheet) -> None:
    """SW of a unit that breaks before or after bailing out are lost."""
    if isinstance(facts, BailResult):
        broken = facts.roll == "nmc" and facts.outcome in ("broken", "reduced", "wounded")
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
        for number, weapon in reversed([*enumerate(facts.sw)]):  # the others keep their numbers
            if not weapon.malfunctioned:
                sheet.roll(f"sw{number}", odds, weapon.name)
    elif facts.outcome == "malfunctions":
        number = int(facts.roll.removeprefix("sw"))
        weapon = facts.sw[number]
        spoilt = () if weapon.x_number else (msgspec.structs.replace(weapon, malfunctioned=True),)
        sheet.force("sw", (*facts.sw[:number], *spoilt, *facts.sw[number + 1 :]))


@resolves("nmc")
def after_check(position: AslPosition, obligation: Obligation, outcome: str) -> AslPosition:
    """Return the position after the NMC of a unit that bailed out: a SMC wounded, or a unit lost."""
    if outcome in ("wounded", "eliminated"):
        return after_event(position, StatedResult(obligation.unit, outcome))  # type: ignore[arg-type]
    return position


@effect(BailOut)
def after_bailing_out(position: AslPosition) -> AslPosition:
    """Return the position unchanged: clauses apply the effects."""
    return position
