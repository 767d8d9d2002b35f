"""How Columns disband (E11.53): for what they meet and see, or voluntarily."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from marchtable.rules.facts import Bill, Case, Edition, Facts, Sheet, about
from marchtable.rules.subjects import aftermath, cases, clause, effect
from marchtable.state.action import Action, Event
from marchtable.state.position import UnitId
from marchtable.state.records import replace
from marchtable_models.asl.counterkinds import BLAST
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.effects import acting as acts
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.occasions import (
    at_event,
    at_fire_over,
    at_impulse,
    at_lineup,
    at_set_up,
    at_showing,
    at_spending,
)
from marchtable_models.asl.rules.happenings import NO_ATTACK, Sight, StatedResult, Strike
from marchtable_models.asl.views import lines
from marchtable_models.asl.views.lookout import any_sees, is_computed, sees_enemy
from marchtable_models.asl.views.los import Los, best
from marchtable_models.asl.views.mph_ends import endings, others_moving
from marchtable_models.asl.views.spending_facts import PaidIfFree, is_paid
from marchtable_models.asl.views.standing import Standing, standing_of
from marchtable_models.asl.views.unitkinds import is_known_enemy, type_of


class Disband(Action, frozen=True, tag="disband"):
    """A Column, named by its first unit, spends one MF to declare that it disbands."""

    unit: UnitId


class Disbanding(PaidIfFree, frozen=True, gc=False):
    """A unit of a Column that something happens to that could disband it."""

    cause: str
    """
    ``attacked``; ``seen``: one of its units sees a Known enemy; ``spent``: so it did as somebody spent
    MF or MP, and may still be fired at; ``unsure``: it may see one. ``aircraft``, ``he``, ``wp``: near
    by. ``wire``: found. ``declared``: its owner spends a MF to disband; ``nobody`` if the unit named is
    not a Column's first. ``over``: the fire this allowed is over.
    """
    mines: bool  # it was attacked by mines
    harmless: bool  # the attack had no effect
    on_board: bool  # at least one of its units is on the board
    declared: bool  # its owner has paid for and declared it, or it must disband for what it sees
    distance: int  # hexes from its nearest unit to the event, if outside the Column
    own_turn: bool
    phase: str
    # this unit
    wagon: bool
    stuck: bool  # bogged, immobile or just lost
    concealed: bool
    waits: bool = False  # it is still off the board
    after_attack: bool = False  # checked because of an attack on any unit
    never_pinned: bool = False


class AboutToDisband(Facts, frozen=True, gc=False):
    """A Column about to make an Impulse after declaring that it disbands."""


class BlastNear(Facts, frozen=True, gc=False):
    """A Column as a scene states it, with a HE Blast Area on the map."""

    distance: int  # in hexes


HARMFUL = ("pinned", "broken", "wounded", "eliminated", "immobilized")
"""The effects of mines on a unit that disband its Column; a wound Reduces a SMC."""
STOPPING = ("bogged", "immobilized", "eliminated")
"""Events that leave a wagon unable to move."""


@cases(Disband)
def declaring_facts(position: AslPosition, action: Disband, edition: Edition) -> list[Case]:
    """Return the facts of a Column that declares it disbands: each unit pays."""
    unit = position.unit(action.unit)
    line = lines.members(position, unit) if unit.line.column else ()
    if line and line[0].id == unit.id:
        shares = _of_column(position, line, "declared")
    else:
        shares = _of_column(position, (unit,), "nobody")
    found = [about(unit, standing_of(position, unit, "disband")), *shares]
    if unit.move.mph != "unmoved":
        return found
    ids = [name for case in shares for name in case.units]
    return found + endings(position, others_moving(position, unit.side, ids), edition)


@at_set_up
def set_up_facts(position: AslPosition, line: Sequence[AslUnit]) -> BlastNear | None:
    """Return a Column's initial distance from a Blast Area."""
    near = distance_to_blast(position, line) if line[0].line.column else None
    return None if near is None else BlastNear(near)


@at_lineup
def lineup_facts(_: AslPosition, __: AslUnit, line: Sequence[AslUnit]) -> AboutToDisband | None:
    """Return the facts of a Column about to make an Impulse after declaring that it disbands."""
    return AboutToDisband() if any([u.line.disbanding for u in line]) else None  # noqa: C419 - quicker


@at_impulse
def impulse_facts(
    position: AslPosition, line: Sequence[AslUnit], pieces: Sequence[Any]
) -> list[Case]:
    """Return the facts of a Column that comes near a Blast Area in an Impulse."""
    if not line or not line[0].line.column or not position.counters:
        return []
    after = [piece.after for piece in pieces]
    near = distance_to_blast(position, after)
    return [] if near is None else _of_column(position, after, "he", distance=near)


