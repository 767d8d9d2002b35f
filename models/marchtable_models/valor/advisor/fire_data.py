"""Advice on fire as plain data: the answer of the verb ``casualties`` about fire."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.errors import BadInputError
from marchtable.files.notation import format_action
from marchtable_models.valor.advisor.answers import WORTH, values_of
from marchtable_models.valor.advisor.fire import best_fire
from marchtable_models.valor.advisor.forecast import all_details
from marchtable_models.valor.advisor.limits import scarce, too_much_fire
from marchtable_models.valor.views.attack import attack_on

if TYPE_CHECKING:
    from marchtable.rules.casualties import CasualtiesQuestion
    from marchtable.rules.rulebook import Rulebook
    from marchtable_models.valor.advisor.fire import FireAdvice, FireOrder, Strike
    from marchtable_models.valor.model import ValorPosition

__all__ = ["advice_data", "fire_counsel"]

OTHERS = ("points", "at", "origin", "opportunity", "ahead", "check")
"""Questions about losses, not about fire."""


def fire_counsel(
    rulebook: Rulebook[Any, Any], position: ValorPosition, question: CasualtiesQuestion
) -> dict[str, Any]:
    """Return the answer to a question about the fire of a hex, except its format."""
    values = values_of(question)
    for name in (*values.worth, *values.worth_half):
        position.unit(name)
    asked = {field: getattr(question, field) for field in OTHERS}
    given = [field for field, value in asked.items() if value not in (None, False)]
    given += ["show"] if "pareto" in question.show else []
    if given:
        raise BadInputError("expected nothing else with fire_from but weights", field=given[0])
    at = position.board.resolve(str(question.fire_from))
    why = too_much_fire(position, at)
    if position.pending:
        why = "a roll must be settled first"
    elif attack_on(position) is not None:
        why = "Casualty Points are owed first (V14.61a)"
    if why:
        return {"status": "UNKNOWN", "why": why}
    if few := scarce(position, position.units):
        return {"status": "UNSUPPORTED", "why": few}
    advice = best_fire(position, at, values=values)
    cited = dict.fromkeys(name for strike in advice.strikes for name in strike.forecast.clauses)
    cited |= dict.fromkeys(advice.unsupported)
    return {
        "status": "UNSUPPORTED" if advice.unsupported else "OPTIMAL",
        "fire": advice_data(advice),
        "titles": {name: rulebook.clauses[name].title for name in cited},
        "interpretations": dict(advice.readings),
        "worth": WORTH,
        "assumed": [f"{note} ({clause})" for clause, note in advice.exceptions],
    }


def advice_data(advice: FireAdvice) -> dict[str, Any]:
    """
    Return advice on fire as plain data.

    Amounts are numbers, with ``exact`` also fractions. ``attacks`` of a split are log lines; each
    equals one of those listed, except in unit names.
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
        "clauses": list(strike.forecast.clauses), "details": all_details(strike.forecast),
    }  # fmt: skip


def _split(split: FireOrder) -> dict[str, Any]:
    lines = [format_action(strike.action) for strike in split.strikes]
    return {"attacks": lines, "loss": _number(split.loss), "exact": str(split.loss)}


def _number(amount: Any) -> float:
    return round(float(amount), 6)
