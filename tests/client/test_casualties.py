"""The verb ``casualties`` for clients: command, JSON, files, pictures, hostile input."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import msgspec
import pytest
from hypothesis import given
from typer.testing import CliRunner

import marchtable
from marchtable.answers.answer import answer
from marchtable.answers.schema import schema
from marchtable.answers.shapes import ANSWERS
from marchtable.cli import main as cli
from marchtable.files.boards import demo_board
from marchtable.files.scenes import load_scene
from marchtable.rules.rulebook import find_rulebook
from tests.client.scenes import DEMO, STACK, STACK_FILE, scene
from tests.client.test_fuzz import answered, mutants
from tests.client.test_schema import valid
from tests.examples import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from typer.testing import Result

HERE = ("--hex", "C1", "--from", "C3")
FIVE = (str(STACK_FILE), "--points", "5", *HERE)


def run(*arguments: str, stdin: str | None = None) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(
        cli.app, ["casualties", *arguments], input=stdin, env={"COLUMNS": "100"}
    )


def asked(*arguments: str) -> dict[str, Any]:
    """Return the JSON that the command prints, checked against its shape and schema."""
    found: dict[str, Any] = json.loads(run(*arguments, "--json").stdout)
    name = found["format"].split("/")[1]
    assert msgspec.convert(found, ANSWERS[name])
    assert [] == valid(name, found)
    return found


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (FIVE, 0),
        ((*FIVE, "--all"), 0),
        ((*FIVE, "--pareto", "--best"), 0),
        ((*FIVE, "--check", "squad=eliminated", "--check", "leader=pinned"), 0),
        ((*FIVE, "--check", "leader=pinned"), 10),
        ((*FIVE, "--check", "pin leader"), 10),
        ((*FIVE, "--interpret", "A3=lenient", "--pareto"), 34),
        ((str(DEMO / "scene.toml"), "--points", "2"), 34),
        ((str(STACK_FILE), "--points", "5"), 2),
        ((*FIVE, "--ahead", "soon"), 2),
        ((*FIVE, "--weights", "nowhere.toml"), 2),
        ((*FIVE, "--check", "leader=pinned", "--check", "pin gun"), 2),
        ((*FIVE, "--check", "leader=pinned", "--check", "leader=pinned"), 2),
        ((*FIVE, "-o", "nowhere/a.svg"), 2),
        ((*FIVE, "-o", "a.gif"), 2),
    ],
)
def test_exit_codes(
    arguments: tuple[str, ...], code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """0 found or legal, 10 an illegal proposal, 34 unsupported, 2 bad input on one line."""
    monkeypatch.chdir(tmp_path)
    found = run(*arguments)

    assert code == found.exit_code, found.output
    if code == 2:
        assert ("", 1) == (found.stdout, len(found.stderr.splitlines()))
        assert found.stderr.startswith("marchtable: ")
    assert asked(*arguments)["status"]


def test_unknown_has_its_exit_code(tmp_path: Path) -> None:
    """An incomplete search ends with 12."""
    units = [{"id": f"u{n}", "side": "german", "type": "leader", "at": "C1"} for n in range(50)]
    path = tmp_path / "crowd.json"
    moving = {"side": "german", "phase": "Movement"}  # else the scene is refused (V6.9)
    path.write_text(json.dumps({**STACK, **moving, "units": units}))

    assert 12 == run(str(path), "--points", "3").exit_code


def test_the_table_tells_a_player() -> None:
    """The best plan names each unit's outcome, order, odds and clauses, and the runner-up's cost."""
    text = run(*FIVE).stdout

    for said in (
        "5 points on C1 from C3: 38 ways to take them",
        "Best: keeps 27.97 of 40.25",
        "gun survives on 3 or less of one die (3/6, V14.64e)",
        "If gun survives: keeps 31.72",
        "survives its roll, pinned",
        "settle survival:gun survives, pin leader",
        "next best",
        "costs 0.98 more",
        "V14.63a",
    ):
        assert " ".join(said.split()) in " ".join(text.split()), said


def test_lists_and_proposals_are_printed() -> None:
    """Each list, a proposal's order and the clause against it are printed."""
    assert (
        "28 more are not listed"
        in run(*FIVE[:1], "--points", "6", *HERE, "--all", "--limit", "5").stdout
    )
    assert "strength" in run(*FIVE, "--pareto").stdout
    legal = run(*FIVE, "--check", "squad=eliminated", "--check", "leader=pinned").stdout
    assert "legal, keeps 18.72 (9.25 less than the best)" in legal
    rolled = run(*FIVE, "--check", "gun=survived", "--check", "leader=pinned").stdout
    said = "legal, keeps 31.72 if it comes out so (the best plan keeps 27.97 on average)"
    assert said in " ".join(rolled.split())
    ahead = run(*FIVE, "--check", "gun=survived", "--check", "leader=pinned", "--ahead", "13+2")
    after = "legal, keeps 27.9 if it comes out so (the best plan keeps"  # after the further attack
    assert after in " ".join(ahead.stdout.split())
    assert "V14.61e" in run(*FIVE, "--check", "leader=pinned").stdout
    assert "UNSUPPORTED" in run(*FIVE, "--interpret", "A3=lenient", "--pareto").stdout


