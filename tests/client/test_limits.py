"""Limits, Ctrl-C and progress for clients: UNKNOWN in time, one line, nothing overwritten."""

from __future__ import annotations

import importlib
import json
import math
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from typer.testing import CliRunner

import marchtable
from marchtable.answers.answer import answer
from marchtable.answers.shapes import ANSWERS
from marchtable.budget import patience
from marchtable.cli import guard, progress
from marchtable.cli import main as cli
from marchtable.files.boards import demo_board, save_board
from marchtable.rules.rulebook import find_rulebook
from tests.client.scenes import DEMO, STACK_FILE, scene
from tests.client.test_plan import GOAL
from tests.slowly import slow_after
from tests.toy_scene import scene as toy

if TYPE_CHECKING:
    from pathlib import Path

    from typer.testing import Result

STACK = (str(STACK_FILE), "--points", "5", "--hex", "C1", "--from", "C3")
SCENE, LOG = str(DEMO / "scene.toml"), str(DEMO / "legal.toml")


def run(*arguments: str) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(cli.app, arguments)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Return a folder with a scene, a goal, a board and a valid log."""
    marchtable.save(toy(), tmp_path / "scene.toml")
    marchtable.save_goal(GOAL, tmp_path / "goal.toml")
    save_board(demo_board(find_rulebook("asl")), tmp_path / "board.json")
    (tmp_path / "log.toml").write_text("good")
    return tmp_path


TIMED: list[tuple[str, ...]] = [
    ("check", SCENE, LOG, "--limit", "0"),
    ("options", SCENE, "--limit", "0"),
    ("reach", SCENE, "--unit", "sqA", "--limit", "0"),
    ("perft", SCENE, "--depth", "2", "--limit", "0"),
    ("show", SCENE, "-o", "a.svg", "--limit", "0"),
    ("board", "import", "board.json", "-o", "b.json", "--limit", "0"),
    ("board", "report", "board.json", "--limit", "0"),
    ("casualties", *STACK, "--time", "0"),
]


@pytest.mark.parametrize("arguments", TIMED, ids=lambda one: one[0])
def test_no_time_is_unknown(
    arguments: tuple[str, ...], files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A verb without time answers UNKNOWN, exit code 12, and writes nothing."""
    monkeypatch.chdir(files)
    before = sorted(files.iterdir())
    found = run(*arguments)
    assert (12, "") == (found.exit_code, found.stderr)
    assert "UNKNOWN" in found.stdout
    result = json.loads(run(*arguments, "--json").stdout)
    assert result == {"format": "marchtable/unknown/1", "status": "UNKNOWN", "unsettled": "limit"}
    assert msgspec.convert(result, ANSWERS["unknown"])
    assert sorted(files.iterdir()) == before


