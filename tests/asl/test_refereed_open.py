"""Moves that a log leaves open must not be ILLEGAL, nor move LEGAL without cause."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from marchtable.answers.referee import referee_answer
from marchtable.files.recorded import judge_files
from marchtable.rules.refereeing import GameFile
from marchtable_models.asl.recorded import detours
from tests.asl.forged_games import forge_board, forge_game
from tests.asl.refereed import Game, squad
from tests.slowly import slow_after
from tests.vasl.forge import Forge
from tests.vasl.logs import cx, men, vehicle
from tests.vasl.saves import layer, marker, works

if TYPE_CHECKING:
    from pathlib import Path

FAR = ("B3", "B4", "B5", "B6", "B7")
"""One hex more than a squad can go from B2."""


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the board of forged games, and one with two woods in a column."""
    folder = forge_board(tmp_path_factory.mktemp("boards"))
    board = Forge(13, 9)
    for name in ("B3", "B4"):
        board.disc(name, 30, "Woods")
    board.write(folder / "bd02")
    return folder


@pytest.fixture
def game(boards: Path, tmp_path: Path) -> Game:
    """Return a game in the MPh of the german side."""
    return Game(boards, tmp_path)


def one(played: Game, **more: Any) -> dict[str, Any]:
    """Return the only move of a game."""
    (move,) = played.moves(**more)
    return dict(move)


def drag_far(game: Game, *pieces: Any, way: tuple[str, ...] = FAR) -> None:
    """Drag pieces along a way, hex by hex."""
    for at in way:
        game.rec.drag(*pieces, to=at)


# -- ways that were not dragged ------------------------------------------------------------------


@pytest.mark.parametrize("second", [("B7",), ("B6", "B7")])
def test_a_detour_before_a_leg_that_fits(
    boards: Path, tmp_path: Path, second: tuple[str, ...]
) -> None:
    """The straight way through the woods is legal, but only round them enough MF remain."""
    game = Game(boards, tmp_path, board="02")
    leader = squad("ge", "9-1 LDR")
    game.rec.place("B2", leader)
    game.rec.begin()
    drag_far(game, leader, way=("B5", *second))
    move = one(game)
    assert move["status"] == "LEGAL", move


def test_a_stack_makes_a_detour_before_a_leg_that_fits(boards: Path, tmp_path: Path) -> None:
    """The same for a leader with a squad."""
    game = Game(boards, tmp_path, board="02")
    leader, a = squad("ge", "9-1 LDR"), squad()
    game.rec.place("B2", a, leader)
    game.rec.begin()
    drag_far(game, a, leader, way=("B5", "B7"))
    assert one(game)["status"] == "LEGAL"


