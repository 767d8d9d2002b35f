"""The referee's report does not depend on what its reader cannot see."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pytest
from rich.console import Console

from marchtable.answers.referee import referee_answer
from marchtable.files.recorded import judge_files
from marchtable.report.referee import print_referee, verdict_lines
from marchtable.rules.refereeing import GameFile, Viewer
from tests.asl.forged_games import forge_board
from tests.asl.refereed import Game, squad
from tests.asl.secret_games import SECRET_SIDES, forge_secret_chain, forge_secrets
from tests.slowly import slow_after
from tests.vasl.logs import cx, men, question, vehicle
from tests.vasl.saves import marker

if TYPE_CHECKING:
    from pathlib import Path

    from tests.vasl.saves import Counter


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a board."""
    return forge_board(tmp_path_factory.mktemp("boards"))


def report(paths: list[Path], boards: Path, viewer: str) -> dict[str, Any]:
    """Return all that a reader gets: the answer, its text, the lines for the log, and the sides."""
    game = judge_files(paths, boards, GameFile(), Viewer(viewer))
    answer = referee_answer(game)
    out = io.StringIO()
    print_referee(Console(file=out, width=100), answer)
    lines = verdict_lines(answer) if not viewer else {}
    return {"answer": answer, "text": out.getvalue(), "lines": lines, "sides": game.sides}


@pytest.mark.parametrize("seed", slow_after(3, range(120)))
def test_nothing_out_of_sight_changes_a_report(boards: Path, tmp_path: Path, seed: int) -> None:
    """Games that differ in one side's secrets have the same report for the other, and for both."""
    games = [forge_secrets(tmp_path / str(variant), seed, variant) for variant in range(2)]
    owner = games[0][1]
    (other,) = set(SECRET_SIDES.values()) - {owner}
    for viewer in ("", other):
        one, two = (report([path], boards, viewer) for path, _ in games)
        assert one == two
        assert json.dumps(one) == json.dumps(two)
        assert "hunter2" not in json.dumps(one)
    own = [report([path], boards, owner) for path, _ in games]
    assert own[0] != own[1]


@pytest.mark.parametrize("seed", slow_after(4, range(40)))
def test_nothing_out_of_sight_parts_logs_of_a_chain(
    boards: Path, tmp_path: Path, seed: int
) -> None:
    """Only what their reader sees links files; whatever else differs, the report is the same."""
    games = [forge_secret_chain(tmp_path / str(variant), seed, variant) for variant in range(2)]
    owner = games[0][1]
    (other,) = set(SECRET_SIDES.values()) - {owner}
    for viewer in ("", other):
        one, two = (report(paths, boards, viewer) for paths, _ in games)
        assert json.dumps(one) == json.dumps(two)
        assert one["answer"]["files"][1]["link"] != "gap"
        assert "hunter2" not in json.dumps(one)


def two_logs(
    folder: Path, unit: Counter, rest: list[Counter], *, moves: bool, at: str = "H2"
) -> list[Path]:
    """Write two logs of a chain between which a piece moves unrecorded, or stays."""
    game = Game(folder, folder)
    a, b = squad(), squad()
    game.rec.place("B2", a)
    game.rec.place("E2", b)
    game.rec.place(at, unit, *rest)
    game.rec.begin().drag(a, to="B3")
    first = game.rec.write(folder / f"a{moves}.vlog", date=1)
    game.rec.drag(unit, *rest, to="H3" if moves else at)
    game.rec.begin().drag(b, to="E3")
    return [first, game.rec.write(folder / f"b{moves}.vlog", date=2)]


@pytest.mark.parametrize("kind", ["hidden", "concealed"])
def test_a_hidden_piece_that_differs_makes_no_gap(boards: Path, tmp_path: Path, kind: str) -> None:
    """Only its own side, and all with `--reveal`, see the gap; a `?` that differs is seen by all."""
    unit = squad("ru", "4-4-7 1sq")
    if kind == "hidden":
        unit.traits = (("hide;72,130;HIP;;player:", "hunter2"), *unit.traits[1:])
    rest = [] if kind == "hidden" else [question("ru", "hunter2")]
    for viewer in ("", "german"):
        one, two = (
            report(two_logs(tmp_path, unit, rest, moves=moves), boards, viewer)["answer"]
            for moves in (False, True)
        )
        links = [[file["link"] for file in answer["files"]] for answer in (one, two)]
        assert links[0] == ["begins", "follows"]
        assert links[1][1] == ("follows" if kind == "hidden" else "gap")
    own = judge_files(
        two_logs(tmp_path, unit, rest, moves=True), boards, GameFile(), Viewer("russian")
    )
    assert [file.link for file in own.recording.files] == ["begins", "gap"]


def test_a_hidden_step_between_a_step_and_its_undo(boards: Path, tmp_path: Path) -> None:
    """In old logs without marks an undo is found even if a hidden unit moved in between."""
    reports = []
    for moves in (False, True):
        game = Game(boards, tmp_path)
        hid = squad("ru", "4-4-7 1sq")
        hid.traits = (("hide;72,130;HIP;;player:", "hunter2"), *hid.traits[1:])
        game.rec.place("B2", a := squad())
        game.rec.place("H7", hid)
        game.rec.begin().drag(a, to="B9")
        inverse = game.rec.inverse[-1]
        if moves:
            game.rec.drag(hid, to="H8")
        else:
            game.rec.record(["null"], [], lambda: None)
        game.rec.record(inverse, [], lambda: None)
        path = game.rec.write(tmp_path / "old.vlog", vassal="3.6.0")
        reports.append(report([path], boards, ""))
    assert reports[0] == reports[1]
    assert reports[0]["answer"]["phases"] == []


