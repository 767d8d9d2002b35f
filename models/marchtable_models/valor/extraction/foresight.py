"""Looking ahead from a loss, which only one reading of the register asks for (A1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.state.action import Settle
from marchtable_models.valor.extraction import reading, stacks
from marchtable_models.valor.orders import Absorb, Eliminate, Ignore, Pin, Reduce

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable.rules.rulebook import Rulebook
    from marchtable.state.action import Action
    from marchtable_models.valor.extraction.reading import ValorPosition
    from marchtable_models.valor.facts.losses import Loss
    from marchtable_models.valor.model import Attack

__all__ = ["foreseen", "possible_losses"]

Reached = tuple["ValorPosition", int]
"""A position, and the points still owed there (0 or less once the attack is closed)."""


def foreseen(
    rulebook: Rulebook[Any, Any], position: ValorPosition, action: Action, facts: Loss
) -> Loss:
    """Return the facts of a loss with what reading A1 asks: whether it misses an exact end."""
    chosen = dict(position.readings)
    attack = position.conditions.attack
    plain_case = chosen.pop("A1", "exceed") == "exceed" or facts.owed <= 0
    if plain_case or (attack is not None and attack.batters):  # an AFV takes what is left exactly
        return facts
    plain = msgspec.structs.replace(position, readings=tuple(sorted(chosen.items())))
    known: dict[Any, bool] = position.__dict__.setdefault("exact_ends", {})
    after = _outcomes(rulebook, plain, action)
    misses = not any(_meets(rulebook, place, known) for place in after)
    return msgspec.structs.replace(
        facts, misses=misses and _meets(rulebook, (plain, facts.owed), known)
    )


def possible_losses(rulebook: Rulebook[Any, Any], position: ValorPosition) -> Iterator[Any]:
    """Yield every legal loss."""
    attack = reading.attack_on(position)
    for unit in map(position.unit, stacks.owing(position, attack)) if attack else ():
        rated = stacks.absorbable(position, unit)
        for action in (
            Pin(unit.id), Reduce(unit.id), Eliminate(unit.id), Ignore(unit.id),
            *(Absorb(unit.id, points) for points in rated),
        ):  # fmt: skip
            if rulebook.rule(position, action).is_legal:
                yield action


def _outcomes(rulebook: Rulebook[Any, Any], position: ValorPosition, action: Any) -> list[Reached]:
    """Return where a loss may lead."""
    attack, ruling = reading.attack_on(position), rulebook.rule(position, action)
    if attack is None or not ruling.is_legal:
        return []
    unit, judge = position.unit(action.unit), rulebook.edition(position).judge
    if not ruling.obligations:
        fulfilled = judge(stacks.loss(position, attack, unit, action)).total
        return [(ruling.after, attack.owed - fulfilled)]
    found, roll = [], ruling.obligations[0]
    for odds in roll.outcomes:
        if odds.chance:
            fallen = rulebook.rule(ruling.after, Settle(roll.id, odds.outcome)).after
            fulfilled = judge(stacks.outcome(ruling.after, unit, odds.outcome)).total
            found.append((fallen, attack.owed - fulfilled))
    return found


def _meets(rulebook: Rulebook[Any, Any], reached: Reached, known: dict[Any, bool]) -> bool:
    """Return whether the points can be fulfilled exactly from there."""
    position, owed = reached
    if reading.attack_on(position) is None:
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
    """Return what tells apart how far an attack has got, whichever units suffered first."""
    return attack and (attack.owed, attack.focus, frozenset(attack.taken))
