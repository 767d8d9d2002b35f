"""``board import`` and ``board report`` on the command line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from marchtable.cli.main import app
from marchtable.errors import UnknownNameError
from marchtable.files.boards import find_board, load_board, save_board
from tests.grids import grid_board
from tests.vasl.forge import Forge

if TYPE_CHECKING:
    from pathlib import Path

    from typer.testing import Result


def run(*arguments: object) -> Result:
    """Run a command."""
    return CliRunner().invoke(app, ["board", *map(str, arguments)])


def test_import(tmp_path: Path) -> None:
    """An archive becomes a board file, and its contents are listed, the measures too."""
    forge = Forge().disc("B2", 10, "Woods").disc("D2", 20, "Woods")
    forge.line(forge.corner("C2", 1), forge.corner("C2", 2), what="Wall", wide=4)
    forge.line((0.0, 129.0), (18.0, 129.0), what="Dirt Road")
    archive = forge.line("C2", "D1", what="Dirt Road", wide=10).write(tmp_path / "bd07")
    found = json.loads(run("import", archive, "-o", tmp_path / "b.json", "--json").stdout)
    result = {key: found[key] for key in ("hexes", "gaps", "along", "bypassed", "rulebook")}

    assert result == {"hexes": 22, "gaps": 1, "along": 1, "bypassed": 12, "rulebook": "asl"}
    assert found["uncovered"] == {}
    assert found["file"] == str(tmp_path / "b.json")
    assert len(load_board(tmp_path / "b.json")) == 22


@pytest.fixture
def wadi(tmp_path: Path) -> Path:
    """Write a board with terrain that is not covered."""
    terrain: list[dict[str, Any]] = [{"terrain": name} for name in ("Wadi", "Wadi", "Fog", "Woods")]
    save_board(grid_board(2, 2, terrain), tmp_path / "wadi.json")
    return tmp_path / "wadi.json"


def test_report(wadi: Path) -> None:
    """What a rulebook does not cover is listed by name, most frequent first."""
    assert "asl does not cover: 2 Wadi; 1 Fog\n" in run("report", wadi).stdout
    found = json.loads(run("report", wadi, "--rulebook", "asl", "--json").stdout)

    assert (found["format"], found["file"]) == ("marchtable/board-report/1", None)
    assert (found["rulebook"], found["uncovered"]) == ("asl", {"Wadi": 2, "Fog": 1})


def test_report_of_a_rulebook_that_does_not_tell(wadi: Path) -> None:
    """A rulebook that does not declare coverage is not said to cover everything."""
    assert "cover" not in run("report", wadi, "--rulebook", "toy").stdout
    assert (
        json.loads(run("report", wadi, "--rulebook", "toy", "--json").stdout)["uncovered"] is None
    )


def test_report_without_rulebooks(wadi: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards are reported on without installed rulebooks; a named one must be installed."""

    def none(name: str | None) -> None:
        raise UnknownNameError(f"no rulebook {name}")

    monkeypatch.setattr("marchtable.cli.commands.find_rulebook", none)

    assert "4 hexes" in run("report", wadi).stdout
    assert run("report", wadi, "--rulebook", "asl").exit_code == 2


def test_nothing_is_written_for_an_unknown_rulebook(wadi: Path) -> None:
    """A rulebook that is not installed is rejected before anything is written."""
    result = run("import", wadi, "-o", wadi.with_name("out.json"), "--rulebook", "chess")

    assert result.exit_code == 2
    assert not wadi.with_name("out.json").exists()


def test_empty_rows(wadi: Path) -> None:
    """A row without a board is rejected."""
    assert run("report", wadi, "/").exit_code == 2


@pytest.fixture
def track(tmp_path: Path) -> Path:
    """Write an archive with a track that ends in mid-board."""
    return Forge(7, 5).line("D0", "D3", what="Dirt Road").write(tmp_path / "bd07")


def test_check(track: Path, tmp_path: Path) -> None:
    """Each suspicious feature of a board is a line, and the exit code reports any."""
    plain = Forge().write(tmp_path / "bd08")
    result = run("import", track, "/", plain, "--check")

    assert result.exit_code == 12
    assert result.stdout == (
        f"{track}: 1 suspicious\n"
        "  road D2-D3: the road ends in D3, where no building stands\n"
        f"{plain}: 0 suspicious\n"
    )
    assert run("import", plain, "--check").exit_code == 0


def test_check_as_json(track: Path, tmp_path: Path) -> None:
    """The same as JSON; a board written on the way adds nothing."""
    result = run("import", track, "--check", "--json", "-o", tmp_path / "b.json")

    assert result.exit_code == 12
    assert json.loads(result.stdout) == {
        "format": "marchtable/board-check/1",
        "status": "UNKNOWN",
        "boards": [
            {
                "file": str(track),
                "name": "7",
                "suspicions": [
                    {
                        "kind": "road",
                        "at": "D2-D3",
                        "text": "the road ends in D3, where no building stands",
                    }
                ],
            }
        ],
    }
    assert load_board(tmp_path / "b.json").name == "7"


def test_nothing_to_do(track: Path) -> None:
    """Neither writing nor checking is rejected."""
    result = run("import", track)

    assert result.exit_code == 2
    assert "-o: expected a board file to write, or --check" in result.stderr


def test_changed_and_cropped(track: Path, tmp_path: Path) -> None:
    """SSR and cropping apply to every board, including a reversed one."""
    out = tmp_path / "b.json"
    result = run(
        "import", f"{track} r", "--ssr", "NoRoads", "--ssr", "NoWalls", "--crop", "A-D", "-o", out
    )
    board = load_board(out)

    assert result.exit_code == 0
    assert board.name == "7 ssr NoRoads,NoWalls crop A-D"
    assert board == find_board(f"{track} ssr NoRoads,NoWalls crop A-D r")
    assert not any(edge.hexside.road for edge in board.edges)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--ssr", ""), "--ssr: expected a name, got nothing"),
        (("--crop", " "), "--crop: expected a name, got nothing"),
    ],
)
def test_nothing_is_no_name(words: tuple[str, str], says: str, track: Path, tmp_path: Path) -> None:
    """An empty SSR or part is rejected as such."""
    result = run("import", track, *words, "-o", tmp_path / "b.json")

    assert (result.exit_code, says in result.stderr) == (2, True)


def test_words_in_another_order(track: Path, tmp_path: Path) -> None:
    """A board reversed before it is cropped is rejected with the order of the words."""
    result = run("import", f"{track} r crop A-D", "-o", tmp_path / "b.json")

    assert (result.exit_code, "expected ssr, overlays, crop, then r" in result.stderr) == (2, True)


def test_show_a_part(tmp_path: Path) -> None:
    """A board to draw can be named as in scenes: cropped, reversed, changed."""
    archive = Forge(8, 4).write(tmp_path / "bd07")
    picture = tmp_path / "part.svg"
    found = CliRunner().invoke(app, ["show", f"{archive} crop A-D r", "-o", str(picture)])

    assert (found.exit_code, found.stdout) == (0, f"wrote {picture}\n")
    assert "hex:G1" not in picture.read_text("utf-8")
