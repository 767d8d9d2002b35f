"""Logs as plain lines, one action a line, wherever a log is read or written."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from marchtable import load, load_log, save_log
from marchtable.cli.main import app
from marchtable.errors import BadInputError

ROOT = Path(__file__).resolve().parents[2]
SCENE = str(ROOT / "docs/examples/bridge.toml")
LINES = """\
# over the bridge
start truck
enter truck i5   # in small letters

enter truck J4
"""
RUNNER = CliRunner()


def test_lines_with_comments(tmp_path: Path) -> None:
    """Comments and empty lines are skipped, whatever the file's name."""
    position = load(SCENE)
    for name in ("log.txt", "log", "moves.log"):
        path = tmp_path / name
        path.write_text(LINES)
        assert len(load_log(path, position)) == 3


def test_toml_and_json_without_their_suffix(tmp_path: Path) -> None:
    """A table is recognized under any name."""
    position = load(SCENE)
    for number, text in enumerate((
        'format = "marchtable/log/1"\nlog = ["start truck"]\n',
        '# mine\nlog = ["start truck"]\nformat = "marchtable/log/1"\n',
        '{"format": "marchtable/log/1", "log": ["start truck"]}',
    )):  # fmt: skip
        path = tmp_path / f"log{number}"
        path.write_text(text)
        assert len(load_log(path, position)) == 1


def test_faults_name_their_line(tmp_path: Path) -> None:
    """A line that is no action is named by its number in the file."""
    path = tmp_path / "log.txt"
    path.write_text(LINES + "entre truck K5\n")
    with pytest.raises(
        BadInputError, match=r"log\.txt: line 6: no action 'entre'.*nearest: 'enter'"
    ):
        load_log(path, load(SCENE))
    path.write_text("enter truck Z99")
    with pytest.raises(BadInputError, match=r"log\.txt: line 1: no hex 'Z99'"):
        load_log(path, load(SCENE))


def test_standard_input_and_a_log_that_is_shown(tmp_path: Path) -> None:
    """`check` takes lines from standard input, `show` takes a log where `check` does."""
    found = RUNNER.invoke(app, ["check", SCENE, "-"], input=LINES)
    assert found.exit_code == 0
    assert "enter truck I5" in found.output
    path, picture = tmp_path / "log.txt", tmp_path / "way.svg"
    path.write_text(LINES)
    for arguments in ([str(path)], ["--log", str(path)]):
        picture.unlink(missing_ok=True)
        assert RUNNER.invoke(app, ["show", SCENE, *arguments, "-o", str(picture)]).exit_code == 0
        assert picture.exists()
    twice = RUNNER.invoke(app, ["show", SCENE, str(path), "--log", str(path), "-o", str(picture)])
    assert twice.exit_code == 2
    assert "expected one log" in twice.output


@pytest.mark.parametrize("suffix", [".txt", ".log", ".toml", ".json"])
def test_what_is_written_is_read(tmp_path: Path, suffix: str) -> None:
    """A log saved under any suffix is the same log."""
    position, path = load(SCENE), tmp_path / f"log{suffix}"
    source = tmp_path / "lines"
    source.write_text(LINES)
    log = load_log(source, position)
    save_log(log, path)
    assert load_log(path, position) == log
    assert (path.read_text() == "start truck\nenter truck I5\nenter truck J4\n") == (
        suffix in (".txt", ".log")
    )


@pytest.mark.parametrize(
    ("name", "text", "where"),
    [
        ("log.txt", "start truck\nsettle bog:truck no\n", "line 2"),
        ("log.json", '{"format": "marchtable/log/1", "log": ["start truck", "settle bog:truck no"]}', "log[1]"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("verb", ["check", "why", "play", "options", "show"])
def test_a_fault_found_in_play_names_file_and_line(
    verb: str, name: str, text: str, where: str, tmp_path: Path
) -> None:
    """What only the position after earlier entries shows is reported with the file and line."""
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    drawn = ["-o", str(tmp_path / "x.svg"), "--log"] if verb == "show" else []
    said = RUNNER.invoke(app, [verb, SCENE, *drawn, str(path)], input="").output
    assert f"{path}: {where}: no obligation 'bog:truck' is pending" in said.replace("\n", "")
