"""Abandoning a vehicle, re-manning it and removing its armament (D5.4, D6.631, D6.83)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar

import msgspec

from marchtable.errors import BadInputError
from marchtable.rules.facts import Bill, Case, Edition, Facts, Sheet, about
from marchtable.rules.judging import paid_by_unit
from marchtable.rules.subjects import cases, clause, effect, not_modelled
from marchtable.rules.view import read
from marchtable.state.action import Action, Fellow
from marchtable.state.position import UnitId
from marchtable.state.records import replace
from marchtable_models.asl.counterkinds import MINEFIELD
from marchtable_models.asl.data import count
from marchtable_models.asl.effects.acting import begun
from marchtable_models.asl.grants import deny, grant
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.occasions import at_blow, at_check
from marchtable_models.asl.rules.carried import is_survival_due
from marchtable_models.asl.rules.carriers import Carriage
from marchtable_models.asl.rules.happenings import StatedResult
from marchtable_models.asl.rules.stacks import members
from marchtable_models.asl.unittype import SupportWeapon, UnitType
from marchtable_models.asl.verbs import Traits
from marchtable_models.asl.views import reading, spending
from marchtable_models.asl.views.mph_ends import interrupted
from marchtable_models.asl.views.overlay import counters_at, is_on_wire
from marchtable_models.asl.views.spending_facts import PaidIfFree
from marchtable_models.asl.views.standing import Standing, standing_of
from marchtable_models.asl.views.unitkinds import misfit, nationality_of
from marchtable_models.asl.weapons import is_dismantlable_mortar

Armament = Annotated[tuple[str, ...], msgspec.Meta(extra={"domain": "names"})]
"""Names of armament removed from a vehicle."""


class Abandon(Action, frozen=True, tag="abandon"):
    """The inherent crew of a vehicle abandons it, with any armament it removes."""

    traits: ClassVar[Traits] = ("still",)

    unit: UnitId
    take: Armament = ()


class Man(Action, frozen=True, tag="man"):
    """A crew on foot mans an Abandoned vehicle, and mounts the armament it brings."""

    traits: ClassVar[Traits] = ("leaves",)

    unit: UnitId
    into: Fellow


class Abandonment(PaidIfFree, frozen=True, gc=False):
    """A crew about to abandon its vehicle; half MF."""

    inherent: bool  # it is a vehicle's inherent crew
    moving: bool  # the vehicle is in Motion
    fresh: bool  # neither has moved or fired in this Player Turn
    left: int
    bypass: bool  # the vehicle is in Bypass
    carrier_crew: bool = False  # it is the half squad of a Carrier
    counters_here: tuple[str, ...] = ()  # other than SMOKE, in the hex of a vehicle in Bypass
    mined: bool = False
    recalled: bool = False
    stuck: bool = False  # the vehicle is bogged or immobile


class Taking(Facts, frozen=True, gc=False):
    """Armament about to be removed from a vehicle."""

    take: tuple[str, ...]  # names of the weapons removed
    there: tuple[str, ...]  # names of the removable weapons still on the vehicle
    by: str  # ``crew``, ``passengers`` who unload, or ``quick-crew``: a Carrier's crew that unloads
    # the vehicle
    halftrack: bool  # it is an armored halftrack
    carrier: bool
    removable: bool  # Passengers can remove its armament
    captured: bool  # it is not of the crew's nationality
    mg: int  # FP of its MG
    strongest: int  # FP of the strongest MG removed
    smc: bool = False  # a SMC removes it
    pp: int = 0  # total PP that the SMC or MMC then has
    recalled: bool = False  # the vehicle is Recalled


class Emptied(PaidIfFree, frozen=True, gc=False):
    """A vehicle being Abandoned."""

    left: int  # half MP left


class Manned(PaidIfFree, frozen=True, gc=False):
    """A crew about to man a vehicle; half MF."""

    # the vehicle
    misfit: str  # what is wrong with it: its ``kind``, ``side`` or ``place``
    abandoned: bool  # it is Abandoned and friendly
    together: bool  # it is in the crew's Location
    armed: bool  # it has armament, and so a crew
    # the unit
    fresh: bool  # it began the MPh there, and has neither left a vehicle nor acted in this turn
    left: int
    taken: bool  # armament was removed from the vehicle
    mounts: tuple[str, ...]  # removed armament that it brings back
    stows: tuple[str, ...]  # its other SW
    half_squad: bool = False
    # the vehicle again
    main: str = ""
    mm: int = 0
    tows_ordnance: bool = False
    # the unit again
    wired: bool = False  # it is on top of Wire
    assault: bool = False  # it has declared Assault Movement in this MPh
    double_time: bool = False
    temporary: bool = False  # not the kind of crew the vehicle has
    recalled: bool = False  # the vehicle's crew was Recalled
    just_left: bool = False  # the previous crew left in this Player Turn


class CrewLost(Facts, frozen=True, gc=False):
    """A crew that breaks or is eliminated in its vehicle (``what``)."""

    part: str  # the ``crew`` or the ``vehicle``
    what: str
    at: str
    carrier_crew: bool = False  # it is the half squad of a Carrier


@cases(Man)
def manning_facts(position: AslPosition, action: Man, edition: Edition) -> list[Case]:
    """Return the facts of a crew that mans a vehicle."""
    crew, vehicle = position.unit(action.unit), position.unit(action.into)
    kind = reading.type_of(position, vehicle)
    names = [weapon.name for weapon in crew.sw]
    facts = Manned(
        misfit=misfit(crew, vehicle, is_kind=kind.class_ == "vehicle"),
        abandoned=kind.class_ == "vehicle" and vehicle.crew.abandoned and vehicle.side == crew.side,
        together=crew.at == vehicle.at and crew.cargo.aboard is None,
        armed=kind.armed,
        just_left=vehicle.move.mph == "done" or (kind.carrier and vehicle.move.mph != "unmoved"),
        recalled=vehicle.crew.recalled,
        temporary=_is_temporary(crew, kind, reading.type_of(position, crew)),
        fresh=crew.move.mph == "unmoved" and not (crew.points.spent or crew.cargo.conveyed),
        left=spending.allotment(position, replace(crew, conveyed=True), edition)
        - crew.points.spent,
        half_squad=reading.type_of(position, crew).class_ == "half-squad",
        main=kind.main,
        mm=kind.mm,
        tows_ordnance=kind.tows_ordnance,
        taken=bool(vehicle.crew.taken),
        assault=crew.move.assault,
        double_time=crew.points.double > 0,
        wired=is_on_wire(position, crew),
        mounts=tuple(name for name in names if name in vehicle.crew.taken),
        stows=tuple(name for name in names if name not in vehicle.crew.taken),
    )
    found = [about(crew, standing_of(position, crew, "man")), about(crew, facts)]
    together = members(position, (crew.id, crew.cargo.aboard or crew.id))
    return found + interrupted(position, together, edition)


def _is_temporary(crew: AslUnit, kind: UnitType, man: UnitType) -> bool:
    """Return whether a unit would man a vehicle as a Temporary crew (A21.22)."""
    own = kind.carrier and man.class_ == "half-squad" and crew.crew.carrier_crew
    return kind.armed and man.class_ != "crew" and not own


@cases(Abandon)
def abandoning_facts(position: AslPosition, action: Abandon, edition: Edition) -> list[Case]:
    """Return the facts of a crew that abandons its vehicle, and of the vehicle."""
    crew = position.unit(action.unit)
    vehicle = position.unit(crew.cargo.aboard) if crew.cargo.aboard is not None else crew
    still = vehicle.move.mph == "unmoved" and vehicle.points.spent == vehicle.points.lost
    facts = Abandonment(
        inherent=crew.crew.inherent and crew.cargo.aboard is not None,
        moving=vehicle.motion.moving,
        fresh=still
        and not (
            vehicle.status.fired or crew.status.fired or crew.status.prep_fired or crew.points.spent
        ),
        left=spending.allotment(position, crew, edition) - crew.points.spent,
        bypass=vehicle.place.bypass is not None,
        counters_here=counters_at(position, vehicle.at or "")
        if vehicle.place.bypass is not None
        else (),
        mined=MINEFIELD in position.markers.get(vehicle.at or "", ()),
        carrier_crew=is_carrier_crew(position, crew, vehicle),
        recalled=vehicle.crew.recalled,
        stuck=vehicle.motion.bogged or vehicle.motion.immobile,
    )
    found = [
        about(crew, standing_of(position, crew, "abandon")),
        about(crew, facts),
    ]
    if vehicle is crew:
        return found + interrupted(position, (crew,), edition)
    left = spending.allotment(position, vehicle, edition) - vehicle.points.spent
    found += [
        about(vehicle, standing_of(position, vehicle, "abandon")),
        about(vehicle, Emptied(left)),
    ]
    if action.take:
        off = taking(position, vehicle, action.take, "crew", crew)
        found.append(about((vehicle, crew), off))
    return found + interrupted(position, (crew, vehicle), edition)


@at_blow
def blow_facts(position: AslPosition, event: StatedResult) -> list[Case]:
    """Return the facts of an inherent crew that breaks or is eliminated, and of its vehicle."""
    crew = position.unit(event.unit)
    struck = event.what in ("broken", "eliminated") and crew.crew.inherent and not crew.cargo.act
    if not struck:
        return []
    at, vehicle = str(crew.at), position.unit(str(crew.cargo.aboard))
    trained = is_carrier_crew(position, crew, vehicle)
    return [
        about(crew, CrewLost("crew", event.what, at, trained)),
        about(vehicle, CrewLost("vehicle", event.what, at)),
    ]


def crew_of(position: AslPosition, vehicle: AslUnit) -> AslUnit | None:
    """Return the unit that is a vehicle's inherent crew, if the position has one."""
    for unit in position.beside(vehicle.at):
        if unit.crew.inherent and unit.cargo.aboard == vehicle.id:
            return unit
    return None


