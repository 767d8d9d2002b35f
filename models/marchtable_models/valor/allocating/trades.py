"""The Pareto front of a stack, written out as plans."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from marchtable_models.valor.allocating.cargo import Fate
from marchtable_models.valor.allocating.listing import allocation_of
from marchtable_models.valor.allocating.pareto import Chain, Front, Rolled, marks_of
from marchtable_models.valor.allocating.plan import Plan
from marchtable_models.valor.allocating.course import DIE
from marchtable_models.valor.allocating.writing import Throw, rolling, standing_by

if TYPE_CHECKING:
    from marchtable_models.valor.allocating.listing import Chosen
    from marchtable_models.valor.allocating.pareto import How
    from marchtable_models.valor.allocating.planner import Left
    from marchtable_models.valor.allocating.stack import Choices, Stack

__all__ = ["Trade", "trades"]


class Trade(msgspec.Struct, frozen=True):
    """
    A plan that no other plan equals or beats in all three respects.

    Amounts are expected values in units of one over ``scale``: worth of the units left alive,
    worth of those able to act, and Casualty Points fulfilled beyond those owed. The plan's own
    ``value`` is its strength.
    """

    strength: int
    firepower: int
    wasted: int
    scale: int
    plan: Plan


def trades(stack: Stack, points: int, choices: Choices, ratio: int) -> list[Trade]:
    """Return the front, strongest first; worths must be whole, ``ratio`` of them making 1."""
    front = Front(stack, points, choices)
    finer: int = DIE ** len(front.rollers)
    strength = firepower = 0
    for member in stack.members:
        if stack.bar(stack.carrier(member) or member):
            more = marks_of(member, Fate(), was_pinned=stack.is_pinned(member))
            strength, firepower = strength + more[0], firepower + more[1]
    writer = _Writer(stack, front)
    found = []
    for marks, left, how in front.openings():
        kept = marks.strength + strength * finer
        able = marks.firepower + firepower * finer
        plan = writer.plan(how, left, (), kept)
        found.append(Trade(kept, able, -marks.thrift * ratio, finer * ratio, plan))
    return found


class _Writer:
    """Writes plans of one front."""

    def __init__(self, stack: Stack, front: Front) -> None:
        self.stack = stack
        self.front = front

    def plan(self, how: How, left: Left, done: Chosen, value: int) -> Plan:
        """Return the plan; units in ``left`` stand as their Passengers' losses leave them."""
        if not isinstance(how, Rolled):
            found = allocation_of(self.stack, done + _chosen(how))
            return Plan(found.losses, found.points, value, found.clauses)
        front, now = self.front, done
        for i, c in left:
            now += standing_by(*front.rollers[i], front.cargoes[i][c])
        rest = tuple(entry for entry in left if entry[0] != how.roller)

        def go_on(chosen: Chosen, held: bool) -> Plan:
            return self.plan(how.held if held else how.failed, rest, done + chosen, 0)

        throw = Throw(*front.rollers[how.roller], how.cargo, how.ignored, how.absorbed)
        return rolling(self.stack, throw, now, value, front.choices, go_on)


def _chosen(how: How) -> Chosen:
    found: Chosen = ()
    while isinstance(how, Chain):
        found = ((how.group, (how.ids,), (how.option,)), *found)
        how = how.before
    return found
