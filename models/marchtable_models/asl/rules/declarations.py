"""Declarations: Double Time (A4.5), Assault Movement (A4.61), and lending IPC (A4.42)."""

from __future__ import annotations

from typing import ClassVar

from marchtable.rules.facts import Case, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause, effect
from marchtable.state.action import Action, Fellow, verb_of
from marchtable.state.position import UnitId
from marchtable.state.records import replace
from marchtable_models.asl.data import halves
from marchtable_models.asl.levels import level_of
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.verbs import Traits
from marchtable_models.asl.views.foot import dark as is_dark
from marchtable_models.asl.views.foot import ground_row_at
from marchtable_models.asl.views.lines import kind_of
from marchtable_models.asl.views.movers import riders_of
from marchtable_models.asl.views.standing import standing_of
from marchtable_models.asl.views.unitkinds import type_of


class DoubleTime(Action, frozen=True, tag="double-time"):
    """Infantry declares Double Time."""

    traits: ClassVar[Traits] = ("says", "beneath", "upstairs", "crest", "waiting")

    unit: UnitId


class Assault(Action, frozen=True, tag="assault"):
    """Infantry declares Assault Movement."""

    traits: ClassVar[Traits] = ("says", "beneath", "upstairs", "crest", "waiting")

    unit: UnitId


class Lend(Action, frozen=True, tag="lend"):
    """A SMC lends its IPC to a unit in its Location for this MPh or APh."""

    traits: ClassVar[Traits] = ("says", "beneath", "crest", "waiting")

    unit: UnitId
    to: Fellow


class Declaration(Facts, frozen=True, gc=False):
    """A unit about to declare something (``verb``), including ``gallop``."""

    verb: str
    # the unit
    foot: bool
    smc: bool
    fresh: bool  # its MPh has not begun
    cx: bool
    was_cx: bool
    wounded: bool
    doubled: bool  # it has declared Double Time
    own_pp: int
    # the unit it lends its IPC to
    to_foot: bool
    together: bool
    to_fresh: bool
    to_self: bool
    to_fit: bool
    lent: bool
    # the unit again
    assault: bool  # it has declared Assault Movement
    dark: bool  # the NVR is 0
    conveyed: bool = False  # it is or was aboard something in this Player Turn
    horse: bool = False  # it is Cavalry
    wagon: int = 0  # a wagon's printed MF in half points
    in_bypass: bool = False
    unridden: bool = False  # it has no rider
    mounted: bool = False  # it rides horses
    gear: str = ""  # it uses ``skis`` or a ``bicycle``
    to_line: str = ""  # the kind of line that the unit receiving IPC is in
    here: str = ""  # the chart row of Cavalry's Location
    entered: bool = False  # it has entered a Location in this MPh


@cases(DoubleTime, Assault, Lend)
def declaring_facts(position: AslPosition, action: DoubleTime | Assault | Lend) -> list[Case]:
    """Return the facts of a declaration."""
    unit, verb = position.unit(action.unit), verb_of(action)
    to = position.unit(action.to) if isinstance(action, Lend) else None
    standing = about(unit, standing_of(position, unit, verb))
    return [standing, about(unit, declaration(position, unit, verb, to))]


def declaration(
    position: AslPosition, unit: AslUnit, verb: str, to: AslUnit | None = None
) -> Declaration:
    """Return the facts of a declaration of Double Time, or of lending IPC to a unit."""
    kind = type_of(position, unit)
    other = unit if to is None else to
    return Declaration(
        verb=verb,
        foot=kind.is_infantry,
        smc=kind.class_ == "smc",
        fresh=unit.move.mph == "unmoved" or (verb == "lend" and _has_just_left(unit)),
        cx=unit.status.cx,
        was_cx=unit.status.was_cx,
        wounded=unit.status.wounded,
        doubled=unit.points.double > 0,
        own_pp=sum(weapon.pp for weapon in unit.sw),
        to_foot=type_of(position, other).is_infantry
        and other.side == unit.side
        and not other.crew.inherent,
        together=(other.at, other.cargo.aboard, level_of(position, other), _has_just_left(other))
        == (unit.at, unit.cargo.aboard, level_of(position, unit), _has_just_left(unit)),
        to_fresh=other.move.mph == "unmoved" or _has_just_left(other),
        to_self=other.id == unit.id,
        to_fit=not other.status.broken and not other.status.pinned,
        assault=unit.move.assault,
        entered=unit.move.previous is not None or unit.move.mph == "done",
        dark=is_dark(position),
        lent=unit.move.lends is not None or other.move.helper is not None,
        conveyed=unit.cargo.conveyed or unit.cargo.aboard is not None,
        horse=kind.class_ == "cavalry",
        wagon=kind.mp * 2 if kind.class_ == "wagon" else 0,
        in_bypass=unit.place.bypass is not None,
        gear=unit.status.gear,
        unridden=kind.mounts > 0 and not riders_of(position, unit),
        mounted=_rides_horses(position, unit),
        to_line="" if to is None else kind_of(to),
        here=ground_row_at(position, unit.at) if kind.class_ == "cavalry" and unit.at else "",
    )


