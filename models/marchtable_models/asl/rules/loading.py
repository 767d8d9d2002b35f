"""Boarding a vehicle (D6.4), and the MF of units that board (A4.11)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from marchtable.errors import BadInputError
from marchtable.rules.facts import Bill, Case, Edition, Sheet, about
from marchtable.rules.judging import paid_by_unit
from marchtable.rules.subjects import cases, clause, effect
from marchtable.rules.view import read
from marchtable.state.action import Action, Companions, Fellow
from marchtable.state.records import replace
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.effects.acting import begun, paying
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.rules.capacity import hold
from marchtable_models.asl.rules.declarations import Declaration
from marchtable_models.asl.rules.leaders import partings
from marchtable_models.asl.rules.manning import Manned
from marchtable_models.asl.rules.mounting import Mounting
from marchtable_models.asl.rules.stacks import group
from marchtable_models.asl.verbs import Traits
from marchtable_models.asl.views import spending
from marchtable_models.asl.views.cargo import captives, prc, with_captives
from marchtable_models.asl.views.carriage import is_hulk, is_off_road_in_woods
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.foot_facts import BOARDED, Detection
from marchtable_models.asl.views.mph_ends import interrupted
from marchtable_models.asl.views.overlay import is_on_wire
from marchtable_models.asl.views.spending_facts import Allowance, PaidIfFree
from marchtable_models.asl.views.standing import standing_of
from marchtable_models.asl.views.unitkinds import misfit, type_of


class Load(Action, frozen=True, tag="load"):
    """Infantry boards a vehicle in its Location, as Passengers or (``riding``) as Riders."""

    traits: ClassVar[Traits] = ("leaves", "still")

    units: Companions
    onto: Fellow
    riding: bool = False


class Boarding(PaidIfFree, frozen=True, gc=False):
    """A unit about to board."""

    phase: str
    foot: bool  # it is Personnel
    aboard: bool  # already aboard something
    misfit: str  # what is wrong with what it boards: its ``kind``, ``side`` or ``place``
    double_time: bool  # it has declared Double Time in this MPh
    helped: bool  # the SMC that lends it his IPC, if any, boards with it
    assault: bool  # it has declared Assault Movement in this MPh
    shown: bool = False  # it is concealed, but the vehicle or another boarder is not
    hooks: bool = False  # it boards as part of hooking up a Gun
    wired: bool = False  # it is on top of Wire
    in_woods: bool = False  # as a Rider in woods, off their road and not in Bypass
    gun: Literal["", "hook", "portee"] = ""  # how a vehicle takes it if it is a Gun


class Embark(PaidIfFree, frozen=True, gc=False):
    """A vehicle about to be boarded; half points."""

    moving: bool
    stunned: bool
    allotment: int
    spent: int
    lost: int  # MP spent by loading
    earlier: tuple[tuple[int, int], ...]  # spent and left by the boarder that counted so far
    boarders: tuple[tuple[int, int], ...]  # the same for each unit boarding now, boarding included
    shown: bool = False  # it is concealed, but a boarder is not
    hulk: bool = False  # immobilized, empty, neither armed nor armored


@cases(Load)
def loading_facts(position: AslPosition, action: Load, edition: Edition) -> list[Case]:
    """Return the facts of units that board, of the vehicle, and of leaders left behind."""
    if not action.units:
        raise BadInputError("expected at least one unit", field="units")
    units, onto = [position.unit(name) for name in action.units], position.unit(action.onto)
    found = [about(unit, standing_of(position, unit, "load")) for unit in units]
    boarded = standing_of(position, onto, "load")  # its MPh has not begun yet
    found.append(about(onto, boarded.replace(due=False, left_due=False)))
    if len(units) > 1:
        found.append(Case(action.units, group(position, units, "load")))
    boarders = []
    for unit in units:
        facts = boarding(position, unit, onto, action.units, riding=action.riding)
        found.append(about(unit, facts))
        due = spending.due(position, unit, facts, edition.judge(facts), edition)
        boarders.append((due.spent + due.cost, due.left))
    if onto.facing is not None:
        found.append(about(onto, embarking(position, onto, boarders, edition, units)))
        joining = with_captives(position, units)
        whole = hold(position, onto, joining, riding=action.riding)
        before = [u.id for u in prc(position, onto) if u.cargo.riding == action.riding]
        counted = dict.fromkeys((*action.units, *before))  # all whose PP count there
        found.append(Case((onto.id, *counted), whole))
    found += interrupted(position, units, edition)
    return found + partings(position, action.units, edition)


def boarding(
    position: AslPosition,
    unit: AslUnit,
    onto: AslUnit,
    ids: Sequence[str],
    *,
    hooks: bool = False,
    riding: bool = False,
) -> Boarding:
    """Return the facts of a unit boarding a vehicle with others, or as it hooks up a Gun."""
    kind, own = type_of(position, onto), type_of(position, unit)
    return Boarding(
        phase=position.phase,
        foot=own.is_infantry,
        aboard=unit.cargo.aboard is not None,
        misfit=misfit(unit, onto, is_kind=kind.is_vehicle and kind.class_ != "motorcycle"),
        double_time=unit.points.double > 0,
        helped=unit.move.helper is None or unit.move.helper in ids,
        assault=unit.move.assault,
        shown=unit.concealment.concealed
        and not all(u.concealment.concealed for u in (onto, *map(position.unit, ids))),
        hooks=hooks,
        wired=is_on_wire(position, unit),
        in_woods=riding and kind.afv and is_off_road_in_woods(position, onto),
        gun=("portee" if onto.cargo.portee else "hook") if own.class_ == "gun" else "",
    )


def embarking(
    position: AslPosition,
    vehicle: AslUnit,
    boarders: Sequence[tuple[int, int]],
    edition: Edition,
    units: Sequence[AslUnit] = (),
) -> Embark:
    """Return the facts of a vehicle boarded by units, given the MF each has spent and left."""
    before = (vehicle.points.boarder_spent, vehicle.points.boarder_left)
    return Embark(
        moving=vehicle.motion.moving,
        stunned=vehicle.crew.stunned,
        allotment=spending.allotment(position, vehicle, edition),
        spent=vehicle.points.spent,
        lost=vehicle.points.lost,
        earlier=(before,) if before[0] else (),
        boarders=tuple(boarders),
        shown=vehicle.concealment.concealed
        and not all(unit.concealment.concealed for unit in units),
        hulk=is_hulk(position, vehicle),
    )


def _kept(allotment: int, left: int, how: str) -> int:
    """Return the half MP that the remaining half MF are worth: a quarter of the allotment a MF."""
    parts = count("D6.4c", "parts") * 2  # half MF worth a whole allotment, which is the most
    eighths = min(max(0, left), parts) * allotment
    if how == "half":
        return eighths // parts
    return 2 * (eighths // (2 * parts) if how == "down" else -(-eighths // (2 * parts)))


# -- MF ------------------------------------------------------------------------------------------


class Conveyed(Allowance):
    """The allowance of a unit that is or was conveyed."""

    conveyed: bool = read(  # in this Player Turn
        lambda payer: payer.unit.cargo.conveyed or payer.unit.cargo.aboard is not None
    )

    is_relevant = property(lambda self: self.conveyed or self.spent != 0)


@clause("A4.11c", kind="cost", composes="start")
def four_mf(facts: Conveyed, sheet: Sheet) -> None:
    """A unit that boards, rides or leaves a vehicle has 4 MF for this Player Turn."""
    if facts.conveyed and not facts.is_vehicle:
        sheet.charge(halves("D6.5f", "most") - sheet.total(), "is or was conveyed")
        if facts.moved and facts.road and sheet.reading("A4.11c") == "four":
            sheet.charge(-halves("B3.4", "bonus"), "conveyed: no road bonus")


@clause("D6.4h", kind="cost", composes="joint")
def no_bonus(facts: Conveyed, sheet: Sheet) -> None:
    """A leader gives no MF bonus to a unit that boards or leaves a vehicle."""
    if facts.conveyed and facts.led and not facts.smc:
        sheet.charge(-halves("A4.12", "bonus"), "boards or leaves a vehicle")


@clause("A4.42f", kind="cost", composes="start")
def felt_on_foot(facts: Conveyed, sheet: Sheet) -> None:
    """A unit that leaves a vehicle keeps the MF that count as spent, whatever it then carries."""
    if facts.spent and facts.spent > sheet.total():
        sheet.charge(facts.spent - sheet.total(), "spent before it carried them on foot")


@clause("A4.5e", kind="action")
def no_double_time(facts: Declaration | Boarding | Mounting | Manned, sheet: Sheet) -> None:
    """A unit that boards, rides or leaves a vehicle cannot use Double Time."""
    if isinstance(facts, Declaration):
        both = facts.conveyed and facts.verb == "double-time"
    else:
        both = facts.double_time
    if both:
        sheet.bar("the unit is or was conveyed this Player Turn")


@clause("A4.61e", kind="action")
def no_assault(facts: Boarding | Mounting | Manned | Declaration, sheet: Sheet) -> None:
    """A unit using Assault Movement is not aboard anything in that MPh, before or after."""
    if isinstance(facts, Declaration):
        if facts.conveyed and facts.verb == "assault":
            sheet.bar("the unit is or was conveyed this Player Turn")
    elif facts.assault:
        sheet.bar("it has declared Assault Movement and stays Infantry")


# -- boarders ------------------------------------------------------------------------------------


NO_CARRIER = {
    "kind": "the unit to board is not a vehicle (horses and motorcycles are mounted: `mount`)",
    "side": "it boards only a vehicle of its own side",
    "place": "it must be in the vehicle's Location",
}


@clause("D6.4d", kind="cost")
def board(facts: Boarding, sheet: Sheet) -> None:
    """Boarding costs 1 MF, in the vehicle's Location."""
    if facts.gun:
        does = "hooks it up" if facts.gun == "hook" else "loads it"
        sheet.bar(f"a Gun does not board: `{facts.gun} VEHICLE GUN CREW` {does}")
    elif not facts.foot or facts.aboard:
        sheet.bar("only a unit on foot can board")
    if facts.misfit:
        sheet.bar(NO_CARRIER[facts.misfit])
    sheet.charge(halves("D6.4d", "board"), "boarding", "boarding")
    sheet.force("conveyed", value=True)
    sheet.force("act", "loads")


