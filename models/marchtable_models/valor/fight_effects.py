"""What overruns, close assaults, snipers and fire lanes do to a position, and what comes of their rolls."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from marchtable.rules.judging import paid_by_unit
from marchtable.state.position import Counter
from marchtable_models.valor import effects
from marchtable_models.valor.barrages import after_barrage
from marchtable_models.valor.clauses.assaults import (
    ARMOUR,
    ASSAULTERS,
    DEFENDERS,
    KILL,
    LOSSES,
    SUCCESS,
)
from marchtable_models.valor.clauses.combat import APFP, DICE
from marchtable_models.valor.errands import gone
from marchtable_models.valor.extraction import fights, reading
from marchtable_models.valor.facts.assaults import Clash, Crossed, SniperFell, Sniping
from marchtable_models.valor.model import Attack, Counterblow, Storm
from marchtable_models.valor.move_effects import STOPPED
from marchtable_models.valor.orders import Assault, Barrage, Lane, Overrun, Snipe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.rules.clause import Finding
    from marchtable.rules.edition import Edition
    from marchtable.rules.rulebook import Bill
    from marchtable.state.action import Action
    from marchtable.state.position import Obligation
    from marchtable_models.valor.extraction.reading import ValorPosition

__all__ = ["after_fight", "after_roll"]

replace = msgspec.structs.replace


def after_fight(
    position: ValorPosition, action: Action, bills: Sequence[Bill]
) -> ValorPosition | None:
    """Return the position after such an action itself, None if who acts is off the map."""
    if isinstance(action, Overrun):
        return _after_overrun(position, action, bills)
    if isinstance(action, Assault):
        return _after_assault(position, action, bills)
    if isinstance(action, Lane):
        return _after_lane(position, action)
    if isinstance(action, Barrage):
        return after_barrage(position, action, bills)
    assert isinstance(action, Snipe)
    return _after_snipe(position, action, bills)


def _part(finding: Finding, part: str) -> int:
    return sum(charge.amount for charge in finding.charges if charge.part == part)


def _foe(position: ValorPosition, side: str) -> str:
    """Return the side against another."""
    return next((u.side for u in position.units if u.side != side), f"against {side}")


def _after_overrun(
    position: ValorPosition, action: Overrun, bills: Sequence[Bill]
) -> ValorPosition | None:
    unit, to = position.unit(action.unit), position.board.resolve(action.to)
    away = None if unit.at is None else position.board.beyond(unit.at, to)
    if unit.at is None or away is None:
        return None
    paid = paid_by_unit(bills).get(unit.id, 0)
    parts = effects.fire_parts(bills)
    attack = Attack(
        side=unit.side, origin=unit.at, target=to, apfp=parts[APFP], modifier=parts[DICE],
        units=(unit.id, *(u.id for u in reading.cargo(position, unit))),
    )  # fmt: skip
    changed = []
    for other in position.units:
        if other.id == unit.id:
            spent = other.spent + paid
            changed.append(
                replace(other, at=away, moved=True, moving=True, turned=False, spent=spent)
            )
        elif other.at is not None and other.aboard == unit.id:
            changed.append(replace(other, at=away, moved=True, fired=True, moving=False))
        elif other.moving and other.side == unit.side:
            changed.append(replace(other, **STOPPED))
    return effects.with_attack(position.with_units(changed), attack)


def _after_assault(
    position: ValorPosition, action: Assault, bills: Sequence[Bill]
) -> ValorPosition | None:
    units = [position.unit(name) for name in dict.fromkeys(action.units)]
    if any(unit.at is None for unit in units):
        return None
    to, side = position.board.resolve(action.to), units[0].side
    pinned = [u.id for u in fights.defenders(position, side, to, pinned=True)]
    stayed = [u for u in position.occupants.get(str(units[0].at), ()) if u.side == side]
    position = position.with_units([replace(u, stormed=True) for u in stayed])
    units = [position.unit(unit.id) for unit in units]
    after = gone(position, pinned)
    if not fights.defenders(position, side, to, pinned=False):
        return _taken(after, [unit.id for unit in units], to)
    found = next((b.finding for b in bills if isinstance(b.case.facts, Clash)), None)
    if found is None:  # points are owed first
        return position
    storm = Storm(
        units=tuple(unit.id for unit in units), target=to, kill=_part(found, KILL),
        modifier=_part(found, DICE), suffered=_part(found, LOSSES),
    )  # fmt: skip
    after = after.with_units([replace(unit, advanced=True) for unit in units])
    return replace(after, conditions=replace(after.conditions, storm=storm))


def _taken(position: ValorPosition, units: Sequence[str], to: str) -> ValorPosition:
    """Return the position with those in a hex who take it by assault, and all of them done."""
    into = fights.takers(position, units, to)
    done = [replace(position.unit(name), advanced=True) for name in units]
    return position.with_units([replace(u, at=to) if u.id in into else u for u in done])


def _after_lane(position: ValorPosition, action: Lane) -> ValorPosition:
    hexes = map(position.board.resolve, action.hexes)
    laid = tuple(Counter(kind=fights.LANE, at=at, until="phase") for at in hexes)
    unit = replace(position.unit(action.unit), laid=True)
    return replace(position.with_units([unit]), counters=(*position.counters, *laid))


def _after_snipe(
    position: ValorPosition, action: Snipe, bills: Sequence[Bill]
) -> ValorPosition | None:
    origin, target = map(position.board.resolve, (action.origin, action.target))
    there = position.occupants.get(target, ())
    facts = bills[0].case.facts
    if not there or not isinstance(facts, Sniping):
        return None
    attack = Attack(
        side=_foe(position, there[0].side), origin=origin, target=target, modifier=facts.cover,
        opportunity=bool(action.units), only=tuple(action.units),
    )  # fmt: skip
    return effects.with_attack(position, attack)


# -- rolls -----------------------------------------------------------------------------------------


def after_roll(
    position: ValorPosition, obligation: Obligation, outcome: str, edition: Edition
) -> ValorPosition:
    """Return the position after the roll of an assault, a sniper or a fire lane came out so."""
    name = obligation.id.partition(":")[0]
    attack = position.conditions.attack
    if name == "assault" and position.conditions.storm is not None:
        return _after_storm(position, position.conditions.storm, int(outcome), edition)
    if name == "sniper" and attack is not None:
        facts = SniperFell(int(outcome), attack.modifier)
        return effects.inflicted(position, edition.judge(facts).total)
    if name == "sniper-check" and attack is not None and outcome == "eliminated":
        kept = [c for c in position.counters if (c.kind, c.at) != ("sniper", attack.origin)]
        return replace(position, counters=tuple(kept))
    if name == "lane":
        return _after_sweep(position, obligation, int(outcome), edition)
    if name == "mines" and outcome == "eliminated" and attack is not None:
        return _blown_up(position, attack, obligation.unit, edition)
    return position


def _blown_up(
    position: ValorPosition, attack: Attack, unit: str, edition: Edition
) -> ValorPosition:
    """Return the position without a unit lost in mines: before its overrun, or as it took them by assault."""
    if unit in attack.units:
        return effects.with_attack(replace(position, pending=()), None)
    spared = edition.settings["A4"] == "barred"
    return effects.closed(gone(position, [unit]), attack, spare_pinned=spared)


def _after_storm(
    position: ValorPosition, storm: Storm, roll: int, edition: Edition
) -> ValorPosition:
    found = edition.judge(fights.fell(storm, roll))
    units = [position.unit(name) for name in storm.units]
    side, at = units[0].side, str(units[0].at)
    after = replace(position, conditions=replace(position.conditions, storm=None))
    foes = fights.defenders(position, side, storm.target, pinned=False)
    taken = bool(_part(found, SUCCESS))
    battered = [] if taken else fights.battered(after, storm)
    armour = sum(_part(edition.judge(facts), ARMOUR) for _, facts in battered)
    batters = tuple(unit.id for unit, facts in battered if facts.waits)
    blow = Counterblow(
        side=_foe(position, side), origin=storm.target, target=storm.target if taken else at,
        only=storm.units, total=_part(found, ASSAULTERS),
    )  # fmt: skip
    if taken:
        after = gone(after, [unit.id for unit in foes])
        after = _taken(after, storm.units, storm.target)
    first = Attack(side=side, origin=at, target=storm.target, then=blow, batters=batters)
    return effects.inflicted(
        effects.with_attack(after, first), max(0, _part(found, DEFENDERS) - armour)
    )


def _after_sweep(
    position: ValorPosition, obligation: Obligation, roll: int, edition: Edition
) -> ValorPosition:
    unit = position.unit(obligation.unit)
    facts = Crossed(fights.lanes_at(position, str(unit.at)), roll)
    points = _part(edition.judge(facts), "points")
    if unit.at is None or not points:
        return position
    attack = Attack(
        side=_foe(position, unit.side), origin=unit.at, target=unit.at, opportunity=True,
        only=unit.party or (unit.id,),
    )  # fmt: skip
    return effects.inflicted(effects.with_attack(position, attack), points)
