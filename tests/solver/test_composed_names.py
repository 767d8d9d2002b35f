"""Names are compared in NFC: composed and decomposed accents are one name."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Any

import pytest

import marchtable
from marchtable.codec.plain import write
from marchtable.files.logs import load_log
from marchtable.files.notation import parse_action
from marchtable.files.scenes import load_scene, scene_of
from tests.asl.boards import ASL

if TYPE_CHECKING:
    from pathlib import Path

FORMS = ("NFC", "NFD")
EITHER = pytest.mark.parametrize("form", FORMS)


def leon(form: Any) -> str:
    """Return a name in one of the forms."""
    return unicodedata.normalize(form, "L\u00e9on")


def scene(form: str, hexed: str = "") -> dict[str, Any]:
    """Return a scene of a squad of that name, in a hex of the same name if requested."""
    at = "B1" if not hexed else unicodedata.normalize(hexed, "\u00c91")  # type: ignore[arg-type]
    board: dict[str, Any] = {"rows": [". ."]}
    if hexed:
        board = {
            "format": "marchtable/board/1", "name": "caf\u00e9",
            "locations": [{"name": at, "hex": at, "u": 0, "v": 1}, {"name": "A1", "hex": "A1", "u": 0, "v": 3}],
            "edges": [{"a": at, "b": "A1"}],
        }  # fmt: skip
    unit = {"id": leon(form), "type": "4-6-7", "at": "A1", "side": "german"}
    return {
        "format": "marchtable/scene/2", "rulebook": "asl", "board": board, "side": "german",
        "phase": "MPh", "units": [unit],
    }  # fmt: skip


@EITHER
@pytest.mark.parametrize("stated", FORMS)
def test_units_in_every_kind_of_request(form: str, stated: str) -> None:
    """Logs by line and by table, units of requests, goals: either form names the unit."""
    name, data = leon(stated), scene(form)
    goal = {"format": "marchtable/goal/1", "aims": [{"units": [name], "at": ["B1"], "must": "all"}]}
    for request, status in (
        ({"verb": "check", "log": [f"enter {name} B1"]}, "LEGAL"),
        ({"verb": "check", "log": [{"do": "enter", "units": [name], "to": "B1"}]}, "LEGAL"),
        ({"verb": "reach", "unit": name}, "OPTIMAL"), ({"verb": "options", "unit": name}, "LEGAL"),
        ({"verb": "plan", "goal": goal}, "OPTIMAL"),
    ):  # fmt: skip
        answer = marchtable.answer({**request, "scene": data})
        assert answer["status"] == status, answer.get("error")


@EITHER
def test_hexes(form: str) -> None:
    """A hex name with an accent is found in either form and any case."""
    for hexed in FORMS:
        data = scene("NFC", hexed)
        for to in ("\u00c91", "\u00e91"):
            line = f"enter {leon(form)} {unicodedata.normalize(form, to)}"  # type: ignore[arg-type]
            answer = marchtable.answer({"verb": "check", "scene": data, "log": [line]})
            assert answer["status"] == "LEGAL", answer.get("error")


@EITHER
def test_files_and_the_library(form: str, tmp_path: Path) -> None:
    """A plain log, a scene whose file has such a name, a unit asked for and an action parsed in Python."""
    position = scene_of(scene("NFC")).position
    assert position.unit(leon(form)).id == leon("NFC")
    assert position.called(leon(form).lower()) == leon("NFC")
    assert parse_action(f"enter {leon(form)} B1", ASL).units == (leon("NFC"),)  # type: ignore[attr-defined]
    log = tmp_path / "moves.log"
    log.write_text(f"enter {leon(form)} B1\n", encoding="utf-8")
    assert load_log(log, position)[0].units == (leon("NFC"),)  # type: ignore[attr-defined]
    file = tmp_path / f"{leon(form)}.json"
    write(scene("NFC"), file)
    for other in FORMS:
        assert load_scene(tmp_path / f"{leon(other)}.json").position.unit(leon(form))


def test_two_names_that_are_one() -> None:
    """Units whose names differ only in form are one name given twice."""
    data = scene("NFC")
    data["units"] = [data["units"][0], {**data["units"][0], "id": leon("NFD")}]
    answer = marchtable.answer({"verb": "check", "scene": data, "log": []})
    assert answer["status"] == "ERROR"
