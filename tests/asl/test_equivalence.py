"""Identical units share answers: `options` judges one of them, and no answer differs."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import msgspec
import pytest
from hypothesis import given, settings

from marchtable.checking import checked
from marchtable.files.notation import format_action, parse_action
from marchtable.files.scenes import load
from marchtable.play.following import after
from marchtable.play.moves import closed_actions
from marchtable.play.options import options
from marchtable.rules.generator import legal_actions
from marchtable.state.position import Counter
from marchtable.state.records import field_of, naming, path_of, replace, struct_from_fields
from marchtable_models.asl.hooks import equivalence
from marchtable_models.asl.model import SPINES, AslUnit, SupportWeapon
from marchtable_models.asl.records import Escorted
from tests.asl.boards import ASL, field, foot, place, vehicle
from tests.slowly import slow_after
from tests.strategies import asl_positions, in_play

if TYPE_CHECKING:
    from marchtable.state.position import Position

KINDS = ("opel-blitz", "spw-251", "squad", "squad", "half-squad", "leader")
COUNTERS = ("smoke", "wire", "foxhole", "sw 1 LMG", "trench")
STATES = ("pinned", "broken", "cx", "concealed", "inexperienced")
ROW = field({name: {} for name in ("A1", "A2", "B1", "B2", "C1", "D1", "E1", "F1", "G1")})


def drawn(draw: random.Random, count: int) -> Position[Any, Any]:
    """Return the demo board with this many units of few kinds, many of them alone."""
    assert ASL.demo is not None
    demo = load(ASL.demo / "scene.toml")
    names, units = [one.name for one in demo.board.locations], []
    at = draw.choice(names)
    for number in range(count):
        at = at if draw.random() < 0.3 else draw.choice(names)
        kind = draw.choice(KINDS)
        found: dict[str, Any] = {name: True for name in STATES if draw.random() < 0.03}
        if kind in KINDS[:2]:
            found = {"facing": draw.choice(SPINES), "moving": draw.random() < 0.2}
        elif draw.random() < 0.3:
            found["sw"] = (SupportWeapon(name="LMG", pp=1),)
        side = "german" if draw.random() < 0.8 else "russian"
        units.append(
            struct_from_fields(AslUnit, id=f"x{number}", type=kind, side=side, at=at, **found)
        )
    counters = tuple(Counter(kind=kind, at=draw.choice(names)) for kind in COUNTERS)
    return msgspec.structs.replace(demo, units=tuple(units), side="german", counters=counters)


def assert_same(position: Position[Any, Any], *, reach: bool = False) -> None:
    """The report on all sides' units equals the reports on each unit by itself."""
    for side in ("german", "russian"):
        found = options(position, side=side, reach=reach)
        nobody = patch("marchtable_models.asl.hooks.equivalence.alone", lambda *_: None)
        fresh = msgspec.structs.replace(position)
        with nobody:
            assert found == options(fresh, side=side, reach=reach)


@pytest.mark.parametrize("seed", slow_after(1, range(3)))
def test_like_units_are_reported_as_each_is_judged(seed: int) -> None:
    """On a board of many units it holds as the MPh begins and after some legal actions."""
    draw = random.Random(seed)
    position = drawn(draw, 16)
    for _ in range(2):
        assert_same(position)
        choices = [choice for choice in legal_actions(position) if choice.closes]
        position = ASL.rule(position, draw.choice(choices).action).after
    assert_same(msgspec.structs.replace(position, phase=draw.choice(("APh", "RPh", "DFPh"))))


@pytest.mark.slow
@settings(max_examples=20)
@given(in_play(asl_positions(others=3, largest=6), most=2))
def test_nobody_is_taken_for_another(position: Position[Any, Any]) -> None:
    """It holds in unusual positions too: in lines, aboard, at night, in Bypass, off the map."""
    assert_same(position)


def test_boarding_is_reported_as_it_is_judged() -> None:
    """Boarder and vehicle options are right with several identical units, one of them hampered."""
    row = [vehicle(f"t{at}", "opel-blitz", at, moving=False) for at in ("B1", "D1", "F1")]
    squads = [foot(f"s{at}", at=at) for at in ("A1", "C1", "E1", "G1", "B1")]
    near = foot("x", "half-squad", "B1", pinned=True)
    assert_same(place(ROW, *row, *squads, near, foot("e", at="G1", side="russian")), reach=True)
    boarded = place(ROW, *row, *squads, foot("y", aboard="tB1"))
    assert_same(boarded, reach=True)


