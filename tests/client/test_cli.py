"""The command line: exit codes, errors on one line, JSON on request, no tracebacks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from typer.testing import CliRunner

from marchtable.answers.shapes import ANSWERS
from marchtable.cli import main as cli
from marchtable.rules.mutation import MutationRow
from tests.client.scenes import DEMO, log, scene
from tests.conftest import BOARDS

if TYPE_CHECKING:
    from typer.testing import Result

HEAVY = ("networkx", "numpy", "numba", "matplotlib", "ortools", "pandas")
SCENE, LEGAL, ILLEGAL = (str(DEMO / name) for name in ("scene.toml", "legal.toml", "illegal.toml"))


def run(*arguments: str, stdin: str | None = None) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(cli.app, arguments, input=stdin)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Return a folder with a scene, a tank near woods, and a log that is not modelled."""
    tank = {
        "id": "tank",
        "side": "german",
        "at": "B4",
        "type": "t-26-m33",
        "facing": "NNE",
        "moving": True,
    }
    (tmp_path / "scene.json").write_text(json.dumps(scene()))
    (tmp_path / "tank.json").write_text(json.dumps(scene(units=[tank], counters=[])))
    smoke = scene(counters=[{"kind": "blast-area", "at": "B3"}])
    (tmp_path / "mines.json").write_text(json.dumps(smoke))
    return tmp_path


def test_exit_codes(files: Path) -> None:
    """0 is legal, 10 illegal, 34 unsupported, 11 impossible, 2 bad input."""
    assert 0 == run("check", SCENE, LEGAL).exit_code
    assert 10 == run("check", SCENE, ILLEGAL).exit_code
    (files / "log.json").write_text(json.dumps(log("enter ldr B2", "enter ldr B3")))
    assert 34 == run("check", str(files / "mines.json"), str(files / "log.json")).exit_code
    assert 11 == run("reach", str(files / "scene.json"), "--unit", "sq", "--to", "Y5").exit_code
    assert 2 == run("check", SCENE, "nowhere.toml").exit_code