@clause("C10.11f", kind="cost")
def boards_free(facts: Boarding, sheet: Sheet) -> None:
    """A crew that hooks up a Gun boards at no extra MF."""
    if facts.hooks:
        sheet.charge(-sheet.total("boarding"), "part of hooking up", "boarding")


@clause("B13.43", kind="action")
def in_woods(facts: Boarding, sheet: Sheet) -> None:
    """A Rider mounts an AFV in woods only on their road, IN a stream or in Bypass."""
    if facts.in_woods:
        sheet.bar("an AFV in woods cannot have Riders")


@clause("B26.4a", kind="action")
def onto_nothing(facts: Boarding | Mounting | Manned, sheet: Sheet) -> None:
    """Infantry on top of Wire cannot board a vehicle there."""
    if facts.wired and not getattr(facts, "horses", False):
        sheet.bar("it is on top of Wire")


class Helped(Entry):
    """An entry by a unit that a SMC might have lent his IPC."""

    helped: bool = read(
        lambda step: step.unit.move.helper in (None, *step.stack.ids), default=True
    )  # the SMC, if any, comes along


@clause("A4.42c", kind="action", composes="joint")
def moves_with_lender(facts: Helped | Boarding | Mounting, sheet: Sheet) -> None:
    """A unit using a SMC's IPC moves on only with that SMC."""
    if not facts.helped:
        sheet.bar("the SMC that lends it IPC does not come along")


