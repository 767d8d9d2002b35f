"""Which facts bear on an attack: by fire, an overrun, a close assault, a sniper's, and a fire lane."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from marchtable.errors import BadInputError
from marchtable.rules.rulebook import Case
from marchtable_models.valor import barrages
from marchtable_models.valor import cases as attacks
from marchtable_models.valor.extraction import antitank, fights, gunnery, hexmates, moves, reading
from marchtable_models.valor.facts.assaults import Assaulters, Taking
from marchtable_models.valor.orders import Assault, Barrage, Fire, Lane, Overrun, Snipe

if TYPE_CHECKING:
    from marchtable.rules.edition import Edition
    from marchtable.state.action import Action
    from marchtable_models.valor.extraction.reading import ValorPosition
    from marchtable_models.valor.model import ValorUnit

__all__ = ["cases_of", "overrun_salvos"]


def cases_of(position: ValorPosition, action: Action, edition: Edition) -> list[Case]:
    """Return the facts that bear on such an action; raises BadInputError for weapons that are none."""
    if isinstance(action, Fire):
        return attacks.cases_of(position, action, edition)
    if isinstance(action, Overrun):
        return _of_overrun(position, action, edition)
    if isinstance(action, Assault):
        return _of_assault(position, action, edition)
    if isinstance(action, Lane):
        unit = position.unit(action.unit)
        return [Case((unit.id,), fights.laying(position, action), _hexes(unit))]
    if isinstance(action, Barrage):
        return barrages.cases_of(position, action)
    assert isinstance(action, Snipe)
    for name in action.units:
        position.unit(name)
    origin, target = map(position.board.resolve, (action.origin, action.target))
    units = action.units or tuple(u.id for u in position.occupants.get(target, ()))
    if not units:
        raise BadInputError(f"nobody is in {target}", field="target")
    return [Case(units, fights.sniping(position, origin, target, action.units), (origin, target))]


def _hexes(unit: ValorUnit) -> tuple[str, ...]:
    return (unit.at,) if unit.at is not None else ()


def _of_overrun(position: ValorPosition, action: Overrun, edition: Edition) -> list[Case]:
    unit, to = position.unit(action.unit), position.board.resolve(action.to)
    who = (unit.id,)
    found = [Case(who, moves.mobile(position, unit, "overrun"), _hexes(unit))]
    if unit.at is None:
        return found
    found.append(Case(who, hexmates.march(position, unit, told=False), (unit.at,)))
    found.append(Case(who, moves.step(position, unit, to, "overrun"), (unit.at, to)))
    found.append(Case(who, fights.overrunning(position, unit, to), (unit.at, to)))
    if not unit.moving:
        ended = moves.unended(position, unit.side, who)
        found += [Case(who, stack, (at,)) for at, stack in ended]
    salvos = overrun_salvos(position, action, edition)
    for salvo in salvos[1:]:
        shots = [gunnery.shot(position, salvo.unit, name, to) for name in salvo.weapons]
        used = antitank.used_up(position, salvo)
        facts = (gunnery.loadout(position, salvo), *shots, *used)
        found += [Case((salvo.unit.id,), one, (to,)) for one in facts]
    found.append(Case(who, fights.crush(position, salvos, to), (unit.at, to)))
    if (away := position.board.beyond(unit.at, to)) is not None:
        there = position.with_units([msgspec.structs.replace(unit, at=to)])
        found.append(Case(who, moves.step(there, there.unit(unit.id), away, "beyond"), (to, away)))
    return found


def overrun_salvos(
    position: ValorPosition, action: Overrun, edition: Edition
) -> list[gunnery.Salvo]:
    """Return the weapons of an overrunning AFV and those that its Passengers fire."""
    unit, to = position.unit(action.unit), position.board.resolve(action.to)
    cargo = reading.cargo(position, unit)
    riders = [u for u in cargo if reading.kind_of(position, u) == "infantry"]
    named = gunnery.chosen([unit, *riders], action.weapons)
    own = gunnery.Salvo(unit, named.get(unit.id, gunnery.arms(position, unit)))
    return [own, *fights.salvos_of(position, riders, to, edition, named)]


def _of_assault(position: ValorPosition, action: Assault, edition: Edition) -> list[Case]:
    if not action.units:
        raise BadInputError("expected at least one unit", field="units")
    units = [position.unit(name) for name in action.units]
    to = position.board.resolve(action.to)
    found = [Case((u.id,), moves.mobile(position, u, "assault"), _hexes(u)) for u in units]
    if any(unit.at is None for unit in units):
        return found
    together = Assaulters(
        len({*action.units}) == len(units), len({u.at for u in units}), len({u.side for u in units})
    )
    found.append(Case(action.units, together, _hexes(units[0])))
    found += [Case((u.id,), fights.storming(position, u, to), (str(u.at), to)) for u in units]
    at = str(units[0].at)
    holding = fights.defenders(position, units[0].side, to, pinned=False)
    foes = [u for d in holding for u in (d, *reading.cargo(position, d))]
    foot = [u for u in foes if reading.kind_of(position, u) == "infantry"]
    named = gunnery.chosen([*units, *foot], action.weapons)
    attack = fights.salvos_of(position, units, to, edition, named, storms=True)
    for salvo in attack:
        found.append(Case((salvo.unit.id,), gunnery.loadout(position, salvo), (at,)))
    found += [Case((u.id,), arm, (at,)) for u, arm in fights.arms_of(position, attack)]
    defence = fights.salvos_of(position, foot, at, edition, named)
    for salvo in (*attack, *defence) if holding else ():
        who = (salvo.unit.id,)
        found += [Case(who, used, _hexes(salvo.unit)) for used in antitank.used_up(position, salvo)]
    counted = fights.defences(position, holding, defence)
    found += [Case((u.id,), facts, (to,)) for u, facts in counted]
    facts = fights.clash(position, attack, defence, counted, to, edition)
    found.append(Case(action.units, facts, (at, to)))
    if not holding and facts.pinned and "minefield" in position.markers.get(to, ()):
        into = fights.takers(position, action.units, to)
        found += [Case((name,), Taking(), (to,)) for name in into]
    return found
