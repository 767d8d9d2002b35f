"""The verb ``casualties``: the legal and the best choices of the owner of units under fire."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Any

from marchtable.answers.verdicts import obligation_data
from marchtable.codec.structs import struct_of
from marchtable.errors import BadInputError, InternalError
from marchtable_models.valor.advisor.limits import beyond, scarce
from marchtable_models.valor.advisor.proposal import judged_lines, judged_losses
from marchtable_models.valor.advisor.scene import plain, scene_of
from marchtable_models.valor.advisor.walk import Walk
from marchtable_models.valor.allocation import advice as allocation
from marchtable_models.valor.allocation.advice import Advice, best_value, standing_ahead
from marchtable_models.valor.allocation.stack import FIELDS, Allocation, Choices
from marchtable_models.valor.allocation.target import canonical
from marchtable_models.valor.allocation.values import Values, fraction, scale_of
from marchtable_models.valor.data import TWO_DICE
from marchtable_models.valor.rules.combat import Result
from marchtable_models.valor.views.units import type_of

if TYPE_CHECKING:
    from marchtable.rules.casualties import CasualtiesQuestion
    from marchtable.rules.rulebook import Rulebook
    from marchtable_models.valor.advisor.scene import Scene
    from marchtable_models.valor.model import ValorPosition

__all__ = ["advise", "values_of"]

FOLLOW_UP = re.compile(r"(?P<apfp>\d{1,3})(?P<dice>[+-]\d{1,2})?")
WORTH = (
    "firepower with the weapons carried, leadership and range; left out: anti-tank fire, Transport, "
    "whom a leader leads, terrain and objectives"
)
"""What a unit's worth includes and leaves out."""
AFTER_PINS = (
    "losses after a pin are legal even where pins alone would do (A30); ways that need this are not "
    "counted or listed, and never better"
)
"""What counts and lists leave out."""
AHEAD = (
    "each value is what is left on average after the attack ahead, its points taken in the best way; "
    "the front leaves that attack out"
)
"""The meaning of values if an attack follows."""
MOST_RANKED = 20_000
"""The number of ways listed before the best are chosen."""


def advise(
    rulebook: Rulebook[Any, Any], position: ValorPosition, question: CasualtiesQuestion
) -> dict[str, Any]:
    """Return the answer to a question about casualties, except its format."""
    values = values_of(question)
    scene = scene_of(position, question, values)
    settings = rulebook.edition(position).settings
    choices = Choices.of(settings)
    found: dict[str, Any] = {
        "at": scene.attack.target, "points": scene.points,
        "origin": scene.attack.origin if scene.has_origin else None,
        "opportunity": scene.attack.opportunity, "units": scene.cards(scene.position),
    }  # fmt: skip
    if position.pending:
        why = "a roll must be settled first"
        pending = [obligation_data(entry) for entry in position.pending]
        return {"status": "UNKNOWN", "why": why, **found, "pending": pending}
    begun = position.conditions.attack
    if begun is not None and begun.taken and begun.target == scene.attack.target:
        why = "losses of this attack were taken already: ask as it stood before the first"
        return {"status": "UNSUPPORTED", "why": why, **found}
    if begun is not None and begun.batters:
        why = "an AFV is to take points of a failed assault: ask once it has"
        return {"status": "UNSUPPORTED", "why": why, **found}
    status, why = beyond(scene.stack, question, choices)
    if few := scarce(position, (position.unit(member.id) for member in scene.stack.members)):
        status, why = "UNSUPPORTED", few
    if status:
        return {"status": status, "why": why, **found}
    ahead = None if question.ahead is None else _follow_up(rulebook, position, question.ahead)
    worth = None if ahead is None else standing_ahead(scene.stack, ahead, values, choices)
    walk = Walk(rulebook, scene, choices, worth)
    found |= _asked(walk, choices, question, is_ahead=worth is not None)
    status = "OPTIMAL" if "best" in question.show else "LEGAL"
    if "check" in found:
        status = found["check"]["status"]
    titles = {name: rulebook.clauses[name].title for name in walk.clauses}
    readings = {name: settings[name] for name in walk.readings if name in settings}
    readings |= {name: choice for name, choice in position.readings if name in FIELDS}
    assumed = _assumed(position, scene)
    if scene.points > 1 and choices.counted != choices:
        assumed.append(AFTER_PINS)
    if worth is not None:
        assumed.append(AHEAD)
    if "all" in question.show and found["count"] > MOST_RANKED:
        assumed.append(f"the most valuable of the first {MOST_RANKED:,} ways found, not of all")
    return {
        "status": status, **found, "titles": titles, "interpretations": dict(sorted(readings.items())),
        "worth": WORTH, "assumed": assumed,
    }  # fmt: skip