def test_python_answer_and_command_agree() -> None:
    """Python, `answer` and the command give one answer."""
    request = {
        "verb": "casualties", "scene": str(STACK_FILE), "points": 5, "at": "C1", "origin": "C3",
        "show": ["all", "best"],
    }  # fmt: skip
    position = marchtable.load(STACK_FILE)

    found = marchtable.casualties(position, 5, at="C1", origin="C3", show=("all", "best"))

    assert found == answer(request, files=True) == asked(*FIVE, "--all", "--best")
    assert "OPTIMAL" == answer({**request, "scene": STACK})["status"]


def test_weights_from_a_file(tmp_path: Path) -> None:
    """Weights are a separate file, valid by its schema; an error in it is named."""
    path = tmp_path / "weights.toml"
    path.write_text('format = "marchtable/weights/1"\nworth = {leader = 30, gun = "1/2"}\n')
    assert asked(*FIVE, "--weights", str(path))["best"]["exact"] != asked(*FIVE)["best"]["exact"]
    assert "Weights" in str(schema("weights"))

    for content, field in (
        ('format = "marchtable/log/1"', "format"),
        ('format = "marchtable/weights/1"\nworth = {leader = true}', "worth"),
        ('format = "marchtable/weights/1"\nworth = {leader = -3}', "weights.worth.leader"),
        ('format = "marchtable/weights/1"\nmood = 3', "mood"),
        ("worth = ", "TOML"),
    ):
        path.write_text(content)
        found = run(*FIVE, "--weights", str(path))
        assert (2, 1) == (found.exit_code, len(found.stderr.splitlines()))
        assert field in found.stderr


def test_no_files_for_strangers() -> None:
    """A service that reads no files refuses the path of weights."""
    request = {"verb": "casualties", "scene": STACK, "points": 1, "weights": "w.toml"}

    found = answer(request, files=False)

    assert ("ERROR", "weights") == (found["status"], found["error"]["field"])


@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_the_picture_shows_before_and_after(suffix: str, tmp_path: Path) -> None:
    """A picture has a row for the stack before and for each outcome of the dice."""
    path = tmp_path / f"stack.{suffix}"

    assert 0 == run(*FIVE, "-o", str(path)).exit_code

    if suffix == "png":
        assert path.read_bytes().startswith(b"\x89PNG")
        return
    text = " ".join(ElementTree.parse(path).getroot().itertext())
    for said in ("C1 takes 5 points", "Before", "If gun survives", "chance 3/6", "If gun is lost",
                 "PINNED", "eliminated", "V14.63a", "1-3-1"):  # fmt: skip
        assert said in text
    assert text.count("squad") >= 3


@pytest.mark.slow
def test_the_picture_is_the_same_twice(tmp_path: Path) -> None:
    """The same answer gives the same file, byte for byte."""
    for name in ("a.svg", "b.svg"):
        run(*FIVE, "-o", str(tmp_path / name))

    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_standard_input() -> None:
    """A hyphen reads the stack from standard input."""
    found = run("-", "--points", "2", *HERE, stdin=json.dumps(STACK))

    assert 0 == found.exit_code


def test_other_games_say_so() -> None:
    """A rulebook without such choices answers UNSUPPORTED, with the reason."""
    found = answer({"verb": "casualties", "scene": scene(), "points": 2})

    assert "UNSUPPORTED" == found["status"]
    assert "asl" in found["why"]


def test_the_pages_use_the_stack_that_is_shipped() -> None:
    """The documentation's stack is the demonstration's."""
    shown = ROOT / "docs" / "examples" / "stack.toml"

    assert STACK_FILE.read_text("utf-8") == shown.read_text("utf-8")


def test_the_stack_is_shipped(tmp_path: Path) -> None:
    """The demonstration of Valor & Victory puts its stack and a picture into a folder."""
    found = CliRunner().invoke(cli.app, ["demo", "--rulebook", "valor", "-o", str(tmp_path)])

    assert 0 == found.exit_code, found.output
    assert {"stack.toml", "stack.png"} == {path.name for path in tmp_path.iterdir()}
    assert load_scene(tmp_path / "stack.toml").position.board == demo_board(find_rulebook("valor"))
    assert "asl" == find_rulebook(None).name


REQUEST: dict[str, Any] = {
    "verb": "casualties", "scene": STACK, "points": 4, "at": "C1", "origin": "C3",
    "show": ["all", "best", "pareto"], "ahead": {"0": "1/2", "3": 0.5},
    "weights": {"worth": {"gun": 3}}, "check": {"gun": "ignored"}, "limit": 5,
}  # fmt: skip


@given(request=mutants(REQUEST))
def test_any_request(request: Any) -> None:
    """A request with random values, including its stack, is answered or refused."""
    answered(request)