def is_carrier_crew(position: AslPosition, crew: AslUnit, vehicle: AslUnit) -> bool:
    """Return whether a unit is the half squad that serves as a Carrier's inherent crew."""
    half_squad = reading.type_of(position, crew).class_ == "half-squad"
    return crew.crew.inherent and half_squad and reading.type_of(position, vehicle).carrier


def crews_of(kind: UnitType) -> tuple[str, ...]:
    """Return the classes that a vehicle's inherent crew can have; D6.82d covers some Carriers."""
    return ("crew", "half-squad") if kind.carrier else ("crew",)


def armament_left(position: AslPosition, vehicle: AslUnit) -> tuple[SupportWeapon, ...]:
    """Return the vehicle's armament that can still be removed."""
    armament = reading.type_of(position, vehicle).armament
    return tuple(weapon for weapon in armament if weapon.name not in vehicle.crew.taken)


def named(weapons: Sequence[SupportWeapon], names: Sequence[str]) -> tuple[SupportWeapon, ...]:
    """Return the weapons with these names."""
    return tuple(weapon for weapon in weapons if weapon.name in names)


def is_foreign(position: AslPosition, vehicle: AslUnit) -> bool:
    """Return whether a vehicle is captured, or of another nationality than its crew."""
    crew = crew_of(position, vehicle)
    return vehicle.status.captured or (
        crew is not None and nationality_of(crew) != nationality_of(vehicle)
    )