@pytest.mark.parametrize("arguments", slow_after(3, ((one,) for one in TIMED)))
def test_time_enough_changes_nothing(
    arguments: tuple[str, ...], files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With enough time the answer is that without a limit."""
    monkeypatch.chdir(files)
    limited, free = run(*arguments[:-1], "1000"), run(*arguments[:-2])
    assert (limited.exit_code, limited.stdout) == (free.exit_code, free.stdout)
    assert free.exit_code == 0


def test_requests_have_limits_too() -> None:
    """A request is limited by its own field, and can be stopped from outside."""
    request: dict[str, Any] = {"verb": "reach", "scene": scene(), "unit": "sq"}
    assert answer(request)["status"] == "OPTIMAL"
    assert answer({**request, "limit": 0})["unsettled"] == "limit"
    stop = marchtable.Stop()
    stop.request()
    assert answer(request, stop=stop)["unsettled"] == "stop"
    assert answer({**request, "limit": -1})["error"]["field"] == "limit"


def test_a_service_reads_no_files_by_default() -> None:
    """Neither paths nor standard input are read for a request by default."""
    for given in ("-", SCENE):
        found = answer({"verb": "check", "scene": given, "log": []})
        assert (found["status"], found["error"]["field"]) == ("ERROR", "scene")
    assert answer({"verb": "check", "scene": SCENE, "log": []}, files=True)["status"] == "LEGAL"


def test_long_work_tells_what_it_does() -> None:
    """A watcher is notified of boards, units and the search; nothing is printed."""
    seen: list[str] = []
    with marchtable.watched(lambda one: seen.append(one.line)):
        marchtable.options(marchtable.load(DEMO / "scene.toml"))
        marchtable.plan(toy(), GOAL)
    assert any(line.startswith("options of truck (1 of ") for line in seen)
    assert any(line.startswith("finding the reach of truck (1 of ") for line in seen)
    assert any(line.startswith("searching") and "bound" not in line for line in seen)


def test_what_is_watched_is_answered_alike() -> None:
    """Watching changes no answer."""
    position = marchtable.load(DEMO / "scene.toml")
    alone = marchtable.options(position)
    with marchtable.watched(lambda _: None):
        assert marchtable.options(position) == alone


@pytest.mark.parametrize(
    "arguments",
    [
        ("plan", "scene.toml", "--goal", "goal.toml", "-o", "nowhere/log.toml"),
        ("plan", "scene.toml", "--goal", "goal.toml", "-o", "."),
        ("plan", "scene.toml", "--goal", "goal.toml", "-o", "plan.svg"),
        ("plan", "scene.toml", "--goal", "goal.toml", "-o", "plan.GIF"),
        ("plan", "scene.toml", "--goal", "goal.toml", "--picture", "x.bmp"),
        ("plan", "-", "--goal", "goal.toml", "-o", "x.toml"),
        ("show", "scene.toml", "-o", "x.bmp"),
        ("show", "scene.toml", "-o", "nowhere/x.svg"),
        ("casualties", *STACK, "-o", "x.bmp"),
        ("board", "import", "board.json", "-o", "nowhere/b.json"),
    ],
)
def test_what_cannot_be_written_is_rejected_first(
    arguments: tuple[str, ...], files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An unwritable output is rejected before anything is read or searched."""
    monkeypatch.chdir(files)

    def never(*_: Any, **__: Any) -> Any:
        raise AssertionError

    commands = importlib.import_module("marchtable.cli.commands")
    monkeypatch.setattr(sys.modules["marchtable.answers.answer"], "load_scene", never)
    monkeypatch.setattr(commands, "load_scene", never)
    monkeypatch.setattr(commands, "find_board", never)
    found = run(*arguments)
    assert (2, 1, "") == (found.exit_code, len(found.stderr.splitlines()), found.stdout)


# -- Ctrl-C ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("which", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(
    "arguments",
    [*(one[:-2] for one in TIMED[:4]), ("why", SCENE, LOG), ("plan", SCENE, "--goal", "goal.toml")],
    ids=lambda one: one[0],
)
def test_ctrl_c_while_reading(
    arguments: tuple[str, ...], which: signal.Signals, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C and SIGTERM while files are read end every verb in one line, with code 130."""
    monkeypatch.chdir(files)
    monkeypatch.setattr("marchtable.files.scenes.read", _signalling(which))
    found = run(*arguments)
    assert (130, "marchtable: interrupted\n", "") == (found.exit_code, found.stderr, found.stdout)


def _signalling(which: signal.Signals) -> Any:
    from marchtable.codec.plain import read

    def reading(*given: Any) -> Any:
        signal.raise_signal(which)
        return read(*given)

    return reading


@pytest.mark.parametrize("which", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_plan_overwrites_nothing_with_nothing(
    which: signal.Signals, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plan interrupted before any unit moves leaves a log as it is, and says so."""
    monkeypatch.chdir(files)

    def interrupted(*_: Any) -> Any:
        signal.raise_signal(which)
        raise AssertionError

    monkeypatch.setattr(find_rulebook("toy"), "plan_models", interrupted)
    found = run("plan", "scene.toml", "--goal", "goal.toml", "-o", "log.toml")
    assert (130, "good") == (found.exit_code, (files / "log.toml").read_text())
    assert found.stderr.splitlines() == [
        "marchtable: nothing written: no unit moves in the plan", "marchtable: interrupted",
    ]  # fmt: skip
    assert "FEASIBLE" in found.stdout


def test_an_interrupted_plan_tells_and_writes_the_best_so_far(
    files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The best plan so far is printed, and written as a legal log."""
    monkeypatch.chdir(files)
    from marchtable.planning.alone import AloneModel

    def interrupted(*_: Any) -> Any:
        signal.raise_signal(signal.SIGINT)
        raise AssertionError

    monkeypatch.setattr(AloneModel, "best", interrupted)
    found = run("plan", "scene.toml", "--goal", "goal.toml", "--space", "alone", "-o", "log.toml")
    assert (130, "marchtable: interrupted\n") == (found.exit_code, found.stderr)
    assert run("check", "scene.toml", "log.toml").exit_code == 0
    assert "walk" in (files / "log.toml").read_text()


IMPORTING = """
import signal, sys
class Finder:
    def find_spec(name, *_):
        if name == "typer":
            signal.raise_signal(signal.{which})
sys.meta_path.insert(0, Finder)
from marchtable_start import main
main()
"""


@pytest.mark.parametrize("which", ["SIGINT", "SIGTERM"])
def test_ctrl_c_while_importing(which: str) -> None:
    """Ctrl-C in the first half second is one line, too."""
    found = subprocess.run(
        [sys.executable, "-c", IMPORTING.format(which=which)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (130, "marchtable: interrupted\n") == (found.returncode, found.stderr)


def test_where_ctrl_c_is_ignored_it_stays_so() -> None:
    """A background command that ignores Ctrl-C runs to its end."""
    code = IMPORTING.format(which="SIGINT").replace(
        "main()", "sys.argv[1:] = ['rules', 'D2.13']; main()"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN) and None,
        env={**os.environ, "COLUMNS": "100"},
    )  # fmt: skip
    assert (found.returncode, found.stderr) == (0, "")


def test_nothing_is_reported_where_there_is_no_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Progress goes only to a terminal: files and pipes hold answers."""
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    with progress.progress_shown(as_json=False):
        time.sleep(0.1)
    assert capsys.readouterr() == ("", "")


def test_the_clock_of_a_command_starts_with_its_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Startup seconds are subtracted from a search, but not those of a caller that lends its process."""
    monkeypatch.setattr(guard, "process_time", lambda: 2.0)
    why, check = {"verb": "why", "limit": 10.0}, {"verb": "check"}
    assert guard.seconds_left(why) == math.inf
    monkeypatch.setattr(guard, "_is_alone", True)
    assert guard.seconds_left(why) == pytest.approx(patience(10.0) - 2.0 - guard.ENDING)
    assert guard.seconds_left(check) == math.inf
