"""First tries of new users: what they typed, and the message that mends it at the next try."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import marchtable
from marchtable import Game, load
from marchtable.answers.answer import answer
from marchtable.cli.guard import misused
from marchtable.errors import BadInputError
from marchtable.play.match import Match
from marchtable.play.scenarios import load_scenario
from tests.examples import ROOT

if TYPE_CHECKING:
    from pathlib import Path

SCENE = str(ROOT / "docs/examples/bridge.toml")
GRID: dict[str, Any] = {"rows": ["..w", "..."]}


def error_of(**changes: Any) -> str:
    """Return field and message of the error for a small scene with changes."""
    scene = {
        "format": "marchtable/scene/2", "rulebook": "asl", "side": "german", "phase": "MPh", "board": GRID,
        "units": [{"id": "u", "side": "german", "type": "squad", "at": "A1"}],
    }  # fmt: skip
    fault = answer({"verb": "options", "scene": {**scene, **changes}})["error"]
    return f"{fault['field']}: {fault['message']}"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"crop": "A-P"}, 'after the board\'s name, as in `board = "bd01 ssr NoRoads crop A-P"`'),
        (
            {"counters": [{"kind": "minefield", "at": "A2", "factors": 6}]},
            "counters[0]: unknown field `factors`: the strength of a minefield is not written",
        ),
        (
            {"units": [{"id": "g", "side": "german", "type": "squad", "at": "A1", "crew": "c"}]},
            "a crew at its Gun has no field for it: write the same `at` for both",
        ),
        ({"board": {"rows": ["..W"]}}, "nearest: 'w'"),
        (
            {"board": {**GRID, "hexes": {"C1": {"clear": [40, 40]}}}},
            "hexes.C1.clear: expected six whole numbers from 0 to 100",
        ),
        ({"board": {"map": "..w\n..."}}, "write several lines as a list (only `rows`"),
    ],
)
def test_a_scene(changes: dict[str, Any], said: str) -> None:
    """A slip in a scene drawn by hand is rejected with what to write instead."""
    assert said in error_of(**changes)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("bypass sq N6 SSW", "write 'SSW' as `vertex=SSW`"),
        ("bypass sq N6 nne", "write 'nne' as `vertex=NNE`"),
        ("enter sq N6:bypass", "'bypass' is an action, such as `bypass UNIT N6`"),
    ],
)
def test_a_line(line: str, said: str) -> None:
    """An optional argument without its name, and a verb behind a hex, are shown as they are written."""
    found = answer({"verb": "check", "scene": SCENE, "log": [line]}, files=True)
    assert said in found["error"]["message"]


@pytest.mark.parametrize(
    ("message", "command", "said"),
    [
        ("No such command 'import'.", "marchtable", "`marchtable scene import FILE`"),
        ("No such option: --unit", "marchtable plan", "`marchtable reach SCENE --unit UNIT --to HEX`"),
        ("No such option: --to", "marchtable why", "the goal's file (--goal FILE)"),
        ("Missing argument 'LOG'.", "marchtable check", "`marchtable referee FILE --boards DIR`"),
    ],
)  # fmt: skip
def test_a_command(message: str, command: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:  # fmt: skip
    """A command that is called otherwise is named."""
    assert misused(message, command) == 2
    assert said in capsys.readouterr().err


def test_no_other_command_gets_that_hint(capsys: pytest.CaptureFixture[str]) -> None:
    """The hint about goals belongs to the commands that plan."""
    misused("No such option: --to", "marchtable show")
    assert "goal" not in capsys.readouterr().err


def test_a_hex_in_place_of_a_goal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hex is rejected with a goal that names it; a file of that name is read."""
    monkeypatch.chdir(tmp_path)
    position = load(SCENE)
    with pytest.raises(BadInputError, match=r"expected the file of a goal, got a hex.*\"L5\""):
        marchtable.load_goal("L5", position)
    (tmp_path / "L5").write_text("[", encoding="utf-8")
    with pytest.raises(BadInputError) as caught:
        marchtable.load_goal("L5", position)
    assert "got a hex" not in caught.value.message


def test_names_of_other_libraries() -> None:
    """A game's and a match's members asked for by other names are named; any other name is just absent."""
    scenario = load_scenario("valor/the-farm")
    game, match = Game(scenario.position), Match(scenario, 0)
    for owner, name, said in (
        (game, "legal_moves", "`legal_actions()`"),
        (game, "undo", "`pop()`"),
        (game, "perft", "`marchtable.perft"),
        (match, "push", "`do(ACTION)`"),
        (match, "over", "`is_over`"),
    ):
        with pytest.raises(AttributeError) as caught:
            getattr(owner, name)
        assert said in str(caught.value)
    with pytest.raises(AttributeError, match=r"'Game' object has no attribute 'colour'$"):
        getattr(game, "colour")  # noqa: B009
    assert match.copy().score("german") == match.score("german")


def test_a_scenario_in_place_of_its_position() -> None:
    """What has a position is rejected with that field."""
    with pytest.raises(BadInputError, match="its `position` is one"):
        Game(load_scenario("valor/the-farm"))  # type: ignore[arg-type]


def test_the_environments_need_no_import_of_their_own() -> None:
    """`marchtable.env` is there after `import marchtable`, as the guide writes it."""
    pytest.importorskip("pettingzoo")
    assert callable(marchtable.env.env)
