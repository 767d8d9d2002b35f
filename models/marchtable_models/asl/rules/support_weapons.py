"""Support weapons dropped, recovered and transferred (A4.4, A4.43, A4.44)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar

import msgspec

from marchtable.rules.facts import Bill, Case, Edition, Facts, Sheet, about
from marchtable.rules.judging import paid_by_unit
from marchtable.rules.subjects import cases, clause, effect, not_modelled, resolves
from marchtable.state.action import Action, Fellow, verb_of
from marchtable.state.position import Counter, Obligation, Odds, UnitId
from marchtable.state.records import replace
from marchtable_models.asl.counterkinds import WIRE
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.effects import acting as acts
from marchtable_models.asl.effects.handling import given
from marchtable_models.asl.levels import hand_to_hand, level_of
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.unittype import SupportWeapon
from marchtable_models.asl.verbs import Traits
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.flight import has_begun, is_fit
from marchtable_models.asl.views.foot import BENEATH, loses
from marchtable_models.asl.views.lines import kind_of
from marchtable_models.asl.views.mph_ends import interrupted
from marchtable_models.asl.views.reading import there, type_of
from marchtable_models.asl.views.standing import standing_of
from marchtable_models.asl.views.unitkinds import ipc_of
from marchtable_models.asl.weapons import (
    BICYCLE,
    SKIS,
    as_counter,
    is_weapon,
    lying,
    named,
    owner_of,
    was_carried,
    weapon_of,
    within_reach,
)
from marchtable_models.asl.weapons import kind_of as kind_of_weapon

OwnWeapon = Annotated[str, msgspec.Meta(extra={"domain": "weapon"})]
"""The name of a SW in the unit's possession."""
LyingWeapon = Annotated[str, msgspec.Meta(extra={"domain": "lying"})]
"""The name of a SW in the unit's Location, unpossessed or held by a broken friend."""


class Drop(Action, frozen=True, tag="drop"):
    """A unit drops a SW in its Location."""

    unit: UnitId
    weapon: OwnWeapon


class Recover(Action, frozen=True, tag="recover"):
    """A unit tries to recover a SW in its Location, unpossessed or held by a broken friend."""

    traits: ClassVar[Traits] = ("leaves",)

    unit: UnitId
    weapon: LyingWeapon


class Transfer(Action, frozen=True, tag="transfer"):
    """A unit transfers a SW to another in its Location."""

    unit: UnitId
    to: Fellow
    weapon: OwnWeapon


class Handling(Facts, frozen=True, gc=False):
    """A SW about to be dropped, recovered or transferred (``verb``)."""

    verb: str
    phase: str
    own_turn: bool
    # the unit acting
    foot: bool
    smc: bool
    cx: bool
    fit: bool  # in Good Order and not pinned
    broken: bool
    has: bool  # it has the SW, or for Recovery the SW is there
    carried: int = 0  # PP that dropping it adds to those portaged; 0 if no MF are spent yet
    portaged: int = 0  # PP that the unit has portaged and dropped in this phase
    tried: tuple[str, ...] = ()  # items it has tried to recover in this phase
    weapon: str = ""  # the item in question
    owned: bool = False  # for Recovery: a broken friend in the Location has it
    gun: bool = False  # it is a Gun there, not a SW
    armed_enemy: bool = False  # a Known armed enemy is in the Location
    night: bool = False
    on_cliff: bool = False  # the unit is on a cliff
    # the recipient
    to_fit: bool = True
    to_foot: bool = True  # other Personnel of the same side
    to_smc: bool = False
    to_busy: bool = False  # it has tried to recover something in this phase
    together: bool = True  # in the same Location
    begun: bool = False  # a friendly unit has already advanced
    line: str = ""  # the kind of line the unit is in
    to_line: str = ""
    drowns: bool = False  # an unpossessed SW is lost there
    # aboard a vehicle
    aboard: bool = False
    to_aboard: bool = False
    same_vehicle: bool = False
    in_motion: bool = False  # the vehicle of either
    stowed: bool = False  # the SW is in a vehicle there, without owner
    passenger: bool = False  # the unit is a Passenger of that vehicle
    in_vehicle: bool = False  # not on a mount
    riding: bool = False
    # on foot in a Location with Wire
    wired: bool = False
    divided: bool = False  # one of them is beneath it, the other on top
    # the item
    gear: str = ""  # ``skis`` or ``bicycle``
    in_use: bool = False  # its owner is moving on it
    # a broken unit
    flees: bool = False  # it could begin to rout
    excess: bool = False  # its load exceeds its IPC
    spare: bool = False  # without the SW it still carries all of its IPC that it could


