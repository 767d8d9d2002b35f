"""Verdicts on what a log hardly shows: Guns, the map edge, losses, dice, long ways, concealment."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import pytest

from marchtable.answers.referee import referee_answer
from marchtable.errors import BadInputError
from marchtable.files.recorded import judge_files
from marchtable.rules.refereeing import GameFile
from tests.asl.forged_games import forge_board
from tests.asl.refereed import Game, squad
from tests.slowly import slow_after
from tests.vasl.forge import Forge
from tests.vasl.logs import men, question, vehicle
from tests.vasl.saves import Counter, layer, obfuscated, pack, works

if TYPE_CHECKING:
    from pathlib import Path

BESIDE = (60, 500)


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the board of forged games, and one with three woods in a column."""
    folder = forge_board(tmp_path_factory.mktemp("boards"))
    board = Forge(13, 9)
    for name in ("B3", "B4", "B5"):
        board.disc(name, 30, "Woods")
    board.write(folder / "bd02")
    return folder


@pytest.fixture
def game(boards: Path, tmp_path: Path) -> Game:
    """Return a game in the MPh of the german side."""
    return Game(boards, tmp_path)


def gun(*traits: tuple[str, str], name: str = "37L AT PaK 35/36") -> Counter:
    """Return a Gun that is quick to set up."""
    conceal = ("conceal;C;ge/q;ge;;", "null;")
    return Counter(name, ("info;QSU,s7", ""), conceal, *traits, image="ge/gun/x")


def crew() -> Counter:
    """Return a crew."""
    return men("ge", "2-2-8 Icr", ("moved;moved58", "false"))


def one(game: Game, **more: Any) -> dict[str, Any]:
    """Return the only move of a game."""
    (move,) = game.moves(**more)
    return dict(move)


# -- the edge of the map, and losses -------------------------------------------------------------


def test_a_unit_that_is_lost_has_moved_legally_before(game: Game) -> None:
    """A counter that goes to the casualties does not leave the map by its own move."""
    a = squad()
    game.rec.place("B2", a)
    game.rec.begin().drag(a, to="B3")
    game.rec.take(a, eliminated=True)
    assert (one(game)["status"], one(game)["way"]) == ("LEGAL", ["B2", "B3"])


@pytest.mark.parametrize(("to", "status"), [("B1", "LEGAL"), ("B2", "LEGAL"), ("E5", "ILLEGAL")])
def test_entry(game: Game, to: str, status: str) -> None:
    """A unit beside the boards enters by any edge hex, at its cost from there."""
    a = squad()
    game.rec.place(BESIDE, a)
    game.rec.begin().drag(a, to=to)
    move = one(game)
    assert move["status"] == status
    assert ("A4.11b" in json.dumps(move["violations"])) == (status == "ILLEGAL")
    assert any("is not recorded" in note for note in move["notes"]) == (status == "LEGAL")


def test_a_vehicle_enters_with_any_facing(game: Game) -> None:
    """The facing of a counter beside the boards does not matter."""
    tank = vehicle("ge", "PzKpfw IVH", vca=1)
    game.rec.place(BESIDE, tank)
    game.rec.begin().drag(tank, to="C1")
    game.rec.drag(tank, to="C2")
    assert one(game)["status"] == "LEGAL"


@pytest.mark.parametrize(("start", "status"), [("C1", "LEGAL"), ("C2", "LEGAL"), ("G5", "UNKNOWN")])
def test_exit(game: Game, start: str, status: str) -> None:
    """Off an edge hex it is an exit; from elsewhere it may be a loss, and is not ILLEGAL."""
    a = squad()
    game.rec.place(start, a)
    game.rec.begin().drag(a, to=BESIDE)
    move = one(game)
    assert move["status"] == status
    assert ("assumed to exit the map" in move["notes"]) == (status == "LEGAL")


# -- Guns and dice -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dice", "status", "said"),
    [
        ((), "LEGAL", "no DR is recorded; assumed: goes"),
        ((2, 1), "LEGAL", "DR 2,1 = 3 at step 2: goes"),
        ((6, 6), "UNKNOWN", "DR 6,6 = 12 at step 2 means"),
    ],
)
def test_a_gun_is_pushed(game: Game, dice: tuple[int, ...], status: str, said: str) -> None:
    """Its Manhandling DR is compared with the chat."""
    piece, men_ = gun(), crew()
    game.rec.place("C2", piece, men_)
    game.rec.begin().drag(piece, men_, to="C3")
    if dice:
        game.rec.roll("Other", *dice)
    move = one(game)
    assert move["status"] == status, move
    assert move["log"][0].startswith("push")
    assert any(said in text for text in (*move["notes"], *move["reasons"])), move