def distance_to_blast(position: AslPosition, line: Sequence[AslUnit]) -> int | None:
    """Return the distance from a line on the map to the nearest Blast Area, None without one."""
    areas = [position.board.resolve(c.at) for c in position.counters if c.kind == BLAST]
    on_map = any(unit.at is not None for unit in line)
    return min((_distance(position, line, at) for at in areas), default=None) if on_map else None


@at_fire_over
def fire_over_facts(position: AslPosition, phase: bool = False) -> list[Case]:
    """
    Return the facts of Columns that have declared to disband, once the fire this allowed is over.

    `phase`: a phase is over too, so no MPh is left to end.
    """
    known = position.notes.get("disbanding")
    if known is None:
        known = position.notes["disbanding"] = [u for u in position.units if u.line.disbanding]
    if not known:
        return []
    found = [
        case
        for line in _columns(position)
        if line[0].line.disbanding
        for case in _of_column(position, line, "over")
    ]
    if phase:
        return [case._replace(facts=replace(case.facts, phase="")) for case in found]
    return found


@at_event
def event_facts(position: AslPosition, event: Event) -> list[Case]:
    """Return the facts of an event that could disband a Column."""
    if isinstance(event, Strike):
        at = position.board.resolve(event.at)
        return [
            case
            for line in _columns(position)
            for case in _of_column(
                position, line, event.kind, distance=_distance(position, line, at)
            )
        ]
    unit = position.unit(event.unit)  # type: ignore[attr-defined]
    names = event.of if isinstance(event, Sight) else ()
    seen = [position.unit(name) for name in names if not name.startswith("?")]
    if not unit.line.column:
        return _after_attack(position) if _is_attack(event) else []
    line = lines.members(position, unit)
    if any(is_known_enemy(position, unit, u) for u in seen):
        return _of_column(position, line, "seen")
    if isinstance(event, StatedResult):
        cause = {"wire": "wire", "disbanded": "over"}.get(event.what, "attacked")
        mines, harmless = event.by == "mines", event.what not in HARMFUL
        found = _of_column(position, line, cause, mines=mines, harmless=harmless)
        if event.what in STOPPING:
            return [_stuck(case) if case.units == (unit.id,) else case for case in found]
        return found
    return []


@at_showing
def shown_facts(position: AslPosition, names: Sequence[str]) -> list[Case]:
    """Return the facts of Columns stated to see one of the units revealed now."""
    return [
        case
        for line in _columns(position)
        if any_sees(position, line, map(position.unit, names)) == "yes"
        for case in _of_column(position, line, "seen")
    ]


def engaged(position: AslPosition) -> list[tuple[AslUnit, ...]]:
    """Return the Columns that see a Known enemy and do not yet have to disband."""
    known: list[tuple[AslUnit, ...]] | None = position.notes.get("engaged")
    if known is None:
        lined = any([u.line.column for u in position.units])  # noqa: C419 - quicker
        known = position.notes["engaged"] = [
            line
            for line in (_columns(position) if lined else ())
            if not line[0].line.disbanding and _sees(position, line) == "yes"
        ]
    return known


def _sees(position: AslPosition, line: Sequence[AslUnit]) -> Los:
    """Find whether a unit of a line sees a Known enemy."""
    return best(sees_enemy(position, unit) for unit in line)


@aftermath
def meeting_facts(
    position: AslPosition, action: Action, bills: Sequence[Bill], after: AslPosition
) -> list[Case]:
    """
    Return the facts of Columns that see a Known enemy after MF or MP are spent, or after a move.

    This is for computed sight; stated sight does not change with positions.
    """
    cause = {"MPh": "spent", "APh": "seen", "RtPh": "seen"}.get(position.phase)
    spent = any(bill.payment is not None for bill in bills)
    if cause is None or not spent or position.conditions.sight != "computed":
        return []
    return [case for line in engaged(after) for case in _of_column(after, line, cause)]


@at_spending
def acting_facts(
    position: AslPosition, unit: AslUnit, found: Sequence[Case], edition: Edition
) -> list[Case]:
    """Return the facts of Columns that see a Known enemy as a unit acts; unsure, if computed."""
    if is_computed(position):  # sight is checked once the action is done: see aftermath
        return unsure_facts(position, unit)
    known = engaged(position)
    return spending_cases(position, known, found, edition) if known else []


def unsure_facts(position: AslPosition, unit: AslUnit) -> list[Case]:
    """Return the facts of a Column that might see a Known enemy, and so disband."""
    if not unit.line.column or not is_computed(position):
        return []
    line = lines.members(position, unit)
    if line[0].line.disbanding or _sees(position, line) != "unsure":
        return []
    return _of_column(position, line, "unsure")[:1]