def _has_just_left(unit: AslUnit) -> bool:
    """Return whether a unit's last act was to leave a vehicle it had been aboard all MPh."""
    return (
        unit.cargo.act in ("unloads", "alights")
        and unit.move.mph == "moving"
        and unit.move.previous is None
    )


def _rides_horses(position: AslPosition, unit: AslUnit) -> bool:
    return (
        unit.cargo.aboard is not None
        and type_of(position, position.unit(unit.cargo.aboard)).class_ == "cavalry"
    )


# -- Double Time ---------------------------------------------------------------------------------


@clause("A4.5b", kind="action")
def declare_double_time(facts: Declaration, sheet: Sheet) -> None:
    """A unit cannot use Double Time if wounded, CX, or CX as its MPh began."""
    if facts.verb != "double-time":
        return
    if not facts.foot:
        sheet.bar("only Infantry declares Double Time")
    if facts.wounded:
        sheet.bar("the unit is wounded")
    if facts.doubled or facts.cx or facts.was_cx:
        sheet.bar("the unit is or was CX this MPh")
    sheet.force(
        "double", halves("A4.5", "at_start" if facts.fresh and not facts.entered else "later")
    )


@clause("A4.5c", kind="effect")
def double_time_cx(facts: Declaration, sheet: Sheet) -> None:
    """A unit that uses Double Time becomes CX."""
    if facts.verb == "double-time":
        sheet.force("cx", True)


@clause("E1.51c", kind="action")
def no_double_time(facts: Declaration, sheet: Sheet) -> None:
    """With a NVR of 0 units cannot use Double Time or Gallop."""
    if facts.dark and facts.verb in ("double-time", "gallop"):
        sheet.bar("the NVR is 0")


# -- Assault Movement ----------------------------------------------------------------------------


@clause("A4.61a", kind="action")
def declare_assault(facts: Declaration, sheet: Sheet) -> None:
    """Infantry declares Assault Movement before spending MF."""
    if facts.verb != "assault":
        return
    if not facts.foot:
        sheet.bar("only Infantry declares Assault Movement")
    if facts.assault:
        sheet.bar("the unit has declared Assault Movement")
    elif facts.entered or (not facts.fresh and sheet.reading("A4.61a") == "mf"):
        sheet.bar("Assault Movement is declared before the unit moves")
    sheet.force("assault", value=True)


@clause("A4.61d", kind="action")
def assault_double_time(facts: Declaration, sheet: Sheet) -> None:
    """Assault Movement is not combined with Double Time."""
    both = facts.assault if facts.verb == "double-time" else facts.doubled
    if facts.verb in ("assault", "double-time") and both and sheet.reading("A4.61d") == "apart":
        sheet.bar("a unit cannot use both Assault Movement and Double Time")


# -- IPC -----------------------------------------------------------------------------------------


@clause("A4.42d", kind="action")
def lend_ipc(facts: Declaration, sheet: Sheet) -> None:
    """A SMC without a load can lend its IPC once, to a unit that begins the MPh with it."""
    if facts.verb != "lend":
        return
    if not facts.smc or facts.own_pp or facts.wounded:
        sheet.bar("only an unwounded SMC that carries nothing can lend IPC")
    if not facts.to_foot or facts.to_self:
        sheet.bar("IPC is lent to another friendly Infantry unit")
    if not facts.to_fit:
        sheet.bar("IPC is lent to a unit in Good Order that is not pinned")
    if not facts.together or not facts.fresh or not facts.to_fresh:
        sheet.bar(
            "both must begin the MPh together and have spent nothing, except to leave a vehicle"
        )
    if facts.lent:
        sheet.bar("a SMC lends IPC once, and only one SMC can help a unit")


@clause("A13.33c", kind="action")
def mounted_lender(facts: Declaration, sheet: Sheet) -> None:
    """A mounted SMC cannot lend its IPC."""
    if facts.verb == "lend" and facts.mounted:
        sheet.bar("he is mounted")


@effect(DoubleTime, Assault)
def after_declaring(position: AslPosition) -> AslPosition:
    """Return the position unchanged: a clause applies the effect on the unit."""
    return position


@effect(Lend)
def after_lending(position: AslPosition, action: Lend) -> AslPosition:
    """Return the position after a SMC has lent his IPC."""
    lender, helped = position.unit(action.unit), position.unit(action.to)
    return position.with_units(
        [replace(lender, lends=helped.id), replace(helped, helper=lender.id)]
    )
