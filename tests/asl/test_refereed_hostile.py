"""Damaged and hostile logs: one clear line, in bounded time; and no password anywhere."""

from __future__ import annotations

import random
import time
import zipfile
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from marchtable.answers.referee import referee_answer
from marchtable.cli.main import app
from marchtable.errors import BadInputError
from marchtable.files.recorded import judge_files
from marchtable.rules.refereeing import GameFile
from marchtable.service.positions import Positions
from marchtable.service.settings import Library
from marchtable.web.refereed import judged
from tests.asl.forged_games import forge_board
from tests.asl.refereed import Game, squad
from tests.slowly import slow_after
from tests.vasl.logs import deep, men, question
from tests.vasl.saves import ESCAPE, obfuscated, pack
from tests.web.test_refereed import upload

if TYPE_CHECKING:
    from pathlib import Path

PASSWORD = "hunter2"


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a board."""
    return forge_board(tmp_path_factory.mktemp("boards"))


@pytest.fixture
def game(boards: Path, tmp_path: Path) -> Game:
    """Return a game with a concealed, a hidden and an open unit; each moves, the last too far."""
    found = Game(boards, tmp_path)
    veiled, hidden, a = squad("ge", "5-4-8 Esq", by=PASSWORD), men("ge", "9-1 LDR"), squad()
    hidden.traits = (("hide;72,130;HIP;;player:", PASSWORD), *hidden.traits[1:])
    found.rec.place("C2", veiled, mask := question("ge", PASSWORD))
    found.rec.place("E6", hidden)
    found.rec.place("B2", a)
    found.rec.begin().drag(veiled, mask, to="C3")
    found.rec.drag(hidden, to="E7")
    for to in ("B5", "B8"):
        found.rec.drag(a, to=to)
    return found


def texts(game: Game) -> dict[str, tuple[bytes, str]]:
    """Return texts of damaged logs, by fault, with the expected message."""
    text = game.rec.text()
    return {
        "empty": (b"", "begin_save"),
        "no text": (b"\xff\xfe\xfd" * 100, "does not decode"),
        "cut in the position": (text[: text.index("end_save") - 30].encode(), "cut short"),
        "bad UTF-8": (text.encode() + b"\x1bLOG\tCHAT\xc3\x28", "does not decode"),
        "two saves": (f"{text}{ESCAPE}{text}".encode(), "second saved game"),
        "no save": (text[text.index("end_save") :].encode(), "begin_save"),
        "too many steps": (text.encode() + b"\x1bLOG\tnull" * 200_001, "steps"),
    }


@pytest.mark.parametrize("fault", ["empty", "no text", "cut in the position", "bad UTF-8", "two saves",
                                   "no save", "too many steps"])  # fmt: skip
def test_a_bad_text_is_rejected_in_one_line(game: Game, fault: str) -> None:
    """The command names the file and the fault, without a traceback and without the password."""
    data, said = texts(game)[fault]
    path = pack(game.folder / "a.vlog", {"savedGame": obfuscated(data)})
    found = CliRunner().invoke(app, ["referee", str(path), "--boards", str(game.boards)])
    assert found.exit_code == 2, found.output
    assert len(found.output.strip().splitlines()) == 1
    assert "a.vlog" in found.output
    assert said in found.output
    assert PASSWORD not in found.output


def test_bad_archives_are_rejected_in_one_line(game: Game) -> None:
    """No ZIP, no saved game in it, two of them, or one that unpacks to far more than possible."""
    sound = game.rec.write(game.folder / "sound.vlog")
    bad = game.folder / "a.vlog"

    def rejection() -> str:
        with pytest.raises(BadInputError) as caught:
            judge_files([bad], game.boards, GameFile())
        assert len(str(caught.value).splitlines()) == 1
        assert PASSWORD not in str(caught.value)
        return str(caught.value)

    bad.write_bytes(b"not a ZIP at all")
    assert "a.vlog" in rejection()
    bad.write_bytes(sound.read_bytes()[:-40])
    assert "a.vlog" in rejection()
    assert "savedGame" in (pack(bad, {"savedgame": b"x", "moduledata": b"y"}), rejection())[1]
    with zipfile.ZipFile(bad, "w") as archive:
        archive.writestr("savedGame", obfuscated(game.rec.text().encode()))
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("savedGame", b"begin_save")
    assert "several entries" in rejection()
    with zipfile.ZipFile(bad, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("savedGame", bytes(60_000_000))
    before = time.process_time()
    assert "larger than" in rejection()
    assert time.process_time() - before < 5


@pytest.mark.parametrize("seed", slow_after(4, range(40)))
def test_a_cut_file_is_rejected_or_judged(game: Game, seed: int) -> None:
    """Bytes cut off or changed anywhere give one line, or verdicts."""
    rng = random.Random(seed)
    data = bytearray(game.rec.write(game.folder / "sound.vlog").read_bytes())
    if rng.random() < 0.5:
        del data[rng.randrange(len(data)) :]
    for _ in range(rng.randint(0, 6)):
        if data:
            data[rng.randrange(len(data))] = rng.randrange(256)
    path = game.folder / "a.vlog"
    path.write_bytes(bytes(data))
    found = CliRunner().invoke(app, ["referee", str(path), "--boards", str(game.boards)])
    assert found.exit_code in (0, 2, 10, 12), found.output
    assert PASSWORD not in found.output
    if found.exit_code == 2:
        assert len(found.output.strip().splitlines()) == 1


def test_a_step_nested_too_deep_makes_its_phase_unknown(game: Game) -> None:
    """The others are judged as far as possible."""
    game.rec.shape = deep
    game.rec.record(["null"] * 300, [], lambda: None)
    answer = game.judged()
    assert "nested" in " ".join(answer["phases"][0]["notes"])
    assert answer["status"] != "LEGAL"


@pytest.mark.slow
def test_twenty_thousand_steps_are_judged(game: Game) -> None:
    """A unit or a `?` that goes to and fro all the time does not take long."""
    a, b, mask = squad(), squad(), question("ge", PASSWORD)
    game.rec.place("H4", a)
    game.rec.place("J4", b, mask)
    game.rec.begin()
    for n in range(100):
        game.rec.drag(a, to=("H5", "H4")[n % 2])
        game.rec.drag(b, mask, to=("J5", "J4")[n % 2])
    game.rec.steps *= 100
    before = time.process_time()
    answer = game.judged()
    assert time.process_time() - before < 60
    assert answer["files"][0]["steps"] == 20_000
    assert {move["status"] for move in answer["phases"][0]["moves"]} == {"UNKNOWN"}


def test_the_password_is_nowhere(game: Game) -> None:
    """Not in text, JSON, the page's answer or an annotated log's added lines, for any reader."""
    path, copy = game.rec.write(game.folder / "game.vlog"), game.folder / "judged.vlog"
    common = ["referee", str(path), "--boards", str(game.boards)]
    readers: tuple[list[str], ...] = (
        [],
        ["--json"],
        ["--as", "german"],
        ["--reveal", "--json"],
        ["--annotate", str(copy)],
    )
    for more in readers:
        found = CliRunner().invoke(app, [*common, *more])
        assert found.exit_code in (10, 12), found.output
        assert PASSWORD not in found.output
    assert "marchtable: step" in (added := _added(path, copy))
    assert PASSWORD not in added
    files = [upload(path), upload(game.boards / "bd01")]
    assert PASSWORD not in str(judged(Positions(Library()), files=files, reveal=True))
    rejected = judge_files([path], game.boards, GameFile())
    assert PASSWORD not in repr(referee_answer(rejected))
    kept = [one for one in game.folder.rglob("*") if one.is_file() and one.suffix != ".vlog"]
    assert not any(PASSWORD.encode() in one.read_bytes() for one in kept)


def _added(path: Path, copy: Path) -> str:
    """Return the lines an annotated log adds."""
    from marchtable.vasl.saves.savefile import read_log

    before, after = read_log(path)[1], read_log(copy)[1]
    return "\n".join(line for line in after if line not in before)


FAULTS = {
    "year = -4": "year: expected a whole number >= 0",
    "month = 13": "month: expected a whole number <= 12",
    "turn = -3": "turn: expected a whole number >= 0",
    "accept = [0]": "accept[0]: expected a whole number >= 1",
    'accept = ["x"]': "accept[0]: expected a step, such as 12 or 'mine.vlog:12', got 'x'",
    'phase = "XPh"': "phase: no phase 'XPh'; nearest: 'RPh'",
    'side = "klingon"': "side: no side 'klingon'",
    'rulebook = "nope"': "rulebook: no rulebook 'nope' is installed",
    "conditions.snowy = true": "conditions: unknown field `snowy`; nearest: 'deep_snow'",
    'conditions.mud = "maybe"': "conditions.mud: expected true or false, got text",
    'readings."ZZ9" = "any"': "readings: no register entry 'ZZ9'",
    'readings."D2.12c" = "so"': "readings: D2.12c cannot be read as 'so'; expected one of",
    'counters."Home" = "german Tigger"': "counters.Home: no unit type 'german Tigger'",
    'sides.Axis = "klingon"': "sides.Axis: no side 'klingon'",
    'sides.fi = "germn"': "sides.fi: no side 'germn'; nearest: 'german'",
    'sides.german = "axis"': "sides.german: expected a nation by its letters, 'ge'",
}
"""Faults in a game file, and the expected message."""


@pytest.mark.parametrize("fault", FAULTS)
def test_a_bad_game_file_is_rejected_in_one_line(game: Game, fault: str) -> None:
    """The command names the file and the field: unknown content is never ignored."""
    path, beside = game.rec.write(game.folder / "a.vlog"), game.folder / "game.toml"
    beside.write_text(f'format = "marchtable/game-file/1"\n{fault}\n', encoding="utf-8")
    common = ["referee", str(path), "--boards", str(game.boards), "--game"]
    found = CliRunner().invoke(app, [*common, str(beside)])
    assert found.exit_code == 2, found.output
    assert len(found.output.strip().splitlines()) == 1
    assert f"game.toml: {FAULTS[fault]}" in found.output


def test_a_made_up_side_and_a_step_that_is_not_recorded(game: Game) -> None:
    """A nation can be on a side of any name; a note says which agreed steps are not here."""
    accept = (2, "game.vlog:9", "other.vlog:9")
    answer = game.judged(game=GameFile(sides={"ge": "blue", "Axis": "blue"}, accept=accept))
    assert {move["side"] for move in answer["phases"][0]["moves"]} == {"blue"}
    assert answer["notes"] == ["accept: step 9 is not recorded in game.vlog"]


def test_no_file_is_written_over_that_is_read(game: Game) -> None:
    """A saved game, a log or a game file is not overwritten by its output."""
    path, beside = game.rec.write(game.folder / "a.vlog"), game.folder / "game.toml"
    beside.write_text('format = "marchtable/game-file/1"\n', encoding="utf-8")
    boards = ["--boards", str(game.boards)]
    judging = ["referee", str(path), *boards, "--game", str(beside), "--annotate"]
    for command, target in (
        (["scene", "import", str(path), *boards, "-o"], path),
        (judging, path),
        (judging, beside),
        (["board", "import", str(game.boards / "bd01"), "-o"], game.boards / "bd01"),
    ):
        before = target.read_bytes()
        found = CliRunner().invoke(app, [*command, str(target)])
        assert (found.exit_code, "another file" in found.output) == (2, True), found.output
        assert target.read_bytes() == before
    absent = CliRunner().invoke(app, ["referee", "absent.vlog", *boards, "--annotate", str(path)])
    assert (absent.exit_code, "no such file" in absent.output) == (2, True), absent.output
