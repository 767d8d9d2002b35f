"""Invalid scenes, logs and files: rejected in one line, by file and field."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from marchtable.answers.answer import answer
from marchtable.codec.plain import MAX_DEPTH, read
from marchtable.errors import BadInputError
from marchtable.files.logs import log_of
from marchtable.files.scenes import load, scene_of
from tests.client.scenes import PENDING, broken, log, scene

VALUES: list[tuple[str, Any, str, str]] = [
    # where, what, the field named, what the message says
    ("format", "marchtable/scene/9", "format", "marchtable/scene/2"),
    ("rulebook", "chess", "rulebook", "found: "),
    ("rulebook", 3, "rulebook", "name of a rulebook"),
    ("board", 3, "board", "expected"),
    ("board", "nowhere.json", "board", "nowhere.json: cannot be read"),
    ("board", [], "board", "at least one board"),
    ("board", [[]], "board", "at least one board"),
    ("board", {"format": "marchtable/board/1", "name": "x", "locations": [], "edges": []}, "board.locations", "at least one"),
    ("side", "", "side", "name without blanks"),
    ("side", ["german"], "side", "expected text"),
    ("phase", "Lunch", "phase", "RPh Rally Phase, PFPh Prep Fire Phase, MPh"),
    ("turn", 0, "turn", ">= 1"),
    ("turn", 1.5, "turn", "expected a whole number"),
    ("turn", True, "turn", "expected a whole number"),
    ("turn", 10**30, "turn", "sensible size"),
    ("conditions", {"month": 13}, "conditions.month", "<= 12"),
    ("conditions", {"weather": "mud"}, "conditions", "expected any of month, "),
    ("interpretations", {"Z9": "any"}, "interpretations", "no register entry"),
    ("interpretations", {"D2.12c": "no"}, "interpretations", "started, any"),
    ("units", {}, "units", "expected a list"),
    ("units.0.at", "Z99", "units[0].at", "Z99"),
    ("units.0.at", "", "units[0].at", "''"),
    ("units.1.id", "truck", "units[1].id", "listed twice"),
    ("units.1.id", "l dr", "units[1].id", "without blanks"),
    ("units.1.id", "a,b", "units[1].id", "without blanks"),
    ("units.1.id", "a=b", "units[1].id", "without blanks"),
    ("units.1.id", "a\nb", "units[1].id", "printable"),
    ("units.1.id", "\ud800", "units[1].id", "printable"),
    ("units.0.type", "opel-blits", "units[0].type", "opel-blitz"),
    ("units.0.facing", "N", "units[0].facing", "NNE, E, SSE"),
    ("units.1.facing", "E", "units[1].facing", "is not one; remove the field"),
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
    ("units.0", 7, "units[0]", "expected a table"),
    ("units.0", {"id": "x", "side": "german", "type": "TR", "entering": ["A1"]}, "units[0].at",
     'missing required field; expected a hex, or at = "-" for a unit off the map'),
    ("counters.0.at", "Z99", "counters[0].at", "Z99"),
    ("counters.0.until", "noon", "counters[0].until", "phase, turn, game"),
    ("pending", [{"id": "x"}], "pending[0].clause", "missing required field"),
    ("name", ["a"], "name", "expected text"),
    ("surprise", 1, "", "`surprise`"),
]  # fmt: skip


@pytest.mark.parametrize(("where", "value", "field", "says"), VALUES)
def test_rejected_scene(where: str, value: Any, field: str, says: str) -> None:
    """A scene with one error is rejected in one line that names the field and what is expected."""
    with pytest.raises(BadInputError) as caught:
        scene_of(broken(where, value), source="yard.toml")
    assert caught.value.source
    assert field == caught.value.field
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("carried", [{"aboard": "truck"}, {"cargo": {"towed_by": "truck"}}])
def test_a_carried_unit_without_a_place(carried: dict[str, Any]) -> None:
    """A unit that another carries is rejected without `at`; the message names its vehicle's."""
    truck = scene()["units"][0] | {"id": "truck", "at": "A1"}
    with pytest.raises(BadInputError, match='names truck, which has at = "A1"') as caught:
        scene_of(scene(units=[truck, {"id": "x", "side": "german", "type": "squad", **carried}]))
    assert caught.value.field == "units[1].at"