def spending_cases(
    position: AslPosition,
    lines_: Sequence[Sequence[AslUnit]],
    found: Sequence[Case],
    edition: Edition,
) -> list[Case]:
    """Return the facts of Columns that see a Known enemy on an expenditure or an Advance."""
    advances = position.phase == "APh"
    if position.phase not in ("MPh", "APh"):
        return []
    if not any(is_paid(case.facts, edition.judge(case.facts)) for case in found):
        return []
    return [
        case
        for line in lines_
        for case in _of_column(position, line, "seen" if advances else "spent")
    ]


def _is_attack(event: Event) -> bool:
    return isinstance(event, StatedResult) and event.what not in NO_ATTACK


def _after_attack(position: AslPosition) -> list[Case]:
    """Return the facts of Columns that see a Known enemy as an attack on another unit ends."""
    return [
        case
        for line in _columns(position)
        if _sees(position, line) == "yes"
        for case in _of_column(position, line, "seen", after_attack=True)
    ]


def _stuck(case: Case) -> Case:
    return case._replace(facts=replace(case.facts, stuck=True))


def _columns(position: AslPosition) -> list[tuple[AslUnit, ...]]:
    return list(dict.fromkeys(lines.members(position, u) for u in position.units if u.line.column))


def _distance(position: AslPosition, line: Sequence[AslUnit], at: str) -> int:
    return min((position.board.distance(u.at, at) for u in line if u.at is not None), default=999)


def _of_column(
    position: AslPosition,
    line: Sequence[AslUnit],
    cause: str,
    *,
    mines: bool = False,
    harmless: bool = False,
    distance: int = 0,
    after_attack: bool = False,
) -> list[Case]:
    on_board = any(unit.at is not None for unit in line)
    return [
        Case(
            (unit.id,),
            Disbanding(
                cause=cause,
                mines=mines,
                harmless=harmless,
                on_board=on_board,
                declared=unit.line.disbanding,
                distance=distance,
                own_turn=unit.side == position.side,
                phase=position.phase,
                wagon=type_of(position, unit).class_ == "wagon",
                stuck=unit.motion.bogged or unit.motion.immobile,
                concealed=unit.concealment.concealed,
                waits=unit.at is None,
                after_attack=after_attack,
                never_pinned=type_of(position, unit).never_pinned,
            ),
        )
        for unit in line
    ]


TIMES = ("E11.531a", "E11.532a", "E11.532b", "E11.532c")


# -- disbanding ----------------------------------------------------------------------------------


@clause("E11.53d", kind="action")
def offboard_stays(facts: Disbanding, sheet: Sheet) -> None:
    """Only a Column at least partly on board can disband."""
    if facts.on_board:
        return
    sheet.exception("no unit of the Column is on board")
    if facts.cause == "declared":
        sheet.bar("no unit of the Column is on board: it does not disband")


@clause("E11.534a", kind="effect")
def harmless_mines(facts: Disbanding, sheet: Sheet) -> None:
    """Mines disband a Column only if they affect a unit."""
    if facts.mines and facts.harmless:
        sheet.exception("the mines had no effect")


def _disband(sheet: Sheet) -> None:
    if not sheet.excepted("E11.53d", "E11.534a"):
        sheet.force("column", "")
        sheet.force("disbanding", value=False)


@clause("E11.53b", kind="effect", after=TIMES)
def disband_when_engaged(facts: Disbanding, sheet: Sheet) -> None:
    """A Column disbands if one of its units is attacked or sees a Known enemy."""
    if facts.cause == "unsure":
        sheet.unsupported("whether a unit of the Column sees a Known enemy; state it with `sight`")
    elif facts.cause in ("attacked", "seen") and sheet.excepted(*TIMES):
        _disband(sheet)


@clause("E11.531a", kind="effect")
def checked_in_mph(facts: Disbanding, sheet: Sheet) -> None:
    """In the MPh Columns are checked after each expenditure and any fire at it."""
    if facts.cause == "spent":
        sheet.force("disbanding", value=True)
    if facts.phase == "MPh" and facts.cause in ("attacked", "seen"):
        sheet.exception("Columns are checked in the MPh")


@clause("E11.532a", kind="effect")
def checked_after_attack(facts: Disbanding, sheet: Sheet) -> None:
    """In other phases Columns are checked after each attack, including CC."""
    if facts.phase != "MPh" and (facts.cause == "attacked" or facts.after_attack):
        sheet.exception("Columns are checked after an attack")


@clause("E11.532b", kind="effect")
def checked_in_rout(facts: Disbanding, sheet: Sheet) -> None:
    """Columns are checked as a routing unit spends MF."""
    if facts.phase == "RtPh" and facts.cause == "seen":
        sheet.exception("Columns are checked as units rout")


