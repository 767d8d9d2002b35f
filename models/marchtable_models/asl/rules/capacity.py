"""Vehicle loads (D6.1, D6.2, D6.81, C10.13): capacities, dates, and what counts as aboard."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from marchtable.codec.structs import points
from marchtable.errors import BadInputError
from marchtable.rules.clause import Bar
from marchtable.rules.facts import Case, Edition, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause
from marchtable_models.asl.data import count, halves, vehicle_tables
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.occasions import at_blow, at_check_load
from marchtable_models.asl.rules.gaps import Parted
from marchtable_models.asl.rules.happenings import StatedResult
from marchtable_models.asl.rules.support_weapons import Transfer, handed_over
from marchtable_models.asl.unittype import SupportWeapon
from marchtable_models.asl.views import movers
from marchtable_models.asl.views.cargo import everybody, mount_of, prc
from marchtable_models.asl.views.entry import Crowd
from marchtable_models.asl.views.spending_facts import Counted
from marchtable_models.asl.views.unitkinds import type_of
from marchtable_models.asl.weapons import takes_ammo_room


class Hold(Counted, frozen=True, gc=False):
    """What a vehicle carries or would carry."""

    # printed on its counter
    pp: int
    role: str = ""
    carrier: bool = False
    main: str = ""
    afv: bool = False
    halftrack: bool = False
    t_number: int | None = None
    year: int = 0  # 0 if unknown
    nationality: str = ""
    passengers: Crowd = Crowd()
    riders: Crowd = Crowd()
    # PP of its SW
    passenger_sw: int = 0
    rider_sw: int = 0
    stowed: int = 0  # inside, without an owner
    mortars: tuple[int, ...] = ()  # dm mortars inside that count by their ammo
    unfit: bool = False  # a Rider is pinned or broken
    # the Gun it tows
    gun_mm: int = 0
    m_number: int | None = None
    convoy: str = ""  # it is or was in a Convoy: ``empty``, or ``gun`` if set up with a Gun in tow
    yoked: bool = False  # two wagons, combined
    russian: bool = False  # all Riders are Russian
    laden: bool = False  # it carries a Gun en portee (not in tow)


class Orphaned(Facts, frozen=True, gc=False):
    """A vehicle in which a Passenger is lost."""

    sw: tuple[SupportWeapon, ...]  # all that are then in it without an owner


class LastPrcLost(Facts, frozen=True, gc=False):
    """An AFV other than a halftrack or Carrier, with unowned SW aboard, losing its last PRC."""


@cases(Transfer)
def transfer_facts(position: AslPosition, action: Transfer) -> Case | None:
    """Return the contents of a vehicle after a Passenger and a Rider transfer a SW."""
    unit, other = position.unit(action.unit), position.unit(action.to)
    name = unit.cargo.aboard
    if unit.at is None or not name or name != other.cargo.aboard:
        return None
    if unit.cargo.riding == other.cargo.riding:
        return None
    vehicle = position.unit(name)
    return about((vehicle, unit), hold(handed_over(position, action), vehicle))


@at_blow
def blow_facts(position: AslPosition, event: StatedResult) -> Iterator[Case]:
    """Yield the facts of a vehicle with a unit lost aboard: a Passenger's SW stay inside."""
    lost = position.unit(event.unit)
    gone = event.what == "eliminated" and lost.cargo.aboard is not None and not lost.cargo.act
    if not gone or lost.crew.inherent or mount_of(position, lost):
        return
    vehicle = position.unit(str(lost.cargo.aboard))
    sw = vehicle.sw if lost.cargo.riding else (*vehicle.sw, *lost.sw)
    if sw != vehicle.sw:
        yield about(vehicle, Orphaned(sw))
    yield from _alone(position, vehicle, (lost,), sw)


def forsaken_facts(position: AslPosition, *going: AslUnit) -> list[Case]:
    """Return the facts of the vehicle these units leave, if SW cannot stay on it alone."""
    if not going or going[0].cargo.aboard is None:
        return []
    vehicle = position.unit(going[0].cargo.aboard)
    return _alone(position, vehicle, going, vehicle.sw)


def _alone(
    position: AslPosition,
    vehicle: AslUnit,
    going: Sequence[AslUnit],
    sw: Sequence[SupportWeapon],
) -> list[Case]:
    """Return the facts of an AFV that keeps no SW without PRC, if its last PRC leave it."""
    kind = type_of(position, vehicle)
    if not sw or not kind.afv or kind.carrier or kind.column == "ht":
        return []
    names = [unit.id for unit in going]
    left = [unit for unit in prc(position, vehicle) if unit.id not in names]
    return [] if left else [about(vehicle, LastPrcLost())]


