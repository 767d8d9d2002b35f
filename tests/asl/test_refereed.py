"""Verdicts on recorded games: legal, illegal and unknown, and what the report withholds."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from marchtable.answers.referee import referee_answer
from marchtable.cli.main import app
from marchtable.errors import BadInputError
from marchtable.files.recorded import judge_files, load_game
from marchtable.rules.refereeing import GameFile
from marchtable.service.shapes import GameShape
from marchtable.vasl.logs import read_recording
from tests.asl.forged_games import forge_board, forge_game
from tests.asl.refereed import Game, squad
from tests.slowly import slow_after
from tests.vasl.logs import cx, men, motion, question, vehicle
from tests.vasl.saves import layer

if TYPE_CHECKING:
    from pathlib import Path

RUNNER = CliRunner()


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a board."""
    return forge_board(tmp_path_factory.mktemp("boards"))


@pytest.fixture
def game(boards: Path, tmp_path: Path) -> Game:
    """Return a game in the MPh of the german side."""
    return Game(boards, tmp_path)


def test_infantry_that_walks_as_far_as_it_may(game: Game) -> None:
    """The receipt lists each step's cost and the remaining points."""
    a = squad()
    game.rec.place("B2", a)
    game.rec.begin()
    for at in ("B3", "B4", "C4"):
        game.rec.drag(a, to=at)
    (move,) = game.moves()
    assert move["status"] == "LEGAL"
    assert move["way"] == ["B2", "B3", "B4", "C4"]
    assert [one["step"] for one in move["steps"]] == [1, 2, 3]
    assert move["spent"] == [{"unit": "ge_467_1", "points": "MF", "spent": 3.0, "left": 1.0}]


def test_infantry_that_walks_too_far(game: Game) -> None:
    """Too many MF are illegal by their clause, with the legal part of the way."""
    a = squad()
    game.rec.place("B2", a)
    game.rec.begin()
    for at in ("B3", "B4", "B5", "B6", "B7", "B8"):
        game.rec.drag(a, to=at)
    (move,) = game.moves()
    assert move["status"] == "ILLEGAL"
    assert move["violations"][0]["clause"] == "A4.11b"
    assert move["nearest"].count("enter") == 4


def test_double_time_needs_its_counter(game: Game) -> None:
    """With a CX counter at the end, the same way is legal by Double Time."""
    a = squad()
    game.rec.place("B2", a)
    game.rec.begin()
    for at in ("B3", "B4", "B5", "B6", "B7", "B8"):
        game.rec.drag(a, to=at)
    game.rec.put(cx(), a)
    (move,) = game.moves()
    assert move["status"] == "LEGAL"
    assert move["log"][0].startswith("double-time")


def test_leader_and_squad_dragged_one_by_one_are_a_stack(game: Game) -> None:
    """The referee finds the stack: the leader's bonus pays for the last hexes."""
    a, leader = squad(), squad("ge", "9-1 LDR")
    game.rec.place("B2", a, leader)
    game.rec.begin()
    for at in ("B3", "B4", "B5", "B6", "B7", "B8"):
        game.rec.drag(leader, to=at)
        game.rec.drag(a, to=at)
    moves = game.moves()
    assert [move["status"] for move in moves] == ["LEGAL"]
    assert len(moves[0]["units"]) == 2


def test_a_way_that_was_not_dragged_is_found(game: Game) -> None:
    """A counter can be dropped at the end of its way."""
    a = squad()
    game.rec.place("B2", a)
    game.rec.begin().drag(a, to="B5")
    (move,) = game.moves()
    assert move["status"] == "LEGAL"
    assert len(move["log"]) == 3


def test_undone_steps_are_not_judged(game: Game) -> None:
    """A step that was taken back did not happen."""
    a = squad()
    game.rec.place("B2", a)
    game.rec.begin().drag(a, to="B8")
    game.rec.undo()
    game.rec.drag(a, to="B3")
    (move,) = game.moves()
    assert (move["status"], [one["step"] for one in move["steps"]]) == ("LEGAL", [3])


