"""Scenes and logs as files and as plain data: nothing is lost."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING, Any

import pytest
import tomli_w

from marchtable.board.board import Board
from marchtable.errors import BadInputError
from marchtable.files.boards import demo_board
from marchtable.files.logs import load_log, log_data, log_of, save_log
from marchtable.files.scenes import (
    grouped_units,
    load,
    load_scene,
    save,
    scene_data,
    scene_of,
    with_readings,
)
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.position import Obligation, Odds
from tests.client.scenes import DEMO, LOG, PENDING, log, scene

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("suffix", ["toml", "json"])
def test_scene_round_trip(tmp_path: Path, suffix: str) -> None:
    """A position that is saved and loaded is the same, including off-map units and halves."""
    position = scene_of(scene(pending=[PENDING])).position
    save(position, tmp_path / f"a.{suffix}", name="yard")
    found = load_scene(tmp_path / f"a.{suffix}")
    assert (position, "yard") == (found.position, found.name)
    assert position.key() == found.position.key()


def test_scene_data_round_trip() -> None:
    """A scene's plain data come back equal, without defaults."""
    data = grouped_units(scene(), find_rulebook("asl"))
    assert data == scene_data(scene_of(data).position, name="yard")


def test_another_board_is_written_out(demo_board: Board) -> None:
    """A scene on a board that is not the rulebook's own contains the board."""
    other = Board("other", demo_board.locations, demo_board.edges)
    position = scene_of(scene(board={**scene_data_board(other)})).position
    data = scene_data(position)
    assert "other" == data["board"]["name"]
    assert position == scene_of(data).position


def scene_data_board(board: Board) -> dict[str, Any]:
    """Return a board as plain data."""
    from marchtable.codec.structs import builtins_of

    found: dict[str, Any] = builtins_of(board.file())
    return found


@pytest.mark.parametrize("suffix", ["toml", "json"])
def test_log_round_trip(tmp_path: Path, suffix: str) -> None:
    """A log that is saved and loaded is the same, and knows its scene."""
    position = scene_of(scene()).position
    actions = log_of(list(LOG), position)
    save_log(actions, tmp_path / f"a.{suffix}", scene="yard")
    assert actions == load_log(tmp_path / f"a.{suffix}", position, name="yard")
    assert log(scene="yard") == log_data(actions, scene="yard")


def test_log_for_a_position_by_key() -> None:
    """A log can name its scene by the position's key; another key is another scene."""
    position = scene_of(scene()).position
    assert log_of(log(scene=position.key()), position)
    with pytest.raises(BadInputError, match="another scene"):
        log_of(log(scene="0" * 24), position)


def test_tables_and_lines_are_the_same_actions() -> None:
    """An entry of a log can be a line or a table."""
    position = scene_of(scene()).position
    table = {"do": "enter", "units": ["truck"], "to": "D5", "extra": 0.5}
    assert log_of([table], position) == log_of(["enter truck D5 extra=0.5"], position)


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """``-`` reads standard input, as JSON or as TOML."""
    for text in (json.dumps(scene()), tomli_w.dumps(scene())):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        assert scene_of(scene()).position == load("-")


def test_byte_order_mark(tmp_path: Path) -> None:
    """A file that starts with a byte order mark is still read."""
    path = tmp_path / "a.toml"
    path.write_bytes(b"\xef\xbb\xbf" + tomli_w.dumps(scene()).encode())
    assert scene_of(scene()).position == load(path)


def test_readings() -> None:
    """A reading can be chosen for a position; the default is not written."""
    position = scene_of(scene()).position
    assert (("D2.12c", "any"),) == position.readings
    assert () == with_readings(position, {"D2.12c": "started"}).readings


def test_demo_files() -> None:
    """The rulebook's own files are valid, and its board is loaded once."""
    found = load_scene(DEMO / "scene.toml")
    for name in ("legal.toml", "illegal.toml"):
        assert load_log(DEMO / name, found.position, name=found.name)
    rulebook = find_rulebook("asl")
    assert demo_board(rulebook) is demo_board(rulebook)


def test_obligations_survive() -> None:
    """A pending roll is kept with its odds."""
    position = scene_of(scene(pending=[PENDING])).position
    expected = Obligation("bog:truck", "D8.21a", "truck", (Odds("mobile", 30, 36),))
    assert (expected,) == position.pending
