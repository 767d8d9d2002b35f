"""Fire results: possible targets, transports and passengers as one or separately, and effects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from marchtable.rules.facts import Case, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause, effect
from marchtable.state.action import Event
from marchtable.state.position import UnitId
from marchtable.state.records import replace
from marchtable_models.panzer.data import count
from marchtable_models.panzer.model import PanzerPosition, PanzerUnit
from marchtable_models.panzer.views.presence import is_mined
from marchtable_models.panzer.views.units import CARRIERS, hexes_of, is_moving, passengers, type_of

Drawn = Literal["", "enter", "load", "unload"]
"""A unit's act that drew opportunity fire."""
Way = Literal["direct", "indirect", "registered", "overrun", "assault", "mines"]


# -- action --------------------------------------------------------------------------------------


class Hit(Event, frozen=True, tag="hit"):
    """
    The result of fire at a unit.

    ``drawn`` names the act that drew it, for opportunity fire. ``registered`` is indirect fire on a
    hex named in advance; ``overrun`` the attack of units driving through; ``assault`` a close
    assault; ``mines`` the mines it has entered.
    """

    unit: UnitId
    result: Literal["D", "DD", "X"]
    fire: Way = "direct"
    drawn: Drawn = ""


# -- facts ---------------------------------------------------------------------------------------


class Pair(Facts, frozen=True):
    """A transport and a unit it carries, or unloaded here in this phase."""

    aboard: bool  # the passenger is aboard now
    came: bool  # the transport entered this hex with it, in its own movement phase
    rides: bool  # the transport is neither C nor C(I)
    drawn: Drawn  # what drew the fire, for opportunity fire


class Target(Facts, frozen=True):
    """A unit that is fired at."""

    role: Literal["", "transport", "passenger"]  # whether it is one of a pair, and which
    pair: Pair | None  # the pair
    drawn: Drawn  # what drew the fire, for opportunity fire
    fire: Way  # the kind of fire
    fits: bool  # it has performed, in this phase, the act stated to have drawn the fire
    # what the mover has spent, and its movement factor, in half points
    spent: int
    mf: int
    on_map: bool  # whether it is on the map
    # its result, and whether it is already dispersed
    result: Literal["D", "DD", "X"] = "D"
    dispersed: bool = False
    moving: bool = False  # its side is moving


class Shared(Facts, frozen=True):
    """
    The effect of a result on a passenger (or, if the passenger is ``struck``, on its transport).

    ``self`` as what was struck: the passenger itself, forced off by its own result. ``worse``: it
    already has a DD marker; ``dispersed``: it has any; ``fatal``: the struck unit has.
    """

    pair: Pair
    transport: str
    struck: Literal["transport", "passenger", "self"]
    result: Literal["D", "DD", "X"]
    worse: bool = False
    dispersed: bool = False
    fatal: bool = False


class Struck(Facts, frozen=True):
    """A unit with a result of an attack on its hex."""

    way: Way
    attacked: bool  # its hex was attacked this way in this turn
    carried: bool  # it is aboard a transport


def _pair(position: PanzerPosition, carrier: PanzerUnit, unit: PanzerUnit, drawn: Drawn) -> Pair:
    return Pair(
        aboard=unit.aboard == carrier.id,
        came=carrier.came and is_moving(position, carrier),
        rides=type_of(position, carrier).class_ not in CARRIERS,
        drawn=drawn,
    )


def _partners(
    position: PanzerPosition, unit: PanzerUnit
) -> Iterator[tuple[Literal["transport", "passenger"], PanzerUnit, PanzerUnit]]:
    """Yield the unit's role in each of its pairs, with the transport and the passenger."""
    for other in position.units:
        if unit.id in (other.aboard, other.left) and other.at == unit.at:
            yield "transport", unit, other
    for name in dict.fromkeys((unit.aboard, unit.left)):
        if name is not None and position.unit(name).at == unit.at:
            yield "passenger", position.unit(name), unit