@pytest.mark.parametrize("key", ["format", "rulebook", "board", "side", "phase", "units"])
def test_scene_without_a_key(key: str) -> None:
    """A scene without a required key is rejected by the key's name."""
    data = scene()
    del data[key]
    with pytest.raises(BadInputError, match=key):
        scene_of(data)


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
def test_rejected_obligation(key: str, value: Any, field: str) -> None:
    """A pending roll must concern an existing unit, with valid odds."""
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
    (["fly truck"], "log[0]", "`marchtable verbs` lists all"),
    (["start truck", ""], "log[1]", "no action ''"),
    (["start truck", 3], "log[1]", "line or a table"),
    (["enter truck"], "log[0]", "`enter UNITS TO"),
    ([{"do": "start", "unit": ""}], "log[0]", "no unit"),
    (["enter truck C5 speed=3"], "log[0]", "`enter UNITS TO"),
    (["enter truck C5 half=maybe"], "log[0].half", "true or false"),
    (["enter truck C5 half=true half=true"], "log[0]", "`enter UNITS TO"),
    (["enter truck C5 extra=nan"], "log[0].extra", "multiple of 0.5"),
    (["enter truck C5 extra=lots"], "log[0]", "a number for extra"),
    (["enter truck C5 extra=-1"], "log[0].extra", "multiple of 0.5"),
    (["enter truck Z99"], "log[0]", "no hex 'Z99'"),
    (["enter nobody C5"], "log[0]", "no unit 'nobody'"),
    (["enter truck,nobody C5"], "log[0]", "no unit 'nobody'"),
    (["turn truck N"], "log[0].facing", "NNE, E, SSE"),
    (["phase Lunch"], "log[0]", "RPh, PFPh"),
    ([{"unit": "truck"}], "log[0]", "missing field `do`"),
    ([{"do": "start"}], "log[0].unit", "missing required field"),
    ([{"do": "start", "unit": "truck", "loud": True}], "log[0]", "`loud`"),
    ([{"do": "enter", "units": "truck", "to": "C5"}], "log[0].units", "a list"),
]


@pytest.mark.parametrize(("data", "field", "says"), LOGS)
def test_rejected_log(data: Any, field: str, says: str) -> None:
    """A log with one thing wrong is rejected in one line that names the entry."""
    with pytest.raises(BadInputError) as caught:
        log_of(data, scene_of(scene()).position, source="log.toml", name="yard")
    assert (caught.value.source, caught.value.field) == ("log.toml", field)
    assert says in str(caught.value)


FILES: list[tuple[str, bytes, str]] = [
    ("a.toml", b"", "marchtable/scene/2"),
    ("a.toml", b"format = 'x'\nformat = 'y'", "not readable as TOML"),
    ("a.json", b'{"format": 1, "format": 2}', "given twice"),
    ("a.json", b'{"units": [{"spent": NaN}]}', "units[0].spent: expected a finite number"),
    ("a.json", b'{"format": ', "not readable as JSON"),
    ("a.json", b"[" * 100_000, "deeper"),
    ("a.json", b'{"a":' * 30 + b"1" + b"}" * 30, "deeper"),
    ("a.json", b'{"turn": ' + b"9" * 5000 + b"}", "not readable as JSON: a number of too many"),
    ("a.toml", b"turn = " + b"9" * 5000, "not readable as TOML: a number of too many"),
    ("a.toml", b"when = 2024-01-01", "expected text, a number"),
    ("a.toml", b"x = " + b"[" * 3000 + b"]" * 3000, "deeper"),
    ("a.toml", b"\xff\xfe", "expected UTF-8"),
    ("a.toml", b"name = '\xe9'", "expected UTF-8"),
    ("a.json", b"[1, 2]", "expected a table"),
    ("a.toml", b"\x00", "not readable as TOML"),
]


