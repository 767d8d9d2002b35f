"""A unit's entitlements by counter and state: the clauses of kind *state*, for `options`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from marchtable_models.valor.data import figure
from marchtable_models.valor.rules.combat import Volley
from marchtable_models.valor.rules.fire import Aim, firing, shot
from marchtable_models.valor.views.units import carrier_of, kind_of, type_of
from marchtable_models.valor.views.weapons import Salvo, arms

if TYPE_CHECKING:
    from marchtable.rules.edition import Edition
    from marchtable_models.valor.model import ValorPosition, ValorUnit

__all__ = ["of"]

WEAPONS = {
    "gun": ("Gun", ("V14.4b", "V14.4d", "V14.4e")),
    "mg360": ("360-degree MG", ("V14.4b", "V14.4e", "V14.4f")),
    "mgff": ("FF MG", ("V14.4b", "V14.4e", "V14.4g")),
}


def of(position: ValorPosition, unit: ValorUnit, edition: Edition) -> list[dict[str, Any]]:
    """Return the unit's abilities by its counter and state, with the clauses."""
    if unit.at is None:
        return []
    found = [_acts(position, unit, edition), _target(position, unit, edition)]
    kind = type_of(position, unit)
    if kind.class_ == "leader":
        facts = Volley(0, 0, kind.apfp, leader=kind.modifier)
        modifier = edition.judge(facts).total - kind.apfp
        found.append(_entry("modify a fire group's attack", modifier != 0, modifier, ("V14.2b",)))
    for name in arms(position, unit):
        if name in WEAPONS:
            found += _weapon(position, unit, name, edition)
    return found


def _entry(what: str, allowed: bool, factor: int, clauses: tuple[str, ...]) -> dict[str, Any]:
    return {"what": what, "allowed": allowed, "factor": factor, "clauses": list(clauses)}


def _acts(position: ValorPosition, unit: ValorUnit, edition: Edition) -> dict[str, Any]:
    facts = firing(position, Salvo(unit, ()), str(unit.at))
    pinned = any(bar.clause == "V14.7a" for bar in edition.judge(facts).bars)
    return _entry("act and spot", not pinned, 1, ("V14.7a",))


def _target(position: ValorPosition, unit: ValorUnit, edition: Edition) -> dict[str, Any]:
    carrier = carrier_of(position, unit)
    armored = "afv" in (
        kind_of(position, unit),
        carrier and kind_of(position, carrier),
    )
    facts = Aim(int(not armored), 1, 1, seen=True, blocked=False)
    hit = not any(bar.clause == "V14.1" for bar in edition.judge(facts).bars)
    return _entry("be affected by AP fire", hit, 1, ("V14.1",))


def _weapon(
    position: ValorPosition, unit: ValorUnit, name: str, edition: Edition
) -> list[dict[str, Any]]:
    """Return whether a weapon fires behind the FFA, and beyond machine gun range."""
    own = shot(position, unit, name, str(unit.at))
    reach = figure("V14.4b", "mg")
    title, clauses = WEAPONS[name]
    tries = (
        (f"fire the {title} within {reach} hexes in the FFA", True, reach),
        (f"fire the {title} outside the FFA", False, 1),
        (f"fire the {title} beyond {reach} hexes", True, reach + 1),
    )
    found = []
    for what, ahead, distance in tries:
        bars = edition.judge(msgspec.structs.replace(own, ahead=ahead, distance=distance)).bars
        cited = tuple(dict.fromkeys(bar.clause for bar in bars))
        found.append(_entry(what, not bars, own.apfp, cited or clauses))
    return found
