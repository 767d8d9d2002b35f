"""Looking ahead from a loss, needed only by one reading of the register (A1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from marchtable.rules.rulebook import Rulebook
from marchtable.state.action import Action, Settle
from marchtable.state.records import replace
from marchtable_models.valor.model import Attack, ValorPosition
from marchtable_models.valor.rules.casualties import Loss
from marchtable_models.valor.rules.losses import (
    Absorb,
    Eliminate,
    Ignore,
    Pin,
    Reduce,
)
from marchtable_models.valor.rules.under_fire import absorbable, loss_of, owing, survival_outcome
from marchtable_models.valor.views.attack import attack_on

Reached = tuple["ValorPosition", int]
"""A position, and the points still owed there (0 or less once the attack is closed)."""


def foreseen(
    rulebook: Rulebook[Any, Any], position: ValorPosition, action: Action, facts: Loss
) -> Loss:
    """Return the facts of a loss for reading A1: whether it misses an exact end."""
    chosen = dict(position.readings)
    attack = position.conditions.attack
    plain_case = chosen.pop("A1", "exceed") == "exceed" or facts.owed <= 0
    if plain_case or (attack is not None and attack.batters):  # an AFV takes the rest exactly
        return facts
    plain = replace(position, readings=tuple(sorted(chosen.items())))
    known: dict[Any, bool] = position.__dict__.setdefault("exact_ends", {})
    after = _outcomes(rulebook, plain, action)
    misses = not any(_meets(rulebook, place, known) for place in after)
    return replace(facts, misses=misses and _meets(rulebook, (plain, facts.owed), known))


def possible_losses(rulebook: Rulebook[Any, Any], position: ValorPosition) -> Iterator[Any]:
    """Yield every legal loss."""
    attack = attack_on(position)
    for unit in map(position.unit, owing(position, attack)) if attack else ():
        absorbed = [Absorb(unit.id, points) for points in absorbable(position, unit)]
        plain = [kind(unit.id) for kind in (Pin, Reduce, Eliminate, Ignore)]
        for action in (*plain, *absorbed):
            if rulebook.rule(position, action).is_legal:
                yield action


def _outcomes(rulebook: Rulebook[Any, Any], position: ValorPosition, action: Any) -> list[Reached]:
    """Return the possible results of a loss."""
    attack, ruling = attack_on(position), rulebook.rule(position, action)
    if attack is None or not ruling.is_legal:
        return []
    unit, judge = position.unit(action.unit), rulebook.edition(position).judge
    if not ruling.obligations:
        fulfilled = judge(loss_of(position, attack, unit, action)).total
        return [(ruling.after, attack.owed - fulfilled)]
    found, roll = [], ruling.obligations[0]
    for odds in roll.outcomes:
        if odds.chance:
            fallen = rulebook.rule(ruling.after, Settle(roll.id, odds.outcome)).after
            fulfilled = judge(survival_outcome(ruling.after, unit, odds.outcome)).total
            found.append((fallen, attack.owed - fulfilled))
    return found


def _meets(rulebook: Rulebook[Any, Any], reached: Reached, known: dict[Any, bool]) -> bool:
    """Return whether the points can be fulfilled exactly from there."""
    position, owed = reached
    if attack_on(position) is None:
        return owed == 0
    key = position.units, _unordered(position.conditions.attack)
    if key not in known:
        known[key] = any(
            _meets(rulebook, after, known)
            for action in possible_losses(rulebook, position)
            for after in _outcomes(rulebook, position, action)
        )
    return known[key]


def _unordered(attack: Attack | None) -> Any:
    """Return an attack's progress, whichever units suffered first."""
    return attack and (attack.owed, attack.focus, frozenset(attack.taken))
