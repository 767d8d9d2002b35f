"""Scenes, logs and boards as files: what is refused, and that nothing is lost."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
import tomli_w

from marchtable.board import Board
from marchtable.boardfiles import demo_board, load_board, save_board
from marchtable.errors import BadInputError
from marchtable.files import load, load_scene, save, scene_data, scene_of, with_readings
from marchtable.logs import load_log, log_data, log_of, save_log
from marchtable.plain import MAX_DEPTH, read
from marchtable.position import Obligation, Odds
from marchtable.rulebook import find_rulebook
from tests.client.scenes import DEMO, LOG, broken, log, scene

VALUES: list[tuple[str, Any, str, str]] = [
    # where, what, the field named, what the message says
    ("format", "marchtable/scene/9", "format", "marchtable/scene/1"),
    ("rulebook", "chess", "rulebook", "found: "),
    ("rulebook", 3, "rulebook", "name of a rulebook"),
    ("board", 3, "board", "expected"),
    ("board", "nowhere.json", "", "cannot be read"),
    ("board", [], "board", "at least one board"),
    ("board", [[]], "board", "at least one board"),
    ("board", {"format": "marchtable/board/1", "name": "x", "locations": [], "edges": []}, "board.locations", "at least one"),
    ("side", "", "side", "name without blanks"),
    ("side", ["german"], "side", "expected `str`"),
    ("phase", "Lunch", "phase", "RPh, PFPh, MPh"),
    ("turn", 0, "turn", ">= 1"),
    ("turn", 1.5, "turn", "expected `int`"),
    ("turn", True, "turn", "expected `int`"),
    ("turn", 10**30, "turn", "sensible size"),
    ("conditions", {"month": 13}, "conditions.month", "<= 12"),
    ("conditions", {"weather": "mud"}, "conditions", "expected any of month, types"),
    ("interpretations", {"Z9": "any"}, "interpretations", "no register entry"),
    ("interpretations", {"D2.12": "no"}, "interpretations", "started, any"),
    ("units", {}, "units", "expected `array`"),
    ("units.0.at", "Z99", "units[0].at", "Z99"),
    ("units.0.at", "", "units[0].at", "''"),
    ("units.1.id", "truck", "units[1].id", "listed twice"),
    ("units.1.id", "l dr", "units[1].id", "without blanks"),
    ("units.1.id", "a,b", "units[1].id", "without blanks"),
    ("units.1.id", "a=b", "units[1].id", "without blanks"),
    ("units.1.id", "a\nb", "units[1].id", "printable"),
    ("units.1.id", "\ud800", "units[1].id", "printable"),
    ("units.0.type", "unicorn", "units[0].type", "opel-blitz"),
    ("units.0.facing", "N", "units[0].facing", "NNE, E, SSE"),
    ("units.1.facing", "E", "units[1].facing", "vehicles, and only they"),
    ("units.0.colour", "red", "units[0]", "`colour`"),
    ("units.0.spent", -1, "units[0].spent", "multiple of 0.5"),
    ("units.0.spent", 0.3, "units[0].spent", "multiple of 0.5"),
    ("units.0.spent", 1e9, "units[0].spent", "multiple of 0.5"),
    ("units.0.spent", float("nan"), "units[0].spent", "finite"),
    ("units.0.spent", float("inf"), "units[0].spent", "finite"),
    ("units.0.spent", "1", "units[0].spent", "number of points"),
    ("units.0.spent", True, "units[0].spent", "number of points"),
    ("units.2.sw.0.pp", -1, "units[2].sw[0].pp", ">= 0"),
    ("units.0.leaders", ["nobody"], "units[0].leaders", "no unit 'nobody'"),
    ("units.0.lends", "nobody", "units[0].lends", "no unit 'nobody'"),
    ("units.0", 7, "units[0]", "expected `object`"),
    ("counters.0.at", "Z99", "counters[0].at", "Z99"),
    ("counters.0.until", "noon", "counters[0].until", "phase, turn, game"),
    ("pending", [{"id": "x"}], "pending[0]", "`clause`"),
    ("name", ["a"], "name", "expected `str`"),
    ("surprise", 1, "", "`surprise`"),
]  # fmt: skip


@pytest.mark.parametrize(("where", "value", "field", "says"), VALUES)
def test_refused_scene(where: str, value: Any, field: str, says: str) -> None:
    """A scene with one thing wrong is refused in one line that names the field and what is wanted."""
    with pytest.raises(BadInputError) as caught:
        scene_of(broken(where, value), source="yard.toml")
    assert caught.value.source
    assert field == caught.value.field
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("key", ["format", "rulebook", "board", "side", "phase", "units"])
def test_scene_without_a_key(key: str) -> None:
    """A scene that lacks something it needs is refused by the name of what it lacks."""
    data = scene()
    del data[key]
    with pytest.raises(BadInputError, match=key):
        scene_of(data)


PENDING = {
    "id": "bog:truck", "clause": "D8.21a", "unit": "truck",
    "outcomes": [{"outcome": "mobile", "chance": 30, "of": 36}],
}  # fmt: skip


@pytest.mark.parametrize(
    ("key", "value", "field"),
    [
        ("unit", "nobody", "pending[0].unit"),
        ("clause", "X1", "pending[0].clause"),
        ("outcomes", [], "pending[0].outcomes"),
        ("outcomes", [{"outcome": "a", "chance": 2, "of": 1}], "pending[0].outcomes[0]"),
        ("outcomes", [{"outcome": "a", "chance": -1, "of": 1}], "pending[0].outcomes[0]"),
        ("outcomes", [{"outcome": "a b", "chance": 1, "of": 1}], "pending[0].outcomes[0].outcome"),
        ("id", "", "pending[0].id"),
    ],
)
def test_refused_obligation(key: str, value: Any, field: str) -> None:
    """A pending roll must be about something that exists, with odds that are odds."""
    with pytest.raises(BadInputError) as caught:
        scene_of(scene(pending=[{**PENDING, key: value}]))
    assert field == caught.value.field


LOGS: list[tuple[Any, str, str]] = [
    ({"format": "marchtable/log/1"}, "log", "list of actions"),
    ({"format": "x", "log": []}, "format", "marchtable/log/1"),
    (log(scene="elsewhere"), "scene", "another scene"),
    (log(scene=3), "scene", "scene's name"),
    (log(speed=3), "speed", "format, scene, log"),
    ("start truck", "log", "list of actions"),
    (["fly truck"], "log[0]", "actions: start, stop"),
    (["start truck", ""], "log[1]", "no action ''"),
    (["start truck", 3], "log[1]", "line or a table"),
    (["enter truck"], "log[0]", "`enter units to"),
    (["enter truck C5 D5"], "log[0]", "`enter units to"),
    (["enter truck C5 speed=3"], "log[0]", "`enter units to"),
    (["enter truck C5 half=maybe"], "log[0].half", "`bool`"),
    (["enter truck C5 half=true half=true"], "log[0]", "`enter units to"),
    (["enter truck C5 extra=nan"], "log[0].extra", "multiple of 0.5"),
    (["enter truck C5 extra=lots"], "log[0]", "a number for extra"),
    (["enter truck C5 extra=-1"], "log[0].extra", "multiple of 0.5"),
    (["enter truck Z99"], "log[0]", "no hex 'Z99'"),
    (["enter nobody C5"], "log[0]", "no unit 'nobody'"),
    (["enter truck,nobody C5"], "log[0]", "no unit 'nobody'"),
    (["turn truck N"], "log[0].facing", "NNE, E, SSE"),
    (["phase Lunch"], "log[0]", "RPh, PFPh"),
    ([{"unit": "truck"}], "log[0].do", "no action None"),
    ([{"do": "start"}], "log[0]", "`unit`"),
    ([{"do": "start", "unit": "truck", "loud": True}], "log[0]", "`loud`"),
    ([{"do": "enter", "units": "truck", "to": "C5"}], "log[0].units", "`array`"),
]


@pytest.mark.parametrize(("data", "field", "says"), LOGS)
def test_refused_log(data: Any, field: str, says: str) -> None:
    """A log with one thing wrong is refused in one line that names the entry."""
    with pytest.raises(BadInputError) as caught:
        log_of(data, scene_of(scene()).position, source="log.toml", name="yard")
    assert (caught.value.source, caught.value.field) == ("log.toml", field)
    assert says in str(caught.value)


FILES: list[tuple[str, bytes, str]] = [
    ("a.toml", b"", "marchtable/scene/1"),
    ("a.toml", b"format = 'x'\nformat = 'y'", "not readable as TOML"),
    ("a.json", b'{"format": 1, "format": 2}', "given twice"),
    ("a.json", b'{"units": [{"spent": NaN}]}', "got NaN"),
    ("a.json", b'{"format": ', "not readable as JSON"),
    ("a.json", b"[" * 100_000, "deeper"),
    ("a.json", b'{"a":' * 30 + b"1" + b"}" * 30, "deeper"),
    ("a.json", b'{"turn": ' + b"9" * 5000 + b"}", "not readable as JSON"),
    ("a.toml", b"turn = " + b"9" * 5000, "not readable as TOML"),
    ("a.toml", b"when = 2024-01-01", "expected text, a number"),
    ("a.toml", b"x = " + b"[" * 3000 + b"]" * 3000, "deeper"),
    ("a.toml", b"\xff\xfe", "expected UTF-8"),
    ("a.toml", b"name = '\xe9'", "expected UTF-8"),
    ("a.json", b"[1, 2]", "expected a table"),
    ("a.toml", b"\x00", "not readable as TOML"),
]


@pytest.mark.parametrize(("name", "content", "says"), FILES)
def test_refused_file(tmp_path: Path, name: str, content: bytes, says: str) -> None:
    """A file that is no scene at all is refused in one line that names it."""
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(BadInputError) as caught:
        load(path)
    assert str(path) == caught.value.source
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_no_file_at_all(tmp_path: Path) -> None:
    """A missing file, a folder and an impossible name are refused by name."""
    for path in (tmp_path / "missing.toml", tmp_path, Path("a\0b")):
        with pytest.raises(BadInputError, match="cannot be read") as caught:
            load(path)
        assert caught.value.source


def test_too_large_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file above the limit is not read to its end."""
    monkeypatch.setattr("marchtable.plain.MAX_BYTES", 10)
    (tmp_path / "a.toml").write_text("# longer than ten bytes")
    with pytest.raises(BadInputError, match="at most 10 bytes"):
        read(tmp_path / "a.toml")