def taking(
    position: AslPosition, vehicle: AslUnit, take: tuple[str, ...], by: str, taker: AslUnit
) -> Taking:
    """Return the facts of armament being removed from a vehicle."""
    kind, there = reading.type_of(position, vehicle), armament_left(position, vehicle)
    return Taking(
        take=take,
        there=tuple(weapon.name for weapon in there),
        by=by,
        halftrack=kind.afv and kind.column == "ht",
        carrier=kind.carrier,
        removable=kind.removable,
        recalled=vehicle.crew.recalled,
        captured=vehicle.status.captured if by == "passengers" else is_foreign(position, vehicle),
        mg=kind.mg,
        smc=reading.type_of(position, taker).class_ == "smc",
        pp=sum(weapon.pp for weapon in (*taker.sw, *named(there, take))),
        strongest=max((weapon.fp for weapon in named(there, take)), default=0),
    )


def with_taken(
    position: AslPosition, vehicle: AslUnit, taker: AslUnit, take: Sequence[str]
) -> tuple[AslUnit, AslUnit]:
    """Return the vehicle and the unit after the unit has removed armament from it."""
    weapons = tuple(
        replace(weapon, dm=True) if is_dismantlable_mortar(weapon.mm) else weapon
        for weapon in named(armament_left(position, vehicle), take)
    )
    names = tuple(weapon.name for weapon in weapons)
    return (
        replace(vehicle, taken=(*vehicle.crew.taken, *names)),
        replace(taker, sw=(*taker.sw, *weapons)),
    )


