"""Boards: their answers, their equality, and what they reject."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

import msgspec
import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marchtable.board.board import STEPS, Board, BoardFile, EdgeRecord, Hexside, Location
from marchtable.errors import BadInputError, UnknownNameError
from tests.grids import grid_board
from tests.strategies import asl_boards

if TYPE_CHECKING:
    from collections.abc import Callable

PLAIN = grid_board(3, 3, [{}] * 9)


@given(asl_boards(), st.data())
def test_neighbours(board: Board, data: st.DataObject) -> None:
    """Adjacent Locations name each other, by opposite directions and across one hexside."""
    name = data.draw(st.sampled_from(sorted(board.index)))
    here = board[name]
    for direction, other in board.neighbours(name):
        there = board[other]
        step = (there.u - here.u, there.v - here.v)
        assert STEPS[direction] == step
        assert ((direction + 3) % 6, name) in board.neighbours(other)
        assert board.hexside(name, other) is board.hexside(other, name) is not None
        assert board.distance(name, other) == 1


def test_distance() -> None:
    """A distance in hexes is the number of steps it takes on a board without gaps."""
    steps = dict(nx.all_pairs_shortest_path_length(PLAIN.graph))
    measured = {a: {b: PLAIN.distance(a, b) for b in PLAIN.index} for a in PLAIN.index}
    assert steps == measured


@given(asl_boards())
def test_is_a_value(board: Board) -> None:
    """A board equals, and hashes like, its file and its pickle."""
    encoded = msgspec.json.encode(board.file())
    again = Board.from_file(msgspec.json.decode(encoded, type=BoardFile))
    for copy in (again, pickle.loads(pickle.dumps(board))):
        assert copy == board
        assert hash(copy) == hash(board)
        assert copy.locations == board.locations
        assert copy.edges == board.edges


def test_any_fact_tells_boards_apart() -> None:
    """Boards that differ in one fact of one hexside are different."""
    hexsides = list(PLAIN.edges)
    hexsides[3] = EdgeRecord(hexsides[3].a, hexsides[3].b, Hexside(path=True))
    assert Board(PLAIN.name, PLAIN.locations, hexsides) != PLAIN


def test_graph_holds_the_facts() -> None:
    """The networkx view has every fact as an attribute, and is frozen."""
    graph = grid_board(1, 2, [{"terrain": "Woods"}, {}], [Hexside(road="Dirt Road")]).graph
    assert graph.nodes["A1"]["terrain"] == "Woods"
    assert graph.edges["A2", "A1"]["road"] == "Dirt Road"
    with pytest.raises(nx.NetworkXError):
        graph.add_node("Z9")


def test_aliases() -> None:
    """An alias finds its Location, and is in the board."""
    board = Board("two names", PLAIN.locations, PLAIN.edges, {"5A1": "A1"})
    assert board["5A1"] is board["A1"]
    assert "5A1" in board


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda a, b, _: Board("x", [a, a], []), "A1 is listed twice"),
        (lambda a, b, _: Board("x", [a, b], [EdgeRecord("A1", "A9")]), "no Location A9"),
        (lambda a, b, c: Board("x", [a, c], [EdgeRecord("A1", "A3")]), "not adjacent"),
        (lambda a, b, _: Board("x", [a, b], [EdgeRecord("A1", "A2")] * 2), "A1-A2 is listed twice"),
        (lambda a, b, _: Board("x", [a, b], [], {"B1": "Z1"}), "names no Location"),
    ],
)
def test_rejected(make: Callable[..., Any], message: str) -> None:
    """An inconsistent board is rejected, with the field."""
    locations = [Location(f"A{row + 1}", f"A{row + 1}", 0, 2 * row) for row in range(3)]
    with pytest.raises(BadInputError, match=message) as caught:
        make(*locations)
    assert caught.value.field


def test_unknown_hex() -> None:
    """An unknown hex is rejected with the board's names."""
    with pytest.raises(UnknownNameError, match=r"no hex 'Z9' on board small .*A1 to C3"):
        PLAIN.resolve("Z9")
