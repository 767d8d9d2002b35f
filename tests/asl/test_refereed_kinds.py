"""One log of each kind that VASL writes, judged from the file to the verdict."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from marchtable.answers.referee import referee_answer
from marchtable.files.recorded import judge_files
from marchtable.rules.refereeing import GameFile
from marchtable.vasl.logs import annotated
from marchtable.vasl.saves.savefile import read_text
from tests.asl.forged_games import forge_board
from tests.asl.refereed import Game, squad
from tests.vasl.logs import PHASES, deep, men, question
from tests.vasl.saves import layer

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.vasl.saves import Counter

FAR = ("B3", "B4", "B5", "B6", "B7")
"""One hex more than a squad can go from B2."""


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a board."""
    return forge_board(tmp_path_factory.mktemp("boards"))


@pytest.fixture
def game(boards: Path, tmp_path: Path) -> Game:
    """Return a game in the MPh of the german side."""
    return Game(boards, tmp_path)


def begun(game: Game, *others: Counter) -> Counter:
    """Place a squad in B2, with others on it, and begin to log."""
    a = squad()
    game.rec.place("B2", a, *others)
    game.rec.begin()
    return a


def nested(game: Game) -> None:
    """Commands each nested in the one before."""
    game.rec.shape = deep
    a = begun(game)
    for at in FAR:
        game.rec.drag(a, to=at)


def null_first(game: Game) -> None:
    """Steps that begin with a command without an encoder."""
    game.rec.null_first = True
    a = begun(game)
    for at in FAR:
        game.rec.drag(a, to=at)


def apart_and_together(game: Game) -> None:
    """A stack spread apart and merged again."""
    a = begun(game, b := squad())
    game.rec.drag(b, to="B3")
    game.rec.drag(a, to="B3")
    game.rec.drag(a, b, to="B4")


def several_stacks(game: Game) -> None:
    """Two stacks selected together and moved in one step."""
    a, b = squad(), squad()
    game.rec.place("B2", a)
    game.rec.place("C2", b)
    game.rec.begin().drag_stacks([a], [b], to="B3")


def snapped(game: Game) -> None:
    """A step that moves another piece away and back."""
    other = squad()
    game.rec.place("H3", other)
    a = begun(game)
    game.rec.drag(a, to="B3", snap=[other])


def by_keyboard(game: Game) -> None:
    """A move by a key, to beside the hex's center and on to it."""
    a = begun(game)
    game.rec.press(a, 3, 60, "B3")


def undone(game: Game) -> None:
    """A move too far that was taken back, with the mark of newer versions."""
    a = begun(game)
    game.rec.drag(a, to="B8")
    game.rec.undo()
    game.rec.drag(a, to="B3")


def undone_in_part(game: Game) -> None:
    """A marked undo that leaves the moved mark as it was."""
    a = begun(game)
    game.rec.drag(a, to="B8")
    game.rec.undo(partly=True)
    game.rec.drag(a, to="B3")


def replaced(game: Game) -> None:
    """A squad replaced after its move by two half squads with ids of their own."""
    a = begun(game)
    game.rec.drag(a, to="B3")
    game.rec.replace(a, men("ge", "2-4-7 1hs"), men("ge", "2-4-7 1hs"))


def flipped(game: Game) -> None:
    """A squad that becomes a half squad under its own id after its move."""
    a = men("ge", "4-6-7 1sq", layer("2-4-7 1hs", level=-1), ("moved;moved58", "false"))
    game.rec.place("B2", a)
    game.rec.begin().drag(a, to="B3")
    game.rec.change(a, (2, "1"))


def cycled(game: Game) -> None:
    """The phase counter goes round to the same phase: earlier expenditure still counts."""
    a = begun(game)
    for to in FAR[:3]:
        game.rec.drag(a, to=to)
    now = PHASES.index("MPh")
    for phase in (*PHASES[now + 1 :], *PHASES[: now + 1]):
        game.rec.phase(game.track, "Axis", phase, 1)
    for to in FAR[3:]:
        game.rec.drag(a, to=to)


def lost(game: Game) -> None:
    """A squad that moves and is eliminated."""
    a = begun(game)
    game.rec.drag(a, to="B3")
    game.rec.take(a, eliminated=True)


def deleted(game: Game) -> None:
    """A squad that moves and is deleted."""
    a = begun(game)
    game.rec.drag(a, to="B3")
    game.rec.take(a)


def cloaked(game: Game) -> None:
    """A concealed squad: only its own side sees its move."""
    a = begun(game, mask := question("ge", "hunter2"))
    game.rec.drag(a, mask, to="B3")


KINDS: dict[Callable[[Game], None], list[str]] = {
    nested: ["ILLEGAL"],
    null_first: ["ILLEGAL"],
    apart_and_together: ["LEGAL"],
    several_stacks: ["LEGAL", "LEGAL"],
    snapped: ["LEGAL"],
    by_keyboard: ["LEGAL"],
    undone: ["LEGAL"],
    undone_in_part: ["LEGAL"],
    replaced: ["LEGAL"],
    flipped: ["LEGAL"],
    cycled: ["ILLEGAL"],
    lost: ["LEGAL"],
    deleted: ["LEGAL"],
    cloaked: ["UNKNOWN"],
}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_kind(game: Game, kind: Callable[[Game], None]) -> None:
    """A log of each kind is judged, step by step."""
    kind(game)
    moves = game.moves()
    assert [move["status"] for move in moves] == KINDS[kind], moves