@pytest.mark.parametrize(
    ("arguments", "form"),
    [
        (("check", SCENE, LEGAL), "check"),
        (("check", SCENE, ILLEGAL, "--interpret", "D2.12c=any"), "check"),
        (("options", SCENE, "--unit", "truck"), "options"),
        (("options", SCENE, "--side", "german"), "options"),
        (("reach", SCENE, "--unit", "ldr"), "reach"),
        (("reach", SCENE, "--unit", "ldr", "--to", "H5"), "reach"),
        (("reach", SCENE, "--unit", "ldr", "--unit", "sqB", "--rolls", "avoid"), "reaches"),
        (("perft", SCENE, "--depth", "1", "--divide"), "perft"),
        (("rules",), "rules"),
        (("rules", "D2.13", "--coverage"), "rules"),
        (("check", SCENE, "nowhere.toml"), "error"),
        (("options", SCENE, "--unit", "nobody"), "error"),
        (("check", SCENE, LEGAL, "--interpret", "D2.12c"), "error"),
    ],
)
def test_json(arguments: tuple[str, ...], form: str) -> None:
    """With ``--json`` standard output is one answer of the documented shape in every case."""
    found = json.loads(run(*arguments, "--json").stdout)
    assert msgspec.convert(found, ANSWERS[form])


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "nowhere.toml", LEGAL),
        ("check", LEGAL, LEGAL),
        ("check", SCENE, SCENE),
        ("check", SCENE, str(DEMO)),
        ("check", SCENE, LEGAL, "--interpret", "Z9=x"),
        ("options", SCENE, "--side", "martians"),
        ("reach", SCENE, "--unit", "truck", "--to", "Z99"),
        ("rules", "Z9"),
        ("rules", "--rulebook", "chess"),
        ("schema", "poem"),
        ("show", SCENE, "-o", "a.txt"),
        ("show", SCENE, "-o", "/nowhere/a.svg"),
        ("board", "import", "nowhere", "-o", "b.json"),
        ("board", "import", "/", "-o", "b.json"),
        ("demo", "--rulebook", "toy", "-o", "nowhere"),
    ],
)
def test_errors_are_one_line(
    arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bad input is one line on standard error, nothing on standard output, and exit code 2."""
    monkeypatch.chdir(tmp_path)
    found = run(*arguments)
    assert (2, "", 1) == (found.exit_code, found.stdout, len(found.stderr.splitlines()))
    assert found.stderr.startswith("marchtable: ")


def shell(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own."""
    command = [sys.executable, "-c", "from marchtable.cli.main import main; main()", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, encoding="utf-8", errors="replace",
        env={**os.environ, **environment},
    )  # fmt: skip


@pytest.mark.parametrize("module", ["marchtable", "marchtable.cli.main"])
def test_it_runs_as_a_module(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """``python -m marchtable`` is the command line."""
    monkeypatch.setenv("COLUMNS", "100")
    found = subprocess.run(
        [sys.executable, "-m", module, "rules", "D2.13"],
        capture_output=True, text=True, check=False, encoding="utf-8", errors="replace",
    )  # fmt: skip
    assert found.stdout == run("rules", "D2.13").stdout
    assert found.stdout


@pytest.mark.parametrize("arguments", [("check",), ("march",), ("perft", SCENE, "--depth", "x")])
def test_misuse_is_one_line(
    arguments: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """An invalid command line gives one line on standard error, or JSON on request."""
    for more in ((), ("--json",)):
        monkeypatch.setattr(sys, "argv", ["marchtable", *arguments, *more])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        out, err = capsys.readouterr()
        assert ended.value.code == 2
        if more:
            assert msgspec.convert(json.loads(out), ANSWERS["error"])
        else:
            assert len(err.splitlines()) == 1


def test_an_ascii_terminal() -> None:
    """A terminal limited to ASCII gets the rest of the report."""
    found = shell("check", SCENE, ILLEGAL, PYTHONIOENCODING="ascii")
    assert (10, "") == (found.returncode, found.stderr)
    assert "D2.12b" in found.stdout


def test_standard_input() -> None:
    """``-`` reads the scene or the log from standard input."""
    assert 0 == run("check", "-", LEGAL, stdin=Path(SCENE).read_text()).exit_code
    assert 0 == run("check", SCENE, "-", stdin=Path(LEGAL).read_text()).exit_code
    assert 2 == run("check", "-", "-", stdin="").exit_code


def test_internal_errors_are_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """An internal error is one line too, with exit code 1."""

    def fail(*_: Any, **__: Any) -> Any:
        raise ZeroDivisionError("at\nfault")

    monkeypatch.setattr("marchtable.answers.verdicts.check", fail)
    found = run("check", SCENE, LEGAL)
    assert (1, "") == (found.exit_code, found.stdout)
    assert (
        "marchtable: internal error, please report it: ZeroDivisionError: at fault\n"
        == found.stderr
    )
    result = run("check", SCENE, LEGAL, "--json")
    assert (1, "ERROR") == (result.exit_code, json.loads(result.stdout)["status"])


def test_light_imports() -> None:
    """Help and the check of a small log load none of the heavy libraries."""
    asked = (("--help",), ("check", SCENE, LEGAL), ("check", SCENE, ILLEGAL, "--json"))
    code = (
        "import sys\nfrom marchtable.cli.main import main\n"
        f"for arguments in {asked!r}:\n"
        "    sys.argv = ['marchtable', *arguments]\n"
        "    try:\n        main()\n    except SystemExit as ended:\n        code = ended.code\n"
        f"    print(code, [name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    command = [sys.executable, "-c", code]
    found = subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf-8")
    assert ["0 []", "0 []", "10 []"] == found.stderr.splitlines()


def test_no_traceback_when_the_reader_goes_away() -> None:
    """Piping into a closed reader ends quietly."""
    code = "from marchtable.cli.main import main; main()"
    with subprocess.Popen(
        [sys.executable, "-c", code, "schema", "scene"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()


# -- text ------------------------------------------------------------------------------------------


def test_check_report() -> None:
    """The report has receipts by entry, a sentence for each violation, and the remainder."""
    text = run("check", SCENE, ILLEGAL).stdout
    for part in ("ILLEGAL", "✗ step 0", "breaks D2.12b", "needs 4 MF, has 0 MF", "left"):
        assert part in text
    assert max(map(len, text.splitlines())) <= 100


def test_text_in_brackets_is_no_markup(tmp_path: Path) -> None:
    """Markup-like text in a name is printed as it is."""
    unit = {"id": "[red]sq[/red]", "side": "german", "at": "B3", "type": "squad"}
    (tmp_path / "a.json").write_text(json.dumps(scene(units=[unit], counters=[])))
    assert "[red]sq[/red]" in run("options", str(tmp_path / "a.json")).stdout


def test_reach_report() -> None:
    """The report of a way has its running cost; for a hex out of reach, the clause that prevents it."""
    way = run("reach", SCENE, "--unit", "truck", "--to", "E6").stdout
    assert "enter truck E6" in way
    assert "spent" in way
    far = run("reach", SCENE, "--unit", "sqA", "--to", "Y5").stdout
    assert "A4.11b" in far
    assert "Locations" in run("reach", SCENE, "--unit", "ldr").stdout


def test_other_reports() -> None:
    """Options, perft and rules are printed as text too."""
    assert "stop" in run("options", SCENE, "--unit", "truck").stdout
    assert "sequences of 1 action" in run("perft", SCENE, "--depth", "1", "--divide").stdout
    assert "D2.13" in run("rules", "D2.13", "--coverage").stdout
    assert "--interpret" in run("check", "--help").stdout.replace("\n", "")


def test_the_page_of_a_clause_prints_its_cases() -> None:
    """With the ground, types of the scenario, and the answer without the clause."""
    page = run("rules", "D2.14").stdout
    for part in (
        "C1 Woods (clear 50", "types ft-20 (class vehicle", "without D2.14: still LEGAL, with other results",
        " ILLEGAL ", "without D2.14: LEGAL",
    ):  # fmt: skip
        assert part in page
    right = run("rules", "D6.82b").stdout
    assert "can recombine with neither TC nor leader: 1 (D6.82b)\nwithout D6.82b: ILLEGAL" in right
    assert "without D6.82b: the same" in right


def test_rules_mutate(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """``--mutate`` runs the requested clause's mutants and records the results in the ledger."""
    row = MutationRow("D2.13", ("test_stop",))
    asked: list[Any] = []
    noted: list[Any] = []

    def mutate(rulebook: Any, clauses: Any, *, tests: list[Path], report: Any) -> list[MutationRow]:
        asked.append((rulebook.name, clauses, tests))
        report(row)
        return [row]

    monkeypatch.setattr("marchtable.rules.mutation.mutate", mutate)
    monkeypatch.setattr("marchtable.rules.ledger.write_ledger", lambda _, rows: noted.extend(rows))
    found = run(
        "rules", "D2.13", "--mutate", "--tests", str(tmp_path), "--tests", "tests", "--json"
    )
    assert 0 == found.exit_code
    assert msgspec.convert(json.loads(found.stdout), ANSWERS["rules"])
    assert "D2.13: killed by test_stop\n" == found.stderr
    assert ([("asl", ["D2.13"], [tmp_path, Path("tests")])], [row]) == (asked, noted)


# -- files -----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_show(tmp_path: Path, files: Path) -> None:
    """A scene, a reach and a log's faults are drawn into the given file."""
    (files / "log.json").write_text(json.dumps(log("start truck", "enter truck A4")))
    log_option = ("--log", str(files / "log.json"), "--json")
    for number, more in enumerate([("--unit", "truck"), log_option]):
        target = tmp_path / f"{number}.svg"
        found = run("show", str(files / "scene.json"), "-o", str(target), *more)
        assert (0, "") == (found.exit_code, found.stderr)
        assert str(target) in found.stdout
        assert target.read_text(encoding="utf-8").startswith("<?xml")
    assert "D2.11c" in (tmp_path / "1.svg").read_text(encoding="utf-8")


def test_schema() -> None:
    """A schema is printed as JSON."""
    assert "AslUnit" in json.loads(run("schema", "scene").stdout)["$defs"]


def test_demo_where_nothing_can_be_written(tmp_path: Path) -> None:
    """An impossible folder is an ordinary error."""
    (tmp_path / "file").write_text("")
    found = run("demo", "-o", str(tmp_path / "file"))
    assert (2, 1) == (found.exit_code, len(found.stderr.splitlines()))


@pytest.mark.slow
@pytest.mark.skipif(not (BOARDS / "bd01").exists(), reason=f"needs VASL boards in {BOARDS}")
def test_board_import(tmp_path: Path) -> None:
    """Archives are read, reversed, joined in rows, and written as one board file."""
    target = tmp_path / "b.json"
    one, other = str(BOARDS / "bd01"), str(BOARDS / "bd33")
    found = run("board", "import", one, f"{other} r", "-o", str(target))
    assert (0, "") == (found.exit_code, found.stderr)
    assert "1+33" in found.stdout
    result = json.loads(run("board", "import", one, "/", other, "-o", str(target), "--json").stdout)
    assert ("1/33", str(target)) == (result["name"], result["file"])


def test_a_bare_command_prints_its_help() -> None:
    """Without arguments the help is printed, with exit code 2 and no error line; flags show no type."""
    found = shell()
    assert (2, "") == (found.returncode, found.stdout)
    assert found.stderr.startswith("Usage: ")
    assert "marchtable: " not in found.stderr
    assert "<bool>" not in run("reach", "--help").stdout


def test_reach_in_brief() -> None:
    """``reach --brief`` prints a summary; ``--full``, and a pipe, every Location."""
    brief = run("reach", SCENE, "--unit", "truck", "--brief").stdout
    full = run("reach", SCENE, "--unit", "truck", "--full").stdout
    assert full == run("reach", SCENE, "--unit", "truck").stdout
    assert len(brief.splitlines()) < len(full.splitlines())
    assert "farthest" in brief


def test_batch_says_that_answers_failed(tmp_path: Path) -> None:
    """``batch`` exits with 2 if an answer is ERROR, and the message names the nearest field."""
    requests, output = tmp_path / "requests", tmp_path / "answers"
    lines = [
        {"verb": "rules", "clause": "D2.13"},
        {"verb": "options", "scene": SCENE, "units": "truck"},
    ]
    requests.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    found = run("batch", str(requests), "-o", str(output), "--jobs", "1")
    assert 2 == found.exit_code
    assert "1 failed (status ERROR)" in found.stdout
    answers = [json.loads(line)["answer"] for line in output.read_text("utf-8").splitlines()]
    assert ["LEGAL", "ERROR"] == [answer["status"] for answer in answers]
    assert "nearest: 'unit'" in answers[1]["error"]["message"]
