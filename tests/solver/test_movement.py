"""The movement graph: networkx's own algorithms on it agree with reach."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import networkx as nx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from marchtable.errors import UnknownNameError
from marchtable.files.scenes import load
from marchtable.reachability.movement import movement_graph
from marchtable.reachability.reach import reach
from marchtable.rules.generator import candidates
from marchtable.rules.referee import check
from marchtable.rules.rolls import passed
from tests.grids import grid_board
from tests.panzer.strategies import panzer_positions
from tests.solver.test_reach import FOOT, ROLLS, asl, squad
from tests.strategies import VEHICLES, asl_positions, in_play, rulebook, toy_positions
from tests.toy_scene import scene
from tests.valor import marches_cases

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable.state.position import Position

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"
few = settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=20)


def check_graph(position: Position[Any, Any], unit: str, rolls: str = "pass") -> None:
    """Check networkx's shortest paths against reach, and the dearest against the referee."""
    position = msgspec.structs.replace(position, pending=())  # taken as passed
    (found,) = reach(position, [unit], rolls=rolls)
    graph = movement_graph(position, unit, rolls=rolls)
    start, book = graph.graph["start"], rulebook(position)
    before = book.spent(position.unit(unit))

    searched: Any = nx.single_source_dijkstra(graph, start, weight="points")
    lengths, paths = searched

    result = {(place.at, place.mode): place.spent for place in found.places}
    assert {node: before + length for node, length in lengths.items() if node[0]} == result
    assert {node: data["spent"] for node, data in graph.nodes(data=True) if node[0]} == result
    assert graph.graph["unsupported"] == found.unsupported
    rolled = {clause for *_, step in graph.edges(data=True) for clause in step["rolls"]}
    assert not (rolled and rolls == "avoid")
    *_, last = paths
    actions = []
    for a, b in nx.utils.pairwise(paths[last]):
        step = min(graph[a][b].values(), key=lambda one: one["points"])
        actions += step["actions"]
    verdict = check(position, actions)
    assert verdict.status == "LEGAL"
    if actions:
        assert book.spent(verdict.rulings[-1].after.unit(unit)) == before + lengths[last]


def hold(position: Position[Any, Any], unit: str, graph: Any, rolls: str) -> None:
    """Check nodes, edges and points against ``rule`` on every step out of every node."""
    book = rulebook(position)
    here: dict[Any, Any] = {graph.graph["start"]: position}
    cheapest = sorted(graph.nodes(data="spent"), key=lambda one: one[1])
    for node, spent in cheapest:
        steps: dict[Any, int] = {}
        for _, to, data in graph.out_edges(node, data=True):
            found = to, data["points"]
            after = here[node]
            for action in data["actions"]:
                after = book.rule(after, action).after
            moved = after.unit(unit)
            assert ((moved.at, book.mode(moved)), book.spent(moved)) == (
                to, book.spent(here[node].unit(unit)) + data["points"],
            )  # fmt: skip
            assert sum(charge.amount for charge in data["charges"]) <= data["points"]
            if found[1] + spent == graph.nodes[to]["spent"]:
                here.setdefault(to, after)
            steps[to] = min(found[1], steps.get(to, found[1]))
        if node[0] is not None:
            for to, points in by_ruling(here[node], unit, graph, rolls):
                assert steps[to] <= points


def by_ruling(
    position: Position[Any, Any], unit: str, graph: Any, rolls: str
) -> Iterator[tuple[Any, int]]:
    """Yield the results of single actions that ``rule`` allows, with costs, rolls passed."""
    book, mover = rulebook(position), position.unit(unit)
    verbs = book.travel_in(position, mover)
    for action in candidates(book, position, mover, verbs, free=False):
        ruling = book.rule(position, action)
        settled = passed(ruling.after) if ruling.is_legal and not ruling.unsupported else None
        if settled is None or (ruling.obligations and rolls == "avoid"):
            continue
        moved = settled.position.unit(unit)
        node = (moved.at, book.mode(moved))
        if node in graph:
            yield node, book.spent(moved) - book.spent(mover)


@settings(few, max_examples=4)
@given(
    st.one_of(
        in_play(toy_positions()),
        in_play(asl_positions(first=(*FOOT, *VEHICLES), largest=2)),
        in_play(panzer_positions(largest=3)),
    ),
    ROLLS,
)
def test_every_edge_is_ruled_on(position: Position[Any, Any], rolls: str) -> None:
    """Compiled nodes, edges and points equal those of asking ``rule`` about every step."""
    for unit in position.units:
        if unit.at:
            hold(position, unit.id, movement_graph(position, unit.id, rolls=rolls), rolls)


@pytest.mark.parametrize("seed", range(3))
def test_every_edge_of_marches_is_ruled_on(seed: int) -> None:
    """The same for Valor & Victory."""
    case = marches_cases.drawn(seed)
    assert case is not None
    for unit in case.position.units:
        if unit.at:
            hold(case.position, unit.id, movement_graph(case.position, unit.id), "pass")


@few
@given(in_play(toy_positions()), ROLLS)
def test_toy(position: Position[Any, Any], rolls: str) -> None:
    """A walker's cheapest ways are shortest paths."""
    for unit in position.units:
        if unit.at:
            check_graph(position, unit.id, rolls)


@few
@given(in_play(asl_positions(first=(*FOOT, *VEHICLES), largest=4)), ROLLS)
def test_asl(position: Position[Any, Any], rolls: str) -> None:
    """The same for Infantry, Cavalry and vehicles, at any moment of a MPh."""
    for unit in position.units:
        check_graph(position, unit.id, rolls)


@few
@given(in_play(panzer_positions(largest=6)))
def test_panzer(position: Position[Any, Any]) -> None:
    """The same for every unit of PanzerBlitz."""
    for unit in position.units:
        check_graph(position, unit.id)


@pytest.mark.slow
def test_off_the_map() -> None:
    """Units off the map enter by the edges out of one state; carried units go nowhere."""
    position = load(EXAMPLES / "reinforcements.toml")
    for unit in position.units:
        check_graph(position, unit.id)


def test_charges_name_their_clauses() -> None:
    """An edge says what each clause charges for the step."""
    board = grid_board(1, 2, [{}, {"terrain": "Woods"}])
    graph = movement_graph(asl(board, squad("sq")), "sq")

    (step,) = [
        data
        for a, b, data in graph.edges(data=True)
        if (a, b[0]) == (graph.graph["start"], "A2") and not data["takes_all"]
    ]

    assert step["points"] == 4
    assert sum(charge.amount for charge in step["charges"]) == 4
    assert {charge.clause for charge in step["charges"]} == {"B13"}


def test_frozen() -> None:
    """The graph cannot be changed."""
    graph = movement_graph(scene(), "w0")

    with pytest.raises(nx.NetworkXError, match="rozen"):
        graph.add_node(("A1", "elsewhere"))


def test_unknown_unit() -> None:
    """An unknown name is rejected."""
    with pytest.raises(UnknownNameError, match="w9"):
        movement_graph(scene(), "w9")