def _pp(weapons: Sequence[SupportWeapon]) -> int:
    return sum(weapon.pp for weapon in weapons)


def hold(
    position: AslPosition,
    vehicle: AslUnit,
    joining: Sequence[AslUnit] = (),
    *,
    riding: bool = False,
    gun: AslUnit | None = None,
) -> Hold:
    """Return a vehicle's load, with units about to join it and a Gun about to be towed."""
    kind = type_of(position, vehicle)
    all_ = everybody(position, vehicle)
    aboard = [unit for unit in all_ if not unit.crew.inherent]
    joining = [unit for unit in joining if unit not in aboard]
    inside = [unit for unit in aboard if not unit.cargo.riding] + ([] if riding else [*joining])
    outside = [unit for unit in aboard if unit.cargo.riding] + ([*joining] if riding else [])
    towing = vehicle.cargo.towing if not vehicle.cargo.laden else None
    towed = gun or (position.unit(towing) if towing else None)
    piece = type_of(position, towed) if towed else None
    crew = [unit for unit in all_ if unit.crew.inherent]  # their SW are inside, too
    weapons = [weapon for unit in (*inside, *crew) for weapon in unit.sw]
    return Hold(
        pp=kind.pp,
        role=kind.role,
        carrier=kind.carrier,
        main=kind.main,
        afv=kind.afv,
        halftrack=kind.column == "ht",
        t_number=kind.t_number,
        year=position.conditions.year,
        nationality=vehicle.nationality or vehicle.side,
        russian=all(is_russian(unit.nationality or unit.side) for unit in outside),
        passengers=movers.party(position, inside).crowd,
        riders=movers.party(position, outside).crowd,
        passenger_sw=_pp(weapons),
        rider_sw=sum(_pp(unit.sw) for unit in outside),
        stowed=_pp(vehicle.sw),
        mortars=tuple(w.pp for w in (*weapons, *vehicle.sw) if takes_ammo_room(w)),
        unfit=any(unit.status.pinned or unit.status.broken for unit in outside),
        gun_mm=piece.mm if piece else 0,
        m_number=piece.m_number if piece else None,
        convoy=vehicle.line.convoyed
        or (vehicle.line.convoy and ("gun" if vehicle.cargo.towing else "empty")),
        laden=vehicle.cargo.laden,
        yoked=vehicle.cargo.yoked,
    )


ROLES = ("tank", "tank-destroyer", "sp-artillery", "assault-gun")


def _men(crowd: Crowd) -> int:
    """Return the PP of a crowd without its SMC, in half points."""
    small = crowd.half_squads + crowd.crews
    return crowd.squads * halves("D6.1c", "squad") + small * halves("D6.1c", "half_squad")


def _smc(crowd: Crowd) -> int:
    """Return the PP of the SMC too numerous to count as nothing (A5.5), in half points."""
    return movers.half_squads_of_smc(crowd.smc) * halves("D6.1c", "half_squad")


def _is_empty(crowd: Crowd) -> bool:
    return not (crowd.squads or crowd.half_squads or crowd.crews or crowd.smc)


def inside(facts: Hold, charged: Callable[[str], int]) -> tuple[int, int]:
    """Return the half PP for Passengers, and those taken, with what clauses have charged by part."""
    taken = _men(facts.passengers) + 2 * facts.passenger_sw
    return 2 * facts.pp + charged("room"), taken + charged("inside")


def outside(facts: Hold, charged: Callable[[str], int]) -> tuple[int, int]:
    """Return the half PP for Riders, and those taken, with what clauses have charged by part."""
    most = halves("D6.81", "outside") if facts.carrier else halves("D6.2d", "most")
    return most, _men(facts.riders) + charged("outside")


def may_ride(facts: Hold) -> bool:
    """Return whether the vehicle has Rider capability."""
    return facts.role in (*ROLES, "spaa") or facts.carrier


def _carries_smc(facts: Hold) -> bool:
    """Return whether only SMC ride on a vehicle without Rider capability."""
    riders = facts.riders
    return not may_ride(facts) and riders.smc > 0 and not _men(riders)


@at_check_load
def check_load(position: AslPosition, unit: AslUnit, field: str, edition: Edition) -> None:
    """Raise BadInputError for a vehicle that carries or tows more than it can."""
    if unit.facing is not None and not type_of(position, unit).mounts:
        for bar in edition.judge(hold(position, unit)).bars:
            raise BadInputError(f"{unit.id}: {bar.note}{amounts(bar)} ({bar.clause})", field=field)


def amounts(bar: Bar) -> str:
    """Return the amounts of an objection, with their units."""
    if bar.need is None:
        return ""
    need, have = (
        points(value) if bar.halves and isinstance(value, int) else value
        for value in (bar.need, bar.have)
    )
    what = bar.points and f" {bar.points}"
    return f": expected {need}{what}, got {have}{what}"