def test_a_search_that_was_cut_proves_nothing(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stack goes too far; with all ways tried it is ILLEGAL, with some left out UNKNOWN."""
    a, leader = squad(), squad("ge", "9-1 LDR")
    game.rec.place("B2", a, leader)
    game.rec.begin()
    drag_far(game, a, leader, way=("B3", "B4", "B5", "B6", "B7", "B8", "B9"))
    assert one(game)["status"] == "ILLEGAL"
    monkeypatch.setattr(detours, "MOST_STEPS", 1)
    assert (one(game)["status"], one(game)["reasons"]) == ("UNKNOWN", ["not all ways were tried"])


# -- other units ---------------------------------------------------------------------------------


@pytest.mark.parametrize("eliminated", [True, False])
def test_a_hex_whose_enemy_was_lost(game: Game, eliminated: bool) -> None:
    """Once an enemy unit is eliminated, its hex can be entered."""
    a, enemy = squad(), squad("ru", "4-4-7 1sq")
    game.rec.place("B2", a)
    game.rec.place("B4", enemy)
    game.rec.begin().drag(a, to="B3")
    game.rec.take(enemy, eliminated=eliminated)
    game.rec.drag(a, to="B4")
    assert one(game)["status"] == "LEGAL"


def test_a_hex_whose_enemy_is_there(game: Game) -> None:
    """Before that it cannot."""
    a = squad()
    game.rec.place("B2", a)
    game.rec.place("B4", squad("ru", "4-4-7 1sq"))
    game.rec.begin().drag(a, to="B3")
    game.rec.drag(a, to="B4")
    assert one(game)["status"] == "ILLEGAL"


def test_units_that_move_by_turns(boards: Path, tmp_path: Path) -> None:
    """A hex is emptied before a squad passes it, another filled after it: no single order explains it."""
    game = Game(boards, tmp_path, board="02")
    a, leaves, comes = squad(), squad(), squad()
    game.rec.place("F3", a)
    game.rec.place("F4", squad(), squad(), leaves)
    game.rec.place("G6", squad(), squad())
    game.rec.place("H8", comes)
    game.rec.begin().drag(leaves, to="E4")
    game.rec.drag(comes, to="H7")
    drag_far(game, a, way=("F4", "F5", "G6", "G7"))
    game.rec.drag(comes, to="H6")
    game.rec.drag(comes, to="G6")
    assert {move["status"] for move in game.moves()} == {"LEGAL"}


# -- the phase counter ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("then", "status"),
    [
        (("Axis", "DFPh", 1), "ILLEGAL"),
        (("Axis", "APh", 1), "UNKNOWN"),
        (("Axis", "CCPh", 1), "UNKNOWN"),
        (("Allied", "RPh", 1), "UNKNOWN"),
    ],
)
def test_a_phase_counter_that_came_late(
    game: Game, then: tuple[str, str, int], status: str
) -> None:
    """A hex too many after others moved may be an advance, unless the counter passed on before."""
    a, b = squad(), squad()
    game.rec.place("B2", a)
    game.rec.place("F2", b)
    game.rec.begin()
    drag_far(game, a, way=FAR[:4])
    game.rec.drag(b, to="F3")
    game.rec.drag(a, to=FAR[4])
    game.rec.phase(game.track, *then)
    moves = {move["way"][0]: move["status"] for move in game.moves()}
    assert moves == {"B2": status, "F2": "LEGAL"}


@pytest.mark.parametrize(
    ("then", "status"),
    [("MPh", "UNKNOWN"), ("DFPh", "UNKNOWN")],
)
def test_moves_before_the_counter_shows_the_movement_phase(
    boards: Path, tmp_path: Path, then: str, status: str
) -> None:
    """A player moving while the counter shows the PFPh may have forgotten it."""
    game = Game(boards, tmp_path, "RPh")
    a = squad()
    game.rec.place("B2", a)
    game.rec.begin().roll("Rally", 3, 3)
    game.rec.phase(game.track, "Axis", "PFPh", 1)
    game.rec.drag(a, to="B3")
    game.rec.phase(game.track, "Axis", then, 1)
    assert one(game)["status"] == status


def test_a_bloc_on_both_sides(boards: Path, tmp_path: Path) -> None:
    """If nations of one bloc fight each other, the counter's player names no side."""
    game = Game(boards, tmp_path, "RPh")
    a, finn = squad(), squad("fi", "6-4-8 1sq")
    game.rec.place("B2", a)
    game.rec.place("M5", finn)
    game.rec.begin().roll("Rally", 3, 3)
    game.rec.phase(game.track, "Axis", "MPh", 1)
    game.rec.drag(a, to="B3")
    game.rec.phase(game.track, "Axis", "DFPh", 1)
    sides = {"ge": "german", "fi": "finnish"}
    assert one(game, game=GameFile(sides=sides))["status"] == "LEGAL"
    known = GameFile(sides={**sides, "Axis": "finnish"})
    assert one(game, game=known)["status"] == "ILLEGAL"


# -- undone steps --------------------------------------------------------------------------------


def test_a_drag_that_is_undone_after_another_step(game: Game) -> None:
    """Steps between a drag and its undo do not make it real."""
    a, tank = squad(), vehicle("ge", "PzKpfw IVH", vca=4)
    game.rec.place("B2", a)
    game.rec.place("G2", tank)
    game.rec.begin().drag(a, to="B8")
    game.rec.turn(tank, "W")
    game.rec.undo(back=1)
    game.rec.drag(a, to="B3")
    moves = {move["units"][0]["id"]: move for move in game.moves()}
    assert (moves["ge_467_1"]["way"], moves["ge_467_1"]["status"]) == (["B2", "B3"], "LEGAL")


def test_an_undo_of_what_is_not_recorded(game: Game) -> None:
    """It moves counters, but no unit moved."""
    a = men("ge", "4-6-7 1sq")
    game.rec.place("B8", a)
    game.rec.drag(a, to="B2")
    game.rec.begin().undo()
    game.rec.drag(a, to="B7")
    assert {move["status"] for move in game.moves()} == {"UNKNOWN"}


# -- counters ------------------------------------------------------------------------------------


def test_one_cx_counter_for_a_stack(game: Game) -> None:
    """Two squads used Double Time; one counter above both says so."""
    a, b = squad(), squad()
    game.rec.place("B2", a, b)
    game.rec.begin()
    drag_far(game, a, b)
    game.rec.put(cx(), b)
    move = one(game)
    assert move["status"] == "LEGAL", move
    assert sum(line.startswith("double-time") for line in move["log"]) == 2
    assert "one CX counter is assumed to mark its whole stack" in move["notes"]


@pytest.mark.parametrize(
    ("name", "status"), [("Homebrew", "UNKNOWN"), ("First Fire", "LEGAL"), ("DM", "LEGAL")]
)
def test_a_marker_that_is_not_known(game: Game, name: str, status: str) -> None:
    """Its effect on the unit beneath is open, whatever the unit does."""
    a, b = squad(), squad()
    game.rec.place("B2", a, marker(name))
    game.rec.place("F2", b)
    game.rec.begin().drag(a, to="B3")
    game.rec.drag(b, to="F3")
    assert [move["status"] for move in game.moves()] == [status, "LEGAL"]


def test_an_unknown_counter_in_a_hex(game: Game) -> None:
    """The effect on entering is unknown."""
    a = squad()
    game.rec.place("B2", a)
    game.rec.place("B3", marker("Homebrew"))
    game.rec.begin().drag(a, to="B3")
    move = one(game)
    assert (move["status"], "Homebrew" in move["reasons"][0]) == ("UNKNOWN", True)


@pytest.mark.parametrize(
    ("name", "shown", "called"),
    [
        ("FFE", "FFE:1", "Fire For Effect:1"),
        ("ruAR", "AR", "Artillery Request"),
        ("SR", "2", "Spotting Round 2"),
    ],
)
def test_an_unknown_counter_is_named_as_in_the_rulebook(
    game: Game, name: str, shown: str, called: str
) -> None:
    """A report does not use VASL's piece name."""
    game.rec.place("B2", a := squad())
    game.rec.place("B3", marker(name, layer(shown)))
    game.rec.begin().drag(a, to="B3")
    assert one(game)["reasons"][0].endswith(f": {called}")


@pytest.mark.parametrize(
    ("conditions", "status"),
    [
        ({}, "UNKNOWN"),
        ({"ground_snow": False}, "UNKNOWN"),
        ({"ground_snow": False, "mud": False}, "ILLEGAL"),
    ],
)
def test_each_rule_of_a_board_needs_its_conditions(
    game: Game, conditions: dict[str, Any], status: str
) -> None:
    """Stated snow says nothing about mud."""
    game.rec.boards = ("0\t0\t01\tVER\t1\tSSR\tWinter\tMud",)
    a = squad()
    game.rec.place("B2", a)
    game.rec.begin()
    drag_far(game, a)
    assert one(game, game=GameFile(conditions=conditions))["status"] == status


# -- not LEGAL without cause -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("way", "status"), [(("B4", "B5"), "LEGAL"), (("B4", "B5", "B6"), "UNKNOWN")]
)
def test_a_sw_is_recovered_for_its_mf(game: Game, way: tuple[str, ...], status: str) -> None:
    """A squad with a LMG that lay in its way has paid 1 MF for it."""
    a, sw = squad(), men("ge", "LMG")
    game.rec.place("B2", a)
    game.rec.place("B3", sw)
    game.rec.begin().drag(a, to="B3")
    game.rec.drag(a, to=way[0])
    game.rec.drag(sw, to=way[0])
    drag_far(game, a, sw, way=way[1:])
    move = one(game)
    assert move["status"] == status, move
    if status == "LEGAL":
        assert any(line.startswith("recover") for line in move["log"])
    else:
        assert "LMG" in move["reasons"][0]


