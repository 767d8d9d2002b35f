r"""CP-SAT statement of a whole plan: a tree of survival rolls with an ending at every node.

A node with probability :math:`p` either ends the matter or rolls for one vehicle or Gun; then its
two children are active. The objective is :math:`\sum p \cdot value`, in units of
:math:`6^{-rolls}` of the owner's, so that every coefficient is whole. The tree has 3 nodes for one
vehicle or Gun that rolls, 13 for two, 79 for three.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable_models.valor.allocating.cargo import Fate, cargoes_of, pinned_too
from marchtable_models.valor.allocating.groups import decisions, groups_of, standing
from marchtable_models.valor.allocating.listing import allocation_of
from marchtable_models.valor.allocating.plan import Plan
from marchtable_models.valor.allocating.course import DIE
from marchtable_models.valor.allocating.writing import Throw, rolling, standing_by
from marchtable_models.valor.cpsat.ending import Ending

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

    from marchtable_models.valor.allocating.cargo import Cargo, Group
    from marchtable_models.valor.allocating.groups import Option
    from marchtable_models.valor.allocating.listing import Chosen
    from marchtable_models.valor.allocating.stack import Choices, Stack
    from marchtable_models.valor.allocating.values import Scale
    from marchtable_models.valor.cpsat.ending import Offers

    Literal = Any
    Copy = tuple[Group, tuple[str, ...]]

__all__ = ["Tree"]


class Rolling(NamedTuple):
    """A roll at a node: its literal, what is ignored and absorbed, and the two children."""

    roller: int
    literal: Literal
    ignored: Any
    absorbed: Any
    held: Node
    failed: Node | None


class Node(NamedTuple):
    """A point of the plan: the vehicles and Guns not yet rolled for, the ending, the rolls."""

    left: tuple[int, ...]
    ending: Ending
    rolls: list[Rolling]


class Tree:
    """
    The model of the best plan for one stack.

    Parameters
    ----------
    stack
        With whole worths.
    """

    def __init__(
        self,
        model: cp_model.CpModel,
        stack: Stack,
        points: int,
        choices: Choices,
        scale: Scale,
    ) -> None:
        self.model = model
        self.stack = stack
        self.choices = choices
        self.scale = scale
        unpinned, pinned = groups_of(stack)
        copies = [(group, ids) for group, names in unpinned for ids in names]
        self.lone: list[Copy] = [copy for copy in copies if not copy[0].rolls]
        self.rollers: list[Copy] = [copy for copy in copies if copy[0].rolls]
        self.last: list[Copy] = [(group, ids) for group, names in pinned for ids in names]
        self.most = points
        self.terms: list[Any] = []
        self.cargoes: list[list[tuple[Literal, Cargo]]] = []
        self.finest = DIE ** len(self.rollers)
        self.root = self._root(points)
        model.maximize(sum(self.terms))

    # -- nodes --

    def _root(self, points: int) -> Node:
        every = tuple(range(len(self.rollers)))
        ends = self.model.new_bool_var("")
        first = [decisions(group, self.choices) for group, _ in (*self.lone, *self.rollers)]
        last = [decisions(group, self.choices) for group, _ in self.last]
        ending = Ending(self.model, first, last, points, ends)
        copies = (*self.lone, *self.rollers, *self.last)
        self._count(copies, ending, self.finest)
        spent: Any = 0
        for group, _ in self.rollers:
            offers = [
                (self.model.new_bool_var(""), cargo)
                for cargo in cargoes_of(group, self.choices)
                if not cargo.bare
            ]
            self.model.add(sum(x for x, _ in offers) + ends == 1)
            self.cargoes.append(offers)
            spent += sum(cargo.points * x for x, cargo in offers)
        rolls = self._rolls(every, points - spent, self.finest, spared=False)
        self.model.add(ends + sum(roll.literal for roll in rolls) == 1)
        return Node(every, ending, rolls)

    def _node(
        self, left: tuple[int, ...], owed: Any, active: Literal, weight: int, *, spared: bool
    ) -> Node:
        ends = self.model.new_bool_var("") if left else active
        first = [decisions(group, self.choices) for group, _ in self.lone]
        settled: list[list[Option]] = []
        for i in left:
            group = self.rollers[i][0]
            settled.append(
                [o for _, c in self.cargoes[i] for o in standing(group, c, self.choices)]
            )
        last = [decisions(group, self.choices) for group, _ in self.last]
        ending = Ending(self.model, [*first, *settled], last, owed, ends, may_lose_all=not spared)
        for place, i in enumerate(left):
            self._settle(i, ending.first[len(first) + place])
        copies = (*self.lone, *(self.rollers[i] for i in left), *self.last)
        self._count(copies, ending, weight)
        rolls = self._rolls(left, owed, weight, spared=spared)
        if left:
            self.model.add(ends + sum(roll.literal for roll in rolls) == active)
        return Node(left, ending, rolls)

    def _settle(self, i: int, offers: Offers) -> None:
        """Let only options be chosen that suit what befell a vehicle's Passengers."""
        literals = iter(offers)
        for x, cargo in self.cargoes[i]:
            for _ in standing(self.rollers[i][0], cargo, self.choices):
                self.model.add_implication(next(literals)[0], x)

    def _rolls(
        self, left: tuple[int, ...], owed: Any, weight: int, *, spared: bool
    ) -> list[Rolling]:
        return [self._roll(left, i, owed, weight, spared=spared) for i in left]

    def _roll(
        self, left: tuple[int, ...], i: int, owed: Any, weight: int, *, spared: bool
    ) -> Rolling:
        model, head = self.model, self.rollers[i][0].head
        literal = model.new_bool_var("")
        rest = tuple(j for j in left if j != i)
        able = int(head.shield and self.choices.ignored == "counts")
        ignored = model.new_int_var(0, able, "")
        absorbed = model.new_int_var(2, max(2, head.cr), "")
        if head.cr < 2:
            model.add(literal == 0)
        model.add(ignored + absorbed <= owed).only_enforce_if(literal)
        chance = min(head.cr, DIE)
        pins, lost = self._fates(i, literal, weight * chance // DIE)
        self.terms.append(pins)
        floor = -sum(unit.cr + 1 for group, _ in self.rollers for unit in group.units)
        held = self._child(literal, owed - ignored - absorbed, floor)
        held_node = self._node(rest, held, literal, weight * chance // DIE, spared=True)
        failed_node = None
        if head.cr < DIE:
            after = self._child(literal, owed - ignored - head.cr - lost, floor)
            share = weight * (DIE - chance) // DIE
            failed_node = self._node(rest, after, literal, share, spared=spared)
        return Rolling(i, literal, ignored, absorbed, held_node, failed_node)

    def _child(self, literal: Literal, owed: Any, floor: int) -> Any:
        """Return what is owed at a child, fixed only if the roll is made."""
        variable = self.model.new_int_var(floor, self.most, "")
        self.model.add(variable == owed).only_enforce_if(literal)
        return variable

    def _fates(self, i: int, literal: Literal, weight: int) -> tuple[Any, Any]:
        """Return what a vehicle is worth pinned, and the Casualty Ratings lost with it."""
        group = self.rollers[i][0]
        pins: Any = 0
        lost: Any = 0
        picked = []
        for x, cargo in self.cargoes[i]:
            both = self.model.new_bool_var("")
            self.model.add_implication(both, x)
            picked.append(both)
            fates = (Fate("survived"), *map(pinned_too, cargo.fates))
            pins += weight * self.scale.group(group, fates) * both
            lost += cargo.left * both
        self.model.add(sum(picked) == literal)
        return pins, lost

    def _count(self, copies: tuple[Copy, ...], ending: Ending, weight: int) -> None:
        offers = (*ending.first, *ending.last)
        for (group, _), choice in zip(copies, offers, strict=True):
            for x, option in choice:
                self.terms.append(weight * self.scale.group(group, option.fates) * x)

    # -- answers --

    def plan(self, solver: cp_model.CpSolver, value: int) -> Plan:
        """Return the plan of a solution, with its expected value."""
        return self._write(self.root, solver, (), value)

    def _write(self, node: Node, solver: cp_model.CpSolver, done: Chosen, value: int) -> Plan:
        roll = next((r for r in node.rolls if solver.boolean_value(r.literal)), None)
        if roll is None:
            copies = (*self.lone, *(self.rollers[i] for i in node.left), *self.last)
            options = node.ending.chosen(solver)
            chosen = tuple(
                (group, (ids,), (option,))
                for (group, ids), option in zip(copies, options, strict=True)
            )
            found = allocation_of(self.stack, done + chosen)
            return Plan(found.losses, found.points, value, found.clauses)
        return self._write_roll(node, roll, solver, done, value)

    def _write_roll(
        self, node: Node, roll: Rolling, solver: cp_model.CpSolver, done: Chosen, value: int
    ) -> Plan:
        cargoes = {
            i: next(cargo for x, cargo in self.cargoes[i] if solver.boolean_value(x))
            for i in node.left
        }
        now = done
        for i in node.left:
            now += standing_by(*self.rollers[i], cargoes[i])
        absorbed, ignored = solver.value(roll.absorbed), solver.value(roll.ignored)
        throw = Throw(*self.rollers[roll.roller], cargoes[roll.roller], ignored, absorbed)

        def go_on(chosen: Chosen, held: bool) -> Plan:
            child = roll.held if held else roll.failed
            assert child is not None
            return self._write(child, solver, done + chosen, 0)

        return rolling(self.stack, throw, now, value, self.choices, go_on)
