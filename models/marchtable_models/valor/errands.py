"""Which facts bear on leaving the map, boarding, rallies, smoke, weapons handed on and hits told; what they do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.errors import BadInputError
from marchtable.rules.rulebook import Case
from marchtable.state.position import Counter
from marchtable.state.records import replace
from marchtable_models.valor import effects, forming
from marchtable_models.valor.extraction import antitank, gunnery, hexmates, moves, reading
from marchtable_models.valor.facts.errands import Handing, Leaving, Smoking, Struck
from marchtable_models.valor.model import FACINGS
from marchtable_models.valor.move_effects import STOPPED
from marchtable_models.valor.orders import Exit, Give, Hit, Join, Load, Rally, Smoke, Split, Unload

if TYPE_CHECKING:
    from collections.abc import Iterable

    from marchtable.state.action import Action
    from marchtable_models.valor.extraction.reading import ValorPosition
    from marchtable_models.valor.model import ValorUnit

__all__ = ["after_errand", "cases_of", "gone"]

SMOKES = ("smoke1", "smoke2")


# -- facts -----------------------------------------------------------------------------------------


def cases_of(position: ValorPosition, action: Action) -> list[Case]:
    """Return the facts that bear on such an action; raises BadInputError if nobody is named."""
    if isinstance(action, Exit):
        return _of_exit(position, action)
    if isinstance(action, Split | Join):
        return forming.cases_of(position, action)
    unit = position.unit(action.unit)  # type: ignore[attr-defined]
    if isinstance(action, Smoke):
        return _of_smoke(position, unit, position.board.resolve(action.to))
    if isinstance(action, Give):
        return _of_handing(position, unit, position.unit(action.to), action)
    return _of_state(position, unit, action)


def _of_state(position: ValorPosition, unit: ValorUnit, action: Action) -> list[Case]:
    if isinstance(action, Rally):
        return [Case((unit.id,), hexmates.trial(position, unit), _hexes(unit))]
    if isinstance(action, Load | Unload):
        return _of_boarding(position, unit, action)
    assert isinstance(action, Hit)
    return _of_hit(position, unit, action)


def _of_boarding(position: ValorPosition, unit: ValorUnit, action: Load | Unload) -> list[Case]:
    other = position.unit(action.carrier) if isinstance(action, Load) else None
    found = [Case((unit.id,), hexmates.boarding(position, unit, other), _hexes(unit))]
    if other is None:
        found.append(Case((unit.id,), hexmates.stacked(position, unit), _hexes(unit)))
    return found


def _of_hit(position: ValorPosition, unit: ValorUnit, action: Hit) -> list[Case]:
    kind = reading.kind_of(position, unit)
    facts = Struck(kind, unit.at is not None, action.result, unit.immobile)
    found = [Case((unit.id,), facts, _hexes(unit))]
    if action.by and unit.at is not None:
        found += _of_firer(position, position.unit(action.by), unit)
    return found


def _of_firer(position: ValorPosition, firer: ValorUnit, unit: ValorUnit) -> list[Case]:
    to, who = str(unit.at), (firer.id,)
    if firer.at is None:
        return [Case(who, gunnery.firing(position, gunnery.Salvo(firer, ()), to), (to,))]
    salvo = gunnery.Salvo(firer, antitank.piercing(position, firer, unit))
    final = unit.crossed == firer.at and reading.is_moving(position, unit)
    first = Case(who, replace(gunnery.firing(position, salvo, to), final=final), (to,))
    aim = replace(gunnery.aim(position, firer.side, firer.at, to), open_to_fire=1)
    facts = (aim, *antitank.at_one(position, firer, unit))
    return [first, *(Case(who, one, (firer.at, to)) for one in facts)]


def _hexes(unit: ValorUnit) -> tuple[str, ...]:
    return (unit.at,) if unit.at is not None else ()


def _of_exit(position: ValorPosition, action: Exit) -> list[Case]:
    if not action.units:
        raise BadInputError("expected at least one unit", field="units")
    units, found = [position.unit(name) for name in action.units], []
    for unit in units:
        who = (unit.id,)
        found.append(Case(who, moves.mobile(position, unit, "exit"), _hexes(unit)))
        if unit.at is not None:
            facts = hexmates.march(position, unit, told=False)
            found.append(Case(who, facts, (unit.at,)))
            found.append(Case(who, _leaving(position, unit, unit.at), (unit.at,)))
    found.append(Case(action.units, moves.company(position, units), _hexes(units[0])))
    if not any(unit.moving for unit in units):
        ended = moves.unended(position, units[0].side, action.units)
        found += [Case(action.units, stack, (at,)) for at, stack in ended]
    return found


def _leaving(position: ValorPosition, unit: ValorUnit, at: str) -> Leaving:
    inner = {way for way, _ in position.board.neighbours(at)}
    way = ""
    if reading.kind_of(position, unit) in ("vehicle", "afv") and unit.facing is not None:
        ahead = FACINGS.index(unit.facing)
        behind = (ahead + len(FACINGS) // 2) % len(FACINGS)
        way = "ahead" if ahead not in inner else "aside" if behind in inner else "behind"
    return Leaving(position.board.is_at_edge(at), way)


def _of_smoke(position: ValorPosition, unit: ValorUnit, to: str) -> list[Case]:
    rounds = [name for name in gunnery.arms(position, unit) if _smokes(position, unit, name)]
    by_round = position.phase != "Movement"
    facts = Smoking(
        reading.kind_of(position, unit), by_round, unit.side == position.side, position.phase, unit.pinned,
        unit.moved, unit.smoked, bool(rounds), position.board.distance(unit.at or to, to),
        any(kind in SMOKES for kind in position.markers.get(to, ())),
    )  # fmt: skip
    found = [Case((unit.id,), facts, (*_hexes(unit), to))]
    if by_round and rounds and unit.at is not None:
        salvo = gunnery.Salvo(unit, (rounds[0],))
        aim = gunnery.aim(position, unit.side, unit.at, to)
        bearing = (
            gunnery.firing(position, salvo, to), gunnery.shot(position, unit, rounds[0], to),
            replace(aim, open_to_fire=1),
        )  # fmt: skip
        found += [Case((unit.id,), each, (unit.at, to)) for each in bearing]
    return found


def _smokes(position: ValorPosition, unit: ValorUnit, name: str) -> bool:
    if name in unit.sw:
        return reading.weapon_of(position, name).kind == "mortar"
    return name == "gun"


def _of_handing(
    position: ValorPosition, unit: ValorUnit, to: ValorUnit, action: Give
) -> list[Case]:
    kinds = {reading.kind_of(position, one) for one in (unit, to)}
    held = action.weapon in unit.sw and (not action.back or action.back in to.sw)
    facts = Handing(
        position.phase, unit.side == position.side,
        unit.at is not None and (unit.at, unit.side) == (to.at, to.side) and unit is not to,
        kinds == {"infantry"}, held,
    )  # fmt: skip
    found = [Case((unit.id, to.id), facts, _hexes(unit))]
    if held and facts.together:
        found += [
            Case((one.id,), hexmates.portage(position, one), _hexes(one))
            for one in _exchanged(unit, to, action)
        ]
    return found


def _exchanged(unit: ValorUnit, to: ValorUnit, action: Give) -> tuple[ValorUnit, ValorUnit]:
    """Return both with the weapons that they then have."""
    ours, theirs = list(unit.sw), list(to.sw)
    ours.remove(action.weapon)
    theirs.append(action.weapon)
    if action.back:
        theirs.remove(action.back)
        ours.append(action.back)
    return replace(unit, sw=tuple(ours)), replace(to, sw=tuple(theirs))


# -- effects ---------------------------------------------------------------------------------------


def after_errand(position: ValorPosition, action: Action) -> ValorPosition | None:
    """Return the position after such an action, None where there is none."""
    if isinstance(action, Exit):
        return _after_exit(position, action)
    if isinstance(action, Split | Join):
        return forming.after_forming(position, action)
    if isinstance(action, Hit):
        return _after_hit(position, position.unit(action.unit), action)
    if isinstance(action, Smoke):
        return _after_smoke(position, position.unit(action.unit), position.board.resolve(action.to))
    if isinstance(action, Give):
        return _after_handing(position, position.unit(action.unit), action)
    return effects.after_other(position, action)


def _after_exit(position: ValorPosition, action: Exit) -> ValorPosition:
    side = position.unit(action.units[0]).side
    stopped = [replace(u, **STOPPED) for u in position.units if u.moving and u.side == side]
    return gone(position.with_units(stopped), action.units)


def _after_hit(position: ValorPosition, unit: ValorUnit, action: Hit) -> ValorPosition:
    if action.by:
        firer = replace(position.unit(action.by), fired=True, fired_at=unit.at)
        position = position.with_units([firer])
    return gone(position, (unit.id,)) if action.result == "eliminated" else position


def _after_handing(position: ValorPosition, unit: ValorUnit, action: Give) -> ValorPosition | None:
    to = position.unit(action.to)
    if action.weapon not in unit.sw or (action.back and action.back not in to.sw) or unit is to:
        return None
    return position.with_units(_exchanged(unit, to, action))


def _after_smoke(position: ValorPosition, unit: ValorUnit, to: str) -> ValorPosition | None:
    if unit.at is None:
        return None
    by_round = position.phase != "Movement"
    laid = Counter(kind=SMOKES[by_round], at=to)
    unit = replace(unit, fired=True, fired_at=to) if by_round else replace(unit, smoked=True)
    return replace(position.with_units([unit]), counters=(*position.counters, laid))


def gone(position: ValorPosition, names: Iterable[str]) -> ValorPosition:
    """Return the position without units and whom they carry."""
    lost = {*names}
    units = [u for u in position.units if u.id in lost or u.aboard in lost]
    return position.with_units(
        [replace(u, at=None, aboard=None, sw=(), entering=()) for u in units]
    )
