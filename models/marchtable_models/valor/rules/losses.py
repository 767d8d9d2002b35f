"""Losses as their owner takes them: the actions, and the rest of an attack (14.6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec

from marchtable.rules.facts import Bill, Case, Edition, Finding, about
from marchtable.rules.subjects import cases, effect, phase_cases, resolves, settles
from marchtable.state.action import Action, verb_of
from marchtable.state.position import Obligation, UnitId
from marchtable.state.records import replace
from marchtable_models.valor.model import Attack, Taken, ValorPosition
from marchtable_models.valor.rules.battered import Battered
from marchtable_models.valor.rules.casualties import Owing
from marchtable_models.valor.rules.survival import carried
from marchtable_models.valor.rules.under_fire import (
    damage_of,
    loss_of,
    open_units,
    owing,
    survival_outcome,
)
from marchtable_models.valor.views.attack import (
    attack_on,
    is_safe,
    losses_of,
    under_fire,
    with_attack,
)
from marchtable_models.valor.views.units import type_of

Points = Annotated[int, msgspec.Meta(ge=1, le=99, extra={"domain": "count"})]
"""Casualty Points."""


class Pin(Action, frozen=True, tag="pin"):
    """The owner pins a unit for a Casualty Point."""

    unit: UnitId


class Reduce(Action, frozen=True, tag="reduce"):
    """The owner reduces a squad to a half squad."""

    unit: UnitId


class Eliminate(Action, frozen=True, tag="eliminate"):
    """The owner eliminates a unit."""

    unit: UnitId


class Ignore(Action, frozen=True, tag="ignore"):
    """A Gun with a shield, or a valorous unit, ignores the first Casualty Point against it."""

    unit: UnitId


class Absorb(Action, frozen=True, tag="absorb"):
    """An unarmored vehicle or Gun takes several Casualty Points and rolls for survival."""

    unit: UnitId
    points: Points


CASUALTIES = (Pin, Reduce, Eliminate, Ignore, Absorb)


def owed(position: ValorPosition) -> list[Case]:
    """Return the facts of points owed before anything else, if any."""
    attack = attack_on(position)
    if attack is None:
        return []
    return [Case(tuple(owing(position, attack)), Owing(attack.owed), (attack.target,))]


@phase_cases
def phase_facts(position: ValorPosition) -> list[Case]:
    """Return the facts of points owed before the phase ends."""
    return owed(position)


@cases(*CASUALTIES)
def loss_facts(position: ValorPosition, action: Any) -> list[Case]:
    """Return the facts of the loss, and of the unit's load."""
    unit, attack = position.unit(action.unit), attack_on(position)
    if attack is not None and isinstance(action, Absorb) and unit.id in attack.batters:
        facts = Battered("", attack.owed, unit.immobile, taken=action.points)
        return [about(unit, facts)]
    found = [about(unit, loss_of(position, attack, unit, action))]
    if attack is not None and isinstance(action, Pin | Eliminate):
        found += carried(position, unit, "pinned" if isinstance(action, Pin) else "eliminated")
    return found


@settles("survival")
def survival_facts(position: ValorPosition, obligation: Obligation, outcome: str) -> list[Case]:
    """Return the facts of a survival roll's result, for the unit and its load."""
    unit = position.unit(obligation.unit)
    facts = survival_outcome(position, unit, outcome)
    result = "survived" if facts.survives else "eliminated"
    return [about(unit, facts), *carried(position, unit, result)]


WORDS = {"pin": "pinned", "reduce": "reduced", "eliminate": "eliminated", "ignore": "ignored"}


def inflicted(position: ValorPosition, points: int) -> ValorPosition:
    """Return the position with the Casualty Points of the open attack owed."""
    attack = position.conditions.attack
    assert attack is not None
    before = tuple(u.id for u in under_fire(position, attack) if u.pinned)
    attack = replace(attack, total=points, owed=points, before=before)
    pins = damage_of(position, attack).pins_left
    return closed(position, replace(attack, pins=pins), spare_pinned=True)


def closed(position: ValorPosition, attack: Attack, *, spare_pinned: bool) -> ValorPosition:
    """Return the position with the attack, or without it if nothing more is owed or can suffer."""
    after = with_attack(position, attack)
    left = attack.batters or open_units(after, attack, pinned_too=not spare_pinned)
    if attack.owed > 0 and left:
        return after
    if (then := attack.then) is not None:
        blow = Attack(
            side=then.side, origin=then.origin, target=then.target, opportunity=True, only=then.only
        )
        return inflicted(with_attack(position, blow), then.total)
    return with_attack(position, None)