# -- a `?` seen by both players --------------------------------------------------------------------


@pytest.fixture
def game(boards: Path, tmp_path: Path) -> Game:
    """Return a game in the MPh of the german side."""
    return Game(boards, tmp_path)


def test_a_pile_that_is_dragged_piece_by_piece_is_one_move(game: Game) -> None:
    """Its way is reported once, with the steps of all its counters."""
    pile = [squad("ge", "5-4-8 Esq", by="hunter2"), question("ge", "hunter2")]
    game.rec.place("C2", *pile)
    game.rec.begin()
    for to in ("C3", "C4"):
        for piece in pile:
            game.rec.drag(piece, to=to)
    (move,) = game.moves(viewer="russian")
    assert (move["units"], move["way"]) == ([{"id": "?", "called": "?"}], ["C2", "C3", "C4"])
    assert [one["step"] for one in move["steps"]] == [1, 2, 3, 4]
    (phase,) = game.judged()["phases"]
    places = [
        {(one["from"], one["at"]) for one in step["changes"]} for step in phase["replay"]["steps"]
    ]
    assert places == [
        {("C2", "C3"), ("C2", "C2")}, {("C2", "C3")}, {("C3", "C4"), ("C3", "C3")}, {("C3", "C4")},
    ]  # fmt: skip


def test_a_concealed_vehicle_that_turns_shows_nothing(game: Game) -> None:
    """Nor does a marker under a `?`."""
    tank, mask = vehicle("ge", "PzKpfw IVH", vca=4), question("ge", "hunter2")
    game.rec.place("C2", tank, mask)
    game.rec.begin().turn(tank, "W")
    game.rec.put(marker("Pin"), on=tank)
    assert game.judged()["phases"] == []
    assert [move["units"][0]["id"] for move in game.moves(viewer="german")] == ["ge_pzkpfwivh_1"]


def test_a_unit_that_comes_into_sight_is_not_judged(game: Game) -> None:
    """Its earlier moves are unknown to that reader; its own side sees it judged."""
    a, mask = squad(), question("ge", "hunter2")
    game.rec.place("B2", a, mask)
    game.rec.begin().drag(a, mask, to="B3")
    game.rec.take(mask)
    game.rec.drag(a, to="B4")
    first, second = game.moves(viewer="russian")
    assert (first["way"], second["way"]) == (["B2", "B3"], ["B4"])
    assert (second["status"], "into sight" in second["reasons"][0]) == ("UNKNOWN", True)
    (own,) = game.moves(viewer="german")
    assert (own["status"], own["way"]) == ("LEGAL", ["B2", "B3", "B4"])


def test_allies_that_are_all_hidden_name_no_side(game: Game) -> None:
    """The side is called german, not by the bloc of its hidden ally."""
    ally = men("it", "3-4-7 1sq")
    ally.traits = (("hide;72,130;HIP;;player:", "hunter2"), *ally.traits[1:])
    game.rec.place("B2", a := squad())
    game.rec.place("B6", ally)
    game.rec.begin().drag(a, to="B3")
    assert {one["side"] for one in game.judged()["phases"][0]["replay"]["start"]} == {
        "german", "russian",
    }  # fmt: skip


# -- ILLEGAL verdicts ----------------------------------------------------------------------------


def test_a_marker_that_is_withdrawn_accuses_nobody(game: Game) -> None:
    """Removed before the unit goes on, it does not count; removed later, it proves nothing."""
    a, b, c = squad(), squad(), squad()
    pins = [marker("Pin") for _ in range(3)]
    for at, unit in (("B2", a), ("D7", b), ("H4", c)):
        game.rec.place(at, unit)
    game.rec.begin().drag(a, to="B3")
    game.rec.put(pins[0], on=a)
    game.rec.take(pins[0])
    game.rec.drag(a, to="B4")
    game.rec.drag(b, to="D8")
    game.rec.put(pins[1], on=b)
    game.rec.drag(b, pins[1], to="D9")
    game.rec.take(pins[1])
    game.rec.drag(c, to="H5")
    game.rec.put(pins[2], on=c)
    game.rec.drag(c, pins[2], to="H6")
    moves = game.moves()
    assert [move["status"] for move in moves] == ["LEGAL", "UNKNOWN", "ILLEGAL"]
    assert "taken away again" in moves[1]["reasons"][0]


def test_nobody_is_carried_by_the_enemys_vehicle(game: Game) -> None:
    """An enemy vehicle that goes to the same hex in the same step carries no unit."""
    tank, a = vehicle("ru", "T-34 M43", vca=4), squad()
    game.rec.place("C2", tank)
    game.rec.place("B2", a)
    game.rec.begin().drag_stacks([tank], [a], to="C3")
    assert sorted(len(move["units"]) for move in game.moves()) == [1, 1]
    game.rec.put(cx(), on=a)
    assert {move["side"] for move in game.moves()} == {"german", "russian"}


def test_a_counter_that_comes_back_from_the_casualties_goes_on(game: Game) -> None:
    """A unit taken for lost by mistake is judged from where it was."""
    a = squad()
    game.rec.place("B2", a)
    game.rec.begin().drag(a, to="B3")
    game.rec.take(a, eliminated=True)
    game.rec.drag(a, to="B4")
    (move,) = game.moves()
    assert (move["status"], move["way"]) == ("LEGAL", ["B2", "B3", "B4"])
