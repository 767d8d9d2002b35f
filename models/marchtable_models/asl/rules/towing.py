"""Towing Guns (C10.1): hooking up, unhooking, and limits on a vehicle with a Gun."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from marchtable.errors import BadInputError
from marchtable.rules.facts import Bill, Case, Edition, Facts, Sheet, about
from marchtable.rules.judging import paid_by_unit
from marchtable.rules.subjects import cases, clause, effect, not_modelled
from marchtable.state.action import Action, Fellow, verb_of
from marchtable.state.position import UnitId
from marchtable.state.records import replace
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.effects.acting import begun, paying
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.occasions import at_check
from marchtable_models.asl.rules.capacity import hold
from marchtable_models.asl.rules.loading import Embark, boarding
from marchtable_models.asl.verbs import Traits
from marchtable_models.asl.views import spending
from marchtable_models.asl.views.cargo import prc, with_captives
from marchtable_models.asl.views.carriage import is_hulk
from marchtable_models.asl.views.chart import cells, row_named
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.foot_facts import BOARDED, Detection
from marchtable_models.asl.views.ground_facts import BUILT
from marchtable_models.asl.views.movers import half_squads_of_smc
from marchtable_models.asl.views.mph_ends import interrupted
from marchtable_models.asl.views.spending_facts import PaidIfFree
from marchtable_models.asl.views.standing import Standing, standing_of
from marchtable_models.asl.views.unitkinds import misfit, type_of
from marchtable_models.asl.views.vehicle_facts import StartStop


class Hook(Action, frozen=True, tag="hook"):
    """A vehicle hooks up a Gun with the help of a crew on foot, which then boards it or stays. All three become TI."""

    traits: ClassVar[Traits] = ("still",)

    unit: UnitId
    gun: Fellow
    crew: Fellow
    board: bool = False


class Unhook(Action, frozen=True, tag="unhook"):
    """A crew unhooks the Gun a vehicle tows, getting off the vehicle first if aboard. Crew and Gun become TI."""

    traits: ClassVar[Traits] = ("still",)

    unit: UnitId
    crew: Fellow


class Hitch(PaidIfFree, frozen=True, gc=False):
    """A Gun about to be hooked up or unhooked (``verb``); half points."""

    verb: str
    # the vehicle
    mp: int
    moving: bool
    stunned: bool
    # the Gun
    misfit: str  # what of the supposed Gun is wrong: its ``kind``, ``side`` or ``place``
    towed: bool  # it is already in tow
    towing: bool  # the vehicle tows a Gun
    circled: bool  # its M# is circled
    ready: bool  # limbered, or it need not be
    # the crew
    crew: bool  # a friendly crew or half squad is there
    fit: bool  # able to do it
    aboard: bool  # aboard the vehicle
    crew_mf: int  # its MF in all
    crew_spent: int
    without_esb: int | None  # MP left without those from Excessive Speed, None if it gave none
    fired: tuple[
        str, ...
    ] = ()  # in this Player Turn: ``gun``, ``crew``, ``vehicle``, ``prc`` if TI
    five: bool = False  # a SMC, one of five or more there
    inherent: bool = False  # it is a vehicle's inherent crew
    vehicle: bool = True  # what hooks up or unhooks is one
    hulk: bool = False  # the vehicle is immobilized, empty, neither armed nor armored
    laden: bool = False  # the vehicle carries a Gun en portee


class Busy(Facts, frozen=True, gc=False):
    """A unit involved in hooking up or unhooking; half points."""

    verb: str
    part: str  # ``vehicle``, ``gun``, ``crew`` or one of the ``prc``
    hitch: tuple[str, ...] = ()  # the vehicle and the Gun
    moves: bool = False  # it boards or leaves the vehicle in the process
    mf: int = 0  # the crew's MF
    spent: int = 0
    circled: bool = False  # the Gun's M# is circled


@cases(Hook, Unhook)
def hitch_facts(position: AslPosition, action: Hook | Unhook, edition: Edition) -> list[Case]:
    """Return the facts of a Gun being hooked up or unhooked."""
    vehicle, crew, verb = position.unit(action.unit), position.unit(action.crew), verb_of(action)
    hooks = isinstance(action, Hook)
    boards = isinstance(action, Hook) and action.board
    name = action.gun if isinstance(action, Hook) else vehicle.cargo.towing
    gun = None if name is None else position.unit(name)
    acting = (vehicle, crew) if crew.place.inside else (vehicle,)
    found = [about(unit, standing_of(position, unit, verb)) for unit in acting]
    facts = hitching(position, verb, vehicle, gun, crew, edition)
    found.append(about(vehicle, facts))
    if hooks:
        joining = with_captives(position, (crew,)) if boards else ()
        found.append(about(vehicle, hold(position, vehicle, joining, gun=gun)))
    if boards:
        found.append(about(crew, boarding(position, crew, vehicle, (crew.id,), hooks=True)))
    if hooks and gun is not None:  # they share concealment from now on (A12.2)
        together = (vehicle, gun, crew) if boards else (vehicle, gun)
        hidden = [unit for unit in together[:2] if unit.concealment.concealed]
        if not all(unit.concealment.concealed for unit in together):
            found += [about(unit, Detection(BOARDED)) for unit in hidden]
    parts = [("vehicle", vehicle), *([("gun", gun)] if gun else [])]
    parts += [("prc", unit) for unit in prc(position, vehicle) if unit is not crew]
    pair = (vehicle.id, gun.id) if gun else ()
    moves = boards or (not hooks and crew.cargo.aboard is not None)
    found += [about(unit, Busy(verb, part, pair)) for part, unit in parts]
    works = Busy(verb, "crew", pair, moves, facts.crew_mf, facts.crew_spent, facts.circled)
    return [*found, about(crew, works), *interrupted(position, (vehicle,), edition)]


def hitching(
    position: AslPosition,
    verb: str,
    vehicle: AslUnit,
    gun: AslUnit | None,
    crew: AslUnit,
    edition: Edition,
) -> Hitch:
    """Return the facts of a Gun being hooked up or unhooked."""
    kind = type_of(position, crew)
    piece = type_of(position, gun) if gun else None
    near = (crew.at, crew.side) == (vehicle.at, vehicle.side)
    idle = crew.status.ti or crew.move.mph == "done"
    return Hitch(
        verb=verb,
        mp=type_of(position, vehicle).mp * 2,
        moving=vehicle.motion.moving,
        stunned=vehicle.crew.stunned,
        misfit=gun_misfit(position, vehicle, gun) if gun else "kind",
        vehicle=type_of(position, vehicle).is_vehicle,
        towed=gun is not None and gun.cargo.towed_by is not None,
        fired=tuple(_fired(position, verb, vehicle, gun, crew)),
        inherent=crew.crew.inherent,
        five=kind.class_ == "smc" and near and _has_five(position, crew),
        towing=vehicle.cargo.towing is not None,
        circled=piece is not None and piece.circled,
        ready=bool(piece and gun and (piece.qsu or gun.cargo.limbered)),
        crew=near
        and kind.class_ in ("crew", "half-squad", "squad")
        and crew.cargo.aboard in (None, vehicle.id),
        fit=crew.status.good_order and not (crew.status.pinned or idle),
        aboard=crew.cargo.aboard is not None,
        crew_mf=spending.allotment(position, crew, edition),
        crew_spent=crew.points.spent,
        without_esb=spending.allotment(position, vehicle, edition)
        - vehicle.points.spent
        - vehicle.points.esb
        if vehicle.points.esb
        else None,
        hulk=is_hulk(position, vehicle),
        laden=vehicle.cargo.laden,
    )


def _fired(
    position: AslPosition, verb: str, vehicle: AslUnit, gun: AslUnit | None, crew: AslUnit
) -> Iterator[str]:
    """Yield which of the units involved in hooking up or unhooking have fired."""
    for part, unit in (("gun", gun), ("crew", crew), ("vehicle", vehicle)):
        if unit is not None and (unit.status.fired or unit.status.prep_fired):
            yield part
    if verb == "hook" and any(unit.status.fired for unit in prc(position, vehicle)):
        yield "prc"


def _has_five(position: AslPosition, smc: AslUnit) -> bool:
    """Return whether enough friendly SMC are in a Location to count as a half squad."""
    around = [
        unit
        for unit in position.beside(smc.at)
        if unit.side == smc.side and type_of(position, unit).class_ == "smc"
    ]
    return half_squads_of_smc(len(around)) > 0


def gun_misfit(position: AslPosition, vehicle: AslUnit, gun: AslUnit) -> str:
    """Return the fault of a unit that a vehicle is to tow or carry, if any."""
    return misfit(vehicle, gun, is_kind=type_of(position, gun).class_ == "gun")


NO_GUN = {
    "kind": "the unit named as the Gun is not a Gun",
    "side": "the unit named as the Gun is not of the vehicle's side",
    "place": "the Gun is not in the vehicle's Location",
}


# -- hooking up and unhooking --------------------------------------------------------------------


def _no_tow(position: AslPosition, unit: AslUnit, name: str | None, other: AslUnit | None) -> str:
    """Return the message that rejects a mismatched vehicle and Gun, with what to write."""
    if unit.cargo.towing and not type_of(position, unit).is_vehicle:
        return (
            f"{unit.id}: only a vehicle tows; remove towing (a crew at its Gun has the same `at`)"
        )
    if unit.cargo.towed_by and type_of(position, unit).class_ != "gun":
        return f"{unit.id}: only a Gun is in tow; a unit that a vehicle carries has `aboard = {name!r}`"
    back = "towed_by" if unit.cargo.towing else "towing"
    if other is not None and other.at == unit.at and other.side == unit.side:
        return f"{unit.id}: {name!r} must name it back; write `{back} = {unit.id!r}` there"
    what = "Gun" if unit.cargo.towing else "vehicle"
    return f"{unit.id}: expected a {what} of its side and Location, got {name!r}"


@at_check
def check_tow(position: AslPosition, unit: AslUnit, field: str) -> None:
    """Raise BadInputError for a Gun and a vehicle that do not name each other or do not match."""
    if unit.cargo.towing is None and unit.cargo.towed_by is None:
        return
    name = unit.cargo.towing or unit.cargo.towed_by
    other = position.unit(name) if name in position.index else None
    mutual = other is not None and unit.id == (
        other.cargo.towed_by if unit.cargo.towing else other.cargo.towing
    )
    gun, vehicle = (other, unit) if unit.cargo.towing else (unit, other)
    if (
        not mutual
        or gun is None
        or vehicle is None
        or type_of(position, gun).class_ != "gun"
        or not type_of(position, vehicle).is_vehicle
        or (gun.at, gun.side) != (vehicle.at, vehicle.side)
    ):
        raise BadInputError(
            _no_tow(position, unit, name, other),
            field=f"{field}.{'towing' if unit.cargo.towing else 'towed_by'}",
        )


WRITTEN = {"hook": "hook VEHICLE GUN CREW", "unhook": "unhook VEHICLE CREW"}


@clause("C10.11a", kind="action")
def hook_up(facts: Hitch, sheet: Sheet) -> None:
    """A stopped vehicle that tows nothing hooks up a Gun in place."""
    if not facts.vehicle:
        sheet.bar(f"only a vehicle hooks up or unhooks a Gun: `{WRITTEN[facts.verb]}`")
    if facts.moving:
        sheet.bar("the vehicle has not stopped")
    if facts.stunned:
        sheet.bar("the vehicle is Stunned")
    if facts.verb == "hook":
        if facts.misfit:
            sheet.bar(NO_GUN[facts.misfit])
        if facts.towed or facts.towing:
            sheet.bar("a vehicle tows one Gun, and a Gun is towed by one vehicle")


@clause("C10.12", kind="action")
def unhook(facts: Hitch, sheet: Sheet) -> None:
    """A stopped vehicle unhooks the Gun it tows."""
    if facts.verb == "unhook" and facts.vehicle and not facts.towing:
        sheet.bar("the vehicle tows no Gun")


@clause("D8.11", kind="action")
def a_wreck_when_empty(facts: Embark | Hitch, sheet: Sheet) -> None:
    """An immobilized, unarmed, unarmored vehicle is a wreck once nothing is aboard or in tow."""
    if facts.hulk:
        sheet.bar("the vehicle is immobilized and empty, and so a wreck")


@clause("C10.11b", kind="cost")
def hitch_cost(facts: Hitch, sheet: Sheet) -> None:
    """Hooking up or unhooking costs half the MP, or two thirds for a circled M#."""
    sheet.charge(_share(facts.mp, circled=facts.circled), "hooking up or unhooking", "towing")