@at_check
def check_inherent(position: AslPosition, unit: AslUnit, field: str) -> None:
    """Raise BadInputError for an inherent crew of a vehicle that has none, or another kind."""
    name = unit.cargo.aboard
    if name is None or not unit.crew.inherent or is_survival_due(position, unit):
        return
    vehicle = position.unit(name)
    kind = reading.type_of(position, vehicle)
    others = [u for u in position.units if u.crew.inherent and u.cargo.aboard == vehicle.id]
    if (
        not kind.armed
        or vehicle.crew.abandoned
        or unit.cargo.riding
        or unit.status.broken
        or len(others) > 1
    ):
        raise BadInputError(
            f"{unit.id}: inherent is for the one crew of an armed vehicle that is not Abandoned, "
            "neither broken nor riding; leave it out",
            field=f"{field}.inherent",
        )
    fit = ("crew",) if kind.carrier and has_true_crew(kind) else crews_of(kind)
    if (own := reading.type_of(position, unit).class_) not in fit:
        raise BadInputError(
            f"{unit.id}: expected a {' or '.join(fit)} as the inherent crew of {name}, got a {own}",
            field=f"{field}.inherent",
        )


@at_check
def check_taken(position: AslPosition, unit: AslUnit, field: str) -> None:
    """Raise BadInputError for armament removed from a vehicle that has no such armament."""
    if not unit.crew.taken:
        return
    known = [weapon.name for weapon in reading.type_of(position, unit).armament]
    if not set(unit.crew.taken) <= set(known):
        raise BadInputError(
            f"{unit.id}: taken names some of its armament ({', '.join(known) or 'none'}), "
            f"got {', '.join(unit.crew.taken)}",
            field=f"{field}.taken",
        )


@clause("D5.41a", kind="action")
def abandon(facts: Abandonment, sheet: Sheet) -> None:
    """An inherent crew abandons its vehicle for all its MF, if neither has moved or fired."""
    if not facts.inherent:
        sheet.bar("only the inherent crew of a vehicle abandons it, stated as a unit aboard it")
    if facts.moving:
        sheet.bar("the vehicle is in Motion")
    if not facts.fresh:
        sheet.bar("the vehicle or its crew has moved or fired this Player Turn")
    sheet.charge(facts.left, "all its MF", "abandoning")
    sheet.force("conveyed", value=True)
    sheet.force("act", "unloads")
    sheet.force("stays", value=True)


@clause("D5.341d", kind="action")
def recalled_crew(facts: Abandonment | Taking | Manned, sheet: Sheet) -> None:
    """A Recalled crew abandons only a bogged or immobile vehicle, and removes nothing."""
    if not facts.recalled:
        return
    if isinstance(facts, Manned):
        sheet.unsupported("whether it is the Recalled crew, which cannot man it again")
    elif isinstance(facts, Taking):
        if facts.by != "passengers":
            sheet.bar("the crew is Recalled")
    elif not facts.stuck:
        sheet.bar("the crew is Recalled, and its vehicle can move")


@clause("D5.41b", kind="cost")
def emptied(facts: Emptied, sheet: Sheet) -> None:
    """A vehicle that is Abandoned spends all its MP and has no crew."""
    sheet.charge(facts.left, "all its MP", "abandoning")
    sheet.force("abandoned", value=True)
    sheet.force("mph", "done")