def target(position: PanzerPosition, unit: PanzerUnit, action: Hit) -> Target:
    """Return the facts of a unit that is fired at."""
    found = next(_partners(position, unit), None)
    return Target(
        role=found[0] if found else "",
        pair=_pair(position, found[1], found[2], action.drawn) if found else None,
        drawn=action.drawn,
        fire=action.fire,
        fits=action.drawn == "" or _has_drawn(position, unit, action.drawn),
        spent=unit.spent,
        mf=type_of(position, unit).mf * 2,
        on_map=unit.at is not None,
        result=action.result,
        dispersed=unit.dispersed != "",
        moving=is_moving(position, unit),
    )


def _has_drawn(position: PanzerPosition, unit: PanzerUnit, drawn: Drawn) -> bool:
    """Return whether a unit, or its transport, has done this in the current movement phase."""
    if not is_moving(position, unit):
        return False
    if drawn == "enter":
        came = [carrier.came for _, carrier, u in _partners(position, unit) if u is unit]
        return unit.entered or any(came)
    names = {unit.id, unit.aboard, unit.left} - {None}
    return any(position.unit(str(name)).task == drawn for name in names)


def shared(
    position: PanzerPosition, unit: PanzerUnit, action: Hit
) -> Iterator[tuple[PanzerUnit, Shared]]:
    """Yield the effects of a result on the other halves of the unit's pairs, and on itself."""
    for role, carrier, passenger in _partners(position, unit):
        pair = _pair(position, carrier, passenger, action.drawn)
        other = passenger if role == "transport" else carrier
        hurt, fatal = other.dispersed != "", unit.dispersed != ""
        worse = other.dispersed == "DD"
        yield other, Shared(pair, carrier.id, role, action.result, worse, hurt, fatal)
        if role == "passenger":
            yield unit, Shared(pair, carrier.id, "self", action.result, fatal=fatal)


@cases(Hit)
def hit_facts(position: PanzerPosition, action: Hit) -> Iterator[Case]:
    """Yield the facts of the unit as a target, and of its result for its partners."""
    unit = position.unit(action.unit)
    yield about(unit, target(position, unit, action))
    carrier = position.unit(unit.aboard) if unit.aboard is not None else unit
    attacked = {
        "assault": unit.stormed,
        "overrun": unit.crushed,
        "mines": is_mined(position, unit),
        "registered": unit.shelled or carrier.shelled,
    }
    if action.fire in attacked:
        yield about(unit, Struck(action.fire, attacked[action.fire], unit.aboard is not None))
    for other, facts in shared(position, unit, action):
        yield Case((other.id,), facts, hexes_of(unit))


# -- clauses: loaded or unloaded -----------------------------------------------------------------


def _by_cause(pair: Pair | None, drawn: str, sheet: Sheet) -> bool:
    """Return whether the act that drew the fire decides a pair's state."""
    return pair is not None and pair.drawn == drawn and sheet.reading("B11") == "as-drawn"


@clause("P.opp-a", kind="state")
def as_unloaded(facts: Target | Shared, sheet: Sheet) -> None:
    """Opportunity fire drawn by unloading treats the two as unloaded."""
    if _by_cause(facts.pair, "unload", sheet) and not _came_loaded(facts.pair, sheet):
        sheet.exception("they count as unloaded")


@clause("P.opp-b", kind="state")
def as_loaded(facts: Target | Shared, sheet: Sheet) -> None:
    """Opportunity fire drawn by loading treats the two as loaded."""
    if _by_cause(facts.pair, "load", sheet):
        sheet.exception("they count as loaded")


@clause("P.opp-c", kind="state")
def still_loaded(facts: Target | Shared, sheet: Sheet) -> None:
    """A transport counts as loaded in a hex it entered loaded, even if it unloads there."""
    if _came_loaded(facts.pair, sheet):
        sheet.exception("they count as loaded where they entered so")


def _came_loaded(pair: Pair | None, sheet: Sheet) -> bool:
    """Return whether a pair counts as loaded because it entered its hex loaded."""
    if pair is None or not pair.came or sheet.reading("B11") == "as-found":
        return False
    return pair.drawn == "enter" or sheet.reading("P.opp-c-fire") == "always"


