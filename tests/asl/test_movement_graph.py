"""The movement graph of Infantry and vehicles at each moment of their MPh, and its cache."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import networkx as nx
import pytest

from marchtable.cache import cached_bytes, clear_caches
from marchtable.planning.paths import actions_of, paths
from marchtable.reachability.graph import Movement
from marchtable.reachability.movement import movement_graph
from marchtable.reachability.reach import reach
from marchtable.rules.clause import without
from tests.asl.boards import ASL, field, foot, place, vehicle
from tests.asl.transport_cases import TYPES

if TYPE_CHECKING:
    from collections.abc import Callable

    from marchtable.state.position import Position

LANE: dict[str, dict[str, Any]] = {f"A{row}": {} for row in range(1, 6)}
ROAD = {f"A{row}-A{row + 1}": {"road": "Dirt Road"} for row in range(1, 5)}
GROVE = {**LANE, "A3": {"terrain": "Orchard"}}


def on_foot() -> Position[Any, Any]:
    """Return a squad that has not begun."""
    return place(field(LANE), foot("u", at="A1"))


def boarded() -> Position[Any, Any]:
    """Return a lorry left by a unit that boarded it."""
    return place(
        field(LANE), vehicle("u", "opel-blitz", "A1", moving=False), foot("p", at="A1", aboard="u")
    )


def alighted() -> Position[Any, Any]:
    """Return a squad that has left a vehicle, with one MF of four left."""
    return place(field(LANE), foot("u", at="A2", spent=6, used=6, mph="moving"))


def with_rider() -> Position[Any, Any]:
    """Return a tank with a Rider in front of an orchard."""
    tank = vehicle("u", "panzer", "A1", facing="SSE", moving=True)
    return place(
        field(GROVE), tank, foot("r", at="A1", aboard="u", riding=True), types=TYPES, year=1943
    )


def led() -> Position[Any, Any]:
    """Return a squad under way with a leader."""
    leader = foot("l", "leader", at="A2", spent=2, used=2, mph="moving")
    return place(
        field(LANE), foot("u", at="A2", spent=2, used=2, mph="moving", leaders=("l",)), leader
    )


def coming_on() -> Position[Any, Any]:
    """Return a squad waiting off the map."""
    return place(field(LANE), foot("u", at=None, entering=("A1",)))


MOMENTS = (on_foot, boarded, alighted, with_rider, led, coming_on)


@pytest.mark.parametrize("moment", MOMENTS)
def test_shortest_paths_are_what_reach_finds(moment: Callable[[], Position[Any, Any]]) -> None:
    """Paths by label setting, by networkx and by reach agree, and are legal."""
    position = moment()
    (found,) = reach(position, ["u"], rolls="avoid")
    movement = Movement(position, "u", "avoid")
    result = {label.node: label for label in paths(movement)}
    graph = movement_graph(position, "u", rolls="avoid")
    before = ASL.spent(position.unit("u"))
    lengths = nx.single_source_dijkstra_path_length(graph, graph.graph["start"], weight="points")

    places = {(place.at, place.mode): place.spent for place in found.places}
    assert len(places) > 1
    assert {node: label.spent for node, label in result.items()} == places
    assert {node: before + n for node, n in lengths.items() if node[0]} == places
    for node, label in result.items():
        here = position
        for action in actions_of(movement, label):
            ruling = ASL.rule(here, action)
            assert ruling.is_legal
            here = ruling.after
        unit = here.unit("u")
        assert ((unit.at, ASL.mode(unit)), ASL.spent(unit)) == (node, label.spent)


def test_riders_bar_an_orchard() -> None:
    """With a Rider aboard edges enter an orchard only by its road (D6.21a, b); alone the tank enters."""
    position = with_rider()
    alone = place(field(GROVE), position.unit("u"), types=TYPES, year=1943)
    road = place(field(GROVE, ROAD), *position.units, types=TYPES, year=1943)
    found = [
        {at for at, _ in movement_graph(one, "u", rolls="avoid")} for one in (position, alone, road)
    ]
    assert ["A3" in hexes for hexes in found] == [False, True, True]


def test_threats_are_traded_against_points() -> None:
    """Of two ways to a Location, neither beats the other; a Location to avoid is not entered."""
    names = ("A1", "A2", "B1", "B2")
    board = field({name: {"terrain": "Woods"} if name == "B1" else {} for name in names})
    position = place(board, foot("u", at="A1"))
    movement = Movement(position, "u", "avoid")
    found = {(one.node[0], one.spent, one.exposure) for one in paths(movement, {"A2": 1})}
    assert {(at, met) for at, _, met in found if at == "B2"} == {("B2", 1), ("B2", 0)}
    assert not [one for one in paths(movement, avoid=["A2"]) if one.node[0] == "A2"]


def test_units_that_are_alike_share_a_graph_that_is_kept() -> None:
    """Two squads, and another question, share one graph; its bytes count, and it is cleared with the cache."""
    clear_caches()
    position = place(field(LANE), foot("u", at="A1"), foot("v", at="A1"))

    def graph(name: str) -> Any:
        here = place(position.board, *position.units)  # which knows no question
        movement = Movement(here, name, "avoid")
        before = cached_bytes()
        found = [*paths(movement)]
        reach(place(position.board, *position.units), [name], rolls="avoid")  # which includes it
        return movement._shared, len(found), cached_bytes() - before  # noqa: SLF001 - nobody else's

    shared, count, grown = graph("u")
    assert count > 1
    assert grown >= shared.nbytes > 0
    assert graph("v") == (shared, count, 0)
    clear_caches()
    assert graph("u")[0] is not shared


def test_what_is_off_is_off_in_the_graph() -> None:
    """With a clause off the graph differs: woods then cost nothing (B13)."""
    position = place(field({"A1": {}, "A2": {"terrain": "Woods"}}), foot("u", at="A1"))

    def cost() -> int:
        edges: Any = movement_graph(position, "u").out_edges(data="points")
        return min(int(points) for at, to, points in edges if (at[0], to[0]) == ("A1", "A2"))

    before = cost()
    with without("B13"):
        assert cost() < before
    assert cost() == before == 4