def test_vehicle(game: Game) -> None:
    """Start, changes of VCA and Stop are found although not recorded."""
    tank = vehicle("ge", "PzKpfw IVH", vca=4)
    game.rec.place("C2", tank)
    game.rec.begin()
    for at in ("C3", "C4", "B4"):
        game.rec.drag(tank, to=at)
    game.rec.turn(tank, "W")
    (move,) = game.moves()
    assert move["status"] == "LEGAL"
    assert [line.split()[0] for line in move["log"]][0::6] == ["start", "stop"][
        : 1 + (len(move["log"]) > 6)
    ]
    assert move["log"][-1].startswith("stop")


def test_vehicle_in_motion(game: Game) -> None:
    """With a Motion counter there is no Stop."""
    tank = vehicle("ge", "PzKpfw IVH", vca=4)
    game.rec.place("C2", tank)
    game.rec.begin().drag(tank, to="C3")
    game.rec.put(motion(), tank)
    (move,) = game.moves()
    assert move["status"] == "LEGAL"
    assert move["log"][-1].startswith("enter")
    assert move["spent"][0]["left"] == 0
    assert not any(line.startswith("stop") for line in move["log"])


def test_infantry_moves_after_a_vehicle_in_motion(game: Game) -> None:
    """The vehicle's move is over then: another order is not mentioned."""
    tank, a = vehicle("ge", "PzKpfw IVH", vca=4), squad()
    game.rec.place("C2", tank)
    game.rec.place("B6", a)
    game.rec.begin().drag(tank, to="C3")
    game.rec.put(motion(), tank)
    game.rec.drag(a, to="B7")
    assert [(move["status"], move["notes"]) for move in game.moves()] == [("LEGAL", [])] * 2


def test_half_squads_that_lie_on_a_vehicle_board_it(game: Game) -> None:
    """A unit that goes along with a vehicle is aboard; boarding is charged to it."""
    track, half = vehicle("ge", "SPW 251/1", vca=4), men("ge", "2-4-7 1hs")
    game.rec.place("C2", track)
    game.rec.place("B2", half)
    game.rec.begin().drag(half, to="C2")
    game.rec.drag(track, half, to="C3")
    moves = game.moves()
    assert [move["status"] for move in moves] == ["LEGAL"]
    assert any(line.startswith("load") for line in moves[0]["log"])


def test_one_hex_in_the_advance_phase(boards: Path, tmp_path: Path) -> None:
    """Two hexes are one too many."""
    game = Game(boards, tmp_path, "APh")
    a, b = squad(), squad()
    game.rec.place("B2", a)
    game.rec.place("C6", b)
    game.rec.begin().drag(a, to="B3")
    game.rec.drag(b, to="C7")
    game.rec.drag(b, to="C8")
    assert [move["status"] for move in game.moves()] == ["LEGAL", "ILLEGAL"]


def test_phases_and_turn_eleven(boards: Path, tmp_path: Path) -> None:
    """Of a run of phase counter steps the last counts; after turn 10 it shows 1."""
    game = Game(boards, tmp_path, "CCPh")
    a = squad()
    game.rec.place("B2", a)
    game.rec.begin()
    game.rec.phase(game.track, "Allied", "RPh", 10)
    game.rec.phase(game.track, "Axis", "RPh", 11)
    game.rec.phase(game.track, "Axis", "MPh", 11)
    game.rec.drag(a, to="B3")
    game.rec.phase(game.track, "Axis", "DFPh", 11)
    game.rec.drag(a, to="B4")
    game.rec.phase(game.track, "Axis", "AFPh", 11)
    answer = game.judged(game=GameFile(turn=10))
    assert [(one["turn"], one["phase"]) for one in answer["phases"]] == [(11, "MPh"), (11, "DFPh")]
    assert [move["status"] for one in answer["phases"] for move in one["moves"]] == [
        "LEGAL",
        "ILLEGAL",
    ]


def test_enemy_moves_are_unknown_unless_the_phase_counter_was_kept(game: Game) -> None:
    """The active side must be certain before any move is ILLEGAL."""
    game.rec.place("B2", squad())
    game.rec.begin().drag(game.enemy, to="L9")
    (move,) = game.moves()
    assert move["status"] == "UNKNOWN"
    assert "phase counter" in move["reasons"][0]


def test_moves_that_may_go_on_from_before_the_recording(game: Game) -> None:
    """A moved mark shows that points were spent, but not how many."""
    a = men("ge", "4-6-7 1sq", ("moved;moved58", "true"))
    game.rec.place("B2", a)
    game.rec.begin().drag(a, to="B3")
    (move,) = game.moves()
    assert (move["status"], "before the recording" in move["reasons"][0]) == ("UNKNOWN", True)


