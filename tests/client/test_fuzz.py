"""Random scenes, logs and requests: an answer or an error, never anything else."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.fuzz import Corpus, fault_of
from marchtable.answers.answer import EXIT_CODES, answer
from marchtable.errors import BadInputError
from marchtable.files.boards import load_board
from marchtable.files.scenes import load
from tests.client.scenes import LOG, log, scene
from tests.slowly import slow_after

if TYPE_CHECKING:
    from pathlib import Path

ODD: list[Any] = [
    None, True, False, 0, -1, 0.5, 0.3, 1e300, float("nan"), float("inf"), 2**64, "", "-", "x", "B4",
    "truck", "\x00", "\ud800", "a b", "é", [], {}, [[]], {"": {}}, "opel-blitz", "E", "done", "minimum",
    "demo", "MPh", "german", "A4.12b", ["ldr"], {"month": 2}, "all", 12, "vehicle",
]  # fmt: skip
anything = st.recursive(
    st.sampled_from(ODD) | st.text(max_size=4) | st.integers(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)
UNIT_KEYS = [
    "id", "side", "at", "type", "facing", "moving", "bu", "sw", "pinned", "broken", "wounded", "cx",
    "mph", "spent", "used", "final", "off_road", "previous", "road", "double", "was_cx", "leaders",
    "lends", "helper", "bogged", "inexperienced", "prep_fired", "concealed",
]  # fmt: skip


def _places(data: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the paths of everything in plain data."""
    found = [way] if way else []
    steps = (
        data.items()
        if isinstance(data, dict)
        else enumerate(data)
        if isinstance(data, list)
        else ()
    )
    for key, entry in steps:
        found += _places(entry, (*way, key))
    return found


def _changed(data: Any, way: tuple[Any, ...], value: Any) -> Any:
    """Return plain data with one change."""
    if not way:
        return value
    if isinstance(data, dict):
        return {**data, way[0]: _changed(data.get(way[0]), way[1:], value)}
    if isinstance(data, list):
        return [_changed(e, way[1:], value) if n == way[0] else e for n, e in enumerate(data)]
    return value


@st.composite
def mutants(draw: st.DrawFn, base: Any) -> Any:
    """Draw plain data like these with a few changes."""
    for _ in range(draw(st.integers(1, 3))):
        base = _changed(base, draw(st.sampled_from(_places(base))), draw(anything))
    return base


@st.composite
def odd_units(draw: st.DrawFn) -> dict[str, Any]:
    """Draw the scene with fields of its units set to existing values, at least by name."""
    found = scene()
    for _ in range(draw(st.integers(1, 4))):
        unit = draw(st.sampled_from(found["units"]))
        unit[draw(st.sampled_from(UNIT_KEYS))] = draw(st.sampled_from(ODD))
    return found


WORDS = [
    "start", "stop", "turn", "enter", "minimum", "double-time", "lend", "end", "settle", "phase",
    "truck", "ldr", "sq", "gone", "ldr,sq", "sq,sq", ",", "B4", "C5", "B3", "B2", "K5:bridge", "E", "SSE",
    "NNE", "MPh", "AFPh", "half=true", "extra=1", "extra=-1", "side=russian", "mobile", "bog:truck", "=",
]  # fmt: skip
lines = st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join) | st.sampled_from(LOG)


def answered(request: Any) -> str:
    """Return the status of an answer that is JSON."""
    found = answer(request)
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert found["status"] in EXIT_CODES
    return str(found["status"])


@given(data=mutants(scene()), entries=st.just(list(LOG)))
def test_any_scene(data: Any, entries: list[str]) -> None:
    """A scene with random values is judged or rejected."""
    answered({"verb": "check", "scene": data, "log": entries})


@given(data=odd_units(), entries=st.lists(lines, max_size=4))
def test_any_units(data: Any, entries: list[str]) -> None:
    """Units in unusual states are judged or rejected, and so are their options."""
    if answered({"verb": "check", "scene": data, "log": entries}) != "ERROR":
        assert answered({"verb": "options", "scene": data}) != "ERROR"


@given(entries=st.lists(lines, max_size=8))
def test_any_lines(entries: list[str]) -> None:
    """A log of random words is judged or rejected."""
    answered({"verb": "check", "scene": scene(), "log": entries})


@given(
    data=mutants(log("start truck", {"do": "enter", "units": ["truck"], "to": "C5", "extra": 0.5}))
)
def test_any_log(data: Any) -> None:
    """A log with random values is judged or rejected."""
    answered({"verb": "check", "scene": scene(), "log": data})


@given(
    request=mutants({"verb": "reach", "scene": scene(), "unit": "sq", "to": "B2", "rolls": "pass"})
)
def test_any_request(request: Any) -> None:
    """A request with random values is answered or rejected."""
    answered(request)


@given(
    content=st.binary(max_size=60)
    | st.text(max_size=60).map(lambda text: text.encode("utf-8", "replace"))
)
def test_any_file(tmp_path_factory: Any, content: bytes) -> None:
    """A file of random bytes is rejected, and has no other effect."""
    path = tmp_path_factory.mktemp("any") / "scene.toml"
    path.write_bytes(content)
    with pytest.raises(BadInputError) as caught:
        load(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("numbers", slow_after(0, [range(6), range(6, 20)]), ids=str)
def test_mutants_of_documents(numbers: range) -> None:
    """A fuzzed file of the documentation is answered or rejected."""
    corpus = Corpus()
    faults = {number: fault_of(corpus.mutant(number, seed=0)) for number in numbers}
    assert {number: fault for number, fault in faults.items() if fault} == {}


def test_a_board_of_no_format(tmp_path: Path) -> None:
    """A board whose format is not even a word is rejected in one line."""
    path = tmp_path / "board.toml"
    path.write_text("format = [1]\n", "utf-8")
    with pytest.raises(BadInputError, match="expected a VASL board archive or a file with format"):
        load_board(path)
