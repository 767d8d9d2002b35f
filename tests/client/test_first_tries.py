"""First tries of new users: what they typed, and the message that mends it at the next try."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

import marchtable
from marchtable import Game, load
from marchtable.answers.answer import answer
from marchtable.answers.schema import schema
from marchtable.cli.guard import misused
from marchtable.codec.plain import table_of
from marchtable.errors import BadInputError
from marchtable.play.match import Match
from marchtable.play.scenarios import load_scenario
from marchtable.rules.rulebook import find_rulebook
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
        ("Missing option '--unit'", "marchtable reach", "`marchtable scene import FILE`"),
        ("No such option: --from", "marchtable los", "`marchtable los SCENE FROM TO`"),
        ("No such command 'list'.", "marchtable board", "`marchtable board import BOARD`"),
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


@pytest.mark.parametrize("board", [3, 2.5, object()])
def test_a_board_that_is_neither_a_path_nor_a_table(board: Any, tmp_path: Path) -> None:
    """A scene names its board, or describes it."""
    with pytest.raises(BadInputError, match="board: expected a path, a table or None, got"):
        marchtable.save(load(SCENE), tmp_path / "scene.toml", board=board)
    assert not (tmp_path / "scene.toml").exists()


def test_a_game_at_its_start_has_no_last_action() -> None:
    """Looking at it is rejected like taking it back."""
    game = marchtable.Game(load(SCENE))
    for last in (game.peek, game.pop):
        with pytest.raises(IndexError, match="the game is at its start"):
            last()


@pytest.mark.parametrize(
    ("form", "given", "said"),
    [
        ("marchtable/log/1", "marchtable/goal/1", "a goal is given as `--goal FILE`"),
        ("marchtable/scene/2", "marchtable/scene/3", "for a later version of marchtable"),
    ],
)
def test_a_file_of_another_format(form: str, given: str, said: str) -> None:
    """A goal in place of a log, and a file of a later version, are recognized."""
    with pytest.raises(BadInputError, match=re.escape(said)):
        table_of({"format": given}, form, source="file")


def test_a_phase_in_words() -> None:
    """The nearest phase is named, and what each abbreviation means."""
    book = marchtable.load(SCENE).rulebook
    text = find_rulebook(book).unknown_phase("Movement")
    assert "nearest: 'MPh'" in text
    assert "RPh Rally Phase" in text


def test_a_schema_by_the_format_of_its_files() -> None:
    """The name that files state is taken, too."""
    assert schema("marchtable/scene/2") == schema("scene")


def test_who_chooses_losses() -> None:
    """A rulebook without a choice of losses names those that have one."""
    found = answer({"verb": "casualties", "scene": SCENE, "at": "L5"}, files=True)
    assert "panzer, valor do" in str(found)


def test_all_unknown_fields_of_units_are_named_at_once(tmp_path: Path) -> None:
    """A scene with several slips is rejected once, with the nearest name of each."""
    scene = tmp_path / "scene.toml"
    text = (
        (ROOT / SCENE).read_text().replace("facing =", "faceing =").replace("side =", "sied =", 3)
    )
    scene.write_text(text.replace("sied =", "side =", 1))
    with pytest.raises(BadInputError) as caught:
        load(scene)
    assert "unknown field `faceing`; nearest: 'facing'" in str(caught.value)
    assert "unknown field `sied`; nearest: 'side'" in str(caught.value)
