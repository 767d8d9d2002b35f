"""What a board report lists as outside the chart is exactly what is UNSUPPORTED."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import pytest

from marchtable.board.board import Board, EdgeRecord, Hexside, Location
from marchtable.rules.rulebook import find_rulebook
from marchtable_models.asl.data import count
from tests.asl.boards import ASL, cites, crossing, foot, last, place, vehicle
from tests.solver.test_reach import check_reach

DEPRESSIONS = ("Gully", "Dry Stream", "Sunken Road", "Wadi")


def unsupported(board: Board) -> bool:
    """Return whether a squad's entry of C1 from B1 is UNSUPPORTED."""
    return bool(last(place(board, foot()), "enter u C1").unsupported)


def differing(part: str) -> list[str]:
    """Return the VASL terrains on which report and ruling disagree."""
    table = files("marchtable.vasl").joinpath("data/terrain.tsv").read_text(encoding="utf-8")
    names = sorted({line.split("\t")[1] for line in table.splitlines()[1:]})
    assert len(names) > 100
    boards = {name: crossing(**{part: {"terrain": name}}) for name in names}
    return [
        name
        for name, board in boards.items()
        if ASL.uncovered(board) != ({name: 1} if unsupported(board) else {})
    ]


def test_terrain() -> None:
    """Of every VASL terrain, drawn at the center, the report lists exactly the UNSUPPORTED ones."""
    assert differing("there") == []


def test_hexsides() -> None:
    """The same for everything that can lie along a hexside."""
    assert differing("hexside") == []


@pytest.mark.parametrize("hexside", [{"road": "Track"}, {"slope": True}, {"road": "Dirt Road"}])
def test_ways(hexside: dict[str, Any]) -> None:
    """The same for roads of an unknown kind and for slopes."""
    found = list(ASL.uncovered(crossing(hexside=hexside)) or ())

    assert found == {"Track": ["Track"], "Dirt Road": []}.get(hexside.get("road", ""), ["Slope"])
    assert bool(found) == unsupported(crossing(hexside=hexside))


@pytest.mark.parametrize("name", DEPRESSIONS)
@pytest.mark.parametrize("other", ["Open Ground", "Sand Dune", "Woods", "Path"])
def test_depressions(name: str, other: str) -> None:
    """A depression is listed, and so is the terrain in it."""
    found = {"terrain": other, "depression": name, "level": -1, "also": ((name, 40),)}
    board = crossing(there=found)
    expected = {name: 1} if name not in ("Gully", "Dry Stream", "Sunken Road") else {}
    if name == "Sunken Road" and other in ("Woods", "Sand Dune"):
        expected[name] = 1  # a sunken road is covered if no other terrain adjoins it
    if other == "Sand Dune":
        expected["Sand Dune"] = 1

    assert ASL.uncovered(board) == expected
    assert unsupported(board) == bool(expected)


def test_beside_a_road() -> None:
    """Terrain a road runs in counts from the share that makes it the hex's terrain."""
    share = count("x-terrain", "share")
    for percent in (share - 1, share):
        board = crossing(there={"terrain": "Dirt Road", "also": (("Sand Dune", percent),)})
        assert ASL.uncovered(board) == ({"Sand Dune": 1} if unsupported(board) else {})
        assert unsupported(board) == (percent == share)


def test_commonest_first() -> None:
    """The most frequent comes first, and a hexside below a bridge counts once."""
    places = [
        Location(f"A{row}", f"A{row}", 0, 2 * row - 1, terrain="Sand Dune") for row in (1, 2, 3)
    ]
    places[2] = Location("A3", "A3", 0, 5)
    bridge = Location("A2:bridge", "A2", 0, 3, terrain="Stone Bridge")
    bank = Hexside("Rice Paddy Bank")
    edges = [EdgeRecord("A1", "A2", bank), EdgeRecord("A1", "A2:bridge", bank)]
    board = Board("b", [*places, bridge], edges)

    assert list((ASL.uncovered(board) or {}).items()) == [("Sand Dune", 2), ("Rice Paddy Bank", 1)]


def test_a_rulebook_that_does_not_tell() -> None:
    """A rulebook need not provide this."""
    assert find_rulebook("toy").uncovered(crossing()) is None


@pytest.mark.clause("x-turn")
@pytest.mark.parametrize(("name", "status"), [("Woods", "LEGAL"), ("Sand Dune", "UNSUPPORTED"), ("Overlay o5", "UNSUPPORTED")])  # fmt: skip
def test_a_vca_change_in_terrain_without_a_row(name: str, status: str) -> None:
    """The cost of a VCA change there is unknown."""
    board = crossing({"terrain": name})
    ruling = last(place(board, vehicle()), "turn u SSE")

    assert ruling.status == status
    assert ("x-turn" in cites(ruling)) == (status == "UNSUPPORTED")


@pytest.mark.parametrize("name", ["Sand Dune", "Overlay o5"])
def test_reach_turns_in_no_such_terrain(name: str) -> None:
    """A vehicle's reach leaves out what would need a turn in such terrain."""
    board = crossing({"terrain": name})

    check_reach(place(board, vehicle(kind="ft-3")), "u")
