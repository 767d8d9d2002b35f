"""Reads the facts of fire and its results off a position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from marchtable_models.panzer.extraction.ground import terrain_of
from marchtable_models.panzer.extraction.reading import (
    CARRIERS,
    is_mined,
    row_named,
    stack,
    thrown_pairs,
    type_of,
)
from marchtable_models.panzer.facts.fire import Pair, Recovering, Shared, Target
from marchtable_models.panzer.facts.steps import Assaulting, Firing, Observing, Removal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable.rules.edition import Edition
    from marchtable_models.panzer.extraction.reading import PanzerPosition
    from marchtable_models.panzer.facts.fire import Drawn
    from marchtable_models.panzer.model import PanzerUnit
    from marchtable_models.panzer.orders import Hit

__all__ = [
    "assaulting",
    "crowded",
    "firing",
    "may_act",
    "observing",
    "owed",
    "recovering",
    "removal",
    "shared",
    "target",
]


def may_act(position: PanzerPosition, unit: PanzerUnit) -> bool:
    """Return whether a unit's side fires and observes now: in its turn, or while enemies move."""
    return unit.side == position.side or position.phase == "Movement"


def firing(position: PanzerPosition, unit: PanzerUnit) -> Firing:
    """Return the facts of a unit that fires."""
    return Firing(
        in_turn=may_act(position, unit),
        on_map=unit.at is not None,
        dispersed=unit.dispersed != "",
        aboard=unit.aboard is not None,
        handled=unit.handled,
        fired=unit.fired,
        task=unit.task if position.phase == "Movement" else "",
        mined=is_mined(position, unit),
    )


def assaulting(
    position: PanzerPosition, unit: PanzerUnit, to: str, names: Sequence[str]
) -> Assaulting:
    """Return the facts of a unit about to close-assault a hex, with others."""
    enemies = [u for u in position.occupants.get(to, ()) if u.side != unit.side]
    return Assaulting(
        in_turn=position.phase == "Assault" and unit.side == position.side,
        kind=type_of(position, unit).kind,
        adjacent=unit.at is not None and position.board.hexside(unit.at, to) is not None,
        targets=len(enemies),
        dispersed=unit.dispersed != "",
        aboard=unit.aboard is not None,
        handled=unit.handled,
        fired=unit.fired,
        far=unit.onward,
        mined=is_mined(position, unit),
        twice=names.count(unit.id) > 1,
    )


def observing(position: PanzerPosition, unit: PanzerUnit) -> Observing:
    """Return the facts of a unit that observes."""
    kind = type_of(position, unit)
    carrier = position.unit(unit.aboard) if unit.aboard is not None else None
    return Observing(
        in_turn=may_act(position, unit),
        on_map=unit.at is not None,
        dispersed=unit.dispersed != "",
        carrier_class=kind.class_ == "C",
        observer=kind.kind == "observer",
        aboard=carrier is not None,
        moved=carrier is not None and carrier.moved,
        carried=carrier is not None and carrier.carried,
    )


# -- targets and results ---------------------------------------------------------------------------


def _pair(position: PanzerPosition, carrier: PanzerUnit, unit: PanzerUnit, drawn: Drawn) -> Pair:
    return Pair(
        aboard=unit.aboard == carrier.id,
        came=carrier.came and _is_moving(position, carrier),
        rides=type_of(position, carrier).class_ not in CARRIERS,
        drawn=drawn,
    )


def _partners(
    position: PanzerPosition, unit: PanzerUnit
) -> Iterator[tuple[Literal["transport", "passenger"], PanzerUnit, PanzerUnit]]:
    """Yield the unit's part in each of its pairs, with the transport and the passenger."""
    for other in position.units:
        if unit.id in (other.aboard, other.left) and other.at == unit.at:
            yield "transport", unit, other
    for name in dict.fromkeys((unit.aboard, unit.left)):
        if name is not None and position.unit(name).at == unit.at:
            yield "passenger", position.unit(name), unit