@effect(*CASUALTIES)
def after_casualty(
    position: ValorPosition, action: Any, bills: Sequence[Bill], edition: Edition
) -> ValorPosition:
    """Return the position after a loss, including those it forces on Passengers."""
    attack = position.conditions.attack
    unit = position.unit(action.unit)
    if attack is None:
        return position
    if isinstance(action, Absorb) and unit.id in attack.batters:
        return _taken_by_armour(position, attack, bills[0])
    if isinstance(action, Absorb):  # the roll decides
        return with_attack(position, replace(attack, absorbing=action.points))
    if isinstance(action, Pin):
        unit = replace(unit, pinned=True)
    elif isinstance(action, Reduce):
        unit = replace(unit, type=type_of(position, unit).half or unit.type)
    after = forced(position.with_units([unit]), [(b.case.units[0], b.finding) for b in bills])
    after = _recounted(position, after)
    focus = unit.id if isinstance(action, Ignore) else None
    taken = Taken(unit.id, (WORDS[verb_of(action)],))
    return fulfilled(after, attack, taken, bills[0].amount, edition, focus)


def _taken_by_armour(position: ValorPosition, attack: Attack, bill: Bill) -> ValorPosition:
    """Return the position after an AFV has taken its points; the last leaves the rest to others."""
    (name,) = bill.case.units
    after, owed = forced(position, [(name, bill.finding)]), attack.owed - bill.amount
    if left := tuple(one for one in attack.batters if one != name):
        return closed(after, replace(attack, owed=owed, batters=left), spare_pinned=True)
    rest = Attack(side=attack.side, origin=attack.origin, target=attack.target, then=attack.then)
    return inflicted(with_attack(after, rest), max(0, owed))


def forced(position: ValorPosition, found: Sequence[tuple[str, Finding]]) -> ValorPosition:
    """Return the position with what clauses force on each unit."""
    changed = [
        replace(position.unit(name), **{f.field: f.value for f in finding.forced})
        for name, finding in found
        if finding.forced
    ]
    return position.with_units(changed)


def fulfilled(
    position: ValorPosition,
    attack: Attack,
    loss: Taken,
    points: int,
    edition: Edition,
    focus: str | None = None,
) -> ValorPosition:
    """Return the position with a loss counted for the attack."""
    losses = (*losses_of(attack, loss.unit), *loss.losses)
    taken = tuple(t for t in attack.taken if t.unit != loss.unit)
    settings = edition.settings
    attack = replace(
        attack,
        owed=attack.owed - points,
        taken=(*taken, Taken(loss.unit, losses)),
        focus=focus or _still(position, attack, loss.unit, settings),
        absorbing=0,
    )
    return closed(position, attack, spare_pinned=settings["A4"] == "barred")


def _recounted(before: ValorPosition, after: ValorPosition) -> ValorPosition:
    """Return the position with the counters left after losses."""
    if not before.conditions.spare:
        return after
    used = Counter(unit.type for unit in after.units if unit.at is not None)
    used.subtract(unit.type for unit in before.units if unit.at is not None)
    spare = [replace(s, left=max(0, s.left - used[s.type])) for s in after.conditions.spare]
    return replace(after, conditions=replace(after.conditions, spare=tuple(spare)))


def _still(
    position: ValorPosition, attack: Attack, unit: str, settings: Mapping[str, str]
) -> str | None:
    """Return the unit in focus if it must continue to take points (A8)."""
    found = position.unit(unit)
    gone_on = settings["A8"] == "exhaust" and attack.focus == unit
    return unit if gone_on and found.at is not None and not is_safe(attack, found) else None


@resolves("survival")
def after_survival(
    position: ValorPosition, obligation: Obligation, outcome: str, edition: Edition
) -> ValorPosition:
    """Return the position after a survival roll."""
    attack = position.conditions.attack
    if attack is None:
        return position
    cases = survival_facts(position, obligation, outcome)
    found = [(case.units[0], edition.judge(case.facts)) for case in cases]
    after = _recounted(position, forced(position, found))
    word = "absorbed" if outcome == "survives" else "eliminated"
    return fulfilled(after, attack, Taken(obligation.unit, (word,)), found[0][1].total, edition)