def test_too_many_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """Data in which one list stands for millions of others are refused before they are walked."""
    monkeypatch.setattr("marchtable.plain.MAX_VALUES", 1000)
    data: list[Any] = []
    for _ in range(MAX_DEPTH - 2):
        data = [data, data]
    with pytest.raises(BadInputError, match="at most 1,000 values"):
        scene_of(scene(units=data))


# -- round trips -----------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", ["toml", "json"])
def test_scene_round_trip(tmp_path: Path, suffix: str) -> None:
    """A position that is saved and loaded again is the same, off-map units and halves included."""
    position = scene_of(scene(pending=[PENDING])).position
    save(position, tmp_path / f"a.{suffix}", name="yard")
    found = load_scene(tmp_path / f"a.{suffix}")
    assert (position, "yard") == (found.position, found.name)
    assert position.key() == found.position.key()


def test_scene_data_round_trip() -> None:
    """A scene's plain data come back as they were, defaults left out."""
    data = scene()
    assert data == scene_data(scene_of(data).position, name="yard")


def test_another_board_is_written_out(demo_board: Board) -> None:
    """A scene on a board that is not the rulebook's own carries the board with it."""
    other = Board("other", demo_board.locations, demo_board.edges)
    position = scene_of(scene(board={**scene_data_board(other)})).position
    data = scene_data(position)
    assert "other" == data["board"]["name"]
    assert position == scene_of(data).position