@cases(Drop, Recover, Transfer)
def handling_facts(
    position: AslPosition, action: Drop | Recover | Transfer, edition: Edition
) -> list[Case]:
    """Return the facts of a SW dropped, recovered or transferred; off map the unit's (A2.51)."""
    unit, verb = position.unit(action.unit), verb_of(action)
    if unit.at is None:
        return [about(unit, standing_of(position, unit, verb))]
    found = [about(unit, handling(position, unit, verb, action))]
    if isinstance(action, Recover) and position.phase == "MPh":
        found.append(about(unit, standing_of(position, unit, verb)))
        found += interrupted(position, (unit,), edition)
    return found


def _is_fit(unit: AslUnit) -> bool:
    return not (unit.status.broken or unit.status.pinned or unit.cargo.guard is not None)


def handling(
    position: AslPosition, unit: AslUnit, verb: str, action: Drop | Recover | Transfer
) -> Handling:
    """Return the facts of a SW being dropped, recovered or transferred."""
    kind = type_of(position, unit)
    recovers, aboard = verb == "recover", unit.cargo.aboard is not None
    weapon = named(within_reach(position, unit) if recovers else unit.sw, action.weapon)
    lies_in = _stowing(position, unit, action.weapon) if recovers and not weapon else []
    lies = recovers and aboard and not weapon and named(lying(position, unit.at), action.weapon)
    own = recovers and aboard and weapon is not None and not unit.cargo.riding
    nowhere = recovers and weapon is None and not lies and not lies_in
    owner = owner_of(position, unit, action.weapon) if nowhere else None
    over, spare = overload(position, unit, weapon) if weapon and verb == "drop" else (False, False)
    facts = Handling(
        verb=verb,
        phase=position.phase,
        own_turn=unit.side == position.side,
        foot=(kind.is_infantry if verb == "recover" else kind.is_personnel)  # A13.33
        and unit.at is not None,
        smc=kind.class_ == "smc",
        cx=unit.status.cx,
        fit=_is_fit(unit),
        broken=unit.status.broken,
        has=weapon is not None or owner is not None or bool(lies or lies_in),
        carried=weapon.pp if weapon and not weapon.portaged and was_carried(unit, weapon) else 0,
        owned=owner is not None,
        gun=nowhere and _is_gun_here(position, unit, action.weapon),
        portaged=unit.points.portaged,
        tried=unit.move.tried,
        weapon=action.weapon,
        armed_enemy=unit.at is not None
        and there(position, unit.side, unit.at, level=level_of(position, unit)).known,
        night=position.conditions.night,
        line=kind_of(unit),
        drowns=not aboard and loses(position, unit),
        on_cliff=unit.place.inside == "cliff",
        aboard=aboard,
        in_vehicle=aboard and not type_of(position, position.unit(str(unit.cargo.aboard))).mounts,
        in_motion=_is_in_motion(position, unit),
        riding=unit.cargo.riding,
        stowed=bool(lies_in) or own,
        passenger=own,
        wired=not aboard and WIRE in position.markers.get(unit.at or "", ()),
        gear=_gear(weapon),
        in_use=not recovers and _gear(weapon) != "" and _gear(weapon) == unit.status.gear,
        flees=verb == "drop" and could_rout(position, unit),
        excess=over,
        spare=spare,
    )
    return _handed(position, facts, unit, action) if isinstance(action, Transfer) else facts


def _gear(weapon: SupportWeapon | None) -> str:
    """Return whether an item is skis or a bicycle."""
    kind = "" if weapon is None else kind_of_weapon(weapon)
    return kind if kind in (SKIS, BICYCLE) else ""


def _is_gun_here(position: AslPosition, unit: AslUnit, name: str) -> bool:
    """Return whether a Gun of that name is in a unit's Location."""
    return any(
        other.id == name and type_of(position, other).class_ == "gun"
        for other in position.occupants.get(unit.at or "", ())
    )


def _stowing(position: AslPosition, unit: AslUnit, weapon: str) -> list[str]:
    """Return the vehicles in a unit's Location that hold such a SW without an owner."""
    return [
        other.id
        for other in position.occupants.get(unit.at or "", ())
        if other.facing is not None and named(other.sw, weapon) is not None
    ]