def test_a_gun_that_moves_by_itself(game: Game) -> None:
    """Which units pushed it is not recorded."""
    piece = gun()
    game.rec.place("C2", piece)
    game.rec.begin().drag(piece, to="C3")
    move = one(game)
    assert (move["status"], "C10.3" in move["reasons"][0]) == ("UNKNOWN", True)


def test_a_gun_in_tow_that_stays_behind_was_unhooked(game: Game) -> None:
    """The vehicle stops for that, and its crew unloads."""
    tractor, piece = vehicle("ge", "SdKfz 7", gpid="2713", vca=4), gun(layer("", "Lmbd +", level=2))
    men_ = crew()
    game.rec.place("C2", tractor, piece, men_)
    game.rec.begin().drag(tractor, piece, men_, to="C3")
    game.rec.drag(tractor, to="C4")
    move = one(game)
    assert move["status"] == "LEGAL", move
    assert any(line.startswith("unhook") for line in move["log"])


def test_a_gun_is_hooked_up(game: Game) -> None:
    """A Gun that goes along at once with a vehicle that did not tow it cannot have been hooked up."""
    tractor, piece = vehicle("ge", "SdKfz 7", gpid="2713", vca=4), gun(layer("", "Lmbd +", level=2))
    men_ = crew()
    game.rec.place("C2", piece, men_, tractor)
    game.rec.begin().drag(piece, men_, tractor, to="C3")
    move = one(game)
    assert move["status"] == "ILLEGAL", move
    assert any(line.startswith("hook") for line in move["log"])


@pytest.mark.parametrize(
    ("way", "mate", "status"),
    [
        (("B3", "B4"), "", "LEGAL"),
        (("B3", "B4", "B5", "C6"), "", "ILLEGAL"),
        (("B3", "B4", "B5", "C6"), "C3", "LEGAL"),
    ],
)
def test_smoke_grenades_cost_mf(game: Game, way: tuple[str, ...], mate: str, status: str) -> None:
    """A squad placed the SMOKE that appears beside it, unless another squad may have done it."""
    a = squad()
    game.rec.place("B2", a)
    if mate:
        game.rec.place(mate, squad())
    game.rec.begin().drag(a, to=way[0])
    game.rec.put(works("Smoke"), on=a)
    game.rec.roll("Other", 2)
    for at in way[1:]:
        game.rec.drag(a, to=at)
    move = one(game)
    assert move["status"] == status, move
    assert any(line.startswith("smoke") for line in move["log"]) == (not mate)
    if status == "LEGAL":
        said = "another unit placed" if mate else "dr 2 = 2 at step 3: placed"
        assert any(said in note for note in move["notes"]), move


# -- SW ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("weapon", "goes_along", "status"),
    [("HMG", True, "ILLEGAL"), ("HMG", False, "LEGAL"), ("LMG", True, "LEGAL")],
)
def test_sw_that_stay_behind_are_dropped(
    game: Game, weapon: str, goes_along: bool, status: str
) -> None:
    """A heavy SW slows a squad; one left where the squad set out does not."""
    a, sw = squad(), men("ge", weapon)
    game.rec.place("B2", a, sw)
    game.rec.begin()
    for at in ("B3", "B4", "B5", "B6"):
        game.rec.drag(a, *((sw,) if goes_along else ()), to=at)
    move = one(game)
    assert move["status"] == status, move
    assert any(line.startswith("drop") for line in move["log"]) == (not goes_along)


def test_a_leader_lends_his_ipc(game: Game) -> None:
    """With it a squad carries a MMG and keeps the bonus of a leader's stack."""
    a, leader, sw = squad(), squad("ge", "9-1 LDR"), men("ge", "MMG")
    game.rec.place("B2", a, sw, leader)
    game.rec.begin()
    for at in ("B3", "B4", "B5", "B6", "B7"):
        game.rec.drag(a, sw, leader, to=at)
    assert one(game)["status"] == "LEGAL"


# -- a phase counter that was not kept -----------------------------------------------------------


@pytest.mark.parametrize(("kept", "status"), [(False, "UNKNOWN"), (True, "ILLEGAL")])
def test_a_hex_more_after_others_moved_may_be_an_advance(
    game: Game, kept: bool, status: str
) -> None:
    """Unless the counter shows the end of the phase, the move is not ILLEGAL."""
    a, b = squad(), squad()
    game.rec.place("B2", a)
    game.rec.place("F2", b)
    game.rec.begin()
    for at in ("B3", "B4", "B5", "B6"):
        game.rec.drag(a, to=at)
    game.rec.drag(b, to="F3")
    game.rec.drag(a, to="B7")
    if kept:
        game.rec.phase(game.track, "Axis", "DFPh", 1)
    moves = {move["way"][0]: move["status"] for move in game.moves()}
    assert moves == {"B2": status, "F2": "LEGAL"}