@clause("E11.532c", kind="effect")
def checked_in_advance(facts: Disbanding, sheet: Sheet) -> None:
    """Columns are checked as each unit advances."""
    if facts.phase == "APh" and facts.cause == "seen":
        sheet.exception("Columns are checked as units advance")


@clause("E11.533a", kind="effect")
def near_aircraft(facts: Disbanding, sheet: Sheet) -> None:
    """An aircraft attack within six hexes disbands a Column."""
    if facts.cause == "aircraft" and facts.distance <= count("E11.533", "hexes"):
        _disband(sheet)


@clause("E11.533b", kind="effect")
def near_he(facts: Disbanding | BlastNear, sheet: Sheet) -> None:
    """A HE Blast Area within six hexes disbands a Column."""
    most = count("E11.533", "hexes")
    if facts.distance > most:
        return
    if isinstance(facts, BlastNear):
        sheet.bar("a Column so near a Blast Area has disbanded", most, facts.distance)
    elif facts.cause == "he":
        _disband(sheet)


@clause("E11.533c", kind="effect")
def near_wp(facts: Disbanding, sheet: Sheet) -> None:
    """OBA WP within six hexes disbands a Column."""
    if facts.cause == "wp" and facts.distance <= count("E11.533", "hexes"):
        _disband(sheet)


@clause("E11.534b", kind="effect")
def wire_found(facts: Disbanding, sheet: Sheet) -> None:
    """A unit that reveals hidden Wire disbands its Column."""
    if facts.cause == "wire":
        _disband(sheet)


@clause("E11.53c", kind="action")
def voluntary(facts: Disbanding, sheet: Sheet) -> None:
    """A Column can disband for one MF, once any fire that allows is over."""
    if facts.cause == "nobody":
        sheet.bar("the unit is not the first of a Column")
    elif facts.cause == "declared" and not sheet.excepted("E11.53d"):
        sheet.charge(halves("E11.53", "declared"), "declares that it disbands", "disband")
        sheet.force("disbanding", value=True)
    elif facts.cause == "over" and facts.declared:
        _disband(sheet)


@clause("E11.53e", kind="action")
def waiting_to_disband(_: AboutToDisband, sheet: Sheet) -> None:
    """A Column that has declared to disband makes no more Impulses."""
    sheet.bar(
        "the Column disbands once this fire is over; settle that first (`result … disbanded`)"
    )


@clause("E11.531b", kind="effect")
def mph_ends(facts: Disbanding, sheet: Sheet) -> None:
    """Disbanding in its own MPh ends the MPh of all the Column's units."""
    if sheet.forces("column") and facts.own_turn and facts.phase == "MPh" and not facts.wagon:
        sheet.force("mph", "done")


@clause("E11.535b", kind="effect")
def wagons_mph_ends(facts: Disbanding, sheet: Sheet) -> None:
    """Wagons whose Column disbands in their own MPh end it at once, in Motion."""
    if sheet.forces("column") and facts.own_turn and facts.phase == "MPh" and facts.wagon:
        sheet.force("mph", "done")


@clause("E11.7b", kind="effect")
def set_up_again(facts: Disbanding, sheet: Sheet) -> None:
    """Units off the board as their Column disbands are set up again."""
    if sheet.forces("column") and facts.waits:
        sheet.force("entering", ())


@clause("E11.535a", kind="effect")
def wagons_in_motion(facts: Disbanding, sheet: Sheet) -> None:
    """Wagons of a disbanding Column go into Motion or stay in it."""
    if sheet.forces("column") and facts.wagon and not facts.stuck:
        sheet.force("moving", value=True)


@clause("E11.536", kind="effect")
def pinned_defenders(facts: Disbanding, sheet: Sheet) -> None:
    """Disbanding pins a DEFENDER Column's units, except wagons and units that are never pinned."""
    immune = facts.wagon or facts.never_pinned
    if sheet.forces("column") and not facts.own_turn and not immune:
        sheet.force("pinned", value=True)


@clause("E11.54c", kind="effect")
def loses_concealment(facts: Disbanding, sheet: Sheet) -> None:
    """Every unit of a disbanding Column loses its concealment."""
    if sheet.forces("column") and facts.concealed:
        sheet.force("concealed", value=False)


@clause("E11.7c", kind="effect")
def may_be_late(facts: Standing | Disbanding, sheet: Sheet) -> None:
    """Units off the board as their Column disbands can enter later than scheduled."""
    if isinstance(facts, Disbanding):
        if sheet.forces("column") and facts.waits:
            sheet.force("late", value=True)
    elif facts.late == "allowed":
        sheet.exception("its Column disbanded while it was off the board")


@effect(Disband)
def after_declaring(position: AslPosition, action: Disband, bills: Sequence[Bill]) -> AslPosition:
    """Return the position after a Column has declared that it disbands: all its units have paid."""
    return acts.after_line(position, action.unit, bills)