def _is_in_motion(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether a unit is aboard a vehicle in Motion."""
    return unit.cargo.aboard is not None and position.unit(unit.cargo.aboard).motion.moving


def _handed(position: AslPosition, facts: Handling, unit: AslUnit, action: Transfer) -> Handling:
    other = position.unit(action.to)
    kind = type_of(position, other)
    return msgspec.structs.replace(
        facts,
        to_fit=_is_fit(other),
        to_foot=kind.is_personnel and other.side == unit.side and other is not unit,
        to_smc=kind.class_ == "smc",
        to_busy=bool(other.move.tried),
        to_line=kind_of(other),
        together=hand_to_hand(position, unit, other),
        divided=facts.wired
        and other.cargo.aboard is None
        and (unit.place.inside == BENEATH) != (other.place.inside == BENEATH),
        to_aboard=other.cargo.aboard is not None,
        same_vehicle=unit.cargo.aboard is not None and unit.cargo.aboard == other.cargo.aboard,
        in_motion=facts.in_motion or _is_in_motion(position, other),
        begun=any(u.points.final == "advance" and u.side == position.side for u in position.units),
    )


def could_rout(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether a broken unit could begin to rout, and so abandon SW."""
    return (
        position.phase == "RtPh" and unit.move.mph == "unmoved" and unit.at is not None
        and is_fit(position, unit) and not has_begun(unit)
    )  # fmt: skip


def overload(position: AslPosition, unit: AslUnit, weapon: SupportWeapon) -> tuple[bool, bool]:
    """Return whether a unit's load exceeds its IPC, and still fills it without the SW."""
    most, all_of_it = ipc_of(position, unit), [one.pp for one in unit.sw]
    rest = list(all_of_it)
    rest.remove(weapon.pp)
    return sum(all_of_it) > most, _fullest(rest, most) == _fullest(all_of_it, most)


def _fullest(loads: Sequence[int], most: int) -> int:
    """Return the largest sum of some loads within a limit."""
    sums = {0}
    for load in loads:
        sums |= {one + load for one in sums if one + load <= most}
    return max(sums)


class Laden(Entry):
    """An entry with SW that other units have portaged."""

    is_relevant = property(lambda self: self.manner.spent_load)


@clause("A4.4b", kind="action")
def portaged_once(facts: Laden, sheet: Sheet) -> None:
    """Only one unit can portage an item in a phase."""
    if facts.manner.spent_load:
        sheet.bar("another unit has portaged an item that it carries")


@clause("A4.43a", kind="action")
def drop(facts: Handling, sheet: Sheet) -> None:
    """An unbroken unit can drop a SW in its own MPh or APh, or as the CCPh begins."""
    if facts.verb != "drop":
        return
    if not facts.has or not facts.foot:
        sheet.bar(f"it possesses no {facts.weapon}")
    if facts.flees:
        return  # A10.4c covers this
    if facts.broken:
        sheet.bar("the unit is broken")
    own = facts.phase in ("MPh", "APh") and facts.own_turn
    if not own and facts.phase != "CCPh":
        sheet.bar("SW are dropped in the unit's MPh or APh, or in the CCPh", "MPh", facts.phase)


@clause("A4.43b", kind="state")
def load_kept(facts: Handling, sheet: Sheet) -> None:
    """A SW dropped before its owner has spent MF is not portaged; later it counts for the MPh."""
    if facts.verb != "recover" and facts.carried:
        sheet.force("portaged", facts.portaged + facts.carried)


@clause("A4.43c", kind="effect")
def sunk(facts: Handling, sheet: Sheet) -> None:
    """A SW dropped in a marsh or wet stream is lost."""
    if facts.verb == "drop" and facts.drowns:
        sheet.exception(f"the {facts.weapon} is lost")


@clause("A4.431", kind="action")
def transfer(facts: Handling, sheet: Sheet) -> None:
    """Good Order units transfer SW in the RPh or as the APh begins."""
    if facts.verb != "transfer":
        return
    if not facts.has or not facts.foot:
        sheet.bar(f"it possesses no {facts.weapon}")
    if not facts.to_foot or not facts.together:
        sheet.bar("SW go only to other friendly Personnel in the same Location")
    if facts.broken and facts.to_smc:
        sheet.bar("a SMC recovers a SW from a broken friend (A4.44)")
    elif not facts.fit or not facts.to_fit:
        sheet.bar("both must be in Good Order and not pinned")
    if facts.tried or facts.to_busy:
        sheet.bar("a unit that tries Recovery in a phase cannot take part in a Transfer in it")
    at_start = facts.phase == "APh" and facts.own_turn and not facts.begun
    if not at_start and facts.phase != "RPh":
        sheet.bar("units transfer SW in the RPh or as their own APh begins", "RPh", facts.phase)


@clause("A4.44a", kind="action")
def recover(facts: Handling, sheet: Sheet) -> None:
    """A fit unit tries to recover an item once a phase, with no armed enemy present."""
    if facts.verb != "recover" or facts.gun:
        return
    if not facts.has:
        sheet.bar(f"no {facts.weapon} lies there")
    elif not facts.foot:
        sheet.bar("only a unit on foot recovers SW")
    if not facts.fit:
        sheet.bar("the unit must be in Good Order and not pinned")
    if facts.armed_enemy:
        sheet.bar("a Known armed enemy is there")
    if facts.phase == "RPh" and facts.tried:
        sheet.bar("in the RPh Recovery is the unit's only action")
    elif facts.weapon in facts.tried:
        sheet.bar("the unit has tried to recover this item")


@clause("A4.44f", kind="action")
def recovery_phase(facts: Handling, sheet: Sheet) -> None:
    """SW can be recovered in the RPh or in the unit's own MPh."""
    if facts.verb != "recover" or facts.gun:
        return
    if facts.phase == "RPh" or (facts.phase == "MPh" and facts.own_turn):
        return
    if facts.smc and facts.has and not facts.owned:
        sheet.unsupported(
            "whether another unit has just lost it, so that a SMC can recover it at once"
        )
    else:
        sheet.bar("SW are recovered in the RPh or the unit's MPh", "MPh", facts.phase)


@clause("A4.44d", kind="action")
def from_the_broken(facts: Handling, sheet: Sheet) -> None:
    """Only a SMC recovers a SW from a broken friend, in its own RPh or MPh."""
    if not facts.owned:
        return
    if not facts.smc:
        sheet.bar(f"no {facts.weapon} lies there, and only a SMC can take that of a broken friend")
    elif not facts.own_turn and facts.phase == "RPh":
        sheet.bar("it is not the unit's own RPh")


@not_modelled("A4.44e")
def guns(facts: Handling) -> bool:
    """Recovery of Guns: a scene does not state possession of Guns."""
    return facts.gun


@clause("A4.44b", kind="cost")
def recovery_cost(facts: Handling, sheet: Sheet) -> None:
    """Recovery in the MPh costs 1 MF; from a broken friend it is free."""
    if facts.verb == "recover" and facts.phase == "MPh" and not (facts.owned or facts.gun):
        sheet.charge(halves("A4.44", "cost"), "Recovery")


@clause("A4.44c", kind="odds")
def recovery_dr(facts: Handling, sheet: Sheet) -> None:
    """Recovery succeeds on a dr below 6, with +1 each for CX and night."""
    if facts.verb != "recover" or facts.gun:
        return
    drm = facts.cx * count("A4.44", "cx") + facts.night * count("A4.44", "night")
    good, die = count("A4.44", "below") - 1 - drm, count("A4.44", "die")
    odds = (Odds("recovered", good, die), Odds("failed", die - good, die))
    sheet.roll("recover", odds, f"recovered on a dr of {good} or less")


@clause("B26.4b", kind="action")
def through_the_wire(facts: Handling, sheet: Sheet) -> None:
    """A SW cannot pass between a unit on top of Wire and one beneath it."""
    if facts.divided:
        sheet.bar("one of them is on top of the Wire, the other beneath it")


@not_modelled("B26.4c")
def recovered_in_wire(facts: Handling) -> bool:
    """Recovery in a Location with Wire: whether the item is on top or beneath is unknown."""
    return facts.wired and facts.verb == "recover" and not facts.owned


# -- aboard a vehicle ----------------------------------------------------------------------------


@clause("D6.31a", kind="action")
def no_recovery(facts: Handling, sheet: Sheet) -> None:
    """PRC cannot recover SW outside their vehicle."""
    if facts.aboard and facts.verb == "recover" and not facts.passenger:
        sheet.bar("it is aboard a vehicle: its Passengers recover only SW inside it, Riders none")


@clause("D6.31b", kind="action")
def hands_on(facts: Handling, sheet: Sheet) -> None:
    """PRC transfer SW to PRC of their vehicle or, unless it is in Motion, to units on foot."""
    if facts.verb != "transfer" or facts.same_vehicle or not (facts.aboard or facts.to_aboard):
        return
    if facts.to_aboard:
        sheet.bar("SW come aboard only with Infantry that boards, or from PRC of the same vehicle")
    elif facts.in_motion:
        sheet.bar("the vehicle is in Motion: SW go only to its own PRC")


@clause("D6.5n", kind="action")
def recovers_stowed(facts: Handling, sheet: Sheet) -> None:
    """Only a vehicle's own Passengers recover SW stowed in it."""
    if facts.in_vehicle and facts.riding and facts.verb == "drop":
        sheet.unsupported("where a SW lies that a Rider lays down: on its vehicle or beside it")
    if facts.passenger and facts.phase == "MPh":
        sheet.unsupported("how much of its MPh a Passenger spends on Recovery in its vehicle")
    elif facts.stowed and not facts.passenger:
        sheet.bar("it is in a vehicle: only its Passengers recover it")


@effect(Drop, Transfer)
def after_giving(
    position: AslPosition, action: Drop | Transfer, bills: Sequence[Bill]
) -> AslPosition:
    """Return the position after a unit has given a SW away."""
    lost = any(name == sunk.id for bill in bills for name, _ in bill.finding.exceptions)
    return handed_over(position, action, lost=lost)


def handed_over(
    position: AslPosition, action: Drop | Transfer, *, lost: bool = False
) -> AslPosition:
    """Return the position after a unit gave a SW away or, if it is not lost, dropped it."""
    unit = position.unit(action.unit)
    weapon = named(unit.sw, action.weapon)
    if weapon is None or unit.at is None:
        return position
    gives = given(unit, weapon)
    position = position.with_units([_without(unit, weapon)])
    if isinstance(action, Transfer):
        return _with(position, action.to, gives)
    if lost:
        return position
    if unit.cargo.aboard is not None and not unit.cargo.riding:  # it stays inside (D6.4k)
        vehicle = position.unit(unit.cargo.aboard)
        return position.with_units([msgspec.structs.replace(vehicle, sw=(*vehicle.sw, gives))])
    counters = (*position.counters, as_counter(gives, unit.at))
    return msgspec.structs.replace(position, counters=counters)


@effect(Recover)
def after_trying(position: AslPosition, action: Recover, bills: Sequence[Bill]) -> AslPosition:
    """Return the position after a unit has tried to recover a SW: a free try begins no MPh."""
    unit, amount = position.unit(action.unit), paid_by_unit(bills).get(action.unit, 0)
    begins = amount and position.phase == "MPh" and unit.move.mph == "unmoved"
    tries: dict[str, Any] = {"mph": "moving" if begins else unit.move.mph}
    tries |= {"tried": (*unit.move.tried, action.weapon), "spent": unit.points.spent + amount}
    changed = replace(unit, **tries, used=unit.points.used + amount)
    if position.phase not in ("MPh", "RtPh"):
        return position.with_units([changed])
    return acts.begun(position, [unit], [changed])


@resolves("recover")
def after_recovery(position: AslPosition, obligation: Obligation, outcome: str) -> AslPosition:
    """Return the position after a dr: a successful unit has the item it tried last."""
    if outcome != "recovered":
        return position
    unit = position.unit(obligation.unit)
    name = unit.move.tried[-1]
    weapon = named(within_reach(position, unit), name)
    owner = owner_of(position, unit, name) if weapon is None else None
    if owner is not None and (theirs := named(owner.sw, name)) is not None:
        return _with(position.with_units([_without(owner, theirs)]), unit.id, given(owner, theirs))
    if weapon is None or unit.at is None:
        return position
    if unit.cargo.aboard is not None:
        position = position.with_units([_without(position.unit(unit.cargo.aboard), weapon)])
        return _with(position, unit.id, weapon)
    counters = list(position.counters)
    counters.remove(next(c for c in counters if c.at == unit.at and _is(c, weapon)))
    return _with(msgspec.structs.replace(position, counters=tuple(counters)), unit.id, weapon)


def _is(counter: Counter, weapon: SupportWeapon) -> bool:
    return is_weapon(counter.kind) and weapon_of(counter.kind) == weapon


def _without(unit: AslUnit, weapon: SupportWeapon) -> AslUnit:
    left = list(unit.sw)
    left.remove(weapon)
    return msgspec.structs.replace(unit, sw=tuple(left))


def _with(position: AslPosition, name: str, weapon: SupportWeapon) -> AslPosition:
    unit = position.unit(name)
    taken = msgspec.structs.replace(weapon, held=unit.points.spent)
    return position.with_units([msgspec.structs.replace(unit, sw=(*unit.sw, taken))])