@clause("P.apart-a", kind="state", after=("P.opp-b", "P.opp-c"))
def apart(facts: Target | Shared, sheet: Sheet) -> None:
    """An unloaded transport and its passenger are attacked separately."""
    pair = facts.pair
    if pair is None or sheet.excepted("P.opp-b", "P.opp-c"):
        return
    if pair.drawn == "enter" and not pair.came and sheet.reading("B11") == "as-drawn":
        sheet.exception("attacked separately: it was empty as it entered")
    elif pair.aboard:
        return
    elif pair.drawn in ("", "enter") or sheet.reading("B11") == "as-found":
        sheet.exception("attacked separately")


AS_ONE = ("P.opp-a", "P.opp-b", "P.opp-c", "P.apart-a")
"""Clauses that :func:`as_one` reads."""


def as_one(pair: Pair, sheet: Sheet) -> bool:
    """Return whether a pair counts as loaded; before the act that drew fire it was the opposite."""
    if sheet.excepted("P.opp-b", "P.opp-c"):
        return True
    if sheet.excepted("P.opp-a", "P.apart-a"):
        return False
    return pair.drawn != "load" or sheet.reading("B11") == "as-found"


# -- clauses: targets ----------------------------------------------------------------------------


@clause("P.ride-a", kind="state", after=AS_ONE)
def rider_direct(facts: Target, sheet: Sheet) -> None:
    """A rider is a separate target of direct fire, with a defence factor of one."""
    if _is_rider(facts, sheet) and facts.fire == "direct":
        sheet.exception("a rider is a target of its own")
        sheet.charge(count("P.ride-a", "defence"), "rider", "defence")


@clause("P.ride-c", kind="state", after=AS_ONE)
def rider_indirect(facts: Target, sheet: Sheet) -> None:
    """A rider defends separately against indirect fire, with a defence factor of one."""
    if _is_rider(facts, sheet) and facts.fire in ("indirect", "registered"):
        sheet.exception("a rider defends on its own")
        sheet.charge(count("P.ride-c", "defence"), "rider", "defence")


def _is_rider(facts: Target, sheet: Sheet) -> bool:
    pair = facts.pair
    return pair is not None and facts.role == "passenger" and pair.rides and as_one(pair, sheet)


@clause("PB.opportunity", kind="action", assumes=True)
def drew_fire(facts: Target, sheet: Sheet) -> None:
    """Opportunity fire needs an act of the unit in this phase."""
    if not facts.fits:
        sheet.bar("it has done nothing in this movement phase that draws such fire")
    elif facts.moving and facts.role and not facts.drawn and facts.fire in ("direct", "indirect"):
        sheet.exception("what drew the fire is not stated: they are taken as they are")


@clause("PB.target", kind="action")
def on_the_map(facts: Target, sheet: Sheet) -> None:
    """Only units on the map can be fired at."""
    if not facts.on_map:
        sheet.bar("it is not on the map")


def _by_expenditure(facts: Target, sheet: Sheet) -> None:
    """Require, as the published rules did, that the mover has spent part of its movement factor."""
    if facts.drawn == "enter" and facts.spent * count("P.move-c", "part") < facts.mf:
        sheet.bar("it has not spent enough to draw opportunity fire")


@clause("P.move-c", kind="state", denied=_by_expenditure)
def on_moving_units(facts: Target, sheet: Sheet) -> None:
    """Opportunity fire does not require that the mover has spent anything."""
    if facts.drawn == "enter":
        sheet.exception("opportunity fire is allowed whatever it has spent")


# -- clauses: attacks on a hex -------------------------------------------------------------------


@clause("PB.assault-d", kind="state")
def assaulted(facts: Struck, sheet: Sheet) -> None:
    """A close assault affects units whose hex was assaulted in this turn, riders as one with their transport."""
    _only_where(facts, sheet, "assault", "its hex has not been close-assaulted this turn")


@clause("PB.overrun-e", kind="state")
def overrun(facts: Struck, sheet: Sheet) -> None:
    """An overrun affects units whose hex was overrun in this turn, riders as one with their transport."""
    _only_where(facts, sheet, "overrun", "its hex has not been overrun this turn")


@clause("PB.mines-c", kind="state")
def mined(facts: Struck, sheet: Sheet) -> None:
    """Mines attack units as they enter, not those that stay."""
    _only_where(facts, sheet, "mines", "it has not entered mines this turn")


