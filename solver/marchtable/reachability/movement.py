"""What a unit may do, as a graph: states of the unit, and the steps that lead from one to another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.budget import look
from marchtable.errors import InternalError
from marchtable.files.notation import format_action
from marchtable.reachability.reach import Reach, query_of
from marchtable.reachability.space import nowhere
from marchtable.rules.rolls import passed, without_rolls
from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    import networkx as nx

    from marchtable.reachability.reach import Query
    from marchtable.rules.clause import Charge
    from marchtable.state.action import Action
    from marchtable.state.position import Position

    State = tuple[str | None, Hashable]

__all__ = ["movement_graph"]


class _Way(NamedTuple):
    """What a unit does, where that leads, what it pays for and what it must pass."""

    actions: tuple[Action, ...]
    to: State
    charges: tuple[Charge, ...]
    rolls: tuple[str, ...]
    after: Position[Any, Any]


def movement_graph(
    position: Position[Any, Any], unit: str, *, rolls: str = "pass"
) -> nx.MultiDiGraph[State]:
    """
    Return what a unit may do, moving alone, as a frozen networkx graph.

    It is what :func:`reach` searches, each step ruled on where its cheapest way leads to, so a
    shortest path by ``points`` is a cheapest way.

    Parameters
    ----------
    position
        Where the game stands; a pending roll is taken as passed.
    unit
        Id of the unit.
    rolls
        ``"pass"`` takes each roll as passed, ``"avoid"`` leaves out steps that call for one.

    Returns
    -------
    networkx.MultiDiGraph
        The nodes are the states within reach, (Location, mode); off the map the Location is None.
        Each has ``spent`` and ``left``: the fewest half points spent there, those left of the
        allotment then.

        The edges are the steps that can be paid for by who has come the cheapest way, their keys
        what the log says. Each has ``points`` (half points; of a step that takes all there is, as
        ``takes_all`` tells, what is left by the cheapest way), ``actions``, ``charges`` (what
        clauses charged, by their ids) and ``rolls`` (clauses whose rolls it takes as passed; the
    actions settle them so).

        The graph's attributes: ``start``, the node where the unit is now; ``unsupported``, clauses
        not modelled that bear on a step within reach.

    Raises
    ------
    UnknownNameError
        If there is no such unit.
    InternalError
        If the referee does not agree with the search.
    """
    import networkx as nx

    position = without_rolls(position)
    query = query_of(position, unit, rolls=rolls)
    found = nowhere()
    if query.starts:
        (found,) = query.space.search([query.starts], [query.costs], [query.limits])
    reached = Reach(position, query, found)
    rulebook, mover = find_rulebook(position.rulebook), position.unit(unit)
    start: State = (mover.at, rulebook.mode(mover))
    graph: nx.MultiDiGraph[State] = nx.MultiDiGraph(start=start, unsupported=reached.unsupported)
    if mover.at is None:
        graph.add_node(start, spent=rulebook.spent(mover), left=rulebook.allotment(position, mover))
    for place in reached.places:
        graph.add_node((place.at, place.mode), spent=place.spent, left=place.left)
    for before, way, takes_all in _steps(position, query, reached):
        graph.add_edge(
            before,
            way.to,
            "; ".join(map(format_action, way.actions)),
            points=rulebook.spent(way.after.unit(unit)) - graph.nodes[before]["spent"],
            actions=way.actions,
            charges=way.charges,
            rolls=way.rolls,
            takes_all=takes_all,
        )
    nx.freeze(graph)
    return graph


def _steps(
    position: Position[Any, Any], query: Query, reached: Reach
) -> Iterator[tuple[State, _Way, bool]]:
    """Yield the steps out of each state, cheapest first: from where, what, whether it takes all there is."""
    found, space, unit = reached.found, query.space, query.unit
    rows, numbers = found.rows.tolist(), found.state.tolist()
    spent = dict(zip(rows, found.spent.tolist(), strict=True))
    most = {row: _most(query, state) for row, state in zip(rows, numbers, strict=True)}
    states = {row: (p.at, p.mode) for row, p in zip(rows, reached.places, strict=True)}
    came_by = dict(zip(rows, found.arc.tolist(), strict=True))
    number = dict(zip(rows, numbers, strict=True))
    positions: dict[State, Position[Any, Any]] = {}
    if query.arrivals is None:
        positions[states[rows[0]]] = position
    else:
        start: State = (None, find_rulebook(position.rulebook).mode(unit))
        for at, arrival in query.arrivals.ways.items():
            way = _ruled(position, arrival.actions, at, unit.id)
            positions[at] = way.after
            yield start, way, False
    arrays = space.space
    for row in rows:
        look()
        before = states[row]
        for arc in range(int(arrays.first[row]), int(arrays.last[row])):
            to, takes_all = int(arrays.target[arc]), arc >= int(arrays.middle[row])
            if to not in states or spent[row] + (0 if takes_all else space.cost(arc)) > most[to]:
                continue
            actions = space.actions_on(arc, number[to], unit.id)
            way = _ruled(positions[before], actions, states[to], unit.id)
            if came_by[to] == arc:
                positions[way.to] = way.after
            yield before, way, takes_all


def _most(query: Query, state: int) -> int:
    """Return the half points that may be spent at most on arrival in a state."""
    limit = query.space.limit(state)
    return limit if query.limits is None else query.limits.of(state // query.space.width, limit)


def _ruled(position: Position[Any, Any], actions: Sequence[Action], to: State, unit: str) -> _Way:
    """Return the referee's ruling on a step, with its rolls settled as passed."""
    rulebook = find_rulebook(position.rulebook)
    charges: list[Charge] = []
    rolls: list[str] = []
    log: list[Action] = []
    for action in actions:
        ruling = rulebook.rule(position, action)
        if not ruling.is_legal:
            raise InternalError(f"an illegal step in a graph: {action} in {position.key()}")
        charges += [c for r in ruling.receipts if r.unit == unit for c in r.charges]
        rolls += [obligation.clause for obligation in ruling.obligations]
        settled = passed(ruling.after)
        if settled is None:
            raise InternalError(f"a roll that cannot be passed in a graph: {action}")
        log += [action, *settled.events]
        position = settled.position
    moved = position.unit(unit)
    if (moved.at, rulebook.mode(moved)) != to:
        raise InternalError(f"a step leads to {moved.at}, in a graph to {to[0]}: {position.key()}")
    return _Way(tuple(log), to, tuple(charges), tuple(rolls), position)
