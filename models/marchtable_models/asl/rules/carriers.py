"""Vehicles that carry Personnel (D6.3, D6.64, D6.7), Carriers too (D6.8): their capabilities."""

from __future__ import annotations

from marchtable.rules.facts import Facts, Sheet
from marchtable.rules.subjects import clause
from marchtable_models.asl.data import ratio
from marchtable_models.asl.grants import deny, grant
from marchtable_models.asl.model import AslPosition, AslUnit, UnitType
from marchtable_models.asl.rules.hatches import HatchChange
from marchtable_models.asl.rules.passengers import CE, SMALL_ARMS, Mounted
from marchtable_models.asl.views.cargo import mount_of, prc
from marchtable_models.asl.views.carriage import is_own_mph
from marchtable_models.asl.views.unitkinds import type_of


class Carriage(Facts, frozen=True, gc=False):
    """A vehicle, a mounted unit, or a Carrier's crew on foot, at any moment."""

    mount: bool = False  # Cavalry, or a motorcycle with its rider
    trained: bool = False  # a Carrier's crew on foot
    squad: bool = False  # that crew is a squad
    # printed on its counter
    column: str = ""
    afv: bool = False
    armed: bool = False
    turret: bool = False
    carrier: bool = False
    main: str = ""
    mm: int = 0
    tows_ordnance: bool = False
    mg: int = 0
    # the kind of vehicle
    armored_halftrack: bool = False  # not for a Carrier
    for_passengers: bool = False  # it has Passenger PP
    truck: bool = False
    unarmored_halftrack: bool = False
    # its state
    bu: bool = False
    shocked: bool = False  # or Stunned
    armor_leader: bool = False
    abandoned: bool = False
    laden: bool = False  # it carries Personnel
    loads_only: bool = False  # all it has spent in this MPh was spent where it stood

    @property
    def vehicle(self) -> bool:
        """Whether it is a vehicle."""
        return not (self.mount or self.trained)

    @property
    def fires_with_others(self) -> bool:
        """Whether it is a Carrier, or a halftrack with room for Passengers that is not BU."""
        return self.carrier or (self.armored_halftrack and self.for_passengers and not self.bu)


def carriage(position: AslPosition, unit: AslUnit) -> Carriage | None:
    """Return the facts of a vehicle, a mount or a Carrier's crew on foot; None for other units."""
    kind = type_of(position, unit)
    if unit.at is None:
        return None
    if kind.class_ in ("cavalry", "motorcycle") or mount_of(position, unit):
        return Carriage(mount=True)
    if unit.crew.carrier_crew and kind.is_infantry and unit.cargo.aboard is None:
        return Carriage(trained=True, squad=kind.class_ == "squad")
    return _vehicle(position, unit, kind) if kind.class_ == "vehicle" else None


def _vehicle(position: AslPosition, unit: AslUnit, kind: UnitType) -> Carriage:
    halftrack, own = kind.column == "ht" and not kind.carrier, is_own_mph(position, unit)
    still = (
        not unit.motion.moving
        and unit.move.previous is None
        and unit.points.spent == unit.points.used
    )
    return Carriage(
        column=kind.column,
        afv=kind.afv,
        armed=kind.armed,
        turret=kind.turret,
        carrier=kind.carrier,
        main=kind.main,
        mm=kind.mm,
        tows_ordnance=kind.tows_ordnance,
        mg=kind.mg,
        armored_halftrack=halftrack and kind.afv,
        for_passengers=kind.pp > 0,
        truck=not kind.afv and not halftrack,
        unarmored_halftrack=halftrack and not kind.afv,
        bu=unit.crew.bu,
        shocked=unit.crew.stunned or unit.crew.shocked,
        armor_leader=unit.crew.armor_leader,
        abandoned=unit.crew.abandoned,
        laden=bool(prc(position, unit)),
        loads_only=own and still and unit.points.spent > 0,
    )


COLLATERAL = "suffer the Collateral Attack of the same attack"
RIDER, MOVING_TARGET = "count as a Rider", "be a moving target (Case J)"


# -- all carriers --------------------------------------------------------------------------------


@clause("D6.2a", kind="state")
def who_rides(facts: Carriage | Mounted, sheet: Sheet) -> None:
    """Riders are units outside an AFV, Cavalry and motorcyclists."""
    if isinstance(facts, Mounted):
        if facts.riding:
            grant(sheet, RIDER, 1)
        elif facts.inside:
            deny(sheet, RIDER)
    elif facts.mount:
        grant(sheet, RIDER, 1)


@clause("D6.3a", kind="cost")
def whole_allotment(facts: Carriage, sheet: Sheet) -> None:
    """Carrying Personnel does not reduce a vehicle's MP."""
    if facts.laden:
        grant(sheet, "have its whole MP allotment while it carries Personnel", 1)


@clause("D6.4g", kind="state")
def no_moving_target(facts: Carriage, sheet: Sheet) -> None:
    """A vehicle that loads or unloads before moving is not a moving target, but can be fired on."""
    if facts.vehicle and facts.loads_only:
        deny(sheet, MOVING_TARGET)
        grant(sheet, "be fired at by Defensive First Fire", 1)