def _only_where(facts: Struck, sheet: Sheet, way: Way, note: str) -> None:
    if facts.way == way and not facts.attacked:
        sheet.bar(note)
    if facts.way == way and facts.carried:
        sheet.bar("it is carried, and shares its transport's result")


# -- clauses: results ----------------------------------------------------------------------------


def _suffer(facts: Shared, sheet: Sheet) -> None:
    """Apply to one unit of a pair the result of the other, except DD."""
    if facts.result == "X":
        sheet.force("at", None)
        sheet.force("aboard", None)
    elif facts.result == "D" and not facts.worse:
        sheet.force("dispersed", "D")


@clause("P.one-b", kind="effect", after=AS_ONE)
def shared_results(facts: Shared, sheet: Sheet) -> None:
    """Results on a transport also apply to its passenger, at once."""
    if facts.struck == "transport" and not facts.pair.rides and as_one(facts.pair, sheet):
        _suffer(facts, sheet)
        _d_unloads(facts, sheet)


def _d_unloads(facts: Shared, sheet: Sheet) -> None:
    if facts.result == "D" and sheet.reading("B8") == "unloads":
        _throw_off(facts, sheet)


def _rider_spared(facts: Shared, sheet: Sheet) -> None:
    """Apply a rider's results to its carrier, but not the reverse."""
    if facts.struck == "passenger" and facts.pair.rides:
        _suffer(facts, sheet)


@clause("P.ride-b", kind="effect", denied=_rider_spared, after=AS_ONE)
def rider_results(facts: Shared, sheet: Sheet) -> None:
    """Results on a transport with a rider also hit the rider; those on the rider never hit the transport."""
    if facts.struck == "transport" and facts.pair.rides and as_one(facts.pair, sheet):
        _suffer(facts, sheet)
        _d_unloads(facts, sheet)


def _throw_off(facts: Shared, sheet: Sheet) -> None:
    sheet.force("aboard", None)
    sheet.force("thrown", facts.transport)
    sheet.force("handled", "now")


@clause("P.dd-a", kind="effect", after=AS_ONE)
def dd_unloads(facts: Shared, sheet: Sheet) -> None:
    """DD on a transport of any class applies to its passenger and unloads it at no cost."""
    if facts.struck == "transport" and facts.result == "DD" and as_one(facts.pair, sheet):
        sheet.force("dispersed", "DD")
        _throw_off(facts, sheet)


@clause("P.ride-d", kind="effect", after=AS_ONE)
def forced_off(facts: Shared, sheet: Sheet) -> None:
    """DD on a transport forces its rider off, and so does DD on the rider alone."""
    if facts.result != "DD" or not facts.pair.rides or not as_one(facts.pair, sheet):
        return
    if facts.struck == "transport" or (
        facts.struck == "self" and sheet.reading("B10") == "unloads"
    ):
        _throw_off(facts, sheet)


@clause("PB.dd", kind="effect", after=("P.one-b", "P.ride-b", "P.dd-a", "P.ride-d"))
def destroys(facts: Target | Shared, sheet: Sheet) -> None:
    """DD destroys a unit already dispersed."""
    if facts.result != "DD" or sheet.reading("PB.dd-again") == "stays":
        return
    if isinstance(facts, Target):
        if facts.dispersed:
            sheet.force("at", None)
            sheet.force("aboard", None)
    elif facts.struck == "transport":
        both = as_one(facts.pair, sheet)
        if both and facts.dispersed:
            sheet.force("at", None)
        if facts.fatal or (both and facts.dispersed):
            sheet.force("aboard", None)


# -- effects -------------------------------------------------------------------------------------


@effect(Hit)
def after_hit(position: PanzerPosition, action: Hit) -> PanzerPosition | None:
    """Return the position with the unit dispersed or gone; None if it is off the map."""
    unit = position.unit(action.unit)
    if unit.at is None:
        return None
    if action.result == "X":
        cargo = [replace(u, aboard=None) for u in passengers(position, unit)]
        return position.with_units([*cargo, replace(unit, at=None, aboard=None)])
    marker = "DD" if "DD" in (unit.dispersed, action.result) else "D"
    return position.with_units([replace(unit, dispersed=marker)])