# -- the smallest set of clauses -----------------------------------------------------------------


def test_each_clause_of_a_smallest_set_has_its_entry(game: Game) -> None:
    """Too far, and into an enemy's hex: neither clause alone explains it."""
    a = squad()
    game.rec.place("B2", a)
    game.rec.place("B8", squad("ru", "4-4-7 1sq"))
    game.rec.begin()
    for at in ("B3", "B4", "B5", "B6", "B7", "B8"):
        game.rec.drag(a, to=at)
    move = one(game)
    assert move["status"] == "ILLEGAL"
    assert {fault["clause"]: fault["step"] for fault in move["violations"]} == {
        "A4.11b": 4,
        "A4.14": 5,
    }


# -- ways that were not dragged ------------------------------------------------------------------


def test_a_stack_goes_the_long_way_round(boards: Path, tmp_path: Path) -> None:
    """Three woods cost a leader's stack too much; it can go round them."""
    game = Game(boards, tmp_path, board="02")
    a, leader = squad(), squad("ge", "9-1 LDR")
    game.rec.place("B2", a, leader)
    game.rec.begin().drag(a, leader, to="B6")
    move = one(game)
    assert (move["status"], len(move["units"])) == ("LEGAL", 2)


def test_a_stack_of_which_one_counter_leaves_out_hexes(game: Game) -> None:
    """The leader's counter was dropped at the end of the way: they still moved as a stack."""
    a, leader = squad(), squad("ge", "9-1 LDR")
    game.rec.place("B2", a, leader)
    game.rec.begin().drag(leader, to="B8")
    for at in ("B3", "B4", "B5", "B6", "B7", "B8"):
        game.rec.drag(a, to=at)
    assert [move["status"] for move in game.moves()] == ["LEGAL"]


def test_a_counter_that_is_dragged_to_and_fro_without_end(game: Game) -> None:
    """No reading is searched for hundreds of steps of one unit."""
    a = squad()
    game.rec.place("B2", a)
    game.rec.begin()
    for _ in range(40):
        game.rec.drag(a, to="B3")
        game.rec.drag(a, to="B2")
    move = one(game)
    assert (move["status"], "more than 60 times" in move["reasons"][0]) == ("UNKNOWN", True)


def test_infantry_in_bypass_is_not_accused(game: Game) -> None:
    """A counter in the middle of woods may have bypassed them."""
    a = squad()
    game.rec.place("C4", a)
    game.rec.begin()
    for at in ("D3", "E3", "F3"):
        game.rec.drag(a, to=at)
    assert one(game)["status"] != "ILLEGAL"


# -- phases that are not judged ------------------------------------------------------------------


@pytest.mark.parametrize(("phase", "clause"), [("RtPh", "A10.5"), ("CCPh", "A11.2")])
def test_phases_that_are_not_judged(boards: Path, tmp_path: Path, phase: str, clause: str) -> None:
    """Moves there are UNKNOWN, and the clause is named."""
    game = Game(boards, tmp_path, phase)
    a = squad()
    game.rec.place("B2", a)
    game.rec.begin().drag(a, to="B3")
    move = one(game)
    assert (move["status"], clause in move["reasons"][0]) == ("UNKNOWN", True)


# -- secrets ---------------------------------------------------------------------------------------


def test_a_dummy_looks_like_any_concealed_stack(boards: Path, tmp_path: Path) -> None:
    """The report does not show whether two units, one or none lie under a `?`."""
    shown = []
    for number, beneath in enumerate(([], [squad()], [squad(), squad("ge", "9-1 LDR")])):
        (tmp_path / str(number)).mkdir()
        game = Game(boards, tmp_path / str(number))
        mask = question("ge", "hunter2")
        game.rec.place("C2", *beneath, mask)
        game.rec.place("D7", squad())
        game.rec.begin().drag(*beneath, mask, to="C3")
        shown.append(json.dumps(game.judged()))
        own = game.moves(viewer="german")
        assert ("A12.11" in json.dumps(own)) == (not beneath)
    assert shown[0] == shown[1] == shown[2]
    assert "hunter2" not in shown[0]


