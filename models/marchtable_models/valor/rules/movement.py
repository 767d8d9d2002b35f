"""Moving hex by hex, alone or as a stack, and moves reported by players (5.33, 6)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from marchtable.rules.facts import Bill, Case, Facts, Sheet, about
from marchtable.rules.judging import paid_by_unit
from marchtable.rules.subjects import cases, clause, effect, resets
from marchtable.state.action import Action, Adjacent, Companions, Event, verb_of
from marchtable.state.position import LocationName, UnitId
from marchtable.state.records import replace
from marchtable_models.valor.model import ValorPosition, ValorUnit
from marchtable_models.valor.rules.stacking import Stacked, is_over, stacked
from marchtable_models.valor.views.units import actors, kind_of, type_of


class Travel(Action, frozen=True):
    """An action by which units move themselves; all bars to moving apply to it."""


class Enter(Travel, frozen=True, tag="enter"):
    """
    A unit, or several of a hex as a stack, enter the next hex with their loads.

    ``assault`` declares Assault Movement as the move begins; it holds for the whole move.
    """

    units: Companions
    to: Adjacent
    assault: bool = False


class Advance(Travel, frozen=True, tag="advance"):
    """A unit advances one hex in the Advance and Assault Phase."""

    unit: UnitId
    to: Adjacent


class Moved(Event, frozen=True, tag="moved"):
    """Units have just entered a hex with their loads; the cost is not judged."""

    units: Companions
    to: LocationName
    assault: bool = False


class Mobile(Facts, frozen=True):
    """Whether a unit can move at all."""

    verb: str  # ``enter``, ``turn``, ``advance``, ``overrun``, ``assault`` or ``exit``
    # phase, own_turn, on_map, waits: the phase, and whether it waits off the map
    phase: str
    own_turn: bool
    on_map: bool
    # its state
    pinned: bool
    fired: bool
    advanced: bool
    turned: bool
    can_move: bool  # whether it has any MP
    # concluded, immobile: it has moved and stopped; it is immobilized
    concluded: bool
    waits: bool = False
    immobile: bool = False


class Company(Facts, frozen=True):
    """The units that move together."""

    # whether all are distinct, and their number of hexes and sides
    distinct: bool
    hexes: int
    sides: int
    # units that began the move with one of them and could still come along, and units that did not
    missing: int
    strange: int


class March(Facts, frozen=True):
    """A move of a unit."""

    reported: bool  # the players report it
    aboard: bool = False  # the unit is carried: its carrier moves
    settled: bool = False  # it has moved and boarded, or left a vehicle, in this turn
    crowded: bool = False  # the hex it leaves is over its limit, itself included
    vehicle: bool = False  # it is a vehicle or AFV


def mobile(position: ValorPosition, unit: ValorUnit, verb: str) -> Mobile:
    """Return the facts of whether a unit can move at all."""
    kind = type_of(position, unit)
    return Mobile(
        verb, position.phase, unit.side == position.side, unit.at is not None, unit.pinned,
        unit.fired, unit.advanced, unit.turned, can_move=kind.is_infantry or kind.mp > 0,
        concluded=(unit.moved and not unit.moving) or unit.crossed is not None, waits=bool(unit.entering),
        immobile=unit.immobile,
    )  # fmt: skip


def company(position: ValorPosition, movers: Sequence[ValorUnit]) -> Company:
    """Return the facts of the units that move together."""
    names = [unit.id for unit in movers]
    under_way = [unit for unit in movers if unit.moving]
    begun = {name for unit in under_way for name in unit.party or (unit.id,)}
    able = {name for name in begun if comes_along(position, name, movers[0].at)}
    return Company(
        len({*names}) == len(names), len({u.at for u in movers}), len({u.side for u in movers}),
        missing=len(able - {*names}), strange=len({*names} - begun) if under_way else 0,
    )  # fmt: skip


def comes_along(position: ValorPosition, name: str, at: str | None) -> bool:
    unit = position.unit(name)
    return unit.at == at and not unit.pinned


def unended(
    position: ValorPosition, side: str, movers: Collection[str]
) -> Iterator[tuple[str, Stacked]]:
    """Yield the hexes that other friendly units have just entered, with the stack if they stop there."""
    found = {
        unit.at: unit
        for unit in position.units
        if unit.moving and unit.side == side and unit.at is not None and unit.aboard is None
        and unit.id not in movers
    }  # fmt: skip
    for at, unit in found.items():
        yield at, stacked(position, unit, ends=True)


def march(position: ValorPosition, unit: ValorUnit, *, reported: bool = False) -> March:
    """Return the facts of a move of a unit, itself named."""
    crowded, vehicle = (
        is_over(stacked(position, unit)),
        kind_of(position, unit) in ("vehicle", "afv"),
    )
    return March(reported, unit.aboard is not None, unit.settled, crowded, vehicle)


@cases(Travel)
def travel_facts(position: ValorPosition, action: Any) -> Iterator[Case | Company]:
    """Yield the facts of each mover, of those together, and of the stacks of others that this stops."""
    units, verb = actors(position, action), verb_of(action)
    for unit in units:
        yield about(unit, mobile(position, unit, verb))
        if unit.at is not None or (unit.entering and isinstance(action, Enter)):
            yield about(unit, march(position, unit))
    if hasattr(action, "units"):
        yield company(position, units)
    if position.phase == "Movement" and not any(unit.moving for unit in units):
        names = tuple(unit.id for unit in units)
        for at, stack in unended(position, units[0].side, names):
            yield Case(names, stack, (at,))


@cases(Moved)
def report_facts(position: ValorPosition, event: Moved) -> list[Case]:
    """Return the facts of reported moves."""
    return [about(u, march(position, u, reported=True)) for u in actors(position, event)]


VERB_PHASES = {
    "enter": ("Movement",), "overrun": ("Movement",), "advance": ("AdvanceAndAssault",),
    "assault": ("AdvanceAndAssault",), "exit": ("Movement",),
}  # fmt: skip


@clause("V6", kind="action", assumes=True)
def as_reported(facts: March, sheet: Sheet) -> None:
    """A move reported in the log is accepted."""
    if facts.reported:
        sheet.exception("the cost of the move, and whether the terrain allows it, are not judged")


@clause("V5.33", kind="action")
def own_phase(facts: Mobile, sheet: Sheet) -> None:
    """Units that have not attacked can move in their own Movement Phase."""
    if not facts.own_turn:
        sheet.bar("it is the other side's turn")
    allowed = VERB_PHASES.get(facts.verb, ("Movement", "AdvanceAndAssault"))
    if facts.phase not in allowed:
        sheet.bar("this cannot be done in this phase", " or ".join(allowed), facts.phase)
    if facts.phase == "Movement" and facts.fired:
        sheet.bar("it has attacked this turn")


@clause("V6.1a", kind="action")
def one_after_another(facts: Mobile, sheet: Sheet) -> None:
    """A unit ends its move before another begins, and cannot move again."""
    if facts.concluded and facts.phase == "Movement":
        sheet.bar("it has ended its move")


@clause("V6.1b", kind="action", composes="joint")
def stacks(facts: Company, sheet: Sheet) -> None:
    """Units of one hex can move as a stack, beginning and ending their move together."""
    if not facts.distinct:
        sheet.bar("a unit is named twice")
    if facts.hexes > 1 or facts.sides > 1:
        sheet.bar(
            "all units of a stack must be of one side and in one hex",
            1,
            max(facts.hexes, facts.sides),
        )
    if facts.missing:
        sheet.bar("the units that began the move with it must come along", 0, facts.missing)
    if facts.strange:
        sheet.bar("they did not begin the move together", 0, facts.strange)


STOPPED: dict[str, Any] = {"moving": False, "assault": False, "party": (), "crossed": None}


def stopped(position: ValorPosition, side: str, but: Iterable[str] = ()) -> list[ValorUnit]:
    """Return the units of a side that were moving, now stopped."""
    out = {*but}
    return [
        replace(unit, **STOPPED)
        for unit in position.units
        if unit.moving and unit.side == side and not {unit.id, unit.aboard} & out
    ]


def _shifted(
    position: ValorPosition, names: tuple[str, ...], to: str, each: Mapping[str, dict[str, Any]]
) -> ValorPosition:
    """Return the position with units and their loads in another hex; other units stop."""
    side = position.unit(names[0]).side
    changed = stopped(position, side, names)
    for unit in position.units:
        if unit.id in names and (unit.at is not None or unit.entering):
            own = {"turned": False, **each[unit.id]}
            changed.append(replace(unit, at=to, moving=True, moved=True, entering=(), **own))
        elif unit.aboard in names and unit.at == position.unit(str(unit.aboard)).at:
            changed.append(replace(unit, at=to, moving=True, moved=True, entering=()))
    return position.with_units(changed)


@effect(Enter)
def after_enter(
    position: ValorPosition, action: Enter, bills: Sequence[Bill]
) -> ValorPosition | None:
    """Return the position with a unit or stack in the next hex, None if one is off the map."""
    names = tuple(dict.fromkeys(action.units))
    units = [position.unit(name) for name in names]
    if any(unit.at is None and not unit.entering for unit in units):
        return None
    paid, begun = paid_by_unit(bills), names if len(names) > 1 else ()
    each = {
        unit.id: {
            "spent": unit.spent + paid.get(unit.id, 0),
            "assault": action.assault or (unit.moving and unit.assault),
            "party": unit.party if unit.moving else begun,
        }
        for unit in units
    }
    return _shifted(position, names, position.board.resolve(action.to), each)


@effect(Moved)
def after_report(position: ValorPosition, event: Moved) -> ValorPosition:
    """Return the position with units where they are reported."""
    each: dict[str, dict[str, Any]] = {name: {"assault": event.assault} for name in event.units}
    return _shifted(position, event.units, position.board.resolve(event.to), each)


@effect(Advance)
def after_advance(position: ValorPosition, action: Advance) -> ValorPosition | None:
    """Return the position with a unit and its load advanced; None if it is off the map."""
    unit, to = position.unit(action.unit), position.board.resolve(action.to)
    if unit.at is None:
        return None
    going = [u for u in position.units if u.at is not None and unit.id in (u.id, u.aboard)]
    return position.with_units([replace(u, at=to, advanced=True) for u in going])


forgotten = resets("new_turn", moved=False)
anew = resets(moving=False, assault=False, spent=0, party=(), advanced=False)