def test_the_turn_counter_cycles_back(game: Game) -> None:
    """It cannot step back from turn 3 to 2: it goes by 10, and 12 is not meant."""
    a = squad()
    game.rec.place("B2", a)
    game.rec.begin()
    game.rec.phase(game.track, "Axis", "MPh", 2)
    game.rec.drag(a, to="B3")
    game.rec.phase(game.track, "Axis", "MPh", 3)
    for turn in (4, 5, 6, 7, 8, 9, 10, 11, 12):
        game.rec.phase(game.track, "Axis", "MPh", turn)
    game.rec.drag(a, to="B4")
    answer = game.judged()
    assert [one["turn"] for one in answer["phases"]] == [2]
    assert answer["phases"][0]["moves"][0]["spent"][0]["spent"] == 2.0


def test_logs_without_dates_in_any_order(game: Game) -> None:
    """If files lack a save time, the pieces on the table give their order."""
    a = squad()
    game.rec.place("B2", a)
    paths = []
    for number, way in enumerate((FAR[:2], FAR[2:4], FAR[4:]), 1):
        game.rec.begin()
        for at in way:
            game.rec.drag(a, to=at)
        paths.append(game.rec.write(game.folder / f"{number}.vlog"))
    for order in ((2, 0, 1), (1, 2, 0), (2, 1, 0)):
        answer = referee_answer(judge_files([paths[at] for at in order], game.boards, GameFile()))
        assert [one["file"] for one in answer["files"]] == ["1.vlog", "2.vlog", "3.vlog"]
        assert [one["link"] for one in answer["files"]] == ["begins", "follows", "follows"]
        assert answer["status"] == "ILLEGAL"


@pytest.mark.parametrize("viewer", ["", "russian"])
def test_the_report_is_the_same_whatever_is_out_of_sight(
    boards: Path, tmp_path: Path, viewer: str
) -> None:
    """No byte changes with the number of units under a `?` (none, one or four), or a hidden one."""
    shown: list[str] = []
    own: list[Any] = []
    for number, (beneath, hides) in enumerate(((0, False), (1, False), (4, True))):
        (tmp_path / str(number)).mkdir()
        game = Game(boards, tmp_path / str(number))
        a, mask = squad(), question("ge", "hunter2")
        hidden = [men("ge", "5-4-8 Esq", by="hunter2") for _ in range(3 if hides else 0)]
        for one in hidden:
            one.traits = (("hide;72,130;HIP;;player:", "hunter2"), *one.traits[1:])
        game.rec.place("B4", *(squad("ge", "5-4-8 Esq") for _ in range(beneath)), mask)
        if hidden:
            game.rec.place("B3", *hidden)
        game.rec.place("B2", a)
        game.rec.begin().drag(a, to="B3")
        if hidden:
            game.rec.drag(hidden[0], to="C3")
        game.rec.drag(a, to="B4")
        answer = game.judged(viewer=viewer)
        answer["files"] = []  # the number of steps is no secret
        for phase in answer["phases"]:
            for move in phase["moves"]:
                move["steps"] = []
            for step in phase["replay"]["steps"]:
                step["step"] = 0
        shown.append(json.dumps(answer))
        own.append(game.moves(viewer="german"))
    assert shown[0] == shown[1] == shown[2]
    assert "hunter2" not in shown[0]
    assert own[1] != own[2]


def test_a_board_without_los_data(tmp_path: Path) -> None:
    """It is named once, and moves touching it are UNKNOWN; on the other board all is judged."""
    import zipfile

    forge_board(tmp_path)
    wide, high = 12 * 56, 580
    picture = b"GIF89a" + wide.to_bytes(2, "little") + high.to_bytes(2, "little") + b"\0" * 9
    with zipfile.ZipFile(tmp_path / "bd99", "w") as archive:
        archive.writestr("bd99.gif", picture)
    game = Game(tmp_path, tmp_path)
    game.rec.boards = ("0\t0\t01", "1\t0\t99")
    a, b, c = squad(), squad(), squad()
    beyond = (400 + 13 * 56 + 100, 500)
    game.rec.place("B2", a)
    game.rec.place("L4", b)
    game.rec.place(beyond, c)
    game.rec.begin()
    for at in FAR:
        game.rec.drag(a, to=at)
    game.rec.drag(b, to=beyond)
    game.rec.drag(c, to=(beyond[0] + 60, 500))
    answer = game.judged()
    first, second = (move for phase in answer["phases"] for move in phase["moves"])
    assert (first["status"], second["status"]) == ("ILLEGAL", "UNKNOWN")
    assert "board 99" in second["reasons"][0]
    assert [note for note in answer["notes"] if "99" in note] == [
        "board 99 has no LOS data: nothing on it is judged"
    ]


def test_the_rest_of_an_annotated_log_is_as_it_was(game: Game) -> None:
    """Except for the added lines the text is the same, letter by letter; so are all other entries."""
    import zipfile

    a = begun(game)
    for at in FAR:
        game.rec.drag(a, to=at)
    path = game.rec.write(game.folder / "a.vlog")
    copy = game.folder / "b.vlog"
    copy.write_bytes(annotated(path, {2: ["marchtable: one"], 5: ["marchtable: two"]}))
    (before, cover), (after, same) = read_text(path), read_text(copy)
    lines = [f"\x1bLOG\tCHAT- marchtable: {word}" for word in ("one", "two")]
    assert all(after.count(line) == 1 for line in lines)
    for line in lines:
        after = after.replace(line, "")
    assert (after, same) == (before, cover)
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(copy) as new:
        assert old.namelist() == new.namelist()
        for name in old.namelist():
            assert name == "savedGame" or old.read(name) == new.read(name)
