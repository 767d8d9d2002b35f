"""Overruns (19)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from marchtable.rules.facts import Bill, Case, Edition, Facts, Sheet, about
from marchtable.rules.judging import paid_by_unit
from marchtable.rules.subjects import cases, clause, effect, resets
from marchtable.state.action import Adjacent
from marchtable.state.position import UnitId
from marchtable.state.records import replace
from marchtable_models.valor.data import figure, ground_of
from marchtable_models.valor.model import Attack, Names, ValorPosition, ValorUnit
from marchtable_models.valor.rules.combat import APFP, Volley, sum_of
from marchtable_models.valor.rules.fire import salvos_of, used_by
from marchtable_models.valor.rules.movement import Travel, stopped
from marchtable_models.valor.rules.terrain import step
from marchtable_models.valor.views.attack import with_attack
from marchtable_models.valor.views.ground import has_bunker, terrain_of
from marchtable_models.valor.views.sight import cover
from marchtable_models.valor.views.units import cargo, is_soft, is_towed, kind_of, type_of
from marchtable_models.valor.views.weapons import OWN, Salvo, arms, chosen, worth


class Overrun(Travel, frozen=True, tag="overrun"):
    """
    An AFV drives through a hex with enemies, attacks them, and stops in the next hex.

    It and its Passengers use all they can, unless ``weapons`` names what a unit uses.
    """

    unit: UnitId
    to: Adjacent
    weapons: Names = ()


class Overrunning(Facts, frozen=True):
    """An AFV about to drive through a hex with enemies."""

    # the overrunning unit, and whether it tows a Gun
    kind: str
    towing: bool
    obstacle: (
        str  # what in the hex forbids it: ``building``, ``bunker`` or ``afv``; ``""`` for nothing
    )
    targets: int  # units there that AP fire can affect
    beyond: bool  # there is a hex on the other side
    target: str = ""  # the hex


def overrunning(position: ValorPosition, unit: ValorUnit, to: str) -> Overrunning:
    """Return the facts of an AFV about to drive through a hex with enemies."""
    row = ground_of(terrain_of(position.board[to]))
    enemies = [u for u in position.occupants.get(to, ()) if u.side != unit.side]
    obstacle = ""
    if row is not None and row.id == "building":
        obstacle = "building"
    elif has_bunker(position, to):
        obstacle = "bunker"
    elif any(kind_of(position, u) == "afv" for u in enemies):
        obstacle = "afv"
    return Overrunning(
        kind=kind_of(position, unit),
        towing=any(is_towed(position, u) for u in cargo(position, unit)),
        obstacle=obstacle,
        targets=sum(is_soft(position, u) for u in enemies),
        beyond=position.board.beyond(str(unit.at), to) is not None,
        target=to,
    )


def crush(position: ValorPosition, salvos: Sequence[Salvo], target: str) -> Volley:
    """Return an overrun's totals: all of the AFV's weapons, its Passengers' fire, the hex's cover."""
    own, _ = worth(position, salvos[0])
    units, leading, grenades, valorous = own, 0, 0, 0
    for found in salvos[1:]:
        apfp, dice = worth(position, found)
        grenades -= dice
        valorous += found.unit.valorous and OWN in found.weapons
        if type_of(position, found.unit).class_ == "leader":
            leading += apfp
        else:
            units += apfp
    shelter = cover(position, target)
    return Volley(units, units, leading, valorous, cover=shelter, grenades=grenades, overrun=own)


@cases(Overrun)
def overrun_facts(position: ValorPosition, action: Overrun, edition: Edition) -> Iterator[Case]:
    """Yield the facts of both steps, of the attack between them, and of Passengers' fire."""
    unit, to = position.unit(action.unit), position.board.resolve(action.to)
    if unit.at is None:
        return
    yield about(unit, step(position, unit, to, "overrun"), to)
    yield about(unit, overrunning(position, unit, to), to)
    salvos = overrun_salvos(position, action, edition)
    for salvo in salvos[1:]:
        for case in used_by(position, salvo, to):
            yield case._replace(hexes=(to,))
    yield about(unit, crush(position, salvos, to), to)
    if (away := position.board.beyond(unit.at, to)) is not None:
        there = position.with_units([replace(unit, at=to)])
        yield about(there.unit(unit.id), step(there, there.unit(unit.id), away, "beyond"), away)


def overrun_salvos(position: ValorPosition, action: Overrun, edition: Edition) -> list[Salvo]:
    """Return the weapons of an overrunning AFV and those its Passengers fire."""
    unit, to = position.unit(action.unit), position.board.resolve(action.to)
    riders = [u for u in cargo(position, unit) if kind_of(position, u) == "infantry"]
    named = chosen([unit, *riders], action.weapons)
    own = Salvo(unit, named.get(unit.id, arms(position, unit)))
    return [own, *salvos_of(position, riders, to, named, edition.allows)]


@clause("V19.1", kind="action")
def overruns(facts: Overrunning, sheet: Sheet) -> None:
    """An AFV without a towed Gun overruns infantry, unarmored vehicles and Guns, but not in buildings, bunkers or hexes with enemy AFVs."""
    if facts.kind != "afv":
        sheet.bar("only an AFV overruns")
    if facts.towing:
        sheet.bar("it tows a Gun")
    if facts.obstacle:
        sheet.bar(f"an AFV cannot overrun a hex with this: {facts.obstacle}")
    if not facts.targets:
        sheet.bar("nothing there can be overrun", 1, 0)


@clause("V19.3", kind="cost")
def overrun_cost(facts: Overrunning, sheet: Sheet) -> None:
    """An overrun goes straight through, for two MP beyond the cost of both hexes, and stops in the second."""
    if not facts.beyond:
        sheet.bar("there is no hex on the other side")
    sheet.charge(2 * figure("V19.3", "attack"), "overrun")
    sheet.force("crossed", facts.target)


@clause("V19.4", kind="odds")
def doubled(facts: Volley, sheet: Sheet) -> None:
    """The AFV's own APFP counts twice, its Passengers' once."""
    sheet.charge(facts.overrun, "overrun, doubled", APFP)


@effect(Overrun)
def after_overrun(
    position: ValorPosition, action: Overrun, bills: Sequence[Bill]
) -> ValorPosition | None:
    """Return the position with the AFV beyond, and the attack's roll due; None if there is no such hex."""
    unit, to = position.unit(action.unit), position.board.resolve(action.to)
    away = None if unit.at is None else position.board.beyond(unit.at, to)
    if unit.at is None or away is None:
        return None
    riders = cargo(position, unit)
    names = (unit.id, *(u.id for u in riders))
    attack = Attack(side=unit.side, origin=unit.at, target=to, units=names, **sum_of(bills))
    spent = unit.spent + paid_by_unit(bills).get(unit.id, 0)
    changed = [
        *stopped(position, unit.side, names),
        *(replace(u, at=away, moved=True, fired=True, moving=False) for u in riders),
        replace(unit, at=away, moved=True, moving=True, turned=False, spent=spent),
    ]
    return with_attack(position.with_units(changed), attack)


anew = resets(crossed=None)