def test_a_recording_that_begins_in_the_movement_phase(game: Game) -> None:
    """CX units may have moved before; for the others a note lists the assumption."""
    a, tired = squad(), squad()
    game.rec.place("B2", a)
    game.rec.place("F2", tired, cx())
    game.rec.begin().drag(a, to="B3")
    game.rec.drag(tired, to="F3")
    (phase,) = game.judged()["phases"]
    assert [move["status"] for move in phase["moves"]] == ["LEGAL", "UNKNOWN"]
    assert any("begins in this MPh" in note for note in phase["notes"])
    game.rec.steps.clear()
    game.rec.phase(game.track, "Axis", "RPh", 2)
    game.rec.roll("Rally", 3, 3)
    game.rec.phase(game.track, "Axis", "MPh", 2)
    game.rec.drag(a, to="B4")
    assert not any(phase["notes"] for phase in game.judged()["phases"])


def test_a_counter_of_a_place_that_is_not_known(game: Game) -> None:
    """Entering there is UNSUPPORTED."""
    a = squad()
    game.rec.place("B2", a)
    game.rec.place("B3", works("Homebrew Works"))
    game.rec.begin().drag(a, to="B3")
    assert one(game)["status"] == "UNKNOWN"


@pytest.mark.parametrize("seed", slow_after(2, range(20)))
def test_forged_odd_moves(boards: Path, seed: int) -> None:
    """Of each kind, no legal or open move is ILLEGAL, and no open or illegal one LEGAL."""
    forged = forge_game(boards, seed, feet=2, wheels=1, illegal=0, odd=1)
    answer = referee_answer(judge_files([forged.path], boards, GameFile()))
    moves = [move for one in answer["phases"] for move in one["moves"]]
    status = {step["step"]: move["status"] for move in moves for step in move["steps"]}
    fitting = {True: ["LEGAL"], None: ["UNKNOWN"], False: ["ILLEGAL", "UNKNOWN"]}
    wrong = {
        last: (forged.kinds[last], status[last])
        for last, legal in forged.truth.items()
        if status[last] not in fitting[legal]
    }
    assert not wrong
