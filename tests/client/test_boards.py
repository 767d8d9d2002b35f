"""Boards as files, and as scenes name them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from marchtable.board.board import Board
from marchtable.errors import BadInputError
from marchtable.files.boards import find_board, load_board, save_board
from marchtable.files.scenes import load
from tests.client.scenes import scene

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("suffix", ["toml", "json"])
def test_board_round_trip(tmp_path: Path, demo_board: Board, suffix: str) -> None:
    """A board that is saved and loaded is the same."""
    save_board(demo_board, tmp_path / f"b.{suffix}")
    assert demo_board == load_board(tmp_path / f"b.{suffix}")


def _board(**changes: Any) -> dict[str, Any]:
    locations = [
        {"name": "A1", "hex": "A1", "u": 0, "v": 0},
        {"name": "A2", "hex": "A2", "u": 0, "v": 2},
    ]
    edges = [{"a": "A1", "b": "A2"}]
    base = {"format": "marchtable/board/1", "name": "b", "locations": locations, "edges": edges}
    return {**base, **changes}


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"format": "x"}, ""),
        ({"edges": [{"a": "A1", "b": "A9"}]}, "edges[0]"),
        ({"edges": [{"a": "A1", "b": "A2"}] * 2}, "edges[1]"),
        ({"edges": [{"a": "A1", "b": "A1"}]}, "edges[0]"),
        ({"locations": [{"name": "A1", "hex": "A1", "u": 0, "v": 0}] * 2}, "locations[1].name"),
        ({"locations": [{"name": "A 1", "hex": "A1", "u": 0, "v": 0}]}, "locations[0].name"),
        ({"locations": [{"name": "A1", "hex": "A1", "u": 10**6, "v": 0}]}, "locations[0]"),
        ({"locations": [{"name": "A1", "hex": "A1", "u": 0, "v": 0, "rim": [[6, {}]]}]}, "locations[0].rim"),
        ({"locations": [{"name": "A1", "hex": "A1", "u": 0, "v": 0, "rim": [[5, {"gap": -1}]]}]}, "locations[0].rim"),
        ({"locations": [{"name": "A1", "hex": "A1", "u": 0, "v": 0, "clear": [0] * 5}]}, "locations[0].clear"),
        ({"locations": [{"name": "A1", "hex": "A1", "u": 0, "v": 0, "clear": [0, 0, 0, 0, 0, 101]}]}, "locations[0].clear"),
        ({"edges": [{"a": "A1", "b": "A2", "hexside": {"terrain": "Wall", "gap": 101}}]}, "edges[0].gap"),
        ({"locations": [{"name": "A1", "hex": "A1", "u": 0, "v": 0}, {"name": "A2", "hex": "A2", "u": 0, "v": 1}]}, "locations[1]"),
        ({"locations": [{"name": "A1", "hex": "A1", "u": 0, "v": 0}, {"name": "A2", "hex": "A2", "u": 0, "v": 0}]}, "locations[1]"),
        ({"aliases": {"X": "Y"}}, "aliases"),
    ],
)  # fmt: skip
def test_rejected_board(tmp_path: Path, changes: dict[str, Any], field: str) -> None:
    """A board file with missing, duplicate or non-adjacent Locations is rejected by field."""
    path = tmp_path / "b.json"
    path.write_text(json.dumps(_board(**changes)))
    with pytest.raises(BadInputError) as caught:
        load_board(path)
    assert (str(path), field) == (caught.value.source, caught.value.field)


def test_boards_beside_the_scene(tmp_path: Path, demo_board: Board) -> None:
    """A scene finds boards relative to itself, reverses them and joins them."""
    save_board(demo_board, tmp_path / "one.json")
    save_board(Board("two", demo_board.locations, demo_board.edges), tmp_path / "two.json")
    units = [{"id": "sq", "side": "german", "at": "demoA4", "type": "squad"}]
    plain = {k: v for k, v in scene().items() if k not in ("units", "counters")}
    (tmp_path / "a.json").write_text(
        json.dumps({**plain, "board": [["one.json", "two.json r"]], "units": units})
    )
    found = load(tmp_path / "a.json")
    assert "demo+two" == found.board.name
    assert 2 * len(demo_board) > len(found.board) > len(demo_board)


def test_boards_are_kept_by_the_content_of_their_files(tmp_path: Path) -> None:
    """A file is read as a board once; one of the same name with other content is another board."""
    (tmp_path / "b.json").write_text(json.dumps(_board()), encoding="utf-8")
    (tmp_path / "c.json").write_text(json.dumps(_board(name="c")), encoding="utf-8")
    first = find_board("b.json", folder=tmp_path)
    assert find_board("b.json", folder=tmp_path) is first
    pair = [["b.json", "c.json"]]
    assert find_board(pair, folder=tmp_path) is find_board(pair, folder=tmp_path)
    assert find_board("b.json r", folder=tmp_path) is not first
    (tmp_path / "b.json").write_text(json.dumps(_board(edges=[])), encoding="utf-8")
    assert find_board("b.json", folder=tmp_path).edges == ()
    (tmp_path / "b.json").unlink()
    for missing in ("b.json", "é" * 300, "/dev/zero"):
        with pytest.raises(BadInputError):
            find_board(missing, folder=tmp_path)