@clause("D6.1d", kind="capacity")
def equivalents(facts: Hold, sheet: Sheet) -> None:
    """Five SMC count as a HS; up to four count as nothing."""
    sheet.charge(_smc(facts.passengers), "SMC inside", "inside")
    sheet.charge(_smc(facts.riders), "SMC outside", "outside")


@clause("D6.1e", kind="capacity")
def ammo(facts: Hold, sheet: Sheet) -> None:
    """A towed Gun's ammo takes 4 Passenger PP (8 from 100mm); a dm 76-82mm mortar takes 4."""
    cargo = not _is_empty(facts.passengers) or facts.passenger_sw or facts.stowed
    if cargo and facts.m_number is not None and not facts.gun_mm:
        sheet.unsupported("the caliber of the Gun is not stated")
    if facts.gun_mm:
        big = facts.gun_mm >= count("C10.13", "big_mm")
        sheet.charge(halves("C10.13", "big" if big else "small"), "ammo of the Gun", "inside")
    for pp in facts.mortars:
        sheet.charge(halves("C10.13", "mortar") - 2 * pp, "a dm mortar with its ammo", "inside")


@clause("D6.2f", kind="capacity")
def rider_mortar(facts: Hold, sheet: Sheet) -> None:
    """A Rider's dm mortar counts by its own PP, not by its ammo."""
    sheet.charge(facts.rider_sw * 2, "SW outside", "outside")


@clause("D6.81a", kind="capacity")
def carrier_pp(facts: Hold, sheet: Sheet) -> None:
    """A Carrier has 4 Passenger PP."""
    if facts.carrier:
        sheet.charge(halves("D6.81", "inside") - 2 * facts.pp, "a Carrier", "room")
        if _men(facts.passengers) and not facts.main:
            sheet.bar("a Carrier takes only SMC, SW and ammo inside")


@clause("D6.81b", kind="capacity")
def carrier_printed(facts: Hold, sheet: Sheet) -> None:
    """A Carrier whose main armament is a mortar, FT or 6-FP AAMG has only its printed PP."""
    if facts.carrier and facts.main:
        sheet.charge(2 * facts.pp - halves("D6.81", "inside"), "as printed", "room")


@clause("D6.4k", kind="action")
def stowed(facts: Hold | Orphaned, sheet: Sheet) -> None:
    """SW stowed in a halftrack or Carrier stay aboard if they fit."""
    if isinstance(facts, Orphaned):
        sheet.force("sw", facts.sw)
    elif facts.stowed and (facts.halftrack or facts.carrier):
        sheet.charge(2 * facts.stowed, "SW left inside", "inside")
        sheet.exception("a halftrack or Carrier keeps SW without PRC")


@clause("D6.4f", kind="action")
def stowed_alone(facts: Hold | LastPrcLost, sheet: Sheet) -> None:
    """SW do not stay on an AFV without Passengers or Riders."""
    if isinstance(facts, LastPrcLost):
        sheet.unsupported("what happens to SW on an AFV with nobody left aboard")
        sheet.force("sw", ())
    elif facts.stowed and not (facts.halftrack or facts.carrier):
        sheet.charge(2 * facts.stowed, "SW left inside", "inside")
        if facts.afv and _is_empty(facts.passengers) and _is_empty(facts.riders):
            sheet.bar("there are SW on an AFV without Passengers or Riders")