@clause("D6.64a", kind="state")
def vehicles_in_fg(facts: Carriage, sheet: Sheet) -> None:
    """Only CE Carriers and halftracks carrying Passengers join a FG, without FT or IFE."""
    if not facts.vehicle or not facts.armed:
        return
    manned = not (facts.abandoned or facts.shocked)
    if manned and facts.fires_with_others:
        grant(sheet, "join a FG with its MG", 1)
        deny(sheet, "join a FG with a FT or by IFE")
    else:
        deny(sheet, "join a FG with its MG")


@clause("D6.64e", kind="state")
def fg_rules(facts: Carriage | Mounted, sheet: Sheet) -> None:
    """Every FG of PRC or vehicles obeys the FG rules (A7.5)."""
    in_fg = facts.aboard if isinstance(facts, Mounted) else facts.vehicle and facts.armed
    if in_fg:
        deny(sheet, "form a FG otherwise than by A7.5")


# -- trucks and unarmored halftracks -------------------------------------------------------------


@clause("D6.7b", kind="state")
def as_a_truck(facts: Carriage, sheet: Sheet) -> None:
    """An unarmored halftrack carries Personnel as a truck does."""
    if facts.unarmored_halftrack:
        grant(sheet, "load, carry and unload as a truck", 1)


@clause("D6.7c", kind="state")
def vehicle_line(facts: Carriage, sheet: Sheet) -> None:
    """Other fire at an unarmored target uses the IFT Vehicle line and hits its PRC collaterally."""
    if facts.truck or facts.unarmored_halftrack:
        grant(sheet, "be attacked on the IFT Vehicle line, its PRC collaterally", 1)


@clause("D6.71a", kind="state")
def unarmored_line(facts: Carriage, sheet: Sheet) -> None:
    """Ordnance hits on a truck use the Unarmored line of the To Kill table."""
    if facts.truck:
        grant(sheet, "be hit by ordnance on the Unarmored To Kill line", 1)


@clause("D6.71b", kind="odds")
def one_above_misses(facts: Carriage, sheet: Sheet) -> None:
    """A To Kill DR one above the Final TK# misses an unarmored target."""
    if facts.truck or facts.unarmored_halftrack:
        deny(sheet, "be Shocked or immobilized by a To Kill DR 1 above the Final TK#")


@clause("D6.71c", kind="odds")
def equal_immobilizes(facts: Carriage, sheet: Sheet) -> None:
    """Ordnance immobilizes an unarmored target only with a To Kill DR equal to the Final TK#."""
    if facts.truck or facts.unarmored_halftrack:
        grant(sheet, "be immobilized by a To Kill DR of the Final TK#", 1)


# -- Carriers ------------------------------------------------------------------------------------


@clause("D6.8", kind="state")
def as_a_halftrack(facts: Carriage, sheet: Sheet) -> None:
    """A Carrier counts as a halftrack unless stated otherwise."""
    if facts.carrier:
        grant(sheet, "count as an armored halftrack", 1)


@clause("D6.81d", kind="state")
def tracked(facts: Carriage, sheet: Sheet) -> None:
    """A Carrier uses the column of fully-tracked vehicles."""
    if facts.carrier:
        if facts.column == "ft":
            grant(sheet, "move as a fully-tracked vehicle", 1)
        else:
            deny(sheet, "move as a fully-tracked vehicle")


@clause("D6.82b", kind="action")
def recombine(facts: Carriage, sheet: Sheet) -> None:
    """Half squads that have left their Carriers recombine without TC or leader."""
    if facts.trained and not facts.squad:
        grant(sheet, "recombine with neither TC nor leader", 1)


@clause("D6.82c", kind="action")
def deploy(facts: Carriage, sheet: Sheet) -> None:
    """A squad recombined from Carriers Deploys without TC or leader to mount them."""
    if facts.trained and facts.squad:
        grant(sheet, "Deploy with neither TC nor leader, to mount Carriers", 1)


@clause("D6.84b", kind="state")
def stays_exposed(facts: Carriage | Mounted, sheet: Sheet) -> None:
    """Units inside a Carrier stay CE even if it is Stunned or Shocked."""
    if facts.carrier and facts.shocked and not (isinstance(facts, Mounted) and facts.riding):
        grant(sheet, CE, ratio("D6.62a", "drm"))
        grant(sheet, COLLATERAL, 1)


@clause("D6.84c", kind="state")
def own_crew(facts: Carriage, sheet: Sheet) -> None:
    """A Carrier's own crew obeys D5.8."""
    if facts.carrier and not facts.abandoned:
        deny(sheet, "have its crew exempt from D5.8")


@clause("D6.84a", kind="state")
def carrier_crew(facts: Mounted | HatchChange, sheet: Sheet) -> None:
    """Units inside a Carrier are always CE, and vulnerable to Small Arms."""
    if isinstance(facts, HatchChange):
        if facts.carrier and facts.to_bu:
            sheet.bar("a Carrier is never BU")
    elif facts.inside and facts.carrier:
        grant(sheet, CE, ratio("D6.62a", "drm"))
        grant(sheet, SMALL_ARMS, 1)
