"""Where the vehicles of a Convoy can be after so many Impulses for so much: what no solver need ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl.cpsat.convoyfield import OFF, image, preimage

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from marchtable_models.asl.cpsat.convoyfield import Field

__all__ = ["Layers", "Node", "forward", "narrowed", "settled"]

Node = tuple[int, ...]
"""A set of states for each vehicle, front first."""
Layer = dict[int, Node]
"""Nodes by what is spent."""


class Layers:
    """
    Nodes by Impulses made and half points spent.

    Parameters
    ----------
    active
        Where the vehicles can be on the way.
    ends
        Where they can be when the plan ends there.
    """

    def __init__(self, active: list[Layer], ends: list[Layer]) -> None:
        self.active, self.ends = active, ends

    def __bool__(self) -> bool:
        return any(self.ends)


def settled(field: Field, entering: Sequence[int | None], node: Node) -> Node | None:
    """Return a node with only states in which every vehicle has its neighbours beside it."""
    sets = list(node)
    last = len(sets) - 1
    for i in range(last):
        if entering[i + 1] is None:
            continue
        allowed = field.behind(field.hexes_of(sets[i]), entering[i + 1])
        sets[i + 1] &= field.states_in(allowed)
    for i in range(last, 0, -1):
        if entering[i] is None:
            continue
        allowed = field.before(field.hexes_of(sets[i]), entering[i])
        sets[i - 1] &= field.states_in(allowed)
    return tuple(sets) if all(sets) else None


def _next(field: Field, node: Node) -> list[tuple[int, Node]]:
    """Return what an Impulse leads to, by its cost: the dearest step that somebody takes."""
    kinds: dict[int, list[int]] = {}
    for i, states in enumerate(node):
        for kind, arcs in field.arcs[i].items():
            if there := image(arcs, states):
                kinds.setdefault(kind.cost, [0] * len(node))[i] |= there
    found, sets = [], list(node)
    for cost in sorted(kinds):
        sets = [a | b for a, b in zip(sets, kinds[cost], strict=True)]
        found.append((cost, tuple(sets)))
    return found


def forward(
    field: Field,
    entering: Sequence[int | None],
    most: int,
    budget: int,
    within: Sequence[Layer] | None = None,
) -> list[Layer]:
    """Return where the vehicles can be, step by step from where they stand."""
    layers: list[Layer] = [{0: tuple(field.starts)}]
    for t in range(1, most + 1):
        nodes: Layer = {}
        for spent, node in layers[-1].items():
            for cost, reached in _next(field, node):
                total = spent + cost
                if total > budget:
                    break
                kept: Node | None = reached
                if within is not None:
                    limits = within[t].get(total)
                    kept = None if limits is None else _both(reached, limits)
                if kept is not None:
                    nodes[total] = _union(nodes.get(total), kept)
        nodes = _settled(field, entering, nodes)
        layers.append(nodes)
    return layers


def _settled(field: Field, entering: Sequence[int | None], nodes: Layer) -> Layer:
    return {
        spent: kept
        for spent, node in nodes.items()
        if (kept := settled(field, entering, node)) is not None
    }


def _both(a: Node, b: Node) -> Node | None:
    found = tuple([x & y for x, y in zip(a, b, strict=True)])
    return found if all(found) else None


def _union(a: Node | None, b: Node) -> Node:
    return b if a is None else tuple([x | y for x, y in zip(a, b, strict=True)])


def backward(
    field: Field, entering: Sequence[int | None], active: Sequence[Layer], ends: Sequence[Layer]
) -> list[Layer]:
    """Return what of the layers lies on a way to an end."""
    layers: list[Layer] = [{} for _ in active]
    for t in range(len(active) - 1, -1, -1):
        found: Layer = dict(ends[t])
        here = active[t]
        for spent, node in layers[t + 1].items() if t + 1 < len(active) else ():
            for cost, before in _before(field, node, [spent - s for s in here]):
                kept = _both(here[spent - cost], before)
                if kept is not None:
                    found[spent - cost] = _union(found.get(spent - cost), kept)
        layers[t] = _settled(field, entering, found)
    return layers


def _before(field: Field, node: Node, wanted: Sequence[int]) -> list[tuple[int, Node]]:
    """Return from where Impulses of some costs, or cheaper moves, lead there."""
    sets, found = list(node), []
    tables = [list(arcs.items()) for arcs in field.arcs]
    done = [0] * len(node)
    for cost in sorted(wanted):
        if cost <= 0:
            continue
        for i, table in enumerate(tables):
            while done[i] < len(table) and table[done[i]][0].cost <= cost:
                sets[i] |= preimage(table[done[i]][1], node[i])
                done[i] += 1
        found.append((cost, tuple(sets)))
    return found


def narrowed(
    field: Field,
    entering: Sequence[int | None],
    active: list[Layer],
    fits: Callable[[int, int, Node], Sequence[Node]],
    budget: int,
) -> Layers | None:
    """
    Return what lies on a way from the start to an end, as far as neighbours tell; None if nothing.

    Parameters
    ----------
    field, entering
        The states, and the hexes by which each vehicle comes on.
    active
        Where the vehicles can be.
    fits
        What of a node may end the plan, in alternatives, told the Impulses and what is spent.
    budget
        What may be spent, in half points.
    """
    ends: list[Layer] = [{} for _ in active]
    for t, nodes in enumerate(active):
        for spent, node in nodes.items():
            for final in fits(t, spent, node):
                alone = _apart(field, final)
                kept = alone and settled(field, entering, alone)
                if kept:
                    ends[t][spent] = _union(ends[t].get(spent), kept)
    if not any(ends):
        return None
    while any(ends):
        back = backward(field, entering, active, ends)
        if not back[0]:
            return None
        ahead = forward(field, entering, len(active) - 1, budget, back)
        ends = [
            {
                spent: kept
                for spent, node in layer.items()
                if spent in ahead[t] and (kept := _both(node, ahead[t][spent]))
            }
            for t, layer in enumerate(ends)
        ]
        if _size(ahead) == _size(active):
            break
        active = ahead
    return Layers(active, ends) if any(ends) else None


def _apart(field: Field, node: Node) -> Node | None:
    """Return a node without the hexes in which another vehicle is for sure."""
    sets = list(node)
    hexes = [field.hexes_of(states) for states in sets]
    for i, cells in enumerate(hexes):
        if cells & (cells - 1) == 0 and cells != OFF:
            taken = field.states_in(cells)
            sets = [s if j == i else s & ~taken for j, s in enumerate(sets)]
    return tuple(sets) if all(sets) else None


def _size(layers: Sequence[Layer]) -> int:
    return sum(s.bit_count() for layer in layers for node in layer.values() for s in node)
