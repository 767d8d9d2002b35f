"""Loading and unloading (8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from marchtable.rules.clause import Bar
from marchtable.rules.facts import Edition, Facts, Sheet
from marchtable.rules.subjects import cases, clause, effect, resets
from marchtable.state.action import Action, Fellow
from marchtable.state.position import UnitId
from marchtable.state.records import replace
from marchtable_models.valor.data import figure
from marchtable_models.valor.model import ValorPosition, ValorUnit
from marchtable_models.valor.rules.movement import March
from marchtable_models.valor.rules.stacking import cited, stacked
from marchtable_models.valor.rules.support_weapons import portage, portage_of
from marchtable_models.valor.views.units import cargo, carrier_of, type_of


class Load(Action, frozen=True, tag="load"):
    """A unit boards a vehicle in its hex, or a Gun is hooked to it."""

    unit: UnitId
    carrier: Fellow


class Unload(Action, frozen=True, tag="unload"):
    """A carried unit leaves its vehicle, in the same hex."""

    unit: UnitId


class Boarding(Facts, frozen=True):
    """A unit about to be loaded or unloaded."""

    verb: str  # ``load`` or ``unload``
    # the phase; either is pinned
    phase: str
    own_turn: bool
    pinned: bool
    carrier_pinned: bool
    # they share a hex; the other is a vehicle or AFV
    together: bool
    carrier: bool
    aboard: bool  # the unit is already carried
    # each one's act in this turn: ``load``, ``unload`` or nothing
    handled: str = ""
    carrier_handled: str = ""
    moved: bool = False  # the unit has moved in this turn
    # the load afterwards; weapons are light and heavy support weapons
    half_squads: int = 0
    leaders: int = 0
    weapons: int = 0
    guns: int = 0
    # the vehicle's capacity in half squads, and whether it can tow
    carries: int = 0
    tows: bool = False
    # the unit is a Gun; a large one
    is_gun: bool = False
    large: bool = False


def boarding(
    position: ValorPosition,
    unit: ValorUnit,
    other: ValorUnit | None,
    load: Sequence[ValorUnit] | None = None,
) -> Boarding:
    """Return the facts of loading a unit onto another with its load, or of unloading it."""
    carrier = carrier_of(position, unit) if other is None else other
    kind = type_of(position, unit)
    common: dict[str, Any] = {
        "verb": "unload" if other is None else "load", "phase": position.phase,
        "own_turn": unit.side == position.side, "pinned": unit.pinned, "aboard": unit.aboard is not None,
        "handled": unit.handled or "", "moved": unit.moved,
    }  # fmt: skip
    if carrier is None:
        return Boarding(**common, carrier_pinned=False, together=False, carrier=False)
    holds = type_of(position, carrier)
    beside = cargo(position, carrier) if load is None else load
    kinds = [type_of(position, u) for u in (*beside, unit)]
    return Boarding(
        **common,
        carrier_pinned=carrier.pinned,
        together=unit.at is not None and unit.at == carrier.at and unit.side == carrier.side,
        carrier=not holds.is_infantry and holds.class_ != "gun" and kind.class_ not in ("vehicle", "afv"),
        carrier_handled=carrier.handled or "",
        half_squads=sum({"squad": figure("V8.1", "squad"), "half-squad": 1}.get(entry.class_, 0) for entry in kinds),
        leaders=sum(entry.class_ == "leader" for entry in kinds),
        weapons=sum(carried.light + carried.heavy for u in (*beside, unit) for carried in (portage_of(position, u),)),
        guns=sum(entry.class_ == "gun" for entry in kinds),
        carries=holds.carries, tows=holds.tows, is_gun=kind.class_ == "gun", large=kind.mp == 0,
    )  # fmt: skip


def over_capacity(
    position: ValorPosition, carrier: ValorUnit, edition: Edition, *, weapons: bool = True
) -> tuple[Bar, ...]:
    """Return the excess of a vehicle's load; ``weapons``: also count support weapons."""
    load = cargo(position, carrier) if carrier.at is not None else ()
    if not load:
        return ()
    facts = replace(boarding(position, load[-1], carrier, load[:-1]), aboard=False)
    found = edition.judge(facts if weapons else replace(facts, weapons=0))
    return tuple(bar for bar in found.bars if bar.clause == capacity.id)