@clause("D5.41c", kind="action")
def takes_off(facts: Taking, sheet: Sheet) -> None:
    """Armament can be removed from Carriers and armored halftracks if their counters allow it."""
    if not (facts.halftrack or facts.carrier):
        sheet.bar("armament can be removed only from Carriers and armored halftracks")
    take, there = facts.take, facts.there
    if missing := dict.fromkeys(name for name in take if take.count(name) > there.count(name)):
        sheet.bar(f"the vehicle has no {', '.join(missing)} that can be taken off")


class SmcActs(Standing):
    """A SMC about to act, and his load."""

    smc: bool = read(lambda actor: actor.kind.class_ == "smc")

    is_relevant = property(lambda self: self.smc)


@clause("A4.42e", kind="capacity")
def overloaded(facts: SmcActs | Taking, sheet: Sheet) -> None:
    """A SMC carries no more than 2 PP."""
    most = count("A4.42", "most_of_smc")
    ends = isinstance(facts, Standing) and facts.verb == "end"
    if facts.smc and facts.pp > most and not ends:
        sheet.bar("the SMC carries too much", most, facts.pp, points="PP")


NO_VEHICLE = {
    "kind": "the unit to man is not a vehicle",
    "side": "only an Abandoned vehicle of its side is manned",
}


@clause("D5.42a", kind="action")
def man(facts: Manned, sheet: Sheet) -> None:
    """Infantry that began the MPh there can man an Abandoned vehicle, stowing no SW."""
    if facts.misfit in NO_VEHICLE:
        sheet.bar(NO_VEHICLE[facts.misfit])
    elif not facts.abandoned:
        sheet.bar("only an Abandoned vehicle is manned")
    elif not facts.together:
        sheet.bar("it must be in the vehicle's Location")
    elif not facts.armed:
        sheet.bar("it has a Driver, who never leaves it, and no crew")
    if not facts.fresh:
        sheet.bar("it has not begun the MPh there, or has left a vehicle in it")
    if facts.stows:
        sheet.bar(f"it cannot stow {', '.join(facts.stows)} as it enters")


@clause("D5.42c", kind="action")
def just_left(facts: Manned, sheet: Sheet) -> None:
    """A vehicle cannot be manned in the Player Turn in which its crew left it."""
    if facts.abandoned and facts.just_left:
        sheet.bar("its crew has left it this Player Turn")


@not_modelled("A21.22")
def temporary_crew(facts: Manned) -> bool:
    """A Temporary crew: units of another kind than the vehicle's crew."""
    return facts.temporary


@clause("D5.42b", kind="cost")
def mans_all_mf(facts: Manned, sheet: Sheet) -> None:
    """Manning a vehicle takes all the crew's MF and the vehicle's MPh."""
    sheet.charge(facts.left, "all its MF", "manning")
    sheet.force("conveyed", value=True)
    sheet.force("act", "mans")


@clause("D5.311", kind="effect")
def crew_lost(facts: CrewLost, sheet: Sheet) -> None:
    """A crew that breaks leaves its vehicle, which stops; without a crew it is Abandoned."""
    if facts.part == "vehicle":
        for field, value in (("abandoned", True), ("moving", False), ("reverse", False)):
            sheet.force(field, value)
        sheet.force("mph", "done")
    else:
        sheet.force("aboard", None)
        sheet.force("inherent", value=False)
        sheet.force("mph", "done")
        if facts.what == "broken":
            sheet.force("at", facts.at)
            sheet.force("conveyed", value=True)


# -- armament ------------------------------------------------------------------------------------


HS = "have a half squad for its crew"


@clause("D6.82a", kind="state")
def crew_is_half_squad(facts: Carriage, sheet: Sheet) -> None:
    """A Carrier's inherent crew is a half squad."""
    if facts.carrier:
        grant(sheet, HS, 1)


def has_true_crew(carrier: Carriage | Manned | UnitType) -> bool:
    """Return whether a Carrier's inherent crew is not a half squad."""
    mortar = carrier.main == "mortar" and carrier.mm == count("D6.82d", "mm")
    return carrier.main == "ft" or mortar or carrier.tows_ordnance