def test_counter_without_a_type(game: Game) -> None:
    """It is named, and its moves are unknown, until a game file identifies it."""
    tank = vehicle("ge", "Homebrew Panzer", vca=4)
    game.rec.place("C2", tank)
    game.rec.begin().drag(tank, to="C3")
    (move,) = game.moves()
    assert (move["status"], "Homebrew Panzer" in move["reasons"][0]) == ("UNKNOWN", True)
    known = GameFile(counters={"Homebrew Panzer": "german PzKpfw IVH"})
    assert [one["status"] for one in game.moves(game=known)] == ["LEGAL"]
    with pytest.raises(BadInputError, match="no unit type"):
        game.judged(game=GameFile(counters={"Homebrew Panzer": "german Tigger"}))


def test_infantry_on_a_vehicle_need_not_be_aboard(game: Game) -> None:
    """A unit that lies on a vehicle and walks away is assumed to have stood in its hex."""
    track, half = vehicle("ge", "SPW 251/1", vca=4), men("ge", "2-4-7 1hs")
    game.rec.place("C2", track, half)
    game.rec.begin().drag(track, to="C3")
    game.rec.drag(half, to="B2")
    assert [move["status"] for move in game.moves()] == ["LEGAL", "LEGAL"]


def test_accepted_steps(game: Game) -> None:
    """A step both players agreed on does not make the game illegal."""
    a = squad()
    game.rec.place("B2", a)
    game.rec.begin()
    for at in ("B5", "B8"):
        game.rec.drag(a, to=at)
    answer = game.judged(game=GameFile(accept=(2,)))
    assert answer["status"] == "LEGAL"
    assert answer["phases"][0]["moves"][0]["accepted"]


def test_nobody_reads_what_is_hidden(boards: Path, tmp_path: Path) -> None:
    """Hidden units are absent, concealed ones are `?`; with --as a side sees its own."""
    game = Game(boards, tmp_path)
    hidden = men("ge", "9-1 LDR", by="hunter2")
    hidden.traits = (("hide;72,130;HIP;;player:", "hunter2"), *hidden.traits[1:])
    veiled, plain = squad("ge", "5-4-8 Esq"), squad()
    game.rec.place("B2", hidden)
    mask = question("ge", "hunter2")
    game.rec.place("C2", veiled, mask)
    game.rec.place("D7", plain)
    game.rec.begin().drag(hidden, to="B3")
    game.rec.drag(veiled, mask, to="C3")
    game.rec.drag(plain, to="D8")
    shown = json.dumps(game.judged())
    assert "9-1" not in shown
    assert "ge_91" not in shown
    assert "hunter2" not in shown
    own = json.dumps(game.judged(viewer="german"))
    assert "ge_91" in own
    assert "hunter2" not in own
    assert "ge_91" not in json.dumps(game.judged(viewer="russian"))
    assert "ge_91" in json.dumps(game.judged(reveal=True))


def test_formats_of_game_files(tmp_path: Path) -> None:
    """A game file has a format of its own; its older name, which answers of games have, is read too."""
    path = tmp_path / "game.toml"
    for form in ("marchtable/game-file/1", "marchtable/game/1"):
        path.write_text(f'format = "{form}"\nmonth = 1\n', "utf-8")
        assert load_game(path) == GameFile(month=1)
    assert GameFile().format != GameShape.__struct_config__.tag
    path.write_text('format = "marchtable/games/1"\n', "utf-8")
    with pytest.raises(BadInputError, match="format"):
        load_game(path)


def test_game_file(tmp_path: Path) -> None:
    """A game file is read; forbidden content is rejected by its field."""
    path = tmp_path / "game.toml"
    path.write_text(
        'format = "marchtable/game-file/1"\nmonth = 1\nyear = 1944\naccept = [12]\n', "utf-8"
    )
    assert load_game(path).accept == (12,)
    path.write_text('format = "marchtable/game-file/1"\nmonths = 1\n', "utf-8")
    with pytest.raises(BadInputError, match="months"):
        load_game(path)


