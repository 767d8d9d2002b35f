"""What answers assume if a scene does not state lines of sight."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from marchtable.answers.answer import answer
from marchtable.answers.verdicts import check_answer
from marchtable.cli.main import app
from marchtable.files.notation import parse_action
from marchtable.files.scenes import scene_data
from tests.asl.boards import ASL, field, foot, place, vehicle
from tests.asl.test_columns import column
from tests.asl.test_convoys import convoy, road

if TYPE_CHECKING:
    from pathlib import Path

ENEMY = foot("e", at="B1", side="russian")


def asked(position: Any, *lines: str) -> tuple[str, list[str], set[str]]:
    """Return the status of a log, its assumptions, and the clauses that could not be judged."""
    found = check_answer(position, [parse_action(line, ASL) for line in lines])
    return found["status"], found["assumed"], {one["clause"] for one in found["unsupported"]}


@pytest.mark.clause("A12.2", "A12.11b")
@pytest.mark.parametrize(("dummy", "clause"), [(False, "A12.2"), (True, "A12.11b")])
def test_concealment_that_nobody_is_stated_to_see(*, dummy: bool, clause: str) -> None:
    """A mover keeps its '?' by assumption if there are enemies; with none, or seen, nothing is assumed."""
    mover = foot("u", at="A4", concealed=True, dummy=dummy)
    status, assumed, _ = asked(place(road(), mover, ENEMY), "enter u A3")
    assert (status, len(assumed)) == ("LEGAL", 1)
    assert clause in assumed[0]
    assert asked(place(road(), mover), "enter u A3")[1] == []
    seen = foot("e", at="B4", side="russian", sees=("u",))
    assert asked(place(road(), mover, seen), "enter u A3")[1] == []
    assert asked(place(road(), foot("u", at="A4"), ENEMY), "enter u A3")[1] == []


@pytest.mark.clause("E11.53b", "E11.531a")
def test_a_column_that_is_not_stated_to_see() -> None:
    """It goes on by assumption if there is a Known enemy; not for a concealed or visible one."""
    move = "impulse u1 enter:A7,enter:A8"
    status, assumed, _ = asked(column(8, 9, others=(ENEMY,)), move)
    assert (status, len(assumed)) == ("LEGAL", 1)
    assert "E11.53b" in assumed[0]
    hidden = foot("e", at="B1", side="russian", concealed=True)
    assert asked(column(8, 9, others=(hidden,)), move)[1] == []
    assert asked(column(8, 9, others=(ENEMY,)), "sight u2 of=e", move)[1] == []


@pytest.mark.clause("E11.251a", "E11.5e")
def test_leaving_a_convoy_hangs_on_what_is_seen() -> None:
    """With an enemy on the map it cannot be judged without stated sight; with none it is ILLEGAL."""
    watched = convoy(4, 5, 6, others=(ENEMY,))
    status, _, cited = asked(watched, "leave t2")
    assert (status, cited) == ("UNSUPPORTED", {"E11.251a"})
    assert asked(watched, "sight t2 of=e", "leave t2")[0] == "LEGAL"
    assert asked(convoy(4, 5, 6), "leave t2")[0] == "ILLEGAL"
    lined = foot("e", at="B1", side="russian", column="k", rank=1)
    other = foot("f", at="B2", side="russian", column="k", rank=2)
    assert asked(convoy(4, 5, 6, others=(lined, other)), "leave t2")[0] == "UNSUPPORTED"


@pytest.mark.clause("E11.251b", "E11.254a")
def test_a_gap_for_what_is_not_stated_to_be_seen() -> None:
    """The attacked vehicle has a reason; another is assumed not to see it."""
    position = convoy(4, 5, 6)
    status, assumed, _ = asked(position, "result t3 attacked", "impulse t1 enter:A3,stay,stay")
    assert status == "ILLEGAL"
    assert ["E11.251a" in line for line in assumed] == [True]
    assert asked(position, "impulse t1 enter:A3,stay,stay")[1] == []
    assert asked(position, "result t3 attacked", "leave t2")[0] == "UNSUPPORTED"
    assert asked(position, "result t3 attacked", "sight t2 of=t3", "leave t2")[0] == "LEGAL"


@pytest.mark.clause("E11.251c")
def test_another_radio_may_have_seen() -> None:
    """A tank with a radio might leave for what another one sees: that cannot be judged either."""
    for kind, status in (("ft-12", "UNSUPPORTED"), ("tr-20", "ILLEGAL")):
        first = vehicle("t1", kind, at="A4", facing="NNE", convoy="c", rank=1, sees=("t2",))
        second = vehicle("t2", kind, at="A5", facing="NNE", convoy="c", rank=2)
        assert asked(place(road(), first, second, ENEMY), "leave t1")[0] == status
        assert asked(place(road(), first, second), "leave t1")[0] == "ILLEGAL"


@pytest.mark.clause("E1.53a")
def test_a_movement_dr_where_an_enemy_may_be_seen() -> None:
    """The DR is due by assumption, since a unit that sees a Known enemy makes none."""
    bare = field({"A4": {}, "A3": {}, "B1": {}})
    status, assumed, _ = asked(place(bare, foot("u", at="A4"), ENEMY, nvr=2), "enter u A3")
    assert status == "ILLEGAL"
    assert any("E1.53a" in line for line in assumed)
    stated = foot("u", at="A4", sees=("e",))
    assert asked(place(bare, stated, ENEMY, nvr=2), "enter u A3") == ("LEGAL", [], set())
    assert asked(place(bare, foot("u", at="A4"), nvr=2), "enter u A3")[:2] == ("ILLEGAL", [])


@pytest.mark.clause("A10.5g")
def test_a_broken_unit_in_the_open_that_nobody_is_stated_to_see() -> None:
    """It stays by assumption; with no enemy near nothing is assumed."""
    broken = foot("u", at="A4", broken=True, dm=True)
    _, assumed, _ = asked(place(road(), broken, ENEMY, phase="RtPh"), "phase APh")
    assert any("A10.5g" in line for line in assumed)
    assert asked(place(road(), broken, phase="RtPh"), "phase APh")[1] == []


def notes(position: Any, verb: str, **fields: Any) -> list[str]:
    """Return the notes of an answer about a position."""
    request = {"verb": verb, "scene": scene_data(position), **fields}
    found = answer(request)
    assert found["status"] not in ("ERROR", "UNKNOWN")
    lines: list[str] = found.get("notes", [])
    return lines


GOAL = {"format": "marchtable/goal/1", "aims": [{"units": ["u", "v"], "at": ["A3"]}]}
CONCEALED = [foot(name, at="A4", concealed=True) for name in "uv"]
NOT_STATED = "assumes that u, v neither see nor are seen where the scene states no sight (A12.2)"


@pytest.mark.parametrize(
    ("verb", "fields"),
    [("options", {}), ("reach", {"units": ["u", "v"]}), ("plan", {"goal": GOAL})],
)
@pytest.mark.clause("A12.2")
def test_answers_that_hang_on_sight_say_so_once(verb: str, fields: dict[str, Any]) -> None:
    """options, reach and plan have one line for all units whose moves depend on unstated sight."""
    (note,) = notes(place(road(), *CONCEALED, ENEMY), verb, **fields)
    assert note.startswith(NOT_STATED)
    assert "`sees`" in note
    assert notes(place(road(), *CONCEALED), verb, **fields) == []
    seen = foot("e", at="B1", side="russian", sees=("u", "v"))
    assert notes(place(road(), *CONCEALED, seen), verb, **fields) == []
    known = [foot(name, at="A4") for name in "uv"]
    assert notes(place(road(), *known, ENEMY), verb, **fields) == []


@pytest.mark.clause("E11.53b", "E11.251a", "E1.53a")
def test_the_note_names_each_clause_that_hangs_on_sight() -> None:
    """A Column, a Convoy and a unit at night are named with their clauses; stated sight removes it."""
    lined = column(8, 9, others=(ENEMY,))
    assert any("E11.53b" in note for note in notes(lined, "options"))
    assert any("E11.251a" in note for note in notes(convoy(4, 5, 6, others=(ENEMY,)), "options"))
    bare = field({"A4": {}, "A3": {}, "B1": {}})
    dark = place(bare, foot("u", at="A4"), ENEMY, nvr=2)
    assert any("E1.53a" in note for note in notes(dark, "reach", unit="u"))
    stated = place(bare, foot("u", at="A4", sees=("e",)), ENEMY, nvr=2)
    assert notes(stated, "reach", unit="u") == []


def test_notes_on_sight_are_printed(tmp_path: Path) -> None:
    """The command line prints the line once for `options` and once for `reach` of several units."""
    path = tmp_path / "scene.json"
    path.write_text(json.dumps(scene_data(place(road(), *CONCEALED, ENEMY))))
    for words in (["options", str(path)], ["reach", str(path), "--unit", "u", "--unit", "v"]):
        printed = CliRunner().invoke(app, words)
        assert printed.exit_code == 0
        assert " ".join(printed.output.split()).count(NOT_STATED) == 1