def _share(allotment: int, *, circled: bool) -> int:
    """Return the share of an allotment for hooking up or unhooking, in half points."""
    which = "circled_" if circled else ""
    parts, of = count("C10.11", f"{which}parts"), count("C10.11", f"{which}of")
    return 2 * -(-allotment * parts // (2 * of))


@clause("C10.12c", kind="cost")
def crew_share(facts: Busy, sheet: Sheet) -> None:
    """A crew that unhooks a Gun spends the same share of its MF, or all it has left."""
    unhooks = facts.part == "crew" and facts.verb == "unhook"
    if unhooks and sheet.reading("C10.12c") == "share":
        share = _share(facts.mf, circled=facts.circled)
        sheet.charge(max(0, min(share, facts.mf - facts.spent)), "unhooking", "towing")


@clause("C10.12b", kind="cost")
def no_esb(facts: Hitch, sheet: Sheet) -> None:
    """Excessive Speed MP cannot pay for unhooking nor, by this reading, for hooking up."""
    need = sheet.total("towing")
    if facts.without_esb is None or need <= facts.without_esb:
        return
    if facts.verb == "unhook" or sheet.reading("C10.12b") == "neither":
        sheet.bar("not enough MP without Excessive Speed", need, facts.without_esb, halves=True)


@clause("C10.21", kind="action")
def limbered(facts: Hitch, sheet: Sheet) -> None:
    """A Gun without QSU must be limbered before it is hooked up."""
    if facts.verb == "hook" and not facts.misfit and not facts.ready:
        sheet.bar("the Gun is not limbered")


@clause("C10.111", kind="action")
def gun_crew(facts: Hitch, sheet: Sheet) -> None:
    """Hooking up needs a crew, half squad or squad there, in Good Order and not pinned."""
    if facts.inherent:
        sheet.unsupported("an inherent crew that hooks up or unhooks as it mans or abandons (D5.4)")
    elif facts.five:
        sheet.unsupported("whether five SMC can do the work of a half squad")
    elif not facts.crew:
        sheet.bar("no crew, half squad or squad of its side is there for it")
    elif not facts.fit:
        sheet.bar("the crew is not in Good Order, is pinned or TI, or has ended its MPh")
    if facts.verb == "hook" and facts.aboard and not facts.inherent:
        sheet.bar("the crew must be on foot to hook up")


FIRED = {"gun": "the Gun", "crew": "the crew", "vehicle": "the vehicle", "prc": "one of its PRC"}


@clause("C10.11e", kind="action")
def fires_not(facts: Hitch, sheet: Sheet) -> None:
    """A unit that has fired cannot take part in hooking up or unhooking."""
    for part in facts.fired:
        sheet.bar(f"{FIRED[part]} has fired")


@clause("C10.11c", kind="action")
def crew_mf(facts: Hitch, sheet: Sheet) -> None:
    """A crew that has spent over half its MF cannot hook up, nor unhook on foot (C10.12)."""
    if not facts.aboard and 2 * facts.crew_spent > facts.crew_mf:
        sheet.bar("the crew has spent too much", facts.crew_mf // 2, facts.crew_spent,
                  halves=True, points="MF")  # fmt: skip


@clause("C10.11d", kind="effect")
def busy(facts: Busy, sheet: Sheet) -> None:
    """Hooking up makes all units involved TI; unhooking only crew and Gun."""
    if facts.verb == "hook" or facts.part in ("gun", "crew"):
        sheet.force("ti", value=True)
    if facts.part == "crew":
        if facts.moves:
            sheet.force("conveyed", value=True)
        sheet.force("act", f"{facts.verb}s")
        sheet.force("hitch", facts.hitch)


# -- with a Gun in tow ---------------------------------------------------------------------------


class Tows(Entry):
    """An entry by a towing vehicle."""

    is_relevant = property(lambda self: self.mover.towing or self.mover.trailer)


@clause("C10.1b", kind="cost")
def tow_cost(facts: Tows, sheet: Sheet) -> None:
    """Towing a Gun costs 1 extra MP per hex, added last."""
    if facts.mover.towing and (sheet.total("all") or facts.minimum):
        sheet.exception(
            "an entry for the whole allotment costs nothing more for towing (D2.7, D2.15)"
        )
    elif facts.mover.towing:
        sheet.charge(halves("C10.1", "each"), "tows a Gun", "towing")


@clause("C10.1c", kind="action")
def tow_terrain(facts: Tows, sheet: Sheet) -> None:
    """A Gun is not towed over walls or hedges, nor off road into buildings, rubble, graveyards (B18.43) or deep streams."""
    ground = facts.ground
    if not facts.mover.towing:
        return
    if ground.hurdle and row_named(ground.hurdle).no_towing:
        sheet.bar("a Gun cannot be towed across this hexside")
    entered = () if facts.way else [row for row, _ in cells(facts)]
    barred = any(row.no_towing for row in entered)
    if not barred and any(row.id == "debris" for row in entered):
        barred = sheet.reading("C10.1c") == "rubble"
    if barred:
        sheet.bar("a Gun cannot be towed into this terrain")


@clause("C10.4", kind="action")
def trailers(facts: Tows | StartStop, sheet: Sheet) -> None:
    """A trailer enters no building or rubble, crosses no wall, hedge or bocage, and cannot move in Reverse; by road it goes as usual."""
    if not facts.mover.trailer:
        return
    if facts.reverse:
        sheet.bar("it tows a trailer")
    if isinstance(facts, StartStop):
        return
    if facts.ground.hurdle and row_named(facts.ground.hurdle).no_towing:
        sheet.bar("a trailer cannot be towed across this hexside")
    if not facts.way and facts.row in BUILT and facts.passing is None:
        sheet.bar("a trailer cannot be towed into this terrain")


class GunActs(Standing):
    """A Gun about to move."""

    is_relevant = property(lambda self: self.form == "gun")


@not_modelled("C10.3g", lifts=("A4.2b", "A4.134"))
def push(facts: GunActs) -> bool:
    """Pushing a Gun by moving it: use `push`, which names the crew."""
    return facts.form == "gun" and facts.verb in ("enter", "minimum", "bypass", "into", "exit")


@effect(Hook, Unhook)
def after_hitch(position: AslPosition, action: Hook | Unhook, bills: Sequence[Bill]) -> AslPosition:
    """Return the position after a Gun has been hooked up or unhooked."""
    paid = paid_by_unit(bills)
    vehicle, crew = position.unit(action.unit), position.unit(action.crew)
    towing = action.gun if isinstance(action, Hook) else None
    mph = "done" if vehicle.move.mph == "done" else "moving"
    changed = [replace(paying(vehicle, paid), mph=mph, towing=towing)]
    name = towing or vehicle.cargo.towing
    if name is not None:
        gun = position.unit(name)  # a Gun in tow is limbered, and stays so when unhooked
        limbered = gun.cargo.limbered or not type_of(position, gun).qsu
        changed.append(replace(gun, towed_by=vehicle.id if towing else None, limbered=limbered))
    if crew.cargo.aboard == vehicle.id or (isinstance(action, Hook) and action.board):
        aboard = vehicle.id if towing else None
        changed.append(replace(paying(crew, paid), aboard=aboard, riding=False, mph="done"))
    elif paid.get(crew.id):
        changed.append(replace(paying(crew, paid), mph="done"))
    return begun(position, [vehicle], changed)