def test_what_is_kept_with_a_board_holds_in_its_position_alone() -> None:
    """Elsewhere a Column that sees an enemy, a separated Convoy or a moving vehicle differs."""
    board = field({f"{column}{row}": {} for column in "ABCDEFGHI" for row in range(1, 8)})
    squads = (
        foot("a", at="C3"),
        foot("b", at="F4"),
        vehicle("t", "opel-blitz", "C3", moving=False),
    )
    enemy = foot("e", at="I6", side="russian")
    column = [
        foot(name, at="H6", column="K", rank=rank, sees=("e",))
        for rank, name in enumerate(("c", "d"))
    ]
    assert_same(place(board, *squads))
    assert_same(place(board, *squads, enemy, *column))
    for mph in ("unmoved", "moving"):
        truck = vehicle("v", "opel-blitz", "H2", mph=mph, spent=12, used=12, left="gap", origin="Q")
        rest = vehicle("w", "opel-blitz", "H4", convoy="Q", rank=1, mph="done")
        assert_same(place(board, *squads, truck, rest))
        assert_same(place(board, *squads, replace(truck, spent=26, origin="")))


def test_one_of_the_alike_is_judged() -> None:
    """Options of a second squad in equal surroundings call no rule; those of a squad in another state do."""
    board = field({f"{column}{row}": {} for column in "ABCDEFGHI" for row in range(1, 8)})
    position = place(board, foot("a", at="C3"), foot("b", at="F4"), foot("c", at="G3", cx=True))
    options(position, "a", reach=False)
    with patch.object(type(ASL), "rule", side_effect=AssertionError):
        (found,) = options(position, "b", reach=False)["units"]
        with pytest.raises(AssertionError):
            options(position, "c", reach=False)
    assert [a["action"] for a in found["actions"]][:2] == ["enter b F3", "enter b G4"]


def column(*hexes: str, name: str = "k") -> list[AslUnit]:
    """Return squads in Column in these hexes, front first."""
    return [foot(f"c{n}", at=at, column=name, rank=n) for n, at in enumerate(hexes, 1)]


COLUMNS: dict[str, tuple[list[AslUnit], list[str]]] = {
    "none": ([], []),
    "far": (column("H5", "G5"), []),
    "far, of another name": (column("H5", "G5", name="j"), []),
    "next to the front": (column("C2", "C1"), []),
    "next to the last": (column("C1", "C2"), ["join a k"]),
    "next to the last, of another name": (column("C1", "C2", name="j"), ["join a j"]),
    "next to one before the last": (column("D2", "C2", "C1"), []),
}


@pytest.mark.parametrize("first", COLUMNS)
def test_joining_depends_on_columns_anywhere(first: str) -> None:
    """Lists of a unit on one board are right whatever Columns were there before, or are far."""
    board = field({f"{column}{row}": {} for column in "ABCDEFGHI" for row in range(1, 8)})
    squads = foot("a", at="C3"), foot("b", at="F4")
    for units, joins in (COLUMNS[first], *COLUMNS.values()):
        position = place(board, *squads, *units)
        actions = [*map(format_action, closed_actions(position, "a"))]
        assert [one for one in actions if one.startswith("join ")] == joins
        with checked():
            closed_actions(position, "a")
            (found,) = options(position, "a", reach=False)["units"]
        barred = [bar["closest"] for bar in found["barred"] if bar["verb"] == "join"]
        names = {f"join a {unit.line.column}" for unit in units}
        assert {*barred, *joins} == names


def test_a_column_that_has_grown_is_joined_at_its_new_end() -> None:
    """A unit's list follows a Column as another joins it, and as that is taken back."""
    board = field({f"{column}{row}": {} for column in "ABCDEFGHI" for row in range(1, 8)})
    squads = foot("a", at="C3"), foot("b", at="B1")
    before = place(board, *squads, *column("C1", "C2"))
    for _ in range(2):
        assert "join a k" in [*map(format_action, closed_actions(before, "a"))]
        grown = after(before, parse_action("join b k", ASL))
        assert "join a k" not in [*map(format_action, closed_actions(grown, "a"))]
        with checked():
            closed_actions(grown, "a")


NAMING = [path.partition(".")[2] for path in naming(AslUnit, "unit", "location") if "." in path]


@pytest.mark.parametrize("name", [one for one in NAMING if one != "leaders"])
def test_a_unit_that_names_another_unit_or_a_place_is_like_nobody(name: str) -> None:
    """A field that names a unit or place, by its type, keeps its unit out of any shared key."""
    unit, named = foot("u", at="A1"), "v"
    value: Any = named
    if isinstance(field_of(unit, name), tuple):
        value = (Escorted(unit=named, kind="squad", left=2),) if name == "escorted" else (named,)
    naming_one = replace(unit, **{name: value})
    assert equivalence.alone(ROW, unit) is not None
    assert equivalence.alone(ROW, naming_one) is None
    beside = place(ROW, naming_one, foot(named, at="B1"))
    assert equivalence.occupancy(beside, "A1") is None
    names_a_unit = path_of(AslUnit, name) in naming(AslUnit, "unit")
    assert (equivalence.occupancy(beside, "B1") is None) == names_a_unit


def test_fields_that_name_something_are_known_by_their_types() -> None:
    """A field counts by its own type, or by that of a part of its value."""
    assert {"escorted", "clears", "guard", "trodden", "leaders", "previous"} <= {*NAMING}
    assert not {"cx", "convoy"} & {*NAMING}
