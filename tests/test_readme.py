"""The README is true: its commands run, print what it shows, and its Python session holds."""

from __future__ import annotations

import doctest
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from marchtable.answer import answer
from tests.conftest import BOARDS
from tests.json_examples import abridged

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
ANSWERED = (0, 10, 11, 12, 34)  # exit codes of questions that were understood


def _blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.S | re.M)


def _sessions() -> list[tuple[str, list[str]]]:
    """Return each command of the console blocks with the lines shown below it."""
    found: list[tuple[str, list[str]]] = []
    for line in "".join(_blocks("console")).splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif line.strip():
            found[-1][1].append(line.rstrip())
    return found


def _run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command of the README with this interpreter's environment, in a folder of its own."""
    words = shlex.split(command)
    program = Path(sys.executable).with_name(Path(words[0]).name)
    return subprocess.run(
        [program, *words[1:]], cwd=folder, capture_output=True, text=True, check=False,
        env={**os.environ, "COLUMNS": "100", "NO_COLOR": "1", "PYTHONWARNINGS": "error"},
    )  # fmt: skip


def _lost(shown: Sequence[str], printed: str) -> list[str]:
    """Return the lines shown that are not among those printed, in that order."""
    rest = iter([line.rstrip() for line in printed.splitlines()])
    return [line for line in shown if line != "…" and line not in rest]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a folder with the files that the README's commands name."""
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    if BOARDS.is_dir():
        for board in BOARDS.iterdir():
            (tmp_path / board.name).symlink_to(board)
    return tmp_path


def test_there_are_two_commands_of_one_line() -> None:
    """The README's two sh blocks are one line each: set up and see it, set up and test it."""
    see, test = (block.splitlines() for block in _blocks("sh"))

    assert (len(see), len(test)) == (1, 1)
    assert see[0].endswith(" && .venv/bin/marchtable demo")
    assert test[0].endswith(" && .venv/bin/python -m pytest -q")


def test_the_demo_prints_what_the_readme_shows(checkout: Path) -> None:
    """The command that follows set-up runs without complaint and prints the lines shown."""
    command = _blocks("sh")[0].strip().split(" && ")[-1]

    done = _run(command, checkout)

    assert (done.returncode, done.stderr) == (0, "")
    assert _lost(_blocks("text")[0].splitlines(), done.stdout) == []


@pytest.mark.parametrize(("command", "shown"), _sessions())
def test_console_sessions_are_real(command: str, shown: list[str], checkout: Path) -> None:
    """Each command shown runs and prints the lines below it (… stands for others)."""
    boards = re.findall(r"\bbd\w+", command)
    if not all((checkout / board).exists() for board in boards):
        pytest.skip(f"needs VASL boards in {BOARDS}")

    done = _run(command, checkout)

    assert done.returncode in ANSWERED, done.stderr
    assert _lost(shown, done.stdout) == []


def test_python_session_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    """The Python session gives what it shows, run in the checkout."""
    monkeypatch.chdir(ROOT)

    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)

    assert failed == 0
    assert tried > 0


def test_json_shown_is_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The JSON shown is part of what the Python session's request is answered."""
    monkeypatch.chdir(ROOT)
    request, shown = (json.loads(block) for block in _blocks("json"))

    told = abridged(answer(request))

    assert {key: told[key] for key in shown} == shown