@clause("D6.1c", kind="capacity", after=("C10.5b", "E11.3a"))
def passenger_pp(facts: Hold, sheet: Sheet) -> None:
    """Passengers and their SW take no more than the vehicle's printed PP."""
    cargo = not _is_empty(facts.passengers) or facts.passenger_sw or facts.stowed
    room, need = inside(facts, sheet.total)
    if facts.convoy and not sheet.excepted("E11.3b"):
        return  # E11.3a covers this
    if cargo and not room:
        sheet.bar("the vehicle carries no Passengers (as Riders: riding=true)")
    elif cargo and need > room:  # an empty vehicle can tow a Gun whose ammo does not fit (C10.13)
        sheet.bar("the load inside is too large", room // 2, need // 2, points="PP")


@clause("D6.81c", kind="capacity")
def carrier_riders(facts: Hold, sheet: Sheet) -> None:
    """A Carrier takes up to 8 PP of Riders."""
    most, need = outside(facts, sheet.total)
    if facts.carrier and need > most:
        sheet.bar("the load outside is too large", most // 2, need // 2, points="PP")


@clause("D6.2d", kind="capacity")
def rider_pp(facts: Hold, sheet: Sheet) -> None:
    """An AFV takes up to 14 PP of Riders."""
    most, need = outside(facts, sheet.total)
    if may_ride(facts) and not facts.carrier and need > most:
        sheet.bar("the load outside is too large", most // 2, need // 2, points="PP")


@clause("D6.2c", kind="capacity")
def rider_vehicles(facts: Hold, sheet: Sheet) -> None:
    """Only tanks, tank destroyers, SP artillery, assault guns and Carriers take Riders."""
    if _is_empty(facts.riders) or _carries_smc(facts):
        return
    if not may_ride(facts):
        sheet.bar("the vehicle cannot take Riders")
    elif facts.role == "spaa" and sheet.reading("D6.2c") == "text":
        sheet.bar("SPAA cannot take Riders")


def is_russian(nationality: str) -> bool:
    """Return whether the nationality is Russian."""
    return nationality.lower() in vehicle_tables().russian.names


def _check_date(facts: Hold, sheet: Sheet, whose: str) -> None:
    if not facts.year:
        sheet.unsupported("the scene states no year")
    else:
        russian = is_russian(facts.nationality) if whose == "vehicle" else facts.russian
        since = count("D6.2b", "russian" if russian else "others")
        if facts.year < since:
            sheet.bar(
                "before 1942 there are no Riders, and in 1942 only Russian ones", since, facts.year
            )


@clause("D6.2b", kind="action")
def rider_dates(facts: Hold, sheet: Sheet) -> None:
    """AFV take Riders from 1943, Russian AFV from 1942."""
    if not _is_empty(facts.riders) and not _carries_smc(facts):
        _check_date(facts, sheet, sheet.reading("D6.2b"))


@clause("D6.2e", kind="capacity")
def lone_rider(facts: Hold, sheet: Sheet) -> None:
    """Any other vehicle takes only one SMC as a Rider, with at most 2 PP."""
    if not _carries_smc(facts):
        return
    if facts.riders.smc > 1:
        sheet.bar("the vehicle takes one SMC as a Rider, and no other Riders", 1, facts.riders.smc)
    most = halves("D6.2e", "most")
    if 2 * facts.rider_sw > most:
        sheet.bar("a lone SMC carries too much to ride", most // 2, facts.rider_sw, points="PP")
    if sheet.reading("D6.2e") == "dates":
        _check_date(facts, sheet, sheet.reading("D6.2b"))


@clause("C10.1a", kind="capacity")
def towing_number(facts: Hold, sheet: Sheet) -> None:
    """A vehicle tows a Gun only if the Gun's M# is at least the vehicle's T#."""
    if facts.m_number is None or facts.yoked:
        return  # D12.2 covers two wagons
    if facts.t_number is None:
        sheet.bar("the vehicle cannot tow")
    elif facts.t_number > facts.m_number:
        sheet.bar("the Gun is too heavy for it", facts.t_number, facts.m_number)


@clause("D12.2", kind="capacity")
def yoked(facts: Hold, sheet: Sheet) -> None:
    """Two combined wagons tow a Gun as one wagon with T# 2."""
    number = count("D12.2", "t_number")
    if facts.yoked and facts.m_number is not None and facts.m_number < number:
        sheet.bar("the Gun is too heavy for two wagons", number, facts.m_number)


# -- in a Convoy ---------------------------------------------------------------------------------


@clause("E11.3b", kind="capacity")
def crew_of_its_gun(facts: Hold, sheet: Sheet) -> None:
    """A Convoy vehicle set up towing a Gun also carries that Gun's crew and ammo."""
    inside = facts.passengers
    others = inside.squads or inside.smc or facts.passenger_sw or facts.stowed
    crew = inside.crews + inside.half_squads == 1  # a HS counts as a crew (C10.111)
    if facts.convoy == "gun" and crew and not others:
        sheet.exception("the crew of the Gun it was set up towing")


@clause("E11.3a", kind="capacity", after=("E11.3b",))
def no_passengers(facts: Hold | Parted, sheet: Sheet) -> None:
    """A vehicle carries no Passengers in a Convoy or after leaving it."""
    if isinstance(facts, Parted):
        if facts.lost or facts.alone:  # it is in no Convoy any longer
            sheet.force("convoyed", "gun" if facts.tows else "empty")
    elif facts.convoy and not sheet.excepted("E11.3b"):
        sheet.charge(-2 * facts.pp - sheet.total("room"), "in a Convoy, or out of one", "room")
        inside = facts.passengers
        men = inside.squads or inside.half_squads or inside.crews or inside.smc
        if men or facts.passenger_sw or facts.stowed:
            sheet.bar("a vehicle that is, or has been, in a Convoy carries no Passengers")