def test_command(game: Game) -> None:
    """The command prints the verdict and ends with its exit code."""
    a = squad()
    game.rec.place("B2", a)
    game.rec.begin()
    for at in ("B5", "B8"):
        game.rec.drag(a, to=at)
    game.rec.roll("IFT", 3, 4)
    game.rec.see("Anna", "B2", "M9", 12)
    path = game.rec.write(game.folder / "game.vlog")
    found = RUNNER.invoke(app, ["referee", str(path), "--boards", str(game.boards)])
    assert found.exit_code == 10
    assert "A4.11b" in found.output
    assert "IFT DR 3,4 = 7, Anna" in found.output
    assert "hunter2" not in found.output
    assert RUNNER.invoke(app, ["referee", str(path)]).exit_code == 2
    wrong = RUNNER.invoke(
        app, ["referee", str(path), "--boards", str(game.boards), "--as", "greek"]
    )
    assert wrong.exit_code == 2


def test_three_logs_in_one_movement_phase(game: Game) -> None:
    """Points spent in one file count in the next."""
    a = squad()
    game.rec.place("B2", a)
    paths = []
    for number, way in enumerate((("B3", "B4"), ("B5", "B6"), ("B7",)), 1):
        game.rec.begin()
        for at in way:
            game.rec.drag(a, to=at)
        paths.append(game.rec.write(game.folder / f"{number}.vlog", date=number))
    answer = referee_answer(judge_files(paths[::-1], game.boards, GameFile()))
    assert [one["link"] for one in answer["files"]] == ["begins", "follows", "follows"]
    (move,) = answer["phases"][0]["moves"]
    assert (move["status"], move["violations"][0]["clause"]) == ("ILLEGAL", "A4.11b")
    assert move["steps"][-1] == {"file": "3.vlog", "step": 1}
    two = referee_answer(judge_files(paths[:2], game.boards, GameFile()))
    assert two["status"] == "LEGAL"


def test_squad_that_becomes_a_half_squad_under_the_same_id(game: Game) -> None:
    """A flipped counter keeps its name; before that, it moved as its former type."""
    a = men("ge", "4-6-7 1sq", layer("2-4-7 1hs", level=-1), ("moved;moved58", "false"))
    game.rec.place("B2", a)
    game.rec.begin().drag(a, to="B3")
    game.rec.change(a, (2, "1"))
    game.rec.drag(a, to="B4")
    (move,) = game.moves()
    assert move["units"] == [{"id": "ge_467_1", "called": "4-6-7 1sq"}]
    assert move["status"] in ("LEGAL", "UNKNOWN")


def test_annotated_log(game: Game) -> None:
    """The log is written again: the same steps, with a line after the illegal move."""
    a = squad()
    game.rec.place("B2", a)
    game.rec.begin()
    for at in ("B5", "B8"):
        game.rec.drag(a, to=at)
    path, target = game.rec.write(game.folder / "game.vlog"), game.folder / "stated.vlog"
    common = ["referee", str(path), "--boards", str(game.boards), "--annotate"]
    assert RUNNER.invoke(app, [*common, str(target)]).exit_code == 10
    before, after = (read_recording([one]).parts[0].steps for one in (path, target))
    assert [step.commands for step in after] == [*(step.commands for step in before), ()]
    assert "step 1-2 ILLEGAL" in after[2].chats[0]
    assert "A4.11b" in after[2].chats[0]
    assert RUNNER.invoke(app, [*common, str(path)]).exit_code == 2
    own = game.folder / "own.vlog"
    for eyes in (["--as", "german"], ["--reveal"]):  # one side's secrets are not mailed
        assert RUNNER.invoke(app, [*common, str(own), *eyes]).exit_code == 2
        assert not own.exists()


@pytest.mark.parametrize(("seed", "phase"), slow_after(2, [(1, "MPh"), (11, "APh"), (2, "MPh")]))
def test_forged_games(boards: Path, seed: int, phase: str) -> None:
    """In random play no legal move is called illegal, and illegal ones are found."""
    forged = forge_game(boards, seed, phase=phase)
    answer = referee_answer(judge_files([forged.path], boards, GameFile()))
    moves = [move for one in answer["phases"] for move in one["moves"]]
    status = {
        last: next(
            (move["status"] for move in moves if any(one["step"] == last for one in move["steps"])),
            "",
        )
        for last in forged.truth
    }
    assert status == {last: "LEGAL" if legal else "ILLEGAL" for last, legal in forged.truth.items()}