@clause("D6.82d", kind="state")
def true_crew(facts: Carriage | Manned, sheet: Sheet) -> None:
    """Carriers with a FT or 76mm mortar, or named as towing ordnance, have a true crew."""
    manned = has_true_crew(facts)
    if isinstance(facts, Manned):
        if facts.half_squad and manned:
            sheet.unsupported(
                "a half squad that would be a Temporary crew of a Carrier with a true one"
            )
    elif facts.carrier and manned:
        deny(sheet, HS)


@clause("D6.631a", kind="action")
def take_armament(facts: Taking, sheet: Sheet) -> None:
    """A crew that abandons its own side's armored halftrack can take its MG or mortar along."""
    if facts.halftrack and not facts.carrier and facts.captured:
        sheet.bar("the halftrack is not of its own nationality")


@clause("D6.83a", kind="action")
def take_carrier_armament(facts: Taking, sheet: Sheet) -> None:
    """A Carrier's crew can also take its MG, ATR or mortar along."""
    if facts.carrier and facts.captured:
        sheet.bar("the Carrier is not of its own nationality")


@clause("D6.631b", kind="cost")
def passengers_take(facts: Taking, sheet: Sheet) -> None:
    """Passengers remove removable armament at no cost beyond unloading."""
    if facts.by == "passengers":
        if facts.removable:
            sheet.exception("removing armament costs nothing beyond leaving")
        else:
            sheet.bar("Passengers cannot remove this vehicle's armament")


@clause("D6.631c", kind="state")
def mg_taken(facts: Carriage | Taking, sheet: Sheet) -> None:
    """A removed MG has at most the FP of the vehicle's MG."""
    if isinstance(facts, Taking):
        if facts.strongest > facts.mg:
            sheet.bar("the MG is stronger than the vehicle's own", facts.mg, facts.strongest)
    elif (facts.armored_halftrack or facts.carrier) and facts.mg:
        grant(sheet, "have its MG taken off, as a MG of at most so many FP", facts.mg)


@clause("D6.631d", kind="action")
def re_man(facts: Manned, sheet: Sheet) -> None:
    """A crew with a matching MG or mortar can re-man the vehicle."""
    if facts.taken and not facts.mounts:
        sheet.bar("the crew does not bring the armament removed from the vehicle")


@effect(Man)
def after_manning(position: AslPosition, action: Man, bills: Sequence[Bill]) -> AslPosition:
    """Return the position after a crew has manned a vehicle."""
    unit = position.unit(action.unit)
    spent = unit.points.spent + paid_by_unit(bills).get(unit.id, 0)
    crew = replace(unit, mph="done", spent=spent)
    vehicle = position.unit(action.into)
    names = tuple(w.name for w in crew.sw if w.name in vehicle.crew.taken)
    crew = replace(crew, aboard=vehicle.id, inherent=True, sw=(), hitch=(vehicle.id, *names))
    kept = tuple(name for name in vehicle.crew.taken if name not in names)
    return begun(
        position, [unit], [crew, replace(vehicle, abandoned=False, taken=kept, mph="done")]
    )


@effect(Abandon)
def after_abandoning(position: AslPosition, action: Abandon, bills: Sequence[Bill]) -> AslPosition:
    """Return the position after a crew has left its vehicle."""
    paid = paid_by_unit(bills)
    unit = position.unit(action.unit)
    crew = replace(unit, mph="done", spent=unit.points.spent + paid.get(unit.id, 0))
    if crew.cargo.aboard is None:
        return begun(position, [unit], [crew])
    vehicle = position.unit(crew.cargo.aboard)
    amount = paid.get(vehicle.id, 0)
    left = replace(vehicle, spent=vehicle.points.spent + amount, used=vehicle.points.used + amount)
    crew = replace(crew, aboard=None, inherent=False)
    by, crew = with_taken(position, left, crew, action.take)
    sw = tuple(replace(weapon, portaged=True) for weapon in crew.sw)  # it stays with the vehicle
    return begun(position, [vehicle, unit], [by, replace(crew, sw=sw)])
