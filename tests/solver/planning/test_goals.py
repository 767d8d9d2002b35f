"""Goals are read from files and checked against a position."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from marchtable.board.board import Board, EdgeRecord, Location
from marchtable.errors import BadInputError
from marchtable.planning.goals import (
    checked_goal,
    goal_data,
    goal_of,
    load_goal,
    movers_of,
    places_of,
    save_goal,
    units_of,
    worth_of,
)
from marchtable.planning.loop import plan
from marchtable.state.goal import Aim, Goal
from tests.grids import grid_board
from tests.toy_scene import scene

if TYPE_CHECKING:
    from pathlib import Path

FULL = Goal(
    aims=(
        Aim(units=("w0", "w1"), at=("B1", "A2"), must=1, worth=3, each={"w1": 5}),
        Aim(side="red", near=("B2",), carried=True),
        Aim(units=("w0",), exit=("A..B",), must="all"),
    ),
    avoid=("B2",), threat={"A2": 4}, movers=("w1", "w0"), order=("value", "points"),
)  # fmt: skip


def data(**changes: Any) -> dict[str, Any]:
    """Return a goal's plain data: w0 to B1."""
    return {"format": "marchtable/goal/1", "aims": [{"units": ["w0"], "at": ["B1"]}], **changes}


def aim(**fields: Any) -> dict[str, Any]:
    """Return a goal's plain data with one aim, for w0 and the given fields."""
    return data(aims=[{"units": ["w0"], **fields}])


@pytest.mark.parametrize("suffix", ["toml", "json"])
def test_a_file_gives_back_what_was_written(suffix: str, tmp_path: Path) -> None:
    """A goal written to TOML or JSON reads back equal."""
    save_goal(FULL, tmp_path / f"goal.{suffix}")
    assert load_goal(tmp_path / f"goal.{suffix}", scene()) == FULL
    assert goal_of(goal_data(FULL), scene()) == FULL


def test_what_is_left_out_has_its_default() -> None:
    """The shortest goal is one aim: every criterion in order, all of the side to move as movers."""
    goal = goal_of(data(), scene())
    assert goal.order == ("value", "distance", "exposure", "points", "moved")
    assert movers_of(goal, scene()) == ("w0", "w1")
    assert movers_of(FULL, scene()) == ("w0", "w1")


def test_whom_an_aim_is_about() -> None:
    """An aim is about units by name or a whole side, each with its own value or the aim's."""
    assert [units_of(a, scene()) for a in FULL.aims] == [("w0", "w1"), ("w0", "w1"), ("w0",)]
    assert [worth_of(FULL.aims[0], u) for u in ("w0", "w1")] == [3, 5]