def target(position: PanzerPosition, unit: PanzerUnit, action: Hit) -> Target:
    """Return the facts of a unit that is fired at."""
    found = next(_partners(position, unit), None)
    row = None
    if unit.at is not None:
        row = row_named(position.conditions, terrain_of(position.board[unit.at]))[0]
    return Target(
        role=found[0] if found else "",
        pair=_pair(position, found[1], found[2], action.drawn) if found else None,
        drawn=action.drawn,
        fire=action.fire,
        fits=action.drawn == "" or _has_drawn(position, unit, action.drawn),
        concealed=row is not None and row.concealing,
        exposed=unit.exposed or (unit.aboard is not None and position.unit(unit.aboard).exposed),
        beside_enemy=_beside_enemy(position, unit),
        spent=unit.spent,
        mf=type_of(position, unit).mf * 2,
        on_map=unit.at is not None,
        result=action.result,
        dispersed=unit.dispersed != "",
        moving=_is_moving(position, unit),
        crushed=unit.crushed,
        stormed=unit.stormed,
        mined=is_mined(position, unit),
        shelled=unit.shelled or (unit.aboard is not None and position.unit(unit.aboard).shelled),
    )


def _is_moving(position: PanzerPosition, unit: PanzerUnit) -> bool:
    return position.phase == "Movement" and unit.side == position.side


def _has_drawn(position: PanzerPosition, unit: PanzerUnit, drawn: Drawn) -> bool:
    """Return whether a unit, or its transport, has done this in the present movement phase."""
    if not _is_moving(position, unit):
        return False
    if drawn == "enter":
        came = [carrier.came for _, carrier, u in _partners(position, unit) if u is unit]
        return unit.entered or any(came)
    names = {unit.id, unit.aboard, unit.left} - {None}
    return any(position.unit(str(name)).task == drawn for name in names)


def _beside_enemy(position: PanzerPosition, unit: PanzerUnit) -> bool:
    """Return whether an enemy that may spot is next to a unit."""
    if unit.at is None:
        return False
    return any(
        other.side != unit.side
        and not other.dispersed
        and other.aboard is None
        and type_of(position, other).class_ != "C"
        for _, name in position.board.neighbours(unit.at)
        for other in position.occupants.get(name, ())
    )


def shared(
    position: PanzerPosition, unit: PanzerUnit, action: Hit
) -> Iterator[tuple[PanzerUnit, Shared]]:
    """Yield what a result means for the other halves of the unit's pairs, and for itself."""
    for role, carrier, passenger in _partners(position, unit):
        pair = _pair(position, carrier, passenger, action.drawn)
        other = passenger if role == "transport" else carrier
        hurt, fatal = other.dispersed != "", unit.dispersed != ""
        worse = other.dispersed == "DD"
        yield other, Shared(pair, carrier.id, role, action.result, worse, hurt, fatal)
        if role == "passenger":
            yield unit, Shared(pair, carrier.id, "self", action.result, fatal=fatal)


def recovering(unit: PanzerUnit) -> Recovering:
    """Return the facts of a unit that recovers."""
    return Recovering(unit.at is not None, unit.dispersed != "")


# -- losses ----------------------------------------------------------------------------------------


def crowded(position: PanzerPosition, unit: PanzerUnit, edition: Edition) -> bool:
    """Return whether there are too many units in a unit's hex."""
    return bool(edition.judge(stack(position, unit, "end")).bars)


def owed(position: PanzerPosition, edition: Edition) -> tuple[PanzerUnit, ...]:
    """Return the transport and the passenger of which one must go before all else, if any."""
    for carrier, unit in thrown_pairs(position):
        if crowded(position, unit, edition):
            return carrier, unit
    return ()


def removal(position: PanzerPosition, unit: PanzerUnit, edition: Edition) -> Removal:
    """Return the facts of an owner removing a unit."""
    pairs = [pair for pair in thrown_pairs(position) if unit in pair]
    return Removal(bool(pairs), bool(pairs) and crowded(position, unit, edition))