@pytest.mark.parametrize(("name", "content", "says"), FILES)
def test_rejected_file(tmp_path: Path, name: str, content: bytes, says: str) -> None:
    """A file that is not a scene is rejected in one line that names it."""
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(BadInputError) as caught:
        load(path)
    assert str(path) == caught.value.source
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_no_file_at_all(tmp_path: Path) -> None:
    """A missing file, a folder and an impossible name are rejected by name."""
    for path in (tmp_path / "missing.toml", tmp_path, Path("a\0b")):
        with pytest.raises(BadInputError, match="cannot be read") as caught:
            load(path)
        assert caught.value.source


def test_too_large_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file above the limit is not read to its end."""
    monkeypatch.setattr("marchtable.codec.plain.MAX_BYTES", 10)
    (tmp_path / "a.toml").write_text("# longer than ten bytes")
    with pytest.raises(BadInputError, match="at most 10 bytes"):
        read(tmp_path / "a.toml")


def test_too_many_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """Data in which one list stands for millions of others are rejected before traversal."""
    monkeypatch.setattr("marchtable.codec.plain.MAX_VALUES", 1000)
    data: list[Any] = []
    for _ in range(MAX_DEPTH - 2):
        data = [data, data]
    with pytest.raises(BadInputError, match="at most 1,000 values"):
        scene_of(scene(units=data))


# -- former tracebacks -----------------------------------------------------------------------------


def _asl(*units: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {
        "format": "marchtable/scene/2", "rulebook": "asl", "side": "german", "phase": "MPh",
        "board": {"rows": ["...", "..."]}, "units": list(units), **fields,
    }  # fmt: skip


def test_a_passenger_before_its_misspelt_transport() -> None:
    """All types are checked before any load."""
    scene = {
        "format": "marchtable/scene/2", "rulebook": "valor", "side": "german", "phase": "Fire",
        "board": "demo", "units": [
            {"id": "p", "side": "german", "type": "german-rifle-squad", "at": "C3", "aboard": "t"},
            {"id": "t", "side": "german", "type": "m3-haltrack", "at": "C3", "facing": "SW"},
        ],
    }  # fmt: skip
    found = answer({"verb": "check", "scene": scene, "log": []})
    assert found["error"]["field"] == "units[1].type"
    assert "nearest: 'm3-halftrack'" in found["error"]["message"]


@pytest.mark.parametrize("line", ["platoon", "convoy"])
def test_a_line_that_has_left_the_map_whole(line: str) -> None:
    """Nothing is asked of a line that has left the map."""
    gone = {"id": "a", "side": "german", "type": "t-26-m33", "at": "-", "facing": "E",
            "exited": True, line: "p"}  # fmt: skip
    assert answer({"verb": "options", "scene": _asl(gone)})["status"] == "LEGAL"


@pytest.mark.parametrize("reverse", ["false", "true"])
def test_a_scene_amid_an_attempt_to_unbog(reverse: str) -> None:
    """A legal state reads back as a scene: before the roll, and after each outcome."""
    tank = {
        "id": "t",
        "side": "german",
        "type": "t-26-m33",
        "at": "A1",
        "facing": "E",
        "bogged": True,
    }
    asked = {"verb": "check", "scene": _asl(tank), "then": True}
    log = [f"unbog t reverse={reverse}"]
    found = answer({**asked, "log": log})
    assert found["status"] == "LEGAL"
    assert answer({"verb": "options", "scene": found["scene"]})["status"] == "LEGAL"
    (pending,) = found["obligations"]
    for odds in pending["outcomes"]:
        after = answer({**asked, "log": [*log, f"settle {pending['id']} {odds['outcome']}"]})
        assert answer({"verb": "options", "scene": after["scene"]})["status"] == "LEGAL"