@pytest.mark.parametrize(
    ("given", "field", "stated"),
    [
        (data(format="marchtable/log/1"), "format", "expected format = 'marchtable/goal/1'"),
        (data(aims=[]), "aims", "at least one aim"),
        (data(speed=3), "", "unknown field"),
        (aim(), "aims[0]", "one of at, near and exit, got none"),
        (aim(at=["A1"], near=["A2"]), "aims[0]", "got at and near"),
        (aim(at=["Z9"]), "aims[0].at[0]", "no hex 'Z9'"),
        (aim(at=["A1", "B..K"]), "aims[0].at[1]", "no column 'K'"),
        (aim(near=["Z9"]), "aims[0].near[0]", "no hex 'Z9'"),
        (aim(exit=["5A..B"]), "aims[0].exit[0]", "no column '5A'"),
        (aim(at=["A1"], side="red"), "aims[0].units", "either units or a side"),
        (data(aims=[{"at": ["A1"]}]), "aims[0].units", "either units or a side"),
        (data(aims=[{"side": "green", "at": ["A1"]}]), "aims[0].side", "no side 'green' with units here"),
        (data(aims=[{"units": ["w9"], "at": ["A1"]}]), "aims[0].units[0]", "no unit 'w9'"),
        (data(aims=[{"units": ["w0", "w0"], "at": ["A1"]}]), "aims[0].units[1]", "named twice"),
        (aim(at=["A1"], each={"w1": 2}), "aims[0].each", "expected units of this aim (w0)"),
        (aim(at=["A1"], must=2), "aims[0].must", "at most 1"),
        (aim(at=["A1"], must=0), "aims[0].must", ""),
        (aim(near=["A1"], must=1), "aims[0].must", "not with near"),
        (aim(at=["A1"], worth=-1), "aims[0].worth", ">= 0"),
        (data(avoid=["A1", "Z9"]), "avoid[1]", "no hex 'Z9'"),
        (data(threat={"Z9": 1}), "threat[0]", "no hex 'Z9'"),
        (data(movers=["w9"]), "movers[0]", "no unit 'w9'"),
        (data(movers=["w2"]), "movers[0]", "expected units of red"),
        (data(order=["points", "points"]), "order", "each criterion once"),
        (data(order=[]), "order", "at least one criterion"),
        (data(order=["speed"]), "order[0]", "expected one of value, distance"),
        (data(weights={"points": 0}), "weights", "a weight above 0"),
        (data(weights={"points": -1}), "weights.points", "expected a whole number >= 0"),
        (data(weights={"value": 1, "speed": 1}), "weights.speed", "expected one of value, distance"),
        (data(threat={"A1": 1, "B1": -1}), "threat.B1", "expected a whole number >= 0"),
        (aim(at=["A1"], each={"w0": "x"}), "aims[0].each.w0", "expected a whole number, got text"),
        (data(order=["value"], weights={"value": 1}), "order", "either order or weights, got both"),
        (data(aims="A1"), "aims", "expected a list, got text"),
        (data(aims=[{"units": "w0", "at": ["A1"]}]), "aims[0].units", "expected a list, got text"),
        (aim(at=["A1"], carried=1), "aims[0].carried", "expected true or false, got a whole number"),
        (aim(at=["A1"], must=1.5), "aims[0].must", "expected"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_errors_are_reported(given: dict[str, Any], field: str, stated: str) -> None:
    """An error is one line with the file, the field and what was expected."""
    with pytest.raises(BadInputError) as caught:
        goal_of(given, scene(), source="goal.toml")
    assert (caught.value.source, caught.value.field) == ("goal.toml", field)
    assert stated in caught.value.message
    assert not re.search("`(int|str|array|bool)", caught.value.message)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("stated", "field"), [
    ({"weights": {"value": 1, "points": -1}}, "weights.points"),
    ({"threat": {"B1": -1}}, "threat.B1"),
    ({"aims": (Aim(side="red", near=("A1",), worth=-1),)}, "aims[0].worth"),
    ({"aims": (Aim(side="red", near=("A1",), each={"w0": -2}),)}, "aims[0].each.w0"),
])  # fmt: skip
def test_objects_are_held_against_what_files_may_say(stated: dict[str, Any], field: str) -> None:
    """A goal cannot want points spent, or units in a place to avoid: the error says so."""
    goal = Goal(aims=(Aim(side="red", near=("A1",)),), order=())
    with pytest.raises(BadInputError, match="expected a whole number >= 0") as caught:
        plan(scene(), msgspec.structs.replace(goal, **stated))
    assert caught.value.field == field


def test_other_names_become_the_proper_ones() -> None:
    """Locations can be named by alias; a checked goal has their proper names."""
    board = scene().board
    named = Board(board.name, board.locations, board.edges, {"north": "A1"})
    goal = Goal(
        aims=(Aim(side="red", near=("north",)),), avoid=("north",), threat={"north": 1}
    )  # fmt: skip
    found = checked_goal(goal, msgspec.structs.replace(scene(), board=named))
    assert (found.aims[0].near, found.avoid, found.threat) == (("A1",), ("A1",), {"A1": 1})


def test_a_range_of_columns_is_all_between() -> None:
    """Columns are named by letter, after the board's name on joined boards, in any order."""
    hexes = [
        Location(f"{b}{c}{row}", f"{b}{c}{row}", u, 2 * row + u % 2)
        for u, (b, c) in enumerate([("1", "Z"), ("1", "AA"), ("2", "A"), ("2", "B")])
        for row in (1, 2)
    ]
    board = Board("joined", hexes, list[EdgeRecord]())
    assert places_of(["1AA..2A"], board) == {"1AA1", "1AA2", "2A1", "2A2"}
    assert places_of(["2A..1AA"], board) == places_of(["1AA..2A"], board)
    assert places_of(["2B..2B", "1Z1"], board) == {"2B1", "2B2", "1Z1"}


def test_units_leave_the_map_at_its_edge_alone() -> None:
    """An exit by an inner hex is rejected by name; by an edge hex it is not."""
    position = scene(board=grid_board(3, 3, [{}] * 9, name="toy"))
    inner = next(
        x.name for x in position.board.locations if len(position.board.neighbours(x.name)) == 6
    )
    with pytest.raises(BadInputError) as caught:
        goal_of(aim(exit=["A1", inner]), position)
    assert caught.value.field == "aims[0].exit[1]"
    assert f"expected a Location at the edge of the map, got {inner!r}" in caught.value.message
    assert goal_of(aim(exit=["A1"]), position).aims[0].exit == ("A1",)


def test_aims_are_about_units_that_are_to_move() -> None:
    """Units of another side, and another side, are rejected where they are named."""
    position = scene()
    other = next(unit for unit in position.units if unit.side != position.side)
    with pytest.raises(BadInputError) as caught:
        goal_of(aim(units=[other.id], at=["A1"]), position)
    assert (caught.value.field, other.id in caught.value.message) == ("aims[0].units[0]", True)
    with pytest.raises(BadInputError) as caught:
        goal_of(data(aims=[{"side": other.side, "at": ["A1"]}]), position)
    assert caught.value.field == "aims[0].side"


@pytest.mark.parametrize(("text", "stated"), [
    ('"at": ["A1"], "at": ["B1"]', "aims[0].at: the key is given twice"),
    ('"at": ["A1"], "worth": NaN', "aims[0].worth: expected a finite number, got nan"),
])  # fmt: skip
def test_a_fault_of_a_json_file_is_reported_with_its_place(
    text: str, stated: str, tmp_path: Path
) -> None:
    """A duplicate key and an invalid number are reported by field."""
    path = tmp_path / "goal.json"
    path.write_text(f'{{"format": "marchtable/goal/1", "aims": [{{"units": ["w0"], {text}}}]}}')
    with pytest.raises(BadInputError, match=re.escape(stated)):
        load_goal(path, scene())


@pytest.mark.parametrize(("header", "value", "said"), [
    ("aims", {"units": ["w0"]}, "aims: expected a list, got a table; write [[aims]]"),
    ("weights", [{"w0": 1}], "weights: expected a table, got a list; write [weights]"),
])  # fmt: skip
def test_a_header_with_the_wrong_brackets(header: str, value: Any, said: str) -> None:
    """A table instead of a list of tables, and the reverse, is rejected with the header to write."""
    with pytest.raises(BadInputError, match=re.escape(said)):
        goal_of({"format": "marchtable/goal/1", header: value}, scene())
