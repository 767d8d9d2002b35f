"""The facts of an attack, case by case: each unit, each weapon, the group, the target and the sum."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.rules.rulebook import Case
from marchtable_models.valor.extraction import antitank, gunnery

if TYPE_CHECKING:
    from marchtable.rules.edition import Edition
    from marchtable_models.valor.extraction.reading import ValorPosition
    from marchtable_models.valor.orders import Fire

__all__ = ["cases_of", "salvos_of"]


def cases_of(position: ValorPosition, action: Fire, edition: Edition) -> list[Case]:
    """Return the facts that bear on an attack; raises BadInputError for weapons that are none."""
    units = [position.unit(name) for name in action.units]
    target = position.board.resolve(action.target)
    gone = [gunnery.Salvo(unit, ()) for unit in units if unit.at is None]
    if gone:
        gunnery.chosen(units, action.weapons)
        return [Case((s.unit.id,), gunnery.firing(position, s, target)) for s in gone]
    salvos = salvos_of(position, action, edition)
    at, hexes = str(units[0].at), (str(units[0].at), target)
    found = [case for salvo in salvos for case in _unit_cases(position, salvo, target)]
    together = (
        gunnery.crew(position, salvos, target),
        gunnery.aim(position, units[0].side, at, target),
        gunnery.volley(position, salvos, target),
    )
    return found + [Case(action.units, facts, hexes) for facts in together]


def salvos_of(position: ValorPosition, action: Fire, edition: Edition) -> list[gunnery.Salvo]:
    """Return what each unit fires: what is named, else all that it can bring to bear."""
    units = [position.unit(name) for name in action.units]
    target = position.board.resolve(action.target)
    named = gunnery.chosen(units, action.weapons)

    def allows(facts: Any) -> bool:
        return not edition.judge(facts).bars

    return [
        gunnery.Salvo(u, named[u.id])
        if u.id in named
        else gunnery.salvo(position, u, target, allows)
        for u in units
    ]


def _unit_cases(position: ValorPosition, salvo: gunnery.Salvo, target: str) -> list[Case]:
    who, hexes = (salvo.unit.id,), (str(salvo.unit.at), target)
    shots = [gunnery.shot(position, salvo.unit, name, target) for name in salvo.weapons]
    facts = (
        gunnery.firing(position, salvo, target), gunnery.loadout(position, salvo), *shots,
        *antitank.used_up(position, salvo),
    )  # fmt: skip
    return [Case(who, entry, hexes) for entry in facts]
