"""The attacker's advice as plain data, for clients."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.notation import format_action
from marchtable_models.valor.forecast import told

if TYPE_CHECKING:
    from marchtable_models.valor.fire_advice import FireAdvice, Split, Strike

__all__ = ["advice_data"]


def advice_data(advice: FireAdvice) -> dict[str, Any]:
    """
    Return advice on fire as plain data.

    Amounts are given as numbers, ``exact`` as fractions too; ``attacks`` of a split are lines of a
    log, and every attack of it is among those listed or alike to one but for its units' names.
    """
    found: dict[str, Any] = {
        "at": advice.at, "side": advice.side, "attacks": [_attack(s) for s in advice.strikes],
        "best": _split(advice.best), "unsupported": list(advice.unsupported),
    }  # fmt: skip
    if advice.runner_up is not None and advice.cost is not None:
        found["runner_up"], found["cost"] = _split(advice.runner_up), _number(advice.cost)
    return found


def _attack(strike: Strike) -> dict[str, Any]:
    return {
        "action": format_action(strike.action), "target": strike.action.target,
        "loss": _number(strike.loss), "exact": str(strike.loss),
        "clauses": list(strike.forecast.clauses), "details": told(strike.forecast),
    }  # fmt: skip


def _split(split: Split) -> dict[str, Any]:
    lines = [format_action(strike.action) for strike in split.strikes]
    return {"attacks": lines, "loss": _number(split.loss), "exact": str(split.loss)}


def _number(amount: Any) -> float:
    return round(float(amount), 6)