def overloaded(position: ValorPosition, edition: Edition) -> list[str]:
    """List the units that carry more than they can, with the clauses."""
    found = [
        f"{unit.id} carries too many support weapons ({portage.id})"
        for unit in position.units
        if unit.sw and edition.judge(portage_of(position, unit)).bars
    ]
    return found + [
        f"{carrier.id} carries more than it may ({cited(bars)})"
        for carrier in position.units
        if (bars := over_capacity(position, carrier, edition))
    ]


@cases(Load, Unload)
def boarding_facts(position: ValorPosition, action: Load | Unload) -> Iterator[Facts]:
    """Yield the facts of a unit boarding or leaving, and of the stack it joins."""
    unit = position.unit(action.unit)
    yield boarding(
        position, unit, position.unit(action.carrier) if isinstance(action, Load) else None
    )
    if isinstance(action, Unload):
        yield stacked(position, unit)


@clause("V8.2", kind="action")
def loading_time(facts: Boarding, sheet: Sheet) -> None:
    """Units load and unload in their own Movement Phase, once a turn."""
    if facts.phase != "Movement":
        sheet.bar("it is not this unit's Movement Phase", "Movement", facts.phase)
    elif not facts.own_turn:
        sheet.bar("it is the other side's Movement Phase")
    if facts.handled:
        sheet.bar("it has been loaded or unloaded this turn")
    if facts.carrier_handled not in ("", facts.verb):
        sheet.bar("the vehicle cannot both load and unload in one turn")


@clause("V8.3", kind="action")
def who_boards(facts: Boarding | March, sheet: Sheet) -> None:
    """A unit boards an unpinned vehicle or AFV in its hex, or leaves its own; it does not move before boarding or after leaving, and its vehicle moves before or after, not both."""
    if isinstance(facts, March):
        if facts.aboard:
            sheet.bar("it is aboard, and moves only with its carrier")
        if facts.settled and (facts.vehicle or not facts.crowded):  # else it must leave the hex
            sheet.bar("it has left a vehicle, or it moved before a unit boarded or left it")
        return
    if facts.verb == "load" and facts.moved:
        sheet.bar("it has moved this turn")
    if facts.verb == "load" and (not facts.together or not facts.carrier):
        sheet.bar("no vehicle of its side is in its hex")
    if facts.verb == "load" and facts.aboard:
        sheet.bar("it is aboard already")
    if facts.verb == "unload":
        sheet.force("settled", True)
    if facts.verb == "unload" and not facts.aboard:
        sheet.bar("it is not aboard anything")
    if facts.carrier_pinned:
        sheet.bar("the vehicle is pinned")


@clause("V8.1", kind="capacity", composes="joint")
def capacity(facts: Boarding, sheet: Sheet) -> None:
    """A vehicle carries what its class allows, and tows a Gun if it can."""
    if facts.verb != "load":
        return
    squad = figure("V8.1", "squad")
    leaders = -(-facts.carries // squad)
    if facts.half_squads > facts.carries:
        sheet.bar("too many half squads", facts.carries, facts.half_squads)
    if facts.leaders > leaders:
        sheet.bar("too many leaders", leaders, facts.leaders)
    if facts.weapons > leaders:
        sheet.bar("too many support weapons", leaders, facts.weapons)
    if facts.is_gun and (
        not facts.tows or facts.guns > 1 or (facts.large and facts.carries < squad)
    ):
        sheet.bar("it cannot tow the Gun")


@effect(Load)
def after_load(position: ValorPosition, action: Load) -> ValorPosition:
    """Return the position with the unit aboard."""
    unit = position.unit(action.unit)
    changed = [replace(unit, aboard=action.carrier, handled="load", moving=False)]
    if action.carrier != unit.id:
        changed.append(_handling(position.unit(action.carrier), "load"))
    return position.with_units(changed)


@effect(Unload)
def after_unload(position: ValorPosition, action: Unload) -> ValorPosition:
    """Return the position with the unit beside its vehicle."""
    unit = position.unit(action.unit)
    changed = [replace(unit, aboard=None, handled="unload")]
    if unit.aboard is not None:
        changed.append(_handling(position.unit(unit.aboard), "unload"))
    return position.with_units(changed)


def _handling(carrier: ValorUnit, what: Literal["load", "unload"]) -> ValorUnit:
    return replace(carrier, handled=what, settled=carrier.settled or carrier.moved)


forgotten = resets("new_turn", handled=None)
anew = resets(settled=False)
