"""A unit's possible actions as a graph of its states and the steps between them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.arguments import public
from marchtable.errors import InternalError
from marchtable.files.notation import format_action
from marchtable.reachability.graph import Movement
from marchtable.rules.rolls import passed, without_rolls
from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    import networkx as nx

    from marchtable.reachability.graph import Step
    from marchtable.rules.clause import Charge
    from marchtable.state.action import Action
    from marchtable.state.position import Position

    State = tuple[str | None, Hashable]

__all__ = ["movement_graph"]


@public
def movement_graph(
    position: Position[Any, Any], unit: str, *, rolls: str = "pass"
) -> nx.MultiDiGraph[State]:
    """
    Return the possible movement of a unit, alone, as a frozen networkx graph.

    It is the graph that :func:`reach` and the planners search, so a shortest path by ``points`` is
    a cheapest way.

    Parameters
    ----------
    position
        The position; a pending roll is assumed passed.
    unit
        Id of the unit.
    rolls
        ``"pass"`` assumes that rolls succeed, ``"avoid"`` leaves out steps that require one.

    Returns
    -------
    networkx.MultiDiGraph
        The nodes are the states within reach, (Location, mode); off the map the Location is None.
        Each has ``spent`` and ``left``: the fewest half points spent there, and those then left of
        the allotment.

        The edges are the steps that a unit arriving the cheapest way can pay for; their keys are
        log lines. Each has ``points`` (half points; for a step that takes everything, as
        ``takes_all`` says, what is left by the cheapest way), ``actions``, ``charges`` (by clause
        id; judged when they are accessed) and ``rolls`` (clauses whose rolls are assumed passed;
        the actions settle them so).

        The graph's attributes: ``start``, the unit's present node; ``unsupported``, unmodelled
        clauses that apply to steps within reach.

    Raises
    ------
    UnknownNameError
        If there is no such unit.
    InternalError
        If the referee does not agree with the search.
    """
    import networkx as nx

    position = without_rolls(position)
    movement = Movement(position, unit, rolls)
    reached = movement.reached
    rulebook, mover = find_rulebook(position.rulebook), position.unit(unit)
    start: State = (mover.at, rulebook.mode(mover))
    graph: nx.MultiDiGraph[State] = nx.MultiDiGraph(start=start, unsupported=reached.unsupported)
    rulings = _Rulings(position, movement, start)
    if movement.comes_on:
        graph.add_node(start, spent=rulebook.spent(mover), left=rulebook.allotment(position, mover))
    for edge in rulings.first:
        _join(graph, rulings, start, edge)
    for place in reached.places:
        graph.add_node((place.at, place.mode), spent=place.spent, left=place.left)
    for place in reached.places:
        node = (place.at, place.mode)
        for step in movement.out(node):
            after = movement.after(place.spent, step)
            if after is not None:
                actions, rolled = movement.actions(step), movement.rolls(step)
                edge = _Edge(step.to, after[0] - place.spent, actions, rolled, step)
                _join(graph, rulings, node, edge)
    nx.freeze(graph)
    return graph


class _Edge(NamedTuple):
    """A step's target, cost, actions and required rolls."""

    to: State
    points: int
    actions: tuple[Action, ...]
    rolls: tuple[str, ...]
    step: Step | None = None

    @property
    def takes_all(self) -> bool:
        """Whether it takes all that is left."""
        return self.step is not None and self.step.takes_all


def _join(graph: nx.MultiDiGraph[State], rulings: _Rulings, node: State, edge: _Edge) -> None:
    """Add a step to the graph; steps with rolls are judged, because their actions settle them."""
    charges = _Charges(lambda: rulings.of(node, edge).charges)
    actions = rulings.of(node, edge).actions if edge.rolls else edge.actions
    graph.add_edge(
        node, edge.to, "; ".join(map(format_action, actions)), points=edge.points, actions=actions,
        charges=charges, rolls=edge.rolls, takes_all=edge.takes_all,
    )  # fmt: skip


class _Charges(Sequence["Charge"]):
    """The charges of clauses for a step, computed when accessed."""

    def __init__(self, find: Callable[[], tuple[Charge, ...]]) -> None:
        self._find = find

    @cached_property
    def _charges(self) -> tuple[Charge, ...]:
        return self._find()

    def __len__(self) -> int:
        return len(self._charges)

    def __getitem__(self, number: Any) -> Any:
        return self._charges[number]

    def __repr__(self) -> str:
        return repr(self._charges)


class _Ruled(NamedTuple):
    """The ruling on a step: all actions, rolls settled as passed, charges, the position after."""

    actions: tuple[Action, ...]
    charges: tuple[Charge, ...]
    after: Position[Any, Any]


class _Rulings:
    """
    The referee's rulings on steps, each from its first state on the cheapest way.

    Parameters
    ----------
    position, movement, start
        The position, the unit's movement, and its starting state.

    Attributes
    ----------
    first
        The steps by which the unit enters the map, or that only its present position allows.
    """

    def __init__(self, position: Position[Any, Any], movement: Movement, start: State) -> None:
        self._movement, self._rulebook = movement, find_rulebook(position.rulebook)
        self._known: dict[State, Position[Any, Any]] = {start: position}
        spent = self._rulebook.spent(position.unit(movement.unit))
        self.first = [
            _Edge(one.node, one.spent - spent, one.actions, one.rolls)
            for one in movement.starts
            if one.actions
        ]
        for edge in self.first:
            self._known[edge.to] = self.of(start, edge).after

    def of(self, node: State, edge: _Edge) -> _Ruled:
        """Return the referee's ruling on a step."""
        position = self._before(node)
        unit, charges, log = self._movement.unit, list[Any](), list[Any]()
        spent = self._rulebook.spent(position.unit(unit))
        for action in edge.actions:
            ruling = self._rulebook.rule(position, action)
            if not ruling.is_legal:
                raise InternalError(f"an illegal step in a graph: {action} in {position.key()}")
            charges += [c for r in ruling.receipts if r.unit == unit for c in r.charges]
            settled = passed(ruling.after)
            if settled is None:
                raise InternalError(f"a roll that cannot be passed in a graph: {action}")
            log += [action, *settled.events]
            position = settled.position
        moved = position.unit(unit)
        came = (moved.at, self._rulebook.mode(moved)), self._rulebook.spent(moved) - spent
        if came != (edge.to, edge.points):
            raise InternalError(
                f"a step comes to {came}, in a graph to {edge[:2]}: {position.key()}"
            )
        return _Ruled(tuple(log), tuple(charges), position)

    def _before(self, node: State) -> Position[Any, Any]:
        """Return the position when the unit has reached a node by the cheapest way."""
        if node not in self._known:
            before, edge = self._came[node]
            self._known[node] = self.of(before, edge).after
        return self._known[node]

    @cached_property
    def _came(self) -> dict[State, tuple[State, _Edge]]:
        """The step, and its origin, by which each node is reached the cheapest way."""
        reached, movement = self._movement.reached, self._movement
        places = {place.number: place for place in reached.places}
        numbers = reached.found.index
        found: dict[State, tuple[State, _Edge]] = {}
        rows = zip(reached.found.parent.tolist(), reached.found.arc.tolist(), strict=True)
        for number, (parent, arc) in enumerate(rows):
            if parent >= 0:
                before, after = places[numbers[parent]], places[number]
                node = (before.at, before.mode)
                step = next(one for one in movement.out(node) if one.arc == arc)
                points = after.spent - before.spent
                edge = _Edge(step.to, points, movement.actions(step), (), step)
                found[after.at, after.mode] = (node, edge)
        return found