def _asked(
    walk: Walk, choices: Choices, question: CasualtiesQuestion, *, is_ahead: bool
) -> dict[str, Any]:
    scene = walk.scene
    stack, points, values = scene.stack, scene.points, scene.values
    number = allocation.count(walk.whole, points, choices)
    found: dict[str, Any] = {"count": number.kinds, "ways": number.ways}
    if {"all", "best"} & {*question.show} or question.check is not None:
        if is_ahead:
            advice = allocation.best_ahead(stack, points, walk.value, values, choices)
        else:
            advice = allocation.best(stack, points, values, choices)
        if "best" in question.show:
            found["best"] = _best(walk, advice)
    if "all" in question.show:
        listed = _listed(walk, advice, choices, question.limit)
        found |= {"allocations": listed, "left_out": number.kinds - len(listed)}
    if "pareto" in question.show:
        found["pareto"] = [
            {
                "strength": plain(trade.strength),
                "firepower": plain(trade.firepower),
                "wasted": plain(trade.wasted),
                "plan": walk.plan(trade.plan)[0],
            }
            for trade in allocation.pareto(stack, points, values, choices)
        ]
    if question.check is not None:
        judge: Any = judged_lines if isinstance(question.check, list) else judged_losses
        verdict, losses = judge(walk, question.check)
        if losses is not None:
            value = walk.value(losses)
            verdict |= {"value": plain(value), "cost": plain(advice.value - value)}
        walk.clauses.update(dict.fromkeys(v["clause"] for v in verdict["violations"]))
        found["check"] = verdict
    return found


def _listed(walk: Walk, advice: Advice, choices: Choices, limit: int) -> list[dict[str, Any]]:
    """Return the ends of the best plan, then the other ways, most valuable first."""
    whole = walk.whole
    ends = {canonical(whole, end.losses) for end in advice.best.leaves()}
    found = allocation.allocations(whole, walk.scene.points, choices, MOST_RANKED)
    kinds = {canonical(whole, one.losses): one for one in islice(found, MOST_RANKED)}
    kinds |= {
        canonical(whole, end.losses): Allocation(end.losses)
        for end in advice.best.leaves()
        if canonical(whole, end.losses) not in kinds
    }

    def rank(kind: object) -> tuple[bool, Fraction]:
        return kind not in ends, -walk.value(kinds[kind].losses)

    ranked = sorted(kinds, key=rank)[:limit]
    return [{**walk.allocation(kinds[kind]), "best": kind in ends} for kind in ranked]


def _best(walk: Walk, advice: Advice) -> dict[str, Any]:
    scene = walk.scene
    value = advice.value
    plan, left = walk.plan(advice.best)
    if left != value:
        raise InternalError(f"the best plan is worth {value}, its branches {left}")
    found: dict[str, Any] = {
        "plan": plan, "value": plain(value), "exact": str(value), "proof": advice.proof,
        "intact": plain(best_value(scene.stack, 0, scene.values, walk.course.choices)),
    }  # fmt: skip
    if advice.equals:
        found["equally_good"] = [walk.plan(plan)[0] for plan in advice.equals]
    if advice.runner_up is not None and advice.cost is not None:
        found["runner_up"] = walk.plan(advice.runner_up)[0]
        found["cost"] = plain(advice.cost)
    return found


# -- the question --------------------------------------------------------------------------------


def values_of(question: CasualtiesQuestion) -> Values:
    """Return the weights in a question; raises BadInputError if they are invalid."""
    found: Values = struct_of(question.weights, Values, field="weights")
    for name in ("worth", "worth_half"):
        for unit, amount in getattr(found, name).items():
            fraction(amount, f"weights.{name}.{unit}")
    scale_of(found)
    return found


def _follow_up(
    rulebook: Rulebook[Any, Any], position: ValorPosition, ahead: str | dict[str, Any]
) -> dict[int, Fraction]:
    """Return the probability of each number of points of a follow-up attack."""
    if isinstance(ahead, str):
        match = FOLLOW_UP.fullmatch(ahead)
        if match is None:
            message = f"expected APFP and what is added to the dice, as 13+2, got {ahead!r}"
            raise BadInputError(message, field="ahead")
        edition, found = rulebook.edition(position), dict[int, Fraction]()
        for roll, ways in TWO_DICE.items():
            shot = Result(int(match["apfp"]), roll, int(match["dice"] or 0))
            points = edition.judge(shot).total
            found[points] = found.get(points, Fraction(0)) + Fraction(ways, 36)
        return found
    found = {}
    for number, chance in ahead.items():
        if not re.fullmatch(r"\d{1,2}", number):
            raise BadInputError(f"expected a number of points, got {number!r}", field="ahead")
        found[int(number)] = fraction(chance, f"ahead.{number}")
    if sum(found.values()) != 1:
        raise BadInputError("expected chances that sum to 1", field="ahead")
    return found


def _assumed(position: ValorPosition, scene: Scene) -> list[str]:
    """Return the assumptions of the answer."""
    found = []
    for member in scene.stack.members:
        unit = position.unit(member.id)
        kind = type_of(position, unit)
        if kind.shield and not scene.has_origin and not member.towed:
            found.append(
                f"{member.id}: its Gun Shield does not face the attack (where the fire comes from is not stated)"
            )
        if kind.assumed:
            found.append(f"{member.id}: {', '.join(kind.assumed)} of its counter")
        if kind.class_ == "squad" and kind.half is None and member.id in scene.stack.liable:
            found.append(f"{member.id}: its half squad is not known, so it is not reduced")
        if not scene.worth(member) and member.id in scene.stack.liable:
            found.append(f"{member.id}: worth nothing, for it has no firepower")
    return found