def scene_data_board(board: Board) -> dict[str, Any]:
    """Return a board as plain data."""
    from marchtable.structs import builtins_of

    found: dict[str, Any] = builtins_of(board.file())
    return found


@pytest.mark.parametrize("suffix", ["toml", "json"])
def test_log_round_trip(tmp_path: Path, suffix: str) -> None:
    """A log that is saved and loaded again is the same, and knows its scene."""
    position = scene_of(scene()).position
    actions = log_of(list(LOG), position)
    save_log(actions, tmp_path / f"a.{suffix}", scene="yard")
    assert actions == load_log(tmp_path / f"a.{suffix}", position, name="yard")
    assert log(scene="yard") == log_data(actions, scene="yard")


def test_log_for_a_position_by_key() -> None:
    """A log may name its scene by the position's key; another key is another scene."""
    position = scene_of(scene()).position
    assert log_of(log(scene=position.key()), position)
    with pytest.raises(BadInputError, match="another scene"):
        log_of(log(scene="0" * 24), position)


def test_tables_and_lines_are_the_same_actions() -> None:
    """An entry of a log may be a line or a table."""
    position = scene_of(scene()).position
    table = {"do": "enter", "units": ["truck"], "to": "D5", "extra": 0.5}
    assert log_of([table], position) == log_of(["enter truck D5 extra=0.5"], position)


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """``-`` reads standard input, as JSON or as TOML."""
    for text in (json.dumps(scene()), tomli_w.dumps(scene())):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        assert scene_of(scene()).position == load("-")