@clause("A12.2c", kind="effect")
def shown_together(facts: Boarding | Embark | Detection, sheet: Sheet) -> None:
    """A vehicle, its PRC and the Gun it tows or hooks up are all concealed, or none is."""
    if facts.outcome == BOARDED if isinstance(facts, Detection) else facts.shown:
        sheet.force("concealed", value=False)


# -- the vehicle ---------------------------------------------------------------------------------


@clause("D6.4a", kind="action")
def stands_to_load(facts: Embark, sheet: Sheet) -> None:
    """A vehicle can be boarded only while stopped."""
    if facts.moving:
        sheet.bar("the vehicle has not stopped")


@clause("D6.4b", kind="action")
def nothing_spent(facts: Embark, sheet: Sheet) -> None:
    """A vehicle can be boarded only before it has spent MP in this MPh."""
    if facts.spent != facts.lost:
        sheet.bar("the vehicle has spent MP", 0, facts.spent - facts.lost, halves=True)


@clause("D6.4c", kind="cost", composes="joint")
def kept(facts: Embark, sheet: Sheet) -> None:
    """A vehicle keeps a quarter of its MP for each MF left to the boarder that has spent most."""
    spent, left = max((*facts.earlier, *facts.boarders))
    worth = _kept(facts.allotment, left, sheet.reading("D6.4c"))
    sheet.charge(facts.allotment - facts.lost - worth, "boarders' MF spent", "loading")
    sheet.force("boarder_spent", spent)
    sheet.force("boarder_left", left)


@clause("D6.4i", kind="cost", composes="joint")
def counted_boarder(facts: Embark, sheet: Sheet) -> None:
    """Among boarders that have spent equally, the one with fewest MF left counts."""
    all_ = (*facts.earlier, *facts.boarders)
    spent, most = max(all_)
    least = min(left for other, left in all_ if other == spent)
    if least == most or sheet.reading("D6.4i") == "most":
        return
    fewer = _kept(facts.allotment, least, sheet.reading("D6.4c"))
    sheet.charge(facts.allotment - facts.lost - fewer - sheet.total("loading"), "fewest MF left")
    sheet.force("boarder_left", least)


@effect(Load)
def after_loading(position: AslPosition, action: Load, bills: Sequence[Bill]) -> AslPosition:
    """Return the position after units have boarded a vehicle, whose own MPh has not begun yet."""
    paid = paid_by_unit(bills)
    units, vehicle = [position.unit(name) for name in action.units], position.unit(action.onto)
    if vehicle.facing is None or vehicle in units:
        return begun(position, units, [])
    if any(unit.crew.inherent for unit in units):
        vehicle = replace(vehicle, abandoned=True)  # a Carrier's crew (D6.83b)
    aboard = {"aboard": action.onto, "riding": action.riding}
    held = [each for unit in units for each in captives(position).get(unit.id, ())]
    changed = [replace(paying(unit, paid), **aboard, mph="moving") for unit in units]
    changed += [replace(each, **aboard) for each in held]
    lost = vehicle.points.lost + paid.get(vehicle.id, 0)
    return begun(position, units, [*changed, replace(paying(vehicle, paid), lost=lost)])
