"""A game that the machinery has never heard of gets every answer from it."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

import pytest

from marchtable.play.options import options
from marchtable.reachability.reach import reach
from marchtable.rules.generator import legal_actions, perft
from marchtable.rules.referee import check
from marchtable.rules.rulebook import find_rulebook, rulebook_names
from marchtable_toy import RULEBOOK
from tests.toy_scene import scene, walk

TOML = """
format = "marchtable/scene/2"
rulebook = "toy"
board = "toy.json"
side = "red"
phase = "Walk"
units = [
  { id = "w0", side = "red", at = "A1" },
  { id = "w1", side = "red", at = "A1" },
  { id = "w2", side = "blue", at = "B1" },
]
"""


def test_found_by_entry_point() -> None:
    """It is found like an installed rulebook."""
    (entry,) = entry_points(group="marchtable.rulebooks", name="toy")
    assert entry.value == "marchtable_toy:RULEBOOK"
    assert find_rulebook("toy") is RULEBOOK
    assert set(rulebook_names()) >= {"asl", "toy"}


def test_check() -> None:
    """A log is judged, clause by clause."""
    assert check(scene(), [walk("w0", "B1")]).status == "LEGAL"
    assert [v.clause for v in check(scene(), [walk("w2", "A1")]).violations] == ["T2", "T3"]
    assert check(scene(), [walk("w0", "B1"), walk("w0", "B2")]).status == "UNSUPPORTED"


def test_legal_actions() -> None:
    """Identical walkers are offered once; the second joins the first if there is room."""
    found = [(c.action, c.closes, c.joins) for c in legal_actions(scene())]
    assert found == [(walk("w0", "B1"), True, ()), (walk("w0", "A2"), True, ("w1",))]
    joined = legal_actions(scene(), opened=walk("w0", "A2"))
    assert [c.action for c in joined] == [walk("w0 w1", "A2")]


def test_reach() -> None:
    """Reach is compiled from its rulings, its one unmodelled clause stated."""
    (found,) = reach(scene(), ["w0"])
    assert {at: place.spent for at, place in found.best().items()} == {"A1": 0, "A2": 5, "B1": 1}
    assert (found.unsupported, found.assumed) == (("T6",), ("T4",))


def test_options() -> None:
    """Options have its verbs, its points and its clauses."""
    entry = options(scene(), "w0")["units"][0]
    assert {(a["verb"], a["cost"]) for a in entry["actions"]} == {("walk", 0.5), ("walk", 2.5)}
    assert entry["points"] == "WP"


def test_perft() -> None:
    """Its sequences of actions are counted."""
    assert [perft(scene(), depth) for depth in (1, 2, 3)] == [3, 7, 19]


def test_show(tmp_path: Path) -> None:
    """Its positions are drawn with its own markers."""
    picture = pytest.importorskip("marchtable.picture")
    position = scene()
    markers = [
        picture.Marker(at=u.at, side=u.side, **RULEBOOK.marker(position, u)) for u in position.units
    ]
    picture.save(picture.draw(position.board, units=markers), tmp_path / "toy.svg")
    assert "w2" in (tmp_path / "toy.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("verb", "stated"),
    [
        (["check", "scene.toml", "log.toml"], "LEGAL"),
        (["options", "scene.toml", "--unit", "w0"], "walk w0 B1"),
        (["reach", "scene.toml", "--unit", "w0"], "A2"),
        pytest.param(["perft", "scene.toml", "--depth", "2"], "7", marks=pytest.mark.slow),
        pytest.param(["show", "scene.toml", "-o", "toy.svg"], "", marks=pytest.mark.slow),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else None,
)
def test_command_line(verb: list[str], stated: str, tmp_path: Path) -> None:
    """The command line answers for it too, from files."""
    if find_spec("marchtable.cli.main") is None:
        pytest.skip("needs marchtable.cli.main")
    from marchtable.files.boards import save_board

    save_board(scene().board, tmp_path / "toy.json")
    (tmp_path / "scene.toml").write_text(TOML)
    (tmp_path / "log.toml").write_text('format = "marchtable/log/1"\nlog = ["walk w0 B1"]\n')
    command = "import sys; sys.path.insert(0, sys.argv.pop(1)); from marchtable.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-B", "-c", command, str(Path(__file__).parent), *verb],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode in (0, 34), done.stderr
    assert stated in done.stdout
    assert verb[0] != "show" or (tmp_path / "toy.svg").exists()