def test_byte_order_mark(tmp_path: Path) -> None:
    """A file that an editor has begun with a byte order mark is read all the same."""
    path = tmp_path / "a.toml"
    path.write_bytes(b"\xef\xbb\xbf" + tomli_w.dumps(scene()).encode())
    assert scene_of(scene()).position == load(path)


def test_readings() -> None:
    """A reading may be chosen for a position; the default leaves no trace."""
    position = scene_of(scene()).position
    assert (("D2.12", "any"),) == position.readings
    assert () == with_readings(position, {"D2.12": "started"}).readings


# -- boards ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", ["toml", "json"])
def test_board_round_trip(tmp_path: Path, demo_board: Board, suffix: str) -> None:
    """A board that is saved and loaded again is the same."""
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
        ({"locations": [{"name": "A1", "hex": "A1", "u": 0, "v": 0}, {"name": "A2", "hex": "A2", "u": 0, "v": 1}]}, "locations[1]"),
        ({"locations": [{"name": "A1", "hex": "A1", "u": 0, "v": 0}, {"name": "A2", "hex": "A2", "u": 0, "v": 0}]}, "locations[1]"),
        ({"aliases": {"X": "Y"}}, "aliases"),
    ],
)  # fmt: skip
def test_refused_board(tmp_path: Path, changes: dict[str, Any], field: str) -> None:
    """A board file with Locations that are nowhere, twice or not adjacent is refused by field."""
    path = tmp_path / "b.json"
    path.write_text(json.dumps(_board(**changes)))
    with pytest.raises(BadInputError) as caught:
        load_board(path)
    assert (str(path), field) == (caught.value.source, caught.value.field)


def test_boards_beside_the_scene(tmp_path: Path, demo_board: Board) -> None:
    """A scene finds boards relative to itself, turns them round and joins them."""
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


def test_demo_files() -> None:
    """The files that come with the rulebook are sound, and its board is loaded once."""
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
