"""Allocations and plans replayed by the referee: legal orders, and the resulting units."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from marchtable.errors import InternalError
from marchtable.files.notation import format_action
from marchtable.state.action import Settle
from marchtable_models.valor.advisor.scene import plain
from marchtable_models.valor.allocation.advice import value_of
from marchtable_models.valor.allocation.course import SHARED as COUNTED
from marchtable_models.valor.allocation.course import Course, LossStep, in_order
from marchtable_models.valor.allocation.values import valued
from marchtable_models.valor.data import DIE
from marchtable_models.valor.rules.losses import Absorb, Eliminate, Ignore, Pin, Reduce
from marchtable_models.valor.rules.survival import Carried
from marchtable_models.valor.views.attack import attack_on

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from marchtable.rules.rulebook import Rulebook
    from marchtable.rules.ruling import Ruling
    from marchtable.state.action import Action
    from marchtable_models.valor.advisor.scene import Scene
    from marchtable_models.valor.allocation.course import State
    from marchtable_models.valor.allocation.rolls import LossPlan
    from marchtable_models.valor.allocation.stack import Allocation, Choices, UnitLoss
    from marchtable_models.valor.model import ValorPosition

__all__ = ["Walk", "actions_of", "losses_data"]

PLAIN: dict[str, type[Pin | Reduce | Eliminate | Ignore]] = {
    "pin": Pin, "reduce": Reduce, "eliminate": Eliminate, "ignore": Ignore,
}  # fmt: skip
COLLATERAL = "V14.65a"
"""The clause by which Passengers suffer before their vehicle."""
SAID = {
    "reduced": "reduced to a half squad",
    "reduced, pinned": "reduced to a half squad, pinned",
    "ignored": "ignores a point",
    "survived": "survives its roll, pinned",
}
SHARED = {"pinned": "pinned with its vehicle", "eliminated": "lost with its vehicle"}
FALLS = {"survive": "survives", "fail": "eliminated"}


def actions_of(step: LossStep) -> list[Action]:
    """Return a step as log entries."""
    if step.verb in PLAIN:
        return [PLAIN[step.verb](step.unit)]
    return [Absorb(step.unit, step.points), Settle(f"survival:{step.unit}", FALLS[step.verb])]


def losses_data(
    course: Course, losses: Sequence[UnitLoss], steps: Sequence[LossStep]
) -> list[dict[str, Any]]:
    """Return losses as plain data, each with the clauses of the steps behind it."""
    cited = _cited(course, steps)
    return [
        {
            "unit": one.unit,
            "result": one.result,
            "said": _said(one),
            "spared": one.result == "ignored",
            "points": one.points,
            "clauses": list(cited[one.unit]),
        }
        for one in losses
    ]


def _cited(course: Course, steps: Sequence[LossStep]) -> dict[str, dict[str, None]]:
    """Return the clauses by which steps count or are rolled for, or are shared by Passengers."""
    cited: dict[str, dict[str, None]] = {unit: {} for unit in course.stack.by_id}
    state = course.start()
    for step in steps:
        found, after = course.finding(state, step), course.after(state, step)
        clauses = [COLLATERAL] if course.stack.by_id[step.unit].aboard is not None else []
        clauses += [one.clause for one in found.rolls or found.charges if one.clause != COUNTED]
        cited[step.unit] |= dict.fromkeys(clauses)
        finding = course.edition.judge(Carried(course.mark(after, step.unit).result))
        for one in course.stack.cargo.get(step.unit, ()):
            before = course.mark(state, one.id)
            if before.result != "eliminated":
                counts = course.mark(after, one.id).points > before.points
                shared = [forced.clause for forced in finding.forced] + [COUNTED] * counts
                cited[one.id] |= dict.fromkeys(shared)
        state = after
    return cited


def _said(loss: UnitLoss) -> str:
    """Return a unit's result in words; without points it shared its vehicle's."""
    words = SAID if loss.points else {**SAID, **SHARED}
    return words.get(loss.result, loss.result)


def cited(losses: Sequence[dict[str, Any]]) -> list[str]:
    """Return the clauses of some losses, each once."""
    return list(dict.fromkeys(name for loss in losses for name in loss["clauses"]))


class Walk:
    """
    Replays what the optimiser found.

    Each action is judged once per position. A rejection by the referee is an internal error: both
    apply the same clauses.

    Parameters
    ----------
    worth
        The worth left after some losses; by default that of the units as they are.
    """

    def __init__(
        self,
        rulebook: Rulebook[Any, Any],
        scene: Scene,
        choices: Choices,
        worth: Callable[[tuple[UnitLoss, ...]], Fraction] | None = None,
    ) -> None:
        self.rulebook = rulebook
        self.scene = scene
        self.course = Course(scene.stack, scene.points, choices)
        self.whole, self.scale = valued(scene.stack, scene.values)
        self.value = worth or self._value
        self.readings: dict[str, str] = {}
        self.clauses: dict[str, None] = {}
        self._rulings: dict[tuple[int, Action], Ruling] = {}

    # -- the referee --

    def ruled(self, position: ValorPosition, action: Action) -> Ruling:
        """Return the referee's ruling on an action."""
        known = (id(position), action)  # the previous ruling keeps the position alive
        if known not in self._rulings:
            self._rulings[known] = self.rulebook.rule(position, action)
        return self._rulings[known]

    def take(self, position: ValorPosition, actions: Sequence[Action]) -> Ruling:
        """Return the last of some rulings, all of which must be legal."""
        for action in actions:
            ruling = self.ruled(position, action)
            if not ruling.is_legal:
                broken = ", ".join(v.clause for v in ruling.violations)
                raise InternalError(f"{format_action(action)} is advised, but breaks {broken}")
            self.readings.update(ruling.readings)
            position = ruling.after
        return ruling

    def follow(
        self, position: ValorPosition, steps: Sequence[LossStep]
    ) -> tuple[ValorPosition, list[str]]:
        """Return the position after legal steps, and the log lines."""
        actions = [action for step in steps for action in actions_of(step)]
        lines = [format_action(action) for action in actions]
        return (self.take(position, actions).after if actions else position), lines

    def closed(self, position: ValorPosition) -> None:
        """Raise InternalError if the referee finds points owed."""
        attack = attack_on(position)
        if attack is not None:
            raise InternalError(f"{attack.owed} points are left after what is advised")

    # -- allocations --

    def _value(self, losses: tuple[UnitLoss, ...]) -> Fraction:
        """Return the worth left after some losses."""
        return Fraction(value_of(self.whole, losses, self.scale), self.scale.one)

    def ordered(self, state: State, losses: tuple[UnitLoss, ...]) -> tuple[list[LossStep], State]:
        """Return legal steps that lead to losses."""
        found = in_order(self.course, state, losses)
        if found is None:
            raise InternalError(f"no legal order leads to {losses}")
        return found

    def allocation(self, found: Allocation) -> dict[str, Any]:
        """Return an allocation as plain data, replayed."""
        steps, _ = self.ordered(self.course.start(), found.losses)
        after, log = self.follow(self.scene.position, steps)
        self.closed(after)
        losses = self.losses(found.losses, steps)
        rolls = any(step.verb in FALLS for step in steps)
        return {
            "losses": losses, "points": found.points, "value": plain(self.value(found.losses)),
            "ways": found.ways, "rolls": rolls, "clauses": cited(losses), "log": log,
        }  # fmt: skip

    def losses(self, losses: Sequence[UnitLoss], steps: Sequence[LossStep]) -> list[dict[str, Any]]:
        """Return losses as plain data, and record their clauses."""
        found = losses_data(self.course, losses, steps)
        self.clauses.update(dict.fromkeys(cited(found)))
        return found

    # -- plans --

    def plan(self, plan: LossPlan) -> tuple[dict[str, Any], Fraction]:
        """Return a plan as plain data, with every branch replayed, and its average value."""
        start = self.course.start()
        return self._plan(plan, start, self.scene.position, [], ())

    def _plan(
        self,
        plan: LossPlan,
        state: State,
        position: ValorPosition,
        lines: list[str],
        before: tuple[LossStep, ...],
    ) -> tuple[dict[str, Any], Fraction]:
        steps, state = self.ordered(state, plan.losses)
        position, more = self.follow(position, steps)
        before = (*before, *steps)
        losses = self.losses(plan.losses, before)
        found: dict[str, Any] = {
            "losses": losses, "points": sum(loss.points for loss in plan.losses), "value": 0, "clauses": cited(losses),
            "log": [*lines, *more],
        }  # fmt: skip
        if plan.roll is None:
            self.closed(position)
            value = self.value(plan.losses)
            found["units"] = self.scene.cards(position)
        else:
            value = self._rolled(plan, state, position, found, before)
        found["value"] = plain(value)
        return found, value

    def _rolled(
        self,
        plan: LossPlan,
        state: State,
        position: ValorPosition,
        found: dict[str, Any],
        before: tuple[LossStep, ...],
    ) -> Fraction:
        """Write the roll of a plan and its branches, and return the average value."""
        roll = plan.roll
        assert roll is not None
        if roll.ignores:
            position, more = self.follow(position, [LossStep(roll.unit, "ignore")])
            state = self.course.after(state, LossStep(roll.unit, "ignore"))
            before = (*before, LossStep(roll.unit, "ignore"))
            found["log"] += more
        absorb = Absorb(roll.unit, roll.points)
        ruling = self.take(position, [absorb])
        found["log"].append(format_action(absorb))
        clause = ruling.obligations[0].clause
        self.clauses[clause] = None
        found["roll"] = {
            "unit": roll.unit, "points": roll.points, "ignores": roll.ignores,
            "chance": roll.chance, "of": DIE, "clause": clause,
        }  # fmt: skip
        value = Fraction(0)
        branches = (
            ("survived", plan.survived, roll.chance),
            ("failed", plan.failed, DIE - roll.chance),
        )
        for (name, branch, chance), verb in zip(branches, FALLS, strict=True):
            if branch is not None:
                step = LossStep(roll.unit, verb, roll.points)  # type: ignore[arg-type] # of two
                settle = actions_of(step)[1]
                after = self.take(ruling.after, [settle]).after
                there = self.course.after(state, step)
                found[name], worth = self._plan(
                    branch, there, after, [format_action(settle)], (*before, step)
                )
                value += worth * Fraction(chance, DIE)
        return value
