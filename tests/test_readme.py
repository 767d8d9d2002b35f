"""The README is correct: its commands run, print what it shows, and its Python session works."""

from __future__ import annotations

import doctest
import json
import re
import resource
from typing import TYPE_CHECKING

import pytest

from marchtable.answers.answer import answer
from marchtable.cli.demo import FILES
from tests.examples import BOARDS, COMMANDS, GUIDES, PYTHON, README, ROOT, abridged, excerpt, run
from tests.slowly import slow_after

if TYPE_CHECKING:
    from pathlib import Path

TEXT = README.read_text(encoding="utf-8")
GRAPHS = ROOT / "docs" / "movement-graph.md"
OPPONENTS = ROOT / "docs" / "write-an-opponent.md"
SESSIONS = [page for page in (README, PYTHON, *GUIDES, GRAPHS, OPPONENTS)
            if ">>> " in page.read_text(encoding="utf-8")]  # fmt: skip
ANSWERED = (0, 10, 11, 12, 34)  # exit codes of questions that were understood


def _blocks(language: str, text: str = TEXT) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.S | re.M)


def _sessions() -> list[tuple[str, list[str]]]:
    """Return each command of the console blocks of README and guides with the output shown."""
    found: list[tuple[str, list[str]]] = []
    pages = [page.read_text(encoding="utf-8") for page in (README, COMMANDS, *GUIDES)]
    for block in [block for page in pages for block in _blocks("console", page)]:
        for session in block.removeprefix("$ ").split("\n$ "):
            command, *shown = session.rstrip().splitlines()
            found.append((command, shown))
    return found


def test_there_are_two_commands_of_one_line() -> None:
    """The README's two sh blocks are one line each: set up and see it, set up and test it."""
    see, test = (block.splitlines() for block in _blocks("sh"))

    assert (len(see), len(test)) == (1, 1)
    assert see[0].endswith(" && .venv/bin/marchtable demo")
    assert test[0].endswith(" && .venv/bin/python -m pytest -q")


def test_the_readme_is_short() -> None:
    """The README has at most 120 lines, none longer than 600 characters."""
    lines = TEXT.splitlines()

    assert len(lines) <= 120
    assert max(map(len, lines)) <= 600


def test_what_an_installed_package_can_do_comes_first() -> None:
    """Before the commands for a checkout there are some for the files that the demo writes."""
    first = TEXT.partition("```sh")[0]
    named = re.findall(r"marchtable-demo/([\w.]+)", first)

    assert "pip install marchtable" in first
    assert "`marchtable demo`" in first
    assert {"scene.toml", "illegal.toml"} <= {*named} <= {*FILES}


def test_the_demo_prints_what_its_page_shows(tmp_path: Path) -> None:
    """The command after set-up prints the lines shown, and writes its files; existing ones are kept."""
    command = _blocks("sh")[0].strip().split(" && ")[-1]
    shown = _blocks("text", COMMANDS.read_text(encoding="utf-8"))[0].splitlines()
    folder = tmp_path / "marchtable-demo"
    folder.mkdir()
    (folder / "legal.toml").write_text("mine")

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = run(command, tmp_path)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)

    assert (done.returncode, done.stderr) == (0, "")
    # some 6 s on a quiet machine; half as much again, and more, where cores are shared
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 15
    assert {path.name for path in folder.iterdir()} == {
        "scene.toml", "legal.toml", "midway.txt", "illegal.toml", "lift.toml", "bridge.toml",
        "beyond.toml", "plan.png",
    }  # fmt: skip
    assert (folder / "legal.toml").read_text() == "mine"
    assert max(map(len, done.stdout.splitlines())) <= 100
    assert excerpt(shown, done.stdout) == shown, "stale: run `python -m tests.examples`"


@pytest.mark.parametrize(("command", "shown"), slow_after(3, _sessions()))
def test_console_sessions_are_real(command: str, shown: list[str], tmp_path: Path) -> None:
    """Each command shown runs and prints the lines below it (… stands for the rest)."""
    if re.search(r"\bbd\d", command) and not BOARDS.is_dir():
        pytest.skip(f"needs VASL boards in {BOARDS}")

    done = run(command, tmp_path)

    assert done.returncode in ANSWERED, done.stderr
    assert excerpt(shown, done.stdout) == shown, "stale: run `python -m tests.examples`"


@pytest.mark.parametrize("page", slow_after(2, SESSIONS), ids=lambda page: page.name)
def test_python_session_holds(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Python session gives the shown results, run in the checkout."""
    monkeypatch.chdir(ROOT)

    failed, tried = doctest.testfile(str(page), module_relative=False)

    assert failed == 0
    assert tried > 0


def test_json_shown_is_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The JSON shown is part of the answer to the request beside it."""
    monkeypatch.chdir(ROOT)
    request, shown = (
        json.loads(block) for block in _blocks("json", PYTHON.read_text(encoding="utf-8"))
    )

    found = abridged(answer(request, files=True))

    assert {key: found[key] for key in shown} == shown
