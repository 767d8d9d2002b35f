"""Positions and logs as text for people: ``scene export``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from marchtable.cli.main import app

if TYPE_CHECKING:
    from pathlib import Path

RUNNER = CliRunner()
SCENE = """
format = "marchtable/scene/2"
rulebook = "asl"
side = "german"
phase = "MPh"
turn = 3

[board]
format = "marchtable/grid/1"
name = "field"
rows = [". . . .", ". . . .", ". . . ."]

[[units]]
id = "sqA"
side = "german"
at = "A1"
type = "german 4-6-7"

[[units]]
id = "truck"
side = "german"
at = "B1"
type = "opel-blitz"
facing = "SSE"

[[units]]
id = "crew"
side = "german"
at = "B1"
type = "german 4-6-7"
aboard = "truck"

[[units]]
id = "ivan"
side = "russian"
at = "-"
type = "russian 4-4-7"

[[counters]]
kind = "wire"
at = "D1"
"""
LOG = "double-time sqA\nenter sqA A2\nenter sqA A3\nstart truck\nenter truck B2\n"


def exported(tmp_path: Path, *more: str, log: str = "") -> tuple[int, str]:
    """Return exit code and text of an export."""
    (tmp_path / "field.toml").write_text(SCENE)
    words = ["scene", "export", str(tmp_path / "field.toml")]
    if log:
        (tmp_path / "log.txt").write_text(log)
        words.append(str(tmp_path / "log.txt"))
    found = RUNNER.invoke(app, [*words, *more])
    return found.exit_code, found.output


def test_position(tmp_path: Path) -> None:
    """It lists hexes with units, their loads beneath them, and counters."""
    code, text = exported(tmp_path)
    assert code == 0
    assert text.splitlines() == [
        "Turn 3, german MPh, board field",
        "",
        "german",
        "  A1       sqA (german 4-6-7)",
        "  B1       truck (opel-blitz), facing SSE",
        "             crew (german 4-6-7)",
        "",
        "russian",
        "  off the map ivan (russian 4-4-7)",
        "",
        "counters",
        "  D1       wire",
    ]


def test_log(tmp_path: Path) -> None:
    """A move is a line: hexes, points spent and left, and states that the next move does not end."""
    code, text = exported(tmp_path, log=LOG)
    assert code == 0
    first, second = (line for line in text.splitlines() if line[:1].isdigit())
    assert first == "1. sqA: double-time, A1 to A2 1 MF, A2 to A3 1 MF; 4 MF left; CX"
    assert (
        second == "2. truck: start 1 MP, B1 to B2 4 MP; 23 MP left; is making its move, in Motion"
    )


@pytest.mark.parametrize("after", ["result truck attacked", "phase AFPh"])
def test_a_move_goes_on_after_an_event_but_not_after_its_phase(tmp_path: Path, after: str) -> None:
    """Only a phase, or another unit's move, ends a move."""
    _, text = exported(tmp_path, log=f"enter sqA A2\n{after}\n")
    first = next(line for line in text.splitlines() if line.startswith("1."))
    assert ("is making its move" in first) == after.startswith("result")


def test_illegal_log(tmp_path: Path) -> None:
    """An illegal entry is marked with its clause."""
    code, text = exported(tmp_path, log="enter truck B2\n")
    assert code == 10
    assert "   ILLEGAL (D2." in text


def test_output_file(tmp_path: Path) -> None:
    """-o writes the text to a file; an unreadable scene gives one line."""
    out = tmp_path / "out.txt"
    assert exported(tmp_path, "-o", str(out)) == (0, f"wrote {out}\n")
    assert out.read_text().startswith("Turn 3")
    assert RUNNER.invoke(app, ["scene", "export", str(out)]).exit_code == 2