def test_a_hidden_enemy_is_in_nobodys_way(game: Game) -> None:
    """A hidden unit that moves into a unit's way is not mentioned, nor in the replay."""
    a, hidden = squad(), men("ru", "4-4-7 1sq")
    hidden.traits = (("hide;72,130;HIP;;player:", "hunter2"), *hidden.traits[1:])
    game.rec.place("B2", a)
    game.rec.place("C4", hidden)
    game.rec.begin().drag(hidden, to="B4")
    game.rec.drag(a, to="B3")
    game.rec.drag(a, to="B4")
    answer = game.judged()
    assert [move["status"] for phase in answer["phases"] for move in phase["moves"]] == ["LEGAL"]
    (phase,) = answer["phases"]
    assert "C4" not in json.dumps(phase)
    assert [one["step"] for one in phase["replay"]["steps"]] == [2, 3]
    assert "C4" in json.dumps(game.judged(viewer="russian")["phases"][0]["replay"])


def test_a_verdict_names_no_concealed_unit(game: Game) -> None:
    """Too many units in a hex violate a clause; the report shows `?` for concealed ones."""
    a, veiled = squad(), [squad("ge", "5-4-8 Esq") for _ in range(4)]
    game.rec.place("B2", a)
    game.rec.place("B3", *veiled, question("ge", "hunter2"))
    game.rec.begin().drag(a, to="B3")
    shown = json.dumps(game.judged())
    assert "ge_548" not in shown
    assert "5-4-8" not in shown
    assert "ge_548" in json.dumps(game.judged(viewer="german"))


def test_replay(game: Game) -> None:
    """Each phase lists its units, and each step's changes to them."""
    tank = vehicle("ge", "PzKpfw IVH", vca=4)
    game.rec.place("C2", tank)
    game.rec.begin().drag(tank, to="C3")
    game.rec.turn(tank, "W")
    (phase,) = game.judged()["phases"]
    replay = phase["replay"]
    assert phase["board"] == [["bd01"]]
    assert {(unit["at"], unit["facing"]) for unit in replay["start"] if unit["facing"]} == {
        ("C2", "SSW")
    }
    assert [
        (step["step"], one["from"], one["at"], one["facing"])
        for step in replay["steps"]
        for one in step["changes"]
    ] == [(1, "C2", "C3", "SSW"), (2, "C3", "C3", "W")]


# -- damage --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", slow_after(2, range(8, 60)))
def test_a_damaged_log_is_judged_or_rejected_in_one_line(game: Game, seed: int) -> None:
    """No damage ends in a traceback, or shows the password."""
    rng = random.Random(seed)
    a, tank = squad(), vehicle("ge", "PzKpfw IVH", vca=4)
    game.rec.place("B2", a, question("ge", "hunter2"))
    game.rec.place("C2", tank)
    game.rec.begin().drag(a, to="B3")
    game.rec.drag(tank, to="C3")
    game.rec.roll("Other", 3, 4)
    text = bytearray(game.rec.text().encode())
    steps = text.index(b"end_save")
    for _ in range(rng.randint(1, 12)):
        at = rng.randrange(steps if rng.random() < 0.7 else 12, len(text))
        if rng.random() < 0.5:
            text[at] = rng.choice(b"/\\;\t\x1b'0,")
        else:
            del text[at : at + rng.randint(1, 9)]
    path = pack(game.folder / "a.vlog", {"savedGame": obfuscated(bytes(text))})
    try:
        said = json.dumps(referee_answer(judge_files([path], game.boards, GameFile())))
    except BadInputError as error:
        said = str(error)
        assert "\n" not in said
    assert "hunter2" not in said


# -- chains of logs ------------------------------------------------------------------------------


def test_logs_that_contain_and_follow_each_other_are_judged_once(game: Game) -> None:
    """Steps that two logs share count once; after a gap the rest of a MPh is not judged."""
    a = squad()
    game.rec.place("B2", a)
    game.rec.begin().drag(a, to="B3")
    paths = [game.rec.write(game.folder / "1.vlog", date=1)]
    game.rec.drag(a, to="B4")
    paths.append(game.rec.write(game.folder / "2.vlog", date=2))
    game.rec.begin().drag(a, to="B5")
    paths.append(game.rec.write(game.folder / "3.vlog", date=3))
    game.rec.drag(a, to="B6")
    game.rec.begin().drag(a, to="B7")
    paths.append(game.rec.write(game.folder / "4.vlog", date=4))
    answer = referee_answer(judge_files(paths, game.boards, GameFile()))
    assert [file["link"] for file in answer["files"]] == ["begins", "contains", "follows", "gap"]
    first, second = (move for phase in answer["phases"] for move in phase["moves"])
    assert [(one["file"], one["step"]) for one in first["steps"]] == [
        ("1.vlog", 1), ("2.vlog", 2), ("3.vlog", 1),
    ]  # fmt: skip
    assert (first["status"], first["spent"][0]["spent"]) == ("LEGAL", 3.0)
    assert (second["status"], "before the recording" in second["reasons"][0]) == ("UNKNOWN", True)
